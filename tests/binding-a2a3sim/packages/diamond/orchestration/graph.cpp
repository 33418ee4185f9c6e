#include "runtime.h"

#include <initializer_list>

extern "C" int build_graph(Runtime *runtime, uint64_t *args, int count) {
  if (count != 3) return -1;
  const uint64_t n = args[2], bytes = n * 4, half = n / 32 * 16;
  const auto make = [&] { return reinterpret_cast<uint64_t>(runtime->host_api.device_malloc(bytes)); };
  const uint64_t x = make(), h = make(), p = make(), q = make(), y = make();
  if (!x || !h || !p || !q || !y) return -2;
  runtime->host_api.copy_to_device(reinterpret_cast<void *>(x), reinterpret_cast<void *>(args[0]), bytes);
  runtime->record_tensor_pair(reinterpret_cast<void *>(args[1]), reinterpret_cast<void *>(y), bytes);
  uint64_t to_h[] = {x, h, n, 1}, to_p[] = {h, p, n, 1}, to_q[] = {h, q, n, 2};
  uint64_t low[] = {p, q, y, half}, high[] = {p + half * 4, q + half * 4, y + half * 4, n - half};
  const int a = runtime->add_task(to_h, 4, 0, CoreType::AIV);
  const int b = runtime->add_task(to_p, 4, 0, CoreType::AIV), c = runtime->add_task(to_q, 4, 0, CoreType::AIV);
  if (a < 0 || b < 0 || c < 0) return -3;
  runtime->add_successor(a, b);
  runtime->add_successor(a, c);
  for (uint64_t *part : {low, high}) {
    const int d = runtime->add_task(part, 4, 1, CoreType::AIV);
    if (d < 0) return -3;
    runtime->add_successor(b, d);
    runtime->add_successor(c, d);
  }
  return 0;
}
