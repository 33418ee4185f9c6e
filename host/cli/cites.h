// host/cli/cites.h — which lines of the last stage emitted text cites (R2).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace htp {

std::vector<std::string> lines_in(const std::string &text);

// Of each line of an emitted file the line of the last stage that it cites, 0 where it cites none: by `program.py:21`,
// or by the name of a location that stands for `"program.py":21:13`.
std::vector<uint32_t> citations(const std::vector<std::string> &lines);

} // namespace htp
