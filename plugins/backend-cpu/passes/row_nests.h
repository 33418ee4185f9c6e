// plugins/backend-cpu/passes/row_nests.h — loops whose iterations share what they load, as the rows of a product do.
#pragma once

#include "cpu.h"

#include "htp_cpp/constants.h"

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace htp::cpu {

using NameSet = std::set<std::string, std::less<>>;

// `for p in range(n)`, in which stand loops on vectors, with loops over elements in them, and nothing else that
// branches.
struct RowNest {
  Node loop = HTP_NONE, count = HTP_NONE; // count: n
  std::string_view row;                   // p
  std::vector<Node> wrappers;             // of the range: `htp.parallel(…)`
};

class RowNests {
public:
  RowNests(const Context &context, Node root, Node function);

  // The nest that a loop of the function is; without a loop where it is none: each iteration, independent of the
  // others, adds to a sum of its own in a loop in which all of them load the same elements along the vectors.
  RowNest of(Node loop) const;
  // Names that differ from row to row, that of the row among them.
  NameSet varying(const RowNest &nest) const;
  bool mentions(Node n, const NameSet &names) const;
  // n of `range(n)`.
  Node whole_range(Node range) const;
  // The most that an int is: a number, or what it is the least of wherever it is given a value.
  std::optional<int64_t> most(Node n) const;
  // A size, which is not negative.
  bool is_dim(Node n) const { return dims_.contains(c.name_of(n)); }
  // With an int's name replaced by a sum that ends with it: `x + p` is then `x + at + p`, not `x + (at + p)`.
  Node substituted(Node n, std::string_view name, const std::function<Node(Node)> &sum) const;
  // A statement once more: its names have their types already.
  Node untyped(Node statement) const;

  const Context &context() const { return c; }
  const Names &names() const { return names_; }
  const sdk::Constants &constants() const { return constants_; }
  Node function() const { return function_; }

private:
  bool shares(const RowNest &nest) const;
  bool of_form(Nodes body, const NameSet &rows, const NameSet &column, bool &found) const;
  bool independent(const RowNest &nest) const;

  const Context &c;
  const Names names_;
  const sdk::Constants constants_;
  const Node root_, function_;
  NameSet dims_;
  std::set<Node> processes_;                                    // loops of functions inside
  std::map<std::string, std::vector<Node>, std::less<>> bound_; // ints, to what; HTP_NONE: by a loop
};

} // namespace htp::cpu
