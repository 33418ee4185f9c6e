#include "host/resolve/conflict.h"

#include <algorithm>
#include <numeric>
#include <queue>

namespace htp {
namespace {

constexpr size_t kConflicts = 8; // that are told at once
constexpr size_t kCauses = 200;  // told at once; a conflict is told in full, but none after that many
constexpr size_t kFixes = 5;     // of one conflict
constexpr size_t kTrials = 100;  // changes that are tried for them; fewer of a large one, whose trials cost more
constexpr size_t kSmall = 32;    // causes up to which a conflict is made minimal twice, and those of fixes at all

using Blames = std::vector<uint32_t>;
using Changes = std::vector<FoundChange>; // sorted

Blames minimal(Search &search, Blames blames, bool from_last, const Weakened &weakened) {
  Blames tries = blames;
  if (from_last) std::reverse(tries.begin(), tries.end());
  for (uint32_t b : tries) {
    Blames without = blames;
    if (std::erase(without, b) == 0) continue;
    if (auto smaller = search.core(without, weakened)) blames = std::move(*smaller);
  }
  return blames;
}

// The smaller of two ways to leave out what is not necessary, of a large conflict one way: each asks a question a
// cause. Only the part of the model that `core` is about is looked at.
Blames minimal(const Model &model, const Blames &core, const Weakened &weakened = {}) {
  Search part(model, &core);
  Blames found = minimal(part, core, true, weakened);
  if (core.size() > kSmall) return found;
  Blames other = minimal(part, core, false, weakened);
  return other.size() < found.size() ? other : found;
}

// The smallest sets of changes that leave a solution: each must hit every conflict, so a set that leaves one is
// extended by what would undo that one, smallest first (Reiter, 1987). Every set that is given was tried. A conflict
// need not be minimal for that, and a large one is not made so: what it costs grows with the square of its causes.
class Fixing {
public:
  Fixing(const Model &model, Search &search, const Blames &enabled)
      : model_(model), search_(search), enabled_(enabled) {}

  std::vector<Changes> run(const Blames &first) {
    extend({}, first);
    std::vector<Changes> fixes, spare;
    size_t const most = std::max(kFixes, kTrials * kSmall / std::max(kSmall, first.size()));
    for (size_t trials = 0; !open_.empty() && fixes.size() < kFixes && trials < most;) {
      Changes const changes = open_.top().changes;
      open_.pop();
      if (covered(changes)) continue;
      ++trials;
      Weakened const weakened = effect(changes);
      if (auto const core = search_.core(enabled_, weakened)) {
        extend(changes, core->size() > kSmall ? *core : minimal(model_, *core, weakened));
        continue;
      }
      if (breaks_a_manifest(changes)) continue;
      (is_needless(changes) ? spare : fixes).push_back(changes);
      enough_.push_back(changes);
      for (FoundChange change : changes) { // what is relaxed need not be dropped
        if (change.kind != Change::Kind::relax) continue;
        Changes dropped = changes;
        std::erase(dropped, change);
        dropped.push_back({Change::Kind::drop, change.blame, kNone});
        std::sort(dropped.begin(), dropped.end());
        enough_.push_back(std::move(dropped));
      }
    }
    if (fixes.empty()) fixes = std::move(spare);
    if (fixes.size() > kFixes) fixes.resize(kFixes);
    return fixes;
  }

private:
  struct Entry {
    size_t size = 0;
    uint32_t weight = 0;
    Changes changes;
    bool operator>(const Entry &other) const {
      return std::tie(size, weight, changes) > std::tie(other.size, other.weight, other.changes);
    }
  };

  // Of changes that are as many, what is at hand comes first: the profile, then what is missing, then the program, then
  // the manifests.
  uint32_t weight(const FoundChange &change) const {
    Cause::Kind const of = model_.blames[change.blame].kind;
    switch (change.kind) {
    case Change::Kind::respell:
    case Change::Kind::retarget: return 1;
    case Change::Kind::relax: return of == Cause::Kind::wish ? 1 : 4;
    case Change::Kind::install: return is_provided(change.blame) ? 8 : 3;
    case Change::Kind::drop: break;
    }
    switch (of) {
    case Cause::Kind::pipeline:
    case Cause::Kind::wish: return 2;
    case Cause::Kind::need: return 5;
    case Cause::Kind::conflict:
    case Cause::Kind::plugin_conflict: return 6;
    default: return 7;
    }
  }

  bool is_provided(uint32_t blame) const {
    bool provided = false;
    model_.each_claim(blame, [&](uint32_t claim) {
      const Choice &choice = model_.choices[model_.claims[claim].choice];
      provided |= !choice.options.empty() || !choice.loose.empty();
    });
    return provided;
  }

  // A second provider of what is there helps only where nothing else does.
  bool is_needless(const Changes &changes) const {
    return std::any_of(changes.begin(), changes.end(), [&](const FoundChange &change) {
      return change.kind == Change::Kind::install && is_provided(change.blame);
    });
  }

