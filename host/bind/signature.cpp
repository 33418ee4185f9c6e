#include "host/bind/signature.h"

#include "host/ast/unparse.h"
#include "host/parse/parse.h"

#include <htp_cpp/layout/annotation.h>
#include <htp_cpp/tree.h>

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>

namespace htp {

namespace {

using Dtype = Signature::Dtype;
using Parameter = Signature::Parameter;
using Sizes = std::map<std::string, int64_t>;

// DLPack has numbers of its own for floats of 8 bits since 1.1.
constexpr Dtype dtypes[] = {
    {"bool_", kDLBool, 8}, {"i8", kDLInt, 8},     {"i16", kDLInt, 16},     {"i32", kDLInt, 32},   {"i64", kDLInt, 64},
    {"u8", kDLUInt, 8},    {"u16", kDLUInt, 16},  {"u32", kDLUInt, 32},    {"u64", kDLUInt, 64},  {"f8e4m3", 10, 8},
    {"f8e5m2", 12, 8},     {"f16", kDLFloat, 16}, {"bf16", kDLBfloat, 16}, {"f32", kDLFloat, 32}, {"f64", kDLFloat, 64},
};

const Dtype *dtype_named(const std::string &dotted) {
  const std::string name = dotted == "int" ? "i64" : dotted.substr(dotted.rfind('.') + 1);
  const auto *it = std::ranges::find_if(dtypes, [&](const Dtype &d) { return name == d.name; });
  return it == std::end(dtypes) ? nullptr : it;
}

std::string dtype_text(DLDataType t) {
  const auto *it = std::ranges::find_if(dtypes, [&](const Dtype &d) { return d.code == t.code && d.bits == t.bits; });
  const std::string name =
      it == std::end(dtypes) ? fmt::format("code {} of {} bits", t.code, t.bits) : "`" + std::string(it->name) + "`";
  return t.lanes == 1 ? name : fmt::format("{} lanes of {}", t.lanes, name);
}

// Where a manifest says `htp.layout(…)`, the one form that means something without the program. Packages of hosts that
// wrote the user's own notation took row-major arrays, whatever it said.
void read_places(const sdk::Reader &reader, htp_node layout, Parameter &p) {
  const auto call = reader.as<sdk::ast::Call>(layout);
  if (call && reader.dotted(call.func()) == "htp.layouts.strided") {
    const auto steps = run_time_steps(reader, layout, [&](htp_node n) {
      int64_t value = 0;
      return reader.integer(n, &value) ? std::optional(value) : std::nullopt;
    });
    if (steps && steps->size() == p.extents.size()) p.by_call = *steps, p.layout = unparse(*reader.store(), layout);
  }
  if (!call || reader.dotted(call.func()) != "htp.layout") return;
  const auto read = read_layout(reader, layout);
  if (!read || layout::is_row_major(*read)) return;
  std::vector<int64_t> shape;
  for (const Signature::Extent &e : p.extents) shape.push_back(e.sum ? e.sum->constant().value_or(0) : 0);
  p.layout = layout::write(*read);
  if (const auto steps = layout::array_steps(*read, shape))
    p.steps = *steps;
  else if (const auto places = layout::Places::of(*read, shape); places && shape.size() > 1)
    p.storage = places->span();
}

// `Tensor[f32, M, N]`, or a scalar's dtype; calls and texts behind are a layout and a memory space.
void read_type(const sdk::Reader &reader, htp_node type, Parameter &p) {
  const auto subscript = reader.as<sdk::ast::Subscript>(type);
  const htp_node one[] = {subscript ? subscript.slice() : type};
  sdk::Nodes arguments = one;
  if (const auto tuple = reader.as<sdk::ast::Tuple>(one[0])) arguments = tuple.elts();
  p.dtype = arguments.empty() ? nullptr : dtype_named(reader.dotted(arguments[0]));
  if (!p.dtype) return;
  std::string_view text;
  for (const htp_node extent : arguments.subspan(1)) {
    if (reader.is(extent, HTP_Call) && p.layout.empty())
      read_places(reader, extent, p);
    else if (!reader.is(extent, HTP_Call) && !reader.string(extent, &text))
      p.extents.push_back({extent, sdk::read_int(reader, extent), std::string(reader.name_of(extent))});
  }
}

// An extent's value; nothing where a size is missing, a divisor is not positive or a number too large.
std::optional<int64_t> value_of(const sdk::Reader &reader, htp_node extent, const Sizes &sizes) {
  int64_t r = 0;
  if (reader.integer(extent, &r)) return r;
  if (const auto it = sizes.find(std::string(reader.name_of(extent))); it != sizes.end()) return it->second;
  if (const auto minus = reader.as<sdk::ast::UnaryOp>(extent); minus && minus.op() == HTP_USub) {
    const auto a = value_of(reader, minus.operand(), sizes);
    return !a || __builtin_sub_overflow(0, *a, &r) ? std::nullopt : std::optional(r);
  }
  const auto both = reader.as<sdk::ast::BinOp>(extent);
  if (!both) return std::nullopt;
  const auto a = value_of(reader, both.left(), sizes), b = value_of(reader, both.right(), sizes);
  if (!a || !b) return std::nullopt;
  bool fits = true;
  switch (both.op()) {
  case HTP_Add: fits = !__builtin_add_overflow(*a, *b, &r); break;
  case HTP_Sub: fits = !__builtin_sub_overflow(*a, *b, &r); break;
  case HTP_Mult: fits = !__builtin_mul_overflow(*a, *b, &r); break;
  case HTP_FloorDiv:
  case HTP_Mod:
    fits = *b > 0;
    if (!fits) break;
    r = *a % *b; // rounded down, as in Python
    r = both.op() == HTP_Mod ? r + (r < 0 ? *b : 0) : *a / *b - (r < 0);
    break;
  default: fits = false;
  }
  return fits ? std::optional(r) : std::nullopt;
}

// Its bytes; nothing where they are more than memory has addresses for.
std::optional<uint64_t> bytes_of(const DLTensor &t) {
  uint64_t n = t.dtype.bits / 8;
  for (int32_t d = 0; d < t.ndim; ++d)
    if (t.shape[d] == 0) return 0;
  for (int32_t d = 0; d < t.ndim; ++d)
    if (__builtin_mul_overflow(n, static_cast<uint64_t>(t.shape[d]), &n) || n > PTRDIFF_MAX) return std::nullopt;
  return n;
}

std::vector<int64_t> shape_of(const DLTensor &t) { return {t.shape, t.shape + t.ndim}; }
std::vector<int64_t> steps_of(const DLTensor &t) {
  return t.strides ? std::vector<int64_t>(t.strides, t.strides + t.ndim) : layout::row_strides(shape_of(t));
}
// Whether its elements lie these steps apart; along a dimension of one element there is none.
bool lies_so(const DLTensor &t, const std::vector<int64_t> &steps) {
  if (bytes_of(t) == 0) return true;
  const std::vector<int64_t> own = steps_of(t);
  for (int32_t d = 0; d < t.ndim; ++d)
    if (t.shape[d] != 1 && own[d] != steps[d]) return false;
  return true;
}

uintptr_t address_of(const DLTensor &t) { return reinterpret_cast<uintptr_t>(t.data) + t.byte_offset; }

// Whether two arrays share a byte. Rows of two arrays that lie beside each other in one larger array do not.
bool share(const DLTensor &a, const DLTensor &b) {
  if (bytes_of(a) == 0 || bytes_of(b) == 0) return false;
  if (address_of(a) > address_of(b)) return share(b, a);
  const auto bytes = [](const DLTensor &t, int64_t elements) {
    return static_cast<uintptr_t>(elements) * (t.dtype.bits / 8);
  };
  const auto apart = address_of(b) - address_of(a);
  if (apart >= bytes(a, layout::array_span(steps_of(a), shape_of(a)))) return false;
  // Both go by the same largest step; what lies within one of them is a row.
  const auto row = [&](const DLTensor &t) {
    std::vector<int64_t> steps = steps_of(t), shape = shape_of(t);
    size_t slowest = 0;
    for (size_t d = 0; d < shape.size(); ++d)
      if (shape[d] > 1 && (shape[slowest] == 1 || steps[d] > steps[slowest])) slowest = d;
    const int64_t step = shape.empty() ? 0 : steps[slowest];
    if (!shape.empty()) shape[slowest] = 1;
    return std::pair(bytes(t, step), bytes(t, layout::array_span(steps, shape)));
  };
  const auto [step, width] = row(a);
  const auto [other_step, other_width] = row(b);
  return step != other_step || step == 0 || apart % step < width || apart % step + other_width > step;
}

// One call. Each check reports what does not fit and says whether all did.
class Call {
public:
  Call(const Store &store, const std::vector<Parameter> &parameters,
       const std::function<Span(const std::string &)> &location, Diagnostics &diagnostics)
      : store_(store), reader_(store.abi()), parameters_(parameters), location_(location), diagnostics_(diagnostics) {}

