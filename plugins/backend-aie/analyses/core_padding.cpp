#include "analyses/core_padding.h"

#include <algorithm>

namespace htp::aie::cores {

const DType *dtype_of(const Names &names, Node dtype) {
  const std::string name = names.qualified(dtype);
  return dtype_named(name.substr(name.rfind('.') + 1));
}

Filled filled(const Context &c, const Names &names, Cores &all, Process &process,
              const std::function<int(const std::string &tile, size_t dimension)> &loop_of) {
  Filled f;
  for (const auto &[name, b] : process.buffers) {
    Filled::Tile &t = f.tiles[name];
    t.dtype = dtype_of(names, b.dtype);
    for (size_t d = 0; d < b.extents.size(); ++d) t.loops.push_back(loop_of(name, d));
  }
  each(process.body, [&](const Item &i) {
    const bool load = i.kind == Item::Kind::load;
    const Parameter *q = load ? &all.parameters[all.accesses[i.access].tensor] : nullptr;
    const bool border = load && bordered(*q); // other elements follow, or zeros
    if (load && !border) f.loaded.emplace_back(i.tile, all.accesses[i.access].tensor);
    if (i.kind == Item::Kind::get || border) f.operations.push_back({i.node, "get", {c.name(i.tile, i.node)}});
    if (i.kind != Item::Kind::call) return;
    const Nodes args = c.get<ast::Call>(i.call).args();
    f.operations.push_back({i.node, names.called(i.call).substr(8), {args.begin(), args.end()}});
  });
  return f;
}

std::vector<Filled> blocks_filled(const Context &c, const Names &names, Cores &all) {
  std::vector<Filled> demands;
  for (Process &process : all.processes) {
    if (process.dma) continue;
    Filled f = filled(c, names, all, process, [&](const std::string &tile, size_t at) {
      const auto loop = process.buffers.find(tile)->second.loops[at];
      return loop ? static_cast<int>(*loop) : -1;
    });
    for (size_t l = 0; l < all.loops.size(); ++l)
      if (ragged(all, l)) f.ragged.insert(static_cast<int>(l));
    demands.push_back(std::move(f));
  }
  return demands;
}

Counted settle(const Context &c, Node root, Cores &all, const std::vector<Filled> &demands) {
  std::vector<Fill> fills;
  for (const Parameter &q : all.parameters) fills.push_back(q.fill);
  const Counted found = choose_fills(c, root, demands, fills);
  for (size_t t = 0; t < fills.size(); ++t) all.parameters[t].fill = fills[t];
  return found;
}

} // namespace htp::aie::cores
