// host/diag/render.h — the one place that turns diagnostics into text, JSON and SARIF.
#pragma once

#include "host/diag/diagnostic.h"

#include <string>

namespace htp {

struct TextStyle {
  bool color = false;
  unsigned width = 0; // 0: unlimited
};

// rustc-like: message [code], arrow to file:line:col, the source line with carets, labels, notes, hints, fix-its. Sorted
// by place (stable), duplicates dropped; ends with a count line when there are errors.
std::string render_text(const Diagnostics &diagnostics, const TextStyle &style);
// {"schema": "htp.diagnostics/1", "diagnostics": [...]} — schema in manifests/schema/.
std::string render_json(const Diagnostics &diagnostics);
// SARIF 2.1.0, one run; rules from the codes met.
std::string render_sarif(const Diagnostics &diagnostics, std::string_view version);

} // namespace htp
