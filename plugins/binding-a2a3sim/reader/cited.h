// reader/cited.h — the lines of the last stage's program that a kernel's lines say they are made from.
#pragma once

#include "syntax.h"

#include <map>
#include <string>
#include <vector>

namespace htp::a2a3sim {

// What a line of the program says, as far as a kernel can be held against it.
struct Citation {
  enum class Kind { nothing, loop, integer, tile, instruction } kind = Kind::nothing;
  int line = 0;
  std::string name;                // of the loop's variable, of what is assigned, of the instruction
  std::string turn = {};           // loop: the variable that tells which of two places comes
  std::vector<Expr> operands = {}; // loop: from, to, by; integer: its value; instruction: its operands
  std::vector<Expr> valid = {};    // tile: rows and columns
  std::vector<Expr> offset = {};   // tile: where it lies
};

class Cited {
public:
  Cited() = default;
  Cited(std::string path, const std::string &program, const std::string &kernel);
  const std::string &path() const { return path_; }
  // What the program says at the line that a kernel's line cites, or the nearest line above it that cites one.
  const Citation &at(int kernel_line) const;
  // The line of the program that the kernel's first citation is of; 0 without one.
  int first() const { return by_line_.empty() ? 0 : by_line_.begin()->second.line; }
  // What the program calls a number of the module's; null: no such name.
  const Expr *constant(const std::string &name) const;
  bool cites(int kernel_line) const { return by_line_.contains(kernel_line); }

private:
  std::string path_;
  std::map<std::string, Expr> constants_;
  std::map<int, Citation> by_line_; // of the kernel, where a line cites one
};

} // namespace htp::a2a3sim