  bool fits(std::span<const htp_argument> arguments) {
    for (size_t k = 0; k < parameters_.size(); ++k)
      if (parameters_[k].dtype && !array(parameters_[k], arguments[k].tensor)) return false;
    return extents(arguments) && apart(arguments);
  }

private:
  template <size_t N, class... A> Diagnostic &report(const DiagKind<N> &kind, const Parameter &p, A &&...values) {
    return diagnostics_.report(kind, location_(p.name), std::forward<A>(values)...);
  }
  static std::string declared(const Parameter &p) { return "`" + p.name + "` is declared `" + p.type + "`"; }

  // What a tensor is by itself.
  bool array(const Parameter &p, const DLTensor *t) {
    if (!t) {
      report(diag::bind_not_an_array, p, p.name)
          .hint(fmt::format("pass an array{} for `{}: {}`",
                            p.extents.empty() ? " of one element, without dimensions," : "", p.name, p.type));
      return false;
    }
    if (t->dtype.code != p.dtype->code || t->dtype.bits != p.dtype->bits || t->dtype.lanes != 1) {
      report(diag::bind_wrong_dtype, p, p.name, dtype_text(t->dtype), p.dtype->name).hint("convert it before the call");
      return false;
    }
    if (p.storage && t->ndim != 1) return lies_otherwise(p, *t);
    if (static_cast<size_t>(t->ndim) != (p.storage ? 1 : p.extents.size())) {
      report(diag::bind_wrong_rank, p, p.name, t->ndim, p.extents.size()).hint(declared(p));
      return false;
    }
    if (t->device.device_type != kDLCPU) {
      report(diag::bind_wrong_device, p, p.name, t->device.device_type);
      return false;
    }
    const auto malformed = [&](std::string_view what) {
      report(diag::bind_malformed, p, p.name, what);
      return false;
    };
    for (int32_t d = 0; d < t->ndim; ++d)
      if (t->shape[d] < 0) return malformed(fmt::format("dimension {} is {}", d, t->shape[d]));
    if (p.storage && t->shape[0] != p.storage)
      return wrong(p, 0, t->shape[0], std::to_string(p.storage),
                   "it is the storage of what lies as `" + p.layout + "`");
    const auto bytes = bytes_of(*t);
    if (!bytes) return malformed("it has more bytes than memory has addresses");
    if (!t->data && *bytes) return malformed("it has elements, and no address");
    if (!p.by_call.empty()) {
      if (!steps(p, *t)) return false;
    } else if (!lies_so(*t, p.steps.empty() ? layout::row_strides(shape_of(*t)) : p.steps)) {
      return lies_otherwise(p, *t);
    }
    if (address_of(*t) % (p.dtype->bits / 8) != 0) {
      report(diag::bind_misaligned, p, p.name, p.dtype->bits / 8);
      return false;
    }
    return true;
  }

