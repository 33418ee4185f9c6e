// plugins/binding-aiesim/reader/core_text.h — what lines of a core's body become for MLIR.
#pragma once

#include "reader/line.h"

#include <set>

namespace htp::aiesim {

// Adds the name of a constant so large that a loop to it never ends.
void note_endless(std::string_view text, std::set<std::string, std::less<>> &endless);
// Whether a loop to such a constant begins here.
bool begins_endless_loop(std::string_view text, const std::set<std::string, std::less<>> &endless);
// MLIR's own run-time checks know memref's loads and stores. For a vector's, calls that say whether each dimension
// lies inside; nothing for other lines. What it defines has names with `unique`.
std::string bounds_check(const Line &whole, const std::string &unique);
// The call by which a core acquires or releases blocks.
std::string call_of(const std::string &result, const std::string &function, size_t port, int64_t count,
                    unsigned number);

} // namespace htp::aiesim
