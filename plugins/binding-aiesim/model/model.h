// plugins/binding-aiesim/model/model.h — how long a module takes, predicted: cores, the channels of their DMAs, shims
// and memory tiles, the host's memory, and the runtime sequence, each going on when what it waits for is there.
#pragma once

#include "model/bodies.h"
#include "reader/wiring.h"

namespace htp::aiesim {

struct Slice {
  enum class What : uint8_t { work, full, empty } what;
  double begin, seconds;
  size_t ring; // of a wait
};

struct Agent { // somebody who works or waits
  enum class Kind : uint8_t { core, wire, memory, sequence } kind = Kind::core;
  std::string name;
  size_t tile = 0; // a core's; of a channel where it is counted: a shim's, else a memory tile's, else a core's
  double busy = 0, full = 0, empty = 0, end = 0;
  double critical = 0; // seconds in the longest chain of what waited for each other
  std::vector<Slice> slices{};
};

struct RingRun {
  std::string name;
  int writer = -1;             // an agent
  std::vector<size_t> readers; // agents
  int64_t items = 0, most = 0;
  double mean = 0, full = 0, empty = 0;
  int64_t critical = 0; // how often the longest chain waits here while it is full
};

struct Prediction {
  double seconds = 0, running = 0; // in all, and without the start
  std::vector<Agent> agents;       // cores, wires, the host's memory, the sequence
  std::vector<RingRun> rings;
  Tally tally;              // multiplications of all cores
  double products = 0;      // those of the dtype that most are of
  std::string_view element; // that dtype
  bool matrix = false;      // some are of matrices
  double peak = 0;          // products a second that the device's cores could do
  double memory_bytes = 0;  // to and from the host
  std::string bound;        // what takes the time, as a sentence
  size_t timeline_cut = 0;  // slices that were left out
};

struct Assumed {
  double hertz = 0;      // 0: the device's
  bool pipelines = true; // the compiler of cores lets turns of loops overlap
  bool timeline = false;
};

// Throws Wrong: what bodies.h does not predict, and a deadlock.
Prediction predict(const Module &m, const Assumed &assumed);

} // namespace htp::aiesim
