// host/diag/render.h — the one component that turns diagnostics into text, JSON and SARIF.
#pragma once

#include "host/diag/diagnostic.h"

#include <string>

namespace htp {

struct TextStyle {
  bool color = false;
  unsigned width = 0; // longer source lines are cut around the location in question; 0: only very long ones
};

// rustc-like: `error[code]: message`, arrow to file:line:col, the source line with carets, labels, notes, hints,
// fix-its. Sorted by location (stable), duplicates dropped; ends with a count line when there are errors. Control
// characters of the source and of messages are shown as pictures, never sent to the terminal.
std::string render_text(const Diagnostics &diagnostics, const TextStyle &style);
// {"schema": "htp.diagnostics/1", "diagnostics": [...]} — manifests/schema/diagnostics.schema.json. The same order.
std::string render_json(const Diagnostics &diagnostics);
// SARIF 2.1.0, one run; rules from the codes met, described by their rows in `table`. The same order.
std::string render_sarif(const Diagnostics &diagnostics, std::string_view version,
                         const std::vector<DiagInfo> &table = host_diagnostics());

// `explain CODE`: the row, for a terminal.
std::string explain(const DiagInfo &row);
// `explain`, docs/reference/diagnostics.md: every row of `table`, by owner, then by code.
std::string diagnostics_markdown(const std::vector<DiagInfo> &table);

} // namespace htp
