// run.cpp — a network runs: each process as far as it can, then the next that somebody woke.
#include "network/network.h"

#include <algorithm>
#include <deque>

namespace htp::csp {

int64_t value(const Count &count, const Values &values) {
  const auto value_of = [&](const std::string &name) { return std::optional(values.at(name)); };
  int64_t least = INT64_MAX;
  for (const IntExpr &one : count.least_of) least = std::min(least, one.value(value_of).value_or(INT64_MAX));
  return std::max<int64_t>(least, 0);
}

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
        found.emplace_back(frame.loop->variable, value(Count{{frame.loop->before}}, values_) + frame.iteration);
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
      if (step.kind != Step::Kind::loop) return;
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
  Runner(const Network &network, const std::vector<int64_t> &capacities, const Values &sizes)
      : capacities_(capacities), channels_(network.channels.size()) {
    for (size_t p = 0; p < network.processes.size(); ++p) {
      find_ends(network.processes[p].steps, p);
      cursors_.emplace_back(network.processes[p], sizes);
    }
  }

  Run run(int64_t limit) {
    Run run;
    run.channels.resize(channels_.size());
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
        if (static_cast<int64_t>(run.order.size()) == limit) return run.too_long = true, run;
        const bool goes_on = make(process, *step);
        Held &held = run.channels[step->channel];
        held.now = held_in(step->channel);
        held.most = std::max(held.most, held.now);
        run.order.push_back({process, step, held.now, goes_on});
        const Ends &ends = channels_[step->channel];
        wake(step->kind == Step::Kind::put ? ends.readers : ends.writers);
      }
    }
    for (size_t p = 0; p < cursors_.size(); ++p)
      if (const Step *step = cursors_[p].next()) run.waiting.push_back({p, step, cursors_[p].loops(), waits_on(*step)});
    return run;
  }

private:
  // Who is at a channel, and how much each has made of it. A put of a rendezvous counts twice: when it is offered, and
  // when it was taken.
  struct Ends {
    std::vector<size_t> writers, readers;
    std::vector<int64_t> got; // by reader
    int64_t put = 0;
    bool offered = false;
  };

  void find_ends(const std::vector<Step> &steps, size_t process) {
    for (const Step &step : steps) {
      if (step.kind == Step::Kind::loop) {
        find_ends(step.body, process);
        continue;
      }
      Ends &ends = channels_[step.channel];
      std::vector<size_t> &side = step.kind == Step::Kind::put ? ends.writers : ends.readers;
      if (std::find(side.begin(), side.end(), process) != side.end()) continue;
      side.push_back(process);
      if (step.kind == Step::Kind::get) ends.got.push_back(0);
    }
  }

  int64_t least_got(const Ends &ends) const {
    return ends.got.empty() ? 0 : *std::min_element(ends.got.begin(), ends.got.end());
  }
  int64_t &got(Ends &ends, size_t process) {
    return ends
        .got[static_cast<size_t>(std::find(ends.readers.begin(), ends.readers.end(), process) - ends.readers.begin())];
  }
  int64_t held_in(size_t channel) const { return channels_[channel].put - least_got(channels_[channel]); }

  bool can(size_t process, const Step &step) {
    Ends &ends = channels_[step.channel];
    if (step.kind == Step::Kind::get) return got(ends, process) < ends.put;
    const int64_t capacity = capacities_[step.channel];
    return capacity == 0 ? !ends.offered || held_in(step.channel) == 0 : held_in(step.channel) < capacity;
  }

  // Whether it is the second move of a put.
  bool make(size_t process, const Step &step) {
    Ends &ends = channels_[step.channel];
    if (step.kind == Step::Kind::get) {
      ++got(ends, process);
      cursors_[process].advance();
      return false;
    }
    const bool meets = capacities_[step.channel] == 0;
    if (!meets || !ends.offered) ++ends.put;
    if (meets) ends.offered = !ends.offered;
    if (!ends.offered) cursors_[process].advance();
    return meets && !ends.offered;
  }

  std::vector<size_t> waits_on(const Step &step) const {
    const Ends &ends = channels_[step.channel];
    if (step.kind == Step::Kind::get) return ends.writers;
    std::vector<size_t> found; // the readers that are behind
    for (size_t r = 0; r < ends.readers.size(); ++r)
      if (ends.got[r] == least_got(ends)) found.push_back(ends.readers[r]);
    return found;
  }

  const std::vector<int64_t> &capacities_;
  std::vector<Ends> channels_;
  std::vector<Cursor> cursors_;
};

} // namespace

Run run(const Network &network, const std::vector<int64_t> &capacities, const Values &sizes, int64_t limit) {
  return Runner(network, capacities, sizes).run(limit);
}

Run run(const Network &network, const Values &sizes, int64_t limit) {
  return run(network, capacities(network), sizes, limit);
}

std::vector<int64_t> capacities(const Network &network) {
  std::vector<int64_t> found;
  for (const Channel &channel : network.channels) found.push_back(channel.capacity);
  return found;
}

std::vector<size_t> cycle(const Run &run) {
  std::map<size_t, size_t> at; // by process
  for (size_t w = 0; w < run.waiting.size(); ++w) at[run.waiting[w].process] = w;
  // Depth first; each is on the path, or done with, or new.
  std::vector<bool> done(run.waiting.size());
  for (size_t begin = 0; begin < run.waiting.size(); ++begin) {
    std::vector<std::pair<size_t, size_t>> path{{begin, 0}}; // and which of those it waits for comes next
    while (!path.empty() && !done[begin]) {
      auto &[w, next] = path.back();
      const auto &on = run.waiting[w].on;
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

} // namespace htp::csp
