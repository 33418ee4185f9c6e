// facts.h — what is known of ints where a term is looked at, and what follows of it; isl decides.
#pragma once

#include "terms.h"

#include <map>
#include <memory>
#include <set>
#include <vector>

namespace htp::validator {

// Ints that are not negative, and alternatives of such ints of which one holds. What floor divisions, minima, maxima
// and dims are follows of themselves; any other atom is some int. Products of atoms are atoms.
class Facts {
public:
  explicit Facts(Terms &terms);
  ~Facts();
  Facts(const Facts &) = delete;
  Facts &operator=(const Facts &) = delete;

  size_t mark() const { return facts_.size(); }
  void back_to(size_t mark) { facts_.resize(mark); }
  void assume(Term nonnegative);
  // Not all of them are nonnegative.
  void assume_not(const std::vector<Term> &all);
  // Whether it is not negative, at all values that the facts leave.
  bool proves(Term x);
  // Whether the facts leave no value, with others added.
  bool impossible(const std::vector<Term> &others = {});
  // What is known, as a key.
  void append_to(std::vector<Term> &key) const;
  size_t asked() const { return asked_; }

private:
  // A constant and coefficients of atoms: minima and maxima stay as they are in it, which in a term they do not.
  struct Linear {
    int64_t constant = 0;
    std::map<Term, int64_t> atoms;
    auto operator<=>(const Linear &) const = default;
  };
  using Clause = std::vector<Linear>; // one of these is not negative
  struct Isl;
  Linear linear(Term x, int64_t by = 1) const;
  Linear difference(Term a, Term b) const;
  // What an atom is: facts and alternatives.
  void define(Term atom, std::vector<Clause> &into);
  bool empty(const std::vector<Clause> &clauses);
  // The same where several quotients of one number, and what is near it, are asked for: by each remainder.
  bool empty_by_remainder(std::vector<Clause> clauses, int depth);

  Terms &t;
  void learn(std::vector<Term> alternatives);
  std::vector<std::vector<Term>> facts_; // alternatives
  std::map<std::vector<Clause>, bool> known_;
  std::unique_ptr<Isl> isl_;
  size_t asked_ = 0;
  size_t left_ = 10'000; // questions of isl, then nothing is shown any more
};

// Facts, as they were.
struct Restored {
  Facts &facts;
  size_t mark;
  explicit Restored(Facts &f) : facts(f), mark(f.mark()) {}
  ~Restored() { facts.back_to(mark); }
  Restored(const Restored &) = delete;
  Restored &operator=(const Restored &) = delete;
};

} // namespace htp::validator
