// equal.h — whether two terms are equal at all sizes and all data.
#pragma once

#include "terms.h"

#include <set>
#include <string>
#include <utility>
#include <vector>

namespace htp::validator {

// Two loops are aligned when they have the same bounds and steps, within loops that are aligned: then their iterations
// go in pairs. What they hold as an iteration begins is assumed to be equal where that is asked for, and then must be
// so before the first one, and after one where it was before it: by induction it is. What fails takes its assumptions
// back.
class Equality {
public:
  explicit Equality(Terms &terms) : t(terms) {}
  bool equal(Term a, Term b);
  // The first difference, the most deeply nested one.
  std::string difference() const { return difference_; }
  const std::set<std::string> &assumptions() const { return assumptions_; }
  size_t steps() const { return steps_; }

private:
  using Pair = std::pair<Term, Term>;
  bool compare(Term a, Term b);
  bool sums(Term a, Term b);
  bool aligned(uint32_t a, uint32_t b);
  bool align(uint32_t a, uint32_t b);
  bool may_align(uint32_t a, uint32_t b) const;
  bool maps(const TermNode &x, const TermNode &y);
  bool slots(uint32_t la, size_t a, uint32_t lb, size_t b);
  bool all(const std::vector<Term> &a, const std::vector<Term> &b);
  // In any order.
  bool some(std::vector<Pair> &rest, const std::vector<Term> &a, const std::vector<int64_t> &ka, std::vector<Term> b,
            std::vector<int64_t> kb);
  Term resolved(Term x) const;
  void take(Pair p) {
    assumed_.insert(p);
    trail_.push_back(p);
  }
  void back_to(size_t mark) {
    for (; trail_.size() > mark; trail_.pop_back()) assumed_.erase(trail_.back());
  }
  void back_to_loops(size_t mark) {
    for (; loop_trail_.size() > mark; loop_trail_.pop_back()) loops_.erase(loop_trail_.back());
  }
  bool differ(Term a, Term b);

  Terms &t;
  std::set<Pair> assumed_;
  std::vector<Pair> trail_;
  std::set<std::pair<uint32_t, uint32_t>> loops_;
  std::vector<std::pair<uint32_t, uint32_t>> loop_trail_;
  std::set<std::string> assumptions_;
  std::string difference_;
  size_t depth_ = 0, deepest_ = 0, steps_ = 0;
};

} // namespace htp::validator
