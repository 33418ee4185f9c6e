// plugins/binding-aiesim/machine/machine.h — the array at work: cores, transfers between tiles and the runtime
// sequence, in an order that a seed chooses.
#pragma once

#include "machine/apart.h"
#include "reader/module.h"

#include <functional>
#include <memory>

namespace htp::aiesim {

// What the cores' library calls; `fault` for what MLIR's own checks find. They are called on the threads of cores.
struct Hooks {
  int32_t (*acquire)(int32_t port, int32_t count);
  void (*release)(int32_t port, int32_t count);
  void *(*view)(int32_t port, int32_t index);
  void (*fault)(const char *message, int64_t line); // what MLIR states of the location, or a line of the module
  // Around a call of what others compiled, by its number; -1 when it has come back. Each tile is lent to it.
  void (*call)(int32_t external);
  void *(*lend)(int32_t argument, void *tile, int64_t bytes);
  void (*number)(int32_t argument, double value);
  void (*back)(int32_t argument, void *tile, int32_t result);
  void (*turn)(); // an endless loop goes round
};
extern const Hooks hooks;

// Runs a module once, watched if `watch` is there. `entries` are its cores' functions; `arguments` the host's buffers,
// as long as the sequence says. Order 0 takes everything in turn; the others choose by their number. Throws Wrong. What
// has not been written reads as bytes of ones: NaN of reals, -1 of integers. `calls`, if there are any, are filled in,
// by the number of the function.
void run(const Module &module, const std::vector<void (*)()> &entries, const std::vector<uint8_t *> &arguments,
         uint64_t order, Watch *watch = nullptr, const std::vector<Calls> *calls = nullptr);

} // namespace htp::aiesim
