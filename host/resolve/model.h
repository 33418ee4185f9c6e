// host/resolve/model.h — the question as a finite one: instances of units, the lines they must meet and what can meet
// them. Everything typed is settled here; what is left is choosing. Nothing in it depends on the order of the input:
// plugins are numbered in canonical order, all else as it is met from the request on.
#pragma once

#include "host/resolve/terms.h"

#include <array>
#include <span>
#include <tuple>

namespace htp {

inline constexpr uint32_t kNone = UINT32_MAX;
using NameId = uint32_t;                       // of plugins, units, wishes
using UnitKey = std::pair<uint32_t, uint32_t>; // plugin, unit index

struct PluginNode {
  Candidate candidate;
  NameId id = 0;
  uint32_t rank = 0;       // 0: the newest version of its plugin
  uint32_t first_unit = 0; // units of all plugins in one row
  bool used = false;       // something of it can be asked for
  const Manifest &manifest() const { return *candidate.manifest; }
};

struct Instance {
  uint32_t plugin = 0, unit_index = 0;
  const Unit *unit = nullptr;
  Binding binding;
  uint32_t first_line = 0, line_count = 0;
};

// Plugins of one id, any of which must be in for a ranged term to hold.
struct OwnerRange {
  NameId id = 0;
  std::vector<uint32_t> plugins;
};

struct LineOption {
  uint32_t instance = 0;
  uint32_t range = kNone; // in Model::ranges
  bool state = false;     // the provider's own states come first
  friend auto operator<=>(const LineOption &, const LineOption &) = default;
};

// What can meet a line; lines that ask the same share one.
struct Choice {
  std::vector<LineOption> options;
  std::vector<uint32_t> plugins;       // of a wish
  std::vector<LineOption> loose;       // those that could if no range were asked, in place of `options`; else empty
  std::vector<uint32_t> loose_plugins; // the same of a wish
  bool ranged = false;                 // there is a range to relax
};

// Something that must be met when its instance is in (or always, when the request says it).
struct Line {
  Reason::Kind kind{};
  uint32_t instance = kNone;   // kNone: of the request
  uint32_t index = 0;          // of the wish, the need or the want
  RequirementId asked = kNone; // ground; kNone for target and wish
  const Span *span = nullptr;
  uint32_t claim = kNone; // kNone for a want: what is optional is never at fault
  uint32_t choice = 0;
};

// Two things that may not both be in (with one of `range`'s plugins, if any).
struct Node {
  bool plugin = false; // else an instance
  uint32_t index = 0;
};
struct Clash {
  uint32_t claim = 0;
  Node a, b;
  uint32_t range = kNone;
};

// What can be blamed: all lines of one plugin's unit with one text, in whatever version, are one cause. Of a unit with
// variables the lines of its instances ask different things, so they are different claims.
struct Blame {
  Cause::Kind kind{};
  NameId plugin = kNone, unit = kNone;
  uint32_t subject = kNone; // RequirementId, TermId of a conflict, else NameId
  uint32_t claim = kNone;   // the first; Claim::next has the others
};
struct Claim {
  uint32_t blame = 0, choice = kNone; // kNone: of clashes
  uint32_t next = kNone;
};

std::string wish_text(const PluginWish &wish); // "acme.spatial@>=1.2"

class Model {
public:
  Model(const Universe &universe, const Request &request);

  // A term that units can be asked for, and who provides it. A verifier provides the initial states it verifies.
  struct Provider {
    uint32_t plugin = 0, unit_index = 0;
    TermId term = 0;
    bool verifies = false;
  };
  const std::pmr::vector<Provider> &providers(TermId asked) const;
  const Unit &unit(const Provider &provider) const {
    return plugins[provider.plugin].manifest().units[provider.unit_index];
  }
  // Can it serve the term, and does the declaring plugin's version, where it is known, leave the term's range open?
  bool serves(const Provider &provider, TermId asked, bool with_range) const;
  // Who is blamed for a unit's line of `conflicts`, where it conflicts with anything.
  std::optional<uint32_t> conflict_blame(const Instance &who, TermId said) const;
  // Plugins of one id, from the first up to the one after the last.
  std::pair<uint32_t, uint32_t> versions(std::string_view id) const;

