// plugins/backend-cpu/verify/slots.h — whether processes use their channels as the runtime relies on.
#pragma once

#include "cpu.h"
#include "emit/program.h"

namespace htp::cpu::ready {

// False after a report.
bool check_slots(const Context &c, const Program &program, const Constants &constants);

// The instances of processes, in the order of the program, that use a channel. Of an array: the channel with that
// number.
struct ChannelEnds {
  const Channel *channel;
  int64_t lane;
  std::vector<size_t> writers, readers;
};
// Of each channel that is used; nothing after a report.
std::vector<ChannelEnds> channel_ends(const Context &c, const Program &program, const Constants &constants);

} // namespace htp::cpu::ready
