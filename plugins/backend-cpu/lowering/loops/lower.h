// plugins/backend-cpu/lowering/loops/lower.h — from a kernel's tile statements to its element loops.
#pragma once

#include "model.h"
#include "uses.h"

#include "htp_cpp/constants.h"
#include "htp_cpp/ints.h"

#include <deque>
#include <set>

namespace htp::cpu::loops {

// What a block variable of `tile.tiles` became: `at`, its first index, and how many it has.
struct Block {
  std::string at;
  Node count;          // an expression: `i_n`, or a number when every block is full
  Node size;           // the most it can have
  Node of;             // the extent that it, or the block that it is cut from, is of
  bool active = false; // inside its loop
};

// State of one function while it is lowered: shared by reading steps and writing loops.
struct Kernel {
  Kernel(const Context &context, const Names &imports, Node module, Node f)
      : c(context), names(imports), constants(c, module), function(f), uses(c, imports, f) {}

  const Context &c;
  const Names &names;
  sdk::Constants constants;
  Node function;
  Uses uses;
  std::deque<Object> objects; // addresses stay
  std::deque<View> views;
  std::map<std::string, const View *, std::less<>> values; // what a tile's name stands for now
  std::map<std::string, Object *, std::less<>> memory;     // tensors, and tiles that live in memory
  std::map<std::string, Block, std::less<>> blocks;
  std::set<std::string> stored;                        // tensors that the block at hand writes
  std::set<std::string, std::less<>> annotated;        // scalar names whose first binding is written
  std::vector<std::string> level_names;                // p, q, r …
  std::map<const Object *, std::string> element_names; // of objects in memory

  Extent extent_of(Node dim) const;
  // How many indices a slice with both bounds has; 0 when that is not known.
  Node slice_length(const SliceCall &slice) const;
  // How many elements a dim has here, and the most it can have; new nodes.
  Node count(const Extent &extent, Node origin) const;
  Node most(const Extent &extent, Node origin) const;
  // Whether a dim may have so many elements.
  bool at_least(const Extent &extent, int64_t elements) const;
  // Whether a name is of the module: a dim, which is never below 0; or of how many indices a block has.
  bool is_natural(const std::string &name) const;
  const std::string &loop_variable(size_t level);
  const std::string &element_name(const Object *object);
  // `name: Tile[…] = cpu.alloc(…)` for these dims of the object.
  Node alloc(const Object &object, const std::vector<size_t> &dims, Node origin) const;
};

// Reads one segment's statements as steps; views that need no step are noted in the kernel.
class SegmentReader {
public:
  explicit SegmentReader(Kernel &kernel) : k(kernel), c(kernel.c) {}
  void read(Node statement);
  std::deque<Step> &steps() { return steps_; }

private:
  void create(Node statement, Node call, const std::string &intrinsic, std::string_view target, const Type &type);
  void load(Node statement, Node call, std::string_view target, const Type &type);
  void store(Node statement, Node call, const std::string &intrinsic);
  void gather(Node statement, Node call, std::string_view target, const Type &type);
  void sort(Node statement, Node call, const std::string &intrinsic, std::string_view target, const Type &type);
  void reduce(Node statement, Node call, const std::string &intrinsic, std::string_view target, const Type &type);
  void iota(Node statement, Node call, std::string_view target, const Type &type);
  void matmul(Node statement, Node call, std::string_view target, const Type &type);
  void scan(Node statement, Node call, const std::string &intrinsic, std::string_view target, const Type &type);
  void locate(Node statement, Node call, const std::string &intrinsic, std::string_view target, const Type &type);
  void transpose(Node statement, Node call, std::string_view target, const Type &type);
  void reshape(Node statement, Node call, std::string_view target, const Type &type);
  void extract(Node statement, Node call, std::string_view target, const Type &type);
  void see(Node statement, View seen, std::string_view target, const Type &type);
  void elementwise(Node statement, Node call, const std::string &intrinsic, std::string_view target, const Type &type);
  void copy(Node statement, const View &from, std::string_view target, const Type &type);

  std::vector<Extent> shape_of(const Type &type) const;
  static View identity(Object *object);
  Object *line_object(const std::string &name, Node dtype_node, const DType *dtype, const std::vector<Extent> &shape,
                      const Type &like);
  void make_constant(Node statement, Node value, std::string_view target, const Type &type);
  Node block_in(Node index) const;
  View::Dim moved(Node index, Node block, int dim) const;
  Operand taken(const View &x, size_t axis, const std::vector<int> &levels, const View &index,
                const std::vector<int> &index_levels, Node origin) const;
  static std::string text_of(const Access &a);
  // The tensor's dims at an index; the extents of the tile it selects go to `shape`.
  bool index_tensor(Node where, Object *tensor, Nodes index, View &view, std::vector<Extent> &shape) const;
  Object *result_object(std::string_view target, const Type &type, bool temporary = false);
  void bind(std::string_view target, Object *object);
  Step &begin(Node statement, Node call, Step::Form form, const Type &type);
  // Loops over the extents that are not 1; the level of each dim, or -1.
  static std::vector<int> loops_over(Step &step, const std::vector<Extent> &shape);
  Access access(const View &view, const std::vector<int> &levels) const;
  Access access(const View &view, const std::vector<Index> &at) const;
  int64_t axis_of(Node call, size_t rank) const;
  std::optional<std::vector<int>> along_axis(Node call, Step &step);
  Index run_over(Step &step, const std::vector<Extent> &shape, const std::vector<size_t> &dims, std::vector<Index> &at,
                 Node origin);
  Index slice_of(const Index &index, const std::vector<Node> &behind, Node size, Node origin);
  Node times(Node a, Node b, Node origin) const;
  Operand operand(Node argument, const std::vector<int> &levels) const;
  const View *view_of(Node argument) const;
  // Whether the step reads its own result's object at other elements than it writes.
  static bool reads_behind_its_back(const Step &step);
  void finish(Step &step, std::string_view target, const Type &type);
  void finish(Step &step, std::string_view target, const Type &type, const std::vector<Index> &at);

  Kernel &k;
  const Context &c;
  std::deque<Step> steps_;
};

// A statement that takes a slice of a tile, with the ints that may be outside of it asked by statements before.
Node with_inside_asked(Kernel &k, Node statement, std::vector<uint32_t> &before);

// The dim of a tensor whose elements lie side by side, by its layout; -1: none.
int beside_in(const Context &c, const Parameter &parameter);
// Has loops of elementwise steps go along what lies side by side, where that is one loop of all of them.
void go_along_lines(std::deque<Step> &steps);

// Writes a segment's loops.
std::vector<uint32_t> write_segment(Kernel &k, const std::deque<Step> &steps);

} // namespace htp::cpu::loops
