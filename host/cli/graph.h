// host/cli/graph.h — what `htp-host graph` shows, of each kind in the same three forms.
#pragma once

#include "host/cli/command.h"

namespace htp {

struct Drawn {
  nlohmann::ordered_json json;
  std::string text{}, picture{}; // the last in DOT
};

constexpr const char *deadlock_schema = "htp.deadlock/1";
// A program's processes that wait for each other without end; nothing after a report, as where there are none.
std::optional<Drawn> draw_deadlock(const Arguments &arguments, Diagnostics &diagnostics);

} // namespace htp
