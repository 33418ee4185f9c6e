// host/resolve/planner.h — which passes run, in which order: from what holds of the source to what the contract wants.
// Pure and deterministic. A pass runs where its required states hold; afterwards its `invalidates` no longer hold and
// its `provides` do. Variables of a pass are bound by what is wanted of it. The shortest order is taken, of those the
// one whose pass names sort first; where that cannot be proved within the budget, the answer says by how much it may be
// longer.
#pragma once

#include "host/resolve/resolve.h"

namespace htp {

struct PlanRequest {
  std::vector<Term> start;          // ground states that hold of the source
  std::vector<Requirement> goals;   // the contract
  std::vector<const Unit *> passes; // candidates: pass and island units
  std::vector<Term> installed;      // ground static capabilities
  std::set<std::string> states;     // names of state capabilities; all others are static
  const Unit *pipeline = nullptr;   // a template: its passes in its order, with gaps filled
  uint32_t budget = 4000;           // expansions of the search for the shortest order
};

// The request a resolution makes: its contract, passes and installed capabilities.
PlanRequest plan_request(const Resolution &resolution, std::vector<Term> start);

// A state a planned pass (or the source) brings, and who uses it: indices into PassPlan::passes; passes.size(): the
// contract.
struct Supply {
  Term capability;
  std::vector<uint32_t> used_by;
};

struct PlannedPass {
  const Unit *unit = nullptr;
  Binding binding;
  bool from_pipeline = false;   // named by the template; else chosen, or filled in
  std::vector<Supply> supplies; // what others use of it
  std::vector<Term> holds;      // after it, by text
};

// A pass that could take part and does not run.
struct IdlePass {
  enum class Why : uint8_t {
    holds,      // what it brings holds of the source
    superseded, // what it brings is brought by the pass `detail`
    not_needed, // nobody asks for what it brings
    cannot_run, // it requires `detail`, which nothing brings
  };
  const Unit *unit = nullptr;
  Why why{};
  std::string detail;
};

struct PassPlan {
  std::vector<PlannedPass> passes;
  std::vector<IdlePass> idle; // the other candidates, by name
  std::vector<Supply> source; // what is used of the source
  std::vector<Term> start;    // what holds of the source, by text
  bool proven = true;         // no shorter order exists
  uint32_t within = 0;        // when not proven: at most this many passes longer than the shortest
};

// Why there is no order.
struct PlanFailure {
  enum class Kind : uint8_t {
    unreachable,  // a goal's chain ends in states that nothing provides
    invalidated,  // each state can be had, but not together: `threats`
    unknown_pass, // the pipeline names a pass that is not there: `subject`
    budget,       // none was found within the budget
  };
  // `wanted` is wanted by `by` (a pass; empty: the contract), and nothing that can run provides it.
  struct Missing {
    std::string wanted, by;
    Span span;
    std::vector<std::string> providers; // passes that would provide it and cannot run themselves
  };
  // `pass` invalidates `state`, which `wanted_by` (passes; "": the contract) want and only `providers` provide.
  struct Threat {
    std::string pass, state;
    Span span;
    std::vector<std::string> wanted_by, providers;
  };
  Kind kind{};
  std::string subject;
  Span span;
  std::vector<std::string> suggestions;
  std::vector<Missing> chain;     // from a goal down to what nothing provides
  std::vector<Threat> threats;    // each necessary: without any one of them there is an order
  std::vector<std::string> goals; // the goals that cannot be had together, by text
};

Expected<PassPlan, PlanFailure> plan_passes(const PlanRequest &request);

} // namespace htp
