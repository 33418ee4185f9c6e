// csp.deadlock: how a pipeline's processes come to wait for each other, as JSON (decision 0008). One row of the entry;
// and for each operation, channel and directive that it speaks of, at its node, its id.
#include "check.h"
#include "csp.h"
#include "streams.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

namespace htp::csp {

namespace {

using nlohmann::ordered_json;

// The ids of what the JSON speaks of.
class Locations {
public:
  explicit Locations(const Sink &sink) : sink_(sink) {}
  std::string id(Node n) {
    const auto [it, added] = ids_.try_emplace(n, std::to_string(ids_.size() + 1));
    if (added) sink_.string(n, it->second);
    return it->second;
  }

private:
  const Sink &sink_;
  std::map<Node, std::string> ids_;
};

// What a name is without the number that keeps loops of one name apart.
std::string written(const std::string &variable) { return variable.substr(0, variable.find('#')); }

ordered_json described(const Context &c, const Built &built, const Stuck &stuck, Node because, Locations at) {
  const Network &network = built.network;
  const auto names = [&](const std::vector<size_t> &processes) {
    auto all = ordered_json::array();
    for (const size_t p : processes) all.push_back(network.processes[p].name);
    return all;
  };
  ordered_json json{{"entry", c.entry()}, {"sizes", ordered_json::object()}};
  for (const auto &[name, size] : stuck.sizes) json["sizes"][name] = size;
  if (because) json["directive"] = at.id(because);
  // Beside checked channels only who waits in the cycle is known to come so far, and what is between them.
  std::set<size_t> known;
  for (const size_t w : stuck.cycle) known.insert(stuck.run.blocked[w].process);
  const auto is_known = [&](size_t process) {
    return built.streams.empty() || known.empty() || known.contains(process);
  };
  auto processes = ordered_json::array();
  for (size_t p = 0; p < network.processes.size(); ++p) {
    if (!is_known(p)) continue;
    ordered_json &one = processes.emplace_back(ordered_json{{"name", network.processes[p].name}});
    const auto waiting = std::ranges::find(stuck.run.blocked, p, &Blocked::process);
    if (waiting == stuck.run.blocked.end()) continue;
    const Channel &channel = network.channels[waiting->at->channel];
    auto iterations = ordered_json::array();
    for (const auto &[variable, value] : waiting->loops)
      iterations.push_back({{"loop", written(variable)}, {"iteration", value}});
    one["waits"] = {{"channel", channel.name},
                    {"for", !writes(*waiting->at)   ? "item"
                            : channel.capacity == 0 ? "reader"
                                                    : "capacity"},
                    {"at", at.id(built.calls[waiting->at->id])},
                    {"iterations", iterations},
                    {"on", names(waiting->on)}};
  }
  json["processes"] = processes;
  auto channels = ordered_json::array();
  const std::vector<Ends> ends = dataflow::ends(network);
  for (size_t channel = 0; channel < ends.size(); ++channel) {
    if (ends[channel].writers.empty()) continue; // the rim of an array
    if (!is_known(ends[channel].writers[0]) || !std::ranges::any_of(ends[channel].readers, is_known)) continue;
    channels.push_back({{"name", network.channels[channel].name},
                        {"from", network.processes[ends[channel].writers[0]].name},
                        {"to", names(ends[channel].readers)},
                        {"capacity", network.channels[channel].capacity},
                        {"items", stuck.run.channels[channel].now},
                        {"at", at.id(built.of[channel]->call)}});
  }
  for (const Stream &stream : built.streams) {
    std::set<size_t> writers, readers;
    for (const Use &use : stream.uses)
      (use.kind == Use::Kind::put || use.kind == Use::Kind::close ? writers : readers).insert(use.process);
    if (!writers.empty())
      channels.push_back({{"name", stream.name},
                          {"from", network.processes[*writers.begin()].name},
                          {"to", names({readers.begin(), readers.end()})},
                          {"capacity", stream.of->capacity},
                          {"checked", true},
                          {"at", at.id(stream.of->call)}});
  }
  json["channels"] = channels;
  std::vector<size_t> cycle;
  for (const size_t w : stuck.cycle) cycle.push_back(stuck.run.blocked[w].process);
  json["cycle"] = names(cycle);
  if (const Remedy help = stuck.cycle.empty() ? Remedy{} : remedy(built, stuck); help.none)
    json["help"] = "no capacity helps: each gets before it puts";
  else if (!help.text.empty())
    json["help"] = help.text;
  return json;
}

} // namespace

Result deadlock(const Context &c, Node root, const Sink &sink) {
  const Node entry = c.entry_function(root);
  std::string found;
  bool any = false, shown = true, by_data = false;
  each_network(c, root, [&](const Program &program, const Built &built, Node because, const std::string &) {
    any = true;
    const Findings findings = examine_network(c, program, built, because);
    shown = shown && findings.shown;
    by_data = by_data || !streams_end(built);
    if (!findings.stuck) return true;
    if (findings.stuck->run.blocked.empty()) { // all end, and leave items
      check_network(c, program, built, because);
      return false;
    }
    found = described(c, built, *findings.stuck, because, Locations(sink)).dump();
    return false;
  });
  if (c.cancelled()) return HTP_CANCELLED;
  if (c.errors()) return HTP_FAILED;
  if (!any) return c.report(diag::not_pipeline, entry, c.entry()), HTP_FAILED;
  if (found.empty()) {
    auto report = c.report(diag::no_deadlock, entry, c.entry());
    report.note(shown ? "that it ends was shown for all sizes"
                : by_data
                    ? "how many items its checked channels carry data decides: whether it ends is seen when it runs"
                    : "at the sizes that were tried it ends; for all sizes it was not shown");
    return HTP_FAILED;
  }
  sink.string(entry, found);
  return c.result();
}

} // namespace htp::csp
