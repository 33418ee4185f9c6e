// plugins/island-mlir/export/expressions.h — Python's expressions → MLIR's values, line by line. What a loop or a
// branch is stands in export.cpp.
#pragma once

#include "htp_cpp/writer.h"

#include "read/claim.h"

namespace htp::mlir {

struct Named {
  std::string name, type;
};
// What each of Python's names is at some place.
using Environment = std::map<std::string, Named, std::less<>>;

template <class... A> [[noreturn]] void refuse(Node where, const DiagKind &kind, const A &...arguments) {
  throw NoOperation{where, Refusal(kind, arguments...)};
}
// A name in MLIR's letters.
std::string plain(std::string_view name);
std::string quoted(std::string_view text);

class AffineForms;

class Expressions {
public:
  explicit Expressions(const Program &program) : p(program), c(program.context()) {}

  static std::string names_of(const std::vector<Named> &list) {
    return join(list, ", ", [](const Named &v) { return v.name; });
  }
  static std::string types_of(const std::vector<Named> &list) {
    return join(list, ", ", [](const Named &v) { return v.type; });
  }

  // ── lines ──
  std::string fresh(std::string_view stem) { return "%" + names_.claim(plain(stem)); }
  void line(std::string text) { lines_.emplace_back(depth_, std::move(text)); }
  std::string place(std::string_view name = {}) const {
    return " loc(" + quoted(std::to_string(number_) + ":" + std::string(name)) + ")";
  }
  // One operation with one result.
  Named operation(std::string_view stem, const std::string &text, const std::string &type, std::string_view name = {}) {
    const Named v{fresh(name.empty() ? stem : name), type};
    line(v.name + " = " + text + place(name));
    return v;
  }
  // What MLIR has no operation for: one of its own, with the intrinsic's name. `keywords`: of the last operands.
  Named opaque(std::string_view intrinsic, const std::vector<Named> &operands, const std::vector<std::string> &keywords,
               const std::vector<std::string> &attributes, const std::string &type, std::string_view name);

  // ── constants: at the function's beginning; where they come from is how the program spells them ──
  Named constant(const std::string &text, const std::string &type, Node node);
  Named index_constant(int64_t n, Node node) { return constant(std::to_string(n), "index", node); }
  // A number as a value of a scalar type.
  Named literal(const Number &n, const std::string &type, Node node);

  // ── ints, conditions over ints, scalars, memory ──
  Named known(const Environment &names, Node n) const;
  Named index(const Environment &names, Node n, std::string_view name = {});
  Named truth(const Environment &names, Node n);
  bool is_scalar(Node n) const;
  // An operand that must have this type.
  Named operand(const Environment &names, Node n, const std::string &type, std::string_view name = {});
  Named memory(const Environment &names, Node n);
  // `memref.load %x[%i, %j] : memref<…>`, or affine's; `value`: what is stored.
  std::string access(std::string_view operation, const Environment &names, Node where, Node of, Nodes at,
                     const std::string &value = {});
  // Keywords of a call that are constants, as attributes; None is nothing.
  std::vector<std::string> attributes(Nodes keywords);
  // The value of `name: T = …`.
  Named computed(const Environment &names, Node n, const std::string &type, std::string_view name);

protected:
  Named conversion(const Named &v, const std::string &type, Node where, Nodes keywords, std::string_view name);

  const Program &p;
  const Context &c;
  const AffineForms *affine_ = nullptr; // what is affine, where loops go out as affine's
  NameTable names_;
  std::map<std::string, Named> known_;
  std::vector<std::string> constants_;
  std::vector<std::pair<size_t, std::string>> lines_;
  size_t depth_ = 0, number_ = 0; // of the statement that is written
};

} // namespace htp::mlir
