// htp_cpp/simulate.h — how long processes take that pass items to each other through bounded channels, when it is known
// how long each works between its moves: for a target's `Simulation.Model`.
//
// What a process does next depends on its own past alone, so there is one time for each move, whatever order they are
// looked at in: the end of the work before it or, where it has to wait, the move that it waits for. So every move has
// one cause, and going back by causes from the last end gives the longest chain, whose work adds up to the whole time.
// A chain that waits nowhere for capacity is there at all capacities; one that does is broken only by more capacity in
// a channel that it waits for. This is what the search for capacities goes by.
//
// Each process has a core of its own, and waking one up takes no time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <queue>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace htp::sdk::simulation {

// A move on a channel, after some seconds of work.
struct Move {
  enum class Kind : uint8_t {
    claim,   // waits until a slot is free
    publish, // the item in it is there for the readers
    taken,   // of a rendezvous, after publish: waits until all readers have released the item
    front,   // waits until there is an item that it has not released yet
    release  // is done with it
  } kind;
  size_t channel;
  double work;

  bool waits_for_capacity() const { return kind == Kind::claim || kind == Kind::taken; }
};

struct Process {
  std::string name;
  std::vector<Move> moves;
  double rest = 0; // work after the last move
};

// What a program gives a capacity: a channel, or an array of them. Capacity 0 is a rendezvous, which has one slot.
struct Declaration {
  std::string name;
  int64_t capacity = 1;
  double slot_bytes = 0;
};

struct Channel {
  std::string name;
  size_t declaration;
};

struct Network {
  std::vector<Declaration> declarations;
  std::vector<Channel> channels; // one writer each, and a reader or more
  std::vector<Process> processes;
};

using Capacities = std::vector<int64_t>; // of declarations

inline Capacities capacities(const Network &network) {
  Capacities found;
  for (const Declaration &one : network.declarations) found.push_back(one.capacity);
  return found;
}

inline double bytes(const Network &network, const Capacities &capacities) {
  double sum = 0;
  for (const Channel &channel : network.channels) {
    const size_t d = channel.declaration;
    sum += network.declarations[d].slot_bytes * static_cast<double>(std::max<int64_t>(1, capacities[d]));
  }
  return sum;
}

// ── a run ───────────────────────────────────────────────────────────────────────────────────────────────────────────

struct ProcessRun {
  double end = 0;
  double work = 0, full = 0, empty = 0; // working, waiting for capacity, waiting for items
  double critical = 0;                  // its work in the longest chain
  std::vector<double> at{};             // when each move was made; of one that is stuck fewer
};

struct ChannelRun {
  std::optional<size_t> writer{};
  std::vector<size_t> readers{};
  int64_t items = 0, most = 0;
  double mean = 0;                                  // items that it holds, over the whole time
  double full = 0, empty = 0;                       // waiting for capacity, and for items, of all processes
  size_t critical = 0;                              // how often the longest chain waits here for capacity
  std::vector<std::pair<double, int64_t>> levels{}; // from when on it holds how many
};

struct Ran {
  bool stuck = false; // nobody can move any more; `blocked` are at a move, and there is no chain
  std::vector<size_t> blocked{};
  double seconds = 0;
  std::vector<ProcessRun> processes{};
  std::vector<ChannelRun> channels{};
  size_t process = 0; // with most work in the longest chain
  std::optional<size_t>
      channel{}; // the one that the longest chain waits for most often; none: more capacity helps nowhere
};

class Simulator {
public:
  Simulator(const Network &network, const Capacities &capacities)
      : n_(network), channels_(network.channels.size()), of_(network.processes.size()) {
    for (size_t c = 0; c < channels_.size(); ++c)
      channels_[c].slots = static_cast<size_t>(std::max<int64_t>(1, capacities[n_.channels[c].declaration]));
    for (size_t p = 0; p < of_.size(); ++p)
      for (const Move &move : n_.processes[p].moves) {
        State &channel = channels_[move.channel];
        if (move.kind == Move::Kind::claim || move.kind == Move::Kind::publish)
          channel.writer = p;
        else if (move.kind != Move::Kind::taken &&
                 of_[p].reads.try_emplace(move.channel, channel.readers.size()).second)
          channel.readers.push_back({p, {}});
      }
  }

