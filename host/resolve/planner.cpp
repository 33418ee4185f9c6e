#include "host/resolve/planner.h"

#include "host/base/suggest.h"
#include "host/resolve/pass_search.h"
#include "host/resolve/plan_failure.h"

#include <algorithm>
#include <tuple>

namespace htp {
namespace {

// Walks the order and notes who brings what for whom.
class Links {
public:
  Links(const PlanRequest &request, const PassTask &task) : request_(request), task_(task) {}

  PassPlan run(const Order &order, const PassTerms &terms) {
    plan_.proven = order.within == 0;
    plan_.within = order.within;
    States states = task_.none();
    for (uint32_t atom : task_.start) {
      put(states, atom);
      brought_[atom] = kSource;
    }
    plan_.start = terms_of(states);
    for (uint32_t o : order.operators) {
      const Operator &op = task_.operators[o];
      uint32_t const at = static_cast<uint32_t>(plan_.passes.size());
      for (const AnyOf &need : op.needs) use(need, states, at);
      for (const auto &gone : op.deletes)
        for (uint32_t atom : gone) states[atom / 64] &= ~(uint64_t{1} << (atom % 64));
      for (uint32_t atom : op.adds) {
        put(states, atom);
        brought_[atom] = at;
      }
      plan_.passes.push_back(
          {request_.passes[op.pass], op.binding, op.step != Operator::kNoStep, {}, terms_of(states)});
    }
    for (const AnyOf &goal : task_.goals) use(goal, states, static_cast<uint32_t>(plan_.passes.size()));
    find_idle(terms);
    return std::move(plan_);
  }

private:
  static constexpr uint32_t kSource = UINT32_MAX;

  std::vector<Term> terms_of(const States &states) const {
    std::map<std::string, Term> terms;
    for (uint32_t atom = 0; atom < task_.atoms.size(); ++atom)
      if (has(states, atom) && !task_.atoms[atom].name.empty())
        terms.emplace(task_.atoms[atom].text(), task_.atoms[atom]);
    std::vector<Term> list;
    for (auto &[text, term] : terms) list.push_back(std::move(term));
    return list;
  }

  void find_idle(const PassTerms &terms) {
    for (uint32_t p = 0; p < request_.passes.size(); ++p) {
      const Unit *unit = request_.passes[p];
      if (std::none_of(plan_.passes.begin(), plan_.passes.end(), [&](const auto &pass) { return pass.unit == unit; }))
        plan_.idle.push_back(idle(p, terms.passes[p]));
    }
  }

  // Of what a pass could bring, the first that somebody else has brought decides.
  IdlePass idle(uint32_t p, const Unit &pass) const {
    const Unit *unit = request_.passes[p];
    bool runs = false;
    std::string by;
    for (const Operator &op : task_.operators) {
      if (op.pass != p) continue;
      runs = true;
      bool const all = !op.adds.empty() && std::all_of(op.adds.begin(), op.adds.end(), [&](uint32_t atom) {
        return std::find(task_.start.begin(), task_.start.end(), atom) != task_.start.end();
      });
      if (all) return {unit, IdlePass::Why::holds, task_.atoms[op.adds.front()].text()};
      for (uint32_t atom : op.adds)
        if (auto found = brought_.find(atom); found != brought_.end() && found->second != kSource && by.empty())
          by = plan_.passes[found->second].unit->name.value;
    }
    if (!by.empty()) return {unit, IdlePass::Why::superseded, by};
    if (runs) return {unit, IdlePass::Why::not_needed, ""};
    for (const Requirement &requirement : pass.requires_) {
      auto meets = [&](const Term &there) {
        return std::any_of(requirement.alternatives.begin(), requirement.alternatives.end(), [&](Term asked) {
          for (auto &[name, argument] : asked.arguments)
            if (argument.form == Argument::Form::variable) argument = {};
          return match(asked, there).has_value();
        });
      };
      if (std::none_of(task_.atoms.begin(), task_.atoms.end(), meets) &&
          std::none_of(request_.installed.begin(), request_.installed.end(),
                       [&](const Term &t) { return meets(plain(t)); }))
        return {unit, IdlePass::Why::cannot_run, requirement.text()};
    }
    return {unit, IdlePass::Why::not_needed, ""};
  }

  void use(const AnyOf &any, const States &states, uint32_t user) {
    for (uint32_t atom : any.atoms) {
      if (!has(states, atom)) continue;
      if (task_.atoms[atom].name.empty()) return;
      uint32_t const from = brought_.at(atom);
      std::vector<Supply> &supplies = from == kSource ? plan_.source : plan_.passes[from].supplies;
      auto found = std::find_if(supplies.begin(), supplies.end(),
                                [&](const Supply &s) { return s.capability.text() == task_.atoms[atom].text(); });
      if (found == supplies.end()) found = supplies.insert(supplies.end(), {task_.atoms[atom], {}});
      if (found->used_by.empty() || found->used_by.back() != user) found->used_by.push_back(user);
      return;
    }
  }

  const PlanRequest &request_;
  const PassTask &task_;
  PassPlan plan_;
  std::map<uint32_t, uint32_t> brought_; // state → who brought it last
};

} // namespace

PlanRequest plan_request(const Resolution &resolution, std::vector<Term> start) {
  PlanRequest request;
  request.start = std::move(start);
  if (resolution.backend) request.goals = resolution.backend->contract;
  for (const ChosenUnit &unit : resolution.units)
    if (unit.unit->kind == UnitKind::pass || unit.unit->kind == UnitKind::island) request.passes.push_back(unit.unit);
  request.installed = resolution.installed;
  request.pipeline = resolution.pipeline;
  request.states = resolution.states;
  return request;
}

Expected<PassPlan, PlanFailure> plan_passes(const PlanRequest &asked) {
  PlanRequest request = asked; // the order of the candidates does not count
  std::sort(request.passes.begin(), request.passes.end(),
            [](const Unit *a, const Unit *b) { return a->name.value < b->name.value; });
  std::vector<uint32_t> pipeline;
  if (request.pipeline)
    for (const Text &step : request.pipeline->passes) {
      auto found = std::find_if(request.passes.begin(), request.passes.end(),
                                [&](const Unit *p) { return p->name == step.value; });
      if (found == request.passes.end()) {
        PlanFailure failure;
        failure.kind = PlanFailure::Kind::unknown_pass;
        failure.subject = step.value;
        failure.span = step.span;
        std::vector<std::string> names;
        for (const Unit *pass : request.passes) names.push_back(pass->name.value);
        if (std::string_view const near = did_you_mean(step.value, names); !near.empty())
          failure.suggestions.emplace_back(near);
        return Unexpected{std::move(failure)};
      }
      pipeline.push_back(static_cast<uint32_t>(found - request.passes.begin()));
    }
  PassTerms const terms(request);
  PassTask const task = make_task(terms, pipeline);
  Order const order = find_order(task, request.budget);
  if (order.outcome == Order::Outcome::found) return Links(request, task).run(order, terms);
  return Unexpected{failure_of(terms, task, pipeline, order.outcome != Order::Outcome::budget)};
}

} // namespace htp
