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

// A form with texts for its `<names>`.
std::string filled(std::string text, const std::map<std::string, std::string> &names) {
  for (const auto &[name, value] : names)
    for (size_t at = 0; (at = text.find(name, at)) != std::string::npos; at += value.size())
      text.replace(at, name.size(), value);
  return text;
}

// The commits of the runtime and of the instruction set that the texts are written against.
#define COMMIT(name, commit) constexpr std::string_view name = commit;
#include "../runtime/commits.def"

// The sizes of loops that stand beside something: what is behind one counts on what it does. So a sum has a first
// product.
void looped(const Ints &ints, const Program &p, const std::vector<Statement> &body,
            std::map<std::string, int64_t> &most) {
  const auto works = [](const Statement &s) {
    return s.kind == Statement::Kind::loop || s.kind == Statement::Kind::branch ||
           s.kind == Statement::Kind::instruction;
  };
  const bool beside = std::count_if(body.begin(), body.end(), works) > 1;
  for (const Statement &s : body) {
    looped(ints, p, s.otherwise, most);
    if (s.kind == Statement::Kind::branch) looped(ints, p, s.body, most);
    if (s.kind != Statement::Kind::loop) continue;
    if (beside && ints.only_names(s.stop, p.dims)) most.emplace(ints.json(s.stop), INT64_MAX);
    looped(ints, p, s.body, most);
  }
}

// What tiles hold of the sizes, but where a branch is only taken up to what they hold.
void held(const Context &c, const Ints &ints, const Program &p, const std::vector<Statement> &body,
          const std::pair<std::string, int64_t> &up_to, std::map<std::string, int64_t> &most) {
  for (const Statement &s : body) {
    held(c, ints, p, s.otherwise, up_to, most);
    const auto size = s.kind == Statement::Kind::branch ? most_of_size(c, s.test) : std::nullopt;
    held(c, ints, p, s.body, size.value_or(up_to), most);
    if (s.kind != Statement::Kind::tile) continue;
    const Tile &t = *s.tile;
    for (const auto &[extent, room] : {std::pair(t.valid_rows, t.rows), std::pair(t.valid_columns, t.columns)}) {
      const bool less = !up_to.first.empty() && c.name_of(extent) == up_to.first && room >= up_to.second;
      if (less || !ints.only_names(extent, p.dims)) continue;
      const auto [it, fresh] = most.emplace(ints.json(extent), room);
      it->second = std::min(it->second, room);
    }
  }
}

