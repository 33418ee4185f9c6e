// cpu.binding: the five verbs over packages of contract cpu/1.
#include "build.h"
#include "run.h"
#include "watch.h"

#include <dlfcn.h>
#include <memory>

namespace htp::cpu::bind {
namespace {

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
      const auto why = e.why.empty() ? nullptr : reinterpret_cast<Why>(dlsym(result->library, e.why.c_str()));
      if (!why && !e.why.empty()) return refuse();
      const auto traced =
          e.traced.empty() ? nullptr : reinterpret_cast<Traced>(dlsym(result->library, e.traced.c_str()));
      if (!traced && !e.traced.empty()) return refuse();
      result->entries.push_back({std::move(e), call, why, traced});
    }
    *loaded = result.release();
    return HTP_OK;
  });
}

// What the ints that met say of it.
std::string message_of(const Check &check, int64_t a, int64_t b) {
  const std::string x = std::to_string(a), y = std::to_string(b);
  if (check.what == "index") {
    const std::string of = check.tensor.empty()
                               ? std::string()
                               : " dimension " + std::to_string(check.dimension) + " of `" + check.tensor + "`";
    return "index " + x + " is outside" + (of.empty() ? ", since there are " + y : of + ", which has " + y);
  }
  if (check.what == "step") return "the step is " + x;
  if (check.what == "int") return "the element is " + std::to_string(static_cast<uint64_t>(a));
  if (check.what == "memory")
    return a == INT64_MAX ? "more bytes than an int counts are asked for" : x + " bytes are asked for";
  const std::string op = check.what == "add"   ? " + "
                         : check.what == "sub" ? " - "
                         : check.what == "mul" ? " * "
                         : check.what == "mod" ? " % "
                                               : " // ";
  return x + op + (b < 0 ? "(" + y + ")" : y) + (b == 0 ? "" : " does not fit in 64 bits");
}

// Why a kernel gave up: the bits of runtime/htp_cpu.h, section guard. What failed first is reported, with its location.
void refuse(const Context &c, const Entry &entry, int failed, const Failure *why) {
  const bool known =
      why && why->why == failed && why->site >= 0 && static_cast<size_t>(why->site) < entry.checks.size();
  const Check *check = known ? &entry.checks[static_cast<size_t>(why->site)] : nullptr;
  if (check) // one of several things
    failed = check->what == "index"                                               ? 2
             : check->what == "memory"                                            ? 1
             : check->what == "step"                                              ? 8
             : why->b == 0 && (check->what == "floordiv" || check->what == "mod") ? 4
                                                                                  : 32;
  const DiagKind &kind = failed & 1    ? diag::out_of_memory
                         : failed & 32 ? diag::int_overflow
                         : failed & 2  ? diag::outside
                         : failed & 4  ? diag::zero_divisor
                         : failed & 16 ? diag::stuck
                         : failed & 64 ? diag::left_over
                                       : diag::no_step;
  Report report = c.report(kind, check ? check->statement + 1 : HTP_NONE, entry.name);
  if (check && check->node != check->statement) report.label(check->node + 1, "this");
  if (check) report.note(message_of(*check, why->a, why->b));
  const std::string plain = "run the program under plain Python: it stops where this happens";
  report.hint(failed & 1 ? "use smaller tiles, or smaller arrays"
              : failed & 32
                  ? "keep ints small: take `%` before a product grows, or compute with elements of an integer "
                    "dtype, which wrap"
              : failed & 16 ? "run the program under plain Python: it says who waits for whom"
              : failed & 64 ? "run the program under plain Python: it says what is left in which channel"
              : failed & 6  ? plain
                            : "loops of the CPU run upward");
}

htp_status run_entry(const htp_host *host, htp_ctx *ctx, void *loaded, htp_str entry, const htp_argument *arguments,
                     uint32_t count, const htp_trace_sink *sink) {
  return guarded(host, ctx, HTP_INTERNAL, [&] {
    const Context c(host, ctx);
    const int64_t begin = nanoseconds();
    for (const auto &[e, call, why, traced] : static_cast<const Loaded *>(loaded)->entries) {
      if (e.name != view(entry)) continue;
      const auto frame = frame_of(c, e, {arguments, count});
      if (!frame) return HTP_FAILED;
      Timeline line;
      const int64_t called = nanoseconds();
      const int failed = sink && traced ? traced(frame->tensors.data(), frame->dims.data(), line.watch())
                                        : call(frame->tensors.data(), frame->dims.data());
      if (sink) line.tell(c, e, *sink, begin, called, nanoseconds());
      if (!failed) return HTP_OK;
      refuse(c, e, failed, why ? why() : nullptr);
      return HTP_FAILED;
    }
    c.report(diag::missing_entry, HTP_NONE, view(entry));
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

} // namespace
} // namespace htp::cpu::bind

namespace htp::cpu {

const htp_binding binding = {head<htp_binding>(HTP_LAYOUT_BINDING),
                             bind::validate_package,
                             bind::build_package,
                             bind::load_package,
                             bind::run_package,
                             bind::run_entry,
                             bind::unload_package};

} // namespace htp::cpu
