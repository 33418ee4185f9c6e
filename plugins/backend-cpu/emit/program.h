// plugins/backend-cpu/emit/program.h — a Codegen.Ready(target=cpu) function as data: every statement checked and its
// names resolved. The verifier asks whether it can be read; the emitter prints it.
#pragma once

#include "types.h"

#include "htp_cpp/constants.h"
#include "htp_cpp/layout/array.h"

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace htp::cpu::ready {

enum class Form : uint8_t { unary, infix, binary, compare, ternary, where, cast, word };
// An operation on scalars: a row of operations.def.
struct Operation {
  std::string_view name;
  Form form;
  std::string_view c;
  bool has_floats, has_others; // a function in C for floats; for integers and truth values
  // Whether elements of a dtype are computed with: by an operator or a function.
  bool takes(const DType *dtype) const {
    if (form == Form::cast || form == Form::word) return true;
    if (name == "dot4") return dtype == dtype_named("i32");
    return dtype->kind == Class::floating ? has_floats || form == Form::infix || name == "neg" : has_others;
  }
  unsigned operands() const {
    return form == Form::unary || form == Form::cast      ? 1
           : form == Form::ternary || form == Form::where ? 3
           : form == Form::word                           ? 4
                                                          : 2;
  }
};
const Operation *operation_named(std::string_view name);

// A parameter or a buffer.
struct Memory {
  std::string name;
  const DType *dtype = nullptr;
  std::vector<Node> extents;
  std::vector<int64_t> steps = {};             // a parameter's, in elements along each dimension; none: row-major
  std::vector<Node> by_call = {};              // the same where a call says some of them: numbers and dims
  std::vector<layout::IndexDigit> digits = {}; // a parameter's that no steps describe: the sum of what these add
  int64_t storage = 0;                         // and the elements that it takes
  std::vector<bool> unit_by_call = {};
  Direction direction = Direction::none; // none: a buffer
  bool written = false;
  bool slot = false;    // of a channel
  bool scalar = false;  // a parameter that is one element, handed over by value
  bool on_heap = false; // a buffer that its type puts into the space "memory"
  // Whether elements along a dimension lie one after the other.
  bool unit(size_t dimension) const {
    if (!digits.empty()) return false;
    if (!by_call.empty()) return unit_by_call[dimension];
    return steps.empty() ? dimension + 1 == extents.size() : steps[dimension] == 1;
  }
};

// A channel between processes, or an array of them.
struct Channel {
  std::string name;
  Node node = HTP_NONE;         // where it is declared
  const DType *dtype = nullptr; // null: its slots hold nothing
  std::vector<Node> extents;    // of what a slot holds
  int64_t capacity = 0, readers = 1;
  bool checked = false; // its writer closes it
  std::vector<int64_t> array;
};

struct Scalar {
  std::string name;
  const DType *dtype = nullptr;
};

// An operand of an intrinsic.
struct Value {
  enum class Kind : uint8_t { scalar, number, integer } kind = Kind::number;
  const Scalar *scalar = nullptr;
  Node node = HTP_NONE; // integer: an index expression
  bool real = false;    // number: `f`, else `i` or, beyond int64, `digits`
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
    order,
    value,
    compute,
    process, // `body` runs as each instance of `grid`, all at the same time
    slot,    // `memory`, if any, is in the channel: the next free slot, or the one at the front
    done,    // with the slot
    close    // the channel, behind what was put
  } kind;
  Node node = HTP_NONE; // the Python statement
  // loop: for `name` in range(start, stop, step)
  std::string name;                                        // of a loop variable or an integer
  Node start = HTP_NONE, stop = HTP_NONE, step = HTP_NONE; // start, step: 0 = the default
  bool parallel = false, vectorized = false, unrolled = false;
  std::string_view rounding = {}; // compute, of a cast: its name, unless that is the usual one
  int64_t depth = 1;              // how many iterations overlap
  bool descending = false;        // order: `test` elements, of which the first `stop` are wanted
  bool down = false;              // the step is known, and negative; one that is not known goes up
  std::vector<Statement> body, orelse;
  Node test =
      HTP_NONE; // branch, repeat: a condition over ints; integer: the value, unless an operand or a channel has it
  bool declares = false; // the name is new in this block
  const Memory *memory = nullptr;
  std::vector<Node> index;        // get, put; order: of the line, without its last dimension
  const Memory *source = nullptr; // order: the lines that are put in order, into those of `memory`
  Node limit = HTP_NONE;          // integer: what the scalar must be below
  const Scalar *target = nullptr;
  const Operation *operation = nullptr; // compute
  std::vector<Value> operands;  // compute; put and value: one; get: what stands for elements outside; integer: a scalar
  const DType *dtype = nullptr; // what the operands are computed in

  std::vector<int64_t> grid;        // process
  std::vector<std::string> indices; // process: the names of its coordinates
  const Channel *channel = nullptr; // slot, done, close; integer: whether it has another item
  std::vector<Node> channel_index;  // of these: which of an array of channels
  bool puts = false;                // by the writer

  bool is_block() const {
    return kind == Kind::loop || kind == Kind::repeat || kind == Kind::branch || kind == Kind::process;
  }
};

struct Program {
  Node function = HTP_NONE;
  std::string name;
  std::vector<Parameter> parameters;
  std::deque<Memory> memories; // the parameters first
  std::deque<Scalar> scalars;
  std::deque<Channel> channels;
  bool proved = false;           // that its processes never wait for each other for ever
  std::vector<std::string> dims; // symbolic extents of the parameters, by first occurrence
  std::vector<Statement> body;
};

// What a module binds to compile-time numbers, and its dims.
class Constants {
public:
  Constants(const Reader &t, const Names &names, Node module);
  bool is_dim(std::string_view name) const { return dims_.contains(name); }
  // The number an expression has at compile time; True and False count as such, and so do digits beyond int64.
  bool number(Node n, Value &value) const;

private:
  Reader t_;
  sdk::Constants values_;
  std::set<std::string, std::less<>> dims_;
};

// Reads the entry; false after the first thing that is not of the form was reported.
bool read_program(const Context &c, const Names &names, const Constants &constants, Node function, Program &program);

} // namespace htp::cpu::ready
