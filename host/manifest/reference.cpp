#include "host/manifest/reference.h"

#include "host/manifest/fields.h"

#include <fmt/format.h>

namespace htp {

namespace {

std::string shape_words(const Field &field) {
  switch (field.shape) {
  case Shape::format: return "`1`";
  case Shape::text:
  case Shape::string: return "string";
  case Shape::plugin_id: return "plugin id";
  case Shape::name: return "name";
  case Shape::name_or_any: return "name or `$variable`";
  case Shape::capability: return "capability name";
  case Shape::code: return "`module:function`";
  case Shape::diagnostic: return "diagnostic code";
  case Shape::version: return "version, quoted";
  case Shape::digest: return "SHA-256";
  case Shape::key: return "public key of Ed25519, 64 hex digits";
  case Shape::id_pattern: return "plugin id, or `acme.*`";
  case Shape::id_patterns: return "list of plugin ids, or `acme.*`";
  case Shape::path: return "path within this folder";
  case Shape::any_path: return "path";
  case Shape::boolean: return "boolean";
  case Shape::natural: return "integer ≥ 0";
  case Shape::parameter_type: return "type";
  case Shape::scalar: return "scalar";
  case Shape::names: return "list of names";
  case Shape::strings: return "list of strings";
  case Shape::paths: return "list of paths";
  case Shape::inner_paths: return "list of paths within this folder";
  case Shape::requirements: return "list of requirements";
  case Shape::provided:
  case Shape::patterns: return "list of terms";
  case Shape::conflicts: return "list of terms and plugin ids";
  case Shape::wishes: return "list of plugin ids with ranges";
  case Shape::scalars: return "map of scalars";
  case Shape::options: return "map of maps of scalars";
  case Shape::tree: return "tree of scalars";
  case Shape::record: return "map";
  case Shape::records: return "list of maps";
  case Shape::choice:
  case Shape::words: break;
  }
  std::string list = field.shape == Shape::words ? "list of " : "";
  const size_t begin = list.size();
  for (const std::string_view choice : field.choices)
    list += fmt::format("{}`{}`", list.size() == begin ? "" : ", ", choice);
  return list;
}

std::string kinds_of(const Field &field) {
  std::string kinds;
  for (size_t k = 0; k < unit_kind_count; ++k)
    if (has_field(field, static_cast<UnitKind>(k)))
      kinds += fmt::format("{}`{}`", kinds.empty() ? "" : ", ", unit_kind_name(static_cast<UnitKind>(k)));
  return kinds;
}

// A table of the record's fields, then those of the records in it.
void describe(const Record &record, std::string_view heading, std::string &page) {
  page += fmt::format("\n{}\n\n{}\n\n| key | value | | meaning |\n| --- | --- | --- | --- |\n", heading, record.doc);
  for (const Field &field : record.fields) {
    const std::string only = field.kinds == 0 ? "" : fmt::format(" (only {})", kinds_of(field));
    page += fmt::format("| `{}` | {} | {} | {}{} |\n", field.key, shape_words(field), field.required ? "required" : "",
                        field.doc, only);
  }
  for (const Field &field : record.fields)
    if (field.record) describe(*field.record, fmt::format("### `{}`", field.key), page);
}

} // namespace

std::string manifest_markdown() {
  std::string page = "# Manifests, profiles, lock files, trust files and change policies\n\n"
                     "All are YAML files of block maps, block lists and scalars: flow collections (`[a]`, `{k: v}`), "
                     "anchors, aliases and tags are\n"
                     "refused, keys do not repeat, and scalars are typed strictly (`yes` is a string, `010` is refused "
                     "where it is not quoted). Capability\n"
                     "terms are explained in [a page of their own](../extending/terms.md). This page is "
                     "generated from the table in\n"
                     "host/manifest/fields.cpp, and so are the JSON schemas in manifests/schema/.\n";
  describe(manifest_record, "## The manifest", page);
  describe(profile_record, "## The profile", page);
  describe(lock_record, "## The lock file", page);
  describe(policy_record, "## The trust file", page);
  describe(change_policy_record, "## The change policy", page);
  return page;
}

} // namespace htp
