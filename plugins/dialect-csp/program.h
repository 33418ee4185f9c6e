// program.h — a pipeline as it is written: its channels, its processes, and from these the network.
#pragma once

#include "htp_cpp/calls.h"
#include "htp_cpp/constants.h"
#include "htp_cpp/dataflow_proof.h"
#include "htp_cpp/grids.h"
#include "htp_cpp/names.h"
#include "htp_cpp/plugin.h"

#include <optional>
#include <set>

namespace htp::csp {

using namespace htp::sdk;
using namespace htp::sdk::dataflow;

namespace diag {
#define DIAG HTP_DIAGNOSTICS_KIND
#include "diagnostics.def"
#undef DIAG
} // namespace diag

// `rows = channel(f32, 8, N, capacity=2)`; an array of channels has extents.
struct ChannelDeclaration {
  std::string name;
  Node call = HTP_NONE;
  std::vector<int64_t> array{};
  int64_t capacity = 0, readers = 1;
  bool checked = false;  // data decides how many items it carries, and its writer closes it
  Node dtype = HTP_NONE; // 0: an event
  std::vector<Node> extents{};
};

// A function under `@process`; with a grid there is an instance for each of its positions.
struct ProcessDeclaration {
  std::string name;
  Node function = HTP_NONE;
  std::vector<int64_t> grid{};
  std::vector<std::string> indices{}; // its parameters
  bool gives = false;                 // it has `args=`: tensors for more parameters
  std::vector<Node> arguments{};      // these
};

// A line of a schedule: `s.chain("load", "scale")`, `s.bundle("work", 2)`.
struct Directive {
  Node call = HTP_NONE;
  bool chains = false;
  std::vector<std::pair<Node, std::string>> names{}; // of processes, and where each stands
  std::vector<int64_t> sizes{};                      // of a bundle
};

struct Program {
  Names names;
  Constants constants;
  std::set<std::string, std::less<>> dims{};
  Node function = HTP_NONE; // 0: the entry is no pipeline
  Node schedule = HTP_NONE; // 0: there is none
  bool checked = false;     // when it runs, should it get stuck; so that need not be shown
  std::vector<ChannelDeclaration> channels{};
  std::vector<ProcessDeclaration> processes{};

  const ChannelDeclaration *channel(std::string_view name) const;
  const ProcessDeclaration *process(std::string_view name) const;
  // Whether two `tiles(M, 8)` cut the same into the same blocks.
  bool same_blocks(const Context &c, Node a, Node b) const;
};

// Finds them: of the entry, or of the pipeline that it schedules. What is no channel and no process is reported, and
// left out.
Program read_program(const Context &c, Node root);
// The same of a function of the module.
Program read_pipeline(const Context &c, Node root, Node function);
// A process by its decorator; nothing where a function is none, or after a report.
std::optional<ProcessDeclaration> read_process(const Context &c, const Names &names, const Constants &constants,
                                               Node function);
// The name that `@schedule(name)` is given; 0 when the function is no schedule.
Node scheduled(const Context &c, const Names &names, Node function);

// `rows` or `lanes[i]`: the channel's declaration, and the node of its index or 0.
struct Reference {
  const ChannelDeclaration *channel = nullptr; // null: no channel
  Node index = HTP_NONE;
};
Reference reference(const Context &c, const Program &program, Node n);
// `rows.put(…)` or `lanes[i].get()` or, of a checked channel, `kept.close()`.
struct Operation : Reference {
  bool puts = false, closes = false;
};
Operation operation(const Context &c, const Program &program, Node call);

// `@process` with another grid, of no extents with none.
Node with_grid(const Context &c, Node mark, const std::vector<int64_t> &grid);
// Names that are bound in a subtree, and the subtree with names changed.
std::set<std::string, std::less<>> bound_in(const Context &c, Node root);
Node with_names(const Context &c, Node n, const std::map<std::string, std::string, std::less<>> &renamed);
// What an item's extent is called in the loops around, outermost first: of `tiles(M, 8)` the block of the innermost
// loop over that; 0 when there is none.
Node extent_here(const Context &c, const Program &program, Node extent, Node origin, const std::vector<Node> &loops);

// Whether what a process stores is its own: no other one stores or reads the same tensor, but before it or behind it.
// Else that is reported.
bool stores_apart(const Context &c, const Program &program);

// A checked channel, and what the processes do with it, each in the order of its statements.
struct Use {
  enum class Kind : uint8_t { put, get, close, items } kind; // items: a loop over it
  size_t process;
  Node at;
  bool always;         // once in each run of the process, and not in a loop or a branch
  bool drains = false; // a loop in which, and before which, the process waits for no other channel
};
struct Stream {
  std::string name;
  const ChannelDeclaration *of;
  std::vector<Use> uses{};
};

// A pipeline's network, one process for each instance of a grid, and what its numbers stand for. Checked channels are
// no part of it: they stand beside it.
struct Built {
  Network network;
  std::vector<Node> calls;                    // of operations, by their `id`
  std::vector<const ChannelDeclaration *> of; // of channels
  std::vector<Stream> streams;
};

// How loops are read: counted, which cuts them where a condition in them changes, so that each piece has a number of
// items; or as they are written.
enum class Form : uint8_t { counted, written };

// Nothing after a diagnostic: when what a process does with channels depends on data. What else is wrong with a process
// is reported in the counted form.
std::optional<Built> build(const Context &c, const Program &program, Form form = Form::counted);

} // namespace htp::csp
