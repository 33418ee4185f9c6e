#include "host/cli/ask.h"

#include <cstdlib>
#include <unistd.h>

namespace htp {

// Arrays are Python's business, as those of `run` are; the time is taken beneath it, around the binding's run.
int bench_command(const Arguments &arguments) {
  Diagnostics diagnostics;
  const bool shown = !arguments.quiet && !arguments.json;
  nlohmann::ordered_json request = arrays_asked(arguments);
  request.update({{"package", arguments.package},
                  {"against", arguments.against},
                  {"seconds", arguments.seconds.value_or(2)},
                  {"work", arguments.work},
                  {"progress", shown && isatty(2) && !std::getenv("CI") ? "line" : "none"}});
  const auto response = ask_python("htp.bencher", "bench", request, diagnostics);
  if (!response) return finish(arguments, diagnostics);
  return finish(arguments, diagnostics, arguments.quiet ? "" : response->at("text").get<std::string>(),
                response->at("result"));
}

} // namespace htp
