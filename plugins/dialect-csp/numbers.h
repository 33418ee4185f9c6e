// numbers.h — what a pipeline's ints and conditions are: affine in sizes and loops' variables, in one instance of a
// grid.
#pragma once

#include "program.h"

namespace htp::csp {

// Without a quotient.
bool plain(const IntExpr &e);

// Numbers that are all at least 0.
using AllOf = std::vector<IntExpr>;

class Numbers {
public:
  Numbers(const Context &context, const Program &program, Values indices)
      : c(context), p_(program), indices_(std::move(indices)) {}

protected:
  // A sum of sizes, of products of sizes, and of loops' variables; or a quotient of one.
  MaybeInt linear(Node n) const;
  // How many indices `tiles` cuts: of a dim, an int or a block.
  std::optional<TripCount> extent(Node n) const;
  // Whether a number is known, and at least 0 at all sizes, in the iterations at hand.
  bool positive(const MaybeInt &number) const;
  // Which way a condition goes in this instance of the grid, in these iterations; nothing when that depends on more.
  std::optional<bool> holds(Node n) const;
  // When a condition holds, or does not: cases of which at most one is at a time. Nothing where that depends on more
  // than sizes and loops' variables, or there are too many.
  std::optional<std::vector<AllOf>> cases(Node n, bool wanted) const;

  const Context &c;
  const Program &p_;
  std::vector<IntExpr> known_{};                         // at least 0 in the iterations at hand
  Values indices_;                                       // of the grid, and of loops whose iterations are distinguished
  std::map<std::string, MaybeInt, std::less<>> ints_;    // variables of loops over ints
  std::map<std::string, TripCount, std::less<>> blocks_; // the lengths of blocks

private:
  std::optional<bool> compare(const MaybeInt &difference, htp_op op) const;
  std::optional<std::vector<AllOf>> compared(Node left, htp_op op, Node right, bool wanted) const;
};

} // namespace htp::csp
