// values.h — values with elements: functions of them with their types, extents that spread, truths. Knows no program.
#pragma once

#include "meanings.h"
#include "read.h"
#include "terms.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace htp::validator {

// What has no meaning here throws NotShown, at the node that is given.
class Values {
public:
  explicit Values(Terms &terms) : t(terms) {}

protected:
  [[noreturn]] static void fail(sdk::Node at, std::string why) { throw NotShown{at, std::move(why)}; }

  // ── numbers and truths ──
  // A number's value.
  std::optional<double> real(Term x) const;
  // A literal, of ints or floats.
  bool is_number(Term x) const;
  bool is_one(Term x) const;
  Term truth(const char *name, std::vector<Term> args);
  Term nonnegative(Term x);
  Term negated(Term x);
  // One value or the other; no value where they are not of one kind.
  Term choice(Term condition, Term a, Term b, const Type &type);

  // ── extents ──
  Term index_of_int(Term at);
  // The extent that a dim, an int or a block gives a dimension.
  Term extent_of(Term x, sdk::Node n);
  // Of extents that are equal or 1, from the last on.
  std::optional<std::vector<Term>> broadcast(const std::vector<Term> &a, const std::vector<Term> &b);
  std::vector<Term> without_leading_ones(std::vector<Term> extents) const;
  std::vector<Term> without_ones(std::vector<Term> extents) const;
  // But for leading ones.
  bool same_extents(const std::vector<Term> &a, const std::vector<Term> &b) const;
  // A literal, or a tile of one value, is that value where the operation gives the type without it.
  Term scalar_of(Term x) const;
  // Of what an index takes: a slice's, and all of a tile of ints.
  std::vector<Term> extents_at(const std::vector<Term> &index) const;
  // Extents as arguments of a function: leading ones make no other value.
  void add_shape(std::vector<Term> &args, const std::vector<Term> &extents) const;

  // ── functions ──
  // One of meanings.def, with its type; a product of no accumulator is summed in that dtype, else in its factors'.
  Term function(std::string_view name, std::vector<Term> args, sdk::Node n, const std::string &summed_in = {});
  Term cast(Term x, const std::string &dtype, Term rounding, sdk::Node n);
  Term full(const std::string &dtype, Term value, std::vector<Term> extents);
  Term reshaped(Term x, std::vector<Term> extents);
  // Extents of 1, repeated.
  Term spread(Term x, const std::vector<Term> &to, sdk::Node n);
  // What an index takes of contents; `outside`, of elements that are not there, or none.
  Term load(Term holds, const Type &of, const std::vector<Term> &index, Term outside);

  Terms &t;
};

} // namespace htp::validator
