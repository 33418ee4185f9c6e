// A network runs: each process as far as it can, then the next that somebody woke.
#include "htp_cpp/dataflow.h"

#include <algorithm>
#include <deque>

namespace htp::sdk::dataflow {

namespace {

// Where a process is: the loops it is in, and the step it makes next.
class Cursor {
public:
  Cursor(const Process &process, const Values &sizes) : values_(sizes) {
    frames_.push_back({nullptr, &process.steps, 0, 0, 1});
    settle();
  }

  // The operation that comes next; none at the end.
  const Step *next() const { return frames_.empty() ? nullptr : &(*frames_.back().steps)[frames_.back().at]; }
  void advance() {
    ++frames_.back().at;
    settle();
  }
  std::vector<std::pair<std::string, int64_t>> loops() const {
    std::vector<std::pair<std::string, int64_t>> found;
    for (const Frame &frame : frames_)
      if (frame.loop && !frame.loop->variable.starts_with('#'))
        found.emplace_back(frame.loop->variable, value(TripCount{{frame.loop->before}}, values_) + frame.iteration);
    return found;
  }

private:
  struct Frame {
    const Step *loop; // null: the process itself
    const std::vector<Step> *steps;
    size_t at;
    int64_t iteration, times;
  };

  // Goes into loops and out of them until there is an operation, or nothing.
  void settle() {
    while (!frames_.empty()) {
      Frame &frame = frames_.back();
      if (frame.at == frame.steps->size()) {
        if (frame.loop && !frame.steps->empty() && ++frame.iteration < frame.times) {
          frame.at = 0;
          values_[frame.loop->variable] = frame.iteration;
          continue;
        }
        frames_.pop_back();
        if (!frames_.empty()) ++frames_.back().at;
        continue;
      }
      const Step &step = (*frame.steps)[frame.at];
      if (!is_loop(step)) return;
      const int64_t times = value(step.times, values_);
      if (times == 0 || step.body.empty()) {
        ++frame.at;
        continue;
      }
      values_[step.variable] = 0;
      frames_.push_back({&step, &step.body, 0, 0, times});
    }
  }

  Values values_;
  std::vector<Frame> frames_;
};

class Runner {
public:
  Runner(const Network &network, const Values &sizes, const RunOptions &options)
      : options_(options), capacities_(options.capacities.empty() ? capacities(network) : options.capacities),
        ends_(ends(network)), offered_(network.channels.size()) {
    run_.channels.resize(network.channels.size());
    for (const Process &process : network.processes) cursors_.emplace_back(process, sizes);
    for (size_t channel = 0; channel < ends_.size(); ++channel)
      for (const size_t reader : ends_[channel].readers) run_.channels[channel].readers.push_back({reader});
  }

  Run run() {
    std::deque<size_t> ready;
    std::vector<bool> is_ready(cursors_.size(), true);
    for (size_t p = 0; p < cursors_.size(); ++p) ready.push_back(p);
    const auto wake = [&](const std::vector<size_t> &processes) {
      for (const size_t p : processes)
        if (!is_ready[p]) is_ready[p] = true, ready.push_back(p);
    };
    for (; !ready.empty(); ready.pop_front()) {
      const size_t process = ready.front();
      is_ready[process] = false;
      for (const Step *step; (step = cursors_[process].next()) && can(process, *step);) {
        if (run_.moves == options_.limit) return run_.too_long = true, run_;
        ++run_.moves;
        const bool goes_on = make(process, *step);
        ChannelState &state = run_.channels[step->channel];
        state.now = state.put - released(state);
        state.most = std::max(state.most, state.now);
        if (options_.keeps_order) run_.order.push_back({process, step, state.now, goes_on});
        const Ends &ends = ends_[step->channel];
        wake(writes(*step) ? ends.readers : ends.writers);
      }
    }
    for (size_t p = 0; p < cursors_.size(); ++p)
      if (const Step *step = cursors_[p].next())
        run_.blocked.push_back({p, step, cursors_[p].loops(), waits_on(*step)});
    return run_;
  }

private:
  // The items whose slots are free again.
  static int64_t released(const ChannelState &state) {
    int64_t least = state.readers.empty() ? 0 : INT64_MAX;
    for (const ChannelState::Reader &reader : state.readers) least = std::min(least, reader.released);
    return least;
  }
  static ChannelState::Reader &reader(ChannelState &state, size_t process) {
    return *std::ranges::find(state.readers, process, &ChannelState::Reader::process);
  }

