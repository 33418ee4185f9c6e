#include "host/pipeline/compile.h"
#include "host/cli/command.h"
#include "host/cli/reproduce.h"

#include <nlohmann/json.hpp>

namespace htp {

int compile_command(const Arguments &arguments) {
  CompileRequest request = arguments.request;
  request.progress = progress_line(arguments);
  Cache cache = Cache::from_environment();
  Diagnostics diagnostics;
  const CompileOutcome outcome = compile(request, cache, diagnostics);
  nlohmann::ordered_json json;
  if (outcome.status == CompileOutcome::Status::done) {
    json = {{"package", outcome.package},
            {"digest", outcome.digest},
            {"changed", outcome.changed},
            {"cached", outcome.cached},
            {"seconds", nlohmann::ordered_json::object()}};
    for (const auto &[name, seconds] : outcome.seconds) json["seconds"][name] = seconds;
  }
  std::string said;
  int code = exit_refused;
  switch (outcome.status) {
  case CompileOutcome::Status::done:
    code = exit_done;
    if (!arguments.quiet) said = outcome.package + (outcome.changed ? "\n" : " is up to date\n");
    break;
  case CompileOutcome::Status::refused: code = exit_refused; break;
  case CompileOutcome::Status::failed: code = exit_failed; break;
  case CompileOutcome::Status::cancelled: return finish_cancelled(arguments);
  }
  code = finish(arguments, diagnostics, code, said, json);
  if (code == exit_failed) keep_reproducer(arguments);
  return code;
}

} // namespace htp
