// plugins/island-mlir/import/values.h — what MLIR's passes made, as values: what each is in Python's terms, from where
// to where it lives, and which of them may share a name. MLIR has values and Python has variables: a loop's argument,
// what it begins with, what an iteration ends with and what the loop results in are one variable wherever they can be.
#pragma once

#include "lower/text.h"
#include "read/program.h"

namespace htp::mlir {

// What has no form in Python.
struct NoReturn {
  size_t line = 0; // of the text; 0: of none
  Refusal why;
};
template <class... A> [[noreturn]] void refuse(const Operation &op, const DiagKind &kind, const A &...arguments) {
  throw NoReturn{op.line, Refusal(kind, arguments...)};
}
// Where an operation is not what MLIR defines it to be.
[[noreturn]] inline void malformed(const Operation &op) { refuse(op, diag::malformed, op.name); }
// An attribute that the operation must have.
std::string_view attribute(const Operation &op, std::string_view key);

// From its last use on the first side of a branch to the end of that side a value need not be there, if it is used on
// the second side and no more behind the branch.
struct Gap {
  size_t begin = 0, end = 0, branch_end = 0;
};

struct Value {
  std::string type;
  Symbol::Sort sort = Symbol::Sort::scalar;
  std::string wanted;              // the name it had in Python; empty: none
  const Operation *from = nullptr; // what made it; null: a function's input
  std::vector<size_t> operands;    // of that
  bool argument = false;           // of the operation's region
  bool fixed = false;              // `name` is what it must be called
  bool kept = false;               // its name is never given another value
  std::string name;                // of its variable
  size_t block = 0;
  bool absorbed = false;         // a part of another expression
  unsigned uses = 0, weight = 0; // weight: operations in its expression
  size_t defined = 0, last = 0;  // positions, of all operations in their order
  std::vector<Gap> gaps;
  size_t group = 0; // those of one group share a variable
};

struct Step;
struct Block {
  size_t number = 0;
  std::vector<size_t> arguments;
  std::vector<Step> steps;
};
// An operation with its operands and results as values.
struct Step {
  const Operation *operation = nullptr;
  std::vector<size_t> operands, results;
  std::vector<Block> blocks;
  size_t at = 0, end = 0;
};

// The name and the number in `loc("12:row")`.
struct Place {
  std::optional<size_t> number;
  std::vector<std::string> names;
};
Place place_of(const Operation &operation);

class Values {
public:
  // Reads a function that stands for a part of the program; throws NoReturn.
  Values(const Program &program, const Operation &function, const std::vector<std::string> &inputs,
         const std::vector<std::string> &results);

  const Block &body() const { return body_; }
  const Value &operator[](size_t v) const { return values_[v]; }
  // Whether it stands in its uses as an expression, and has no variable.
  bool inlined(size_t v) const;
  const std::string &name(size_t v) const { return values_[values_[v].group].name; }
  bool same_variable(size_t a, size_t b) const { return values_[a].group == values_[b].group; }
  // `a % b`, written as MLIR has it: a - (a floordiv b) * b.
  bool is_remainder(const Value &v) const;
  // Whether a choice is an assignment and a branch, for want of a `cpu.where` of ints.
  bool is_branch(const Step &step) const;
  bool is_constant(size_t v) const { return values_[v].from && values_[v].from->name == "arith.constant"; }

private:
  using Scope = std::map<std::string, size_t, std::less<>>;
  size_t add(Value v);
  Block read(const std::vector<Operation> &operations, std::vector<size_t> arguments, Scope scope);
  void sort_of(Value &v, const Step &step);
  void absorb();
  void use(size_t v, size_t at);
  void live(const Block &block);
  void join(const Block &block);
  bool merge(size_t a, size_t b);
  static bool in_gap(const Value &w, const Value &v);
  bool apart(size_t a, size_t b) const;
  void call(const Context &c);

  const Program &p;
  std::vector<Value> values_;
  std::vector<std::vector<size_t>> members_; // of a group
  std::vector<const Step *> loops_;          // around the step that is looked at
  std::vector<size_t> parents_;              // of blocks
  Block body_;
  size_t position_ = 0, block_ = 0;
  std::vector<std::string> results_;
};

} // namespace htp::mlir
