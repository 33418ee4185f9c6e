#include "host/bind/where.h"

#include "host/base/fs.h"
#include "host/base/hash.h"

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

} // namespace

Span user_place(const Package &package, size_t number) {
  std::string stage;
  for (size_t steps = 0; steps < 1000; ++steps) {
    const Json map = origin_of(package, stage);
    if (!map.is_object() || !map.contains("nodes") || !map["nodes"].is_array() || number >= map["nodes"].size())
      return {};
    const Json &node = map["nodes"][number];
    if (map.contains("before") && map["before"].is_string()) {
      if (!node.is_number_integer() || node.get<int64_t>() < 0) return {};
      number = node.get<size_t>();
      stage = map["before"].get<std::string>();
      continue;
    }
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

} // namespace htp
