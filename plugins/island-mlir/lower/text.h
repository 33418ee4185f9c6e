// plugins/island-mlir/lower/text.h — MLIR's generic text → operations. What a tool printed is outside input: whatever
// it is, it is read or refused, in time linear in its length.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace htp::mlir {

struct Region;

struct Operation {
  std::string name;                           // "arith.addf"
  std::vector<std::string> results, operands; // "%3", "%7#1"
  std::vector<std::string> result_types, operand_types;
  std::map<std::string, std::string, std::less<>> attributes; // as they stand there, strings with their quotes
  std::vector<Region> regions;
  std::string place; // the first name in its location; empty if there is none
  size_t line = 0;   // of the text
};

// One block, or none.
struct Region {
  std::vector<std::string> arguments, types;
  std::vector<Operation> operations;
};

struct BadText {
  // syntax: `what` is expected and `found` stands there; blocks: `what` has several; repeated: `what` has two
  // definitions
  enum class Fault : uint8_t { syntax, blocks, repeated } fault = Fault::syntax;
  size_t line = 0;
  std::string what, found;
};

// The one operation at the outside; throws BadText.
Operation read_text(std::string_view text);

// `"a"` with its escapes undone; nothing when it is no string.
std::optional<std::string> string_of(std::string_view attribute);
// `["a", "b"]`; nothing when it is no list of strings.
std::optional<std::vector<std::string>> strings_of(std::string_view attribute);

} // namespace htp::mlir
