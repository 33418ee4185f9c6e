#include "host/cli/command.h"
#include "host/pipeline/compile.h"

namespace htp {

int plan_command(const Arguments &arguments) {
  Cache cache = Cache::from_environment();
  Diagnostics diagnostics;
  const Planned planned = plan(arguments.request, cache, diagnostics);
  nlohmann::ordered_json json;
  if (!planned.json.empty()) json = nlohmann::ordered_json::parse(planned.json);
  return finish(arguments, diagnostics, planned.text, json);
}

} // namespace htp
