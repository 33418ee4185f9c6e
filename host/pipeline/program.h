// host/pipeline/program.h — the program before any pass: its files merged, its constants set, its entry and what it
// needs.
#pragma once

#include "host/ast/store.h"
#include "host/diag/diagnostic.h"
#include "host/resolve/resolve.h"

#include <map>
#include <string>
#include <vector>

namespace htp {

class Registry;

// A file the compile read, or looked for in vain (empty digest): what the incremental cache compares.
struct InputFile {
  std::string path; // as opened
  std::string role; // "program", "import", "profile", "plugin-manifest", "library", "read"
  std::string sha256;
};

// Texts that stand for those of files, as an editor holds them: absolute path → text.
using Unsaved = std::map<std::string, std::string>;

// A program's module with its comments, blank lines and literal forms. 0 and a report when it is no Python.
htp_node parse_program(const SourceRef &source, Diagnostics &diagnostics, Store &store);

// Reads a Python file into the store, comments and all. 0 and a report, at the location that asks for it, when it
// cannot be read or is no Python.
htp_node read_program(const std::string &path, std::string_view role, Store &store, std::vector<InputFile> &inputs,
                      Diagnostics &diagnostics, const Span &asked = {}, const Unsaved &unsaved = {});

// Replaces `from sibling import …` by the definitions it names and what they reach at module level, for each sibling.py
// beside the program (R15). Returns the merged module.
htp_node merge_siblings(htp_node module, const std::string &folder, Store &store, std::vector<InputFile> &inputs,
                        Diagnostics &diagnostics, const Unsaved &unsaved = {});

// Replaces the values of module constants (`NAME = literal`) by those of --set, and what is left of
// `NAME = htp.choice(…)` by the first alternative.
htp_node set_constants(htp_node module, const std::map<std::string, Text> &values, Store &store,
                       Diagnostics &diagnostics);

// The module with nothing but the definition of `entry` and what it reaches; the module itself where it has none.
htp_node only_reached(htp_node module, const std::string &entry, Store &store);

// The module without `@htp.jit(…)` above its functions: that says how Python calls an entry, and a stage is called as
// Python.
htp_node without_jit(htp_node module, Store &store);

// Whether each `NAME = htp.dim("NAME")` of the module has its own name; false after a report.
bool check_dims(htp_node module, const Store &store, Diagnostics &diagnostics);

// What the program asks of plugins before any of them is loaded (R10, round one): the modules it imports, and for each
// intrinsic it names, a handler for `target` where some manifest declares the intrinsic.
std::vector<Need> needs_of(htp_node module, const std::string &target, const std::vector<const Manifest *> &manifests,
                           const Store &store);

// Reports the intrinsics that other targets have a handler for and this one has not, and that none of the planned
// passes takes: a compile gets stuck at them.
void report_unhandled(htp_node module, const std::string &target, const std::vector<const Manifest *> &manifests,
                      const std::vector<const Unit *> &passes, const Store &store, Diagnostics &diagnostics);

// The entry function's name: `asked` when it is one, else the only one. Empty after a report.
std::string choose_entry(htp_node module, const Text &asked, const Registry &registry, const Store &store,
                         Diagnostics &diagnostics);

} // namespace htp
