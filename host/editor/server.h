// host/editor/server.h — a language server over standard input and output.
#pragma once

#include "host/pipeline/inputs.h"

#include <functional>
#include <string>
#include <vector>

namespace htp::editor {

// Serves until the client says `exit`, or its end of the stream. The exit code: 0 where `shutdown` was asked for before
// that. `write` sends bytes, and says whether they could be.
int serve(const CompileRequest &request, int input, const std::function<bool(const std::string &)> &write);

// The methods and the commands that it has.
std::vector<std::string> methods();
std::vector<std::string> command_names();

} // namespace htp::editor
