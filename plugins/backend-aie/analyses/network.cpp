#include "analyses/network.h"

#include "htp_cpp/dataflow.h"

#include <algorithm>
#include <map>

namespace htp::aie {

namespace {

namespace df = sdk::dataflow;

constexpr int64_t most_moves = 20'000'000; // of a run; a longer one is not looked at to its end

df::Step claim(size_t channel, size_t id = 0) { return {.kind = df::StepKind::claim, .channel = channel, .id = id}; }
df::Step publish(size_t channel, size_t id = 0) {
  return {.kind = df::StepKind::publish, .channel = channel, .id = id};
}
df::Step front(size_t channel, size_t id = 0) { return {.kind = df::StepKind::front, .channel = channel, .id = id}; }
df::Step release(size_t channel, size_t id = 0) {
  return {.kind = df::StepKind::release, .channel = channel, .id = id};
}
df::Step times(int64_t count, std::vector<df::Step> body) { return df::loop("k", {{count}}, std::move(body)); }

// A program as a dataflow network: first the cores, in order, then what moves blocks between the host and them, and the
// host, which begins the transfers of a turn, two turns at a time. A channel for each stream, in order, then others.
class Network {
public:
  Network(const Program &program, int64_t turns) : p(program), turns_(turns) {
    for (const Stream &s : p.streams) channel_[&s] = add_channel(s.name, s.depth);
    for (const Core &core : p.cores) {
      std::vector<df::Step> steps = body(core.body);
      network_.processes.push_back({core.name, std::move(steps)});
    }
    for (const Stream &s : p.streams) {
      const bool alone = s.feeds ? !p.linked_at_shim(s) : s.link.empty();
      if (!s.tensor || (!alone && !p.leads(s))) continue;
      if (!alone)
        s.feeds ? distribute(s) : join(s);
      else
        add_mover(s, {s.feeds ? df::put(channel_.at(&s)) : df::get(channel_.at(&s))});
    }
    add_host();
  }

  Deadlock run() {
    run_ = df::run(network_, {}, {.limit = most_moves, .keeps_order = false});
    if (run_.too_long) return {};
    const df::Blocked *first = nullptr;
    for (const df::Blocked &one : run_.blocked)
      if (one.process < p.cores.size() && (!first || (in_vain(one) && !in_vain(*first)))) first = &one;
    if (!first) return unequal();
    Deadlock found{in_vain(*first) ? statements_[first->at->id]->node : HTP_NONE, waiting(*first)};
    for (const df::Blocked &one : run_.blocked)
      if (one.process < p.cores.size() && &one != first)
        found.others += (found.others.empty() ? "" : "; ") + waiting(one).message;
    return found;
  }

private:
  size_t add_channel(const std::string &name, int64_t capacity) {
    network_.channels.push_back({name, capacity});
    return network_.channels.size() - 1;
  }

  std::vector<df::Step> body(const std::vector<Statement> &statements) {
    std::vector<df::Step> steps;
    for (const Statement &st : statements) {
      if (st.kind == Statement::Kind::loop) steps.push_back(times(st.times, body(st.body)));
      if (st.kind != Statement::Kind::acquire && st.kind != Statement::Kind::release) continue;
      const bool acquires = st.kind == Statement::Kind::acquire;
      const size_t channel = channel_.at(st.stream), id = statements_.size();
      statements_.push_back(&st);
      steps.push_back(st.takes ? (acquires ? front(channel, id) : release(channel, id))
                               : (acquires ? claim(channel, id) : publish(channel, id)));
    }
    return steps;
  }

  int64_t per_turn(const Stream &s) const { return s.blocks() / turns_; }

  // What moves the blocks of a stream, a block by these steps. All blocks of some streams, and of all where two turns
  // are all, may move from the beginning on.
  void add_mover(const Stream &s, const std::vector<df::Step> &part) {
    std::vector<df::Step> steps;
    if (s.once || turns_ <= 2) {
      steps = {times(s.once ? s.blocks() : per_turn(s) * turns_, part)};
    } else {
      const size_t begin = add_channel(s.name, turns_);
      begun_.push_back(begin);
      std::vector<df::Step> turn{df::get(begin), times(per_turn(s), part)};
      if (!s.feeds) {
        done_.push_back(add_channel(s.name, turns_));
        turn.push_back(df::put(done_.back()));
      }
      steps = {times(turns_, std::move(turn))};
    }
    network_.processes.push_back({s.name, std::move(steps)});
  }

