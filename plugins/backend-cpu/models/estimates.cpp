#include "estimates.h"

#include "htp_cpp/writer.h"

#include <algorithm>
#include <cmath>

namespace htp::cpu {

using namespace ready;

Estimate Estimates::range(Node n, const Environment &at) const {
  Value value;
  if (constants_.number(n, value)) return point(value.real ? value.f : static_cast<double>(value.i));
  if (auto name = c.as<ast::Name>(n)) {
    const auto it = at.find(name.id());
    return it == at.end() ? Estimate{guess, guess, false} : it->second;
  }
  if (auto u = c.as<ast::UnaryOp>(n)) {
    const Estimate r = range(u.operand(), at);
    return u.op() == HTP_USub ? Estimate{-r.high, -r.low, r.known} : r;
  }
  if (auto call = c.as<ast::Call>(n); call && !call.args().empty()) {
    Estimate all = range(call.args()[0], at);
    const bool least = c.name_of(call.func()) == "min";
    for (const Node more : call.args().subspan(1)) {
      const Estimate r = range(more, at);
      all = least ? Estimate{std::min(all.low, r.low), std::min(all.high, r.high), all.known && r.known}
                  : Estimate{std::max(all.low, r.low), std::max(all.high, r.high), all.known && r.known};
    }
    return all;
  }
  auto b = c.as<ast::BinOp>(n);
  if (!b) return {guess, guess, false};
  const Estimate l = range(b.left(), at), r = range(b.right(), at);
  const bool known = l.known && r.known;
  switch (b.op()) {
  case HTP_Add: return {l.low + r.low, l.high + r.high, known};
  case HTP_Sub: return {l.low - r.high, l.high - r.low, known};
  case HTP_Mult: {
    const auto [low, high] = std::minmax({l.low * r.low, l.low * r.high, l.high * r.low, l.high * r.high});
    return {low, high, known};
  }
  case HTP_FloorDiv:
    if (r.low < 1) break;
    return {std::floor(l.low / r.high), std::floor(l.high / r.low), known};
  case HTP_Mod:
    if (r.low < 1) break;
    if (l.low == l.high && r.low == r.high) return point(l.low - std::floor(l.low / r.low) * r.low);
    return {0, std::min(r.high - 1, l.low < 0 ? r.high : std::max(l.high, 0.0)), known};
  default: break;
  }
  return {guess, guess, false};
}

std::optional<bool> Estimates::holds(Node test, const Environment &at) const {
  auto k = c.as<ast::Compare>(test);
  if (!k || k.comparators().size() != 1) return std::nullopt;
  const Estimate l = range(k.left(), at), r = range(k.comparators()[0], at);
  if (!l.known || !r.known || l.low != l.high || r.low != r.high) return std::nullopt;
  switch (static_cast<htp_op>(k.ops()[0])) {
  case HTP_Lt: return l.low < r.low;
  case HTP_LtE: return l.low <= r.low;
  case HTP_Gt: return l.low > r.low;
  case HTP_GtE: return l.low >= r.low;
  case HTP_Eq: return l.low == r.low;
  case HTP_NotEq: return l.low != r.low;
  default: return std::nullopt;
  }
}

void Estimates::note(const Statement &s, Environment &at) const {
  if (s.kind != Statement::Kind::integer) return;
  if (s.test && s.operands.empty())
    at[s.name] = range(s.test, at);
  else
    at[s.name] = {0, s.limit ? range(s.limit, at).high - 1 : guess, false};
}

void Estimates::forget(const Statement &s, Environment &at) {
  if (s.kind == Statement::Kind::integer) at[s.name] = {guess, guess, false};
  for (const auto *body : {&s.body, &s.orelse})
    for (const Statement &inner : *body) forget(inner, at);
}

double Estimates::step(const Statement &s, const Environment &at) const { return s.step ? range(s.step, at).high : 1; }
double Estimates::trips(const Statement &s, const Environment &at) const {
  const double begin = s.start ? range(s.start, at).low : 0, end = range(s.stop, at).high, by = step(s, at);
  return by == 0 ? 0 : std::max(0.0, std::ceil((end - begin) / by));
}

Estimate Estimates::iteration(const Statement &s, const Environment &at, double k) const {
  return point((s.start ? range(s.start, at).low : 0) + k * step(s, at));
}

Estimate Estimates::iterations(const Statement &s, const Environment &at) const {
  const double begin = s.start ? range(s.start, at).low : 0, end = range(s.stop, at).high;
  return step(s, at) < 0 ? Estimate{end + 1, std::max(end + 1, begin)} : Estimate{begin, std::max(begin, end - 1)};
}

} // namespace htp::cpu
