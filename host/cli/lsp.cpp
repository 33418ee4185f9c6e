#include "host/base/interrupt.h"
#include "host/cli/command.h"
#include "host/editor/server.h"

#include <unistd.h>

namespace htp {

int lsp_command(const Arguments &arguments) {
  if (arguments.list) {
    std::string text;
    for (const std::string &method : editor::methods()) text += method + "\n";
    for (const std::string &command : editor::command_names()) text += command + "\n";
    return finish(arguments, {}, text,
                  nlohmann::ordered_json{{"methods", editor::methods()}, {"commands", editor::command_names()}});
  }
  CompileRequest request = arguments.request;
  if (request.profile.empty()) request.profile = profile_file(HTP_DEFAULT_PROFILE);
  const int code = editor::serve(request, STDIN_FILENO, [](const std::string &bytes) {
    answer_bytes(bytes);
    return answers_written();
  });
  return interrupted ? exit_interrupted : code;
}

} // namespace htp
