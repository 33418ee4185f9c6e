// pto_orchestration_api.h — how an orchestration of contract simpler/2026-08 submits tasks, for HTP's simulator. A task
// depends on the earlier ones that write what it reads (inputs and inouts), on those that make its tensors, and on what
// it names; writing what another one reads orders nothing. In a manual scope it depends on what it names alone.
#pragma once

#include "htp_bind.h"
#include "tensor.h"

#include <cstring>
#include <initializer_list>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#define LOG_ERROR(...) ((void)0)
#define LOG_WARN(...) ((void)0)
#define LOG_INFO(...) ((void)0)
#define LOG_DEBUG(...) ((void)0)

inline constexpr uint32_t MAX_TENSOR_ARGS = 32, MAX_SCALAR_ARGS = 16;

struct PTO2OrchestrationConfig {
  int expected_arg_count;
};

// The arguments of the whole, as the binding gives them.
struct ChipTensorRef {
  const ChipTensor *tensor;
  const ChipTensor &ref() const { return *tensor; }
};
struct ChipTaskArgs {
  const ChipTensor *tensors;
  const uint64_t *scalars;
  int32_t tensor_total, scalar_total;
  ChipTensorRef tensor(int32_t k) const { return {&tensors[k]}; }
  uint64_t scalar(int32_t k) const { return scalars[k]; }
  int32_t tensor_count() const { return tensor_total; }
  int32_t scalar_count() const { return scalar_total; }
};

struct TensorCreateInfo {
  uint32_t shapes[MAX_TENSOR_DIMS], ndims;
  DataType dtype;
  TensorCreateInfo(const uint32_t extents[], uint32_t count, DataType type = DataType::FLOAT32)
      : shapes{}, ndims(count), dtype(type) {
    for (uint32_t k = 0; k < count; ++k) shapes[k] = extents[k];
  }
};

struct PTO2TaskId {
  static constexpr int64_t allocation = -2; // of tensors that no task makes
  int64_t raw = -1;
};

// A task's arguments: tensors first, then scalars. It holds what it is given by address.
class CoreTaskArgs {
public:
  CoreTaskArgs() = default;
  CoreTaskArgs(const CoreTaskArgs &) = delete;
  CoreTaskArgs &operator=(const CoreTaskArgs &) = delete;
  template <class... T> void add_input(const T &...t) { (add({&t, nullptr, true, false}), ...); }
  template <class... T> void add_inout(const T &...t) { (add({&t, nullptr, true, true}), ...); }
  template <class... T> void add_no_dep(const T &...t) { (add({&t, nullptr, false, false}), ...); }
  template <class... T> void add_output(const T &...t) { (add_one_output(t), ...); }
  template <class... T> void add_scalar(T... value) { (add_one_scalar(value), ...); }
  void set_dependencies(const PTO2TaskId *ids, uint32_t count) { after.assign(ids, ids + count); }

  struct Item {
    const ChipTensor *tensor;
    const TensorCreateInfo *make;
    bool reads, writes;
  };
  std::vector<Item> items;
  std::vector<uint64_t> scalars;
  std::vector<PTO2TaskId> after;
  std::optional<htp_sim::Misuse> error;

private:
  void add(const Item &item) {
    if (!scalars.empty()) error = htp_sim::Misuse::tensor_last;
    if (items.size() == MAX_TENSOR_ARGS) error = htp_sim::Misuse::argument_limits;
    items.push_back(item);
  }
  void add_one_output(const ChipTensor &t) { add({&t, nullptr, false, true}); }
  void add_one_output(const TensorCreateInfo &made) { add({nullptr, &made, false, true}); }
  template <class T> void add_one_scalar(T value) {
    static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>);
    if (scalars.size() == MAX_SCALAR_ARGS) error = htp_sim::Misuse::argument_limits;
    uint64_t bits = 0;
    if constexpr (std::is_integral_v<T> || std::is_enum_v<T>)
      bits = static_cast<uint64_t>(value);
    else
      std::memcpy(&bits, &value, sizeof value);
    scalars.push_back(bits);
  }
};

// The tensors that a task makes.
class TaskOutputTensors {
public:
  const ChipTensor &get_ref(uint32_t k) const { return *made_[k]; }
  uint32_t size() const { return static_cast<uint32_t>(made_.size()); }
  PTO2TaskId task_id() const { return {task_}; }

private:
  friend struct HtpSubmit;
  std::vector<const ChipTensor *> made_;
  int64_t task_ = -1;
};

