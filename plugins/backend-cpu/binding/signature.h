// plugins/backend-cpu/binding/signature.h — what a package says of itself: its entries and its recipe, read and
// checked.
#pragma once

#include "cpu.h"

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace htp::cpu::bind {

struct Dim {
  int64_t fixed = -1;  // -1: symbolic
  size_t symbol = 0;   // index into the entry's dims
  std::string op = {}; // "+", "-", "*", "//" or "%" of two others
  std::vector<Dim> of = {};
};
// Its extent by those of the entry's dims; nothing when that does not fit, or is negative.
std::optional<int64_t> extent_of(const Dim &dim, const std::vector<int64_t> &dims);
struct Parameter {
  std::string name;
  bool scalar = false; // one element
  Direction direction = Direction::in;
  const DType *dtype = nullptr;
  std::vector<Dim> dims;
};
// What a kernel checks as it runs: where it stands in the last stage, by number, and what of.
struct Check {
  std::string what, tensor;
  int64_t dimension = -1;
  uint32_t place = 0, statement = 0;
};
struct Entry {
  std::string name, call, why; // the last: what says which check failed; older packages have none
  std::vector<Check> checks;
  std::vector<std::string> dims;
  std::vector<Parameter> parameters;
};
struct Recipe {
  std::vector<std::string> compilers, flags, optional, libraries, sources, compile;
  std::string output;
};

// A file of the package; empty after a diagnostic.
bool read_file(const Context &c, const std::string &path, std::string &bytes);
bool read_signature(const Context &c, std::vector<Entry> &entries);
bool read_recipe(const Context &c, Recipe &recipe);

} // namespace htp::cpu::bind
