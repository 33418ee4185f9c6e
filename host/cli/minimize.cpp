#include "host/base/fs.h"
#include "host/bind/modules.h"
#include "host/cli/ask.h"
#include "host/diag/utf8.h"
#include "host/load/identity.h"
#include "host/pipeline/compile.h"
#include "host/pipeline/remake.h"

#include <cstdlib>
#include <unistd.h>

namespace htp {

namespace {

// What is made smaller: a program, or that of a package, as it was compiled.
struct ToMinimize {
  std::string text, name, folder; // the folder with what it imports; empty: it imports nothing beside it
  CompileRequest request;
  std::vector<std::string> modules; // the Python that its stages need, where these are run
};

// Of a program whose plugins nothing said yet.
std::vector<std::string> modules_needed(const CompileRequest &request, Diagnostics &diagnostics) {
  const auto resolved = resolve_profile(request, diagnostics);
  if (!resolved) return {};
  std::set<std::string> plugins;
  for (const ChosenPlugin &chosen : resolved->resolution.plugins) plugins.insert(chosen.manifest->id.value);
  return modules_of(plugins, resolved->inputs, nullptr, diagnostics);
}

std::optional<ToMinimize> to_minimize(const Arguments &arguments, Diagnostics &diagnostics) {
  const std::string &given = arguments.request.program;
  ToMinimize whole{"", given.substr(given.rfind('/') + 1), "", arguments.request, {}};
  if (exists(join_path(given, "manifest.json"))) {
    const auto package = read_package(given, diagnostics);
    if (!package) return std::nullopt;
    whole.request = request_of(*package, arguments.request);
    whole.request.entry = arguments.request.entry.empty() ? package->manifest.identity.entry : arguments.request.entry;
    whole.text = *package->file(package->manifest.stages.front().path); // merged, with the constants that were set
    whole.name = package->manifest.identity.name + ".py";
    if (arguments.keeps == "differs")
      if (const auto inputs = gather(whole.request, false, diagnostics))
        whole.modules = modules_of(package->manifest, *inputs, nullptr, diagnostics);
    return whole;
  }
  auto text = read_file(given);
  if (!text) {
    diagnostics.report(diag::io_unreadable, {}, given, text.error().reason);
    return std::nullopt;
  }
  whole.text = std::move(*text);
  if (!is_utf8(whole.text)) diagnostics.report(diag::minimize_no_python, {}, given, "it is not UTF-8");
  const std::string path = absolute_path(given);
  whole.folder = path.substr(0, path.rfind('/'));
  if (arguments.keeps == "differs") whole.modules = modules_needed(whole.request, diagnostics);
  return whole;
}

} // namespace

// Python takes the tree apart, and asks this program, in processes of their own, what is left of it shows.
int minimize_command(const Arguments &arguments) {
  Diagnostics diagnostics;
  const auto whole = to_minimize(arguments, diagnostics);
  if (interrupted) return finish_cancelled(arguments);
  if (!whole || diagnostics.errors()) return finish(arguments, diagnostics);
  std::string output = arguments.output;
  if (output.empty()) output = whole->name.substr(0, whole->name.rfind(".py")) + ".min";
  std::vector<std::string> plugin_path;
  for (const std::string &folder : whole->request.plugin_path) plugin_path.push_back(absolute_path(folder));
  const bool shown = !arguments.quiet && !arguments.json;
  const nlohmann::ordered_json question{
      {"host", own_file()},
      {"text", whole->text},
      {"name", whole->name},
      {"folder", whole->folder},
      {"modules", whole->modules},
      {"profile", whole->request.profile.empty() ? "" : absolute_path(whole->request.profile)},
      {"plugin_path", plugin_path},
      {"entry", whole->request.entry},
      {"set", arguments.request.set},
      {"keeps", arguments.keeps},
      {"output", output},
      {"seconds", arguments.seconds.value_or(0)},
      {"progress", shown && isatty(2) && !std::getenv("CI") ? "line" : "none"}};
  const auto response = ask_python("htp.minimizing", "minimize", question, diagnostics);
  if (!response) return finish(arguments, diagnostics);
  return finish(arguments, diagnostics, arguments.quiet ? "" : response->at("text").get<std::string>(),
                response->at("result"));
}

} // namespace htp
