// apart: a function that is compiled apart, by its signature.
#include "rules/rules.h"

#include <map>

namespace htp::tile {

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
    c.report(diag::external_call, call.node, c.show(call.argument("function")), "what is no function compiled apart",
             "`@external(htp.text(\"scaled.cc\"))` above it");
    return HTP_NONE;
  }
  const std::string name = c.show(call.argument("function"));
  const auto operands = call.variadic();
  const size_t count = types.elts().size() - 1;
  if (operands.size() != count) {
    c.report(diag::external_call, call.node, name,
             std::to_string(operands.size()) + (operands.size() == 1 ? " tile" : " tiles"), std::to_string(count));
    return HTP_NONE;
  }
  std::map<std::string, Extent> sizes;
  for (size_t k = 0; k < count; ++k) {
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
    auto report =
        c.report(diag::external_call, operands[k].first, name,
                 tile ? "a `" + text_of(c, *given) + "`" : "`" + call.shown(operands[k].first) + "`, which is no tile",
                 c.show(types.elts()[k]));
    for (const auto &[dim, size] : sizes) report.note("`" + dim + "` is " + size.text() + " here");
    return HTP_NONE;
  }
  auto result = read_type(c, types.elts()[count]);
  if (!result) return call.nothing();
  for (Extent &e : result->extents)
    if (const auto it = sizes.find(e.name); it != sizes.end()) e = it->second;
  return call.give(*result);
}

} // namespace htp::tile
