// host/base/sweep.h — what stands in a content cache, and how it is made smaller.
#pragma once

#include "host/base/cache.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace htp {

struct CacheEntry {
  enum class Kind { blob, folder, rest } kind; // `rest` is what a process left that was ended while it wrote
  std::string path;
  uint64_t bytes;
  int64_t used; // seconds since 1970, of its last use; the file system may tell that to a day
};

// Oldest use first. Empty where the cache is off.
std::vector<CacheEntry> cache_entries(const Cache &cache);

// Removes what was not used since `before`, and then, longest unused first, until the entries are at most so many
// bytes. Others may use the cache meanwhile: what one of them fills stays. Gives what was removed.
std::vector<CacheEntry> sweep(const Cache &cache, int64_t before, std::optional<uint64_t> most);

} // namespace htp
