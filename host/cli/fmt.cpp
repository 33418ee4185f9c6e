#include "host/base/fs.h"
#include "host/cli/command.h"
#include "host/editor/format.h"

#include <fmt/format.h>

#include <iostream>
#include <iterator>

namespace htp {

int fmt_command(const Arguments &arguments) {
  Diagnostics diagnostics;
  std::string text;
  auto files = nlohmann::ordered_json::array();
  for (const std::string &file : arguments.files) {
    const bool piped = file == "-";
    auto before = piped ? Expected<std::string, IoError>(
                              std::string(std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>()))
                        : read_file(file, 64u << 20);
    if (!before) {
      diagnostics.report(diag::io_unreadable, {}, before.error().path, before.error().reason);
      continue;
    }
    const std::string path = piped ? "stdin.py" : file;
    const auto after = editor::formatted(path, *before, diagnostics);
    if (!after) continue;
    const bool changes = *after != *before;
    const bool only_looks = arguments.check || arguments.shows_diff;
    if (arguments.shows_diff) text += editor::difference(path, *before, *after);
    if (arguments.check && changes) diagnostics.report(diag::fmt_unformatted, {}, file);
    if (piped && !only_looks) text += *after;
    if (!piped && !only_looks && changes) {
      if (const auto failed = write_file_atomic(file, *after)) {
        diagnostics.report(diag::io_unwritable, {}, failed->path, failed->reason);
        continue;
      }
      if (!arguments.quiet) text += fmt::format("formatted {}\n", file);
    }
    nlohmann::ordered_json row{{"file", file}, {"changed", changes}};
    if (piped) row["text"] = *after;
    if (arguments.shows_diff) row["diff"] = editor::difference(path, *before, *after);
    files.push_back(std::move(row));
  }
  return finish(arguments, diagnostics, text, nlohmann::ordered_json{{"files", files}});
}

} // namespace htp
