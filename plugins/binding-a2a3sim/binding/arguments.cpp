// Arguments against the entry's signature.
#include "package.h"

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
std::string text_of(const Package &p, const Parameter &q) {
  std::string text = "Tensor[" + q.dtype;
  for (const Extents &e : q.dims) text += ", " + text_of(p, e);
  return text + "]";
}

bool compact(const DLTensor &t) {
  if (!t.strides || std::find(t.shape, t.shape + t.ndim, 0) != t.shape + t.ndim) return true; // or it has no element
  int64_t expected = 1;
  for (int32_t d = t.ndim; d-- > 0;) {
    if (t.shape[d] != 1 && t.strides[d] != expected) return false;
    expected *= t.shape[d];
  }
  return true;
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

// What is said where an int is not inside of what the package's kernels do with it: what happened, and what would do.
std::optional<std::pair<std::string, std::string>> outside(const Package &p, const Limit &limit,
                                                           const std::vector<int64_t> &dims, int64_t value) {
  std::set<size_t> ints;
  ints_of(p, limit.extent, ints);
  if (ints.empty()) return std::nullopt;
  const std::string name = p.dims[*ints.begin()], text = text_of(p, limit.extent);
  const auto range = [](const Limit &l) {
    return l.most == INT64_MAX ? "at least " + std::to_string(l.least)
                               : std::to_string(l.least) + " to " + std::to_string(l.most);
  };
  if (limit.extent.op.empty())
    return std::pair("`" + name + "` is " + std::to_string(value) + ", and the package is compiled for " + range(limit),
                     "give a `" + name + "` of " + range(limit));
  // `M - p` of at least 1 is `p` of at most `M - 1`.
  const Extents &e = limit.extent;
  if (e.op == "-" && e.of[0].op.empty() && e.of[1].op.empty() && e.of[1].fixed < 0 && p.is_int(e.of[1].dim) &&
      limit.most == INT64_MAX) {
    const int64_t most = value_of(e.of[0], dims).value_or(0) - limit.least;
    return std::pair("`" + name + "` is " + std::to_string(dims[e.of[1].dim]) + " where `" + text_of(p, e.of[0]) +
                         "` is " + std::to_string(value_of(e.of[0], dims).value_or(0)) +
                         ": an index that is made of it lies outside of its dimension",
                     "give a `" + name + "` of at most " + std::to_string(most));
  }
  return std::pair("`" + name + "` is " + std::to_string(dims[*ints.begin()]) +
                       ": an index that is made of it lies outside of its dimension",
                   "indices need `" + text + "`, which is " + std::to_string(value) + ", to be " + range(limit));
}

} // namespace

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

