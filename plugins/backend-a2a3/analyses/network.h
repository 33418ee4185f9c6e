// network.h — a pipeline's processes and channels, and where in memory what goes through a channel lies.
#pragma once

#include "a2a3.h"

#include "htp_cpp/constants.h"
#include "htp_cpp/dataflow.h"

#include <map>
#include <optional>
#include <set>

namespace htp::a2a3 {

// What is known when compiling: the indices of a process's place, and variables of loops over constants.
using Values = std::map<std::string, int64_t, std::less<>>;

struct Process {
  Node function = HTP_NONE;
  std::vector<std::string> indices{}; // of its place in a grid
  std::vector<int64_t> grid{};
};

// A put, a get or a drop, what is around it in its process, the outermost first, and the index of an array's channel.
struct Use {
  Node statement = HTP_NONE, call = HTP_NONE, lane = HTP_NONE;
  size_t process = 0;
  bool put = false, drop = false;
  std::vector<Node> around{}; // loops and branches
};

struct Channel {
  std::string name{};
  Node statement = HTP_NONE, dtype = HTP_NONE;
  int64_t lanes = 0; // 0: no array
  std::vector<Use> uses{};
  std::set<Node> of_items{}; // loops over blocks of which each item has its block
};

// Where the items of a channel lie. Items are counted, and those with the same block apart from others: by iterations
// of loops that all who use the channel have in common, as far as there are such, and within one of these.
struct Slots {
  struct At {
    std::vector<Node> loops{};     // those in common
    std::vector<IntExpr> rounds{}; // how often each went round before
    IntExpr item{};
  };
  std::vector<IntExpr> rounds{}; // how often each loop in common goes round
  IntExpr items{};               // in one iteration
  std::vector<At> at{};          // of each use
};

class Network {
public:
  Network(const Context &context, Node root, Node function);

  // False after a report. What is of no process goes to `rest`.
  bool read(std::vector<uint32_t> &rest);
  const std::vector<Process> &processes() const { return processes_; }
  const std::map<std::string, Channel, std::less<>> &channels() const { return channels_; }
  // The use that a statement is, and its channel; nothing of another one.
  std::pair<const Channel *, size_t> use_of(Node statement) const;
  bool names_lane(Node statement) const { return lane_statements_.contains(statement); }
  // Processes that meet at an event: who is done before whom.
  std::set<std::pair<size_t, size_t>> meetings() const;

  // An item's extents, as they are called at a put or a get; of a drop none.
  Nodes extents(const Use &use) const { return c.get<ast::Call>(use.call).args().subspan(use.put ? 2 : 1); }
  // How many of them are 1, before others.
  size_t ones(const Channel &channel) const;
  // Nothing after a report.
  std::optional<Slots> slots(const Channel &channel);

  // An int or a condition (0 or 1) of what is known.
  std::optional<int64_t> value(Node n, const Values &values) const;
  // The values of the indices of a process's places, and of these and the loops over constants around a use.
  std::vector<Values> places(size_t process) const;
  std::vector<Values> values_at(const Use &use) const;
  std::optional<int64_t> lane(const Use &use, const Values &values) const;
  // The same as an expression.
  std::string lane(const Use &use) const {
    const MaybeInt known = number(use.lane, {});
    return known ? known->text() : c.show(use.lane);
  }

  // What a loop goes over, where there may be nothing.
  std::optional<std::string> may_be_empty(Node loop) const;
  Node range_of(Node loop) const;
  bool is_blocks(Node loop) const;
  std::string variable_of(Node loop) const { return std::string(c.name_of(c.get<ast::For>(loop).target())); }
  // The loop around a use that a name is the variable of.
  Node loop_of(std::string_view name, const Use &use) const;
  // What a block is a block of, through the loops over blocks of blocks.
  std::string whole_of(const std::string &extent, const Use &use) const;
  bool is_module_level(std::string_view name) const { return !bound_.contains(name); }
  bool refuse(Node where, const Refusal &why) const;

private:
  bool declare(const std::string &called, std::string_view name, Node statement);
  bool read_process(Node function);
  bool read(Nodes statements, std::vector<Node> &around);
  bool read_use(Node statement, Node value, const std::string &called, const std::vector<Node> &around);
  bool is_of(Node extent, const std::string &variable, const Use &use) const;
  void find_item_loops(Channel &channel) const;

  MaybeInt number(Node n, const Values &values) const;
  // How many numbers a loop goes over, or is cut into blocks of.
  MaybeInt extent(Node loop, const Values &values) const;
  // How often a loop goes round, and how often it did before the iteration at hand.
  MaybeInt rounds(Node loop, const Values &values) const;
  MaybeInt before(Node loop, const Values &values) const;
  // The values of a loop's variable, where they are known.
  std::optional<std::vector<int64_t>> known(Node loop, const Values &values) const;

  using Step = sdk::dataflow::Step;
  // What is counted: what is put into a lane, or got from it.
  struct Side {
    const Channel &channel;
    bool put;
    int64_t lane;
  };
  // Where a use stands among such steps.
  struct Reached {
    const Use &use;
    Node within = HTP_NONE;
    size_t entered = 0; // statements around the use
    sdk::dataflow::Position at{};
    std::vector<MaybeInt> iterations{}; // of the steps' loops around
    size_t depth = 0;                   // of these, as far as `within`

    Node next() const { return entered < use.around.size() ? use.around[entered] : use.statement; }
  };
  // What statements put into a lane or get from it, as the steps of a dataflow network: loops over what is known one
  // iteration after the other, of loops over items' blocks one iteration. False where that is not known.
  bool project(Nodes statements, const Side &side, const Values &values, std::vector<Step> &into, Reached *until);
  bool project(Node statement, const Side &side, const Values &values, std::vector<Step> &into, Reached *until);
  MaybeInt count(Nodes statements, const Side &side, const Values &values);
  // What was put or got before a use, in this iteration of `within`, or else since the process began.
  MaybeInt count_before(const Use &use, Node within, const Side &side, const Values &values);
  // Of what cannot be counted, where that is.
  MaybeInt counted(const MaybeInt &found, sdk::dataflow::Irregular irregular);
  // An expression in what is known that has these values.
  MaybeInt fit(const std::vector<std::pair<Values, IntExpr>> &counts) const;
  // Of each process that uses a channel the loop around all its uses, at a level; nothing where there is none, or they
  // do not go round in step.
  std::map<size_t, Node> in_step(const Channel &channel, size_t level, IntExpr &times);
  std::vector<Node> loops_around(const Channel &channel, const Use &use) const;

  const Context &c;
  Names names_;
  sdk::Constants constants_;
  Node function_;
  std::vector<Process> processes_;
  std::map<std::string, Channel, std::less<>> channels_;
  std::set<std::string, std::less<>> events_, bound_;
  std::map<std::string, std::set<size_t>, std::less<>> signalled_, met_;
  std::map<Node, std::pair<std::string, size_t>> use_of_;
  std::set<Node> lane_statements_;                                           // `lane = csp.lane(…)`
  std::map<std::string, std::pair<std::string, Node>, std::less<>> lane_of_; // its channel, and index
  std::vector<Node> loops_;                                                  // by the ids of steps
  Node uncounted_ = HTP_NONE;                                                // what cannot be counted
};

} // namespace htp::a2a3
