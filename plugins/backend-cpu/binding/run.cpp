#include "run.h"

#include <algorithm>

namespace htp::cpu::bind {

namespace {

std::string dtype_text(DLDataType t) {
  if (t.lanes != 1) return std::to_string(t.lanes) + " lanes of " + std::to_string(t.bits) + " bits";
  const std::string bits = std::to_string(t.bits);
  switch (t.code) {
  case kDLInt: return "`i" + bits + "`";
  case kDLUInt: return "`u" + bits + "`";
  case kDLFloat: return "`f" + bits + "`";
  case kDLBfloat: return "`bf" + bits + "`";
  case kDLBool: return "`bool_`";
  case 10: return "`f8e4m3`"; // DLPack's own numbers from 1.1 on
  case 12: return "`f8e5m2`";
  default: return "code " + std::to_string(t.code) + " of " + bits + " bits";
  }
}

std::string spelled(const DType *d) { return "`" + std::string(d->word) + "`"; }

// `M` or `96`, as a hint says it.
std::string extent_text(const Entry &entry, const Dim &d) {
  if (d.op.empty()) return d.fixed >= 0 ? std::to_string(d.fixed) : entry.dims[d.symbol];
  const auto part = [&](const Dim &of) {
    return of.op.empty() ? extent_text(entry, of) : "(" + extent_text(entry, of) + ")";
  };
  return part(d.of[0]) + " " + d.op + " " + part(d.of[1]);
}

std::string type_text(const Entry &entry, const Parameter &p) {
  std::string text = std::string(p.dtype->word);
  if (p.scalar) return text;
  for (const Dim &d : p.dims) text += ", " + extent_text(entry, d);
  return "Tensor[" + text + "]";
}

struct Span {
  uintptr_t begin, end;
};

int64_t elements_of(const DLTensor &t) {
  int64_t n = 1;
  for (int32_t d = 0; d < t.ndim; ++d) n *= t.shape[d];
  return n;
}

bool compact(const DLTensor &t) {
  if (!t.strides || elements_of(t) == 0) return true;
  int64_t expected = 1;
  for (int32_t d = t.ndim; d-- > 0;) {
    if (t.shape[d] != 1 && t.strides[d] != expected) return false;
    expected *= t.shape[d];
  }
  return true;
}

class Checker {
public:
  Checker(const Context &context, const Entry &entry, Frame &frame) : c(context), entry_(entry), frame_(frame) {
    known_.assign(entry.dims.size(), "");
    frame.dims.assign(entry.dims.size(), 0);
  }

  bool tensor(const Parameter &p, const htp_argument &a) {
    if (!a.tensor) {
      c.report(diag::not_an_array, HTP_NONE, p.name)
          .hint((p.scalar ? "pass an array of one element, without dimensions, for `" : "pass an array for `") +
                p.name + ": " + type_text(entry_, p) + "`");
      return false;
    }
    const DLTensor &t = *a.tensor;
    if (dtype_text(t.dtype) != spelled(p.dtype)) {
      c.report(diag::wrong_dtype, HTP_NONE, p.name, dtype_text(t.dtype), spelled(p.dtype))
          .hint("convert it before the call");
      return false;
    }
    if (static_cast<size_t>(t.ndim) != p.dims.size()) {
      c.report(diag::wrong_rank, HTP_NONE, p.name, t.ndim, p.dims.size())
          .hint("`" + p.name + "` is a `" + type_text(entry_, p) + "`");
      return false;
    }
    for (size_t d = 0; d < p.dims.size(); ++d)
      if (!extent(p, d, t.shape[d])) return false;
    if (!compact(t) || t.device.device_type != kDLCPU) {
      c.report(diag::not_contiguous, HTP_NONE, p.name)
          .hint("pass `numpy.ascontiguousarray(...)`, or an output that is contiguous");
      return false;
    }
    frame_.tensors.push_back(static_cast<char *>(t.data) + t.byte_offset);
    const auto begin = reinterpret_cast<uintptr_t>(frame_.tensors.back());
    if (begin % p.dtype->bytes != 0) {
      c.report(diag::misaligned, HTP_NONE, p.name, p.dtype->bytes).hint("pass a copy: `numpy.array(...)`");
      return false;
    }
    spans_.push_back({begin, begin + static_cast<uintptr_t>(elements_of(t)) * p.dtype->bytes});
    return true;
  }

  bool extent(const Parameter &p, size_t d, int64_t got) {
    const Dim &dim = p.dims[d];
    if (!dim.op.empty()) return computed_.push_back({&p, d, got}), true;
    if (dim.fixed >= 0) {
      if (got == dim.fixed) return true;
      c.report(diag::wrong_extent, HTP_NONE, d, p.name, got, std::to_string(dim.fixed))
          .hint("`" + p.name + "` is a `" + type_text(entry_, p) + "`");
      return false;
    }
    std::string &from = known_[dim.symbol];
    int64_t &value = frame_.dims[dim.symbol];
    if (from.empty()) {
      from = "dimension " + std::to_string(d) + " of `" + p.name + "`";
      value = got;
    }
    if (got == value) return true;
    c.report(diag::wrong_extent, HTP_NONE, d, p.name, got, std::to_string(value))
        .note("`" + entry_.dims[dim.symbol] + "` is " + std::to_string(value) + " by " + from)
        .hint("`" + p.name + "` is a `" + type_text(entry_, p) + "`");
    return false;
  }

