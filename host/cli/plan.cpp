#include "host/cli/command.h"
#include "host/pipeline/compile.h"

namespace htp {

int plan_command(const Arguments &arguments) {
  Cache cache = Cache::from_environment();
  Diagnostics diagnostics;
  const auto planned = plan(arguments.request, cache, diagnostics);
  return planned ? finish(arguments, diagnostics, planned->text, nlohmann::ordered_json::parse(planned->json))
                 : finish(arguments, diagnostics);
}

} // namespace htp
