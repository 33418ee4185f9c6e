// What the programs that run a task runtime of the user's checkout have in common: files, what they are given by standard input, and the runtime's
// symbols. What they say goes to standard error; outputs leave by what was standard output.
//   standard input: numbers of 8 bytes. How many tensors; of each its direction (1 in, 2 out, 3 both), its dtype, its rank and its extents, how many
//   bytes it has, and these; how many scalars, and these.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <string>
#include <type_traits>
#include <unistd.h>
#include <vector>

namespace driver {

using Bytes = std::vector<uint8_t>;

[[noreturn]] inline void fail(const std::string &what) {
  std::fprintf(stderr, "%s\n", what.c_str());
  std::_Exit(1);
}
inline void check(int status, const char *what) {
  if (status != 0) fail(std::string(what) + " gives " + std::to_string(status));
}

inline Bytes file(const char *path) {
  std::FILE *f = std::fopen(path, "rb");
  if (!f) fail(std::string("cannot read ") + path);
  Bytes bytes;
  uint8_t part[65536];
  for (size_t n; (n = std::fread(part, 1, sizeof part, f)) > 0;) bytes.insert(bytes.end(), part, part + n);
  std::fclose(f);
  return bytes;
}

enum Direction : uint64_t { in = 1, out = 2, both = 3 };
struct Argument {
  uint64_t direction, dtype;
  std::vector<uint32_t> shape;
  Bytes data;
};
struct Given {
  std::vector<Argument> tensors;
  std::vector<uint64_t> scalars;
};

inline void take(void *to, size_t n) {
  if (n && std::fread(to, 1, n, stdin) != n) fail("standard input ends too early");
}
inline uint64_t number() {
  uint64_t value = 0;
  take(&value, sizeof value);
  return value;
}
inline Given given() {
  Given all;
  all.tensors.resize(number());
  for (Argument &t : all.tensors) {
    t.direction = number(), t.dtype = number();
    t.shape.resize(number());
    for (uint32_t &extent : t.shape) extent = static_cast<uint32_t>(number());
    t.data.resize(number());
    take(t.data.data(), t.data.size());
  }
  all.scalars.resize(number());
  for (uint64_t &s : all.scalars) s = number();
  return all;
}

// Standard output is the runtime's from now on, and goes to standard error; this is what outputs are written to.
inline std::FILE *outputs() {
  std::FILE *to = fdopen(dup(1), "wb");
  dup2(2, 1);
  return to;
}
// Writes the outputs and ends the program, whose threads may not be over.
[[noreturn]] inline void give(const Given &all, std::FILE *to) {
  for (const Argument &t : all.tensors)
    if (t.direction != in && !t.data.empty()) std::fwrite(t.data.data(), 1, t.data.size(), to);
  std::fclose(to);
  std::_Exit(0);
}

inline void *library(const char *path, int how) {
  void *opened = dlopen(path, RTLD_NOW | how);
  if (!opened) fail(dlerror());
  return opened;
}
template <class F> void find(void *library, F *&function, const char *name) {
  function = reinterpret_cast<F *>(dlsym(library, name));
  if (!function) fail(std::string("the runtime has no ") + name);
}

} // namespace driver
