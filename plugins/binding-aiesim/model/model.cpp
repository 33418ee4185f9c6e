#include "model/model.h"

#include <algorithm>
#include <deque>
#include <queue>
#include <utility>

namespace htp::aiesim {

namespace {

constexpr size_t most_slices = 400'000;
constexpr uint32_t nothing = UINT32_MAX;

struct Pool { // the state of a ring
  int64_t depth = 0;
  uint64_t head = 0, tail = 0;
  std::vector<uint64_t> heads{}, tails{};
  uint32_t given = nothing, freed = nothing; // the step that changed it last
  double changed = 0, area = 0;
  int64_t items = 0, most = 0;
  std::vector<size_t> waiting{}; // agents
  int64_t filled() const { return static_cast<int64_t>(tail - head); }
};

// One step of an agent, for the longest chain.
struct Step {
  double seconds;
  uint32_t agent, cause;
  uint32_t full; // the ring that was full when it waited before; or nothing
};

struct Frame { // of a core's loops
  const std::vector<Piece> *body;
  size_t at;
  int64_t turns;
};

class Machine {
public:
  Machine(const Module &m, const Assumed &assumed)
      : m_(m), assumed_(assumed), device_(device_cost(m.device)), wiring_(wire(m)),
        hertz_(assumed.hertz > 0 ? assumed.hertz : device_.hertz) {
    for (const Ring &r : wiring_.rings) {
      Pool p{.depth = r.depth};
      p.tails.resize(r.writers), p.heads.resize(r.readers);
      pools_.push_back(std::move(p));
      const Fifo &f = m.fifos[r.fifo];
      rings_.push_back({.name = f.name + " at " + m.tiles[r.tile].text(), .readers = {}});
    }
    for (const Core &core : m.cores) {
      works_.push_back(work_of(m, core, device_, assumed.pipelines));
      add({.kind = Agent::Kind::core, .name = "core " + m.tiles[core.tile].text(), .tile = core.tile});
      for (const Port &p : core.ports) {
        const size_t ring = wiring_.ring_at(m, p.fifo, core.tile);
        p.produces ? void(rings_[ring].writer = static_cast<int>(agents_.size()) - 1)
                   : rings_[ring].readers.push_back(agents_.size() - 1);
      }
    }
    for (const Wire &w : wiring_.wires) {
      const Fifo &f = m.fifos[w.fifo];
      size_t tile = f.producer;
      for (const size_t c : f.consumers)
        if (m.tiles[c].row < m.tiles[tile].row) tile = c;
      add({.kind = Agent::Kind::wire, .name = "dma @" + f.name, .tile = tile});
      if (w.from >= 0) rings_[static_cast<size_t>(w.from)].readers.push_back(agents_.size() - 1);
      for (const size_t to : w.to) rings_[to].writer = static_cast<int>(agents_.size()) - 1;
    }
    memory_ = agents_.size();
    add({.kind = Agent::Kind::memory, .name = "host memory"});
    sequence_ = agents_.size();
    add({.kind = Agent::Kind::sequence, .name = "sequence"});
    tasks_.resize(wiring_.wires.size());
    wire_filled_.resize(wiring_.wires.size());
    tokens_.resize(wiring_.wires.size());
    for (const Work &w : works_) frames_.push_back({{&w.body, 0, 1}});
  }

  Prediction run() {
    for (size_t a = 0; a < agents_.size(); ++a)
      if (a != memory_) wake(a, 0);
    while (!queue_.empty() && !done_) {
      const auto [time, order, agent] = queue_.top();
      queue_.pop();
      State &s = states_[agent];
      s.queued = false;
      now_ = time;
      step(agent);
    }
    if (!done_) throw Wrong(diag::deadlock, m_.sequence[at_].line, waits());
    return prediction();
  }

private:
  struct State {
    double since = 0, busy_until = 0; // it waits since
    uint32_t last = nothing, full = nothing;
    int waits_ring = -1;
    bool waits_full = false, queued = false;
    std::optional<std::pair<size_t, bool>> finishing{}; // of a wire: bytes, and whether the part is whole
  };
  struct Task {
    const Transfer *transfer;
    double left; // bytes
  };

