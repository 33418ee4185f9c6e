#include "host/pipeline/remember.h"

#include "host/base/fs.h"
#include "host/base/hash.h"
#include "host/load/identity.h"
#include "host/log/log.h"
#include "host/pipeline/file_rows.h"

#include <nlohmann/json.hpp>

namespace htp {

namespace {
using Json = nlohmann::ordered_json;
}

std::string compile_key(const CompileRequest &request, const Inputs &inputs, const std::string &program_text) {
  Sha256 key;
  const auto add = [&](std::string_view part) { key.add(std::to_string(part.size())).add(":").add(part); };
  add("htp.compile/2");
  add(host_identity());
  for (const InputFile &file : inputs.files) add(file.role), add(file.sha256), add(absolute_path(file.path));
  for (const std::string &folder : inputs.search) add(absolute_path(folder));
  add(absolute_path(inputs.program.value));
  add(request.from_stage.empty() ? "" : absolute_path(request.from_stage));
  add(inputs.trust);
  add(program_text);
  add(inputs.entry.value);
  for (const auto &[name, value] : inputs.set) add(name), add(value.value);
  add(request.verify_each ? "verify" : "");
  if (request.only_entry) add("only entry");
  add(request.locked ? "locked" : "");
  add(inputs.stages);
  return key.hex();
}

// An entry: a line of JSON, the bytes of the files, the manifest.
std::optional<PackageDraft> recall(const Cache &cache, const std::string &key) {
  LogPhase phase("cache");
  const auto bytes = cache.get(key);
  if (!bytes) return log(LogLevel::info, "not compiled before with these inputs", {{"key", key}}), std::nullopt;
  const size_t end = bytes->find('\n');
  if (end == std::string::npos) return std::nullopt;
  std::string_view rest = std::string_view(*bytes).substr(end + 1);
  const Json record = Json::parse(std::string_view(*bytes).substr(0, end), nullptr, false);
  if (!record.is_object()) return std::nullopt;
  try {
    for (const auto &file : record.at("inputs")) {
      const std::string path = file.at("path"), sum = file.at("sha256");
      const auto now = read_file(path);
      if (sum.empty() ? static_cast<bool>(now) : !now || sha256(*now) != sum)
        return log(LogLevel::info, "compiled before, and a file has changed since", {{"file", path}}), std::nullopt;
    }
    PackageDraft draft;
    Diagnostics none;
    auto files = files_of(record.at("files"), rest);
    if (!files) return std::nullopt;
    auto manifest = package_manifest_from_json(rest, "manifest.json", none);
    if (!manifest) return std::nullopt;
    draft.manifest = std::move(*manifest);
    draft.files = std::move(*files);
    log(LogLevel::info, "compiled before", {{"key", key}});
    return draft;
  } catch (const Json::exception &) {
    return std::nullopt; // a damaged entry is none
  }
}

void remember(const Cache &cache, const std::string &key, const std::vector<InputFile> &inputs,
              const std::vector<PackageFile> &files, const std::string &manifest) {
  if (!cache.enabled()) return;
  std::string bytes;
  Json record{{"inputs", Json::array()}, {"files", file_rows(files, bytes)}};
  for (const InputFile &file : inputs)
    record["inputs"].push_back({{"path", absolute_path(file.path)}, {"sha256", file.sha256}});
  cache.put(key, record.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n" + bytes + manifest);
  log(LogLevel::debug, "remembered", {{"key", key}});
}

} // namespace htp