  Ran run() {
    for (size_t p = 0; p < of_.size(); ++p) ready_.push_back(p), of_[p].queued = true;
    while (!ready_.empty()) {
      const size_t p = ready_.front();
      ready_.pop_front();
      of_[p].queued = false;
      advance(p);
    }
    Ran run;
    for (size_t p = 0; p < of_.size(); ++p) {
      if (!of_[p].ended) run.blocked.push_back(p);
      run.seconds = std::max(run.seconds, of_[p].run.end);
    }
    run.stuck = !run.blocked.empty();
    for (State &channel : channels_) run.channels.push_back(channel_run(channel, run.seconds));
    if (!run.stuck) follow(run);
    for (Side &one : of_) run.processes.push_back(std::move(one.run));
    return run;
  }

private:
  struct Event {
    size_t process = 0, move = 0;
  };
  struct Timed {
    double at;
    Event event;
  };
  struct Reader {
    size_t process;
    std::vector<Timed> released;
  };
  struct State {
    size_t slots = 1;
    std::optional<size_t> writer{};
    std::vector<Reader> readers{};
    std::vector<Timed> published{};
    double full = 0, empty = 0;
  };
  struct Side {
    std::map<size_t, size_t> reads{}; // channel → which of its readers
    std::vector<Event> causes{};
    bool queued = false, ended = false;
    ProcessRun run{};
  };

  void wake(std::optional<size_t> p) {
    if (!p || of_[*p].queued) return;
    of_[*p].queued = true;
    ready_.push_back(*p);
  }

  // Until it ends or cannot move.
  void advance(size_t p) {
    Side &side = of_[p];
    if (side.ended) return;
    const auto &moves = n_.processes[p].moves;
    ProcessRun &run = side.run;
    for (size_t m = run.at.size(); m < moves.size(); ++m) {
      const Move &move = moves[m];
      State &channel = channels_[move.channel];
      const double ready = (m == 0 ? 0 : run.at[m - 1]) + move.work;
      Timed when{ready, {p, m}};
      const auto after = [&](const Timed &other) {
        if (other.at > when.at) when = other;
      };
      if (move.kind == Move::Kind::front) {
        const size_t item = channel.readers[side.reads.find(move.channel)->second].released.size();
        if (item >= channel.published.size()) return;
        after(channel.published[item]);
      } else if (move.waits_for_capacity()) {
        const size_t item = channel.published.size(), capacity = move.kind == Move::Kind::claim ? channel.slots : 1;
        for (const Reader &reader : channel.readers) {
          if (item < capacity) break;
          if (reader.released.size() <= item - capacity) return;
          after(reader.released[item - capacity]);
        }
      }
      side.causes.push_back(when.event);
      run.at.push_back(when.at);
      run.work += move.work;
      (move.kind == Move::Kind::front ? run.empty : run.full) += when.at - ready;
      (move.kind == Move::Kind::front ? channel.empty : channel.full) += when.at - ready;
      if (move.kind == Move::Kind::publish) {
        channel.published.push_back({when.at, {p, m}});
        for (const Reader &reader : channel.readers) wake(reader.process);
      } else if (move.kind == Move::Kind::release) {
        channel.readers[side.reads.find(move.channel)->second].released.push_back({when.at, {p, m}});
        wake(channel.writer);
      }
    }
    run.end = (run.at.empty() ? 0 : run.at.back()) + n_.processes[p].rest;
    run.work += n_.processes[p].rest;
    side.ended = true;
  }

  // Back by causes from the last end.
  void follow(Ran &run) {
    const auto last =
        std::max_element(of_.begin(), of_.end(), [](const Side &a, const Side &b) { return a.run.end < b.run.end; });
    if (last == of_.end()) return;
    size_t p = static_cast<size_t>(last - of_.begin()), m = n_.processes[p].moves.size();
    last->run.critical += n_.processes[p].rest;
    while (m > 0) {
      const Event cause = of_[p].causes[m - 1];
      if (cause.process == p && cause.move == m - 1) {
        of_[p].run.critical += n_.processes[p].moves[--m].work;
        continue;
      }
      const Move &move = n_.processes[p].moves[m - 1];
      if (move.waits_for_capacity()) ++run.channels[move.channel].critical;
      p = cause.process;
      m = cause.move + 1;
    }
    for (size_t q = 1; q < of_.size(); ++q)
      if (of_[q].run.critical > of_[run.process].run.critical) run.process = q;
    for (size_t c = 0; c < run.channels.size(); ++c)
      if (run.channels[c].critical > (run.channel ? run.channels[*run.channel].critical : 0)) run.channel = c;
  }