  void add(Agent agent) {
    agents_.push_back(std::move(agent));
    states_.emplace_back();
  }
  double cycles(double n) const { return n / hertz_; }
  void wake(size_t agent, double time) {
    State &s = states_[agent];
    if (s.queued) return; // it looks again at the end of its work
    s.queued = true;
    queue_.emplace(std::max(time, s.busy_until), order_++, agent);
  }
  void wait(size_t agent, size_t ring, bool full) {
    State &s = states_[agent];
    if (s.waits_ring < 0) s.since = now_;
    s.waits_ring = static_cast<int>(ring), s.waits_full = full;
    std::vector<size_t> &waiting = pools_[ring].waiting;
    if (std::find(waiting.begin(), waiting.end(), agent) == waiting.end()) waiting.push_back(agent);
  }
  void slice(size_t agent, Slice::What what, double begin, double seconds, size_t ring) {
    if (!assumed_.timeline || seconds <= 0) return;
    if (slices_ >= most_slices) {
      ++cut_;
      return;
    }
    ++slices_;
    std::vector<Slice> &all = agents_[agent].slices;
    if (what == Slice::What::work && !all.empty() && all.back().what == what &&
        all.back().begin + all.back().seconds >= begin - 1e-12)
      all.back().seconds = begin + seconds - all.back().begin, --slices_;
    else
      all.push_back({what, begin, seconds, ring});
  }
  void waited(size_t agent) {
    State &s = states_[agent];
    if (s.waits_ring < 0) return;
    const double seconds = now_ - s.since;
    const auto ring = static_cast<size_t>(s.waits_ring);
    (s.waits_full ? agents_[agent].full : agents_[agent].empty) += seconds;
    (s.waits_full ? rings_[ring].full : rings_[ring].empty) += seconds;
    slice(agent, s.waits_full ? Slice::What::full : Slice::What::empty, s.since, seconds, ring);
    if (seconds > 0) {
      s.last = s.waits_full ? pools_[ring].freed : pools_[ring].given;
      s.full = s.waits_full ? static_cast<uint32_t>(ring) : nothing;
    }
    s.waits_ring = -1;
  }
  uint32_t step_of(double seconds, size_t agent, uint32_t cause) {
    steps_.push_back({seconds, static_cast<uint32_t>(agent), cause, std::exchange(states_[agent].full, nothing)});
    return static_cast<uint32_t>(steps_.size()) - 1;
  }
  void busy(size_t agent, double seconds) {
    State &s = states_[agent];
    agents_[agent].busy += seconds;
    slice(agent, Slice::What::work, now_, seconds, 0);
    agents_[agent].end = s.busy_until = now_ + seconds;
  }
  // The agent is at work from now on; its step is the cause of what follows.
  uint32_t work(size_t agent, double seconds) {
    busy(agent, seconds);
    return states_[agent].last = step_of(seconds, agent, states_[agent].last);
  }
  void level(size_t ring) { // before it changes
    Pool &p = pools_[ring];
    p.area += static_cast<double>(p.filled()) * (now_ - p.changed);
    p.changed = now_;
  }
  void changed(size_t ring) {
    Pool &p = pools_[ring];
    p.most = std::max(p.most, p.filled());
    std::vector<size_t> waiting;
    waiting.swap(p.waiting);
    for (const size_t agent : waiting) wake(agent, now_);
  }
  void produce(size_t ring, int branch, int64_t count, uint32_t by) {
    Pool &p = pools_[ring];
    level(ring);
    const uint64_t before = p.tail;
    if (branch < 0) {
      p.tail += static_cast<uint64_t>(count);
    } else {
      p.tails[static_cast<size_t>(branch)] += static_cast<uint64_t>(count);
      p.tail = *std::min_element(p.tails.begin(), p.tails.end());
    }
    p.items += static_cast<int64_t>(p.tail - before);
    p.given = by;
    changed(ring);
  }
  void consume(size_t ring, int branch, int64_t count, uint32_t by) {
    Pool &p = pools_[ring];
    level(ring);
    if (branch < 0) {
      p.head += static_cast<uint64_t>(count);
    } else {
      p.heads[static_cast<size_t>(branch)] += static_cast<uint64_t>(count);
      p.head = *std::min_element(p.heads.begin(), p.heads.end());
    }
    p.freed = by;
    changed(ring);
  }

