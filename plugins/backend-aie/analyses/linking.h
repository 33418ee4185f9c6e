// plugins/backend-aie/analyses/linking.h — whether named cores with their streams fit a device, and come to their end,
// with the links that they need.
#pragma once

#include "analyses/device.h"
#include "analyses/network.h"

namespace htp::aie {

// An entry with named cores; else what is wrong: what is exceeded, or who waits for what.
struct Attempt {
  Node made = HTP_NONE;
  Exceeded first{};
  Deadlock deadlock{};
  void report(const Context &c, Node otherwise) const;
};
// Reads an entry that takes the place of `function`; false after a report.
bool read_made(const Context &c, Node root, Node function, Node made, Program &p);
// The entry of a program in which tiles that are copies of blocks of streams are these.
Node without_copies(const Context &c, const Program &p);
// An entry that was written, `apart`, with the links that it needs.
Attempt with_links(const Context &c, Node root, Node function, Node written, const Program &apart);

} // namespace htp::aie
