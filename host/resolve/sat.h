// host/resolve/sat.h — satisfiability of clauses: the preferred model, or the assumptions that leave none. Literals are
// ±variable, from 1, as in DIMACS.
//
// Conflict-driven search that decides in the order of preference finds the preferred model at once, and most questions
// meet few conflicts. After `own` of them the question goes to CaDiCaL, variable by variable; it is made when it is
// first needed. Limits are conflicts, so the answer is the same everywhere.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <vector>

namespace htp {

class Sat {
public:
  // All questions together may run into `left` conflicts, which are counted down there: of each question `own` before
  // CaDiCaL is asked.
  explicit Sat(uint32_t &left, uint32_t own = 2000);
  ~Sat();
  Sat(const Sat &) = delete;
  Sat &operator=(const Sat &) = delete;

  int fresh();
  void add(std::span<const int> clause);
  void add(std::initializer_list<int> clause) { add(std::span(clause.begin(), clause.size())); }

  struct Answer {
    enum class Kind : uint8_t { model, none, undecided } kind = Kind::undecided;
    std::vector<bool> model; // by variable; [0] unused
    std::vector<int> core;   // some of the assumptions, which cannot hold together
  };
  // The model in which the first variable of `order` is false if it can be, then the second, and so on; under
  // assumptions.
  Answer solve(const std::vector<int> &assumptions, const std::vector<int> &order);
  bool used_solver() const { return solver_ != nullptr; }

private:
  class Own;
  struct Engine;
  Answer by_solver(const std::vector<int> &assumptions, const std::vector<int> &order);
  Engine &solver();

  uint32_t &left_;
  uint32_t most_own_;
  int variables_ = 0;
  std::vector<int> clauses_; // each followed by 0
  std::vector<int> clause_;  // being added
  std::unique_ptr<Own> own_;
  std::unique_ptr<Engine> solver_;
};

} // namespace htp
