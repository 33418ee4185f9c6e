#include "machine/machine.h"

#include "reader/wiring.h"

#include <algorithm>
#include <condition_variable>
#include <csetjmp>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>
#include <thread>

namespace htp::aiesim {

namespace {

// The buffers of a fifo at one end: a ring of parts. What is produced stands from `head` to `tail`.
struct Pool {
  int64_t depth = 0, part_bytes = 0;
  uint64_t head = 0, tail = 0;
  std::vector<uint8_t> bytes;
  std::vector<uint8_t> ahead; // of each part: whether the next run may have it, since nothing of this one made it
  std::vector<uint64_t> heads, tails; // of the branches of a link, where it has some

  void make(int64_t d, int64_t size) {
    depth = d, part_bytes = size;
    bytes.assign(static_cast<size_t>(d * size), 0xFF);
    ahead.assign(static_cast<size_t>(d), 1);
  }
  int64_t filled() const { return static_cast<int64_t>(tail - head); }
  int64_t free() const { return depth - filled(); }
  uint8_t *slot(uint64_t number) {
    return bytes.data() + static_cast<int64_t>(number % static_cast<uint64_t>(depth)) * part_bytes;
  }
  uint8_t &ahead_at(uint64_t number) { return ahead[static_cast<size_t>(number % static_cast<uint64_t>(depth))]; }
  void produced(int64_t count, bool is_ahead) {
    for (; count > 0; --count, ++tail) ahead_at(tail) &= is_ahead;
  }
  void consumed(int64_t count) { // what was read is gone
    for (; count > 0; --count, ++head) {
      std::memset(slot(head), 0xFF, static_cast<size_t>(part_bytes));
      ahead_at(head) = 1;
    }
  }
};

struct Task { // of a shim's channel
  const Transfer *transfer = nullptr;
  int64_t done = 0, count = 0; // elements
};

// A stream between two ends of a fifo, or a part of it.
struct Stream {
  size_t fifo = 0;
  Pool *from = nullptr;                   // null: a shim's tasks
  std::vector<Pool *> to;                 // none: a shim's tasks
  int64_t from_offset = 0, to_offset = 0; // bytes in a part of a link's whole
  int from_branch = -1, to_branch = -1;
  std::deque<Task> tasks;
  int64_t tokens = 0;
  int64_t filled = 0; // bytes of the part that is on its way between a shim and a tile
};

class Machine;
struct Running { // a core
  Machine *machine = nullptr;
  const Core *core = nullptr;
  void (*entry)() = nullptr;
  std::vector<Pool *> pools; // by port
  std::vector<int64_t> held;
  int32_t waits_port = -1, waits_count = 0;
  bool started = false, ended = false, yields = false;
  int64_t turns = 0;  // that its endless loop has begun
  bool taken = false; // something of this run, since the last one began
  int64_t idle = 0;   // acquires and turns since something was given back
  std::jmp_buf out;
  int32_t external = -1;             // that is called
  std::deque<Lent> lent;             // by argument
  std::map<int32_t, double> numbers; // by argument
  uint8_t *kept = nullptr;           // where what it gives is kept
  std::thread thread;
};
thread_local Running *current = nullptr;

class Machine {
public:
  Machine(const Module &module, const std::vector<void (*)()> &entries, const std::vector<uint8_t *> &arguments,
          uint64_t order, Watch *watch, const std::vector<Calls> *calls)
      : m_(module), wiring_(wire(module)), arguments_(arguments), watch_(watch), calls_(calls), order_(order),
        random_(order * 0x9E3779B97F4A7C15ULL + 1) {
    connect();
    for (size_t k = 0; k < m_.cores.size(); ++k) {
      auto r = std::make_unique<Running>();
      r->machine = this, r->core = &m_.cores[k], r->entry = entries[k];
      for (const Port &p : r->core->ports) r->pools.push_back(end_of(p.fifo, r->core->tile));
      r->held.resize(r->pools.size());
      cores_.push_back(std::move(r));
    }
    const size_t agents = cores_.size() + streams_.size() + 1;
    for (size_t k = 0; k < agents; ++k) priority_.push_back(next_random());
  }
  ~Machine() {
    stopping_ = true;
    for (auto &core : cores_)
      if (core->thread.joinable()) {
        if (!core->ended) resume(*core);
        core->thread.join();
      }
  }
  Machine(const Machine &) = delete;
  Machine &operator=(const Machine &) = delete;

