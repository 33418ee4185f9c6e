// plugins/binding-aiesim/machine/apart.h — what others wrote in C++ runs in a process of its own, on tiles between
// pages that nobody may touch.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>

namespace htp::aiesim {

// What a process is doing, for whoever watches it.
struct Watch {
  std::atomic<uint64_t> beats{0};    // goes up while cores go on
  std::atomic<int32_t> external{-1}; // the function that is called; -1: none
};

// The first calls of a function: of each what it was given, a number as a double, and what it gave, one after the
// other. In memory that a child shares.
struct Calls {
  uint64_t *count = nullptr; // that have come back
  uint8_t *at = nullptr;
  size_t bytes = 0, limit = 0; // of a call; how many there may be
};

// A copy of a tile for one call. Its last byte lies in the last 64 before a page that cannot be touched, another such
// page is in front, and what is between is looked at afterwards.
class Lent {
public:
  Lent() = default;
  Lent(const Lent &) = delete;
  Lent &operator=(const Lent &) = delete;
  ~Lent();
  void *lend(const void *tile, int64_t bytes);
  // A result goes to its tile; what is no result must be as it was. What was wrong, or nothing.
  std::string back(void *tile, bool result) const;
  const uint8_t *data() const { return begin_; }
  size_t bytes() const { return bytes_; }

private:
  uint8_t *pages_ = nullptr, *begin_ = nullptr;
  size_t mapped_ = 0, bytes_ = 0, usable_ = 0; // of all; of the tile; between the pages
};

struct Ending {
  enum class How : uint8_t { finished, signalled, stuck, cancelled } how = How::finished;
  int signal = 0;
};
// Does the work in a child process, which shares nothing with this one but memory that is mapped so. It is ended when
// `watch`, which lies there, has not gone up for as many seconds.
Ending apart(const Watch &watch, int64_t seconds, const std::function<void()> &work,
             const std::function<bool()> &cancelled);

// Memory that a child shares; throws std::bad_alloc.
class Shared {
public:
  explicit Shared(size_t bytes);
  Shared(const Shared &) = delete;
  Shared &operator=(const Shared &) = delete;
  ~Shared();
  uint8_t *data() const { return data_; }

private:
  uint8_t *data_;
  size_t bytes_;
};

} // namespace htp::aiesim
