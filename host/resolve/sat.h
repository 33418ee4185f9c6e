// host/resolve/sat.h — satisfiability of clauses, and the preferred model. Literals are ±variable, from 1, as in
// DIMACS. Propagation alone answers what is not open; only what is left goes to CaDiCaL, which is made when it is first
// needed.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace htp {

class Sat {
public:
  Sat();
  ~Sat();
  Sat(const Sat &) = delete;
  Sat &operator=(const Sat &) = delete;

  int fresh();
  void add(std::vector<int> clause);

  using Model = std::vector<bool>; // by variable; [0] unused
  // The model in which the first variable of `order` is false if it can be, then the second, and so on; under
  // assumptions.
  std::optional<Model> least(const std::vector<int> &assumptions, const std::vector<int> &order);
  // Some model under assumptions, by the solver; or, into `core`, some of them that cannot hold together.
  std::optional<Model> any(const std::vector<int> &assumptions, std::vector<int> &core);
  bool used_solver() const { return solver_ != nullptr; }

private:
  struct Trail;
  struct Engine;
  enum class Outcome : uint8_t { model, none, open };
  Outcome by_propagation(const std::vector<int> &assumptions, const std::vector<int> &order, Model &model);
  Trail &trail();
  Engine &solver();
  Model model_of(Engine &engine) const;

  int variables_ = 0;
  std::vector<std::vector<int>> clauses_;
  std::unique_ptr<Trail> trail_; // over the first `trailed_` clauses and variables
  std::pair<size_t, int> trailed_{0, -1};
  std::unique_ptr<Engine> solver_;
};

} // namespace htp
