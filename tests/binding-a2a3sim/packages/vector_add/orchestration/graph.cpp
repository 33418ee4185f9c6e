#include "runtime.h"

extern "C" int build_graph(Runtime *runtime, uint64_t *args, int count) {
  if (count != 4) return -1;
  const uint64_t n = args[3], bytes = n * 4;
  uint64_t device[4] = {0, 0, 0, n};
  for (int k = 0; k < 3; ++k) {
    void *memory = runtime->host_api.device_malloc(bytes);
    if (!memory) return -2;
    device[k] = reinterpret_cast<uint64_t>(memory);
    if (k < 2)
      runtime->host_api.copy_to_device(memory, reinterpret_cast<void *>(args[k]), bytes);
    else
      runtime->record_tensor_pair(reinterpret_cast<void *>(args[k]), memory, bytes);
  }
  return runtime->add_task(device, 4, 0, CoreType::AIV) < 0;
}
