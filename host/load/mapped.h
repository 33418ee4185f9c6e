// host/load/mapped.h — a file's bytes, mapped for reading.
#pragma once

#include "host/base/fd.h"

#include <sys/mman.h>
#include <sys/stat.h>

#include <string_view>

namespace htp {

// Only for files that nobody shortens meanwhile: sealed ones, or the system's.
class Mapped {
public:
  Mapped() = default;
  explicit Mapped(const Fd &fd) {
    struct stat status {};
    if (!fd || ::fstat(fd.get(), &status) != 0 || !S_ISREG(status.st_mode) || status.st_size == 0) return;
    void *const at = ::mmap(nullptr, static_cast<size_t>(status.st_size), PROT_READ, MAP_PRIVATE, fd.get(), 0);
    if (at != MAP_FAILED) bytes_ = {static_cast<const char *>(at), static_cast<size_t>(status.st_size)};
  }
  Mapped(Mapped &&other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}
  Mapped &operator=(Mapped &&other) noexcept {
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~Mapped() {
    if (!bytes_.empty()) ::munmap(const_cast<char *>(bytes_.data()), bytes_.size());
  }

  std::string_view bytes() const { return bytes_; } // empty: it cannot be mapped

private:
  std::string_view bytes_;
};

} // namespace htp