  void step(size_t agent) {
    if (agent < works_.size()) return core(agent);
    if (agent == sequence_) return order();
    channel(agent - works_.size());
  }

  // ── cores ──

  void core(size_t k) {
    std::vector<Frame> &stack = frames_[k];
    State &s = states_[k];
    while (!stack.empty()) {
      Frame &top = stack.back();
      if (top.at == top.body->size()) {
        if (--top.turns > 0) {
          top.at = 0;
        } else {
          stack.pop_back();
          if (!stack.empty()) ++stack.back().at;
        }
        continue;
      }
      const Piece &piece = (*top.body)[top.at];
      if (piece.kind == Piece::Kind::loop) {
        if (piece.count < 1 || piece.body.empty())
          ++top.at;
        else
          stack.push_back({&piece.body, 0, piece.count});
        continue;
      }
      if (piece.kind == Piece::Kind::work) {
        ++top.at;
        products_.add(piece.products);
        work(k, cycles(static_cast<double>(piece.cycles)));
        return wake(k, s.busy_until);
      }
      const Port &port = m_.cores[k].ports[piece.port];
      const size_t ring = wiring_.ring_at(m_, port.fifo, m_.cores[k].tile);
      Pool &pool = pools_[ring];
      if (piece.kind == Piece::Kind::acquire) {
        const int64_t there = port.produces ? pool.depth - pool.filled() : pool.filled();
        if (there < piece.count) return wait(k, ring, port.produces);
        waited(k);
        ++top.at;
        work(k, cycles(cost::lock));
        return wake(k, s.busy_until);
      }
      ++top.at;
      const uint32_t by = work(k, cycles(cost::lock));
      port.produces ? produce(ring, -1, piece.count, by) : consume(ring, -1, piece.count, by);
      return wake(k, s.busy_until);
    }
  }

  // ── channels ──

  void channel(size_t k) {
    const Wire &w = wiring_.wires[k];
    const size_t agent = works_.size() + k;
    State &s = states_[agent];
    const auto part = static_cast<double>(m_.fifos[w.fifo].type.bytes());
    if (s.finishing) {
      const bool whole = s.finishing->second;
      s.finishing.reset();
      if (whole) {
        if (w.from >= 0) consume(static_cast<size_t>(w.from), w.from_branch, 1, s.last);
        for (const size_t to : w.to) produce(to, w.to_branch, 1, s.last);
      }
      if (!tasks_[k].empty() && tasks_[k].front().left <= 0) {
        if (w.from >= 0 || tasks_[k].front().transfer->token) ++tokens_[k], wake(sequence_, now_), token_ = s.last;
        tasks_[k].pop_front();
      }
    }
    const bool shim = w.from < 0 || w.to.empty();
    if (shim && tasks_[k].empty()) { // the sequence wakes it
      if (!s.queued) s.since = now_;
      return;
    }
    if (w.from >= 0) {
      const auto ring = static_cast<size_t>(w.from);
      const Pool &p = pools_[ring];
      const uint64_t head = w.from_branch < 0 ? p.head : p.heads[static_cast<size_t>(w.from_branch)];
      if (p.tail == head) return wait(agent, ring, false);
    }
    for (const size_t to : w.to) {
      const Pool &p = pools_[to];
      const uint64_t tail = w.to_branch < 0 ? p.tail : p.tails[static_cast<size_t>(w.to_branch)];
      if (static_cast<int64_t>(tail - p.head) >= p.depth) return wait(agent, to, true);
    }
    waited(agent);
    double bytes = part;
    if (shim) {
      bytes = std::min(part - wire_filled_[k], tasks_[k].front().left);
      tasks_[k].front().left -= bytes;
      wire_filled_[k] += bytes;
    }
    const bool whole = !shim || wire_filled_[k] >= part;
    if (whole) wire_filled_[k] = 0;
    s.finishing.emplace(static_cast<size_t>(bytes), whole);
    double seconds = cycles(bytes / static_cast<double>(cost::stream_bytes) + static_cast<double>(cost::descriptor));
    if (shim) { // the host's memory serves one after the other
      const double takes = bytes * stretch(*tasks_[k].front().transfer) / device_.memory_bytes;
      const double begin = std::max(now_, memory_free_);
      Agent &memory = agents_[memory_];
      memory.busy += takes;
      memory.end = memory_free_ = begin + takes;
      if (assumed_.timeline) memory_slices_.push_back({Slice::What::work, begin, takes, 0});
      memory_bytes_ += bytes;
      memory_last_ = step_of(takes, memory_, begin > now_ ? memory_last_ : s.last);
      if (memory_free_ - now_ > seconds) { // the part is there when the memory is done
        seconds = memory_free_ - now_;
        busy(agent, seconds);
        s.last = memory_last_;
        return wake(agent, s.busy_until);
      }
    }
    work(agent, seconds);
    wake(agent, s.busy_until);
  }
  // How many bytes of the host's memory go for one that is wanted: short runs take whole bursts.
  double stretch(const Transfer &t) const {
    const auto element = static_cast<int64_t>(m_.fifos[t.fifo].type.dtype->bytes);
    int64_t run = t.strides[3] == 1 ? t.sizes[3] : 1;
    for (size_t k = 3; k-- > 0 && t.strides[3] == 1;) {
      if (t.sizes[k] == 1) continue;
      if (t.strides[k] != run) break;
      run *= t.sizes[k];
    }
    const int64_t bytes = run * element;
    const int64_t taken = (bytes + cost::burst_bytes - 1) / cost::burst_bytes * cost::burst_bytes;
    return static_cast<double>(taken) / static_cast<double>(bytes);
  }

