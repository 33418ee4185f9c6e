#include "host/load/loader.h"

#include "host/base/cache.h"
#include "host/base/hash.h"
#include "host/load/handshake.h"
#include "host/load/probe.h"
#include "htp/entry.h"

#include <algorithm>

namespace htp {

struct LoadedPlugin::State {
  const Manifest *manifest;
  std::optional<Library> library;
  std::string manifest_sha256;
};

LoadedPlugin::LoadedPlugin(std::unique_ptr<State> state) : state_(std::move(state)) {}
LoadedPlugin::LoadedPlugin(LoadedPlugin &&) noexcept = default;
LoadedPlugin &LoadedPlugin::operator=(LoadedPlugin &&) noexcept = default;
LoadedPlugin::~LoadedPlugin() = default;

const Manifest &LoadedPlugin::manifest() const { return *state_->manifest; }
const htp_entry *LoadedPlugin::entry() const { return state_->library ? state_->library->entry() : nullptr; }
const std::string &LoadedPlugin::manifest_sha256() const { return state_->manifest_sha256; }
const std::string &LoadedPlugin::library_sha256() const {
  static const std::string none;
  return state_->library ? state_->library->sha256() : none;
}

const void *LoadedPlugin::interface(UnitKind kind, std::string_view name) const {
  const htp_entry *const all = entry();
  for (uint32_t i = 0; all && i < all->unit_count; ++i)
    if (name == all->units[i].name && unit_interface_id(kind) == all->units[i].kind) return all->units[i].interface;
  return nullptr;
}

namespace {

// One plugin on its way in.
struct Attempt {
  const Manifest *manifest;
  std::optional<Library> library;
  std::optional<LoadStep> failed;
};

// A library that survived once survives again: its bytes are the key. Only that is kept; what failed may have failed
// for a reason outside the bytes (a missing dependency, a busy machine), so it is tried again.
std::string verdict_key(const Library &library) { return sha256("htp.load.probe/1\n" + library.sha256()); }

bool survived_before(const Library &library, const LoadOptions &options) {
  return options.cache && options.cache->get(verdict_key(library)).has_value();
}

void check_data_only(Attempt &attempt, Diagnostics &diagnostics) {
  for (const Unit &unit : attempt.manifest->units) {
    if (!has_interface(unit.kind)) continue;
    attempt.failed = LoadStep::units;
    diagnostics.report(diag::load_missing_unit, unit.name.span,
                       "plugin `" + attempt.manifest->id.value + "` has no library, so it", unit_kind_name(unit.kind),
                       unit.name.value);
  }
}

void probe_all(std::vector<Attempt> &attempts, const LoadOptions &options, Diagnostics &diagnostics) {
  std::vector<ProbeRequest> requests;
  std::vector<Attempt *> asked;
  for (Attempt &attempt : attempts)
    if (attempt.library && !survived_before(*attempt.library, options)) {
      requests.push_back({attempt.manifest, &*attempt.library});
      asked.push_back(&attempt);
    }
  const auto verdicts = probe(requests, options.probe_timeout);
  for (size_t i = 0; i < asked.size(); ++i) {
    if (verdicts[i].outcome == ProbeVerdict::Outcome::survived) {
      if (options.cache) options.cache->put(verdict_key(*asked[i]->library), "survived");
      continue;
    }
    report_probe(requests[i], verdicts[i], options.probe_timeout, diagnostics);
    asked[i]->failed = LoadStep::probe;
  }
}

} // namespace

std::vector<LoadResult> PluginLoader::run(std::span<const Manifest *const> manifests, const LoadOptions &options,
                                          Diagnostics &diagnostics) {
  std::vector<Attempt> attempts;
  for (const Manifest *manifest : manifests) {
    Attempt &attempt = attempts.emplace_back(Attempt{manifest, {}, {}});
    if (manifest->library.value.empty()) {
      check_data_only(attempt, diagnostics);
      continue;
    }
    LoadStep failed{};
    attempt.library = Library::check(*manifest, options.from, diagnostics, failed);
    if (!attempt.library) attempt.failed = failed;
  }
  probe_all(attempts, options, diagnostics);

  std::vector<LoadResult> results;
  for (Attempt &attempt : attempts) {
    if (!attempt.failed && attempt.library) {
      if (!attempt.library->open(*attempt.manifest, diagnostics))
        attempt.failed = LoadStep::open;
      else
        attempt.failed = shake_hands(*attempt.manifest, *attempt.library->entry(), diagnostics);
    }
    LoadResult &result = results.emplace_back();
    result.failed = attempt.failed;
    if (attempt.failed) continue;
    auto state = std::make_unique<LoadedPlugin::State>();
    state->manifest = attempt.manifest;
    state->library = std::move(attempt.library);
    if (attempt.manifest->source) state->manifest_sha256 = sha256(attempt.manifest->source->text);
    result.plugin = LoadedPlugin(std::move(state));
  }
  return results;
}

std::vector<LoadedPlugin> load_plugins(std::span<const Manifest *const> manifests, const LoadOptions &options,
                                       Diagnostics &diagnostics) {
  std::vector<LoadedPlugin> plugins;
  for (LoadResult &result : PluginLoader::run(manifests, options, diagnostics))
    if (result.plugin) plugins.push_back(std::move(*result.plugin));
  return plugins;
}

} // namespace htp
