// machine/core.h — one core: its memories, its pipes and their flags.
//
// A kernel's text runs at once, on the scalar pipe; the instructions it gives out go to queues, one a pipe. What is
// checked is checked when an instruction is given out, by what is *known* to have happened before it, so whether a
// hazard is reported does not depend on the order in which the pipes happened to run. The queues themselves run in an
// order that a seed chooses, as far as flags and barriers leave a choice.
#pragma once

#include "cost.h"
#include "memory.h"

#include <array>
#include <deque>
#include <map>
#include <random>

namespace htp::a2a3sim {

// Global memory, and how tasks are ordered.
class World {
public:
  virtual ~World() = default;
  virtual Memory *find(const void *address, uint64_t bytes, uint64_t &offset) = 0; // null: in no tensor
  virtual bool before(uint32_t task, uint32_t other) const = 0;
  virtual std::string task_name(uint32_t task) const = 0;
  // A task touches global memory: checks that it may.
  virtual void touched(uint32_t task, const Memory &memory, uint64_t begin, uint64_t end, bool write, Where where) = 0;
};

struct Event { // of a timeline, in cycles since the task began
  Pipe pipe;
  Op op;
  double begin, cycles;
  int line;
};

// What a report tells of a task beside its events: who used which bytes on the chip, and which flags were set, when.
struct Use {
  Space space;
  uint64_t offset, bytes;
  bool write;
  size_t event; // of the task's
};
struct Signal {
  int from, to, id, set_line, wait_line;
  double set, waited; // from when on the flag stands, and from when on the other pipe knows
};
struct Record {
  std::vector<Event> events;
  std::vector<Use> uses;
  std::vector<Signal> signals;
  double moved = 0; // bytes, to and from global memory
};

class Core {
public:
  Core(World &world, bool vector, uint64_t seed, bool computes);

  // Begins a task: memories are as after a reset. `kernel` stands in reports.
  void begin(uint32_t task, std::string kernel);
  // The kernel has returned: runs what is left, and checks flags and drains.
  void end();

  void issue(Op op, const Operand *operands, uint32_t count, uint32_t options, Where where);
  void set_flag(int from, int to, int id, Where where);
  void wait_flag(int from, int to, int id, Where where);
  void barrier(int pipe, Where where);
  void element(const Operand &tile, uint64_t index, bool write, void *bytes, Where where);
  [[noreturn]] void outside(const char *tensor, int dimension, int64_t start, int64_t stop, int64_t size,
                            Where where) const;

  // The scalar pipe reads global memory.
  void look(const uint8_t *address, uint64_t bytes, Where where);

  const htp_sim::Machine &interface() const { return interface_; }
  double cycles() const { return now_; }
  const Record &record() const { return record_; }
  Memory &space(Space space) { return spaces_[static_cast<size_t>(space)]; }

private:
  // How many operations of each pipe are known to be over.
  using Known = std::array<uint32_t, htp_sim::pipe_count>;
  struct Flag {
    int set = 0; // 1: set and not waited for
    Known known{};
    double time = 0;
    Where where{};
    uint32_t waited = 0; // the waiting pipe's number of its last wait
    int raised = 0;      // when the queues run
  };
  struct Item {
    enum { compute, set, wait } kind;
    std::function<void()> run;
    Flag *flag;
  };

  [[noreturn]] void fail(Refusal why, Where where) const;
  void check_pipe(int pipe, const char *what, Where where) const;
  Flag &flag(int from, int to, int id, const char *what, Where where);
  void touch(Memory &memory, uint64_t begin, uint64_t bytes, const Access &access, const Operand &operand);
  void touch_global(const uint8_t *address, uint64_t bytes, const Access &access, const Operand &operand);
  void touch_operand(const Operand &operand, char role, const Extent &extent, Access access);
  bool over(const Access &earlier, const Access &now) const;
  [[noreturn]] void hazard(const Memory &memory, const Access &earlier, const Access &now) const;
  void push(Pipe pipe, Item item);
  bool step(Pipe pipe);
  void run_until(const std::function<bool()> &done);

  World &world_;
  bool vector_, computes_;
  uint64_t seed_;
  std::mt19937_64 random_;
  std::vector<Memory> spaces_;
  uint32_t task_ = 0;
  std::string kernel_;
  uint64_t issued_ = 0;

  std::array<Known, htp_sim::pipe_count> known_{}; // by each pipe's next operation
  Known count_{};                                  // operations given to each pipe
  std::map<std::array<int, 3>, Flag> flags_;
  std::array<std::deque<Item>, htp_sim::pipe_count> queues_;
  std::map<uint8_t, Access> stores_; // the last to global memory, of each pipe

  std::array<double, htp_sim::pipe_count> free_{}; // when each pipe is free
  double now_ = 0;                                 // of the scalar pipe
  Record record_;
  htp_sim::Machine interface_{};
};

struct Instruction {
  const char *name;
  int pipe; // Pipe, or -1: by the operands' spaces
  const char *roles, *family, *dtypes;
};
const Instruction &instruction(Op op);
// The role of each operand given; null when there are too few or too many.
bool roles_of(Op op, const Operand *operands, uint32_t count, std::string &roles);

// The pipe it runs on, after all that the table of legal uses asks; else what is wrong.
struct Verdict {
  Pipe pipe = htp_sim::PIPE_S_;
  Refusal wrong;
};
Verdict judge(Op op, const Operand *operands, uint32_t count, const std::string &roles, bool vector);

// Which columns a MaskPattern takes: each `step`-th from `first` on; a step of 0 where there is none.
struct Pattern {
  int64_t step = 0, first = 0;
};
Pattern pattern_of(int64_t number);

// The part of operand `k` that is touched.
Extent extent_of(Op op, const Operand *operands, uint32_t count, uint32_t k);

// What it computes.
void execute(Op op, const std::vector<Operand> &operands, uint32_t options,
             const std::function<uint8_t *(const Operand &)> &at);

} // namespace htp::a2a3sim
