// The orchestration of each contract: a task for each kernel, in each part, that is given the tensors it uses, then the
// sizes.
#include "emit.h"
#include "waits.h"

namespace htp::a2a3 {

namespace {
std::string bytes_of(const Ints &ints, const Tensor &t) {
  if (t.lies) return "static_cast<size_t>(" + std::to_string(t.lies.span()) + ") * " + std::to_string(t.dtype->bytes);
  std::string text;
  for (const Node n : t.extents) {
    const std::string extent = ints.text(n);
    text += (text.empty() ? "" : " * ") + (extent.find(' ') == std::string::npos ? extent : "(" + extent + ")");
  }
  return "static_cast<size_t>(" + (text.empty() ? "1" : text) + ") * " + std::to_string(t.dtype->bytes);
}

// What extents and steps are computed with.
void helpers(Writer &w, const Ints &ints, const Program &p, std::string all = {}) {
  for (const Tensor &t : p.tensors)
    for (const Node n : t.extents)
      if (!t.lies) all += ints.text(n);
  for (const Group &g : p.groups)
    for (const PartOf &part : g.parts) all += ints.text(part.stop) + ints.text(part.step);
  for (const auto &[name, value] : p.ints) all += ints.text(value);
  const auto used = [&](const char *name) { return all.find(name) != std::string::npos; };
  if (used("htp_min(")) w.line("static inline int64_t htp_min(int64_t a, int64_t b) { return a < b ? a : b; }");
  if (used("htp_max(")) w.line("static inline int64_t htp_max(int64_t a, int64_t b) { return a < b ? b : a; }");
  if (used("htp_floordiv(") || used("htp_mod("))
    w.line("static inline int64_t htp_floordiv(int64_t a, int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < "
           "0)); }");
  if (used("htp_mod("))
    w.line("static inline int64_t htp_mod(int64_t a, int64_t b) { return a - htp_floordiv(a, b) * b; }");
}
Writer::Block task_loop(Writer &w, const Ints &ints, const PartOf &part) {
  return w.block("}", "for (int64_t ", part.name, " = 0; ", part.name, " < ", ints.text(part.stop), "; ", part.name,
                 " += ", ints.text(part.step), ") {");
}
// A task for each lane of a part.
std::optional<Writer::Block> lane_of(Writer &w, const Ints &ints, const Kernel &k) {
  if (!k.lane) return std::nullopt;
  return task_loop(w, ints, *k.lane);
}
// A task for each part.
struct PartLoops {
  std::vector<Writer::Block> loops;
  PartLoops(Writer &w, const Ints &ints, const Group &group) {
    for (const PartOf &part : group.parts) loops.push_back(task_loop(w, ints, part));
  }
  PartLoops(const PartLoops &) = delete;
  ~PartLoops() {
    while (!loops.empty()) loops.pop_back(); // the inner ones end first
  }
};
void named_ints(Writer &w, const Ints &ints, const Program &p) {
  for (const auto &[name, value] : p.ints) w.line("const int64_t ", name, " = ", ints.text(value), ";");
}
// The memory between kernels that lies beside all loops, or within those of a group.
std::vector<const Tensor *> memory_of(const Program &p, size_t group) {
  std::vector<const Tensor *> found;
  for (size_t k = p.parameters; k < p.tensors.size(); ++k)
    if (p.tensors[k].group == group) found.push_back(&p.tensors[k]);
  return found;
}
// The kernels of a group, in their order.
std::vector<size_t> kernels_of(const Program &p, size_t group) {
  std::vector<size_t> found;
  for (size_t k = 0; k < p.kernels.size(); ++k)
    if (p.kernels[k].group == group) found.push_back(k);
  return found;
}
// Lists of tasks that others wait for.
void lists(Writer &w, const Program &p, const Waits &waits, size_t group, bool before_loops, const char *type) {
  for (const size_t k : kernels_of(p, group))
    if (const auto list = waits.list_of(k); list && list->before_loops == before_loops)
      w.line(type, " ", task_of(p, k), "[", list->count, "];");
}
void sizes(Writer &w, const Program &p) {
  const std::vector<std::string> all = p.numbers();
  for (size_t k = 0; k < all.size(); ++k)
    w.line("const int64_t ", all[k], " = static_cast<int64_t>(args[", p.parameters + k, "]);");
}
const Tensor &parameter(const Program &p, size_t k) { return p.tensors[k]; }
// The number of a parameter among them.
size_t number_of(const Program &p, const Tensor &t) {
  size_t k = 0;
  while (&p.tensors[k] != &t) ++k;
  return k;
}
std::string names_of(const Program &p) {
  std::string text;
  for (size_t k = 0; k < p.parameters; ++k) text += (k ? ", " : "") + p.tensors[k].name;
  const std::vector<std::string> all = p.numbers();
  for (const std::string &d : all) text += (&d == &all.front() ? ", then " : ", ") + d;
  return text;
}
// What lies with gaps, or in another order than by rows, is to a runtime as many elements as there are from its first
// to its last.
std::string shape_text(const Ints &ints, const Tensor &t, const char *type) {
  if (t.lies) return "static_cast<" + std::string(type) + ">(" + std::to_string(t.lies.span()) + ")";
  return join(t.extents, ", ", [&](Node n) { return "static_cast<" + std::string(type) + ">(" + ints.text(n) + ")"; });
}
std::string data_type(const DType &d) {
  static constexpr std::pair<std::string_view, std::string_view> names[] = {
      {"f32", "FLOAT32"}, {"f16", "FLOAT16"}, {"bf16", "BFLOAT16"}, {"i32", "INT32"},  {"i16", "INT16"}, {"i8", "INT8"},
      {"u8", "UINT8"},    {"i64", "INT64"},   {"u64", "UINT64"},    {"u16", "UINT16"}, {"u32", "UINT32"}};
  for (const auto &[dtype, name] : names)
    if (dtype == d.name) return "DataType::" + std::string(name);
  return "DataType::UINT8";
}

// The tasks of simpler/2026-08: each is given its tensors, and names those that it waits for.
class SubmittedTasks {
public:
  SubmittedTasks(Writer &writer, const Ints &ints, const Program &program, const Waits &waits)
      : w(writer), ints_(ints), p(program), waits_(waits) {}

