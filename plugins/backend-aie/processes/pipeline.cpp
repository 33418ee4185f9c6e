// A pipeline on cores: each process that computes becomes a core, at each place of its grid one; what only moves
// tiles between tensors and channels is done by transfers. Channels become fifos, loads and stores streams.
#include "processes/pipeline.h"

#include "analyses/blocks.h"
#include "processes/linking.h"
#include "processes/processes.h"

#include "htp_cpp/edit.h"
#include "htp_cpp/imports.h"

#include <algorithm>
#include <initializer_list>
#include <utility>

namespace htp::aie {

bool is_pipeline(const Context &c, Node, Node function) {
  const Nodes body = c.get<ast::FunctionDef>(function).body();
  return std::any_of(body.begin(), body.end(), [&](Node s) { return c.is(s, HTP_FunctionDef); });
}

namespace {

// What was asked for and is more than a stream has.
void tell_rooms(const Context &c, const processes::Processes &read) {
  Node told = HTP_NONE; // an array's channels are declared once
  for (const processes::Channel &ch : read.channels)
    if (!ch.dead && ch.capacity > processes::most_depth && ch.node != std::exchange(told, ch.node))
      c.report(diag::room, ch.node, c.name_of(c.get<ast::AnnAssign>(ch.node).target()), ch.capacity,
               processes::most_depth)
          .hint("write `capacity=" + std::to_string(processes::most_depth) + "`");
}

Attempt attempt(const Context &c, Node root, Node function, const Device &device, int64_t columns,
                processes::Processes &read, std::initializer_list<int64_t> rooms) {
  Attempt found;
  // What a core holds while it waits is room that a channel lacks.
  for (const int64_t more : rooms) {
    const Node written = processes::write(c, root, function, device, columns, read, more);
    Program rows, blocks;
    if (!written || c.errors() || !read_made(c, root, function, written, rows)) return {};
    // Products may have their tiles in blocks, and streams may pass memory tiles: passes of their own do that.
    if (const UnitBlocks laid = with_unit_blocks(c, rows, written); laid.entry) {
      if (!read_made(c, root, function, laid.entry, blocks)) return {};
      const Attempt in_blocks = with_links(c, root, function, laid.entry, blocks);
      if (in_blocks.made) return {written};
      if (c.errors()) return {};
    }
    Attempt one = with_links(c, root, function, written, rows);
    if (one.made) return {written};
    if (c.errors()) return {};
    if (one.stuck.empty()) {
      if (found.stuck.empty()) found.first = one.first;
      return found;
    }
    if (found.stuck.empty()) found.stuck = one.stuck;
  }
  return found;
}
Attempt attempt(const Context &c, Node root, Node function, const Device &device, int64_t columns,
                processes::Processes &read) {
  Attempt one = attempt(c, root, function, device, columns, read, {0, 1, 2, 4});
  if (one.first.kind != &diag::core_memory || c.errors()) return one;
  Attempt other = attempt(c, root, function, device, columns, read, {-1}); // what comes has room for one part
  return other.made || other.first.kind == &diag::transfer ? other : one;
}
// What helps where a load begins, or ends, where no transfer does: a core takes it from a longer part, of one row.
std::string shifted_hint(const processes::Processes &read) {
  bool shifts = false;
  for (const processes::Access &a : read.accesses) {
    const int64_t bytes = read.parameters[a.tensor].dtype->bytes;
    if (a.stores || a.index.empty()) continue;
    const processes::Span &last = a.index.back();
    const bool begins = last.start * bytes % 4, rows = std::any_of(a.index.begin(), a.index.end() - 1,
                                                                   [](const processes::Span &s) { return s.size > 1; });
    if (rows && (begins || last.size * bytes % 4))
      return "take such rows one by one, `for i in range(…)`: of one row a core finds what begins between multiples of "
             "4 "
             "bytes";
    shifts = shifts || begins;
  }
  return shifts ? "let what is stored have rows of a multiple of 4 bytes: where parts are shifted, rows go one by one"
                : "";
}
// The same; where transfers do not take rows as they are, with rows that are filled up. `read` is what `what` gives.
Attempt attempt_rows(const Context &c, Node root, Node function, const Device &device, int64_t columns,
                     processes::Reads what, processes::Processes &read) {
  Attempt one = attempt(c, root, function, device, columns, read);
  if (one.first.kind == &diag::channels && !what.sorts) {
    what.sorts = true;
    processes::Processes sorted;
    if (!processes::read(c, root, function, what, sorted)) return one;
    Attempt other = attempt_rows(c, root, function, device, columns, what, sorted);
    return other.made || c.errors() ? other : one;
  }
  if (one.first.kind == &diag::channels && !what.packs) {
    what.packs = true;
    processes::Processes packed;
    if (!processes::read(c, root, function, what, packed) || packed.packs.empty()) return one;
    Attempt other = attempt_rows(c, root, function, device, columns, what, packed);
    return other.made || c.errors() ? other : one;
  }
  what.lines = true;
  processes::Processes filled;
  if (one.made || c.errors() || one.first.kind != &diag::transfer || !processes::read(c, root, function, what, filled))
    return one;
  Attempt other = attempt(c, root, function, device, columns, filled);
  if (other.made || c.errors()) return other;
  what.windows = true;
  processes::Processes shifted;
  if (!processes::read(c, root, function, what, shifted)) return one;
  other = attempt(c, root, function, device, columns, shifted);
  if (const std::string hint = shifted_hint(read); !hint.empty()) one.first.hint = hint;
  return other.made ? other : one;
}

} // namespace

Node spread_pipeline(const Context &c, Node root, Node function, const Device &device, int64_t columns) {
  processes::Processes read;
  if (!processes::read(c, root, function, {}, read)) return HTP_NONE;
  Attempt one;
  const int64_t wanted = std::ssize(read.processes), cores = columns * cores_per_column;
  if (wanted <= cores) {
    one = attempt_rows(c, root, function, device, columns, {}, read);
    if (one.made) tell_rooms(c, read);
  }
  for (int64_t places = 2; wanted > cores && !one.made && places <= wanted; ++places) {
    bool fits = false;
    for (const bool in_turn : {true, false})
      for (const bool neighbours : {true, false}) {
        if (one.made) break;
        processes::Processes shared;
        const processes::Reads what{.sharing = {places, neighbours, in_turn}};
        if (!processes::read(c, root, function, what, shared)) continue;
        if (std::ssize(shared.processes) > cores) continue;
        fits = true;
        one = attempt_rows(c, root, function, device, columns, what, shared);
        if (!one.made) continue;
        tell_rooms(c, shared);
        c.report(diag::bundled, function, c.entry(), wanted, device.name, cores, places);
      }
    if (fits) break; // with more on a core it would be no better
  }
  if (c.errors() || one.made) return one.made;
  if (wanted > cores)
    c.report(diag::cores, function, c.entry(), wanted, device.name, cores);
  else if (!one.stuck.empty())
    c.report(diag::deadlock, function, c.entry(), one.stuck);
  else
    report(c, one.first, function);
  return HTP_NONE;
}

Node deal_kernel(const Context &c, Node root, Node function, const Device &device, int64_t columns, Exceeded &exceeded,
                 std::optional<Refused> &refused) {
  constexpr size_t most_loops = 4; // one in the other
  Attempt alone;
  for (int64_t cores = columns * cores_per_column; cores >= 1;) {
    bool enough = false; // of rounds, in one of the loops that stand alone in each other
    for (size_t nest = 0; nest < (cores > 1 ? most_loops : 1) && !enough; ++nest) {
      processes::Processes read;
      const processes::Reads what{.dealt = cores, .nest = nest, .refused = cores == 1 ? &refused : nullptr};
      enough = processes::read(c, root, function, what, read);
      if (!enough) continue;
      alone = attempt_rows(c, root, function, device, columns, what, read);
      if (alone.made || c.errors()) return alone.made;
    }
    cores -= enough ? std::max<int64_t>(1, cores / 4) : 1;
  }
  exceeded = alone.first;
  return HTP_NONE;
}

} // namespace htp::aie