  void run() {
    const size_t agents = cores_.size() + streams_.size() + 1;
    for (;;) {
      std::vector<size_t> ready;
      for (size_t k = 0; k < agents; ++k)
        if (can(k)) ready.push_back(k);
      if (ready.empty()) break;
      step(choose(ready));
      if (fault_) throw *fault_;
    }
    if (at_ < m_.sequence.size()) throw Wrong(diag::deadlock, m_.sequence[at_].line, waits());
    for (const Stream &s : streams_)
      if (!s.tasks.empty() || s.filled) throw Wrong(diag::unended, 0, m_.fifos[s.fifo].name);
    for (size_t k = 0; k < pools_.size(); ++k) {
      int64_t left = 0;
      for (uint64_t part = pools_[k].head; part != pools_[k].tail; ++part) left += !pools_[k].ahead_at(part);
      if (left > 0) throw Wrong(diag::left_over, 0, m_.fifos[wiring_.rings[k].fifo].name, left);
    }
  }

  // ── called by cores, on their threads ──

  int32_t acquire(Running &r, int32_t port, int32_t count) {
    r.waits_port = port, r.waits_count = count;
    if (watch_) ++watch_->beats;
    if (++r.idle > 100'000) return fail(r, diag::no_release);
    hand_over(r);
    if (stopping_) return -1;
    r.waits_port = -1;
    int64_t &held = r.held[static_cast<size_t>(port)];
    held = std::max<int64_t>(held, count);
    Pool &pool = *r.pools[static_cast<size_t>(port)];
    for (int64_t k = 0; k < held && !r.core->ports[static_cast<size_t>(port)].produces; ++k)
      r.taken = r.taken || !pool.ahead_at(pool.head + static_cast<uint64_t>(k));
    return port;
  }
  int32_t release(Running &r, int32_t port, int32_t count) {
    int64_t &held = r.held[static_cast<size_t>(port)];
    const Port &p = r.core->ports[static_cast<size_t>(port)];
    if (count > held) return fail(r, diag::released, count, m_.fifos[p.fifo].name, held);
    held -= count;
    Pool &pool = *r.pools[static_cast<size_t>(port)];
    p.produces ? pool.produced(count, r.turns > 1 && !r.taken) : pool.consumed(count);
    r.idle = 0;
    return 0;
  }
  void *view(Running &r, int32_t port, int32_t index) {
    const Port &p = r.core->ports[static_cast<size_t>(port)];
    if (index < 0 || index >= r.held[static_cast<size_t>(port)]) {
      fail(r, diag::not_held, m_.fifos[p.fifo].name);
      return nullptr;
    }
    Pool &pool = *r.pools[static_cast<size_t>(port)];
    return pool.slot((p.produces ? pool.tail : pool.head) + static_cast<uint64_t>(index));
  }
  // Of its second turn on a core may be ahead: what it makes before it takes anything is of the next run.
  int32_t turn(Running &r) {
    ++r.turns, r.taken = false;
    return ++r.idle > 100'000 ? fail(r, diag::no_acquire) : 0;
  }
  void call(Running &r, int32_t external) {
    keep(r, external);
    r.external = external;
    if (!watch_) return;
    watch_->external = external;
    ++watch_->beats;
  }
  bool back(Running &r, int32_t argument, void *tile, bool result) {
    const Lent &lent = r.lent.at(static_cast<size_t>(argument));
    const std::string wrong = lent.back(tile, result);
    if (wrong.empty() && result && r.kept) r.kept = std::copy_n(lent.data(), lent.bytes(), r.kept);
    if (wrong.empty()) return true;
    const External &called = m_.externals.at(static_cast<size_t>(r.external));
    fault(r, called.line,
          sdk::Refusal(diag::call_writes, m_.tiles[r.core->tile].text(), called.name,
                       wrong + " " + (result ? "its result" : "its argument " + std::to_string(argument + 1))));
    return false;
  }
  // What a call is given, before it; afterwards it counts.
  void keep(Running &r, int32_t external) {
    if (!calls_) return;
    if (external < 0) {
      if (r.kept) ++*(*calls_)[static_cast<size_t>(r.external)].count;
      r.kept = nullptr;
      return;
    }
    const Calls &calls = (*calls_)[static_cast<size_t>(external)];
    if (*calls.count >= calls.limit) return;
    uint8_t *to = calls.at + *calls.count * calls.bytes;
    const std::vector<External::Argument> &arguments = m_.externals[static_cast<size_t>(external)].arguments;
    for (size_t k = 0; k < arguments.size(); ++k)
      if (arguments[k].tile)
        to = std::copy_n(r.lent[k].data(), r.lent[k].bytes(), to);
      else
        std::memcpy(to, &r.numbers[static_cast<int32_t>(k)], sizeof(double)), to += sizeof(double);
    r.kept = to;
  }
  template <class... A> int32_t fail(Running &r, const sdk::DiagKind &row, const A &...arguments) {
    return fault(r, 0, sdk::Refusal(row, m_.tiles[r.core->tile].text(), arguments...));
  }
  int32_t fault(Running &r, size_t line, const sdk::Refusal &why) {
    fault_ = std::make_unique<Wrong>(why, line ? line : r.core->line);
    return -1;
  }
  // What MLIR's own checks found, by what they print.
  void outside(Running &r, const char *printed, size_t line) {
    fault(r, line, sdk::Refusal(diag::outside_buffer, m_.tiles[r.core->tile].text()));
    if (const auto cited = printed ? cited_in(m_.places, printed) : std::nullopt) fault_->node = cited->node + 1;
  }
  void end(Running &r) {
    r.ended = true;
    const std::lock_guard lock(mutex_);
    turn_ = nullptr;
    changed_.notify_all();
  }
  void await_turn(Running &r) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return turn_ == &r; });
  }
  bool stopping() const { return stopping_; }

private:
  // ── what there is ──