  // ── the runtime sequence ──

  void order() {
    State &s = states_[sequence_];
    if (at_ == m_.sequence.size()) {
      done_ = true;
      end_ = now_;
      return;
    }
    const Order &o = m_.sequence[at_];
    size_t k = 0;
    while (k < wiring_.wires.size() && wiring_.wires[k].fifo != o.fifo) ++k;
    if (k == wiring_.wires.size()) throw Wrong(diag::untransferred, o.line, m_.fifos[o.fifo].name);
    if (!o.transfer) {
      if (tokens_[k] < 1) {
        if (!sequence_waits_) s.since = now_;
        sequence_waits_ = true;
        return;
      }
      if (sequence_waits_ && now_ > s.since) agents_[sequence_].empty += now_ - s.since, s.last = token_;
      sequence_waits_ = false;
      --tokens_[k];
      work(sequence_, cycles(cost::issue));
    } else {
      const Transfer &t = *o.transfer;
      work(sequence_, cycles(cost::issue));
      double count = 1;
      for (const int64_t n : t.sizes) count *= static_cast<double>(n);
      tasks_[k].push_back({&t, count * static_cast<double>(m_.fifos[t.fifo].type.dtype->bytes)});
      State &wired = states_[works_.size() + k];
      if (tasks_[k].size() == 1 && !wired.finishing) wired.last = s.last;
      wake(works_.size() + k, s.busy_until);
    }
    ++at_;
    wake(sequence_, s.busy_until);
  }

  std::string waits() const {
    std::string text = "the sequence waits for `@" + m_.fifos[m_.sequence[at_].fifo].name + "`";
    unsigned named = 0;
    for (size_t k = 0; k < works_.size(); ++k) {
      const State &s = states_[k];
      if (s.waits_ring < 0) continue;
      if (++named > 4) return text + ", and other cores wait";
      text += ", the core at " + m_.tiles[m_.cores[k].tile].text() + " for " +
              (s.waits_full ? "a free block of `@" : "a block of `@") +
              m_.fifos[wiring_.rings[static_cast<size_t>(s.waits_ring)].fifo].name + "`";
    }
    return text;
  }

  // ── what is reported ──

