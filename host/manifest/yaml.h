// host/manifest/yaml.h — the guarded subset of YAML that manifests are written in, as a small tree with places.
#pragma once

#include "host/base/source.h"
#include "host/diag/diagnostic.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace htp {

struct YamlEntry;

struct YamlNode {
  // refused: something that was already reported stood here; readers pass over it.
  enum class Form : uint8_t { null, scalar, list, map, refused } form = Form::null;
  bool quoted = false; // of a scalar: quoted, or a block scalar
  std::string text;    // of a scalar
  std::vector<YamlNode> items;
  std::vector<YamlEntry> entries; // keys are unique
  Span span;
};

struct YamlEntry {
  std::string key;
  Span key_span;
  YamlNode value;
};

// What reading one file may cost at most.
struct YamlLimits {
  size_t bytes = 1u << 20, line_bytes = 10'000, depth = 64, nodes = 100'000;
};

// Reads one document of block maps, block lists and scalars, encoded in UTF-8. Reports everything else (flow
// collections, anchors, aliases, tags, duplicate keys, other documents, what is over the limits) and goes on where it
// can; returns nothing when there is no document to speak of.
std::optional<YamlNode> read_yaml(const SourceRef &source, Diagnostics &diagnostics, const YamlLimits &limits = {});

} // namespace htp
