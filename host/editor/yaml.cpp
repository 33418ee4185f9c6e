// Manifests and profiles: their own checks, and completion from their schemas.
#include "host/editor/session.h"
#include "host/manifest/reference.h"

#include <algorithm>

namespace htp::editor {

namespace {

constexpr const char *alternatives[] = {"anyOf", "oneOf", "allOf"};

struct Line {
  size_t indent = 0;  // of its key, behind what dashes begin items
  std::string key;    // without its colon; empty: it has none
  bool item = false;  // a dash stands before it
  bool value = false; // something stands behind the colon
};

Line line_of(std::string_view text) {
  Line line;
  size_t at = std::min(text.find_first_not_of(' '), text.size());
  while (at + 1 < text.size() && text[at] == '-' && text[at + 1] == ' ') {
    line.item = true;
    at = std::min(text.find_first_not_of(' ', at + 1), text.size());
  }
  line.indent = at;
  const size_t colon = text.find(':', at);
  if (at < text.size() && text[at] != '#' && colon != text.npos &&
      (colon + 1 == text.size() || text[colon + 1] == ' ')) {
    line.key = text.substr(at, colon - at);
    line.value = text.find_first_not_of(' ', colon + 1) != text.npos;
  }
  return line;
}

// The schema that `$ref` leads to.
const Json &resolved(const Json &root, const Json &schema) {
  const Json *at = &schema;
  for (int hops = 0; hops < 8 && at->is_object() && at->contains("$ref"); ++hops) {
    const std::string ref = (*at)["$ref"];
    if (!ref.starts_with("#")) break;
    const Json::json_pointer pointer(ref.substr(1));
    if (!root.contains(pointer)) break;
    at = &root[pointer];
  }
  return *at;
}

// What a schema, or any of its alternatives, says of a key.
void of_key(const Json &root, const Json &schema, const std::string &key, std::vector<const Json *> &found) {
  const Json &here = resolved(root, schema);
  if (!here.is_object()) return;
  if (here.contains("properties") && here["properties"].contains(key))
    found.push_back(&here["properties"][key]);
  else if (here.contains("patternProperties") && !here["patternProperties"].empty())
    found.push_back(&here["patternProperties"].begin().value());
  else if (here.contains("additionalProperties") && here["additionalProperties"].is_object())
    found.push_back(&here["additionalProperties"]);
  for (const char *any : alternatives)
    if (here.contains(any))
      for (const Json &one : here[any]) of_key(root, one, key, found);
  for (const char *then : {"then", "else"})
    if (here.contains(then)) of_key(root, here[then], key, found);
}

const Json &items_of(const Json &root, const Json &schema) {
  const Json &here = resolved(root, schema);
  return here.is_object() && here.contains("items") ? resolved(root, here["items"]) : here;
}

void add_keys(const Json &root, const Json &schema, const std::set<std::string> &there, Json &items) {
  const Json &here = resolved(root, schema);
  if (!here.is_object()) return;
  if (here.contains("properties"))
    for (const auto &[key, value] : here["properties"].items()) {
      if (there.contains(key)) continue;
      const Json &one = resolved(root, value);
      Json item{{"label", key}, {"kind", 10}, {"insertText", key + ": "}};
      if (one.is_object() && one.contains("description")) item["documentation"] = one["description"];
      items.push_back(std::move(item));
    }
  for (const char *any : alternatives)
    if (here.contains(any))
      for (const Json &one : here[any]) add_keys(root, one, there, items);
}

void add_values(const Json &root, const Json &schema, Json &items) {
  const Json &here = resolved(root, schema);
  if (!here.is_object()) return;
  const auto add = [&](const Json &value) {
    items.push_back({{"label", value.is_string() ? value.get<std::string>() : value.dump()}, {"kind", 12}});
  };
  if (here.contains("enum"))
    for (const Json &value : here["enum"]) add(value);
  if (here.contains("const")) add(here["const"]);
  if (here.value("type", Json()) == "boolean")
    for (const bool value : {true, false}) add(value);
}

} // namespace

Json complete_yaml(const Document &document, Position position) {
  const Json root = Json::parse(document.kind == Document::Kind::manifest ? manifest_schema() : profile_schema());
  const std::string_view whole = document.text.line(position.line);
  const Line here = line_of(whole);
  const size_t begin = document.text.offset({position.line, 0}), end = document.text.offset(position);
  const std::string before = document.text.bytes().substr(begin, end - begin);
  const bool in_value = !here.key.empty() && before.find(':') != before.npos;
  const size_t own = in_value ? here.indent : line_of(before).indent;
  // The keys around, from the nearest.
  std::vector<std::pair<std::string, bool>> above; // and whether an item stands between it and what is within
  std::set<std::string> there;
  size_t indent = own;
  bool item = line_of(whole).item;
  bool beside = !item;
  for (uint32_t k = position.line; k-- > 0 && indent > 0;) {
    const Line line = line_of(document.text.line(k));
    if (line.key.empty() && !line.item) continue;
    if (line.indent == own && indent == own && beside && !line.key.empty()) {
      there.insert(line.key);
      if (line.item) item = true, beside = false;
      continue;
    }
    const size_t dash = document.text.line(k).find_first_not_of(' ');
    if (line.indent < indent && !line.key.empty() && (!line.item || dash < indent)) {
      if (item && dash == line.indent && dash > indent) continue;
      above.emplace_back(line.key, item);
      indent = line.indent;
      item = line.item;
    }
  }
  if (own == 0)
    for (uint32_t k = 0; k < document.text.line_count(); ++k)
      if (const Line line = line_of(document.text.line(k)); k != position.line && line.indent == 0 && !line.item)
        there.insert(line.key);
  for (uint32_t k = position.line + 1; k < document.text.line_count(); ++k) { // those below
    const Line line = line_of(document.text.line(k));
    if (line.key.empty() && !line.item) continue;
    if (line.indent < own || (line.item && line.indent == own)) break;
    if (line.indent == own) there.insert(line.key);
  }
  std::vector<const Json *> schemas{&root};
  std::ranges::reverse(above);
  for (const auto &[key, is_item] : above) {
    std::vector<const Json *> inner;
    for (const Json *schema : schemas) of_key(root, *schema, key, inner);
    if (is_item)
      for (const Json *&one : inner) one = &items_of(root, *one);
    schemas = std::move(inner);
  }
  Json items = Json::array();
  for (const Json *schema : schemas) {
    if (!in_value) {
      add_keys(root, *schema, there, items);
      continue;
    }
    std::vector<const Json *> inner;
    of_key(root, *schema, here.key, inner);
    for (const Json *one : inner) add_values(root, *one, items);
  }
  std::set<std::string> seen;
  Json once = Json::array();
  for (Json &item : items)
    if (seen.insert(item["label"].get<std::string>()).second) once.push_back(std::move(item));
  return once;
}

void check_yaml(Session &session, Document &document) {
  const auto source = std::make_shared<SourceFile>(document.path, document.text.bytes());
  if (document.kind == Document::Kind::profile) {
    read_profile(source, document.own);
    return;
  }
  const auto manifest = read_manifest(source, document.own);
  if (!manifest || !session.inputs) return;
  // What its terms mean is said of all manifests together.
  std::vector<const Manifest *> all{&*manifest};
  for (const Manifest &other : session.inputs->manifests)
    if (other.id.value != manifest->id.value) all.push_back(&other);
  Diagnostics found;
  check_terms(all, found, 1);
  for (const Diagnostic &d : found.list())
    if (d.span.file == source) document.own.add(d);
}

} // namespace htp::editor
