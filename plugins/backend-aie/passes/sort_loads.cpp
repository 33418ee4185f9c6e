// aie.sort_loads: loads of one tensor stand in an order in which few streams go through them: as series of equal steps,
// or series of these.
#include "passes.h"

#include "on_cores.h"

#include <algorithm>
#include <utility>

namespace htp::aie::cores {

namespace {

using Starts = std::vector<int64_t>;

// A series begins at the least of them: with each step and length, or series in a second step, that they hold.
// Longest first.
std::vector<Starts> series_of(const std::set<int64_t> &starts) {
  const int64_t first = *starts.begin();
  const auto run = [&](int64_t from, int64_t step) { // from there on, as far as it goes
    Starts found;
    for (int64_t at = from; starts.contains(at); at += step) found.push_back(at);
    return found;
  };
  std::vector<Starts> all{{first}};
  for (const int64_t second : starts) {
    if (second == first) continue;
    const Starts line = run(first, second - first);
    for (size_t length = line.size(); length >= 2; --length) {
      all.emplace_back(line.begin(), line.begin() + static_cast<ptrdiff_t>(length));
      for (const int64_t next : starts) { // lines of that length
        if (next <= line[length - 1]) continue;
        Starts lines = all.back();
        for (int64_t at = next;; at += next - first) {
          const Starts one = run(at, second - first);
          if (one.size() < length) break;
          lines.insert(lines.end(), one.begin(), one.begin() + static_cast<ptrdiff_t>(length));
        }
        if (lines.size() > length) all.push_back(std::move(lines));
      }
    }
  }
  std::stable_sort(all.begin(), all.end(), [](const Starts &a, const Starts &b) { return a.size() > b.size(); });
  return all;
}

// All of them by so many series, one behind the other; empty if there is no such order.
Starts by_series(const std::set<int64_t> &starts, int64_t series) {
  if (starts.empty() || series == 0) return {};
  for (const Starts &one : series_of(starts)) {
    std::set<int64_t> rest = starts;
    for (const int64_t at : one) rest.erase(at);
    if (rest.size() + one.size() != starts.size()) continue; // lines that meet
    if (rest.empty()) return one;
    if (series == 1) return {}; // the others are shorter
    if (const Starts others = by_series(rest, series - 1); !others.empty()) {
      Starts order = one;
      order.insert(order.end(), others.begin(), others.end());
      return order;
    }
  }
  return {};
}

class Sorting {
public:
  explicit Sorting(Cores &all) : all_(all) {}

  bool run() {
    for (Process &p : all_.processes) {
      if (p.dma) continue;
      writers_ = writers_of(p);
      list(p.body);
    }
    return changed_;
  }

private:
  void list(std::vector<Item> &items) {
    for (Item &i : items)
      if (i.kind == Item::Kind::loop) list(i.body);
    std::vector<size_t> seen; // accesses of those that were looked at
    for (size_t k = 0; k < items.size(); ++k) {
      if (!moves(items[k])) continue;
      const size_t access = items[k].access;
      if (std::any_of(seen.begin(), seen.end(), [&](size_t other) { return alike(other, access); })) continue;
      seen.push_back(access);
      sort(items, k);
    }
  }
  // A load whose tile nothing else writes, of a tensor that nothing stores to.
  bool moves(const Item &i) const {
    return i.kind == Item::Kind::load && !i.pack && writers_.at(i.tile) == 1 &&
           std::none_of(all_.accesses.begin(), all_.accesses.end(),
                        [&](const Access &a) { return a.stores && a.tensor == all_.accesses[i.access].tensor; });
  }
  // Whether two loads, in one list, are of slices that differ in where they begin, and in nothing else.
  bool alike(size_t one, size_t other) const {
    const Access &a = all_.accesses[one], &b = all_.accesses[other];
    return a.tensor == b.tensor && std::equal(a.index.begin(), a.index.end(), b.index.begin(), b.index.end(),
                                              [](const Slice &x, const Slice &y) {
                                                return x.size == y.size && x.apart == y.apart && x.steps == y.steps;
                                              });
  }
  int64_t start_of(size_t access) const {
    const Access &a = all_.accesses[access];
    int64_t start = 0, stride = 1;
    for (size_t d = a.index.size(); d-- > 0; stride *= all_.parameters[a.tensor].padded[d])
      start += a.index[d].start * stride;
    return start;
  }
  void sort(std::vector<Item> &items, size_t first) {
    constexpr size_t most = 16; // that are searched
    std::set<int64_t> starts;
    std::map<int64_t, Item> loads, buffers;
    std::vector<Item> before(items.begin(), items.begin() + static_cast<ptrdiff_t>(first)), rest;
    for (size_t k = first; k < items.size(); ++k)
      if (moves(items[k]) && alike(items[k].access, items[first].access)) {
        const int64_t at = start_of(items[k].access);
        if (!starts.insert(at).second) return;
        loads.emplace(at, items[k]);
      }
    if (starts.size() < 3 || starts.size() > most) return;
    Starts order;
    for (int64_t series = 1; series <= core_channels && order.empty(); ++series) order = by_series(starts, series);
    if (order.empty()) return;
    for (size_t k = first; k < items.size(); ++k) {
      const auto of =
          std::find_if(loads.begin(), loads.end(), [&](const auto &load) { return load.second.tile == items[k].tile; });
      const bool declares = of != loads.end() && items[k].kind == Item::Kind::buffer;
      if (declares) buffers.emplace(of->first, items[k]);
      if (!declares && (of == loads.end() || items[k].kind != Item::Kind::load)) rest.push_back(items[k]);
    }
    const std::vector<Item> were = std::move(items);
    items = std::move(before);
    for (const int64_t at : order) {
      if (const auto buffer = buffers.find(at); buffer != buffers.end()) items.push_back(buffer->second);
      items.push_back(loads.at(at));
    }
    items.insert(items.end(), rest.begin(), rest.end());
    changed_ = changed_ || !std::equal(items.begin(), items.end(), were.begin(), [](const Item &a, const Item &b) {
                 return a.kind == b.kind && a.tile == b.tile && a.access == b.access;
               });
  }

  Cores &all_;
  bool changed_ = false;
  std::map<std::string, int> writers_; // of tiles
};

} // namespace

bool sort_loads(Cores &all) { return Sorting(all).run(); }

} // namespace htp::aie::cores

namespace htp::aie {

Node sorted_loads(const Context &c, Node root) {
  return cores::changed(c, root, cores::Of::named, [](const Context &, Node, cores::Cores &all, OnDevice &on) {
    return std::exchange(on.choices.sort_loads, false) && (cores::sort_loads(all), true);
  });
}

} // namespace htp::aie
