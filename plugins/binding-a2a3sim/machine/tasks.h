// machine/tasks.h — the world of one run: global memory and the task graph that an orchestration builds, and its
// execution in an order that the dependences allow.
#pragma once

#include "core.h"

#include "htp_orchestra.h"

#include <string_view>
#include <tuple>

namespace htp::a2a3sim {

inline constexpr size_t cube_cores = 24, vector_cores = 48; // of the machine

struct Kernel {
  std::string name;
  bool vector = true;
  std::function<void(Core &, std::vector<int64_t> &values)> run;
};

// `AIC 2` comes before `AIC 10`.
struct CoreOrder {
  bool operator()(const std::string &a, const std::string &b) const {
    const auto key = [](const std::string &core) {
      return std::tuple(std::string_view(core).substr(0, core.find(' ')), core.size(), std::string_view(core));
    };
    return key(a) < key(b);
  }
};

// When what ran, in cycles.
struct Timeline {
  struct Slice {
    std::string name, track;
    double begin, cycles;
  };
  struct Task {
    uint32_t number;
    int func_id;
    std::string kernel, core;
    double begin, cycles;
    std::vector<uint32_t> after;
  };
  std::vector<Slice> slices;
  std::vector<Task> tasks;                                       // in the order in which they are handed in
  std::map<std::string, std::map<Pipe, double>, CoreOrder> busy; // cycles of each pipe of each core
  std::map<int, std::pair<uint32_t, Record>> records;            // of each kernel's first task
  double cycles = 0;
  double moved = 0, held = 0; // bytes that all tasks load and store, and that all tensors take
  std::string core;           // whose pipe is busy longest
  Pipe pipe = htp_sim::PIPE_S_;
  double share = 0; // for which part of the time
  std::string bound() const;
};

class Tasks : public World {
public:
  explicit Tasks(const std::map<int, Kernel> &kernels);

  const htp_sim::Orchestra &orchestra() const { return orchestra_; }
  // Host memory that an orchestration may copy; `name` for reports. What is not `meant` is for output only: it holds
  // nothing yet, copied or not.
  void host(std::string name, void *data, const Spread &spread, bool meant);
  // Whether global memory holds so many bytes more. Throws Fault.
  void hold(uint64_t bytes) const;
  // A tensor in global memory, written when `data` is given.
  Memory &tensor(std::string name, const Spread &spread, const void *data);
  // Whether a run has written all of an output, and nothing between its elements. Throws Fault.
  static void hold_output(const std::string &name, const Memory &memory);
  // Runs all tasks; a Fault ends it. Order 0 is that of submission, 1 takes the latest task that is ready, others are
  // random. What does not `compute` checks everything, and leaves memory as it is.
  void run(uint64_t order, Timeline *timeline, bool computes = true);
  // When the tasks would run that take as long as those of another run: of each kernel in their order.
  void schedule(const Timeline &measured, Timeline &timeline);
  // Copies the recorded pairs back.
  void finish();

  Memory *find(const void *address, uint64_t bytes, uint64_t &offset) override;
  bool before(uint32_t task, uint32_t other) const override;
  std::string task_name(uint32_t task) const override;
  void touched(uint32_t task, const Memory &memory, uint64_t begin, uint64_t end, bool write, Where where) override;
  // How many tasks run a kernel.
  uint64_t tasks_of(int func_id) const;
  // Calls f(func_id, count, values, declared) for each task, with how many arguments it is given, these, and what it
  // declares to read and write of its tensors, where a contract asks for that.
  template <class F> void each_task(F &&f) const {
    for (const Task &t : tasks_) f(t.kernel, t.count, t.values, t.declared);
  }
  // Calls f(func_id, k, memory) for each argument of each task that is an address in global memory.
  template <class F> void each_tensor(F &&f) {
    for (const Task &t : tasks_)
      for (size_t k = 0; k < t.values.size(); ++k) {
        uint64_t offset = 0;
        if (const Memory *m = t.values[k] ? find(reinterpret_cast<void *>(t.values[k]), 0, offset) : nullptr)
          f(t.kernel, k, *m);
      }
  }

private:
  struct Task {
    int kernel;
    std::vector<int64_t> values;
    std::unique_ptr<uint8_t[]> descriptors;
    std::vector<uint32_t> after;               // those it waits for
    std::vector<uint64_t> ancestors;           // a bit a task; empty: none
    std::vector<htp_sim::TaskTensor> declared; // what it declares to read and write, where a contract asks
    std::vector<const Memory *> wrote;
    int count = 0; // of arguments
    double cycles = 0;
    Record record;
  };
  struct Write {
    htp_sim::TaskTensor tensor;
    uint32_t task;
  };
  struct Host {
    std::string name;
    uint8_t *data;
    Spread spread;
    bool meant;
  };
  struct Pair {
    uint8_t *host;
    Memory *device;
    uint64_t bytes;
  };

  int submit(int func_id, bool vector, const uint64_t *args, int count, const void *descriptors,
             size_t descriptor_bytes, int tensors, Where where);
  int edge(int from, int to);
  void depend(int task, const htp_sim::TaskTensor *tensors, int count, bool derives);
  void *allocate(size_t bytes, const char *what);
  int copy(void *device, void *host, size_t bytes, bool to_device);
  void pair(void *host, void *device, size_t bytes);
  const Host *host_of(const void *data, uint64_t bytes) const;
  [[noreturn]] void fail(Refusal why) const;
  void order_tasks();
  void draw(Timeline &timeline) const;

  const std::map<int, Kernel> &kernels_;
  std::map<uintptr_t, std::unique_ptr<Memory>> memories_; // by address
  std::vector<std::unique_ptr<uint8_t[]>> other_;
  std::vector<Host> hosts_;
  std::vector<Pair> pairs_;
  std::map<const Memory *, std::string> host_of_device_; // what was copied to it
  std::vector<Task> tasks_;
  std::map<int, std::multimap<uint64_t, Write>> writes_; // by the bits of their lengths, then by where they begin
  uint64_t allocated_ = 0;
  htp_sim::Orchestra orchestra_{};
};

} // namespace htp::a2a3sim
