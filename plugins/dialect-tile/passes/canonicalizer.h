// tile.canonicalize at work; its parts are canonicalize_*.cpp.
#pragma once

#include "diagnostics.h"
#include "language/check.h"
#include "language/signs.h"

#include "htp_cpp/edit.h"

#include <map>
#include <set>

namespace htp::tile {

class Canonicalizer {
public:
  Canonicalizer(const Module &module, Node function, Meanings meanings);
  // The module in canonical form; the same node when it was so already.
  Node run();

private:
  using Names = std::map<std::string, std::string, std::less<>>;

  // canonicalize_statements.cpp
  std::vector<uint32_t> body(Nodes statements);
  void statement(Node n);
  void assign(Node n, Node target, Node value, unsigned value_field);
  void augmented(Node n);
  void store(Node n, Node target, Node value);
  void loop(Node n);
  Node in_order(Node loop);
  void part(Node n);
  void repeat(Node n);
  void branch(Node n);
  bool binds_int(Nodes statements, std::string_view name) const;
  Node target(Node name);

  // canonicalize_expressions.cpp: each may put statements before the one that is worked on.
  // What stands for an expression as an operand: a name, a literal, a compile-time value.
  Node operand(Node e);
  // The call that an intrinsic expression stands for.
  Node value(Node e);
  Node call_of(Node e, const Meaning &meaning, std::vector<uint32_t> arguments);
  Node call(Node e, const Meaning &meaning);
  // `x ** 0.5` and `x ** -0.5` of what is never below zero are roots. Else they are not: of -inf a root is NaN and the
  // power is inf or 0, and of -0 the signs differ.
  std::string_view root_of(Node e, const Meaning &meaning);
  Node one_axis_each(Node e, const htp_intrinsic &row);
  Node iteration(Node iter);
  Node index(Node e);
  void indices(Node slice, std::vector<uint32_t> &arguments);
  // The expression with its names as they are called now, and htp's own functions through their modules.
  Node plain(Node e);
  Node named_inside(Node e);
  Node folded(Node e, const Number &number);
  // An extent with the module's constants as the numbers they are, `N // 4`; a parameter's annotation of such.
  Node extent(Node e) const;
  Node annotation(Node n) const;
  std::string spelled(const htp_intrinsic &row);
  std::string own(std::string_view name);
  std::string stem(Node e, const Meaning &meaning);

  bool computes(Node e) const;
  bool is_scalar(Node e) const;
  const Meaning &meaning(Node e) const;
  std::string claim(std::string_view stem);

  const Module &m_;
  const Context &c;
  const Node function_;
  const Meanings meanings_;
  Signs signs_;
  Imports imports_;
  std::set<std::string, std::less<>> taken_;   // names a new one may not be
  std::map<std::string, unsigned> next_;       // of a stem: the number that is tried next
  std::set<std::string, std::less<>> scalars_; // parameters that are one element of a dtype
  std::set<std::string, std::less<>> used_;    // the user's names bound so far, in whatever block
  Names bound_;                                // what the user's names are called here
  std::vector<uint32_t> *out_ = nullptr;
};

} // namespace htp::tile
