#include "host/resolve/terms.h"

#include <algorithm>

namespace htp {
namespace {

// As it is spelled; terms that mean the same may differ in it.
void spell(const Term &term, std::pmr::string &key) {
  key.assign(term.name);
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

} // namespace

Terms::Terms(const Vocabulary &vocabulary) : vocabulary_(vocabulary) {
  by_spelling_.reserve(4 * vocabulary.candidates().size());
}

TermId Terms::intern(const Term &term) {
  spell(term, key_);
  if (auto found = by_spelling_.find(key_); found != by_spelling_.end()) return found->second;
  TermId const id = static_cast<TermId>(terms_.size());
  Term canonical = vocabulary_.canonical(term);
  if (!term.arguments.empty()) { // without arguments there is one spelling
    auto [found, fresh] = by_text_.try_emplace(std::pmr::string(canonical.text()), id);
    if (!fresh) return by_spelling_.emplace(key_, found->second).first->second;
  }
  by_spelling_.emplace(key_, id);
  Known &known = terms_.emplace_back();
  known.term = std::move(canonical);
  known.declared = vocabulary_.find(term.name);
  known.variables = std::any_of(known.term.arguments.begin(), known.term.arguments.end(),
                                [](const auto &each) { return each.second.form == Argument::Form::variable; });
  known.name = names_.try_emplace(known.term.name, names_.size()).first->second;
  return id;
}

RequirementId Terms::intern(const Requirement &requirement) {
  if (requirement.alternatives.size() == 1) {
    TermId const term = intern(requirement.alternatives.front());
    RequirementId &alone = terms_[term].alone;
    if (alone != UINT32_MAX) return alone;
    alone = static_cast<RequirementId>(requirements_.size());
    requirements_.push_back({term});
    return alone;
  }
  std::vector<TermId> alternatives;
  for (const Term &term : requirement.alternatives) alternatives.push_back(intern(term));
  auto [found, fresh] = by_alternatives_.try_emplace(alternatives, static_cast<RequirementId>(requirements_.size()));
  if (fresh) requirements_.push_back(std::move(alternatives));
  return found->second;
}

Requirement Terms::requirement(RequirementId id) const {
  Requirement requirement;
  for (TermId alternative : requirements_[id]) requirement.alternatives.push_back(terms_[alternative].term);
  return requirement;
}

bool Terms::sound(TermId id, Vocabulary::Use use) {
  signed char &known = terms_[id].sound[static_cast<size_t>(use)];
  if (known == 0) known = vocabulary_.fault(terms_[id].term, use) ? -1 : 1;
  return known > 0;
}

} // namespace htp
