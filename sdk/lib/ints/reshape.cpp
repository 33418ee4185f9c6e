// Extents that hold the same elements: products that are equal as polynomials.
#include "htp_cpp/reshape.h"

#include <algorithm>

namespace htp::sdk {

namespace {

bool is_one(const IntExpr &e) { return e.constant() == 1; }

MaybeInt product_of(const std::vector<IntExpr> &extents) {
  MaybeInt product = IntExpr(1);
  for (const IntExpr &e : extents) product = product * e;
  return product;
}

// a / by, where each product of the sum is a multiple of the one that `by` is.
MaybeInt divided(const IntExpr &a, const IntExpr &by) {
  if (by.terms().size() != 1) return std::nullopt;
  const auto &[divisor, number] = *by.terms().begin();
  const auto text = [](const IntFactor &x, const IntFactor &y) { return x->text < y->text; };
  MaybeInt all = IntExpr();
  for (const auto &[product, factor] : a.terms()) {
    if (factor % number || !std::ranges::includes(product, divisor, text)) return std::nullopt;
    IntProduct rest;
    std::ranges::set_difference(product, divisor, std::back_inserter(rest), text);
    all = all + IntExpr::product(rest) * IntExpr(factor / number);
  }
  return all;
}

} // namespace

std::optional<std::vector<ReshapeGroup>> reshape_groups(const std::vector<IntExpr> &from,
                                                        const std::vector<IntExpr> &to) {
  const MaybeInt all = product_of(from), same = product_of(to);
  if (!all || !same || !(*all == *same)) return std::nullopt;
  std::vector<size_t> left, right;
  for (size_t d = 0; d < from.size(); ++d)
    if (!is_one(from[d])) left.push_back(d);
  for (size_t d = 0; d < to.size(); ++d)
    if (!is_one(to[d])) right.push_back(d);
  std::vector<ReshapeGroup> groups;
  size_t p = 0, q = 0;
  // The shortest beginning of one side that is a beginning of the other.
  const auto next = [&] {
    MaybeInt before = IntExpr(1);
    for (size_t a = p; a < left.size(); ++a) {
      before = before * from[left[a]];
      MaybeInt after = IntExpr(1);
      for (size_t b = q; b < right.size(); ++b) {
        after = after * to[right[b]];
        if (!before || !after || !(*before == *after)) continue;
        groups.push_back({{left.begin() + static_cast<ptrdiff_t>(p), left.begin() + static_cast<ptrdiff_t>(a) + 1},
                          {right.begin() + static_cast<ptrdiff_t>(q), right.begin() + static_cast<ptrdiff_t>(b) + 1}});
        p = a + 1, q = b + 1;
        return true;
      }
    }
    return false;
  };
  while (p < left.size() && q < right.size())
    if (!next()) return std::nullopt;
  return p == left.size() && q == right.size() ? std::optional(groups) : std::nullopt;
}

MaybeInt missing_extent(const std::vector<IntExpr> &from, const std::vector<IntExpr> &to) {
  std::vector<IntExpr> given = from, rest;
  for (const IntExpr &e : to) {
    const auto same = std::ranges::find(given, e);
    if (same == given.end())
      rest.push_back(e);
    else
      given.erase(same);
  }
  const MaybeInt all = product_of(given), by = product_of(rest);
  return all && by ? divided(*all, *by) : std::nullopt;
}

IntExpr clamped(const IntExpr &extent, const std::function<bool(const std::string &)> &natural) {
  const auto never_below_0 = [&](const IntExpr &e) {
    const IntRange range = e.range([&](const std::string &name) {
      return natural(name) ? IntRange{0, std::nullopt} : IntRange{};
    });
    return range.least.value_or(-1) >= 0;
  };
  const auto other = [](const IntExpr &e) { return IntExpr::other("max(" + e.text() + ", 0)", e.names()); };
  if (never_below_0(extent)) return extent;
  if (extent.terms().size() != 1 || extent.terms().begin()->second < 1) return other(extent);
  // Of `4 * M * n` it is `4 * M` times that of n.
  const auto &[factors, number] = *extent.terms().begin();
  MaybeInt product = IntExpr(number);
  size_t below_0 = 0;
  for (const IntFactor &f : factors) {
    const IntExpr one = IntExpr::product({f});
    const bool fine = never_below_0(one);
    below_0 += fine ? 0 : 1;
    product = product * (fine ? one : other(one));
  }
  return product && below_0 == 1 ? *product : other(extent);
}

} // namespace htp::sdk
