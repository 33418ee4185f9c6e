// host/pipeline/inputs.h — everything a compile starts from, read once: the profile, the plugins there are, the
// settings.
#pragma once

#include "host/base/clock.h"
#include "host/base/interrupt.h"
#include "host/diag/diagnostic.h"
#include "host/load/discover.h"
#include "host/manifest/manifest.h"
#include "host/pipeline/program.h"
#include "host/resolve/resolve.h"
#include "host/trust/trust.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace htp {

// What a caller may ask of a compile; paths are as the user gave them.
struct CompileRequest {
  std::string profile;                    // --plugins, as profile_file() has it; empty: none
  std::string program;                    // over the profile's
  std::string entry;                      // over the profile's
  std::string out;                        // empty: `<program>.htp` in the working directory
  std::map<std::string, std::string> set; // over the profile's
  std::vector<std::string> plugin_path;
  std::vector<std::string> needs; // requirements besides those that the program has
  std::string from_stage;         // a stage's folder to resume from; empty: from the program
  std::string stages;             // those that the package keeps: "changed" or "last"; over the profile's
  Unsaved unsaved;                // of the program and of what it imports from files beside it
  bool verify_each = false;
  bool only_entry = false; // of the program what the entry reaches; the rest of the file may be any Python
  bool isolate = false;    // plugins run in a process of their own; over the profile's
  bool locked = false;     // with exactly what the lock file beside the profile holds
  bool named = true;  // the user named the profile and the folders; else what is not trusted otherwise takes no part
  bool judged = true; // false: all that is found takes part, for what only looks at it, or runs it confined
  std::function<void(double, std::string_view)> progress;
  Clock clock = steady_seconds; // by which CompileOutcome::seconds are measured
  const volatile std::sig_atomic_t *cancel = &interrupted;
};

struct Inputs {
  Profile profile;
  std::vector<std::string> search; // folders searched for plugins, in order
  std::vector<Manifest> manifests;
  std::vector<BrokenManifest> broken; // kept out, and told where they would have helped
  struct Refused {                    // of these, those that are not trusted
    std::string id;
    bool named;       // the user named its folder
    bool needed_only; // told only where it is missed
    Diagnostic why;
  };
  std::vector<Refused> refused;
  std::map<std::string, Judgement> judgements; // of `manifests`, by their folders
  std::string trust;                           // digest of all that they depend on
  std::optional<Lock> lock;                    // of a compile; steers, and with `locked` binds
  Text program, entry;                         // program.value: a path to open
  std::string read_folder;                     // what paths that plugins read are relative to
  std::map<std::string, Text> set;
  std::string stages; // "changed" or "last"
  bool isolate = false;
  std::vector<InputFile> files; // the profile and the manifests

  Universe universe() const;
  std::vector<const Manifest *> all() const;
  // Whether the plugin's bytes are those that were trusted; reported. LoadOptions::admit.
  bool admits(const Manifest &manifest, const std::string &library_sha256, Diagnostics &diagnostics) const;
  bool admits_python(const Manifest &manifest, Diagnostics &diagnostics) const; // of one whose library is not loaded
};

// Reads the profile and finds the plugins. With `need_program`, for a compile: one without a program is refused, and
// the lock file is read.
std::optional<Inputs> gather(const CompileRequest &request, bool need_program, Diagnostics &diagnostics);

// Warns of the plugins that are not trusted. Where one has the id of a plugin that is taken, and the user named its
// folder, that one was meant: an error.
void report_refused(const Inputs &inputs, const std::vector<const Manifest *> &taken, Diagnostics &diagnostics);

// The file of a profile that is asked for: the path itself; of a name the profile of that name that comes with HTP,
// `share/htp/manifests/NAME.yaml` beside the program or library that holds this code, whatever has that name in the
// folder that one works in.
std::string profile_file(const std::string &asked);
bool comes_with_htp(const std::string &profile); // by what profile_file() gave

// Folders searched when neither the profile nor the command line names the plugin: beside the program or library that
// holds this code.
std::vector<std::string> default_search();

// Unit → option → canonical text: the units' defaults, then the profile's, checked against their declarations.
using Options = std::map<std::string, std::map<std::string, std::string>>;
Options options_for(const std::vector<const Unit *> &units, const Profile &profile, Diagnostics &diagnostics);

struct ContextSettings;
// The chosen units' options, the backend's hardware with the profile's overrides, and the rest a plugin may ask for.
ContextSettings settings_for(const Inputs &inputs, const Resolution &resolution, const std::string &entry,
                             Diagnostics &diagnostics);

// A plugin's Python as it was: the files, and the SHA-256 over them by path and content; empty when it has none.
struct PythonFiles {
  std::string sha256;
  std::vector<InputFile> files;
};
PythonFiles python_files(const Manifest &manifest);

} // namespace htp
