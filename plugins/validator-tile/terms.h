// terms.h — what stages are read as: values as terms over the arguments, each written once. Ints have one normal form:
// sums of products of atoms, floor divisions, minima and maxima.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace htp::validator {

using Term = uint32_t; // 0: none

enum class Op : uint8_t {
  none,
  undefined, // a name that has no value
  garbage,   // contents that nothing may read; each is another
  number,    // a float, by its digits
  text,      // a string
  symbol,    // a module's name, "htp.f32"; a dim, "dim M"
  sum,       // ints: constant + coefficients · atoms
  product,   // of atoms that are ints
  floordiv,
  minimum,
  maximum,
  variable, // of a loop, by its number
  state,    // what a name or a buffer holds as an iteration of a loop begins: loop, slot
  exit,     // what it holds after the loop
  choice,   // condition, one, other
  block,    // of a dimension: where it begins, how many
  slice,    // the same, as an index
  tuple,
  whole,    // the index that takes a dimension
  argument, // a tensor as it was given
  map,      // initial contents, a value, an index: stored in each iteration of loops, the axes, at places of its own
  apply,    // a function of no state
};

struct TermNode {
  Op op = Op::none;
  std::string tag;
  std::vector<Term> args;
  std::vector<int64_t> numbers; // of a sum: the constant, then a coefficient an atom
  bool operator==(const TermNode &) const = default;
};

// Of a value with elements; extents are ints. Unknown: no dtype.
struct Type {
  std::string dtype;
  std::vector<Term> extents;
  bool known() const { return !dtype.empty(); }
  bool operator==(const Type &) const = default;
};

// A loop that was read: its header, and what changes in it.
struct Loop {
  Term low = 0, high = 0, step = 0;
  uint32_t parent = 0; // 0: none; loops are numbered from 1
  std::string form;    // "for", "turns"
  struct Slot {
    Term initial = 0, next = 0, state = 0;
  };
  std::vector<Slot> slots;
  bool split = false; // into an axis of a map: it goes over blocks of blocks
  std::array<Term, 3> bounds() const { return {low, high, step}; }
};

class Terms {
public:
  Terms();
  Term make(Op op, std::string tag, std::vector<Term> args, std::vector<int64_t> numbers = {});
  const TermNode &at(Term t) const { return nodes_[t]; }
  bool is(Term t, Op op) const { return nodes_[t].op == op; }

  // ── ints ──
  Term integer(int64_t value);
  std::optional<int64_t> constant(Term t) const;
  Term add(Term a, Term b) { return combine(a, 1, b, 1); }
  Term sub(Term a, Term b) { return combine(a, 1, b, -1); }
  Term scale(Term a, int64_t k);
  Term mul(Term a, Term b);
  Term floordiv(Term a, Term b);
  Term mod(Term a, Term b) { return sub(a, mul(b, floordiv(a, b))); }
  Term least(std::vector<Term> of) { return extreme(Op::minimum, std::move(of)); }
  Term most(std::vector<Term> of) { return extreme(Op::maximum, std::move(of)); }
  bool is_int(Term t) const;
  // Whether it is a multiple of the number at all values of its atoms.
  bool divisible(Term t, int64_t by) const;

  // ── values ──
  Term symbol(std::string name) { return make(Op::symbol, std::move(name), {}); }
  Term number(double value);
  Term apply(std::string function, std::vector<Term> args, Type type = {});
  Term garbage(Type type);
  void type(Term t, Type type) { types_.try_emplace(t, std::move(type)); }
  Type type_of(Term t) const;

  std::vector<Loop> loops; // [0] is none
  Term variable(uint32_t loop) { return make(Op::variable, "", {}, {static_cast<int64_t>(loop)}); }
  // The term with another loop in the place of one: loops within it are made again.
  Term replaced(Term x, uint32_t loop, uint32_t by, std::map<Term, Term> &known, std::map<uint32_t, uint32_t> &again);

  std::string show(Term t, int depth = 4) const;

private:
  struct Sum {
    int64_t constant = 0;
    std::map<Term, int64_t> atoms;
  };
  Sum sum_of(Term t) const;
  Term of_sum(const Sum &sum);
  Term combine(Term a, int64_t ka, Term b, int64_t kb);
  Term extreme(Op op, std::vector<Term> of);
  bool is_far(Term arm, int64_t least);
  uint32_t again(uint32_t loop, uint32_t by, uint32_t inner, std::map<Term, Term> &known,
                 std::map<uint32_t, uint32_t> &loops_again);

  struct Hash {
    size_t operator()(const TermNode &n) const;
  };
  std::vector<TermNode> nodes_;
  std::unordered_map<TermNode, Term, Hash> known_;
  std::unordered_map<Term, Type> types_;
  uint32_t garbages_ = 0;
};

} // namespace htp::validator
