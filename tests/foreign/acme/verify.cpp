#include "acme.h"

namespace acme {

bool has_routine(const Context &c, const Names &names, Node function) {
  auto f = c.as<ast::FunctionDef>(function);
  if (!f) return false;
  for (const Node d : f.decorator_list())
    if (names.qualified(d) == "htp_acme.routine") return true;
  return false;
}

std::vector<Node> words_of(const Context &c, Node type) {
  auto s = c.as<ast::Subscript>(type);
  if (!s) return {};
  if (auto t = c.as<ast::Tuple>(s.slice())) return {t.elts().begin(), t.elts().end()};
  return {s.slice()};
}

Result is_routine(const Context &c, std::string_view, Node root) {
  const Node function = c.entry_function(root);
  if (has_routine(c, Names(c, root), function)) return HTP_OK;
  c.report(diag::no_routine, function ? function : root, c.entry());
  return HTP_FAILED;
}

// Every subscript of a parameter is `[:]`, and all signals are equally long.
Result check(const Context &c, Node root) {
  const Names names(c, root);
  const Node function = c.entry_function(root);
  if (!has_routine(c, names, function)) return HTP_OK;
  auto f = c.get<ast::FunctionDef>(function);
  std::string first, first_extent;
  for (const Node p : c.get<ast::arguments>(f.args()).args()) {
    auto a = c.get<ast::arg>(p);
    auto direction = c.as<ast::Subscript>(a.annotation());
    const auto words = direction ? words_of(c, direction.slice()) : std::vector<Node>{};
    if (words.size() < 2) continue; // the language of tiles has its own word for this
    const std::string extent = c.show(words[1]);
    if (first.empty())
      first = a.arg(), first_extent = extent;
    else if (extent != first_extent)
      c.report(diag::mixed_extents, p, a.arg(), extent, first, first_extent);
  }
  if (first.empty()) c.report(diag::empty_routine, function, f.name());
  for (const Node s : f.body())
    c.each(s, [&](Node n) {
      if (auto subscript = c.as<ast::Subscript>(n)) {
        auto slice = c.as<ast::Slice>(subscript.slice());
        if (!slice || slice.lower() || slice.upper() || slice.step())
          c.report(diag::not_whole, n, c.show(subscript.value()));
      }
    });
  return c.result();
}

} // namespace acme
