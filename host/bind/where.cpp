#include "host/bind/where.h"

#include "host/ast/walk.h"
#include "host/base/fs.h"
#include "host/base/hash.h"
#include "host/parse/parse.h"
#include "host/pipeline/stage.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

namespace htp {
namespace {

using Json = nlohmann::json;
constexpr uint64_t source_limit = 16u << 20;

// The map of stage `id` ("04"), or of the last one there is.
Json origin_of(const Package &package, const std::string &id) {
  const std::string *found = nullptr;
  std::string last;
  for (const auto &[path, bytes] : package.files) {
    if (!path.starts_with("ir/stages/") || !path.ends_with("/origin.json")) continue;
    const std::string stage = path.substr(10, path.find('-') - 10);
    if (id.empty() ? stage >= last : stage == id) found = &bytes, last = stage;
  }
  return found ? Json::parse(*found, nullptr, false) : Json();
}

// The file as it was compiled, when it is still there.
SourceRef source_of(const Package &package, const std::string &name) {
  const auto log = read_file(join_path(package.folder, "logs/sources.json"), source_limit);
  const Json known = log ? Json::parse(*log, nullptr, false) : Json();
  std::string folder = known.is_object() ? known.value("folder", std::string()) : std::string();
  for (const auto &input : package.manifest.inputs) {
    if (input.path.substr(input.path.rfind('/') + 1) != name) continue;
    const std::string path = join_path(folder, input.path);
    if (const auto text = read_file(path, source_limit); text && sha256(*text) == input.sha256) {
      std::error_code none;
      const auto shown = std::filesystem::proximate(path, none).string();
      return std::make_shared<SourceFile>(none || shown.starts_with("..") ? path : shown, *text);
    }
  }
  return std::make_shared<SourceFile>(name, std::string());
}

// The node that node `number` stands for in the stage before: `nodes` has one for each, or `[first, count]` for a run.
std::optional<size_t> before_of(const Json &nodes, size_t number) {
  for (const Json &entry : nodes) {
    const bool run = entry.is_array() && entry.size() == 2 && entry[1].is_number_unsigned();
    const Json &first = run ? entry[0] : entry;
    const size_t count = run ? entry[1].get<size_t>() : 1;
    if (number < count) return first.is_number_unsigned() ? std::optional(first.get<size_t>() + number) : std::nullopt;
    number -= count;
  }
  return std::nullopt;
}

// The location of a node of a stage, or of the last one there is.
Span location_in(const Package &package, std::string stage, size_t number) {
  for (size_t steps = 0; steps < 1000; ++steps) {
    const Json map = origin_of(package, stage);
    if (!map.is_object() || !map.contains("nodes") || !map["nodes"].is_array()) return {};
    if (map.contains("before") && map["before"].is_string()) {
      const auto before = before_of(map["nodes"], number);
      if (!before) return {};
      number = *before;
      stage = map["before"].get<std::string>();
      continue;
    }
    if (number >= map["nodes"].size()) return {};
    const Json &node = map["nodes"][number];
    const Json files = map.value("files", Json::array());
    if (!node.is_array() || node.size() < 2 || !files.is_array()) return {};
    for (const Json &part : node)
      if (!part.is_number_unsigned()) return {};
    const auto file = node[0].get<size_t>();
    if (file >= files.size() || !files[file].is_string()) return {};
    const auto part = [&](size_t k, uint32_t otherwise) {
      return k < node.size() ? node[k].get<uint32_t>() : otherwise;
    };
    const uint32_t line = part(1, 0), col = part(2, 0);
    return {source_of(package, files[file].get<std::string>()), line, col, part(3, line), part(4, col)};
  }
  return {};
}

} // namespace

Span user_location(const Package &package, size_t number) { return location_in(package, {}, number); }

Span parameter_location(const Package &package, const std::string &entry, const std::string &parameter, Store &store) {
  if (package.manifest.stages.empty()) return {};
  const PackageManifest::Stage &first = package.manifest.stages.front();
  const std::string *text = package.file(first.path);
  Diagnostics unread; // a location is no more than helpful
  const auto source = std::make_shared<SourceFile>(first.path, text ? *text : std::string());
  const htp_node module = text ? parse_tree(source, unread, store) : htp_node{HTP_NONE};
  const auto stage = module ? take_header(store, module, source, unread) : std::nullopt;
  if (!stage) return {};
  const std::vector<htp_node> nodes = preorder(*store.abi(), stage->root);
  const auto named = [&](htp_kind kind, unsigned field, const std::string &name) {
    return [&store, kind, field, &name](htp_node n) {
      return store.kind(n) == kind && store.text(store.slot(n, field)) == name;
    };
  };
  const auto function =
      std::find_if(nodes.begin(), nodes.end(), named(HTP_FunctionDef, HTP_FIELD(FunctionDef, name), entry));
  const auto found = std::find_if(function, nodes.end(), named(HTP_arg, HTP_FIELD(arg, arg), parameter));
  if (found == nodes.end()) return {};
  const Span span = location_in(package, first.id, static_cast<size_t>(found - nodes.begin()));
  const bool same =
      span && span.line &&
      std::string_view(span.file->text).substr(span.file->offset(span.line, span.col)).starts_with(parameter);
  return same ? span : Span{};
}

} // namespace htp
