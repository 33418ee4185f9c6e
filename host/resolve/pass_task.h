// host/resolve/pass_task.h — the order of passes as a planning task over ground states: what can run, what it needs,
// adds and takes away.
#pragma once

#include "host/resolve/planner.h"
#include "host/resolve/vocabulary.h"

namespace htp {

// A set of states, by index in PassTask::atoms.
using States = std::vector<uint64_t>;
inline bool has(const States &states, uint32_t atom) { return states[atom / 64] >> (atom % 64) & 1; }
inline void put(States &states, uint32_t atom) { states[atom / 64] |= uint64_t{1} << (atom % 64); }

// Any one of these will do.
struct AnyOf {
  std::vector<uint32_t> atoms; // in the order of the alternatives
  std::string text;            // as it was asked
};

struct Operator {
  uint32_t pass = 0; // in PlanRequest::passes
  Binding binding;
  std::vector<AnyOf> needs;
  std::vector<uint32_t> adds;
  std::vector<std::vector<uint32_t>> deletes; // by each of the pass's `invalidates`
  uint32_t step = kNoStep;                    // of the pipeline
  static constexpr uint32_t kNoStep = UINT32_MAX;
};

struct PassTask {
  std::vector<Term> atoms; // a step of the pipeline done is an atom too, without a name
  std::vector<uint32_t> start;
  std::vector<AnyOf> goals;
  std::vector<Operator> operators; // those that can run when nothing is taken away; by name, binding, step
  States none() const { return States((atoms.size() + 63) / 64); }
};

// What the request says, in the spelling the task compares by.
struct PassTerms {
  explicit PassTerms(const PlanRequest &request);
  bool is_state(const Requirement &requirement) const; // no static capability that is installed meets it
  const PlanRequest &request;
  std::vector<Unit> passes; // copies, normalised
  std::vector<Term> start, installed;
  std::map<std::string, std::vector<uint32_t>> installed_by_name; // indices in `installed`
  std::vector<Requirement> goals;
};

PassTask make_task(const PassTerms &terms, const std::vector<uint32_t> &pipeline);

} // namespace htp
