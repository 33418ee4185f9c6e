// The recipe: the package's C to a shared library in the content cache.
#include "build.h"

namespace htp::cpu::bind {

namespace {

struct Compiler {
  std::string program, identity; // identity: what `--version` says
};

bool run(const Context &c, const std::vector<std::string> &argv, const std::string &directory,
         htp_tool_result &result) {
  std::vector<htp_str> arguments;
  for (const std::string &a : argv) arguments.push_back(str(a));
  return c.host()->run_tool(c.ctx(), arguments.data(), static_cast<uint32_t>(arguments.size()), str(directory), {},
                            &result) == HTP_OK;
}

// Whether a program of that name stands in PATH; asked through the host, without a diagnostic when it does not.
bool installed(const Context &c, const std::string &program) {
  htp_tool_result found{};
  return run(c, {"/bin/sh", "-c", "command -v -- \"$1\"", "sh", program}, {}, found) && found.exit_status == 0;
}

bool find_compiler(const Context &c, const Recipe &recipe, Compiler &compiler) {
  std::vector<std::string> candidates = recipe.compilers;
  const std::string chosen(view(c.host()->environment(c.ctx(), "CC")));
  if (!chosen.empty()) candidates = {chosen};
  for (const std::string &program : candidates) {
    htp_tool_result version{};
    if (!installed(c, program) || !run(c, {program, "--version"}, {}, version) || version.exit_status != 0) continue;
    compiler = {program, std::string(view(version.out))};
    return true;
  }
  auto report = c.report(diag::no_compiler, HTP_NONE);
  if (!chosen.empty()) report.note("`CC` names `" + chosen + "`, which cannot be started");
  report.hint(
      "install one (`apt-get install gcc`), or name one in `CC` and let it through in the profile's `environment`");
  return false;
}

// What `-march=native` depends on.
std::string machine(const Context &c, const Compiler &compiler) {
  htp_tool_result flags{};
  if (!run(c, {compiler.program, "-march=native", "-E", "-dM", "-x", "c", "/dev/null"}, {}, flags)) return {};
  return std::string(view(flags.out));
}

} // namespace

Result build(const Context &c, htp_str *built) {
  Recipe recipe;
  Compiler compiler;
  if (!read_recipe(c, recipe) || !find_compiler(c, recipe, compiler)) return HTP_FAILED;
  std::string inputs =
      "htp.cpu.build/1\n" + compiler.program + "\n" + compiler.identity + "\n" + machine(c, compiler) + "\n";
  for (const auto *list : {&recipe.flags, &recipe.optional, &recipe.libraries, &recipe.compile})
    for (const std::string &item : *list) inputs += item + "\n";
  std::vector<std::pair<std::string, std::string>> sources; // name, text
  for (const std::string &path : recipe.sources) {
    std::string bytes;
    if (!read_file(c, path, bytes)) return HTP_FAILED;
    inputs += path + "\n" + bytes;
    sources.emplace_back(path, std::move(bytes));
  }
  const std::string key(view(c.host()->sha256(c.ctx(), str(inputs))));
  int fresh = 0;
  if (c.host()->cache_folder(c.ctx(), str(key), built, &fresh) != HTP_OK) return HTP_FAILED;
  if (!fresh) return HTP_OK;

  // The compiler reads the very bytes that were hashed: they go in by its standard input, the header pasted in.
  const std::string folder(view(*built));
  std::string unit;
  for (const std::string &path : recipe.compile)
    for (const auto &[name, text] : sources)
      if (name == path) unit += text;
  for (const auto &[name, text] : sources) {
    const std::string include = "#include \"" + name.substr(name.rfind('/') + 1) + "\"\n";
    if (const size_t at = unit.find(include); at != std::string::npos)
      unit.replace(at, include.size(), text + "#line 3 \"kernel.c\"\n");
  }
  // Optional flags are tried together, then none: what a compiler does not know it refuses.
  for (const bool optional : {true, false}) {
    std::vector<std::string> argv{compiler.program};
    argv.insert(argv.end(), recipe.flags.begin(), recipe.flags.end());
    if (optional) argv.insert(argv.end(), recipe.optional.begin(), recipe.optional.end());
    argv.insert(argv.end(), {"-x", "c", "-", "-o", folder + "/" + recipe.output});
    for (const std::string &library : recipe.libraries) argv.push_back("-l" + library);
    std::vector<htp_str> arguments;
    for (const std::string &a : argv) arguments.push_back(str(a));
    htp_tool_result result{};
    if (c.host()->run_tool(c.ctx(), arguments.data(), static_cast<uint32_t>(arguments.size()), str(folder), str(unit),
                           &result) != HTP_OK)
      return HTP_FAILED;
    if (result.exit_status == 0) return c.host()->cache_keep(c.ctx(), str(key));
    if (!optional)
      c.report(diag::compiler_failed, HTP_NONE, compiler.program, result.exit_status)
          .note(std::string(view(result.err)))
          .hint("the sources lie in `codegen/cpu` of the package");
  }
  return HTP_FAILED;
}

} // namespace htp::cpu::bind
