#include "host/resolve/resolve.h"

#include "host/resolve/along.h"
#include "host/resolve/causes.h"
#include "host/resolve/search.h"

#include <algorithm>

namespace htp {
namespace {

class Assembly {
public:
  Assembly(const Model &model, Search &search, const Chosen &chosen)
      : model_(model), search_(search), chosen_(chosen), along_(come_along(model, chosen)) {}

  Resolution run() {
    place_units();
    give_reasons();
    pass_over();
    result_.installed = along_.installed;
    result_.states = model_.vocabulary.states();
    find_initial();
    return std::move(result_);
  }

private:
  void place_units() {
    for (uint32_t p = 0; p < model_.plugins.size(); ++p) {
      if (!chosen_.plugins[p]) continue;
      const Manifest &manifest = model_.plugins[p].manifest();
      ChosenPlugin plugin{&manifest, model_.plugins[p].candidate.folder, {}, {}};
      for (uint32_t u = 0; u < manifest.units.size(); ++u) {
        ChosenUnit unit{&manifest, &manifest.units[u], {}, {}};
        bool in = along_.units.contains({p, u});
        if (in) unit.reasons.push_back({Reason::Kind::along, 0, "", {}});
        for (uint32_t i = 0; i < model_.instances.size(); ++i) {
          const Instance &instance = model_.instances[i];
          if (!chosen_.instances[i] || instance.plugin != p || instance.unit_index != u) continue;
          in = true;
          if (!instance.binding.empty()) unit.instances.push_back(instance.binding);
        }
        if (!in) continue;
        std::sort(unit.instances.begin(), unit.instances.end());
        at_[{p, u}] = static_cast<uint32_t>(result_.units.size());
        plugin.units.push_back(at_[{p, u}]);
        result_.units.push_back(std::move(unit));
      }
      result_.plugins.push_back(std::move(plugin));
    }
  }

  uint32_t unit_of(uint32_t instance) const {
    return at_.at({model_.instances[instance].plugin, model_.instances[instance].unit_index});
  }

  bool counts(uint32_t l) const {
    const Line &line = model_.lines[l];
    if (line.instance != kNone && !chosen_.instances[line.instance]) return false;
    return line.kind != Reason::Kind::want || chosen_.granted.contains(l);
  }

  bool met(const LineOption &option) const {
    if (!chosen_.instances[option.instance]) return false;
    if (option.range == kNone) return true;
    const std::vector<uint32_t> &owners = model_.ranges[option.range].plugins;
    return std::any_of(owners.begin(), owners.end(), [&](uint32_t p) { return chosen_.plugins[p]; });
  }

  void give_reasons() {
    for (uint32_t l = 0; l < model_.lines.size(); ++l) {
      if (!counts(l)) continue;
      const Line &line = model_.lines[l];
      Reason const reason{line.kind, line.instance == kNone ? line.index : unit_of(line.instance), line.asked.text(),
                          line.span};
      for (const LineOption &option : line.options) {
        if (!met(option)) continue;
        add_reason(unit_of(option.instance), reason);
        if (line.kind == Reason::Kind::target) result_.backend = model_.instances[option.instance].unit;
        if (option.range == kNone) continue;
        for (ChosenPlugin &plugin : result_.plugins) // the plugin whose version was asked for takes part because of it
          if (plugin.manifest->id.value == model_.ranges[option.range].id) plugin.reasons.push_back(reason);
      }
      for (uint32_t p : line.plugins)
        for (ChosenPlugin &plugin : result_.plugins)
          if (chosen_.plugins[p] && plugin.manifest == &model_.plugins[p].manifest()) plugin.reasons.push_back(reason);
    }
    auto who = [&](const Reason &reason) -> std::string_view {
      switch (reason.kind) {
      case Reason::Kind::target:
      case Reason::Kind::along: return "";
      case Reason::Kind::wish: return model_.request.wishes[reason.index].id;
      case Reason::Kind::need: return model_.request.needs[reason.index].phrase;
      default: return result_.units[reason.index].unit->name.value;
      }
    };
    auto key = [&](const Reason &reason) {
      return std::tuple(reason.kind, who(reason), std::string_view(reason.capability), reason.span.line);
    };
    auto before = [&](const Reason &a, const Reason &b) { return key(a) < key(b); };
    for (ChosenUnit &unit : result_.units) std::stable_sort(unit.reasons.begin(), unit.reasons.end(), before);
    for (ChosenPlugin &plugin : result_.plugins) {
      std::stable_sort(plugin.reasons.begin(), plugin.reasons.end(), before);
      auto same = [&](const Reason &a, const Reason &b) { return key(a) == key(b); };
      plugin.reasons.erase(std::unique(plugin.reasons.begin(), plugin.reasons.end(), same), plugin.reasons.end());
    }
  }

