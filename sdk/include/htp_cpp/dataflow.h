// htp_cpp/dataflow.h — dataflow networks: processes that pass items to each other through bounded channels, and nothing
// else of a program. A draft; of the SDK's library, `htp::lib`. That a network ends at all sizes is proved by
// `dataflow_proof.h`.
//
//   Network n{{{"c", 2}}, {{"a", {loop("i", {{IntExpr::symbol("N")}}, {put(0)})}},
//                          {"b", {loop("k", {{IntExpr::symbol("N")}}, {get(0)})}}}};
//   rate(n.processes[0].steps, {0, StepKind::put})                          N
//   run(n, {{"N", 5}}).ends()                                               true
//
// A channel carries items from its one writer to its readers, in order. It holds as many as its capacity; one with
// several readers broadcasts: a slot is free again when all of them have released the item. Capacity 0 is a rendezvous:
// a put ends when the item has been got.
//
// What a process does next depends on its own past alone, never on who is faster. So what a network does does not
// depend on the order in which its processes run (Kahn 1974): one run tells of all, and it either ends in all of them
// or never.
#pragma once

#include "htp_cpp/ints.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace htp::sdk::dataflow {

// The values of the variables that a rate may name: sizes of the program, and iterations of the loops around.
using Values = std::map<std::string, int64_t, std::less<>>;

// How often a loop runs: the least of its ints, and never less than 0.
struct TripCount {
  std::vector<IntExpr> least_of;

  friend bool operator==(const TripCount &, const TripCount &) = default;
};

// All variables have values. A count that does not fit 64 bits is the largest that does.
int64_t value(const TripCount &count, const Values &values);
// The same as an int expression, where names have values in these ranges; nothing where a number in it does not fit.
MaybeInt as_int(const TripCount &count, const std::function<IntRange(const std::string &)> &range_of);

struct Channel {
  std::string name;
  int64_t capacity = 1;
};

// A put is a claim and a publish, a get a front and a release, and each of these is a step of its own where a slot is
// written or read in place. A rendezvous has puts and gets alone.
enum class StepKind : uint8_t {
  put,
  get,
  claim,   // waits until a slot is free
  publish, // the item in the oldest claimed slot is there for the readers
  front,   // waits until there is an item that the reader has not had yet
  release, // is done with the oldest item that it has had
  loop     // of steps; its variable counts from 0
};

// A condition is a loop of one iteration or none, whose variable begins with `#`: it has no name in the program.
struct Step {
  StepKind kind = StepKind::put;
  size_t channel = 0;                // of an operation
  size_t id = 0;                     // the caller's
  std::vector<std::string> blocks{}; // of a put or a get: the loops around whose block the item is
  std::string variable{};            // of a loop
  IntExpr before{};         // of a loop that goes through a range of another one: how many of its iterations come first
  TripCount times{};        // of a loop
  std::vector<Step> body{}; // of a loop
};

inline bool is_loop(const Step &step) { return step.kind == StepKind::loop; }
// Whether it is an operation of the channel's writer.
inline bool writes(const Step &step) {
  return step.kind == StepKind::put || step.kind == StepKind::claim || step.kind == StepKind::publish;
}

inline Step put(size_t channel, size_t id = 0) { return {.kind = StepKind::put, .channel = channel, .id = id}; }
inline Step get(size_t channel, size_t id = 0) { return {.kind = StepKind::get, .channel = channel, .id = id}; }
inline Step loop(std::string variable, TripCount times, std::vector<Step> body) {
  return {.kind = StepKind::loop, .variable = std::move(variable), .times = std::move(times), .body = std::move(body)};
}

struct Process {
  std::string name;
  std::vector<Step> steps;
};

struct Network {
  std::vector<Channel> channels;
  std::vector<Process> processes;
};

std::vector<int64_t> capacities(const Network &network);

// The processes at a channel, in their order.
struct Ends {
  std::vector<size_t> writers, readers;
};
std::vector<Ends> ends(const Network &network); // by channel

// ── rates ───────────────────────────────────────────────────────────────────────────────────────────────────────────

// Which operations are counted.
struct Counted {
  size_t channel = 0;
  StepKind kind = StepKind::put;
  // What is known of the values of names.
  std::function<IntRange(const std::string &)> range_of = [](const std::string &) { return IntRange{.least = 0}; };
};

// A loop that has different numbers of operations in its iterations.
using Irregular = const Step *;

// How many operations the steps make each time they run, in sizes and the variables of the loops around. Nothing where
// that has no such form; `irregular` is then the loop, if it is one's fault.
MaybeInt rate(const std::vector<Step> &steps, const Counted &counted, Irregular *irregular = nullptr);

// Where a step stands: its index in the process, then in the body of the loop there, and so on.
using Position = std::vector<size_t>;

// How many operations come before a step, in this iteration of its first `depth` loops. The number of the iteration at
// hand of a loop around is its variable, or what `iterations` has for it, the outermost first.
MaybeInt count_before(const std::vector<Step> &steps, const Position &position, size_t depth, const Counted &counted,
                      const std::vector<MaybeInt> &iterations = {}, Irregular *irregular = nullptr);

// ── a run ───────────────────────────────────────────────────────────────────────────────────────────────────────────

// A process that cannot go on: at an operation, for which others have to move first.
struct Blocked {
  size_t process = 0;
  const Step *at = nullptr;                             // into the network
  std::vector<std::pair<std::string, int64_t>> loops{}; // the iterations it is in, outermost first
  std::vector<size_t> on{};                             // the processes that would have to move
};

// What a channel has seen. Put are items that are there for the readers.
struct ChannelState {
  struct Reader {
    size_t process = 0;
    int64_t had = 0, released = 0; // items that it has got; of these, whose slots it gave back
  };
  int64_t most = 0, now = 0; // items that it holds: at most during the run, and at its end
  int64_t claimed = 0, put = 0;
  std::vector<Reader> readers{};
};

// A process does what it waited for. A put of a rendezvous is two moves: it offers the item, and goes on when that has
// been got.
struct Move {
  size_t process = 0;
  const Step *step = nullptr;
  int64_t held = 0; // in the channel, after it
  bool goes_on = false;
};

struct Run {
  std::vector<Blocked> blocked; // nobody: all have ended
  std::vector<ChannelState> channels;
  std::vector<Move> order{}; // one after the other, where that was asked for
  int64_t moves = 0;
  bool too_long = false; // the limit was met; nothing else holds then

  bool ends() const { return blocked.empty() && !too_long; }
  bool leaves_items() const;
};

struct RunOptions {
  int64_t limit = INT64_MAX;         // of moves
  std::vector<int64_t> capacities{}; // instead of the network's own
  bool keeps_order = true;           // whether `order` is filled
};

// Runs a network at sizes until nobody can move.
Run run(const Network &network, const Values &sizes, const RunOptions &options = {});

// Of a run that is stuck, who waits for whom: positions in `blocked`, each waiting for the next and the last for the
// first. Empty when one waits for a process that has ended: then there were more puts than gets, or fewer.
std::vector<size_t> cycle(const Run &run);

// ── capacities ──────────────────────────────────────────────────────────────────────────────────────────────────────

// Capacities at which a network ends that is stuck at its own though it gets what it puts: none less than its own, and
// none of those that grew can be one less. The total is the smallest there is for at most twelve channels in the way.
// Empty when no capacity helps, or the limit of moves was met.
std::vector<int64_t> sufficient_capacities(const Network &network, const Values &sizes, int64_t limit);

} // namespace htp::sdk::dataflow
