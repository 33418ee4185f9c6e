// host/pipeline/inputs.h — everything a compile starts from, read once: the profile, the plugins there are, the
// settings.
#pragma once

#include "host/diag/diagnostic.h"
#include "host/manifest/manifest.h"
#include "host/pipeline/program.h"
#include "host/resolve/resolve.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace htp {

// What a caller may ask of a compile; paths are as the user gave them.
struct CompileRequest {
  std::string profile;                    // --plugins; empty: none
  std::string program;                    // over the profile's
  std::string entry;                      // over the profile's
  std::string out;                        // empty: `<program>.htp` in the working directory
  std::map<std::string, std::string> set; // over the profile's
  std::vector<std::string> plugin_path;
  std::string from_stage; // a stage's folder to resume from; empty: from the program
  bool verify_each = false;
  std::function<void(double, std::string_view)> progress;
  const volatile bool *cancel = nullptr;
};

struct Inputs {
  Profile profile;
  std::vector<std::string> search; // folders searched for plugins, in order
  std::vector<Manifest> manifests;
  Text program, entry; // program.value: a path to open
  std::map<std::string, Text> set;
  std::vector<InputFile> files; // the profile and the manifests

  Universe universe() const;
  std::vector<const Manifest *> all() const;
};

// Reads the profile and finds the plugins. With `need_program`, a compile without one is refused.
std::optional<Inputs> gather(const CompileRequest &request, bool need_program, Diagnostics &diagnostics);

// Folders searched when neither the profile nor the command line names the plugin: beside this program.
std::vector<std::string> default_search();

// Identifies this build of the host (the linker's build id).
std::string host_identity();

struct ContextSettings;
// Options of the chosen units (defaults, then the profile's, checked against their declarations), the backend's
// hardware with the profile's overrides, and the rest a plugin may ask for.
ContextSettings settings_for(const Inputs &inputs, const Resolution &resolution, const std::string &entry,
                             Diagnostics &diagnostics);

} // namespace htp
