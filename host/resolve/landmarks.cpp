#include "host/resolve/landmarks.h"

#include <algorithm>
#include <deque>

namespace htp {

// Facts are the atoms, one for each choice among atoms (reached at no cost from each), what always holds, and the goal.
Landmarks::Landmarks(const PassTask &task) {
  atoms_ = static_cast<uint32_t>(task.atoms.size());
  always_ = atoms_;
  goal_ = atoms_ + 1;
  facts_ = atoms_ + 2;
  Step last;
  for (const AnyOf &goal : task.goals) last.needs.push_back(fact_of(goal));
  last.adds = {goal_};
  add_step(std::move(last));
  for (const Operator &op : task.operators) {
    Step step{{}, op.adds, 1};
    for (const AnyOf &need : op.needs) step.needs.push_back(fact_of(need));
    add_step(std::move(step));
  }
  needed_by_.resize(facts_);
  added_by_.resize(facts_);
  for (uint32_t s = 0; s < steps_.size(); ++s) {
    for (uint32_t fact : steps_[s].needs) needed_by_[fact].push_back(s);
    for (uint32_t fact : steps_[s].adds) added_by_[fact].push_back(s);
  }
}

uint32_t Landmarks::fact_of(const AnyOf &any) {
  if (any.atoms.size() == 1) return any.atoms.front();
  auto [found, fresh] = any_of_.try_emplace(any.atoms, facts_);
  if (fresh) {
    ++facts_;
    for (uint32_t atom : any.atoms) add_step({{atom}, {found->second}, 0});
  }
  return found->second;
}

void Landmarks::add_step(Step step) {
  if (step.needs.empty()) step.needs = {always_};
  std::sort(step.needs.begin(), step.needs.end());
  step.needs.erase(std::unique(step.needs.begin(), step.needs.end()), step.needs.end());
  steps_.push_back(std::move(step));
}

void Landmarks::spread(const States &states) {
  value_.assign(facts_, kUnreachable);
  missing_.resize(steps_.size());
  dearest_.assign(steps_.size(), always_);
  for (uint32_t s = 0; s < steps_.size(); ++s) missing_[s] = static_cast<uint32_t>(steps_[s].needs.size());
  // Costs are 0 and 1, so two ends of one queue keep the facts in order.
  std::deque<std::pair<uint32_t, uint32_t>> queue;
  auto reach = [&](uint32_t fact, uint32_t value, bool front) {
    if (value >= value_[fact]) return;
    value_[fact] = value;
    front ? queue.emplace_front(value, fact) : queue.emplace_back(value, fact);
  };
  reach(always_, 0, false);
  for (uint32_t atom = 0; atom < atoms_; ++atom)
    if (has(states, atom)) reach(atom, 0, false);
  std::vector<bool> settled(facts_);
  while (!queue.empty()) {
    auto const [value, fact] = queue.front();
    queue.pop_front();
    if (settled[fact]) continue;
    settled[fact] = true;
    for (uint32_t s : needed_by_[fact]) {
      if (--missing_[s] > 0) continue;
      dearest_[s] = fact; // settled last
      for (uint32_t added : steps_[s].adds) reach(added, value + cost_[s], cost_[s] == 0);
    }
  }
}

bool Landmarks::cut() {
  // The facts from which the goal costs nothing more …
  std::vector<bool> zone(facts_), near(facts_);
  std::vector<uint32_t> stack{goal_};
  zone[goal_] = true;
  while (!stack.empty()) {
    uint32_t const fact = stack.back();
    stack.pop_back();
    for (uint32_t s : added_by_[fact]) {
      if (cost_[s] != 0 || missing_[s] > 0 || zone[dearest_[s]]) continue;
      zone[dearest_[s]] = true;
      stack.push_back(dearest_[s]);
    }
  }
  // … and the steps by which one gets into it from what holds.
  std::vector<uint32_t> crossing;
  for (uint32_t fact = 0; fact < facts_; ++fact)
    if (value_[fact] == 0 && held_[fact]) {
      near[fact] = true;
      stack.push_back(fact);
    }
  while (!stack.empty()) {
    uint32_t const fact = stack.back();
    stack.pop_back();
    for (uint32_t s : needed_by_[fact]) {
      if (missing_[s] > 0 || dearest_[s] != fact) continue;
      bool crosses = false;
      for (uint32_t added : steps_[s].adds) crosses = crosses || zone[added];
      if (crosses) {
        crossing.push_back(s);
        continue;
      }
      for (uint32_t added : steps_[s].adds)
        if (!near[added]) {
          near[added] = true;
          stack.push_back(added);
        }
    }
  }
  bool dear = !crossing.empty();
  for (uint32_t s : crossing) dear = dear && cost_[s] > 0;
  for (uint32_t s : crossing) cost_[s] = 0;
  return dear;
}

uint32_t Landmarks::estimate(const States &states) {
  cost_.clear();
  for (const Step &step : steps_) cost_.push_back(step.cost);
  held_.assign(facts_, false);
  held_[always_] = true;
  for (uint32_t atom = 0; atom < atoms_; ++atom) held_[atom] = has(states, atom);
  for (uint32_t total = 0;; ++total) {
    spread(states);
    if (value_[goal_] == 0 || value_[goal_] == kUnreachable) return value_[goal_] == 0 ? total : kUnreachable;
    if (!cut()) return total;
  }
}

} // namespace htp
