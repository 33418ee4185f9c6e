// The verb `run`: the arguments as buffers of the device, then the package's steps.
#include "loaded.h"

#include "htp_cpp/arguments.h"

#include <chrono>
#include <cstring>

namespace htp::opencl {

namespace {

// Python's ints in 64 bits; nothing where one does not fit, or a name is not known.
std::optional<int64_t> value_of(const Int &e, const std::map<std::string, int64_t> &ints) {
  if (e.op.empty()) {
    if (e.name.empty()) return e.number;
    const auto it = ints.find(e.name);
    return it == ints.end() ? std::nullopt : std::optional(it->second);
  }
  std::vector<int64_t> a;
  for (const Int &one : e.of) {
    const auto value = value_of(one, ints);
    if (!value) return std::nullopt;
    a.push_back(*value);
  }
  int64_t r = 0;
  const auto fits = [&](bool overflows) { return overflows ? std::nullopt : std::optional(r); };
  const auto floor_div = [](int64_t x, int64_t y) { return x / y - (x % y != 0 && (x < 0) != (y < 0)); };
  if (e.op == "+") return fits(__builtin_add_overflow(a[0], a[1], &r));
  if (e.op == "-") return fits(__builtin_sub_overflow(a[0], a[1], &r));
  if (e.op == "*") return fits(__builtin_mul_overflow(a[0], a[1], &r));
  if (e.op == "//" || e.op == "%") {
    if (a[1] == 0 || (a[0] == INT64_MIN && a[1] == -1)) return std::nullopt;
    return e.op == "//" ? floor_div(a[0], a[1]) : a[0] - floor_div(a[0], a[1]) * a[1];
  }
  if (e.op == "count") { // of range(start, stop, step)
    if (a[2] < 1 || __builtin_sub_overflow(a[1], a[0], &r)) return std::nullopt;
    return r <= 0 ? 0 : (r - 1) / a[2] + 1;
  }
  if (e.op == "min") return std::min(a[0], a[1]);
  if (e.op == "max") return std::max(a[0], a[1]);
  if (e.op == "==") return a[0] == a[1];
  if (e.op == "!=") return a[0] != a[1];
  if (e.op == "<") return a[0] < a[1];
  if (e.op == "<=") return a[0] <= a[1];
  if (e.op == ">") return a[0] > a[1];
  if (e.op == ">=") return a[0] >= a[1];
  if (e.op == "not") return a[0] == 0;
  if (e.op == "and") return std::ranges::all_of(a, [](int64_t x) { return x != 0; });
  if (e.op == "or") return std::ranges::any_of(a, [](int64_t x) { return x != 0; });
  return std::nullopt;
}

class Run {
public:
  Run(const Context &context, Loaded &loaded, const htp_trace_sink *sink)
      : c(context), l_(loaded), d_(*loaded.driver), sink_(sink), begin_(Clock::now()) {}
  Run(const Run &) = delete;
  Run &operator=(const Run &) = delete;
  ~Run() {
    d_.cl.Finish(d_.queue);
    for (const auto &[name, buffer] : buffers_) d_.cl.ReleaseMemObject(buffer);
    if (failed_) d_.cl.ReleaseMemObject(failed_);
  }

  bool run(std::span<const htp_argument> arguments) {
    for (const Parameter &p : l_.package.parameters)
      if (!take(p, argument(arguments, p.name))) return false;
    if (!l_.package.checks.empty()) {
      constexpr int32_t none[4] = {};
      if (!(failed_ = buffer(sizeof none, memory_read_write, nullptr))) return false;
      if (!well("clEnqueueWriteBuffer",
                d_.cl.EnqueueWriteBuffer(d_.queue, failed_, 1, 0, sizeof none, none, 0, nullptr, nullptr)))
        return false;
    }
    if (!steps(l_.package.steps)) return false;
    for (const auto &[name, bytes] : written_) {
      Status status = 0;
      void *mapped =
          d_.cl.EnqueueMapBuffer(d_.queue, buffers_[name], 1, map_read, 0, bytes, 0, nullptr, nullptr, &status);
      if (!mapped) return well("clEnqueueMapBuffer", status ? status : -1);
      if (!well("clEnqueueUnmapMemObject",
                d_.cl.EnqueueUnmapMemObject(d_.queue, buffers_[name], mapped, 0, nullptr, nullptr)))
        return false;
    }
    return well("clFinish", d_.cl.Finish(d_.queue)) && stayed_inside();
  }

private:
  using Clock = std::chrono::steady_clock;
  double now() const { return std::chrono::duration<double, std::micro>(Clock::now() - begin_).count(); }

