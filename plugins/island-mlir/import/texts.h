// plugins/island-mlir/import/texts.h — a value where it is used, as Python writes it: a name, a literal, an expression
// of ints or a condition over them. Statements stand in import.cpp.
#pragma once

#include "import/values.h"

namespace htp::mlir {

class Texts {
public:
  Texts(const Program &program, const Values &values) : p(program), c(program.context()), values_(values) {}

protected:
  // The number that a constant is. MLIR writes floats in decimal where that says all, else their bits.
  Number number(const Operation &op, const std::string &type) const;
  std::string literal(const Operation &op, const std::string &type) const;
  // A value where it is used: a name, a literal, or an int's expression.
  std::string text(size_t value) const;
  // What an int is computed by.
  std::string expression(size_t value) const;
  // A condition over ints.
  std::string truth(size_t value) const;
  // Of an int that is a constant: whether it is 0, and whether it stood in the program.
  bool zero(size_t value) const;
  bool spelled(size_t value) const;
  static int64_t predicate(const Operation &op);

  const Program &p;
  const Context &c;
  const Values &values_;

private:
  std::string extent(const Value &v) const;
};

} // namespace htp::mlir