  void run() {
    create(Tensor::outside);
    for (size_t g = 0; g < p.groups.size(); ++g) {
      lists(w, p, waits_, g, true, "PTO2TaskId");
      const PartLoops parts(w, ints_, p.groups[g]);
      // Where nothing outside of an iteration waits for what it makes, its memory ends with it.
      std::optional<Writer::Block> scope;
      if (!p.groups[g].parts.empty()) scope.emplace(w.block("}", "PTO2_SCOPE(PTO2ScopeMode::MANUAL) {"));
      lists(w, p, waits_, g, false, "PTO2TaskId");
      create(g);
      for (const size_t k : kernels_of(p, g)) {
        if (p.kernels[k].lane) share(k);
        const auto lane = lane_of(w, ints_, p.kernels[k]);
        submit(k);
      }
    }
  }

private:
  struct Made {
    std::string by; // the name of what the task, or the allocation, makes
    size_t number;  // among that
    bool allocated; // by itself, for several tasks
  };

  // The memory of a group; what lies outside of the loops is there before all tasks.
  void create(size_t group) {
    std::vector<const Tensor *> all;
    for (const Tensor *t : memory_of(p, group)) {
      w.line("const uint32_t ", t->name, "_shape[] = {", shape_text(ints_, *t, "uint32_t"), "};");
      w.line("const TensorCreateInfo ", t->name, "(", t->name, "_shape, ", t->extents.size(), ", ",
             data_type(*t->dtype), ");");
      all.push_back(t);
    }
    if (group == Tensor::outside) allocate("memory", all);
  }
  // What lanes make is there before them.
  void share(size_t k) {
    std::vector<const Tensor *> all;
    for (const Argument &a : arguments_of(p, p.kernels[k]))
      if (a.tensor->direction == "gm" && !made_.contains(a.tensor)) all.push_back(a.tensor);
    allocate(task_of(p, k) + "_memory", all);
  }
  void allocate(const std::string &name, const std::vector<const Tensor *> &all) {
    if (all.empty()) return;
    w.line("const TaskOutputTensors ", name, " = alloc_tensors(",
           join(all, ", ", [](const Tensor *t) { return t->name; }), ");");
    for (size_t n = 0; n < all.size(); ++n) made_[all[n]] = {name, n, true};
  }

