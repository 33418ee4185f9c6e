// plugins/backend-cpu/lowering/loops/model.h — the tile statements of a kernel as steps over elements: what cpu.loops
// reasons about between reading the tree and writing it again.
#pragma once

#include "cpu.h"

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace htp::cpu::loops {

// A dim of a tile: 1, another number, a `htp.dim`, or a block. Equal keys are equal extents.
struct Extent {
  std::string key;      // "1", "64", "N", "i"
  Node node = HTP_NONE; // how the annotation spells it
  bool one() const { return key == "1"; }
};

// Memory: a tensor parameter, or a tile.
struct Object {
  std::string name;
  bool tensor = false;
  std::optional<int> beside; // of a parameter: the dim whose elements lie side by side; -1: none
  Type type;
  std::vector<Extent> shape;
  // Of a tile:
  int along() const { return beside.value_or(static_cast<int>(shape.size()) - 1); }
  bool in_memory = false;   // used beyond its segment, or assigned more than once: a buffer of the whole tile
  bool buffered = false;    // a buffer of its segment's own, with the dims in `kept`
  bool line = false;        // the last dim is kept always
  std::vector<size_t> kept; // the dims a buffer has; the others are those of loops its uses share
};

struct Operand;

// Where an access stands along one dim of an object: base + scale * the variable of a loop, an element of another tile,
// or all along it. Nothing of these: 0.
struct Index {
  int loop = -1; // a level of the step's loops
  Node scale = HTP_NONE;
  Node base = HTP_NONE;
  int deepest = -1;              // the innermost level whose variable `base` names
  std::shared_ptr<Operand> from; // an integer tile's element, which is the index
  Node limit = HTP_NONE;         // of `from`: what it must be below
  bool whole = false;            // a line: all along the dim
  std::string text;              // of all but the loop; equal texts and loops are equal indices
  // The innermost level of the step's loops that it depends on.
  int depth() const;
};

struct Access {
  Object *object = nullptr;
  std::vector<Index> index;
  int depth() const;
};

// What a name stands for: elements of an object, seen through a mapping of the tile's dims; or one value everywhere.
struct View {
  struct Dim {
    int tile_dim = -1; // the first of those that `from` has
    Node base = HTP_NONE, scale = HTP_NONE;
    std::string text = {}; // of base and scale
    const View *from = nullptr;
  };
  Object *object = nullptr;
  std::vector<Dim> dims;     // one for each dim of the object
  std::vector<Extent> shape; // of the tile as seen
  Node constant = HTP_NONE;  // the value, when there is no object
  Node dtype_node = HTP_NONE;
  Node outside = HTP_NONE; // what stands for elements outside of the tensor; 0 where there are none
  std::string name;        // the tile's name
};

struct Operand {
  const View *view = nullptr; // null: a literal or a compile-time value, `node`
  Access access;              // of a view of an object
  Node node = HTP_NONE;
};

struct Loop {
  Extent extent;
  bool reduces = false; // the last of a reduction's loops
};

// One statement over elements: nested loops, the reducing one innermost.
struct Step {
  enum class Form : uint8_t {
    elementwise,
    store,
    reduce,
    locate, // argmax and its like: a reduction to the index of what it finds
    scan,   // a reduction that keeps what it has at each element
    matmul,
    order,   // where the first of a line stand in order: lines of two buffers
    position // an element as an int or a truth value; no loops
  } form = Form::elementwise;
  Node statement = HTP_NONE, call = HTP_NONE;
  std::string intrinsic;         // of elementwise and reduce forms, without "cpu."
  std::vector<Operand> operands; // elementwise: in the call's argument order
  std::vector<Loop> loops;
  Access result;
  Index counted;           // of `iota`
  bool turned = false;     // its loops are not in the order of the result's dims
  bool descending = false; // of `order`
  bool stays = false;      // of `position`: what is before it reads the name that it binds
  // Of a product with four rows or more, which is made by tiles of registers: the levels of its loops.
  struct Tiled {
    int rows = -1, columns = -1, depth = -1;
  };
  std::optional<Tiled> tiled;
  const DType *dtype = nullptr; // of the result
  Node dtype_node = HTP_NONE;

  template <class F> void each_access(F &&f) const { // f(access, writes)
    for (const Operand &o : operands) each_access(o.access, false, f);
    each_access(result, true, f);
  }

private:
  template <class F> static void each_access(const Access &a, bool writes, F &f) {
    if (!a.object) return;
    for (const Index &i : a.index)
      if (i.from) each_access(i.from->access, false, f);
    f(a, writes);
  }
};

// A tree of loops: what `fuse` makes of a segment.
struct Item {
  // The dims of an object along which an access goes with the loop's variable, and what it adds to that.
  struct Use {
    std::vector<std::pair<size_t, std::string>> dims;
    bool operator==(const Use &) const = default;
  };
  struct Uses {
    std::vector<Use> reads, writes; // each once
  };

  const Step *step = nullptr; // a leaf: the step runs here
  Extent extent;              // else a loop over this
  bool vectorized = false;
  std::vector<const Step *> members;
  std::unordered_map<const Object *, Uses> uses; // by the members, at the loop's level
  std::vector<Item> body;
};
std::vector<Item> fuse(const std::vector<const Step *> &steps, size_t level);
// Whether a loop of the step at this level runs along the last dim of everything it touches, or not at all, and its
// iterations do not follow one from the other. The right operand of a product by tiles of registers may also lie across
// its columns: it is laid side by side first (`cpu.pack_panels`).
bool contiguous(const Step &step, size_t level);

} // namespace htp::cpu::loops
