#include "host/load/discover.h"

#include "host/base/fs.h"
#include "host/load/access.h"

namespace htp {

namespace {

constexpr const char *manifest_name = "htp-plugin.yaml";
constexpr uint64_t manifest_limit = 1u << 20; // decision 0003

class Search {
public:
  explicit Search(Diagnostics &diagnostics) : diagnostics_(diagnostics) {}

  void folder(const std::string &folder) {
    const auto entries = list_folder(folder);
    if (!entries) {
      diagnostics_.report(diag::load_no_folder, {}, folder).hint("correct the path, or leave the folder out");
      return;
    }
    manifest(folder);
    for (const FolderEntry &entry : *entries) {
      const std::string inner = join_path(folder, entry.name);
      if (entry.kind == FolderEntry::Kind::folder || (entry.kind == FolderEntry::Kind::link && is_folder(inner)))
        manifest(inner);
    }
  }

  std::vector<Manifest> take() { return std::move(found_); }

private:
  void manifest(const std::string &folder) {
    const std::string path = join_path(folder, manifest_name);
    if (!exists(path)) return;
    Diagnostics here;
    std::optional<Manifest> manifest;
    for (const std::string &own : {folder, path})
      if (others_can_write(own)) report_others_can_write(own, {}, here);
    if (here.errors()) {
      // not even read
    } else if (auto text = read_file(path, manifest_limit)) {
      manifest = read_manifest(std::make_shared<SourceFile>(path, std::move(*text)), here);
    } else {
      here.report(diag::io_unreadable, {}, path, text.error().reason);
    }
    // One bad plugin must not hide the good ones, nor stop a compile that does not need it.
    for (Diagnostic diagnostic : here.list()) {
      if (!manifest) diagnostic.note("the plugin in `" + folder + "` is left out");
      if (is_error(diagnostic.severity)) diagnostic.severity = Severity::warning;
      diagnostics_.add(std::move(diagnostic));
    }
    if (!manifest) return;
    manifest->folder = folder;
    for (const Manifest &other : found_)
      if (other.id == manifest->id.value && other.version == manifest->version) {
        if (other.folder != folder)
          diagnostics_
              .report(diag::load_duplicate_plugin, manifest->id.span, manifest->id.value, manifest->version_text.value,
                      other.source->path)
              .label(other.id.span, "this one is used");
        return;
      }
    found_.push_back(std::move(*manifest));
  }

  Diagnostics &diagnostics_;
  std::vector<Manifest> found_;
};

} // namespace

std::vector<Manifest> discover(const std::vector<std::string> &folders, Diagnostics &diagnostics) {
  Search search(diagnostics);
  for (const std::string &folder : folders) search.folder(folder);
  return search.take();
}

} // namespace htp
