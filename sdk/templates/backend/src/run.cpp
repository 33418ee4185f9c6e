// The verb `run`: the arguments, which the host has checked, held against what the target limits, then the call.
#include "my_plugin.h"

#include "htp_cpp/arguments.h"

#include <chrono>

namespace htp_my_plugin {

Result Binding::run(const Context &c, void *loaded, std::string_view entry, const htp_argument *arguments,
                    uint32_t count, const htp_trace_sink *sink) {
  const auto &opened = *static_cast<const Loaded *>(loaded);
  const Signature &signature = opened.signature;
  std::vector<const DLTensor *> tensors;
  std::vector<void *> data;
  for (const Parameter &p : signature.parameters) {
    const DLTensor *tensor = argument({arguments, count}, p.name);
    if (!tensor || static_cast<size_t>(tensor->ndim) != p.rank) {
      c.report(diag::bad_package, HTP_NONE, "signature.txt", "its `" + p.name + "` is not the manifest's");
      return HTP_FAILED;
    }
    tensors.push_back(tensor);
    data.push_back(address(*tensor));
  }
  std::vector<int64_t> dims;
  for (const Dim &d : signature.dims) {
    dims.push_back((tensors[d.tensor]->shape[d.axis] - d.offset) / d.factor);
    if (!d.largest || dims.back() <= d.largest) continue;
    c.report(diag::too_large, HTP_NONE, d.name, dims.back(), d.largest).hint("compile with smaller blocks");
    return HTP_FAILED;
  }
  const auto begin = std::chrono::steady_clock::now();
  const int64_t line = opened.call(data.data(), dims.data());
  const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - begin;
  if (sink) sink->event(sink->to, str(entry), str("my-plugin"), 0, took.count());
  if (line == 0) return HTP_OK;
  c.report(diag::outside, HTP_NONE, line).hint("see that line of the last stage's program.py");
  return HTP_FAILED;
}

} // namespace htp_my_plugin