  void connect() {
    for (const Ring &r : wiring_.rings) {
      Pool &pool = pools_.emplace_back();
      pool.make(r.depth, m_.fifos[r.fifo].type.bytes());
      pool.tails.resize(r.writers), pool.heads.resize(r.readers);
    }
    for (const Wire &w : wiring_.wires) {
      Stream s;
      s.fifo = w.fifo;
      if (w.from >= 0) s.from = &pools_[static_cast<size_t>(w.from)];
      for (const size_t ring : w.to) s.to.push_back(&pools_[ring]);
      s.from_offset = w.from_offset, s.to_offset = w.to_offset;
      s.from_branch = w.from_branch, s.to_branch = w.to_branch;
      streams_.push_back(std::move(s));
    }
  }
  Pool *end_of(size_t fifo, size_t tile) { return &pools_[wiring_.ring_at(m_, fifo, tile)]; }

  // ── whose turn it is ──

  uint64_t next_random() { // xorshift
    random_ ^= random_ << 13, random_ ^= random_ >> 7, random_ ^= random_ << 17;
    return random_;
  }
  // Order 0: in turn; odd ones: whoever comes first in an order that never changes, so that others starve as long as
  // they can; even ones: anybody.
  size_t choose(const std::vector<size_t> &ready) {
    if (order_ == 0) {
      const auto next = std::upper_bound(ready.begin(), ready.end(), last_);
      return last_ = next == ready.end() ? ready.front() : *next;
    }
    if (order_ % 2 == 0) return ready[next_random() % ready.size()];
    return *std::min_element(ready.begin(), ready.end(),
                             [&](size_t a, size_t b) { return priority_[a] < priority_[b]; });
  }
  bool can(size_t agent) {
    if (agent < cores_.size()) {
      const Running &r = *cores_[agent];
      return !r.ended && (!r.started || may_acquire(r));
    }
    if (agent < cores_.size() + streams_.size()) return may_move(streams_[agent - cores_.size()]);
    if (at_ == m_.sequence.size()) return false;
    const Order &o = m_.sequence[at_];
    return o.transfer || stream_of(o.fifo).tokens > 0;
  }
  void step(size_t agent) {
    if (agent < cores_.size()) {
      resume(*cores_[agent]);
    } else if (agent < cores_.size() + streams_.size()) {
      move(streams_[agent - cores_.size()]);
    } else {
      order();
    }
  }
  static bool may_acquire(const Running &r) {
    const auto port = static_cast<size_t>(r.waits_port);
    const Pool &pool = *r.pools[port];
    return (r.core->ports[port].produces ? pool.free() : pool.filled()) >= r.waits_count;
  }

  // ── the threads of cores: one goes on at a time ──

  void resume(Running &r) {
    if (!r.started) {
      r.started = true;
      r.thread = std::thread([&r] { execute(r); });
    }
    std::unique_lock lock(mutex_);
    turn_ = &r;
    changed_.notify_all();
    changed_.wait(lock, [&] { return turn_ == nullptr; });
  }
  void hand_over(Running &r) {
    std::unique_lock lock(mutex_);
    turn_ = nullptr;
    changed_.notify_all();
    changed_.wait(lock, [&] { return turn_ == &r; });
  }
  static void execute(Running &r) {
    r.machine->await_turn(r);
    current = &r;
    if (!r.machine->stopping() && setjmp(r.out) == 0) r.entry();
    current = nullptr;
    r.machine->end(r);
  }

