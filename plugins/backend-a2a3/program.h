// plugins/backend-a2a3/program.h — a placed program as data: what a2a3.order reasons about and the emitter prints.
#pragma once

#include "place.h"

#include "htp_cpp/constants.h"

#include <deque>
#include <functional>
#include <map>
#include <set>

namespace htp::a2a3 {

enum class Pipe : uint8_t { mte2, v, mte3, s };
inline constexpr size_t pipe_count = 4;
std::string_view name_of(Pipe pipe);

// A tensor parameter.
struct Tensor {
  std::string name, direction; // "in", "out", "inout"
  const DType *dtype = nullptr;
  Nodes extents;
};

// `t = pto.tile(f32, 8, 64, valid=(i_n, N), at=0)`
struct Tile {
  std::string name;
  const DType *dtype = nullptr;
  int64_t rows = 0, columns = 0, offset = 0;
  int64_t apart = 0; // in every second iteration so many bytes further
  Node valid_rows = HTP_NONE, valid_columns = HTP_NONE;
  int64_t bytes() const { return rows * columns * dtype->bytes; }
};

struct Operand {
  const Tile *tile = nullptr; // null: a number or an int
  Node node = HTP_NONE;
};

struct Statement {
  enum class Kind : uint8_t { loop, integer, tile, instruction, set, wait, barrier, drain } kind;
  Node node = HTP_NONE;
  std::string name;                                        // of a loop's variable or an int
  std::string turn;                                        // loop: the name of what is 0 and 1 in turn, if any
  Node start = HTP_NONE, stop = HTP_NONE, step = HTP_NONE; // loop; start and step 0: the usual ones
  Node value = HTP_NONE;                                   // integer
  const Tile *tile = nullptr;                              // tile; instruction: what is written, or stored
  std::string word;                                        // instruction: "tload"
  std::vector<Operand> operands;                           // instruction: behind the first
  const Tensor *tensor = nullptr;                          // tload, tstore
  std::vector<Node> index;                                 // tload, tstore
  Pipe source = Pipe::s, destination = Pipe::s;            // set, wait; barrier: of `source`, unless of all
  bool all = false;
  int64_t event = 0;
  bool turned = false; // the event is one further in every second iteration
  std::vector<Statement> body;

  Pipe pipe() const { return word == "tload" ? Pipe::mte2 : word == "tstore" ? Pipe::mte3 : Pipe::v; }
};

struct Program {
  std::string name;
  std::deque<Tensor> tensors;
  std::deque<Tile> tiles;
  std::vector<std::string> dims; // of the tensors' extents, by first occurrence
  std::vector<Statement> body;   // of the kernel
  Node kernel = HTP_NONE;        // the `with`
  // A loop around the kernel makes a task of each iteration: `for part in range(0, M, 64)`.
  Node tasks = HTP_NONE, stop = HTP_NONE;
  std::string part;
  int64_t step = 0;
};

// Called at the first thing that is not of the form, with what it is.
using Refuse = std::function<void(Node where, const std::string &what)>;
// Reads the entry of a module, a kernel `with pto.aiv():`, or, `placed`, one whose pipes are not ordered yet, `with
// pto.one_by_one():`. False after `refuse` was called.
bool read_program(const Context &c, Node root, bool placed, Program &program, const Refuse &refuse);

// Bytes of the buffer that an instruction reads or writes, or a tensor.
struct Touch {
  const Tensor *tensor = nullptr; // else bytes of the buffer
  int64_t begin = 0, end = 0;
  bool writes = false;
  Pipe pipe = Pipe::s;
  // Whether their order counts. To and from a tensor one pipe moves in order.
  bool meets(const Touch &o) const {
    if (tensor != o.tensor || !(writes || o.writes)) return false;
    return tensor ? pipe != o.pipe : begin < o.end && o.begin < end;
  }
};
std::vector<Touch> touches(const Statement &instruction, int64_t turn);

// Whether flags and barriers order everything that touches the same; false after `refuse` was called.
bool check_order(const Program &program, const Refuse &refuse);

} // namespace htp::a2a3
