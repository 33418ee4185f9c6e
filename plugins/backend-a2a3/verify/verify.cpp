// The verifiers of the backend's states: they read the whole entry, as the next pass and the emitter do.
#include "order/order.h"
#include "passes/passes.h"

#include "htp_cpp/select.h"

#include <algorithm>

namespace htp::a2a3 {

static bool operands(const Context &c, Node root, const Program &program) {
  return std::all_of(program.kernels.begin(), program.kernels.end(),
                     [&](const Kernel &k) { return check_operands(c, root, k) && check_written(c, k); });
}
static Result read(const Context &c, Node root, Stage stage, Program &program) {
  return read_program(c, root, stage, program) && operands(c, root, program) &&
                 (stage < Stage::placed || check_capacities(c, root, program))
             ? HTP_OK
             : HTP_FAILED;
}

// Where a rewrite changes something: the innermost statement of which it keeps nothing.
static Node changed_in(const Context &c, Node n, const std::set<Node> &kept) {
  bool rebuilt = false; // it stands there still, with something else in it
  c.children(n, [&](Node child) { rebuilt |= kept.contains(child); });
  Node found = n;
  c.each(n, [&](Node child) {
    if (child == n) return rebuilt;
    if (found == n && c.info(child).group == HTP_GROUP_STMT && !kept.contains(child))
      found = changed_in(c, child, kept);
    return false;
  });
  return found;
}

Result verify_rewritten(const Context &c, std::string_view term, Node root) {
  static constexpr struct {
    std::string_view name, state;
    Node (*rewritten)(const Context &, Node);
  } rewrites[] = {
#define REWRITE(name, state) {"a2a3." #name, state, name},
#include "passes/passes.def"
  };
  const Node function = c.entry_function(root);
  if (!function) {
    c.report(diag::no_entry, HTP_NONE, c.entry());
    return HTP_FAILED;
  }
  if (!is_supported(c, root)) return HTP_FAILED;
  for (const auto &r : rewrites) {
    if (r.state != term) continue;
    const Node out = r.rewritten(c, root);
    if (out == root) return HTP_OK;
    if (!out) return HTP_FAILED;
    std::set<Node> kept;
    c.each(out, [&](Node n) { kept.insert(n); });
    c.report(diag::not_rewritten, kept.contains(function) ? root : changed_in(c, function, kept), r.name);
    return HTP_FAILED;
  }
  return HTP_FAILED;
}

Result verify_selected(const Context &c, std::string_view, Node root) {
  const Node function = c.entry_function(root);
  const Node bad = function ? unselected_call(c, root, function) : HTP_NONE;
  Program program;
  if (!bad) return read(c, root, Stage::selected, program);
  c.report(diag::unknown_instruction, bad, c.show(c.get<ast::Call>(bad).func()));
  return HTP_FAILED;
}

Result verify_split(const Context &c, std::string_view term, Node root) {
  const Names names(c, root);
  const Node function = c.entry_function(root);
  Node bad = HTP_NONE;
  if (function)
    for (const Node s : c.get<ast::FunctionDef>(function).body()) {
      auto a = c.as<ast::Assign>(s);
      auto e = c.as<ast::Expr>(s);
      auto w = c.as<ast::With>(s);
      const bool text = e && c.is(e.value(), HTP_Constant);
      const bool memory = a && names.called(a.value()) == "htp_pto.gm";
      const bool kernel = w && w.items().size() == 1 &&
                          names.called(c.get<ast::withitem>(w.items()[0]).context_expr()) == "htp_pto.one_by_one";
      if (!bad && !text && !memory && !kernel) bad = s;
    }
  Program program;
  if (!bad) return read(c, root, term == "A2a3.Split" ? Stage::split : Stage::staged, program);
  const std::string text = c.show(bad);
  c.report(diag::beside_kernel, bad, text.substr(0, text.find('\n')));
  return HTP_FAILED;
}

Result verify_tasks(const Context &c, std::string_view, Node root) {
  Program program;
  return read(c, root, Stage::tasks, program);
}

Result verify_placed(const Context &c, std::string_view, Node root) {
  Program program;
  return read(c, root, Stage::placed, program);
}

Result verify_ready(const Context &c, std::string_view, Node root) {
  Program program;
  if (read(c, root, Stage::ordered, program) != HTP_OK) return HTP_FAILED;
  for (const Kernel &k : program.kernels)
    if (const auto found = disorder(k)) {
      Refusal(found->what).with(mended(c, k, *found)).report(c, found->at ? found->at->node : k.node);
      return HTP_FAILED;
    }
  return HTP_OK;
}

} // namespace htp::a2a3
