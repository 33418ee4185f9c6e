// The task runtime of contract simpler/2026-08 as a program, compiled against the user's checkout: what it is told stands in its arguments,
// tensors come by standard input and outputs leave by standard output.
//   driver CONTEXT.so HOST.so AICPU.so AICORE.so ORCHESTRATION.so FUNCTION CONFIG { FUNC_ID KERNEL.so }
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <string>
#include <unistd.h>
#include <vector>

#include "call_config.h"
#include "callable.h"
#include "pto_runtime_c_api.h"
#include "task_args.h"
#include "tensor.h"

namespace {

using Bytes = std::vector<uint8_t>;

[[noreturn]] void fail(const std::string &what) {
  std::fprintf(stderr, "%s\n", what.c_str());
  std::_Exit(1);
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
uint64_t number() {
  uint64_t value = 0;
  take(&value, sizeof value);
  return value;
}

} // namespace

// What the checkout's headers call where they find something wrong.
[[noreturn]] void assert_impl(const char *what, const char *where, int line) { fail(std::string(where) + ":" + std::to_string(line) + ": " + what); }

int main(int argc, char **argv) {
  if (argc < 8 || argc % 2 != 0) fail("seven arguments, then pairs");
  // What the runtime says goes to standard error.
  std::FILE *out = fdopen(dup(1), "wb");
  dup2(2, 1);
  if (!dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL)) fail(dlerror());
  void *host = dlopen(argv[2], RTLD_NOW | RTLD_LOCAL);
  if (!host) fail(dlerror());
  const auto find = [&](auto *&function, const char *name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(host, name));
    if (!function) fail(std::string("the runtime has no ") + name);
  };
  decltype(::create_device_context) *create = nullptr;
  decltype(::simpler_init) *init = nullptr;
  decltype(::simpler_register_callable) *enter = nullptr;
  decltype(::get_runtime_size) *size_of = nullptr;
  decltype(::get_runtime_alignment) *alignment_of = nullptr;
  decltype(::simpler_run) *run = nullptr;
  decltype(::get_pipeline_contract) *contract = nullptr;
  find(create, "create_device_context"), find(init, "simpler_init"), find(enter, "simpler_register_callable"), find(size_of, "get_runtime_size");
  find(alignment_of, "get_runtime_alignment"), find(run, "simpler_run"), find(contract, "get_pipeline_contract");
  if (contract()->abi_version != 1) fail("the runtime's pipeline contract is of version " + std::to_string(contract()->abi_version) + ", not 1");

  struct Given {
    ArgDirection direction;
    uint32_t shape[5];
    Bytes data;
  };
  std::vector<Given> tensors(number());
  std::vector<ArgDirection> directions;
  ChipStorageTaskArgs args{};
  for (Given &t : tensors) {
    t.direction = static_cast<ArgDirection>(number());
    const uint64_t dtype = number(), rank = number();
    for (uint64_t k = 0; k < rank; ++k) t.shape[k] = static_cast<uint32_t>(number());
    t.data.resize(number());
    take(t.data.data(), t.data.size());
    directions.push_back(t.direction);
    args.add_tensor(make_tensor_external(t.data.data(), t.shape, static_cast<uint32_t>(rank), static_cast<DataType>(dtype)));
  }
  for (uint64_t left = number(); left > 0; --left) args.add_scalar(number());

  std::vector<int32_t> ids;
  std::vector<Bytes> kernels;
  for (int k = 8; k < argc; k += 2) {
    const Bytes binary = file(argv[k + 1]);
    ids.push_back(std::atoi(argv[k]));
    kernels.push_back(make_callable<CORE_MAX_TENSOR_ARGS>(nullptr, 0, binary.data(), static_cast<uint32_t>(binary.size())));
  }
  const Bytes aicpu = file(argv[3]), aicore = file(argv[4]), orchestration = file(argv[5]);
  const Bytes whole =
      make_callable<CoreCallable, CHIP_MAX_TENSOR_ARGS, 1024>(directions.data(), static_cast<int32_t>(directions.size()), argv[6], orchestration.data(),
                                                              static_cast<uint32_t>(orchestration.size()), ids.data(), kernels.data(), static_cast<int32_t>(ids.size()), argv[7]);
  const auto check = [](int status, const char *what) {
    if (status != 0) fail(std::string(what) + " gives " + std::to_string(status));
  };
  const auto context = create();
  check(init(context, 0, aicpu.data(), aicpu.size(), aicore.data(), aicore.size(), nullptr, 0, nullptr), "simpler_init");
  check(enter(context, 0, whole.data()), "simpler_register_callable");
  const size_t alignment = alignment_of(), bytes = (size_of() + alignment - 1) / alignment * alignment;
  void *storage = std::aligned_alloc(alignment, bytes);
  if (!storage) fail("there is no memory for the runtime");
  std::memset(storage, 0, bytes);
  NativeRunDescriptor descriptor{};
  descriptor.run_id = descriptor.generation = descriptor.dispatch_id = descriptor.run_epoch = 1;
  CallConfig config{};
  check(run(context, storage, 0, &args, &config, &descriptor), "simpler_run");
  for (const Given &t : tensors)
    if (t.direction != ArgDirection::IN && !t.data.empty()) std::fwrite(t.data.data(), 1, t.data.size(), out);
  std::fclose(out);
  std::_Exit(0); // the runtime's threads may not be over
}