// The sizes that places which are numbers ask for, but for those that only one way of a branch moves.
void reached(const Context &c, const Ints &ints, const Program &p, const std::vector<Statement> &body,
             std::map<std::string, int64_t> &least) {
  for (const Statement &s : body) {
    if (s.kind == Statement::Kind::loop) reached(c, ints, p, s.body, least);
    if (s.kind != Statement::Kind::instruction || !s.tensor) continue;
    for (size_t d = 0; d < s.index.size(); ++d) {
      const auto slice = read_slice(c, s.index[d]);
      int64_t last = 0;
      if (!c.integer(slice ? slice->stop : s.index[d], &last) || !ints.only_names(s.tensor->extents[d], p.dims))
        continue;
      int64_t &size = least[ints.json(s.tensor->extents[d])];
      size = std::max(size, slice ? last : last + 1);
    }
  }
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
                 ", \"dtype\": ", quoted(p.tensors[k].dtype->word), ", \"dims\": [",
                 join(p.tensors[k].extents, ", ", [&](Node n) { return ints.json(n); }), "]}",
                 k + 1 == p.parameters ? "" : ",");
      }
      {
        auto dims = w.block("],", "\"dims\": [");
        for (const std::string &d : p.dims)
          w.line("{\"name\": ", quoted(d), ", \"least\": 0}", &d == &p.dims.back() ? "" : ",");
      }
      // And which sizes are not 0; what is moved from a place that is a number is there.
      std::map<std::string, int64_t> most, least;
      for (const Kernel &k : p.kernels) {
        held(c, ints, p, k.body, {}, most);
        looped(ints, p, k.body, most);
        reached(c, ints, p, k.body, least);
      }
      for (const auto &[extent, room] : least) most.emplace(extent, INT64_MAX);
      auto limits = w.block("]", "\"limits\": [");
      size_t left = most.size();
      for (const auto &[extent, room] : most)
        w.line("{\"extent\": ", extent, ", \"least\": ", std::max<int64_t>(1, least[extent]),
               room == INT64_MAX ? std::string() : ", \"most\": " + std::to_string(room), "}", --left ? "," : "");
    }
    {
      auto buffers = w.block("],", "\"buffers\": [");
      for (size_t k = p.parameters; k < p.tensors.size(); ++k)
        w.line("{\"name\": ", quoted(p.tensors[k].name), ", \"dtype\": ", quoted(p.tensors[k].dtype->word),
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
          const std::vector<std::string> scalars = scalars_of(p);
          const std::vector<Argument> tensors = arguments_of(p, k);
          auto args = w.block("],", "\"args\": [");
          for (const Argument &a : tensors)
            w.line("{\"name\": ", quoted(a.tensor->name),
                   ", \"kind\": \"tensor\", \"dtype\": ", quoted(a.tensor->dtype->word),
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
        auto events = w.block("]", "\"events\": [");
        for (const Event &e : texts[n].events)
          w.line("{\"source\": ", quoted(name_of(e.source)), ", \"destination\": ", quoted(name_of(e.destination)),
                 ", \"id\": ", e.id, ", \"set\": [", lines(e.set), "], \"wait\": [", lines(e.wait), "]}",
                 &e == &texts[n].events.back() ? "" : ",");
      }
    }
    std::string parts;
    for (const PartOf &part : p.parts)
      parts += (parts.empty() ? ", \"for\": [" : ", ") + ("{\"part\": " + quoted(part.name)) +
               (part.by.empty() ? "" : ", \"by\": " + quoted(part.by)) + ", \"stop\": " + ints.json(part.stop) +
               ", \"step\": " + ints.json(part.step) + "}";
    if (!parts.empty()) parts += "]";
    auto tasks = w.block("]", "\"tasks\": [");
    for (size_t n = 0; n < p.kernels.size(); ++n) {
      const std::vector<size_t> earlier = before(p, n);
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
std::string golden_text(const Ints &ints, const Program &p) {
  const std::vector<Tensor> parameters(p.tensors.begin(), p.tensors.begin() + static_cast<ptrdiff_t>(p.parameters));
  std::vector<std::string> outputs, cases, tensors;
  std::string sizes, arguments;
  for (const std::string &d : p.dims) {
    cases.push_back(quoted(d) + ": 64");
    sizes += "    " + d + " = params[" + quoted(d) + "]\n";
  }
  for (const Tensor &t : parameters) {
    const std::string dtype = quoted(t.dtype->word);
    if (t.direction != "in") outputs.push_back(quoted(t.name));
    tensors.push_back("_elements(tensors[" + quoted(t.name) + "], " + dtype + ")" + (t.scalar ? ".item()" : ""));
    arguments += "        (" + quoted(t.name) + ", _array(generator, (" +
                 join(t.extents, ", ", [&](Node n) { return ints.python(n); }) + ",), " + dtype + ")),\n";
  }
  for (const std::string &d : p.dims) arguments += "        (" + quoted(d) + ", ctypes.c_int64(" + d + ")),\n";
  // One rounding of the narrowest output.
  const auto narrow = [&](std::string_view dtype) {
    return std::any_of(parameters.begin(), parameters.end(),
                       [&](const Tensor &t) { return t.direction != "in" && t.dtype->word == dtype; });
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
                              {"<arguments>", arguments},
                              {"<tensors>", list(tensors)}});
}

} // namespace

Result emit(const Context &c, Node root) {
  Program program;
  if (!read_program(c, root, Form::ordered, program, [&](Node where, const std::string &what, const std::string &) {
        c.report(diag::unsupported_form, where, what);
      }))
    return HTP_FAILED;
  const Ints ints(c, root, program);
  std::vector<KernelText> texts;
  for (const Kernel &k : program.kernels) {
    texts.push_back(kernel_text(c, ints, program, k));
    c.artifact(source_of(k), "source", texts.back().text);
  }
  c.artifact("kernels/htp_kernel.h", "header", header_text);
  c.artifact("orchestration/pto-runtime-2026-03/host_build_graph.cpp", "orchestration", host_graph_text(ints, program));
  c.artifact("orchestration/pto-runtime-2026-03/tensormap_and_ringbuffer.cpp", "orchestration",
             ring_text(ints, program));
  c.artifact("orchestration/simpler-2026-08/orchestration.cpp", "orchestration", tasks_text(ints, program));
  c.artifact("kernel_config.py", "configuration", config_text(program));
  c.artifact("golden.py", "test", golden_text(ints, program));
  c.artifact("registry.json", "registry", registry_text(c, ints, program, texts));
  c.artifact("build/build.sh", "recipe", recipe_text);
  return c.result();
}

} // namespace htp::a2a3
