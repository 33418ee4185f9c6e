// check.cpp — what is wrong with a pipeline's network, reported at the lines of all that take part in it.
#include "check.h"
#include "streams.h"

#include <algorithm>

namespace htp::csp {

namespace {

constexpr int64_t most_items = 10'000;     // of a channel that are compared
constexpr size_t most_named = 8;           // of those who wait for each other
constexpr size_t most_moves = 4;           // that are shown of how it came there
constexpr size_t most_moves_of_order = 24; // of an order that is shown

std::string at(const Values &sizes) {
  std::string text;
  for (const auto &[name, size] : sizes) text += (text.empty() ? " at " : ", ") + name + " = " + std::to_string(size);
  return text;
}

struct Sides {
  std::map<size_t, Node> writers, readers; // process → its first operation
};

class Checking {
public:
  Checking(const Context &context, const Program &program, const Built &built, Node because,
           const std::string &replayed)
      : c(context), p_(program), b_(built), because_(because), replayed_(replayed),
        ends_(built.network.channels.size()), trial_(built.network) {
    for (size_t p = 0; p < network().processes.size(); ++p) find_ends(network().processes[p].steps, p);
  }

  // All but a run that gets stuck is reported.
  Findings find() {
    for (size_t channel = 0; channel < ends_.size(); ++channel) sides(channel);
    if (c.errors() || !check_streams(c, b_)) return {};
    if (b_.calls.empty()) return {.shown = streams_end(b_)};
    const Proof proof = prove(network());
    Findings found{trial_.stuck(proof), proof.verdict == Verdict::ends};
    if (found.stuck) return found;
    std::set<std::pair<Node, Node>> reported; // one for all calls of a grid
    for (const Misaligned &one : not_aligned())
      if (reported
              .emplace(ends_[one.channel].writers.begin()->second, ends_[one.channel].readers.find(one.reader)->second)
              .second)
        other_block(one);
    if (c.errors()) return found;
    found.shown = found.shown || (!p_.checked && ends_as_written());
    if (!found.shown && !p_.checked) arranged(c.report(diag::not_shown, b_.calls.front()));
    found.shown = found.shown && streams_end(b_);
    return found;
  }

  void report(const Stuck &stuck) {
    if (!stuck.cycle.empty()) return deadlock(stuck);
    for (const Blocked &waiting : stuck.run.blocked)
      if (waiting.at->kind == StepKind::get) return unequal(waiting.at->channel, waiting.process, stuck.sizes);
    for (size_t channel = 0; channel < stuck.run.channels.size(); ++channel)
      if (stuck.run.channels[channel].now > 0)
        return unequal(channel, ends_[channel].readers.begin()->first, stuck.sizes);
  }

private:
  // A report, with the directive that brought it about.
  void arranged(Report &&report) const {
    if (because_) report.label(because_, "with this");
  }

  // The other form, where the one does not show it.
  const std::optional<Built> &written() {
    if (!written_) written_ = build(c, p_, Form::written);
    return *written_;
  }
  bool ends_as_written() { return written() && prove(written()->network).verdict == Verdict::ends; }
  std::vector<Misaligned> not_aligned() {
    auto found = misaligned(network());
    if (!found.empty() && written() && misaligned(written()->network).empty()) found.clear();
    return found;
  }

  const Network &network() const { return b_.network; }
  const std::string &name_of(size_t process) const { return network().processes[process].name; }
  std::string quoted(size_t process) const { return "`" + name_of(process) + "`"; }
  Node call(const Step &step) const { return b_.calls[step.id]; }

  void find_ends(const std::vector<Step> &steps, size_t process) {
    for (const Step &step : steps) {
      if (is_loop(step)) {
        find_ends(step.body, process);
      } else {
        (writes(step) ? ends_[step.channel].writers : ends_[step.channel].readers).try_emplace(process, call(step));
      }
    }
  }

  void sides(size_t channel) {
    const auto &[writers, readers] = ends_[channel];
    const ChannelDeclaration &declared = *b_.of[channel];
    const std::string &name = network().channels[channel].name;
    if (writers.empty() && readers.empty() && !declared.array.empty()) return; // the rim of an array
    if (readers.empty()) c.report(diag::never_read, declared.call, name);
    if (writers.empty()) c.report(diag::never_written, declared.call, name);
    if (writers.size() > 1) {
      const auto one = writers.begin(), other = std::next(one);
      c.report(diag::two_writers, other->second, name_of(one->first), name_of(other->first), name)
          .label(one->second, quoted(one->first) + " puts here");
    }
    if (!readers.empty() && readers.size() != static_cast<size_t>(declared.readers)) {
      auto report = c.report(diag::readers, declared.call, readers.size(), name, declared.readers);
      for (const auto &[process, at] : readers) report.label(at, quoted(process) + " gets here");
    }
  }

  static int64_t count(const std::vector<Step> &steps, size_t channel, StepKind kind, Values &values) {
    int64_t sum = 0;
    for (const Step &step : steps) {
      if (!is_loop(step)) {
        sum += step.channel == channel && step.kind == kind;
        continue;
      }
      const int64_t times = value(step.times, values);
      for (int64_t k = 0; k < times; ++k) {
        values[step.variable] = k;
        sum += count(step.body, channel, kind, values);
      }
    }
    return sum;
  }

