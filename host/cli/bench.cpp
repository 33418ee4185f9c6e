#include "host/cli/command.h"
#include "host/python/python.h"

#include <nlohmann/json.hpp>

#include <cstdlib>
#include <unistd.h>

namespace htp {

// Arrays are Python's business, as those of `run` are; the time is taken beneath it, around the binding's run.
int bench_command(const Arguments &arguments) {
  Diagnostics diagnostics;
  const bool shown = !arguments.quiet && !arguments.json;
  const nlohmann::ordered_json request{{"package", arguments.package},
                                       {"against", arguments.against},
                                       {"profile", arguments.request.profile},
                                       {"plugin_path", arguments.request.plugin_path},
                                       {"entry", arguments.request.entry},
                                       {"inputs", arguments.inputs},
                                       {"seed", arguments.seed},
                                       {"args", arguments.args},
                                       {"dims", arguments.dims},
                                       {"seconds", arguments.seconds},
                                       {"work", arguments.work},
                                       {"progress", shown && isatty(2) && !std::getenv("CI") ? "line" : "none"}};
  const auto answer = call_python("htp.bencher", "bench",
                                  request.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace),
                                  python_folders(), diagnostics);
  if (!answer) return finish(arguments, diagnostics);
  const auto response = nlohmann::ordered_json::parse(*answer);
  add_answered(response, diagnostics);
  return finish(arguments, diagnostics, arguments.quiet ? "" : response.at("text").get<std::string>(),
                response.at("result"));
}

} // namespace htp
