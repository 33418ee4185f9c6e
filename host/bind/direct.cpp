#include "host/bind/direct.h"

#include <algorithm>

namespace htp {

std::optional<DirectCall> DirectCall::of(const Signature &signature, std::span<const std::string> binding_dims) {
  DirectCall call;
  std::vector<std::string> names;
  for (const Signature::Parameter &p : signature.parameters()) {
    if (!p.dtype || p.storage || !p.steps.empty() || !p.by_call.empty()) return std::nullopt;
    Parameter one{p.dtype, p.written, p.reads, p.scalar, {}};
    for (const Signature::Extent &e : p.extents) {
      if (!e.sum) return std::nullopt;
      if (const auto constant = e.sum->constant()) {
        one.extents.push_back({*constant, -1});
        continue;
      }
      if (e.name.empty()) return std::nullopt;
      const auto at = std::ranges::find(names, e.name);
      one.extents.push_back({0, static_cast<int>(at - names.begin())});
      if (at == names.end()) names.push_back(e.name);
    }
    call.parameters_.push_back(std::move(one));
  }
  for (const std::string &name : binding_dims) {
    const auto at = std::ranges::find(names, name);
    if (at == names.end()) return std::nullopt;
    call.wanted_.push_back(static_cast<size_t>(at - names.begin()));
  }
  call.dim_count_ = names.size();
  return call;
}

bool DirectCall::fits(size_t parameter, const ArrayView &array, int64_t *dims) const {
  const Parameter &p = parameters_[parameter];
  const size_t rank = p.extents.size();
  if (static_cast<size_t>(array.ndim) != rank || (p.written && !array.writable)) return false;
  const ptrdiff_t bytes = p.dtype->bits / 8;
  for (size_t d = 0; d < rank; ++d) {
    const Extent &e = p.extents[d];
    int64_t &size = dims[e.dim < 0 ? 0 : e.dim];
    if (e.dim < 0 ? array.shape[d] != e.size : size >= 0 && size != array.shape[d]) return false;
    if (e.dim >= 0) size = array.shape[d];
  }
  ptrdiff_t step = bytes;
  for (size_t d = rank; d-- > 0;) {
    if (array.shape[d] == 0) return array.data != nullptr; // what has no elements lies anyhow
    if (array.shape[d] != 1 && array.strides[d] != step) return false;
    step *= array.shape[d];
  }
  return array.data && reinterpret_cast<uintptr_t>(array.data) % static_cast<uintptr_t>(bytes) == 0;
}

bool DirectCall::shape(size_t parameter, const int64_t *dims, std::vector<int64_t> &shape) const {
  shape.clear();
  for (const Extent &e : parameters_[parameter].extents) {
    const int64_t size = e.dim < 0 ? e.size : dims[e.dim];
    if (size < 0) return false;
    shape.push_back(size);
  }
  return true;
}

bool DirectCall::apart(std::span<void *const> first, std::span<const size_t> bytes) const {
  for (size_t a = 0; a < first.size(); ++a)
    for (size_t b = a + 1; b < first.size(); ++b) {
      if (!parameters_[a].written && !parameters_[b].written) continue;
      const auto x = reinterpret_cast<uintptr_t>(first[a]), y = reinterpret_cast<uintptr_t>(first[b]);
      if (x < y + bytes[b] && y < x + bytes[a]) return false;
    }
  return true;
}

bool DirectCall::sizes(const int64_t *dims, int64_t *sizes) const {
  for (size_t k = 0; k < wanted_.size(); ++k) {
    sizes[k] = dims[wanted_[k]];
    if (sizes[k] < 0) return false;
  }
  return true;
}

} // namespace htp