  void add_reason(uint32_t unit, const Reason &reason) {
    for (const Reason &known : result_.units[unit].reasons)
      if (known.kind == reason.kind && known.index == reason.index && known.capability == reason.capability) return;
    result_.units[unit].reasons.push_back(reason);
  }

  void pass_over() {
    using Why = PassedOver::Why;
    std::map<std::tuple<std::string, std::string, std::string, Why, std::string>, PassedOver> found;
    auto add = [&](const Manifest &manifest, const Unit *unit, Why why, const std::string &detail) {
      found.try_emplace({manifest.id.value, manifest.version.text(), unit ? unit->name.value : "", why, detail},
                        PassedOver{&manifest, unit, why, detail});
    };
    auto chosen_version = [&](const std::string &id) -> std::string {
      for (const ChosenPlugin &plugin : result_.plugins)
        if (plugin.manifest->id.value == id) return plugin.manifest->version.text();
      return "";
    };
    for (uint32_t l = 0; l < model_.lines.size(); ++l) {
      const Line &line = model_.lines[l];
      if (line.kind == Reason::Kind::want && chosen_.instances[line.instance] && !chosen_.granted.contains(l)) {
        const Instance &who = model_.instances[line.instance];
        add(model_.plugins[who.plugin].manifest(), who.unit, Why::not_granted, line.asked.text());
      }
      if (!counts(l)) continue;
      for (const LineOption &option : line.options) {
        const Instance &instance = model_.instances[option.instance];
        const Manifest &manifest = model_.plugins[instance.plugin].manifest();
        if (at_.contains({instance.plugin, instance.unit_index})) continue;
        std::string const version = chosen_version(manifest.id.value);
        if (!version.empty() && version != manifest.version.text())
          add(manifest, nullptr, Why::another_version, version);
        else if (possible(option.instance))
          add(manifest, instance.unit, Why::another_provider, line.asked.text());
        else
          add(manifest, instance.unit, Why::impossible, line.asked.text());
      }
      for (const Term &asked : line.asked.alternatives) {
        if (model_.vocabulary.fault(asked, Vocabulary::Use::asked)) continue;
        for (const Model::Provider &provider : model_.providers(asked.name))
          if (model_.serves(provider, asked, false) && !model_.serves(provider, asked, true))
            add(model_.plugins[provider.plugin].manifest(), &model_.unit(provider), Why::out_of_range, asked.text());
        for (const Candidate &candidate : model_.rejected)
          for (const Unit &unit : candidate.manifest->units)
            for (const Term &provided : unit.provides)
              if (match(asked, model_.vocabulary.canonical(provided)))
                add(*candidate.manifest, nullptr, Why::rejected, candidate.rejected);
      }
    }
    for (const Along::Left &left : along_.left) {
      const Manifest &manifest = model_.plugins[left.unit.first].manifest();
      add(manifest, &manifest.units[left.unit.second], left.why, left.detail);
    }
    for (auto &[key, passed] : found) result_.passed_over.push_back(std::move(passed));
  }

  bool possible(uint32_t instance) {
    auto [found, fresh] = possible_.try_emplace(instance, false);
    if (fresh) found->second = search_.possible(instance);
    return found->second;
  }

  void find_initial() {
    std::map<std::string, Term> terms;
    for (const ChosenUnit &unit : result_.units)
      for (const Term &raw : unit.unit->verifies) {
        if (!model_.vocabulary.is_initial(raw.name)) continue;
        Term term = model_.vocabulary.canonical(raw);
        std::vector<Binding> const bindings = unit.instances.empty() ? std::vector<Binding>{{}} : unit.instances;
        for (const Binding &binding : bindings) {
          Term const ground = instantiate(term, binding);
          if (is_ground(ground)) terms.try_emplace(ground.text(), ground);
        }
      }
    for (auto &[text, term] : terms) result_.initial.push_back(std::move(term));
  }

  const Model &model_;
  Search &search_;
  const Chosen &chosen_;
  Along along_;
  Resolution result_;
  std::map<UnitKey, uint32_t> at_;
  std::map<uint32_t, bool> possible_;
};

} // namespace

Expected<Resolution, Conflict> resolve(const Universe &universe, const Request &request) {
  Model const model(universe, request);
  Search search(model);
  if (std::optional<Chosen> const chosen = search.preferred()) return Assembly(model, search, *chosen).run();
  return Unexpected{causes_of(model, search.conflicts())};
}

} // namespace htp
