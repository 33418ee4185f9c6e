// plugins/backend-a2a3/analyses/program.h — a placed program as data: what passes behind a2a3.allocate_buffers reason
// about and the emitter prints.
#pragma once

#include "allocation/memory.h"
#include "analyses/layouts.h"

#include "htp_cpp/constants.h"

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>

namespace htp::a2a3 {

enum class Pipe : uint8_t {
#define PIPE(name, text) name,
#include "analyses/pipes.def"
};
inline constexpr std::string_view pipe_names[] = {
#define PIPE(name, text) text,
#include "analyses/pipes.def"
};
inline constexpr size_t pipe_count = std::size(pipe_names);
inline std::string_view name_of(Pipe pipe) { return pipe_names[static_cast<size_t>(pipe)]; }

// A tensor parameter, or global memory between kernels: `g = pto.gm(f32, M, N)`.
struct Tensor {
  std::string name, direction; // "in", "out", "inout"; "gm"
  const DType *dtype = nullptr;
  std::vector<Node> extents;
  Strided lies;         // of a parameter
  Node node = HTP_NONE; // of `gm`: the statement
  bool scalar = false;  // a parameter that is one element, handed over by value
  static constexpr size_t outside = SIZE_MAX;
  size_t group = outside; // of `gm`: whose loops it lies in, of each iteration its own
};

// `t = pto.tile(f32, 8, 64, valid=(i_n, N), at=0, space="ub")`; in the unified buffer `layout="nd"` is lines of one
// element each, which a tile with a place says by one column of many that counts.
struct Tile {
  std::string name;
  const DType *dtype = nullptr; // null: a mask, with a bit an element
  int64_t rows = 0, columns = 0, offset = 0;
  int64_t apart = 0; // in every second iteration so many bytes further
  std::string turn;  // by this loop's turn
  Node valid_rows = HTP_NONE, valid_columns = HTP_NONE;
  const Space *space = nullptr;
  enum class Layout : uint8_t { usual, zn, nd } layout = Layout::usual;
  std::string pad;      // "zero", "max", "min"
  bool kept = false;    // with what was there before; else nothing is in it where it is declared
  Node node = HTP_NONE; // `pto.tile(…)`
  bool turned() const { return layout == Layout::zn; }
  int64_t bytes() const {
    const int64_t elements = sdk::mul_sat(rows, columns);
    return dtype ? sdk::mul_sat(elements, dtype->bytes) : elements / 8;
  }
};

struct Operand {
  const Tile *tile = nullptr; // null: a number, an int or a string
  Node node = HTP_NONE;
};

// Whether each of its elements begins a line of bytes of its own, so that those of a tensor may lie apart.
bool has_apart_lines(const Reader &r, const Tile &t);

class Overwrites; // the stores of a kernel, and which may write what others wrote

struct Statement {
  enum class Kind : uint8_t { loop, branch, integer, tile, instruction, set, wait, barrier, drain } kind;
  Node node = HTP_NONE;
  std::string name; // of a loop's variable or an int
  // loop: the name of what is 0 and 1 in turn, if any; set, wait: of that by which the event is further.
  std::string turn;
  Node start = HTP_NONE, stop = HTP_NONE, step = HTP_NONE; // loop; start and step 0: the usual ones
  bool perhaps = false;                                    // loop: a call may make it go round no times
  Node value = HTP_NONE;                                   // integer
  const Tile *tile = nullptr;                              // tile; instruction: what is written, or stored
  std::string instruction;                                 // instruction: "tload"
  std::vector<Operand> operands;                           // instruction: behind the first
  const Tensor *tensor = nullptr;                          // a transfer's; integer: what it is read from, if anything
  std::vector<Node> index;                                 // of the tensor
  bool turned = false;                                     // the columns of the slice are the tile's rows
  std::shared_ptr<const Overwrites> stores;                // tstore: of the kernel
  uint32_t store_number = 0;                               // tstore: which of them it is
  Node test = HTP_NONE;                                    // branch; tmatmul_acc: where it holds it is `tmatmul`
  Pipe source = Pipe::s, destination = Pipe::s;            // set, wait; barrier: of `source`, unless of all
  bool all = false;
  int64_t event = 0;
  std::vector<Statement> body, otherwise; // loop, branch; branch

