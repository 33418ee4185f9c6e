#include "language/external.h"

#include "diagnostics.h"

#include "htp_cpp/types.h"

#include <set>

namespace htp::tile {

namespace {

// `tuple[Tile[f32, R, C], Tile[f32, R, 1]]`, or one tile.
std::vector<Node> results_of(const Context &c, Node function) {
  const Node annotation = c.get<ast::FunctionDef>(function).returns();
  auto several = c.as<ast::Subscript>(annotation);
  if (!several || c.name_of(several.value()) != "tuple") return {annotation};
  auto elements = c.as<ast::Tuple>(several.slice());
  return elements ? std::vector<Node>(elements.elts().begin(), elements.elts().end())
                  : std::vector<Node>{several.slice()};
}

} // namespace

bool check_external(const Module &m, Node function, Node call) {
  const Context &c = m.c;
  auto f = c.get<ast::FunctionDef>(function);
  auto a = c.get<ast::arguments>(f.args());
  const auto no = [&](Node where, const DiagKind &row, const auto &...arguments) {
    c.report(row, where, arguments...).label(call, "called here");
    return false;
  };
  auto mark = f.decorator_list().size() == 1 ? c.as<ast::Call>(f.decorator_list()[0]) : ast::Call{&c, HTP_NONE};
  std::string_view source;
  if (!mark || mark.args().size() != 1 || mark.keywords().size() > 1 || !c.string(mark.args()[0], &source) ||
      source.empty())
    return no(function, diag::external_decorator, f.name());
  const Node keyword = mark.keywords().empty() ? HTP_NONE : mark.keywords()[0];
  if (keyword && c.get<ast::keyword>(keyword).arg() != "updates")
    return no(keyword, diag::external_keyword, c.get<ast::keyword>(keyword).arg());
  if (a.vararg() || a.kwarg() || !a.kwonlyargs().empty() || !a.defaults().empty() || a.args().empty())
    return no(function, diag::external_parameters, f.name());
  std::set<std::string, std::less<>> dims;
  const auto good = [&](Node where, Node annotation, bool gives) {
    const auto type = annotation ? read_type(c, annotation) : std::nullopt;
    if (!type || type->form != "Tile" || type->layout || type->space)
      return gives ? no(where, diag::external_parameter, c.get<ast::arg>(where).arg(), f.name())
                   : no(where, diag::external_result, f.name());
    for (const Extent &e : type->extents) {
      if (e.name.empty() || m.constant(e.name)) continue;
      if (!m.is_dim(e.name)) return no(annotation, diag::external_extent, e.name, f.name());
      if (gives)
        dims.insert(e.name);
      else if (!dims.contains(e.name))
        return no(annotation, diag::external_result_extent, f.name(), e.name);
    }
    return true;
  };
  std::map<std::string, std::string, std::less<>> tiles;
  for (const Node p : a.args()) {
    const Node annotation = c.get<ast::arg>(p).annotation();
    if (is_number_of_external(m, annotation)) continue;
    if (!good(p, annotation, true)) return false;
    tiles[std::string(c.get<ast::arg>(p).arg())] = c.show(annotation);
  }
  const std::vector<Node> results = results_of(c, function);
  for (const Node r : results)
    if (!good(r ? r : function, r, false)) return false;
  if (tiles.empty()) return no(function, diag::external_no_tile, f.name());
  if (keyword) {
    const Node value = c.get<ast::keyword>(keyword).value();
    auto several = c.as<ast::Tuple>(value);
    const Node one[] = {value};
    size_t at = 0;
    std::set<std::string, std::less<>> seen;
    for (const Node n : several ? several.elts() : Nodes(one)) {
      std::string_view name;
      const auto updated = c.string(n, &name) ? tiles.find(name) : tiles.end();
      if (updated == tiles.end() || !seen.emplace(name).second)
        return no(n, diag::external_updates, f.name(), c.show(n));
      if (at == results.size() || c.show(results[at]) != updated->second)
        return no(n, diag::external_updated, f.name(), updated->first, updated->second, at);
      ++at;
    }
  }
  Node used = HTP_NONE;
  for (const Node s : f.body())
    c.each(s, [&](Node n) {
      if (!used && c.is(n, HTP_Name) && dims.contains(c.name_of(n))) used = n;
    });
  return !used || no(used, diag::external_size, f.name(), c.name_of(used));
}

std::vector<uint32_t> types_of_external(const Module &m, Node function) {
  const Context &c = m.c;
  auto f = c.get<ast::FunctionDef>(function);
  std::vector<uint32_t> types, results;
  const auto add = [&](Node n, std::vector<uint32_t> &to) {
    if (is_number_of_external(m, n)) return to.push_back(copy_of(c, n, n)), true;
    auto type = n ? read_type(c, n) : std::nullopt;
    if (!type) return false;
    for (Extent &e : type->extents)
      if (const auto number = e.name.empty() ? std::nullopt : m.constant(e.name); number && !number->real)
        e = Extent::of(number->i);
    to.push_back(write_type(c, *type, n));
    return true;
  };
  for (const Node p : c.get<ast::arguments>(f.args()).args())
    if (!add(c.get<ast::arg>(p).annotation(), types)) return {};
  for (const Node r : results_of(c, function))
    if (!add(r, results)) return {};
  types.push_back(results.size() == 1 ? results[0] : c.make(make::Tuple{.elts = results, .ctx = HTP_LOAD}, function));
  return types;
}

size_t results_of_external(const Module &m, Node function) { return results_of(m.c, function).size(); }

bool is_number_of_external(const Module &m, Node annotation) {
  const std::string dtype = annotation ? m.dtype(annotation) : std::string();
  return dtype == "i32" || dtype == "f32";
}

} // namespace htp::tile
