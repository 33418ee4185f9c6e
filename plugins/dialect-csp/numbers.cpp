#include "numbers.h"

#include "htp_cpp/writer.h"

#include <algorithm>

namespace htp::csp {

Linear operator+(Linear a, const Linear &b) {
  a.constant += b.constant;
  for (const auto &[name, factor] : b.terms) {
    const auto same = std::find_if(a.terms.begin(), a.terms.end(), [&](const auto &one) { return one.first == name; });
    if (same == a.terms.end())
      a.terms.emplace_back(name, factor);
    else
      same->second += factor;
  }
  std::erase_if(a.terms, [](const auto &one) { return one.second == 0; });
  return a;
}

Linear operator*(Linear a, int64_t factor) {
  a.constant *= factor;
  for (auto &one : a.terms) one.second *= factor;
  std::erase_if(a.terms, [](const auto &one) { return one.second == 0; });
  return a;
}

Linear plus(Linear a, int64_t whole) {
  a.constant += whole * a.divisor;
  return a;
}

Linear cut(Linear a, int64_t divisor) {
  // ⌊(⌊x / d⌋ + k) / n⌋ is ⌊(x + k·d) / (d·n)⌋
  a.constant += (divisor - 1) * a.divisor;
  a.divisor *= divisor;
  return a;
}

namespace {

constexpr size_t most_cases = 16; // of a condition

// 2 * M times N: a size of its own, M*N.
std::optional<Linear> of_sizes(const Linear &a, const Linear &b) {
  if (a.terms.size() != 1 || b.terms.size() != 1 || a.constant != 0 || b.constant != 0) return std::nullopt;
  const auto &[one, factor] = a.terms[0];
  const auto &[other, times] = b.terms[0];
  std::vector<std::string> sizes;
  for (std::string_view rest : {std::string_view(one), std::string_view(other)})
    for (size_t end = 0; !rest.empty(); rest.remove_prefix(std::min(end + 1, rest.size()))) {
      end = std::min(rest.find('*'), rest.size());
      sizes.emplace_back(rest.substr(0, end));
    }
  std::sort(sizes.begin(), sizes.end());
  const std::string name = join(sizes, "*", [](const std::string &size) { return size; });
  if (name.find('#') != std::string::npos) return std::nullopt;
  return Linear{.terms = {{name, factor * times}}};
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

std::optional<Linear> Numbers::less(const Linear &a, const Linear &b) {
  if (b.divisor == 1) return a + b * -a.divisor;
  if (a.divisor != 1) return std::nullopt;
  Linear difference = a * b.divisor + b * -1 + Linear{.constant = b.divisor - 1}; // a - ⌊b⌋ is ⌈a - b⌉
  difference.divisor = b.divisor;
  return difference;
}

bool Numbers::positive(const Linear &number) const {
  const auto plainly = [](const Linear &one) {
    int64_t least = one.constant;
    for (const auto &[name, factor] : one.terms) {
      if (factor < 0 || name.find('#') != std::string::npos) return false;
      least += factor; // a size is at least 1
    }
    return least >= 0;
  };
  return number.divisor == 1 && (plainly(number) || std::any_of(known_.begin(), known_.end(), [&](const Linear &one) {
                                   return plainly(number + one * -1);
                                 }));
}

std::optional<Count> Numbers::extent(Node n) const {
  if (const auto block = blocks_.find(c.name_of(n)); block != blocks_.end()) return block->second;
  const auto value = linear(n);
  return value ? std::optional(Count{{*value}}) : std::nullopt;
}

std::optional<Linear> Numbers::linear(Node n) const {
  if (const auto number = p_.constants.integer(n)) return Linear{.constant = *number};
  if (const std::string_view name = c.name_of(n); !name.empty()) {
    if (const auto index = indices_.find(name); index != indices_.end()) return Linear{.constant = index->second};
    if (const auto value = ints_.find(name); value != ints_.end()) return value->second;
    if (p_.dims.contains(name)) return Linear{.terms = {{std::string(name), 1}}};
    return std::nullopt;
  }
  auto b = c.as<ast::BinOp>(n);
  if (!b) return std::nullopt;
  const auto left = linear(b.left()), right = linear(b.right());
  if (!left || !right || left->divisor != 1 || right->divisor != 1) return std::nullopt;
  const bool constant = right->terms.empty();
  switch (b.op()) {
  case HTP_Add: return *left + *right;
  case HTP_Sub: return *left + *right * -1;
  case HTP_Mult:
    if (constant) return *left * right->constant;
    return left->terms.empty() ? std::optional(*right * left->constant) : of_sizes(*left, *right);
  case HTP_FloorDiv:
    if (!constant || right->constant < 1) return std::nullopt;
    if (!left->terms.empty()) {
      Linear quotient = *left;
      quotient.divisor = right->constant;
      return quotient;
    }
    return Linear{.constant = value(Count{{Linear{.constant = left->constant, .divisor = right->constant}}}, {})};
  case HTP_Mod:
    if (!constant || right->constant < 1 || std::any_of(left->terms.begin(), left->terms.end(), [&](const auto &term) {
          return term.second % right->constant != 0;
        }))
      return std::nullopt;
    return Linear{.constant = (left->constant % right->constant + right->constant) % right->constant};
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
    if (!a || !b || a->divisor != 1 || b->divisor != 1) return std::nullopt;
    const auto one = compare(*a + *b * -1, static_cast<htp_op>(k.ops()[i]));
    if (one && !*one) return false;
    known = known && one;
  }
  return known ? std::optional(true) : std::nullopt;
}

// Whether a difference is as a comparison wants it.
std::optional<bool> Numbers::compare(const Linear &difference, htp_op op) const {
  const Linear one{.constant = 1};
  const auto decided = [](bool yes, bool no) {
    return yes ? std::optional(true) : no ? std::optional(false) : std::nullopt;
  };
  const bool less = positive(difference * -1 + one * -1), not_less = positive(difference);
  const bool more = positive(difference + one * -1), not_more = positive(difference * -1);
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
  const auto more = a && b ? less(*a, *b) : std::nullopt, fewer = a && b ? less(*b, *a) : std::nullopt;
  if (!more || !fewer) return std::nullopt;
  const Linear above = plus(*more, -1), below = plus(*fewer, -1); // a > b, a < b
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
