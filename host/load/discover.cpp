#include "host/load/discover.h"

#include "host/base/beneath.h"
#include "host/base/fs.h"
#include "host/diag/location.h"
#include "host/load/access.h"
#include "host/load/library.h"
#include "host/load/plugin_index.h"
#include "host/log/log.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <unordered_map>

namespace htp {

namespace {

constexpr uint64_t manifest_limit = 1u << 20; // decision 0003

// Whether a manifest lies in the folder; also where nobody may look.
bool may_hold_plugin(const std::string &folder) {
  struct stat file {};
  return ::lstat(join_path(folder, manifest_name).c_str(), &file) == 0 || errno == EACCES;
}

// The folder itself (empty) and the folders in it, by name.
Expected<std::vector<std::string>, IoError> names_in(const std::string &folder) {
  const auto entries = list_folder(folder);
  if (!entries) return Unexpected{entries.error()};
  struct stat file {};
  if (::lstat(join_path(folder, manifest_name).c_str(), &file) != 0 && errno == EACCES)
    return Unexpected{IoError{folder, std::strerror(EACCES)}}; // it tells names, and no more
  std::vector<std::string> names{""};
  for (const FolderEntry &entry : *entries)
    if (entry.kind == FolderEntry::Kind::folder ||
        (entry.kind == FolderEntry::Kind::link && is_folder(join_path(folder, entry.name))))
      names.push_back(entry.name);
  return names;
}

class Search {
public:
  Search(const std::vector<std::string> &folders, Diagnostics &diagnostics, const Cache *cache,
         std::vector<BrokenManifest> *broken, const Judge &judge)
      : diagnostics_(diagnostics), cache_(cache), broken_(broken), judge_(judge) {
    for (const std::string &one : folders) folder(one);
    settle();
  }

  std::vector<Manifest> take() { return std::move(found_); }

private:
  void folder(const std::string &folder) {
    PluginIndex index(cache_, folder);
    const auto names = names_in(folder);
    Diagnostics here;
    struct stat file {};
    if (!names && (::lstat(folder.c_str(), &file) == 0 || errno == EACCES)) {
      here.report(diag::io_unreadable, {}, folder, names.error().reason);
      return add(here, "the plugins in `" + folder + "` are left out");
    }
    if (!names) {
      diagnostics_.report(diag::load_no_folder, {}, folder).hint("correct the path, or leave the folder out");
      return;
    }
    std::optional<bool> ours; // asked when there is a plugin
    for (const std::string &name : *names) {
      auto known = index.unchanged(name);
      const std::string place = name.empty() ? folder : join_path(folder, name);
      if (!known && !may_hold_plugin(place)) continue;
      if (!ours) ours = check_folder_access(folder, {}, here);
      if (!*ours) break;
      if (known)
        found(std::move(*known));
      else
        manifest(place, name, index);
    }
    if (ours.value_or(true)) index.save();
    add(here, "the plugins in `" + folder + "` are left out");
  }

  // One bad plugin must not hide the good ones, nor stop a compile that does not need it.
  void add(const Diagnostics &found, const std::string &left_out) {
    for (Diagnostic diagnostic : found.list()) {
      if (!left_out.empty()) diagnostic.note(left_out);
      if (is_error(diagnostic.severity)) diagnostic.severity = Severity::warning;
      diagnostics_.add(std::move(diagnostic));
    }
  }

  // Where it lies is checked with the search folder, but of one that a link leads to.
  static bool check_place(const std::string &folder, Diagnostics &here) {
    struct stat link {};
    const bool elsewhere = ::lstat(folder.c_str(), &link) == 0 && S_ISLNK(link.st_mode);
    return elsewhere ? check_folder_access(folder, {}, here) : check_access(folder, {}, here);
  }

  void manifest(const std::string &folder, const std::string &name, PluginIndex &index) {
    const std::string path = join_path(folder, manifest_name);
    Diagnostics here;
    std::optional<Manifest> manifest;
    const bool ours = check_place(folder, here) && check_access(path, {}, here);
    if (auto text = read(folder); !text) {
      if (ours) here.report(diag::io_unreadable, {}, path, text.error().reason);
    } else if (!ours) { // read only to tell what is missed
      Diagnostics unheard;
      Manifest part;
      auto theirs = read_manifest(std::make_shared<SourceFile>(path, std::move(*text)), unheard, &part);
      keep_out(theirs ? std::move(*theirs) : std::move(part), folder, first_error(here).message);
    } else {
      const auto source = std::make_shared<SourceFile>(path, std::move(*text));
      manifest = index.of_text(name, source);
      if (!manifest) {
        Manifest part;
        manifest = read_manifest(source, here, &part);
        if (!manifest) keep_out(std::move(part), folder, why_broken(path, here));
      }
      if (manifest) manifest->folder = folder;
      const bool nothing_said = here.empty();
      const bool parts_ours = manifest && check_parts_access(*manifest, here);
      if (manifest && nothing_said) index.keep(name, *manifest, parts_ours);
      if (manifest && !parts_ours) {
        keep_out(std::move(*manifest), folder, first_error(here).message);
        manifest.reset();
      }
    }
    add(here, manifest ? "" : "the plugin in `" + folder + "` is left out");
    if (manifest) found(std::move(*manifest));
  }

  void found(Manifest manifest) {
    auto &same = by_id_[manifest.id.value];
    if (std::any_of(same.begin(), same.end(), [&](size_t i) { return found_[i].folder == manifest.folder; })) return;
    same.push_back(found_.size());
    found_.push_back(std::move(manifest));
  }

