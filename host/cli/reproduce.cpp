#include "host/cli/reproduce.h"

#include "host/base/cache.h"
#include "host/base/environment.h"
#include "host/base/fs.h"
#include "host/base/hash.h"
#include "host/base/process.h"
#include "host/bind/modules.h"
#include "host/cli/ask.h"
#include "host/load/identity.h"
#include "host/package/reader.h"
#include "host/pipeline/remake.h"

#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <unistd.h>

namespace htp {

namespace {

constexpr const char *variable = "HTP_REPRODUCE"; // `off`; `this` in the process that makes the folder
constexpr std::chrono::seconds longest{60};

char **command_line = nullptr;

bool wanted(const Arguments &arguments) {
  const char *set = environment(variable);
  return command_line && !set && (arguments.command == "compile" || arguments.command == "run");
}

} // namespace

void remember_command_line(char **argv) { command_line = argv; }

bool asked_to_reproduce() {
  const char *set = environment(variable);
  return set && std::string_view(set) == "this";
}

int reproduce(const Arguments &arguments) {
  ::setenv(variable, "off", 1); // what it starts makes none of its own
  const Cache cache = Cache::from_environment();
  if (!cache.enabled()) return exit_failed;
  Diagnostics said;
  nlohmann::ordered_json question = arrays_asked(arguments);
  CompileRequest request = arguments.request;
  std::string name, bytes;
  if (arguments.command == "compile") {
    if (request.program.empty() || !request.from_stage.empty())
      return exit_failed; // the profile's, or a stage: as it is
    const auto text = read_file(request.program, package_file_limit);
    if (!text) return exit_failed;
    const std::string path = absolute_path(request.program);
    name = path.substr(path.rfind('/') + 1);
    bytes = *text;
    question.update({{"text", *text}, {"folder", path.substr(0, path.rfind('/'))}, {"set", request.set}});
  } else {
    const auto package = read_package(arguments.package, said);
    if (!package) return exit_failed;
    name = package->manifest.identity.name;
    bytes = to_json(package->manifest);
    request = request_of(*package, request);
    const auto inputs = gather(request, false, said);
    if (!inputs) return exit_failed;
    question.update({{"package", absolute_path(package->folder)},
                     {"modules", modules_of(package->manifest, *inputs, nullptr, said)}});
  }
  const std::string folder =
      join_path(cache.path(), "faults/" + name.substr(0, name.rfind(".py")) + "-" + sha256(bytes).substr(0, 8));
  question.update({{"command", arguments.command},
                   {"name", name},
                   {"profile", request.profile.empty() ? "" : absolute_path(request.profile)},
                   {"output", folder}});
  const auto made = ask_python("htp.reproducing", "reproduce", question, said);
  if (!made || said.errors()) return exit_failed;
  std::fprintf(stderr, "note: what shows this again is kept: sh %s\n",
               shell_word(join_path(made->at("result").at("folder").get<std::string>(), "reproduce.sh")).c_str());
  return exit_failed;
}

void keep_reproducer(const Arguments &arguments) {
  if (!wanted(arguments)) return;
  ProcessRequest request;
  for (char **word = command_line; *word; ++word) request.argv.emplace_back(*word);
  request.argv.front() = own_file();
  request.environment.emplace();
  for (char **one = ::environ; *one; ++one) request.environment->emplace_back(*one);
  request.environment->push_back(std::string(variable) + "=this");
  request.timeout = longest;
  if (const auto done = run_process(request)) std::fputs(done->err.c_str(), stderr);
}

void become_reproducer(const Arguments &arguments) {
  if (!wanted(arguments)) return;
  ::setenv(variable, "this", 1);
  ::alarm(static_cast<unsigned>(longest.count())); // which the next program keeps
  ::execv("/proc/self/exe", command_line);
}

} // namespace htp
