#include "host/base/memory.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace htp {

namespace {

// A number of /proc/self/statm, which counts pages. Takes no memory, of which there may be none.
uint64_t pages(unsigned field) {
  char text[128];
  const int fd = ::open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return 0;
  const ssize_t size = ::read(fd, text, sizeof text - 1);
  ::close(fd);
  text[size < 0 ? 0 : size] = '\0';
  const char *at = text;
  for (; field && *at; ++at) field -= *at == ' ';
  return std::strtoull(at, nullptr, 10) * static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
}

} // namespace

uint64_t address_space_used() { return pages(0); }
uint64_t memory_used() { return pages(1); }

uint64_t address_space_left() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return ~uint64_t{0};
  const uint64_t used = address_space_used();
  return used < limit.rlim_cur ? limit.rlim_cur - used : 0;
}

void allow_stack(uint64_t bytes) {
  rlimit limit{};
  if (::getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= bytes || address_space_left() / 8 < bytes) return;
  limit.rlim_cur = std::min<rlim_t>(bytes, limit.rlim_max);
  ::setrlimit(RLIMIT_STACK, &limit);
}

uint64_t stack_left() {
  pthread_attr_t attributes;
  if (::pthread_getattr_np(::pthread_self(), &attributes) != 0) return 0;
  void *bottom = nullptr;
  size_t size = 0;
  ::pthread_attr_getstack(&attributes, &bottom, &size);
  ::pthread_attr_destroy(&attributes);
  return static_cast<uint64_t>(reinterpret_cast<char *>(&attributes) - static_cast<char *>(bottom));
}

} // namespace htp
