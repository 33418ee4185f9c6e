#include "host/resolve/terms.h"

#include <algorithm>

namespace htp {
namespace {

// All but the name as it is spelled; terms that mean the same may differ in it.
void spell(uint32_t name, const Term &term, std::pmr::string &key) {
  key.assign(reinterpret_cast<const char *>(&name), sizeof name);
  for (const auto &[parameter, argument] : term.arguments) {
    key += '\1';
    key += parameter;
    key += static_cast<char>('\2' + static_cast<char>(argument.form));
    key += argument.variable;
    for (const Value &value : argument.values) {
      key += static_cast<char>('\2' + static_cast<char>(value.form));
      if (value.form == Value::Form::integer) key += std::to_string(value.integer);
      if (value.form == Value::Form::boolean) key += value.boolean ? 't' : 'f';
      if (value.text.empty()) continue;
      key += std::to_string(value.text.size());
      key += ':';
      key += value.text;
    }
  }
  for (const Comparator &comparator : term.range.comparators) {
    key += comparator_spelling(comparator.op);
    for (uint32_t part : comparator.version.parts) key += std::to_string(part) += '.';
  }
}

bool is_name_alone(const Term &term) { return term.arguments.empty() && term.range.comparators.empty(); }

} // namespace

Terms::Terms(const Vocabulary &vocabulary) : vocabulary_(vocabulary) {
  size_t const size = vocabulary.candidates().size();
  by_spelling_.reserve(2 * size);
  name_ids_.reserve(size);
  terms_.reserve(2 * size);
}

std::optional<TermId> Terms::find(const Term &term) {
  auto const name = name_ids_.find(term.name);
  if (name == name_ids_.end()) return std::nullopt;
  if (is_name_alone(term)) {
    TermId const alone = names_[name->second].alone;
    return alone == UINT32_MAX ? std::nullopt : std::optional(alone);
  }
  spell(name->second, term, key_);
  auto const found = by_spelling_.find(key_);
  return found == by_spelling_.end() ? std::nullopt : std::optional(found->second);
}

TermId Terms::add_known(uint32_t name, const Term &canonical) {
  bool const variables = std::any_of(canonical.arguments.begin(), canonical.arguments.end(),
                                     [](const auto &each) { return each.second.form == Argument::Form::variable; });
  terms_.push_back({&canonical, names_[name].declared, name, UINT32_MAX, variables});
  return static_cast<TermId>(terms_.size() - 1);
}

TermId Terms::add(const Term &term) {
  auto const [at, fresh] = name_ids_.try_emplace(term.name, static_cast<uint32_t>(names_.size()));
  uint32_t const name = at->second;
  if (fresh) names_.push_back({vocabulary_.find(term.name)});
  if (is_name_alone(term)) return names_[name].alone = add_known(name, term);
  spell(name, term, key_);
  if (term.arguments.empty()) return by_spelling_.emplace(key_, add_known(name, term)).first->second;
  Term canonical = vocabulary_.canonical(term);
  auto const [known, first] = by_text_.try_emplace(std::pmr::string(canonical.text()), UINT32_MAX);
  if (first) known->second = add_known(name, own_.emplace_back(std::move(canonical)));
  return by_spelling_.emplace(key_, known->second).first->second;
}

TermId Terms::intern(const Term &term) {
  auto const known = find(term);
  return known ? *known : add(term);
}
TermId Terms::intern(Term &&term) {
  auto const known = find(term);
  return known ? *known : add(own_.emplace_back(std::move(term)));
}

template <class Requirement_> RequirementId Terms::intern_alternatives(Requirement_ &&requirement) {
  auto intern_one = [&](auto &term) {
    if constexpr (std::is_lvalue_reference_v<Requirement_>)
      return intern(term);
    else
      return intern(std::move(term));
  };
  if (requirement.alternatives.size() == 1) {
    TermId const term = intern_one(requirement.alternatives.front());
    RequirementId &alone = terms_[term].alone;
    if (alone != UINT32_MAX) return alone;
    alone = static_cast<RequirementId>(requirements_.size());
    requirements_.push_back({term});
    return alone;
  }
  std::vector<TermId> alternatives;
  for (auto &term : requirement.alternatives) alternatives.push_back(intern_one(term));
  auto [found, fresh] = by_alternatives_.try_emplace(alternatives, static_cast<RequirementId>(requirements_.size()));
  if (fresh) requirements_.push_back(std::move(alternatives));
  return found->second;
}

RequirementId Terms::intern(const Requirement &requirement) { return intern_alternatives(requirement); }
RequirementId Terms::intern(Requirement &&requirement) { return intern_alternatives(std::move(requirement)); }

Requirement Terms::requirement(RequirementId id) const {
  Requirement requirement;
  for (TermId alternative : requirements_[id]) requirement.alternatives.push_back(*terms_[alternative].term);
  return requirement;
}

bool Terms::sound(TermId id, Vocabulary::Use use) {
  signed char &known = terms_[id].sound[static_cast<size_t>(use)];
  if (known == 0) known = vocabulary_.fault(*terms_[id].term, use) ? -1 : 1;
  return known > 0;
}

} // namespace htp