  bool can(size_t process, const Step &step) {
    ChannelState &state = run_.channels[step.channel];
    switch (step.kind) {
    case StepKind::get:
    case StepKind::front: return reader(state, process).had < state.put;
    case StepKind::release: return reader(state, process).released < reader(state, process).had;
    case StepKind::publish: return state.put < state.claimed;
    default: break;
    }
    const int64_t capacity = capacities_[step.channel];
    return capacity == 0 ? !offered_[step.channel] || released(state) == state.put
                         : state.claimed - released(state) < capacity;
  }

  // Whether it is the second move of a put.
  bool make(size_t process, const Step &step) {
    ChannelState &state = run_.channels[step.channel];
    bool goes_on = false, stays = false;
    switch (step.kind) {
    case StepKind::get: ++reader(state, process).had, ++reader(state, process).released; break;
    case StepKind::front: ++reader(state, process).had; break;
    case StepKind::release: ++reader(state, process).released; break;
    case StepKind::claim: ++state.claimed; break;
    case StepKind::publish: ++state.put; break;
    default:
      if (capacities_[step.channel] == 0) {
        goes_on = offered_[step.channel];
        offered_[step.channel] = stays = !goes_on;
      }
      if (!goes_on) ++state.claimed, ++state.put;
    }
    if (!stays) cursors_[process].advance();
    return goes_on;
  }

  std::vector<size_t> waits_on(const Step &step) const {
    if (!writes(step)) return ends_[step.channel].writers;
    const ChannelState &state = run_.channels[step.channel];
    std::vector<size_t> found; // the readers that are behind
    for (const ChannelState::Reader &reader : state.readers)
      if (reader.released == released(state)) found.push_back(reader.process);
    return found;
  }

  const RunOptions &options_;
  std::vector<int64_t> capacities_;
  std::vector<Ends> ends_;
  std::vector<bool> offered_; // by channel: a put of a rendezvous that has not been got
  std::vector<Cursor> cursors_;
  Run run_;
};

void find_ends(const std::vector<Step> &steps, size_t process, std::vector<Ends> &into) {
  for (const Step &step : steps) {
    if (is_loop(step)) {
      find_ends(step.body, process, into);
      continue;
    }
    std::vector<size_t> &side = writes(step) ? into[step.channel].writers : into[step.channel].readers;
    if (side.empty() || side.back() != process) side.push_back(process);
  }
}

} // namespace

int64_t value(const TripCount &count, const Values &values) {
  const auto value_of = [&](const std::string &name) { return std::optional(values.at(name)); };
  int64_t least = INT64_MAX;
  for (const IntExpr &one : count.least_of) least = std::min(least, one.value(value_of).value_or(INT64_MAX));
  return std::max<int64_t>(least, 0);
}

MaybeInt as_int(const TripCount &count, const std::function<IntRange(const std::string &)> &range_of) {
  const MaybeInt least = sdk::least(std::vector<MaybeInt>(count.least_of.begin(), count.least_of.end()));
  return least && least->range(range_of).least.value_or(-1) >= 0 ? least : most({0, least});
}

std::vector<int64_t> capacities(const Network &network) {
  std::vector<int64_t> found;
  for (const Channel &channel : network.channels) found.push_back(channel.capacity);
  return found;
}

std::vector<Ends> ends(const Network &network) {
  std::vector<Ends> found(network.channels.size());
  for (size_t p = 0; p < network.processes.size(); ++p) find_ends(network.processes[p].steps, p, found);
  return found;
}

bool Run::leaves_items() const {
  return std::ranges::any_of(channels, [](const ChannelState &state) { return state.now > 0; });
}

Run run(const Network &network, const Values &sizes, const RunOptions &options) {
  return Runner(network, sizes, options).run();
}

std::vector<size_t> cycle(const Run &run) {
  std::map<size_t, size_t> at; // by process
  for (size_t w = 0; w < run.blocked.size(); ++w) at[run.blocked[w].process] = w;
  // Depth first; each is on the path, or done with, or new.
  std::vector<bool> done(run.blocked.size());
  for (size_t begin = 0; begin < run.blocked.size(); ++begin) {
    std::vector<std::pair<size_t, size_t>> path{{begin, 0}}; // and which of those it waits for comes next
    while (!path.empty() && !done[begin]) {
      auto &[w, next] = path.back();
      const auto &on = run.blocked[w].on;
      if (next == on.size()) {
        done[w] = true;
        path.pop_back();
        continue;
      }
      const auto other = at.find(on[next++]);
      if (other == at.end() || done[other->second]) continue;
      const auto again =
          std::find_if(path.begin(), path.end(), [&](const auto &one) { return one.first == other->second; });
      if (again == path.end()) {
        path.emplace_back(other->second, 0);
        continue;
      }
      std::vector<size_t> found;
      for (auto one = again; one != path.end(); ++one) found.push_back(one->first);
      return found;
    }
  }
  return {};
}

} // namespace htp::sdk::dataflow
