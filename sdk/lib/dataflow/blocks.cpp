// Channels of blocks: whether each item is got at the block it was put at.
#include "lockstep.h"
#include "relations.h"

#include <optional>

namespace htp::sdk::dataflow {

std::vector<Step> only(const std::vector<Step> &steps, size_t channel, StepKind kind) {
  std::vector<Step> found;
  for (const Step &step : steps) {
    Step kept = step;
    if (is_loop(step)) {
      kept.body = only(step.body, channel, kind);
      if (!kept.body.empty()) found.push_back(std::move(kept));
    } else if (step.channel == channel && step.kind == kind) {
      kept.channel = 0;
      found.push_back(std::move(kept));
    }
  }
  return found;
}

namespace {

// The same for steps that do the same.
std::string text_of(const std::vector<Step> &steps) {
  std::string text;
  for (const Step &step : steps) {
    text += say("{}({}", static_cast<int>(step.kind), joined(step.blocks, ","));
    for (const IntExpr &one : step.times.least_of) text += " " + one.text();
    text += say(" {}:{})", step.variable, text_of(step.body));
  }
  return text;
}

} // namespace

std::vector<Misaligned> misaligned(const Network &network) {
  const size_t count = network.channels.size();
  std::vector<std::optional<Process>> writers(count);
  std::vector<std::vector<std::pair<size_t, Process>>> readers(count);
  for (size_t p = 0; p < network.processes.size(); ++p) {
    std::set<size_t> channels;
    const auto find = [&](const auto &self, const std::vector<Step> &steps) -> void {
      for (const Step &step : steps)
        if (is_loop(step))
          self(self, step.body);
        else if (!step.blocks.empty())
          channels.insert(step.channel);
    };
    find(find, network.processes[p].steps);
    for (const size_t channel : channels) {
      const auto put = only(network.processes[p].steps, channel, StepKind::put);
      const auto got = only(network.processes[p].steps, channel, StepKind::get);
      if (!put.empty()) writers[channel] = Process{"writer", straight(put)};
      if (!got.empty()) readers[channel].emplace_back(p, Process{"reader", straight(got)});
    }
  }
  std::map<std::string, bool> known; // grids have many channels of one kind
  std::vector<Misaligned> found;
  for (size_t channel = 0; channel < count; ++channel)
    for (const auto &[reader, process] : readers[channel]) {
      if (!writers[channel]) continue;
      const auto [it, is_new] = known.try_emplace(text_of(writers[channel]->steps) + "|" + text_of(process.steps));
      if (is_new) {
        const Network pair{{network.channels[channel]}, {*writers[channel], process}};
        const std::set<std::string> none;
        it->second = Prover(pair, none).aligned(0, 1) || passes_in_lockstep(pair, none, true);
      }
      if (!it->second) found.push_back({channel, reader});
    }
  return found;
}

} // namespace htp::sdk::dataflow
