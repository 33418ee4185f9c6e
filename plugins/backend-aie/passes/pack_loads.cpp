// aie.pack_loads: loads of more tensors than a core has channels for come by one stream: of a tensor that the host
// makes, in the order in which the core wants its blocks.
#include "analyses/device.h"
#include "on_cores.h"
#include "passes.h"

#include <algorithm>
#include <utility>

namespace htp::aie::cores {

namespace {

// What one core loads by one stream.
struct Together {
  std::vector<std::pair<Item *, Slice>> items; // and the row of what is packed that each then loads
  std::vector<size_t> outside;                 // loops around all of them, which change none
  bool once = false;                           // no loop changes any
  const DType *dtype = nullptr;                // of the block: of the fewest bytes that there are
  int64_t elements = 0;                        // of a block
  int64_t blocks = 0;
  std::vector<PackedTensor> packed;
};

class Packing {
public:
  Packing(const Context &context, Cores &all) : c(context), all_(all) {
    for (const Access &a : all_.accesses)
      if (a.stores) stored_.insert(a.tensor);
  }
  bool run() {
    const size_t before = made_.size();
    for (Process &p : all_.processes)
      if (!p.dma) process(p);
    return made_.size() != before;
  }

private:
  bool changes(const Access &a, size_t loop) const {
    return std::any_of(a.index.begin(), a.index.end(), [&](const Slice &s) { return s.step(loop) != 0; });
  }
  // Whether the host may lay it out: from the first element on, each loop along one dimension, and all of the tensor.
  bool may(const Access &a) const {
    const Parameter &q = all_.parameters[a.tensor];
    if (stored_.contains(a.tensor) || !q.packed.empty() || !q.pieces.empty() || q.fill != Fill::zeros) return false;
    for (const size_t loop : a.path)
      if (std::count_if(a.index.begin(), a.index.end(), [&](const Slice &s) { return s.step(loop) != 0; }) > 1)
        return false;
    for (size_t d = 0; d < a.index.size(); ++d) {
      const Slice &s = a.index[d];
      std::set<int64_t> reached;
      for (int64_t k = 0; k < s.size; ++k) reached.insert(s.start + k * s.apart);
      for (const auto &[loop, step] : s.steps) {
        if (step < 0) return false;
        const std::set<int64_t> first = reached;
        for (int64_t turn = 1; step && turn < all_.loops[loop].times; ++turn)
          for (const int64_t at : first) reached.insert(at + turn * step);
      }
      if (s.start != 0 || std::ssize(reached) < q.extents[d] || *reached.rbegin() + 1 < q.extents[d]) return false;
    }
    return true;
  }

  void process(Process &p) {
    std::set<size_t> channels; // that the host fills
    std::map<size_t, std::vector<Item *>> loads;
    each(p.body, [&](Item &i) {
      if (i.kind == Item::Kind::get && all_.channels[i.channel].transfer) channels.insert(i.channel);
      if (i.kind == Item::Kind::load) loads[all_.accesses[i.access].tensor].push_back(&i);
    });
    const int64_t few = core_channels - std::ssize(channels);
    if (few < 1 || std::ssize(loads) <= few || loads.size() > 10) return;
    std::vector<size_t> tensors;
    for (const auto &[tensor, items] : loads) tensors.push_back(tensor);
    // Of the tensors that may come together, and are enough, those that make the least of it.
    std::optional<Together> best;
    for (size_t chosen = 1; chosen < size_t{1} << tensors.size(); ++chosen) {
      if (std::ssize(tensors) - __builtin_popcountll(chosen) + 1 > few) continue;
      std::set<size_t> these;
      for (size_t k = 0; k < tensors.size(); ++k)
        if (chosen >> k & 1) these.insert(tensors[k]);
      auto made = together(p, these);
      if (made && (!best || made->blocks * made->elements * made->dtype->bytes <
                                best->blocks * best->elements * best->dtype->bytes))
        best = std::move(made);
    }
    if (best) take(p, *best);
  }

