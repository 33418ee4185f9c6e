// The verb `run`: the arguments, which the host has checked, as the C takes them, then the call.
#include "my_plugin.h"

#include "htp_cpp/arguments.h"

#include <chrono>
#include <map>
#include <span>

namespace htp_my_plugin {
namespace {

Result call(const Context &c, const Entry &entry, Call function, std::span<const htp_argument> arguments,
            const htp_trace_sink *sink) {
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  const auto now = [&] { return std::chrono::duration<double, std::micro>(Clock::now() - begin).count(); };
  std::map<std::string, int64_t> sizes;
  std::vector<void *> tensors;
  for (const Parameter &p : entry.parameters) {
    const DLTensor *tensor = argument(arguments, p.name);
    if (!tensor || static_cast<size_t>(tensor->ndim) != p.dims.size()) {
      c.report(diag::bad_package, HTP_NONE, "codegen/cpu/signature.json", "its `" + p.name + "` is not the manifest's");
      return HTP_FAILED;
    }
    tensors.push_back(address(*tensor));
    for (size_t d = 0; d < p.dims.size(); ++d) sizes.emplace(p.dims[d], tensor->shape[d]);
  }
  std::vector<int64_t> dims;
  for (const std::string &name : entry.dims) dims.push_back(sizes[name]);
  const double called = now();
  const int status = function(tensors.data(), dims.data());
  if (sink) sink->event(sink->to, str(entry.name), str("my-plugin"), called, now() - called);
  if (status == 0) return HTP_OK;
  c.report(diag::kernel_failed, HTP_NONE, entry.name, status)
      .hint("run the program under plain Python: it stops where this happens");
  return HTP_FAILED;
}

} // namespace

Result Debug::run(const Context &c, void *loaded, std::string_view entry, const htp_argument *arguments, uint32_t count,
                  const htp_trace_sink *sink) {
  for (const auto &[candidate, function] : static_cast<const Loaded *>(loaded)->entries)
    if (candidate.name == entry) return call(c, candidate, function, {arguments, count}, sink);
  c.report(diag::bad_package, HTP_NONE, "codegen/cpu/signature.json", "it has no entry `" + std::string(entry) + "`");
  return HTP_FAILED;
}

} // namespace htp_my_plugin