  // Steps that a call says: not backwards, as the type has those that are numbers, and, where it is written, each
  // element at a place of its own.
  bool steps(const Parameter &p, const DLTensor &t) {
    if (bytes_of(t) == 0) return true;
    const std::vector<int64_t> own = steps_of(t);
    const auto no = [&](const std::string &why) {
      report(diag::bind_other_layout, p, p.name, fmt::format("strides of ({})", fmt::join(own, ", ")), p.layout)
          .note(why)
          .note(drawn(t, own))
          .hint(fmt::format("a copy that lies so: `htp.layouts.array(x, htp.layouts.strided({}, {}))`",
                            tuple_of(shape_of(t)), tuple_of(without_gaps(p, t))));
      return false;
    };
    std::vector<size_t> along; // from the one whose elements lie closest on
    for (size_t d = 0; d < own.size(); ++d) {
      if (t.shape[d] == 1) continue;
      if (own[d] < 0) return no(fmt::format("dimension {} runs backwards", d));
      if (p.by_call[d].dim.empty() && own[d] != p.by_call[d].size)
        return no(
            fmt::format("elements of dimension {} are {} apart, and its type says {}", d, own[d], p.by_call[d].size));
      along.push_back(d);
    }
    std::ranges::stable_sort(along, {}, [&](size_t d) { return own[d]; });
    int64_t reached = 0;
    for (const size_t d : along) {
      if (p.written && own[d] <= reached)
        return no(fmt::format("it is written, and elements of dimension {} meet others", d));
      reached = layout::plus(reached, layout::times(t.shape[d] - 1, own[d]));
    }
    return true;
  }
  static std::string tuple_of(const std::vector<int64_t> &of) {
    return fmt::format("({}{})", fmt::join(of, ", "), of.size() == 1 ? "," : "");
  }
  // Steps of an array that the type allows, with those that are numbers.
  static std::vector<int64_t> without_gaps(const Parameter &p, const DLTensor &t) {
    std::vector<int64_t> steps;
    for (const sdk::RunTimeStep &step : p.by_call) steps.push_back(step.size);
    for (size_t d = steps.size(); d-- > 0;) {
      if (p.by_call[d].dim.empty()) continue;
      steps[d] = 0;
      steps[d] = layout::array_span(steps, shape_of(t));
    }
    return steps;
  }
  // Where its first elements lie, as a small grid.
  static std::string drawn(const DLTensor &t, const std::vector<int64_t> &own) {
    const size_t rank = own.size();
    const int64_t rows = rank > 1 ? std::min<int64_t>(t.shape[rank - 2], 3) : 1,
                  columns = std::min<int64_t>(t.shape[rank - 1], 6);
    std::string text = "its elements lie at";
    for (int64_t r = 0; r < rows; ++r) {
      for (int64_t k = 0; k < columns; ++k)
        text += fmt::format(" {}", (rank > 1 ? r * own[rank - 2] : 0) + k * own[rank - 1]);
      text += columns < t.shape[rank - 1] ? " …" : "";
      text += r + 1 < rows ? ";" : rank > 1 && rows < t.shape[rank - 2] ? "; …" : "";
    }
    return text;
  }