  // Without its requirement `Acme.Machine(name=$M)` a unit cannot provide `Acme.Ready(target=$M)`.
  bool breaks_a_manifest(const Changes &changes) const {
    return std::any_of(changes.begin(), changes.end(), [&](const FoundChange &change) {
      const Blame &blame = model_.blames[change.blame];
      if (change.kind != Change::Kind::drop || blame.kind != Cause::Kind::requirement) return false;
      auto const [first, last] = model_.versions(model_.name(blame.plugin));
      return std::any_of(model_.plugins.begin() + first, model_.plugins.begin() + last, [&](const PluginNode &node) {
        return std::any_of(node.manifest().units.begin(), node.manifest().units.end(), [&](const Unit &unit) {
          return unit.name == model_.name(blame.unit) && !unbound_variables(without(unit, changes)).empty();
        });
      });
    });
  }
  Unit without(Unit unit, const Changes &changes) const {
    for (const FoundChange &change : changes) {
      const Blame &blame = model_.blames[change.blame];
      if (change.kind != Change::Kind::drop || blame.kind != Cause::Kind::requirement ||
          model_.name(blame.unit) != unit.name)
        continue;
      std::string const dropped = model_.terms.text(blame.subject);
      std::erase_if(unit.requires_, [&](const Requirement &requirement) {
        return model_.vocabulary.canonical(requirement).text() == dropped;
      });
    }
    return unit;
  }

  bool covered(const Changes &changes) const {
    return std::any_of(enough_.begin(), enough_.end(), [&](const Changes &enough) {
      return std::includes(changes.begin(), changes.end(), enough.begin(), enough.end());
    });
  }

  void extend(const Changes &changes, const Blames &conflict) {
    for (uint32_t blame : conflict) {
      for (const FoundChange &change : changes_of(blame)) push(changes, change);
      for (TermId term : missing(blame)) discover(term, blame);
    }
    for (const auto &[term, installed] : installs_) push_where_it_helps(changes, conflict, term);
    extended_.emplace_back(changes, conflict);
  }

  void push(Changes changes, const FoundChange &change) {
    changes.push_back(change);
    std::sort(changes.begin(), changes.end());
    if (!seen_.insert(changes).second) return;
    uint32_t total = 0;
    for (const FoundChange &each : changes) total += weight(each);
    open_.push({changes.size(), total, std::move(changes)});
  }

  // What is installed may help where somebody else asked for something like it, and what was looked at before.
  void discover(TermId term, uint32_t asker) {
    auto [found, fresh] = installs_.try_emplace(term);
    if (!fresh) return;
    found->second.asker = asker;
    Weakened weakened;
    install(term, weakened);
    for (const auto &[claim, weaker] : weakened) found->second.helps.insert(model_.claims[claim].blame);
    for (const auto &[changes, conflict] : extended_) push_where_it_helps(changes, conflict, term);
  }

  void push_where_it_helps(const Changes &changes, const Blames &conflict, TermId term) {
    const Installed &installed = installs_.at(term);
    FoundChange const change{Change::Kind::install, installed.asker, term};
    if (std::find(changes.begin(), changes.end(), change) != changes.end()) return;
    if (std::any_of(conflict.begin(), conflict.end(), [&](uint32_t b) { return installed.helps.contains(b); }))
      push(changes, change);
  }

  // The first of the alternatives that are asked for which another plugin could provide.
  std::vector<TermId> missing(uint32_t b) const {
    const Blame &blame = model_.blames[b];
    if (blame.kind < Cause::Kind::need || blame.kind > Cause::Kind::contract) return {};
    for (TermId term : model_.terms.alternatives(blame.subject))
      if (installable(term)) return {term};
    return {};
  }

  std::vector<FoundChange> changes_of(uint32_t b) const {
    const Blame &blame = model_.blames[b];
    FoundChange const drop{Change::Kind::drop, b, kNone}, relax{Change::Kind::relax, b, kNone};
    bool relaxable = false;
    model_.each_claim(b, [&](uint32_t claim) {
      if (model_.claims[claim].choice == kNone) return;
      const Choice &choice = model_.choices[model_.claims[claim].choice];
      relaxable |= choice.ranged && (choice.loose.size() > choice.options.size() ||
                                     choice.loose_plugins.size() > choice.plugins.size() || has_owner_range(choice));
    });
    if (is_fixed(blame)) return {};
    switch (blame.kind) {
    case Cause::Kind::target:
    case Cause::Kind::one_version:
    case Cause::Kind::same_name: return {};
    default: break;
    }
    if (relaxable) return {relax, drop};
    return {drop};
  }

  // Does its line stand in a manifest that is not the user's to change?
  bool is_fixed(const Blame &blame) const {
    if (blame.plugin == kNone || !model_.universe.fixed) return false;
    auto const [first, last] = model_.versions(model_.name(blame.plugin));
    return std::any_of(model_.plugins.begin() + first, model_.plugins.begin() + last,
                       [&](const PluginNode &node) { return model_.universe.fixed(node.candidate); });
  }

