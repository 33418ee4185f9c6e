// cpu.simulation: how the processes of a Codegen.Ready(target=cpu) program run beside each other at given sizes, by the
// machine's model: one row of JSON, of the entry, and for each channel one with its name, where it is declared.
#include "models.h"

#include "htp_cpp/writer.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>

namespace htp::cpu {

namespace {

using nlohmann::ordered_json;
using namespace sdk::simulation;
using Kind = Move::Kind;

constexpr size_t most_moves = 200'000; // and iterations around them

int64_t whole(double bytes) { return static_cast<int64_t>(std::min(bytes, 9e18)); }

// "M=512 N=64"
std::map<std::string, int64_t, std::less<>> numbers(std::string_view text) {
  std::map<std::string, int64_t, std::less<>> found;
  while (!text.empty()) {
    const std::string_view one = text.substr(0, text.find(' '));
    if (const size_t equals = one.find('='); equals != one.npos)
      std::from_chars(one.data() + equals + 1, one.data() + one.size(), found[std::string(one.substr(0, equals))]);
    text.remove_prefix(std::min(one.size() + 1, text.size()));
  }
  return found;
}

// Work, a slice for each item that a process puts or, where it puts none, is done with; and waits.
ordered_json slices(const Network &network, const Process &process, const ProcessRun &run) {
  const bool puts = std::any_of(process.moves.begin(), process.moves.end(),
                                [](const Move &move) { return move.kind == Kind::publish; });
  auto found = ordered_json::array();
  double begin = 0;
  const auto slice = [&](double end, const char *what, const Move *move) {
    if (end > begin) {
      ordered_json one{{"begin", begin}, {"seconds", end - begin}, {"what", what}};
      if (move) one["channel"] = network.channels[move->channel].name;
      found.push_back(std::move(one));
    }
    begin = end;
  };
  for (size_t m = 0; m < process.moves.size(); ++m) {
    const Move &move = process.moves[m];
    const double ready = (m == 0 ? 0 : run.at[m - 1]) + move.work;
    const bool waits = run.at[m] > ready;
    if (waits || move.kind == (puts ? Kind::publish : Kind::release)) slice(ready, "work", nullptr);
    if (waits) slice(run.at[m], move.waits_for_capacity() ? "full" : "empty", &move);
  }
  slice(run.end, "work", nullptr);
  return found;
}

ordered_json to_json(const Network &network, const Ran &run, const Capacities &capacities, bool timeline) {
  auto processes = ordered_json::array(), channels = ordered_json::array();
  for (size_t p = 0; p < network.processes.size(); ++p) {
    const ProcessRun &one = run.processes[p];
    ordered_json row{{"name", network.processes[p].name},
                     {"end", one.end},
                     {"busy", one.work},
                     {"full", one.full},
                     {"empty", one.empty},
                     {"critical", one.critical}};
    if (timeline) row["slices"] = slices(network, network.processes[p], one);
    processes.push_back(std::move(row));
  }
  for (size_t k = 0; k < network.channels.size(); ++k) {
    const ChannelRun &one = run.channels[k];
    const Declaration &declared = network.declarations[network.channels[k].declaration];
    auto readers = ordered_json::array();
    for (const size_t reader : one.readers) readers.push_back(network.processes[reader].name);
    ordered_json row{{"name", network.channels[k].name},
                     {"declared", declared.name},
                     {"capacity", capacities[network.channels[k].declaration]},
                     {"slot_bytes", whole(declared.slot_bytes)},
                     {"from", one.writer ? ordered_json(network.processes[*one.writer].name) : ordered_json()},
                     {"to", readers},
                     {"items", one.items},
                     {"most", one.most},
                     {"mean", one.mean},
                     {"full", one.full},
                     {"empty", one.empty},
                     {"critical", one.critical}};
    if (timeline)
      for (const auto &[at, held] : one.levels) row["levels"].push_back({at, held});
    channels.push_back(std::move(row));
  }
  ordered_json critical{{"process", network.processes[run.process].name}};
  if (run.channel) critical["channel"] = network.channels[*run.channel].name;
  return {{"seconds", run.seconds},
          {"bytes", whole(bytes(network, capacities))},
          {"critical", critical},
          {"processes", processes},
          {"channels", channels}};
}

ordered_json to_json(const Network &network, const Choice &choice) {
  auto rows = ordered_json::array();
  for (size_t d = 0; d < network.declarations.size(); ++d) {
    ordered_json row{{"name", network.declarations[d].name},
                     {"declared", network.declarations[d].capacity},
                     {"capacity", choice.capacities[d]},
                     {"slot_bytes", whole(network.declarations[d].slot_bytes)},
                     {"instead_of", "capacity=" + std::to_string(network.declarations[d].capacity)},
                     {"write", "capacity=" + std::to_string(choice.capacities[d])}};
    if (std::isfinite(choice.smaller[d]) && choice.smaller[d] >= 0) row["smaller"] = choice.smaller[d];
    if (std::isinf(choice.smaller[d])) row["smaller"] = "stuck";
    rows.push_back(std::move(row));
  }
  return {{"seconds", choice.seconds},
          {"bytes", whole(choice.bytes)},
          {"best", choice.best},
          {"least", choice.least},
          {"channels", rows}};
}

class Simulation {
public:
  Simulation(const Context &context, Node root)
      : c(context), names_(context, root), constants_(context, names_, root), function_(context.entry_function(root)) {}

