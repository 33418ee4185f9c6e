// htp_cpp/ints.h — int expressions over sizes, loop variables and whatever else has a name, in one canonical form:
// equal ones are spelled alike, `1 + N + 1` is `N + 2`. A draft; of the SDK's library, `htp::lib`.
//
//   const IntExpr m = IntExpr::symbol("M"), i = IntExpr::symbol("i");
//   const MaybeInt rest = m - (i + 1) * 8;
//   if (rest) rest->text();                                                "M - 8 * i - 8"
//   rest->with({{"i", 2}})                                                 M - 24
//   rest->range([](const std::string &) { return IntRange{0, 100}; })      -808 … 92
//
// No operation wraps around. Where a number does not fit 64 bits the result is nothing, and so is all that is made of
// nothing: an expression that one has is right.
#pragma once

#include "htp_cpp/tree.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace htp::sdk {

class Constants;
class IntExpr;
using MaybeInt = std::optional<IntExpr>;

// From `least` to `most`; nothing: it may be less, or more, than any number.
struct IntRange {
  std::optional<int64_t> least = std::nullopt, most = std::nullopt;

  friend bool operator==(const IntRange &, const IntRange &) = default;
};

struct IntAtom; // what a product of a sum is made of, beside its number
using IntFactor = std::shared_ptr<const IntAtom>;
using IntProduct = std::vector<IntFactor>; // in the order of their texts; empty: 1
struct InOrder {
  bool operator()(const IntProduct &a, const IntProduct &b) const;
};

// A sum of products, each with a number that is not 0.
class IntExpr {
public:
  using Terms = std::map<IntProduct, int64_t, InOrder>;

  IntExpr() = default;
  IntExpr(int64_t number);
  static IntExpr symbol(const std::string &name);
  // An int that is no arithmetic, and the names in it.
  static IntExpr other(std::string text, std::set<std::string> names);
  // One of the products that another is made of.
  static IntExpr product(IntProduct product);

  const Terms &terms() const { return terms_; }
  // The number that it is; nothing where it depends on something.
  std::optional<int64_t> constant() const;
  // The number that is added to the rest.
  int64_t offset() const;
  // How many times a name is added that is in no product and no other atom.
  int64_t coefficient(std::string_view name) const;
  // Whether it is a number and numbers times names.
  bool affine() const;
  std::set<std::string> names() const;
  bool uses(const std::string &name) const;
  // Whether it is a multiple of `by` because all its numbers are.
  bool divides_evenly(int64_t by) const;

  // Python's spelling.
  std::string text() const;
  // With other ints for some names, and for what is no arithmetic by its text; nothing where a name stands in that.
  MaybeInt with(const std::map<std::string, IntExpr, std::less<>> &meanings) const;
  // Its value; `value_of(name)` also has the values of atoms that are no arithmetic, by their texts. Nothing where one
  // is missing, or where the result or an atom's value does not fit.
  std::optional<int64_t> value(const std::function<std::optional<int64_t>(const std::string &)> &value_of) const;
  // Between which numbers it lies when each name and `other` atom lies in its range.
  IntRange range(const std::function<IntRange(const std::string &)> &range_of) const;

  friend bool operator==(const IntExpr &a, const IntExpr &b);
  friend bool operator<(const IntExpr &a, const IntExpr &b); // an order for maps, by spelling

private:
  friend MaybeInt operator+(const MaybeInt &a, const MaybeInt &b);
  friend MaybeInt operator*(const MaybeInt &a, const MaybeInt &b);
  friend MaybeInt quotient_or_remainder(const MaybeInt &a, int64_t by, bool quotient);
  friend MaybeInt least(const std::vector<MaybeInt> &ints);
  friend MaybeInt most(const std::vector<MaybeInt> &ints);
  static MaybeInt first_of(bool least, const std::vector<MaybeInt> &ints);
  static IntExpr of_atom(IntAtom atom);
  bool add(const IntProduct &product, int64_t factor);

  Terms terms_;
};

struct IntAtom {
  enum class Kind : uint8_t {
    symbol,    // a name
    other,     // an int that is no arithmetic of names: `len(i)`
    quotient,  // of[0] // by, rounded down
    remainder, // of[0] % by, at least 0
    least,     // min(of…)
    most,      // max(of…)
  } kind = Kind::symbol;
  std::string text = {}; // in Python; equal texts are equal atoms
  std::set<std::string> names = {};
  std::vector<IntExpr> of = {};
  int64_t by = 1;
};

MaybeInt operator+(const MaybeInt &a, const MaybeInt &b);
MaybeInt operator-(const MaybeInt &a, const MaybeInt &b);
MaybeInt operator-(const MaybeInt &a);
MaybeInt operator*(const MaybeInt &a, const MaybeInt &b);
// Python's `//` and `%` by a number of at least 1, else nothing.
MaybeInt floor_div(const MaybeInt &a, int64_t by);
MaybeInt remainder(const MaybeInt &a, int64_t by);
// ⌈a / by⌉
MaybeInt ceil_div(const MaybeInt &a, int64_t by);
// The least, the greatest of at least one.
MaybeInt least(const std::vector<MaybeInt> &ints);
MaybeInt most(const std::vector<MaybeInt> &ints);

// ── of the tree ─────────────────────────────────────────────────────────────────────────────────────────────────────

// What names and what is no arithmetic stand for; nothing: there is no such int, nor any that is made of it.
struct IntMeanings {
  std::function<MaybeInt(std::string_view name)> name = [](std::string_view n) {
    return MaybeInt(IntExpr::symbol(std::string(n)));
  };
  // Of `i.start` and calls; left empty, they are atoms of their spelling, whose one name it is.
  std::function<MaybeInt(Node)> other = {};
  // Whether `min` and `max` are read as such, and are no calls like others.
  bool choices = false;
};
// Names that are constants as their numbers, the others as symbols.
template <class F> IntMeanings with_constants(F constant) {
  IntMeanings meanings;
  meanings.name = [constant = std::move(constant)](std::string_view name) -> MaybeInt {
    const std::optional<int64_t> number = constant(name);
    return number ? IntExpr(*number) : IntExpr::symbol(std::string(name));
  };
  return meanings;
}

IntMeanings with_constants(const Constants &constants);

// An expression of literals, names, `+`, `-`, `*`, and `//` and `%` by numbers of at least 1.
MaybeInt read_int(const Reader &r, Node n, const IntMeanings &meanings = {});

// `slice(start, stop)`, `slice(start, stop, step)`: an index of a tensor; left out is `None`, or 0 for what is not
// there.
struct SliceCall {
  Node start = HTP_NONE, stop = HTP_NONE, step = HTP_NONE;
};
std::optional<SliceCall> read_slice(const Reader &r, Node n);
// `...`, `:` for the dimensions that are left.
bool is_ellipsis(const Reader &r, Node n);
// How many indices a slice has whose start and stop are there.
MaybeInt slice_length(const Reader &r, const SliceCall &s, const IntMeanings &meanings = {});

} // namespace htp::sdk
