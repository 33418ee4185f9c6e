// host/resolve/vocabulary.h — the declared capabilities: checking, normalising and matching terms.
#pragma once

#include "host/resolve/resolve.h"

#include <memory_resource>
#include <optional>
#include <unordered_map>

namespace htp {

// All candidates in their canonical order: by id, folder, newest version, location. What input order there was is gone.
std::vector<Candidate> canonical_order(std::vector<Candidate> plugins);

class Vocabulary {
public:
  explicit Vocabulary(const Universe &universe);
  const std::vector<Candidate> &candidates() const { return candidates_; } // in canonical order

  struct Declared {
    const Manifest *owner;
    const CapabilityDecl *capability;
  };
  // The declaration of a name, by the newest version of its owner in the first folder.
  const Declared *find(const std::string &name) const;
  bool is_state(const std::string &name) const;
  bool is_initial(const std::string &name) const;
  std::set<std::string> states() const;
  const std::set<std::string> &units(UnitKind kind) const;
  std::vector<std::string> names() const;

  struct TermFault {
    Cause::Fault fault;
    std::string offender, expected;
    std::vector<std::string> suggestions;
  };
  enum class Use : uint8_t { asked, provided, mentioned };
  std::optional<TermFault> fault(const Term &term, Use use) const;

  // One spelling: strings that are names as names, versions without trailing zeros, values sorted.
  Term canonical(Term term) const;
  Requirement canonical(Requirement requirement) const;

private:
  std::vector<Candidate> candidates_;
  std::pmr::monotonic_buffer_resource memory_;
  std::pmr::unordered_map<std::string_view, Declared> declared_{&memory_};
  mutable std::map<UnitKind, std::set<std::string>> units_; // made when they are first asked for
};

// A variable of a provider and what the demand leaves it: no set means anything.
using Openings = std::map<std::string, std::optional<std::vector<Value>>>;

// How `provided` can serve `asked` (which has no variables left): its variables with the values left to them; nothing
// when it cannot. Ranges are not looked at.
std::optional<Openings> match(const Term &asked, const Term &provided);

Term instantiate(Term term, const Binding &binding);
Requirement instantiate(Requirement requirement, const Binding &binding);
bool is_ground(const Term &term);
// One spelling as far as it can be had without declarations: strings that are names as names, values sorted.
Term plain(Term term);
Requirement plain(Requirement requirement);
// Every term of a unit, whose variables it shares.
template <class Use> void each_term(const Unit &unit, Use use) {
  for (const auto *list : {&unit.requires_, &unit.wants, &unit.contract})
    for (const Requirement &requirement : *list)
      for (const Term &term : requirement.alternatives) use(term);
  for (const auto *list : {&unit.provides, &unit.invalidates, &unit.conflicts, &unit.verifies})
    for (const Term &term : *list) use(term);
}
std::string text_of(const Binding &binding); // "T=cpu"

// The variables of a unit, and the values each can have when nothing asks for one in particular: all that stand
// anywhere for the parameters it is linked with through the units of the universe.
class Domains {
public:
  Domains(const Vocabulary &vocabulary, const std::vector<Candidate> &plugins,
          const std::vector<const Requirement *> &asked);
  std::vector<std::string> variables(const Unit &unit) const;
  const std::set<Value> &of(const Unit &unit, const std::string &variable) const;
  // Every binding of the unit's variables that `openings` leaves, at most `limit`; nothing when there are more.
  std::optional<std::vector<Binding>> bindings(const Unit &unit, const Openings &openings, size_t limit) const;

private:
  uint32_t position(const std::string &name, const std::string &parameter);
  uint32_t root(uint32_t position) const;
  void collect(const Term &term, std::map<std::string, uint32_t> &linked);

  const Vocabulary &vocabulary_;
  std::map<std::pair<std::string, std::string>, uint32_t> positions_;
  std::vector<uint32_t> parent_;
  std::vector<std::set<Value>> values_;
};

} // namespace htp
