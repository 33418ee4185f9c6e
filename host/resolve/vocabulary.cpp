#include "host/resolve/vocabulary.h"

#include "host/base/suggest.h"

#include <algorithm>
#include <tuple>

namespace htp {
namespace {

bool has_text(const Value &value) { return value.form == Value::Form::string || value.form == Value::Form::name; }

const ParameterDecl *parameter(const CapabilityDecl &capability, const std::string &name) {
  for (const ParameterDecl &p : capability.parameters)
    if (p.name == name) return &p;
  return nullptr;
}

std::string type_name(const ParameterDecl &p) {
  switch (p.type) {
  case ParameterDecl::Type::integer: return "an int";
  case ParameterDecl::Type::boolean: return "true or false";
  case ParameterDecl::Type::version: return "a version, quoted";
  case ParameterDecl::Type::string: return "a string";
  case ParameterDecl::Type::reference: return "the name of a " + std::string(unit_kind_name(p.reference));
  case ParameterDecl::Type::enumeration: break;
  }
  std::string text = "one of";
  for (const std::string &value : p.values) text += (&value == &p.values.front() ? " " : ", ") + value;
  return text;
}

bool fits(const ParameterDecl &p, const Value &value) {
  switch (p.type) {
  case ParameterDecl::Type::integer: return value.form == Value::Form::integer;
  case ParameterDecl::Type::boolean: return value.form == Value::Form::boolean;
  case ParameterDecl::Type::version: return value.form == Value::Form::string && Version::parse(value.text).has_value();
  case ParameterDecl::Type::enumeration:
    return has_text(value) && std::find(p.values.begin(), p.values.end(), value.text) != p.values.end();
  case ParameterDecl::Type::string:
  case ParameterDecl::Type::reference: break;
  }
  return has_text(value);
}

std::vector<std::string> suggest(std::string_view name, const std::vector<std::string> &candidates) {
  std::string_view const found = did_you_mean(name, candidates);
  if (found.empty()) return {};
  return {std::string(found)};
}

Value canonical_value(const ParameterDecl &p, Value value) {
  if (p.type == ParameterDecl::Type::version && value.form == Value::Form::string) {
    if (auto version = Version::parse(value.text)) {
      while (version->parts.size() > 1 && version->parts.back() == 0) version->parts.pop_back();
      value.text = version->text();
    }
    return value;
  }
  return has_text(value) ? Value::of_text(std::move(value.text)) : value;
}

} // namespace

std::vector<Candidate> canonical_order(std::vector<Candidate> plugins) {
  std::vector<Candidate *> order;
  order.reserve(plugins.size());
  for (Candidate &candidate : plugins) order.push_back(&candidate);
  std::stable_sort(order.begin(), order.end(), [](const Candidate *left, const Candidate *right) {
    const Candidate &a = *left, &b = *right;
    if (int const by_id = a.manifest->id.value.compare(b.manifest->id.value)) return by_id < 0;
    if (a.folder != b.folder) return a.folder < b.folder;
    if (a.manifest->version != b.manifest->version) return a.manifest->version > b.manifest->version;
    auto path = [](const Candidate &c) { return c.manifest->source ? std::string_view(c.manifest->source->path) : ""; };
    return std::tie(a.manifest->folder, a.rejected) != std::tie(b.manifest->folder, b.rejected)
               ? std::tie(a.manifest->folder, a.rejected) < std::tie(b.manifest->folder, b.rejected)
               : path(a) < path(b);
  });
  std::vector<Candidate> sorted;
  sorted.reserve(order.size());
  for (Candidate *candidate : order) sorted.push_back(std::move(*candidate));
  return sorted;
}

Vocabulary::Vocabulary(const Universe &universe) : candidates_(canonical_order(universe.plugins)) {
  declared_.reserve(candidates_.size());
  if (universe.sdk)
    for (const CapabilityDecl &c : universe.sdk->declares)
      declared_.try_emplace(c.name.value, Declared{universe.sdk, &c});
  // What a rejected plugin declares is known too, so that a use of it is told as what it is; others come first.
  for (bool rejected : {false, true})
    for (const Candidate &candidate : candidates_)
      if (candidate.rejected.empty() != rejected)
        for (const CapabilityDecl &c : candidate.manifest->declares)
          declared_.try_emplace(c.name.value, Declared{candidate.manifest, &c});
}

const Vocabulary::Declared *Vocabulary::find(const std::string &name) const {
  auto found = declared_.find(name);
  return found == declared_.end() ? nullptr : &found->second;
}
bool Vocabulary::is_state(const std::string &name) const {
  const Declared *declared = find(name);
  return declared && declared->capability->state;
}
bool Vocabulary::is_initial(const std::string &name) const {
  const Declared *declared = find(name);
  return declared && declared->capability->state && declared->capability->initial;
}
std::set<std::string> Vocabulary::states() const {
  std::set<std::string> names;
  for (const auto &[name, declared] : declared_)
    if (declared.capability->state) names.emplace(name);
  return names;
}
const std::set<std::string> &Vocabulary::units(UnitKind kind) const {
  if (units_.empty())
    for (const Candidate &candidate : candidates_)
      for (const Unit &unit : candidate.manifest->units) units_[unit.kind].insert(unit.name.value);
  return units_[kind];
}
std::vector<std::string> Vocabulary::names() const {
  std::vector<std::string> names;
  for (const auto &[name, declared] : declared_) names.emplace_back(name);
  std::sort(names.begin(), names.end());
  return names;
}

std::optional<Vocabulary::TermFault> Vocabulary::fault(const Term &term, Use use) const {
  const Declared *declared = find(term.name);
  if (!declared) return TermFault{Cause::Fault::undeclared, term.name, "", suggest(term.name, names())};
  for (const auto &[name, argument] : term.arguments) {
    const ParameterDecl *p = parameter(*declared->capability, name);
    if (!p) {
      std::vector<std::string> known;
      for (const ParameterDecl &each : declared->capability->parameters) known.push_back(each.name.value);
      return TermFault{Cause::Fault::unknown_parameter, name, "", suggest(name, known)};
    }
    for (const Value &value : argument.values) {
      if (!fits(*p, value))
        return TermFault{Cause::Fault::bad_value, value.spelling(), type_name(*p), suggest(value.text, p->values)};
      if (use != Use::asked || p->type != ParameterDecl::Type::reference || units(p->reference).contains(value.text))
        continue;
      std::vector<std::string> known(units(p->reference).begin(), units(p->reference).end());
      return TermFault{Cause::Fault::unknown_unit, value.text, std::string(unit_kind_name(p->reference)),
                       suggest(value.text, known)};
    }
  }
  if (use == Use::provided)
    for (const ParameterDecl &p : declared->capability->parameters)
      if (!term.arguments.contains(p.name.value))
        return TermFault{Cause::Fault::missing_parameter, p.name.value, type_name(p), {}};
  return std::nullopt;
}

Term Vocabulary::canonical(Term term) const {
  const Declared *declared = find(term.name);
  for (auto &[name, argument] : term.arguments) {
    const ParameterDecl *p = declared ? parameter(*declared->capability, name) : nullptr;
    for (Value &value : argument.values)
      if (p) value = canonical_value(*p, std::move(value));
    std::sort(argument.values.begin(), argument.values.end());
    argument.values.erase(std::unique(argument.values.begin(), argument.values.end()), argument.values.end());
  }
  return term;
}
Requirement Vocabulary::canonical(Requirement requirement) const {
  for (Term &term : requirement.alternatives) term = canonical(std::move(term));
  return requirement;
}

std::optional<Openings> match(const Term &asked, const Term &provided) {
  if (asked.name != provided.name) return std::nullopt;
  Openings openings;
  for (const auto &[name, have] : provided.arguments) {
    auto found = asked.arguments.find(name);
    const Argument *want =
        found == asked.arguments.end() || found->second.form != Argument::Form::values ? nullptr : &found->second;
    if (have.form == Argument::Form::variable) {
      auto &opening = openings[have.variable];
      if (!want) continue;
      if (!opening) {
        opening = want->values;
      } else {
        std::vector<Value> both;
        std::set_intersection(opening->begin(), opening->end(), want->values.begin(), want->values.end(),
                              std::back_inserter(both));
        opening = std::move(both);
      }
      if (opening->empty()) return std::nullopt;
    } else if (have.form == Argument::Form::values && want) {
      const std::vector<Value> &there = have.values;
      bool const common = std::any_of(want->values.begin(), want->values.end(), [&](const Value &value) {
        return std::binary_search(there.begin(), there.end(), value);
      });
      if (!common) return std::nullopt;
    }
  }
  return openings;
}

Term instantiate(Term term, const Binding &binding) {
  for (auto &[name, argument] : term.arguments) {
    if (argument.form != Argument::Form::variable) continue;
    if (auto found = binding.find(argument.variable); found != binding.end())
      argument = {Argument::Form::values, {found->second}, ""};
  }
  return term;
}
Requirement instantiate(Requirement requirement, const Binding &binding) {
  for (Term &term : requirement.alternatives) term = instantiate(std::move(term), binding);
  return requirement;
}

bool is_ground(const Term &term) {
  return std::all_of(term.arguments.begin(), term.arguments.end(), [](const auto &each) {
    return each.second.form == Argument::Form::values && each.second.values.size() == 1;
  });
}

std::string text_of(const Binding &binding) {
  std::string text;
  for (const auto &[variable, value] : binding) text += (text.empty() ? "" : ", ") + variable + "=" + value.spelling();
  return text;
}

Term plain(Term term) {
  for (auto &[name, argument] : term.arguments) {
    for (Value &value : argument.values)
      if (has_text(value)) value = Value::of_text(std::move(value.text));
    std::sort(argument.values.begin(), argument.values.end());
  }
  return term;
}
Requirement plain(Requirement requirement) {
  for (Term &term : requirement.alternatives) term = plain(std::move(term));
  return requirement;
}

Domains::Domains(const Vocabulary &vocabulary, const std::vector<Candidate> &plugins,
                 const std::vector<const Requirement *> &asked)
    : vocabulary_(vocabulary) {
  std::map<std::string, uint32_t> none;
  for (const Candidate &candidate : plugins) {
    if (!candidate.rejected.empty()) continue;
    for (const Unit &unit : candidate.manifest->units) {
      std::map<std::string, uint32_t> linked;
      each_term(unit, [&](const Term &term) { collect(term, linked); });
    }
  }
  for (const Requirement *requirement : asked)
    for (const Term &term : requirement->alternatives) collect(term, none);
  for (uint32_t i = 0; i < parent_.size(); ++i)
    if (root(i) != i) values_[root(i)].insert(values_[i].begin(), values_[i].end());
}

uint32_t Domains::position(const std::string &name, const std::string &parameter_name) {
  auto [found, fresh] = positions_.try_emplace({name, parameter_name}, static_cast<uint32_t>(parent_.size()));
  if (!fresh) return found->second;
  parent_.push_back(found->second);
  values_.emplace_back();
  if (const Vocabulary::Declared *declared = vocabulary_.find(name))
    if (const ParameterDecl *p = parameter(*declared->capability, parameter_name)) {
      if (p->type == ParameterDecl::Type::reference)
        for (const std::string &unit : vocabulary_.units(p->reference)) values_.back().insert(Value::of_text(unit));
      for (const std::string &value : p->values) values_.back().insert(Value::of_text(value));
    }
  return found->second;
}

uint32_t Domains::root(uint32_t position) const {
  while (parent_[position] != position) position = parent_[position];
  return position;
}

void Domains::collect(const Term &raw, std::map<std::string, uint32_t> &linked) {
  Term const term = vocabulary_.canonical(raw);
  for (const auto &[name, argument] : term.arguments) {
    uint32_t const here = position(term.name, name);
    values_[here].insert(argument.values.begin(), argument.values.end());
    if (argument.form != Argument::Form::variable) continue;
    auto [found, fresh] = linked.try_emplace(argument.variable, here);
    if (!fresh) parent_[root(here)] = root(found->second);
  }
}

std::vector<std::string> Domains::variables(const Unit &unit) const {
  std::set<std::string> names;
  each_term(unit, [&](const Term &term) {
    for (const auto &[name, argument] : term.arguments)
      if (argument.form == Argument::Form::variable) names.insert(argument.variable);
  });
  return {names.begin(), names.end()};
}

const std::set<Value> &Domains::of(const Unit &unit, const std::string &variable) const {
  static const std::set<Value> none;
  const std::set<Value> *values = &none;
  each_term(unit, [&](const Term &term) {
    for (const auto &[name, argument] : term.arguments)
      if (argument.form == Argument::Form::variable && argument.variable == variable)
        values = &values_[root(positions_.at({term.name, name}))];
  });
  return *values;
}

std::optional<std::vector<Binding>> Domains::bindings(const Unit &unit, const Openings &openings, size_t limit) const {
  std::vector<Binding> all{{}};
  for (const std::string &variable : variables(unit)) {
    auto found = openings.find(variable);
    std::vector<Value> values;
    if (found != openings.end() && found->second) {
      values = *found->second;
    } else {
      const std::set<Value> &domain = of(unit, variable);
      values.assign(domain.begin(), domain.end());
    }
    if (values.empty()) continue; // nothing stands there anywhere, so nothing can be asked of it
    if (all.size() * values.size() > limit) return std::nullopt;
    std::vector<Binding> next;
    for (const Binding &binding : all)
      for (const Value &value : values) {
        next.push_back(binding);
        next.back().emplace(variable, value);
      }
    all = std::move(next);
  }
  return all;
}

} // namespace htp