  bool well(const char *function, Status status) const {
    if (status != 0) c.report(diag::call_failed, HTP_NONE, function, status_name(status));
    return status == 0;
  }
  bool damaged(const std::string &what) const {
    c.report(diag::bad_package, HTP_NONE, "codegen/opencl/launch.json", what);
    return false;
  }

  Handle buffer(size_t bytes, Flags flags, void *host) const {
    Status status = 0;
    Handle made = d_.cl.CreateBuffer(d_.context, flags, bytes, host, &status);
    return made || !well("clCreateBuffer", status ? status : -1) ? made : nullptr;
  }

  // An argument is the device's buffer: where it shares memory with the host nothing is copied.
  bool take(const Parameter &p, const DLTensor *t) {
    if (!t || static_cast<size_t>(t->ndim) > p.extents.size())
      return damaged("its `" + p.name + "` is not the manifest's");
    if (p.is_int) {
      std::memcpy(&ints_[p.name], address(*t), sizeof(int64_t));
      return true;
    }
    int64_t elements = 1;
    bool empty = false;
    for (int k = 0; k < t->ndim; ++k) {
      const auto &extent = p.extents[static_cast<size_t>(k)];
      empty |= t->shape[k] == 0;
      if (p.steps.empty())
        elements *= t->shape[k];
      else
        elements += (t->shape[k] - 1) * p.steps[static_cast<size_t>(k)];
      solve(extent, t->shape[k]);
    }
    const auto bytes = static_cast<size_t>(empty ? 0 : elements * p.bytes);
    if (bytes == 0) return (buffers_[p.name] = buffer(64, memory_read_write, nullptr)) != nullptr;
    if (!(buffers_[p.name] = buffer(bytes, memory_read_write | memory_use_host, address(*t)))) return false;
    if (p.direction != "in") written_.emplace_back(p.name, bytes);
    return true;
  }

  // A dim's size, from an extent that is it, times a number, and a number.
  void solve(const Int &e, int64_t is) {
    if (e.op.empty()) {
      if (!e.name.empty()) ints_.emplace(e.name, is);
      return;
    }
    std::map<std::string, int64_t> zero, one;
    std::set<std::string> names;
    const auto visit = [&](auto &&self, const Int &n) -> void {
      if (!n.name.empty()) names.insert(n.name);
      for (const Int &inner : n.of) self(self, inner);
    };
    visit(visit, e);
    if (names.size() != 1) return;
    zero[*names.begin()] = 0, one[*names.begin()] = 1;
    const auto at_zero = value_of(e, zero), at_one = value_of(e, one);
    if (at_zero && at_one && *at_one > *at_zero) ints_.emplace(*names.begin(), (is - *at_zero) / (*at_one - *at_zero));
  }

  bool steps(const std::vector<Step> &all) {
    return std::ranges::all_of(all, [&](const Step &s) { return step(s); });
  }

  bool step(const Step &s) {
    const auto known = [&](const Int &e) {
      const auto value = value_of(e, ints_);
      if (!value) damaged("`" + s.name + "` needs an int that is not known, or too large");
      return value;
    };
    if (s.what == "int") {
      const auto value = known(s.value);
      if (value) ints_[s.name] = *value;
      return value.has_value();
    }
    if (s.what == "branch") {
      const auto test = known(s.value);
      return test && steps(*test ? s.steps : s.otherwise);
    }
    if (s.what == "loop") {
      const auto start = known(s.start), stop = known(s.stop), by = known(s.step);
      if (!start || !stop || !by || *by == 0) return by && *by == 0 ? damaged("a loop has no step") : false;
      for (int64_t at = *start; *by > 0 ? at < *stop : at > *stop; at += *by) {
        if (c.cancelled()) return false;
        ints_[s.name] = at;
        if (!steps(s.steps)) return false;
      }
      return true;
    }
    if (s.what == "buffer") {
      int64_t bytes = s.bytes;
      for (const Int &e : s.extents) {
        const auto extent = known(e);
        if (!extent) return false;
        if (__builtin_mul_overflow(bytes, std::max<int64_t>(*extent, 0), &bytes))
          return c.report(diag::too_large, HTP_NONE, s.name), false;
      }
      Handle &held = buffers_[s.name];
      if (held) d_.cl.Finish(d_.queue), d_.cl.ReleaseMemObject(held), held = nullptr;
      return (held = buffer(static_cast<size_t>(std::max<int64_t>(bytes, 64)), memory_read_write, nullptr)) != nullptr;
    }
    return launch(s);
  }