  const std::string &name(NameId id) const { return names_[id]; }
  std::string text(RequirementId id) const { return id == kNone ? "" : terms.text(id); }
  std::string subject(const Blame &blame) const;
  const Choice &choice(const Line &line) const { return choices[line.choice]; }
  const std::string &id_of(uint32_t plugin) const { return plugins[plugin].manifest().id.value; }

  const Universe &universe;
  const Request &request;
  mutable uint32_t conflicts; // that searches may still run into, all together
  Vocabulary vocabulary;
  mutable Terms terms;
  std::vector<PluginNode> plugins; // in canonical order, rejected ones left out
  std::vector<Candidate> rejected;
  std::vector<Instance> instances;
  std::vector<Choice> choices;
  std::vector<Line> lines;
  std::vector<Clash> clashes;
  std::vector<OwnerRange> ranges;
  std::vector<Blame> blames; // the request's first
  std::vector<Claim> claims;
  // Uses each claim of a blame.
  template <class Use> void each_claim(uint32_t blame, Use use) const {
    for (uint32_t claim = blames[blame].claim; claim != kNone; claim = claims[claim].next) use(claim);
  }
  std::set<UnitKey> too_generic; // units with more instances than can be looked at

private:
  void index_plugins();
  void index_providers();
  void add_request();
  void add_lines(uint32_t instance);
  void add_line(Line line, const Blame &blame);
  uint32_t choice_of(RequirementId asked);
  uint32_t choice_of_units(const std::string &name, std::initializer_list<UnitKind> kinds);
  bool is_absent(const Provider &provider, TermId asked) const;
  bool leaves_range_open(const Provider &provider, TermId asked) const;
  void add_options(TermId asked, bool with_range, std::vector<LineOption> &options);
  template <class Use> void add_instances_of(uint32_t plugin, uint32_t unit_index, const Openings &openings, Use use);
  std::span<const uint32_t> instances_of(uint32_t plugin, uint32_t unit_index) const;
  std::optional<uint32_t> range_of(TermId asked, uint32_t provider_plugin); // kNone: none needed; nothing: never
  const Domains &domains();
  void add_clashes();
  void add_term_clashes(uint32_t instance, const Term &raw);
  void add_plugin_clashes(Node who, uint32_t plugin, NameId unit, const PluginWish &conflict);
  void add_clash(Node a, Node b, uint32_t range, const Blame &blame);
  uint32_t claim_of(const Blame &blame, uint32_t choice);
  NameId intern(std::string_view name);

  std::pmr::monotonic_buffer_resource memory_; // of the tables
  std::unique_ptr<Domains> domains_;
  std::pmr::vector<std::pmr::vector<Provider>> providers_{&memory_}; // by Terms::name
  std::pmr::unordered_map<std::string_view, std::pair<uint32_t, uint32_t>> versions_{&memory_};
  // By PluginNode::first_unit + unit index: the instance of a unit without variables, or kNone; whether it has any.
  std::vector<uint32_t> plain_;
  enum class Generic : uint8_t { unknown, yes, no };
  std::vector<Generic> generic_;
  struct Instances {
    std::vector<uint32_t> list;
    std::map<Binding, uint32_t> by_binding;
  };
  std::unordered_map<uint32_t, Instances> instances_of_; // of units with variables
  std::vector<uint32_t> choice_ids_;                     // by RequirementId; kNone: not made yet
  std::unordered_map<NameId, uint32_t> step_choices_;
  std::unordered_map<TermId, uint32_t> range_ids_;
  struct Hash {
    size_t operator()(const std::array<uint32_t, 4> &key) const {
      uint64_t hash = 0x9e3779b97f4a7c15;
      for (uint32_t part : key) hash = (hash ^ part) * 0xff51afd7ed558ccd, hash ^= hash >> 32;
      return hash;
    }
  };
  std::pmr::unordered_map<std::array<uint32_t, 4>, uint32_t, Hash> blame_ids_{&memory_};
  std::deque<std::string> names_;
  std::pmr::unordered_map<std::string_view, NameId> name_ids_{&memory_};
};

} // namespace htp
