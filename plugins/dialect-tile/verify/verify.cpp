#include "verify/verify.h"

#include "diagnostics.h"
#include "language/module.h"
#include "passes/passes.h"

#include <unordered_set>

namespace htp::tile {
namespace {

// The innermost, first statement of `root` that is not in `changed`.
Node first_difference(const Context &c, Node root, Node changed) {
  std::unordered_set<Node> kept;
  c.each(changed, [&](Node n) { kept.insert(n); });
  Node found = HTP_NONE;
  c.each(root, [&](Node n) {
    if (kept.contains(n)) return false;
    const bool outer = !found || c.record(found).end_line >= c.record(n).end_line;
    if (c.info(n).group == HTP_GROUP_STMT && outer) found = n;
    return true;
  });
  return found;
}

std::string first_line(const Context &c, Node n) {
  const std::string text = n ? c.show(n) : "the imports";
  return text.substr(0, text.find('\n'));
}

} // namespace

Result is_kernel(const Context &c, std::string_view term, Node root) {
  const Module module(c, root);
  const Node function = c.entry_function(root);
  // Whose decision the sizes of blocks are is not seen in the text: any that are written there may be meant.
  if (function && term.starts_with("Tile.Scheduled")) return HTP_OK;
  if (function && module.decorated(function, "htp_tile.kernel")) return HTP_OK;
  c.report(diag::not_kernel, function, c.entry());
  return HTP_FAILED;
}

// From the entry on, through the functions that are called; a schedule names what it is of.
Result is_expanded(const Context &c, std::string_view, Node root) {
  const Module module(c, root);
  std::vector<Node> open{c.entry_function(root)};
  if (!open[0]) return c.report(diag::not_kernel, root, c.entry()), HTP_FAILED;
  std::unordered_set<Node> seen;
  while (!open.empty()) {
    const Node function = open.back();
    open.pop_back();
    if (!function || !seen.insert(function).second) continue;
    auto f = c.get<ast::FunctionDef>(function);
    if (module.decorated(function, "htp_wsp.schedule") || module.decorated(function, "htp_csp.schedule")) {
      for (const Node d : f.decorator_list())
        if (auto call = c.as<ast::Call>(d); call && call.args().size() == 1)
          open.push_back(c.function(root, c.name_of(call.args()[0])));
      continue;
    }
    Node at = HTP_NONE;
    for (const Node s : f.body())
      c.each(s, [&](Node n) {
        auto call = c.as<ast::Call>(n);
        const Node called = call ? c.function(root, c.name_of(call.func())) : HTP_NONE;
        if (!called || at) return;
        if (module.decorated(called, "htp_wsp.workload") || module.decorated(called, "htp_wsp.schedule") ||
            (module.decorated(called, "htp_tile.kernel") && module.is_nested(called)))
          at = n;
        open.push_back(called);
      });
    if (at) return c.report(diag::not_expanded, at, c.show(c.get<ast::Call>(at).func())), HTP_FAILED;
  }
  return HTP_OK;
}

Result is_structured(const Context &c, std::string_view, Node root) {
  if (!c.entry_function(root)) return c.report(diag::not_kernel, root, c.entry()), HTP_FAILED;
  const Node done = structured(Module(c, root));
  if (c.errors()) return HTP_FAILED;
  if (done == root) return HTP_OK;
  c.report(diag::not_structured, c.entry_function(root), c.entry());
  return HTP_FAILED;
}

Result is_inlined(const Context &c, std::string_view, Node root) {
  const Module module(c, root);
  const Node done = inlined(module);
  if (c.errors()) return HTP_FAILED;
  if (done == root) return HTP_OK;
  c.report(diag::not_inlined, c.entry_function(root), c.entry());
  return HTP_FAILED;
}

Result is_canonical(const Context &c, std::string_view, Node root) {
  Node canonical = HTP_NONE;
  if (const Result r = canonicalize(c, root, canonical); r != HTP_OK) return r;
  if (canonical == root) return HTP_OK;
  const Node n = first_difference(c, root, canonical);
  c.report(diag::not_canonical, n, first_line(c, n));
  return HTP_FAILED;
}

Result is_typed(const Context &c, std::string_view, Node root) {
  Node typed = HTP_NONE;
  if (const Result r = infer(c, root, typed); r != HTP_OK) return r;
  if (typed == root) return HTP_OK;
  const Node n = first_difference(c, root, typed);
  c.report(diag::not_typed, n, first_line(c, n));
  return HTP_FAILED;
}

} // namespace htp::tile
