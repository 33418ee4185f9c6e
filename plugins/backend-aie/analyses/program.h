// plugins/backend-aie/analyses/program.h — a program spread over cores, as data: what passes make and read again,
// verifiers ask and the emitter prints.
#pragma once

#include "aie.h"

#include "htp_cpp/constants.h"
#include "htp_cpp/layout/array.h"

#include <deque>
#include <functional>
#include <optional>

namespace htp::aie {

// In memory, and in MLIR.
struct DType {
  std::string_view name, text;
  int64_t bytes;
  bool real;
};
const DType *dtype_named(std::string_view name);
// What operations on elements of a dtype are calculated in, and rounded from once.
const DType &computes_in(const DType &dtype);

// Where a tensor's elements lie in what the host packs: for each turn of some loops, outermost first, `step` further in
// a dimension of the tensor, or in none (-1), and `stride` further there.
struct Along {
  int64_t size, dimension, step, stride;
  bool operator==(const Along &) const = default;
};
struct PackedTensor {
  std::string tensor;
  int64_t at = 0; // in elements of what is packed
  std::vector<Along> along;
  bool operator==(const PackedTensor &) const = default;
};

// What the device sees beyond a tensor's elements: zeros, or what a maximum or a minimum along them takes no notice of.
enum class Fill : uint8_t { zeros, least, greatest };
inline constexpr std::string_view fill_names[] = {"zeros", "least", "greatest"};
inline std::string_view fill_named(Fill fill) { return fill_names[static_cast<size_t>(fill)]; }

struct Parameter {
  std::string name, direction; // "in", "out", "inout"
  const DType *dtype = nullptr;
  std::vector<int64_t> extents, padded;
  std::vector<int64_t> pieces{}; // how many each dimension is cut into, each of which is padded; empty: one
  Fill fill = Fill::zeros;
  Node node = HTP_NONE;
  std::optional<layout::Layout> lies{}; // not row-major: where the elements are in what a caller hands over
  std::vector<PackedTensor>
      packed{};              // of a tensor that the host packs of others: `gain_shift = aie.pack(f32, (192,), …)`
  bool scalar = false;       // `by: f32`, a number, of which the host packs a tensor of one element
  bool counts = false;       // its elements are 0, 1, 2…: the host makes it, `places = aie.counts(i32, (64,))`
  std::string view{};        // what it is called as it is padded, `x_padded = aie.pad(x, (40, 64))`
  Node view_node = HTP_NONE; // which says so
};
// The parameters of a function, all of whose extents must be numbers; false after `refuse`.
using Refuse = std::function<void(Node where, const Refusal &why)>;
// Reports what is refused.
Refuse refusing(const Context &c);
// What is refused, and may be done in another way.
struct Refused {
  Node where = HTP_NONE;
  Refusal why;
};

// How to give sizes to the names of an extent that are not known.
std::string sizes_hint(const Context &c, Node root, const std::string &extent);
bool read_parameters(const Context &c, Node root, Node function, std::deque<Parameter> &parameters,
                     const Refuse &refuse);

// A loop's variable that is computed with.
inline Refusal loop_value(const std::string &variable) {
  return Refusal(diag::loop_value, variable)
      .with("hand the numbers over as a tensor, `numbers: In[Tensor[f32, M, 1]]`, and load the one of each iteration: "
            "`numbers[" +
            variable + ", :]`");
}

// Whether an operation makes a mask of two operands.
bool compares(std::string_view operation);

// Their product, or a number beyond all that a program has.
int64_t count(const std::vector<int64_t> &extents);
// What a program has at most of elements in a tensor, a tile or a stream, and of iterations in a loop.
inline constexpr int64_t most_counted = int64_t{1} << 40;
// As Python spells them.
std::string tuple(const std::vector<int64_t> &items);
// Whether a tile counts for each element of a larger one: extents are equal, 1 or missing in front.
bool spreads(const std::vector<int64_t> &from, const std::vector<int64_t> &to);

// `x_in = aie.feed(x, padded, block, order, apart, share, depth)` between a tensor and cores, or
// `rows = aie.fifo(f32, block, producer, consumer, depth)` between cores.
struct Stream {
  std::string name;
  const Parameter *tensor = nullptr; // null: between cores
  const DType *dtype = nullptr;
  std::vector<int64_t> block;
  std::vector<std::pair<int64_t, int64_t>> order; // size, stride; outermost first
  int64_t apart = 0, depth = 2;
  bool each = true, feeds = true;
  bool by_row = false;           // a transfer a row, whose blocks that row's core of every column gets
  bool once = false;             // acquired outside of the loops
  int64_t start = 0, column = 0; // of the one transfer of a stream whose blocks one core gets: its shim's column
  std::string producer;          // cores by their names: of a fifo, or of a stream that is one core's
  std::vector<std::string> consumers;
  std::string link; // streams with one pass a memory tile together
  Node node = HTP_NONE;
  int64_t block_bytes() const { return count(block) * dtype->bytes; }
  // How many blocks a column's transfer, or the one core's, has.
  int64_t blocks() const;
  // Whether a block's last two dimensions are tiled for the matrix units: (…, m/r, n/c, r, c) for (…, m, n).
  bool blocked() const { return tensor && block.size() > tensor->extents.size(); }
  // Whether a memory tile makes its blocks of rows; those of one row or one column lie as they do in the tensor.
  bool reordered() const { return blocked() && block.back() > 1 && block[block.size() - 2] > 1; }
  // The order in which the transfer of a shim goes: rows as they lie, which become blocks in the memory tile.
  std::vector<std::pair<int64_t, int64_t>> rows_in_order() const;
};

// What a core has in its memory: a buffer of its own, a block of a stream, or a strip of one of these.
struct Tile {
  std::string name;
  const DType *dtype = nullptr;
  std::vector<int64_t> extents;
  const Stream *stream = nullptr;
  const Tile *whole = nullptr; // of a strip, which is as long in the first dimension as the strips before it
  std::string at;              // the loop's variable that counts them
  int64_t bytes() const { return count(extents) * dtype->bytes; }
};

struct Operand {
  const Tile *tile = nullptr; // null: a number
  double number = 0;
  bool real = false; // the number is a float
};

// A function that is compiled apart, `@external(…)`, as C++ has it: where its tiles lie, and numbers, in the order of
// its parameters; where those results go that are left in no parameter's place; what the dimensions of its signature
// are, in the order in which they come.
struct External {
  struct Argument {
    const DType *dtype = nullptr;
    std::vector<int64_t> extents;
    bool number = false;
    int result = -1;     // that is left there
    std::string spelled; // in Python
  };
  std::string name, source;
  Node node = HTP_NONE;
  std::vector<Argument> arguments;
  size_t parameters = 0; // that many of them are; the rest are results alone
  std::vector<int64_t> sizes;
};

struct Statement {
  enum class Kind : uint8_t { loop, acquire, release, buffer, call } kind;
  Node node = HTP_NONE;
  std::string name; // of an operation, or of a loop's variable
  int64_t times = 0;
  std::vector<Statement> body;    // of a loop
  const Stream *stream = nullptr; // acquired or released
  bool takes = true;              // at the end that consumes
  int64_t held = 0;               // blocks of the stream that the core holds when it acquires another one
  const Tile *tile = nullptr;     // made or written
  std::vector<Operand> operands;
  const External *external = nullptr; // that is called, with an operand for each of its arguments
  int64_t axis = 0;                   // of a reduction; of what is unpacked, the block's element that it begins at
};

// Whether the tiles and numbers of an operation fit each other; its axis is read from them.
bool fits(Statement &call);

// Whether a core computes an operation on elements of a dtype.
bool calculates(std::string_view operation, std::string_view dtype);
// An operand, or the operation, that the dtype of its tiles has not.
struct Unfit {
  std::optional<size_t> operand;
  Refusal why;
};
std::optional<Unfit> unfit(const Statement &call, const std::function<std::string(size_t operand)> &shown);

// `@aie.core(column, row)`, or what every core does that the device has.
struct Core {
  std::string name;
  Node node = HTP_NONE;
  int64_t column = -1, row = -1; // of its tile; -1: not placed yet
  std::deque<Tile> tiles, strips;
  std::vector<Statement> body;
};

struct Program {
  std::string name, device;
  Node node = HTP_NONE, with = HTP_NONE; // the entry, and where it says the device
  int64_t columns = 1, rows = 1;
  bool alike = true; // one body, for each core of the columns; else each core has its own
  std::deque<Parameter> parameters;
  std::deque<Stream> streams;
  std::deque<Core> cores;
  std::deque<External> externals;
  const Core *core_named(std::string_view core) const;
  // What a sequence takes: tensors that streams begin or end at, and those that nothing does, but for what is packed.
  std::vector<const Parameter *> handed() const;
  // A stream that is shared among several cores of a column lies in its memory tile on the way.
  // What lies in blocks becomes so there: of named cores, it has a link, if need be of its own.
  bool through_memory(const Stream &s) const { return alike ? (s.each && rows > 1) || s.blocked() : !s.link.empty(); }
  // How many fifos a stream has between a column's memory tile and its cores.
  int64_t branches(const Stream &s) const { return s.each ? rows : 1; }
  // How many blocks a memory tile holds: where rows and columns of cores wait for each other, for more than a
  // core.
  int64_t ahead(const Stream &s) const;
  // The streams of one's link, in order; without a link itself. One alone lies in blocks at the core. Those of several
  // cores share a channel of a shim, where their blocks go in turn; those of the same cores share a channel of these,
  // by which a block of each comes at once.
  std::vector<const Stream *> linked(const Stream &s) const;
  bool leads(const Stream &s) const { return linked(s).front() == &s; }
  bool linked_at_core(const Stream &s) const;
  bool linked_at_shim(const Stream &s) const { return !s.link.empty() && !linked_at_core(s); }
  // Where a stream's block begins in what comes by the cores' channel.
  int64_t offset_in_link(const Stream &s) const;
  // How a transfer goes through the tensor: of a link at the shim, for all of its streams.
  std::vector<std::pair<int64_t, int64_t>> order_of(const Stream &s) const;
  // Its transfers, where cores are alike: one a column, or a row. Those of rows are spread over the columns.
  int64_t transfers(const Stream &s) const { return s.by_row ? rows : columns; }
  int64_t shim_of(const Stream &s, int64_t transfer) const {
    return !alike ? s.column : s.by_row ? transfer * columns / rows : transfer;
  }
  // Calls `inside` with the transfers of a stream that begin or end at the shim of a column.
  template <class F> void passing(const Stream &s, int64_t at, const F &inside) const {
    if (!s.tensor || (linked_at_shim(s) && !leads(s))) return;
    for (int64_t k = 0; k < (alike ? transfers(s) : 1); ++k)
      if (shim_of(s, k) == at) inside(k);
  }
  // Whether both its cores reach one's memory: they are next to each other, and nothing moves.
  bool beside(const Stream &s) const;
  // In whose memory the blocks of such a stream lie. A core reaches its neighbour's to the north, south and west: they
  // are the producer's, unless that is east of the consumer.
  const std::string &home(const Stream &s) const {
    return core_named(s.producer)->column > core_named(s.consumers[0])->column ? s.consumers[0] : s.producer;
  }
  // How often the loops of a core go round whose turns have blocks of every stream; 1 without any.
  int64_t rounds() const;
};

// Whether a stream or a function has this name, which a link then cannot have.
bool names_something(const Program &p, std::string_view name);
// Whether the streams of one's link fit each other; false after `refuse`.
bool link_fits(const Program &p, const Stream &first, const Refuse &refuse);

// Reads the entry of a module whose cores have streams; false after `refuse` was called.
bool read_program(const Context &c, Node root, Program &program, const Refuse &refuse);

} // namespace htp::aie
