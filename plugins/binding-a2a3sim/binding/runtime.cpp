// Packages on the task runtime of the user's own checkout, of either contract: its libraries are built by its own
// recipes into the content cache, and a small program beside them runs it, apart from this process.
#include "package.h"

#include <cstring>
#include <functional>

namespace htp::a2a3sim {

namespace {

constexpr const char *driver_2026_03 =
#include "driver_2026_03.inc"
    ;
constexpr const char *driver_2026_08 =
#include "driver_2026_08.inc"
    ;

constexpr const char *stdfloat =
#include "stdfloat.inc"
    ;

constexpr const char *graph = "host_build_graph", *ring = "tensormap_and_ringbuffer";

bool old(const Checkouts &k) { return k.contract == "pto-runtime/2026-03"; }
// Where the runtime lies in its checkout, and what is compiled against it.
std::string home(const Checkouts &k) {
  return k.runtime + (old(k) ? "/src/runtime/" : "/src/a2a3/runtime/") + k.flavour;
}
std::vector<std::string> includes(const Checkouts &k) {
  if (old(k)) return {"-I" + home(k) + "/runtime"};
  std::vector<std::string> flags;
  for (const char *folder : {"/runtime", "/common"}) flags.push_back("-I" + home(k) + folder);
  for (const char *folder :
       {"/src/common/task_interface", "/src/common", "/src/common/worker", "/src/common/log/include",
        "/src/common/platform/include", "/src/a2a3/platform/include", "/simpler_setup/incore"})
    flags.push_back("-I" + k.runtime + folder);
  return flags;
}

// A part of the runtime: its recipe, and the folders of its sources under the runtime's home.
struct Part {
  const char *name, *recipe, *sources;
};
constexpr Part parts_2026_03[] = {{"host", "/src/platform/a2a3sim/host", "host runtime"},
                                  {"aicpu", "/src/platform/a2a3sim/aicpu", "aicpu runtime"},
                                  {"aicore", "/src/platform/a2a3sim/aicore", "aicore runtime"}};
constexpr Part parts_2026_03_ring[] = {{"host", "/src/platform/a2a3sim/host", "host runtime orchestration"},
                                       {"aicpu", "/src/platform/a2a3sim/aicpu", "aicpu runtime orchestration"},
                                       {"aicore", "/src/platform/a2a3sim/aicore", "aicore runtime orchestration"}};
constexpr Part parts_tensormap[] = {{"context", "/src/common/platform/sim/sim_context", ""},
                                    {"host", "/src/a2a3/platform/sim/host", "host runtime/shared orchestration"},
                                    {"aicpu", "/src/a2a3/platform/sim/aicpu", "aicpu runtime orchestration"},
                                    {"aicore", "/src/a2a3/platform/sim/aicore", "aicore orchestration"}};
constexpr Part parts_graph[] = {
    {"context", "/src/common/platform/sim/sim_context", ""},
    {"host", "/src/a2a3/platform/sim/host", "host runtime/orchestrator_core runtime/shared orchestration"},
    {"aicpu", "/src/a2a3/platform/sim/aicpu", "aicpu runtime orchestration ../../../common/host_build_graph"},
    {"aicore", "/src/a2a3/platform/sim/aicore", "aicore orchestration"}};
std::vector<Part> parts(const Checkouts &k) {
  if (old(k) && k.flavour == ring) return {std::begin(parts_2026_03_ring), std::end(parts_2026_03_ring)};
  if (old(k)) return {std::begin(parts_2026_03), std::end(parts_2026_03)};
  if (k.flavour == graph) return {std::begin(parts_graph), std::end(parts_graph)};
  return {std::begin(parts_tensormap), std::end(parts_tensormap)};
}

bool good(const Context &c, const std::vector<std::string> &argv, const std::string &folder, std::string_view input,
          const Refusal &why) {
  htp_tool_result result{};
  if (!run_tool(c, argv, folder, input, result)) return false;
  if (result.exit_status == 0) return true;
  const std::string output = std::string(view(result.err)) + std::string(view(result.out));
  why.report(c, HTP_NONE, output.substr(output.size() - std::min<size_t>(output.size(), 4000)));
  return false;
}

bool is_file(const Context &c, const std::string &path) {
  htp_tool_result result{};
  return run_tool(c, {"/bin/sh", "-c", "test -f \"$1\"", "sh", path}, {}, {}, result) && result.exit_status == 0;
}

// All sources in some folders.
void add_sources(const Context &c, const std::vector<std::string> &folders, std::vector<std::string> &to) {
  std::vector<std::string> argv = {"/bin/sh", "-c", "for d in \"$@\"; do ls \"$d\"/*.cpp; done", "sh"};
  argv.insert(argv.end(), folders.begin(), folders.end());
  htp_tool_result found{};
  if (!run_tool(c, argv, {}, {}, found)) return;
  const std::string_view files = view(found.out);
  for (size_t at = 0; at < files.size();) {
    const size_t end = std::min(files.find('\n', at), files.size());
    to.emplace_back(files.substr(at, end - at));
    at = end + 1;
  }
}

void put(std::string &to, uint64_t value) { to.append(reinterpret_cast<const char *>(&value), sizeof value); }

// A folder of the content cache that is filled once for what it is made of.
bool build_once(const Context &c, const std::string &inputs, std::string &folder,
                const std::function<bool(const std::string &)> &fill) {
  const std::string key(view(c.host()->sha256(c.ctx(), str(inputs))));
  htp_str kept{};
  int fresh = 0;
  if (c.host()->cache_folder(c.ctx(), str(key), &kept, &fresh) != HTP_OK) return false;
  folder = std::string(view(kept));
  return !fresh || (fill(folder) && c.host()->cache_keep(c.ctx(), str(key)) == HTP_OK);
}

bool build_libraries(const Context &c, const Checkouts &k, const Compiler &compiler, std::string &folder) {
  htp_tool_result digest{};
  if (!run_tool(c,
                {"/bin/sh", "-c",
                 "cd \"$1\" && find src -type f | LC_ALL=C sort | xargs -d '\\n' sha256sum | sha256sum", "sh",
                 k.runtime},
                {}, {}, digest))
    return false;
  const std::string inputs = "htp.a2a3sim.runtime/3\n" + k.runtime + "\n" + k.flavour + "\n" +
                             std::string(view(digest.out)) + "\n" + compiler.program + "\n" + compiler.identity + "\n";
  return build_once(c, inputs, folder, [&](const std::string &into) {
    for (const Part &part : parts(k)) {
      const std::string own = into + "/" + part.name;
      std::vector<std::string> argv = {"cmake",
                                       "-S",
                                       k.runtime + part.recipe,
                                       "-B",
                                       own,
                                       "-DCMAKE_CXX_COMPILER=" + compiler.program,
                                       "-DCMAKE_CXX_FLAGS=-w"};
      std::string sources;
      for (std::string_view rest = part.sources; !rest.empty();) {
        const size_t end = std::min(rest.find(' '), rest.size());
        sources += (sources.empty() ? "" : ";") + home(k) + "/" + std::string(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
      }
      argv.push_back("-DCUSTOM_INCLUDE_DIRS=" + home(k) + "/runtime" +
                     (old(k) ? "" : ";" + home(k) + "/common;" + home(k) + "/.."));
      argv.push_back("-DCUSTOM_SOURCE_DIRS=" + sources);
      if (!old(k)) argv.insert(argv.end(), {"-DSIMPLER_CMAKE_DIR=" + k.runtime + "/cmake", "-DWERROR=OFF"});
      if (!good(c, argv, into, {}, Refusal(diag::runtime_configure, part.name)) ||
          !good(c, {"cmake", "--build", own}, into, {}, Refusal(diag::runtime_build, part.name)))
        return false;
    }
    return true;
  });
}

bool build_driver(const Context &c, const Checkouts &k, const Compiler &compiler, std::string &folder) {
  const char *driver = old(k) ? driver_2026_03 : driver_2026_08;
  std::vector<std::string> argv = {compiler.program, "-std=c++17", "-O1", "-w"};
  if (!old(k))
    for (std::string &flag : includes(k)) argv.push_back(std::move(flag));
  std::string inputs = "htp.a2a3sim.driver/1\n" + compiler.identity + "\n";
  for (const std::string &argument : argv) inputs += argument + "\n";
  return build_once(c, inputs + driver, folder, [&](const std::string &into) {
    argv.insert(argv.end(), {"-x", "c++", "-", "-o", into + "/driver", "-ldl"});
    return good(c, argv, into, driver, Refusal(diag::runtime_driver));
  });
}

} // namespace

Result find_checkouts(const Context &c, Checkouts &checkouts) {
  const std::string runtime(view(c.host()->environment(c.ctx(), "HTP_PTO_RUNTIME"))),
      isa(view(c.host()->environment(c.ctx(), "HTP_PTO_ISA")));
  if (runtime.empty()) return HTP_OK;
  const auto no = [&](const Refusal &why) {
    why.report(c, HTP_NONE);
    return HTP_FAILED;
  };
  checkouts.runtime = runtime, checkouts.isa = isa, checkouts.flavour = std::string(c.option("runtime"));
  const bool is_old = is_file(c, runtime + "/src/runtime/" + graph + "/runtime/runtime.h");
  checkouts.contract = is_old ? "pto-runtime/2026-03" : "simpler/2026-08";
  if (!is_old && !is_file(c, runtime + "/src/a2a3/runtime/" + ring + "/build_config.py")) {
    checkouts = {};
    return no(Refusal(diag::no_checkout, runtime));
  }
  if (checkouts.flavour.empty()) checkouts.flavour = is_old ? graph : ring;
  if (checkouts.flavour != graph && checkouts.flavour != ring)
    return no(Refusal(diag::runtime_option, checkouts.flavour, graph, ring));
  if (!is_file(c, isa + "/include/pto/pto-inst.hpp")) return no(Refusal(diag::no_instruction_set, isa));
  return HTP_OK;
}

std::vector<std::string> runtime_flags(const Context &c, const Checkouts &k, const Source &s,
                                       const Compiler &compiler) {
  std::vector<std::string> flags;
  if (s.orchestration) {
    flags = {"-std=c++17", "-O1", "-w", "-shared", "-fPIC"};
    if (old(k)) {
      flags.push_back("-I" + k.runtime + "/src/platform/include");
      if (k.flavour == ring)
        flags.push_back("-I" + home(k) + "/orchestration"), add_sources(c, {home(k) + "/orchestration"}, flags);
    } else { // the runtime's side of it is compiled in
      if (compiler.identity.find("clang") == std::string::npos) flags.push_back("-fno-gnu-unique");
      flags.insert(flags.end(),
                   {"-pthread", "-Wl,--build-id=sha1", "-I" + home(k) + "/orchestration", "-I" + home(k) + "/.."});
      std::vector<std::string> folders = {home(k) + "/orchestration"};
      if (k.flavour == graph) folders.push_back(home(k) + "/host_orchestration_support");
      add_sources(c, folders, flags);
      for (const char *file :
           {"/src/common/platform/sim/aicpu/cache_ops.cpp", "/src/common/platform/sim/aicpu/device_time.cpp",
            "/src/common/log/host_log.cpp", "/src/common/log/unified_log_host.cpp"})
        flags.push_back(k.runtime + file);
    }
  } else {
    flags = {"-std=c++23",
             "-O1",
             "-w",
             "-fpermissive",
             "-shared",
             "-fPIC",
             "-DNDEBUG",
             "-D__CPU_SIM",
             "-DPTO_CPU_MAX_THREADS=1",
             old(k) ? "-DHTP_CONTRACT=202603" : "-DHTP_CONTRACT=202608",
             s.vector ? "-D__DAV_VEC__" : "-D__DAV_CUBE__",
             "-I" + k.isa + "/include",
             "-I" + k.isa + "/include/pto"};
    if (old(k) && k.flavour == ring) flags.push_back("-DHTP_RUNTIME_TRB");
    if (s.text.find("bfloat16_t") != std::string::npos) { // or it is _Float16
      flags.insert(flags.end(), {"-DPTO_CPU_SIM_ENABLE_BF16", "-I."});
      if (compiler.identity.find("clang") != std::string::npos) flags.push_back("-D__STDCPP_BFLOAT16_T__=1");
    }
  }
  for (std::string &flag : includes(k)) flags.push_back(std::move(flag));
  return flags;
}

bool lay_out_headers(const Context &c, const std::string &folder) {
  return good(c, {"/bin/sh", "-c", "cat > stdfloat"}, folder, stdfloat, Refusal(diag::unwritable, "stdfloat", folder));
}

std::optional<Runtime> build_runtime(const Context &c, const Checkouts &k, const Compiler &compiler) {
  Runtime built;
  if (!build_libraries(c, k, compiler, built.libraries) || !build_driver(c, k, compiler, built.driver))
    return std::nullopt;
  return built;
}

Result run_on_runtime(const Context &c, const Package &p, const std::string &built, const Checkouts &k,
                      const Arguments &a) {
  Compiler compiler;
  if (!find_compiler(c, compiler)) return HTP_FAILED;
  const auto runtime = build_runtime(c, k, compiler);
  if (!runtime) return HTP_FAILED;
  const std::string &libraries = runtime->libraries;
  std::vector<std::string> argv = {runtime->driver + "/driver",
                                   old(k) ? k.flavour : libraries + "/context/libcpu_sim_context.so"};
  argv.insert(argv.end(),
              {libraries + "/host/libhost_runtime.so", libraries + "/aicpu/libaicpu_kernel.so",
               libraries + "/aicore/libaicore_kernel.so", built + "/" + library_name(0), p.sources[0].symbol});
  if (!old(k)) argv.push_back(p.config);
  for (size_t s = 1; s < p.sources.size(); ++s)
    argv.push_back(std::to_string(p.sources[s].func_id)), argv.push_back(built + "/" + library_name(s));
  std::string input;
  put(input, a.tensors.size());
  uint64_t expected = 0;
  for (size_t t = 0; t < a.tensors.size(); ++t) {
    const std::string &direction = p.parameters[t].direction;
    put(input, direction == "in" ? 1 : direction == "out" ? 2 : 3);
    put(input, dtype_row(p.parameters[t].dtype)->data_type);
    put(input, a.tensors[t].shape.size());
    for (const uint32_t extent : a.tensors[t].shape) put(input, extent);
    const uint64_t bytes = a.tensors[t].spread.bytes;
    put(input, bytes);
    const size_t from = input.size();
    input.resize(from + bytes);
    a.tensors[t].spread.runs([&](uint64_t begin, uint64_t length) {
      std::memcpy(input.data() + from + begin, static_cast<const char *>(a.tensors[t].data) + begin, length);
    });
    if (direction != "in") expected += bytes;
  }
  put(input, a.dims.size());
  for (const uint64_t d : a.dims) put(input, d);
  htp_tool_result result{};
  if (!run_tool(c, argv, built, input, result)) return HTP_FAILED;
  const std::string_view out = view(result.out), output = view(result.err);
  if (result.exit_status != 0 || out.size() != expected) {
    c.report(diag::runtime_failed, HTP_NONE, result.exit_status)
        .note(std::string(output.substr(output.size() - std::min<size_t>(output.size(), 4000))));
    return HTP_FAILED;
  }
  const char *next = out.data();
  for (size_t t = 0; t < a.tensors.size(); ++t) {
    if (p.parameters[t].direction == "in") continue;
    a.tensors[t].put(next);
    next += a.tensors[t].spread.bytes;
  }
  return HTP_OK;
}

} // namespace htp::a2a3sim
