// verify/stage_kernel.h — a kernel of the last stage as the C++ that it says.
#pragma once

#include "program.h"
#include "stage.h"

namespace htp::a2a3sim {

// `parts`: where its parts begin, and how large they are. Throws NotRead, with the program's line.
StageKernel read_kernel(const Stage &stage, const program::Constants &constants, const std::vector<std::string> &parts,
                        const program::Py &kernel);
// An int in C++. Throws NotRead.
std::string int_text(const Expr &e, const program::Constants &constants, int line);
// Whether both are one expression, or the second is a number that the program's text does not tell.
bool same(const Expr &a, const Expr &b);

} // namespace htp::a2a3sim
