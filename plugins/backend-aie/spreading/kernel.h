// plugins/backend-aie/spreading/kernel.h — a kernel as data: loops over blocks, and what is loaded, computed and stored
// in them, before and after it is decided which cores share them.
#pragma once

#include "analyses/on_device.h"
#include "analyses/program.h"

#include "htp_cpp/imports.h"

#include <map>
#include <set>

namespace htp::aie {

// Who gets the blocks of a stream: each core of a column in turn, the same row of all columns, or all cores of a
// column.
enum class Share : uint8_t { each, rows, all };
inline Share share_of(bool by_column, bool by_row, int64_t columns) {
  return !by_row ? Share::all : by_column || columns == 1 ? Share::each : Share::rows;
}

struct Loop {
  std::string name;
  int64_t extent = 0, block = 0; // of blocks within another loop's: that block, which they make up
  int within = -1;               // that loop
  Over over = Over::none;
  bool bound = false;   // by a schedule: its blocks stay as they are
  int64_t depth = 2;    // how many of its blocks a stream is to hold
  int64_t declared = 0; // its block in the program
  Node node = HTP_NONE;
  int64_t blocks() const { return (extent + block - 1) / block; }
  bool ragged() const { return extent % block != 0; }
};

// What is loaded or stored of a tensor: for each dimension the loop whose blocks it holds, or -1 for the whole.
struct Access {
  size_t tensor = 0;
  std::vector<int> index;
  bool stores = false;
  std::string tile; // that is loaded to, or stored
  Node node = HTP_NONE;
  std::vector<int> path; // the loops around
  std::string stream;
};

// What is computed: an intrinsic by its own name, `add`, and its operands.
struct Operation {
  struct Operand {
    Node node = HTP_NONE;
    std::string tile; // empty: a number
  };
  Node node = HTP_NONE;
  std::string name;
  std::vector<Operand> operands; // the first is written
  const std::string &target() const { return operands[0].tile; }
};

// A statement, by its number in one of the kernel's lists, or the buffer that it declares; or a loop and what is in it.
struct Item {
  Node node = HTP_NONE;
  int loop = -1, access = -1, operation = -1;
  std::string buffer{};
  std::vector<Item> body{};
};

struct Buffer {
  Node dtype = HTP_NONE;
  std::vector<int64_t> extents;
  std::vector<int> loops; // whose block an extent is, or -1: by its type, and as `name_ones` found
  std::vector<int> path;  // the loops around
};

struct Kernel {
  Kernel(const Context &context, Node module, Node entry)
      : c(context), names(context, module), root(module), function(entry) {}

  const Context &c;
  Names names;
  Node root, function;
  std::deque<Parameter> parameters;
  std::vector<Loop> loops;
  bool scheduled = false; // it is decided which loops cores share
  std::vector<Item> body;
  std::vector<Access> accesses;
  std::map<std::string, Buffer, std::less<>> buffers;
  std::map<std::string, unsigned> written, stored; // how often, by operations and by stores
  std::vector<Operation> operations;
  std::optional<Refused> refused; // not reported yet

  const Loop &loop(int number) const { return loops[static_cast<size_t>(number)]; }
  // What an item is; null where it is something else.
  const Access *access_of(const Item &item) const {
    return item.access < 0 ? nullptr : &accesses[static_cast<size_t>(item.access)];
  }
  const Operation *operation_of(const Item &item) const {
    return item.operation < 0 ? nullptr : &operations[static_cast<size_t>(item.operation)];
  }
  // The dimension of an access whose blocks a loop goes through, itself or by blocks within its own; or -1.
  int dimension_of(const Access &a, int of) const;
  bool uses(const Access &a, int of) const { return dimension_of(a, of) >= 0; }
  // The loop whose blocks are not within others, and whether one of its blocks is filled up.
  const Loop &outermost(int of) const;
  bool ragged(int of) const { return outermost(of).extent % loop(of).block || outermost(of).ragged(); }
  // Whether the streams of an access differ between columns of cores, and between the cores of a column.
  bool by_column(const Access &a) const { return differs(a, Over::columns); }
  bool by_row(const Access &a) const { return differs(a, Over::rows); }
  bool differs(const Access &a, Over over) const;
  // The operation by which an iteration of a loop hands a value on, to the next one or to what stands behind the loop:
  // it writes a tile that lies outside of it. One core does all iterations of such a loop. HTP_NONE: none depends on
  // another one.
  Node carries(int of) const;
  // How often a core goes round a loop, where so many columns and rows of cores share the blocks.
  int64_t rounds(int of, int64_t columns, int64_t rows) const;
  // Whether a buffer is a block of a stream itself: what is loaded and never written again, or written and stored once.
  bool is_block(const std::string &name) const;
  std::vector<int64_t> block_of(const Access &a) const;
  // What is loaded again, and not written either time, is the block that was loaded first: its name, else nothing.
  std::string alias_of(const std::string &name) const;
  bool loaded(const std::string &name) const;
  const Access *store_of(const std::string &name) const;
  const DType *dtype_of(const Buffer &buffer) const; // null: none that cores calculate with
  // Whether a loop may go by blocks of another length: what is computed of a row of one knows nothing of the others,
  // and nothing goes from one to the next; and that it does.
  bool grows(int of) const;
  void grow(int of, int64_t block);
  // Says of dimensions of tiles that are one long whose block they are, where a loop counts one by one: `x[m, :]` in
  // `for m in range(M)` is a tile of 1 by N, in whose type `m` does not stand.
  void name_ones();
};
// The statements of tensors of it that the host makes, `places = aie.counts(i32, (64,))`.
std::vector<uint32_t> made_by_host(const Kernel &kernel);
// Fills in all of it; false after a report, or with what was refused.
bool read_kernel(Kernel &kernel);

} // namespace htp::aie
