// host/ast/reserved.h — an append-only array whose address never changes: it lies in address space reserved at the
// start, which costs memory only where it was written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <sys/mman.h>
#include <type_traits>

namespace htp {

template <class T> class Reserved {
  static_assert(std::is_trivially_copyable_v<T>);

public:
  // Reserves addresses for `limit` elements, or for as many as a bounded address space lets us have.
  explicit Reserved(size_t limit) : limit_(limit) {
    for (; limit_ != 0; limit_ /= 2) {
      void *at =
          mmap(nullptr, limit_ * sizeof(T), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
      if (at == MAP_FAILED) continue;
      data_ = static_cast<T *>(at);
      return;
    }
  }
  ~Reserved() {
    if (data_) munmap(data_, limit_ * sizeof(T));
  }
  Reserved(const Reserved &) = delete;
  Reserved &operator=(const Reserved &) = delete;

  T *data() const { return data_; }
  uint32_t size() const { return static_cast<uint32_t>(size_); }
  T &operator[](size_t i) const { return data_[i]; }

  // Appends `count` zeroed elements. The callers ask `has_room` first.
  bool has_room(size_t count) const { return count <= limit_ - size_; }
  T *grow(size_t count) {
    T *at = data_ + size_;
    size_ += count;
    return at;
  }
  void push(const T &value) { *grow(1) = value; }

private:
  T *data_ = nullptr;
  size_t size_ = 0, limit_;
};

} // namespace htp