// Scopes end the life of what tasks in them made; here it lives as long as the run.
enum class PTO2ScopeMode { AUTO, MANUAL };
class PTO2ScopeGuard {
public:
  explicit PTO2ScopeGuard(PTO2ScopeMode mode = PTO2ScopeMode::AUTO) : outer_(manual_) {
    if (manual_ && mode == PTO2ScopeMode::AUTO)
      htp_sim::orchestra->fault(htp_sim::orchestra->world, htp_sim::Misuse::automatic_scope);
    manual_ = mode == PTO2ScopeMode::MANUAL;
  }
  ~PTO2ScopeGuard() { manual_ = outer_; }
  PTO2ScopeGuard(const PTO2ScopeGuard &) = delete;
  PTO2ScopeGuard &operator=(const PTO2ScopeGuard &) = delete;
  static bool manual() { return manual_; }

private:
  static inline thread_local bool manual_ = false;
  bool outer_;
};
#define PTO2_SCOPE(...) if (PTO2ScopeGuard htp_scope{__VA_ARGS__}; true)

struct HtpSubmit {
  // What tasks made lives as long as the run: it lies in the world's memory.
  static TaskOutputTensors submit(int func_id, bool vector, const CoreTaskArgs &args, const char *file, int line) {
    const htp_sim::Orchestra &o = *htp_sim::orchestra;
    TaskOutputTensors result;
    if (args.error) return o.fault(o.world, *args.error), result;
    std::vector<ChipTensor> tensors;
    std::vector<size_t> fresh;
    for (const CoreTaskArgs::Item &item : args.items) {
      if (item.make) {
        ChipTensor t = make_tensor_external(nullptr, item.make->shapes, item.make->ndims, item.make->dtype);
        t.buffer.addr = reinterpret_cast<uint64_t>(o.allocate(o.world, t.nbytes(), "a tensor that a task makes"));
        fresh.push_back(tensors.size());
        tensors.push_back(t);
      } else {
        tensors.push_back(*item.tensor);
      }
    }
    std::vector<uint64_t> words(tensors.size());
    words.insert(words.end(), args.scalars.begin(), args.scalars.end());
    const int task = o.submit(o.world, func_id, vector, words.data(), static_cast<int>(words.size()), tensors.data(),
                              sizeof(ChipTensor), static_cast<int>(tensors.size()), file, line);
    if (task < 0) return result;
    std::vector<htp_sim::TaskTensor> touched;
    for (size_t k = 0; k < tensors.size(); ++k) {
      const ChipTensor &t = tensors[k];
      const uint64_t size = get_element_size(t.dtype), begin = t.buffer.addr + t.start_offset * size;
      touched.push_back({begin, begin + t.extent_elem() * size, args.items[k].reads, args.items[k].writes});
      t.describe(touched.back());
      if (t.owner >= 0 && !PTO2ScopeGuard::manual()) o.edge(o.world, static_cast<int>(t.owner), task);
    }
    o.depend(o.world, task, touched.data(), static_cast<int>(touched.size()), !PTO2ScopeGuard::manual());
    for (const PTO2TaskId &id : args.after)
      if (id.raw != PTO2TaskId::allocation) o.edge(o.world, static_cast<int>(id.raw), task);
    result.task_ = task;
    for (const size_t k : fresh) result.made_.push_back(kept(tensors[k], task));
    return result;
  }
  // Tensors that no task makes.
  static TaskOutputTensors allocate(std::initializer_list<const TensorCreateInfo *> all) {
    const htp_sim::Orchestra &o = *htp_sim::orchestra;
    TaskOutputTensors result;
    result.task_ = PTO2TaskId::allocation;
    for (const TensorCreateInfo *one : all) {
      ChipTensor t = make_tensor_external(nullptr, one->shapes, one->ndims, one->dtype);
      t.buffer.addr = reinterpret_cast<uint64_t>(o.allocate(o.world, t.nbytes(), "a tensor that tasks share"));
      result.made_.push_back(kept(t, -1));
    }
    return result;
  }

private:
  static const ChipTensor *kept(const ChipTensor &t, int owner) {
    const htp_sim::Orchestra &o = *htp_sim::orchestra;
    auto *made = static_cast<ChipTensor *>(o.allocate(o.world, sizeof(ChipTensor), nullptr));
    *made = t;
    made->owner = owner;
    return made;
  }
};

inline TaskOutputTensors rt_submit_aiv_task(int32_t kernel, const CoreTaskArgs &args,
                                            const char *file = __builtin_FILE(), int line = __builtin_LINE()) {
  return HtpSubmit::submit(kernel, true, args, file, line);
}
inline TaskOutputTensors rt_submit_aic_task(int32_t kernel, const CoreTaskArgs &args,
                                            const char *file = __builtin_FILE(), int line = __builtin_LINE()) {
  return HtpSubmit::submit(kernel, false, args, file, line);
}
template <class... T> TaskOutputTensors alloc_tensors(const T &...t) {
  static_assert((std::is_same_v<T, TensorCreateInfo> && ...));
  return HtpSubmit::allocate({&t...});
}

inline int32_t rt_available_cluster_count() { return 8; }
inline int32_t rt_available_aiv_count() { return 16; }
