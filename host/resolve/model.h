// host/resolve/model.h — the question as a finite one: instances of units, the lines they must meet and what can meet
// them. Everything typed is settled here; what is left is choosing.
#pragma once

#include "host/resolve/vocabulary.h"

#include <tuple>

namespace htp {

struct PluginNode {
  Candidate candidate;
  uint32_t rank = 0; // 0: the newest version of its plugin
  const Manifest &manifest() const { return *candidate.manifest; }
};

struct Instance {
  uint32_t plugin = 0, unit_index = 0;
  const Unit *unit = nullptr;
  Binding binding;
  std::vector<uint32_t> lines;
};

// Plugins of one id, any of which must be in for a ranged term to hold.
struct OwnerRange {
  std::string id;
  std::vector<uint32_t> plugins;
};
inline constexpr uint32_t kNone = UINT32_MAX;
using UnitKey = std::pair<uint32_t, uint32_t>; // plugin, unit index

struct LineOption {
  uint32_t instance = 0;
  uint32_t range = kNone; // in Model::ranges
  bool state = false;     // the provider's own states come first
  friend auto operator<=>(const LineOption &, const LineOption &) = default;
};

// Something that must be met when its instance is in (or always, when the request says it).
struct Line {
  Reason::Kind kind{};
  uint32_t instance = kNone; // kNone: of the request
  uint32_t index = 0;        // of the wish, the need or the want
  Requirement asked;         // ground, canonical; empty for target and wish
  Span span;
  uint32_t cause = 0;
  std::vector<LineOption> options;
  std::vector<uint32_t> plugins; // of a wish
};

// Two things that may not both be in (with one of `range`'s plugins, if any).
struct Node {
  bool plugin = false; // else an instance
  uint32_t index = 0;
};
struct Clash {
  uint32_t cause = 0;
  Node a, b;
  uint32_t range = kNone;
};

// What can be blamed: all lines of one plugin's unit with one text, in whatever version, are one cause.
struct Blame {
  Cause::Kind kind{};
  std::string plugin, unit, subject;
  std::vector<uint32_t> lines, clashes;
  friend bool operator<(const Blame &a, const Blame &b) {
    return std::tie(a.kind, a.plugin, a.unit, a.subject) < std::tie(b.kind, b.plugin, b.unit, b.subject);
  }
};

std::string wish_text(const PluginWish &wish); // "acme.spatial@>=1.2"

class Model {
public:
  Model(const Universe &universe, const Request &request);

  // A term that units can be asked for, and who provides it. A verifier provides the initial states it verifies.
  struct Provider {
    uint32_t plugin = 0, unit_index = 0;
    Term term;
    bool verifies = false;
  };
  const std::vector<Provider> &providers(const std::string &name) const;
  const Unit &unit(const Provider &provider) const {
    return plugins[provider.plugin].manifest().units[provider.unit_index];
  }
  // Does the declaring plugin's version, where it is known, leave the term's range open? `owner`: the version at hand.
  bool serves(const Provider &provider, const Term &asked, bool with_range) const;

  const Universe &universe;
  const Request &request;
  Vocabulary vocabulary;
  std::vector<PluginNode> plugins; // in canonical order, rejected ones left out
  std::vector<Candidate> rejected;
  std::vector<Instance> instances;
  std::vector<Line> lines;
  std::vector<Clash> clashes;
  std::vector<OwnerRange> ranges;
  std::vector<Blame> blames;     // sorted
  std::set<UnitKey> too_generic; // units with more instances than can be looked at

private:
  void index_providers();
  void add_request();
  void add_lines(uint32_t instance);
  void add_line(Line line, Blame blame);
  void add_options(Line &line, const Term &asked);
  void add_instances_of(uint32_t plugin, uint32_t unit_index, const Openings &openings,
                        const std::function<void(uint32_t)> &use);
  std::optional<uint32_t> range_of(const Term &asked, uint32_t provider_plugin); // kNone: none needed; nothing: never
  void add_clashes();
  void add_term_clashes(uint32_t instance, const Term &term, const std::map<UnitKey, std::vector<uint32_t>> &of_unit);
  void add_plugin_clashes(Node who, uint32_t plugin, const std::string &unit, const PluginWish &conflict,
                          const std::set<uint32_t> &used);
  void add_clash(Clash clash, Blame blame);
  uint32_t blame(Blame blame);
  void sort_blames();
  const std::string &id_of(uint32_t plugin) const { return plugins[plugin].manifest().id.value; }

  std::unique_ptr<Domains> domains_;
  std::map<std::string, std::vector<Provider>> providers_;
  std::map<std::tuple<uint32_t, uint32_t, Binding>, uint32_t> known_;
  std::map<Blame, uint32_t> blame_ids_;
};

} // namespace htp
