#include "components.h"

#include <algorithm>
#include <optional>
#include <set>

namespace htp::sdk::dataflow {

namespace {

struct Line {
  size_t channel, writer, reader;
};

std::vector<Line> lines_of(const Network &network) {
  const std::vector<Ends> at = ends(network);
  std::vector<Line> lines;
  for (size_t c = 0; c < at.size(); ++c)
    for (const size_t writer : at[c].writers)
      for (const size_t reader : at[c].readers) lines.push_back({c, writer, reader});
  return lines;
}

// Biconnected components of the lines (Hopcroft and Tarjan 1973), without recursion: a network may be long.
std::vector<std::vector<size_t>> biconnected(const std::vector<Line> &lines, size_t processes) {
  std::vector<std::vector<std::pair<size_t, size_t>>> beside(processes); // (line, the process at its other end)
  for (size_t l = 0; l < lines.size(); ++l) {
    beside[lines[l].writer].emplace_back(l, lines[l].reader);
    if (lines[l].writer != lines[l].reader) beside[lines[l].reader].emplace_back(l, lines[l].writer);
  }
  struct Visit {
    size_t process;
    std::optional<size_t> by; // the line
    size_t next = 0;
  };
  std::vector<size_t> number(processes), low(processes);
  std::vector<size_t> open; // lines seen and in no component yet
  std::vector<bool> used(lines.size());
  std::vector<std::vector<size_t>> found;
  size_t count = 0;
  for (size_t root = 0; root < processes; ++root) {
    if (number[root]) continue;
    std::vector<Visit> path{{root, std::nullopt}};
    number[root] = low[root] = ++count;
    while (!path.empty()) {
      Visit &visit = path.back();
      const size_t process = visit.process;
      if (visit.next < beside[process].size()) {
        const auto [line, other] = beside[process][visit.next++];
        if (used[line]) continue;
        used[line] = true;
        if (other == process) { // its own circle
          found.push_back({line});
          continue;
        }
        open.push_back(line);
        if (number[other]) {
          low[process] = std::min(low[process], number[other]);
        } else {
          number[other] = low[other] = ++count;
          path.push_back({other, line});
        }
        continue;
      }
      const Visit ended = visit;
      path.pop_back();
      if (path.empty()) break;
      const size_t before = path.back().process;
      low[before] = std::min(low[before], low[ended.process]);
      if (low[ended.process] < number[before]) continue;
      const auto first = std::find(open.begin(), open.end(), *ended.by);
      found.emplace_back(first, open.end());
      open.erase(first, open.end());
    }
  }
  return found;
}

class Component {
public:
  Component(const Network &whole, const std::vector<Line> &lines, const std::vector<size_t> &of) : whole_(whole) {
    for (const size_t l : of) {
      puts_.insert({lines[l].writer, lines[l].channel});
      gets_.insert({lines[l].reader, lines[l].channel});
      processes_.insert(lines[l].writer);
      processes_.insert(lines[l].reader);
      channels_.try_emplace(lines[l].channel);
    }
  }

  Network network() {
    Network component;
    for (auto &[channel, at] : channels_) {
      at = component.channels.size();
      component.channels.push_back(whole_.channels[channel]);
    }
    for (const size_t process : processes_)
      component.processes.push_back({whole_.processes[process].name, only(whole_.processes[process].steps, process)});
    return component;
  }

private:
  std::vector<Step> only(const std::vector<Step> &steps, size_t process) const {
    std::vector<Step> found;
    for (const Step &step : steps) {
      Step kept = step;
      if (is_loop(step)) {
        kept.body = only(step.body, process);
        if (kept.body.empty()) continue;
      } else {
        if (!(writes(step) ? puts_ : gets_).contains({process, step.channel})) continue;
        kept.channel = channels_.find(step.channel)->second;
      }
      found.push_back(std::move(kept));
    }
    return found;
  }

  const Network &whole_;
  std::set<std::pair<size_t, size_t>> puts_, gets_; // (process, channel)
  std::set<size_t> processes_;
  std::map<size_t, size_t> channels_; // where each is in the component
};

} // namespace

std::vector<Network> components(const Network &network) {
  const std::vector<Line> lines = lines_of(network);
  std::vector<Network> found;
  for (const auto &component : biconnected(lines, network.processes.size()))
    if (component.size() > 1 || lines[component[0]].writer == lines[component[0]].reader)
      found.push_back(Component(network, lines, component).network());
  return found;
}

} // namespace htp::sdk::dataflow