  void submit(size_t k) {
    const Kernel &kernel = p.kernels[k];
    const std::string task = task_of(p, k), args = task + "_args", made = task + "_made";
    w.line("CoreTaskArgs ", args, ";");
    std::vector<const Tensor *> makes;
    std::set<std::string> allocations; // that last as long as somebody waits for them
    for (const Argument &a : arguments_of(p, kernel)) {
      const auto it = made_.find(a.tensor);
      const bool fresh = a.tensor->direction == "gm" && it == made_.end();
      if (fresh) makes.push_back(a.tensor);
      if (it != made_.end() && it->second.allocated) allocations.insert(it->second.by);
      w.line(args, ".add_",
             a.direction == "in"    ? "input"
             : a.direction == "out" ? "output"
                                    : "inout",
             "(",
             fresh               ? a.tensor->name
             : it != made_.end() ? it->second.by + ".get_ref(" + std::to_string(it->second.number) + ")"
                                 : "args.tensor(" + std::to_string(number_of(p, *a.tensor)) + ").ref()",
             ");");
    }
    for (const std::string &scalar : scalars_of(p, kernel))
      w.line(args, ".add_scalar(static_cast<uint64_t>(", scalar, "));");
    wait(k, allocations);
    const std::string call =
        std::string("rt_submit_") + (kernel.cube ? "aic" : "aiv") + "_task(" + std::to_string(k) + ", " + args + ")";
    const auto list = waits_.list_of(k);
    if (makes.empty() && !waits_.awaited(k)) {
      w.line(call, ";");
    } else if (!list && !makes.empty()) {
      w.line("const TaskOutputTensors ", made, " = ", call, ";");
      if (waits_.awaited(k)) w.line("const PTO2TaskId ", task, " = ", made, ".task_id();");
    } else {
      w.line(list ? task + "[" + list->at + "] = " : "const PTO2TaskId " + task + " = ", call, ".task_id();");
    }
    for (size_t n = 0; n < makes.size(); ++n) made_[makes[n]] = {made, n, false};
  }
  // Names the tasks that a task waits for, and what its memory is allocated by.
  void wait(size_t k, const std::set<std::string> &allocations) {
    const std::vector<Waits::Wait> &all = waits_.of(k);
    if (all.empty() && allocations.empty()) return;
    const std::string task = task_of(p, k), list = task + "_after";
    std::vector<std::string> ones;
    for (const Waits::Wait &one : all)
      if (one.count.empty()) ones.push_back(one.task);
    for (const std::string &name : allocations) ones.push_back(name + ".task_id()");
    std::string count = std::to_string(ones.size()), before = count;
    for (const Waits::Wait &one : all)
      if (!one.count.empty()) count += " + (" + one.count + ")";
    if (count == before) {
      w.line("const PTO2TaskId ", list, "[] = {", join(ones, ", ", [](const std::string &s) { return s; }), "};");
    } else {
      w.line("PTO2TaskId ", list, "[", count, "];");
      for (size_t n = 0; n < ones.size(); ++n) w.line(list, "[", n, "] = ", ones[n], ";");
      for (const Waits::Wait &one : all) {
        if (one.count.empty()) continue;
        w.line("for (int64_t n = 0; n < ", one.count, "; ++n) ", list, "[", before, " + n] = ", one.task, ";");
        before += " + (" + one.count + ")";
      }
    }
    w.line(task, "_args.set_dependencies(", list, ", ", count, ");");
  }

