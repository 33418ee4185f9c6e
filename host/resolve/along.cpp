#include "host/resolve/along.h"

#include <algorithm>

namespace htp {
namespace {

class Closure {
public:
  Closure(const Model &model, const Chosen &chosen) : model_(model), chosen_(chosen) {
    for (uint32_t i = 0; i < model.instances.size(); ++i)
      if (chosen.instances[i]) core_.insert({model.instances[i].plugin, model.instances[i].unit_index});
    for (uint32_t p = 0; p < model.plugins.size(); ++p) {
      if (!chosen.plugins[p]) continue;
      versions_[model.plugins[p].manifest().id.value] = model.plugins[p].manifest().version;
      for (uint32_t u = 0; u < model.plugins[p].manifest().units.size(); ++u)
        if (!core_.contains({p, u}) && unit({p, u}).kind != UnitKind::backend) candidates_.insert({p, u});
    }
    if (model.universe.sdk) versions_[model.universe.sdk->id.value] = model.universe.sdk->version;
  }

  Along run() {
    Along along;
    drop_clashes(along, core_, candidates_);
    drop_plugin_clashes(along);
    settle(along);
    // Among themselves: the earlier one stays.
    for (;;) {
      std::set<UnitKey> kept;
      std::optional<UnitKey> loser;
      for (UnitKey key : candidates_) {
        std::set<UnitKey> one{key};
        if (drop_clashes(along, kept, one)) {
          loser = key;
          break;
        }
        kept.insert(key);
      }
      if (!loser) break;
      candidates_.erase(*loser);
      settle(along);
    }
    along.units = candidates_;
    for (const auto &[text, term] : facts_) along.installed.push_back(term);
    return along;
  }

private:
  const Unit &unit(UnitKey key) const { return model_.plugins[key.first].manifest().units[key.second]; }

  // Takes from `units` those that clash with one of `kept`.
  bool drop_clashes(Along &along, const std::set<UnitKey> &kept, std::set<UnitKey> &units) {
    return std::erase_if(units, [&](UnitKey key) {
      for (UnitKey other : kept) {
        std::string const why = clash(key, other);
        if (why.empty()) continue;
        along.left.push_back({key, PassedOver::Why::conflicts, why, nullptr});
        return true;
      }
      return false;
    });
  }

  // Takes out what conflicts with a chosen plugin.
  void drop_plugin_clashes(Along &along) {
    std::erase_if(candidates_, [&](UnitKey key) {
      for (const PluginWish &conflict : unit(key).plugin_conflicts) {
        auto found = versions_.find(conflict.id);
        if (found == versions_.end() || !conflict.range.contains(found->second)) continue;
        if (conflict.id == model_.plugins[key.first].manifest().id.value) continue;
        along.left.push_back({key, PassedOver::Why::conflicts, wish_text(conflict), nullptr});
        return true;
      }
      return false;
    });
  }

  std::string clash(UnitKey a, UnitKey b) const {
    bool const same_plugin = a.first == b.first;
    if (!same_plugin && unit(a).kind == unit(b).kind && unit(a).name.value == unit(b).name.value)
      return model_.plugins[b.first].manifest().id.value;
    for (auto [from, to] : {std::pair(a, b), std::pair(b, a)})
      for (const Term &conflict : unit(from).conflicts) {
        Term const asked = loose(conflict);
        for (const Term &provided : unit(to).provides)
          if (match(asked, model_.vocabulary.canonical(provided)) && in_range(asked)) return asked.text();
      }
    return "";
  }

  // A pattern whose variables stand for anything.
  Term loose(const Term &term) const {
    Term result = model_.vocabulary.canonical(term);
    for (auto &[name, argument] : result.arguments)
      if (argument.form == Argument::Form::variable) argument = {};
    return result;
  }

  bool in_range(const Term &asked) const {
    if (asked.range.comparators.empty()) return true;
    const Vocabulary::Declared *declared = model_.vocabulary.find(asked.name);
    if (!declared) return false;
    auto found = versions_.find(declared->owner->id.value);
    return found != versions_.end() && asked.range.contains(found->second);
  }

  // Takes out, until nothing changes, what requires something static that is not provided.
  void settle(Along &along) {
    for (bool changed = true; changed;) {
      gather_facts();
      changed = std::erase_if(candidates_, [&](UnitKey key) {
        const Requirement *missing = unmet(unit(key));
        if (!missing) return false;
        along.left.push_back(
            {key, PassedOver::Why::requires_unmet, model_.vocabulary.canonical(*missing).text(), missing});
        return true;
      });
    }
  }

  void gather_facts() {
    facts_.clear();
    for (uint32_t i = 0; i < model_.instances.size(); ++i)
      if (chosen_.instances[i]) add_facts(*model_.instances[i].unit, model_.instances[i].binding);
    for (size_t before = SIZE_MAX; before != facts_.size();) {
      before = facts_.size();
      for (UnitKey key : candidates_)
        for (const Binding &binding : bindings(unit(key))) add_facts(unit(key), binding);
    }
  }

  void add_facts(const Unit &u, const Binding &binding) {
    for (const Term &provided : u.provides) {
      if (model_.vocabulary.is_state(provided.name) || model_.vocabulary.fault(provided, Vocabulary::Use::provided))
        continue;
      Term term = model_.vocabulary.canonical(instantiate(provided, binding));
      if (is_ground(term)) facts_.try_emplace(term.text(), term);
    }
  }

  bool is_static(const Requirement &requirement) const {
    return std::none_of(requirement.alternatives.begin(), requirement.alternatives.end(),
                        [&](const Term &term) { return model_.vocabulary.is_state(term.name); });
  }

  // What a unit requires and is not there, by itself; null when there is nothing.
  const Requirement *unmet(const Unit &u) const {
    for (const Requirement &requirement : u.requires_)
      if (is_static(requirement) && extend({{}}, requirement).empty()) return &requirement;
    if (!bindings(u).empty()) return nullptr;
    for (const Requirement &requirement : u.requires_)
      if (is_static(requirement)) return &requirement;
    return nullptr;
  }

  // Every way to bind the variables of a unit's static requirements so that all are met.
  std::vector<Binding> bindings(const Unit &u) const {
    std::vector<Binding> all{{}};
    for (const Requirement &requirement : u.requires_)
      if (is_static(requirement)) all = extend(all, requirement);
    return all;
  }

  std::vector<Binding> extend(const std::vector<Binding> &bindings, const Requirement &requirement) const {
    std::set<Binding> next;
    for (const Binding &binding : bindings)
      for (const Term &alternative : requirement.alternatives) {
        Term const asked = model_.vocabulary.canonical(instantiate(alternative, binding));
        if (!in_range(asked)) continue;
        for (const auto &[text, fact] : facts_) {
          Term pattern = loose(asked);
          if (!match(pattern, fact)) continue;
          Binding bound = binding;
          bool agrees = true;
          for (const auto &[name, argument] : asked.arguments)
            if (argument.form == Argument::Form::variable) {
              const Value &value = fact.arguments.at(name).values.front();
              agrees = agrees && bound.try_emplace(argument.variable, value).first->second == value;
            }
          if (agrees) next.insert(std::move(bound));
        }
      }
    return {next.begin(), next.end()};
  }

  const Model &model_;
  const Chosen &chosen_;
  std::set<UnitKey> core_, candidates_;
  std::map<std::string, Version> versions_; // of the chosen plugins
  std::map<std::string, Term> facts_;
};

} // namespace

Along come_along(const Model &model, const Chosen &chosen) { return Closure(model, chosen).run(); }

} // namespace htp
