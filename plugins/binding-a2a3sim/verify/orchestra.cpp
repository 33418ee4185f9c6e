// An orchestration's text, run: what it submits goes to the world.
#include "interpret.h"
#include "verify.h"

namespace htp::a2a3sim {

namespace {

using Form = Value::Kind;

struct NamedConstant {
  const char *name;
  int64_t value;
};
constexpr NamedConstant constants_of_tasks[] = {
    {"DataType::FLOAT32", 0},   {"DataType::FLOAT16", 1},    {"DataType::INT32", 2},    {"DataType::INT16", 3},
    {"DataType::INT8", 4},      {"DataType::UINT8", 5},      {"DataType::BFLOAT16", 6}, {"DataType::INT64", 7},
    {"DataType::UINT64", 8},    {"DataType::UINT16", 9},     {"DataType::UINT32", 10},  {"DataType::BOOL", 11},
    {"CoreType::AIC", 0},       {"CoreType::AIV", 1},        {"PTO2_WORKER_CUBE", 0},   {"PTO2_WORKER_VECTOR", 1},
    {"PTO2ScopeMode::AUTO", 0}, {"PTO2ScopeMode::MANUAL", 1}};

constexpr int most_tasks = 131072; // of the runtimes

uint64_t element_bytes(int64_t type) {
  constexpr uint8_t sizes[] = {4, 2, 4, 2, 1, 1, 2, 8, 8, 2, 4, 1};
  return type >= 0 && type < 12 ? sizes[type] : 1;
}

struct Tensor : Object {
  uint64_t address = 0, buffer = 0;          // where its first element lies, and that of what it is a part of
  std::vector<int64_t> shape, strides, from; // from: where it begins in that
  int64_t data_type = 0;
  int owner = -1; // the task that makes it

  uint64_t span() const { // bytes from its first element to behind its last
    int64_t last = 1;
    for (size_t k = 0; k < shape.size(); ++k) {
      if (shape[k] <= 0) return 0;
      last += (shape[k] - 1) * strides[k];
    }
    return static_cast<uint64_t>(last) * element_bytes(data_type);
  }
  void lies_at(uint64_t first) { address = buffer = first; }
  htp_sim::TaskTensor touched(bool reads, bool writes) const {
    htp_sim::TaskTensor t{address, address + span(), reads, writes};
    if (shape.empty() || shape.size() > 5 || span() == 0) return t;
    t.dimensions = static_cast<uint32_t>(shape.size()), t.buffer = buffer;
    for (size_t k = 0; k < shape.size(); ++k)
      t.strides[k] = static_cast<uint64_t>(strides[k]) * element_bytes(data_type),
      t.from[k] = static_cast<uint64_t>(from[k]), t.extents[k] = static_cast<uint64_t>(shape[k]);
    return t;
  }
  void compact() {
    strides.assign(shape.size(), 1), from.assign(shape.size(), 0);
    for (size_t k = shape.size(); k-- > 1;) strides[k - 1] = strides[k] * shape[k];
  }
  bool member(const std::string &, Value &) override { return false; }
  bool call(const std::string &name, std::vector<Value> &a, int, Value &result) override {
    if (name == "ref") return result = Value::of(std::make_shared<Tensor>(*this)), true;
    if (name == "view" && a.size() == 2 && a[0].items && a[1].items) {
      auto part = std::make_shared<Tensor>(*this);
      for (size_t k = 0; k < shape.size() && k < a[0].items->size() && k < a[1].items->size(); ++k) {
        part->shape[k] = (*a[0].items)[k].integer;
        part->address += static_cast<uint64_t>((*a[1].items)[k].integer * strides[k]) * element_bytes(data_type);
        part->from[k] += (*a[1].items)[k].integer;
      }
      return result = Value::of(part), true;
    }
    return false;
  }
};

struct Item { // an argument of a task
  std::shared_ptr<Tensor> tensor;
  bool makes = false; // the task makes it
  bool reads = false, writes = false;
  uint64_t scalar = 0;
};
struct Made : Object { // what a task makes
  static constexpr int allocation = -2;
  std::vector<std::shared_ptr<Tensor>> tensors;
  int task = -1; // or that no task makes them
  bool member(const std::string &, Value &) override { return false; }
  bool call(const std::string &name, std::vector<Value> &a, int, Value &result) override {
    if (name == "task_id") return result = Value::of(task), true;
    if (name != "get_ref" || a.size() != 1 || a[0].integer < 0 || static_cast<size_t>(a[0].integer) >= tensors.size())
      return false;
    return result = Value::of(tensors[static_cast<size_t>(a[0].integer)]), true;
  }
};
struct TaskArguments : Object {
  std::vector<Item> items;
  std::vector<int> after;
  bool member(const std::string &, Value &) override { return false; }
  bool call(const std::string &name, std::vector<Value> &a, int line, Value &) override {
    if (name == "set_dependencies" && a.size() == 2 && a[0].items) {
      for (int64_t k = 0; k < a[1].integer; ++k)
        after.push_back(static_cast<int>((*a[0].items)[static_cast<size_t>(k)].integer));
      return true;
    }
    for (Value &v : a) {
      Item item;
      if (name == "add_scalar") {
        item.scalar = static_cast<uint64_t>(v.integer);
      } else {
        item.tensor = std::dynamic_pointer_cast<Tensor>(v.object);
        if (!item.tensor) return false;
        item.makes = v.text == "TensorCreateInfo";
        item.reads = name == "add_input" || name == "add_inout",
        item.writes = name == "add_output" || name == "add_inout";
        if (!item.reads && !item.writes && name != "add_no_dep") return false;
        if (!items.empty() && !items.back().tensor) throw NotRun{line, "a tensor stands behind a scalar"};
      }
      items.push_back(std::move(item));
    }
    return true;
  }
};

class OrchestraRun : public Interpreter {
public:
  OrchestraRun(const Unit &unit, const std::string &path, const std::vector<Argument> &arguments,
               const std::vector<uint64_t> &dims, const htp_sim::Orchestra &world, bool whole = false)
      : Interpreter(unit, path), arguments_(arguments), dims_(dims), world_(world), whole_(whole) {}

