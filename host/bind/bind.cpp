#include "host/bind/bind.h"

#include "host/base/fs.h"
#include "host/base/hash.h"
#include "host/base/interrupt.h"
#include "host/bind/modules.h"
#include "host/bind/signature.h"
#include "host/bind/where.h"
#include "host/log/log.h"
#include "host/pipeline/context.h"
#include "host/pipeline/in_unit.h"

#include <algorithm>
#include <chrono>

namespace htp {

struct BoundPackage::State {
  Inputs inputs;
  std::vector<LoadedPlugin> plugins;
  const Unit *unit = nullptr;
  const htp_binding *interface = nullptr;
  Cache *cache = nullptr;
  Store store;
  ContextSettings settings;
  std::string built;
  void *loaded = nullptr;
  std::vector<Signature> signatures; // of the entries, when something is loaded
};

namespace {

// The context of one verb: a plugin's errors that say nothing become one that does.
template <class F> bool call(const Package &package, Store &store, Cache &cache, const ContextSettings &settings,
                             const std::string &plugin, const Unit &unit, Diagnostics &diagnostics, F f) {
  htp_ctx ctx(store, diagnostics, cache, settings);
  const Registry none({}, {});
  ctx.registry = &none;
  ctx.enter(unit, HTP_NONE);
  const size_t errors = diagnostics.errors();
  const htp_status status = in_unit(ctx, plugin, unit, true, HTP_FAILED, [&] { return f(ctx); });
  if (status != HTP_OK && diagnostics.errors() == errors)
    diagnostics.report(diag::bind_failed, {}, unit.name.value, package.folder);
  return status == HTP_OK && diagnostics.errors() == errors;
}

} // namespace

BoundPackage::BoundPackage() : state_(std::make_unique<State>()) {}

BoundPackage::~BoundPackage() {
  if (state_->loaded) state_->interface->unload(state_->loaded);
}

std::unique_ptr<BoundPackage> BoundPackage::open(const std::string &package, const CompileRequest &request,
                                                 Cache &cache, Diagnostics &diagnostics) {
  LogPhase phase("bind");
  auto read = read_package(package, diagnostics);
  if (!read) return nullptr;
  std::unique_ptr<BoundPackage> result(new BoundPackage);
  State &state = *result->state_;
  result->package_ = std::move(*read);
  auto inputs = gather(request, false, diagnostics);
  if (!inputs) return nullptr;
  state.inputs = std::move(*inputs);
  state.cache = &cache;
  const std::string &contract = result->package_.manifest.target.contract;
  const Manifest *manifest = nullptr;
  for (const Manifest &m : state.inputs.manifests)
    for (const Unit &unit : m.units)
      if (!manifest && unit.kind == UnitKind::binding && unit.contract_id == contract) {
        manifest = &m;
        state.unit = &unit;
      }
  if (!manifest) {
    std::string searched;
    for (const std::string &folder : state.inputs.search) searched += (searched.empty() ? "`" : ", `") + folder + "`";
    diagnostics.report(diag::bind_no_binding, {}, contract)
        .hint("searched " + (searched.empty() ? "no folder" : searched) + "; give `--plugin-path DIR`");
    return nullptr;
  }
  log(LogLevel::info, "binding chosen",
      {{"binding", state.unit->name.value}, {"plugin", manifest->id.value}, {"contract", contract}});
  LoadOptions options = LoadOptions::from_environment();
  options.cache = &cache;
  options.admit = [&](const Manifest &m, const std::string &library_sha256, Diagnostics &said) {
    return state.inputs.admits(m, library_sha256, said);
  };
  const Manifest *wanted[] = {manifest};
  report_refused(state.inputs, {manifest}, diagnostics);
  if (diagnostics.errors()) return nullptr;
  state.plugins = load_plugins(wanted, options, diagnostics);
  if (state.plugins.empty()) return nullptr;
  state.interface =
      static_cast<const htp_binding *>(state.plugins[0].interface(UnitKind::binding, state.unit->name.value));
  state.settings.target = result->package_.manifest.target.backend;
  state.settings.entry = result->package_.manifest.identity.entry;
  state.settings.hardware = result->package_.manifest.target.hardware;
  state.settings.read = [&files = result->package_](const std::string &path) -> Expected<std::string, IoError> {
    if (const std::string *bytes = files.file(path)) return *bytes; // as they were checked
    if (path == "manifest.json") {
      auto text = read_file(join_path(files.folder, path), package_manifest_limit);
      if (!text || sha256(*text) == files.digest) return text;
    }
    return Unexpected{IoError{path, "the package has no such file"}};
  };
  // A binding has no tree: a node is a number in the last stage, counted from 1.
  state.settings.location = [&files = result->package_](htp_node n) {
    return n ? user_location(files, n - 1) : Span{};
  };
  state.settings.python_path = modules_of(result->package_.manifest, state.inputs, manifest, diagnostics);
  state.settings.any_environment = true; // what is built stands outside the package's digest
  state.settings.options = options_for({state.unit}, state.inputs.profile, diagnostics);
  if (diagnostics.errors()) return nullptr;
  const bool valid =
      call(result->package_, state.store, cache, state.settings, state.plugins[0].manifest().id.value, *state.unit,
           diagnostics, [&](htp_ctx &ctx) { return state.interface->validate(&host_table(), &ctx); });
  return valid ? std::move(result) : nullptr;
}

const std::vector<std::string> &BoundPackage::python_path() const { return state_->settings.python_path; }

std::optional<std::string> BoundPackage::build(Diagnostics &diagnostics) {
  State &s = *state_;
  if (!s.built.empty()) return s.built;
  LogPhase phase("build");
  const bool good = call(package_, s.store, *s.cache, s.settings, s.plugins[0].manifest().id.value, *s.unit,
                         diagnostics, [&](htp_ctx &ctx) {
                           htp_str built{};
                           const htp_status status = s.interface->build(&host_table(), &ctx, &built);
                           if (status == HTP_OK) s.built.assign(built.data, built.size);
                           return status;
                         });
  return good ? std::optional(s.built) : std::nullopt;
}

bool BoundPackage::load(Diagnostics &diagnostics) {
  State &s = *state_;
  if (s.loaded) return true;
  if (!build(diagnostics)) return false;
  const bool good = call(package_, s.store, *s.cache, s.settings, s.plugins[0].manifest().id.value, *s.unit,
                         diagnostics, [&](htp_ctx &ctx) {
                           return s.interface->load(&host_table(), &ctx, {s.built.data(), s.built.size()}, &s.loaded);
                         });
  s.signatures.clear();
  for (const auto &entry : package_.manifest.entries) s.signatures.emplace_back(entry, s.store);
  return good;
}

// Builds and opens when that was not done yet, holds the arguments against the entry's signature, and calls
// f(context, name, arguments, count) in the binding's unit.
template <class F> bool BoundPackage::with_arguments(const std::string &entry, const std::vector<htp_argument> &given,
                                                     Diagnostics &diagnostics, F f) {
  if (!load(diagnostics)) return false;
  LogPhase phase("run", LogLevel::debug);
  State &s = *state_;
  const auto signature = std::ranges::find(s.signatures, entry, &Signature::name);
  if (signature == s.signatures.end()) {
    std::string names;
    for (const Signature &one : s.signatures) names += (names.empty() ? "`" : ", `") + one.name() + "`";
    diagnostics.report(diag::bind_unknown_entry, {}, entry).hint("it has " + (names.empty() ? "none" : names));
    return false;
  }
  const auto location = [&](const std::string &parameter) {
    return parameter_location(package_, entry, parameter, s.store);
  };
  const auto arguments = signature->arguments(given, location, diagnostics);
  if (!arguments) return false;
  return call(
      package_, s.store, *s.cache, s.settings, s.plugins[0].manifest().id.value, *s.unit, diagnostics,
      [&](htp_ctx &ctx) {
        return f(ctx, htp_str{entry.data(), entry.size()}, arguments->data(), static_cast<uint32_t>(arguments->size()));
      });
}

bool BoundPackage::run(const std::string &entry, const std::vector<htp_argument> &given, std::vector<TraceEvent> *trace,
                       Diagnostics &diagnostics) {
  State &s = *state_;
  return with_arguments(
      entry, given, diagnostics, [&](htp_ctx &ctx, htp_str name, const htp_argument *arguments, uint32_t count) {
        if (!trace) return s.interface->run(&host_table(), &ctx, s.loaded, name, arguments, count);
        std::map<htp_node, Span> known; // of nodes that many events have
        ctx.event = [&](htp_node at, std::string_view event, std::string_view track, double begin, double duration) {
          const auto [it, fresh] = known.try_emplace(at);
          if (fresh) it->second = ctx.settings.location(at);
          trace->push_back({std::string(event), std::string(track), begin, duration, it->second});
        };
        const htp_trace_sink sink{trace, [](void *to, htp_str event, htp_str track, double begin, double duration) {
                                    static_cast<std::vector<TraceEvent> *>(to)->push_back(
                                        {{event.data, event.size}, {track.data, track.size}, begin, duration});
                                  }};
        return s.interface->trace(&host_table(), &ctx, s.loaded, name, arguments, count, &sink);
      });
}

std::optional<BoundPackage::Direct> BoundPackage::direct(const std::string &entry, Diagnostics &diagnostics) {
  if (!load(diagnostics)) return std::nullopt;
  State &s = *state_;
  const auto signature = std::ranges::find(s.signatures, entry, &Signature::name);
  if (!s.interface->direct || !s.interface->failed || signature == s.signatures.end()) return std::nullopt;
  htp_direct found{};
  const bool good =
      call(package_, s.store, *s.cache, s.settings, s.plugins[0].manifest().id.value, *s.unit, diagnostics,
           [&](htp_ctx &ctx) {
             return s.interface->direct(&host_table(), &ctx, s.loaded, {entry.data(), entry.size()}, &found);
           });
  if (!good || !found.call) return std::nullopt;
  std::vector<std::string> dims;
  for (uint32_t k = 0; k < found.dim_count; ++k) dims.emplace_back(found.dims[k].data, found.dims[k].size);
  auto arguments = DirectCall::of(*signature, dims);
  if (!arguments) return std::nullopt;
  return Direct{found, std::move(*arguments)};
}

void BoundPackage::failed(const std::string &entry, int code, Diagnostics &diagnostics) {
  State &s = *state_;
  call(package_, s.store, *s.cache, s.settings, s.plugins[0].manifest().id.value, *s.unit, diagnostics,
       [&](htp_ctx &ctx) {
         return s.interface->failed(&host_table(), &ctx, s.loaded, {entry.data(), entry.size()}, code);
       });
}

std::vector<double> BoundPackage::time(const std::string &entry, const std::vector<htp_argument> &given, unsigned runs,
                                       Diagnostics &diagnostics) {
  using Clock = std::chrono::steady_clock;
  std::vector<double> seconds;
  seconds.reserve(runs);
  const bool good = with_arguments(
      entry, given, diagnostics, [&](htp_ctx &ctx, htp_str name, const htp_argument *arguments, uint32_t count) {
        for (unsigned k = 0; k < runs && !interrupted; ++k) {
          const Clock::time_point begin = Clock::now();
          const htp_status status = state_->interface->run(&host_table(), &ctx, state_->loaded, name, arguments, count);
          if (status != HTP_OK) return status;
          seconds.push_back(std::chrono::duration<double>(Clock::now() - begin).count());
        }
        return HTP_OK;
      });
  return good ? seconds : std::vector<double>();
}

} // namespace htp