  // A slot that is freed and filled at once is filled after.
  static ChannelRun channel_run(const State &channel, double seconds) {
    ChannelRun found{.writer = channel.writer, .full = channel.full, .empty = channel.empty};
    for (const Reader &reader : channel.readers) found.readers.push_back(reader.process);
    found.items = static_cast<int64_t>(channel.published.size());
    const auto freed = [&](size_t item) -> std::optional<double> {
      double last = 0;
      for (const Reader &reader : channel.readers) {
        if (item >= reader.released.size()) return std::nullopt;
        last = std::max(last, reader.released[item].at);
      }
      return last;
    };
    double since = 0, area = 0;
    int64_t now = 0;
    const auto changes = [&](double at, int64_t by) {
      area += static_cast<double>(now) * (at - since);
      since = at;
      now += by;
      found.most = std::max(found.most, now);
      if (!found.levels.empty() && found.levels.back().first == at)
        found.levels.back().second = now;
      else
        found.levels.emplace_back(at, now);
    };
    size_t in = 0, out = 0;
    while (out < channel.published.size()) {
      const auto next = out < in ? freed(out) : std::nullopt;
      if (next && (in == channel.published.size() || *next <= channel.published[in].at))
        changes(*next, -1), ++out;
      else if (in < channel.published.size())
        changes(channel.published[in].at, 1), ++in;
      else
        break; // what is left stays
    }
    area += static_cast<double>(now) * (seconds - since);
    found.mean = seconds > 0 ? area / seconds : 0;
    return found;
  }

  const Network &n_;
  std::vector<State> channels_;
  std::vector<Side> of_;
  std::deque<size_t> ready_;
};

inline Ran run(const Network &network, const Capacities &capacities) { return Simulator(network, capacities).run(); }
inline Ran run(const Network &network) { return run(network, capacities(network)); }

// ── capacities ──────────────────────────────────────────────────────────────────────────────────────────────────────

struct Choice {
  Capacities capacities{};
  double seconds = 0, bytes = 0;
  double best = 0;    // seconds with capacity for all items
  bool least = false; // no fewer bytes are as fast; else none of the capacities alone can be less
  std::vector<double>
      smaller{}; // seconds with one slot less in each; infinite: it gets stuck; negative: there are no fewer
};

class Choosing {
public:
  Choosing(const Network &network, double budget)
      : n_(network), budget_(budget), least_(capacities(network)), plenty_(least_) {
    size_t moves = 1;
    std::vector<int64_t> items(n_.channels.size());
    for (const Process &process : n_.processes) {
      moves += process.moves.size();
      for (const Move &move : process.moves) items[move.channel] += move.kind == Move::Kind::publish;
    }
    for (int64_t &one : least_) one = std::min<int64_t>(one, 1);
    plenty_ = least_;
    for (size_t c = 0; c < items.size(); ++c) {
      const size_t d = n_.channels[c].declaration;
      if (least_[d] > 0) plenty_[d] = std::max(plenty_[d], items[c]);
    }
    tries_ = std::clamp<size_t>(most_moves / moves, 16, 4096);
  }

  std::optional<Choice> find() {
    const Ran unlimited = simulation::run(n_, plenty_);
    if (unlimited.stuck || bytes(n_, least_) > budget_) return std::nullopt;
    Choice choice{.best = unlimited.seconds};
    auto found = smallest(choice.best);
    choice.least = found.has_value();
    if (!found) found = irreducible(choice.best);
    if (found->empty()) return std::nullopt;
    choice.capacities = *found;
    choice.bytes = bytes(n_, *found);
    choice.seconds = seconds(*found);
    for (size_t d = 0; d < found->size(); ++d) {
      Capacities less = *found;
      choice.smaller.push_back(--less[d] < least_[d] ? -1 : seconds(less));
    }
    return choice;
  }

private:
  static constexpr double close = 1.001; // times as long is as fast
  static constexpr size_t most_moves = 5'000'000;
  static constexpr double never = std::numeric_limits<double>::infinity();

