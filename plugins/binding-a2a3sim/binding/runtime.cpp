// Packages on the task runtime of the user's own checkout, of contract pto-runtime/2026-03: its libraries are built by
// its own recipes into the content cache, and a small program beside them runs it, apart from this process.
#include "package.h"

#include <cstring>

namespace htp::a2a3sim {

namespace {

constexpr const char *driver_text =
#include "driver_text.inc"
    ;
constexpr const char *graph = "/src/runtime/host_build_graph";

bool good(const Context &c, const std::vector<std::string> &argv, const std::string &folder, std::string_view input,
          const std::string &what) {
  htp_tool_result result{};
  if (!run_tool(c, argv, folder, input, result)) return false;
  if (result.exit_status == 0) return true;
  const std::string said = std::string(view(result.err)) + std::string(view(result.out));
  c.report(diag::runtime_failed, HTP_NONE, what).note(said.substr(said.size() - std::min<size_t>(said.size(), 4000)));
  return false;
}

bool is_file(const Context &c, const std::string &path) {
  htp_tool_result result{};
  return run_tool(c, {"/bin/sh", "-c", "test -f \"$1\"", "sh", path}, {}, {}, result) && result.exit_status == 0;
}

void put(std::string &to, uint64_t value) { to.append(reinterpret_cast<const char *>(&value), sizeof value); }

} // namespace

Result find_checkouts(const Context &c, Checkouts &checkouts) {
  const std::string runtime(view(c.host()->environment(c.ctx(), "HTP_PTO_RUNTIME"))),
      isa(view(c.host()->environment(c.ctx(), "HTP_PTO_ISA")));
  if (runtime.empty()) return HTP_OK;
  const auto no = [&](const std::string &what) {
    c.report(diag::no_checkout, HTP_NONE, what);
    return HTP_FAILED;
  };
  if (!is_file(c, runtime + graph + "/runtime/runtime.h"))
    return no("`HTP_PTO_RUNTIME` names `" + runtime + "`, which holds no task runtime of pto-runtime/2026-03");
  if (!is_file(c, isa + "/include/pto/pto-inst.hpp"))
    return no("`HTP_PTO_ISA` names `" + isa + "`, which does not hold `include/pto/pto-inst.hpp`");
  checkouts = {runtime, isa};
  return HTP_OK;
}

std::vector<std::string> runtime_flags(const Checkouts &k, const Source &s) {
  const std::string runtime = "-I" + k.runtime + graph + "/runtime";
  if (s.orchestration)
    return {"-std=c++17", "-O1", "-w", "-shared", "-fPIC", runtime, "-I" + k.runtime + "/src/platform/include"};
  return {"-std=c++23",
          "-O1",
          "-w",
          "-fpermissive",
          "-shared",
          "-fPIC",
          "-DNDEBUG",
          "-D__CPU_SIM",
          "-DPTO_CPU_MAX_THREADS=1",
          "-DHTP_CONTRACT=202603",
          s.vector ? "-D__DAV_VEC__" : "-D__DAV_CUBE__",
          "-I" + k.isa + "/include",
          "-I" + k.isa + "/include/pto",
          runtime};
}

std::optional<std::string> build_runtime(const Context &c, const Checkouts &k, const Compiler &compiler) {
  htp_tool_result digest{};
  if (!run_tool(c,
                {"/bin/sh", "-c",
                 "cd \"$1\" && find src -type f | LC_ALL=C sort | xargs -d '\\n' sha256sum | sha256sum", "sh",
                 k.runtime},
                {}, {}, digest))
    return std::nullopt;
  const std::string inputs = "htp.a2a3sim.runtime/1\n" + k.runtime + "\n" + std::string(view(digest.out)) + "\n" +
                             compiler.program + "\n" + compiler.identity + "\n" + driver_text;
  const std::string key(view(c.host()->sha256(c.ctx(), str(inputs))));
  htp_str kept{};
  int fresh = 0;
  if (c.host()->cache_folder(c.ctx(), str(key), &kept, &fresh) != HTP_OK) return std::nullopt;
  const std::string folder(view(kept));
  if (!fresh) return folder;
  for (const char *part : {"host", "aicpu", "aicore"}) {
    const std::string runtime = k.runtime + graph, own = folder + "/" + part;
    if (!good(c,
              {"cmake", "-S", k.runtime + "/src/platform/a2a3sim/" + part, "-B", own,
               "-DCMAKE_CXX_COMPILER=" + compiler.program, "-DCMAKE_CXX_FLAGS=-w",
               "-DCUSTOM_INCLUDE_DIRS=" + runtime + "/runtime",
               "-DCUSTOM_SOURCE_DIRS=" + runtime + "/" + part + ";" + runtime + "/runtime"},
              folder, {}, std::string("cmake refuses its part `") + part + "`") ||
        !good(c, {"cmake", "--build", own}, folder, {}, std::string("its part `") + part + "` does not build"))
      return std::nullopt;
  }
  if (!good(c, {compiler.program, "-std=c++17", "-O1", "-x", "c++", "-", "-o", folder + "/driver", "-ldl"}, folder,
            driver_text, "the driver does not build"))
    return std::nullopt;
  if (c.host()->cache_keep(c.ctx(), str(key)) != HTP_OK) return std::nullopt;
  return folder;
}

Result run_on_runtime(const Context &c, const Package &p, const std::string &built, const Checkouts &k,
                      const Arguments &a) {
  Compiler compiler;
  if (!find_compiler(c, compiler)) return HTP_FAILED;
  const auto folder = build_runtime(c, k, compiler);
  if (!folder) return HTP_FAILED;
  std::vector<std::string> argv = {*folder + "/driver",
                                   *folder + "/host/libhost_runtime.so",
                                   *folder + "/aicpu/libaicpu_kernel.so",
                                   *folder + "/aicore/libaicore_kernel.so",
                                   built + "/" + library_name(0),
                                   p.sources[0].symbol};
  for (size_t s = 1; s < p.sources.size(); ++s)
    argv.push_back(std::to_string(p.sources[s].func_id)), argv.push_back(built + "/" + library_name(s));
  std::string input;
  put(input, a.tensors.size());
  uint64_t expected = 0;
  for (size_t t = 0; t < a.tensors.size(); ++t) {
    const std::string &direction = p.parameters[t].direction;
    put(input, direction == "in" ? 1 : direction == "out" ? 2 : 3);
    put(input, a.tensors[t].bytes);
    input.append(static_cast<const char *>(a.tensors[t].data), a.tensors[t].bytes);
    if (direction != "in") expected += a.tensors[t].bytes;
  }
  put(input, a.dims.size());
  for (const uint64_t d : a.dims) put(input, d);
  htp_tool_result result{};
  if (!run_tool(c, argv, built, input, result)) return HTP_FAILED;
  const std::string_view out = view(result.out), said = view(result.err);
  if (result.exit_status != 0 || out.size() != expected) {
    c.report(diag::runtime_failed, HTP_NONE, "it ends with status " + std::to_string(result.exit_status))
        .note(std::string(said.substr(said.size() - std::min<size_t>(said.size(), 4000))));
    return HTP_FAILED;
  }
  const char *next = out.data();
  for (size_t t = 0; t < a.tensors.size(); ++t) {
    if (p.parameters[t].direction == "in" || a.tensors[t].bytes == 0) continue;
    std::memcpy(a.tensors[t].data, next, a.tensors[t].bytes);
    next += a.tensors[t].bytes;
  }
  return HTP_OK;
}

} // namespace htp::a2a3sim
