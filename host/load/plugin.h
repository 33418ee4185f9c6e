// host/load/plugin.h — loads plugins' libraries: checks the file, survives the probe, shakes hands. Knows nothing of
// what a unit means.
#pragma once

#include "host/load/release.h"
#include "host/manifest/manifest.h"

#include <chrono>
#include <functional>
#include <memory>
#include <span>

struct htp_entry;

namespace htp {

class Cache;

struct LoadOptions {
  // memory: the bytes that were checked are the bytes that run (a sealed memory file). path: the file is opened again
  // by the dynamic loader, so someone who writes to it in between wins; only its identity is compared afterwards. For
  // debuggers and sanitizers, which find symbols by path. A library that looks for others beside itself ($ORIGIN), or a
  // system that forbids executable memory files, gets `path` too.
  enum class From { memory, path } from = From::memory;
  std::chrono::milliseconds probe_timeout{10000}; // for one library
  uint64_t probe_memory = uint64_t{4} << 30;      // address space for all libraries of one child, beyond the host's own
  Cache *cache = nullptr;                         // remembers which libraries survived the probe; null: none
  // Whether the plugin's bytes may run, asked before anything of it does, with the digest of those of its library that
  // will (empty: it has none); false after a report. Empty: all may.
  std::function<bool(const Manifest &, const std::string &library_sha256, Diagnostics &)> admit;
  std::span<const AbiRelease> releases = abi_releases(); // tests bring some of their own
  // $HTP_LOAD (`memory` or `path`); by default memory, but path in a build with sanitizers.
  static LoadOptions from_environment();
};

// What became of a library that is no longer used.
struct Unloaded {
  bool gone = true;             // else it stays mapped until the process ends, and
  std::vector<std::string> why; // for these reasons
};

// A plugin whose library fits its manifest. Owns the mapping: everything reachable from `entry` is good while this
// lives.
class LoadedPlugin {
public:
  LoadedPlugin(LoadedPlugin &&) noexcept;
  LoadedPlugin &operator=(LoadedPlugin &&) noexcept;
  ~LoadedPlugin();

  const Manifest &manifest() const;
  const htp_entry *entry() const; // null: a plugin of data only
  // The interface struct of a unit (htp_pass …), by its kind and name; null when there is none. It has all members of
  // this host's struct: those that the plugin's version of the ABI had not yet are null.
  const void *interface(UnitKind kind, std::string_view name) const;
  const std::string &manifest_sha256() const;
  const std::string &library_sha256() const; // empty: a plugin of data only

private:
  friend struct PluginLoader;
  friend Unloaded unload(LoadedPlugin plugin, Diagnostics &diagnostics);
  struct State;
  explicit LoadedPlugin(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// Ends a plugin's use, and says so truthfully: `load.stays-mapped` when its library remains. Nothing that was reached
// through `plugin` may be used afterwards.
Unloaded unload(LoadedPlugin plugin, Diagnostics &diagnostics);

// Loads each of them, in order; the manifests must outlive the result. Those that fail are reported and left out: the
// result is complete when it has as many plugins as there were manifests. All libraries not known from the cache are
// first opened in one child process, so that a crash, a hang or an exit() names its plugin and takes nothing with it.
std::vector<LoadedPlugin> load_plugins(std::span<const Manifest *const> manifests, const LoadOptions &options,
                                       Diagnostics &diagnostics);

} // namespace htp