  std::optional<Together> together(Process &p, const std::set<size_t> &tensors) {
    constexpr int64_t most = int64_t{1} << 24; // elements that the host lays out
    Together t;
    each(p.body, [&](Item &i) {
      if (i.kind == Item::Kind::load && tensors.contains(all_.accesses[i.access].tensor)) t.items.push_back({&i, {}});
    });
    t.outside = all_.accesses[t.items[0].first->access].path;
    t.once = true;
    for (const auto &[i, row] : t.items) {
      const Access &a = all_.accesses[i->access];
      if (!may(a)) return std::nullopt;
      const DType *d = all_.parameters[a.tensor].dtype;
      if (!t.dtype || d->bytes < t.dtype->bytes) t.dtype = d;
      size_t same = 0;
      while (same < std::min(t.outside.size(), a.path.size()) && t.outside[same] == a.path[same] &&
             !changes(a, a.path[same]))
        ++same;
      t.outside.resize(same);
      t.once = t.once && std::none_of(a.path.begin(), a.path.end(), [&](size_t l) { return changes(a, l); });
    }
    for (const auto &[i, row] : t.items) {
      const Access &a = all_.accesses[i->access];
      int64_t size = all_.parameters[a.tensor].dtype->bytes / t.dtype->bytes;
      for (const Slice &s : a.index) size *= s.size;
      t.elements = std::max(t.elements, size);
    }
    const int64_t line = 64 / t.dtype->bytes;
    t.elements = (t.elements + line - 1) / line * line;
    if (t.once) {
      for (auto &[i, row] : t.items) {
        row.start = t.blocks;
        t.packed.push_back(place_of(t, *i, t.blocks++));
      }
    } else {
      std::map<size_t, int64_t> turns; // blocks an iteration of a loop
      std::map<const Item *, int64_t> before;
      t.blocks = lay(t, p.body, 0, turns, before);
      for (auto &[i, row] : t.items) {
        row.start = before.at(i);
        for (const size_t loop : all_.accesses[i->access].path)
          if (std::find(t.outside.begin(), t.outside.end(), loop) == t.outside.end()) row.steps[loop] = turns.at(loop);
        t.packed.push_back(place_of(t, *i, before.at(i), turns));
      }
    }
    return t.blocks * t.elements > most ? std::nullopt : std::optional(std::move(t));
  }
  // The blocks of a list's items, in the first round of the loops around all of them.
  int64_t lay(const Together &t, std::vector<Item> &items, int64_t from, std::map<size_t, int64_t> &turns,
              std::map<const Item *, int64_t> &before) const {
    int64_t parts = 0;
    for (Item &i : items) {
      if (i.kind == Item::Kind::loop) {
        const int64_t of = lay(t, i.body, from + parts, turns, before);
        const bool outside = std::find(t.outside.begin(), t.outside.end(), i.loop) != t.outside.end();
        turns[i.loop] = of;
        parts += of * (outside ? 1 : all_.loops[i.loop].times);
      } else if (std::any_of(t.items.begin(), t.items.end(), [&](const auto &one) { return one.first == &i; })) {
        before[&i] = from + parts++;
      }
    }
    return parts;
  }
  PackedTensor place_of(const Together &t, const Item &i, int64_t before,
                        const std::map<size_t, int64_t> &turns = {}) const {
    const Access &a = all_.accesses[i.access];
    const Parameter &q = all_.parameters[a.tensor];
    PackedTensor made{q.name, before * t.elements, {}};
    const auto along = [&](int64_t size, int64_t dimension, int64_t step, int64_t stride) {
      if (size > 1) made.along.push_back({size, dimension, dimension < 0 ? 0 : step, stride});
    };
    for (size_t k = t.once ? a.path.size() : t.outside.size(); k < a.path.size(); ++k) {
      const size_t loop = a.path[k];
      const auto d = std::find_if(a.index.begin(), a.index.end(), [&](const Slice &s) { return s.step(loop) != 0; });
      along(all_.loops[loop].times, d == a.index.end() ? -1 : d - a.index.begin(),
            d == a.index.end() ? 0 : d->step(loop), turns.at(loop) * t.elements);
    }
    int64_t stride = q.dtype->bytes / t.dtype->bytes;
    std::vector<int64_t> strides;
    for (size_t d = a.index.size(); d-- > 0; stride *= a.index[d].size) strides.insert(strides.begin(), stride);
    for (size_t d = 0; d < a.index.size(); ++d)
      along(a.index[d].size, static_cast<int64_t>(d), a.index[d].apart, strides[d]);
    return made;
  }