  // ── streams ──

  Stream &stream_of(size_t fifo) {
    for (Stream &s : streams_)
      if (s.fifo == fifo) return s;
    throw Wrong(diag::untransferred, m_.sequence[at_].line, m_.fifos[fifo].name);
  }
  static int64_t available(const Stream &s) {
    return s.from_branch < 0 ? s.from->filled()
                             : static_cast<int64_t>(s.from->tail - s.from->heads[static_cast<size_t>(s.from_branch)]);
  }
  static int64_t free_blocks(const Stream &s, const Pool &to) {
    return s.to_branch < 0 ? to.free()
                           : to.depth - static_cast<int64_t>(to.tails[static_cast<size_t>(s.to_branch)] - to.head);
  }
  bool may_move(const Stream &s) const {
    if (s.from ? available(s) < 1 : s.tasks.empty()) return false;
    if (s.to.empty()) return !s.tasks.empty();
    return std::all_of(s.to.begin(), s.to.end(), [&](const Pool *p) { return free_blocks(s, *p) > 0; });
  }
  // One part, or as much of one as the shim's transfer has.
  void move(Stream &s) {
    const int64_t part = m_.fifos[s.fifo].type.bytes(),
                  element = static_cast<int64_t>(m_.fifos[s.fifo].type.dtype->bytes);
    uint64_t number = 0;
    const uint8_t *source = nullptr;
    if (s.from) {
      number = s.from_branch < 0 ? s.from->head : s.from->heads[static_cast<size_t>(s.from_branch)];
      source = s.from->slot(number) + s.from_offset;
    }
    if (s.from && !s.to.empty()) {
      for (Pool *p : s.to) copy_part(place_in(s, *p), source, m_.fifos[s.fifo]);
      const bool ahead = s.from->ahead_at(number);
      sent(s);
      received(s, ahead);
      return;
    }
    Task &task = s.tasks.front();
    while (s.filled < part && task.done < task.count) {
      uint8_t *host = arguments_[task.transfer->argument] + place(*task.transfer, task.done) * element;
      if (s.from)
        std::memcpy(host, source + m_.fifos[s.fifo].sent(s.filled / element) * element, static_cast<size_t>(element));
      else
        for (Pool *p : s.to) std::memcpy(place_in(s, *p) + s.filled, host, static_cast<size_t>(element));
      s.filled += element;
      ++task.done;
    }
    if (task.done == task.count) {
      if (s.from || task.transfer->token) ++s.tokens;
      s.tasks.pop_front();
    }
    if (s.filled < part) return;
    s.filled = 0;
    if (s.from)
      sent(s);
    else
      received(s, false);
  }
  // A part, in the order in which its producer sends it.
  static void copy_part(uint8_t *to, const uint8_t *from, const Fifo &f) {
    const size_t element = f.type.dtype->bytes;
    if (f.walk.empty()) {
      std::memcpy(to, from, static_cast<size_t>(f.type.bytes()));
      return;
    }
    for (int64_t n = 0; n < f.type.count(); ++n)
      std::memcpy(to + static_cast<size_t>(n) * element, from + static_cast<size_t>(f.sent(n)) * element, element);
  }
  static uint8_t *place_in(const Stream &s, Pool &p) {
    return p.slot(s.to_branch < 0 ? p.tail : p.tails[static_cast<size_t>(s.to_branch)]) + s.to_offset;
  }
  static void sent(Stream &s) {
    if (s.from_branch < 0) return s.from->consumed(1);
    ++s.from->heads[static_cast<size_t>(s.from_branch)];
    const uint64_t least = *std::min_element(s.from->heads.begin(), s.from->heads.end());
    s.from->consumed(static_cast<int64_t>(least - s.from->head));
  }
  static void received(Stream &s, bool ahead) {
    for (Pool *p : s.to) {
      if (s.to_branch < 0) {
        p->produced(1, ahead);
      } else {
        p->ahead_at(p->tails[static_cast<size_t>(s.to_branch)]++) &= ahead;
        p->tail = *std::min_element(p->tails.begin(), p->tails.end());
      }
    }
  }
  // The index of the n-th element of a transfer.
  static int64_t place(const Transfer &t, int64_t n) {
    int64_t at = 0;
    for (size_t k = 4; k-- > 0;) {
      at += t.offsets[k] * t.strides[k] + n % t.sizes[k] * t.strides[k];
      n /= t.sizes[k];
    }
    return at;
  }

  // ── the runtime sequence ──

