// host/pipeline/file_rows.h — files for a process to hand over or a cache to keep: a list in JSON of what they are, and
// apart from it their bytes, one behind the other.
#pragma once

#include "host/package/writer.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <string_view>
#include <vector>

namespace htp {

// A row a file: path, role and size. Its bytes are added to `bytes`.
nlohmann::ordered_json file_rows(const std::vector<PackageFile> &files, std::string &bytes);

// The files back; their bytes are taken from the front of `bytes`. Nothing when there are too few; throws
// nlohmann's exception for rows that are none.
std::optional<std::vector<PackageFile>> files_of(const nlohmann::ordered_json &rows, std::string_view &bytes);

} // namespace htp
