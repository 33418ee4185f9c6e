// The orchestration of each contract: a task for each kernel, in each part, that is given the tensors it uses, then the
// sizes.
#include "emit.h"

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
void helpers(Writer &w, const Ints &ints, const Program &p) {
  std::string all;
  for (const Tensor &t : p.tensors)
    for (const Node n : t.extents)
      if (!t.lies) all += ints.text(n);
  for (const PartOf &part : p.parts) all += ints.text(part.stop) + ints.text(part.step);
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
  PartLoops(Writer &w, const Ints &ints, const Program &p) {
    for (const auto &[name, value] : p.ints) w.line("const int64_t ", name, " = ", ints.text(value), ";");
    for (const PartOf &part : p.parts) loops.push_back(task_loop(w, ints, part));
  }
  PartLoops(const PartLoops &) = delete;
  ~PartLoops() {
    while (!loops.empty()) loops.pop_back(); // the inner ones end first
  }
};
void sizes(Writer &w, const Program &p) {
  const std::vector<std::string> all = p.numbers();
  for (size_t k = 0; k < all.size(); ++k)
    w.line("const int64_t ", all[k], " = static_cast<int64_t>(args[", p.parameters + k, "]);");
}
const Tensor &parameter(const Program &p, size_t k) { return p.tensors[k]; }
bool between(const Tensor &t) { return t.direction == "gm"; }
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
// `task`, or, of several kernels, `task_1`.
std::string task_of(const Program &p, size_t k) {
  return p.kernels.size() == 1 ? "task" : "task_" + std::to_string(k + 1);
}
// The kernels before a kernel that its task waits for, where it is made: for the lanes of one by the task behind them,
// which waits for them all.
std::set<size_t> waits_for(const Program &p, size_t kernel) {
  std::set<size_t> found;
  for (const size_t earlier : before(p, kernel))
    if (!p.kernels[earlier].lane)
      found.insert(earlier);
    else if (earlier + 1 < kernel)
      found.insert(earlier + 1);
  return found;
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
} // namespace

std::string host_graph_text(const Ints &ints, const Program &p) {
  Writer w;
  const size_t count = p.parameters + p.numbers().size();
  w.line("// ", p.name, ": its task graph for pto-runtime/2026-03, host_build_graph. Arguments: ", names_of(p), ".");
  w.line("#include \"runtime.h\"");
  w.blank();
  helpers(w, ints, p);
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
    {
      const PartLoops parts(w, ints, p);
      for (size_t k = p.parameters; k < p.tensors.size(); ++k) allocate(p.tensors[k]);
      const auto add = [&](size_t k) {
        const Kernel &kernel = p.kernels[k];
        const std::string task = task_of(p, k);
        std::string given;
        for (const Argument &a : arguments_of(p, kernel))
          given += "reinterpret_cast<uint64_t>(" + a.tensor->name + "), ";
        for (const std::string &scalar : scalars_of(p, kernel)) given += "static_cast<uint64_t>(" + scalar + "), ";
        if (!given.empty()) given.resize(given.size() - 2);
        w.line("uint64_t ", task, "_args[] = {", given, "};");
        w.line("const int ", task, " = runtime->add_task(", task, "_args, ",
               arguments_of(p, kernel).size() + scalars_of(p, kernel).size(), ", ", k,
               ", CoreType::", kernel.cube ? "AIC" : "AIV", ");");
        w.line("if (", task, " < 0) return -1;");
        for (const size_t earlier : waits_for(p, k))
          w.line("runtime->add_successor(", task_of(p, earlier), ", ", task, ");");
      };
      for (size_t k = 0; k < p.kernels.size(); ++k) {
        // The next task waits for all lanes, so it is there before them.
        const bool next = p.kernels[k].lane && k + 1 < p.kernels.size();
        if (next) add(k + 1);
        {
          const auto lane = lane_of(w, ints, p.kernels[k]);
          add(k);
          if (next) w.line("runtime->add_successor(", task_of(p, k), ", ", task_of(p, k + 1), ");");
        }
        k += next;
      }
    }
    w.line("return 0;");
  }
  return w.text();
}

