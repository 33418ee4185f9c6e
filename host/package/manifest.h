// host/package/manifest.h — a package's manifest.json as typed data (decision 0003). Its bytes are canonical: keys in
// the order below, two blanks of indent, one newline at the end; so equal data are equal bytes.
#pragma once

#include "host/diag/diagnostic.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace htp {

struct PackageManifest {
  using Settings = std::map<std::string, std::string>;

  // What was asked for.
  struct Identity {
    std::string name;   // the program's module name: "gemm"
    std::string entry;  // "gemm"
    std::string target; // the backend unit: "cpu"
    uint64_t seed = 0;
    Settings set; // --set and the profile's
  };
  struct Input {
    std::string path; // relative to the program's folder, or "profile" and its like for what has no path there
    std::string role; // "program", "import", "profile", "plugin-manifest", "read"
    std::string sha256;
  };
  struct Python {
    std::string module;
    std::string sha256; // over its files
  };
  struct Plugin {
    std::string id, version;
    std::string manifest_sha256;
    std::string library_sha256; // empty: a plugin of data only
    std::optional<Python> python;
  };
  // One unit that takes part.
  struct Resolved {
    std::string unit, kind, plugin;
    std::string why; // "requested by the profile", "provides `Tile.Typed` for `cpu.select`"
  };
  struct Pass {
    std::string name, plugin, version;
    Settings options; // all, with defaults
    std::string why;
  };
  struct Plan {
    std::string pipeline; // the template's name; empty: planned without one
    std::vector<Resolved> resolution;
    std::vector<Pass> passes;
  };
  struct Target {
    std::string backend, contract; // "cpu", "cpu/1"
    Settings options;
    Settings hardware; // dotted path → canonical text
  };
  struct Stage {
    std::string id;   // "00"
    std::string pass; // "source", "tile.infer"
    std::string path; // its program.py
    std::string sha256;
  };
  // Every file of the package but manifest.json and what lies under logs/ and build/bin/.
  struct Output {
    std::string path, role, sha256;
    uint64_t size = 0;
  };
  struct Parameter {
    std::string name;
    std::string direction; // "in", "out", "inout"; "value" for a scalar
    std::string type;      // annotation without the direction: "Tensor[f32, M, N]"
  };
  struct Entry {
    std::string name;
    std::vector<Parameter> parameters;
    std::string returns; // "None"
  };

  std::string htp; // the host's version
  Identity identity;
  std::vector<Input> inputs;
  std::vector<Plugin> plugins;
  std::vector<std::string> dialects;     // dialect units
  std::vector<std::string> intrinsics;   // names the program uses
  std::vector<std::string> capabilities; // terms that hold of the last stage
  Plan plan;
  Target target;
  std::string stages_kept; // "changed": every stage there was; "last": the first and the last; empty in older ones: all
  std::vector<Stage> stages;
  std::vector<Output> outputs;
  std::vector<Entry> entries;
};

inline constexpr std::string_view package_schema = "htp.package/1";

std::string to_json(const PackageManifest &manifest);
// Strict: every key known, present and of its type, paths beneath the package and listed once, digests well formed.
// Reports `package.bad-manifest` with the place in the document ("/outputs/3/sha256") and returns nothing otherwise.
// `path` is how messages name the file.
std::optional<PackageManifest> package_manifest_from_json(std::string_view text, const std::string &path,
                                                          Diagnostics &diagnostics);

} // namespace htp
