#include "analyses/network.h"

#include <algorithm>
#include <map>

namespace htp::aie {

namespace {

constexpr int64_t most_steps = 20'000'000; // of a run; a longer one is not looked at to its end

// A stream, by what has been given to it and back of it.
struct State {
  int64_t put = 0;                     // parts that consumers may have
  int64_t claimed = 0;                 // parts that the producer holds
  std::map<std::string, int64_t> got;  // by each consumer, of those that it acquired
  std::map<std::string, int64_t> back; // and of those that it released
};

struct Worker {
  const Core *core = nullptr;
  struct Frame {
    const std::vector<Statement> *body;
    size_t at;
    int64_t left; // rounds
  };
  std::vector<Frame> frames;
  const Statement *waits = nullptr;
};

class Network {
public:
  Network(const Program &program, int64_t turns) : p(program), turns_(turns), issued_(std::min<int64_t>(turns, 2)) {
    for (const Core &core : p.cores) workers_.push_back({&core, {{&core.body, 0, 1}}, nullptr});
    for (const Stream &s : p.streams) states_[&s];
  }

  Stuck run() {
    for (bool moved = true; moved;) {
      moved = turn();
      for (Worker &w : workers_) moved = advance(w) || moved;
      if (steps_ > most_steps) return {};
    }
    Stuck found;
    for (const Worker &w : workers_) {
      if (w.frames.empty()) continue;
      found.what += (found.what.empty() ? "" : "; ") + waiting(w);
      if (!found.where && in_vain(w)) found.where = w.waits->node;
    }
    if (!found.what.empty()) return found;
    for (const Stream &s : p.streams) {
      const State &state = states_.at(&s);
      const int64_t there = s.tensor && s.feeds ? s.parts() : state.put;
      for (const std::string &name : s.consumers)
        if (const int64_t got = of(state.back, name); got != there)
          return {s.node, "`" + name + "` takes " + std::to_string(got) + " parts of `" + s.name + "`, and " +
                              std::to_string(there) + " come"};
      if (s.tensor && !s.feeds && state.put != s.parts())
        return {s.node, "`" + s.producer + "` makes " + std::to_string(state.put) + " parts of `" + s.name + "`, and " +
                            std::to_string(s.parts()) + " are collected"};
    }
    return {};
  }

private:
  static int64_t of(const std::map<std::string, int64_t> &numbers, const std::string &name) {
    const auto it = numbers.find(name);
    return it == numbers.end() ? 0 : it->second;
  }
  // What the transfers that were begun have room for, or bring.
  int64_t begun(const Stream &s) const { return s.once ? s.parts() : s.parts() / turns_ * issued_; }
  // The next transfers begin when all that those before the last ones collect has come.
  bool turn() {
    if (issued_ == turns_) return false;
    for (const Stream &s : p.streams)
      if (s.tensor && !s.feeds && !s.once && states_.at(&s).put < s.parts() / turns_ * (issued_ - 1)) return false;
    ++issued_;
    return true;
  }

  bool may(const Worker &w, const Statement &st) const {
    const Stream &s = *st.stream;
    const State &state = states_.at(&s);
    if (st.takes) { // a part of a tensor goes to all of its consumers at once, when all have room
      int64_t come = s.tensor ? begun(s) : state.put;
      if (s.tensor)
        for (const std::string &name : s.consumers) come = std::min(come, of(state.back, name) + s.depth);
      if (p.linked_at_shim(s)) // no further than the memory tile has room for what others have not fetched
        for (const Stream *other : p.linked(s))
          for (const std::string &name : other->consumers)
            come = std::min(come, of(states_.at(other).back, name) + 2 * s.depth);
      if (p.linked_at_core(s))
        for (const Stream *other : p.linked(s)) come = std::min(come, begun(*other));
      return of(state.got, w.core->name) < come;
    }
    int64_t back = state.put;
    if (s.tensor) { // what lies in the core's room beside what transfers take
      back = std::min(back, begun(s));
      if (!s.link.empty())
        for (const Stream *other : p.linked(s)) back = std::min(back, states_.at(other).put + s.depth);
    } else {
      for (const std::string &name : s.consumers) back = std::min(back, of(state.back, name));
    }
    return state.put + state.claimed - back < s.depth;
  }
  bool advance(Worker &w) {
    bool moved = false;
    while (!w.frames.empty() && steps_ <= most_steps) {
      Worker::Frame &f = w.frames.back();
      if (f.at == f.body->size()) {
        if (--f.left > 0)
          f.at = 0;
        else
          w.frames.pop_back();
        ++steps_;
        continue;
      }
      const Statement &st = (*f.body)[f.at];
      if (st.kind == Statement::Kind::acquire) {
        if (!may(w, st)) {
          w.waits = &st;
          return moved;
        }
        State &state = states_[st.stream];
        st.takes ? ++state.got[w.core->name] : ++state.claimed;
      } else if (st.kind == Statement::Kind::release) {
        State &state = states_[st.stream];
        if (st.takes)
          ++state.back[w.core->name];
        else
          --state.claimed, ++state.put;
      }
      moved = true;
      ++steps_;
      ++f.at;
      if (st.kind == Statement::Kind::loop && st.times > 0) w.frames.push_back({&st.body, 0, st.times});
    }
    return moved;
  }
  bool ended(const std::string &core) const {
    return std::any_of(workers_.begin(), workers_.end(),
                       [&](const Worker &w) { return w.core->name == core && w.frames.empty(); });
  }
  // Whether what is waited for never comes, whatever room there is.
  bool in_vain(const Worker &w) const {
    const Stream &s = *w.waits->stream;
    const State &state = states_.at(&s);
    if (s.tensor) return (w.waits->takes ? of(state.got, w.core->name) : state.put + state.claimed) == s.parts();
    return w.waits->takes
               ? ended(s.producer)
               : std::any_of(s.consumers.begin(), s.consumers.end(), [&](const auto &c) { return ended(c); });
  }
  std::string waiting(const Worker &w) const {
    const Stream &s = *w.waits->stream;
    const bool never = in_vain(w);
    if (w.waits->takes)
      return "`" + w.core->name + "` waits for a part of `" + s.name + "`, " +
             (never ? "of which no more comes" : "which is empty");
    return "`" + w.core->name + "` waits for room in `" + s.name + "`, " +
           (never ? "of which no more is taken" : "which holds " + std::to_string(s.depth) + " parts");
  }

  const Program &p;
  const int64_t turns_;
  int64_t issued_, steps_ = 0;
  std::vector<Worker> workers_;
  std::map<const Stream *, State> states_;
};

} // namespace

Stuck stuck(const Program &program, int64_t turns) { return Network(program, turns).run(); }

} // namespace htp::aie
