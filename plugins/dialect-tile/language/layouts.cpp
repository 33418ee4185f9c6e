#include "language/layouts.h"

#include "diagnostics.h"

#include "htp_cpp/layout/annotation.h"

#include <algorithm>

namespace htp::tile {

namespace {
// The expression with the module's constants written out.
std::string spelled(const Module &module, Node n) {
  const Context &c = module.c;
  const auto listed = [&](Nodes items) {
    std::string text;
    for (const Node item : items) text += spelled(module, item) + ", ";
    return text;
  };
  if (auto t = c.as<ast::Tuple>(n)) return "(" + listed(t.elts()) + ")";
  if (auto d = c.as<ast::Dict>(n)) {
    std::string text;
    for (size_t k = 0; k < d.keys().size(); ++k)
      text += (d.keys()[k] ? c.show(d.keys()[k]) : "**") + ": " + spelled(module, d.values()[k]) + ", ";
    return "{" + text + "}";
  }
  if (auto k = c.as<ast::Call>(n)) {
    std::string text = c.show(k.func()) + "(" + listed(k.args());
    for (const Node w : k.keywords()) {
      auto word = c.get<ast::keyword>(w);
      text += std::string(word.arg()) + "=" + spelled(module, word.value()) + ", ";
    }
    return text + ")";
  }
  const auto number = module.integer(n);
  return number ? std::to_string(*number) : c.show(n);
}

std::string single_quoted(std::string text) {
  std::ranges::replace(text, '"', '\'');
  return text;
}
} // namespace

bool is_layout(const Module &module, Node n) {
  auto k = module.c.as<ast::Call>(n);
  const std::string path = k ? module.path(k.func()) : std::string();
  return path == "htp.layout" || path.starts_with("htp.layouts.");
}

void check_layout(const Module &module, Node n) {
  const Context &c = module.c;
  if (!is_layout(module, n) && c.is(n, HTP_Call) && !module.path(c.get<ast::Call>(n).func()).empty()) return;
  if (const auto layout = layout::read(spelled(module, n)); !layout)
    c.report(diag::bad_layout, n, c.show(n), layout.reason());
}

Node canonical_layout(const Module &module, Node n, const std::string &htp) {
  if (!is_layout(module, n)) return n;
  const auto layout = layout::read(spelled(module, n));
  if (!layout) return n; // refused already
  const Node canonical = module.c.parse(htp + layout::write(*layout).substr(3), n);
  return single_quoted(module.c.show(canonical)) == single_quoted(module.c.show(n)) ? n : canonical;
}

} // namespace htp::tile
