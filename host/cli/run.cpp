#include "host/base/fs.h"
#include "host/bind/bind.h"
#include "host/cli/command.h"
#include "host/python/python.h"

#include <nlohmann/json.hpp>

namespace htp {

int build_command(const Arguments &arguments) {
  Cache cache = Cache::from_environment();
  Diagnostics diagnostics;
  const auto bound = BoundPackage::open(arguments.package, arguments.request, cache, diagnostics);
  const auto built = bound ? bound->build(diagnostics) : std::nullopt;
  if (!built) return finish(arguments, diagnostics, exit_code_of(diagnostics), "");
  std::string folder = *built;
  if (!arguments.into.empty()) {
    folder = arguments.into;
    if (const auto failed = make_folders(folder))
      diagnostics.report(diag::io_unwritable, {}, failed->path, failed->reason);
    if (auto files = list_tree(*built))
      for (const FolderEntry &file : *files) {
        auto bytes = read_file(join_path(*built, file.name));
        if (bytes && !diagnostics.errors())
          if (const auto failed = write_file(join_path(folder, file.name), *bytes))
            diagnostics.report(diag::io_unwritable, {}, failed->path, failed->reason);
      }
  }
  const nlohmann::ordered_json json{{"schema", "htp.build/1"}, {"folder", folder}};
  return finish(arguments, diagnostics, diagnostics.errors() ? exit_refused : exit_done,
                arguments.quiet ? "" : folder + "\n", json.dump());
}

// Arrays are Python's business: the authoring package reads and writes them with NumPy, and comes back through the C
// API.
int run_command(const Arguments &arguments) {
  Diagnostics diagnostics;
  nlohmann::ordered_json request{{"package", arguments.package},
                                 {"profile", arguments.request.profile},
                                 {"plugin_path", arguments.request.plugin_path},
                                 {"entry", arguments.request.entry},
                                 {"inputs", arguments.inputs},
                                 {"outputs", arguments.outputs},
                                 {"trace", arguments.trace},
                                 {"seed", arguments.seed},
                                 {"dims", nlohmann::ordered_json::object()}};
  for (const std::string &dim : arguments.dims) {
    const size_t equal = dim.find('=');
    char *end = nullptr;
    const long long size = equal == std::string::npos ? 0 : std::strtoll(dim.c_str() + equal + 1, &end, 10);
    if (equal == 0 || equal == std::string::npos || *end || size <= 0) {
      std::fprintf(stderr, "error: `--dim %s` is not of the form NAME=SIZE\n", dim.c_str());
      return exit_usage;
    }
    request["dims"][dim.substr(0, equal)] = size;
  }
  const auto answer = call_python("htp.runner", "run", request.dump(), python_folders(), diagnostics);
  if (!answer) return finish(arguments, diagnostics, exit_refused, "");
  const auto response = nlohmann::ordered_json::parse(*answer);
  for (const auto &d : response.at("diagnostics")) {
    Diagnostic again;
    again.code = d.at("code");
    again.message = d.at("message");
    again.severity = d.at("severity") == "warning" ? Severity::warning
                     : d.at("severity") == "note"  ? Severity::note
                                                   : Severity::error;
    for (const auto &note : d.value("notes", nlohmann::ordered_json::array())) again.note(note);
    for (const auto &hint : d.value("hints", nlohmann::ordered_json::array())) again.hint(hint);
    diagnostics.add(std::move(again));
  }
  return finish(arguments, diagnostics, diagnostics.errors() ? exit_code_of(diagnostics) : exit_done,
                arguments.quiet ? "" : response.at("text").get<std::string>(), response.at("result").dump());
}

} // namespace htp
