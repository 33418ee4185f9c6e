// htp_orchestra.h — what crosses from a simulated orchestration to the world that simulates it: plain data.
#pragma once

#include <cstddef>
#include <cstdint>

namespace htp_sim {

// One argument of a task as it was submitted: a tensor's bytes [begin, end) of global memory, and of what lies
// row-major, around its buffer's first byte, the part of each dimension. They decide what depends on what.
struct TaskTensor {
  uint64_t begin, end;
  bool reads, writes;
  uint32_t dimensions = 0;                                             // 0: all bytes from begin to end
  uint64_t buffer = 0, strides[5] = {}, from[5] = {}, extents[5] = {}; // strides in bytes
};

// What an orchestration asks of its runtime that none takes.
enum class Misuse {
  task_limits,     // add_task: more than 16 arguments, 32 kernels or 131072 tasks
  pair_limit,      // record_tensor_pair: more than 64
  tensor_last,     // a tensor behind a scalar of a task
  argument_limits, // more than 32 tensors or 16 scalars of one
  automatic_scope, // inside of a manual one
};

struct Orchestra {
  void *world;
  void *(*allocate)(void *world, size_t bytes, const char *what);
  void (*release)(void *world, void *memory);
  int (*copy)(void *world, void *device, void *host, size_t bytes, int to_device);
  void (*pair)(void *world, void *host, void *device, size_t bytes);
  // A task; its number, or -1 after a fault. `args` and what it points to are the caller's; `descriptors` of
  // `descriptor_bytes` bytes are copied, and args[k] for k < tensors then points to the k-th copy.
  int (*submit)(void *world, int func_id, int vector, const uint64_t *args, int count, const void *descriptors,
                size_t descriptor_bytes, int tensors, const char *file, int line);
  // Task `to` runs after `from`.
  int (*edge)(void *world, int from, int to);
  // What the task submitted last says that it reads and writes; `derives`: its edges follow from what earlier tasks
  // write.
  void (*depend)(void *world, int task, const TaskTensor *tensors, int count, int derives);
  void (*fault)(void *world, Misuse what);
};

} // namespace htp_sim