  Pipe pipe() const;
  // tstore: whether it may write what another of the same pipe wrote before.
  bool overwrites(const Statement &before) const;
};

// Which stage a program is of: of tiles over blocks, before there are kernels, with them, with operands of products in
// the memories of a cube core, or with loops of tasks around the kernels; with places; with flags too.
enum class Stage : uint8_t { selected, split, staged, tasks, placed, ordered };

// A loop of tasks.
struct PartOf {
  std::string name;
  Node stop = HTP_NONE, step = HTP_NONE;
  std::string by; // the step's name, if it has one
};

// Loops around kernels, `for i_part in range(0, M, 64)`, outermost first: each iteration makes a task of each kernel.
// Kernels beside loops are in a group without.
struct Group {
  std::vector<PartOf> parts;
};

// What stands in `with pto.aiv():` or `with pto.aic():`. Of tiles that have no place yet rows and columns are 0 where
// they are no numbers, and extents 0 where it is not stated which is which.
struct Kernel {
  Node node = HTP_NONE;
  Stage stage = Stage::ordered;
  std::map<std::string, Node, std::less<>> blocks; // before there are places: loops over blocks, and of what extent
  bool cube = false;
  std::string name;
  std::deque<Tile> tiles;
  std::vector<Statement> body;
  std::set<const Tensor *> reads, writes;
  size_t group = 0;
  std::optional<PartOf> lane; // a loop around this kernel alone, within those of its group
};

struct Program {
  std::string name;
  std::deque<Tensor> tensors; // the parameters, then what lies between kernels
  size_t parameters = 0;
  std::vector<std::string> dims;           // of the tensors' extents, by first occurrence
  std::vector<std::string> int_parameters; // `p: int`, which tasks are given by value, behind the dims
  std::vector<std::string> signature;      // all parameters, in their order
  std::deque<Kernel> kernels;
  std::vector<std::pair<std::string, Node>> ints; // before the kernels
  std::vector<Group> groups;                      // in their order
  // What a call says in numbers: its sizes and its ints.
  std::vector<std::string> numbers() const {
    std::vector<std::string> all = dims;
    all.insert(all.end(), int_parameters.begin(), int_parameters.end());
    return all;
  }
  // Whether it is an int of the tasks.
  bool has_int(std::string_view int_name) const {
    const auto has = [&](const Group &g) {
      return std::any_of(g.parts.begin(), g.parts.end(), [&](const PartOf &one) { return one.name == int_name; });
    };
    return std::any_of(groups.begin(), groups.end(), has) ||
           std::any_of(kernels.begin(), kernels.end(),
                       [&](const Kernel &k) { return k.lane && k.lane->name == int_name; }) ||
           std::any_of(ints.begin(), ints.end(), [&](const auto &one) { return one.first == int_name; });
  }
};

// Reads the entry of a module: kernels `with pto.aiv():`, or, of an earlier form, `with pto.one_by_one():`, or all of
// it. What has no places yet is read as far as its instructions go. False after a report.
bool read_program(const Context &c, Node root, Stage stage, Program &program);

// Whether `with pto.one_by_one("aic"):` is of cube cores.
bool on_cube(const Context &c, Node kernel);

// Lets each store say which ones before, of the same pipe, may have written the same elements.
void find_overwrites(const Context &c, Node root, Program &program);

// Bytes of a space that an instruction reads or writes, or a tensor.
struct Touch {
  const Tensor *tensor = nullptr; // else bytes of `space`
  const Space *space = nullptr;
  int64_t begin = 0, end = 0;
  bool writes = false;
  Pipe pipe = Pipe::s;
  const Statement *store = nullptr; // that writes to the tensor
  // Whether the order counts of this and what comes later. To a tensor one pipe moves in no order, but the vector unit
  // one after the other, and the cube adds up in order.
  bool meets(const Touch &o) const {
    if (tensor != o.tensor || space != o.space || !(writes || o.writes)) return false;
    if (tensor && pipe == o.pipe) return pipe == Pipe::v || (store && o.store && o.store->overwrites(*store));
    if (tensor || (pipe == Pipe::m && o.pipe == Pipe::m)) return pipe != o.pipe;
    return begin < o.end && o.begin < end;
  }
};
using Turns = std::map<std::string, int64_t, std::less<>>;
std::vector<Touch> touches(const Statement &instruction, const Turns &turns);

// A comparison of ints, in C++ as in Python; empty: of something else.
std::string_view comparison(htp_op op);

// Which operand of an instruction is scratch, counted from the target; SIZE_MAX: none.
size_t work_of(std::string_view instruction);
// An instruction that goes to global memory: whether it writes it, with how many tiles beside the one that it moves,
// and whether it says which part.
struct Transfer {
  std::string_view instruction;
  bool writes;
  size_t tiles;
  bool indexed;
};
const Transfer *transfer_of(std::string_view instruction);

// What is wrong with where a tile says that it lies, if anything.
Refusal wrong_place(const Tile &tile);
// And with the memories that an instruction's tiles lie in, in a kernel for vector or for cube cores.
Refusal wrong_way(const Statement &instruction, bool cube);
// The names of all memory spaces.
std::string space_names();

// How an instruction is written, by its documentation.
std::string example_of(const htp_intrinsic &row);

// Whether its instructions take the operands that they are given; false after a report.
bool check_operands(const Context &c, Node root, const Kernel &kernel);
// Whether something has written before what they read.
bool check_written(const Context &c, const Kernel &kernel);
// Whether sizes that kernels with places name fit each other; false after a report.
bool check_capacities(const Context &c, Node root, const Program &program);

} // namespace htp::a2a3
