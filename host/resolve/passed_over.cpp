#include "host/resolve/along.h"
#include "host/resolve/search.h"

#include <algorithm>

namespace htp {
namespace {

class Passing {
public:
  Passing(const Model &model, Search &search, const Chosen &chosen)
      : model_(model), search_(search), chosen_(chosen), along_(come_along(model, chosen)) {
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
      for (const LineOption &option : model_.choice(line).options) pass(option.instance, model_.text(line.asked));
      if (line.asked != kNone)
        for (TermId asked : model_.terms.alternatives(line.asked)) pass(asked);
    }
    for (const Along::Left &left : along_.left) {
      const Manifest &manifest = model_.plugins[left.unit.first].manifest();
      add(manifest, &manifest.units[left.unit.second], left.why, left.detail);
    }
    std::vector<PassedOver> all;
    for (auto &[key, passed] : found_) all.push_back(std::move(passed));
    return all;
  }

private:
  using Why = PassedOver::Why;

  void add(const Manifest &manifest, const Unit *unit, Why why, const std::string &detail) {
    found_.try_emplace({manifest.id.value, manifest.version.text(), unit ? unit->name.value : "", why, detail},
                       PassedOver{&manifest, unit, why, detail});
  }

  void pass(uint32_t i, const std::string &asked) {
    const Instance &instance = model_.instances[i];
    if (in_.contains({instance.plugin, instance.unit_index})) return;
    const Manifest &manifest = model_.plugins[instance.plugin].manifest();
    auto const version = versions_.find(manifest.id.value);
    if (version != versions_.end() && version->second != manifest.version.text())
      return add(manifest, nullptr, Why::another_version, version->second);
    auto [found, fresh] = possible_.try_emplace(i, false);
    if (fresh) found->second = search_.possible(i);
    add(manifest, instance.unit, found->second ? Why::another_provider : Why::impossible, asked);
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
  Along along_;
  std::set<UnitKey> in_;
  std::map<std::string, std::string> versions_;
  std::map<std::tuple<std::string, std::string, std::string, Why, std::string>, PassedOver> found_;
  std::map<uint32_t, bool> possible_;
};

} // namespace

std::vector<PassedOver> passed_over(const Universe &universe, const Request &request) try {
  Model const model(universe, request);
  Search search(model);
  std::optional<Chosen> const chosen = search.preferred();
  return chosen ? Passing(model, search, *chosen).run() : std::vector<PassedOver>{};
} catch (const Undecided &) {
  return {};
}

} // namespace htp
