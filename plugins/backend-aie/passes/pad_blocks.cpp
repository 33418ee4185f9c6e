// aie.pad_blocks: tensors are padded, `x_padded = aie.pad(x, (40, 64))`, so that all blocks of the loops that go
// through them are as large: the last one of the tensor, or of each piece of it that a loop goes through.
#include "analyses/core_padding.h"
#include "on_cores.h"
#include "passes.h"

#include <algorithm>

namespace htp::aie::cores {

namespace {

// How far an index goes, but for the block at its end.
int64_t reach(const Cores &all, const Slice &s, const std::function<bool(int64_t)> &counts) {
  int64_t far = 0;
  for (const auto &[loop, step] : s.steps)
    if (loop != s.block && counts(step)) far += step * (all.loops[loop].times - 1);
  return far;
}

const Loop &outermost(const Cores &all, size_t loop) {
  while (all.loops[loop].within) loop = *all.loops[loop].within;
  return all.loops[loop];
}

// A dimension whose last block is padded: the whole, or each of the pieces that a loop goes through.
bool pad_dimension(Cores &all, size_t tensor, size_t d, const Refuse &refuse) {
  Parameter &q = all.parameters[tensor];
  int64_t extent = 0, to = 0;
  for (const Access &a : all.accesses) {
    if (a.tensor != tensor || !a.index[d].block) continue;
    const Loop &l = outermost(all, *a.index[d].block);
    if (padded_extent(all, l) == l.extent) continue;
    if (extent && extent != l.extent)
      return refuse(a.node, Refusal(diag::mixed_blocks, extent, l.extent, d, q.name)), false;
    extent = l.extent;
    to = std::max(to, padded_extent(all, l));
  }
  if (!extent) return true;
  const int64_t pieces = q.extents[d] / extent;
  if (q.extents[d] % extent) {
    const auto at = std::find_if(all.accesses.begin(), all.accesses.end(),
                                 [&](const Access &a) { return a.tensor == tensor && a.index[d].block; });
    return refuse(at->node, Refusal(diag::uneven_blocks, extent, d, q.name, q.extents[d])), false;
  }
  q.padded[d] = pieces * to;
  if (pieces == 1) return true;
  if (q.pieces.empty()) q.pieces.assign(q.extents.size(), 1);
  q.pieces[d] = pieces;
  for (Access &a : all.accesses) {
    if (a.tensor != tensor) continue;
    Slice &s = a.index[d];
    const bool block = s.block && all.loops[*s.block].ragged();
    const int64_t first = block ? all.loops[*s.block].first * all.loops[*s.block].block : 0;
    const int64_t at = s.start - first, within = at % extent;
    const int64_t inside = reach(all, s, [&](int64_t step) { return step % extent != 0; });
    const bool fits = block ? within == 0 && inside == 0 && s.apart == 1
                            : within + inside + s.end() - s.start +
                                      (s.block ? (all.loops[*s.block].times - 1) * all.loops[*s.block].block : 0) <=
                                  extent;
    if (at < 0 || !fits) return refuse(a.node, Refusal(diag::split_slice, q.name, extent)), false;
    s.start = at / extent * to + within + first;
    for (auto &[loop, step] : s.steps)
      if (loop != s.block && step % extent == 0) step = step / extent * to;
  }
  return true;
}

} // namespace

bool pad_blocks(const Context &c, Node root, Cores &all, CountedPadding &counted, const Refuse &refuse) {
  const Names names(c, root);
  if (const Counted found = settle(c, root, all, blocks_filled(c, names, all)); found.by) {
    const Loop &l = all.loops[static_cast<size_t>(found.loop)];
    auto k = c.get<ast::Call>(c.get<ast::Expr>(found.by).value());
    const bool apart = names.called(c.get<ast::Expr>(found.by).value()) == "htp_aie.call";
    counted = {found.by, c.show(apart ? k.args()[1] : k.func()), l.name, hint_for(found, l.extent, l.block), l.extent,
               l.block};
    return false;
  }
  bool any = false;
  for (size_t t = 0; t < all.parameters.size(); ++t) {
    // Accesses are of what it is padded to already, or there are zeros around it.
    if (!all.parameters[t].view.empty() || bordered(all.parameters[t])) continue;
    const std::vector<int64_t> before = all.parameters[t].padded;
    for (size_t d = 0; d < all.parameters[t].extents.size(); ++d)
      if (!pad_dimension(all, t, d, refuse)) return false;
    if (all.parameters[t].padded != before) set_padded(all, t), any = true;
  }
  for (const Access &a : all.accesses)
    for (size_t d = 0; d < a.index.size(); ++d) {
      int64_t last = a.index[d].end();
      for (const auto &[loop, step] : a.index[d].steps) last += step * (all.loops[loop].times - 1);
      if (a.index[d].start < 0 || last > all.parameters[a.tensor].padded[d])
        return refuse(a.node, Refusal(diag::slice_outside, all.parameters[a.tensor].name)), false;
    }
  return any;
}

} // namespace htp::aie::cores

namespace htp::aie {

Node padded_blocks(const Context &c, Node root) {
  return cores::changed(c, root, cores::Of::all,
                        [](const Context &context, Node module, cores::Cores &all, OnDevice &) {
                          cores::CountedPadding counted;
                          const bool any = cores::pad_blocks(context, module, all, counted, refusing(context));
                          if (counted.statement)
                            context
                                .report(diag::ragged_reduction, counted.statement, counted.name, counted.loop,
                                        counted.extent, counted.block)
                                .hint(counted.hint);
                          return any;
                        });
}

} // namespace htp::aie
