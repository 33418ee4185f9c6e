// aie.align_loads: loads of short elements that begin where no transfer does, a signal that is shifted by one. What
// several of them take of a row comes as one block that begins and ends at multiples of 4 bytes, and the core takes
// each from it.
#include "passes.h"

#include "on_cores.h"

#include "htp_cpp/edit.h"

#include <algorithm>
#include <utility>

namespace htp::aie::cores {

namespace {

class Windows {
public:
  Windows(const Context &context, Cores &all) : c(context), all_(all) {
    for (const Access &a : all_.accesses)
      if (a.stores) stored_.insert(a.tensor);
  }
  bool run() {
    for (Process &p : all_.processes) {
      if (p.dma) continue;
      writers_ = writers_of(p);
      list(p, p.body);
    }
    return changed_;
  }

private:
  int64_t unit(const Access &a) const { return 4 / all_.parameters[a.tensor].dtype->bytes; }
  // A slice of a row, of a tensor that nothing stores to.
  bool in_row(const Item &i) const {
    if (i.kind != Item::Kind::load || i.pack || writers_.at(i.tile) != 1) return false;
    const Access &a = all_.accesses[i.access];
    const Parameter &q = all_.parameters[a.tensor];
    if (stored_.contains(a.tensor) || q.dtype->bytes >= 4 || a.index.empty() || !q.pieces.empty() || q.counts)
      return false;
    const Slice &last = a.index.back();
    return last.apart == 1 && last.start >= 0 &&
           std::all_of(a.index.begin(), a.index.end() - 1, [](const Slice &s) { return s.size == 1; }) &&
           std::all_of(last.steps.begin(), last.steps.end(), [&](const auto &s) { return s.second % unit(a) == 0; });
  }
  static bool same_row(const Access &a, const Access &b) {
    if (a.tensor != b.tensor || a.path != b.path || a.index.back().steps != b.index.back().steps) return false;
    return std::equal(a.index.begin(), a.index.end() - 1, b.index.begin(), b.index.end() - 1,
                      [](const Slice &x, const Slice &y) { return x.start == y.start && x.steps == y.steps; });
  }

  void list(Process &p, std::vector<Item> &items) {
    for (size_t first = 0; first < items.size(); ++first) {
      if (items[first].kind == Item::Kind::loop) list(p, items[first].body);
      if (!in_row(items[first])) continue;
      const Access row = all_.accesses[items[first].access];
      std::vector<size_t> these;
      int64_t from = row.index.back().start, to = from;
      bool shifted = false;
      for (size_t k = first; k < items.size(); ++k) {
        if (!in_row(items[k]) || !same_row(row, all_.accesses[items[k].access])) continue;
        const Slice &s = all_.accesses[items[k].access].index.back();
        these.push_back(k);
        from = std::min(from, s.start), to = std::max(to, s.end());
        shifted = shifted || s.start % unit(row) || s.size % unit(row);
      }
      if (shifted) first += take(p, items, these, row, from / unit(row) * unit(row), to);
    }
  }
  // How many items there are more, in front of the first load.
  size_t take(Process &p, std::vector<Item> &items, const std::vector<size_t> &these, Access row, int64_t from,
              int64_t to) {
    const int64_t by = unit(row);
    Slice &last = row.index.back();
    last.start = from, last.size = (to - from + by - 1) / by * by, last.block.reset();
    int64_t end = last.end();
    for (const auto &[loop, step] : last.steps) end += step * (all_.loops[loop].times - 1);
    Parameter &q = all_.parameters[row.tensor];
    if (const int64_t to = (std::max(q.padded.back(), end) + by - 1) / by * by; to != q.padded.back())
      q.padded.back() = to, set_padded(all_, row.tensor);
    changed_ = true;

    const Item &load = items[these[0]];
    const Buffer &tile = p.buffers.at(load.tile);
    std::string name = q.name + "_line";
    for (int n = 1; p.buffers.contains(name); ++n) name = q.name + "_line_" + std::to_string(n);
    Buffer line{tile.dtype, {}, {}};
    for (const Slice &s : row.index) line.extents.push_back(s.size);
    line.loops.resize(line.extents.size());
    Item buffer{Item::Kind::buffer, load.node, 0, {}, name, 0, 0};
    Item whole{Item::Kind::load, load.node, 0, {}, name, 0, all_.accesses.size()};
    buffer.changed = whole.changed = true;
    for (const size_t k : these) {
      const int64_t at = all_.accesses[items[k].access].index.back().start - from;
      Item taken{Item::Kind::call, items[k].node, 0, {}, items[k].tile, 0, 0, {name}};
      taken.call = c.parse("aie.unpack(" + items[k].tile + ", " + name + ", " + std::to_string(at) + ")", taken.node);
      taken.changed = true;
      items[k] = std::move(taken);
    }
    p.buffers.emplace(name, std::move(line));
    all_.accesses.push_back(std::move(row));
    items.insert(items.begin() + static_cast<ptrdiff_t>(these[0]), {std::move(buffer), std::move(whole)});
    return 2;
  }

  const Context &c;
  Cores &all_;
  bool changed_ = false;
  std::set<size_t> stored_;
  std::map<std::string, int> writers_; // of a tile
};

} // namespace

bool align_loads(const Context &c, Cores &all) { return Windows(c, all).run(); }

} // namespace htp::aie::cores

namespace htp::aie {

Node aligned_loads(const Context &c, Node root) {
  return cores::changed(c, root, cores::Of::named, [](const Context &context, Node, cores::Cores &all, OnDevice &on) {
    return std::exchange(on.choices.align_loads, false) && (cores::align_loads(context, all), true);
  });
}

} // namespace htp::aie
