#include "host/resolve/sat_own.h"

#include <algorithm>
#include <utility>

namespace htp {

void Sat::Own::grow(int variables) {
  variables_ = static_cast<size_t>(variables);
  if (variables_ < values_.size()) return;
  size_t const size = std::max<size_t>(64, 2 * values_.size());
  watches_.resize(2 * size);
  values_.resize(size);
  level_of_.resize(size);
  reasons_.resize(size, kNoReason);
  seen_.resize(size);
}

void Sat::Own::add(const int *clause, size_t size) {
  back_to(0);
  learned_.clear(); // what is false without any assumption stays so
  for (size_t i = 0; i < size; ++i) {
    if (value(clause[i]) > 0) return;
    if (value(clause[i]) == 0) learned_.push_back(clause[i]);
  }
  if (learned_.empty()) contradiction_ = true;
  if (learned_.size() == 1) set(learned_.front(), kNoReason);
  if (learned_.size() > 1) watch(store(learned_.data(), learned_.size()));
}

Sat::Own::Reference Sat::Own::store(const int *clause, size_t size) {
  Reference const at = static_cast<Reference>(arena_.size());
  arena_.push_back(static_cast<int>(size));
  arena_.insert(arena_.end(), clause, clause + size);
  return at;
}

void Sat::Own::watch(Reference clause) {
  int const a = arena_[clause + 1], b = arena_[clause + 2];
  watches_[at(a)].push_back({clause, b});
  watches_[at(b)].push_back({clause, a});
}

void Sat::Own::set(int literal, Reference reason) {
  size_t const v = variable(literal);
  values_[v] = literal > 0 ? 1 : -1;
  level_of_[v] = level();
  reasons_[v] = reason;
  trail_.push_back(literal);
}

void Sat::Own::back_to(uint32_t level) {
  if (level >= levels_.size()) return;
  size_t const to = levels_[level].trail;
  for (; trail_.size() > to; trail_.pop_back()) values_[variable(trail_.back())] = 0;
  next_ = std::min(next_, to);
  decided_ = levels_[level].decided;
  levels_.resize(level);
}

Sat::Own::Reference Sat::Own::propagate() {
  for (; next_ < trail_.size(); ++next_) {
    int const gone = -trail_[next_];
    std::pmr::vector<Watch> &list = watches_[at(gone)];
    size_t kept = 0;
    for (size_t i = 0; i < list.size(); ++i) {
      Watch const watch = list[i];
      list[kept++] = watch;
      if (value(watch.other) > 0) continue;
      int *clause = &arena_[watch.clause + 1];
      if (clause[0] == gone) std::swap(clause[0], clause[1]); // what is implied stands first
      list[kept - 1].other = clause[0];
      if (value(clause[0]) > 0) continue;
      int const size = clause[-1];
      int k = 2;
      while (k < size && value(clause[k]) < 0) ++k;
      if (k < size) {
        std::swap(clause[1], clause[k]);
        watches_[at(clause[1])].push_back({watch.clause, clause[0]});
        --kept;
        continue;
      }
      if (value(clause[0]) == 0) {
        set(clause[0], watch.clause);
        continue;
      }
      while (++i < list.size()) list[kept++] = list[i];
      list.resize(kept);
      return watch.clause;
    }
    list.resize(kept);
  }
  return kNoReason;
}

std::vector<int> Sat::Own::literals(Reference clause) const {
  const int *begin = &arena_[clause + 1];
  return {begin, begin + begin[-1]};
}

// Fills `learned_` with the clause of the first point that alone leads to the conflict, that literal first; gives the
// level to go back to.
uint32_t Sat::Own::learn(Reference conflict) {
  learned_.assign(1, 0);
  size_t open = 0, i = trail_.size();
  std::vector<int> touched;
  auto look = [&](const std::vector<int> &clause) {
    for (int literal : clause) {
      size_t const v = variable(literal);
      if (seen_[v] || level_of_[v] == 0 || value(literal) > 0) continue;
      seen_[v] = true;
      touched.push_back(literal);
      level_of_[v] == level() ? (void)++open : learned_.push_back(literal);
    }
  };
  look(literals(conflict));
  for (;;) {
    while (!seen_[variable(trail_[--i])]) {
    }
    if (--open == 0) break;
    look(literals(reasons_[variable(trail_[i])]));
  }
  learned_[0] = -trail_[i];
  for (int literal : touched) seen_[variable(literal)] = false;
  uint32_t back = 0;
  for (size_t k = 1; k < learned_.size(); ++k)
    if (level_of_[variable(learned_[k])] > back) {
      back = level_of_[variable(learned_[k])];
      std::swap(learned_[1], learned_[k]);
    }
  return back;
}

// The assumptions by which these literals are false, on the first level.
std::vector<int> Sat::Own::core_of(const std::vector<int> &false_literals) {
  std::vector<int> core;
  for (int literal : false_literals) seen_[variable(literal)] = true;
  for (size_t i = trail_.size(); i-- > 0;) {
    size_t const v = variable(trail_[i]);
    if (!seen_[v]) continue;
    seen_[v] = false;
    if (level_of_[v] == 0) continue;
    if (reasons_[v] == kNoReason)
      core.push_back(trail_[i]);
    else
      for (int literal : literals(reasons_[v])) seen_[variable(literal)] = variable(literal) != v;
  }
  return core;
}

bool Sat::Own::decide(const std::vector<int> &order) {
  size_t const all = order.size() + variables_;
  for (; decided_ < all; ++decided_) {
    int const v = decided_ < order.size() ? order[decided_] : static_cast<int>(decided_ - order.size() + 1);
    if (value(v) != 0) continue;
    open_level();
    set(-v, kNoReason);
    return true;
  }
  return false;
}

Sat::Answer Sat::Own::solve(const std::vector<int> &assumptions, const std::vector<int> &order, uint32_t &conflicts) {
  Answer none{Answer::Kind::none, {}, {}};
  for (;;) { // again when something was learned that holds without assumptions
    back_to(0);
    decided_ = 0;
    if (contradiction_ || propagate() != kNoReason) {
      contradiction_ = true;
      return none;
    }
    open_level();
    for (int literal : assumptions) {
      if (value(literal) < 0) {
        none.core = level_of_[variable(literal)] == 0 ? std::vector<int>{literal} : std::vector<int>{literal, -literal};
        return none;
      }
      if (value(literal) == 0) set(literal, kNoReason);
    }
    for (bool begun = true; begun;) {
      Reference const conflict = propagate();
      if (conflict == kNoReason) {
        if (decide(order)) continue;
        Answer answer{Answer::Kind::model, std::vector<bool>(variables_ + 1), {}};
        for (size_t v = 1; v <= variables_; ++v) answer.model[v] = values_[v] > 0;
        return answer;
      }
      if (level() == 1) {
        none.core = core_of(literals(conflict));
        return none;
      }
      if (conflicts == 0) return {};
      --conflicts;
      uint32_t const back = learn(conflict);
      back_to(back);
      begun = back > 0;
      Reference reason = kNoReason;
      if (learned_.size() > 1) watch(reason = store(learned_.data(), learned_.size()));
      set(learned_[0], reason);
    }
  }
}

} // namespace htp
