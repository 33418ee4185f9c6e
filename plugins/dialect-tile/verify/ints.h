// The ints of a kernel as affine values, and its conditions as sets of them (htp_cpp/affine.h). What is not affine, or
// not the same throughout, is nothing.
#pragma once

#include "language/module.h"

#include "htp_cpp/affine.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace htp::tile {

// The indices [start, stop) of a block or of a whole dimension.
struct Range {
  IntValue start, stop;
};

// A block's indices, each times an int of at least 1, and moved.
struct Moved {
  Range block;
  int64_t times = 1;
  IntValue by;

  IntValue first() const { return block.start * times + by; }
  IntValue last(const IntValue &one) const { return (block.stop - one) * times + by; }
};

class Ints {
public:
  Ints(const Module &module, Node function);

  Affine &isl() { return isl_; }
  // The parameters that are ints, in the order of the signature.
  const std::vector<std::string> &given() const { return given_; }
  IntValue number(int64_t value) { return isl_.number(value); }
  // The extent that a type names: an int, a constant of the module or a dim.
  IntValue extent(const std::string &name, int64_t size);
  std::optional<IntValue> value(Node n);
  std::optional<IntSet> condition(Node n);
  // What an extent or an index stands for when it is a block; as an extent also a dim or an int.
  std::optional<Range> block(Node n) const;
  std::optional<Moved> moved(Node n);
  std::optional<Range> range(Node n);
  // Where `at` is when an index selects it; nothing for an index that is not known when compiling.
  std::optional<IntSet> selected(Node index, const IntValue &at);

  // What an operator makes of two of them.
  static std::optional<IntValue> combined(htp_op op, const IntValue &left, const IntValue &right);
  static std::optional<IntSet> compared(htp_op op, const IntValue &left, const IntValue &right);

  // What names stand for; those that are not in it are as the program has them.
  using Values = std::map<std::string, IntValue, std::less<>>;
  const Values &values() const { return ints_; }
  void assume(Values values) { ints_ = std::move(values); }
  // `name` is bound to what `n` gives.
  void bind(std::string_view name, Node n);
  // How many names were bound so far, and forgetting what was bound since: before a way is gone once more, names are
  // what they were before it.
  size_t bound() const { return bound_.size(); }
  void forget(size_t bound);
  // The variable of a loop over `iter`, which is beneath htp's loop forms; whether all is known of it. `again`: the one
  // that the loop had when it was gone over before.
  bool iterate(std::string_view name, Node iter, bool again = false);
  // An index of a grid: an int from 0 to one less than `extent`.
  void place(std::string_view name, int64_t extent);
  // The variables of the loops around, outermost first.
  struct Variable {
    std::string name, shown;                                // the latter in the program
    IntSet within;                                          // its values, by those of the loops around
    std::optional<Range> of = {};                           // what its blocks cut; nothing where it is an int
    std::optional<size_t> from = {};                        // the variable whose blocks it cuts
    bool pinned = false;                                    // more than its blocks' union matters
    std::optional<std::pair<int64_t, int64_t>> values = {}; // where these are few numbers: the first, and how many
  };
  const std::vector<Variable> &variables() const { return variables_; }
  // The variables on which more depends than on their blocks' union when the places are `indices`: for each variable
  // whether it is one. The blocks of a range make up the range, so those of the others can be forgotten.
  std::vector<bool> live(Nodes indices) const;
  // What a block that is not live stands for: the range that it and those it is cut from make up.
  Range whole(size_t variable, const std::vector<bool> &live) const;
  std::optional<size_t> variable_of(Node n) const;
  // Ends the innermost loop.
  void leave() { variables_.pop_back(); }

private:
  IntValue variable(std::string_view shown, std::optional<size_t> own);
  std::optional<IntValue> by_cases(Node n);
  std::optional<IntSet> comparison(htp_op op, Node left, Node right);
  bool blocks(std::string_view name, std::optional<size_t> own, Nodes arguments);
  bool counts(std::string_view name, std::optional<size_t> own, Nodes arguments);

  const Module &m_;
  const Context &c;
  Affine isl_;
  std::vector<std::string> given_;
  std::set<std::string, std::less<>> changing_; // bound in more than one place
  Values ints_;
  std::vector<std::string> bound_; // names, in order
  std::map<std::string, Range, std::less<>> blocks_;
  std::vector<Variable> variables_;
  std::map<Node, size_t> numbers_; // of loops' variables, by what they go over
  size_t number_of_variables_ = 0;
  int64_t cases_ = 1; // of the values at hand
};

} // namespace htp::tile
