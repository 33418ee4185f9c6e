#include "host/resolve/sat.h"

#include "host/resolve/sat_own.h"

#include <cadical.hpp>

#include <algorithm>
#include <cstdlib>
#include <limits>

namespace htp {

// A conflict is a clause learned.
struct Sat::Engine : CaDiCaL::Learner {
  CaDiCaL::Solver cadical;
  size_t fed = 0; // of the clauses' literals
  uint32_t &left;
  explicit Engine(uint32_t &conflicts) : left(conflicts) {
    cadical.set("quiet", 1);
    cadical.connect_learner(this);
  }
  ~Engine() override { cadical.disconnect_learner(); }
  bool learning(int) override {
    left -= left > 0;
    return false;
  }
  void learn(int) override {}
  int solve(const std::vector<int> &assumptions) {
    for (int literal : assumptions) cadical.assume(literal);
    cadical.limit("conflicts", static_cast<int>(std::min<uint32_t>(left, std::numeric_limits<int>::max())));
    return cadical.solve();
  }
  std::vector<bool> model(int variables) {
    std::vector<bool> model(static_cast<size_t>(variables) + 1);
    for (int v = 1; v <= variables; ++v) model[static_cast<size_t>(v)] = v <= cadical.vars() && cadical.val(v) > 0;
    return model;
  }
};

Sat::Sat(uint32_t &left, uint32_t own) : left_(left), most_own_(own), own_(std::make_unique<Own>()) { own_->grow(0); }
Sat::~Sat() = default;

int Sat::fresh() {
  own_->grow(++variables_);
  return variables_;
}

void Sat::add(std::span<const int> literals) {
  clause_.assign(literals.begin(), literals.end());
  std::sort(clause_.begin(), clause_.end(), [](int a, int b) {
    int const x = std::abs(a), y = std::abs(b);
    return x != y ? x < y : a < b;
  });
  clause_.erase(std::unique(clause_.begin(), clause_.end()), clause_.end());
  for (size_t i = 1; i < clause_.size(); ++i)
    if (clause_[i] == -clause_[i - 1]) return;
  own_->add(clause_.data(), clause_.size());
  clauses_.insert(clauses_.end(), clause_.begin(), clause_.end());
  clauses_.push_back(0);
}

Sat::Answer Sat::solve(const std::vector<int> &assumptions, const std::vector<int> &order) {
  uint32_t const most = std::min(most_own_, left_);
  uint32_t unused = most;
  Answer answer = own_->solve(assumptions, order, unused);
  left_ -= most - unused;
  return answer.kind == Answer::Kind::undecided && left_ > 0 ? by_solver(assumptions, order) : answer;
}

Sat::Engine &Sat::solver() {
  if (!solver_) solver_ = std::make_unique<Engine>(left_);
  for (; solver_->fed < clauses_.size(); ++solver_->fed) solver_->cadical.add(clauses_[solver_->fed]);
  return *solver_;
}

Sat::Answer Sat::by_solver(const std::vector<int> &assumptions, const std::vector<int> &order) {
  constexpr int kFound = 10, kNone = 20;
  Engine &engine = solver();
  std::vector<int> fixed = assumptions;
  int const first = engine.solve(fixed);
  if (first == kNone) {
    Answer none{Answer::Kind::none, {}, {}};
    for (int literal : assumptions)
      if (engine.cadical.failed(literal)) none.core.push_back(literal);
    return none;
  }
  if (first != kFound) return {};
  std::vector<bool> model = engine.model(variables_);
  for (int variable : order) {
    fixed.push_back(-variable);
    if (!model[static_cast<size_t>(variable)]) continue; // the model at hand shows that it can be
    int const next = engine.solve(fixed);
    if (next == kFound)
      model = engine.model(variables_);
    else if (next == kNone)
      fixed.back() = variable;
    else
      return {};
  }
  return {Answer::Kind::model, std::move(model), {}};
}

} // namespace htp
