#include "host/resolve/model.h"

#include <algorithm>

namespace htp {
namespace {

constexpr size_t kInstancesOfOneUnit = 4096;

// Indices of `list` by text, then location: the order in which the request was put together is gone.
template <class T, class F> std::vector<uint32_t> sorted_by(const std::vector<T> &list, F text) {
  std::vector<std::tuple<std::string, uint32_t, uint32_t, uint32_t>> keys;
  for (uint32_t i = 0; i < list.size(); ++i) keys.emplace_back(text(list[i]), list[i].span.line, list[i].span.col, i);
  std::sort(keys.begin(), keys.end());
  std::vector<uint32_t> order;
  for (const auto &key : keys) order.push_back(std::get<3>(key));
  return order;
}

template <class T> void sort_unique(std::vector<T> &list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

bool is_generic(const Unit &unit) {
  bool generic = false;
  each_term(unit, [&](const Term &term) {
    for (const auto &[name, argument] : term.arguments) generic = generic || argument.form == Argument::Form::variable;
  });
  return generic;
}

} // namespace

std::string wish_text(const PluginWish &wish) {
  std::string const range = wish.range.text();
  return wish.id + (range.empty() ? "" : "@" + range);
}

Model::Model(const Universe &u, const Request &r)
    : universe(u), request(r), conflicts(r.conflicts), vocabulary(u), terms(vocabulary) {
  size_t const size = u.plugins.size();
  instances.reserve(size);
  lines.reserve(4 * size);
  blame_ids_.reserve(4 * size);
  blames.reserve(4 * size);
  claims.reserve(4 * size);
  index_plugins();
  index_providers();
  add_request();
  for (uint32_t i = 0; i < instances.size(); ++i) add_lines(i); // grows as providers are met
  add_clashes();
}

NameId Model::intern(std::string_view name) {
  if (auto found = name_ids_.find(name); found != name_ids_.end()) return found->second;
  names_.emplace_back(name);
  return name_ids_[names_.back()] = static_cast<NameId>(names_.size() - 1);
}

void Model::index_plugins() {
  plugins.reserve(vocabulary.candidates().size());
  uint32_t units = 0;
  for (const Candidate &candidate : vocabulary.candidates()) {
    if (!candidate.rejected.empty()) {
      rejected.push_back(candidate);
      continue;
    }
    uint32_t const at = static_cast<uint32_t>(plugins.size());
    const std::string &id = candidate.manifest->id.value;
    plugins.push_back({candidate, intern(id), 0, units, false});
    units += static_cast<uint32_t>(candidate.manifest->units.size());
    versions_.try_emplace(id, at, at).first->second.second = at + 1;
  }
  plain_.resize(units, kNone);
  generic_.resize(units);
  std::vector<const Version *> newer;
  for (uint32_t p = 0, first = 0, last = 0; p < plugins.size(); ++p) {
    if (p == last)
      for (first = p; last < plugins.size() && plugins[last].id == plugins[first].id;) ++last;
    newer.clear();
    for (uint32_t q = first; q < last; ++q) {
      const Version &version = plugins[q].manifest().version;
      if (q != p && version > plugins[p].manifest().version &&
          std::none_of(newer.begin(), newer.end(), [&](const Version *known) { return *known == version; }))
        newer.push_back(&version);
    }
    plugins[p].rank = static_cast<uint32_t>(newer.size());
  }
}

std::pair<uint32_t, uint32_t> Model::versions(std::string_view id) const {
  auto found = versions_.find(id);
  return found == versions_.end() ? std::pair(0U, 0U) : found->second;
}

void Model::index_providers() {
  using Use = Vocabulary::Use;
  auto add = [&](uint32_t plugin, uint32_t unit, TermId id, bool verifies) {
    if (providers_.size() <= terms.name(id)) providers_.resize(terms.name(id) + 1);
    providers_[terms.name(id)].push_back({plugin, unit, id, verifies});
  };
  for (uint32_t p = 0; p < plugins.size(); ++p) {
    const std::vector<Unit> &units = plugins[p].manifest().units;
    for (uint32_t i = 0; i < units.size(); ++i) {
      for (const Term &term : units[i].provides)
        if (TermId const id = terms.intern(term); terms.sound(id, Use::provided)) add(p, i, id, false);
      for (const Term &term : units[i].verifies)
        if (TermId const id = terms.intern(term); vocabulary.is_initial(term.name) && terms.sound(id, Use::mentioned))
          add(p, i, id, true);
    }
  }
}

const std::pmr::vector<Model::Provider> &Model::providers(TermId asked) const {
  static const std::pmr::vector<Provider> none;
  return terms.name(asked) < providers_.size() ? providers_[terms.name(asked)] : none;
}

std::string Model::subject(const Blame &blame) const {
  switch (blame.kind) {
  case Cause::Kind::need:
  case Cause::Kind::requirement:
  case Cause::Kind::contract: return terms.text(blame.subject);
  case Cause::Kind::conflict: return terms.term(blame.subject).text();
  default: return names_[blame.subject];
  }
}

template <class Use>
void Model::add_instances_of(uint32_t plugin, uint32_t unit_index, const Openings &openings, Use use) {
  const Unit &unit = plugins[plugin].manifest().units[unit_index];
  uint32_t const at = plugins[plugin].first_unit + unit_index;
  auto make = [&](Binding binding) {
    instances.push_back({plugin, unit_index, &unit, std::move(binding), 0, 0});
    plugins[plugin].used = true;
    return static_cast<uint32_t>(instances.size() - 1);
  };
  if (generic_[at] == Generic::unknown) generic_[at] = is_generic(unit) ? Generic::yes : Generic::no;
  if (generic_[at] == Generic::no) return use(plain_[at] != kNone ? plain_[at] : plain_[at] = make({}));
  std::optional<std::vector<Binding>> bindings = domains().bindings(unit, openings, kInstancesOfOneUnit);
  if (!bindings) {
    too_generic.emplace(plugin, unit_index);
    return;
  }
  Instances &known = instances_of_[at];
  for (const Binding &binding : *bindings) {
    auto [found, fresh] = known.by_binding.try_emplace(binding, 0);
    if (fresh) known.list.push_back(found->second = make(binding));
    use(found->second);
  }
}

void Model::add_request() {
  if (!request.target.value.empty()) {
    uint32_t const choice = choice_of_units(request.target.value, {UnitKind::backend});
    add_line({Reason::Kind::target, kNone, 0, kNone, &request.target.span, kNone, choice},
             {Cause::Kind::target, kNone, kNone, intern(request.target.value)});
  }
  if (!request.pipeline.value.empty()) {
    uint32_t const choice = choice_of_units(request.pipeline.value, {UnitKind::pipeline});
    add_line({Reason::Kind::pipeline, kNone, 0, kNone, &request.pipeline.span, kNone, choice},
             {Cause::Kind::pipeline, kNone, kNone, intern(request.pipeline.value)});
  }
  for (uint32_t w : sorted_by(request.wishes, [](const PluginWish &wish) { return wish_text(wish); })) {
    const PluginWish &wish = request.wishes[w];
    uint32_t const choice = static_cast<uint32_t>(choices.size());
    choices.emplace_back();
    auto const [first, last] = versions(wish.id);
    for (uint32_t p = first; p < last; ++p) {
      choices[choice].loose_plugins.push_back(p);
      if (wish.range.contains(plugins[p].manifest().version)) choices[choice].plugins.push_back(p);
      plugins[p].used = true;
    }
    choices[choice].ranged = !wish.range.comparators.empty();
    add_line({Reason::Kind::wish, kNone, w, kNone, &wish.span, kNone, choice},
             {Cause::Kind::wish, kNone, kNone, intern(wish_text(wish))});
  }
  auto need_text = [&](const Need &need) { return vocabulary.canonical(need.requirement).text() + " " + need.phrase; };
  for (uint32_t n : sorted_by(request.needs, need_text)) {
    RequirementId const asked = terms.intern(request.needs[n].requirement);
    add_line({Reason::Kind::need, kNone, n, asked, &request.needs[n].span, kNone, choice_of(asked)},
             {Cause::Kind::need, kNone, kNone, asked});
  }
}

void Model::add_lines(uint32_t instance) {
  const Unit &unit = *instances[instance].unit;
  NameId const plugin = plugins[instances[instance].plugin].id, name = intern(unit.name.value);
  instances[instance].first_line = static_cast<uint32_t>(lines.size());
  auto add = [&](Reason::Kind kind, Cause::Kind cause, const std::vector<Requirement> &list) {
    for (uint32_t i = 0; i < list.size(); ++i) {
      RequirementId const raw = terms.intern(list[i]);
      bool const generic = std::any_of(terms.alternatives(raw).begin(), terms.alternatives(raw).end(),
                                       [&](TermId term) { return terms.has_variables(term); });
      RequirementId const asked = generic ? terms.intern(instantiate(list[i], instances[instance].binding)) : raw;
      add_line({kind, instance, i, asked, &list[i].span, kNone, choice_of(asked)}, {cause, plugin, name, raw});
    }
  };
  add(Reason::Kind::requirement, Cause::Kind::requirement, unit.requires_);
  add(Reason::Kind::contract, Cause::Kind::contract, unit.contract);
  for (uint32_t i = 0; i < unit.passes.size(); ++i) {
    const Text &step = unit.passes[i];
    auto [known, fresh] = step_choices_.try_emplace(intern(step.value), kNone);
    if (fresh) known->second = choice_of_units(step.value, {UnitKind::pass, UnitKind::island});
    add_line({Reason::Kind::step, instance, i, kNone, &step.span, kNone, known->second},
             {Cause::Kind::step, plugin, name, known->first});
  }
  add(Reason::Kind::want, Cause::Kind::requirement, unit.wants);
  instances[instance].line_count = static_cast<uint32_t>(lines.size()) - instances[instance].first_line;
}

void Model::add_line(Line line, const Blame &blame) {
  if (line.kind != Reason::Kind::want) line.claim = claim_of(blame, line.choice);
  lines.push_back(line);
}

bool Model::is_absent(const Provider &provider, TermId asked) const {
  return provider.verifies && request.absent.contains(terms.term(asked).text());
}

bool Model::serves(const Provider &provider, TermId asked, bool with_range) const {
  return !is_absent(provider, asked) && match(terms.term(asked), terms.term(provider.term)) &&
         (!with_range || leaves_range_open(provider, asked));
}

bool Model::leaves_range_open(const Provider &provider, TermId asked) const {
  const Term &term = terms.term(asked);
  if (term.range.comparators.empty()) return true;
  const Manifest *owner = terms.declared(asked)->owner;
  if (owner == universe.sdk) return term.range.contains(owner->version);
  if (owner->id.value == id_of(provider.plugin))
    return term.range.contains(plugins[provider.plugin].manifest().version);
  auto const [first, last] = versions(owner->id.value);
  for (uint32_t p = first; p < last; ++p)
    if (term.range.contains(plugins[p].manifest().version)) return true;
  return false;
}

// Any unit of that name, whatever its variables stand for.
uint32_t Model::choice_of_units(const std::string &name, std::initializer_list<UnitKind> kinds) {
  Choice choice;
  for (uint32_t p = 0; p < plugins.size(); ++p)
    for (uint32_t i = 0; i < plugins[p].manifest().units.size(); ++i) {
      const Unit &unit = plugins[p].manifest().units[i];
      if (unit.name != name || std::find(kinds.begin(), kinds.end(), unit.kind) == kinds.end()) continue;
      add_instances_of(p, i, {}, [&](uint32_t instance) { choice.options.push_back({instance}); });
    }
  choices.push_back(std::move(choice));
  return static_cast<uint32_t>(choices.size() - 1);
}

uint32_t Model::choice_of(RequirementId asked) {
  if (choice_ids_.size() <= asked) choice_ids_.resize(asked + 1, kNone);
  if (choice_ids_[asked] != kNone) return choice_ids_[asked];
  uint32_t const id = choice_ids_[asked] = static_cast<uint32_t>(choices.size());
  choices.emplace_back();
  Choice choice;
  for (TermId term : terms.alternatives(asked)) {
    const VersionRange &range = terms.term(term).range;
    if (range.comparators.empty()) continue;
    choice.ranged = true;
    if (!terms.declared(term)) continue;
    auto const [first, last] = versions(terms.declared(term)->owner->id.value); // one may have to be in
    for (uint32_t p = first; p < last; ++p)
      if (range.contains(plugins[p].manifest().version)) plugins[p].used = true;
  }
  for (TermId term : terms.alternatives(asked)) {
    add_options(term, true, choice.options);
    if (choice.ranged) add_options(term, false, choice.loose);
  }
  sort_unique(choice.options);
  sort_unique(choice.loose);
  choices[id] = std::move(choice);
  return id;
}

void Model::add_options(TermId asked, bool with_range, std::vector<LineOption> &options) {
  if (!terms.sound(asked, Vocabulary::Use::asked)) return;
  const Term &term = terms.term(asked);
  bool const state = terms.is_state(asked);
  TermId last = kNone; // the versions of a plugin provide the same one after another
  std::optional<Openings> openings;
  for (const Provider &provider : providers(asked)) {
    if (provider.term != last) openings = match(term, terms.term(last = provider.term));
    if (!openings || is_absent(provider, asked) || (with_range && !leaves_range_open(provider, asked))) continue;
    std::optional<uint32_t> const range = with_range ? range_of(asked, provider.plugin) : kNone;
    if (!range) continue;
    add_instances_of(provider.plugin, provider.unit_index, *openings, [&](uint32_t instance) {
      options.push_back({instance, *range, state});
    });
  }
}

const Domains &Model::domains() {
  if (domains_) return *domains_;
  std::vector<const Requirement *> asked;
  for (const Need &need : request.needs) asked.push_back(&need.requirement);
  domains_ = std::make_unique<Domains>(vocabulary, universe.plugins, asked);
  return *domains_;
}

std::span<const uint32_t> Model::instances_of(uint32_t plugin, uint32_t unit_index) const {
  uint32_t const at = plugins[plugin].first_unit + unit_index;
  if (plain_[at] != kNone) return {&plain_[at], 1};
  auto found = instances_of_.find(at);
  return found == instances_of_.end() ? std::span<const uint32_t>() : found->second.list;
}

std::optional<uint32_t> Model::range_of(TermId asked, uint32_t provider_plugin) {
  const Term &term = terms.term(asked);
  if (term.range.comparators.empty()) return kNone;
  const Manifest *owner = terms.declared(asked)->owner;
  if (owner == universe.sdk || owner->id.value == id_of(provider_plugin)) return kNone; // serves() saw to it
  auto [found, fresh] = range_ids_.try_emplace(asked, kNone);
  if (fresh) {
    OwnerRange range{intern(owner->id.value), {}};
    auto const [first, last] = versions(owner->id.value);
    for (uint32_t p = first; p < last; ++p)
      if (term.range.contains(plugins[p].manifest().version)) range.plugins.push_back(p);
    for (uint32_t i = 0; i < ranges.size() && found->second == kNone; ++i)
      if (ranges[i].id == range.id && ranges[i].plugins == range.plugins) found->second = i;
    if (found->second == kNone && !range.plugins.empty()) {
      found->second = static_cast<uint32_t>(ranges.size());
      ranges.push_back(std::move(range));
    }
  }
  if (found->second == kNone) return std::nullopt;
  return found->second;
}

void Model::add_clashes() {
  for (uint32_t i = 0; i < instances.size(); ++i)
    for (const Term &term : instances[i].unit->conflicts) add_term_clashes(i, term);
  for (uint32_t i = 0; i < instances.size(); ++i)
    for (const PluginWish &conflict : instances[i].unit->plugin_conflicts)
      add_plugin_clashes({false, i}, instances[i].plugin, intern(instances[i].unit->name.value), conflict);
  for (uint32_t p = 0; p < plugins.size(); ++p)
    for (const PluginWish &conflict : plugins[p].manifest().conflicts)
      if (plugins[p].used) add_plugin_clashes({true, p}, p, kNone, conflict);
  for (uint32_t p = 0; p < plugins.size(); ++p)
    for (uint32_t q = p + 1; q < plugins.size() && plugins[q].id == plugins[p].id; ++q)
      if (plugins[p].used && plugins[q].used)
        add_clash({true, p}, {true, q}, kNone, {Cause::Kind::one_version, kNone, kNone, plugins[p].id});
  std::vector<std::tuple<UnitKind, NameId, uint32_t>> named;
  for (uint32_t i = 0; i < instances.size(); ++i)
    named.emplace_back(instances[i].unit->kind, intern(instances[i].unit->name.value), i);
  std::sort(named.begin(), named.end());
  for (size_t a = 0; a < named.size(); ++a)
    for (size_t b = a + 1; b < named.size(); ++b) {
      auto const [kind, name, one] = named[a];
      auto const [other_kind, other_name, other] = named[b];
      if (other_kind != kind || other_name != name) break;
      if (plugins[instances[one].plugin].id != plugins[instances[other].plugin].id)
        add_clash({false, one}, {false, other}, kNone, {Cause::Kind::same_name, kNone, kNone, name});
    }
}

void Model::add_term_clashes(uint32_t instance, const Term &raw) {
  const Instance &who = instances[instance];
  TermId const said = terms.intern(raw);
  TermId const asked = terms.has_variables(said) ? terms.intern(instantiate(raw, who.binding)) : said;
  const Term &term = terms.term(asked);
  for (const Provider &provider : providers(asked)) {
    if (provider.verifies || (provider.plugin == who.plugin && provider.unit_index == who.unit_index)) continue;
    std::span<const uint32_t> const others = instances_of(provider.plugin, provider.unit_index);
    if (others.empty() || !serves(provider, asked, true)) continue;
    std::optional<uint32_t> const range = range_of(asked, provider.plugin);
    if (!range) continue;
    for (uint32_t other : others)
      if (match(term, instantiate(terms.term(provider.term), instances[other].binding)))
        add_clash({false, instance}, {false, other}, *range,
                  {Cause::Kind::conflict, plugins[who.plugin].id, intern(who.unit->name.value), said});
  }
}

void Model::add_plugin_clashes(Node who, uint32_t plugin, NameId unit, const PluginWish &conflict) {
  auto const [first, last] = versions(conflict.id);
  for (uint32_t p = first; p < last; ++p)
    if (plugins[p].used && plugins[p].id != plugins[plugin].id &&
        conflict.range.contains(plugins[p].manifest().version))
      add_clash(who, {true, p}, kNone,
                {Cause::Kind::plugin_conflict, plugins[plugin].id, unit, intern(wish_text(conflict))});
}

void Model::add_clash(Node a, Node b, uint32_t range, const Blame &blame) {
  clashes.push_back({claim_of(blame, kNone), a, b, range});
}

std::optional<uint32_t> Model::conflict_blame(const Instance &who, TermId said) const {
  auto const name = name_ids_.find(who.unit->name.value);
  if (name == name_ids_.end()) return std::nullopt;
  auto const found =
      blame_ids_.find({static_cast<uint32_t>(Cause::Kind::conflict), plugins[who.plugin].id, name->second, said});
  if (found == blame_ids_.end()) return std::nullopt;
  return found->second;
}

uint32_t Model::claim_of(const Blame &blamed, uint32_t choice) {
  auto [known, new_blame] =
      blame_ids_.try_emplace({static_cast<uint32_t>(blamed.kind), blamed.plugin, blamed.unit, blamed.subject},
                             static_cast<uint32_t>(blames.size()));
  if (new_blame) blames.push_back(blamed);
  Blame &blame = blames[known->second];
  for (uint32_t claim = blame.claim; claim != kNone; claim = claims[claim].next)
    if (claims[claim].choice == choice) return claim;
  claims.push_back({known->second, choice, blame.claim});
  return blame.claim = static_cast<uint32_t>(claims.size() - 1);
}

} // namespace htp
