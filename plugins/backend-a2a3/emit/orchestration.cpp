// The orchestration of each contract: one task that is given all tensors, then the sizes.
#include "emit.h"

#include <optional>

namespace htp::a2a3 {

namespace {
std::string bytes_of(const Ints &ints, const Tensor &t) {
  std::string text;
  for (const Node n : t.extents) {
    const std::string extent = ints.text(n);
    text += (text.empty() ? "" : " * ") + (extent.find(' ') == std::string::npos ? extent : "(" + extent + ")");
  }
  return "static_cast<size_t>(" + (text.empty() ? "1" : text) + ") * " + std::to_string(t.dtype->bytes);
}

// What extents are computed with.
void ints_of_python(Writer &w) {
  w.line("static inline int64_t htp_floordiv(int64_t a, int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < "
         "0)); }");
  w.line("static inline int64_t htp_mod(int64_t a, int64_t b) { return a - htp_floordiv(a, b) * b; }");
}
bool divides(const Ints &ints, const Program &p) {
  for (const Tensor &t : p.tensors)
    for (const Node n : t.extents)
      if (ints.text(n).find("htp_") != std::string::npos) return true;
  return p.tasks && ints.text(p.stop).find("htp_") != std::string::npos;
}
// A task for each part.
std::optional<Writer::Block> parts(Writer &w, const Ints &ints, const Program &p) {
  if (!p.tasks) return std::nullopt;
  return w.block("}", "for (int64_t ", p.part, " = 0; ", p.part, " < ", ints.text(p.stop), "; ", p.part, " += ", p.step,
                 ") {");
}
void sizes(Writer &w, const Program &p) {
  for (size_t k = 0; k < p.dims.size(); ++k)
    w.line("const int64_t ", p.dims[k], " = static_cast<int64_t>(args[", p.tensors.size() + k, "]);");
}
std::string data_type(const DType &d) {
  static constexpr std::pair<std::string_view, std::string_view> names[] = {
      {"f32", "FLOAT32"}, {"f16", "FLOAT16"}, {"bf16", "BFLOAT16"}, {"i32", "INT32"},  {"i16", "INT16"}, {"i8", "INT8"},
      {"u8", "UINT8"},    {"i64", "INT64"},   {"u64", "UINT64"},    {"u16", "UINT16"}, {"u32", "UINT32"}};
  for (const auto &[word, name] : names)
    if (word == d.word) return "DataType::" + std::string(name);
  return "DataType::UINT8";
}
} // namespace

std::string host_graph_text(const Ints &ints, const Program &p) {
  Writer w;
  const size_t count = p.tensors.size() + p.dims.size();
  w.line("// ", p.name, ": its task graph for pto-runtime/2026-03, host_build_graph. Arguments: ",
         join(p.tensors, ", ", [](const Tensor &t) { return t.name; }), p.dims.empty() ? "" : ", then ",
         join(p.dims, ", ", [](const std::string &d) { return d; }), ".");
  w.line("#include \"runtime.h\"");
  w.blank();
  if (divides(ints, p)) ints_of_python(w);
  w.blank();
  {
    auto function = w.block("}", "extern \"C\" int build_graph(Runtime *runtime, uint64_t *args, int arg_count) {");
    w.line("if (arg_count < ", count, ") return -1;");
    sizes(w, p);
    const size_t given = count + (p.tasks ? 1 : 0);
    w.line("uint64_t task[", given, "];");
    for (size_t k = 0; k < p.tensors.size(); ++k) {
      const Tensor &t = p.tensors[k];
      w.line("const size_t ", t.name, "_bytes = ", bytes_of(ints, t), ";");
      w.line("void *", t.name, " = runtime->host_api.device_malloc(", t.name, "_bytes);");
      w.line("if (!", t.name, ") return -1;");
      // What is not written stays as it was, so outputs are copied too.
      w.line("runtime->host_api.copy_to_device(", t.name, ", reinterpret_cast<void *>(args[", k, "]), ", t.name,
             "_bytes);");
      if (t.direction != "in")
        w.line("runtime->record_tensor_pair(reinterpret_cast<void *>(args[", k, "]), ", t.name, ", ", t.name,
               "_bytes);");
      w.line("task[", k, "] = reinterpret_cast<uint64_t>(", t.name, ");");
    }
    for (size_t k = 0; k < p.dims.size(); ++k)
      w.line("task[", p.tensors.size() + k, "] = static_cast<uint64_t>(", p.dims[k], ");");
    {
      const auto loop = parts(w, ints, p);
      if (p.tasks) w.line("task[", count, "] = static_cast<uint64_t>(", p.part, ");");
      w.line("if (runtime->add_task(task, ", given, ", 0, CoreType::AIV) < 0) return -1;");
    }
    w.line("return 0;");
  }
  return w.text();
}

std::string ring_text(const Ints &ints, const Program &p) {
  Writer w;
  const size_t count = p.tensors.size() + p.dims.size();
  w.line("// ", p.name,
         ": its tasks for pto-runtime/2026-03, tensormap_and_ringbuffer. Arguments: all tensors, then the sizes.");
  w.line("#include <stddef.h>");
  w.line("#include <stdint.h>");
  w.blank();
  w.line("#include \"pto_orchestration_api.h\"");
  w.blank();
  if (divides(ints, p)) ints_of_python(w);
  w.blank();
  {
    auto names = w.block("}", "extern \"C\" {");
    {
      auto config = w.block("}", "__attribute__((visibility(\"default\"))) PTO2OrchestrationConfig "
                                 "aicpu_orchestration_config(uint64_t *, int) {");
      w.line("return PTO2OrchestrationConfig{.expected_arg_count = ", count, "};");
    }
    w.blank();
    auto entry = w.block("}", "__attribute__((visibility(\"default\"))) void aicpu_orchestration_entry(PTO2Runtime "
                              "*rt, uint64_t *args, int) {");
    w.line("pto2_rt_init_tensor_pool(rt);");
    sizes(w, p);
    for (size_t k = 0; k < p.tensors.size(); ++k) {
      const Tensor &t = p.tensors[k];
      w.line("uint64_t ", t.name, "_shape[] = {",
             join(t.extents, ", ", [&](Node n) { return "static_cast<uint64_t>(" + ints.text(n) + ")"; }), "};");
      w.line("Tensor ", t.name, " = make_tensor_external(reinterpret_cast<void *>(args[", k, "]), ", t.name, "_shape, ",
             t.extents.size(), ", ", data_type(*t.dtype), ");");
    }
    const auto loop = parts(w, ints, p);
    {
      auto task = w.block("};", "PTOParam task[] = {");
      for (const Tensor &t : p.tensors)
        w.line("make_",
               t.direction == "in"    ? "input"
               : t.direction == "out" ? "output"
                                      : "inout",
               "_param(", t.name, "),");
      for (const std::string &scalar : scalars_of(p)) w.line("make_scalar_param(static_cast<uint64_t>(", scalar, ")),");
    }
    w.line("pto2_rt_submit_task(rt, 0, PTO2_WORKER_VECTOR, task, ", count + (p.tasks ? 1 : 0), ");");
  }
  return w.text();
}

std::string tasks_text(const Ints &ints, const Program &p) {
  Writer w;
  const size_t count = p.tensors.size() + p.dims.size();
  w.line("// ", p.name,
         ": its tasks for simpler/2026-08, both runtimes. Arguments: all tensors, then the sizes as scalars.");
  w.line("#include <stddef.h>");
  w.line("#include <stdint.h>");
  w.blank();
  w.line("#include \"pto_orchestration_api.h\"");
  w.blank();
  if (divides(ints, p)) ints_of_python(w);
  w.blank();
  {
    auto names = w.block("}", "extern \"C\" {");
    {
      auto config = w.block("}", "__attribute__((visibility(\"default\"))) PTO2OrchestrationConfig "
                                 "aicpu_orchestration_config(const ChipTaskArgs &) {");
      w.line("return PTO2OrchestrationConfig{.expected_arg_count = ", count, "};");
    }
    w.blank();
    auto entry = w.block(
        "}", "__attribute__((visibility(\"default\"))) void aicpu_orchestration_entry(const ChipTaskArgs &args) {");
    for (size_t k = 0; k < p.dims.size(); ++k)
      w.line("const int64_t ", p.dims[k], " = static_cast<int64_t>(args.scalar(", k, "));");
    const auto loop = parts(w, ints, p);
    w.line("CoreTaskArgs task;");
    for (size_t k = 0; k < p.tensors.size(); ++k) {
      const Tensor &t = p.tensors[k];
      w.line("task.add_",
             t.direction == "in"    ? "input"
             : t.direction == "out" ? "output"
                                    : "inout",
             "(args.tensor(", k, ").ref());");
    }
    for (const std::string &scalar : scalars_of(p)) w.line("task.add_scalar(static_cast<uint64_t>(", scalar, "));");
    w.line("rt_submit_aiv_task(0, task);");
  }
  return w.text();
}

} // namespace htp::a2a3
