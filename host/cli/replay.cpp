#include "host/bind/modules.h"
#include "host/cli/ask.h"
#include "host/cli/whole_package.h"

namespace htp {

int replay_command(const Arguments &arguments) {
  Diagnostics diagnostics;
  const auto whole = read_whole(arguments.package, arguments.request, diagnostics);
  if (!whole && interrupted) return finish_cancelled(arguments);
  if (!whole) return finish(arguments, diagnostics);
  const auto *stage =
      arguments.name.empty() ? &whole->package.manifest.stages.back() : find_stage(whole->package, arguments.name);
  if (!stage) {
    report_unknown_stage(whole->package, arguments.name, diagnostics);
    return finish(arguments, diagnostics);
  }
  const CompileRequest request = request_of(whole->package, arguments.request);
  const auto inputs = gather(request, false, diagnostics);
  if (!inputs) return finish(arguments, diagnostics);
  nlohmann::ordered_json question = arrays_asked(arguments);
  question.update({{"package", absolute_path(whole->package.folder)},
                   {"program", join_path(whole->stages, stage->path)},
                   {"modules", modules_of(whole->package.manifest, *inputs, nullptr, diagnostics)},
                   {"outputs", arguments.outputs},
                   {"trace", arguments.trace},
                   {"node", arguments.node},
                   {"pdb", arguments.pdb}});
  const auto response = ask_python("htp.replaying", "replay", question, diagnostics);
  if (!response) return finish(arguments, diagnostics);
  return finish(arguments, diagnostics, arguments.quiet ? "" : response->at("text").get<std::string>(),
                response->at("result"));
}

} // namespace htp
