// Arguments as tasks take them, and against the limits that the package's kernels have.
#include "package.h"

#include "htp_cpp/arguments.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <utility>

namespace htp::a2a3sim {

namespace {

std::string text_of(const Package &p, const Extents &e) {
  if (!e.op.empty()) return "(" + text_of(p, e.of[0]) + " " + e.op + " " + text_of(p, e.of[1]) + ")";
  return e.fixed >= 0 ? std::to_string(e.fixed) : p.dims[e.dim];
}
// An extent as the SDK's int expression; nothing of what gives no dim its size.
sdk::MaybeInt int_of(const Package &p, const Extents &e) {
  if (e.op.empty()) return e.fixed >= 0 ? sdk::IntExpr(e.fixed) : sdk::IntExpr::symbol(p.dims[e.dim]);
  const auto a = int_of(p, e.of[0]), b = int_of(p, e.of[1]);
  return e.op == "+" ? a + b : e.op == "-" ? a - b : e.op == "*" ? a * b : std::nullopt;
}

// The names of ints that an extent has.
void ints_of(const Package &p, const Extents &e, std::set<size_t> &found) {
  if (e.op.empty() && e.fixed < 0 && p.is_int(e.dim)) found.insert(e.dim);
  for (const Extents &part : e.of) ints_of(p, part, found);
}

// A number as the one element of its parameter.
std::unique_ptr<Arguments::Scalar> scalar(const DLTensor &number) {
  auto one = std::make_unique<Arguments::Scalar>();
  std::memcpy(one->bytes, static_cast<const uint8_t *>(number.data) + number.byte_offset,
              std::min<size_t>(number.dtype.bits / 8u, sizeof one->bytes));
  one->extent = 1;
  one->tensor = {one->bytes, number.device, 1, number.dtype, &one->extent, nullptr, 0};
  return one;
}

// An argument that is a storage by itself: the elements from a parameter's first to its last.
bool stored(const Parameter &q, const DLTensor &t, Arguments &to) {
  const uint64_t element = dtype_row(q.dtype)->bits / 8u;
  std::vector<int64_t> shape;
  for (const Extents &e : q.dims) shape.push_back(e.fixed);
  Arguments::Tensor tensor{static_cast<uint8_t *>(sdk::address(t)), Spread::strided(shape, q.steps, element), {}};
  const uint64_t span = tensor.spread.bytes / element;
  if (span > UINT32_MAX || static_cast<uint64_t>(t.shape[0]) != span) return false;
  tensor.shape = {static_cast<uint32_t>(span)};
  to.tensors.push_back(std::move(tensor));
  return true;
}

} // namespace

Refusal beyond(const Package &p, const Limit &limit, const std::vector<int64_t> &dims, int64_t value) {
  std::set<size_t> ints;
  ints_of(p, limit.extent, ints);
  const auto sized = [&](const std::string &what) {
    return limit.most == INT64_MAX ? Refusal(diag::size_least, what, value, limit.least)
                                   : Refusal(diag::size_range, what, value, limit.least, limit.most);
  };
  if (ints.empty()) return sized(text_of(p, limit.extent));
  const std::string name = p.dims[*ints.begin()], text = text_of(p, limit.extent);
  const auto range = [](const Limit &l) {
    return l.most == INT64_MAX ? "at least " + std::to_string(l.least)
                               : std::to_string(l.least) + " to " + std::to_string(l.most);
  };
  if (limit.extent.op.empty()) return sized(name).with("give a `" + name + "` of " + range(limit));
  // `M - p` of at least 1 is `p` of at most `M - 1`.
  const Extents &e = limit.extent;
  if (e.op == "-" && e.of[0].op.empty() && e.of[1].op.empty() && e.of[1].fixed < 0 && p.is_int(e.of[1].dim) &&
      limit.most == INT64_MAX) {
    const int64_t most = value_of(e.of[0], dims).value_or(0) - limit.least;
    return Refusal(diag::index_of, name, dims[e.of[1].dim], text_of(p, e.of[0]), value_of(e.of[0], dims).value_or(0))
        .with("give a `" + name + "` of at most " + std::to_string(most));
  }
  return Refusal(diag::index_made_of, name, dims[*ints.begin()])
      .with("indices need `" + text + "`, which is " + std::to_string(value) + ", to be " + range(limit));
}

std::optional<int64_t> value_of(const Extents &e, const std::vector<int64_t> &dims) {
  if (e.op.empty()) return e.fixed >= 0 ? e.fixed : dims[e.dim];
  const auto a = value_of(e.of[0], dims), b = value_of(e.of[1], dims);
  int64_t r = 0;
  if (!a || !b) return std::nullopt;
  if (e.op == "//" || e.op == "%") {
    if (*b <= 0) return std::nullopt;
    const int64_t rest = *a % *b; // rounded down, as in Python
    return e.op == "%" ? rest + (rest < 0 ? *b : 0) : *a / *b - (rest < 0);
  }
  if (e.op == "min" || e.op == "max") return e.op == "min" ? std::min(*a, *b) : std::max(*a, *b);
  const bool overflow = e.op == "+"   ? __builtin_add_overflow(*a, *b, &r)
                        : e.op == "-" ? __builtin_sub_overflow(*a, *b, &r)
                                      : __builtin_mul_overflow(*a, *b, &r);
  return overflow ? std::nullopt : std::optional(r);
}

std::optional<Arguments> read_arguments(const Context &c, const Package &p, std::span<const htp_argument> given) {
  Arguments result;
  const auto no = [&](const Refusal &why) {
    why.report(c, HTP_NONE);
    return std::nullopt;
  };
  std::map<std::string, int64_t> sizes;
  std::vector<const DLTensor *> tensors;
  const auto find = [&](const std::string &name, size_t rank, bool stored = false) {
    const DLTensor *t = sdk::argument(given, name);
    const bool same = t && (static_cast<size_t>(t->ndim) == rank || t->ndim == 0 || (stored && t->ndim == 1));
    if (!same) c.report(diag::parameter_differs, HTP_NONE, name);
    return same ? t : nullptr;
  };
  for (const Parameter &q : p.parameters) {
    const DLTensor *t = find(q.name, q.dims.size(), !q.steps.empty());
    if (!t) return std::nullopt;
    if (t->ndim == 1 && q.dims.size() > 1) { // the storage of what lies in blocks
      if (!stored(q, *t, result)) return no(Refusal(diag::parameter_differs, q.name));
      continue;
    }
    if (t->ndim == 0 && q.dims.size() == 1) {
      result.scalars.push_back(scalar(*t));
      t = &result.scalars.back()->tensor;
    }
    const uint64_t element = dtype_row(q.dtype)->bits / 8u;
    Arguments::Tensor tensor{static_cast<uint8_t *>(sdk::address(*t)), {element}, {}};
    for (size_t d = 0; d < q.dims.size(); ++d) {
      if (t->shape[d] > UINT32_MAX) return no(Refusal(diag::argument_size, d, q.name, t->shape[d], UINT32_MAX));
      tensor.spread.bytes *= static_cast<uint64_t>(t->shape[d]);
      tensor.shape.push_back(static_cast<uint32_t>(t->shape[d]));
      const auto extent = int_of(p, q.dims[d]);
      if (const auto size = extent ? sdk::size_by(*extent, t->shape[d]) : std::nullopt) sizes.insert(*size);
    }
    if (!q.steps.empty()) { // to a runtime it is the elements from its first to its last
      tensor.spread = Spread::strided({t->shape, t->shape + t->ndim}, q.steps, element);
      const uint64_t span = tensor.spread.bytes / element;
      if (span > UINT32_MAX) return no(Refusal(diag::argument_size, 0, q.name, span, UINT32_MAX));
      tensor.shape = {static_cast<uint32_t>(span)};
    }
    result.tensors.push_back(std::move(tensor));
  }
  std::vector<int64_t> dims;
  for (size_t k = 0; k < p.dims.size(); ++k) {
    const auto size = sizes.find(p.dims[k]);
    dims.push_back(size == sizes.end() ? -1 : size->second);
    if (!p.is_int(k)) continue;
    const DLTensor *number = find(p.dims[k], 0);
    if (!number) return std::nullopt;
    std::memcpy(&dims[k], sdk::address(*number), sizeof dims[k]);
  }
  for (const Limit &limit : p.limits) {
    const int64_t size = value_of(limit.extent, dims).value_or(-1);
    if (size >= limit.least && size <= limit.most) continue;
    return no(beyond(p, limit, dims, size));
  }
  result.dims.assign(dims.begin(), dims.end());
  return result;
}

} // namespace htp::a2a3sim