  // Where the steps put into a channel, or get from it.
  void calls(const std::vector<Step> &steps, size_t channel, StepKind kind, std::vector<Node> &into) const {
    for (const Step &step : steps)
      if (is_loop(step))
        calls(step.body, channel, kind, into);
      else if (step.channel == channel && step.kind == kind &&
               std::find(into.begin(), into.end(), call(step)) == into.end())
        into.push_back(call(step));
  }

  void unequal(size_t channel, size_t reader, const Values &sizes) {
    const auto writer = *ends_[channel].writers.begin();
    Values values = sizes;
    const int64_t puts = count(network().processes[writer.first].steps, channel, StepKind::put, values);
    const int64_t gets = count(network().processes[reader].steps, channel, StepKind::get, values);
    auto report = c.report(diag::unequal, writer.second, name_of(writer.first), puts, network().channels[channel].name,
                           name_of(reader), gets, at(sizes));
    std::vector<Node> all;
    calls(network().processes[writer.first].steps, channel, StepKind::put, all);
    for (size_t k = 1; k < std::min(all.size(), most_named); ++k) report.label(all[k], "and put here");
    all.clear();
    calls(network().processes[reader].steps, channel, StepKind::get, all);
    for (size_t k = 0; k < std::min(all.size(), most_named); ++k) report.label(all[k], k ? "and got here" : "got here");
  }

  // The blocks that the steps put into a channel, or get from it, one item after the other.
  struct Item {
    const Step *step;
    std::vector<int64_t> blocks;
  };
  static void items(const std::vector<Step> &steps, size_t channel, StepKind kind, Values &values,
                    std::vector<Item> &into) {
    for (const Step &step : steps) {
      if (is_loop(step)) {
        const int64_t times = value(step.times, values);
        for (int64_t k = 0; k < times && static_cast<int64_t>(into.size()) < most_items; ++k) {
          values[step.variable] = k;
          items(step.body, channel, kind, values, into);
        }
      } else if (step.channel == channel && step.kind == kind) {
        Item &item = into.emplace_back(Item{&step, {}});
        for (const std::string &block : step.blocks) item.blocks.push_back(values[block]);
      }
    }
  }

  void other_block(const Misaligned &one) {
    const size_t writer = ends_[one.channel].writers.begin()->first;
    const std::string &name = network().channels[one.channel].name;
    for (Values sizes : trial_.small_sizes()) {
      std::vector<Item> puts, gets;
      items(network().processes[writer].steps, one.channel, StepKind::put, sizes, puts);
      items(network().processes[one.reader].steps, one.channel, StepKind::get, sizes, gets);
      for (size_t k = 0; k < std::min(puts.size(), gets.size()); ++k)
        for (size_t d = 0; d < std::min(puts[k].blocks.size(), gets[k].blocks.size()); ++d) {
          if (puts[k].blocks[d] == gets[k].blocks[d]) continue;
          std::erase_if(sizes, [](const auto &size) { return size.first.find('#') != std::string::npos; });
          const std::string loop = gets[k].step->blocks[d];
          arranged(std::move(c.report(diag::other_block, call(*gets[k].step), name_of(one.reader), k, name,
                                      gets[k].blocks[d], loop.substr(0, loop.find('#')), name_of(writer),
                                      puts[k].blocks[d], at(sizes))
                                 .label(call(*puts[k].step), "put here")));
          return;
        }
    }
    arranged(std::move(
        c.report(diag::block_not_shown, ends_[one.channel].readers.find(one.reader)->second, name_of(one.reader), name)
            .label(ends_[one.channel].writers.begin()->second, "put here")));
  }

  // How it came there: the last moves, each with its line and what the channel holds then.
  std::string moves(const Run &ran) const {
    std::vector<const Move *> made;
    for (const Move &move : ran.order)
      if (!move.goes_on) made.push_back(&move);
    std::string text;
    if (made.size() > most_moves)
      text =
          std::to_string(made.size() - most_moves) + (made.size() == most_moves + 1 ? " move" : " moves") + ", then ";
    for (size_t k = made.size() - std::min(made.size(), most_moves); k < made.size(); ++k) {
      const Channel &channel = network().channels[made[k]->step->channel];
      const bool puts = made[k]->step->kind == StepKind::put;
      text += (text.empty() || text.ends_with("then ") ? "" : ", ") + quoted(made[k]->process) +
              (puts ? " puts into `" : " gets from `") + channel.name + "` in line " +
              std::to_string(c.record(call(*made[k]->step)).line) +
              (channel.capacity == 0
                   ? ""
                   : " (" + std::to_string(made[k]->held) + " of " + std::to_string(channel.capacity) + ")");
    }
    return text;
  }

