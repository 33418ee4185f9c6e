#include "host/package/reader.h"

#include "host/base/beneath.h"
#include "host/base/fs.h"
#include "host/base/hash.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>

namespace htp {

namespace {

class Reader {
public:
  Reader(const std::string &folder, Diagnostics &diagnostics) : folder_(folder), diagnostics_(diagnostics) {}

  std::optional<Package> read() {
    const size_t before = diagnostics_.errors();
    auto text = read_file(join_path(folder_, "manifest.json"), package_manifest_limit);
    if (!text) return not_a_package(text.error());
    auto manifest = package_manifest_from_json(*text, join_path(folder_, "manifest.json"), diagnostics_);
    if (!manifest) return std::nullopt;
    Package package{folder_, sha256(*text), std::move(*manifest), {}};
    uint64_t left = package_total_limit;
    for (const PackageManifest::Output &output : package.manifest.outputs)
      if (auto bytes = file(output, left)) package.files.emplace(output.path, std::move(*bytes));
    strays(package);
    if (diagnostics_.errors() != before) return std::nullopt;
    return package;
  }

private:
  std::optional<Package> not_a_package(const IoError &error) {
    if (!exists(folder_))
      diagnostics_.report(diag::io_unreadable, {}, folder_, "No such file or directory")
          .hint("compile a program into it first");
    else
      diagnostics_.report(diag::package_not_a_package, {}, folder_, "`manifest.json`: " + error.reason)
          .hint("name the folder that `htp-host compile` wrote");
    return std::nullopt;
  }

  std::optional<std::string> file(const PackageManifest::Output &output, uint64_t &left) {
    const auto unreadable = [&](const std::string &why) {
      diagnostics_.report(diag::package_unreadable_file, {}, output.path, folder_, why)
          .hint("compile the program again");
      return std::nullopt;
    };
    const uint64_t limit = std::min(package_file_limit, left);
    if (output.size > limit)
      return unreadable(fmt::format("it is larger than the {} bytes that a reader takes", limit));
    const Fd fd = open_beneath(folder_, output.path, Links::none);
    if (!fd && (errno == ELOOP || errno == EXDEV)) return unreadable("it is reached through a link");
    if (!fd && (errno == ENOENT || errno == ENOTDIR)) {
      diagnostics_.report(diag::package_missing_file, {}, folder_, output.path).hint("compile the program again");
      return std::nullopt;
    }
    if (!fd) return unreadable(std::strerror(errno));
    auto bytes = read_all(fd, output.path, limit);
    if (!bytes) return unreadable(bytes.error().reason);
    left -= bytes->size();
    if (bytes->size() != output.size)
      return changed(output, fmt::format("it has {} bytes, and had {}", bytes->size(), output.size));
    if (const std::string digest = sha256(*bytes); digest != output.sha256)
      return changed(output, "its SHA-256 is " + digest + ", and was " + output.sha256);
    return std::move(*bytes);
  }

  std::nullopt_t changed(const PackageManifest::Output &output, std::string how) {
    auto &reported = diagnostics_.report(diag::package_changed_file, {}, output.path, folder_).note(std::move(how));
    if (output.path.starts_with("ir/stages/"))
      reported.hint("continue from an edited stage with `compile --from-stage`");
    else
      reported.hint("compile the program again");
    return std::nullopt;
  }

  // Files that stand in no list. Python's own leavings are no one's business.
  void strays(const Package &package) {
    const auto files = list_tree(folder_);
    if (!files) return;
    for (const FolderEntry &entry : *files) {
      const std::string &path = entry.name;
      if (path == "manifest.json" || path.starts_with("logs/") || path.starts_with("build/bin/")) continue;
      if (path.find("__pycache__/") != std::string::npos || package.files.contains(path) ||
          listed(package.manifest, path))
        continue;
      diagnostics_.report(diag::package_stray_file, {}, path, folder_);
    }
  }
  static bool listed(const PackageManifest &manifest, const std::string &path) {
    return std::any_of(manifest.outputs.begin(), manifest.outputs.end(), [&](const auto &o) { return o.path == path; });
  }

  const std::string &folder_;
  Diagnostics &diagnostics_;
};

} // namespace

const std::string *Package::file(std::string_view path) const {
  const auto at = files.find(std::string(path));
  return at == files.end() ? nullptr : &at->second;
}

std::optional<Package> read_package(const std::string &folder, Diagnostics &diagnostics) {
  return Reader(folder, diagnostics).read();
}

} // namespace htp
