#include "host/resolve/pass_search.h"

#include "host/resolve/landmarks.h"

#include <algorithm>
#include <queue>
#include <unordered_map>

namespace htp {
namespace {

struct StatesHash {
  size_t operator()(const States &states) const {
    uint64_t hash = 0x9e3779b97f4a7c15;
    for (uint64_t word : states) hash = (hash ^ word) * 0xff51afd7ed558ccd, hash ^= hash >> 32;
    return hash;
  }
};

class Searcher {
public:
  Searcher(const PassTask &task, uint32_t budget) : task_(task), landmarks_(task), budget_(budget) {
    // Backwards from the goals: only what may be asked for tells states apart, and only what brings such is worth
    // running.
    relevant_ = task.none();
    useful_.resize(task.operators.size());
    for (const AnyOf &goal : task.goals) mark(goal);
    for (bool grew = true; grew;) {
      grew = false;
      for (uint32_t o = 0; o < task.operators.size(); ++o) {
        const Operator &op = task.operators[o];
        if (useful_[o] ||
            std::none_of(op.adds.begin(), op.adds.end(), [&](uint32_t atom) { return has(relevant_, atom); }))
          continue;
        useful_[o] = grew = true;
        for (const AnyOf &need : op.needs) mark(need);
      }
    }
    for (const Operator &op : task.operators) {
      Effect effect{task.none(), task.none()};
      for (const auto &gone : op.deletes)
        for (uint32_t atom : gone) put(effect.deletes, atom);
      for (uint32_t atom : op.adds) put(effect.adds, atom);
      effects_.push_back(std::move(effect));
    }
    start_ = task.none();
    for (uint32_t atom : task.start) put(start_, atom);
    cut(start_);
  }

  // Best first by the estimate: soon some order; when it has seen everything, there is none. An operator brings the
  // goals nearer by one at most, so states are estimated only when that guess for them comes first.
  Order any() {
    struct Entry {
      uint32_t estimate, length, id;
      bool guess;
      bool operator>(const Entry &other) const {
        return std::tie(estimate, length, id) > std::tie(other.estimate, other.length, other.id);
      }
    };
    struct Visit {
      States states;
      uint32_t from, op;
    };
    std::vector<Visit> visits;
    std::unordered_map<States, uint32_t, StatesHash> seen;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
    auto reach = [&](States states, uint32_t from, uint32_t op, uint32_t length, uint32_t guess) {
      const auto id = static_cast<uint32_t>(visits.size());
      if (!seen.try_emplace(states, id).second) return;
      visits.push_back({std::move(states), from, op});
      open.push({guess, length, id, true});
    };
    reach(start_, 0, 0, 0, 0);
    for (uint32_t expanded = 0; !open.empty();) {
      Entry entry = open.top();
      open.pop();
      States const states = visits[entry.id].states;
      if (entry.guess) {
        uint32_t const h = estimate(states);
        if (h == Landmarks::kUnreachable) continue;
        bool const farther = h > entry.estimate;
        entry.estimate = h, entry.guess = false;
        if (farther) {
          open.push(entry);
          continue;
        }
      }
      if (reached(states)) {
        Order order{Order::Outcome::found, {}, 0};
        for (uint32_t id = entry.id; id != 0; id = visits[id].from) order.operators.push_back(visits[id].op);
        std::reverse(order.operators.begin(), order.operators.end());
        return order;
      }
      if (expanded++ == budget_) return {Order::Outcome::budget, {}, 0};
      uint32_t const nearer = entry.estimate - std::min(entry.estimate, 1U);
      for (uint32_t o = 0; o < task_.operators.size(); ++o)
        if (applicable(o, states)) reach(apply(o, states), entry.id, o, entry.length + 1, nearer);
    }
    return {Order::Outcome::impossible, {}, 0};
  }

  // Deepening: all orders that may be as short as the bound, in the operators' order.
  Order shortest(Order known) {
    uint32_t const upper = static_cast<uint32_t>(known.operators.size());
    for (bound_ = estimate(start_); bound_ <= upper; bound_ = next_bound_) {
      next_bound_ = Landmarks::kUnreachable;
      left_.clear();
      path_.clear();
      if (descend(start_, 0)) return {Order::Outcome::found, path_, 0};
      if (expanded_ > budget_) break;
    }
    known.within = upper - std::min(bound_, upper);
    return known;
  }

private:
  struct Effect {
    States adds, deletes;
  };

  void mark(const AnyOf &any) {
    for (uint32_t atom : any.atoms) put(relevant_, atom);
  }
  void cut(States &states) const {
    for (size_t w = 0; w < states.size(); ++w) states[w] &= relevant_[w];
  }
  static bool met(const AnyOf &any, const States &states) {
    return std::any_of(any.atoms.begin(), any.atoms.end(), [&](uint32_t atom) { return has(states, atom); });
  }
  bool applicable(uint32_t o, const States &states) const {
    const std::vector<AnyOf> &needs = task_.operators[o].needs;
    return useful_[o] && std::all_of(needs.begin(), needs.end(), [&](const AnyOf &need) { return met(need, states); });
  }
  States apply(uint32_t o, const States &states) const {
    States next = states;
    for (size_t w = 0; w < next.size(); ++w) next[w] = (next[w] & ~effects_[o].deletes[w]) | effects_[o].adds[w];
    cut(next);
    return next;
  }
  bool reached(const States &states) const {
    return std::all_of(task_.goals.begin(), task_.goals.end(), [&](const AnyOf &goal) { return met(goal, states); });
  }
  uint32_t estimate(const States &states) {
    auto [found, fresh] = estimates_.try_emplace(states, 0);
    if (fresh) found->second = landmarks_.estimate(states);
    return found->second;
  }

  bool descend(const States &states, uint32_t length) {
    uint32_t const h = estimate(states);
    if (h == Landmarks::kUnreachable) return false;
    if (length + h > bound_) {
      next_bound_ = std::min(next_bound_, length + h);
      return false;
    }
    if (reached(states)) return true;
    if (++expanded_ > budget_) return false;
    left_[states] = bound_ - length;
    for (uint32_t o = 0; o < task_.operators.size(); ++o) {
      if (!applicable(o, states)) continue;
      States const next = apply(o, states);
      auto found = left_.find(next); // looked at with at least as many steps left, or on the way here
      if (length + 1 > bound_ || (found != left_.end() && found->second >= bound_ - length - 1)) continue;
      path_.push_back(o);
      if (descend(next, length + 1)) return true;
      path_.pop_back();
      if (expanded_ > budget_) return false;
    }
    return false;
  }

  const PassTask &task_;
  Landmarks landmarks_;
  uint32_t budget_, expanded_ = 0, bound_ = 0, next_bound_ = 0;
  States relevant_, start_;
  std::vector<Effect> effects_;
  std::vector<bool> useful_;
  std::unordered_map<States, uint32_t, StatesHash> estimates_, left_;
  std::vector<uint32_t> path_;
};

} // namespace

Order find_order(const PassTask &task, uint32_t budget) {
  Searcher searcher(task, budget);
  Order order = searcher.any();
  return order.outcome == Order::Outcome::found ? searcher.shortest(std::move(order)) : order;
}

Order::Outcome find_any(const PassTask &task, uint32_t budget) { return Searcher(task, budget).any().outcome; }

} // namespace htp
