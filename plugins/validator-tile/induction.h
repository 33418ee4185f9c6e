// induction.h — what follows of a loop whose slots are known: what it leaves, whether its iterations are independent.
// It reads terms alone, and asks nothing of the program.
#pragma once

#include "values.h"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace htp::validator {

class Induction : private Values {
public:
  explicit Induction(Terms &terms) : Values(terms) {}
  // A product that begins anew in the first iteration: what was there before it is nothing. Lists that the loop runs.
  void begin_products(uint32_t number, std::set<std::string> &assumptions);
  // Whether iterations may run in any order: each changes tensors at places of its own, and reads none that others
  // change.
  bool independent(uint32_t number);
  // Whether each iteration stores to places of its own in what a slot holds, whatever it stores.
  bool stores_apart(uint32_t number, size_t slot);
  // What a slot holds after the loop.
  Term after_loop(uint32_t number, size_t k, const std::string &of);

private:
  // Contents to which a loop stores in places of its own in each iteration, values that do not depend on the contents:
  // in whichever order. Blocks of blocks, of whole steps, are blocks.
  Term as_map(uint32_t number, const Loop::Slot &slot);
  Term map_of(std::vector<Term> args, std::vector<int64_t> axes, const Loop::Slot &slot);
  bool positive(Term x) const;
  // Whether a term is made of another.
  bool uses(Term x, Term of, std::set<Term> &seen) const;
  // Whether a term has another value after an earlier iteration of the loop than before.
  bool mentions(Term x, uint32_t number, std::set<Term> &seen);
  // Whether the contents come of `from` by stores alone, each in places of this iteration.
  bool changes_own(Term x, Term from, uint32_t number, std::set<Term> &seen, bool values = true);
  // Whether it is the same in all iterations: of dims, and of variables of loops around.
  bool is_around(Term x, uint32_t number) const;
  // Whether a slice lies between the variable and a step further.
  bool is_within(Term slice, Term variable, const Loop &loop);
  bool is_within_to(const Loop &inner, Term variable, const Loop &loop);
  // Whether a block of a loop ends where the loop does at the latest: min(step, high - variable) elements.
  bool stays(const TermNode &sl, const Loop &inner);
};

} // namespace htp::validator
