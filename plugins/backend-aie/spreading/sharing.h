// plugins/backend-aie/spreading/sharing.h — a kernel shared among the cores of a device.
#pragma once

#include "analyses/blocks.h"
#include "analyses/device.h"
#include "spreading/kernel.h"
#include "spreading/packing.h"

namespace htp::aie {

// What cores and streams it has, but for what the cores do; and which of its tiles lie in blocks.
struct Spread {
  Program program;
  Blocks blocks;
  std::vector<Pack> packs;
  Choices choices; // for what passes do of it
};
std::vector<int64_t> extents_of(const Kernel &kernel, const Blocks &blocks, const std::string &buffer);

// Columns and rows of cores: so many at most, or what was chosen already.
struct Wanted {
  int64_t columns = 1, rows = cores_per_column;
  bool exactly = false;
};
// The blocks of the outermost loops shared among cores, whose loops then say it; nothing after a report, or where
// something is `exceeded`.
std::optional<Spread> share(Kernel &kernel, const Device &device, const Wanted &wanted, Exceeded &exceeded);

} // namespace htp::aie
