#include "facts.h"

#include <algorithm>

#include <isl/constraint.h>
#include <isl/ctx.h>
#include <isl/options.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/val.h>

namespace htp::validator {

namespace {

constexpr unsigned long most_operations = 400'000;
constexpr int most_branches = 1000;
constexpr int64_t most_remainders = 16;

int64_t floored(int64_t a, int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }

} // namespace

// One question of isl: a set that grows by a constraint at a time.
struct Facts::Isl {
  isl_ctx *ctx = nullptr;
  Isl() : ctx(isl_ctx_alloc()) { isl_options_set_on_error(ctx, ISL_ON_ERROR_CONTINUE); }
  ~Isl() { isl_ctx_free(ctx); }
  Isl(const Isl &) = delete;
  Isl &operator=(const Isl &) = delete;
};

Facts::Facts(Terms &terms) : t(terms) {}
Facts::~Facts() = default;

void Facts::learn(std::vector<Term> alternatives) {
  for (const Term x : alternatives)
    if (const auto k = t.constant(x); k && *k >= 0) return;
  if (std::find(facts_.begin(), facts_.end(), alternatives) == facts_.end()) facts_.push_back(std::move(alternatives));
}

// A minimum is not negative where all are, a maximum where one is.
void Facts::assume(Term nonnegative) {
  if (t.is(nonnegative, Op::minimum))
    for (const Term arm : std::vector<Term>(t.at(nonnegative).args)) assume(arm);
  else if (t.is(nonnegative, Op::maximum))
    learn(t.at(nonnegative).args);
  else
    learn({nonnegative});
}

void Facts::assume_not(const std::vector<Term> &all) {
  std::vector<Term> one;
  for (const Term x : all) {
    const Term n = t.sub(t.integer(-1), x);
    if (t.is(n, Op::maximum))
      one.insert(one.end(), t.at(n).args.begin(), t.at(n).args.end());
    else
      one.push_back(n);
  }
  if (one.size() == 1) return assume(one[0]);
  learn(std::move(one));
}

void Facts::append_to(std::vector<Term> &key) const {
  for (const auto &f : facts_) {
    key.insert(key.end(), f.begin(), f.end());
    key.push_back(0);
  }
}

Facts::Linear Facts::linear(Term x, int64_t by) const {
  const TermNode &n = t.at(x);
  if (n.op != Op::sum) return {0, {{x, by}}};
  Linear sum{n.numbers[0] * by, {}};
  for (size_t k = 0; k < n.args.size(); ++k) sum.atoms[n.args[k]] = n.numbers[k + 1] * by;
  return sum;
}

Facts::Linear Facts::difference(Term a, Term b) const {
  Linear sum = linear(a);
  const Linear other = linear(b, -1);
  sum.constant += other.constant;
  for (const auto &[atom, k] : other.atoms)
    if ((sum.atoms[atom] += k) == 0) sum.atoms.erase(atom);
  return sum;
}

void Facts::define(Term atom, std::vector<Clause> &into) {
  const TermNode n = t.at(atom);
  if (n.op == Op::symbol && n.tag.starts_with("dim ") && !n.tag.starts_with("dim argument") && n.tag[4] != '?' &&
      n.tag[4] != '#')
    into.push_back({linear(atom)});
  if (n.op == Op::minimum || n.op == Op::maximum) {
    Clause one;
    for (const Term arm : n.args) {
      const Linear up = difference(atom, arm), down = difference(arm, atom);
      into.push_back({n.op == Op::minimum ? down : up});
      one.push_back(n.op == Op::minimum ? up : down);
    }
    into.push_back(std::move(one));
  }
  if (n.op == Op::floordiv) { // q of a by b: 0 <= a - b * q < b where b > 0
    const auto by = t.constant(n.args[1]);
    if (by && *by <= 0) return;
    const auto positive = [&](Term a) { return t.constant(a).value_or(0) > 0; };
    if (!by && !(t.is(n.args[1], Op::maximum) &&
                 std::any_of(t.at(n.args[1]).args.begin(), t.at(n.args[1]).args.end(), positive)))
      return;
    const Term whole = t.mul(n.args[1], atom);
    Linear rest = difference(n.args[0], whole), below = difference(whole, n.args[0]);
    for (const auto &[a, k] : linear(n.args[1]).atoms)
      if ((below.atoms[a] += k) == 0) below.atoms.erase(a);
    below.constant += linear(n.args[1]).constant - 1;
    into.push_back({std::move(rest)});
    into.push_back({std::move(below)});
  }
}

bool Facts::proves(Term x) {
  if (const auto k = t.constant(x)) return *k >= 0;
  if (t.is(x, Op::minimum)) {
    const std::vector<Term> arms = t.at(x).args;
    return std::all_of(arms.begin(), arms.end(), [&](Term a) { return proves(a); });
  }
  for (const auto &f : facts_)
    if (f.size() == 1)
      if (const auto k = t.constant(t.sub(x, f[0])); k && *k >= 0) return true;
  return impossible({t.sub(t.integer(-1), x)});
}

bool Facts::impossible(const std::vector<Term> &others) {
  std::vector<Clause> clauses;
  std::set<Term> atoms, defined;
  const auto add = [&](const std::vector<Term> &alternatives) {
    Clause one;
    for (const Term x : alternatives) one.push_back(linear(x));
    clauses.push_back(std::move(one));
  };
  const auto see = [&](size_t from) {
    for (size_t k = from; k < clauses.size(); ++k)
      for (const Linear &x : clauses[k])
        for (const auto &[a, _] : x.atoms) atoms.insert(a);
  };
  for (const Term x : others) {
    if (t.is(x, Op::minimum))
      for (const Term arm : std::vector<Term>(t.at(x).args)) add({arm});
    else
      add(t.is(x, Op::maximum) ? t.at(x).args : std::vector<Term>{x});
  }
  if (others.empty())
    for (const auto &f : facts_) add(f);
  see(0);
  // What speaks of the same atoms, and of those that these speak of.
  std::vector<bool> in(facts_.size(), others.empty());
  for (bool more = true; more;) {
    more = false;
    for (const Term a : std::set<Term>(atoms)) {
      if (!defined.insert(a).second) continue;
      more = true;
      const size_t first = clauses.size();
      define(a, clauses);
      see(first);
    }
    for (size_t k = 0; k < facts_.size(); ++k) {
      if (in[k]) continue;
      std::set<Term> of;
      for (const Term x : facts_[k])
        for (const auto &[a, _] : linear(x).atoms) of.insert(a);
      if (!of.empty() && std::none_of(of.begin(), of.end(), [&](Term a) { return atoms.contains(a); })) continue;
      in[k] = more = true;
      add(facts_[k]);
      atoms.insert(of.begin(), of.end());
    }
  }
  if (clauses.size() > 400 || atoms.size() > 120) return false;
  std::stable_sort(clauses.begin(), clauses.end(),
                   [](const Clause &a, const Clause &b) { return a.size() != b.size() ? a.size() < b.size() : a < b; });
  clauses.erase(std::unique(clauses.begin(), clauses.end()), clauses.end());
  const auto [it, added] = known_.try_emplace(clauses, false);
  if (added) it->second = empty_by_remainder(clauses, 0);
  return it->second;
}

bool Facts::empty_by_remainder(std::vector<Clause> clauses, int depth) {
  // What is known of constants.
  for (size_t k = 0; k < clauses.size();) {
    bool holds = false;
    std::erase_if(clauses[k], [&](const Linear &x) {
      if (!x.atoms.empty()) return false;
      holds = holds || x.constant >= 0;
      return true;
    });
    if (!holds && clauses[k].empty()) return true;
    if (holds)
      clauses.erase(clauses.begin() + static_cast<std::ptrdiff_t>(k));
    else
      ++k;
  }
  std::map<std::pair<int64_t, std::map<Term, int64_t>>, std::vector<std::pair<Term, int64_t>>> groups;
  std::set<Term> atoms;
  for (const Clause &c : clauses)
    for (const Linear &x : c)
      for (const auto &[a, _] : x.atoms) atoms.insert(a);
  for (const Term a : atoms) {
    if (!t.is(a, Op::floordiv)) continue;
    const auto by = t.constant(t.at(a).args[1]);
    if (!by || *by < 2 || *by > most_remainders) continue;
    const Linear number = linear(t.at(a).args[0]);
    groups[{*by, number.atoms}].emplace_back(a, number.constant);
  }
  for (const auto &[of, quotients] : groups) {
    const auto &[by, number] = of;
    const auto solved =
        std::find_if(number.begin(), number.end(), [](const auto &x) { return x.second == 1 || x.second == -1; });
    if (quotients.size() < 2 || depth > 1 || solved == number.end()) continue;
    const Term first = quotients[0].first;
    for (int64_t r = 0; r < by; ++r) {
      // number = by · first + r - constant of the first; so one of its atoms is known.
      const int64_t begun = quotients[0].second;
      Linear is{r - begun, {{first, by}}};
      for (const auto &[a, k] : number)
        if (a != solved->first) is.atoms[a] -= k;
      if (solved->second < 0) {
        is.constant = -is.constant;
        for (auto &[_, k] : is.atoms) k = -k;
      }
      std::vector<Clause> now = clauses;
      for (Clause &c : now)
        for (Linear &x : c) {
          Linear next{x.constant, {}};
          const auto add = [&](Term a, int64_t k) {
            if ((next.atoms[a] += k) == 0) next.atoms.erase(a);
          };
          for (const auto &[a, k] : x.atoms) {
            const auto q =
                std::find_if(quotients.begin(), quotients.end(), [&](const auto &one) { return one.first == a; });
            if (a == solved->first) {
              next.constant += k * is.constant;
              for (const auto &[b, by_b] : is.atoms) add(b, k * by_b);
            } else if (q != quotients.end()) {
              add(first, k);
              next.constant += k * floored(r - begun + q->second, by);
            } else {
              add(a, k);
            }
          }
          x = std::move(next);
        }
      if (!empty_by_remainder(std::move(now), depth + 1)) return false;
    }
    return true;
  }
  std::stable_sort(clauses.begin(), clauses.end(),
                   [](const Clause &a, const Clause &b) { return a.size() != b.size() ? a.size() < b.size() : a < b; });
  return empty(clauses);
}

bool Facts::empty(const std::vector<Clause> &clauses) {
  ++asked_;
  if (!isl_) isl_ = std::make_unique<Isl>();
  isl_ctx *ctx = isl_->ctx;
  isl_ctx_reset_operations(ctx);
  isl_ctx_set_max_operations(ctx, most_operations);
  std::map<Term, int> column;
  for (const Clause &c : clauses)
    for (const Linear &x : c)
      for (const auto &[a, _] : x.atoms) column.emplace(a, static_cast<int>(column.size()));
  const auto constrained = [&](isl_basic_set *set, const Linear &x) {
    isl_constraint *c = isl_constraint_alloc_inequality(isl_basic_set_get_local_space(set));
    c = isl_constraint_set_constant_val(c, isl_val_int_from_si(ctx, x.constant));
    for (const auto &[atom, k] : x.atoms)
      c = isl_constraint_set_coefficient_val(c, isl_dim_set, column.at(atom), isl_val_int_from_si(ctx, k));
    return isl_basic_set_add_constraint(set, c);
  };
  isl_basic_set *all = isl_basic_set_universe(isl_space_set_alloc(ctx, 0, static_cast<unsigned>(column.size())));
  size_t first = 0;
  for (; first < clauses.size() && clauses[first].size() <= 1; ++first) {
    if (clauses[first].empty()) {
      isl_basic_set_free(all);
      return true; // none of no alternatives
    }
    all = constrained(all, clauses[first][0]);
  }
  int branches = 0;
  // Whether each choice of alternatives leaves nothing.
  const auto none = [&](const auto &self, isl_basic_set *set, size_t k) -> bool {
    if (++branches > most_branches || left_ == 0 || --left_ == 0) {
      isl_basic_set_free(set);
      return false;
    }
    const isl_bool is = isl_basic_set_is_empty(set);
    if (is != isl_bool_false || k == clauses.size()) {
      isl_basic_set_free(set);
      return is == isl_bool_true;
    }
    for (const Linear &x : clauses[k])
      if (!self(self, constrained(isl_basic_set_copy(set), x), k + 1)) {
        isl_basic_set_free(set);
        return false;
      }
    isl_basic_set_free(set);
    return true;
  };
  const bool is = none(none, all, first);
  isl_ctx_reset_error(ctx);
  return is;
}

} // namespace htp::validator
