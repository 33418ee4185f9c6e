// meanings.h — what the intrinsics mean, as functions of values (meanings.def). Nothing that is not in the table has a
// meaning here.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace htp::validator {

// Of a text of the table.
std::vector<std::string> words(std::string_view text);

// How the result's type comes of the operands'.
enum class Typing : uint8_t { elementwise, compare, select, reduce, product, transpose, like };

// A function of values: its parameters' names, in order; one with a `?` may be left out.
struct Function {
  std::string_view name;
  Typing result;
  std::string_view parameters;
};
const Function *function_named(std::string_view name);

// A call whose first argument is a buffer that it writes: the function whose value that is, of which arguments (`0` is
// the buffer, as it was), and which arguments hold nothing of use afterwards.
struct Instruction {
  std::string_view name; // "pto.tadd"
  std::string_view function;
  std::string_view operands; // "1 #2"
  std::string_view spoils;   // "3"
};
const Instruction *instruction_named(std::string_view name);

// A memory of a core, as tiles with addresses lie in it.
struct Space {
  std::string_view name, core;
  int64_t bytes;
  std::string_view layouts; // the first is meant where none is named
};
const Space *space_named(std::string_view name);

} // namespace htp::validator