  using Interpreter::wrong;
  const htp_sim::Orchestra &world() const { return world_; }
  std::shared_ptr<Tensor> argument(size_t k) const {
    auto t = std::make_shared<Tensor>();
    t->lies_at(reinterpret_cast<uint64_t>(arguments_[k].data));
    t->shape = arguments_[k].shape, t->data_type = arguments_[k].data_type;
    t->compact();
    return t;
  }

  // The whole's arguments, of contract simpler/2026-08.
  struct Whole : Object {
    const OrchestraRun &run;
    explicit Whole(const OrchestraRun &r) : run(r) {}
    bool member(const std::string &, Value &) override { return false; }
    bool call(const std::string &name, std::vector<Value> &a, int line, Value &result) override {
      const int64_t k = a.size() == 1 ? a[0].integer : -1;
      const bool tensor = name == "tensor";
      if (!tensor && name != "scalar") return false;
      if (k < 0 || static_cast<size_t>(k) >= (tensor ? run.arguments_.size() : run.dims_.size()))
        run.wrong(line, Refusal(diag::entry_argument, name, k));
      result = tensor ? Value::of(run.argument(static_cast<size_t>(k)))
                      : Value::of(static_cast<int64_t>(run.dims_[static_cast<size_t>(k)]));
      return true;
    }
  };
  // `Runtime` of pto-runtime/2026-03, and its host_api.
  struct Runtime : Object, std::enable_shared_from_this<Runtime> {
    const OrchestraRun &run;
    explicit Runtime(const OrchestraRun &r) : run(r) {}
    bool member(const std::string &name, Value &result) override {
      return name == "host_api" && (result = Value::of(shared_from_this()), true);
    }
    bool call(const std::string &name, std::vector<Value> &a, int line, Value &result) override {
      const htp_sim::Orchestra &w = run.world_;
      const auto memory = [&](size_t k) { return reinterpret_cast<void *>(a[k].integer); };
      const auto bytes = [&](size_t k) { return static_cast<size_t>(a[k].integer); };
      if (name == "device_malloc" && a.size() == 1) {
        result.kind = Form::pointer,
        result.integer = reinterpret_cast<int64_t>(w.allocate(w.world, bytes(0), "device memory"));
      } else if (name == "device_free") {
      } else if (name == "copy_to_device" && a.size() == 3) {
        w.copy(w.world, memory(0), memory(1), bytes(2), 1);
      } else if (name == "record_tensor_pair" && a.size() == 3) {
        w.pair(w.world, memory(0), memory(1), bytes(2));
      } else if (name == "add_successor" && a.size() == 2) {
        w.edge(w.world, static_cast<int>(a[0].integer), static_cast<int>(a[1].integer));
      } else if (name == "add_task" && a.size() >= 3 && a[0].items) {
        std::vector<uint64_t> values;
        for (int64_t k = 0; k < a[1].integer; ++k) {
          if (k >= static_cast<int64_t>(a[0].items->size()) || (*a[0].items)[static_cast<size_t>(k)].kind == Form::none)
            run.wrong(line, Refusal(diag::task_argument, k));
          values.push_back(static_cast<uint64_t>((*a[0].items)[static_cast<size_t>(k)].integer));
        }
        if (values.size() > 16) run.wrong(line, Refusal(diag::task_arguments, values.size(), 16));
        run.one_more(line);
        result = Value::of(static_cast<int64_t>(
            w.submit(w.world, static_cast<int>(a[2].integer), a.size() > 3 ? a[3].integer == 1 : 1, values.data(),
                     static_cast<int>(values.size()), nullptr, 0, 0, run.path_.c_str(), line)));
      } else {
        return false;
      }
      return true;
    }
  };

private:
  void begins(const Statement &) override {}
  void declared(const Statement &, const Value &) override {}
  void calling(const Expr &) override {}
  void scope_begins(const std::vector<Value> &mode, int line) override {
    const bool manual = !mode.empty() && mode[0].integer == 1;
    if (!scopes_.empty() && scopes_.back() && !manual) wrong(line, Refusal(diag::automatic_scope));
    scopes_.push_back(manual);
  }
  void scope_ends() override { scopes_.pop_back(); }
  bool named(const std::string &name, Value &result) override {
    for (const NamedConstant &w : constants_of_tasks)
      if (name == w.name) return result = Value::of(w.value), true;
    return false;
  }
  // Nothing where the number of extents is another one than is given.
  static std::shared_ptr<Tensor> described(const std::vector<Value> &a, size_t first) {
    auto t = std::make_shared<Tensor>();
    const auto count = static_cast<size_t>(a[first + 1].integer);
    if (!a[first].items || count != a[first].items->size()) return nullptr;
    for (size_t k = 0; k < count; ++k) t->shape.push_back((*a[first].items)[k].integer);
    t->data_type = a.size() > first + 2 ? a[first + 2].integer : 0;
    t->compact();
    return t;
  }
  bool constructed(std::string_view type, std::vector<Value> &a, int line, Value &result) override {
    a.pop_back();
    if (type == "CoreTaskArgs") return result = Value::of(std::make_shared<TaskArguments>()), true;
    if (type != "TensorCreateInfo" || a.size() < 2) return false;
    const auto t = described(a, 0);
    if (!t) other_number(line, a[1].integer);
    result = Value::of(t), result.text = type;
    return true;
  }
  [[noreturn]] void other_number(int line, int64_t dimensions) const {
    wrong(line, Refusal(diag::extent_count, dimensions));
  }
  // An argument is described as what it is.
  void as_given(const Tensor &t, uint64_t address, int line) const {
    for (const Argument &a : arguments_)
      if (reinterpret_cast<uint64_t>(a.data) == address && (t.shape != a.shape || t.data_type != a.data_type))
        wrong(line, Refusal(diag::described));
  }
  void one_more(int line) const {
    if (++tasks_ > most_tasks) wrong(line, Refusal(diag::many_tasks, most_tasks));
  }
  Value submit(int64_t kernel, bool vector, const std::vector<Item> &items, const std::vector<int> &after, int line) {
    std::vector<uint64_t> values;
    std::vector<htp_sim::TaskTensor> touched;
    auto made = std::make_shared<Made>();
    std::vector<std::shared_ptr<Tensor>> tensors;
    for (const Item &i : items) {
      if (!i.tensor) {
        values.push_back(i.scalar);
        continue;
      }
      auto t = i.tensor;
      if (i.makes) {
        t = std::make_shared<Tensor>(*t);
        t->lies_at(reinterpret_cast<uint64_t>(
            world_.allocate(world_.world, std::max<uint64_t>(1, t->span()), "a tensor that a task makes")));
        made->tensors.push_back(t);
      }
      values.push_back(whole_ ? t->buffer : t->address);
      touched.push_back(t->touched(i.reads, i.writes));
      tensors.push_back(t);
    }
    if (tensors.size() > 32 || values.size() - tensors.size() > 16) wrong(line, Refusal(diag::argument_limits));
    one_more(line);
    const int task = world_.submit(world_.world, static_cast<int>(kernel), vector, values.data(),
                                   static_cast<int>(values.size()), nullptr, 0, 0, path_.c_str(), line);
    const bool derives = scopes_.empty() || !scopes_.back(); // else it waits for what it names alone
    for (const auto &t : tensors)
      if (t->owner >= 0 && derives) world_.edge(world_.world, t->owner, task);
    world_.depend(world_.world, task, touched.data(), static_cast<int>(touched.size()), derives);
    for (const int a : after)
      if (a != Made::allocation) world_.edge(world_.world, a, task);
    for (const auto &t : made->tensors) t->owner = task;
    made->task = task;
    return Value::of(made);
  }
  bool called(const std::string &name, const std::vector<Value> &, std::vector<Value> &a, int line,
              Value &result) override {
    if (name == "PTO2OrchestrationConfig" && a.size() == 1) return result = a[0], true;
    if (name == "pto2_rt_init_tensor_pool") return true;
    if ((name == "rt_submit_aiv_task" || name == "rt_submit_aic_task") && a.size() == 2) {
      const auto task = std::dynamic_pointer_cast<TaskArguments>(a[1].object);
      if (!task) return false;
      result = submit(a[0].integer, name == "rt_submit_aiv_task", task->items, task->after, line);
      return true;
    }
    if (name == "alloc_tensors") {
      auto made = std::make_shared<Made>();
      made->task = Made::allocation;
      for (const Value &v : a) {
        const auto t = v.text == "TensorCreateInfo" ? std::dynamic_pointer_cast<Tensor>(v.object) : nullptr;
        if (!t) return false;
        made->tensors.push_back(std::make_shared<Tensor>(*t));
        made->tensors.back()->lies_at(reinterpret_cast<uint64_t>(
            world_.allocate(world_.world, std::max<uint64_t>(1, t->span()), "a tensor that tasks share")));
      }
      return result = Value::of(made), true;
    }
    if ((name == "make_tensor_external" && a.size() >= 3) || (name == "make_tensor" && a.size() >= 2)) {
      const bool external = name == "make_tensor_external";
      const auto t = described(a, external ? 1 : 0);
      if (!t) other_number(line, a[external ? 2 : 1].integer);
      if (external) as_given(*t, static_cast<uint64_t>(a[0].integer), line);
      t->lies_at(external ? static_cast<uint64_t>(a[0].integer)
                          : reinterpret_cast<uint64_t>(world_.allocate(world_.world, std::max<uint64_t>(1, t->span()),
                                                                       "a tensor that tasks share")));
      return result = Value::of(t), true;
    }
    if (name == "make_input_param" || name == "make_output_param" || name == "make_inout_param" ||
        name == "make_scalar_param") {
      auto one = std::make_shared<TaskArguments>();
      Value ignored;
      const std::string way = name.substr(5, name.size() - 11); // input, output, inout, scalar
      if (!one->call("add_" + way, a, line, ignored)) return false;
      return result = Value::of(one), true;
    }
    if (name == "pto2_rt_submit_task" && a.size() == 5 && a[3].items) {
      std::vector<Item> items;
      for (int64_t k = 0; k < a[4].integer; ++k) {
        const auto one = k < static_cast<int64_t>(a[3].items->size())
                             ? std::dynamic_pointer_cast<TaskArguments>((*a[3].items)[static_cast<size_t>(k)].object)
                             : nullptr;
        if (!one) wrong(line, Refusal(diag::task_argument, k));
        items.push_back(one->items[0]);
      }
      result = submit(a[1].integer, a[2].integer == 1, items, {}, line);
      return true;
    }
    return false;
  }

