// The package's kernels and its orchestration to shared libraries in the content cache, one each: every kernel has the
// same symbol.
#include "package.h"

namespace htp::a2a3sim {

bool run_tool(const Context &c, const std::vector<std::string> &argv, const std::string &folder, std::string_view input,
              htp_tool_result &result) {
  std::vector<htp_str> arguments;
  for (const std::string &a : argv) arguments.push_back(str(a));
  return c.host()->run_tool(c.ctx(), arguments.data(), static_cast<uint32_t>(arguments.size()), str(folder), str(input),
                            &result) == HTP_OK;
}

bool find_compiler(const Context &c, Compiler &compiler) {
  std::vector<std::string> candidates = {"g++", "c++", "clang++"};
  const std::string chosen(view(c.host()->environment(c.ctx(), "CXX")));
  if (!chosen.empty()) candidates = {chosen};
  for (const std::string &program : candidates) {
    htp_tool_result found{}, version{};
    if (!run_tool(c, {"/bin/sh", "-c", "command -v -- \"$1\"", "sh", program}, {}, {}, found) || found.exit_status != 0)
      continue;
    if (!run_tool(c, {program, "--version"}, {}, {}, version) || version.exit_status != 0) continue;
    compiler = {program, std::string(view(version.out))};
    return true;
  }
  auto report = c.report(diag::no_compiler, HTP_NONE);
  if (!chosen.empty()) report.note("`CXX` names `" + chosen + "`, which cannot be started");
  return false;
}

namespace {

std::vector<std::string> flags_of(const Package &p, const Source &s, const Compiler &compiler) {
  std::vector<std::string> flags = {"-std=c++20", "-O0", "-g0", "-w", "-shared", "-fPIC", "-Wl,-Bsymbolic"};
  // Each library has a simulator of its own to talk to.
  if (compiler.identity.find("clang") == std::string::npos) flags.push_back("-fno-gnu-unique");
  if (!s.orchestration)
    flags.insert(flags.end(),
                 {"-D__CPU_SIM", s.vector ? "-D__DAV_VEC__" : "-D__DAV_CUBE__",
                  p.contract == "pto-runtime/2026-03" ? "-DHTP_CONTRACT=202603" : "-DHTP_CONTRACT=202608"});
  return flags;
}

} // namespace

std::string library_name(size_t k) { return "part" + std::to_string(k) + ".so"; }

Result build(const Context &c, htp_str *built) {
  const auto package = read_package(c);
  Compiler compiler;
  Checkouts checkouts;
  if (!package || !find_compiler(c, compiler) || find_checkouts(c, checkouts) != HTP_OK) return HTP_FAILED;
  if (checkouts && !build_runtime(c, checkouts, compiler)) return HTP_FAILED;
  std::string inputs = "htp.a2a3sim.build/1\n" + compiler.program + "\n" + compiler.identity + "\n";
  std::vector<std::vector<std::string>> flags;
  for (const Source &s : package->sources) {
    flags.push_back(checkouts ? runtime_flags(c, checkouts, s, compiler) : flags_of(*package, s, compiler));
    for (const std::string &flag : flags.back()) inputs += flag + "\n";
    inputs += s.text + "\n";
  }
  const std::string report(c.option("report"));
  if (!report.empty()) { // the registry names what it shows
    std::string registry;
    read_package_file(c, "registry.json", registry);
    inputs += "report " + report + "\n" + registry;
  }
  const std::string key(view(c.host()->sha256(c.ctx(), str(inputs))));
  int fresh = 0;
  if (c.host()->cache_folder(c.ctx(), str(key), built, &fresh) != HTP_OK) return HTP_FAILED;
  if (!fresh) return HTP_OK;
  const std::string folder(view(*built));
  if (checkouts && !lay_out_headers(c, folder)) return HTP_FAILED;
  for (size_t k = 0; k < package->sources.size(); ++k) {
    const Source &s = package->sources[k];
    std::vector<std::string> argv{compiler.program};
    argv.insert(argv.end(), flags[k].begin(), flags[k].end());
    argv.insert(argv.end(), {"-x", "c++", "-", "-o", folder + "/" + library_name(k)});
    htp_tool_result result{};
    if (!run_tool(c, argv, folder, s.text, result)) return HTP_FAILED;
    if (result.exit_status == 0) continue;
    c.report(diag::compiler_failed, HTP_NONE, compiler.program, s.path, result.exit_status)
        .note(std::string(view(result.err)));
    return HTP_FAILED;
  }
  if (!report.empty() && write_report(c, *package, folder) != HTP_OK) return HTP_FAILED;
  return c.host()->cache_keep(c.ctx(), str(key));
}

} // namespace htp::a2a3sim
