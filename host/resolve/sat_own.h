// host/resolve/sat_own.h — the search of Sat that needs no library: clause learning with a fixed order of decisions.
#pragma once

#include "host/resolve/sat.h"

#include <cstdlib>
#include <memory_resource>

namespace htp {

// Decides variables to be false in the order given, then the others. What is true in the model is then implied by what
// was decided before it, so no model that comes earlier exists. Assumptions hold from the first level on, all at once.
class Sat::Own {
public:
  void grow(int variables);
  void add(const int *clause, size_t size); // of distinct literals, no two of them opposite
  Answer solve(const std::vector<int> &assumptions, const std::vector<int> &order, uint32_t &conflicts); // those left

private:
  using Reference = uint32_t; // where a clause stands in `arena_`: its size, then its literals
  static constexpr Reference kNoReason = UINT32_MAX;
  struct Watch {
    Reference clause;
    int other; // a literal of it; when that is true the clause need not be looked at
  };
  struct Level {
    size_t trail, decided; // how far either was when the level began
  };

  static size_t at(int literal) { return 2 * static_cast<size_t>(std::abs(literal)) + (literal < 0); }
  static size_t variable(int literal) { return static_cast<size_t>(std::abs(literal)); }
  int value(int literal) const { return literal > 0 ? values_[variable(literal)] : -values_[variable(literal)]; }
  uint32_t level() const { return static_cast<uint32_t>(levels_.size()); }
  void set(int literal, Reference reason);
  void open_level() { levels_.push_back({trail_.size(), decided_}); }
  void back_to(uint32_t level);
  Reference store(const int *clause, size_t size);
  void watch(Reference clause);
  Reference propagate(); // the clause that cannot hold, or kNoReason
  uint32_t learn(Reference conflict);
  std::vector<int> core_of(const std::vector<int> &false_literals);
  bool decide(const std::vector<int> &order);
  std::vector<int> literals(Reference clause) const;

  size_t variables_ = 0;
  std::vector<int> arena_;
  std::pmr::monotonic_buffer_resource memory_;                  // of the lists of watches
  std::pmr::vector<std::pmr::vector<Watch>> watches_{&memory_}; // by the literal that becomes false
  // By variable; longer than need be.
  std::vector<signed char> values_;
  std::vector<uint32_t> level_of_;
  std::vector<Reference> reasons_;
  std::vector<bool> seen_;
  std::vector<int> trail_, learned_;
  size_t next_ = 0, decided_ = 0;
  std::vector<Level> levels_;
  bool contradiction_ = false;
};

} // namespace htp
