// tests/resolve/oracle.h — an independent answer to what the resolver answers: every set of plugins and units is looked
// at, and each is judged by the words of host/resolve/resolve.h alone. Variables range over a and b. Shares nothing
// with host/resolve but its types.
#pragma once

#include "host/resolve/resolve.h"

#include <functional>
#include <optional>

namespace htp::test {

class Oracle {
public:
  // What can be blamed, by the texts of a Cause.
  struct Line {
    Cause::Kind kind;
    std::string plugin, unit, subject;
  };
  using Enabled = std::function<bool(const Line &)>;

  Oracle(const Universe &universe, const Request &request);

  struct Instance {
    uint32_t plugin, unit; // in candidates(), in its manifest
    Binding binding;
  };
  // Bits: plugins first, then instances.
  using Set = uint64_t;

  size_t size() const { return plugins_.size() + instances_.size(); } // bits
  bool solvable(const Enabled &enabled) const;
  struct Answer {
    Set set;
    std::vector<std::pair<uint32_t, uint32_t>> granted; // instance, want
  };
  std::optional<Answer> preferred() const;
  // Is there a solution that is a part of `answer`, and not the whole?
  bool smaller(const Answer &answer) const;

  std::string text(Set set) const;                      // of its plugins and instances
  std::string text(const Resolution &resolution) const; // the same of a resolution's, without what came along
  bool is_static_met(const Resolution &resolution, const Unit &unit) const;

private:
  using Grants = std::vector<std::pair<uint32_t, uint32_t>>;
  // One alternative: any of the providers, with any of the owners where a range asks for one.
  struct Asked {
    bool state = false;
    Set providers = 0, owners = 0;
    bool ranged = false;
  };
  using Any = std::vector<Asked>;
  struct Rule {
    Line line;
    uint32_t instance = kRequest; // whose it is
    Any any;                      // what must be met …
    Set together = 0, owners = 0; // … or else what may not all be in, with an owner where there are any
    static constexpr uint32_t kRequest = UINT32_MAX;
  };
  Set bit(uint32_t instance) const { return Set{1} << (plugins_.size() + instance); }
  const Unit &unit(const Instance &instance) const { return plugins_[instance.plugin].manifest->units[instance.unit]; }
  const Manifest &manifest(uint32_t plugin) const { return *plugins_[plugin].manifest; }
  const CapabilityDecl *declaration(const std::string &name, const Manifest **owner) const;
  Term ground(Term term, const Binding &binding) const;
  bool covers(const Term &asked, const Term &provided) const;
  bool provides(uint32_t instance, const Term &asked) const;
  Any compile(const Term &asked) const;
  Any compile(const Requirement &requirement, const Binding &binding) const;
  void find_rules();
  void find_clashes();
  static bool met(const Any &any, Set set, Set fired);
  bool solution(Set set, const std::vector<const Rule *> &rules) const;
  std::vector<const Rule *> rules(const Enabled &enabled, const Grants &grants) const;
  void each(const std::function<bool(Set)> &use) const; // until it returns true
  std::optional<Set> best(const Grants &grants, Set without = 0) const;

  const Universe &universe_;
  const Request &request_;
  std::vector<Candidate> plugins_;
  std::vector<Instance> instances_;
  std::vector<Rule> rules_;
  std::map<std::pair<uint32_t, uint32_t>, Rule> wants_;
  std::vector<uint32_t> order_; // bits, those to leave out first
};

} // namespace htp::test
