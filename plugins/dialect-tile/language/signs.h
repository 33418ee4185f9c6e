// Which values of floats are never below zero, whatever is passed: what may take a simpler form then.
#pragma once

#include "language/check.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace htp::tile {

class Signs {
public:
  // Of a kernel whose calls are expanded. What it knows of names is found out at the first question.
  Signs(const Module &module, Node function, const Meanings &meanings)
      : c(module.c), function_(function), meanings_(meanings) {}

  // Whether no element of a value of floats has a sign: each is +0 or more, or NaN. False of what is not known. Of
  // integers, which wrap, it says nothing.
  bool never_below_zero(Node e);
  // What an intrinsic is applied to: the two sides of an operator, or the arguments by position.
  std::vector<Node> operands(Node e) const;

private:
  bool of_names(Node e) const;
  bool of_call(std::string_view intrinsic, const std::vector<Node> &operands) const;
  void read_names();

  const Context &c;
  const Node function_;
  const Meanings &meanings_;
  bool read_ = false;
  std::set<std::string, std::less<>> names_; // whose every binding is never below zero
};

} // namespace htp::tile
