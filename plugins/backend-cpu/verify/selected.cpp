// The verifier of Cpu.Selected: it reads the whole entry, as the next pass does, and knows each call in it, also those
// of no intrinsic.
#include "cpu.h"

#include <set>

namespace htp::cpu {

namespace {
bool is_loop_form(const std::string &qualified) {
  return qualified == "htp_tile.tiles" || qualified == "htp.parallel" || qualified == "htp.vectorized" ||
         qualified == "htp.unrolled" || qualified == "htp.pipelined";
}
} // namespace

Result verify_selected(const Context &c, std::string_view, Node root) {
  const Names names(c, root);
  const Node function = c.entry_function(root);
  if (!function) {
    c.report(diag::no_entry, root, c.entry());
    return HTP_FAILED;
  }
  Node bad = HTP_NONE;
  std::set<Node> silent;
  for (const Node s : c.get<ast::FunctionDef>(function).body())
    c.each(s, [&](Node n) {
      // A type's layout and space are calls that compute nothing, and so is what a function is marked with.
      if (auto annotated = c.as<ast::AnnAssign>(n)) silent.insert(annotated.annotation());
      if (silent.contains(n)) return false;
      if (auto inner = c.as<ast::FunctionDef>(n))
        silent.insert(inner.decorator_list().begin(), inner.decorator_list().end());
      auto call = c.as<ast::Call>(n);
      if (!call || bad) return true;
      const std::string qualified = names.qualified(call.func());
      if (qualified.empty()) {
        const auto name = c.name_of(call.func());
        if (name == "range" || name == "slice" || name == "len" || name == "min" || name == "max") return true;
      } else if (is_loop_form(qualified)) {
        return true;
      } else if (qualified == "htp.layout") {
        return false; // what a relayout leads to; it computes nothing
      } else if (const htp_intrinsic *row = c.intrinsic(qualified);
                 row && c.host()->in_target_set(c.ctx(), str(row->name), str(c.target()))) {
        return true;
      }
      bad = n;
      return false;
    });
  if (!bad) return HTP_OK;
  c.report(diag::not_selected, bad, c.show(c.get<ast::Call>(bad).func()));
  return HTP_FAILED;
}

} // namespace htp::cpu
