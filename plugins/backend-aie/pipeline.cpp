// aie.spread of a pipeline: each process that computes becomes a core, at each place of its grid one; what only moves
// tiles between tensors and channels is done by transfers. Channels become fifos, loads and stores streams.
#include "pipeline.h"

#include "links.h"
#include "network.h"
#include "processes.h"
#include "transfers.h"

#include "htp_cpp/edit.h"
#include "htp_cpp/imports.h"

#include <algorithm>
#include <utility>

namespace htp::aie {

bool is_pipeline(const Context &c, Node, Node function) {
  const Nodes body = c.get<ast::FunctionDef>(function).body();
  return std::any_of(body.begin(), body.end(), [&](Node s) { return c.is(s, HTP_FunctionDef); });
}

namespace {

// The entry with streams that say their links.
Node linked(const Context &c, Node made, const Program &p, const std::map<std::string, std::string> &links) {
  return rewrite(
      c, made, [](Node n) { return n; },
      [&](Node s, std::vector<uint32_t> &list) {
        for (const Stream &stream : p.streams) {
          const auto link = links.find(stream.name);
          if (stream.node != s || link == links.end()) continue;
          auto call = c.read<ast::Call>(c.get<ast::Assign>(s).value());
          call.keywords.push_back(
              c.make(make::keyword{.arg = std::string("link"), .value = c.parse("'" + link->second + "'", s)}, s));
          list.push_back(with_value(c, s, c.with(c.get<ast::Assign>(s).value(), call)));
          return true;
        }
        return false;
      });
}

// What was asked for and is more than a stream has.
void tell_rooms(const Context &c, const processes::Processes &read) {
  Node told = HTP_NONE; // an array's channels are declared once
  for (const processes::Channel &ch : read.channels)
    if (!ch.dead && ch.capacity > processes::most_depth && ch.node != std::exchange(told, ch.node))
      c.report(diag::room, ch.node, c.name_of(c.get<ast::AnnAssign>(ch.node).target()), ch.capacity,
               processes::most_depth)
          .hint("write `capacity=" + std::to_string(processes::most_depth) + "`");
}

} // namespace

Node spread_pipeline(const Context &c, Node root, Node function, const Device &device, int64_t columns) {
  processes::Processes read;
  if (!processes::read(c, root, function, read)) return HTP_NONE;
  const auto refuse = [&](Node where, const DiagKind *kind, const std::string &what) { c.report(*kind, where, what); };
  // What a core holds while it waits is room that a channel lacks.
  std::string why;
  for (const int64_t more : {0, 1, 2, 4}) {
    const Node written = processes::write(c, root, function, device, columns, read, more);
    if (!written || c.errors()) return HTP_NONE;
    Program apart;
    if (!read_program(c, with_statement(c, root, function, written), apart, refuse)) return HTP_NONE;
    Exceeded first;
    std::string now;
    for (const int64_t together : {cores_per_column, int64_t{2}, int64_t{3}, int64_t{5}, memory_tile_channels}) {
      const auto shared = links(apart, together);
      const Node made = shared.empty() ? written : linked(c, written, apart, shared);
      Program p;
      if (!read_program(c, with_statement(c, root, function, made), p, refuse)) return HTP_NONE;
      Exceeded found = exceeded(p);
      if (Program placed = p; !found.kind && !shared.empty() && !place_cores(placed)) found = exceeded(placed);
      if (found.kind) {
        if (!first.kind) first = found;
        if (shared.empty()) break;
        continue;
      }
      first = {};
      now = stuck(p, turns_of(p));
      if (now.empty()) {
        tell_rooms(c, read);
        return made;
      }
      if (shared.empty()) break;
    }
    if (first.kind && now.empty()) {
      if (why.empty()) return report(c, first, function), HTP_NONE;
      break;
    }
    if (why.empty()) why = now;
  }
  c.report(diag::deadlock, function, c.entry(), why);
  return HTP_NONE;
}

} // namespace htp::aie
