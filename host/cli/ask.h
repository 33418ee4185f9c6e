// host/cli/ask.h — commands whose answer is Python's business: arrays are read, made and looked at there.
#pragma once

#include "host/cli/command.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>

namespace htp {

// What the command line says of the arrays that an entry is called with.
nlohmann::ordered_json arrays_asked(const Arguments &arguments);

// What `module.function` of HTP's own Python answers: an object with `text` and `result`, of which the diagnostics are
// added. Nothing after a report.
std::optional<nlohmann::ordered_json> ask_python(const std::string &module, const std::string &function,
                                                 const nlohmann::ordered_json &request, Diagnostics &diagnostics);

} // namespace htp
