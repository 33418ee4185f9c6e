// host/pipeline/isolated.h — what plugins do of a compile, in a process of its own: none of them takes the host with
// it, and the package is published by a process that ran no code of theirs.
#pragma once

#include "host/log/log.h"
#include "host/package/writer.h"
#include "host/pipeline/inputs.h"

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace htp {

using Seconds = std::vector<std::pair<std::string, double>>; // phase or pass → time

// What a compile has made before it is published.
struct Made {
  PackageDraft draft;
  std::vector<InputFile> read; // every file that was read
  bool repeatable = false;     // these are all that it depends on
};

using Make = std::function<std::optional<Made>(const CompileRequest &, Diagnostics &, Seconds &)>;

// `make` in a confined process. What it hands over is data: a draft whose manifest reads as one, for the target that
// was asked for, of plugins whose manifests, libraries and Python are the files that were found; and diagnostics.
// `read` is not handed over. Nothing after a report; where the system offers less than all of the confinement, a note
// says so.
std::optional<Made> isolated(const CompileRequest &request, const Inputs &inputs, Diagnostics &diagnostics,
                             Seconds &seconds, LogRecord &record, const Make &make,
                             std::chrono::milliseconds silence = std::chrono::minutes(10)); // without a unit entered

} // namespace htp
