#include "numbers.h"

#include "htp_cpp/writer.h"

#include <algorithm>

namespace htp::csp {

namespace {

constexpr size_t most_cases = 16; // of a condition

bool is_variable(const std::string &name) { return name.find('#') != std::string::npos; }

// Whether all of its products of several ints are of sizes.
bool of_sizes(const IntExpr &e) {
  return std::ranges::all_of(e.terms(), [](const auto &term) {
    return term.first.size() < 2 || std::ranges::all_of(term.first, [](const sdk::IntFactor &f) {
             return f->kind == sdk::IntAtom::Kind::symbol && !is_variable(f->text);
           });
  });
}

std::vector<AllOf> each_with_each(const std::vector<AllOf> &some, const std::vector<AllOf> &others) {
  std::vector<AllOf> found;
  for (const AllOf &one : some)
    for (const AllOf &other : others) {
      found.push_back(one);
      found.back().insert(found.back().end(), other.begin(), other.end());
    }
  return found;
}

// Of several conditions, all of which are to be as wanted, or one: the cases of the first that decides.
template <class Cases>
std::optional<std::vector<AllOf>> decided(size_t count, bool together, bool wanted, Cases &&cases_of) {
  std::vector<AllOf> found, before{{}}; // those before do not decide
  for (size_t k = 0; k < count; ++k) {
    const auto yes = cases_of(k, wanted), no = cases_of(k, !wanted);
    if (!yes || !no) return std::nullopt;
    if (!together)
      for (const AllOf &one : each_with_each(before, *yes)) found.push_back(one);
    before = each_with_each(before, together ? *yes : *no);
    if (before.size() + found.size() > most_cases) return std::nullopt;
  }
  return together ? before : found;
}

} // namespace

bool plain(const IntExpr &e) {
  return std::ranges::all_of(e.terms(), [](const auto &term) {
    return std::ranges::all_of(term.first,
                               [](const sdk::IntFactor &f) { return f->kind == sdk::IntAtom::Kind::symbol; });
  });
}

bool Numbers::positive(const MaybeInt &number) const {
  const auto plainly = [](const MaybeInt &one) {
    const auto size = [](const std::string &name) {
      return is_variable(name) ? sdk::IntRange{} : sdk::IntRange{.least = 1};
    };
    return one && one->range(size).least.value_or(-1) >= 0;
  };
  return number && plain(*number) &&
         (plainly(number) || std::ranges::any_of(known_, [&](const IntExpr &one) { return plainly(number - one); }));
}

std::optional<TripCount> Numbers::extent(Node n) const {
  if (const auto block = blocks_.find(c.name_of(n)); block != blocks_.end()) return block->second;
  const auto value = linear(n);
  return value ? std::optional(TripCount{{*value}}) : std::nullopt;
}

MaybeInt Numbers::linear(Node n) const {
  if (const auto number = p_.constants.integer(n)) return IntExpr(*number);
  if (const std::string_view name = c.name_of(n); !name.empty()) {
    if (const auto index = indices_.find(name); index != indices_.end()) return IntExpr(index->second);
    if (const auto value = ints_.find(name); value != ints_.end()) return value->second;
    return p_.dims.contains(name) ? MaybeInt(IntExpr::symbol(std::string(name))) : std::nullopt;
  }
  auto b = c.as<ast::BinOp>(n);
  if (!b) return std::nullopt;
  const auto left = linear(b.left()), right = linear(b.right());
  switch (b.op()) {
  case HTP_Add: return left + right;
  case HTP_Sub: return left - right;
  case HTP_Mult: {
    const MaybeInt product = left * right;
    return product && of_sizes(*product) ? product : std::nullopt;
  }
  case HTP_FloorDiv: return right ? floor_div(left, right->constant().value_or(0)) : std::nullopt;
  case HTP_Mod: return right ? remainder(left, right->constant().value_or(0)) : std::nullopt;
  default: return std::nullopt;
  }
}

std::optional<bool> Numbers::holds(Node n) const {
  if (auto b = c.as<ast::BoolOp>(n)) {
    const bool all = b.op() == HTP_And;
    bool known = true;
    for (const Node v : b.values()) {
      const auto one = holds(v);
      if (one && *one != all) return !all;
      known = known && one;
    }
    return known ? std::optional(all) : std::nullopt;
  }
  if (auto u = c.as<ast::UnaryOp>(n); u && u.op() == HTP_Not) {
    const auto one = holds(u.operand());
    return one ? std::optional(!*one) : std::nullopt;
  }
  if (const auto constant = p_.constants.number(n); constant && !constant->real) return constant->i != 0;
  auto k = c.as<ast::Compare>(n);
  if (!k) return std::nullopt;
  bool known = true;
  for (size_t i = 0; i < k.ops().size(); ++i) {
    const auto a = linear(i ? k.comparators()[i - 1] : k.left()), b = linear(k.comparators()[i]);
    if (!a || !b || !plain(*a) || !plain(*b)) return std::nullopt;
    const auto one = compare(a - b, static_cast<htp_op>(k.ops()[i]));
    if (one && !*one) return false;
    known = known && one;
  }
  return known ? std::optional(true) : std::nullopt;
}

// Whether a difference is as a comparison wants it.
std::optional<bool> Numbers::compare(const MaybeInt &difference, htp_op op) const {
  const auto decided = [](bool yes, bool no) {
    return yes ? std::optional(true) : no ? std::optional(false) : std::nullopt;
  };
  const bool less = positive(-difference - 1), not_less = positive(difference);
  const bool more = positive(difference - 1), not_more = positive(-difference);
  switch (op) {
  case HTP_Lt: return decided(less, not_less);
  case HTP_LtE: return decided(not_more, more);
  case HTP_Gt: return decided(more, not_more);
  case HTP_GtE: return decided(not_less, less);
  case HTP_Eq: return decided(not_less && not_more, less || more);
  case HTP_NotEq: return decided(less || more, not_less && not_more);
  default: return std::nullopt;
  }
}

std::optional<std::vector<AllOf>> Numbers::cases(Node n, bool wanted) const {
  if (auto u = c.as<ast::UnaryOp>(n); u && u.op() == HTP_Not) return cases(u.operand(), !wanted);
  if (auto b = c.as<ast::BoolOp>(n))
    return decided(b.values().size(), (b.op() == HTP_And) == wanted, wanted,
                   [&](size_t k, bool so) { return cases(b.values()[k], so); });
  if (const auto known = holds(n)) return *known == wanted ? std::vector<AllOf>{{}} : std::vector<AllOf>{};
  auto k = c.as<ast::Compare>(n);
  if (!k) return std::nullopt;
  return decided(k.ops().size(), wanted, wanted, [&](size_t at, bool so) {
    return compared(at ? k.comparators()[at - 1] : k.left(), static_cast<htp_op>(k.ops()[at]), k.comparators()[at], so);
  });
}

std::optional<std::vector<AllOf>> Numbers::compared(Node left, htp_op op, Node right, bool wanted) const {
  const auto a = linear(left), b = linear(right);
  const MaybeInt more = a - b, fewer = b - a, more_by_one = more - 1, fewer_by_one = fewer - 1;
  if (!more_by_one || !fewer_by_one) return std::nullopt;
  const IntExpr &above = *more_by_one, &below = *fewer_by_one; // a > b, a < b
  switch (op) {
  case HTP_Lt: return std::vector<AllOf>{{wanted ? below : *more}};
  case HTP_LtE: return std::vector<AllOf>{{wanted ? *fewer : above}};
  case HTP_Gt: return std::vector<AllOf>{{wanted ? above : *fewer}};
  case HTP_GtE: return std::vector<AllOf>{{wanted ? *more : below}};
  case HTP_Eq:
  case HTP_NotEq:
    if ((op == HTP_Eq) == wanted) return std::vector<AllOf>{{*more, *fewer}};
    return std::vector<AllOf>{{above}, {below}};
  default: return std::nullopt;
  }
}

} // namespace htp::csp
