#include "host/resolve/sat.h"

#include <cadical.hpp>

#include <algorithm>
#include <cstdlib>

namespace htp {

// Assignments in the order they were made, with two watched literals a clause.
struct Sat::Trail {
  Trail(int variables, const std::vector<std::vector<int>> &clauses)
      : clauses_(clauses), watched_(clauses.size()), watches_(2 * static_cast<size_t>(variables) + 2),
        values_(static_cast<size_t>(variables) + 1) {
    for (uint32_t c = 0; c < clauses.size(); ++c) {
      const std::vector<int> &clause = clauses[c];
      if (clause.empty()) contradiction_ = true;
      if (clause.size() < 2) continue;
      watched_[c] = {clause[0], clause[1]};
      watches_[slot(clause[0])].push_back(c);
      watches_[slot(clause[1])].push_back(c);
    }
    for (const std::vector<int> &clause : clauses_)
      if (clause.size() == 1 && !contradiction_) contradiction_ = !assume(clause[0]);
    root_ = trail_.size();
  }

  bool contradiction() const { return contradiction_; }
  size_t root() const { return root_; } // what is true without any assumption
  bool assume(int literal) {
    if (int const value = value_of(literal)) return value > 0;
    set(literal);
    return propagate();
  }
  int value_of(int literal) const {
    int const value = values_[static_cast<size_t>(std::abs(literal))];
    return literal > 0 ? value : -value;
  }
  size_t mark() const { return trail_.size(); }
  void undo(size_t mark) {
    for (; trail_.size() > mark; trail_.pop_back()) values_[static_cast<size_t>(std::abs(trail_.back()))] = 0;
    next_ = mark;
  }

private:
  static size_t slot(int literal) { return 2 * static_cast<size_t>(std::abs(literal)) + (literal < 0); }
  void set(int literal) {
    values_[static_cast<size_t>(std::abs(literal))] = literal > 0 ? 1 : -1;
    trail_.push_back(literal);
  }
  bool propagate() {
    for (; next_ < trail_.size(); ++next_) {
      int const falsified = -trail_[next_];
      std::vector<uint32_t> &list = watches_[slot(falsified)];
      size_t kept = 0;
      for (size_t i = 0; i < list.size(); ++i) {
        auto &[first, second] = watched_[list[i]];
        int &mine = first == falsified ? first : second;
        int const other = first == falsified ? second : first;
        if (value_of(other) > 0 || move_watch(list[i], mine, other)) {
          if (mine == falsified) list[kept++] = list[i];
          continue;
        }
        list[kept++] = list[i];
        if (value_of(other) == 0) {
          set(other);
          continue;
        }
        while (++i < list.size()) list[kept++] = list[i];
        list.resize(kept);
        return false;
      }
      list.resize(kept);
    }
    return true;
  }
  bool move_watch(uint32_t clause, int &mine, int other) {
    for (int literal : clauses_[clause])
      if (literal != mine && literal != other && value_of(literal) >= 0) {
        mine = literal;
        watches_[slot(literal)].push_back(clause);
        return true;
      }
    return false;
  }

  const std::vector<std::vector<int>> &clauses_;
  std::vector<std::pair<int, int>> watched_;
  std::vector<std::vector<uint32_t>> watches_;
  std::vector<int8_t> values_;
  std::vector<int> trail_;
  size_t next_ = 0, root_ = 0;
  bool contradiction_ = false;
};

struct Sat::Engine {
  CaDiCaL::Solver cadical;
  size_t fed = 0; // clauses it has been given

  bool solve(const std::vector<int> &assumptions) {
    for (int literal : assumptions) cadical.assume(literal);
    return cadical.solve() == 10;
  }
};

Sat::Sat() = default;
Sat::~Sat() = default;

int Sat::fresh() { return ++variables_; }

void Sat::add(std::vector<int> clause) {
  std::sort(clause.begin(), clause.end(),
            [](int a, int b) { return std::pair(std::abs(a), a) < std::pair(std::abs(b), b); });
  clause.erase(std::unique(clause.begin(), clause.end()), clause.end());
  for (size_t i = 1; i < clause.size(); ++i)
    if (clause[i] == -clause[i - 1]) return;
  clauses_.push_back(std::move(clause));
}

// With nothing assumed.
Sat::Trail &Sat::trail() {
  if (trailed_ != std::pair(clauses_.size(), variables_)) {
    trail_ = std::make_unique<Trail>(variables_, clauses_);
    trailed_ = {clauses_.size(), variables_};
  }
  trail_->undo(trail_->root());
  return *trail_;
}

Sat::Outcome Sat::by_propagation(const std::vector<int> &assumptions, const std::vector<int> &order, Model &model) {
  Trail &trail = this->trail();
  if (trail.contradiction()) return Outcome::none;
  for (int literal : assumptions)
    if (!trail.assume(literal)) return Outcome::none;
  auto decide = [&](int variable) {
    if (trail.value_of(variable)) return true;
    size_t const mark = trail.mark();
    if (trail.assume(-variable)) return true;
    trail.undo(mark); // so it must be true
    return trail.assume(variable);
  };
  for (int variable : order)
    if (!decide(variable)) return Outcome::open;
  for (int variable = 1; variable <= variables_; ++variable)
    if (!decide(variable)) return Outcome::open;
  model.assign(static_cast<size_t>(variables_) + 1, false);
  for (int variable = 1; variable <= variables_; ++variable)
    model[static_cast<size_t>(variable)] = trail.value_of(variable) > 0;
  return Outcome::model;
}

Sat::Engine &Sat::solver() {
  if (!solver_) {
    solver_ = std::make_unique<Engine>();
    solver_->cadical.set("quiet", 1);
  }
  for (; solver_->fed < clauses_.size(); ++solver_->fed) {
    for (int literal : clauses_[solver_->fed]) solver_->cadical.add(literal);
    solver_->cadical.add(0);
  }
  return *solver_;
}

std::optional<Sat::Model> Sat::least(const std::vector<int> &assumptions, const std::vector<int> &order) {
  Model model;
  switch (by_propagation(assumptions, order, model)) {
  case Outcome::model: return model;
  case Outcome::none: return std::nullopt;
  case Outcome::open: break;
  }
  Engine &engine = solver();
  std::vector<int> fixed = assumptions;
  if (!engine.solve(fixed)) return std::nullopt;
  model = model_of(engine);
  for (int variable : order) {
    fixed.push_back(-variable);
    if (!model[static_cast<size_t>(variable)]) continue; // the model at hand shows that it can be
    if (engine.solve(fixed))
      model = model_of(engine);
    else
      fixed.back() = variable;
  }
  return model;
}

Sat::Model Sat::model_of(Engine &engine) const {
  Model model(static_cast<size_t>(variables_) + 1);
  for (int v = 1; v <= variables_; ++v)
    model[static_cast<size_t>(v)] = v <= engine.cadical.vars() && engine.cadical.val(v) > 0;
  return model;
}

std::optional<Sat::Model> Sat::any(const std::vector<int> &assumptions, std::vector<int> &core) {
  Engine &engine = solver();
  if (engine.solve(assumptions)) return model_of(engine);
  core.clear();
  for (int literal : assumptions)
    if (engine.cadical.failed(literal)) core.push_back(literal);
  return std::nullopt;
}

} // namespace htp
