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
      result->entries.push_back({std::move(e), {}, call, why, traced});
    }
    for (Loaded::Opened &o : result->entries)
      for (const std::string &dim : o.entry.dims) o.dims.push_back(str(dim));
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

// Where a process slept when all did, as `htp_sleep` in runtime/htp_channel.h.
struct Sleep {
  int64_t process, site, lane;
};

// Who waits for whom: the sleeps of a cycle, first to last, or of all where there is none, since one waits for a
// process that has ended.
std::vector<Sleep> cycle_of(const Entry &entry, const std::vector<Sleep> &all) {
  std::map<size_t, size_t> by_process;
  for (size_t k = 0; k < all.size(); ++k) by_process[static_cast<size_t>(all[k].process)] = k;
  const auto waits_for = [&](const Sleep &one) -> std::optional<size_t> {
    const Site &site = entry.sites[static_cast<size_t>(one.site)];
    const auto ends = entry.ends.find({site.channel, one.lane});
    if (ends == entry.ends.end()) return std::nullopt;
    for (const size_t other : site.waits == "item" ? ends->second.writers : ends->second.readers)
      if (const auto it = by_process.find(other); it != by_process.end()) {
        const Sleep &sleep = all[it->second];
        // Who waits at the other end of the channel too has had all of it; another reader has not.
        if (site.waits == "item" || sleep.lane != one.lane ||
            entry.sites[static_cast<size_t>(sleep.site)].channel != site.channel)
          return it->second;
      }
    return std::nullopt;
  };
  for (size_t start = 0; start < all.size(); ++start) {
    std::vector<size_t> path{start};
    while (const auto next = waits_for(all[path.back()])) {
      const auto seen = std::find(path.begin(), path.end(), *next);
      if (seen != path.end()) {
        std::vector<Sleep> cycle;
        for (auto k = seen; k != path.end(); ++k) cycle.push_back(all[*k]);
        return cycle;
      }
      path.push_back(*next);
    }
  }
  return all;
}

// All wait: each with its line, those of the cycle if they are in one.
void refuse_stuck(const Context &c, const Entry &entry, const Failure &why) {
  std::vector<Sleep> all;
  for (int64_t k = 0; k < why.a; ++k) {
    const Sleep &one = reinterpret_cast<const Sleep *>(static_cast<intptr_t>(why.b))[k];
    const bool known = one.process >= 0 && static_cast<size_t>(one.process) < entry.instances.size() && one.site >= 0 &&
                       static_cast<size_t>(one.site) < entry.sites.size();
    if (known) all.push_back(one);
  }
  const std::vector<Sleep> named = cycle_of(entry, all);
  const auto site = [&](const Sleep &one) -> const Site & { return entry.sites[static_cast<size_t>(one.site)]; };
  Report report = c.report(diag::stuck, named.empty() ? HTP_NONE : site(named[0]).node + 1, entry.name);
  bool any_ended = false, any_full = false;
  for (const Sleep &one : named) {
    std::string ended;
    if (const auto ends = entry.ends.find({site(one).channel, one.lane}); ends != entry.ends.end())
      for (const size_t other : site(one).waits == "item" ? ends->second.writers : ends->second.readers)
        if (std::ranges::none_of(all, [&](const Sleep &s) { return s.process == static_cast<int64_t>(other); }))
          ended += (ended.empty() ? ", and `" : " and `") + entry.instances[other].name + "`";
    any_ended |= !ended.empty();
    any_full |= site(one).waits != "item";
    report.label(site(one).node + 1, "`" + entry.instances[static_cast<size_t>(one.process)].name + "` waits for " +
                                         waited_for(site(one), one.lane) + (ended.empty() ? "" : ended + " has ended"));
  }
  report.hint(named.empty() ? "run the program under plain Python: it says who waits for whom"
              : any_ended   ? "let a reader take all of its channel: a loop over it ends with it"
              : any_full    ? "give the channels more capacity, or take from them in the order in which they are filled"
                            : "let one of them put before it gets");
}

// Why a kernel gave up: the bits of runtime/htp_cpu.h, section guard. What failed first is reported, with its location.
void refuse(const Context &c, const Entry &entry, int failed, const Failure *why) {
  if (failed == 16 && why && why->why == failed && why->site < 0 && !entry.ends.empty())
    return refuse_stuck(c, entry, *why);
  if (failed == 128 && why && why->why == failed && why->site >= 0 &&
      static_cast<size_t>(why->site) < entry.sites.size()) {
    const Site &site = entry.sites[static_cast<size_t>(why->site)];
    const std::string what = waited_for(site, why->a);
    return void(c.report(diag::past_end, site.node + 1, entry.name, what.substr(what.find('`'))));
  }
  const bool known =
      why && why->why == failed && why->site >= 0 && static_cast<size_t>(why->site) < entry.checks.size();
  const Check *check = known ? &entry.checks[static_cast<size_t>(why->site)] : nullptr;
  if (check) // one of several things
    failed = check->what == "index"                                               ? 2
             : check->what == "memory"                                            ? 1
             : check->what == "step"                                              ? 8
             : why->b == 0 && (check->what == "floordiv" || check->what == "mod") ? 4
                                                                                  : 32;
  const DiagKind &kind = failed & 1     ? diag::out_of_memory
                         : failed & 32  ? diag::int_overflow
                         : failed & 2   ? diag::outside
                         : failed & 4   ? diag::zero_divisor
                         : failed & 16  ? diag::stuck
                         : failed & 64  ? diag::left_over
                         : failed & 128 ? diag::past_end
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
    for (const auto &[e, dims, call, why, traced] : static_cast<const Loaded *>(loaded)->entries) {
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

const Loaded::Opened *opened(void *loaded, htp_str entry) {
  const auto &entries = static_cast<const Loaded *>(loaded)->entries;
  const auto it = std::ranges::find_if(entries, [&](const Loaded::Opened &o) { return o.entry.name == view(entry); });
  return it == entries.end() ? nullptr : &*it;
}

int call_directly(void *self, void *const *tensors, const int64_t *dims) {
  return static_cast<const Loaded::Opened *>(self)->call(tensors, dims);
}

htp_status direct_call(const htp_host *host, htp_ctx *ctx, void *loaded, htp_str entry, htp_direct *found) {
  return guarded(host, ctx, HTP_INTERNAL, [&] {
    const Loaded::Opened *one = opened(loaded, entry);
    if (one)
      *found = {const_cast<Loaded::Opened *>(one), call_directly, one->dims.data(),
                static_cast<uint32_t>(one->dims.size())};
    else
      Context(host, ctx).report(diag::missing_entry, HTP_NONE, view(entry));
    return one ? HTP_OK : HTP_FAILED;
  });
}

htp_status direct_failed(const htp_host *host, htp_ctx *ctx, void *loaded, htp_str entry, int code) {
  return guarded(host, ctx, HTP_INTERNAL, [&] {
    if (const Loaded::Opened *one = opened(loaded, entry))
      refuse(Context(host, ctx), one->entry, code, one->why ? one->why() : nullptr);
    return HTP_FAILED;
  });
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
                             bind::unload_package,
                             bind::direct_call,
                             bind::direct_failed};

} // namespace htp::cpu
