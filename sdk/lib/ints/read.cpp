// Int expressions and slices as the tree has them.
#include "htp_cpp/constants.h"
#include "htp_cpp/ints.h"

namespace htp::sdk {

namespace {

// What is no arithmetic, by its spelling: `i.start`, `len(i)`.
MaybeInt atom(const Reader &r, Node n, const IntMeanings &meanings) {
  std::string text = r.dotted(n);
  if (auto k = r.as<ast::Call>(n); k && !r.name_of(k.func()).empty() && k.keywords().empty()) {
    text = std::string(r.name_of(k.func())) + "(";
    for (const Node a : k.args()) {
      const MaybeInt argument = read_int(r, a, meanings);
      if (!argument) return std::nullopt;
      text += (text.back() == '(' ? "" : ", ") + argument->text();
    }
    text += ")";
  }
  return text.empty() ? std::nullopt : MaybeInt(IntExpr::other(text, {text}));
}

// `min(…)` and `max(…)`.
bool is_choice(const Reader &r, Node n) {
  auto k = r.as<ast::Call>(n);
  const std::string_view callee = k ? r.name_of(k.func()) : std::string_view();
  return (callee == "min" || callee == "max") && !k.args().empty() && k.keywords().empty();
}

} // namespace

IntMeanings with_constants(const Constants &constants) {
  return with_constants([&constants](std::string_view name) {
    const auto number = constants.named(name);
    return number && !number->real ? std::optional(number->i) : std::nullopt;
  });
}

MaybeInt read_int(const Reader &r, Node n, const IntMeanings &meanings) {
  int64_t number = 0;
  if (r.integer(n, &number)) return IntExpr(number);
  if (const std::string_view name = r.name_of(n); !name.empty()) return meanings.name(name);
  if (auto u = r.as<ast::UnaryOp>(n); u && (u.op() == HTP_USub || u.op() == HTP_UAdd)) {
    const MaybeInt x = read_int(r, u.operand(), meanings);
    return u.op() == HTP_USub ? -x : x;
  }
  if (auto b = r.as<ast::BinOp>(n)) {
    const MaybeInt left = read_int(r, b.left(), meanings), right = read_int(r, b.right(), meanings);
    const auto by = right ? right->constant() : std::nullopt;
    switch (b.op()) {
    case HTP_Add: return left + right;
    case HTP_Sub: return left - right;
    case HTP_Mult: return left * right;
    case HTP_FloorDiv: return floor_div(left, by.value_or(0));
    case HTP_Mod: return remainder(left, by.value_or(0));
    default: return std::nullopt;
    }
  }
  if (meanings.choices && is_choice(r, n)) {
    auto k = r.get<ast::Call>(n);
    std::vector<MaybeInt> of;
    for (const Node a : k.args()) of.push_back(read_int(r, a, meanings));
    return r.name_of(k.func()) == "min" ? least(of) : most(of);
  }
  return meanings.other ? meanings.other(n) : atom(r, n, meanings);
}

std::optional<SliceCall> read_slice(const Reader &r, Node n) {
  auto k = r.as<ast::Call>(n);
  if (!k || r.name_of(k.func()) != "slice" || k.args().empty() || k.args().size() > 3 || !k.keywords().empty())
    return std::nullopt;
  const auto argument = [&](size_t i) -> Node {
    if (i >= k.args().size()) return HTP_NONE;
    auto none = r.as<ast::Constant>(k.args()[i]);
    return none && none.value().type == HTP_CONST_NONE ? HTP_NONE : k.args()[i];
  };
  if (k.args().size() == 1) return SliceCall{HTP_NONE, argument(0), HTP_NONE};
  return SliceCall{argument(0), argument(1), argument(2)};
}

bool is_ellipsis(const Reader &r, Node n) {
  auto k = r.as<ast::Constant>(n);
  return k && k.value().type == HTP_CONST_ELLIPSIS;
}

MaybeInt slice_length(const Reader &r, const SliceCall &s, const IntMeanings &meanings) {
  const MaybeInt start = read_int(r, s.start, meanings), step = s.step ? read_int(r, s.step, meanings) : IntExpr(1);
  const int64_t by = step ? step->constant().value_or(0) : 0;
  const MaybeInt stop = s.stop ? read_int(r, s.stop, meanings) : by < 0 ? MaybeInt(IntExpr(-1)) : std::nullopt;
  return by > INT64_MIN ? ceil_div(by < 0 ? start - stop : stop - start, by < 0 ? -by : by) : std::nullopt;
}

} // namespace htp::sdk