  double seconds(const Capacities &of) const {
    const Ran run = simulation::run(n_, of);
    return run.stuck ? never : run.seconds;
  }

  // Of these one has to grow for the run to be shorter.
  std::set<size_t> in_the_way(const Ran &run) const {
    std::set<size_t> found;
    for (size_t c = 0; c < n_.channels.size(); ++c)
      if (run.channels[c].critical > 0) found.insert(n_.channels[c].declaration);
    for (const size_t p : run.blocked)
      if (const Move &at = n_.processes[p].moves[run.processes[p].at.size()]; at.waits_for_capacity())
        found.insert(n_.channels[at.channel].declaration);
    std::erase_if(found, [&](size_t d) { return least_[d] == 0; });
    return found;
  }

  // By bytes, growing only what is in the way: what is as fast and larger in every channel is never looked at, and
  // nothing else is left out. Empty when nothing within the budget ends; nothing when there are too many to try.
  std::optional<Capacities> smallest(double best) const {
    using Open = std::pair<double, Capacities>;
    std::priority_queue<Open, std::vector<Open>, std::greater<>> open;
    std::set<Capacities> seen;
    std::vector<std::pair<double, Capacities>> ended; // by bytes
    open.push({bytes(n_, least_), least_});
    while (!open.empty()) {
      const Capacities tried = open.top().second;
      open.pop();
      if (!seen.insert(tried).second) continue;
      if (seen.size() > tries_) return std::nullopt;
      const Ran run = simulation::run(n_, tried);
      if (!run.stuck) ended.emplace_back(run.seconds, tried);
      if (!run.stuck && run.seconds <= best * close) return tried;
      for (const size_t d : in_the_way(run)) {
        Capacities grown = tried;
        ++grown[d];
        if (const double size = bytes(n_, grown); size <= budget_) open.push({size, std::move(grown)});
      }
    }
    double fastest = never;
    for (const auto &one : ended) fastest = std::min(fastest, one.first);
    for (const auto &[time, tried] : ended)
      if (time <= fastest * close) return tried;
    return Capacities{};
  }

  // What is most in the way is doubled, as far as the budget goes, and then made as small as it can be.
  Capacities irreducible(double best) const {
    Capacities found = least_;
    Ran run = simulation::run(n_, found);
    while (run.stuck || run.seconds > best * close) {
      std::optional<size_t> grows;
      const auto ways = in_the_way(run);
      for (const size_t d : ways) {
        Capacities grown = found;
        grown[d] = std::min(2 * grown[d], plenty_[d]);
        if (grown[d] > found[d] && bytes(n_, grown) <= budget_ && (!grows || waits(run, d) > waits(run, *grows)))
          grows = d;
      }
      if (!grows) break;
      found[*grows] = std::min(2 * found[*grows], plenty_[*grows]);
      run = simulation::run(n_, found);
    }
    if (run.stuck) return {};
    const double enough = std::max(run.seconds, best) * close;
    for (size_t d = 0; d < found.size(); ++d) {
      Capacities tried = found;
      for (int64_t low = least_[d]; low < found[d];) {
        tried[d] = low + (found[d] - low) / 2;
        if (seconds(tried) <= enough)
          found[d] = tried[d];
        else
          low = tried[d] + 1;
      }
    }
    return found;
  }

  size_t waits(const Ran &run, size_t declaration) const {
    size_t sum = 0;
    for (size_t c = 0; c < n_.channels.size(); ++c)
      if (n_.channels[c].declaration == declaration) sum += run.channels[c].critical;
    return sum;
  }

  const Network &n_;
  const double budget_;
  Capacities least_, plenty_;
  size_t tries_ = 16;
};

// The capacities with the fewest bytes at which a network is as fast as it can be within a budget, to a thousandth. A
// rendezvous stays one. Nothing when it gets stuck whatever fits.
inline std::optional<Choice> choose(const Network &network, double budget = std::numeric_limits<double>::infinity()) {
  return Choosing(network, budget).find();
}

} // namespace htp::sdk::simulation
