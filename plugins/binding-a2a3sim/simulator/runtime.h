// runtime.h — the task graph that an orchestration of contract pto-runtime/2026-03 builds on the host, for HTP's
// simulator.
#pragma once

#include "htp_bind.h"

#include <cstring>

enum class CoreType : int { AIC = 0, AIV = 1 };

inline constexpr int RUNTIME_MAX_ARGS = 16, RUNTIME_MAX_FUNC_ID = 32, RUNTIME_MAX_TENSOR_PAIRS = 64,
                     RUNTIME_MAX_TASKS = 131072, RUNTIME_MAX_FANOUT = 512;

struct HostApi {
  void *(*device_malloc)(size_t) = [](size_t bytes) {
    return htp_sim::orchestra->allocate(htp_sim::orchestra->world, bytes, "device memory");
  };
  void (*device_free)(void *) = [](void *memory) { htp_sim::orchestra->release(htp_sim::orchestra->world, memory); };
  int (*copy_to_device)(void *, const void *, size_t) = [](void *device, const void *host, size_t bytes) {
    return htp_sim::orchestra->copy(htp_sim::orchestra->world, device, const_cast<void *>(host), bytes, 1);
  };
  int (*copy_from_device)(void *, const void *, size_t) = [](void *host, const void *device, size_t bytes) {
    return htp_sim::orchestra->copy(htp_sim::orchestra->world, const_cast<void *>(device), host, bytes, 0);
  };
};

class Runtime {
public:
  HostApi host_api;

  int add_task(uint64_t *args, int count, int func_id, CoreType core = CoreType::AIV,
               const char *file = __builtin_FILE(), int line = __builtin_LINE()) {
    const htp_sim::Orchestra &o = *htp_sim::orchestra;
    if (count > RUNTIME_MAX_ARGS || func_id < 0 || func_id >= RUNTIME_MAX_FUNC_ID || tasks_ >= RUNTIME_MAX_TASKS) {
      o.fault(o.world, htp_sim::Misuse::task_limits);
      return -1;
    }
    ++tasks_;
    return o.submit(o.world, func_id, core == CoreType::AIV, args, count, nullptr, 0, 0, file, line);
  }
  void add_successor(int from, int to) { htp_sim::orchestra->edge(htp_sim::orchestra->world, from, to); }
  void record_tensor_pair(void *host, void *device, size_t bytes) {
    const htp_sim::Orchestra &o = *htp_sim::orchestra;
    if (++pairs_ > RUNTIME_MAX_TENSOR_PAIRS) return o.fault(o.world, htp_sim::Misuse::pair_limit);
    o.pair(o.world, host, device, bytes);
  }
  int get_task_count() const { return tasks_; }
  int get_tensor_pair_count() const { return pairs_; }
  void print_runtime() const {}

private:
  int tasks_ = 0, pairs_ = 0;
};

extern "C" __attribute__((used, visibility("default"))) inline void *htp_make_runtime() { return new Runtime; }
extern "C" __attribute__((used, visibility("default"))) inline void htp_drop_runtime(void *runtime) {
  delete static_cast<Runtime *>(runtime);
}
