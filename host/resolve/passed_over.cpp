#include "host/resolve/passed_over.h"

#include <algorithm>

namespace htp {
namespace {

class Passing {
public:
  Passing(const Model &model, Search &search, const Chosen &chosen, const Along &along)
      : model_(model), search_(search), chosen_(chosen), along_(along) {
    for (uint32_t i = 0; i < model.instances.size(); ++i)
      if (chosen.instances[i]) in_.insert({model.instances[i].plugin, model.instances[i].unit_index});
    in_.insert(along_.units.begin(), along_.units.end());
    for (uint32_t p = 0; p < model.plugins.size(); ++p)
      if (chosen.plugins[p]) versions_[model.id_of(p)] = model.plugins[p].manifest().version.text();
  }

  std::vector<PassedOver> run() {
    for (uint32_t l = 0; l < model_.lines.size(); ++l) {
      const Line &line = model_.lines[l];
      if (line.kind == Reason::Kind::want && chosen_.instances[line.instance] && !chosen_.granted.contains(l)) {
        const Instance &who = model_.instances[line.instance];
        add(model_.plugins[who.plugin].manifest(), who.unit, Why::not_granted, model_.text(line.asked));
      }
      if (!counts(model_, chosen_, l)) continue;
      for (const LineOption &option : model_.choice(line).options) pass(option.instance, line);
      if (line.asked != kNone)
        for (TermId asked : model_.terms.alternatives(line.asked)) pass(asked);
    }
    for (const Along::Left &left : along_.left) {
      const Manifest &manifest = model_.plugins[left.unit.first].manifest();
      PassedOver &passed = add(manifest, &manifest.units[left.unit.second], left.why, left.detail);
      if (left.requirement) passed.there = elsewhere(*left.requirement);
    }
    std::vector<PassedOver> all;
    for (auto &[key, passed] : found_) all.push_back(std::move(passed));
    return all;
  }

private:
  using Why = PassedOver::Why;

  PassedOver &add(const Manifest &manifest, const Unit *unit, Why why, const std::string &detail) {
    return found_
        .try_emplace({manifest.id.value, manifest.version.text(), unit ? unit->name.value : "", why, detail},
                     PassedOver{&manifest, unit, why, detail, "", {}})
        .first->second;
  }

  // Plugins of which no version takes part that provide it.
  std::vector<std::string> elsewhere(const Requirement &requirement) const {
    std::vector<std::string> there;
    for (const PluginNode &node : model_.plugins) {
      const Manifest &manifest = node.manifest();
      if (versions_.contains(manifest.id.value)) continue;
      bool const provides = std::any_of(manifest.units.begin(), manifest.units.end(), [&](const Unit &unit) {
        return std::any_of(unit.provides.begin(), unit.provides.end(), [&](const Term &provided) {
          return std::any_of(requirement.alternatives.begin(), requirement.alternatives.end(), [&](const Term &asked) {
            return match(model_.vocabulary.canonical(asked), model_.vocabulary.canonical(provided)) &&
                   in_range(asked, manifest);
          });
        });
      });
      if (provides) there.push_back(manifest.id.value + " " + manifest.version.text());
    }
    return there;
  }

  // Could the version of whoever declares it be in the range, with that provider?
  bool in_range(const Term &asked, const Manifest &provider) const {
    if (asked.range.comparators.empty()) return true;
    const Vocabulary::Declared *declared = model_.vocabulary.find(asked.name);
    if (!declared) return false;
    const std::string &owner = declared->owner->id.value;
    if (owner == provider.id.value) return asked.range.contains(provider.version);
    if (declared->owner == model_.universe.sdk) return asked.range.contains(declared->owner->version);
    auto const [first, last] = model_.versions(owner);
    return std::any_of(model_.plugins.begin() + first, model_.plugins.begin() + last, [&](const PluginNode &node) {
      auto const chosen = versions_.find(owner);
      return asked.range.contains(node.manifest().version) &&
             (chosen == versions_.end() || chosen->second == node.manifest().version.text());
    });
  }

