#include "host/resolve/search.h"

#include <algorithm>
#include <numeric>

namespace htp {
namespace {

bool any_of(const std::vector<uint32_t> &plugins, const Chosen &chosen) {
  return std::any_of(plugins.begin(), plugins.end(), [&](uint32_t p) { return chosen.plugins[p]; });
}

} // namespace

bool counts(const Model &model, const Chosen &chosen, uint32_t l) {
  const Line &line = model.lines[l];
  if (line.instance != kNone && !chosen.instances[line.instance]) return false;
  return line.kind != Reason::Kind::want || chosen.granted.contains(l);
}

Search::Search(const Model &model, const std::vector<uint32_t> *only, bool founded)
    : model_(model), only_(only), founded_(founded), sat_(model.conflicts), plugins_(model.plugins.size()),
      instances_(model.instances.size()), selectors_(model.claims.size()) {
  encode();
}

// Variables are made as they are met: a part of the model needs few of them.
int Search::plugin(uint32_t index) { return plugins_[index] ? plugins_[index] : plugins_[index] = sat_.fresh(); }

int Search::instance(uint32_t index) {
  if (instances_[index]) return instances_[index];
  int const literal = instances_[index] = sat_.fresh();
  sat_.add({-literal, plugin(model_.instances[index].plugin)});
  return literal;
}

void Search::encode() {
  std::vector<bool> in(model_.blames.size(), only_ == nullptr);
  if (only_)
    for (uint32_t blame : *only_) in[blame] = true;
  // Selectors come last: a clause is watched by what comes first in it, and they are all assumed.
  for (const Line &line : model_.lines)
    if (line.claim != kNone && in[model_.claims[line.claim].blame]) {
      met(line.choice, false);
      if (line.instance != kNone) instance(line.instance);
    }
  for (uint32_t claim = 0; claim < model_.claims.size(); ++claim)
    if (in[model_.claims[claim].blame]) selectors_[claim] = sat_.fresh();
  for (uint32_t l = 0; l < model_.lines.size(); ++l) {
    const Line &line = model_.lines[l];
    if (line.claim != kNone && has(line.claim)) encode_line(line, selectors_[line.claim], false, {});
    if (line.claim == kNone && !only_) encode_line(line, guards_[l] = sat_.fresh(), false, {});
  }
  for (const Clash &clash : model_.clashes) {
    if (!has(clash.claim)) continue;
    auto literal = [&](Node node) { return node.plugin ? plugin(node.index) : instance(node.index); };
    std::vector<int> const base{-selectors_[clash.claim], -literal(clash.a), -literal(clash.b)};
    if (clash.range == kNone) {
      sat_.add(base);
      continue;
    }
    for (uint32_t owner : model_.ranges[clash.range].plugins) {
      std::vector<int> clause = base;
      clause.push_back(-plugin(owner));
      sat_.add(clause);
    }
  }
}

// What is left out first: not preferred, later folders, older versions, later names; plugins before units.
void Search::encode_preference() {
  auto unpreferred = [&](uint32_t p) {
    auto found = model_.request.prefer.find(model_.id_of(p));
    return !(found != model_.request.prefer.end() && found->second == model_.plugins[p].manifest().version);
  };
  std::vector<std::tuple<bool, uint32_t, uint32_t, uint32_t>> plugins; // canonical order is by id
  for (uint32_t p = 0; p < plugins_.size(); ++p)
    if (plugins_[p])
      plugins.emplace_back(unpreferred(p), model_.plugins[p].candidate.folder, model_.plugins[p].rank, p);
  std::sort(plugins.begin(), plugins.end(), std::greater<>());
  for (const auto &key : plugins) order_.push_back(plugins_[std::get<3>(key)]);
  std::vector<std::pair<uint32_t, uint32_t>> units; // with their plugins
  for (uint32_t i = 0; i < instances_.size(); ++i)
    if (instances_[i]) units.emplace_back(model_.instances[i].plugin, i);
  auto within_plugin = [&](uint32_t i) {
    const Instance &instance = model_.instances[i];
    return std::tie(instance.unit->name.value, instance.unit_index, instance.binding);
  };
  std::sort(units.begin(), units.end(), [&](const auto &a, const auto &b) {
    return a.first != b.first ? a.first > b.first : within_plugin(a.second) > within_plugin(b.second);
  });
  for (const auto &[plugin, i] : units) order_.push_back(instances_[i]);
}

int Search::option_literal(const LineOption &option) {
  if (option.range == kNone) return instance(option.instance);
  auto [found, fresh] = ranged_.try_emplace({option.instance, option.range, false}, 0);
  if (!fresh) return found->second;
  int const both = found->second = sat_.fresh();
  sat_.add({-both, instance(option.instance)});
  std::vector<int> owners{-both};
  for (uint32_t p : model_.ranges[option.range].plugins) owners.push_back(plugin(p));
  sat_.add(owners);
  return both;
}

int Search::met(uint32_t id, bool loose) {
  met_[loose].resize(model_.choices.size());
  if (met_[loose][id]) return met_[loose][id];
  const Choice &choice = model_.choices[id];
  int const literal = met_[loose][id] = sat_.fresh();
  std::vector<int> clause{-literal};
  for (const LineOption &option : loose ? choice.loose : choice.options) {
    clause.push_back(option_literal(option));
    stateful_ = stateful_ || option.state;
  }
  for (uint32_t p : loose ? choice.loose_plugins : choice.plugins) clause.push_back(plugin(p));
  sat_.add(clause);
  return literal;
}

void Search::encode_line(const Line &line, int guard, bool loose, const std::vector<int> &given) {
  std::vector<int> clause{-guard, met(line.choice, loose)};
  if (line.instance != kNone) clause.push_back(-instance(line.instance));
  clause.insert(clause.end(), given.begin(), given.end());
  sat_.add(clause);
}

int Search::weak_guard(uint32_t claim, const Weaker &weaker) {
  auto [found, fresh] = weak_[claim].try_emplace(weaker);
  Weak &weak = found->second;
  if (!fresh) return weak.guard;
  for (const Weaker::Given &given : weaker.given) {
    weak.given.push_back(provider(given.term));
    if (!given.ranged) continue;
    int const both = sat_.fresh();
    sat_.add({-both, weak.given.back()});
    std::vector<int> clause{-both};
    for (uint32_t p : given.owners) clause.push_back(plugin(p));
    sat_.add(clause);
    weak.given.back() = both;
  }
  weak.guard = sat_.fresh();
  for (const Line &line : model_.lines)
    if (line.claim == claim) encode_line(line, weak.guard, weaker.without_range, weak.given);
  return weak.guard;
}

// A unit that provides the term and asks for nothing. Others may conflict with it.
int Search::provider(TermId provided) {
  auto [found, fresh] = providers_.try_emplace(provided, 0);
  if (!fresh) return found->second;
  int const literal = found->second = sat_.fresh();
  for (uint32_t i = 0; i < model_.instances.size(); ++i) {
    const Instance &who = model_.instances[i];
    if (!instances_[i]) continue;
    for (const Term &raw : who.unit->conflicts) {
      TermId const said = model_.terms.intern(raw);
      TermId const asked = model_.terms.intern(instantiate(raw, who.binding));
      const Term &term = model_.terms.term(asked);
      if (!match(term, model_.terms.term(provided))) continue;
      std::vector<int> clause{-literal, -instances_[i]};
      if (auto const blame = model_.conflict_blame(who, said)) {
        int const selector = selectors_[model_.blames[*blame].claim];
        if (!selector) continue;
        clause.push_back(-selector);
      }
      const Vocabulary::Declared *declared = model_.terms.declared(asked);
      if (term.range.comparators.empty() || !declared) {
        sat_.add(clause);
      } else if (declared->owner == model_.universe.sdk) {
        if (term.range.contains(declared->owner->version)) sat_.add(clause);
      } else {
        auto const [first, last] = model_.versions(declared->owner->id.value);
        for (uint32_t p = first; p < last; ++p) {
          if (!term.range.contains(model_.plugins[p].manifest().version)) continue;
          clause.push_back(-plugin(p));
          sat_.add(clause);
          clause.pop_back();
        }
      }
    }
  }
  return literal;
}

std::vector<int> Search::all_selectors() const {
  std::vector<int> literals;
  for (int selector : selectors_)
    if (selector) literals.push_back(selector);
  return literals;
}

Search::Found Search::least(const std::vector<int> &assumptions, const std::vector<int> &order) {
  return ask(assumptions, order, true);
}

Search::Found Search::any(const std::vector<int> &assumptions) { return ask(assumptions, {}, false); }

Search::Found Search::ask(const std::vector<int> &assumptions, const std::vector<int> &order, bool read_it) {
  bool const loops = founded_ && stateful_;
  for (;;) {
    Sat::Answer answer = sat_.solve(assumptions, order);
    if (answer.kind == Sat::Answer::Kind::undecided) throw Undecided();
    if (answer.kind == Sat::Answer::Kind::none) return {std::nullopt, std::move(answer.core)};
    if (!read_it && !loops) return {Chosen(), {}};
    auto read = [&](const std::vector<int> &literals) {
      std::vector<bool> values(literals.size());
      for (size_t i = 0; i < literals.size(); ++i)
        values[i] = literals[i] && answer.model[static_cast<size_t>(literals[i])];
      return values;
    };
    Chosen chosen{read(plugins_), read(instances_), {}, {}};
    chosen.values = std::move(answer.model);
    if (!loops || !add_loop(chosen, assumptions)) return {std::move(chosen), {}};
  }
}

// States must be met from somewhere, not round in a circle. When units of `chosen` wait for each other, adds the clause
// that one of their lines is met from outside, and says so.
bool Search::add_loop(const Chosen &chosen, const std::vector<int> &assumptions) {
  std::set<int> const enabled(assumptions.begin(), assumptions.end());
  struct Guarded {
    int guard;
    const std::vector<LineOption> *options;
    const std::vector<int> *given; // any of these meets it too
  };
  const std::vector<int> none;
  auto each_guarded = [&](uint32_t i, auto &&use) { // the lines of an instance that are enabled
    const Instance &who = model_.instances[i];
    for (uint32_t l = who.first_line; l < who.first_line + who.line_count; ++l) {
      const Line &line = model_.lines[l];
      const Choice &choice = model_.choice(line);
      int const guard = line.claim != kNone ? selectors_[line.claim] : only_ ? 0 : guards_.at(l);
      if (guard && enabled.contains(guard) && use(Guarded{guard, &choice.options, &none})) return;
      auto weak = weak_.find(line.claim);
      if (weak == weak_.end()) continue;
      for (const auto &[weaker, how] : weak->second)
        if (enabled.contains(how.guard) &&
            use(Guarded{how.guard, weaker.without_range ? &choice.loose : &choice.options, &how.given}))
          return;
    }
  };
  std::vector<bool> fired(model_.instances.size());
  auto blocking = [&](uint32_t i) { // a line that is not met yet
    std::optional<Guarded> found;
    each_guarded(i, [&](const Guarded &line) {
      for (int literal : *line.given)
        if (chosen.values[static_cast<size_t>(literal)]) return false;
      for (const LineOption &option : *line.options)
        if (chosen.instances[option.instance] && (!option.state || fired[option.instance]) &&
            (option.range == kNone || any_of(model_.ranges[option.range].plugins, chosen)))
          return false;
      found = line;
      return true;
    });
    return found;
  };
  std::vector<uint32_t> waiting;
  for (uint32_t i = 0; i < model_.instances.size(); ++i)
    if (chosen.instances[i]) waiting.push_back(i);
  for (bool progress = true; progress;) {
    progress = false;
    std::erase_if(waiting, [&](uint32_t i) {
      if (blocking(i)) return false;
      return fired[i] = true, progress = true;
    });
  }
  if (waiting.empty()) return false;
  std::set<uint32_t> const unfounded(waiting.begin(), waiting.end());
  std::set<int> outside;
  for (uint32_t i : waiting) {
    Guarded const line = *blocking(i);
    outside.insert(-line.guard);
    for (const LineOption &option : *line.options)
      if (!option.state || !unfounded.contains(option.instance)) outside.insert(option_literal(option));
    outside.insert(line.given->begin(), line.given->end());
  }
  for (uint32_t i : waiting) {
    std::vector<int> clause(outside.begin(), outside.end());
    clause.push_back(-instances_[i]);
    sat_.add(clause);
  }
  return true;
}

std::optional<Chosen> Search::preferred() {
  if (order_.empty()) encode_preference();
  std::vector<int> assumptions = all_selectors();
  std::optional<Chosen> best = least(assumptions, order_).chosen;
  if (!best) return std::nullopt;
  // Wants do not move what is locked: of a plugin whose version the request prefers and that is not there in another
  // version, none comes in for their sake.
  for (const auto &[id, version] : model_.request.prefer) {
    auto const [first, last] = model_.versions(id);
    auto other = [&, &preferred = version](uint32_t p) {
      return plugins_[p] && model_.plugins[p].manifest().version != preferred;
    };
    bool kept = false, moved = false;
    for (uint32_t p = first; p < last; ++p) {
      kept = kept || model_.plugins[p].manifest().version == version;
      moved = moved || (other(p) && best->plugins[p]);
    }
    for (uint32_t p = first; p < last; ++p)
      if (kept && !moved && other(p)) assumptions.push_back(-plugins_[p]);
  }
  // In the order of the manifests: plugins by id, units and wants as they stand.
  std::vector<uint32_t> wants;
  for (const auto &[l, guard] : guards_) wants.push_back(l);
  auto key = [&](uint32_t l) {
    const Instance &instance = model_.instances[model_.lines[l].instance];
    return std::tuple(instance.plugin, instance.unit_index, instance.binding, model_.lines[l].index);
  };
  std::sort(wants.begin(), wants.end(), [&](uint32_t a, uint32_t b) { return key(a) < key(b); });
  std::set<uint32_t> tried, granted;
  for (bool again = true; again;) {
    again = false;
    for (uint32_t l : wants) {
      uint32_t const who = model_.lines[l].instance;
      if (!best->instances[who] || !tried.insert(l).second) continue;
      again = true;
      if (!model_.choice(model_.lines[l]).options.empty()) {
        assumptions.push_back(guards_.at(l));
        std::optional<Chosen> next = least(assumptions, order_).chosen;
        if (next && next->instances[who]) {
          best = std::move(next);
          granted.insert(l);
        } else {
          assumptions.pop_back();
        }
      }
      break;
    }
  }
  best->granted = std::move(granted);
  return best;
}

std::optional<std::vector<uint32_t>> Search::core(const std::vector<uint32_t> &blames, const Weakened &weakened) {
  std::vector<int> assumptions;
  std::vector<std::pair<int, uint32_t>> blame_of;
  for (uint32_t blame : blames)
    model_.each_claim(blame, [&](uint32_t claim) {
      auto weaker = weakened.find(claim);
      if (!has(claim) || (weaker != weakened.end() && weaker->second.off)) return;
      assumptions.push_back(weaker == weakened.end() ? selectors_[claim] : weak_guard(claim, weaker->second));
      blame_of.emplace_back(assumptions.back(), blame);
    });
  Found const found = any(assumptions);
  if (found.chosen) return std::nullopt;
  std::set<int> const failed(found.core.begin(), found.core.end());
  std::set<uint32_t> needed;
  for (auto [literal, blame] : blame_of)
    if (failed.contains(literal)) needed.insert(blame);
  std::vector<uint32_t> left;
  for (uint32_t blame : blames)
    if (needed.contains(blame)) left.push_back(blame);
  return left;
}

bool Search::possible(uint32_t instance, uint32_t without) {
  if (!instances_[instance]) return true;
  std::vector<int> assumptions = all_selectors();
  assumptions.push_back(instances_[instance]);
  if (without != kNone) assumptions.push_back(-plugin(without));
  return any(assumptions).chosen.has_value();
}

} // namespace htp
