#include "tests/resolve/oracle.h"

#include <algorithm>
#include <tuple>

namespace htp::test {
namespace {

std::vector<std::string> variables(const Unit &unit) {
  std::set<std::string> names;
  auto look = [&](const Term &term) {
    for (const auto &[name, argument] : term.arguments)
      if (argument.form == Argument::Form::variable) names.insert(argument.variable);
  };
  for (const auto *list : {&unit.requires_, &unit.wants, &unit.contract})
    for (const Requirement &requirement : *list)
      for (const Term &term : requirement.alternatives) look(term);
  for (const auto *list : {&unit.provides, &unit.invalidates, &unit.conflicts, &unit.verifies})
    for (const Term &term : *list) look(term);
  return {names.begin(), names.end()};
}

Value word(const char *text) { return {Value::Form::name, 0, false, text}; }

std::string wish_text(const PluginWish &wish) {
  return wish.range.comparators.empty() ? wish.id : wish.id + "@" + wish.range.text();
}

} // namespace

Oracle::Oracle(const Universe &universe, const Request &request) : universe_(universe), request_(request) {
  for (const Candidate &candidate : universe.plugins)
    if (candidate.rejected.empty()) plugins_.push_back(candidate);
  std::sort(plugins_.begin(), plugins_.end(), [](const Candidate &a, const Candidate &b) {
    if (a.manifest->id.value != b.manifest->id.value) return a.manifest->id.value < b.manifest->id.value;
    if (a.folder != b.folder) return a.folder < b.folder;
    return a.manifest->version > b.manifest->version;
  });
  for (uint32_t p = 0; p < plugins_.size(); ++p)
    for (uint32_t u = 0; u < manifest(p).units.size(); ++u) {
      std::vector<Binding> bindings{{}};
      for (const std::string &variable : variables(manifest(p).units[u])) {
        std::vector<Binding> next;
        for (const Binding &binding : bindings)
          for (const char *value : {"a", "b"}) {
            next.push_back(binding);
            next.back().emplace(variable, word(value));
          }
        bindings = next;
      }
      for (const Binding &binding : bindings) instances_.push_back({p, u, binding});
    }

  std::vector<uint32_t> plugin_order(plugins_.size()), instance_order(instances_.size());
  for (uint32_t i = 0; i < plugins_.size(); ++i) plugin_order[i] = i;
  for (uint32_t i = 0; i < instances_.size(); ++i) instance_order[i] = i;
  auto preferred = [&](uint32_t p) {
    auto found = request.prefer.find(manifest(p).id.value);
    return found != request.prefer.end() && found->second == manifest(p).version;
  };
  auto newer = [&](uint32_t p) { // versions of the same plugin that are newer
    std::set<Version> versions;
    for (const Candidate &other : plugins_)
      if (other.manifest->id.value == manifest(p).id.value && other.manifest->version > manifest(p).version)
        versions.insert(other.manifest->version);
    return versions.size();
  };
  std::sort(plugin_order.begin(), plugin_order.end(), [&](uint32_t a, uint32_t b) {
    if (preferred(a) != preferred(b)) return preferred(b);
    if (plugins_[a].folder != plugins_[b].folder) return plugins_[a].folder > plugins_[b].folder;
    if (newer(a) != newer(b)) return newer(a) > newer(b);
    if (manifest(a).id.value != manifest(b).id.value) return manifest(a).id.value > manifest(b).id.value;
    return a > b;
  });
  std::sort(instance_order.begin(), instance_order.end(), [&](uint32_t a, uint32_t b) {
    const Instance &left = instances_[a], &right = instances_[b];
    if (left.plugin != right.plugin) return left.plugin > right.plugin;
    if (unit(left).name.value != unit(right).name.value) return unit(left).name.value > unit(right).name.value;
    if (left.unit != right.unit) return left.unit > right.unit;
    return left.binding > right.binding;
  });
  order_ = plugin_order;
  for (uint32_t i : instance_order) order_.push_back(static_cast<uint32_t>(plugins_.size()) + i);
  find_rules();
  find_clashes();
}

const CapabilityDecl *Oracle::declaration(const std::string &name, const Manifest **owner) const {
  for (const CapabilityDecl &each : universe_.sdk->declares)
    if (each.name == name) return *owner = universe_.sdk, &each;
  for (const Candidate &candidate : universe_.plugins)
    for (const CapabilityDecl &each : candidate.manifest->declares)
      if (each.name == name) return *owner = candidate.manifest, &each;
  return nullptr;
}

Term Oracle::ground(Term term, const Binding &binding) const {
  for (auto &[name, argument] : term.arguments)
    if (argument.form == Argument::Form::variable)
      argument = {Argument::Form::values, {binding.at(argument.variable)}, ""};
  return term;
}

bool Oracle::covers(const Term &asked, const Term &provided) const {
  const Manifest *owner = nullptr;
  const CapabilityDecl *known = declaration(asked.name, &owner);
  if (asked.name != provided.name || !known) return false;
  for (const auto &[name, argument] : asked.arguments)
    if (std::none_of(known->parameters.begin(), known->parameters.end(),
                     [&name = name](const auto &p) { return p.name == name; }))
      return false;
  for (const ParameterDecl &p : known->parameters) {
    auto want = asked.arguments.find(p.name.value), have = provided.arguments.find(p.name.value);
    if (want == asked.arguments.end() || want->second.form == Argument::Form::any) continue;
    if (have == provided.arguments.end() || have->second.form == Argument::Form::any) continue;
    bool common = false;
    for (const Value &a : want->second.values)
      for (const Value &b : have->second.values) common = common || a == b;
    if (!common) return false;
  }
  return true;
}

bool Oracle::provides(uint32_t i, const Term &asked) const {
  const Unit &who = unit(instances_[i]);
  for (const Term &provided : who.provides)
    if (covers(asked, ground(provided, instances_[i].binding))) return true;
  const Manifest *owner = nullptr;
  const CapabilityDecl *known = declaration(asked.name, &owner);
  if (!known || !known->initial || request_.absent.contains(asked.text())) return false;
  for (const Term &verified : who.verifies)
    if (covers(asked, ground(verified, instances_[i].binding))) return true;
  return false;
}

// Two ways: from a version of the owner itself, which must be in the range, or from another plugin, with such an owner
// beside it.
Oracle::Any Oracle::compile(const Term &asked) const {
  Asked own, others;
  const Manifest *owner = nullptr;
  const CapabilityDecl *known = declaration(asked.name, &owner);
  if (!known) return {};
  own.state = others.state = known->state;
  others.ranged = !asked.range.comparators.empty() && owner != universe_.sdk;
  for (uint32_t p = 0; p < plugins_.size(); ++p)
    if (manifest(p).id.value == owner->id.value && asked.range.contains(manifest(p).version))
      others.owners |= Set{1} << p;
  for (uint32_t i = 0; i < instances_.size(); ++i) {
    if (!provides(i, asked)) continue;
    const Manifest &provider = manifest(instances_[i].plugin);
    if (provider.id.value != owner->id.value) {
      if (owner != universe_.sdk || asked.range.contains(owner->version)) others.providers |= bit(i);
    } else if (asked.range.contains(provider.version)) {
      own.providers |= bit(i);
    }
  }
  return {own, others};
}

Oracle::Any Oracle::compile(const Requirement &requirement, const Binding &binding) const {
  Any any;
  for (const Term &alternative : requirement.alternatives)
    for (const Asked &asked : compile(ground(alternative, binding))) any.push_back(asked);
  return any;
}

void Oracle::find_rules() {
  auto add = [&](Line line, uint32_t instance, Any any) {
    rules_.push_back({std::move(line), instance, std::move(any), 0, 0});
  };
  if (!request_.target.value.empty()) {
    Asked backends;
    for (uint32_t i = 0; i < instances_.size(); ++i)
      if (unit(instances_[i]).kind == UnitKind::backend && unit(instances_[i]).name == request_.target.value)
        backends.providers |= bit(i);
    add({Cause::Kind::target, "", "", request_.target.value}, Rule::kRequest, {backends});
  }
  auto named = [&](const std::string &name, auto kinds) {
    Asked units;
    for (uint32_t i = 0; i < instances_.size(); ++i)
      if (kinds(unit(instances_[i]).kind) && unit(instances_[i]).name == name) units.providers |= bit(i);
    return units;
  };
  if (!request_.pipeline.value.empty())
    add({Cause::Kind::pipeline, "", "", request_.pipeline.value}, Rule::kRequest,
        {named(request_.pipeline.value, [](UnitKind kind) { return kind == UnitKind::pipeline; })});
  for (const PluginWish &wish : request_.wishes) {
    Asked versions;
    for (uint32_t p = 0; p < plugins_.size(); ++p)
      if (manifest(p).id == wish.id && wish.range.contains(manifest(p).version)) versions.providers |= Set{1} << p;
    add({Cause::Kind::wish, "", "", wish_text(wish)}, Rule::kRequest, {versions});
  }
  for (const Need &need : request_.needs)
    add({Cause::Kind::need, "", "", need.requirement.text()}, Rule::kRequest, compile(need.requirement, {}));
  for (uint32_t i = 0; i < instances_.size(); ++i) {
    const Unit &who = unit(instances_[i]);
    const std::string &id = manifest(instances_[i].plugin).id.value;
    for (const Requirement &r : who.requires_)
      add({Cause::Kind::requirement, id, who.name.value, r.text()}, i, compile(r, instances_[i].binding));
    for (const Requirement &r : who.contract)
      add({Cause::Kind::contract, id, who.name.value, r.text()}, i, compile(r, instances_[i].binding));
    for (const Text &step : who.passes)
      add({Cause::Kind::step, id, who.name.value, step.value}, i,
          {named(step.value, [](UnitKind kind) { return kind == UnitKind::pass || kind == UnitKind::island; })});
    for (uint32_t w = 0; w < who.wants.size(); ++w)
      wants_[{i, w}] = {
          {Cause::Kind::requirement, id, who.name.value, ""}, i, compile(who.wants[w], instances_[i].binding), 0, 0};
  }
}

void Oracle::find_clashes() {
  auto add = [&](Line line, Set a, Set b, Set owners) {
    rules_.push_back({std::move(line), Rule::kRequest, {}, a | b, owners});
  };
  auto against_plugin = [&](uint32_t p, const std::string &name, Set who, const PluginWish &conflict) {
    for (uint32_t q = 0; q < plugins_.size(); ++q)
      if (manifest(q).id.value == conflict.id && manifest(p).id.value != conflict.id &&
          conflict.range.contains(manifest(q).version))
        add({Cause::Kind::plugin_conflict, manifest(p).id.value, name, wish_text(conflict)}, who, Set{1} << q, 0);
  };
  for (uint32_t p = 0; p < plugins_.size(); ++p) {
    for (uint32_t q = p + 1; q < plugins_.size(); ++q)
      if (manifest(p).id.value == manifest(q).id.value)
        add({Cause::Kind::one_version, "", "", manifest(p).id.value}, Set{1} << p, Set{1} << q, 0);
    for (const PluginWish &conflict : manifest(p).conflicts) against_plugin(p, "", Set{1} << p, conflict);
  }
  for (uint32_t i = 0; i < instances_.size(); ++i) {
    const Instance &left = instances_[i];
    const Unit &who = unit(left);
    for (const PluginWish &conflict : who.plugin_conflicts)
      against_plugin(left.plugin, who.name.value, bit(i), conflict);
    for (uint32_t j = 0; j < instances_.size(); ++j) {
      const Instance &right = instances_[j];
      if (left.plugin == right.plugin && left.unit == right.unit) continue;
      if (manifest(left.plugin).id.value != manifest(right.plugin).id.value && who.kind == unit(right).kind &&
          who.name.value == unit(right).name.value)
        add({Cause::Kind::same_name, "", "", who.name.value}, bit(i), bit(j), 0);
      for (const Term &conflict : who.conflicts) {
        Term const asked = ground(conflict, left.binding);
        for (const Asked &way : compile(asked)) {
          bool clash = false;
          for (const Term &provided : unit(right).provides)
            clash = clash || covers(asked, ground(provided, right.binding));
          if (!clash || !(way.providers & bit(j)) || (way.ranged && !way.owners)) continue;
          add({Cause::Kind::conflict, manifest(left.plugin).id.value, who.name.value, conflict.text()}, bit(i), bit(j),
              way.ranged ? way.owners : 0);
        }
      }
    }
  }
}

bool Oracle::met(const Any &any, Set set, Set fired) {
  return std::any_of(any.begin(), any.end(), [&](const Asked &asked) {
    return (asked.providers & (asked.state ? fired : set)) && (!asked.ranged || (asked.owners & set));
  });
}

// Fires what can, from nothing upwards; what is in and never fires has a requirement that is not met, or only in a
// circle.
bool Oracle::solution(Set set, const std::vector<const Rule *> &rules) const {
  Set fired = 0;
  for (const Rule *rule : rules) {
    if (rule->together) {
      if ((set & rule->together) == rule->together && (!rule->owners || (set & rule->owners))) return false;
    } else if (rule->instance == Rule::kRequest || (set & bit(rule->instance))) {
      if (!met(rule->any, set, set)) return false;
    }
  }
  for (uint32_t i = 0; i < instances_.size(); ++i) fired |= set & bit(i);
  Set const all = fired;
  fired = 0;
  for (Set before = 1; before != fired;) {
    before = fired;
    Set waiting = 0;
    for (const Rule *rule : rules)
      if (rule->instance != Rule::kRequest && !met(rule->any, set, before)) waiting |= bit(rule->instance);
    fired = all & ~waiting;
  }
  return fired == all;
}

std::vector<const Oracle::Rule *> Oracle::rules(const Enabled &enabled, const Grants &grants) const {
  std::vector<const Rule *> list;
  for (const Rule &rule : rules_)
    if (enabled(rule.line)) list.push_back(&rule);
  for (const auto &grant : grants) list.push_back(&wants_.at(grant));
  return list;
}

void Oracle::each(const std::function<bool(Set)> &use) const {
  for (Set plugins = 0; plugins < Set{1} << plugins_.size(); ++plugins) {
    std::vector<uint32_t> bits;
    for (uint32_t i = 0; i < instances_.size(); ++i)
      if (plugins >> instances_[i].plugin & 1) bits.push_back(static_cast<uint32_t>(plugins_.size()) + i);
    for (Set part = 0; part < Set{1} << bits.size(); ++part) {
      Set set = plugins;
      for (size_t b = 0; b < bits.size(); ++b) set |= (part >> b & 1) << bits[b];
      if (use(set)) return;
    }
  }
}

bool Oracle::solvable(const Enabled &enabled) const {
  bool found = false;
  auto const list = rules(enabled, {});
  each([&](Set set) { return found = solution(set, list); });
  return found;
}

std::optional<Oracle::Set> Oracle::best(const Grants &grants, Set without) const {
  std::optional<Set> result;
  auto better = [&](Set a, Set b) {
    for (uint32_t bit : order_)
      if ((a >> bit & 1) != (b >> bit & 1)) return (b >> bit & 1) == 1;
    return false;
  };
  auto const list = rules([](const Line &) { return true; }, grants);
  each([&](Set set) {
    if (!(set & without) && (!result || better(set, *result)) && solution(set, list)) result = set;
    return false;
  });
  return result;
}

std::optional<Oracle::Answer> Oracle::preferred() const {
  Grants grants;
  std::optional<Set> set = best(grants);
  if (!set) return std::nullopt;
  // Plugins in other versions than are preferred, unless one is needed anyway: not for the sake of a want.
  Set moved = 0;
  for (const auto &[id, version] : request_.prefer) {
    Set other = 0;
    bool kept = false;
    for (uint32_t p = 0; p < plugins_.size(); ++p)
      if (manifest(p).id == id) manifest(p).version == version ? (void)(kept = true) : (void)(other |= Set{1} << p);
    if (kept && !(other & *set)) moved |= other;
  }
  std::set<std::pair<uint32_t, uint32_t>> tried;
  for (;;) {
    std::optional<std::pair<uint32_t, uint32_t>> next;
    for (uint32_t i = 0; i < instances_.size() && !next; ++i)
      for (uint32_t w = 0; w < unit(instances_[i]).wants.size() && !next; ++w)
        if ((*set & bit(i)) && !tried.contains({i, w})) next = {i, w};
    if (!next) return Answer{*set, grants};
    tried.insert(*next);
    grants.push_back(*next);
    std::optional<Set> const granted = best(grants, moved);
    if (granted && (*granted & bit(next->first)))
      set = granted;
    else
      grants.pop_back();
  }
}

bool Oracle::smaller(const Answer &answer) const {
  bool found = false;
  auto const list = rules([](const Line &) { return true; }, answer.granted);
  each([&](Set set) { return found = set != answer.set && (set & answer.set) == set && solution(set, list); });
  return found;
}

std::string Oracle::text(Set set) const {
  std::string out;
  for (uint32_t p = 0; p < plugins_.size(); ++p)
    if (set >> p & 1)
      out += manifest(p).id.value + " " + manifest(p).version.text() + " " + std::to_string(plugins_[p].folder) + "\n";
  for (uint32_t i = 0; i < instances_.size(); ++i)
    if (set & bit(i)) {
      out += manifest(instances_[i].plugin).id.value + "/" + unit(instances_[i]).name.value;
      for (const auto &[variable, value] : instances_[i].binding) out += " " + variable + "=" + value.spelling();
      out += "\n";
    }
  return out;
}

std::string Oracle::text(const Resolution &resolution) const {
  std::string out;
  for (const ChosenPlugin &plugin : resolution.plugins)
    out +=
        plugin.manifest->id.value + " " + plugin.manifest->version.text() + " " + std::to_string(plugin.folder) + "\n";
  for (const ChosenUnit &chosen : resolution.units) {
    bool const along = chosen.reasons.size() == 1 && chosen.reasons.front().kind == Reason::Kind::along;
    if (along) continue;
    std::vector<Binding> bindings = chosen.instances;
    if (bindings.empty()) bindings.push_back({});
    for (const Binding &binding : bindings) {
      out += chosen.manifest->id.value + "/" + chosen.unit->name.value;
      for (const auto &[variable, value] : binding) out += " " + variable + "=" + value.spelling();
      out += "\n";
    }
  }
  return out;
}

bool Oracle::is_static_met(const Resolution &resolution, const Unit &who) const {
  std::vector<Binding> bindings{{}};
  for (const std::string &variable : variables(who)) {
    std::vector<Binding> next;
    for (const Binding &binding : bindings)
      for (const char *value : {"a", "b"}) {
        next.push_back(binding);
        next.back().emplace(variable, word(value));
      }
    bindings = next;
  }
  auto static_met = [&](const Requirement &requirement, const Binding &binding) {
    for (const Term &alternative : requirement.alternatives) {
      const Manifest *owner = nullptr;
      const CapabilityDecl *known = declaration(alternative.name, &owner);
      if (known && known->state) return true; // the planner's business
      Term const asked = ground(alternative, binding);
      for (const Term &there : resolution.installed)
        if (covers(asked, there)) return true;
    }
    return false;
  };
  return std::any_of(bindings.begin(), bindings.end(), [&](const Binding &binding) {
    return std::all_of(who.requires_.begin(), who.requires_.end(),
                       [&](const Requirement &r) { return static_met(r, binding); });
  });
}

} // namespace htp::test
