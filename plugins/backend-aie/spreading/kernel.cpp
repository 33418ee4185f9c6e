#include "spreading/kernel.h"

#include <algorithm>

namespace htp::aie {

int Kernel::dimension_of(const Access &a, int of) const {
  for (size_t d = 0; d < a.index.size(); ++d)
    for (int l = a.index[d]; l >= 0; l = loop(l).within)
      if (l == of) return static_cast<int>(d);
  return -1;
}
const Loop &Kernel::outermost(int of) const {
  while (loop(of).within >= 0) of = loop(of).within;
  return loop(of);
}
bool Kernel::differs(const Access &a, Over over) const {
  for (size_t l = 0; l < loops.size(); ++l)
    if ((loops[l].over == over || loops[l].over == Over::cores) && uses(a, static_cast<int>(l))) return true;
  return false;
}
Node Kernel::carries(int of) const {
  const auto writes_outside = [&](const Item &item) {
    const Operation *operation = operation_of(item);
    const Access *access = access_of(item);
    if (!operation && (!access || access->stores)) return false;
    const auto b = buffers.find(operation ? operation->target() : access->tile);
    return b != buffers.end() && std::find(b->second.path.begin(), b->second.path.end(), of) == b->second.path.end();
  };
  const auto look = [&](const auto &self, const std::vector<Item> &items, bool within) -> Node {
    for (const Item &item : items) {
      if (item.loop < 0 && within && writes_outside(item)) return item.node;
      const Node found = item.loop < 0 ? HTP_NONE : self(self, item.body, within || item.loop == of);
      if (found) return found;
    }
    return HTP_NONE;
  };
  return look(look, body, false);
}
int64_t Kernel::rounds(int of, int64_t columns, int64_t rows) const {
  const Loop &l = loop(of);
  const int64_t by = l.over == Over::cores     ? columns * rows
                     : l.over == Over::columns ? columns
                     : l.over == Over::rows    ? rows
                                               : 1;
  return (l.blocks() + by - 1) / by;
}

bool Kernel::is_block(const std::string &name) const {
  const auto b = buffers.find(name);
  if (b == buffers.end()) return false;
  const auto a = std::find_if(accesses.begin(), accesses.end(), [&](const Access &one) { return one.tile == name; });
  if (a == accesses.end()) return false;
  if (a->stores) return stored.at(name) == 1 && b->second.extents == block_of(*a) && b->second.path == a->path;
  // Not what is loaded again.
  return !written.contains(name) && std::none_of(accesses.begin(), a, [&](const Access &before) {
    return !before.stores && before.tensor == a->tensor && before.index == a->index && before.path == a->path;
  });
}
std::vector<int64_t> Kernel::block_of(const Access &a) const {
  std::vector<int64_t> part;
  for (size_t d = 0; d < a.index.size(); ++d)
    part.push_back(a.index[d] < 0 ? parameters[a.tensor].extents[d] : loops[static_cast<size_t>(a.index[d])].block);
  return part;
}
std::string Kernel::alias_of(const std::string &name) const {
  if (written.contains(name)) return {};
  for (const Access &a : accesses) {
    if (a.stores || a.tile != name) continue;
    for (const Access &first : accesses)
      if (!first.stores && first.tensor == a.tensor && first.index == a.index && first.path == a.path)
        return first.tile != name && !written.contains(first.tile) ? first.tile : std::string();
  }
  return {};
}
bool Kernel::loaded(const std::string &name) const {
  return std::any_of(accesses.begin(), accesses.end(), [&](const Access &a) { return !a.stores && a.tile == name; });
}
const Access *Kernel::store_of(const std::string &name) const {
  for (const Access &a : accesses)
    if (a.stores && a.tile == name) return &a;
  return nullptr;
}

const DType *Kernel::dtype_of(const Buffer &buffer) const {
  const std::string name = names.qualified(buffer.dtype);
  return dtype_named(name.substr(name.rfind('.') + 1));
}

} // namespace htp::aie
