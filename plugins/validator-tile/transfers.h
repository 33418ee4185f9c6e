// transfers.h — what a stream of an array moves: which elements of a tensor its blocks are. Knows no program.
#pragma once

#include "terms.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace htp::validator {

// A column's transfer goes through the padded tensor in `order`, of (size, stride) from the outermost on, `apart`
// further than the column's before it, and is cut into blocks.
struct Transfer {
  std::vector<int64_t> padded, block;
  std::vector<std::pair<int64_t, int64_t>> order;
  int64_t apart = 0, start = 0;
  std::string share; // "each", "all", "rows"; else who is named, or several with a line each
  Term pieces = 0;
  Term holds = 0; // what it feeds: the tensor with padding
  int to = -1;    // where it is collected
  int64_t depth = 1;
  int64_t columns = 1, rows = 1;
  bool one() const { return share != "each" && share != "all" && share != "rows"; }
  // How many blocks come to, or of, each core; 0: it is not made of whole blocks within the tensor.
  int64_t blocks() const;
  // Who is at its end, one or several by their names.
  std::vector<std::string> ends() const;
  // Whether no element is moved twice, and none that is in `taken`, where it is then.
  bool apart_from(std::vector<bool> &taken) const;
};

// The place of a block in the padded tensor: an index of each dimension, and by which of the block's indices it goes
// on.
struct Place {
  std::vector<Term> index;  // of a block's element, by its local indices
  std::vector<Term> slices; // the same as slices; none: it is no box
  std::vector<Term> local;  // of the block, by where it is in the slices
  bool turned = false;      // the block's dimensions are not the slices'
};

class Transfers {
public:
  explicit Transfers(Terms &terms) : t(terms) {}
  // Of the `count`-th block that a core takes, at a column and row.
  Place place(const Transfer &of, Term count, Term column, Term row, const std::vector<Term> &local);
  // An index into a block.
  Term local(size_t k) { return t.symbol("dim local " + std::to_string(k)); }

private:
  using Span = std::pair<int64_t, int64_t>;
  // The least and the most that an int is, by the loops and indices that it is made of.
  std::optional<Span> span(Term x) const;
  std::optional<Span> spanned(Term x) const;
  // x = by * quotient + rest, with 0 <= rest < by.
  std::pair<Term, Term> split(Term x, int64_t by);
  bool mentions_local(Term x, const Transfer &of, const std::vector<Term> &local) const;
  bool boxed(const Transfer &of, const std::vector<Term> &local, Place &place);
  Terms &t;
  std::map<Term, int64_t> extents_; // of local indices
};

} // namespace htp::validator
