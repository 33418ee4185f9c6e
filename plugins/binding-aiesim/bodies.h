// plugins/binding-aiesim/bodies.h — the body of a core as cycles of work between acquires and releases.
//
// A straight run is a schedule of its operations in their order: each begins when its operands are there and the unit
// that it needs is free. Of a loop without calls and branches a compiler that pipelines lets turns overlap; then a
// turn takes as long as the unit that is busy longest, or as what one turn hands to the next.
#pragma once

#include "costs.h"
#include "module.h"

#include <optional>

namespace htp::aiesim {

struct Piece {
  enum class Kind : uint8_t { work, acquire, release, loop } kind = Kind::work;
  int64_t cycles = 0;        // of work
  double products = 0;       // in it
  size_t port = 0;           // of an acquire or release
  int64_t count = 0;         // parts, or turns of a loop
  std::vector<Piece> body{}; // of a loop
  bool endless() const { return is_endless(count); }
};

struct Work { // what a core does
  std::vector<Piece> body;
  std::string_view element; // of the operands of most products
  bool matrix = false;      // some of them are of matrices
  std::string limit;        // the unit that the loop with most cycles waits for
};

// Throws Wrong for what is not predicted: a branch that acquires, a loop of no known length.
Work work_of(const Module &m, const Core &core, const DeviceCost &device, bool pipelines);

} // namespace htp::aiesim
