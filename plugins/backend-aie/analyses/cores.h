// plugins/backend-aie/analyses/cores.h — what each core does of a pipeline or a kernel, as data at known sizes: loads,
// stores and channels, before there are streams. Passes read it, change one thing and write it again; aie.spread tries
// its choices on it without writing.
#pragma once

#include "analyses/device.h"
#include "analyses/on_device.h"

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace htp::aie {

namespace cores {

// Of a grid of processes, or an array of channels.
inline constexpr int64_t most_positions = 65536;

struct Loop {
  std::string name;
  int64_t times = 1, block = 0, extent = 0; // a block: of a loop over blocks
  int64_t first = 0;                        // of the blocks, or of the ints
  bool ints = false;                        // its blocks are ints, which cores share
  std::optional<size_t> within = {};        // the loop whose block its blocks make up
  Over over = Over::none;                   // which cores have different ones
  int64_t depth = 2;                        // how many of its blocks a stream holds
  bool ragged() const { return block && extent % block != 0; }
};

// Elements along a dimension: start + Σ step · iteration, `apart` from each other.
struct Slice {
  int64_t start = 0, size = 1;
  std::map<size_t, int64_t> steps;  // by loop
  std::optional<size_t> block = {}; // the loop whose block it is, at the end of what the others say
  int64_t apart = 1;
  int64_t column = 0, row = 0; // how much further each next column, and row, of cores that are alike begins
  bool whole = false;          // all of the dimension, by the program
  int64_t end() const { return start + (size - 1) * apart + 1; } // in the first iteration of all loops
  int64_t step(size_t loop) const {
    const auto it = steps.find(loop);
    return it == steps.end() ? 0 : it->second;
  }
};

struct Channel {
  std::string name;
  Node node = HTP_NONE, dtype = HTP_NONE;
  std::vector<int64_t> extents;
  int64_t capacity = 1, readers = 1;
  bool dead = false;              // whatever comes is dropped
  std::optional<size_t> transfer; // of `accesses`: that puts or gets
  std::string puts;               // processes
  std::vector<std::string> gets;
  bool changed = false;
};

struct Access { // of a tensor
  size_t tensor = 0;
  std::vector<Slice> index = {};
  std::vector<size_t> path = {}; // the loops around
  bool stores = false;
  Node node = HTP_NONE;
  bool bordered = false; // with zeros outside of the tensor
  bool changed = false;
};

struct Item {
  enum class Kind : uint8_t { loop, buffer, call, load, store, get, put, drop } kind;
  Node node = HTP_NONE;
  size_t loop = 0;
  std::vector<Item> body;
  std::string tile;   // that is made, loaded, stored, got or put; of an intrinsic the one that is written
  size_t channel = 0; // of get, put, drop
  size_t access = 0;  // of load, store
  std::vector<std::string> reads{};
  Node call = HTP_NONE;         // of an intrinsic, with names as they are here
  std::optional<size_t> pack{}; // of a load, that comes in a block with those of others
  bool changed = false;         // it is not what `node` says
};
// Loads of a core that come by one stream: how many blocks in an iteration of the loops around all of them, `within` so
// many.
struct Pack {
  int64_t blocks = 0, elements = 0;
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
  std::string on = {};     // the process whose core this one shares
  bool interleaved = true; // with it
  bool dma = false;        // it moves tiles between tensors and channels: DMA engines do
  bool changed = false;    // it is no function of a core yet, or of another one
};

// A tensor that the host makes of others.
struct HostMade {
  std::string dtype;    // in Python
  Node node = HTP_NONE; // its statement, as long as that is what it says
};

struct Cores {
  std::deque<Parameter> parameters;
  std::deque<Channel> channels;
  std::vector<Loop> loops;
  std::vector<Access> accesses;
  std::deque<Process> processes;
  std::vector<Pack> packs;
  std::map<size_t, HostMade> host_made;     // parameters
  std::set<std::string, std::less<>> names; // that the program has
  bool alike = false;                       // one process, of all cores of the columns
  std::string core;                         // their variable, `for core in aie.cores()`, as soon as they are counted
  int64_t columns = 1, rows = 1;
};

// Every item with the list that it stands in, outermost first.
template <class F> void each(std::vector<Item> &items, F &&visit) {
  for (Item &item : items) {
    visit(item);
    if (item.kind == Item::Kind::loop) each(item.body, visit);
  }
}
template <class F> void each_access(const Cores &all, std::vector<Item> &items, F &&visit) {
  each(items, [&](const Item &i) {
    if (i.kind == Item::Kind::load || i.kind == Item::Kind::store) visit(i, all.accesses[i.access]);
  });
}

// How a program is read: as it is, but for what is chosen.
struct Reading {
  Choices choices{};
  std::optional<size_t> nest{}; // which of a kernel's loops is dealt out, of those that stand alone in each other; else
                                // the parallel one
  // Where a kernel has no form that is dealt out nothing is reported, but left here.
  bool quiet = false;
  std::optional<Refused> *refused = nullptr;
};
// Reads the entry: a pipeline, each instance of whose grids becomes a process; a kernel, each core of which does its
// iterations of a loop; or what passes made of these. False after a diagnostic, or what is left in `refused`.
bool read(const Context &c, Node root, Node function, const Reading &how, Cores &into);
// How many elements the blocks of a loop have, whole ones, as many for each of the cores that share them.
int64_t padded_extent(const Cores &all, const Loop &loop);
// Whether some of a loop's blocks are padded.
bool ragged(const Cores &all, size_t loop);
// How many columns and rows of cores have different blocks.
int64_t shared_by(const Cores &all, Over over);
// Whether the host puts zeros around a tensor, as far as blocks of loops reach.
inline bool bordered(const Parameter &made) { return made.packed.size() == 1 && !made.packed[0].along.empty(); }
// Which processes put to and get from the channels.
void connect(Cores &all);
// Other names for tiles.
void rename(const Context &c, std::vector<Item> &items, const std::map<std::string, std::string, std::less<>> &names);
// What a tensor is padded to is another size: it has a name for that, and its accesses are of this.
void set_padded(Cores &all, size_t tensor);
// A name that nothing has yet.
std::string fresh(Cores &all, const std::string &stem);
// Whether a process moves tiles between tensors and channels, each channel by one statement, and nothing else. Then its
// channels have the transfers that do it.
bool moves(Cores &all, Process &p);
// A slice of a tensor that is stored and reached again, which streams do in no order.
std::optional<Refused> twice_reached(const Cores &all);
// The entry with what `cores` say, on the device of `on`; what did not change keeps its nodes.
Node write(const Context &c, Node function, const OnDevice &on, Cores &cores);

// How many items write to each tile of a process.
std::map<std::string, int> writers_of(Process &p);

// What a core does, `@aie.core()`, with these statements.
Node core_function(const Context &c, const Process &p, std::vector<uint32_t> body);

// Does one thing to an entry whose cores load and store: `change` is false where there is nothing to do, or after a
// report. The module that comes of it, or the one that was given; 0 after a report.
using Change = std::function<bool(const Context &c, Node root, Cores &all, OnDevice &on)>;
// Of cores that are alike too, or of those alone that have bodies of their own.
enum class Of : uint8_t { all, named };
Node changed(const Context &c, Node root, Of of, const Change &change);

// Of a FIFO that a channel becomes.
inline constexpr int64_t most_depth = 16;

} // namespace cores
} // namespace htp::aie
