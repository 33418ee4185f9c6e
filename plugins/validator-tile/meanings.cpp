#include "meanings.h"

#include <algorithm>
#include <iterator>

namespace htp::validator {

namespace {

constexpr Function functions[] = {
#define FUNCTION(name, result, parameters) {#name, Typing::result, parameters},
#define INSTRUCTION(...)
#define SPACE(...)
#include "meanings.def"
#undef FUNCTION
#undef INSTRUCTION
#undef SPACE
};

constexpr Instruction instructions[] = {
#define FUNCTION(...)
#define SPACE(...)
#define INSTRUCTION(name, function, operands, spoils) {name, function, operands, spoils},
#include "meanings.def"
#undef FUNCTION
#undef INSTRUCTION
#undef SPACE
};

constexpr Space spaces[] = {
#define FUNCTION(...)
#define INSTRUCTION(...)
#define SPACE(name, core, bytes, layouts) {name, core, bytes, layouts},
#include "meanings.def"
#undef FUNCTION
#undef INSTRUCTION
#undef SPACE
};

template <class Rows> auto named(const Rows &rows, std::string_view name) {
  const auto it = std::find_if(std::begin(rows), std::end(rows), [&](const auto &row) { return row.name == name; });
  return it == std::end(rows) ? nullptr : &*it;
}

} // namespace

std::vector<std::string> words(std::string_view text) {
  std::vector<std::string> result;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find(' ', at), text.size());
    if (end > at) result.emplace_back(text.substr(at, end - at));
    at = end + 1;
  }
  return result;
}

const Function *function_named(std::string_view name) { return named(functions, name); }
const Instruction *instruction_named(std::string_view name) { return named(instructions, name); }
const Space *space_named(std::string_view name) { return named(spaces, name); }

} // namespace htp::validator