  bool lies_otherwise(const Parameter &p, const DLTensor &t) {
    const auto text = [&](const std::vector<int64_t> &steps) {
      const auto layout = layout::strided(shape_of(t), steps);
      return layout ? layout::write(*layout) : fmt::format("strides of ({})", fmt::join(steps, ", "));
    };
    if (p.storage && t.ndim != 1) {
      report(diag::bind_other_layout, p, p.name, text(steps_of(t)), p.layout)
          .hint(fmt::format("give its storage, an array of {} elements: `htp.layouts.array(x, {})`", p.storage,
                            p.layout));
      return false;
    }
    if (p.steps.empty()) {
      report(diag::bind_not_contiguous, p, p.name);
      return false;
    }
    std::vector<int64_t> columns(p.steps.size(), 1);
    for (size_t d = 1; d < columns.size(); ++d) columns[d] = columns[d - 1] * t.shape[d - 1];
    const std::string wanted = text(p.steps);
    report(diag::bind_other_layout, p, p.name, text(steps_of(t)), wanted)
        .hint(p.steps != columns ? "a copy that lies so: `htp.layouts.array(x, " + wanted + ")`"
                                 : "a copy that lies so: `numpy.asfortranarray(x)`");
    return false;
  }

  // That a dim has one size wherever it stands: first of those that stand alone, then what `4 * M + 2` says of M where
  // nothing else does, then what is made of them.
  bool extents(std::span<const htp_argument> arguments) {
    const auto each = [&](auto &&f) {
      for (size_t k = 0; k < parameters_.size(); ++k)
        for (size_t d = 0; d < parameters_[k].extents.size() && !parameters_[k].storage; ++d)
          if (!f(parameters_[k], d, arguments[k].tensor->shape[d])) return false;
      return true;
    };
    return each([&](const Parameter &p, size_t d, int64_t size) { return alone(p, d, size); }) &&
           steps_agree(arguments) &&
           each([&](const Parameter &p, size_t d, int64_t size) { return given(p, d, size); }) &&
           each([&](const Parameter &p, size_t d, int64_t size) { return computed(p, d, size); });
  }
  static std::string dimension(const Parameter &p, size_t d) { return fmt::format("dimension {} of `{}`", d, p.name); }
  bool wrong(const Parameter &p, size_t d, int64_t size, const std::string &wanted, const std::string &note = {}) {
    Diagnostic &said = report(diag::bind_wrong_extent, p, d, p.name, size, wanted);
    if (!note.empty()) said.note(note);
    said.hint(declared(p));
    return false;
  }
  // A dim that is a step has one value wherever it stands; of a dimension of one element it has none.
  bool steps_agree(std::span<const htp_argument> arguments) {
    for (size_t k = 0; k < parameters_.size(); ++k) {
      const Parameter &p = parameters_[k];
      for (size_t d = 0; d < p.by_call.size(); ++d) {
        const DLTensor &t = *arguments[k].tensor;
        const std::string &name = p.by_call[d].dim;
        if (name.empty() || t.shape[d] == 1 || bytes_of(t) == 0) continue;
        const int64_t step = steps_of(t)[d];
        if (sizes_.try_emplace(name, step).second) from_[name] = fmt::format("the steps of `{}`", p.name);
        if (sizes_[name] == step) continue;
        report(diag::bind_other_step, p, d, p.name, step, sizes_[name])
            .note(fmt::format("`{}` is {} by {}", name, sizes_[name], from_[name]))
            .hint(declared(p));
        return false;
      }
    }
    return true;
  }
  bool alone(const Parameter &p, size_t d, int64_t size) {
    const std::string name(reader_.name_of(p.extents[d].node));
    if (name.empty()) return true;
    if (sizes_.try_emplace(name, size).second) from_[name] = dimension(p, d);
    const int64_t known = sizes_[name];
    return known == size ||
           wrong(p, d, size, std::to_string(known), fmt::format("`{}` is {} by {}", name, known, from_[name]));
  }
  bool given(const Parameter &p, size_t d, int64_t size) {
    const sdk::MaybeInt &sum = p.extents[d].sum;
    if (!sum || !sum->affine() || sum->names().size() != 1) return true;
    const std::string name = *sum->names().begin();
    const int64_t times = sum->coefficient(name), plus = sum->offset();
    int64_t rest = 0;
    if (times < 1 || sizes_.contains(name) || __builtin_sub_overflow(size, plus, &rest)) return true;
    if (rest < 0) return wrong(p, d, size, "at least " + std::to_string(plus));
    if (rest % times != 0)
      return wrong(p, d, size,
                   "a multiple of " + std::to_string(times) +
                       (plus ? fmt::format(" {} {}", plus > 0 ? "and" : "less", plus > 0 ? plus : -plus) : ""));
    sizes_[name] = rest / times, from_[name] = dimension(p, d);
    return true;
  }
  bool computed(const Parameter &p, size_t d, int64_t size) {
    const htp_node extent = p.extents[d].node;
    const auto value = value_of(reader_, extent, sizes_);
    if (value == size) return true;
    const std::string text = unparse(*store_.abi(), extent);
    if (value && text == std::to_string(*value)) return wrong(p, d, size, text);
    return wrong(p, d, size, "`" + text + "`" + (value ? ", which is " + std::to_string(*value) : ""));
  }