  // The command that runs the pipeline in plain Python, in this order; in any where this one is long.
  std::string replay(const Run &ran, const Values &sizes) const {
    std::string command = "python3 -m htp_csp " + replayed_, order;
    for (const auto &[name, size] : sizes) command += " " + name + "=" + std::to_string(size);
    size_t moves = 0;
    for (size_t k = 0, next = 0; k < ran.order.size(); k = next, ++moves) {
      while (next < ran.order.size() && ran.order[next].process == ran.order[k].process) ++next;
      std::string name = name_of(ran.order[k].process);
      std::erase(name, ' ');
      order += (order.empty() ? "" : " ") + name + (next > k + 1 ? "*" + std::to_string(next - k) : "");
    }
    return moves == 0 || moves > most_moves_of_order ? command : command + " --order '" + order + "'";
  }

  void deadlock(const Stuck &stuck) {
    const auto &[sizes, ran, circle] = stuck;
    std::string cycle;
    const size_t named = std::min(circle.size(), most_named);
    for (size_t k = 0; k < named; ++k)
      cycle += (k == 0 ? "" : k + 1 == circle.size() ? " and " : ", ") + quoted(ran.blocked[circle[k]].process);
    if (named < circle.size()) cycle += " and " + std::to_string(circle.size() - named) + " more";
    auto report = c.report(circle.size() == 1 ? diag::waits_for_itself : diag::deadlock,
                           call(*ran.blocked[circle[0]].at), cycle, at(sizes));
    for (size_t k = 0; k < std::min(circle.size(), most_named); ++k) {
      const Blocked &waiting = ran.blocked[circle[k]];
      const Channel &channel = network().channels[waiting.at->channel];
      const bool puts = waiting.at->kind == StepKind::put;
      std::string iteration;
      for (const auto &[variable, value] : waiting.loops)
        iteration += (iteration.empty() ? ", in iteration " : ", ") + std::to_string(value) + " of `" +
                     variable.substr(0, variable.find('#')) + "`";
      const std::string state = !puts ? "which is empty"
                                : channel.capacity == 0
                                    ? "which nobody gets from yet"
                                    : "which is full: " + std::to_string(ran.channels[waiting.at->channel].now) +
                                          " of " + std::to_string(channel.capacity);
      report.label(call(*waiting.at), quoted(waiting.process) + " waits to " + (puts ? "put into `" : "get from `") +
                                          channel.name + "`, " + state + iteration);
    }
    const Remedy help = remedy(b_, stuck);
    if (!help.text.empty()) report.hint(help.text);
    if (help.none) report.note("no capacity helps: each gets before it puts");
    if (because_) return arranged(std::move(report));
    if (!b_.streams.empty()) return; // what checked channels carry until then, data decides
    const std::string steps = moves(ran);
    report.note("under plain Python every order of the processes comes to this" + at(sizes) +
                (steps.empty() ? ", before anything moves" : "; one of them: " + steps));
    if (!replayed_.empty()) report.note("to replay it: " + replay(ran, sizes));
  }

  const Context &c;
  const Program &p_;
  const Built &b_;
  std::optional<std::optional<Built>> written_;
  const Node because_;
  const std::string replayed_;
  std::vector<Sides> ends_;
  const Trial trial_;
};

} // namespace

Remedy remedy(const Built &built, const Stuck &stuck) {
  const Network &network = built.network;
  const auto enough = sufficient_capacities(network, stuck.sizes, Trial::most_operations);
  if (enough.empty()) return {.none = true};
  // One number for all channels of a declaration: more capacity never hurts.
  std::map<const ChannelDeclaration *, int64_t> grown;
  for (size_t channel = 0; channel < enough.size(); ++channel)
    if (enough[channel] != network.channels[channel].capacity) {
      int64_t &capacity = grown[built.of[channel]];
      capacity = std::max(capacity, enough[channel]);
    }
  std::string events, capacities;
  std::set<const ChannelDeclaration *> counted;
  for (const ChannelDeclaration *declared : built.of)
    if (const auto it = grown.find(declared); it != grown.end() && counted.insert(declared).second) {
      if (!declared->dtype)
        events += (events.empty() ? "`" : " and `") + declared->name + "`";
      else
        capacities += (capacities.empty() ? "`" : " and `") + declared->name +
                      "` with `capacity=" + std::to_string(it->second) + "`";
    }
  if (!events.empty())
    return {"let both come to " + events + " before what they wait for" +
            (capacities.empty() ? "" : ", and have " + capacities)};
  if (capacities.empty()) return {};
  return {capacities + (grown.size() > 1 ? " together are enough" : " is enough") +
          (Trial(network).ends_with(enough) ? "" : at(stuck.sizes) + ", and not at all sizes: get from it earlier")};
}

Findings examine_network(const Context &c, const Program &program, const Built &built, Node because) {
  return built.calls.empty() && built.streams.empty() ? Findings{.shown = true}
                                                      : Checking(c, program, built, because, {}).find();
}

bool check_network(const Context &c, const Program &program, const Built &built, Node because,
                   const std::string &replayed) {
  if (built.calls.empty() && built.streams.empty()) return true;
  Checking checking(c, program, built, because, replayed);
  const Findings found = checking.find();
  if (found.stuck) checking.report(*found.stuck);
  return found.shown;
}

} // namespace htp::csp