  bool launch(const Step &s) {
    const Handle kernel = l_.kernels.at(s.name);
    size_t global[3] = {1, 1, 1}, local[3] = {1, 1, 1};
    for (size_t k = 0; k < s.extents.size(); ++k) {
      const auto groups = value_of(s.extents[k], ints_);
      if (!groups) return damaged("`" + s.name + "` has no grid at these sizes");
      if (*groups == 0) return true;
      global[k] = static_cast<size_t>(*groups);
    }
    local[0] = static_cast<size_t>(s.lanes);
    global[0] *= local[0];
    uint32_t next = 0;
    const auto give = [&](size_t size, const void *value) {
      return well("clSetKernelArg", d_.cl.SetKernelArg(kernel, next++, size, value));
    };
    for (const std::string &name : s.memories) {
      const auto it = buffers_.find(name);
      if (it == buffers_.end()) return damaged("`" + name + "` is no buffer");
      if (!give(sizeof(Handle), &it->second)) return false;
    }
    for (const std::string &name : s.ints) {
      const auto it = ints_.find(name);
      if (it == ints_.end()) return damaged("`" + name + "` is no int");
      if (!give(sizeof(int64_t), &it->second)) return false;
    }
    if (s.checked && !give(sizeof(Handle), &failed_)) return false;
    const double called = now();
    if (!well("clEnqueueNDRangeKernel",
              d_.cl.EnqueueNDRangeKernel(d_.queue, kernel, 3, nullptr, global, local, 0, nullptr, nullptr)))
      return false;
    if (!sink_) return true;
    if (!well("clFinish", d_.cl.Finish(d_.queue))) return false;
    sink_->event(sink_->to, str(s.name), str(d_.name), called, now() - called);
    return true;
  }

  bool stayed_inside() const {
    if (!failed_) return true;
    int32_t what[4] = {};
    if (!well("clEnqueueReadBuffer",
              d_.cl.EnqueueReadBuffer(d_.queue, failed_, 1, 0, sizeof what, what, 0, nullptr, nullptr)))
      return false;
    if (what[0] == 0) return true;
    if (what[0] < 0 || static_cast<size_t>(what[0]) > l_.package.checks.size())
      return damaged("a check that it does not have failed");
    const Check &check = l_.package.checks[static_cast<size_t>(what[0]) - 1];
    const std::string of = check.memory.empty()
                               ? std::string()
                               : " dimension " + std::to_string(check.dimension) + " of `" + check.memory + "`";
    c.report(diag::outside, static_cast<Node>(check.place + 1), l_.package.entry, what[1], of, what[2]);
    return false;
  }

  const Context &c;
  Loaded &l_;
  const Driver &d_;
  const htp_trace_sink *sink_;
  const Clock::time_point begin_;
  std::map<std::string, int64_t> ints_;
  std::map<std::string, Handle> buffers_;
  std::vector<std::pair<std::string, size_t>> written_;
  Handle failed_ = nullptr;
};

} // namespace

Result Binding::run(const Context &c, void *loaded, std::string_view entry, const htp_argument *arguments,
                    uint32_t count, const htp_trace_sink *sink) {
  auto &opened = *static_cast<Loaded *>(loaded);
  if (opened.package.entry != entry) {
    c.report(diag::bad_package, HTP_NONE, "codegen/opencl/launch.json", "it has no entry `" + std::string(entry) + "`");
    return HTP_FAILED;
  }
  const std::lock_guard alone(opened.one_run);
  return Run(c, opened, sink).run({arguments, count}) ? HTP_OK : HTP_FAILED;
}

} // namespace htp::opencl
