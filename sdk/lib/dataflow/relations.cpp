#include "relations.h"

#include "lockstep.h"

#include "htp_cpp/affine.h"

#include <isl/ctx.h>
#include <isl/map.h>
#include <isl/options.h>
#include <isl/schedule.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/union_map.h>
#include <isl/union_set.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace htp::sdk::dataflow {

namespace {

constexpr unsigned long steps_of_isl = 2'000'000;
constexpr std::string_view times_name = "__times__"; // in isl's name of a product of sizes
constexpr int64_t most_slots = 8;                    // more are not counted: less capacity is less likely to be enough

// An operation in a process, and the loops around it, outermost first.
struct Statement {
  std::string name;
  size_t process;
  const Step *step;
  std::vector<const Step *> loops;
  Position at;
};

// The variable of the loop at a depth, which statements share as far as they are in the same loops.
std::string variable(size_t depth, char side = 'i') { return std::string(1, side) + std::to_string(depth); }

std::string tuple(const std::string &name, size_t depth, char side = 'i') {
  std::vector<std::string> variables;
  for (size_t d = 0; d < depth; ++d) variables.push_back(variable(d, side));
  return say("{}[{}]", name, joined(variables, ", "));
}

// A loop of one iteration or none runs where this is more than 0; nothing for other numbers of iterations.
MaybeInt condition(const sdk::IntAtom &times) {
  using Kind = sdk::IntAtom::Kind;
  const sdk::IntAtom *bounds = &times;
  const bool may_be_less = times.kind == Kind::most && times.of.size() == 2 && times.of[0] == 0;
  if (may_be_less) {
    const IntExpr::Terms &terms = times.of[1].terms();
    if (terms.size() != 1 || terms.begin()->first.size() != 1 || terms.begin()->second != 1) return std::nullopt;
    bounds = terms.begin()->first[0].get();
  }
  if (bounds->kind != Kind::least) return std::nullopt;
  std::vector<MaybeInt> others;
  for (const IntExpr &one : bounds->of)
    if (!(one == 1)) others.emplace_back(one);
  const MaybeInt all = others.size() < bounds->of.size() ? least(others) : std::nullopt;
  const auto range_of = [](const std::string &) { return IntRange{.least = 0}; };
  return all && (may_be_less || all->range(range_of).least.value_or(-1) >= 0) ? all : std::nullopt;
}

// Whether isl can represent it: of each product all factors but one are conditions, or all are sizes.
bool is_affine(const IntExpr &e, const std::vector<const Step *> &loops) {
  const auto is_size = [&](const sdk::IntFactor &f) {
    return f->kind == sdk::IntAtom::Kind::symbol &&
           std::ranges::none_of(loops, [&](const Step *loop) { return loop->variable == f->text; });
  };
  const auto holds_affine = [&](const sdk::IntFactor &f) {
    return std::ranges::all_of(f->of, [&](const IntExpr &inner) { return is_affine(inner, loops); });
  };
  return std::ranges::all_of(e.terms(), [&](const auto &term) {
    const auto &product = term.first;
    return std::ranges::all_of(product, holds_affine) &&
           (product.size() < 2 || std::ranges::all_of(product, is_size) ||
            std::ranges::count_if(product, [](const sdk::IntFactor &f) { return !condition(*f); }) < 2);
  });
}

// Writes ints as isl reads them, with a loop's variable called by its depth; the other names are sizes.
class Text {
public:
  Text(const std::vector<const Step *> &loops, std::set<std::string> &sizes, char side = 'i') : sizes_(sizes) {
    for (size_t depth = 0; depth < loops.size(); ++depth) names_[loops[depth]->variable] = variable(depth, side);
  }