  Prediction prediction() {
    Prediction p;
    p.seconds = end_ + device_.start, p.running = end_;
    p.tally = products_, p.element = products_.most(), p.memory_bytes = memory_bytes_;
    for (uint32_t at = states_[sequence_].last; at != nothing; at = steps_[at].cause) {
      agents_[steps_[at].agent].critical += steps_[at].seconds;
      if (steps_[at].full != nothing) ++rings_[steps_[at].full].critical;
    }
    for (size_t k = 0; k < pools_.size(); ++k) {
      now_ = end_;
      level(k);
      rings_[k].items = pools_[k].items, rings_[k].most = pools_[k].most;
      rings_[k].mean = end_ > 0 ? pools_[k].area / end_ : 0;
    }
    for (const Work &w : works_) p.matrix = p.matrix || w.matrix;
    if (!p.element.empty()) p.products = products_.of(p.element);
    if (!p.element.empty()) p.peak = static_cast<double>(products(device_, p.element).matrix * device_.cores) * hertz_;
    p.bound = bound();
    agents_[memory_].slices = std::move(memory_slices_);
    p.agents = std::move(agents_), p.rings = std::move(rings_);
    p.timeline_cut = cut_;
    return p;
  }
  // The kind of thing that has most of the longest chain, and the one of them that is busiest.
  std::string bound() const {
    struct Kind {
      std::string what;
      double chain = 0;
      const Agent *busiest = nullptr;
      size_t index = 0;
    };
    Kind kinds[] = {{"the cores"},         {"channels of cores"}, {"channels of memory tiles"},
                    {"channels of shims"}, {"the host's memory"}, {"the runtime sequence"}};
    for (size_t k = 0; k < agents_.size(); ++k) {
      const Agent &a = agents_[k];
      const Tile &t = m_.tiles[a.tile];
      size_t kind = 0;
      if (a.kind == Agent::Kind::memory) kind = 4;
      if (a.kind == Agent::Kind::sequence) kind = 5;
      if (a.kind == Agent::Kind::wire) kind = t.shim() ? 3 : t.memory() ? 2 : 1;
      Kind &to = kinds[kind];
      to.chain += a.critical;
      if (!to.busiest || a.busy > to.busiest->busy) to.busiest = &a, to.index = k;
    }
    const Kind *most = std::max_element(std::begin(kinds), std::end(kinds),
                                        [](const Kind &a, const Kind &b) { return a.chain < b.chain; });
    const double all = end_ + device_.start;
    const auto percent = [&](double part) { return std::to_string(static_cast<int>(100 * part / all + 0.5)) + " %"; };
    std::string text = most->what + ", " + percent(most->chain) + " of the longest chain; `" + most->busiest->name +
                       "` is at work for " + percent(most->busiest->busy) + " of the time";
    if (most == &kinds[0] && !works_[most->index].limit.empty()) text += ", which goes by " + works_[most->index].limit;
    if (device_.start > end_) text += "; before all that the device starts, " + percent(device_.start) + " of the time";
    return text;
  }

  const Module &m_;
  const Assumed assumed_;
  const DeviceCost &device_;
  const Wiring wiring_;
  const double hertz_;
  std::vector<Work> works_;
  std::vector<std::vector<Frame>> frames_;
  std::vector<Agent> agents_;
  std::vector<State> states_;
  std::vector<Pool> pools_;
  std::vector<RingRun> rings_;
  std::vector<std::deque<Task>> tasks_; // of wires
  std::vector<double> wire_filled_;
  std::vector<int64_t> tokens_;
  std::vector<Step> steps_;
  std::vector<Slice> memory_slices_;
  using Turn = std::tuple<double, uint64_t, size_t>;
  std::priority_queue<Turn, std::vector<Turn>, std::greater<>> queue_;
  uint64_t order_ = 0;
  size_t memory_ = 0, sequence_ = 0, at_ = 0, slices_ = 0, cut_ = 0;
  double now_ = 0, end_ = 0, memory_free_ = 0, memory_bytes_ = 0;
  Tally products_;
  uint32_t memory_last_ = nothing, token_ = nothing;
  bool done_ = false, sequence_waits_ = false;
};

} // namespace

Prediction predict(const Module &m, const Assumed &assumed) { return Machine(m, assumed).run(); }

} // namespace htp::aiesim