  const std::vector<Argument> &arguments_;
  const std::vector<uint64_t> &dims_;
  const htp_sim::Orchestra &world_;
  // A kernel reads of a part only where what it is a part of lies: as kernels of pto-runtime/2026-03 do.
  const bool whole_;
  mutable int tasks_ = 0;
  std::vector<bool> scopes_; // around: whether tasks wait there for what they name alone
};

} // namespace

namespace {

Value list_of(const std::vector<Argument> &arguments, const std::vector<uint64_t> &dims) {
  Value values;
  values.kind = Form::list, values.items = std::make_shared<std::vector<Value>>();
  for (const Argument &a : arguments) values.items->push_back(Value::of(reinterpret_cast<int64_t>(a.data)));
  for (const uint64_t d : dims) values.items->push_back(Value::of(static_cast<int64_t>(d)));
  return values;
}

// A world without memory and tasks, in which one call fails: the `fails`-th for memory, or for a task.
struct Poor {
  int fails = -1, tasks_fail = -1, allocated = 0, tasks = 0;
  bool same = false; // each task is number 0, which is one as well
  static Poor &of(void *world) { return *static_cast<Poor *>(world); }
  htp_sim::Orchestra orchestra() {
    htp_sim::Orchestra o{};
    o.world = this;
    o.allocate = [](void *w, size_t, const char *) -> void * {
      const int n = of(w).allocated++;
      return n == of(w).fails ? nullptr : reinterpret_cast<void *>((static_cast<uintptr_t>(n) + 1) << 32);
    };
    o.release = [](void *, void *) {};
    o.copy = [](void *, void *, void *, size_t, int) { return 0; };
    o.pair = [](void *, void *, void *, size_t) {};
    o.submit = [](void *w, int, int, const uint64_t *, int, const void *, size_t, int, const char *, int) {
      const int n = of(w).tasks++;
      return n == of(w).tasks_fail ? -1 : of(w).same ? 0 : n;
    };
    o.edge = [](void *, int, int) { return 0; };
    o.depend = [](void *, int, const htp_sim::TaskTensor *, int, int) {};
    o.fault = [](void *, htp_sim::Misuse) {};
    return o;
  }
};

} // namespace

void reports_failures(const Unit &unit, const std::string &path, const std::string &function,
                      const std::vector<Argument> &arguments, const std::vector<uint64_t> &dims) {
  constexpr int most = 64; // failures of one kind
  const auto total = static_cast<int64_t>(arguments.size() + dims.size());
  const auto needs = [&](Poor world, int64_t given, const sdk::DiagKind &when) {
    const int Poor::*counted = world.fails >= 0 ? &Poor::allocated : &Poor::tasks;
    const htp_sim::Orchestra orchestra = world.orchestra();
    OrchestraRun run(unit, path, arguments, dims, orchestra);
    const Value status = run.call(function, {Value::of(std::make_shared<OrchestraRun::Runtime>(run)),
                                             list_of(arguments, dims), Value::of(given)});
    const bool failed = given < total || (!world.same && world.*counted > std::max(world.fails, world.tasks_fail));
    if (!failed && world.same && status.integer != 0) run.wrong(0, Refusal(diag::task_zero, status.integer));
    if (failed && status.integer == 0) run.wrong(0, Refusal(when));
    return failed;
  };
  needs({}, total - 1, diag::few_arguments);
  needs({.same = true}, total, diag::no_task);
  for (int n = 0; n < most; ++n)
    if (!needs({.fails = n}, total, diag::no_memory)) break;
  for (int n = 0; n < most; ++n)
    if (!needs({.tasks_fail = n}, total, diag::no_task)) break;
}

namespace {

// What extents are computed with divides as Python does, below 0 too.
void check_division(OrchestraRun &run) {
  constexpr int64_t most = 7;
  for (const std::string function : {"htp_floordiv", "htp_mod"}) {
    if (!run.has(function)) continue;
    for (int64_t a = -most; a <= most; ++a)
      for (int64_t b = 1; b <= most; ++b) {
        const int64_t down = a / b - (a % b != 0 && a < 0);
        const int64_t right = function == "htp_mod" ? a - down * b : down;
        const Value result = run.call(function, {Value::of(a), Value::of(b)});
        if (result.integer != right) run.wrong(0, Refusal(diag::division, function, a, b, result.integer, right));
      }
  }
}

} // namespace

void run_orchestration(const Unit &unit, const std::string &path, const std::string &function, Contract contract,
                       const std::vector<Argument> &arguments, const std::vector<uint64_t> &dims,
                       const htp_sim::Orchestra &world) {
  OrchestraRun run(unit, path, arguments, dims, world, contract == Contract::tensormap_2026_03);
  check_division(run);
  const auto total = static_cast<int64_t>(arguments.size() + dims.size());
  const Value values = list_of(arguments, dims);
  const Value whole = Value::of(std::make_shared<OrchestraRun::Whole>(run));
  const char *config = "aicpu_orchestration_config";
  if (contract != Contract::host_build_graph_2026_03 && run.has(config)) {
    const Value expected =
        contract == Contract::submit_2026_08 ? run.call(config, {whole}) : run.call(config, {values, Value::of(total)});
    if (expected.integer != total) run.wrong(0, Refusal(diag::expected_arguments, expected.integer, total));
  }
  switch (contract) {
  case Contract::submit_2026_08: run.call(function, {whole}); break;
  case Contract::tensormap_2026_03:
    run.call(function, {Value::of(std::make_shared<OrchestraRun::Whole>(run)), values, Value::of(total)});
    break;
  case Contract::host_build_graph_2026_03: {
    const Value status =
        run.call(function, {Value::of(std::make_shared<OrchestraRun::Runtime>(run)), values, Value::of(total)});
    if (status.integer != 0) run.wrong(0, Refusal(diag::returns, status.integer));
  }
  }
}

} // namespace htp::a2a3sim
