#include "host/pipeline/file_rows.h"

namespace htp {

using Json = nlohmann::ordered_json;

Json file_rows(const std::vector<PackageFile> &files, std::string &bytes) {
  Json rows = Json::array();
  for (const PackageFile &file : files) {
    rows.push_back({{"path", file.path}, {"role", file.role}, {"size", file.bytes.size()}});
    bytes += file.bytes;
  }
  return rows;
}

std::optional<std::vector<PackageFile>> files_of(const Json &rows, std::string_view &bytes) {
  std::vector<PackageFile> files;
  for (const Json &row : rows) {
    const uint64_t size = row.at("size").get<uint64_t>();
    if (size > bytes.size()) return std::nullopt;
    files.push_back(
        {row.at("path").get<std::string>(), row.at("role").get<std::string>(), std::string(bytes.substr(0, size))});
    bytes.remove_prefix(size);
  }
  return files;
}

} // namespace htp
