// A loop that loads more than there are flags for, each to two places in turn, loads all of it first: one flag is then
// enough. Only what nobody writes is loaded earlier than the program says.
#include "order/flags.h"
#include "passes/passes.h"

#include <algorithm>

namespace htp::a2a3 {

namespace {

size_t writes_to(const Tile *tile, const std::vector<Statement> &body) {
  size_t count = 0;
  for (const Statement &s : body)
    count += (s.kind == Statement::Kind::instruction && s.tile == tile && s.instruction != "tstore") +
             writes_to(tile, s.body) + writes_to(tile, s.otherwise);
  return count;
}

// Whether something has moved.
bool cluster(std::vector<Statement> &body) {
  bool changed = false;
  for (Statement &s : body) {
    changed |= cluster(s.body);
    changed |= cluster(s.otherwise);
    std::set<const Tile *> early;
    for (const Statement &n : s.body)
      if (n.instruction == "tload" && n.tensor->direction == "in" && !n.tile->turn.empty() && n.tile->turn == s.turn &&
          writes_to(n.tile, s.body) == 1)
        early.insert(n.tile);
    if (s.kind != Statement::Kind::loop || early.size() * 2 <= static_cast<size_t>(events)) continue;
    const auto rank = [&](const Statement &n) { // ints, which both need, stay before them
      if (n.kind == Statement::Kind::integer) return 0;
      const bool loads = n.kind == Statement::Kind::tile || n.instruction == "tload";
      return loads && early.contains(n.tile) ? 1 : 2;
    };
    const auto before = [&](const Statement &a, const Statement &o) { return rank(a) < rank(o); };
    if (std::is_sorted(s.body.begin(), s.body.end(), before)) continue;
    std::stable_sort(s.body.begin(), s.body.end(), before);
    changed = true;
  }
  return changed;
}

} // namespace

Node cluster_loads(const Context &c, Node root) {
  Program program;
  if (!read_program(c, root, Stage::placed, program)) return HTP_NONE;
  bool changed = false;
  for (Kernel &k : program.kernels) changed |= cluster(k.body);
  return changed ? with_kernels(c, root, program) : root;
}

} // namespace htp::a2a3