  // Of plugins with one id those whose library is not what the manifest says hide no other; of one version the first
  // that is left counts.
  void settle() {
    std::vector<bool> out(found_.size());
    for (size_t index = 0; judge_ && index < found_.size(); ++index) {
      auto &same = by_id_[found_[index].id.value];
      auto why = judge_(found_[index], same.size() > 1);
      if (!why) continue;
      keep_out(found_[index], found_[index].folder, std::move(*why));
      out[index] = true;
    }
    for (auto &[id, same] : by_id_) std::erase_if(same, [&](size_t index) { return out[index]; });
    for (size_t index = 0; index < found_.size(); ++index)
      if (const auto &same = by_id_[found_[index].id.value]; !out[index] && same.size() > 1 && same.front() == index)
        settle(same, out);
    std::vector<Manifest> kept;
    for (size_t index = 0; index < found_.size(); ++index)
      if (!out[index]) kept.push_back(std::move(found_[index]));
    found_ = std::move(kept);
  }
  void settle(const std::vector<size_t> &same, std::vector<bool> &out) {
    std::vector<Diagnostics> wrong(same.size());
    for (size_t k = 0; k < same.size(); ++k) check_library(found_[same[k]], wrong[k]);
    const bool one_fits = std::any_of(wrong.begin(), wrong.end(), [](const Diagnostics &d) { return !d.errors(); });
    std::vector<const Manifest *> kept;
    for (size_t k = 0; k < same.size(); ++k) {
      const Manifest &manifest = found_[same[k]];
      if (one_fits && wrong[k].errors()) {
        add(wrong[k], "the plugin in `" + manifest.folder + "` is left out");
        keep_out(manifest, manifest.folder, first_error(wrong[k]).message);
        out[same[k]] = true;
        continue;
      }
      const auto first = std::find_if(kept.begin(), kept.end(),
                                      [&](const Manifest *other) { return other->version == manifest.version; });
      if (first == kept.end()) {
        kept.push_back(&manifest);
        continue;
      }
      diagnostics_
          .report(diag::load_duplicate_plugin, manifest.id.span, manifest.id.value, manifest.version_text.value,
                  (*first)->source->path)
          .label((*first)->id.span, "this one is used");
      out[same[k]] = true;
    }
  }

  static void check_library(const Manifest &manifest, Diagnostics &here) {
    if (manifest.library.value.empty()) return;
    LoadOptions options;
    options.from = LoadOptions::From::path; // nothing is run
    LoadStep failed{};
    FileDigests none(nullptr);
    static_cast<void>(Library::check(manifest, options, none, here, failed));
  }

  static const Diagnostic &first_error(const Diagnostics &here) {
    return *std::find_if(here.list().begin(), here.list().end(),
                         [](const Diagnostic &diagnostic) { return is_error(diagnostic.severity); });
  }

  static std::string why_broken(const std::string &path, const Diagnostics &here) {
    const Diagnostic &first = first_error(here);
    const std::string line = first.span.line ? fmt::format(":{}", location_of(first.span).line) : "";
    return fmt::format("its manifest is broken: {}{}: {}", path, line, first.message);
  }

  void keep_out(Manifest part, const std::string &folder, std::string why) {
    if (!broken_ || part.id.value.empty()) return;
    part.folder = folder;
    broken_->push_back({std::move(part), std::move(why)});
  }

  // A manifest that is a link leads to another beneath its folder.
  static Expected<std::string, IoError> read(const std::string &folder) {
    const Fd fd = open_beneath(folder, manifest_name, Links::inside);
    if (fd) return read_all(fd, join_path(folder, manifest_name), manifest_limit);
    return Unexpected{IoError{join_path(folder, manifest_name),
                              errno == EXDEV ? "it leads out of its folder" : std::strerror(errno)}};
  }

  Diagnostics &diagnostics_;
  const Cache *cache_;
  std::vector<BrokenManifest> *broken_;
  const Judge &judge_;
  std::vector<Manifest> found_;
  std::unordered_map<std::string, std::vector<size_t>> by_id_; // indices of found_
};

} // namespace

Expected<std::vector<std::string>, IoError> plugin_folders(const std::string &folder) {
  auto names = names_in(folder);
  if (!names) return Unexpected{names.error()};
  std::vector<std::string> result;
  for (const std::string &name : *names)
    if (std::string place = name.empty() ? folder : join_path(folder, name); may_hold_plugin(place))
      result.push_back(std::move(place));
  return result;
}

std::vector<Manifest> discover(const std::vector<std::string> &folders, Diagnostics &diagnostics, const Cache *cache,
                               std::vector<BrokenManifest> *broken, const Judge &judge) {
  const size_t known = broken ? broken->size() : 0;
  std::vector<Manifest> found = Search(folders, diagnostics, cache, broken, judge).take();
  if (!logs(LogLevel::debug)) return found;
  for (const std::string &folder : folders) log(LogLevel::debug, "folder searched", {{"folder", folder}});
  for (const Manifest &m : found)
    log(LogLevel::debug, "plugin found",
        {{"plugin", m.id.value}, {"version", m.version_text.value}, {"folder", m.folder}});
  for (size_t i = known; broken && i < broken->size(); ++i)
    log(LogLevel::debug, "plugin left out", {{"plugin", (*broken)[i].manifest.id.value}, {"why", (*broken)[i].why}});
  return found;
}

} // namespace htp
