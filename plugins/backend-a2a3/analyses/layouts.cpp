#include "analyses/layouts.h"

#include "htp_cpp/edit.h"
#include "htp_cpp/imports.h"
#include "htp_cpp/layout/annotation.h"
#include "htp_cpp/writer.h"

namespace htp::a2a3 {

namespace {
// A tuple of ints; nothing of anything else.
std::vector<int64_t> ints(const Reader &r, Node n) {
  std::vector<int64_t> all;
  auto tuple = r.as<ast::Tuple>(n);
  if (!tuple) return all;
  for (const Node e : tuple.elts())
    if (!r.integer(e, &all.emplace_back())) return {};
  return all;
}
} // namespace

std::string tuple_text(const std::vector<int64_t> &of) {
  return "(" + join(of, ", ", [](int64_t n) { return std::to_string(n); }) + (of.size() == 1 ? ",)" : ")");
}

Strided strided_of(const Reader &r, const Type &type) {
  auto call = type.layout ? r.as<ast::Call>(type.layout) : r.as<ast::Call>(HTP_NONE);
  if (!call || call.args().size() != 2 || !call.keywords().empty() || !r.dotted(call.func()).ends_with("strided"))
    return {};
  Strided s{ints(r, call.args()[0]), ints(r, call.args()[1])};
  return s.shape.size() == type.extents.size() && s.steps.size() == s.shape.size() ? s : Strided{};
}

bool read_strided(const Context &c, const Names &names, const Constants &constants, const Type &type, Strided &out,
                  std::string &why) {
  out = {};
  if (!type.layout) return true;
  const auto integer = [&](Node n) { return constants.integer(n); };
  const auto layout = read_layout_by_facet(c, names, type.layout, integer);
  if (layout && layout::is_row_major(*layout)) return true;
  std::vector<int64_t> shape;
  for (const Extent &e : type.extents)
    shape.push_back(e.name.empty() ? e.size : integer(c.parse(e.name, type.layout)).value_or(0));
  const auto steps = layout ? layout::array_steps(*layout, shape) : layout::Result<std::vector<int64_t>>(layout.no());
  if (!steps) return why = steps.reason(), false;
  out = {std::move(shape), *steps};
  return true;
}

Node with_strided_parameters(const Context &c, Node root) {
  const Node function = c.entry_function(root), arguments = c.get<ast::FunctionDef>(function).args();
  const Names names(c, root);
  const Constants constants(c, root);
  Imports imports(c, root, {});
  auto all = c.read<ast::arguments>(arguments);
  bool changed = false;
  for (uint32_t &n : all.args) {
    auto a = c.read<ast::arg>(n);
    const auto type = a.annotation ? read_type(c, a.annotation) : std::nullopt;
    Strided strided;
    std::string why;
    if (!type || !read_strided(c, names, constants, *type, strided, why) || !strided ||
        strided_of(c, *type).steps == strided.steps)
      continue;
    const Node layout = c.parse(imports.module("htp", "htp") + ".layouts.strided(" + tuple_text(strided.shape) + ", " +
                                    tuple_text(strided.steps) + ")",
                                type->layout);
    a.annotation = rewrite(
        c, a.annotation, [&](Node e) { return e == type->layout ? layout : e; },
        [](Node, std::vector<uint32_t> &) { return false; });
    n = c.with(n, a);
    changed = true;
  }
  if (!changed) return root;
  return imports.apply(
      with_statement(c, root, function, with_slot(c, function, HTP_FIELD(FunctionDef, args), c.with(arguments, all))));
}

bool is_turned(const Context &c, const ast::Call &call) {
  const Nodes keywords = call.keywords();
  return std::any_of(keywords.begin(), keywords.end(), [&](Node n) {
    auto k = c.get<ast::keyword>(n);
    return k.arg() == "turned" && c.show(k.value()) == "True";
  });
}

std::vector<uint32_t> keywords_of(const Context &c, Node call) {
  std::vector<uint32_t> all;
  for (const Node n : c.get<ast::Call>(call).keywords()) {
    auto k = c.get<ast::keyword>(n);
    all.push_back(c.make(make::keyword{.arg = std::string(k.arg()), .value = copy_of(c, k.value(), n)}, n));
  }
  return all;
}

} // namespace htp::a2a3
