// aie.select: every intrinsic call of the entry becomes those of the target set, by its handler (R8).
#include "passes.h"

#include "htp_cpp/edit.h"
#include "htp_cpp/loops.h"
#include "htp_cpp/select.h"

namespace htp::aie {

namespace {
std::string instead(std::string_view intrinsic) {
  static constexpr std::pair<std::string_view, std::string_view> forms[] = {
#define MISSING(name, form) {name, form},
#include "missing.def"
  };
  for (const auto &[name, form] : forms)
    if (name == intrinsic) return std::string(form);
  return {};
}
// How the loops of a core are unrolled and put into vectors is for its own compiler to choose, and a depth is that of
// the streams of one loop.
class Forms {
public:
  Forms(const Context &context, Node root) : c(context), names_(context, root) {}

  void check(Node function, bool process = false) {
    for (const Node s : c.get<ast::FunctionDef>(function).body())
      c.each(s, [&](Node n) {
        if (c.is(n, HTP_FunctionDef)) return check(n, true), false;
        if (auto l = c.as<ast::For>(n)) loop(l, process);
        return true;
      });
  }

private:
  void loop(const ast::For &l, bool process) {
    const LoopForms forms = loop_forms(c, names_, l.iter());
    const std::string_view variable = c.name_of(l.target());
    if (forms.vectorized || forms.unrolled)
      c.report(diag::loop_form, l.iter(), variable, forms.vectorized ? "vectorized" : "unrolled");
    int64_t depth = 1;
    for (const Node w : forms.wrappers)
      for (const Node k : c.get<ast::Call>(w).keywords())
        if (auto keyword = c.get<ast::keyword>(k); keyword.arg() == "depth") c.integer(keyword.value(), &depth);
    if (depth <= 2) return; // what there is without it
    bool inner = false;
    for (const Node s : l.body()) c.each(s, [&](Node n) { inner |= c.is(n, HTP_For); });
    if (process)
      c.report(diag::process_depth, l.iter(), variable, depth);
    else if (inner)
      c.report(diag::pipelined_loop, l.iter(), variable, depth);
  }

  const Context &c;
  const Names names_;
};
} // namespace

Result select(const Context &c, Node root, Node &out) {
  if (!c.entry_function(root)) {
    c.report(diag::no_entry, HTP_NONE, c.entry());
    return HTP_FAILED;
  }
  Forms(c, root).check(c.entry_function(root));
  const Names names(c, root);
  c.each(c.entry_function(root), [&](Node n) { // locks count items, and their numbers are fixed when compiling
    const std::string called = names.called(n);
    if (called != "htp_csp.channel" && called != "htp_csp.channels") return;
    for (const Node k : c.get<ast::Call>(n).keywords())
      if (auto keyword = c.get<ast::keyword>(k); keyword.arg() == "checked" && c.show(keyword.value()) == "True")
        c.report(diag::checked_channel, k);
  });
  if (c.errors()) return HTP_FAILED;
  const Node selected = select_calls(c, root, diag::no_handler, "htp_aie", "aie", instead);
  if (!selected) return HTP_FAILED;
  out = drop_unused_imports(c, selected,
                            [](std::string_view path) { return path == "htp_tile" || path.starts_with("htp_tile."); });
  return c.result();
}

Result verify_selected(const Context &c, std::string_view, Node root) {
  const Node function = c.entry_function(root);
  const Node bad = function ? unselected_call(c, root, function) : root;
  if (!bad) return HTP_OK;
  if (function)
    c.report(diag::not_selected, bad, c.show(c.get<ast::Call>(bad).func()));
  else
    c.report(diag::no_entry, bad, c.entry());
  return HTP_FAILED;
}

} // namespace htp::aie
