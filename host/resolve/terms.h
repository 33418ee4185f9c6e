// host/resolve/terms.h — capability terms and requirements by number: each is checked, brought into its one spelling
// and looked at for variables once, however often it stands somewhere.
#pragma once

#include "host/resolve/vocabulary.h"

#include <deque>
#include <memory_resource>
#include <unordered_map>

namespace htp {

using TermId = uint32_t;
using RequirementId = uint32_t; // two that are spelled alike have one

class Terms {
public:
  explicit Terms(const Vocabulary &vocabulary);

  // What is not moved in outlives this.
  TermId intern(const Term &term);
  TermId intern(Term &&term);
  RequirementId intern(const Requirement &requirement);
  RequirementId intern(Requirement &&requirement);

  const Term &term(TermId id) const { return *terms_[id].term; } // canonical
  const Vocabulary::Declared *declared(TermId id) const { return terms_[id].declared; }
  bool is_state(TermId id) const { return terms_[id].declared && terms_[id].declared->capability->state; }
  bool has_variables(TermId id) const { return terms_[id].variables; }
  uint32_t name(TermId id) const { return terms_[id].name; } // two terms of one capability have the same
  bool sound(TermId id, Vocabulary::Use use);                // nothing is wrong with it

  const std::vector<TermId> &alternatives(RequirementId id) const { return requirements_[id]; }
  Requirement requirement(RequirementId id) const;
  std::string text(RequirementId id) const { return requirement(id).text(); }

private:
  struct Name {
    const Vocabulary::Declared *declared = nullptr;
    TermId alone = UINT32_MAX; // the term that is this name
  };
  struct Known {
    const Term *term = nullptr;
    const Vocabulary::Declared *declared = nullptr;
    uint32_t name = 0;
    RequirementId alone = UINT32_MAX; // the requirement that is this term
    bool variables = false;
    signed char sound[3] = {0, 0, 0}; // by use; 0: not looked at yet
  };
  std::optional<TermId> find(const Term &term); // leaves its spelling in `key_`
  TermId add(const Term &lasting);
  TermId add_known(uint32_t name, const Term &canonical);
  template <class Requirement_> RequirementId intern_alternatives(Requirement_ &&requirement);

  const Vocabulary &vocabulary_;
  std::pmr::monotonic_buffer_resource memory_; // of the tables: what is made is kept until the end
  std::vector<Known> terms_;
  std::deque<Term> own_;
  std::deque<std::vector<TermId>> requirements_;
  std::pmr::unordered_map<std::pmr::string, TermId> by_spelling_{&memory_}, by_text_{&memory_};
  std::map<std::vector<TermId>, RequirementId> by_alternatives_; // of several
  std::vector<Name> names_;
  std::pmr::unordered_map<std::string_view, uint32_t> name_ids_{&memory_};
  std::pmr::string key_;
};

} // namespace htp