  Result run(const Sink &sink) {
    if (!function_) c.report(diag::no_entry, HTP_NONE, c.entry());
    if (!function_ || !read_program(c, names_, constants_, function_, program_)) return c.result();
    const auto process = [](const ready::Statement &s) { return s.kind == ready::Statement::Kind::process; };
    if (std::none_of(program_.body.begin(), program_.body.end(), process))
      return c.report(diag::no_processes, function_, program_.name), HTP_FAILED;
    for (const ready::Channel &channel : program_.channels)
      if (channel.checked)
        return c.report(diag::simulation_data, channel.node, channel.name, program_.name), HTP_FAILED;
    const auto sizes = numbers(c.option("sizes"));
    for (const std::string &dim : program_.dims)
      if (!sizes.contains(dim)) c.report(diag::no_size, function_, dim).hint("give it: `--dim " + dim + "=512`");
    for (const auto &[name, size] : sizes)
      if (std::find(program_.dims.begin(), program_.dims.end(), name) == program_.dims.end())
        c.report(diag::unknown_size, function_, name)
            .hint(program_.dims.empty()
                      ? "it has none"
                      : "it has " + join(program_.dims, ", ", [](const std::string &dim) { return "`" + dim + "`"; }));
    if (c.errors()) return HTP_FAILED;
    const auto network = network_of(c, constants_, program_, most_moves);
    if (!network) return c.report(diag::too_long_to_simulate, function_, most_moves), HTP_FAILED;
    return answer(*network, sink);
  }

private:
  Result answer(const Network &network, const Sink &sink) {
    const auto own = given(network);
    if (!own) return HTP_FAILED;
    ordered_json json{{"entry", program_.name}};
    Capacities chosen = *own;
    if (c.option("choose") == "true") {
      const auto budget = static_cast<double>(c.option_int("budget"));
      const auto choice = budget > 0 ? choose(network, budget) : choose(network);
      if (!choice) return no_room(network, budget), HTP_FAILED;
      json["choice"] = to_json(network, *choice);
      const Ran before = simulation::run(network, *own);
      json["choice"]["before"] = before.stuck ? -1 : before.seconds;
      json["choice"]["before_bytes"] = whole(bytes(network, *own));
      chosen = choice->capacities;
    }
    const Ran run = simulation::run(network, chosen);
    if (run.stuck) return stuck(network, run), HTP_FAILED;
    json.update(to_json(network, run, chosen, c.option("timeline") == "true"));
    double work = 0;
    for (const ProcessRun &one : run.processes) work += one.work;
    const std::string cores(c.hardware("levels.core.count"));
    if (const double count = std::strtod(cores.c_str(), nullptr); count >= 1)
      json["shared"] = {{"cores", whole(count)}, {"seconds", work / count}};
    sink.string(function_, json.dump());
    for (const ready::Channel &channel : program_.channels) sink.string(channel.node, channel.name);
    return c.result();
  }

  // The program's capacities, and instead of them those of the option.
  std::optional<Capacities> given(const Network &network) const {
    Capacities found = capacities(network);
    for (const auto &[name, capacity] : numbers(c.option("capacities"))) {
      const auto channel =
          std::find_if(program_.channels.begin(), program_.channels.end(),
                       [&name = name](const ready::Channel &one) { return one.name == name && one.dtype; });
      if (channel == program_.channels.end()) {
        std::vector<std::string> known;
        for (const ready::Channel &one : program_.channels)
          if (one.dtype) known.push_back("`" + one.name + "`");
        c.report(diag::unknown_channel, function_, name).hint("it has " + join(known, ", ", [](const std::string &one) {
                                                                return one;
                                                              }));
        return std::nullopt;
      }
      found[static_cast<size_t>(channel - program_.channels.begin())] = capacity;
    }
    return found;
  }

  void no_room(const Network &network, double budget) const {
    Capacities least = capacities(network);
    for (int64_t &one : least) one = std::min<int64_t>(one, 1);
    const auto enough = choose(network);
    auto report = c.report(diag::budget, function_, whole(budget), whole(bytes(network, least)));
    if (enough)
      report.hint("`--budget " + std::to_string(whole(enough->bytes)) + "` is enough to be as fast as can be");
    else
      report.hint("no capacity is enough: at these sizes the pipeline deadlocks with any");
  }

  void stuck(const Network &network, const Ran &run) const {
    std::vector<std::string> who;
    for (const size_t p : run.blocked) {
      const Move &at = network.processes[p].moves[run.processes[p].at.size()];
      who.push_back("`" + network.processes[p].name + "` waits for " +
                    (at.waits_for_capacity() ? "capacity in `" : "an item of `") + network.channels[at.channel].name +
                    "`");
    }
    auto report =
        c.report(diag::simulation_stuck, function_, join(who, ", ", [](const std::string &one) { return one; }));
    const auto enough = choose(network);
    if (!enough) report.hint("no capacity is enough: put what the others wait for before getting what depends on it");
    const Capacities now = capacities(network);
    for (size_t d = 0; enough && d < network.declarations.size(); ++d)
      if (enough->capacities[d] != now[d])
        report.hint("`" + network.declarations[d].name + "` with `capacity=" + std::to_string(enough->capacities[d]) +
                    "`");
  }

  const Context &c;
  const Names names_;
  const ready::Constants constants_;
  const Node function_;
  ready::Program program_;
};

} // namespace

Result simulate(const Context &c, Node root, const Sink &sink) {
  if (c.cancelled()) return HTP_CANCELLED;
  return Simulation(c, root).run(sink);
}

} // namespace htp::cpu
