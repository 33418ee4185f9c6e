// elements.h — what one element of contents is, at an index whose ints are terms: whatever blocks and loops it comes
// of.
#pragma once

#include "meanings.h"
#include "scalars.h"

#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace htp::validator {

// Of a loop that is looked into: one of its iterations, and elements of what its slots hold as that begins.
struct OpenLoop {
  uint32_t loop = 0;
  Term turn = 0;                                              // which iteration, from 0 on
  Term begun = 0;                                             // its variable
  Term low = 0, step = 0, count = 0;                          // count: how many there are
  Term left = 0;                                              // not negative: it is one of them
  Term at = 0;                                                // the turn, or what it is known to be
  std::vector<std::pair<size_t, std::vector<Term>>> elements; // a slot, and an index
  std::vector<Term> states;                                   // a value for each
};

class Elements : private Scalars {
public:
  Elements(Terms &terms, Facts &facts) : Scalars(terms, facts) {}
  // Whether two contents of a type are equal, element by element.
  bool equal(Term a, Term b, const Type &type);
  // Whether iterations of a loop that is being read may run in any order: each element of what they change is written
  // by one of them at most, and read by none but that.
  bool independent(uint32_t loop, const std::vector<size_t> &changed);
  // Whether ints are not negative in each iteration of a loop that is being read, where others are not.
  bool within_loops(uint32_t loop, const std::vector<Term> &known, const std::vector<Term> &wanted);
  const std::string &difference() const { return difference_; }
  // Whether floats are summed in another order than they were written in.
  bool reordered() const { return reordered_; }

private:
  using Index = std::vector<Term>;

  // ── contents: elements.cpp ──
  Term element(Term x, const Index &index);
  Term element_of(Term x, const Index &index);
  // The same, or a hole where it has no form: it matters where that is asked for alone.
  Term element_if(Term x, const Index &index);
  // Of a value, or what is an element already.
  Term operand(Term x, const Index &index);
  // An int, where the loops are that are open.
  Term integer(Term x);
  // A mask's or an int's one element.
  Term only(Term x);
  Term choice(Term condition, const std::function<Term()> &yes, const std::function<Term()> &no);
  // The same index into extents of which some are 1, or are not there.
  Index fitted(const Index &index, const std::vector<Term> &extents);
  Term function_of(const Function &f, const TermNode &n, const Index &index, const std::string &dtype);
  Term load(const TermNode &n, const Index &index, const std::string &dtype);
  // What is stored at an index of what is written.
  Term put(const TermNode &n, const std::vector<Term> &slices, const Index &local, const std::string &dtype);
  Term update(const TermNode &n, const Index &index, const std::string &dtype);
  // Of what is stored with an index, an index of the value.
  Index stored(const std::vector<Term> &slices, const Index &local, Term value);
  // Conditions of an index that a slice takes; where it begins.
  std::vector<Term> within(Term slice, Term at, Term &local);
  Term reduced(const TermNode &n, const Index &index, const std::string &dtype);
  Term product(const TermNode &n, const Index &index, const std::string &dtype);
  Term reshaped(Term x, const Index &index, const std::vector<Term> &extents);

  // ── what moves: moved.cpp ──
  // Of what processes store, each beside the others.
  Term both(const TermNode &n, const Index &index);
  // A number as one of another dtype, of the same bits.
  Term as_bits(Term x, const std::string &dtype);
  Term unpacked(const TermNode &n, const Index &index, const Type &type);
  Term padded(const TermNode &n, const Index &index, const Type &type);
  Term cropped(const TermNode &n, const Index &index, const Type &type);
  // Of matrices that lie in the blocks of matrix units.
  Term product_of_blocks(const TermNode &n, const Index &index, const std::string &dtype);
  Term packed(const TermNode &n, const Index &index, const Type &type);
  // Where leading extents of 1 come and go.
  Term of(Term x, const Index &index);
  // Which element it is of all, in the order in which they lie, and back.
  Term ravelled(const std::vector<Term> &extents, const Index &index);
  Index unravelled(const std::vector<Term> &extents, Term flat);
  // Of a block that a transfer brings.
  Term fed(const TermNode &n, const Index &index);
  // `yes` where the conditions hold, which are facts as it is made.
  Term guarded_by(std::vector<Term> conditions, const std::function<Term()> &yes, Term no);
  // Floor division: what is shown to be within the divisor is left out.
  Term quotient(Term a, Term b);

  // ── loops: recurrences.cpp ──
  OpenLoop opened(uint32_t loop);
  void assume(const OpenLoop &o);
  OpenLoop *open(uint32_t loop);
  Term state(uint32_t loop, size_t slot, const Index &index);
  Term after(uint32_t loop, size_t slot, const Index &index);
  Term mapped(const TermNode &n, const Index &index, const std::string &dtype);
  // Of loops that do nothing to what they store to but that one store: as if they were one, where an index has one
  // iteration of all of them. 0: it is not so.
  Term nest(uint32_t loop, size_t slot, const Index &index, const std::string &dtype);
  // An iteration that conditions leave, if it is one at most; it is not said by the variables in `but`.
  Pin pinned(const OpenLoop &o, const std::vector<Term> &conditions, const std::set<Term> &but = {});
  std::vector<Term> weakened(const std::vector<Term> &conditions, bool last);
  // A loop is known to be where: so for all that is open.
  void pin(const Pin &pin);
  // While a value is looked at under conditions: which loops are known to be where. Conditions and index become those
  // of that.
  void pin_all(std::vector<Term> &conditions, Index &index);
  void unpin(const std::vector<OpenLoop> &as);
  struct Leaf {
    std::vector<Term> conditions;
    Term value = 0, turn = 0;
  };
  // Of an element that at most one iteration writes: what is written, and when.
  bool leaves(const OpenLoop &o, Term next, Term state, std::vector<Leaf> &into);
  bool apart(const OpenLoop &o, const std::vector<Leaf> &of, const std::set<Term> &states);
  // What an item of a recurrence adds to the state.
  bool items(Term next, Term state, std::string &name, const std::string &dtype, std::vector<Term> &into);

  // ── equality: elements.cpp ──
  bool same(Term a, Term b);
  bool differ(Term a, Term b);
  // A choice that the facts decide is what they decide.
  Term chosen(Term x);
  bool has_hole(Term x);

  std::vector<OpenLoop> open_;
  std::map<uint32_t, std::vector<OpenLoop>> around_;         // loops that are being read, outermost first
  std::map<std::pair<std::vector<Term>, Term>, Term> known_; // by context and index
  std::string difference_, why_;
  std::map<Term, bool> holes_;
  size_t steps_ = 0;
};

} // namespace htp::validator
