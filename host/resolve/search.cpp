#include "host/resolve/search.h"

#include <algorithm>
#include <numeric>

namespace htp {

Search::Search(const Model &model, bool founded) : model_(model), founded_(founded) { encode(); }

void Search::encode() {
  for (size_t i = 0; i < model_.plugins.size(); ++i) plugins_.push_back(sat_.fresh());
  for (size_t i = 0; i < model_.instances.size(); ++i) instances_.push_back(sat_.fresh());
  for (size_t i = 0; i < model_.blames.size(); ++i) selectors_.push_back(sat_.fresh());
  for (size_t i = 0; i < model_.instances.size(); ++i) sat_.add({-instances_[i], plugins_[model_.instances[i].plugin]});
  for (uint32_t l = 0; l < model_.lines.size(); ++l) {
    if (model_.lines[l].kind == Reason::Kind::want) guards_.emplace(l, sat_.fresh());
    encode_line(l, model_.lines[l].kind == Reason::Kind::want ? guards_.at(l) : selectors_[model_.lines[l].cause]);
  }
  for (const Clash &clash : model_.clashes) {
    auto literal = [&](Node node) { return node.plugin ? plugins_[node.index] : instances_[node.index]; };
    std::vector<int> const base{-selectors_[clash.cause], -literal(clash.a), -literal(clash.b)};
    if (clash.range == kNone) {
      sat_.add(base);
      continue;
    }
    for (uint32_t owner : model_.ranges[clash.range].plugins) {
      std::vector<int> clause = base;
      clause.push_back(-plugins_[owner]);
      sat_.add(clause);
    }
  }

  // What is left out first: not preferred, later folders, older versions, later names; plugins before units.
  auto unpreferred = [&](uint32_t p) {
    auto found = model_.request.prefer.find(model_.plugins[p].manifest().id.value);
    return !(found != model_.request.prefer.end() && found->second == model_.plugins[p].manifest().version);
  };
  std::vector<uint32_t> order(model_.plugins.size());
  std::iota(order.begin(), order.end(), 0U);
  auto plugin_key = [&](uint32_t p) {
    const PluginNode &node = model_.plugins[p];
    return std::tuple(unpreferred(p), node.candidate.folder, node.rank, std::string_view(node.manifest().id.value), p);
  };
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return plugin_key(a) > plugin_key(b); });
  for (uint32_t p : order) order_.push_back(plugins_[p]);
  order.resize(model_.instances.size());
  std::iota(order.begin(), order.end(), 0U);
  auto instance_key = [&](uint32_t i) {
    const Instance &instance = model_.instances[i];
    return std::tuple(instance.plugin, std::string_view(instance.unit->name.value), instance.unit_index,
                      instance.binding);
  };
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return instance_key(a) > instance_key(b); });
  for (uint32_t i : order) order_.push_back(instances_[i]);
}

int Search::option_literal(const LineOption &option) {
  if (option.range == kNone) return instances_[option.instance];
  auto [found, fresh] = ranged_.try_emplace({option.instance, option.range, false}, 0);
  if (!fresh) return found->second;
  int const both = found->second = sat_.fresh();
  sat_.add({-both, instances_[option.instance]});
  std::vector<int> owners{-both};
  for (uint32_t p : model_.ranges[option.range].plugins) owners.push_back(plugins_[p]);
  sat_.add(owners);
  for (uint32_t p : model_.ranges[option.range].plugins) sat_.add({both, -instances_[option.instance], -plugins_[p]});
  return both;
}

void Search::encode_line(uint32_t l, int guard) {
  const Line &line = model_.lines[l];
  std::vector<int> clause{-guard};
  if (line.instance != kNone) clause.push_back(-instances_[line.instance]);
  for (const LineOption &option : line.options) clause.push_back(option_literal(option));
  for (uint32_t p : line.plugins) clause.push_back(plugins_[p]);
  sat_.add(clause);
}

std::vector<int> Search::selectors(const std::vector<uint32_t> &blames) const {
  std::vector<int> literals;
  for (uint32_t b : blames) literals.push_back(selectors_[b]);
  return literals;
}

Chosen Search::read(const Sat::Model &model) const {
  Chosen chosen;
  for (int v : plugins_) chosen.plugins.push_back(model[static_cast<size_t>(v)]);
  for (int v : instances_) chosen.instances.push_back(model[static_cast<size_t>(v)]);
  return chosen;
}

std::optional<Chosen> Search::least(const std::vector<int> &assumptions, const std::vector<int> &order) {
  std::set<int> const enabled(assumptions.begin(), assumptions.end());
  for (;;) {
    std::optional<Sat::Model> const found = sat_.least(assumptions, order);
    if (!found) return std::nullopt;
    Chosen chosen = read(*found);
    if (!founded_ || !add_loop(chosen, enabled)) return chosen;
  }
}

