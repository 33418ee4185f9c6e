#include "host/load/stamp.h"

#include <linux/magic.h>
#include <sys/vfs.h>

#include <ctime>

namespace htp {

namespace {

int64_t nanoseconds(const timespec &time) { return int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec; }

} // namespace

Stamp stamp_of(const struct stat &file) {
  return {file.st_dev,
          file.st_ino,
          static_cast<uint64_t>(file.st_size),
          nanoseconds(file.st_mtim),
          nanoseconds(file.st_ctim),
          file.st_mode,
          file.st_uid};
}

int64_t wall_clock() {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  return nanoseconds(now);
}

bool keeps_times(const Fd &folder) {
  constexpr long xfs = 0x58465342, zfs = 0x2fc12fc1, bcachefs = static_cast<int>(0xca451a4e);
  struct statfs system {};
  if (!folder || ::fstatfs(folder.get(), &system) != 0) return false;
  switch (system.f_type) {
  case EXT4_SUPER_MAGIC: // of ext2 and ext3 too
  case BTRFS_SUPER_MAGIC:
  case F2FS_SUPER_MAGIC:
  case TMPFS_MAGIC:
  case RAMFS_MAGIC:
  case OVERLAYFS_SUPER_MAGIC:
  case SQUASHFS_MAGIC:
  case EROFS_SUPER_MAGIC_V1:
  case xfs:
  case zfs:
  case bcachefs: return true;
  default: return false;
  }
}

} // namespace htp
