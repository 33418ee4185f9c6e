// host/editor/format.h — a program as `black` writes it (decision 0024): the same tree, with its comments.
#pragma once

#include "host/base/expected.h"
#include "host/diag/diagnostic.h"

#include <optional>
#include <string>

namespace htp::editor {

// The text, formatted by the `black` of $PATH with the settings of the project that `path` lies in; `path` need not
// exist. Nothing after a report: there is no black, it refuses the text, or what it wrote is another program.
std::optional<std::string> formatted(const std::string &path, const std::string &text, Diagnostics &diagnostics);

// What differs, as `diff -u` shows it; empty where nothing does.
std::string difference(const std::string &path, const std::string &before, const std::string &after);

} // namespace htp::editor
