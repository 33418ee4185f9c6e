// host/bind/direct.h — calls of an entry that the binding gives as a function: arguments are looked at by a table that
// is made once. It takes only what surely fits; of all else the signature says what is wrong, or that it fits after
// all.
#pragma once

#include "host/bind/signature.h"

#include <span>
#include <string>
#include <vector>

namespace htp {

// An array as a caller has it: strides in bytes, along as many dimensions as the shape.
struct ArrayView {
  void *data;
  int ndim;
  const ptrdiff_t *shape, *strides;
  bool writable;
};

class DirectCall {
public:
  // Of a signature; `binding_dims` are the dims that the function wants. Nothing where arguments need the signature:
  // parameters of types that are the binding's, in layouts, with extents that are more than a dim or a number.
  static std::optional<DirectCall> of(const Signature &signature, std::span<const std::string> binding_dims);

  struct Extent {
    int64_t size; // of a number
    int dim;      // else its number among `dims`; negative: none
  };
  struct Parameter {
    const Signature::Dtype *dtype;
    bool written, reads, scalar; // `reads`: what it holds counts, so that it is given
    std::vector<Extent> extents;
  };
  const std::vector<Parameter> &parameters() const { return parameters_; }
  size_t dim_count() const { return dim_count_; }

  // Whether an array is what the parameter says, of the dims known so far (negative: not yet), which it may make known.
  bool fits(size_t parameter, const ArrayView &array, int64_t *dims) const;
  // The shape of an array that is not given; false where it has an extent that is not known.
  bool shape(size_t parameter, const int64_t *dims, std::vector<int64_t> &shape) const;
  // Whether what is written shares no memory with another: by the addresses, between first and last byte.
  bool apart(std::span<void *const> first, std::span<const size_t> bytes) const;
  // The binding's dims, of all that are known. `sizes` has room for as many as it wants.
  bool sizes(const int64_t *dims, int64_t *sizes) const;
  size_t size_count() const { return wanted_.size(); }

private:
  std::vector<Parameter> parameters_;
  std::vector<size_t> wanted_; // of the binding's dims, by their number
  size_t dim_count_ = 0;
};

} // namespace htp
