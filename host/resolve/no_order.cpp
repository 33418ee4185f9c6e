#include "host/resolve/no_order.h"

#include "host/resolve/vocabulary.h"

#include <algorithm>
#include <deque>
#include <queue>

namespace htp {
namespace {

constexpr size_t kOrderFixes = 5;
constexpr size_t kOrderTrials = 40; // changes that are tried for them

const ChosenUnit *chosen(const Resolution &resolution, std::initializer_list<UnitKind> kinds, const std::string &name) {
  for (const ChosenUnit &unit : resolution.units)
    if (unit.unit->name == name && std::find(kinds.begin(), kinds.end(), unit.unit->kind) != kinds.end()) return &unit;
  return nullptr;
}
const ChosenUnit *chosen_pass(const Resolution &resolution, const std::string &name) {
  return chosen(resolution, {UnitKind::pass, UnitKind::island}, name);
}

class Telling {
public:
  Telling(const PlanRequest &request, const Resolution &resolution) : request_(request), resolution_(resolution) {}

  std::vector<Cause> causes(const PlanFailure &failure) const {
    std::vector<Cause> causes;
    for (const PlanFailure::Missing &missing : failure.chain) {
      Cause cause = missing.by.empty() ? of(Cause::Kind::contract, resolution_.backend, missing.wanted, missing.span)
                                       : of(Cause::Kind::requirement, missing.by, missing.wanted, missing.span);
      cause.fault = missing.providers.empty() ? Cause::Fault::not_initial : Cause::Fault::cannot_run;
      cause.options = options(missing.providers);
      causes.push_back(std::move(cause));
    }
    for (const PlanFailure::Threat &threat : failure.threats) {
      Cause cause = of(Cause::Kind::invalidates, threat.pass, threat.state, threat.span);
      cause.options = options(threat.providers);
      cause.wanted_by = threat.wanted_by;
      causes.push_back(std::move(cause));
    }
    if (failure.kind == PlanFailure::Kind::unknown_pass) {
      Cause cause = of(Cause::Kind::step, request_.pipeline, failure.subject, failure.span);
      cause.fault = Cause::Fault::unknown_unit;
      cause.suggestions = failure.suggestions;
      causes.push_back(std::move(cause));
    }
    return causes;
  }

  struct Weighed {
    Change change;
    int weight;
  };
  // What could undo that failure. What is at hand comes first: the profile, what nothing brings, the manifests.
  std::vector<Weighed> changes(const PlanFailure &failure) const {
    std::vector<Weighed> changes;
    for (const Cause &cause : causes(failure)) {
      bool const brought = cause.fault == Cause::Fault::cannot_run;
      if (cause.kind != Cause::Kind::invalidates && is_ground_state(cause.subject))
        changes.push_back({change(Change::Kind::install, cause), brought ? 8 : 3});
      changes.push_back({change(Change::Kind::drop, cause), cause.kind == Cause::Kind::invalidates ? 6 : 7});
    }
    for (const Requirement &goal : request_.goals)
      if (failure.kind == PlanFailure::Kind::invalidated &&
          std::find(failure.goals.begin(), failure.goals.end(), plain(goal).text()) != failure.goals.end())
        changes.push_back(
            {change(Change::Kind::drop, of(Cause::Kind::contract, resolution_.backend, plain(goal).text(), goal.span)),
             7});
    if (request_.pipeline)
      changes.push_back(
          {{Change::Kind::drop, Cause::Kind::pipeline, "", "", request_.pipeline->name.value, "", {}, {}}, 2});
    return changes;
  }

private:
  Cause of(Cause::Kind kind, const ChosenUnit *who, const std::string &subject, const Span &span) const {
    Cause cause;
    cause.kind = kind;
    cause.subject = subject;
    cause.locations = {span};
    if (!who) return cause;
    cause.plugin = who->manifest->id.value;
    cause.unit = who->unit->name.value;
    cause.versions = {who->manifest->version.text()};
    return cause;
  }
  Cause of(Cause::Kind kind, const std::string &pass, const std::string &subject, const Span &span) const {
    Cause cause = of(kind, chosen_pass(resolution_, pass), subject, span);
    cause.unit = pass;
    return cause;
  }
  Cause of(Cause::Kind kind, const Unit *unit, const std::string &subject, const Span &span) const {
    if (!unit) return of(kind, static_cast<const ChosenUnit *>(nullptr), subject, span);
    Cause cause = of(kind, chosen(resolution_, {unit->kind}, unit->name.value), subject, span);
    cause.unit = unit->name.value;
    return cause;
  }

  std::vector<Cause::Option> options(const std::vector<std::string> &passes) const {
    std::vector<Cause::Option> options;
    for (const std::string &pass : passes) {
      Cause::Option &option = options.emplace_back();
      option.unit = pass;
      const ChosenUnit *unit = chosen_pass(resolution_, pass);
      if (!unit) continue;
      option.plugin = unit->manifest->id.value;
      option.version = unit->manifest->version.text();
      option.span = unit->unit->span;
    }
    return options;
  }

  bool is_ground_state(const std::string &text) const {
    Diagnostics none;
    auto const term = parse_term(text, {}, none);
    return term && is_ground(*term) && request_.states.contains(term->name);
  }

