// network.h — processes and bounded channels, and nothing else of a program: which operations on channels each process
// makes, in which order.
//
// A channel carries items from its one writer to its readers, in order. It holds as many items as its capacity says;
// one with several readers broadcasts: a slot is free again when all of them have had the item. Capacity 0 is a
// rendezvous: a put ends when the item has been got.
//
// What a process does next depends on its own past alone, never on who is faster. So what a network does does not
// depend on the order in which its processes run (Kahn 1974): one run tells of all, and it either ends in all of them
// or never.
#pragma once

#include "htp_cpp/ints.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace htp::csp {

using sdk::IntExpr;
using sdk::MaybeInt;

// The values of the variables that a count may name: sizes of the program, and iterations of the loops around.
using Values = std::map<std::string, int64_t, std::less<>>;

// How often a loop runs: the least of its numbers, and never less than 0.
struct Count {
  std::vector<IntExpr> least_of;

  friend bool operator==(const Count &, const Count &) = default;
};

// All variables have values. What does not fit 64 bits is as many as do.
int64_t value(const Count &count, const Values &values);

struct Channel {
  std::string name;
  int64_t capacity = 1;
};

// An operation on a channel, or a loop of steps whose variable counts from 0. A condition is a loop of one iteration or
// none, whose variable begins with `#`: it has no name in the program.
struct Step {
  enum class Kind : uint8_t { put, get, loop } kind = Kind::put;
  size_t channel = 0;                // of an operation
  size_t place = 0;                  // where it stands: a number of the caller's
  std::vector<std::string> blocks{}; // of an operation: the loops around whose block is what it puts or gets
  std::string variable{};            // of a loop
  IntExpr before{};                  // of a loop that is a part of another one: how many of its iterations come first
  Count times{};                     // of a loop
  std::vector<Step> body{};          // of a loop
};

struct Process {
  std::string name;
  std::vector<Step> steps;
};

struct Network {
  std::vector<Channel> channels;
  std::vector<Process> processes;
};

// ── a run ───────────────────────────────────────────────────────────────────────────────────────────────────────────

// A process that cannot go on: at an operation, for which others have to move first.
struct Waiting {
  size_t process = 0;
  const Step *at = nullptr;                             // into the network
  std::vector<std::pair<std::string, int64_t>> loops{}; // the iterations it is in, outermost first
  std::vector<size_t> on{};                             // the processes that would have to move
};

struct Held {
  int64_t most = 0, now = 0; // items in a channel: at most during the run, and at its end
};

// A process does what it waited for. A put of a rendezvous is two moves: it offers the item, and goes on when that has
// been got.
struct Move {
  size_t process = 0;
  const Step *step = nullptr;
  int64_t held = 0; // in the channel, behind it
  bool goes_on = false;
};

struct Run {
  std::vector<Waiting> waiting; // nobody: all have ended
  std::vector<Held> channels;
  std::vector<Move> order; // one after the other
  bool too_long = false;   // the limit was met; nothing else holds then

  bool ends() const { return waiting.empty() && !too_long; }
};

// Runs a network at sizes until nobody can move, or `limit` operations were made; with other capacities than its own.
Run run(const Network &network, const Values &sizes, int64_t limit);
Run run(const Network &network, const std::vector<int64_t> &capacities, const Values &sizes, int64_t limit);
std::vector<int64_t> capacities(const Network &network);

// ── a cycle ─────────────────────────────────────────────────────────────────────────────────────────────────────────

// Of a run that is stuck, who waits for whom: positions in `waiting`, each waiting for the next and the last for the
// first. Empty when one waits for a process that has ended: then there were more puts than gets, or fewer.
std::vector<size_t> cycle(const Run &run);

// ── capacities ──────────────────────────────────────────────────────────────────────────────────────────────────────

// Capacities at which a network ends that is stuck at its own though it gets what it puts: none less than its own, and
// none of those that grew can be one less. The total is the smallest there is for at most twelve channels in the way.
// Empty when no capacity helps, or the limit of `run` was met.
std::vector<int64_t> mending(const Network &network, const Values &sizes, int64_t limit);

// ── for all sizes ───────────────────────────────────────────────────────────────────────────────────────────────────

enum class Shown : uint8_t {
  ends,    // whatever the sizes, the network ends and leaves nothing in its channels
  unequal, // at `sizes` a channel has more puts than gets, or fewer
  unknown, // neither could be shown
};

struct Proof {
  Shown shown = Shown::unknown;
  size_t channel = 0; // of what is unequal, or could not be compared
  Values sizes{};
  bool counted = true; // puts and gets are equal at all sizes, for each reader
};

// A reader of a channel whose items may be of another block than the one it gets them at.
struct Misaligned {
  size_t channel, reader;
};

// Those for which it could not be shown that the k-th item is put and got in the same iteration of the loops in
// `blocks`. The network gets what it puts.
std::vector<Misaligned> misaligned(const Network &network);

// Sizes are at least 1. Reads the structure alone, so a network that gets stuck at some sizes is `unknown`: run() finds
// them.
Proof prove(const Network &network);

} // namespace htp::csp
