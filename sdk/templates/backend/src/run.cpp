// The verb `run`: the arguments, which the host has checked, as the C takes them, then the call.
#include "my_plugin.h"

#include "htp_cpp/arguments.h"

#include <chrono>
#include <map>

namespace htp_my_plugin {
Result Binding::run(const Context &c, void *loaded, std::string_view entry, const htp_argument *arguments,
                    uint32_t count, const htp_trace_sink *sink) {
  const auto &opened = *static_cast<const Loaded *>(loaded);
  const Signature &signature = opened.signature;
  std::map<std::string, int64_t> sizes;
  std::vector<void *> vectors;
  for (const Vector &v : signature.vectors) {
    const DLTensor *tensor = argument({arguments, count}, v.name);
    if (!tensor || tensor->ndim != 1) {
      c.report(diag::bad_package, HTP_NONE, "signature.txt", "its `" + v.name + "` is not the manifest's");
      return HTP_FAILED;
    }
    vectors.push_back(address(*tensor));
    sizes.emplace(v.length, tensor->shape[0]);
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
