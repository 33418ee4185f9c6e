#include "host/resolve/model.h"

#include <algorithm>

namespace htp {
namespace {

constexpr size_t kInstancesOfOneUnit = 4096;

std::vector<const Requirement *> asked_by(const Request &request) {
  std::vector<const Requirement *> asked;
  for (const Need &need : request.needs) asked.push_back(&need.requirement);
  return asked;
}

// Indices of `list` by text, then place: the order in which the request was put together is gone.
template <class T, class F> std::vector<uint32_t> sorted_by(const std::vector<T> &list, F text) {
  std::vector<std::tuple<std::string, uint32_t, uint32_t, uint32_t>> keys;
  for (uint32_t i = 0; i < list.size(); ++i) keys.emplace_back(text(list[i]), list[i].span.line, list[i].span.col, i);
  std::sort(keys.begin(), keys.end());
  std::vector<uint32_t> order;
  for (const auto &key : keys) order.push_back(std::get<3>(key));
  return order;
}

} // namespace

std::string wish_text(const PluginWish &wish) {
  std::string const range = wish.range.text();
  return wish.id + (range.empty() ? "" : "@" + range);
}

Model::Model(const Universe &u, const Request &r) : universe(u), request(r), vocabulary(u) {
  std::map<std::string, std::set<Version>> versions;
  for (Candidate &candidate : canonical_order(u.plugins)) {
    if (!candidate.rejected.empty()) {
      rejected.push_back(candidate);
      continue;
    }
    versions[candidate.manifest->id.value].insert(candidate.manifest->version);
    plugins.push_back({candidate, 0});
  }
  for (PluginNode &node : plugins) {
    const std::set<Version> &all = versions[node.manifest().id.value];
    node.rank = static_cast<uint32_t>(std::distance(all.upper_bound(node.manifest().version), all.end()));
  }
  domains_ = std::make_unique<Domains>(vocabulary, u.plugins, asked_by(r));
  index_providers();
  add_request();
  for (uint32_t i = 0; i < instances.size(); ++i) add_lines(i); // grows as providers are met
  add_clashes();
  sort_blames();
}

void Model::index_providers() {
  for (uint32_t p = 0; p < plugins.size(); ++p) {
    const std::vector<Unit> &units = plugins[p].manifest().units;
    for (uint32_t i = 0; i < units.size(); ++i) {
      for (const Term &term : units[i].provides)
        if (!vocabulary.fault(term, Vocabulary::Use::provided))
          providers_[term.name].push_back({p, i, vocabulary.canonical(term), false});
      for (const Term &term : units[i].verifies)
        if (vocabulary.is_initial(term.name) && !vocabulary.fault(term, Vocabulary::Use::mentioned))
          providers_[term.name].push_back({p, i, vocabulary.canonical(term), true});
    }
  }
}

const std::vector<Model::Provider> &Model::providers(const std::string &name) const {
  static const std::vector<Provider> none;
  auto found = providers_.find(name);
  return found == providers_.end() ? none : found->second;
}

void Model::add_request() {
  if (!request.target.value.empty()) {
    Line line{Reason::Kind::target, kNone, 0, {}, request.target.span, 0, {}, {}};
    for (uint32_t p = 0; p < plugins.size(); ++p)
      for (uint32_t i = 0; i < plugins[p].manifest().units.size(); ++i) {
        const Unit &unit = plugins[p].manifest().units[i];
        if (unit.kind != UnitKind::backend || unit.name != request.target.value) continue;
        add_instances_of(p, i, {}, [&](uint32_t instance) { line.options.push_back({instance, kNone, false}); });
      }
    add_line(std::move(line), {Cause::Kind::target, "", "", request.target.value, {}, {}});
  }
  for (uint32_t w : sorted_by(request.wishes, [](const PluginWish &wish) { return wish_text(wish); })) {
    const PluginWish &wish = request.wishes[w];
    Line line{Reason::Kind::wish, kNone, w, {}, wish.span, 0, {}, {}};
    for (uint32_t p = 0; p < plugins.size(); ++p)
      if (plugins[p].manifest().id == wish.id && wish.range.contains(plugins[p].manifest().version))
        line.plugins.push_back(p);
    add_line(std::move(line), {Cause::Kind::wish, "", "", wish_text(wish), {}, {}});
  }
  auto need_text = [&](const Need &need) { return vocabulary.canonical(need.requirement).text() + " " + need.phrase; };
  for (uint32_t n : sorted_by(request.needs, need_text)) {
    const Need &need = request.needs[n];
    Line line{Reason::Kind::need, kNone, n, vocabulary.canonical(need.requirement), need.span, 0, {}, {}};
    for (const Term &asked : line.asked.alternatives) add_options(line, asked);
    std::string subject = line.asked.text();
    add_line(std::move(line), {Cause::Kind::need, "", "", std::move(subject), {}, {}});
  }
}

void Model::add_lines(uint32_t instance) {
  const Unit &unit = *instances[instance].unit;
  Binding const binding = instances[instance].binding;
  auto add = [&](Reason::Kind kind, Cause::Kind cause, const std::vector<Requirement> &list) {
    for (uint32_t i = 0; i < list.size(); ++i) {
      Line line{kind, instance, i, vocabulary.canonical(instantiate(list[i], binding)), list[i].span, 0, {}, {}};
      for (const Term &asked : line.asked.alternatives) add_options(line, asked);
      instances[instance].lines.push_back(static_cast<uint32_t>(lines.size()));
      add_line(std::move(line), {cause,
                                 plugins[instances[instance].plugin].manifest().id.value,
                                 unit.name.value,
                                 vocabulary.canonical(list[i]).text(),
                                 {},
                                 {}});
    }
  };
  add(Reason::Kind::requirement, Cause::Kind::requirement, unit.requires_);
  add(Reason::Kind::contract, Cause::Kind::contract, unit.contract);
  add(Reason::Kind::want, Cause::Kind::requirement, unit.wants);
}

void Model::add_line(Line line, Blame blamed) {
  std::sort(line.options.begin(), line.options.end());
  line.options.erase(std::unique(line.options.begin(), line.options.end()), line.options.end());
  uint32_t const id = static_cast<uint32_t>(lines.size());
  if (line.kind != Reason::Kind::want) { // what is optional is never at fault
    line.cause = blame(std::move(blamed));
    blames[line.cause].lines.push_back(id);
  }
  lines.push_back(std::move(line));
}

bool Model::serves(const Provider &provider, const Term &asked, bool with_range) const {
  if (provider.verifies && request.absent.contains(asked.text())) return false;
  if (!match(asked, provider.term)) return false;
  if (!with_range || asked.range.comparators.empty()) return true;
  const Vocabulary::Declared *declared = vocabulary.find(asked.name);
  if (declared->owner == universe.sdk) return asked.range.contains(declared->owner->version);
  const Manifest &manifest = plugins[provider.plugin].manifest();
  if (declared->owner->id.value == manifest.id.value) return asked.range.contains(manifest.version);
  return std::any_of(plugins.begin(), plugins.end(), [&](const PluginNode &node) {
    return node.manifest().id.value == declared->owner->id.value && asked.range.contains(node.manifest().version);
  });
}

void Model::add_options(Line &line, const Term &asked) {
  if (vocabulary.fault(asked, Vocabulary::Use::asked)) return;
  for (const Provider &provider : providers(asked.name)) {
    if (!serves(provider, asked, true)) continue;
    std::optional<uint32_t> const range = range_of(asked, provider.plugin);
    if (!range) continue;
    add_instances_of(provider.plugin, provider.unit_index, *match(asked, provider.term), [&](uint32_t instance) {
      line.options.push_back({instance, *range, vocabulary.is_state(asked.name)});
    });
  }
}

void Model::add_instances_of(uint32_t plugin, uint32_t unit_index, const Openings &openings,
                             const std::function<void(uint32_t)> &use) {
  const Unit &unit = plugins[plugin].manifest().units[unit_index];
  std::optional<std::vector<Binding>> const bindings = domains_->bindings(unit, openings, kInstancesOfOneUnit);
  if (!bindings) {
    too_generic.emplace(plugin, unit_index);
    return;
  }
  for (const Binding &binding : *bindings) {
    auto [found, fresh] = known_.try_emplace({plugin, unit_index, binding}, static_cast<uint32_t>(instances.size()));
    if (fresh) instances.push_back({plugin, unit_index, &unit, binding, {}});
    use(found->second);
  }
}

std::optional<uint32_t> Model::range_of(const Term &asked, uint32_t provider_plugin) {
  if (asked.range.comparators.empty()) return kNone;
  const Manifest *owner = vocabulary.find(asked.name)->owner;
  if (owner == universe.sdk || owner->id.value == plugins[provider_plugin].manifest().id.value)
    return kNone; // serves() saw to it
  OwnerRange range{owner->id.value, {}};
  for (uint32_t p = 0; p < plugins.size(); ++p)
    if (plugins[p].manifest().id.value == range.id && asked.range.contains(plugins[p].manifest().version))
      range.plugins.push_back(p);
  if (range.plugins.empty()) return std::nullopt;
  for (uint32_t i = 0; i < ranges.size(); ++i)
    if (ranges[i].id == range.id && ranges[i].plugins == range.plugins) return i;
  ranges.push_back(std::move(range));
  return static_cast<uint32_t>(ranges.size() - 1);
}

void Model::add_clashes() {
  std::map<UnitKey, std::vector<uint32_t>> of_unit;
  std::set<uint32_t> used;
  for (uint32_t i = 0; i < instances.size(); ++i) {
    of_unit[{instances[i].plugin, instances[i].unit_index}].push_back(i);
    used.insert(instances[i].plugin);
  }
  for (const Line &line : lines) used.insert(line.plugins.begin(), line.plugins.end());
  for (const OwnerRange &range : ranges) used.insert(range.plugins.begin(), range.plugins.end());
  for (uint32_t i = 0; i < instances.size(); ++i)
    for (const Term &term : instances[i].unit->conflicts) add_term_clashes(i, term, of_unit);
  for (uint32_t i = 0; i < instances.size(); ++i)
    for (const PluginWish &conflict : instances[i].unit->plugin_conflicts)
      add_plugin_clashes({false, i}, instances[i].plugin, instances[i].unit->name.value, conflict, used);
  for (uint32_t p : used)
    for (const PluginWish &conflict : plugins[p].manifest().conflicts)
      add_plugin_clashes({true, p}, p, "", conflict, used);

  for (uint32_t a : used)
    for (uint32_t b : used)
      if (a < b && id_of(a) == id_of(b))
        add_clash({0, {true, a}, {true, b}, kNone}, {Cause::Kind::one_version, "", "", id_of(a), {}, {}});
  std::map<std::pair<UnitKind, std::string>, std::vector<uint32_t>> named;
  for (uint32_t i = 0; i < instances.size(); ++i)
    named[{instances[i].unit->kind, instances[i].unit->name.value}].push_back(i);
  for (const auto &[name, list] : named)
    for (size_t a = 0; a < list.size(); ++a)
      for (size_t b = a + 1; b < list.size(); ++b)
        if (id_of(instances[list[a]].plugin) != id_of(instances[list[b]].plugin))
          add_clash({0, {false, list[a]}, {false, list[b]}, kNone},
                    {Cause::Kind::same_name, "", "", name.second, {}, {}});
}

void Model::add_term_clashes(uint32_t instance, const Term &raw,
                             const std::map<UnitKey, std::vector<uint32_t>> &of_unit) {
  const Instance &who = instances[instance];
  Term const term = vocabulary.canonical(instantiate(raw, who.binding));
  for (const Provider &provider : providers(term.name)) {
    if (provider.verifies || (provider.plugin == who.plugin && provider.unit_index == who.unit_index)) continue;
    auto found = of_unit.find({provider.plugin, provider.unit_index});
    if (found == of_unit.end() || !serves(provider, term, true)) continue;
    std::optional<uint32_t> const range = range_of(term, provider.plugin);
    if (!range) continue;
    for (uint32_t other : found->second)
      if (match(term, instantiate(provider.term, instances[other].binding)))
        add_clash(
            {0, {false, instance}, {false, other}, *range},
            {Cause::Kind::conflict, id_of(who.plugin), who.unit->name.value, vocabulary.canonical(raw).text(), {}, {}});
  }
}

void Model::add_plugin_clashes(Node who, uint32_t plugin, const std::string &unit, const PluginWish &conflict,
                               const std::set<uint32_t> &used) {
  for (uint32_t p : used)
    if (id_of(p) == conflict.id && id_of(plugin) != conflict.id &&
        conflict.range.contains(plugins[p].manifest().version))
      add_clash({0, who, {true, p}, kNone},
                {Cause::Kind::plugin_conflict, id_of(plugin), unit, wish_text(conflict), {}, {}});
}

void Model::add_clash(Clash clash, Blame blamed) {
  clash.cause = blame(std::move(blamed));
  blames[clash.cause].clashes.push_back(static_cast<uint32_t>(clashes.size()));
  clashes.push_back(clash);
}

uint32_t Model::blame(Blame blamed) {
  auto [found, fresh] = blame_ids_.try_emplace(blamed, static_cast<uint32_t>(blames.size()));
  if (fresh) blames.push_back(std::move(blamed));
  return found->second;
}

void Model::sort_blames() {
  std::vector<uint32_t> order, place(blames.size());
  for (const auto &[key, id] : blame_ids_) order.push_back(id);
  std::vector<Blame> sorted;
  for (uint32_t i = 0; i < order.size(); ++i) {
    place[order[i]] = i;
    sorted.push_back(std::move(blames[order[i]]));
  }
  blames = std::move(sorted);
  for (Line &line : lines)
    if (line.kind != Reason::Kind::want) line.cause = place[line.cause];
  for (Clash &clash : clashes) clash.cause = place[clash.cause];
}

} // namespace htp
