// plugins/backend-aie/processes/processes.h — a pipeline's processes as data, at known sizes: what aie.spread decides
// about between reading the tree and writing it again.
#pragma once

#include "analyses/device.h"

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace htp::aie::processes {

struct Loop {
  std::string name;
  int64_t times = 1, block = 0, extent = 0; // a block: of a loop over blocks
  int64_t first = 0;                        // block
  bool ragged() const { return block && extent % block != 0; }
};

// start + Σ step · iteration, of elements along a dimension, `apart` from each other.
struct Span {
  int64_t start = 0, size = 1;
  std::map<size_t, int64_t> steps; // by loop
  std::optional<size_t> block{};   // the loop whose block it is, at the end of what the others say
  int64_t apart = 1;
  int64_t end() const { return start + (size - 1) * apart + 1; } // in the first turn of all loops
};

struct Channel {
  std::string name;
  Node node = HTP_NONE, dtype = HTP_NONE;
  std::vector<int64_t> extents;
  int64_t capacity = 1, readers = 1;
  bool dead = false;              // whatever comes is dropped
  std::optional<size_t> transfer; // of `accesses_`: that puts or gets
  std::string puts;               // processes
  std::vector<std::string> gets;
};

struct Access { // of a tensor
  size_t tensor = 0;
  std::vector<Span> index;
  std::vector<size_t> path; // the loops around
  bool stores = false;
  Node node = HTP_NONE;
  bool bordered = false; // with zeros outside of the tensor
};

struct Item {
  enum class Kind : uint8_t { loop, buffer, word, load, store, get, put, drop } kind;
  Node node = HTP_NONE;
  size_t loop = 0;
  std::vector<Item> body;
  std::string tile;   // that is made, loaded, stored, got or put; of a word the one that is written
  size_t channel = 0; // of get, put, drop
  size_t access = 0;  // of load, store
  std::vector<std::string> reads{};
  Node call = HTP_NONE;         // of a word, with names as they are here
  std::optional<size_t> pack{}; // of a load, that comes in a part with those of others
};
// Loads of a core that come by one stream: how many parts in a round of the loops around all of them, `within` so many.
struct Pack {
  int64_t parts = 0, elements = 0;
  bool once = false;
  size_t within = 0;
};

struct Buffer {
  Node dtype = HTP_NONE;
  std::vector<int64_t> extents;
  std::vector<std::optional<size_t>> loops; // whose block an extent is
};

struct Process {
  std::string name;
  Node node = HTP_NONE;
  std::vector<Item> body;
  std::map<std::string, Buffer, std::less<>> buffers;
};

struct Processes {
  std::deque<Parameter> parameters;
  std::deque<Channel> channels;
  std::vector<Loop> loops;
  std::vector<Access> accesses;
  std::deque<Process> processes;
  std::vector<Pack> packs;
  std::map<size_t, std::string> rooms; // parameters that the host makes of others: their dtype, in Python
};

// How to count what goes by steps.
inline std::string by_ones(const std::vector<int64_t> &numbers, const std::string &variable) {
  if (numbers.size() != 3 || numbers[2] == 0) return {};
  const int64_t from = numbers[0], step = numbers[2], turns = (numbers[1] - from + step - 1) / step;
  if (step < 0) return "go through it forwards, and let the host hand over tensors the other way round";
  return "count by ones, `range(" + std::to_string(turns) + ")`, and write `" +
         (from ? std::to_string(from) + " + " : std::string()) + std::to_string(step) + " * " + variable + "` for `" +
         variable + "`";
}

// Every item with the list that it stands in, outermost first.
template <class F> void each(std::vector<Item> &items, F &&visit) {
  for (Item &item : items) {
    visit(item);
    if (item.kind == Item::Kind::loop) each(item.body, visit);
  }
}

// Of a fifo that a channel becomes.
inline constexpr int64_t most_depth = 16;

// How places of grids share cores: so many to one, neighbours of the grid or those that are a core's number apart,
// whose loops are one or follow each other.
struct Sharing {
  int64_t places = 1;
  bool neighbours = true, in_turn = true;
};
// What is read: a pipeline, whose grids share cores; or a kernel, whose one loop's rounds are dealt out to cores, and
// of which nothing is reported where it cannot be, but left in `refused`.
struct Reads {
  Sharing sharing{};
  int64_t dealt = 0;    // cores of a kernel
  size_t nest = 0;      // which of its loops is shared, of those that stand alone in each other
  bool lines = false;   // rows are filled up to what transfers take
  bool sorts = false;   // loads of a tensor stand in the order in which few streams bring them
  bool windows = false; // loads that begin where no transfer does are taken from what begins before them
  bool packs = false;   // what is more than a core's channels is packed
  std::optional<Refused> *refused = nullptr;
};

// Reads the entry, a pipeline. What moves tiles between tensors and channels, and nothing else, is made transfers of
// the channels, and channels whose items are all dropped are dead. False after a diagnostic, and without one where
// places that share a core would hand items to each other in a way that needs a channel.
bool read(const Context &c, Node root, Node function, const Reads &what, Processes &into);
// A place of a tensor that is stored and reached again, which streams do in no order.
std::optional<Refused> twice_reached(const Processes &all);
// Channels whose items are all dropped carry nothing.
void bury(Processes &all);
// What moves tiles between tensors and channels, and does nothing else, is made transfers of the channels.
void dissolve(Processes &all);
// What no transfer brings as it is comes from a tensor that the host makes of it: numbers, one behind the other, and
// what is loaded with a border.
void make_rooms(const Context &c, Processes &all);
// What is filled up: tensors, so that the blocks of loops are whole, and with `lines`, rows to multiples of 4 bytes.
// False where what is filled up with would count, or after `refuse`.
bool pad(const Context &c, Node root, const Reads &what, Processes &all, const Refuse &refuse);
// What another place of a process's grid does, into what the first one does: loops over the same become one, in which
// they take turns.
void take_turns(Processes &all, Process &process, std::vector<Item> &first, std::vector<Item> next);
// What a process loads twice in the same turn it loads once.
void load_once(const Context &c, Processes &all, Process &process);
// The same of a process that has several places, and what it hands to itself stays with it; false
// where it would have a channel from itself still.
bool settle(const Context &c, Processes &all, Process &process);
// Where a core loads many places of a tensor in one list, in the order of series that as many streams as it has
// channels go through; else as they are.
void sort_loads(Processes &all);
// Parts of rows of short elements that begin where no transfer does come together, and the core takes each from these.
void load_windows(const Context &c, Processes &all);
// Whether a loop's variable says where such a part begins.
bool shifts(const Context &c, const Names &names, const Processes &all, Nodes body, std::string_view variable);
// Where a core loads more tensors than it has channels, some of them come by one stream.
void pack_loads(const Context &c, Processes &all);
// The entry with a device of cores for them, each fifo with `more` parts than its channel has slots; below 0,
// what is loaded and stored comes and goes part by part. 0 after a diagnostic.
Node write(const Context &c, Node root, Node function, const Device &device, int64_t columns, Processes &from,
           int64_t more);

} // namespace htp::aie::processes
