// The verbs before a run: validate, build, load.
#include "my_plugin.h"

#include <dlfcn.h>
#include <memory>
#include <sstream>

namespace htp_my_plugin {
namespace {

constexpr const char source_path[] = "codegen/my-plugin/kernel.c", signature_path[] = "codegen/my-plugin/signature.txt";
constexpr const char library_name[] = "/kernel.so";

// A file of the package; empty after a diagnostic.
std::string read(const Context &c, const char *path) {
  htp_str bytes{};
  return c.host()->read_file(c.ctx(), str(path), &bytes) == HTP_OK ? std::string(view(bytes)) : std::string();
}

// The entry's name is empty after a diagnostic.
Signature read_signature(const Context &c) {
  Signature signature;
  std::istringstream text(read(c, signature_path));
  for (std::string key; text >> key;) {
    Parameter p;
    Dim d;
    if (key == "entry") {
      text >> signature.entry;
    } else if (key == "dim" && text >> d.name >> d.tensor >> d.axis >> d.factor >> d.offset >> d.largest) {
      signature.dims.push_back(d);
    } else if (key == "tensor" && text >> p.direction >> p.name >> p.dtype >> p.rank && dtype_named(p.dtype)) {
      signature.parameters.push_back(p);
    } else {
      c.report(diag::bad_package, HTP_NONE, signature_path, "`" + key + "` begins no line of it")
          .hint("compile the package again");
      return {};
    }
  }
  for (const Dim &d : signature.dims)
    if (d.factor < 1 || d.tensor >= signature.parameters.size() || d.axis >= signature.parameters[d.tensor].rank) {
      c.report(diag::bad_package, HTP_NONE, signature_path, "`" + d.name + "` is of no tensor")
          .hint("compile the package again");
      return {};
    }
  return signature;
}

} // namespace

Result Binding::validate(const Context &c) {
  return read_signature(c).entry.empty() || read(c, source_path).empty() ? HTP_FAILED : HTP_OK;
}

// What is built depends on the source, the command and the compiler: they are the cache's key.
Result Binding::build(const Context &c, htp_str &built) {
  const auto run_cc = [&](std::vector<std::string> command, std::string_view input, htp_tool_result *result) {
    std::vector<htp_str> arguments;
    for (const std::string &one : command) arguments.push_back(str(one));
    return c.host()->run_tool(c.ctx(), arguments.data(), static_cast<uint32_t>(arguments.size()), {}, str(input),
                              result) == HTP_OK;
  };
  // Integers wrap around, and bytes of the scratchpad are of whatever dtype the tile has that lies there.
  std::vector<std::string> command{
      "cc", "-std=c11", "-O2", "-ffp-contract=off", "-fwrapv", "-fno-strict-aliasing", "-fPIC", "-shared", "-x",
      "c",  "-",        "-lm"};
  htp_tool_result result{};
  if (!run_cc({"cc", "--version"}, {}, &result)) return HTP_FAILED;
  std::string inputs = "my-plugin/1\n" + std::string(view(result.out));
  for (const std::string &one : command) inputs += one + "\n";
  const std::string source = read(c, source_path), key(view(c.host()->sha256(c.ctx(), str(inputs + source))));
  int fresh = 0;
  if (source.empty() || c.host()->cache_folder(c.ctx(), str(key), &built, &fresh) != HTP_OK) return HTP_FAILED;
  if (!fresh) return HTP_OK;
  command.insert(command.end(), {"-o", std::string(view(built)) + library_name});
  if (!run_cc(command, source, &result)) return HTP_FAILED;
  if (result.exit_status != 0) {
    c.report(diag::compiler_failed, HTP_NONE, result.exit_status)
        .note(std::string(view(result.err)))
        .hint("is a C compiler installed?");
    return HTP_FAILED;
  }
  return c.host()->cache_keep(c.ctx(), str(key));
}

Result Binding::load(const Context &c, std::string_view built, void *&loaded) {
  auto opened = std::make_unique<Loaded>();
  opened->signature = read_signature(c);
  if (opened->signature.entry.empty()) return HTP_FAILED;
  opened->library = dlopen((std::string(built) + library_name).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (opened->library) {
    opened->call = reinterpret_cast<decltype(opened->call)>(dlsym(opened->library, "kernel"));
  }
  if (opened->call) {
    loaded = opened.release();
    return HTP_OK;
  }
  const char *why = dlerror();
  c.report(diag::not_loadable, HTP_NONE, why ? why : "it has no kernel").hint("build it again with `HTP_CACHE=off`");
  return HTP_FAILED;
}

Loaded::~Loaded() {
  if (library) dlclose(library);
}

} // namespace htp_my_plugin
