#include "host/cli/command.h"
#include "host/pipeline/compile.h"

namespace htp {

int plan_command(const Arguments &arguments) {
  Cache cache = Cache::from_environment();
  Diagnostics diagnostics;
  const Planned planned = plan(arguments.request, cache, diagnostics, arguments.json);
  nlohmann::ordered_json json;
  if (arguments.json && !planned.text.empty()) json = nlohmann::ordered_json::parse(planned.text);
  return finish(arguments, diagnostics, arguments.json ? "" : planned.text, json);
}

} // namespace htp
