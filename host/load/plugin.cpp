#include "host/load/loader.h"

#include "host/base/cache.h"
#include "host/base/environment.h"
#include "host/base/fs.h"
#include "host/base/hash.h"
#include "host/load/access.h"
#include "host/load/audit.h"
#include "host/load/handshake.h"
#include "host/load/identity.h"
#include "host/load/needed.h"
#include "host/load/probe.h"
#include "host/log/log.h"
#include "htp/entry.h"
#include "htp/layout_hash.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>
#include <cstring>
#include <map>

namespace htp {

struct LoadedPlugin::State {
  const Manifest *manifest;
  std::optional<Library> library;
  std::string manifest_sha256;
  // By the smaller struct of an older ABI: a copy in today's size.
  std::map<const void *, std::unique_ptr<std::byte[]>> grown;

  void grow(const void *interface, uint32_t size) {
    const uint32_t its = static_cast<const htp_head *>(interface)->size;
    if (its >= size) return;
    auto copy = std::make_unique<std::byte[]>(size); // zeros
    std::memcpy(copy.get(), interface, its);
    grown[interface] = std::move(copy);
  }
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
  for (uint32_t i = 0; all && i < all->unit_count; ++i) {
    const htp_unit &unit = all->units[i];
    if (name != unit.name || unit_interface_id(kind) != unit.kind) continue;
    const auto copy = state_->grown.find(unit.interface);
    return copy == state_->grown.end() ? unit.interface : copy->second.get();
  }
  return nullptr;
}

Unloaded unload(LoadedPlugin plugin, Diagnostics &diagnostics) {
  if (!plugin.state_->library) return {};
  Unloaded result = plugin.state_->library->close();
  const Manifest &manifest = plugin.manifest();
  if (!result.gone)
    diagnostics.report(diag::load_stays_mapped, manifest.library.span, manifest.library.value,
                       fmt::format("{}", fmt::join(result.why, ", ")));
  return result;
}

namespace {

// One plugin on its way in.
struct Attempt {
  const Manifest *manifest;
  std::optional<Library> library;
  std::optional<LoadStep> failed;
  std::vector<std::string> linked_in;
};

// What survived once survives again: the same host, the same manifest, the same library and the same libraries beside
// it. (The system's libraries are taken to be what they were.) Only survival is kept; what failed may have failed for a
// reason outside these (a missing dependency, a busy machine), so it is tried again.
std::string verdict_key(const Attempt &attempt) {
  const Library &library = *attempt.library;
  Sha256 key;
  const auto add = [&](std::string_view part) { key.add(std::to_string(part.size())).add(":").add(part); };
  add("htp.load.probe/3");
  add(host_identity());
  add(fmt::format("{}.{} {:x}", HTP_ABI_MAJOR, HTP_ABI_MINOR, HTP_LAYOUT_ALL));
  add(attempt.manifest->source ? attempt.manifest->source->text : "");
  add(library.sha256());
  for (const NeededDigest &needed : needed_digests(library.folder(), library.file(), library.facts())) {
    add(needed.path);
    add(needed.sha256);
  }
  if (const char *path = environment("LD_LIBRARY_PATH")) add(path);
  return key.hex();
}

// Kept with it: what is linked into the library, a name a line.
bool survived_before(Attempt &attempt, const LoadOptions &options) {
  const auto kept = options.cache ? options.cache->get(verdict_key(attempt)) : std::nullopt;
  if (!kept) return false;
  for (std::string_view rest = *kept; !rest.empty();) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    attempt.linked_in.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return true;
}

bool check_plugin_access(const Manifest &manifest, FoldersAccess &folders, Diagnostics &diagnostics) {
  const std::string folder = manifest.folder.empty() ? "." : manifest.folder;
  return folders.check(folder, manifest.id.span, diagnostics) &&
         check_access(join_path(folder, "htp-plugin.yaml"), manifest.id.span, diagnostics) &&
         check_parts_access(manifest, diagnostics);
}

// The libraries that come with it run with it.
bool check_needed_access(const Attempt &attempt, Diagnostics &diagnostics) {
  const Library &library = *attempt.library;
  bool good = true;
  for (const NeededLibrary &needed : needed_beside(library.file(), library.facts()))
    good &= check_access(needed.path, attempt.manifest->library.span, diagnostics);
  return good;
}

void check_data_only(Attempt &attempt, Diagnostics &diagnostics) {
  for (const Unit &unit : attempt.manifest->units) {
    if (!in_library(unit)) continue;
    attempt.failed = LoadStep::units;
    diagnostics
        .report(diag::load_missing_unit, unit.name.span,
                "plugin `" + attempt.manifest->id.value + "` has no library, so it", unit_kind_name(unit.kind),
                unit.name.value)
        .hint("name its `library:`; a pass, an analysis or a verifier in Python says `code: module:function`");
  }
}

bool passes_audit(Auditor &auditor, const Attempt &attempt, Diagnostics &diagnostics) {
  const Manifest &manifest = *attempt.manifest;
  const size_t before = diagnostics.errors();
  for (const AuditFinding &finding :
       auditor.audit(attempt.library->folder(), manifest.library.value, attempt.library->facts()))
    if (finding.refuses()) report(finding, manifest.library.span, diagnostics);
  return diagnostics.errors() == before;
}

// Those that did not survive before are looked at, then tried.
void probe_all(std::vector<Attempt> &attempts, const LoadOptions &options, Diagnostics &diagnostics) {
  std::vector<ProbeRequest> requests;
  std::vector<Attempt *> asked;
  Auditor auditor;
  for (Attempt &attempt : attempts) {
    if (!attempt.library || attempt.failed) continue;
    if (!attempt.library->is_new(*attempt.manifest, diagnostics)) {
      attempt.failed = LoadStep::open;
      continue;
    }
    if (survived_before(attempt, options)) {
      log(LogLevel::debug, "library was tried before", {{"plugin", attempt.manifest->id.value}});
      continue;
    }
    if (!passes_audit(auditor, attempt, diagnostics)) {
      attempt.failed = LoadStep::audit;
      continue;
    }
    attempt.linked_in = linked_in(attempt.library->bytes());
    requests.push_back({attempt.manifest, &*attempt.library});
    asked.push_back(&attempt);
  }
  const auto verdicts = probe(requests, options);
  for (size_t i = 0; i < asked.size(); ++i) {
    const bool survived = verdicts[i].outcome == ProbeVerdict::Outcome::survived;
    log(LogLevel::info, "library tried in a process of its own",
        {{"plugin", asked[i]->manifest->id.value}, {"survived", survived ? "yes" : "no"}});
    if (survived) {
      if (options.cache)
        options.cache->put(verdict_key(*asked[i]), fmt::format("{}", fmt::join(asked[i]->linked_in, "\n")));
      continue;
    }
    report_probe(requests[i], verdicts[i], options, diagnostics);
    asked[i]->failed = verdicts[i].outcome == ProbeVerdict::Outcome::refused ? verdicts[i].step : LoadStep::probe;
  }
}

} // namespace

std::vector<LoadResult> PluginLoader::run(std::span<const Manifest *const> manifests, const LoadOptions &options,
                                          Diagnostics &diagnostics) {
  LogPhase phase("load");
  std::vector<Attempt> attempts;
  FileDigests digests(options.cache);
  FoldersAccess folders;
  for (const Manifest *manifest : manifests) {
    Attempt &attempt = attempts.emplace_back(Attempt{manifest, {}, {}, {}});
    if (!check_plugin_access(*manifest, folders, diagnostics)) {
      attempt.failed = LoadStep::access;
      continue;
    }
    const auto admitted = [&](const std::string &library) {
      if (!options.admit || options.admit(*manifest, library, diagnostics)) return true;
      attempt.failed = LoadStep::trust;
      return false;
    };
    if (manifest->library.value.empty()) {
      if (admitted("")) check_data_only(attempt, diagnostics);
      continue;
    }
    LoadStep failed{};
    attempt.library = Library::check(*manifest, options, digests, diagnostics, failed);
    if (!attempt.library)
      attempt.failed = failed;
    else if (admitted(attempt.library->sha256()) && !check_needed_access(attempt, diagnostics))
      attempt.failed = LoadStep::access;
  }
  digests.save();
  probe_all(attempts, options, diagnostics);

  std::vector<SetMember> members;
  for (Attempt &attempt : attempts) {
    if (attempt.failed || !attempt.library) continue;
    if (!attempt.library->open(*attempt.manifest, diagnostics)) {
      attempt.failed = LoadStep::open;
    } else if (const htp_entry *entry = attempt.library->entry()) {
      attempt.failed = shake_hands(*attempt.manifest, *entry, options.releases, diagnostics);
    } else {
      report_no_entry(*attempt.manifest, diagnostics);
      attempt.failed = LoadStep::open;
    }
    if (!attempt.failed) members.push_back({attempt.manifest, &attempt.library->facts(), std::move(attempt.linked_in)});
  }
  audit_set(members, diagnostics);

  std::vector<LoadResult> results;
  for (Attempt &attempt : attempts) {
    LoadResult &result = results.emplace_back();
    result.failed = attempt.failed;
    if (attempt.failed) {
      log(LogLevel::info, "plugin refused", {{"plugin", attempt.manifest->id.value}});
      continue;
    }
    if (attempt.library)
      log(LogLevel::debug, "library opened",
          {{"plugin", attempt.manifest->id.value},
           {"file", join_path(attempt.manifest->folder, attempt.manifest->library.value)},
           {"bytes", attempt.library->bytes().size()}});
    auto state = std::make_unique<LoadedPlugin::State>();
    state->manifest = attempt.manifest;
    state->library = std::move(attempt.library);
    if (const htp_entry *entry = state->library ? state->library->entry() : nullptr)
      for (const Unit &unit : attempt.manifest->units)
        for (uint32_t i = 0; i < entry->unit_count; ++i)
          if (in_library(unit) && unit.name == entry->units[i].name)
            state->grow(entry->units[i].interface, interface_size(unit.kind));
    state->manifest_sha256 = attempt.manifest->sha256;
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
