// host/manifest/manifest.h — plugin manifests and profiles as typed data, each field with its place. Pure: text in,
// data out.
#pragma once

#include "host/base/source.h"
#include "host/diag/diagnostic.h"
#include "host/manifest/term.h"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace htp {

// A scalar with its place in the YAML.
struct Text {
  std::string value;
  Span span;
  bool operator==(std::string_view other) const { return value == other; }
};

// What a key is set to, and where the key stands.
struct Setting : Text {
  Span key;
};

enum class UnitKind : uint8_t {
  dialect,
  intrinsics,
  handlers,
  layout,
  analysis,
  pass,
  pipeline,
  island,
  backend,
  binding,
  verifier
};
std::string_view unit_kind_name(UnitKind kind);    // "pass"
std::string_view unit_interface_id(UnitKind kind); // "htp.pass/1"

struct ParameterDecl {
  enum class Type : uint8_t { integer, boolean, version, string, enumeration, reference };
  Text name;
  Type type;
  std::vector<std::string> values; // of an enumeration
  UnitKind reference{};            // of a reference
  std::string doc;
};

// A capability its owner declares once.
struct CapabilityDecl {
  Text name;
  bool state = false;   // else static: something is installed
  bool initial = false; // a state checked on the source, by its verifier, before planning
  std::vector<ParameterDecl> parameters;
  std::string doc;
};

struct OptionDecl {
  Text name;
  enum class Type : uint8_t { integer, boolean, number, string } type;
  std::string default_value; // canonical text
  std::string doc;
};

// A diagnostic that the plugin's Python units may report; a library has a table of its own.
struct DiagnosticDecl {
  Text name; // "acme.too-wide"
  Severity severity = Severity::error;
  std::string summary, doc;
};

// What a plugin needs of the machine beside itself: a program that it starts, a folder that a variable names, a device.
struct ToolDecl {
  Text name;
  std::string doc;
  Text variable;              // the environment variable that names it
  std::vector<Text> programs; // the first that starts is taken
  std::vector<Text> holds;    // of a folder: one of these lies in it
  std::vector<Text> devices;  // one of these files is there
  std::string install;        // the command that brings it
  bool optional = false;
};

// A free-form tree of scalars (a hardware model): dotted path → canonical text.
using HardwareTree = std::map<std::string, Text>;

// `acme.spatial @>=1.2`: a plugin, in a range of versions.
struct PluginWish {
  std::string id;
  VersionRange range;
  Span span;
};

struct Unit {
  UnitKind kind{};
  Text name;
  std::string doc;
  Text code;                          // of a unit written in Python: "module:function"; else the library has the unit
  std::vector<Requirement> requires_; // `requires` is a keyword of C++20
  std::vector<Requirement> wants;     // optional requirements, in order of preference
  std::vector<Term> provides;         // with those a unit provides of itself (decision 0003)
  std::vector<Term> invalidates;
  std::vector<Term> conflicts;
  std::vector<PluginWish> plugin_conflicts; // those of `conflicts` that name plugins
  std::vector<OptionDecl> options;
  std::vector<Text> members;         // intrinsics, handlers
  std::vector<Text> takes;           // pass, island: intrinsics that are gone after it, without a handler
  Text backend;                      // handlers
  std::vector<Text> passes;          // pipeline
  std::vector<Text> target_set;      // backend
  std::vector<Requirement> contract; // backend
  HardwareTree hardware;             // backend
  Text contract_id;                  // binding
  Text values;                       // analysis: int, float, string, node or list
  uint64_t revision = 1;             // analysis: of the meaning of its values
  std::vector<Term> verifies;        // verifier
  bool idempotent = false;           // pass, island: run on what it made, it changes nothing
  Span span;
};

struct Manifest {
  SourceRef source;
  Text id;
  Version version;
  Text version_text;
  Text library; // empty value: a plugin of data only
  std::string doc;
  Text python_module, python_path;
  std::vector<CapabilityDecl> declares;
  std::vector<Unit> units;
  std::vector<DiagnosticDecl> diagnostics;
  std::vector<ToolDecl> tools;
  std::vector<PluginWish> conflicts; // plugin-level
  std::vector<Text> examples;        // programs that show what it brings, and that it is checked with
  std::string sha256;                // of the file's text
  std::string folder;                // where the file lies; filled in by whoever read the file
  bool unsigned_ = false;            // whoever read the file knows that no signature lies beside it
};