  std::string text(const IntExpr &one) {
    std::string all = std::to_string(one.offset());
    for (const auto &[product, factor] : one.terms())
      if (!product.empty()) all += say(" + {} * {}", factor, text(product));
    return all;
  }
  // The condition that a variable has this value: what stands where conditions hold is a variable of its own.
  std::string equals(const std::string &name, const IntExpr &value) {
    std::vector<std::string> texts, choices, conditions;
    for (const auto &[product, factor] : value.terms()) {
      std::string when;
      sdk::IntProduct rest;
      for (const sdk::IntFactor &f : product)
        if (const MaybeInt holds = condition(*f))
          when = when.empty() ? text(*holds) : say("min({}, {})", when, text(*holds));
        else
          rest.push_back(f);
      const std::string here = rest.empty() ? std::to_string(factor) : say("{} * {}", factor, text(rest));
      texts.push_back(when.empty() ? here : say("a{}", choices.size()));
      if (when.empty()) continue;
      choices.push_back(texts.back());
      conditions.push_back(
          say("((0 < {} and {} = {}) or (0 >= {} and {} = 0))", when, choices.back(), here, when, choices.back()));
    }
    conditions.push_back(say("{} = {}", name, texts.empty() ? "0" : joined(texts, " + ")));
    return choices.empty() ? conditions.back()
                           : say("exists ({} : {})", joined(choices, ", "), joined(conditions, " and "));
  }

private:
  // Of a product only that it is a size is known.
  std::string text(const sdk::IntProduct &product) {
    using Kind = sdk::IntAtom::Kind;
    if (const sdk::IntAtom &one = *product[0]; product.size() == 1 && !one.of.empty()) {
      std::string all = text(one.of[0]);
      if (one.kind == Kind::quotient) return say("floor(({}) / {})", all, one.by);
      if (one.kind == Kind::remainder) return say("(({}) mod {})", all, one.by);
      for (size_t k = 1; k < one.of.size(); ++k)
        all = say("{}({}, {})", one.kind == Kind::least ? "min" : "max", all, text(one.of[k]));
      return all;
    }
    std::string size;
    for (const sdk::IntFactor &one : product) size += (size.empty() ? "" : std::string(times_name)) + one->text;
    if (const auto loop = names_.find(size); loop != names_.end()) return loop->second;
    sizes_.insert(size);
    return size;
  }
  std::map<std::string, std::string> names_;
  std::set<std::string> &sizes_;
};

using Map = sdk::IslPointer<isl_union_map, isl_union_map_copy, isl_union_map_free>;
using Set = sdk::IslPointer<isl_union_set, isl_union_set_copy, isl_union_set_free>;

// First a, then b.
Map then(const Map &a, const Map &b) { return Map(isl_union_map_apply_range(a.copy(), b.copy())); }
Map both(const Map &a, const Map &b) { return Map(isl_union_map_union(a.copy(), b.copy())); }
Map reversed(const Map &a) { return Map(isl_union_map_reverse(a.copy())); }

struct FreeCtx {
  void operator()(isl_ctx *ctx) const { isl_ctx_free(ctx); }
};

} // namespace

class Prover::Relations {
public:
  Relations(const Network &network, const std::set<std::string> &counters)
      : network_(network), counters_(counters), ctx_(isl_ctx_alloc()) {
    isl_options_set_on_error(ctx_.get(), ISL_ON_ERROR_CONTINUE);
    isl_ctx_set_max_operations(ctx_.get(), steps_of_isl);
    for (size_t p = 0; p < network.processes.size(); ++p) {
      std::vector<const Step *> loops;
      Position at;
      find(network.processes[p].steps, p, loops, at);
    }
    for (const Statement &one : statements_) {
      iterations(one); // finds all sizes
      for (const Step *loop : one.loops)
        for (const IntExpr &times : loop->times.least_of) affine_ = affine_ && is_affine(times, one.loops);
    }
  }

  // Whether every channel gets what it puts; `proof` has the sizes when one does not.
  bool balanced(Proof &proof) {
    for (size_t channel = 0; channel < network_.channels.size(); ++channel)
      for (const size_t reader : readers(channel)) {
        if (same_totals(channel, reader)) continue;
        isl_ctx_reset_operations(ctx_.get());
        if (match(channel, reader) || passes(channel, reader)) continue;
        proof.channel = channel;
        proof.counted = false;
        if (unequal(channel, reader, proof.sizes)) proof.verdict = Verdict::unequal;
        return false;
      }
    return true;
  }

