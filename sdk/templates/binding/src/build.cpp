// The verbs before a run: validate, build, load.
#include "my_plugin.h"

#include <dlfcn.h>
#include <memory>

namespace htp_my_plugin {
namespace {

constexpr const char library_name[] = "kernel.so";

// Runs a tool in `folder`; its exit status, 127 where it cannot be started.
int run_tool(const Context &c, const std::vector<std::string> &command, std::string_view folder, std::string_view input,
             htp_tool_result *result) {
  std::vector<htp_str> arguments;
  for (const std::string &one : command) arguments.push_back(str(one));
  const auto count = static_cast<uint32_t>(arguments.size());
  if (c.host()->run_tool(c.ctx(), arguments.data(), count, str(folder), str(input), result) != HTP_OK) return 127;
  return result->exit_status;
}

} // namespace

Result Debug::validate(const Context &c) {
  return read_entries(c).empty() || read_recipe(c).sources.empty() ? HTP_FAILED : HTP_OK;
}

// What is built depends on the sources, the flags and the compiler: they are the cache's key.
Result Debug::build(const Context &c, htp_str &built) {
  const Recipe recipe = read_recipe(c);
  if (recipe.sources.empty()) return HTP_FAILED;
  std::vector<std::string> command{"cc", "-Og", "-g", "-fPIC", "-shared", "-o", library_name, recipe.sources[0].first};
  command.insert(command.begin() + 1, recipe.flags.begin(), recipe.flags.end());
  htp_tool_result result{};
  run_tool(c, {"cc", "--version"}, {}, {}, &result);
  std::string inputs = "my-plugin.debug/1\n" + std::string(view(result.out));
  for (const std::string &one : command) inputs += one + "\n";
  for (const auto &[name, text] : recipe.sources) inputs += name + "\n" + text;
  const std::string key(view(c.host()->sha256(c.ctx(), str(inputs))));

  int fresh = 0;
  if (c.host()->cache_folder(c.ctx(), str(key), &built, &fresh) != HTP_OK) return HTP_FAILED;
  if (!fresh) return HTP_OK;
  for (const auto &[name, text] : recipe.sources) // the debugger looks for them where they were compiled
    if (run_tool(c, {"tee", name}, view(built), text, &result) != 0) return HTP_FAILED;
  if (const int status = run_tool(c, command, view(built), {}, &result); status != 0) {
    c.report(diag::compiler_failed, HTP_NONE, status)
        .note(std::string(view(result.err)))
        .hint("is a C compiler installed?");
    return HTP_FAILED;
  }
  return c.host()->cache_keep(c.ctx(), str(key));
}

Result Debug::load(const Context &c, std::string_view built, void *&loaded) {
  auto opened = std::make_unique<Loaded>();
  const std::string path = std::string(built) + "/" + library_name;
  opened->library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  for (const Entry &entry : opened->library ? read_entries(c) : std::vector<Entry>())
    if (const auto call = reinterpret_cast<Call>(dlsym(opened->library, entry.symbol.c_str())))
      opened->entries.emplace_back(entry, call);
  if (c.errors()) return HTP_FAILED;
  if (!opened->entries.empty()) {
    loaded = opened.release();
    return HTP_OK;
  }
  const char *why = dlerror();
  c.report(diag::not_loadable, HTP_NONE, why ? why : "it has no entries").hint("build it again with `HTP_CACHE=off`");
  return HTP_FAILED;
}

Loaded::~Loaded() {
  if (library) dlclose(library);
}

} // namespace htp_my_plugin