// The options of a profile for one unit: option → value.
struct UnitSettings {
  Span key;
  std::map<std::string, Setting> values;
};

// A publisher of plugins: who signs with the key may provide what the patterns name, `acme.fold` or `acme.*`.
struct Publisher {
  Text name;
  Text key; // Ed25519, the public one
  std::vector<Text> provides;
};

struct Profile {
  SourceRef source;
  Text target, program, entry, pipeline, stages;
  std::vector<PluginWish> plugins;
  std::vector<Text> search;
  std::map<std::string, UnitSettings> options; // by the unit's name
  std::map<std::string, Setting> hardware;     // by the dotted path
  std::map<std::string, Text> set;
  uint64_t seed = 0;
  std::vector<Text> environment;
  bool isolate = false;
  std::vector<Publisher> publishers;
  std::string folder;
};

// Who may provide which plugins: the user's file, or the system's.
struct Policy {
  struct Owner { // only its publishers provide these ids, and declare names that begin with these words
    Text name;   // the ids, a pattern
    std::vector<Text> names;
  };
  struct Plugin { // without a signature, trusted as it is
    Text name;    // its id
    Text digest;  // of its files' digests
  };
  struct Revoked {
    Text name; // the key: what it signed is refused
    Text publisher;
  };
  SourceRef source;
  std::vector<Publisher> publishers;
  std::vector<Revoked> revoked;
  std::vector<Owner> owned;
  std::vector<Plugin> plugins;
};

// Which parts of a program, a stage or a plugin may be changed, and what a change needs before it may be used.
struct ChangePolicy {
  struct Rule { // a change it speaks of has all that is given here; an empty list says nothing
    Text name;
    std::vector<Text> functions, decorators, calls, keys; // patterns: `*` stands for anything
    std::vector<Text> statements, changes, parts;         // words
  };
  struct Signer {
    Text name, key; // Ed25519, the public one
  };
  SourceRef source;
  std::vector<Rule> allow, deny;
  std::vector<Text> needs;
  std::vector<Signer> signers;
  uint64_t slower = 0; // percent
  uint64_t reviews = 1;
};

// What a profile was resolved to, kept beside it: versions, and the bytes they had.
struct Lock {
  struct Library { // a file that a plugin consists of: a library that its own needs and that is not the system's, …
    Text name;     // its path: within the plugin's folder, or absolute
    Text sha256;
  };
  struct Plugin {
    Text name; // its id
    Version version;
    Text version_text, manifest, library; // SHA-256 of the two files; an empty library: a plugin of data only
    std::vector<Library> needed;
    std::vector<Library> python; // the files of its Python module, beneath the folder that holds it
  };
  SourceRef source;
  std::vector<Plugin> plugins;
};

// Each reports everything wrong with the text, and returns nothing when there was an error.
// What could be read of a manifest with errors is left in `broken`: enough to tell who would have provided something.
std::optional<Manifest> read_manifest(const SourceRef &source, Diagnostics &diagnostics, Manifest *broken = nullptr);
std::optional<Profile> read_profile(const SourceRef &source, Diagnostics &diagnostics);
std::optional<Lock> read_lock(const SourceRef &source, Diagnostics &diagnostics);
std::optional<Policy> read_policy(const SourceRef &source, Diagnostics &diagnostics);
std::optional<ChangePolicy> read_change_policy(const SourceRef &source, Diagnostics &diagnostics);
// The file that reads as `policy`: publishers and plugins by name.
std::string policy_text(Policy policy);
// The file that reads as `lock`: plugins by id, libraries by path.
std::string lock_text(Lock lock);

// The SDK's own declarations: the meta capabilities (decision 0003), as a manifest without units.
const Manifest &sdk_manifest();

// What the terms of manifests mean, over all of them together: every name is declared once, by its owner, with its
// prefix; parameters exist and values are of their types; only states are invalidated or verified, and each has a
// verifier; variables are bound; units, capabilities and intrinsics are unique over plugins (several versions of one
// plugin may stand side by side). The SDK's manifest is taken along of itself. Each fault is reported at its line, with
// the other place where there is one. Of two that declare a name the first `first` of them come first, then whose id
// does.
void check_terms(const std::vector<const Manifest *> &manifests, Diagnostics &diagnostics, size_t first = 0);

// Variables of what a unit provides, invalidates or verifies that nothing binds, each with its term. None: check_terms
// has nothing against them.
std::vector<std::pair<std::string, const Term *>> unbound_variables(const Unit &unit);

} // namespace htp
