// plugins/backend-aie/analyses/device.h — the resources of a device, and whether a program fits them.
#pragma once

#include "analyses/program.h"

namespace htp::aie {

struct Device {
  std::string_view name;
  int64_t columns;
  std::string_view before_2608, since_2608; // how modules name it; 2408 has no npu2
};
const Device *device_named(std::string_view name);

// Of each tile: the same on all devices.
inline constexpr int64_t cores_per_column = 4;
inline constexpr int64_t core_bytes = 64 * 1024 - 1024; // the stack lies below
inline constexpr int64_t memory_tile_bytes = 512 * 1024;
inline constexpr int64_t core_channels = 2, shim_channels = 2, memory_tile_channels = 6; // each way
inline constexpr int64_t core_descriptors = 16, memory_tile_descriptors = 48; // one for each block that a channel moves
inline constexpr int64_t core_locks = 16, memory_tile_locks = 64;             // two for each stream, or its branch
inline constexpr size_t most_arguments = 5;

// What does not fit; nothing where everything does.
struct Exceeded {
  Refusal why{};
  Node where = HTP_NONE;
  bool of_core = false; // it is a core's
  explicit operator bool() const { return static_cast<bool>(why); }
};
Exceeded exceeded(const Program &program);
void report(const Context &c, const Exceeded &found, Node otherwise);

// Gives the cores of a program tiles; false where there are too few.
bool place_cores(Program &program);
// Gives its streams of the host shims, when its cores have tiles; false where those have too few channels.
bool choose_shims(Program &program);

} // namespace htp::aie
