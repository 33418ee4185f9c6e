#include "host/pipeline/lock.h"

#include "host/base/beneath.h"
#include "host/base/fs.h"
#include "host/base/hash.h"
#include "host/load/needed.h"

#include <algorithm>

namespace htp {

namespace {

const Lock::Plugin *find(const Lock &lock, const std::string &id) {
  for (const Lock::Plugin &plugin : lock.plugins)
    if (plugin.name == id) return &plugin;
  return nullptr;
}

Lock::Plugin describe(const Manifest &manifest, Diagnostics &diagnostics) {
  Lock::Plugin plugin;
  plugin.name = {manifest.id.value, {}};
  plugin.version = manifest.version;
  plugin.version_text = {manifest.version_text.value, {}};
  plugin.manifest = {sha256(manifest.source->text), {}};
  if (manifest.library.value.empty()) return plugin;
  const size_t errors = diagnostics.errors();
  for (const NeededDigest &needed : needed_digests(manifest, diagnostics))
    plugin.needed.push_back({{needed.path, {}}, {needed.sha256, {}}});
  if (diagnostics.errors() != errors) return plugin; // its library cannot be read, which was told
  if (auto bytes = read_beneath(manifest.folder.empty() ? "." : manifest.folder, manifest.library.value))
    plugin.library = {sha256(*bytes), {}};
  return plugin;
}

void differs(const Manifest &manifest, const Span &locked, const std::string &what, Diagnostics &diagnostics) {
  diagnostics.report(diag::pipeline_not_as_locked, locked, manifest.id.value, manifest.version_text.value, what)
      .hint("restore what was locked; `htp-host plugins lock` locks what is there now");
}

std::string changed(const std::string &what, const std::string &now) {
  return now.empty() ? what + " is gone" : what + " has the SHA-256 " + now;
}

bool check(const Manifest &manifest, const Lock::Plugin &locked, const Lock::Plugin &now, Diagnostics &diagnostics) {
  const size_t errors = diagnostics.errors();
  if (locked.manifest.value != now.manifest.value)
    differs(manifest, locked.manifest.span, changed("its manifest", now.manifest.value), diagnostics);
  if (locked.library.value != now.library.value)
    differs(manifest, locked.library.span ? locked.library.span : locked.name.span,
            locked.library.value.empty() ? "it had no library" : changed("its library", now.library.value),
            diagnostics);
  const auto digest = [](const Lock::Plugin &plugin, const std::string &path) -> const Text * {
    for (const Lock::Library &library : plugin.needed)
      if (library.name == path) return &library.sha256;
    return nullptr;
  };
  for (const Lock::Library &library : locked.needed) {
    const Text *there = digest(now, library.name.value);
    if (!there || there->value != library.sha256.value)
      differs(manifest, library.sha256.span,
              changed("the library `" + library.name.value + "` that it needs", there ? there->value : ""),
              diagnostics);
  }
  for (const Lock::Library &library : now.needed)
    if (!digest(locked, library.name.value))
      differs(manifest, locked.name.span, "it needs the library `" + library.name.value + "` too", diagnostics);
  return diagnostics.errors() == errors;
}

} // namespace

std::string lock_path(const std::string &profile) {
  const std::string stem = profile.ends_with(".yaml") ? profile.substr(0, profile.size() - 5) : profile;
  return stem + ".lock.yaml";
}

Lock lock_of(const std::vector<const Manifest *> &plugins, Diagnostics &diagnostics) {
  Lock lock;
  for (const Manifest *manifest : plugins) lock.plugins.push_back(describe(*manifest, diagnostics));
  return lock;
}

void hold_to(const Lock &lock, Universe &universe) {
  for (Candidate &candidate : universe.plugins) {
    const Lock::Plugin *locked = find(lock, candidate.manifest->id.value);
    if (!locked)
      candidate.rejected = "it is not in the lock file";
    else if (locked->version != candidate.manifest->version)
      candidate.rejected = "the lock file has version " + locked->version_text.value;
  }
}

bool check_locked(const Lock &lock, const std::vector<const Manifest *> &chosen, Diagnostics &diagnostics) {
  bool same = true;
  for (const Manifest *manifest : chosen)
    if (const Lock::Plugin *locked = find(lock, manifest->id.value))
      same &= check(*manifest, *locked, describe(*manifest, diagnostics), diagnostics);
  return same;
}

bool check_loaded(const Lock &lock, const std::vector<LoadedPlugin> &plugins, Diagnostics &diagnostics) {
  bool same = true;
  for (const LoadedPlugin &plugin : plugins) {
    const Lock::Plugin *locked = find(lock, plugin.manifest().id.value);
    if (!locked || locked->library.value == plugin.library_sha256()) continue;
    differs(plugin.manifest(), locked->library.span, changed("its library", plugin.library_sha256()), diagnostics);
    same = false;
  }
  return same;
}

} // namespace htp
