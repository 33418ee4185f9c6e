// cpu.binding: the five verbs over packages of contract cpu/1.
#include "build.h"
#include "run.h"

#include <chrono>
#include <dlfcn.h>
#include <memory>

namespace htp::cpu::bind {
namespace {

using Clock = std::chrono::steady_clock;

htp_status validate_package(const htp_host *host, htp_ctx *ctx) {
  return guarded(host, ctx, HTP_INTERNAL, [&] {
    const Context c(host, ctx);
    std::vector<Entry> entries;
    Recipe recipe;
    if (!read_signature(c, entries) || !read_recipe(c, recipe)) return HTP_FAILED;
    for (const std::string &path : recipe.sources)
      if (std::string bytes; !read_file(c, path, bytes)) return HTP_FAILED;
    return c.result();
  });
}

htp_status build_package(const htp_host *host, htp_ctx *ctx, htp_str *built) {
  return guarded(host, ctx, HTP_INTERNAL, [&] { return build(Context(host, ctx), built); });
}

htp_status load_package(const htp_host *host, htp_ctx *ctx, htp_str built, void **loaded) {
  return guarded(host, ctx, HTP_INTERNAL, [&] {
    const Context c(host, ctx);
    std::vector<Entry> entries;
    Recipe recipe;
    if (!read_signature(c, entries) || !read_recipe(c, recipe)) return HTP_FAILED;
    auto result = std::make_unique<Loaded>();
    const std::string path = std::string(view(built)) + "/" + recipe.output;
    result->library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    auto refuse = [&] {
      const char *why = dlerror();
      c.report(diag::not_loadable, HTP_NONE, why ? why : "unknown").hint("build again with `HTP_CACHE=off`");
      if (result->library) dlclose(result->library);
      return HTP_FAILED;
    };
    if (!result->library) return refuse();
    // The threads of OpenMP outlive the calls: their code must not be unmapped under them.
    if (dlsym(result->library, "GOMP_parallel")) dlopen(path.c_str(), RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
    for (Entry &e : entries) {
      const auto call = reinterpret_cast<Call>(dlsym(result->library, e.call.c_str()));
      if (!call) return refuse();
      result->entries.emplace_back(std::move(e), call);
    }
    *loaded = result.release();
    return HTP_OK;
  });
}

// Why a kernel gave up: the bits of runtime/htp_cpu.h, section guard.
void refuse(const Context &c, const std::string &entry, int failed) {
  constexpr const char *hint = "run the program under plain Python: it stops where this happens";
  if (failed & 1)
    c.report(diag::out_of_memory, HTP_NONE, entry).hint("use smaller tiles, or smaller arrays");
  else if (failed & 32)
    c.report(diag::int_overflow, HTP_NONE, entry)
        .hint("keep ints small: take `%` before a product grows, or compute with elements of an integer dtype, which "
              "wrap");
  else if (failed & 2)
    c.report(diag::outside, HTP_NONE, entry).hint(hint);
  else if (failed & 4)
    c.report(diag::zero_divisor, HTP_NONE, entry).hint(hint);
  else if (failed & 16)
    c.report(diag::stuck, HTP_NONE, entry).hint("run the program under plain Python: it says who waits for whom");
  else
    c.report(diag::no_step, HTP_NONE, entry).hint("loops of the CPU run upward");
}

htp_status run_entry(const htp_host *host, htp_ctx *ctx, void *loaded, htp_str entry, const htp_argument *arguments,
                     uint32_t count, const htp_trace_sink *sink) {
  return guarded(host, ctx, HTP_INTERNAL, [&] {
    const Context c(host, ctx);
    const auto begin = Clock::now();
    const auto at = [&] { return std::chrono::duration<double, std::micro>(Clock::now() - begin).count(); };
    for (const auto &[e, call] : static_cast<const Loaded *>(loaded)->entries) {
      if (e.name != view(entry)) continue;
      Frame frame;
      if (!check_arguments(c, e, arguments, count, frame)) return HTP_FAILED;
      const double checked = at();
      const int failed = call(frame.tensors.data(), frame.dims.data());
      const double done = at();
      if (sink) {
        sink->event(sink->to, str("check arguments"), str("binding"), 0, checked);
        sink->event(sink->to, str(e.name), str("cpu"), checked, done - checked);
      }
      if (!failed) return HTP_OK;
      refuse(c, e.name, failed);
      return HTP_FAILED;
    }
    c.report(diag::unknown_entry, HTP_NONE, view(entry))
        .hint("it has `" + static_cast<const Loaded *>(loaded)->entries.front().first.name + "`");
    return HTP_FAILED;
  });
}

htp_status run_package(const htp_host *host, htp_ctx *ctx, void *loaded, htp_str entry, const htp_argument *arguments,
                       uint32_t count) {
  return run_entry(host, ctx, loaded, entry, arguments, count, nullptr);
}

void unload_package(void *loaded) {
  const std::unique_ptr<Loaded> l(static_cast<Loaded *>(loaded));
  if (l && l->library) dlclose(l->library);
}

constexpr htp_binding interface = {head<htp_binding>(HTP_LAYOUT_BINDING),
                                   validate_package,
                                   build_package,
                                   load_package,
                                   run_package,
                                   run_entry,
                                   unload_package};
constexpr htp_unit units[] = {{HTP_EXT_BINDING, "cpu.binding", &interface}};

constexpr htp_diag_info diagnostics[] = {
#define DIAG(...) HTP_DIAGNOSTICS_ROW(__VA_ARGS__)
#include "diagnostics.def"
#undef DIAG
};

} // namespace
} // namespace htp::cpu::bind

HTP_PLUGIN("htp.binding-cpu", "0.1.0", htp::cpu::bind::units, htp::cpu::bind::diagnostics)
