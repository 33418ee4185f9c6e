// host/diag/location.h — the order in which diagnostics are reported, and locations as people and tools count them;
// what is shown of it where the table has a say.
#pragma once

#include "host/diag/diagnostic.h"

#include <vector>

namespace htp {

// Sorted by file name, then location, else as reported; those that are nowhere come first. The same code with the same
// message at the same location is reported once. Pointers into `diagnostics`.
std::vector<const Diagnostic *> in_order(const Diagnostics &diagnostics);

// 1-based lines and columns, columns counted in code points; the end is exclusive. line 0: the file as a whole.
struct Location {
  uint32_t line = 0, column = 0, end_line = 0, end_column = 0;
};
Location location_of(const Span &span);

// What would help: its own hints, else its row's.
std::vector<std::string> hints_of(const Diagnostic &diagnostic);

// The summary of a row for people: arguments as an ellipsis; where it is nothing else, the explanation's first
// sentence.
std::string summary_shown(const DiagInfo &row);

std::string_view severity_name(Severity severity); // "error"

} // namespace htp
