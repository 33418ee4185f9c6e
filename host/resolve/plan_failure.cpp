#include "host/resolve/plan_failure.h"

#include "host/resolve/pass_search.h"

#include <algorithm>

namespace htp {
namespace {

constexpr uint32_t kExpansions = 5000; // of each trial

class Failing {
public:
  Failing(const PassTerms &terms, const PassTask &task, const std::vector<uint32_t> &pipeline)
      : terms_(terms), task_(task), pipeline_(pipeline) {}

  PlanFailure run(bool within_budget) {
    for (const AnyOf &goal : task_.goals)
      if (goal.atoms.empty() || !reachable(goal)) return unreachable();
    if (!within_budget) {
      failure_.kind = PlanFailure::Kind::budget;
      return std::move(failure_);
    }
    return invalidated();
  }

private:
  const Unit &pass(uint32_t p) const { return terms_.passes[p]; }

  // Were nothing taken away. Every operator of the task can run then, except steps of the template after one that
  // cannot.
  bool reachable(const AnyOf &any) const {
    return std::any_of(any.atoms.begin(), any.atoms.end(), [&](uint32_t atom) {
      if (!task_.atoms[atom].name.empty()) return true;
      for (uint32_t step : pipeline_)
        if (!runs(step)) return false;
      return true;
    });
  }
  bool runs(uint32_t p) const {
    return std::any_of(task_.operators.begin(), task_.operators.end(),
                       [&](const Operator &op) { return op.pass == p; });
  }

  // From what is wanted and cannot be had down to what nothing provides, each once.
  PlanFailure unreachable() {
    failure_.kind = PlanFailure::Kind::unreachable;
    for (const Requirement &goal : terms_.goals)
      if (terms_.is_state(goal) && !available(goal)) {
        miss(goal, "");
        break;
      }
    if (failure_.chain.empty())
      for (uint32_t step : pipeline_)
        if (!runs(step)) {
          miss_of(step);
          break;
        }
    return std::move(failure_);
  }

  static Requirement loose(Requirement requirement) {
    for (Term &term : requirement.alternatives)
      for (auto &[name, argument] : term.arguments)
        if (argument.form == Argument::Form::variable) argument = {};
    return requirement;
  }

  bool available(const Requirement &requirement) const {
    for (const Term &term : loose(requirement).alternatives) {
      for (const Term &there : terms_.request.states.contains(term.name) ? task_.atoms : terms_.installed)
        if (!there.name.empty() && match(term, there)) return true;
    }
    return false;
  }

  void miss(const Requirement &requirement, const std::string &by) {
    std::string const wanted = requirement.text();
    for (const PlanFailure::Missing &known : failure_.chain)
      if (known.wanted == wanted) return;
    std::vector<uint32_t> providers;
    for (uint32_t p = 0; p < terms_.passes.size(); ++p) {
      Requirement const asked = loose(requirement);
      bool const serves = std::any_of(pass(p).provides.begin(), pass(p).provides.end(), [&](const Term &provided) {
        return std::any_of(asked.alternatives.begin(), asked.alternatives.end(),
                           [&](const Term &term) { return match(term, provided).has_value(); });
      });
      if (serves) providers.push_back(p);
    }
    std::sort(providers.begin(), providers.end(),
              [&](uint32_t a, uint32_t b) { return pass(a).name.value < pass(b).name.value; });
    PlanFailure::Missing missing{wanted, by, requirement.span, {}};
    for (uint32_t p : providers) missing.providers.push_back(pass(p).name.value);
    failure_.chain.push_back(std::move(missing));
    for (uint32_t p : providers) miss_of(p);
  }

  void miss_of(uint32_t p) {
    for (const Requirement &requirement : pass(p).requires_)
      if (!available(requirement)) return miss(requirement, pass(p).name.value);
    // Each can be had, but not for one value of a variable they share.
    for (const Requirement &requirement : pass(p).requires_)
      if (requirement.text().find('$') != std::string::npos) return miss(requirement, pass(p).name.value);
  }

  // A smallest set of goals, and of what is taken away, that leave no order.
  PlanFailure invalidated() {
    failure_.kind = PlanFailure::Kind::invalidated;
    PassTask task = task_;
    for (size_t i = task.goals.size(); i-- > 0;) {
      PassTask without = task;
      without.goals.erase(without.goals.begin() + static_cast<ptrdiff_t>(i));
      if (find_any(without, kExpansions) == Order::Outcome::impossible) task = std::move(without);
    }
    // One threat is one line `invalidates` of one pass, in all its instances.
    std::set<std::pair<uint32_t, uint32_t>> threats;
    for (const Operator &op : task.operators)
      for (uint32_t d = 0; d < op.deletes.size(); ++d)
        if (!op.deletes[d].empty()) threats.emplace(op.pass, d);
    for (auto threat : std::vector(threats.begin(), threats.end())) {
      PassTask without = task;
      for (Operator &op : without.operators)
        if (op.pass == threat.first) op.deletes[threat.second].clear();
      if (find_any(without, kExpansions) != Order::Outcome::impossible) continue;
      threats.erase(threat);
      task = std::move(without);
    }
    for (const AnyOf &goal : task.goals)
      if (!goal.text.empty()) failure_.goals.push_back(goal.text);
    for (auto [p, d] : threats) tell(task, p, d);
    std::sort(failure_.threats.begin(), failure_.threats.end(),
              [](const auto &a, const auto &b) { return std::tie(a.pass, a.state) < std::tie(b.pass, b.state); });
    return std::move(failure_);
  }

  void tell(const PassTask &task, uint32_t p, uint32_t d) {
    std::set<uint32_t> gone;
    for (const Operator &op : task.operators)
      if (op.pass == p) gone.insert(op.deletes[d].begin(), op.deletes[d].end());
    auto asks = [&](const AnyOf &any) {
      return std::any_of(any.atoms.begin(), any.atoms.end(), [&](uint32_t atom) { return gone.contains(atom); });
    };
    std::set<std::string> wanted, providers;
    for (const Operator &op : task.operators) {
      if (std::any_of(op.needs.begin(), op.needs.end(), asks)) wanted.insert(pass(op.pass).name.value);
      if (std::any_of(op.adds.begin(), op.adds.end(), [&](uint32_t atom) { return gone.contains(atom); }))
        providers.insert(pass(op.pass).name.value);
    }
    if (std::any_of(task.goals.begin(), task.goals.end(), asks)) wanted.insert("");
    const Term &term = pass(p).invalidates[d];
    failure_.threats.push_back({pass(p).name.value,
                                term.text(),
                                term.span,
                                {wanted.begin(), wanted.end()},
                                {providers.begin(), providers.end()}});
  }

  const PassTerms &terms_;
  const PassTask &task_;
  const std::vector<uint32_t> &pipeline_;
  PlanFailure failure_;
};

} // namespace

PlanFailure failure_of(const PassTerms &terms, const PassTask &task, const std::vector<uint32_t> &pipeline,
                       bool within_budget) {
  return Failing(terms, task, pipeline).run(within_budget);
}

} // namespace htp
