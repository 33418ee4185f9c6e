// plugins/backend-cpu/emit/c.h — saying things in C: types, literals, index expressions, and the helper header.
#pragma once

#include "program.h"

#include "htp_cpp/writer.h"

#include <set>

namespace htp::cpu::ready {

// The dtype an expression of this one is computed in: f32 for the narrow floats, else itself.
const DType *computed(const DType *dtype);
// What a narrow float lies in.
const DType *memory_integer(const DType *narrow);
// How wide vectors are is known when a package is built, and its C fits all machines: `lanes` says how many elements a
// vector has where it is widest, and stands for a half or a quarter of them elsewhere. 1 is an element by itself.
constexpr unsigned widest_vector = 64, narrowest_vector = 16; // bytes
// How many elements these vectors have: "3 * HTP_V4", where the widest that a lane holds has 4 bytes.
std::string elements_of(unsigned lanes, unsigned vectors);
// "f32", or "f32v4" for several lanes: the suffix of helper functions.
std::string suffix(const DType *dtype, unsigned lanes);
// "float", "htp_f32v4": of a value in an expression.
std::string value_type(const DType *dtype, unsigned lanes);

// A number as a literal of the dtype.
std::string literal(const Value &number, const DType *dtype);

// The helper header: which functions the kernel uses, and their text.
class Header {
public:
  // `most`: the bytes of the widest vectors to use.
  explicit Header(unsigned most) : most_(most) {}
  // Each makes sure that the function exists and returns its name.
  std::string function(const std::string &operation, const DType *dtype, unsigned lanes);
  std::string load(const DType *memory, unsigned lanes); // vectors only, but for the narrow floats
  std::string store(const DType *memory, unsigned lanes);
  std::string splat(const DType *dtype, unsigned lanes);
  std::string fold(const std::string &operation, const DType *dtype, unsigned lanes); // add, minimum, maximum, mul
  std::string late(const DType *dtype, unsigned lanes); // of two vectors the last lanes of the first
  std::string round(const DType *narrow, unsigned lanes);
  std::string cast(const DType *from, const DType *to, unsigned lanes);                // float to integer
  std::string directed(const DType *from, const DType *to, std::string_view rounding); // toward_zero, down, up
  std::string odd();
  std::string index(const std::string &operation);
  std::string guard(const std::string &operation);         // fail, inside, steps
  std::string guarded_index(const std::string &operation); // floordiv, mod
  std::string checked(const std::string &operation);       // add, sub, mul, int: what may leave 64 bits
  std::string next();                                      // of a loop's variable, up to the last int
  std::string scratch();
  std::string channel(const std::string &operation); // of the section about processes
  std::string unroll();
  std::string rolled();
  std::string unroll_some(); // of a loop whose iterations cannot be counted
  std::string ahead();
  std::string order(const DType *memory, bool descending);
  // Four bytes as one i32.
  std::string word(unsigned lanes);
  std::string word_at(); // of where they lie one after the other
  // Of a copy whose rows are the columns of what it copies.
  std::string transpose(const DType *memory);
  // Makes sure that the vector type exists.
  void vector(const DType *dtype, unsigned lanes);

  // A vector that counts on from its first element.
  std::string count(const DType *dtype, unsigned lanes);
  bool uses_libm() const { return made_.contains("libm"); }
  std::string text() const;

private:
  // Defines an operation's function: what operations.def names for floats, and for integers and truth values.
  using Maker = void (Header::*)(const Operation &, const DType *, unsigned lanes);
  void none(const Operation &o, const DType *dtype, unsigned lanes);
  void float_order(const Operation &o, const DType *dtype, unsigned lanes);
  void integer_order(const Operation &o, const DType *dtype, unsigned lanes);
  void integer_absolute(const Operation &o, const DType *dtype, unsigned lanes);
  void rank(const Operation &o, const DType *dtype, unsigned lanes);
  void integer_rank(const Operation &o, const DType *dtype, unsigned lanes);
  void compare(const Operation &o, const DType *dtype, unsigned lanes);
  void where(const Operation &o, const DType *dtype, unsigned lanes);
  void builtin(const Operation &o, const DType *dtype, unsigned lanes);
  void reciprocal(const Operation &o, const DType *dtype, unsigned lanes);
  void library(const Operation &o, const DType *dtype, unsigned lanes);
  void series(const Operation &o, const DType *dtype, unsigned lanes);
  void integers(const Operation &o, const DType *dtype, unsigned lanes);
  void integer_div(const Operation &o, const DType *dtype, unsigned lanes);
  void integer_rem(const Operation &o, const DType *dtype, unsigned lanes);
  void integer_mod(const Operation &o, const DType *dtype, unsigned lanes);
  void integer_floordiv(const Operation &o, const DType *dtype, unsigned lanes);
  void shift(const Operation &o, const DType *dtype, unsigned lanes);
  void bitwise(const Operation &o, const DType *dtype, unsigned lanes);
  void bit_not(const Operation &o, const DType *dtype, unsigned lanes);
  void dot(const Operation &o, const DType *dtype, unsigned lanes);

  void section(const std::string &name);
  void make(const std::string &section_name, const std::string &key, const std::string &line);
  void bits(const DType *dtype, unsigned lanes);
  void less(const DType *dtype, unsigned lanes);
  void machine(const DType *dtype, unsigned lanes);
  // A function of elements, given for vectors.
  void by_lanes(const std::string &operation, const DType *dtype, unsigned lanes, unsigned operands);
  void memory_vector(const DType *dtype, unsigned lanes);
  // "S, V, T, I, U, K" of a type.
  std::string parameters(const DType *dtype, unsigned lanes) const;
  void integers_of(const DType *dtype, unsigned lanes);

  struct Made {
    std::set<std::string> keys;
    std::vector<std::string> lines;
  };
  std::map<std::string, Made> made_; // by section
  const unsigned most_;
};

} // namespace htp::cpu::ready
