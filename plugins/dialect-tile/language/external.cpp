#include "language/external.h"

#include "diagnostics.h"

#include "htp_cpp/types.h"

#include <set>

namespace htp::tile {

bool check_external(const Module &m, Node function, Node call) {
  const Context &c = m.c;
  auto f = c.get<ast::FunctionDef>(function);
  auto a = c.get<ast::arguments>(f.args());
  const auto no = [&](Node where, const std::string &what) {
    c.report(diag::external_form, where, f.name(), what).label(call, "called here");
    return false;
  };
  auto mark = f.decorator_list().size() == 1 ? c.as<ast::Call>(f.decorator_list()[0]) : ast::Call{&c, HTP_NONE};
  std::string_view source;
  if (!mark || mark.args().size() != 1 || !mark.keywords().empty() || !c.string(mark.args()[0], &source) ||
      source.empty())
    return no(function, "its one decorator holds the text of its source, `@external(htp.text(\"scaled.cc\"))`");
  if (a.vararg() || a.kwarg() || !a.kwonlyargs().empty() || !a.defaults().empty() || a.args().empty())
    return no(function, "it has named parameters without defaults");
  std::set<std::string, std::less<>> dims;
  const auto good = [&](Node where, Node annotation, bool gives) {
    const auto type = annotation ? read_type(c, annotation) : std::nullopt;
    if (!type || type->form != "Tile" || type->layout || type->space)
      return no(where, "each parameter and the result is a tile: `Tile[f32, R, C]`");
    for (const Extent &e : type->extents) {
      if (e.name.empty() || m.constant(e.name)) continue;
      if (!m.is_dim(e.name)) return no(annotation, "an extent is a number or a dimension, and not `" + e.name + "`");
      if (gives)
        dims.insert(e.name);
      else if (!dims.contains(e.name))
        return no(annotation, "the result's `" + e.name + "` is no extent of a parameter");
    }
    return true;
  };
  for (const Node p : a.args())
    if (!good(p, c.get<ast::arg>(p).annotation(), true)) return false;
  if (!good(function, f.returns(), false)) return false;
  Node used = HTP_NONE;
  for (const Node s : f.body())
    c.each(s, [&](Node n) {
      if (!used && c.is(n, HTP_Name) && dims.contains(c.name_of(n))) used = n;
    });
  return !used ||
         no(used, "its body computes with `" + std::string(c.name_of(used)) + "`, which is a size of each call");
}

std::vector<uint32_t> types_of_external(const Module &m, Node function) {
  const Context &c = m.c;
  auto f = c.get<ast::FunctionDef>(function);
  std::vector<Node> annotations;
  for (const Node p : c.get<ast::arguments>(f.args()).args()) annotations.push_back(c.get<ast::arg>(p).annotation());
  annotations.push_back(f.returns());
  std::vector<uint32_t> types;
  for (const Node n : annotations) {
    auto type = n ? read_type(c, n) : std::nullopt;
    if (!type) return {};
    for (Extent &e : type->extents)
      if (const auto number = e.name.empty() ? std::nullopt : m.constant(e.name); number && !number->real)
        e = Extent::of(number->i);
    types.push_back(write_type(c, *type, n));
  }
  return types;
}

} // namespace htp::tile
