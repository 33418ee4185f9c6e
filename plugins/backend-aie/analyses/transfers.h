// plugins/backend-aie/analyses/transfers.h — how the shims of the columns go through tensors: the
// arguments of `dma_memcpy_nd`.
#pragma once

#include "analyses/program.h"

#include <array>
#include <set>

namespace htp::aie {

// One programming of a shim's channel, outermost dimension first; the offset is that of the first column.
struct Transfer {
  int64_t offset = 0, apart = 0; // `apart`: from one column's to the next one's
  std::array<int64_t, 4> sizes{1, 1, 1, 1}, strides{0, 0, 0, 1};
};

// For each stream of the program its transfers: as few as are legal, and as many for each stream that is read or
// written in the loop. Nothing where there is no way: `why` then.
struct Plan {
  int64_t turns = 1; // how many transfers the streams of the loop have
  // Tensors with a layout that transfers go through as they lie. Others the host lays in rows as it copies them.
  std::set<const Parameter *> follows;
  int64_t elements(const Parameter &q) const; // of its buffer
  std::vector<std::vector<Transfer>> of;
};
std::optional<Plan> plan_transfers(const Program &program, Refused &why);
// Whether what is refused is the form of a transfer: other blocks may have another one.
bool of_transfer(const Refusal &why);
int64_t turns_of(const Program &program); // 1 where there is no way

} // namespace htp::aie
