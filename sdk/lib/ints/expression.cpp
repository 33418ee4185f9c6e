// Int expressions as sums of products: arithmetic, spelling, substitution.
#include "htp_cpp/ints.h"

#include <algorithm>
#include <utility>

namespace htp::sdk {

bool InOrder::operator()(const IntProduct &a, const IntProduct &b) const {
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(),
                                      [](const IntFactor &x, const IntFactor &y) { return x->text < y->text; });
}

IntExpr::IntExpr(int64_t number) {
  if (number) terms_[{}] = number;
}
IntExpr IntExpr::of_atom(IntAtom atom) { return product({std::make_shared<const IntAtom>(std::move(atom))}); }
IntExpr IntExpr::product(IntProduct product) {
  IntExpr e;
  e.terms_[std::move(product)] = 1;
  return e;
}
IntExpr IntExpr::symbol(const std::string &name) { return of_atom({.text = name, .names = {name}}); }
IntExpr IntExpr::other(std::string text, std::set<std::string> names) {
  return of_atom({.kind = IntAtom::Kind::other, .text = std::move(text), .names = std::move(names)});
}

// ── what it is ──────────────────────────────────────────────────────────────────────────────────────────────────────

std::optional<int64_t> IntExpr::constant() const {
  return terms_.empty() || (terms_.size() == 1 && terms_.begin()->first.empty()) ? std::optional(offset())
                                                                                 : std::nullopt;
}
int64_t IntExpr::offset() const {
  const auto it = terms_.find({});
  return it == terms_.end() ? 0 : it->second;
}
int64_t IntExpr::coefficient(std::string_view name) const {
  for (const auto &[product, factor] : terms_)
    if (product.size() == 1 && product[0]->kind == IntAtom::Kind::symbol && product[0]->text == name) return factor;
  return 0;
}
bool IntExpr::affine() const {
  return std::ranges::all_of(terms_, [](const auto &term) {
    const IntProduct &product = term.first;
    return product.empty() || (product.size() == 1 && product[0]->kind == IntAtom::Kind::symbol);
  });
}
std::set<std::string> IntExpr::names() const {
  std::set<std::string> all;
  for (const auto &[product, factor] : terms_)
    for (const IntFactor &f : product) all.insert(f->names.begin(), f->names.end());
  return all;
}
bool IntExpr::uses(const std::string &name) const {
  for (const auto &[product, factor] : terms_)
    for (const IntFactor &f : product)
      if (f->names.contains(name)) return true;
  return false;
}
bool IntExpr::divides_evenly(int64_t by) const {
  if (by == 0) return false;
  return by == -1 || std::ranges::all_of(terms_, [&](const auto &term) { return term.second % by == 0; });
}

bool operator==(const IntExpr &a, const IntExpr &b) {
  const auto same = [](const auto &x, const auto &y) {
    return x.second == y.second && std::ranges::equal(x.first, y.first, {}, &IntAtom::text, &IntAtom::text);
  };
  return std::ranges::equal(a.terms_, b.terms_, same);
}
bool operator<(const IntExpr &a, const IntExpr &b) {
  const InOrder in_order;
  return std::lexicographical_compare(a.terms_.begin(), a.terms_.end(), b.terms_.begin(), b.terms_.end(),
                                      [&](const auto &x, const auto &y) {
                                        if (in_order(x.first, y.first)) return true;
                                        return !in_order(y.first, x.first) && x.second < y.second;
                                      });
}

// What is added comes first, and the number last.
std::string IntExpr::text() const {
  std::string all;
  const auto add = [&](const IntProduct &product, int64_t factor) {
    const bool minus = factor < 0;
    const uint64_t size = minus ? uint64_t{0} - static_cast<uint64_t>(factor) : static_cast<uint64_t>(factor);
    all += all.empty() ? (minus ? "-" : "") : minus ? " - " : " + ";
    std::string term = size == 1 && !product.empty() ? std::string() : std::to_string(size);
    for (const IntFactor &f : product) {
      const bool alone = term.empty() && product.size() == 1 && !minus;
      const bool divided = f->kind == IntAtom::Kind::quotient || f->kind == IntAtom::Kind::remainder;
      term += (term.empty() ? "" : " * ") + (alone || !divided ? f->text : "(" + f->text + ")");
    }
    all += term;
  };
  for (const bool minus : {false, true})
    for (const auto &[product, factor] : terms_)
      if ((factor < 0) == minus && !product.empty()) add(product, factor);
  if (const int64_t number = offset()) add({}, number);
  return all.empty() ? "0" : all;
}

// ── arithmetic ──────────────────────────────────────────────────────────────────────────────────────────────────────

bool IntExpr::add(const IntProduct &product, int64_t factor) {
  const auto it = terms_.try_emplace(product, 0).first;
  if (__builtin_add_overflow(it->second, factor, &it->second)) return false;
  if (it->second == 0) terms_.erase(it);
  return true;
}

MaybeInt operator+(const MaybeInt &a, const MaybeInt &b) {
  if (!a || !b) return std::nullopt;
  MaybeInt sum = a;
  for (const auto &[product, factor] : b->terms_)
    if (!sum->add(product, factor)) return std::nullopt;
  return sum;
}
MaybeInt operator*(const MaybeInt &a, const MaybeInt &b) {
  if (!a || !b) return std::nullopt;
  IntExpr all;
  for (const auto &[x, n] : a->terms_)
    for (const auto &[y, m] : b->terms_) {
      IntProduct product(x.size() + y.size());
      std::ranges::merge(x, y, product.begin(), {}, &IntAtom::text, &IntAtom::text);
      int64_t factor = 0;
      if (__builtin_mul_overflow(n, m, &factor) || !all.add(product, factor)) return std::nullopt;
    }
  return all;
}
MaybeInt operator-(const MaybeInt &a) { return a * IntExpr(-1); }
MaybeInt operator-(const MaybeInt &a, const MaybeInt &b) { return a + -b; }