  // What is written shares no memory with another argument.
  bool apart(std::span<const htp_argument> arguments) {
    for (size_t a = 0; a < parameters_.size(); ++a)
      for (size_t b = a + 1; b < parameters_.size(); ++b) {
        const Parameter &x = parameters_[a], &y = parameters_[b];
        if (!x.dtype || !y.dtype || (!x.written && !y.written)) continue;
        if (!share(*arguments[a].tensor, *arguments[b].tensor)) continue;
        const Parameter &written = x.written ? x : y;
        report(diag::bind_aliased, written, x.name, y.name)
            .hint(fmt::format("pass a copy of one; `{}` is written", written.name));
        return false;
      }
    return true;
  }

  const Store &store_;
  const sdk::Reader reader_;
  const std::vector<Parameter> &parameters_;
  const std::function<Span(const std::string &)> &location_;
  Diagnostics &diagnostics_;
  Sizes sizes_;
  std::map<std::string, std::string> from_; // what gave a dim its size
};

} // namespace

Signature::Signature(const PackageManifest::Entry &entry, Store &store) : entry_(entry), store_(store) {
  for (const PackageManifest::Parameter &p : entry.parameters) {
    Parameter read{.name = p.name,
                   .type = p.type,
                   .written = p.direction == "out" || p.direction == "inout",
                   .reads = p.direction != "out",
                   .scalar = p.direction == "value",
                   .dtype = nullptr,
                   .extents = {}};
    Diagnostics unread; // a type that is no expression is a type that is not known
    if (const htp_node type = parse_expression(p.type, HTP_NONE, unread, store))
      read_type(sdk::Reader(store.abi()), type, read);
    names_ += (names_.empty() ? "`" : ", `") + p.name + "`";
    parameters_.push_back(std::move(read));
  }
}

std::optional<std::vector<htp_argument>> Signature::arguments(std::span<const htp_argument> given,
                                                              const std::function<Span(const std::string &)> &location,
                                                              Diagnostics &diagnostics) const {
  const std::string hint = names_.empty() ? "it has no parameters" : "its parameters are " + names_;
  std::vector<const htp_argument *> found(parameters_.size(), nullptr);
  for (const htp_argument &a : given) {
    const auto it = std::ranges::find_if(parameters_, [&](const Parameter &p) { return a.name && p.name == a.name; });
    if (it == parameters_.end()) {
      diagnostics.report(diag::bind_unknown_argument, {}, name(), a.name ? a.name : "").hint(hint);
      return std::nullopt;
    }
    const htp_argument *&slot = found[static_cast<size_t>(it - parameters_.begin())];
    if (slot) {
      diagnostics.report(diag::bind_given_twice, location(it->name), name(), it->name);
      return std::nullopt;
    }
    slot = &a;
  }
  std::vector<htp_argument> result;
  for (size_t k = 0; k < parameters_.size(); ++k) {
    if (!found[k]) {
      diagnostics.report(diag::bind_missing_argument, location(parameters_[k].name), name(), parameters_[k].name)
          .hint(hint);
      return std::nullopt;
    }
    result.push_back(*found[k]);
  }
  if (!Call(store_, parameters_, location, diagnostics).fits(result)) return std::nullopt;
  return result;
}

} // namespace htp
