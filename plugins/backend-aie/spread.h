// plugins/backend-aie/spread.h — a kernel shared among the cores of a device.
#pragma once

#include "blocks.h"
#include "device.h"
#include "kernel.h"
#include "packing.h"

namespace htp::aie {

// What cores and streams it has, but for what the cores do; and which of its tiles lie in blocks.
struct Spread {
  Program program;
  Blocks blocks;
  std::vector<Pack> packs;
};
std::vector<int64_t> extents_of(const Kernel &kernel, const Blocks &blocks, const std::string &buffer);

// The blocks of the outermost loop shared among cores; nothing after a report, or where something is `exceeded`.
std::optional<Spread> share(Kernel &kernel, const Device &device, int64_t columns, Exceeded &exceeded);
// `with aie.device(…):` of it.
Node streamed(const Kernel &kernel, const Spread &spread);

} // namespace htp::aie
