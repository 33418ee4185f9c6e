#include "analyses/instance.h"

#include <algorithm>

namespace htp::aie::cores {

std::optional<int64_t> Instance::known(const IntExpr &e) const {
  const auto v = value(e);
  return v ? v->constant() : std::nullopt;
}

std::optional<int64_t> Instance::known(const Context &c, const sdk::Constants &constants, Node n) const {
  IntMeanings m;
  m.name = [&](std::string_view name) -> MaybeInt {
    if (const auto it = ints.find(name); it != ints.end()) return it->second;
    const auto number = constants.named(name);
    return number && !number->real ? MaybeInt(IntExpr(number->i)) : std::nullopt;
  };
  m.other = [](Node) -> MaybeInt { return std::nullopt; };
  const auto v = read_int(c, n, m);
  return v ? v->constant() : std::nullopt;
}

std::optional<bool> Instance::passes(const TileTest &t) const {
  if (t.kind == TileTest::Kind::all || t.kind == TileTest::Kind::any) {
    const bool every = t.kind == TileTest::Kind::all;
    bool result = every;
    for (const TileTest &one : t.of) {
      const auto passed = passes(one);
      if (!passed) return std::nullopt;
      result = every ? result && *passed : result || *passed;
    }
    return result;
  }
  if (t.kind == TileTest::Kind::negation) {
    const auto passed = passes(t.of[0]);
    return passed ? std::optional(!*passed) : std::nullopt;
  }
  const auto sized = [](const IntExpr &e) {
    const auto names = e.names();
    return std::any_of(names.begin(), names.end(), [](const std::string &name) { return name.starts_with("len("); });
  };
  if (t.kind != TileTest::Kind::compare || sized(t.left) || sized(t.right)) return std::nullopt;
  const auto a = known(t.left), b = known(t.right);
  if (!a || !b) return std::nullopt;
  switch (t.op) {
  case HTP_Eq: return *a == *b;
  case HTP_NotEq: return *a != *b;
  case HTP_Lt: return *a < *b;
  case HTP_LtE: return *a <= *b;
  case HTP_Gt: return *a > *b;
  case HTP_GtE: return *a >= *b;
  default: return std::nullopt;
  }
}

std::optional<Slice> slice_at(const IntExpr &e, std::string_view core) {
  Slice s{e.offset(), 1, {}};
  for (const auto &[product, factor] : e.terms()) {
    if (product.empty()) continue;
    if (product.size() != 1 || product[0]->kind != IntAtom::Kind::symbol) return std::nullopt;
    const std::string &symbol = product[0]->text;
    if (symbol[0] == '#')
      s.steps[static_cast<size_t>(std::stoul(symbol.substr(1)))] = factor;
    else if (!core.empty() && symbol == std::string(core) + ".column")
      s.column = factor;
    else if (!core.empty() && symbol == std::string(core) + ".row")
      s.row = factor;
    else
      return std::nullopt;
  }
  return s;
}

} // namespace htp::aie::cores
