// host/base/fd.h — an open file descriptor, closed when it goes.
#pragma once

#include "host/base/fs.h"

#include <unistd.h>

#include <utility>

namespace htp {

class Fd {
public:
  Fd() = default;
  explicit Fd(int fd) : fd_(fd) {}
  Fd(Fd &&other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Fd &operator=(Fd &&other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Fd() { reset(); }

  int get() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }
  int release() { return std::exchange(fd_, -1); } // the caller closes it
  void reset() {
    if (fd_ >= 0) ::close(std::exchange(fd_, -1));
  }

private:
  int fd_ = -1;
};

// The whole of an open file, from where it stands; `path` is for the error. Refused as by read_file.
Expected<std::string, IoError> read_all(const Fd &fd, const std::string &path, uint64_t limit = no_limit);

} // namespace htp
