#include "tests/support/allocations.h"

#include <atomic>
#include <cstdlib>
#include <ctime>
#include <new>

namespace {
std::atomic<size_t> allocated{0};
}

void *operator new(size_t size) {
  ++allocated;
  if (void *at = std::malloc(size)) return at;
  throw std::bad_alloc();
}
void *operator new(size_t size, const std::nothrow_t &) noexcept {
  ++allocated;
  return std::malloc(size);
}
void operator delete(void *at) noexcept { std::free(at); }
void operator delete(void *at, size_t) noexcept { std::free(at); }
void operator delete(void *at, const std::nothrow_t &) noexcept { std::free(at); }

namespace htp {

size_t allocations() { return allocated; }

double thread_seconds() {
  timespec t{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

} // namespace htp
