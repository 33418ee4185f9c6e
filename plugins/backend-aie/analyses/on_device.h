// plugins/backend-aie/analyses/on_device.h — what an entry says after aie.spread: the device around all that it does,
// and what was chosen.
#pragma once

#include "aie.h"

#include "htp_cpp/names.h"

#include <optional>

namespace htp::aie {

// Which cores have different blocks of a loop: none, columns of them, rows of them, all.
enum class Over : uint8_t { none, columns, rows, cores };
// What a schedule, and aie.spread, calls them: `htp.parallel(…, level="core")`.
inline constexpr std::pair<std::string_view, Over> levels[] = {
    {"core", Over::cores}, {"column", Over::columns}, {"row", Over::rows}};
inline std::string_view level_named(Over over) {
  for (const auto &[name, shares] : levels)
    if (shares == over) return name;
  return {};
}

// What aie.spread chose and later passes do: keywords of `aie.device(…)`, each gone when it is done.
struct Choices {
  int64_t processes = 1;    // of a grid on one core
  bool neighbours = true;   // those are next to each other in the grid, else as far apart as can be
  bool interleaved = true;  // and alternate in the loops that they have in common, else one is done first
  int64_t cores = 0;        // that a kernel's parallel loop is dealt out to
  bool pad_rows = false;    // rows are padded to what transfers take
  bool align_loads = false; // loads that begin where no transfer does are taken out of longer ones
  bool sort_loads = false;  // loads of a tensor stand in the order in which few streams bring them
  bool pack_loads = false;  // tensors beyond a core's channels come by one stream
  int64_t slack = 0;        // blocks that a FIFO holds beside its channel's items
  int64_t depth = 0;        // blocks that a core holds of a stream at most; 0: as its loop says
  std::vector<std::vector<std::string>> packs = {}; // tiles that are loaded by one stream each
  bool packs_apart = false;                         // each load of these has a block of its own
};

// `with aie.device('npu1', columns=4, rows=2):`
struct OnDevice {
  Node with = HTP_NONE, call = HTP_NONE; // the statement, and the call in it
  std::string device;
  int64_t columns = 1, rows = 1;
  Choices choices{};
  bool named = false; // cores have bodies of their own
};
std::optional<OnDevice> on_device(const Context &c, const Names &names, Node function);
// Whether tensors are loaded and stored: there are no streams yet.
bool loads_tensors(const Context &c, const Names &names, const OnDevice &on);
// Whether cores of the entry have bodies of their own. Others do the same, and stand where they are counted.
bool has_named_cores(const Context &c, const Names &names, Node root);
// A statement around others: a device of so many columns and rows of cores, with what was chosen.
Node device_around(const Context &c, const OnDevice &device, std::vector<uint32_t> body, Node origin);
// A module without the imports of the languages that it was written in, as far as it does without them.
Node without_languages(const Context &c, Node root);
// The entry with a body of one statement, behind its docstring.
Node with_body(const Context &c, Node function, Node statement);

} // namespace htp::aie