  // The tensor of it: the one of another core that wants the same, or behind what others want. Each load is of a row of
  // it, and the core takes the tile from that.
  void take(Process &p, const Together &t) {
    const Node first = all_.accesses[t.items[0].first->access].node;
    auto at = std::find_if(made_.begin(), made_.end(), [&](const Made &m) { return m.packed == t.packed; });
    if (at == made_.end()) {
      const auto same = std::find_if(made_.begin(), made_.end(), [&](const Made &m) {
        const Parameter &q = all_.parameters[m.tensor];
        return q.dtype == t.dtype && q.extents[1] == t.elements;
      });
      const size_t number = same == made_.end() ? make(p, t, first) : same->tensor;
      Parameter &q = all_.parameters[number];
      at = made_.insert(made_.end(), {number, q.extents[0] * t.elements, t.packed});
      for (PackedTensor slice : t.packed) slice.at += at->from, q.packed.push_back(slice);
      q.extents[0] += t.blocks, q.padded = q.extents;
    }
    std::map<const Item *, size_t> rows; // accesses
    for (const auto &[item, row] : t.items) {
      Access a{.tensor = at->tensor, .path = all_.accesses[item->access].path, .node = first, .changed = true};
      a.index = {row, Slice{0, t.elements, {}}};
      a.index[0].start += at->from / t.elements;
      rows[item] = all_.accesses.size();
      all_.accesses.push_back(a);
    }
    Buffer block{p.buffers.find(t.items[0].first->tile)->second.dtype, {1, t.elements}, {{}, {}}};
    for (const auto &[item, row] : t.items) // as the program spells it
      if (all_.parameters[all_.accesses[item->access].tensor].dtype == t.dtype)
        block.dtype = p.buffers.find(item->tile)->second.dtype;
    place(p, p.body, all_.parameters[at->tensor].name + "_block", block, rows);
  }
  void place(Process &p, std::vector<Item> &items, const std::string &stem, const Buffer &block,
             const std::map<const Item *, size_t> &rows) {
    std::vector<Item> made;
    for (Item &i : items) {
      if (i.kind == Item::Kind::loop) place(p, i.body, stem, block, rows);
      const auto row = rows.find(&i);
      if (row == rows.end()) {
        made.push_back(std::move(i));
        continue;
      }
      std::string name = stem;
      for (int n = 1; p.buffers.contains(name); ++n) name = stem + "_" + std::to_string(n);
      p.buffers[name] = block;
      Item buffer{Item::Kind::buffer, i.node, 0, {}, name, 0, 0},
          load{Item::Kind::load, i.node, 0, {}, name, 0, row->second};
      Item unpack{Item::Kind::call, i.node, 0, {}, i.tile, 0, 0, {name}};
      unpack.call = c.parse("aie.unpack(" + i.tile + ", " + name + ", 0)", i.node);
      buffer.changed = load.changed = unpack.changed = true;
      made.insert(made.end(), {buffer, load, unpack});
    }
    items = std::move(made);
  }
  size_t make(const Process &p, const Together &t, Node node) {
    Parameter made;
    std::set<std::string> names;
    for (const PackedTensor &slice : t.packed)
      if (names.insert(slice.tensor).second) made.name += (made.name.empty() ? "" : "_") + slice.tensor;
    made.name = fresh(all_, names.size() == 1 ? made.name + "_packed" : made.name);
    made.direction = "in", made.dtype = t.dtype, made.node = node;
    made.extents = {0, t.elements};
    all_.parameters.push_back(std::move(made));
    std::string &dtype = all_.host_made[all_.parameters.size() - 1].dtype;
    for (const auto &[i, row] : t.items) // as the program spells it
      if (all_.parameters[all_.accesses[i->access].tensor].dtype == t.dtype)
        dtype = c.show(p.buffers.find(i->tile)->second.dtype);
    return all_.parameters.size() - 1;
  }

  struct Made {
    size_t tensor;
    int64_t from; // its first element
    std::vector<PackedTensor> packed;
  };
  const Context &c;
  Cores &all_;
  std::set<size_t> stored_;
  std::vector<Made> made_;
};

} // namespace

bool pack_loads(const Context &c, Cores &all) { return Packing(c, all).run(); }

} // namespace htp::aie::cores

namespace htp::aie {

Node packed_loads(const Context &c, Node root) {
  return cores::changed(c, root, cores::Of::all, [](const Context &context, Node, cores::Cores &all, OnDevice &on) {
    if (all.alike) {
      if (on.choices.packs.empty()) return false;
      cores::pack_shared(context, all, on.choices);
      on.choices.packs.clear(), on.choices.packs_apart = false;
      return true;
    }
    return std::exchange(on.choices.pack_loads, false) && (cores::pack_loads(context, all), true);
  });
}

} // namespace htp::aie
