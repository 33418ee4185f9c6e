// The backend's emitter: the kernels, an orchestration for each contract, and the registry that says what is where.
#include "emit.h"

#include <algorithm>
#include <climits>

namespace htp::a2a3 {

namespace {

constexpr char header_text[] =
#include "htp_kernel.h.inc"
    ;
constexpr char recipe_text[] =
#include "build.sh.inc"
    ;
constexpr char config_form[] =
#include "kernel_config.py.in.inc"
    ;
constexpr char golden_form[] =
#include "golden.py.in.inc"
    ;

// Of golden.py, where a parameter does not lie row-major: the memory that it lies in.
constexpr std::string_view lying_text =
    R"(def _lying(values, steps):  # in memory of its own, which it is handed over as
    memory = torch.zeros(1 + sum((n - 1) * step for n, step in zip(values.shape, steps)), dtype=values.dtype)
    memory.as_strided(values.shape, steps).copy_(values)
    return memory

)";

// A form with texts for its `<names>`.
std::string filled(std::string text, const std::map<std::string, std::string> &names) {
  for (const auto &[name, value] : names)
    for (size_t at = 0; (at = text.find(name, at)) != std::string::npos; at += value.size())
      text.replace(at, name.size(), value);
  return text;
}

// The commits of the runtime and of the instruction set that the texts are written against.
#define COMMIT(name, commit) constexpr std::string_view name = commit;
#include "runtime/commits.def"

// Where a parameter does not lie row-major: `, "steps": [1, 48]`.
std::string steps_text(const Tensor &t) {
  if (!t.lies) return {};
  return ", \"steps\": [" + join(t.lies.steps, ", ", [](int64_t step) { return std::to_string(step); }) + "]";
}

std::string registry_text(const Context &c, const Ints &ints, const Program &p, const std::vector<KernelText> &texts) {
  Writer w;
  {
    auto file = w.block("}", "{");
    w.line("\"schema\": \"htp.pto.registry/1\",");
    {
      auto contracts = w.block("],", "\"contracts\": [");
      w.line("{\"id\": \"pto-runtime/2026-03\", \"runtime\": ", quoted(runtime_2026_03),
             ", \"isa\": ", quoted(isa_commit),
             ", \"function\": \"build_graph\", \"orchestration\": {\"host_build_graph\": "
             "\"orchestration/pto-runtime-2026-03/host_build_graph.cpp\", "
             "\"tensormap_and_ringbuffer\": \"orchestration/pto-runtime-2026-03/tensormap_and_ringbuffer.cpp\"}},");
      w.line("{\"id\": \"simpler/2026-08\", \"runtime\": ", quoted(runtime_2026_08), ", \"isa\": ", quoted(isa_commit),
             ", \"function\": \"aicpu_orchestration_entry\", \"orchestration\": {\"host_build_graph\": "
             "\"orchestration/simpler-2026-08/orchestration.cpp\", "
             "\"tensormap_and_ringbuffer\": \"orchestration/simpler-2026-08/orchestration.cpp\"}}");
    }
    {
      auto entry = w.block("},", "\"entry\": {");
      w.line("\"name\": ", quoted(p.name), ",");
      {
        auto parameters = w.block("],", "\"parameters\": [");
        for (size_t k = 0; k < p.parameters; ++k)
          w.line("{\"name\": ", quoted(p.tensors[k].name), ", \"direction\": ", quoted(p.tensors[k].direction),
                 ", \"dtype\": ", quoted(p.tensors[k].dtype->name), ", \"dims\": [",
                 join(p.tensors[k].extents, ", ", [&](Node n) { return ints.json(n); }), "]", steps_text(p.tensors[k]),
                 "}", k + 1 == p.parameters ? "" : ",");
      }
      {
        auto dims = w.block("],", "\"dims\": [");
        for (const std::string &d : p.dims)
          w.line("{\"name\": ", quoted(d), ", \"least\": 0}", &d == &p.dims.back() ? "" : ",");
      }
      {
        auto ints_given = w.block("],", "\"ints\": [");
        for (const std::string &name : p.int_parameters)
          w.line("{\"name\": ", quoted(name), "}", &name == &p.int_parameters.back() ? "" : ",");
      }
      const Limits all = limits_of(c, ints, p);
      auto limits = w.block("]", "\"limits\": [");
      size_t left = all.size();
      for (const auto &[extent, limit] : all)
        w.line("{\"extent\": ", extent, ", \"least\": ", limit.least,
               limit.most == INT64_MAX ? std::string() : ", \"most\": " + std::to_string(limit.most), "}",
               --left ? "," : "");
    }
    {
      auto named = w.block("],", "\"computed\": [");
      for (const auto &[name, value] : p.ints)
        w.line("{\"name\": ", quoted(name), ", \"value\": ", ints.json(value), "}",
               name == p.ints.back().first ? "" : ",");
    }
    {
      auto buffers = w.block("],", "\"buffers\": [");
      for (size_t k = p.parameters; k < p.tensors.size(); ++k)
        w.line("{\"name\": ", quoted(p.tensors[k].name), ", \"dtype\": ", quoted(p.tensors[k].dtype->name),
               ", \"dims\": [", join(p.tensors[k].extents, ", ", [&](Node n) { return ints.json(n); }), "]}",
               k + 1 == p.tensors.size() ? "" : ",");
    }
    {
      const auto lines = [](const std::vector<size_t> &of) {
        return join(of, ", ", [](size_t line) { return std::to_string(line); });
      };
      auto kernels = w.block("],", "\"kernels\": [");
      for (size_t n = 0; n < p.kernels.size(); ++n) {
        const Kernel &k = p.kernels[n];
        auto kernel = w.block(n + 1 == p.kernels.size() ? "}" : "},", "{");
        w.line("\"func_id\": ", n, ",");
        w.line("\"name\": ", quoted(k.name), ",");
        w.line("\"core_type\": ", quoted(k.cube ? "aic" : "aiv"), ",");
        w.line("\"source\": ", quoted(source_of(k)), ",");
        {
          const std::vector<std::string> scalars = scalars_of(p, k);
          const std::vector<Argument> tensors = arguments_of(p, k);
          auto args = w.block("],", "\"args\": [");
          for (const Argument &a : tensors)
            w.line("{\"name\": ", quoted(a.tensor->name),
                   ", \"kind\": \"tensor\", \"dtype\": ", quoted(a.tensor->dtype->name),
                   ", \"direction\": ", quoted(a.direction), "}", &a == &tensors.back() && scalars.empty() ? "" : ",");
          for (const std::string &scalar : scalars)
            w.line("{\"name\": ", quoted(scalar), ", \"kind\": \"scalar\"}", &scalar == &scalars.back() ? "" : ",");
        }
        {
          auto memory = w.block("],", "\"memory\": [");
          for (const Placed &m : texts[n].memory)
            w.line("{\"buffer\": ", quoted(m.buffer), ", \"space\": ", quoted(m.space), ", \"offset\": ", m.offset,
                   ", \"bytes\": ", m.bytes, ", \"first\": ", m.first, ", \"last\": ", m.last, "}",
                   &m == &texts[n].memory.back() ? "" : ",");
        }
        {
          auto indices = w.block("],", "\"indices\": [");
          for (const Index &i : texts[n].indices)
            w.line("{\"line\": ", i.line, ", \"tensor\": ", quoted(i.tensor), ", \"dimension\": ", i.dimension,
                   ", \"from\": [", join(i.from, ", ", [](const std::string &name) { return quoted(name); }), "]}",
                   &i == &texts[n].indices.back() ? "" : ",");
        }
        auto events = w.block("]", "\"events\": [");
        for (const Event &e : texts[n].events)
          w.line("{\"source\": ", quoted(name_of(e.source)), ", \"destination\": ", quoted(name_of(e.destination)),
                 ", \"id\": ", e.id, ", \"set\": [", lines(e.set), "], \"wait\": [", lines(e.wait), "]}",
                 &e == &texts[n].events.back() ? "" : ",");
      }
    }
    auto tasks = w.block("]", "\"tasks\": [");
    for (size_t n = 0; n < p.kernels.size(); ++n) {
      const std::vector<size_t> earlier = before(p, n);
      std::string parts;
      for (const PartOf &part : loops_of(p, p.kernels[n]))
        parts += (parts.empty() ? ", \"for\": [" : ", ") + ("{\"part\": " + quoted(part.name)) +
                 (part.by.empty() ? "" : ", \"by\": " + quoted(part.by)) + ", \"stop\": " + ints.json(part.stop) +
                 ", \"step\": " + ints.json(part.step) + "}";
      if (!parts.empty()) parts += "]";
      w.line("{\"func_id\": ", n, parts,
             earlier.empty() ? std::string()
                             : ", \"after\": [" + join(earlier, ", ", [](size_t k) { return std::to_string(k); }) + "]",
             "}", n + 1 == p.kernels.size() ? "" : ",");
    }
  }
  return w.text();
}

// The configuration that the contract pto-runtime/2026-03 asks for.
std::string config_text(const Program &p) {
  std::string kernels;
  for (size_t n = 0; n < p.kernels.size(); ++n)
    kernels += "    {\"func_id\": " + std::to_string(n) + ", \"source\": str(_HERE / " +
               quoted(source_of(p.kernels[n])) + "), \"core_type\": " + quoted(p.kernels[n].cube ? "aic" : "aiv") +
               "},\n";
  return filled(config_form, {{"<name>", p.name}, {"<kernels>", kernels}});
}

// A test of the package in the contract's own form: the program as written is what is expected.
std::string golden_text(const Context &c, const Ints &ints, const Program &p) {
  const std::vector<Tensor> parameters(p.tensors.begin(), p.tensors.begin() + static_cast<ptrdiff_t>(p.parameters));
  std::vector<std::string> outputs, cases, tensors;
  std::string sizes, arguments, helper;
  for (const std::string &d : p.dims) cases.push_back(quoted(d) + ": 64");
  const Limits limits = limits_of(c, ints, p);
  for (const std::string &name : p.int_parameters) {
    const auto limit = limits.find(quoted(name));
    cases.push_back(quoted(name) + ": " +
                    std::to_string(limit == limits.end() ? 1 : std::max<int64_t>(1, limit->second.least)));
  }
  for (const std::string &name : p.numbers()) sizes += "    " + name + " = params[" + quoted(name) + "]\n";
  std::map<std::string, std::string> spelled;
  for (const Tensor &t : parameters) {
    const std::string dtype = quoted(t.dtype->name);
    if (t.direction != "in") outputs.push_back(quoted(t.name));
    // Of more dimensions the program takes the storage by itself.
    const std::string lies = t.lies.shape.size() == 1
                                 ? ".as_strided(" + tuple_text(t.lies.shape) + ", " + tuple_text(t.lies.steps) + ")"
                                 : "",
                      array = "_array(generator, (" + join(t.extents, ", ", [&](Node n) { return ints.python(n); }) +
                              ",), " + dtype + ")";
    spelled[t.name] =
        "_elements(tensors[" + quoted(t.name) + "]" + lies + ", " + dtype + ")" + (t.scalar ? ".item()" : "");
    arguments += "        (" + quoted(t.name) + ", " +
                 (t.lies ? "_lying(" + array + ", " + tuple_text(t.lies.steps) + ")" : array) + "),\n";
    if (t.lies) helper = lying_text;
  }
  for (const std::string &name : p.int_parameters) spelled[name] = "params[" + quoted(name) + "]";
  for (const std::string &name : p.signature) tensors.push_back(spelled.at(name));
  for (const std::string &name : p.numbers())
    arguments += "        (" + quoted(name) + ", ctypes.c_int64(" + name + ")),\n";
  // One rounding of the narrowest output.
  const auto narrow = [&](std::string_view dtype) {
    return std::any_of(parameters.begin(), parameters.end(),
                       [&](const Tensor &t) { return t.direction != "in" && t.dtype->name == dtype; });
  };
  const auto list = [](const std::vector<std::string> &of) {
    return join(of, ", ", [](const std::string &s) { return s; });
  };
  return filled(golden_form, {{"<name>", p.name},
                              {"<outputs>", list(outputs)},
                              {"<tolerance>", narrow("bf16")  ? "1e-2"
                                              : narrow("f16") ? "1e-3"
                                                              : "1e-4"},
                              {"<cases>", list(cases)},
                              {"<sizes>", sizes},
                              {"<lying>", helper},
                              {"<arguments>", arguments},
                              {"<tensors>", list(tensors)}});
}

// Of pto-runtime/2026-03 with host_build_graph.
constexpr size_t most_arguments = 16;

// Whether the runtimes take the program's tasks.
bool takes_tasks(const Context &c, const Program &p) {
  for (const Kernel &k : p.kernels)
    if (const size_t count = arguments_of(p, k).size() + scalars_of(p, k).size(); count > most_arguments)
      return c.report(diag::task_arguments, k.node, k.name, count, most_arguments), false;
  return true;
}

} // namespace

Result emit(const Context &c, Node root) {
  Program program;
  if (!read_program(c, root, Stage::ordered, program) || !takes_tasks(c, program)) return HTP_FAILED;
  const Ints ints(c, root);
  std::vector<KernelText> texts;
  for (const Kernel &k : program.kernels) {
    texts.push_back(kernel_text(c, ints, program, k));
    c.artifact(source_of(k), "source", texts.back().text);
  }
  c.artifact("kernels/htp_kernel.h", "header", header_text);
  c.artifact("orchestration/pto-runtime-2026-03/host_build_graph.cpp", "orchestration", host_graph_text(ints, program));
  c.artifact("orchestration/pto-runtime-2026-03/tensormap_and_ringbuffer.cpp", "orchestration",
             ring_text(c, ints, program));
  c.artifact("orchestration/simpler-2026-08/orchestration.cpp", "orchestration", tasks_text(ints, program));
  c.artifact("kernel_config.py", "configuration", config_text(program));
  c.artifact("golden.py", "test", golden_text(c, ints, program));
  c.artifact("registry.json", "registry", registry_text(c, ints, program, texts));
  c.artifact("build/build.sh", "recipe", recipe_text);
  return c.result();
}

} // namespace htp::a2a3
