// The verb `run`: arguments checked against the signature, then the call.
#include "my_plugin.h"

#include <chrono>
#include <map>
#include <span>

namespace htp_my_plugin {
namespace {

std::string dtype_of(const DLTensor &t) {
  const std::string bits = std::to_string(t.dtype.bits);
  switch (t.dtype.code) {
  case kDLInt: return "i" + bits;
  case kDLUInt: return "u" + bits;
  case kDLFloat: return "f" + bits;
  case kDLBfloat: return "bf" + bits;
  case kDLBool: return "bool_";
  default: return "another dtype";
  }
}

bool contiguous(const DLTensor &t) {
  int64_t expected = 1;
  for (int32_t d = t.ndim; t.strides && d-- > 0; expected *= t.shape[d])
    if (t.shape[d] != 1 && t.strides[d] != expected) return false;
  return true;
}

// Why the tensor is no argument for the parameter; empty when it is one. `sizes`: what each dimension is so far.
std::string fault_of(const DLTensor &t, const Parameter &p, std::map<std::string, int64_t> &sizes) {
  if (dtype_of(t) != p.dtype) return "holds " + dtype_of(t) + ", not " + p.dtype;
  if (static_cast<size_t>(t.ndim) != p.dims.size())
    return "has " + std::to_string(t.ndim) + " dimensions, not " + std::to_string(p.dims.size());
  if (!contiguous(t) || t.device.device_type != kDLCPU) return "is not contiguous in the CPU's memory";
  for (size_t d = 0; d < p.dims.size(); ++d) {
    const bool number = p.dims[d].find_first_not_of("0123456789") == std::string::npos;
    const int64_t size = number ? std::stoll(p.dims[d]) : sizes.try_emplace(p.dims[d], t.shape[d]).first->second;
    if (t.shape[d] != size)
      return "is " + std::to_string(t.shape[d]) + " long in dimension " + std::to_string(d) + ", not " +
             std::to_string(size);
  }
  return {};
}

Result call(const Context &c, const Entry &entry, Call function, std::span<const htp_argument> arguments,
            const htp_trace_sink *sink) {
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  const auto now = [&] { return std::chrono::duration<double, std::micro>(Clock::now() - begin).count(); };
  std::map<std::string, int64_t> sizes;
  std::vector<void *> tensors;
  for (const Parameter &p : entry.parameters) {
    const DLTensor *tensor = nullptr;
    for (const htp_argument &a : arguments)
      if (a.name == p.name) tensor = a.tensor;
    if (const std::string fault = tensor ? fault_of(*tensor, p, sizes) : "is not given"; !fault.empty()) {
      c.report(diag::bad_argument, HTP_NONE, p.name, fault)
          .hint("`htp-host run` without `--inputs` makes arguments that fit");
      return HTP_FAILED;
    }
    tensors.push_back(static_cast<char *>(tensor->data) + tensor->byte_offset);
  }
  std::vector<int64_t> dims;
  for (const std::string &name : entry.dims) dims.push_back(sizes[name]);
  const double checked = now();
  const int status = function(tensors.data(), dims.data());
  if (sink) sink->event(sink->to, str(entry.name), str("my-plugin"), checked, now() - checked);
  if (status == 0) return HTP_OK;
  c.report(diag::kernel_failed, HTP_NONE, entry.name, status)
      .hint("run the program under plain Python: it stops where this happens");
  return HTP_FAILED;
}

} // namespace

Result Debug::run(const Context &c, void *loaded, std::string_view entry, const htp_argument *arguments, uint32_t count,
                  const htp_trace_sink *sink) {
  const std::span given(arguments, count);
  for (const auto &[candidate, function] : static_cast<const Loaded *>(loaded)->entries)
    if (candidate.name == entry) return call(c, candidate, function, given, sink);
  c.report(diag::bad_argument, HTP_NONE, entry, "is no entry of this package")
      .hint("it has `" + static_cast<const Loaded *>(loaded)->entries[0].first.name + "`");
  return HTP_FAILED;
}

} // namespace htp_my_plugin