  // Whether both sides of a channel count the same.
  bool same_totals(size_t channel, size_t reader) const {
    const auto [puts, gets] = sides(channel, reader);
    if (puts.empty()) return false;
    const MaybeInt put = rate(network_.processes[puts[0]->process].steps, {channel, StepKind::put});
    return put && put == rate(network_.processes[reader].steps, {channel, StepKind::get});
  }

  // Whether as much is got as is put, in one iteration of loops after the other.
  bool passes(size_t channel, size_t reader) const {
    const auto [puts, gets] = sides(channel, reader);
    if (puts.empty()) return false;
    const auto only_of = [&](size_t process, StepKind kind) {
      return Process{network_.processes[process].name, only(network_.processes[process].steps, channel, kind)};
    };
    const Network pair{{network_.channels[channel]},
                       {only_of(puts[0]->process, StepKind::put), only_of(reader, StepKind::get)}};
    return passes_in_lockstep(pair, counters_, false);
  }

  // Whether every item is put and got in the same iteration of the loops it is a block of.
  bool aligned(size_t channel, size_t reader) {
    const auto found = match(channel, reader);
    if (!found) return false;
    const auto [puts, gets] = sides(channel, reader);
    const auto block = [](const Statement &of, size_t k, char side) {
      for (size_t d = 0; d < of.loops.size(); ++d)
        if (of.loops[d]->variable == of.step->blocks[k]) return variable(d, side);
      return std::string("0");
    };
    Map good = map("");
    for (const Statement *put : puts)
      for (const Statement *get : gets) {
        if (put->step->blocks.size() != get->step->blocks.size()) return false;
        std::vector<std::string> same{"1 = 1"};
        for (size_t k = 0; k < put->step->blocks.size(); ++k)
          same.push_back(say("{} = {}", block(*put, k, 'i'), block(*get, k, 'j')));
        good = both(good, map(say("{} -> {} : {}", tuple(put->name, put->loops.size(), 'i'),
                                  tuple(get->name, get->loops.size(), 'j'), joined(same, " and "))));
      }
    const Map item = then(found->put, reversed(found->got));
    return isl_union_map_is_subset(item.get(), good.get()) == isl_bool_true;
  }

  // Whether there is a time for every operation. The channels are balanced.
  bool ends() {
    if (!affine_) return false;
    Map waits(isl_union_map_read_from_str(ctx_.get(), "{ }"));
    Map later = waits;
    for (const Statement &one : statements_)
      for (const Statement &other : statements_)
        if (one.process == other.process) later = both(later, order(one, other));
    for (size_t channel = 0; channel < network_.channels.size(); ++channel)
      for (const size_t reader : readers(channel)) {
        const auto found = match(channel, reader);
        if (!found) return false;
        const Map item = then(found->put, reversed(found->got)); // a put, and the get of its item
        waits = both(waits, item);
        const int64_t capacity = network_.channels[channel].capacity;
        if (capacity == 0) {
          waits = both(waits, then(reversed(item), later));
        } else {
          const Map slot = then(then(found->got, shift(*found, capacity)), reversed(found->put));
          if (!slot.get()) return false;
          waits = both(waits, slot);
        }
      }
    waits = both(waits, later);
    return waits.get() && has_times(waits);
  }

private:
  // The operations on a channel as the numbers of their items: within an iteration of the loops that its two sides
  // share.
  struct Match {
    size_t depth;
    Map put, got;
  };

  void find(const std::vector<Step> &steps, size_t process, std::vector<const Step *> &loops, Position &at) {
    for (size_t k = 0; k < steps.size(); ++k) {
      at.push_back(k);
      if (is_loop(steps[k])) {
        loops.push_back(&steps[k]);
        find(steps[k].body, process, loops, at);
        loops.pop_back();
      } else {
        statements_.push_back({say("S{}", statements_.size()), process, &steps[k], loops, at});
      }
      at.pop_back();
    }
  }

  std::set<size_t> readers(size_t channel) const {
    std::set<size_t> found;
    for (const Statement &one : statements_)
      if (one.step->kind == StepKind::get && one.step->channel == channel) found.insert(one.process);
    return found;
  }

