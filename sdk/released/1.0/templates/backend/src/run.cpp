// The verb `run`: arguments checked against the signature, then the call.
#include "my_plugin.h"

#include <chrono>
#include <map>
#include <span>

namespace htp_my_plugin {
namespace {

// Why the tensor is no argument for the parameter; empty when it is one. `sizes`: what each dimension is so far.
std::string fault_of(const DLTensor &t, const Vector &v, std::map<std::string, int64_t> &sizes) {
  if (t.dtype.code != kDLFloat || t.dtype.bits != 32 || t.ndim != 1) return "is no vector of f32";
  if ((t.strides && t.shape[0] > 1 && t.strides[0] != 1) || t.device.device_type != kDLCPU)
    return "is not contiguous in the CPU's memory";
  const bool number = v.length.find_first_not_of("0123456789") == std::string::npos;
  const int64_t size = number ? std::stoll(v.length) : sizes.try_emplace(v.length, t.shape[0]).first->second;
  return t.shape[0] == size ? "" : "is " + std::to_string(t.shape[0]) + " long, not " + std::to_string(size);
}

} // namespace

Result Binding::run(const Context &c, void *loaded, std::string_view entry, const htp_argument *arguments,
                    uint32_t count, const htp_trace_sink *sink) {
  const std::span given(arguments, count);
  const auto &opened = *static_cast<const Loaded *>(loaded);
  const Signature &signature = opened.signature;
  if (entry != signature.entry) {
    c.report(diag::bad_argument, HTP_NONE, entry, "is no entry of this package")
        .hint("it has `" + signature.entry + "`");
    return HTP_FAILED;
  }
  std::map<std::string, int64_t> sizes;
  std::vector<void *> vectors;
  for (const Vector &v : signature.vectors) {
    const DLTensor *tensor = nullptr;
    for (const htp_argument &a : given)
      if (a.name == v.name) tensor = a.tensor;
    if (const std::string fault = tensor ? fault_of(*tensor, v, sizes) : "is not given"; !fault.empty()) {
      c.report(diag::bad_argument, HTP_NONE, v.name, fault).hint("it is a `Tensor[f32, " + v.length + "]`");
      return HTP_FAILED;
    }
    vectors.push_back(static_cast<char *>(tensor->data) + tensor->byte_offset);
  }
  std::vector<int64_t> dims;
  for (const std::string &name : signature.dims) dims.push_back(sizes[name]);
  const auto begin = std::chrono::steady_clock::now();
  opened.call(vectors.data(), dims.data());
  const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - begin;
  if (sink) sink->event(sink->to, str(entry), str("my-plugin"), 0, took.count());
  return HTP_OK;
}

} // namespace htp_my_plugin
