// host/load/stamp.h — what the system says of a file or a folder without opening it. While it says the same, the file's
// bytes, the folder's names and who may change them are the same, under two conditions: the file system keeps its times
// (keeps_times), and nothing was written just before it was looked at (settled).
#pragma once

#include "host/base/fd.h"

#include <sys/stat.h>

#include <algorithm>
#include <cstdint>

namespace htp {

struct Stamp {
  uint64_t device = 0, inode = 0, size = 0;
  int64_t written = 0, changed = 0; // nanoseconds since the epoch
  uint32_t mode = 0, owner = 0;

  friend bool operator==(const Stamp &, const Stamp &) = default;

  // Taken at `now` or later: what is written after `now` will have another stamp. Clocks of files are coarse, so what
  // was written shortly before may be written again without a sign.
  bool settled(int64_t now) const { return std::max(written, changed) < now - coarsest; }
  static constexpr int64_t coarsest = 2'000'000'000; // FAT's
};

Stamp stamp_of(const struct stat &file);

int64_t wall_clock(); // nanoseconds since the epoch

// Whether each write to the file system that the folder lies in changes the times that every process sees from then on.
// Of file systems over a network, of FUSE and of what is not known it is not said.
bool keeps_times(const Fd &folder);

} // namespace htp
