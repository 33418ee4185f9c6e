// plugins/island-mlir/export/affine.h — affine expressions: of Python's ints on the way out, of MLIR's maps on the way
// back.
#pragma once

#include "export/expressions.h"
#include "lower/text.h"

#include "htp_cpp/ints.h"

#include <memory>

namespace htp::mlir {

// An int as the least or the greatest of expressions over a loop's variables, `%i`, and what does not change in the
// function, `symbol(%N)`.
struct AffineForm {
  enum class Choice : uint8_t { one, least, greatest } choice = Choice::one;
  std::vector<IntExpr> expressions;
};
// `affine_map<(d0)[s0] -> (8, s0 - d0)>(%i)[%N]`
std::string map_of(const AffineForm &form);

// What MLIR's values are, where they are affine.
class AffineForms {
public:
  AffineForms(const Program &program) : p(program), c(program.context()) {}

  void symbol(const std::string &value) { forms_[value] = {{}, {IntExpr::symbol("symbol(" + value + ")")}}; }
  void variable(const std::string &value) { forms_[value] = {{}, {IntExpr::symbol(value)}}; }
  // A value that is what this expression says, where that is affine.
  void define(const std::string &value, const Environment &names, Node n);
  std::optional<AffineForm> form(const Environment &names, Node n) const;
  // An expression that may stand where one is wanted; throws a Refusal.
  std::string expression(const Environment &names, Node n) const;
  AffineForm bound(const Environment &names, Node n, AffineForm::Choice choice) const;

private:
  MaybeInt one(const Environment &names, Node n) const;

  const Program &p;
  const Context &c;
  std::map<std::string, AffineForm, std::less<>> forms_;
};

// An expression of a map as MLIR prints it.
struct AffineExpression {
  enum class Kind : uint8_t { number, dim, symbol, add, multiply, floor_divide, ceil_divide, remainder } kind{};
  int64_t number = 0; // or the dim's or symbol's
  std::shared_ptr<const AffineExpression> left, right;
};
struct AffineMap {
  size_t dims = 0, symbols = 0;
  std::vector<AffineExpression> results;
  std::vector<bool> equal; // of a set: a result that is 0, or one that is not negative
};
// `affine_map<(d0)[s0] -> (d0 + 4)>` or `affine_set<(d0) : (d0 - 1 >= 0)>`; nothing when it is neither.
std::optional<AffineMap> affine_map_of(std::string_view attribute);

} // namespace htp::mlir
