// Choices are tried in the order in which they cost more, each by what passes then make of the program: cores with
// streams that fit the device and come to their end.
#include "analyses/spread_cores.h"

#include "analyses/blocks.h"
#include "analyses/linking.h"
#include "analyses/transfers.h"
#include "passes/on_cores.h"

#include "htp_cpp/edit.h"

#include <algorithm>
#include <utility>

namespace htp::aie {

bool is_pipeline(const Context &c, Node function) {
  const Nodes body = c.get<ast::FunctionDef>(function).body();
  return std::any_of(body.begin(), body.end(), [&](Node s) { return c.is(s, HTP_FunctionDef); });
}

namespace {

using cores::Cores;

// What was chosen, and what comes of it: `made`, or what is wrong with it.
struct Tried {
  Attempt result;
  Choices choices;
};

class Search {
public:
  Search(const Context &context, Node root, Node function, const Device &device, int64_t columns)
      : c(context), root_(root), function_(function) {
    on_.device = std::string(device.name), on_.columns = columns, on_.rows = cores_per_column;
  }

  // The cores that choices make; false where there are none, after a diagnostic but for what `how` leaves.
  bool prepare(const cores::Reading &how, Cores &all) const {
    bool fits = true;
    cores::CountedPadding counted;
    const auto refuse = [&](Node where, const Refusal &why) {
      if (!how.quiet)
        why.report(c, where);
      else if (how.refused && !*how.refused)
        *how.refused = {where, why};
    };
    if (!cores::read(c, root_, function_, how, all)) return false;
    cores::fuse_processes(c, all, fits);
    if (!fits) return false;
    cores::share_loads(c, all);
    if (how.quiet)
      if (const auto twice = cores::twice_reached(all)) return refuse(twice->where, twice->why), false;
    cores::drop_channels(all);
    cores::make_host_tensors(c, all);
    cores::offload_copies(all);
    if (computing(all) == 0) return refuse(function_, Refusal(diag::empty, c.entry())), false;
    bool refused = false;
    cores::pad_blocks(c, root_, all, counted, [&](Node where, const Refusal &why) {
      refused = true;
      refuse(where, why);
    });
    if (counted.statement) {
      if (!how.quiet || how.choices.cores == 1) // of several cores one is asked at the end
        c.report(diag::ragged_reduction, counted.statement, counted.name, counted.loop, counted.extent, counted.block)
            .hint(counted.hint);
      return false;
    }
    if (refused) return false;
    if (how.choices.pad_rows) cores::pad_rows(c, root_, all);
    cores::normalize_loops(c, all);
    if (how.choices.align_loads) cores::align_loads(c, all);
    if (how.choices.sort_loads) cores::sort_loads(all);
    if (how.choices.pack_loads) cores::pack_loads(c, all);
    return true;
  }
  static int64_t computing(const Cores &all) {
    return std::count_if(all.processes.begin(), all.processes.end(), [](const cores::Process &p) { return !p.dma; });
  }

  // With what channels, rows and loads want. `all` is what `how` gives.
  Tried with_rows(cores::Reading how, const Cores &all) const {
    const auto again = [&](bool Choices::*choice) -> std::optional<Tried> {
      how.choices.*choice = true;
      Cores other;
      if (!prepare(how, other)) return std::nullopt;
      return with_rows(how, other);
    };
    Tried one = with_slack(how.choices, all);
    const Refusal why = one.result.first.why;
    if (why.is(diag::channels) && !how.choices.sort_loads) {
      const auto other = again(&Choices::sort_loads);
      return other && (other->result.made || c.errors()) ? *other : one;
    }
    if (why.is(diag::channels) && !how.choices.pack_loads) {
      how.choices.pack_loads = true;
      Cores packed;
      if (!prepare(how, packed) || packed.host_made.size() == all.host_made.size()) return one;
      Tried other = with_rows(how, packed);
      return other.result.made || c.errors() ? other : one;
    }
    how.choices.pad_rows = true;
    Cores padded;
    if (one.result.made || c.errors() || !of_transfer(why) || !prepare(how, padded)) return one;
    Tried other = with_slack(how.choices, padded);
    if (other.result.made || c.errors()) return other;
    how.choices.align_loads = true;
    Cores aligned;
    if (!prepare(how, aligned)) return one;
    other = with_slack(how.choices, aligned);
    if (const std::string hint = shifted_hint(all); !hint.empty()) one.result.first.why.hint = hint;
    return other.result.made ? other : one;
  }

private:
  Tried with_slack(Choices choices, const Cores &all) const {
    Tried one = with_slack(choices, all, {0, 1, 2, 4});
    if (!one.result.first.why.is(diag::core_memory) || c.errors()) return one;
    choices.depth = 1; // what comes is one block at a time
    Tried other = with_slack(choices, all, {0});
    return other.result.made || of_transfer(other.result.first.why) ? other : one;
  }
  // What a core holds while it waits is what a channel lacks.
  Tried with_slack(Choices choices, const Cores &all, std::initializer_list<int64_t> slacks) const {
    Tried found{{}, choices};
    for (const int64_t slack : slacks) {
      found.choices.slack = slack;
      Attempt one = attempt(found.choices, all);
      if (one.made || c.errors()) return {one, found.choices};
      if (!one.deadlock) {
        if (!found.result.deadlock) found.result.first = one.first;
        return found;
      }
      if (!found.result.deadlock) found.result.deadlock = one.deadlock;
    }
    return found;
  }
  Attempt attempt(const Choices &choices, Cores all) const {
    OnDevice on = on_;
    on.choices = choices;
    const Node naive = cores::with_streams(c, function_, on, all);
    Program copying, rows, blocks;
    if (!naive || c.errors() || !read_made(c, root_, function_, naive, copying)) return {};
    const Node written = without_copies(c, copying);
    if (!read_made(c, root_, function_, written, rows)) return {};
    // Products may have their tiles in blocks, and streams may pass memory tiles: passes of their own do that.
    if (const UnitBlocks laid = with_unit_blocks(c, rows, written); laid.entry) {
      if (!read_made(c, root_, function_, laid.entry, blocks)) return {};
      const Attempt in_blocks = with_links(c, root_, function_, laid.entry, blocks);
      if (in_blocks.made) return {written};
      if (c.errors()) return {};
    }
    Attempt one = with_links(c, root_, function_, written, rows);
    if (one.made) one = {written};
    return one;
  }
  // What helps where a load begins, or ends, where no transfer does: a core takes it from a longer one, of one row.
  static std::string shifted_hint(const Cores &all) {
    bool shifts = false;
    for (const cores::Access &a : all.accesses) {
      const int64_t bytes = all.parameters[a.tensor].dtype->bytes;
      if (a.stores || a.index.empty()) continue;
      const cores::Slice &last = a.index.back();
      const bool begins = last.start * bytes % 4, rows = std::any_of(a.index.begin(), a.index.end() - 1,
                                                                     [](const cores::Slice &s) { return s.size > 1; });
      if (rows && (begins || last.size * bytes % 4))
        return "take such rows one by one, `for i in range(…)`: of one row a core finds what begins between multiples "
               "of 4 bytes";
      shifts = shifts || begins;
    }
    return shifts
               ? "let what is stored have rows of a multiple of 4 bytes: where blocks are shifted, rows go one by one"
               : "";
  }

