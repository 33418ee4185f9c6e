#include "analyses/linking.h"

#include "analyses/links.h"
#include "analyses/transfers.h"

#include "htp_cpp/edit.h"

#include <algorithm>

namespace htp::aie {

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
          std::erase_if(call.keywords, [&](uint32_t w) { return c.get<ast::keyword>(w).arg() == "link"; });
          call.keywords.push_back(
              c.make(make::keyword{.arg = std::string("link"), .value = c.parse("'" + link->second + "'", s)}, s));
          list.push_back(with_value(c, s, c.with(c.get<ast::Assign>(s).value(), call)));
          return true;
        }
        return false;
      });
}
} // namespace

void Attempt::report(const Context &c, Node otherwise) const {
  deadlock ? deadlock.why.report(c, otherwise, deadlock.others) : aie::report(c, first, otherwise);
}

bool read_made(const Context &c, Node root, Node function, Node made, Program &p) {
  return read_program(c, with_statement(c, root, function, made), p, refusing(c));
}
Attempt with_links(const Context &c, Node root, Node function, Node written, const Program &apart) {
  Attempt found;
  for (const int64_t together : {cores_per_column, int64_t{2}, int64_t{3}, int64_t{5}, memory_tile_channels}) {
    const auto shared = links(apart, together);
    const Node made = shared.empty() ? written : linked(c, written, apart, shared);
    Program p;
    if (!read_made(c, root, function, made, p)) return {};
    Exceeded now = exceeded(p);
    const bool where = std::any_of(p.streams.begin(), p.streams.end(), [](const Stream &s) {
      return (!s.tensor && s.block_bytes() % 4) || !s.link.empty();
    });
    if (Program placed = p; !now && where) {
      place_cores(placed), choose_shims(placed); // links pass the memory tiles of the columns of their shims
      now = exceeded(placed);
    }
    if (!now) {
      found.deadlock = deadlock_of(p, turns_of(p));
      if (!found.deadlock) return {made};
    } else if (!found.first) {
      found.first = now;
    }
    if (shared.empty()) break;
  }
  return found;
}

} // namespace htp::aie
