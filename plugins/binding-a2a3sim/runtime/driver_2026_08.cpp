// The task runtime of contract simpler/2026-08 as a program, compiled against the user's checkout: its input stands in its arguments.
//   driver CONTEXT.so HOST.so AICPU.so AICORE.so ORCHESTRATION.so FUNCTION CONFIG { FUNC_ID KERNEL.so }
#include "driver.h"

#include "call_config.h"
#include "callable.h"
#include "pto_runtime_c_api.h"
#include "task_args.h"
#include "tensor.h"

using namespace driver;

// What the checkout's headers call where they find something wrong.
[[noreturn]] void assert_impl(const char *what, const char *where, int line) { fail(std::string(where) + ":" + std::to_string(line) + ": " + what); }

int main(int argc, char **argv) {
  if (argc < 8 || argc % 2 != 0) fail("seven arguments, then pairs");
  std::FILE *const to = outputs();
  library(argv[1], RTLD_GLOBAL);
  void *host = library(argv[2], RTLD_LOCAL);
  decltype(::create_device_context) *create = nullptr;
  decltype(::simpler_init) *init = nullptr;
  decltype(::simpler_register_callable) *enter = nullptr;
  decltype(::get_runtime_size) *size_of = nullptr;
  decltype(::get_runtime_alignment) *alignment_of = nullptr;
  decltype(::simpler_run) *run = nullptr;
  decltype(::get_pipeline_contract) *contract = nullptr;
  find(host, create, "create_device_context"), find(host, init, "simpler_init"), find(host, enter, "simpler_register_callable");
  find(host, size_of, "get_runtime_size"), find(host, alignment_of, "get_runtime_alignment"), find(host, run, "simpler_run");
  find(host, contract, "get_pipeline_contract");
  if (contract()->abi_version != 1) fail("the runtime's pipeline contract is of version " + std::to_string(contract()->abi_version) + ", not 1");

  Given all = given();
  std::vector<ArgDirection> directions;
  ChipStorageTaskArgs args{};
  for (Argument &t : all.tensors) {
    directions.push_back(t.direction == in ? ArgDirection::IN : t.direction == out ? ArgDirection::OUT : ArgDirection::INOUT);
    args.add_tensor(make_tensor_external(t.data.data(), t.shape.data(), static_cast<uint32_t>(t.shape.size()), static_cast<DataType>(t.dtype)));
  }
  for (const uint64_t s : all.scalars) args.add_scalar(s);

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
  give(all, to);
}
