// Blocks that take more than the capacity of the unified buffer, or so much of it that loads wait for computation, are
// gone over some of their rows, or of their columns, at a time: as many as let one part load while another computes.
#include "allocation/placement.h"
#include "passes/passes.h"

#include "htp_cpp/loops.h"

#include <algorithm>

namespace htp::a2a3 {

namespace {

struct Cut {
  std::string variable;
  bool rows = true;
  int64_t most = 0, bytes = 0; // of a block; of all tiles that have it
  int64_t others = 0;          // at least, of what moves and has neither the block nor one within it
};

// The loops over blocks in a kernel, by their variables: whose blocks they go over, if any.
std::map<std::string, std::string, std::less<>> loops_around(const Placement &p, Node kernel) {
  std::map<std::string, std::string, std::less<>> around;
  p.c.each(kernel, [&](Node n) {
    auto l = p.c.as<ast::For>(n);
    const Node range = l ? loop_forms(p.c, p.names, l.iter()).range : HTP_NONE;
    if (range && p.names.called(range) == "htp_tile.tiles")
      around[std::string(p.c.name_of(l.target()))] = p.c.name_of(p.c.get<ast::Call>(range).args()[0]);
  });
  return around;
}

// The blocks that may be cut, those first that most is gained by, and rows before columns.
std::vector<Cut> cuts(const Placement &p, Node kernel) {
  std::vector<Cut> all;
  const Memory &memory = p.memory();
  if (memory.full != spaces) return all;
  std::map<std::string_view, std::string_view> variables; // by what says how much there is of a block
  for (const auto &[variable, block] : p.indices().blocks) variables[block.count] = variable;
  const auto variable_of = [&](Node extent) {
    const auto it = variables.find(p.c.name_of(extent));
    return it == variables.end() ? std::string_view() : it->second;
  };
  const auto around = loops_around(p, kernel);
  std::map<std::string_view, int64_t> bytes[2], moved; // of tiles with blocks of a variable, or of one within it
  int64_t moves = 0;
  for (const Kept &t : memory.tiles) {
    const std::string_view sides[] = {variable_of(t.rows_valid), variable_of(t.columns_valid)};
    for (const bool rows : {false, true})
      if (const std::string_view variable = sides[!rows]; !variable.empty())
        bytes[rows][variable] = sdk::add_sat(bytes[rows][variable], t.once(memory.open_extent));
    if (!t.moves || t.space != spaces) continue;
    const int64_t least = t.once(Memory::least_open_twice);
    std::set<std::string_view> within;
    for (std::string_view variable : sides)
      while (!variable.empty() && within.insert(variable).second) {
        const auto outer = around.find(variable);
        variable = outer == around.end() ? std::string_view() : std::string_view(outer->second);
      }
    for (const std::string_view variable : within) moved[variable] = sdk::add_sat(moved[variable], least);
    moves = sdk::add_sat(moves, least);
  }
  for (const bool rows : {true, false})
    for (const auto &[variable, block] : p.indices().blocks) {
      Cut cut{variable, rows, block.most, 0};
      if (const auto it = bytes[rows].find(variable); it != bytes[rows].end()) cut.bytes = it->second;
      const auto it = moved.find(variable);
      cut.others = moves - (it == moved.end() ? 0 : it->second);
      if (cut.bytes) all.push_back(cut);
    }
  std::stable_sort(all.begin(), all.end(),
                   [](const Cut &a, const Cut &b) { return std::pair(a.rows, a.bytes) > std::pair(b.rows, b.bytes); });
  return all;
}
// Says which tiles take what, and with which blocks they would fit.
void full(Placement &p, Node s, const Memory &memory) {
  const Context &c = p.c;
  const int64_t least = memory.least, open_extent = memory.open_extent;
  const Space *space = memory.full;
  std::vector<const Kept *> tiles;
  for (const Kept &t : memory.tiles)
    if (t.space == space) tiles.push_back(&t);
  std::stable_sort(tiles.begin(), tiles.end(),
                   [&](const Kept *a, const Kept *b) { return a->bytes(open_extent) > b->bytes(open_extent); });
  std::string listed;
  for (const Kept *t : tiles) {
    if (t != tiles[0] && t->bytes(open_extent) < tiles[0]->bytes(open_extent) / 16) break;
    listed += (listed.empty() ? "`" : ", `") + t->name + "` " + std::to_string(t->bytes(open_extent)) + " (" +
              std::to_string(t->lines(open_extent)) + " x " + std::to_string(t->width(open_extent)) + " of " +
              (t->dtype ? std::string(t->dtype->name) : "bool") + ")";
  }
  std::vector<Kept> largest;
  for (const Kept *k : tiles) largest.push_back(*k);
  std::map<std::string, BlockSize, std::less<>> sizes;
  for (const auto &[variable, block] : p.indices().blocks) sizes[variable] = {block.count, block.most};
  c.each(s, [&](Node n) {
    auto l = c.as<ast::For>(n);
    const auto block = l ? sizes.find(c.name_of(l.target())) : sizes.end();
    if (block != sizes.end()) block->second.of = p.extent_of(loop_forms(c, p.names, l.iter()).range);
  });
  const std::string hint = what_fits(
      c, p.names, s, largest, sizes,
      [&](Node other) {
        p.restart();
        return p.attempt(other) != Memory::Fit::none;
      },
      p.memory());
  auto report = c.report(diag::buffer_full, tiles[0]->statement, c.entry(), least, space->text, space->bytes);
  report.note("bytes of its tiles there, not all of them at once: " + listed);
  if (!hint.empty()) report.hint(hint);
}
// A kernel that fits: as it is, or with the blocks cut that most is gained by. Where what moves shares bytes with what
// is computed with, parts that are loaded while others are computed with are faster.
Node fitting(Placement &p, Node kernel) {
  const Memory::Fit fit = p.attempt(kernel);
  if (p.c.errors() || fit >= Memory::Fit::apart) return kernel;
  const Memory whole = p.memory();
  for (const Cut &cut : cuts(p, kernel)) {
    // Where the kernel fits, a cut must give what moves bytes of its own, which the other tiles leave none of.
    if (fit != Memory::Fit::none && cut.others > spaces->bytes) continue;
    const std::string stem = cut.variable + (cut.rows ? "_rows" : "_columns");
    Memory::Fit reached = fit;
    Node best = HTP_NONE;
    for (int64_t size = power_below(cut.most); size >= 8 && reached < Memory::Fit::twice; size /= 2) {
      p.restart();
      const Node smaller = with_cut_blocks(p.c, p.names, kernel, cut.variable, cut.rows, p.named(stem), size);
      if (!smaller) break;
      const Memory::Fit here = p.attempt(smaller);
      if (p.c.errors()) return kernel;
      if (here > reached) reached = here, best = smaller;
    }
    if (!best || (fit != Memory::Fit::none && reached < Memory::Fit::twice)) continue;
    p.restart();
    p.named(stem);
    if (reached >= Memory::Fit::apart) return best;
    p.accept();
    return fitting(p, best);
  }
  if (fit == Memory::Fit::none) full(p, kernel, whole);
  p.restart();
  return kernel;
}

} // namespace

Node cut_blocks(const Context &c, Node root) {
  Placement placement(c, root);
  const Node changed = placement.with_kernels([&](Node kernel) {
    const Node out = fitting(placement, kernel);
    placement.accept();
    return out;
  });
  return changed ? with_statement(c, root, c.entry_function(root), changed) : HTP_NONE;
}

} // namespace htp::a2a3