namespace {

// The quotient in `x // d + n`; null of anything else.
const IntAtom *only_quotient(const IntExpr &e) {
  const IntAtom *found = nullptr;
  for (const auto &[product, factor] : e.terms()) {
    if (product.empty()) continue;
    if (found || product.size() > 1 || factor != 1 || product[0]->kind != IntAtom::Kind::quotient) return nullptr;
    found = product[0].get();
  }
  return found;
}

} // namespace

// What `by` divides evenly goes ahead of the atom; what is left has numbers from 0 to by - 1.
MaybeInt quotient_or_remainder(const MaybeInt &a, int64_t by, bool quotient) {
  if (!a || by < 1) return std::nullopt;
  IntExpr whole, rest;
  for (const auto &[product, factor] : a->terms_) {
    const int64_t left = factor % by + (factor % by < 0 ? by : 0);
    if (left) rest.terms_[product] = left;
    if (const int64_t times = factor / by - (factor % by < 0)) whole.terms_[product] = times;
  }
  const IntRange range = rest.range([](const std::string &) { return IntRange{}; });
  if (range.least.value_or(-1) >= 0 && range.most.value_or(by) < by) return quotient ? whole : rest;
  int64_t both = 0; // (x // d + n) // by is (x + n * d) // (d * by)
  if (const IntAtom *q = quotient ? only_quotient(rest) : nullptr; q && !__builtin_mul_overflow(q->by, by, &both))
    return whole + floor_div(q->of[0] + IntExpr(rest.offset()) * IntExpr(q->by), both);
  const std::string inner = rest.text();
  const std::string shown = inner.find(' ') == std::string::npos ? inner : "(" + inner + ")";
  const IntExpr atom = IntExpr::of_atom({.kind = quotient ? IntAtom::Kind::quotient : IntAtom::Kind::remainder,
                                         .text = shown + (quotient ? " // " : " % ") + std::to_string(by),
                                         .names = rest.names(),
                                         .of = {rest},
                                         .by = by});
  return quotient ? whole + atom : atom;
}
MaybeInt floor_div(const MaybeInt &a, int64_t by) { return quotient_or_remainder(a, by, true); }
MaybeInt remainder(const MaybeInt &a, int64_t by) { return quotient_or_remainder(a, by, false); }
MaybeInt ceil_div(const MaybeInt &a, int64_t by) { return by < 1 ? std::nullopt : floor_div(a + IntExpr(by - 1), by); }

// Without those of which another one is always as good.
MaybeInt IntExpr::first_of(bool least, const std::vector<MaybeInt> &ints) {
  std::vector<IntExpr> kept;
  for (const MaybeInt &next : ints) {
    if (!next) return std::nullopt;
    const auto beats = [&](const IntExpr &a, const IntExpr &b) {
      const MaybeInt more = least ? b - a : a - b;
      return more && more->constant().value_or(-1) >= 0;
    };
    if (std::ranges::any_of(kept, [&](const IntExpr &one) { return beats(one, *next); })) continue;
    std::erase_if(kept, [&](const IntExpr &one) { return beats(*next, one); });
    kept.push_back(*next);
  }
  if (kept.size() < 2) return kept.empty() ? std::nullopt : MaybeInt(kept[0]);
  IntAtom atom{.kind = least ? IntAtom::Kind::least : IntAtom::Kind::most, .text = least ? "min(" : "max("};
  for (const IntExpr &one : kept) {
    atom.text += (&one == &kept[0] ? "" : ", ") + one.text();
    atom.names.merge(one.names());
  }
  atom.text += ")";
  atom.of = std::move(kept);
  return IntExpr::of_atom(std::move(atom));
}
MaybeInt least(const std::vector<MaybeInt> &ints) { return IntExpr::first_of(true, ints); }
MaybeInt most(const std::vector<MaybeInt> &ints) { return IntExpr::first_of(false, ints); }

// ── with other ints for names ───────────────────────────────────────────────────────────────────────────────────────

MaybeInt IntExpr::with(const std::map<std::string, IntExpr, std::less<>> &meanings) const {
  const auto of_atom_with = [&](const IntFactor &f) -> MaybeInt {
    if (const auto it = meanings.find(f->text); it != meanings.end()) return it->second;
    const bool changes = std::ranges::any_of(f->names, [&](const std::string &n) { return meanings.contains(n); });
    if (!changes) return product({f});
    std::vector<MaybeInt> of;
    for (const IntExpr &one : f->of) of.push_back(one.with(meanings));
    switch (f->kind) {
    case IntAtom::Kind::quotient: return floor_div(of[0], f->by);
    case IntAtom::Kind::remainder: return remainder(of[0], f->by);
    case IntAtom::Kind::least:
    case IntAtom::Kind::most: return first_of(f->kind == IntAtom::Kind::least, of);
    default: return std::nullopt; // what it would be is not known
    }
  };
  MaybeInt all = IntExpr();
  for (const auto &[product, factor] : terms_) {
    MaybeInt term = IntExpr(factor);
    for (const IntFactor &f : product) term = term * of_atom_with(f);
    all = all + term;
  }
  return all;
}

} // namespace htp::sdk