  // A memory tile holds blocks of all streams of a link together: none gets further ahead of the others than that.
  void distribute(const Stream &first) {
    const size_t inside = add_channel(first.link, first.depth);
    add_mover(first, {df::put(inside)});
    for (const Stream *s : p.linked(first))
      network_.processes.push_back(
          {s->name, {times(s->blocks(), {front(inside), df::put(channel_.at(s)), release(inside)})}});
  }
  void join(const Stream &first) {
    std::vector<df::Step> together;
    for (const Stream *s : p.linked(first)) {
      const size_t inside = add_channel(s->link, s->depth);
      add_mover(*s, {claim(inside), df::get(channel_.at(s)), publish(inside)});
      together.push_back(front(inside));
    }
    for (size_t k = 0, all = together.size(); k < all; ++k) together.push_back(release(together[k].channel));
    network_.processes.push_back({first.link, {times(first.blocks(), std::move(together))}});
  }

  // The transfers of a turn begin when all that those of the one before the last collect has come.
  void add_host() {
    if (begun_.empty()) return;
    std::vector<df::Step> begin, next;
    for (const size_t channel : begun_) begin.push_back(df::put(channel));
    for (const size_t channel : done_) next.push_back(df::get(channel));
    next.insert(next.end(), begin.begin(), begin.end());
    std::vector<df::Step> last;
    for (const size_t channel : done_) last.push_back(df::get(channel));
    network_.processes.push_back({"host", {times(2, begin), times(turns_ - 2, next), times(2, last)}});
  }

  // ── what a run says ──

  const df::ChannelState &state(const Stream &s) const { return run_.channels[channel_.at(&s)]; }
  static int64_t had(const df::ChannelState &state, size_t process) {
    for (const auto &reader : state.readers)
      if (reader.process == process) return reader.had;
    return 0;
  }
  bool ended(size_t process) const {
    return std::ranges::none_of(run_.blocked, [&](const df::Blocked &b) { return b.process == process; });
  }
  bool ended(const std::string &core) const {
    for (size_t k = 0; k < p.cores.size(); ++k)
      if (p.cores[k].name == core) return ended(k);
    return false;
  }
  // Whether what is waited for never comes, whatever the capacities.
  bool in_vain(const df::Blocked &one) const {
    const Statement &st = *statements_[one.at->id];
    const Stream &s = *st.stream;
    if (s.tensor) return (st.takes ? had(state(s), one.process) : state(s).claimed) == s.blocks();
    return st.takes ? ended(s.producer)
                    : std::any_of(s.consumers.begin(), s.consumers.end(), [&](const auto &c) { return ended(c); });
  }
  Refusal waiting(const df::Blocked &one) const {
    const Statement &st = *statements_[one.at->id];
    const Stream &s = *st.stream;
    const std::string &core = p.cores[one.process].name;
    if (in_vain(one)) return Refusal(st.takes ? diag::blocks_end : diag::blocks_left, core, s.name);
    return st.takes ? Refusal(diag::deadlock, core, s.name) : Refusal(diag::deadlock_full, core, s.name, s.depth);
  }
  // All cores have ended: a stream of which one end gives what the other does not take.
  Deadlock unequal() const {
    for (const Stream &s : p.streams) {
      const int64_t there = s.tensor && s.feeds ? s.blocks() : state(s).put;
      for (const std::string &name : s.consumers) {
        int64_t released = 0;
        for (const auto &reader : state(s).readers)
          if (reader.process < p.cores.size() && p.cores[reader.process].name == name) released = reader.released;
        if (released != there) return {s.node, Refusal(diag::blocks_untaken, name, released, s.name, there)};
      }
      if (s.tensor && !s.feeds && state(s).put != s.blocks())
        return {s.node, Refusal(diag::blocks_uncollected, s.producer, state(s).put, s.name, s.blocks())};
    }
    return {};
  }

  const Program &p;
  const int64_t turns_;
  df::Network network_;
  std::map<const Stream *, size_t> channel_;
  std::vector<const Statement *> statements_; // by the steps' ids
  std::vector<size_t> begun_, done_;          // channels of the host, an item a turn
  df::Run run_;
};

} // namespace

Deadlock deadlock_of(const Program &program, int64_t turns) { return Network(program, turns).run(); }

} // namespace htp::aie