  void order() {
    const Order &o = m_.sequence[at_];
    Stream &s = stream_of(o.fifo);
    if (!o.transfer) {
      --s.tokens;
    } else {
      begin(s, *o.transfer);
    }
    if (++at_ < m_.sequence.size()) return;
    for (const Stream &out : streams_)
      if (out.to.empty() && (!out.tasks.empty() || out.tokens > 0))
        throw Wrong(diag::unawaited, o.line, m_.fifos[out.fifo].name);
  }
  void begin(Stream &s, const Transfer &t) {
    if (s.from && !s.to.empty()) throw Wrong(diag::no_shim, t.line, m_.fifos[s.fifo].name);
    for (const Stream &other : streams_)
      for (const Task &task : other.tasks)
        if (task.transfer->descriptor == t.descriptor && shim_of(other) == shim_of(s))
          throw Wrong(diag::busy_descriptor, t.line, t.descriptor, task.transfer->line);
    if (s.tasks.size() >= 4) throw Wrong(diag::full_channel, t.line);
    s.tasks.push_back({&t, 0, t.sizes[0] * t.sizes[1] * t.sizes[2] * t.sizes[3]});
  }
  int64_t shim_of(const Stream &s) const {
    const Fifo &f = m_.fifos[s.fifo];
    const Tile &t = m_.tiles[s.from ? f.consumers[0] : f.producer];
    return t.shim() ? t.column : -1;
  }

  // Who waits for what.
  std::string waits() const {
    std::string text = "the sequence waits for `@" + m_.fifos[m_.sequence[at_].fifo].name + "`";
    unsigned listed = 0;
    for (const auto &r : cores_) {
      if (r->ended || r->waits_port < 0) continue;
      const Port &p = r->core->ports[static_cast<size_t>(r->waits_port)];
      if (++listed > 4) return text + ", and other cores wait";
      text += ", the core at " + m_.tiles[r->core->tile].text() + " for " + std::to_string(r->waits_count) +
              (p.produces ? " free in `@" : " of `@") + m_.fifos[p.fifo].name + "`";
    }
    return text;
  }

  const Module &m_;
  const Wiring wiring_;
  const std::vector<uint8_t *> &arguments_;
  Watch *watch_;
  const std::vector<Calls> *calls_;
  uint64_t order_, random_;
  size_t last_ = 0;
  std::deque<Pool> pools_;
  std::vector<Stream> streams_;
  std::vector<std::unique_ptr<Running>> cores_;
  std::vector<uint64_t> priority_;
  size_t at_ = 0; // of the sequence
  std::unique_ptr<Wrong> fault_;
  std::mutex mutex_;
  std::condition_variable changed_;
  Running *turn_ = nullptr; // whose turn it is; null: the machine's own
  bool stopping_ = false;
};

// A core that cannot go on leaves what MLIR made of it: nothing there has a destructor.
[[noreturn]] void leave() { std::longjmp(current->out, 1); }

int32_t hook_acquire(int32_t port, int32_t count) {
  const int32_t handle = current->machine->acquire(*current, port, count);
  if (handle < 0) leave();
  return handle;
}
void hook_release(int32_t port, int32_t count) {
  if (current->machine->release(*current, port, count) < 0) leave();
}
void *hook_view(int32_t port, int32_t index) {
  void *part = current->machine->view(*current, port, index);
  if (!part) leave();
  return part;
}
void hook_fault(const char *message, int64_t line) {
  current->machine->outside(*current, message, static_cast<size_t>(line));
  leave();
}
void hook_call(int32_t external) { current->machine->call(*current, external); }
void *hook_lend(int32_t argument, void *tile, int64_t bytes) {
  auto &lent = current->lent;
  while (lent.size() <= static_cast<size_t>(argument)) lent.emplace_back();
  return lent[static_cast<size_t>(argument)].lend(tile, bytes);
}
void hook_number(int32_t argument, double value) { current->numbers[argument] = value; }
void hook_back(int32_t argument, void *tile, int32_t result) {
  if (!current->machine->back(*current, argument, tile, result != 0)) leave();
}

void hook_turn() {
  if (current->machine->turn(*current) < 0) leave();
}

} // namespace

const Hooks hooks{hook_acquire, hook_release, hook_view, hook_fault, hook_call,
                  hook_lend,    hook_number,  hook_back, hook_turn};

void run(const Module &module, const std::vector<void (*)()> &entries, const std::vector<uint8_t *> &arguments,
         uint64_t order, Watch *watch, const std::vector<Calls> *calls) {
  Machine(module, entries, arguments, order, watch, calls).run();
}

} // namespace htp::aiesim