std::string ring_text(const Ints &ints, const Program &p) {
  Writer w;
  w.line("// ", p.name, ": its tasks for pto-runtime/2026-03, tensormap_and_ringbuffer. Arguments: ", names_of(p), ".");
  w.line("#include <stddef.h>");
  w.line("#include <stdint.h>");
  w.blank();
  w.line("#include \"pto_orchestration_api.h\"");
  w.blank();
  helpers(w, ints, p);
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
    const PartLoops parts(w, ints, p);
    for (size_t k = p.parameters; k < p.tensors.size(); ++k) {
      const Tensor &t = p.tensors[k];
      shape(t);
      w.line("Tensor ", t.name, " = make_tensor(", t.name, "_shape, ", t.extents.size(), ", ", data_type(*t.dtype),
             ");");
    }
    for (size_t k = 0; k < p.kernels.size(); ++k) {
      const std::vector<Argument> tensors = arguments_of(p, p.kernels[k]);
      const std::string task = task_of(p, k);
      const auto lane = lane_of(w, ints, p.kernels[k]);
      {
        auto list = w.block("};", "PTOParam ", task, "[] = {");
        for (const Argument &a : tensors)
          w.line("make_",
                 a.direction == "in"    ? "input"
                 : a.direction == "out" ? "output"
                                        : "inout",
                 "_param(", a.tensor->name, "),");
        for (const std::string &scalar : scalars_of(p, p.kernels[k]))
          w.line("make_scalar_param(static_cast<uint64_t>(", scalar, ")),");
      }
      w.line("pto2_rt_submit_task(rt, ", k, ", PTO2_WORKER_", p.kernels[k].cube ? "CUBE" : "VECTOR", ", ", task, ", ",
             tensors.size() + scalars_of(p, p.kernels[k]).size(), ");");
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
  helpers(w, ints, p);
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
    const PartLoops parts(w, ints, p);
    for (size_t k = p.parameters; k < p.tensors.size(); ++k) {
      const Tensor &t = p.tensors[k];
      w.line("const uint32_t ", t.name, "_shape[] = {", shape_text(ints, t, "uint32_t"), "};");
      w.line("const TensorCreateInfo ", t.name, "(", t.name, "_shape, ", t.extents.size(), ", ", data_type(*t.dtype),
             ");");
    }
    // The task that makes a tensor hands it on; what several lanes make is there before them.
    std::map<const Tensor *, std::string> made;
    for (size_t k = 0; k < p.kernels.size(); ++k) {
      const Kernel &kernel = p.kernels[k];
      const std::string task = task_of(p, k);
      std::vector<const Tensor *> makes;
      const auto hand_on = [&] {
        for (size_t n = 0; n < makes.size(); ++n) made[makes[n]] = task + "_made.get_ref(" + std::to_string(n) + ")";
        makes.clear();
      };
      if (kernel.lane) {
        for (const Argument &a : arguments_of(p, kernel))
          if (between(*a.tensor) && !made.contains(a.tensor)) makes.push_back(a.tensor);
        if (!makes.empty())
          w.line("const TaskOutputTensors ", task, "_made = alloc_tensors(",
                 join(makes, ", ", [](const Tensor *t) { return t->name; }), ");");
        hand_on();
      }
      const auto lane = lane_of(w, ints, kernel);
      w.line("CoreTaskArgs ", task, ";");
      for (const Argument &a : arguments_of(p, kernel)) {
        const bool fresh = between(*a.tensor) && !made.contains(a.tensor);
        if (fresh) makes.push_back(a.tensor);
        w.line(task, ".add_",
               a.direction == "in"    ? "input"
               : a.direction == "out" ? "output"
                                      : "inout",
               "(",
               fresh                ? a.tensor->name
               : between(*a.tensor) ? made.at(a.tensor)
                                    : "args.tensor(" + std::to_string(number_of(p, *a.tensor)) + ").ref()",
               ");");
      }
      for (const std::string &scalar : scalars_of(p, kernel))
        w.line(task, ".add_scalar(static_cast<uint64_t>(", scalar, "));");
      w.line(makes.empty() ? std::string() : "const TaskOutputTensors " + task + "_made = ", "rt_submit_",
             kernel.cube ? "aic" : "aiv", "_task(", k, ", ", task, ");");
      hand_on();
    }
  }
  return w.text();
}

} // namespace htp::a2a3