  Writer &w;
  const Ints &ints_;
  const Program &p;
  const Waits &waits_;
  std::map<const Tensor *, Made> made_;
};
} // namespace

std::string host_graph_text(const Ints &ints, const Program &p) {
  Writer w;
  const size_t count = p.parameters + p.numbers().size();
  w.line("// ", p.name, ": its task graph for pto-runtime/2026-03, host_build_graph. Arguments: ", names_of(p), ".");
  w.line("#include \"runtime.h\"");
  w.blank();
  const Waits waits(ints, p);
  helpers(w, ints, p, waits.counts());
  w.blank();
  const auto allocate = [&](const Tensor &t) {
    w.line("const size_t ", t.name, "_bytes = ", bytes_of(ints, t), ";");
    w.line("void *", t.name, " = runtime->host_api.device_malloc(", t.name, "_bytes);");
    w.line("if (!", t.name, ") return -1;");
  };
  {
    auto function = w.block("}", "extern \"C\" int build_graph(Runtime *runtime, uint64_t *args, int arg_count) {");
    w.line("if (arg_count < ", count, ") return -1;");
    sizes(w, p);
    for (size_t k = 0; k < p.parameters; ++k) {
      const Tensor &t = parameter(p, k);
      allocate(t);
      // An output alone is written whole, which the verifier holds it to; what lies between its elements stays.
      if (t.direction != "out" || t.lies.gaps())
        w.line("runtime->host_api.copy_to_device(", t.name, ", reinterpret_cast<void *>(args[", k, "]), ", t.name,
               "_bytes);");
      if (t.direction != "in")
        w.line("runtime->record_tensor_pair(reinterpret_cast<void *>(args[", k, "]), ", t.name, ", ", t.name,
               "_bytes);");
    }
    named_ints(w, ints, p);
    for (const Tensor *t : memory_of(p, Tensor::outside)) allocate(*t);
    for (size_t g = 0; g < p.groups.size(); ++g) {
      lists(w, p, waits, g, true, "int");
      const PartLoops parts(w, ints, p.groups[g]);
      lists(w, p, waits, g, false, "int");
      for (const Tensor *t : memory_of(p, g)) allocate(*t);
      for (const size_t k : kernels_of(p, g)) {
        const Kernel &kernel = p.kernels[k];
        const auto lane = lane_of(w, ints, kernel);
        const auto list = waits.list_of(k);
        const std::string task = task_of(p, k), added = list ? task + "_added" : task;
        std::string given;
        for (const Argument &a : arguments_of(p, kernel))
          given += "reinterpret_cast<uint64_t>(" + a.tensor->name + "), ";
        for (const std::string &scalar : scalars_of(p, kernel)) given += "static_cast<uint64_t>(" + scalar + "), ";
        if (!given.empty()) given.resize(given.size() - 2);
        w.line("uint64_t ", task, "_args[] = {", given, "};");
        w.line("const int ", added, " = runtime->add_task(", task, "_args, ",
               arguments_of(p, kernel).size() + scalars_of(p, kernel).size(), ", ", k,
               ", CoreType::", kernel.cube ? "AIC" : "AIV", ");");
        w.line("if (", added, " < 0) return -1;");
        if (list) w.line(task, "[", list->at, "] = ", added, ";");
        for (const Waits::Wait &one : waits.of(k))
          w.line(one.count.empty() ? std::string() : "for (int64_t n = 0; n < " + one.count + "; ++n) ",
                 "runtime->add_successor(", one.task, ", ", added, ");");
      }
    }
    w.line("return 0;");
  }
  return w.text();
}

std::string ring_text(const Context &c, const Ints &ints, const Program &p) {
  Writer w;
  w.line("// ", p.name, ": its tasks for pto-runtime/2026-03, tensormap_and_ringbuffer. Arguments: ", names_of(p), ".");
  w.line("#include <stddef.h>");
  w.line("#include <stdint.h>");
  w.blank();
  w.line("#include \"pto_orchestration_api.h\"");
  w.blank();
  std::string parts_text;
  for (const Kernel &k : p.kernels)
    for (const Argument &a : arguments_of(p, k))
      for (const Part &d : parts_of(c, ints, p, k, *a.tensor)) parts_text += d.extent + d.from;
  helpers(w, ints, p, parts_text);
  w.blank();
  {
    auto names = w.block("}", "extern \"C\" {");
    {
      auto config = w.block("}", "__attribute__((visibility(\"default\"))) PTO2OrchestrationConfig "
                                 "aicpu_orchestration_config(uint64_t *, int) {");
      w.line("return PTO2OrchestrationConfig{.expected_arg_count = ", p.parameters + p.numbers().size(), "};");
    }
    w.blank();
    auto entry = w.block("}", "__attribute__((visibility(\"default\"))) void aicpu_orchestration_entry(PTO2Runtime "
                              "*rt, uint64_t *args, int) {");
    w.line("pto2_rt_init_tensor_pool(rt);");
    sizes(w, p);
    const auto shape = [&](const Tensor &t) {
      w.line("uint64_t ", t.name, "_shape[] = {", shape_text(ints, t, "uint64_t"), "};");
    };
    for (size_t k = 0; k < p.parameters; ++k) {
      const Tensor &t = parameter(p, k);
      shape(t);
      w.line("Tensor ", t.name, " = make_tensor_external(reinterpret_cast<void *>(args[", k, "]), ", t.name, "_shape, ",
             t.lies ? 1 : t.extents.size(), ", ", data_type(*t.dtype), ");");
    }
    named_ints(w, ints, p);
    const auto make = [&](size_t group) {
      for (const Tensor *t : memory_of(p, group)) {
        shape(*t);
        w.line("Tensor ", t->name, " = make_tensor(", t->name, "_shape, ", t->extents.size(), ", ",
               data_type(*t->dtype), ");");
      }
    };
    make(Tensor::outside);
    std::set<const Tensor *> allocated;
    for (size_t g = 0; g < p.groups.size(); ++g) {
      const PartLoops parts(w, ints, p.groups[g]);
      make(g);
      for (const size_t k : kernels_of(p, g)) {
        const std::vector<Argument> tensors = arguments_of(p, p.kernels[k]);
        const std::string task = task_of(p, k);
        const auto lane = lane_of(w, ints, p.kernels[k]);
        // The runtime orders tasks by what they are given; of what others touch too that is the part of it.
        std::map<const Tensor *, std::string> parts_given;
        for (const Argument &a : tensors) {
          const std::vector<Part> part = parts_of(c, ints, p, p.kernels[k], *a.tensor);
          if (part.empty()) continue;
          const std::string name = task + "_" + a.tensor->name;
          const auto numbers = [&](const char *what, auto &&text) {
            w.line("const uint64_t ", name, "_", what, "[] = {",
                   join(part, ", ", [&](const Part &d) { return "static_cast<uint64_t>(" + text(d) + ")"; }), "};");
          };
          numbers("extents", [](const Part &d) { return d.extent; });
          numbers("from", [](const Part &d) { return d.from; });
          w.line("Tensor ", name, " = ", a.tensor->name, ".view(", name, "_extents, ", name, "_from);");
          parts_given[a.tensor] = name;
        }
        {
          auto list = w.block("};", "PTOParam ", task, "[] = {");
          for (const Argument &a : tensors) {
            const auto part = parts_given.find(a.tensor);
            const std::string param = "_param(" + (part == parts_given.end() ? a.tensor->name : part->second) + ")";
            const std::string way = a.direction == "in" ? "input" : a.direction == "out" ? "output" : "inout";
            // What a task is given as an output is allocated then, if it was not before.
            const bool allocates = a.tensor->direction == "gm" && way == "inout" && !allocated.contains(a.tensor);
            const std::string first =
                join(loops_of(p, p.kernels[k]), " && ", [](const PartOf &l) { return l.name + " == 0"; });
            w.line(allocates ? first + " ? make_output" + param + " : make_" : "make_", way, param, ",");
            allocated.insert(a.tensor);
          }
          for (const std::string &scalar : scalars_of(p, p.kernels[k]))
            w.line("make_scalar_param(static_cast<uint64_t>(", scalar, ")),");
        }
        w.line("pto2_rt_submit_task(rt, ", k, ", PTO2_WORKER_", p.kernels[k].cube ? "CUBE" : "VECTOR", ", ", task, ", ",
               tensors.size() + scalars_of(p, p.kernels[k]).size(), ");");
      }
    }
  }
  return w.text();
}

std::string tasks_text(const Ints &ints, const Program &p) {
  Writer w;
  w.line("// ", p.name, ": its tasks for simpler/2026-08, both runtimes. Arguments: ", names_of(p), " as scalars.");
  w.line("#include <stddef.h>");
  w.line("#include <stdint.h>");
  w.blank();
  w.line("#include \"pto_orchestration_api.h\"");
  w.blank();
  const Waits waits(ints, p);
  helpers(w, ints, p, waits.counts());
  w.blank();
  {
    auto names = w.block("}", "extern \"C\" {");
    {
      auto config = w.block("}", "__attribute__((visibility(\"default\"))) PTO2OrchestrationConfig "
                                 "aicpu_orchestration_config(const ChipTaskArgs &) {");
      w.line("return PTO2OrchestrationConfig{.expected_arg_count = ", p.parameters + p.numbers().size(), "};");
    }
    w.blank();
    auto entry = w.block(
        "}", "__attribute__((visibility(\"default\"))) void aicpu_orchestration_entry(const ChipTaskArgs &args) {");
    const std::vector<std::string> all = p.numbers();
    for (size_t k = 0; k < all.size(); ++k)
      w.line("const int64_t ", all[k], " = static_cast<int64_t>(args.scalar(", k, "));");
    named_ints(w, ints, p);
    // Tasks wait for what they name alone: what the runtime would derive of tensors that are given whole has edges
    // between parts, which share no element.
    auto scope = w.block("}", "PTO2_SCOPE(PTO2ScopeMode::MANUAL) {");
    SubmittedTasks(w, ints, p, waits).run();
  }
  return w.text();
}

} // namespace htp::a2a3
