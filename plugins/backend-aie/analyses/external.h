// plugins/backend-aie/analyses/external.h — functions that are compiled apart, `@external(…)`: what their declarations
// say, and their calls.
#pragma once

#include "analyses/program.h"

#include "htp_cpp/constants.h"

#include <map>

namespace htp::aie {

// A declaration: types as annotations, and for each result the parameter in whose place it is left, or -1.
struct Declared {
  std::string name, source;
  Node node = HTP_NONE;
  std::vector<Node> parameters, results;
  std::vector<int> updated;
};
std::optional<Declared> declared(const Context &c, const Names &names, Node root, std::string_view function);

// Reads calls in a core's statements. Those that differ in which result they write are one.
class ExternalCalls {
public:
  ExternalCalls(const Context &context, const Names &names, const sdk::Constants &constants, Node root,
                Program &program, const Refuse &refuse)
      : c(context), names_(names), constants_(constants), root_(root), p_(program), refuse_(refuse) {}

  // `n` has the tile and the operands of `aie.call(y, scaled, x, 3, result=0)`; the last one of a call goes to `out`.
  bool read(Node function, int64_t result, Statement n, std::vector<Statement> &out);
  // Of each other statement; false after a report where it stands within a call.
  bool pass(const Statement &s);
  bool whole(Node where); // at the end of a list of statements

private:
  template <class... A> bool no(Node where, const DiagKind &row, const A &...arguments) const {
    refuse_(where, Refusal(row, arguments...));
    return false;
  }
  const External *external(const Declared &d, const Statement &n);
  bool fits(Node annotation, const Tile *tile, std::map<std::string, int64_t> &sizes, External &made) const;

  const Context &c;
  const Names &names_;
  const sdk::Constants &constants_;
  Node root_;
  Program &p_;
  const Refuse &refuse_;
  // The call of several results that is not whole yet.
  std::optional<Declared> open_;
  std::vector<Operand> operands_;
  std::vector<const Tile *> results_;
  std::map<const Tile *, const Tile *> copies_; // of which tile one is a copy
};

} // namespace htp::aie