  static Change change(Change::Kind kind, const Cause &cause) {
    return {kind, cause.kind, cause.plugin, cause.unit, cause.subject, "", {}, cause.locations};
  }

  const PlanRequest &request_;
  const Resolution &resolution_;
};

// The request with changes made to it.
class Changed {
public:
  Changed(const PlanRequest &from, const std::vector<Change> &changes) : request(from) {
    for (const Unit *&pass : request.passes) pass = &units_.emplace_back(*pass);
    if (request.pipeline) request.pipeline = &units_.emplace_back(*request.pipeline);
    for (const Change &change : changes) make(change);
  }
  // Whether a unit provides with a variable that none of its requirements binds any more.
  bool breaks_a_manifest() const {
    return std::any_of(units_.begin(), units_.end(), [](const Unit &unit) { return !unbound_variables(unit).empty(); });
  }
  PlanRequest request;

private:
  void make(const Change &change) {
    auto says = [&](const auto &line) { return plain(line).text() == change.subject; };
    if (change.kind == Change::Kind::install) {
      Diagnostics none;
      Unit unit;
      unit.kind = UnitKind::pass;
      unit.name.value = "installed:" + change.subject;
      unit.provides.push_back(*parse_term(change.subject, {}, none));
      request.passes.push_back(&units_.emplace_back(std::move(unit)));
      return;
    }
    switch (change.of) {
    case Cause::Kind::contract: std::erase_if(request.goals, says); break;
    case Cause::Kind::pipeline: request.pipeline = nullptr; break;
    default:
      for (Unit &unit : units_) {
        if (unit.name != change.unit) continue;
        if (change.of == Cause::Kind::requirement) std::erase_if(unit.requires_, says);
        if (change.of == Cause::Kind::invalidates) std::erase_if(unit.invalidates, says);
        if (change.of == Cause::Kind::step)
          std::erase_if(unit.passes, [&](const Text &step) { return step.value == change.subject; });
      }
    }
  }

  std::deque<Unit> units_;
};

// Sets of changes that leave an order, smallest first: one that does not is extended by what would undo its failure
// (Reiter, 1987).
std::vector<Fix> fixes_of(const PlanRequest &request, const PlanFailure &failure, const Resolution &resolution) {
  using Key = std::tuple<Change::Kind, Cause::Kind, std::string, std::string>;
  auto key = [](const Change &change) { return Key{change.kind, change.of, change.unit, change.subject}; };
  struct Entry {
    size_t size;
    int weight;
    uint32_t number; // as they were met
    std::map<Key, Change> changes;
    bool operator>(const Entry &other) const {
      return std::tie(size, weight, number) > std::tie(other.size, other.weight, other.number);
    }
  };
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
  std::set<std::set<Key>> seen, enough;
  uint32_t met = 0;
  auto extend = [&](const Entry &from, const PlanFailure &why, const PlanRequest &at) {
    for (const auto &[change, weight] : Telling(at, resolution).changes(why)) {
      Entry next = from;
      if (!next.changes.emplace(key(change), change).second) continue;
      std::set<Key> keys;
      for (const auto &[each, made] : next.changes) keys.insert(each);
      if (!seen.insert(keys).second) continue;
      open.push({next.changes.size(), from.weight + weight, met++, std::move(next.changes)});
    }
  };
  extend({0, 0, 0, {}}, failure, request);
  std::vector<Fix> fixes;
  for (size_t trials = 0; !open.empty() && fixes.size() < kOrderFixes && trials < kOrderTrials;) {
    Entry const entry = open.top();
    open.pop();
    std::set<Key> keys;
    Fix fix;
    for (const auto &[each, change] : entry.changes) keys.insert(each), fix.changes.push_back(change);
    if (std::any_of(enough.begin(), enough.end(), [&](const std::set<Key> &less) {
          return std::includes(keys.begin(), keys.end(), less.begin(), less.end());
        }))
      continue;
    ++trials;
    Changed const changed(request, fix.changes);
    auto const order = plan_passes(changed.request);
    if (!order) {
      extend(entry, order.error(), changed.request);
      continue;
    }
    if (changed.breaks_a_manifest()) continue;
    enough.insert(std::move(keys));
    fixes.push_back(std::move(fix));
  }
  return fixes;
}

} // namespace

Refusal no_order(const PlanRequest &request, const PlanFailure &failure, const Resolution &resolution) {
  Refusal refusal;
  if (failure.kind == PlanFailure::Kind::budget) {
    refusal.expansions = request.budget;
    return refusal;
  }
  Conflict &conflict = refusal.conflicts.emplace_back();
  conflict.causes = Telling(request, resolution).causes(failure);
  switch (failure.kind) {
  case PlanFailure::Kind::invalidated:
    conflict.of = Conflict::Of::invalidated;
    conflict.states = failure.goals;
    break;
  case PlanFailure::Kind::unreachable:
    conflict.of = Conflict::Of::unreachable;
    if (!failure.chain.empty()) conflict.states = {failure.chain.front().wanted};
    break;
  default: break;
  }
  conflict.fixes = fixes_of(request, failure, resolution);
  return refusal;
}

} // namespace htp
