// host/check/intrinsic_table.h — intrinsics declared in Python as the C table inside a plugin (R6). The file is parsed,
// never run.
#pragma once

#include "host/diag/diagnostic.h"
#include "host/load/plugin.h"

#include <optional>
#include <string>
#include <vector>

namespace htp {

struct IntrinsicDecl {
  struct Parameter {
    std::string name, annotation;
    std::optional<std::string> default_value;
    bool keyword_only = false;
  };
  std::string name, python, method, rule, effects, spaces, cost, result, doc, digest;
  std::vector<Parameter> parameters;
  uint32_t line = 0;
  Span span;
};

// Every `@htp.intrinsic(...)` function at the file's top level, in order. `module` is the Python module users import
// them from; empty: the folder the file lies in.
std::vector<IntrinsicDecl> read_intrinsics(const std::string &path, std::string module, Diagnostics &diagnostics);

// `constexpr htp_intrinsic intrinsic_rows[]` and `constexpr const char *intrinsic_names[]` (sorted, null-terminated).
std::string intrinsic_table(const std::vector<IntrinsicDecl> &declarations);

// Whether the tables inside a plugin's library are those of the Python declarations beside it: names, signatures,
// documentation and meaning. Reports each intrinsic that is not, at its declaration.
void check_intrinsics(const LoadedPlugin &plugin, Diagnostics &diagnostics);

} // namespace htp
