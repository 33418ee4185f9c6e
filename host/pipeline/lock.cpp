#include "host/pipeline/lock.h"

#include "host/base/beneath.h"
#include "host/base/fs.h"
#include "host/base/hash.h"
#include "host/load/needed.h"
#include "host/python/sources.h"

#include <algorithm>

namespace htp {

namespace {

constexpr std::string_view lock_ending = ".lock.yaml";

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
  for (const PythonSource &source : read_python(manifest))
    if (source.text) plugin.python.push_back({{source.name, {}}, {sha256(*source.text), {}}});
  if (manifest.library.value.empty()) return plugin;
  const size_t errors = diagnostics.errors();
  for (const NeededDigest &needed : needed_digests(manifest, diagnostics))
    plugin.needed.push_back({{needed.path, {}}, {needed.sha256, {}}});
  if (diagnostics.errors() != errors) return plugin; // its library cannot be read, which was told
  if (auto bytes = read_beneath(manifest.folder.empty() ? "." : manifest.folder, manifest.library.value))
    plugin.library = {sha256(*bytes), {}};
  return plugin;
}

std::string lock_command(const std::string &path) {
  // The profile that lock_path() was asked for.
  std::string profile = path.substr(0, path.size() - lock_ending.size());
  if (!exists(profile) || is_folder(profile)) profile += ".yaml";
  return "`htp-host plugins lock " + profile + "`";
}

void differs(const std::string &id, const std::string &version, const Span &locked, const std::string &what,
             Diagnostics &diagnostics) {
  diagnostics.report(diag::pipeline_not_as_locked, locked, id, version, what)
      .hint("restore what was locked, or look at what is there and lock again: " + lock_command(locked.file->path));
}
void differs(const Manifest &manifest, const Span &locked, const std::string &what, Diagnostics &diagnostics) {
  differs(manifest.id.value, manifest.version_text.value, locked, what, diagnostics);
}

std::string changed(const std::string &what, const std::string &now) {
  return now.empty() ? what + " is gone" : what + " has the SHA-256 " + now;
}

// Files of one kind; the two texts call one that differs and one that is not in the lock.
void check(const Manifest &manifest, const Lock::Plugin &plugin, const std::vector<Lock::Library> &locked,
           const std::vector<Lock::Library> &now, const char *what, const char *too, Diagnostics &diagnostics) {
  const auto digest = [](const std::vector<Lock::Library> &files, const Text &path) -> const Text * {
    for (const Lock::Library &file : files)
      if (file.name == path.value) return &file.sha256;
    return nullptr;
  };
  for (const Lock::Library &file : locked) {
    const Text *there = digest(now, file.name);
    if (!there || there->value != file.sha256.value)
      differs(manifest, file.sha256.span,
              changed(fmt::format(fmt::runtime(what), file.name.value), there ? there->value : ""), diagnostics);
  }
  for (const Lock::Library &file : now)
    if (!digest(locked, file.name))
      differs(manifest, plugin.name.span, fmt::format(fmt::runtime(too), file.name.value), diagnostics);
}

bool check(const Manifest &manifest, const Lock::Plugin &locked, const Lock::Plugin &now, Diagnostics &diagnostics) {
  const size_t errors = diagnostics.errors();
  if (locked.manifest.value != now.manifest.value)
    differs(manifest, locked.manifest.span, changed("its manifest", now.manifest.value), diagnostics);
  if (locked.library.value != now.library.value)
    differs(manifest, locked.library.span ? locked.library.span : locked.name.span,
            locked.library.value.empty() ? "it had no library" : changed("its library", now.library.value),
            diagnostics);
  check(manifest, locked, locked.needed, now.needed, "the library `{}` that it needs", "it needs the library `{}` too",
        diagnostics);
  check(manifest, locked, locked.python, now.python, "its Python file `{}`", "it has the Python file `{}` too",
        diagnostics);
  return diagnostics.errors() == errors;
}

} // namespace

std::string lock_path(const std::string &profile) {
  const std::string stem = profile.ends_with(".yaml") ? profile.substr(0, profile.size() - 5) : profile;
  return stem + std::string(lock_ending);
}

Lock lock_of(const std::vector<const Manifest *> &plugins, Diagnostics &diagnostics) {
  Lock lock;
  for (const Manifest *manifest : plugins) lock.plugins.push_back(describe(*manifest, diagnostics));
  return lock;
}

void hold_to(const Lock &lock, Universe &universe) {
  for (Candidate &candidate : universe.plugins) {
    if (!candidate.rejected.empty()) continue;
    const Lock::Plugin *locked = find(lock, candidate.manifest->id.value);
    if (!locked)
      candidate.rejected = "it is not in the lock file; " + lock_command(lock.source->path) + " locks it too";
    else if (locked->version != candidate.manifest->version)
      candidate.rejected = "the lock file has version " + locked->version_text.value;
  }
}

bool check_versions(const Lock &lock, const std::vector<Manifest> &found, Diagnostics &diagnostics) {
  bool same = true;
  for (const Lock::Plugin &locked : lock.plugins) {
    const Manifest *other = nullptr;
    bool there = false;
    for (const Manifest &manifest : found) {
      if (manifest.id.value != locked.name.value) continue;
      other = &manifest;
      there |= manifest.version == locked.version;
    }
    if (there) continue;
    if (other)
      differs(*other, locked.version_text.span, "it was locked in version " + locked.version_text.value, diagnostics);
    else
      differs(locked.name.value, locked.version_text.value, locked.name.span, "it was not found", diagnostics);
    same = false;
  }
  return same;
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
