#include "host/resolve/resolve.h"

#include "host/base/suggest.h"
#include "host/resolve/along.h"
#include "host/resolve/causes.h"
#include "host/resolve/passed_over.h"
#include "host/resolve/respell.h"

#include <algorithm>
#include <numeric>

namespace htp {
namespace {

bool is_met(const Model &model, const Chosen &chosen, const LineOption &option) {
  if (!chosen.instances[option.instance]) return false;
  if (option.range == kNone) return true;
  const std::vector<uint32_t> &owners = model.ranges[option.range].plugins;
  return std::any_of(owners.begin(), owners.end(), [&](uint32_t p) { return chosen.plugins[p]; });
}

class Assembly {
public:
  Assembly(const Model &model, const Chosen &chosen, const Along &along)
      : model_(model), chosen_(chosen), along_(along) {}

  Resolution run() {
    place_units();
    give_reasons();
    result_.installed = along_.installed;
    result_.states = model_.vocabulary.states();
    find_initial();
    return std::move(result_);
  }

private:
  void place_units() {
    std::map<UnitKey, std::vector<uint32_t>> instances;
    for (uint32_t i = 0; i < model_.instances.size(); ++i)
      if (chosen_.instances[i]) instances[{model_.instances[i].plugin, model_.instances[i].unit_index}].push_back(i);
    for (uint32_t p = 0; p < model_.plugins.size(); ++p) {
      if (!chosen_.plugins[p]) continue;
      const Manifest &manifest = model_.plugins[p].manifest();
      by_id_[manifest.id.value] = static_cast<uint32_t>(result_.plugins.size());
      ChosenPlugin plugin{&manifest, model_.plugins[p].candidate.folder, {}, {}};
      for (uint32_t u = 0; u < manifest.units.size(); ++u) {
        ChosenUnit unit{&manifest, &manifest.units[u], {}, {}};
        auto const found = instances.find({p, u});
        if (along_.units.contains({p, u}))
          unit.reasons.push_back({Reason::Kind::along, 0, "", {}});
        else if (found == instances.end())
          continue;
        if (found != instances.end())
          for (uint32_t i : found->second)
            if (!model_.instances[i].binding.empty()) unit.instances.push_back(model_.instances[i].binding);
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

  void give_reasons() {
    for (uint32_t l = 0; l < model_.lines.size(); ++l) {
      if (!counts(model_, chosen_, l)) continue;
      const Line &line = model_.lines[l];
      Reason const reason{line.kind, line.instance == kNone ? line.index : unit_of(line.instance),
                          model_.text(line.asked), *line.span};
      for (const LineOption &option : model_.choice(line).options) {
        if (!is_met(model_, chosen_, option)) continue;
        add_reason(unit_of(option.instance), reason);
        if (line.kind == Reason::Kind::target) result_.backend = model_.instances[option.instance].unit;
        if (line.kind == Reason::Kind::pipeline) result_.pipeline = model_.instances[option.instance].unit;
        if (option.range != kNone) // the plugin whose version was asked for takes part because of it
          result_.plugins[by_id_.at(model_.name(model_.ranges[option.range].id))].reasons.push_back(reason);
      }
      for (uint32_t p : model_.choice(line).plugins)
        if (chosen_.plugins[p]) result_.plugins[by_id_.at(model_.id_of(p))].reasons.push_back(reason);
    }
    auto who = [&](const Reason &reason) -> std::string_view {
      switch (reason.kind) {
      case Reason::Kind::target:
      case Reason::Kind::pipeline:
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
  const Chosen &chosen_;
  const Along &along_;
  Resolution result_;
  std::map<UnitKey, uint32_t> at_;
  std::map<std::string, uint32_t> by_id_; // chosen plugins
};

// Other targets under which there is a solution: the one that was probably meant, else the first few.
std::vector<Fix> other_targets(const Universe &universe, const Request &request, const Model &model,
                               const Cause &target) {
  constexpr size_t kFew = 3;
  const std::set<std::string> &backends = model.vocabulary.units(UnitKind::backend);
  std::vector<std::string> names(backends.begin(), backends.end());
  std::string const meant{did_you_mean(request.target.value, names)};
  std::stable_sort(names.begin(), names.end(),
                   [&](const auto &a, const auto &b) { return (a == meant) > (b == meant); });
  std::erase(names, request.target.value);
  if (names.size() > kFew) names.resize(kFew);
  std::vector<Fix> fixes;
  for (const std::string &name : names) {
    Request other = request;
    other.target.value = name;
    Model const retargeted(universe, other);
    if (Search(retargeted).preferred())
      fixes.push_back({{{Change::Kind::retarget, Cause::Kind::target, "", "", name, "", {}, target.locations}}});
    if (name == meant && !fixes.empty()) break;
  }
  return fixes;
}

} // namespace

Expected<Resolution, Refusal> resolve(const Universe &universe, const Request &request, bool with_passed_over) try {
  Model const model(universe, request);
  Search search(model);
  if (std::optional<Chosen> const chosen = search.preferred()) {
    const Along along = come_along(model, *chosen);
    Resolution resolution = Assembly(model, *chosen, along).run();
    if (with_passed_over) resolution.passed_over = passed_over(model, search, *chosen, along);
    return resolution;
  }
  Refusal refusal{told(model, find_conflicts(model, search)), false};
  const std::vector<Cause> &causes = refusal.conflicts.front().causes;
  if (refusal.conflicts.size() == 1 && causes.front().kind == Cause::Kind::target) {
    std::vector<Fix> fixes = other_targets(universe, request, model, causes.front());
    fixes.insert(fixes.end(), refusal.conflicts.front().fixes.begin(), refusal.conflicts.front().fixes.end());
    refusal.conflicts.front().fixes = std::move(fixes);
  }
  for (size_t i = 0; i < refusal.conflicts.size(); ++i) {
    std::vector<Fix> fixes = respellings(model, refusal.conflicts, i);
    std::vector<Fix> &others = refusal.conflicts[i].fixes;
    others.insert(others.begin(), std::make_move_iterator(fixes.begin()), std::make_move_iterator(fixes.end()));
  }
  return Unexpected{std::move(refusal)};
} catch (const Undecided &) {
  return Unexpected{Refusal{{}, true}};
}

} // namespace htp
