// aie.legalize_calls: functions that are compiled apart, `@external(…)`, update what they are given in place. On a core
// that is the tile that the call writes to, and nothing else that it reads: what was read too is copied before.
#include "passes.h"

#include "analyses/external.h"

#include "htp_cpp/edit.h"
#include "htp_cpp/types.h"

namespace htp::aie {

namespace {

int64_t result_of(const Context &c, ast::Call k) {
  int64_t result = 0;
  for (const Node w : k.keywords())
    if (c.get<ast::keyword>(w).arg() == "result") c.integer(c.get<ast::keyword>(w).value(), &result);
  return result;
}

class InPlace {
public:
  InPlace(const Context &context, Node root) : c(context), names_(context, root), root_(root) {}
  Node run(Node function) {
    return rewrite(
        c, function, [](Node n) { return n; },
        [&](Node s, std::vector<uint32_t> &out) {
          if (auto a = c.as<ast::Assign>(s);
              a && names_.called(a.value()) == "htp_aie.buffer" && a.targets().size() == 1)
            buffers_[std::string(c.name_of(a.targets()[0]))] = a.value();
          return call(s, out);
        });
  }

private:
  bool call(Node s, std::vector<uint32_t> &out) {
    auto e = c.as<ast::Expr>(s);
    if (!e || names_.called(e.value()) != "htp_aie.call") return false;
    auto k = c.get<ast::Call>(e.value());
    const auto d = declared(c, names_, root_, c.name_of(k.args()[1]));
    const auto result = static_cast<size_t>(result_of(c, k));
    if (!d || result >= d->results.size() || k.args().size() != d->parameters.size() + 2) return false;
    const std::string target(c.name_of(k.args()[0]));
    std::vector<uint32_t> arguments(k.args().begin(), k.args().end());
    const int updated = d->updated[result];
    const size_t operand = updated < 0 ? 0 : static_cast<size_t>(updated) + 2;
    const bool there = operand && c.name_of(arguments[operand]) == target;
    bool changed = false;
    std::string copy; // of what the tile held, for those that read it
    for (size_t a = 2; a < arguments.size(); ++a) {
      if (c.name_of(arguments[a]) != target || (a == operand && there)) continue;
      if (copy.empty()) {
        const auto buffer = buffers_.find(target);
        if (buffer == buffers_.end()) return false;
        copy = c.fresh(target);
        out.push_back(c.assign(copy, HTP_NONE, copy_of(c, buffer->second, e.value()), s));
        out.push_back(operation("copy", {c.name(copy, e.value()), c.name(target, e.value())}, s));
      }
      arguments[a] = c.name(copy, arguments[a]);
      changed = true;
    }
    if (operand && !there) {
      out.push_back(operation("copy", {c.name(target, e.value()), copy_of(c, arguments[operand], e.value())}, s));
      arguments[operand] = c.name(target, arguments[operand]);
      changed = true;
    }
    if (!changed) return false;
    out.push_back(with_slot(c, s, HTP_FIELD(Expr, value), with_list(c, e.value(), HTP_FIELD(Call, args), arguments)));
    return true;
  }
  Node operation(std::string_view name, std::vector<uint32_t> operands, Node origin) const {
    return c.statement(c.call("aie." + std::string(name), std::move(operands), origin), origin);
  }

  const Context &c;
  Names names_;
  Node root_;
  std::map<std::string, Node> buffers_; // by the tiles they make
};

} // namespace

Node legal_calls(const Context &c, Node root) {
  const Node function = c.entry_function(root);
  return function ? with_statement(c, root, function, InPlace(c, root).run(function)) : root;
}

Result verify_calls(const Context &c, std::string_view, Node root) {
  if (legal_calls(c, root) == root) return HTP_OK;
  c.report(diag::call_update, c.entry_function(root), c.entry());
  return HTP_FAILED;
}

} // namespace htp::aie
