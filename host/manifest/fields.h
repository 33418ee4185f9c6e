// host/manifest/fields.h — the one table of what stands in manifests and profiles. It drives reading, the refusal of
// unknown and missing keys, the JSON schemas and the reference page.
#pragma once

#include "host/manifest/manifest.h"
#include "host/manifest/yaml.h"

#include <span>

namespace htp {

struct Record;

// What a value is: how it is read, its JSON schema, and its text in the reference.
enum class Shape : uint8_t {
  format,         // 1
  text,           // a string for people
  plugin_id,      // acme.spatial
  name,           // a unit's, an option's, a module's
  name_or_any,    // a unit's, or a variable that stands for any: $B
  capability,     // Tile.Typed
  string,         // any other string
  code,           // module:function
  diagnostic,     // acme.too-wide
  version,        // "1.2.0", quoted
  digest,         // a SHA-256: 64 hex digits
  key,            // a public key of Ed25519: 64 hex digits
  id_pattern,     // acme.spatial, or acme.* for all that begin so
  path,           // relative to this file, within its folder
  any_path,       // relative to this file, or absolute
  choice,         // one of Field::choices
  boolean,        // true or false
  natural,        // an integer, at least 0
  parameter_type, // int, enum(a, b) …
  scalar,         // any scalar
  names,          // a list of names
  id_patterns,    // a list of such patterns
  strings,        // a list of strings
  words,          // a list of Field::choices
  paths,          // a list of paths, each as any_path
  inner_paths,    // a list of paths, each as path
  requirements,   // a list of requirements
  provided,       // a list of terms: values and variables
  patterns,       // a list of terms
  conflicts,      // a list of terms and plugins
  wishes,         // a list of plugins, each with a range
  scalars,        // a map from names to scalars
  tree,           // maps and lists of scalars, to any depth
  options,        // unit → option → scalar
  record,         // a map with the fields of Field::record
  records,        // a list of such maps
};

class Reader;

struct Field {
  std::string_view key;
  Shape shape;
  bool required;
  std::string_view doc;
  void (*read)(void *record, const YamlNode &value, Reader &reader); // reports what does not fit
  const Record *record = nullptr;
  std::span<const std::string_view> choices = {};
  uint32_t kinds = 0; // of a unit's field: the kinds that have it, a bit each; 0: all
};

struct Record {
  std::string_view what; // "a unit", as in messages
  std::span<const Field> fields;
  std::string_view doc;
};

extern const Record manifest_record, profile_record, lock_record, policy_record, change_policy_record, unit_record;

constexpr uint32_t bit(UnitKind kind) { return 1u << static_cast<unsigned>(kind); }
inline constexpr size_t unit_kind_count = static_cast<size_t>(UnitKind::verifier) + 1;
std::span<const std::string_view> unit_kind_names(); // in the order of UnitKind

// Does a unit of this kind have the field?
inline bool has_field(const Field &field, UnitKind kind) { return field.kinds == 0 || (field.kinds & bit(kind)) != 0; }

} // namespace htp
