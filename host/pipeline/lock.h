// host/pipeline/lock.h — lock files: what a profile resolves to, with the bytes it had, and whether plugins are still
// that.
#pragma once

#include "host/load/plugin.h"
#include "host/pipeline/inputs.h"

namespace htp {

std::string lock_path(const std::string &profile); // "cpu.yaml" → "cpu.lock.yaml"

// Describes the plugins as they are now; what cannot be read is reported.
Lock lock_of(const std::vector<const Manifest *> &plugins, Diagnostics &diagnostics);

// Keeps out what the lock has not, or in another version.
void hold_to(const Lock &lock, Universe &universe);
// Reports the plugins that are not found, or in other versions only.
bool check_versions(const Lock &lock, const std::vector<Manifest> &found, Diagnostics &diagnostics);
// Reports where the files of the chosen plugins are other than the lock has them, before anything of them is loaded …
bool check_locked(const Lock &lock, const std::vector<const Manifest *> &chosen, Diagnostics &diagnostics);
// … and where what was loaded is.
bool check_loaded(const Lock &lock, const std::vector<LoadedPlugin> &plugins, Diagnostics &diagnostics);

} // namespace htp
