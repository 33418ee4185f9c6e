// host/load/plugin_index.h — the plugins of a search folder as they were found before, so that a folder in which
// nothing changed costs a stat for each file that finding them looked at.
#pragma once

#include "host/base/cache.h"
#include "host/base/fd.h"
#include "host/load/stamp.h"
#include "host/manifest/manifest.h"

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace htp {

// One entry of the content cache holds all of them: of each its manifest's text, what was read from it, and the stamps
// of its folder, of its manifest and of the parts that it leads to. A stamp counts while it is settled and its file is
// no link; where one does not, the text is read each time, and its digest decides. An entry that is damaged or another
// host's is absent. Processes that write at once write the same, or what the next one finds to be old.
class PluginIndex {
public:
  // `now`: before anything in the folder is looked at. Null: nothing is kept.
  PluginIndex(const Cache *cache, const std::string &folder, int64_t now = wall_clock());

  // The plugin in the folder's `name` (empty: in the folder itself), when all by which it was found is as it was, and
  // still belongs to those who are trusted.
  std::optional<Manifest> unchanged(const std::string &name);
  // What was read from this very text.
  std::optional<Manifest> of_text(const std::string &name, const SourceRef &source) const;
  // It was read, and there was nothing to say about it; `parts`: nor about who may change what it leads to.
  void keep(const std::string &name, const Manifest &manifest, bool parts);
  // When what was found is not what is kept.
  void save() const;

private:
  struct Entry {
    std::string_view record; // all of it
    std::string_view stamps, digest, text, packed;
    bool unsigned_ = false;
  };
  static std::optional<Entry> read(std::string_view &rest, std::string_view &name);
  std::optional<Manifest> unpack(const Entry &entry, const SourceRef &source) const;
  std::optional<std::string> stamps(const std::string &name, const Manifest &manifest) const;

  const Cache *cache_;
  std::string folder_;
  int64_t now_;
  Fd at_;
  bool keeps_times_ = false;
  std::string key_, bytes_;
  std::unordered_map<std::string_view, Entry> kept_; // by name; into bytes_
  std::deque<std::string> made_;
  std::vector<std::string_view> found_; // records, of this time
  bool changed_ = false;
};

} // namespace htp