std::optional<Arguments> check_arguments(const Context &c, const Package &p, const htp_argument *arguments,
                                         uint32_t count) {
  Arguments result;
  std::vector<int64_t> dims(p.dims.size(), -1);
  std::string names;
  for (const Parameter &q : p.parameters) names += (names.empty() ? "`" : ", `") + q.name + "`";
  for (size_t k = p.dims.size() - p.ints; k < p.dims.size(); ++k)
    names += (names.empty() ? "`" : ", `") + p.dims[k] + "`";
  const auto no = [&](const std::string &what, const std::string &hint) {
    c.report(diag::wrong_arguments, HTP_NONE, what).hint(hint);
    return std::nullopt;
  };
  if (count != p.parameters.size() + p.ints)
    return no("`" + p.entry + "` has " + std::to_string(p.parameters.size() + p.ints) + " parameters, and is given " +
                  std::to_string(count) + " arguments",
              "its parameters are " + names);
  const auto argument = [&](const std::string &name) {
    const auto *found =
        std::find_if(arguments, arguments + count, [&](const htp_argument &a) { return a.name && name == a.name; });
    return found == arguments + count ? nullptr : found->tensor;
  };
  for (size_t k = p.dims.size() - p.ints; k < p.dims.size(); ++k) {
    const DLTensor *one = argument(p.dims[k]);
    if (!one) return no("there is no int for `" + p.dims[k] + "`", "its parameters are " + names);
    if (one->ndim != 0 || one->dtype.code != kDLInt || one->dtype.bits != 64 || one->dtype.lanes != 1)
      return no("`" + p.dims[k] + "` is an `int`, and something else is given", "give a number");
    std::memcpy(&dims[k], static_cast<const uint8_t *>(one->data) + one->byte_offset, sizeof dims[k]);
  }
  std::vector<const DLTensor *> tensors;
  for (const Parameter &q : p.parameters) { // first the dimensions that stand for themselves
    const DLTensor *found = argument(q.name);
    if (!found) return no("there is no array for `" + q.name + "`", "its parameters are " + names);
    const bool number = found->ndim == 0 && q.dims.size() == 1 && q.dims[0].fixed == 1;
    if (number) result.scalars.push_back(scalar(*found));
    const DLTensor &t = number ? result.scalars.back()->tensor : *found;
    const DTypeRow &row = *dtype_row(q.dtype);
    const std::string hint = "`" + q.name + "` is a `" + text_of(p, q) + "`";
    if (t.dtype.lanes != 1 || t.dtype.bits != row.bits || t.dtype.code != row.code)
      return no("`" + q.name + "` has another dtype than `" + q.dtype + "`", hint);
    if (static_cast<size_t>(t.ndim) != q.dims.size())
      return no("`" + q.name + "` has " + std::to_string(t.ndim) + " dimensions, not " + std::to_string(q.dims.size()),
                hint);
    if (!compact(t) || t.device.device_type != kDLCPU)
      return no("`" + q.name + "` is not contiguous in this machine's memory", "pass `numpy.ascontiguousarray(...)`");
    tensors.push_back(&t);
    for (size_t d = 0; d < q.dims.size(); ++d)
      if (q.dims[d].op.empty() && q.dims[d].fixed < 0 && dims[q.dims[d].dim] < 0) dims[q.dims[d].dim] = t.shape[d];
  }
  for (size_t k = 0; k < tensors.size(); ++k) // then what `4 * M + 2` says of M
    for (size_t d = 0; d < p.parameters[k].dims.size(); ++d) {
      int64_t times = 1, plus = 0;
      const Extents *e = &p.parameters[k].dims[d];
      while (e->op == "*" || e->op == "+" || e->op == "-") {
        const bool first = e->of[0].fixed >= 0; // the number
        const Extents &number = e->of[first ? 0 : 1];
        if (number.fixed < (e->op == "*" ? 1 : 0) || (e->op == "-" && first)) break;
        int64_t moved = 0;
        if (e->op == "*" ? __builtin_mul_overflow(times, number.fixed, &times)
                         : __builtin_mul_overflow(times, number.fixed, &moved) ||
                               __builtin_add_overflow(plus, e->op == "-" ? -moved : moved, &plus))
          break;
        e = &e->of[first ? 1 : 0];
      }
      const int64_t shape = tensors[k]->shape[d];
      if (e->op.empty() && e->fixed < 0 && dims[e->dim] < 0 && shape >= plus) dims[e->dim] = (shape - plus) / times;
    }
  for (const Limit &limit : p.limits) {
    const int64_t size = value_of(limit.extent, dims).value_or(-1);
    if (size >= limit.least && size <= limit.most) continue;
    if (const auto wrong = outside(p, limit, dims, size)) return no(wrong->first, wrong->second);
    return no("`" + text_of(p, limit.extent) + "` is " + std::to_string(size) + ", and the package is compiled for " +
                  (limit.most == INT64_MAX ? "at least " + std::to_string(limit.least)
                                           : std::to_string(limit.least) + " to " + std::to_string(limit.most)),
              "use arrays of such sizes, or compile it with other tiles");
  }
  for (size_t k = 0; k < tensors.size(); ++k) {
    const Parameter &q = p.parameters[k];
    const DLTensor &t = *tensors[k];
    Arguments::Tensor tensor{static_cast<uint8_t *>(t.data) + t.byte_offset, dtype_row(q.dtype)->bits / 8u, {}};
    for (size_t d = 0; d < q.dims.size(); ++d) {
      const auto wanted = value_of(q.dims[d], dims);
      if (!wanted || *wanted != t.shape[d] || t.shape[d] > UINT32_MAX)
        return no("dimension " + std::to_string(d) + " of `" + q.name + "` is " + std::to_string(t.shape[d]) +
                      ", not " + (wanted ? std::to_string(*wanted) : "a size"),
                  "`" + q.name + "` is a `" + text_of(p, q) + "`");
      tensor.bytes *= static_cast<uint64_t>(t.shape[d]);
      tensor.shape.push_back(static_cast<uint32_t>(t.shape[d]));
    }
    result.tensors.push_back(std::move(tensor));
  }
  for (size_t a = 0; a < tensors.size(); ++a)
    for (size_t b = a + 1; b < tensors.size(); ++b) {
      const Arguments::Tensor &x = result.tensors[a], &y = result.tensors[b];
      if (p.parameters[a].direction == "in" && p.parameters[b].direction == "in") continue;
      const auto *begin = static_cast<const uint8_t *>(x.data), *other = static_cast<const uint8_t *>(y.data);
      if (begin < other + y.bytes && other < begin + x.bytes)
        return no("`" + p.parameters[a].name + "` and `" + p.parameters[b].name + "` share memory",
                  "pass a copy of one");
    }
  for (const int64_t d : dims) result.dims.push_back(static_cast<uint64_t>(d));
  return result;
}

} // namespace htp::a2a3sim
