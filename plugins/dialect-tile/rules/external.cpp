// apart: a function that is compiled apart, by its signature.
#include "rules/rules.h"

#include <map>

namespace htp::tile {

namespace {

Node node_of(const Call &call, std::string_view parameter) {
  return call.given(parameter) ? call.argument(parameter) : call.node;
}

// A number for a parameter that is handed over by value; reported when it is none, or none of the dtype.
bool number(const Call &call, const std::string &name, std::pair<Node, Node> given, Node dtype) {
  const Context &c = call.c;
  const std::string shown = c.show(dtype), spelled = shown.substr(shown.rfind('.') + 1);
  if (!given.second) return call.literal(given.first, spelled);
  const auto type = read_type(c, given.second);
  c.report(diag::external_number, given.first, name, shown, type ? text_of(c, *type) : call.shown(given.first))
      .hint("give it a number, or declare the parameter a tile and load it: `Tile[" + spelled + ", 1]`");
  return false;
}

} // namespace

Node write_signature(const Context &c, Nodes types, Node origin) {
  return c.make(
      make::Subscript{.value = c.name("Signature", origin),
                      .slice = c.make(make::Tuple{.elts = {types.begin(), types.end()}, .ctx = HTP_LOAD}, origin),
                      .ctx = HTP_LOAD},
      origin);
}

Node apart(const Call &call) {
  const Context &c = call.c;
  auto signature = c.as<ast::Subscript>(call.annotation("function"));
  auto types = signature ? c.as<ast::Tuple>(signature.slice()) : ast::Tuple{&c, HTP_NONE};
  if (!types || types.elts().empty()) {
    c.report(diag::not_external, call.node, c.show(call.argument("function")));
    return HTP_NONE;
  }
  const std::string name = c.show(call.argument("function"));
  const auto operands = call.variadic();
  const size_t count = types.elts().size() - 1;
  if (operands.size() != count) {
    c.report(diag::external_count, call.node, name, operands.size(), count);
    return HTP_NONE;
  }
  std::map<std::string, Extent> sizes;
  for (size_t k = 0; k < count; ++k) {
    if (!c.is(types.elts()[k], HTP_Subscript)) {
      if (!number(call, name, operands[k], types.elts()[k])) return HTP_NONE;
      continue;
    }
    const auto wanted = read_type(c, types.elts()[k]);
    const auto given = operands[k].second ? read_type(c, operands[k].second) : std::nullopt;
    const bool tile = given && given->form == "Tile";
    bool good = tile && wanted && given->dtype == wanted->dtype && given->rank() == wanted->rank();
    for (size_t d = 0; good && d < given->rank(); ++d) {
      const Extent &e = wanted->extents[d];
      good = e.name.empty() ? given->extents[d] == e
                            : sizes.try_emplace(e.name, given->extents[d]).first->second == given->extents[d];
    }
    if (good) continue;
    auto report = c.report(tile ? diag::external_call : diag::external_operand, operands[k].first, name,
                           c.show(types.elts()[k]), tile ? text_of(c, *given) : call.shown(operands[k].first));
    for (const auto &[dim, size] : sizes) report.note("`" + dim + "` is " + size.text() + " here");
    return HTP_NONE;
  }
  auto several = c.as<ast::Tuple>(types.elts()[count]);
  const Node single[] = {types.elts()[count]};
  const Nodes results = several ? several.elts() : Nodes(single);
  int64_t which = 0;
  if (call.given("result") ? !c.integer(call.argument("result"), &which) || which < 0 || which >= std::ssize(results)
                           : results.size() > 1) {
    c.report(diag::result_count, node_of(call, "result"), name, results.size(), 1)
        .hint("name each: `first, second = " + name + "(…)`");
    return HTP_NONE;
  }
  auto result = read_type(c, results[static_cast<size_t>(which)]);
  if (!result) return call.nothing();
  for (Extent &e : result->extents)
    if (const auto it = sizes.find(e.name); it != sizes.end()) e = it->second;
  return call.give(*result);
}

} // namespace htp::tile
