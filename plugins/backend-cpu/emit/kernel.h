// plugins/backend-cpu/emit/kernel.h — a function of the last stage as C.
#pragma once

#include "c.h"
#include "vector.h"

namespace htp::cpu::ready {

struct Kernel {
  std::string symbol;                     // of the typed C function
  std::string call;                       // of the one that takes arrays of pointers and of dims
  std::string text;                       // kernel.c
  bool parallel = false, threads = false; // by OpenMP; of a pipeline
};

Kernel print_kernel(const Context &c, const Constants &constants, const Program &program, Header &header);

} // namespace htp::cpu::ready
