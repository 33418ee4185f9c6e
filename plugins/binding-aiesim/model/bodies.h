// plugins/binding-aiesim/model/bodies.h — the body of a core as cycles of work between acquires and releases.
//
// A straight run is a schedule of its operations in their order: each begins when its operands are there and the unit
// that it needs is free. Of a loop without calls and branches a compiler that pipelines lets turns overlap; then a
// turn takes as long as the unit that is busy longest, or as what one turn hands to the next.
#pragma once

#include "model/costs.h"
#include "reader/module.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

namespace htp::aiesim {

// Multiplications, by the dtype of their operands.
class Tally {
public:
  static constexpr std::array<std::string_view, 5> elements{"i8", "i16", "bf16", "f32", "i32"};
  double &of(std::string_view element) { return counts_[number(element)]; }
  double of(std::string_view element) const { return counts_[number(element)]; }
  // The dtype that most are of; empty without any.
  std::string_view most() const {
    const auto at = std::max_element(counts_.begin(), counts_.end());
    return *at > 0 ? elements[static_cast<size_t>(at - counts_.begin())] : std::string_view();
  }
  void add(const Tally &other, double times = 1) {
    for (size_t k = 0; k < counts_.size(); ++k) counts_[k] += other.counts_[k] * times;
  }

private:
  static size_t number(std::string_view element) {
    return static_cast<size_t>(std::find(elements.begin(), elements.end(), element) - elements.begin());
  }
  std::array<double, elements.size()> counts_{};
};

struct Piece {
  enum class Kind : uint8_t { work, acquire, release, loop } kind = Kind::work;
  int64_t cycles = 0;        // of work
  Tally products{};          // in it
  size_t port = 0;           // of an acquire or release
  int64_t count = 0;         // parts, or turns of a loop
  std::vector<Piece> body{}; // of a loop
  bool endless() const { return is_endless(count); }
};

struct Work { // what a core does
  std::vector<Piece> body;
  bool matrix = false; // some products are of matrices
  std::string limit;   // the unit that the loop with most cycles waits for
};

// Throws Wrong for what is not predicted: a branch that acquires, a loop of no known length.
Work work_of(const Module &m, const Core &core, const DeviceCost &device, bool pipelines);

} // namespace htp::aiesim