// States must be met from somewhere, not round in a circle. When units of `chosen` wait for each other, adds the clause
// that one of their lines is met from outside, and says so.
bool Search::add_loop(const Chosen &chosen, const std::set<int> &enabled) {
  auto guard = [&](uint32_t l) {
    return model_.lines[l].kind == Reason::Kind::want ? guards_.at(l) : selectors_[model_.lines[l].cause];
  };
  std::vector<bool> fired(model_.instances.size());
  auto met = [&](const LineOption &option) {
    if (!chosen.instances[option.instance] || (option.state && !fired[option.instance])) return false;
    if (option.range == kNone) return true;
    const std::vector<uint32_t> &owners = model_.ranges[option.range].plugins;
    return std::any_of(owners.begin(), owners.end(), [&](uint32_t p) { return chosen.plugins[p]; });
  };
  auto blocking = [&](uint32_t i) -> uint32_t { // a line that is not met yet
    for (uint32_t l : model_.instances[i].lines)
      if (enabled.contains(guard(l)) &&
          std::none_of(model_.lines[l].options.begin(), model_.lines[l].options.end(), met))
        return l;
    return kNone;
  };
  std::vector<uint32_t> waiting;
  for (uint32_t i = 0; i < model_.instances.size(); ++i)
    if (chosen.instances[i]) waiting.push_back(i);
  for (bool progress = true; progress;) {
    progress = false;
    std::erase_if(waiting, [&](uint32_t i) {
      if (blocking(i) != kNone) return false;
      return fired[i] = true, progress = true;
    });
  }
  if (waiting.empty()) return false;
  std::set<uint32_t> const unfounded(waiting.begin(), waiting.end());
  std::set<int> outside;
  for (uint32_t i : waiting) {
    uint32_t const l = blocking(i);
    outside.insert(-guard(l));
    for (const LineOption &option : model_.lines[l].options)
      if (!option.state || !unfounded.contains(option.instance)) outside.insert(option_literal(option));
  }
  for (uint32_t i : waiting) {
    std::vector<int> clause(outside.begin(), outside.end());
    clause.push_back(-instances_[i]);
    sat_.add(clause);
  }
  return true;
}

std::optional<Chosen> Search::preferred() {
  std::vector<int> assumptions = selectors_;
  std::optional<Chosen> best = least(assumptions, order_);
  if (!best) return std::nullopt;
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
      if (!model_.lines[l].options.empty()) {
        assumptions.push_back(guards_.at(l));
        std::optional<Chosen> next = least(assumptions, order_);
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

std::optional<std::vector<uint32_t>> Search::core(const std::vector<uint32_t> &blames) {
  std::vector<int> const assumptions = selectors(blames);
  std::set<int> const enabled(assumptions.begin(), assumptions.end());
  for (;;) {
    std::vector<int> failed;
    std::optional<Sat::Model> const found = sat_.any(assumptions, failed);
    if (found && founded_ && add_loop(read(*found), enabled)) continue;
    if (found) return std::nullopt;
    std::set<int> const needed(failed.begin(), failed.end());
    std::vector<uint32_t> left;
    for (uint32_t b : blames)
      if (needed.contains(selectors_[b])) left.push_back(b);
    return left;
  }
}

bool Search::possible(uint32_t instance) {
  std::vector<int> assumptions = selectors_;
  assumptions.push_back(instances_[instance]);
  return least(assumptions, {}).has_value();
}

std::vector<uint32_t> Search::minimal(std::vector<uint32_t> blames, bool from_last) {
  std::vector<uint32_t> tries = blames;
  if (from_last) std::reverse(tries.begin(), tries.end());
  for (uint32_t b : tries) {
    std::vector<uint32_t> without = blames;
    if (std::erase(without, b) == 0) continue;
    if (auto smaller = core(without)) blames = std::move(*smaller);
  }
  return blames;
}

std::vector<std::vector<uint32_t>> Search::conflicts() {
  constexpr size_t kMost = 8;
  std::vector<uint32_t> enabled(model_.blames.size());
  std::iota(enabled.begin(), enabled.end(), 0U);
  std::vector<std::vector<uint32_t>> all;
  while (all.size() < kMost) {
    std::optional<std::vector<uint32_t>> const unsolvable = core(enabled);
    if (!unsolvable) break;
    const std::vector<uint32_t> &blames = *unsolvable;
    std::vector<uint32_t> found = minimal(blames, true), other = minimal(blames, false);
    if (other.size() < found.size()) found = std::move(other);
    for (uint32_t b : found)
      if (model_.blames[b].kind <= Cause::Kind::need) std::erase(enabled, b);
    all.push_back(std::move(found));
  }
  return all;
}

} // namespace htp