  void pass(uint32_t i, const Line &line) {
    const Instance &instance = model_.instances[i];
    if (in_.contains({instance.plugin, instance.unit_index})) return;
    const Manifest &manifest = model_.plugins[instance.plugin].manifest();
    auto const version = versions_.find(manifest.id.value);
    if (version != versions_.end() && version->second != manifest.version.text())
      return void(add(manifest, nullptr, Why::another_version, version->second));
    auto [found, fresh] = possible_.try_emplace(i, false);
    if (fresh) found->second = search_.possible(i);
    std::string const asked = line.asked != kNone ? model_.text(line.asked) : instance.unit->name.value;
    if (!found->second) return void(add(manifest, instance.unit, Why::impossible, asked));
    auto [added, first] = found_.try_emplace(
        {manifest.id.value, manifest.version.text(), instance.unit->name.value, Why::another_provider, asked},
        PassedOver{&manifest, instance.unit, Why::another_provider, asked, "", {}});
    if (!first) return;
    for (const LineOption &option : model_.choice(line).options) {
      if (!chosen_.instances[option.instance]) continue;
      const Instance &taken = model_.instances[option.instance];
      added->second.taken = "`" + taken.unit->name.value + "` of " + model_.id_of(taken.plugin) + " " +
                            versions_.at(model_.id_of(taken.plugin));
      added->second.because = because(option.instance, i);
      break;
    }
  }

  // What decided between the two, by the order of preference (decision 0004).
  PassedOver::Because because(uint32_t taken, uint32_t passed) {
    uint32_t const p = model_.instances[taken].plugin, q = model_.instances[passed].plugin;
    if (p != q && !search_.possible(passed, p)) return PassedOver::Because::needed_anyway;
    auto key = [&](uint32_t plugin) {
      auto found = model_.request.prefer.find(model_.id_of(plugin));
      bool const preferred =
          found != model_.request.prefer.end() && found->second == model_.plugins[plugin].manifest().version;
      return std::tuple(!preferred, model_.plugins[plugin].candidate.folder, model_.plugins[plugin].rank);
    };
    auto const here = key(p), there = key(q);
    if (here > there) return PassedOver::Because::company;
    if (std::get<0>(here) != std::get<0>(there)) return PassedOver::Because::locked;
    if (std::get<1>(here) != std::get<1>(there)) return PassedOver::Because::folder;
    if (std::get<2>(here) != std::get<2>(there)) return PassedOver::Because::newer;
    return PassedOver::Because::name;
  }

  void pass(TermId id) {
    if (!model_.terms.sound(id, Vocabulary::Use::asked)) return;
    const Term &asked = model_.terms.term(id);
    for (const Model::Provider &provider : model_.providers(id))
      if (model_.serves(provider, id, false) && !model_.serves(provider, id, true))
        add(model_.plugins[provider.plugin].manifest(), &model_.unit(provider), Why::out_of_range, asked.text());
    for (const Candidate &candidate : model_.rejected)
      for (const Unit &unit : candidate.manifest->units)
        for (const Term &provided : unit.provides)
          if (match(asked, model_.vocabulary.canonical(provided)))
            add(*candidate.manifest, nullptr, Why::rejected, candidate.rejected);
  }

  const Model &model_;
  Search &search_;
  const Chosen &chosen_;
  const Along &along_;
  std::set<UnitKey> in_;
  std::map<std::string, std::string> versions_;
  std::map<std::tuple<std::string, std::string, std::string, Why, std::string>, PassedOver> found_;
  std::map<uint32_t, bool> possible_;
};

} // namespace

std::vector<PassedOver> passed_over(const Model &model, Search &search, const Chosen &chosen, const Along &along) try {
  return Passing(model, search, chosen, along).run();
} catch (const Undecided &) {
  return {};
}

std::vector<PassedOver> passed_over(const Universe &universe, const Request &request) {
  auto resolved = resolve(universe, request, true);
  return resolved ? std::move(resolved->passed_over) : std::vector<PassedOver>{};
}

} // namespace htp