  std::string iterations(const Statement &of, char side = 'i') {
    std::vector<std::string> conditions;
    Text text(of.loops, sizes_, side);
    for (size_t d = 0; d < of.loops.size(); ++d) {
      conditions.push_back(say("0 <= {}", variable(d, side)));
      for (const IntExpr &one : of.loops[d]->times.least_of)
        conditions.push_back(say("{} < {}", variable(d, side), text.text(one)));
    }
    return conditions.empty() ? "1 = 1" : joined(conditions, " and ");
  }

  // What isl reads: all sizes as parameters, each at least 1.
  std::string with_sizes(const std::string &relation) const {
    return say("[{}] -> { {} }", joined(sizes_, ", "), relation);
  }
  std::string known() const {
    std::vector<std::string> conditions{"1 = 1"};
    for (const std::string &size : sizes_)
      conditions.push_back(say("{} >= {}", size, counters_.contains(size) ? 0 : 1));
    return joined(conditions, " and ");
  }
  Map map(const std::string &relation) {
    return Map(isl_union_map_read_from_str(ctx_.get(), with_sizes(relation).c_str()));
  }

  // The number of a statement's item within an iteration of its first `depth` loops.
  MaybeInt ordinal(const Statement &of, size_t depth) const {
    const MaybeInt found =
        count_before(network_.processes[of.process].steps, of.at, depth, {of.step->channel, of.step->kind});
    return found && is_affine(*found, of.loops) ? found : std::nullopt;
  }

  std::optional<Map> numbered(const std::vector<const Statement *> &of, size_t depth) {
    Map all = map("");
    for (const Statement *one : of) {
      const MaybeInt number = ordinal(*one, depth);
      if (!number) return std::nullopt;
      std::vector<std::string> item;
      for (size_t d = 0; d < depth; ++d) item.push_back(variable(d));
      item.push_back("item");
      all = both(all, map(say("{} -> X[{}] : {} and {} and {}", tuple(one->name, one->loops.size()), joined(item, ", "),
                              Text(one->loops, sizes_).equals("item", *number), iterations(*one), known())));
    }
    return all.get() ? std::optional(all) : std::nullopt;
  }

  std::pair<std::vector<const Statement *>, std::vector<const Statement *>> sides(size_t channel, size_t reader) const {
    std::vector<const Statement *> puts, gets;
    for (const Statement &one : statements_) {
      if (one.step->channel != channel) continue;
      if (one.step->kind == StepKind::put)
        puts.push_back(&one);
      else if (one.process == reader)
        gets.push_back(&one);
    }
    return {puts, gets};
  }

  // How many loops all of the statements share.
  static size_t shared(const std::vector<const Statement *> &statements) {
    size_t depth = statements.empty() ? 0 : statements[0]->loops.size();
    for (const Statement *one : statements) {
      size_t same = 0;
      while (same < depth && same < one->loops.size() && one->loops[same] == statements[0]->loops[same]) ++same;
      depth = same;
    }
    return depth;
  }

  std::optional<Match> match(size_t channel, size_t reader) {
    const auto [puts, gets] = sides(channel, reader);
    if (!affine_) return std::nullopt;
    const size_t most = std::min(shared(puts), shared(gets));
    for (size_t depth = 0; depth <= most; ++depth) {
      const auto put = numbered(puts, depth), got = numbered(gets, depth);
      if (!put || !got) continue;
      const Set there(isl_union_map_range(put->copy())), here(isl_union_map_range(got->copy()));
      if (isl_union_set_is_equal(there.get(), here.get()) == isl_bool_true) return Match{depth, *put, *got};
    }
    return std::nullopt;
  }