  const Context &c;
  Node root_, function_;
  OnDevice on_;
};

// What was asked for and is more than a stream has.
void report_capacities(const Context &c, const Cores &all) {
  Node reported = HTP_NONE; // an array's channels are declared once
  for (const cores::Channel &ch : all.channels)
    if (!ch.dead && ch.capacity > cores::most_depth && ch.node != std::exchange(reported, ch.node))
      c.report(diag::capacity, ch.node, c.name_of(c.get<ast::AnnAssign>(ch.node).target()), ch.capacity,
               cores::most_depth)
          .hint("write `capacity=" + std::to_string(cores::most_depth) + "`");
}

} // namespace

std::optional<Choices> choose_cores(const Context &c, Node root, Node function, const Device &device, int64_t columns) {
  const Search search(c, root, function, device, columns);
  Cores all;
  if (!search.prepare({}, all)) return std::nullopt;
  const int64_t wanted = Search::computing(all), cores = columns * cores_per_column;
  Tried one;
  if (wanted <= cores) {
    one = search.with_rows({}, all);
    if (one.result.made) report_capacities(c, all);
  }
  for (int64_t processes = 2; wanted > cores && !one.result.made && processes <= wanted; ++processes) {
    bool fits = false;
    for (const bool interleaved : {true, false})
      for (const bool neighbours : {true, false}) {
        if (one.result.made) break;
        const cores::Reading how{
            .choices = {.processes = processes, .neighbours = neighbours, .interleaved = interleaved}};
        Cores shared;
        if (!search.prepare(how, shared) || Search::computing(shared) > cores) continue;
        fits = true;
        one = search.with_rows(how, shared);
        if (!one.result.made) continue;
        report_capacities(c, shared);
        c.report(diag::bundled, function, c.entry(), wanted, device.name, cores, processes);
      }
    if (fits) break; // with more on a core it would be no better
  }
  if (c.errors()) return std::nullopt;
  if (one.result.made) return one.choices;
  if (wanted > cores)
    c.report(diag::cores, function, c.entry(), wanted, device.name, cores);
  else
    one.result.report(c, function);
  return std::nullopt;
}

std::optional<Dealt> deal_loop(const Context &c, Node root, Node function, const Device &device, int64_t columns,
                               Exceeded &exceeded, std::optional<Refused> &refused) {
  constexpr size_t most_loops = 4; // one in the other
  const Search search(c, root, function, device, columns);
  Tried alone;
  for (int64_t cores = columns * cores_per_column; cores >= 1;) {
    bool enough = false; // iterations, of one of the loops that stand alone in each other
    for (size_t nest = 0; nest < (cores > 1 ? most_loops : 1) && !enough; ++nest) {
      const cores::Reading how{
          .choices = {.cores = cores}, .nest = nest, .quiet = true, .refused = cores == 1 ? &refused : nullptr};
      Cores all;
      enough = search.prepare(how, all);
      if (!enough) continue;
      alone = search.with_rows(how, all);
      if (c.errors()) return std::nullopt;
      if (alone.result.made) return Dealt{alone.choices, nest};
    }
    cores -= enough ? std::max<int64_t>(1, cores / 4) : 1;
  }
  exceeded = alone.result.first;
  return std::nullopt;
}

} // namespace htp::aie
