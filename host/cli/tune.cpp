#include "host/base/fs.h"
#include "host/cli/ask.h"
#include "host/pipeline/phases.h"

#include <unistd.h>

namespace htp {

// What is searched, measured and kept is `htp.tuner`'s business, in Python: it runs the program itself, and comes back
// through the C API to compile, to ask the target's cost model and to run.
int tune_command(const Arguments &arguments) {
  Diagnostics diagnostics;
  const auto inputs = gather(arguments.request, true, diagnostics);
  if (!inputs) return finish(arguments, diagnostics);
  // The program runs here, with what it imports: with plugins that a compile of it takes, and that are held against
  // their digests as in a compile.
  Cache cache = Cache::from_environment();
  Store store;
  const auto start = parse_start(arguments.request, *inputs, store, diagnostics);
  if (!start) return finish(arguments, diagnostics);
  Setup setup = set_up(arguments.request, *inputs, *start, store);
  if (!choose(*inputs, *start, store, setup, cache, diagnostics)) return finish(arguments, diagnostics);
  std::vector<std::string> modules;
  for (const LoadedPlugin &plugin : setup.plugins)
    if (const Manifest &manifest = plugin.manifest(); !manifest.python_module.value.empty())
      modules.push_back(join_path(manifest.folder, manifest.python_path.value));
  std::map<std::string, std::string> set;
  for (const auto &[name, value] : inputs->set) set[name] = value.value;
  std::string kept = arguments.kept;
  if (kept.empty()) {
    kept = inputs->program.value.substr(inputs->program.value.rfind('/') + 1);
    kept = (kept.ends_with(".py") ? kept.substr(0, kept.size() - 3) : kept) + ".tune.json";
  }
  const bool shown = !arguments.quiet && !arguments.json;
  nlohmann::ordered_json request = arrays_asked(arguments);
  request.update({{"program", inputs->program.value},
                  {"entry", inputs->entry.value},
                  {"set", set},
                  {"modules", modules},
                  {"trials", arguments.effort.trials.value_or(arguments.effort.seconds ? 1000000 : 16)},
                  {"seconds", arguments.effort.seconds.value_or(1000000)},
                  {"kept", kept},
                  {"output", arguments.output},
                  {"progress", !shown                            ? "none"
                               : isatty(2) && !std::getenv("CI") ? "line"
                                                                 : "lines"}});
  const auto response = ask_python("htp.tuner", "tune", request, diagnostics);
  if (!response) return finish(arguments, diagnostics);
  const std::string text = response->at("text").get<std::string>();
  const int code = response->value("interrupted", false) ? exit_interrupted : exit_code_of(diagnostics);
  return finish(arguments, diagnostics, code, arguments.quiet ? "" : text, response->at("result"));
}

} // namespace htp
