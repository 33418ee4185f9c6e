#include "host/base/fs.h"
#include "host/bind/modules.h"
#include "host/cli/ask.h"
#include "host/cli/whole_package.h"
#include "host/pipeline/remake.h"

namespace htp {

namespace {

using Json = nlohmann::ordered_json;

// The first stage of which something that it says does not hold, or that is not of its language. Nothing where not even
// the first can be asked: the profile or the plugins are not there then.
Json first_broken(const WholePackage &whole, const CompileRequest &asked) {
  CompileRequest request = request_of(whole.package, asked);
  if (request.profile.empty()) return nullptr;
  Cache cache = Cache::from_environment();
  for (const PackageManifest::Stage &stage : whole.package.manifest.stages) {
    request.from_stage = join_path(whole.stages, stage.path.substr(0, stage.path.rfind('/')));
    Diagnostics said;
    plan(request, cache, said, true);
    if (interrupted) return nullptr;
    for (const Diagnostic &why : said.list()) // that no handler is there by now, says nothing: a pass may take it away
      if (is_error(why.severity) && why.code != diag::pipeline_unhandled.code)
        return &stage == &whole.package.manifest.stages.front()
                   ? Json(nullptr)
                   : Json{{"stage", stage.id + "-" + stage.pass}, {"why", why.code + ": " + why.message}};
  }
  return nullptr;
}

} // namespace

int bisect_command(const Arguments &arguments) {
  Diagnostics diagnostics;
  const std::vector<std::string> &given = arguments.files;
  if (given.size() > 2) {
    diagnostics.report(diag::cli_unexpected_argument, {}, given[2]);
    return finish(arguments, diagnostics, exit_usage, "", nullptr);
  }
  const auto bad = read_whole(given.back(), arguments.request, diagnostics);
  const auto good = bad && given.size() == 2 ? read_whole(given.front(), arguments.request, diagnostics)
                                             : std::optional<WholePackage>();
  if (interrupted) return finish_cancelled(arguments);
  if (diagnostics.errors()) return finish(arguments, diagnostics);
  const CompileRequest request = request_of(bad->package, arguments.request);
  const auto inputs = gather(request, false, diagnostics);
  if (!inputs) return finish(arguments, diagnostics);
  Json question = arrays_asked(arguments);
  question.update({{"package", absolute_path(bad->package.folder)},
                   {"stages", bad->stages},
                   {"modules", modules_of(bad->package.manifest, *inputs, nullptr, diagnostics)},
                   {"profile", request.profile},
                   {"plugin_path", request.plugin_path},
                   {"oracle", arguments.oracle},
                   {"seconds", arguments.seconds.value_or(0)}});
  if (good) question.update({{"good", good->stages}, {"good_package", absolute_path(good->package.folder)}});
  if (arguments.oracle.empty()) question["broken"] = first_broken(*bad, arguments.request);
  if (interrupted) return finish_cancelled(arguments);
  const auto response = ask_python("htp.bisecting", "bisect", question, diagnostics);
  if (!response) return finish(arguments, diagnostics);
  return finish(arguments, diagnostics, arguments.quiet ? "" : response->at("text").get<std::string>(),
                response->at("result"));
}

} // namespace htp
