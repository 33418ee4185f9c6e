// plugins/backend-simt/model/program.h — a SIMT program as data: every statement checked, and its names resolved. The
// verifiers ask whether it can be read, the emitter prints it.
//
//   the host's     ints, loops and branches over them, buffers in memory of the device, grids
//   a grid         loops `htp.parallel(…, level="group")` around one another, with ints between; then a group's
//   a group's      uniform: each lane computes it; buffers that lanes share, barriers, loops over lanes
//   a lane's       `htp.parallel(range(256), level="lane")`: its own scalars, and buffers of its own
#pragma once

#include "simt.h"

#include "htp_cpp/constants.h"

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace htp::simt {

enum class Class : uint8_t { boolean, integer, natural, floating };
// A row of dtypes.def.
struct DType {
  std::string_view name, memory, value;
  unsigned bytes;
  Class kind;
  bool narrow() const { return kind == Class::floating && bytes < 4; }
};
const DType *dtype_named(std::string_view name);

enum class Form : uint8_t { unary, binary, compare, ternary, where, cast };
// A row of operations.def.
struct Operation {
  std::string_view name;
  Form form;
  std::string_view floats, others; // as there; empty: it has none
  unsigned operands() const {
    return form == Form::unary || form == Form::cast ? 1 : form == Form::ternary || form == Form::where ? 3 : 2;
  }
};
const Operation *operation_named(std::string_view name);

enum class Space : uint8_t { global, shared, lane };
enum class Direction : uint8_t { none, in, out, inout };

// A parameter or a buffer.
struct Memory {
  std::string name;
  Node node = HTP_NONE;
  const DType *dtype = nullptr;
  std::vector<Node> extents;
  std::vector<int64_t> steps = {};       // in elements along each dimension; none: row-major
  Direction direction = Direction::none; // none: a buffer
  Space space = Space::global;
  bool by_lane = false; // the first index is the lane, of a lane's memory that outlives a loop over lanes
  bool written = false;
  bool is_int = false; // a parameter that is an int of the program
};

struct Scalar {
  std::string name;
  const DType *dtype = nullptr;
};

// An operand: a scalar, a number, or an int of the program.
struct Value {
  enum class Kind : uint8_t { scalar, number, integer } kind = Kind::number;
  const Scalar *scalar = nullptr;
  Node node = HTP_NONE;
  bool real = false; // number: `f`, else `i` or, beyond int64, `digits`
  double f = 0;
  int64_t i = 0;
  std::string digits;
};

struct Statement {
  enum class Kind : uint8_t {
    loop,
    repeat,
    leave,
    branch,
    integer,
    alloc,
    get,
    put,
    value,
    compute,
    barrier,
    lanes,
    group
  } kind{};
  Node node = HTP_NONE; // the Python statement
  // loop, lanes, group: for `name` in range(start, stop, step)
  std::string name = {};
  Node start = HTP_NONE, stop = HTP_NONE, step = HTP_NONE; // start, step: none is 0 and 1
  int64_t count = 0;                                       // of lanes
  bool unrolled = false;
  std::vector<Statement> body = {}, orelse = {};
  Node test = HTP_NONE; // branch, repeat: a condition over ints; integer: its value, unless an operand has it
  bool declares = false;
  const Memory *memory = nullptr;
  std::vector<Node> index = {};
  Node limit = HTP_NONE; // integer: what the scalar must be below
  const Scalar *target = nullptr;
  const Operation *operation = nullptr;
  std::vector<Value> operands = {}; // get: what stands for elements outside
  const DType *dtype = nullptr;     // what the operands are computed in
  std::string_view rounding = {};   // of a cast, unless it is the usual one
};

struct Program {
  Node function = HTP_NONE;
  std::string name;
  size_t parameters = 0;       // so many of the memories
  std::deque<Memory> memories; // the parameters first
  std::deque<Scalar> scalars;
  std::vector<std::string> dims; // symbolic extents of the parameters, by first occurrence
  std::vector<Statement> body;
};

// Reads the entry; false after the first thing that is not of the form was reported.
bool read_program(const Context &c, Node root, Program &program);

// The number that an expression is when compiling.
class Numbers {
public:
  Numbers(const Reader &t, Node module) : t_(t), values_(t, module), dims_(dims_of(t, Names(t, module), module)) {}
  bool is_dim(std::string_view name) const { return dims_.contains(name); }
  bool number(Node n, Value &value) const; // True and False count, and so do digits beyond int64
  std::optional<int64_t> integer(Node n) const {
    Value v;
    return number(n, v) && !v.real && v.digits.empty() ? std::optional(v.i) : std::nullopt;
  }

private:
  Reader t_;
  Constants values_;
  std::set<std::string, std::less<>> dims_;
};

} // namespace htp::simt
