// plugins/backend-cpu/emit/kernel.h — a function of the last stage as C.
#pragma once

#include "c.h"
#include "vector.h"

namespace htp::cpu::ready {

// What a kernel checks as it runs, since it was not proved: its number is its index in the list.
struct Check {
  std::string what;               // "index", "divisor", "add", "int", "step", "memory" …
  std::string tensor;             // of an index
  int64_t dimension = -1;         // of it
  size_t node = 0, statement = 0; // nodes, by number in the last stage
};

// Of a pipeline, in the order in which its processes begin.
struct ProcessRow {
  std::string name;
  std::vector<int64_t> grid;
  size_t node = 0; // by number in the last stage
};
// Where a process may wait for a channel: its number is its index in the list.
struct Site {
  std::string waits; // for an "item", "capacity", or a "reader" of a rendezvous
  std::string channel;
  std::vector<int64_t> array; // of channels
  size_t node = 0;
};

struct Kernel {
  std::string symbol; // of the typed C function
  std::string call;   // of the one that takes arrays of pointers and of dims
  std::string why;    // of the one that says what failed last; empty where nothing can
  std::vector<Check> checks;
  std::string traced; // of a pipeline: takes a watch more, which it tells what took the time
  std::vector<ProcessRow> processes;
  std::vector<Site> sites;
  std::string text;                       // kernel.c
  bool parallel = false, threads = false; // by OpenMP; of a pipeline
};

// `root` is the last stage's module, by whose nodes checks are numbered.
Kernel print_kernel(const Context &c, const Constants &constants, Node root, const Program &program, Header &header);

} // namespace htp::cpu::ready