  // Sizes at which a channel does not get what it puts: only reported when both can be counted as they are.
  bool unequal(size_t channel, size_t reader, Values &sizes) {
    if (!affine_) return false;
    const auto [puts, gets] = sides(channel, reader);
    const auto put = numbered(puts, 0), got = numbered(gets, 0);
    if (!put || !got) return false;
    if (std::any_of(sizes_.begin(), sizes_.end(),
                    [](const std::string &size) { return size.find(times_name) != std::string::npos; }))
      return false; // a product may have no such factors
    const Set there(isl_union_map_range(put->copy())), here(isl_union_map_range(got->copy()));
    const Set more(isl_union_set_subtract(there.copy(), here.copy())),
        fewer(isl_union_set_subtract(here.copy(), there.copy()));
    for (const Set &side : {more, fewer}) {
      if (isl_union_set_is_empty(side.get()) != isl_bool_false) continue;
      const auto smallest = sdk::IntSet(isl_union_set_params(side.copy())).point({sizes_.begin(), sizes_.end()});
      if (!smallest) continue;
      sizes = Values(smallest->begin(), smallest->end());
      return true;
    }
    return false;
  }

  // An item and the one whose slot it gets: `capacity` later.
  Map shift(const Match &match, int64_t capacity) {
    if (match.depth == 0) return map(say("X[r] -> X[r + {}] : {}", capacity, known()));
    isl_set *items = isl_set_from_union_set(isl_union_map_range(match.put.copy()));
    isl_map *next = isl_map_lexmin(isl_set_lex_lt_set(isl_set_copy(items), items));
    isl_map *all = isl_map_copy(next);
    for (int64_t k = 1; k < std::min(capacity, most_slots); ++k)
      all = isl_map_coalesce(isl_map_apply_range(all, isl_map_copy(next)));
    isl_map_free(next);
    return Map(isl_union_map_from_map(all));
  }

  // All iterations of one statement and those of another of its process that come later.
  Map order(const Statement &one, const Statement &other) {
    size_t common = 0;
    while (common < one.loops.size() && common < other.loops.size() && one.loops[common] == other.loops[common])
      ++common;
    std::vector<std::string> ways;
    std::string same = "1 = 1";
    for (size_t d = 0; d < common; ++d) {
      ways.push_back(say("({} and {} < {})", same, variable(d, 'i'), variable(d, 'j')));
      same += say(" and {} = {}", variable(d, 'i'), variable(d, 'j'));
    }
    if (&one != &other && one.at[common] < other.at[common]) ways.push_back(say("({})", same));
    if (ways.empty()) return map("");
    return map(say("{} -> {} : {} and {} and {} and ({})", tuple(one.name, one.loops.size(), 'i'),
                   tuple(other.name, other.loops.size(), 'j'), iterations(one, 'i'), iterations(other, 'j'), known(),
                   joined(ways, " or ")));
  }

  bool has_times(const Map &waits) {
    isl_union_set *all = isl_union_set_read_from_str(ctx_.get(), with_sizes("").c_str());
    for (const Statement &one : statements_) {
      const std::string set = say("{} : {} and {}", tuple(one.name, one.loops.size()), iterations(one), known());
      all = isl_union_set_union(all, isl_union_set_read_from_str(ctx_.get(), with_sizes(set).c_str()));
    }
    isl_schedule_constraints *asked = isl_schedule_constraints_on_domain(all);
    asked = isl_schedule_constraints_set_validity(asked, waits.copy());
    isl_schedule *schedule = isl_schedule_constraints_compute_schedule(asked);
    if (!schedule) return false;
    const Map times(isl_schedule_get_map(schedule));
    isl_schedule_free(schedule);
    const Map not_before(isl_union_map_lex_ge_union_map(times.copy(), times.copy()));
    const Map wrong(isl_union_map_intersect(not_before.copy(), waits.copy()));
    return isl_union_map_is_empty(wrong.get()) == isl_bool_true;
  }

  const Network &network_;
  const std::set<std::string> &counters_;
  std::unique_ptr<isl_ctx, FreeCtx> ctx_;
  std::vector<Statement> statements_;
  std::set<std::string> sizes_;
  bool affine_ = true; // all trip counts
};

Prover::Prover(const Network &network, const std::set<std::string> &counters)
    : relations_(std::make_unique<Relations>(network, counters)) {}
Prover::~Prover() = default;
bool Prover::balanced(Proof &proof) { return relations_->balanced(proof); }
bool Prover::aligned(size_t channel, size_t reader) { return relations_->aligned(channel, reader); }
bool Prover::ends() { return relations_->ends(); }

} // namespace htp::sdk::dataflow
