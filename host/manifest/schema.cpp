#include "host/manifest/fields.h"
#include "host/manifest/reference.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace htp {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view name = "[A-Za-z_][A-Za-z0-9_]*([.-][A-Za-z0-9_]+)*";
constexpr std::string_view plugin_id = "[a-z][a-z0-9_]*([.-][a-z0-9_]+)*";
constexpr std::string_view capability = "[A-Z][A-Za-z0-9_]*(\\.[A-Z][A-Za-z0-9_]*)*";
constexpr std::string_view version = "(0|[1-9][0-9]*)(\\.(0|[1-9][0-9]*)){0,7}";

Json matching(std::string_view pattern) { return {{"type", "string"}, {"pattern", fmt::format("^{}$", pattern)}}; }
Json non_empty() { return {{"type", "string"}, {"minLength", 1}}; }
Json inner_path() { return {{"type", "string"}, {"minLength", 1}, {"not", {{"pattern", "^/|(^|/)\\.\\.(/|$)|\\\\"}}}}; }
Json scalar() { return {{"type", Json::array({"string", "integer", "number", "boolean"})}}; }
Json list_of(Json item) { return {{"type", "array"}, {"minItems", 1}, {"items", std::move(item)}}; }
Json map_of(Json value, std::string_view keys) {
  return {{"type", "object"},
          {"additionalProperties", false},
          {"patternProperties", {{fmt::format("^{}$", keys), std::move(value)}}}};
}
Json reference(std::string_view name) { return {{"$ref", fmt::format("#/definitions/{}", name)}}; }

std::string name_of(const Record &record) {
  std::string name;
  for (const char c :
       record.what.substr(record.what.find(' ') == std::string_view::npos ? 0 : record.what.find(' ') + 1))
    if (c != '`') name += c;
  return name;
}

Json shape_of(const Field &field) {
  switch (field.shape) {
  case Shape::format: return {{"const", 1}};
  case Shape::text: return {{"type", "string"}};
  case Shape::plugin_id: return matching(plugin_id);
  case Shape::name: return matching(name);
  case Shape::name_or_any: return matching(fmt::format("({}|\\$[A-Za-z_][A-Za-z0-9_]*)", name));
  case Shape::capability: return matching(capability);
  case Shape::string:
  case Shape::any_path: return non_empty();
  case Shape::code: return matching("[A-Za-z_][A-Za-z0-9_]*(\\.[A-Za-z0-9_]+)*:[A-Za-z_][A-Za-z0-9_]*");
  case Shape::diagnostic: return matching("[a-z][a-z0-9_]*([.-][a-z0-9_]+)*\\.[a-z0-9_]+(-[a-z0-9_]+)*");
  case Shape::version: return matching(version);
  case Shape::path: return inner_path();
  case Shape::key:
  case Shape::digest: return matching("[0-9a-f]{64}");
  case Shape::id_pattern: return matching(fmt::format("{}(\\.\\*)?", plugin_id));
  case Shape::id_patterns: return list_of(matching(fmt::format("{}(\\.\\*)?", plugin_id)));
  case Shape::choice: return {{"enum", std::vector<std::string>(field.choices.begin(), field.choices.end())}};
  case Shape::boolean: return {{"type", "boolean"}};
  case Shape::natural: return {{"type", "integer"}, {"minimum", 0}};
  case Shape::parameter_type: return matching("(int|bool|version|string|enum\\(.+\\)|ref\\([a-z]+\\))");
  case Shape::scalar: return scalar();
  case Shape::names: return list_of(matching(name));
  case Shape::strings:
  case Shape::paths: return list_of(non_empty());
  case Shape::words: return list_of({{"enum", std::vector<std::string>(field.choices.begin(), field.choices.end())}});
  case Shape::inner_paths: return list_of(inner_path());
  case Shape::requirements:
  case Shape::provided:
  case Shape::patterns: return list_of(matching(fmt::format("{}.*", capability)));
  case Shape::conflicts: return list_of(matching(fmt::format("({}.*|{}( *@.+)?)", capability, plugin_id)));
  case Shape::wishes: return list_of(matching(fmt::format("{}( *@.+)?", plugin_id)));
  case Shape::scalars: return map_of(scalar(), name);
  case Shape::options: return map_of(map_of(scalar(), name), name);
  case Shape::tree: return reference("tree");
  case Shape::record: return reference(name_of(*field.record));
  case Shape::records: return list_of(reference(name_of(*field.record)));
  }
  return {};
}

Json object_of(const Record &record, std::optional<UnitKind> kind, Json &definitions);

void define(const Field &field, Json &definitions) {
  if (field.shape == Shape::tree) {
    const Json nested = map_of(reference("branch"), "[^.]+");
    definitions["tree"] = nested;
    definitions["branch"] = {{"anyOf", Json::array({scalar(), reference("tree"), list_of(reference("branch"))})}};
  }
  if (!field.record || definitions.contains(name_of(*field.record))) return;
  if (field.record != &unit_record) {
    Json object = object_of(*field.record, std::nullopt, definitions);
    definitions[name_of(*field.record)] = std::move(object);
    return;
  }
  Json kinds = Json::array();
  for (size_t k = 0; k < unit_kind_count; ++k) {
    const auto kind = static_cast<UnitKind>(k);
    Json object = object_of(unit_record, kind, definitions);
    object["properties"]["kind"] = {{"const", unit_kind_name(kind)}};
    definitions[unit_kind_name(kind)] = std::move(object);
    kinds.push_back(reference(unit_kind_name(kind)));
  }
  definitions["unit"] = {{"oneOf", std::move(kinds)}};
}

Json object_of(const Record &record, std::optional<UnitKind> kind, Json &definitions) {
  Json properties = Json::object(), required = Json::array();
  for (const Field &field : record.fields) {
    if (kind && !has_field(field, *kind)) continue;
    define(field, definitions);
    Json property = shape_of(field);
    // Beside a $ref other members are not looked at, so a reference goes without its text.
    if (!property.contains("$ref")) property["description"] = field.doc;
    properties[std::string(field.key)] = std::move(property);
    if (field.required) required.push_back(field.key);
  }
  return {{"description", record.doc},
          {"type", "object"},
          {"additionalProperties", false},
          {"required", std::move(required)},
          {"properties", std::move(properties)}};
}

std::string schema_of(const Record &record, std::string_view name, std::string_view title) {
  Json definitions = Json::object();
  const Json object = object_of(record, std::nullopt, definitions);
  Json schema = {{"$schema", "http://json-schema.org/draft-07/schema#"},
                 {"$id", fmt::format("urn:htp:schema:{}", name)},
                 {"title", title}};
  schema.update(object);
  schema["definitions"] = std::move(definitions);
  return schema.dump(2) + "\n";
}

} // namespace

std::string manifest_schema() { return schema_of(manifest_record, "plugin", "HTP plugin manifest"); }
std::string profile_schema() { return schema_of(profile_record, "profile", "HTP profile"); }
std::string lock_schema() { return schema_of(lock_record, "lock", "HTP lock file"); }
std::string policy_schema() { return schema_of(policy_record, "trust", "HTP trust file"); }
std::string change_policy_schema() { return schema_of(change_policy_record, "changes", "HTP change policy"); }

} // namespace htp