  // The extents that are made of others', when all of these are known; `4 * M + 2` gives M its size where nothing else
  // does.
  bool computed() {
    for (const auto &[p, d, got] : computed_) {
      int64_t times = 1, plus = 0;
      const Dim *of = &p->dims[d];
      while (of->op == "*" || of->op == "+" || of->op == "-") {
        const bool first = of->of[0].fixed >= 0; // the number
        const Dim &number = of->of[first ? 0 : 1];
        if (number.fixed < (of->op == "*" ? 1 : 0) || (of->op == "-" && first)) break;
        int64_t moved = 0;
        if (of->op == "*" ? __builtin_mul_overflow(times, number.fixed, &times)
                          : __builtin_mul_overflow(times, number.fixed, &moved) ||
                                __builtin_add_overflow(plus, of->op == "-" ? -moved : moved, &plus))
          break;
        of = &of->of[first ? 1 : 0];
      }
      if (!of->op.empty() || of->fixed >= 0 || !known_[of->symbol].empty()) continue;
      const int64_t rest = got - plus;
      if (rest < 0 || rest % times != 0) { // `4 * M` of 30
        std::string wanted = "a multiple of " + std::to_string(times);
        if (plus) wanted += (plus > 0 ? " and " : " less ") + std::to_string(plus > 0 ? plus : -plus);
        c.report(diag::wrong_extent, HTP_NONE, d, p->name, got, rest < 0 ? "at least " + std::to_string(plus) : wanted)
            .hint("`" + p->name + "` is a `" + type_text(entry_, *p) + "`");
        return false;
      }
      known_[of->symbol] = "dimension " + std::to_string(d) + " of `" + p->name + "`";
      frame_.dims[of->symbol] = rest / times;
    }
    for (const auto &[p, d, got] : computed_) {
      const auto wanted = extent_of(p->dims[d], frame_.dims);
      if (wanted && *wanted == got) continue;
      c.report(diag::wrong_extent, HTP_NONE, d, p->name, got,
               "`" + extent_text(entry_, p->dims[d]) + "`" + (wanted ? ", which is " + std::to_string(*wanted) : ""))
          .hint("`" + p->name + "` is a `" + type_text(entry_, *p) + "`");
      return false;
    }
    return true;
  }

  // What is written shares no memory with another argument.
  bool apart() const {
    for (size_t a = 0; a < spans_.size(); ++a)
      for (size_t b = a + 1; b < spans_.size(); ++b) {
        const Parameter &x = entry_.parameters[a], &y = entry_.parameters[b];
        if (x.direction == Direction::in && y.direction == Direction::in) continue;
        if (spans_[a].begin >= spans_[b].end || spans_[b].begin >= spans_[a].end) continue;
        c.report(diag::aliased, HTP_NONE, x.name, y.name)
            .hint("pass a copy of one; `" + (x.direction == Direction::in ? y.name : x.name) + "` is written");
        return false;
      }
    return true;
  }

private:
  const Context &c;
  const Entry &entry_;
  Frame &frame_;
  std::vector<std::string> known_; // where each symbolic dim got its extent
  std::vector<Span> spans_;
  struct Computed {
    const Parameter *parameter;
    size_t dimension;
    int64_t got;
  };
  std::vector<Computed> computed_;
};

} // namespace

bool check_arguments(const Context &c, const Entry &entry, const htp_argument *arguments, uint32_t count,
                     Frame &frame) {
  const std::string names = htp::sdk::format("its parameters are {}", {[&] {
                                               std::string text;
                                               for (const Parameter &p : entry.parameters)
                                                 text += (text.empty() ? "`" : ", `") + p.name + "`";
                                               return text;
                                             }()});
  for (uint32_t k = 0; k < count; ++k) {
    const std::string_view name = arguments[k].name ? arguments[k].name : "";
    if (std::none_of(entry.parameters.begin(), entry.parameters.end(),
                     [&](const Parameter &p) { return p.name == name; })) {
      c.report(diag::unknown_argument, HTP_NONE, entry.name, name).hint(names);
      return false;
    }
  }
  if (count != entry.parameters.size()) {
    c.report(diag::wrong_arguments, HTP_NONE, entry.name, entry.parameters.size(), count).hint(names);
    return false;
  }
  Checker checker(c, entry, frame);
  for (const Parameter &p : entry.parameters) {
    const htp_argument *found =
        std::find_if(arguments, arguments + count, [&](const htp_argument &a) { return a.name && p.name == a.name; });
    if (found == arguments + count) { // another one was given twice
      c.report(diag::wrong_arguments, HTP_NONE, entry.name, entry.parameters.size(), count)
          .note("`" + p.name + "` is missing")
          .hint(names);
      return false;
    }
    if (!checker.tensor(p, *found)) return false;
  }
  return checker.computed() && checker.apart();
}

} // namespace htp::cpu::bind
