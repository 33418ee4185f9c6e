// Functions of tiles that are compiled apart: `@external(htp.text("scaled.cc"))`.
#pragma once

#include "language/module.h"

namespace htp::tile {

// Whether it is declared as one is; reported at `call` when not.
bool check_external(const Module &m, Node function, Node call);
// The types of its parameters, and of its result, or a tuple of its results, as the last: annotations with the module's
// constants as numbers.
std::vector<uint32_t> types_of_external(const Module &m, Node function);
// Whether a parameter is a number that is handed over by value.
bool is_number_of_external(const Module &m, Node annotation);
// How many tiles it gives.
size_t results_of_external(const Module &m, Node function);

} // namespace htp::tile