  static bool has_owner_range(const Choice &choice) {
    return std::any_of(choice.options.begin(), choice.options.end(),
                       [](const LineOption &option) { return option.range != kNone; });
  }

  // Can another plugin provide it, whatever versions of its owner there are?
  bool installable(TermId id) const {
    const Term &term = model_.terms.term(id);
    const Vocabulary::Declared *declared = model_.terms.declared(id);
    if (!declared) return !is_ranged(term.name); // the version of whoever will declare it is not known
    if (!model_.terms.sound(id, Vocabulary::Use::asked)) return false;
    return term.range.comparators.empty() ||
           (declared->owner == model_.universe.sdk && term.range.contains(declared->owner->version));
  }

  // Does anything ask for it, or conflict with it, in a range?
  bool is_ranged(const std::string &name) const {
    for (const Instance &instance : model_.instances)
      for (const Term &term : instance.unit->conflicts)
        if (term.name == name && !term.range.comparators.empty()) return true;
    return std::any_of(model_.lines.begin(), model_.lines.end(), [&](const Line &line) {
      if (line.asked == kNone) return false;
      const std::vector<TermId> &any = model_.terms.alternatives(line.asked);
      return std::any_of(any.begin(), any.end(), [&](TermId id) {
        return model_.terms.term(id).name == name && !model_.terms.term(id).range.comparators.empty();
      });
    });
  }

  Weakened effect(const Changes &changes) const {
    Weakened weakened;
    for (const FoundChange &change : changes)
      if (change.kind == Change::Kind::drop || change.kind == Change::Kind::relax)
        model_.each_claim(change.blame, [&](uint32_t claim) {
          (change.kind == Change::Kind::drop ? weakened[claim].off : weakened[claim].without_range) = true;
        });
    for (const FoundChange &change : changes)
      if (change.kind == Change::Kind::install) install(change.term, weakened);
    return weakened;
  }

  // A provider of `provided` that asks for nothing can meet every line that asks for it; where a range is asked, with a
  // version of the owner that is in it.
  void install(TermId provided, Weakened &weakened) const {
    const Term &term = model_.terms.term(provided);
    for (const Line &line : model_.lines) {
      if (line.asked == kNone || line.claim == kNone) continue;
      for (TermId id : model_.terms.alternatives(line.asked)) {
        const Term &asked = model_.terms.term(id);
        const Vocabulary::Declared *declared = model_.terms.declared(id);
        if (!match(asked, term) || (declared && !model_.terms.sound(id, Vocabulary::Use::asked))) continue;
        if (!declared && asked.arguments.size() > term.arguments.size()) continue; // it is declared as it is provided
        Weaker &weaker = weakened[line.claim];
        bool const ranged = !asked.range.comparators.empty() && !weaker.without_range && !installable(id);
        Weaker::Given given{provided, ranged, {}};
        if (ranged && declared) {
          auto const [first, last] = model_.versions(declared->owner->id.value);
          for (uint32_t p = first; p < last; ++p)
            if (asked.range.contains(model_.plugins[p].manifest().version)) given.owners.push_back(p);
        }
        if (std::find(weaker.given.begin(), weaker.given.end(), given) == weaker.given.end())
          weaker.given.push_back(std::move(given));
      }
    }
  }

  const Model &model_;
  Search &search_;
  const Blames &enabled_;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open_;
  std::set<Changes> seen_;
  std::vector<Changes> enough_;
  struct Installed {
    uint32_t asker = 0;       // the blame that asked for it first
    std::set<uint32_t> helps; // blames
  };
  std::map<TermId, Installed> installs_;
  std::vector<std::pair<Changes, Blames>> extended_;
};

} // namespace

std::vector<FoundConflict> find_conflicts(const Model &model, Search &search) {
  Blames enabled(model.blames.size());
  std::iota(enabled.begin(), enabled.end(), 0U);
  std::vector<FoundConflict> all;
  size_t causes = 0;
  while (auto const core = search.core(enabled)) {
    bool const more = all.size() < kConflicts && causes < kCauses;
    FoundConflict found{more ? minimal(model, *core) : *core, {}};
    for (uint32_t b : found.blames)
      if (model.blames[b].kind <= Cause::Kind::need) std::erase(enabled, b);
    causes += found.blames.size();
    if (more) all.push_back(std::move(found));
  }
  // Each as if the others were not asked for. What is left of the request asks for nothing that cannot be had.
  for (FoundConflict &conflict : all) {
    Blames own = enabled;
    for (uint32_t b : conflict.blames)
      if (model.blames[b].kind <= Cause::Kind::need) own.push_back(b);
    std::sort(own.begin(), own.end());
    conflict.fixes = Fixing(model, search, own).run(conflict.blames);
  }
  return all;
}

} // namespace htp
