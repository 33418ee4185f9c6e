// htp_cpp/dataflow_proof.h — whether a dataflow network ends, whatever the sizes. A draft; a plugin that includes this
// links with `htp::sets`.
//
//   const Proof proof = prove(network);
//   proof.verdict == Verdict::ends                   at all sizes of at least 1 it ends, with empty channels
#pragma once

#include "htp_cpp/dataflow.h"

namespace htp::sdk::dataflow {

enum class Verdict : uint8_t {
  ends,    // whatever the sizes, the network ends and leaves nothing in its channels
  unequal, // at `sizes` a channel has more puts than gets, or fewer
  unknown, // neither could be shown
};

struct Proof {
  Verdict verdict = Verdict::unknown;
  size_t channel = 0; // of what is unequal, or could not be compared
  Values sizes{};
  bool counted = true; // puts and gets are equal at all sizes, for each reader
};

// Sizes are at least 1. Reads the structure alone, so a network that gets stuck at some sizes is `unknown`: run() finds
// them. So is one in which other operations than puts and gets depend on sizes.
Proof prove(const Network &network);

// A reader of a channel whose items may be of another block than the one it gets them at.
struct Misaligned {
  size_t channel, reader;
};

// Those for which it could not be shown that the k-th item is put and got in the same iteration of the loops in
// `blocks`. The network gets what it puts.
std::vector<Misaligned> misaligned(const Network &network);

} // namespace htp::sdk::dataflow
