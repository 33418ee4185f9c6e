// host/load/digests.h — digests of libraries that were read before: while the system says the same of a file (Stamp),
// its bytes are the same, and are not hashed again.
#pragma once

#include "host/base/cache.h"
#include "host/base/fd.h"
#include "host/load/stamp.h"

#include <optional>
#include <string>
#include <vector>

namespace htp {

// One entry of the content cache holds them all. Whoever may write a library is the user, or the system's: others' are
// refused (access.h), and the cache is the user's own.
class FileDigests {
public:
  // Null: nothing is kept.
  explicit FileDigests(const Cache *cache, int64_t now = wall_clock());

  // Of the file that is open, as it is now.
  std::optional<std::string> known(const Fd &file) const;
  // `before` was said of the file before its bytes were read; kept when that is settled and still said.
  void keep(const Fd &file, const Stamp &before, const std::string &sha256);
  void save() const;

private:
  struct Entry {
    Stamp stamp;
    std::string sha256;
  };
  const Cache *cache_;
  int64_t now_;
  std::string key_;
  std::vector<Entry> entries_; // the newest last
  bool changed_ = false;
};

} // namespace htp
