// aie.spread of a pipeline: each process that computes becomes a core, at each place of its grid one; what only moves
// tiles between tensors and channels is done by transfers. Channels become fifos, loads and stores streams.
#include "pipeline.h"

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

Node spread_pipeline(const Context &c, Node root, Node function, const Device &device, int64_t columns) {
  processes::Processes read;
  if (!processes::read(c, root, function, read)) return HTP_NONE;
  const auto refuse = [&](Node where, const DiagKind *kind, const std::string &what) { c.report(*kind, where, what); };
  // What a core holds while it waits is room that a channel lacks.
  std::string why;
  for (const int64_t more : {0, 1, 2, 4}) {
    const Node made = processes::write(c, root, function, device, columns, read, more);
    if (!made || c.errors()) return HTP_NONE;
    Program p;
    if (!read_program(c, with_statement(c, root, function, made), p, refuse)) return HTP_NONE;
    if (const Exceeded found = exceeded(p); found.kind) {
      if (why.empty()) return report(c, found, function), HTP_NONE;
      break;
    }
    const std::string now = stuck(p, turns_of(p));
    if (now.empty()) {
      Node told = HTP_NONE; // an array's channels are declared once
      for (const processes::Channel &ch : read.channels)
        if (!ch.dead && ch.capacity > processes::most_depth && ch.node != std::exchange(told, ch.node))
          c.report(diag::room, ch.node, c.name_of(c.get<ast::AnnAssign>(ch.node).target()), ch.capacity,
                   processes::most_depth)
              .hint("write `capacity=" + std::to_string(processes::most_depth) + "`");
      return made;
    }
    if (why.empty()) why = now;
  }
  c.report(diag::deadlock, function, c.entry(), why);
  return HTP_NONE;
}

} // namespace htp::aie
