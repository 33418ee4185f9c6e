#include "host/resolve/landmarks.h"

#include <algorithm>
#include <utility>

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
  settled_.assign(facts_, 0);
  // Costs are 0 and 1: the facts of one value, and those of the next.
  now_ = {always_};
  value_[always_] = 0;
  for (uint32_t atom = 0; atom < atoms_; ++atom)
    if (has(states, atom)) value_[atom] = 0, now_.push_back(atom);
  for (uint32_t value = 0; !now_.empty(); ++value, now_.swap(later_)) {
    later_.clear();
    while (!now_.empty()) {
      uint32_t const fact = now_.back();
      now_.pop_back();
      if (std::exchange(settled_[fact], 1)) continue;
      for (uint32_t s : needed_by_[fact]) {
        if (--missing_[s] > 0) continue;
        dearest_[s] = fact; // settled last
        for (uint32_t added : steps_[s].adds) {
          if (value + cost_[s] >= value_[added]) continue;
          value_[added] = value + cost_[s];
          (cost_[s] == 0 ? now_ : later_).push_back(added);
        }
      }
    }
  }
}

// Values only fall, and only behind the steps that became cheaper. What cannot be reached stays so.
void Landmarks::spread_again() {
  now_.clear();
  const auto add = [&](uint32_t s) {
    uint32_t const value = value_[dearest_[s]] + cost_[s];
    for (uint32_t added : steps_[s].adds)
      if (value < value_[added]) value_[added] = value, now_.push_back(added);
  };
  for (uint32_t s : crossing_) add(s);
  for (size_t at = 0; at < now_.size(); ++at) {
    uint32_t const fact = now_[at];
    for (uint32_t s : needed_by_[fact]) {
      if (missing_[s] > 0 || dearest_[s] != fact) continue;
      for (uint32_t need : steps_[s].needs)
        if (value_[need] > value_[dearest_[s]]) dearest_[s] = need;
      add(s);
    }
  }
}

bool Landmarks::cut() {
  // The facts from which the goal costs nothing more …
  std::vector<uint32_t> &stack = now_;
  stack = {goal_};
  zone_.assign(facts_, 0);
  near_.assign(facts_, 0);
  zone_[goal_] = 1;
  while (!stack.empty()) {
    uint32_t const fact = stack.back();
    stack.pop_back();
    for (uint32_t s : added_by_[fact]) {
      if (cost_[s] != 0 || missing_[s] > 0 || zone_[dearest_[s]]) continue;
      zone_[dearest_[s]] = 1;
      stack.push_back(dearest_[s]);
    }
  }
  // … and the steps by which one gets into it from what holds.
  crossing_.clear();
  for (uint32_t fact = 0; fact < facts_; ++fact)
    if (value_[fact] == 0 && held_[fact]) {
      near_[fact] = 1;
      stack.push_back(fact);
    }
  while (!stack.empty()) {
    uint32_t const fact = stack.back();
    stack.pop_back();
    for (uint32_t s : needed_by_[fact]) {
      if (missing_[s] > 0 || dearest_[s] != fact) continue;
      bool crosses = false;
      for (uint32_t added : steps_[s].adds) crosses = crosses || zone_[added];
      if (crosses) {
        crossing_.push_back(s);
        continue;
      }
      for (uint32_t added : steps_[s].adds)
        if (!near_[added]) {
          near_[added] = 1;
          stack.push_back(added);
        }
    }
  }
  bool dear = !crossing_.empty();
  for (uint32_t s : crossing_) dear = dear && cost_[s] > 0;
  for (uint32_t s : crossing_) cost_[s] = 0;
  return dear;
}

uint32_t Landmarks::estimate(const States &states) {
  cost_.clear();
  for (const Step &step : steps_) cost_.push_back(step.cost);
  held_.assign(facts_, 0);
  held_[always_] = 1;
  for (uint32_t atom = 0; atom < atoms_; ++atom) held_[atom] = has(states, atom);
  spread(states);
  if (value_[goal_] == kUnreachable) return kUnreachable;
  for (uint32_t total = 0;; ++total, spread_again())
    if (value_[goal_] == 0 || !cut()) return total;
}

} // namespace htp
