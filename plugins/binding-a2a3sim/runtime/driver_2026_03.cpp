// The task runtime of contract pto-runtime/2026-03, host_build_graph, as a program: what it is told stands in its arguments, tensors come by
// standard input and outputs leave by standard output. It stands apart from the host: the runtime has threads, and symbols for everyone.
//   driver HOST.so AICPU.so AICORE.so ORCHESTRATION.so FUNCTION { FUNC_ID KERNEL.so }
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <string>
#include <unistd.h>
#include <vector>

namespace {

using Bytes = std::vector<uint8_t>;

[[noreturn]] void fail(const std::string &what) {
  std::fprintf(stderr, "%s\n", what.c_str());
  std::exit(1);
}

Bytes file(const char *path) {
  std::FILE *f = std::fopen(path, "rb");
  if (!f) fail(std::string("cannot read ") + path);
  Bytes bytes;
  uint8_t part[65536];
  for (size_t n; (n = std::fread(part, 1, sizeof part, f)) > 0;) bytes.insert(bytes.end(), part, part + n);
  std::fclose(f);
  return bytes;
}

void take(void *to, size_t n) {
  if (n && std::fread(to, 1, n, stdin) != n) fail("standard input ends too early");
}
template <class T> T number() {
  T value;
  take(&value, sizeof value);
  return value;
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 6 || argc % 2 != 0) fail("five arguments, then pairs");
  // What the runtime says goes to standard error.
  std::FILE *out = fdopen(dup(1), "wb");
  dup2(2, 1);
  void *host = dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL);
  if (!host) fail(dlerror());
  const auto find = [&](auto &function, const char *name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(host, name));
    if (!function) fail(std::string("the runtime has no ") + name);
  };
  size_t (*get_runtime_size)();
  int (*set_device)(int);
  int (*init_runtime)(void *, const uint8_t *, size_t, const char *, uint64_t *, int, int *, uint64_t *, const int *, const uint8_t *const *, const size_t *, int);
  int (*launch_runtime)(void *, int, int, int, const uint8_t *, size_t, const uint8_t *, size_t);
  int (*finalize_runtime)(void *);
  find(get_runtime_size, "get_runtime_size"), find(set_device, "set_device"), find(init_runtime, "init_runtime");
  find(launch_runtime, "launch_runtime"), find(finalize_runtime, "finalize_runtime");

  std::vector<Bytes> tensors(number<uint64_t>());
  std::vector<uint64_t> words, sizes;
  std::vector<int> kinds;
  for (Bytes &t : tensors) {
    kinds.push_back(static_cast<int>(number<uint64_t>()));
    t.resize(number<uint64_t>());
    take(t.data(), t.size());
    words.push_back(reinterpret_cast<uint64_t>(t.data()));
    sizes.push_back(t.size());
  }
  for (uint64_t left = number<uint64_t>(); left > 0; --left) words.push_back(number<uint64_t>()), kinds.push_back(0), sizes.push_back(0);

  const Bytes aicpu = file(argv[2]), aicore = file(argv[3]), orchestration = file(argv[4]);
  std::vector<int> ids;
  std::vector<Bytes> kernels;
  for (int k = 6; k < argc; k += 2) ids.push_back(std::atoi(argv[k])), kernels.push_back(file(argv[k + 1]));
  std::vector<const uint8_t *> binaries;
  std::vector<size_t> lengths;
  for (const Bytes &b : kernels) binaries.push_back(b.data()), lengths.push_back(b.size());

  void *runtime = std::calloc(1, get_runtime_size());
  if (!runtime) fail("there is no memory for the runtime");
  if (const int s = set_device(0)) fail("set_device gives " + std::to_string(s));
  if (const int s = init_runtime(runtime, orchestration.data(), orchestration.size(), argv[5], words.data(), static_cast<int>(words.size()), kinds.data(), sizes.data(), ids.data(),
                                 binaries.data(), lengths.data(), static_cast<int>(ids.size())))
    fail("init_runtime gives " + std::to_string(s));
  if (const int s = launch_runtime(runtime, 2, 2, 0, aicpu.data(), aicpu.size(), aicore.data(), aicore.size())) fail("launch_runtime gives " + std::to_string(s));
  if (const int s = finalize_runtime(runtime)) fail("finalize_runtime gives " + std::to_string(s));
  for (size_t k = 0; k < tensors.size(); ++k)
    if (kinds[k] != 1 && !tensors[k].empty()) std::fwrite(tensors[k].data(), 1, tensors[k].size(), out);
  std::fclose(out);
  _exit(0); // the runtime's threads may not be over
}
