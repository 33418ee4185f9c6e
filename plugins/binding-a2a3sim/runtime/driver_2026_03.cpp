// The task runtime of contract pto-runtime/2026-03 as a program: its input stands in its arguments. It stands apart from the host: the runtime
// has threads, and symbols for everyone.
//   driver RUNTIME HOST.so AICPU.so AICORE.so ORCHESTRATION.so FUNCTION { FUNC_ID KERNEL.so }
#include "driver.h"

using namespace driver;

int main(int argc, char **argv) {
  if (argc < 7 || argc % 2 != 1) fail("six arguments, then pairs");
  std::FILE *const to = outputs();
  // Of the runtime with a ring buffer one thread builds the graph, and three hand out its tasks: the blocks are shared among these.
  const bool ring = std::string(argv[1]) == "tensormap_and_ringbuffer";
  const int threads = ring ? 4 : 2, blocks = ring ? 3 : 2;
  void *host = library(argv[2], RTLD_GLOBAL);
  size_t (*size_of)();
  int (*set_device)(int);
  int (*init)(void *, const uint8_t *, size_t, const char *, uint64_t *, int, int *, uint64_t *, const int *, const uint8_t *const *, const size_t *, int);
  int (*launch)(void *, int, int, int, const uint8_t *, size_t, const uint8_t *, size_t);
  int (*finalize)(void *);
  find(host, size_of, "get_runtime_size"), find(host, set_device, "set_device"), find(host, init, "init_runtime");
  find(host, launch, "launch_runtime"), find(host, finalize, "finalize_runtime");

  Given all = given();
  std::vector<uint64_t> words, sizes;
  std::vector<int> kinds;
  for (Argument &t : all.tensors) {
    words.push_back(reinterpret_cast<uint64_t>(t.data.data()));
    kinds.push_back(static_cast<int>(t.direction)), sizes.push_back(t.data.size());
  }
  for (const uint64_t s : all.scalars) words.push_back(s), kinds.push_back(0), sizes.push_back(0);

  const Bytes aicpu = file(argv[3]), aicore = file(argv[4]), orchestration = file(argv[5]);
  std::vector<int> ids;
  std::vector<Bytes> kernels;
  for (int k = 7; k < argc; k += 2) ids.push_back(std::atoi(argv[k])), kernels.push_back(file(argv[k + 1]));
  std::vector<const uint8_t *> binaries;
  std::vector<size_t> lengths;
  for (const Bytes &b : kernels) binaries.push_back(b.data()), lengths.push_back(b.size());

  void *runtime = std::calloc(1, size_of());
  if (!runtime) fail("there is no memory for the runtime");
  check(set_device(0), "set_device");
  check(init(runtime, orchestration.data(), orchestration.size(), argv[6], words.data(), static_cast<int>(words.size()), kinds.data(), sizes.data(),
             ids.data(), binaries.data(), lengths.data(), static_cast<int>(ids.size())),
        "init_runtime");
  check(launch(runtime, threads, blocks, 0, aicpu.data(), aicpu.size(), aicore.data(), aicore.size()), "launch_runtime");
  check(finalize(runtime), "finalize_runtime");
  give(all, to);
}
