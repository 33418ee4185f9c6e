// Whether a `while` comes to an end, whatever its data.
#pragma once

#include "verify/ints.h"

namespace htp::tile {

// One walk through the body, along each of its paths, with ints as affine values of those at its begin. What is
// computed of data is any int. The loop ends when the difference of two sides that it compares, not negative wherever
// an iteration comes to its end, is smaller behind each of them.
class Progress {
public:
  Progress(const Module &module, Node function, Node loop);

  bool shown() const { return shown_; }
  // The comparisons of ints that do not show it.
  const std::vector<Node> &tried() const { return tried_; }

private:
  // What holds along a path, and the ints at its end.
  struct Path {
    IntSet set;
    Ints::Values values;
  };
  using Paths = std::vector<Path>;

  void block(Nodes statements, Paths &paths);
  void statement(Node n, Paths &paths);
  void branch(Node n, Paths &paths);
  void bind(std::string_view name, const std::optional<IntValue> &value, Path &path);
  void forget(Node n, Paths &paths);
  // At least the ints for which it holds, or for which it does not.
  IntSet perhaps(Node condition, bool holds);
  void find_comparisons(Node condition);
  bool approaches(Node low, Node high, const Paths &paths);
  std::optional<IntValue> side(Node n);
  IntValue unknown() { return ints_.isl().variable("any " + std::to_string(unknowns_++)); }

  const Module &m_;
  const Context &c;
  Ints ints_;
  std::set<std::string, std::less<>> changing_; // what the loop binds
  struct Comparison {
    Node node, left, right;
  };
  std::vector<Comparison> comparisons_;
  std::vector<Node> tried_;
  size_t unknowns_ = 0;
  bool shown_ = false;
};

} // namespace htp::tile
