// Several places of a grid on one core: their loops over the same become one, in which they take turns; what one hands
// to another stays where it is. What any process loads twice it loads once.
#include "processes/processes.h"

#include "htp_cpp/edit.h"

#include <algorithm>

namespace htp::aie::processes {

namespace {

bool alike(const Loop &a, const Loop &b) { return a.times == b.times && a.block == b.block && a.extent == b.extent; }

// The loop `of` instead of `was`, in what stands in it.
void within(Processes &all, Process &p, std::vector<Item> &items, size_t was, size_t of) {
  each(items, [&](const Item &i) {
    if (i.kind != Item::Kind::load && i.kind != Item::Kind::store) return;
    Access &a = all.accesses[i.access];
    std::replace(a.path.begin(), a.path.end(), was, of);
    for (Span &s : a.index)
      if (s.block == was) s.block = of;
    for (Span &s : a.index)
      if (auto step = s.steps.extract(was)) step.key() = of, s.steps.insert(std::move(step));
  });
  for (auto &[name, b] : p.buffers) std::replace(b.loops.begin(), b.loops.end(), std::optional(was), std::optional(of));
}

class Settling {
public:
  Settling(const Context &context, Processes &processes, Process &process) : c(context), all_(processes), p(process) {}

  void load_once() {
    for (const Access &a : all_.accesses)
      if (a.stores) stored_.insert(a.tensor);
    number();
    lists(p.body);
  }
  bool run() {
    hands_ = true;
    load_once();
    bool good = true;
    std::set<size_t> puts;
    each(p.body, [&](const Item &i) {
      if (i.kind == Item::Kind::put) puts.insert(i.channel);
    });
    each(p.body, [&](const Item &i) {
      if (i.kind == Item::Kind::get || i.kind == Item::Kind::drop) good = good && !puts.contains(i.channel);
    });
    return good;
  }

private:
  void number() {
    writes_.clear();
    size_t at = 0;
    each(p.body, [&](const Item &i) {
      ++at;
      if (i.kind == Item::Kind::word || i.kind == Item::Kind::load || i.kind == Item::Kind::get)
        writes_[i.tile].push_back(at);
      order_[&i] = at;
    });
  }
  void lists(std::vector<Item> &items) {
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t k = 0; k < items.size() && !changed; ++k)
        for (size_t later = k + 1; later < items.size() && !changed; ++later)
          changed = loaded_twice(items, k, later) || (hands_ && handed(items, k, later));
    }
    for (Item &i : items)
      if (i.kind == Item::Kind::loop) lists(i.body);
  }
  // A place that is loaded again, of a tensor that nobody stores.
  bool loaded_twice(std::vector<Item> &items, size_t k, size_t later) {
    const Item &first = items[k], &second = items[later];
    if (first.kind != Item::Kind::load || second.kind != Item::Kind::load || first.tile == second.tile) return false;
    const Access &a = all_.accesses[first.access], &b = all_.accesses[second.access];
    const auto same = [](const Span &x, const Span &y) {
      return x.start == y.start && x.size == y.size && x.steps == y.steps && x.block == y.block && x.apart == y.apart;
    };
    if (a.tensor != b.tensor || stored_.contains(a.tensor) || a.path != b.path || a.index.size() != b.index.size() ||
        !std::equal(a.index.begin(), a.index.end(), b.index.begin(), same) || writes_[first.tile].size() != 1 ||
        writes_[second.tile].size() != 1)
      return false;
    replace(items, second.tile, first.tile, {later});
    return true;
  }
  // What is put and got again, once each, in the same turn.
  bool handed(std::vector<Item> &items, size_t k, size_t later) {
    const Item &put = items[k], &get = items[later];
    if (put.kind != Item::Kind::put || get.kind != Item::Kind::get || put.channel != get.channel ||
        put.tile == get.tile || all_.channels[put.channel].readers != 1 || writes_[get.tile].size() != 1)
      return false;
    const size_t at = order_.at(&put);
    for (const size_t write : writes_[put.tile])
      if (write > at) return false;
    int operations = 0;
    each(p.body, [&](const Item &i) {
      const bool operates = i.kind == Item::Kind::put || i.kind == Item::Kind::get || i.kind == Item::Kind::drop;
      operations += operates && i.channel == put.channel;
    });
    if (operations != 2) return false;
    replace(items, get.tile, put.tile, {k, later});
    return true;
  }
  // One tile for another, without the items that made it.
  void replace(std::vector<Item> &items, const std::string was, const std::string by, const std::set<size_t> &gone) {
    std::vector<Item> kept;
    for (size_t k = 0; k < items.size(); ++k)
      if (!gone.contains(k)) kept.push_back(std::move(items[k]));
    items = std::move(kept);
    erase(p.body, was);
    p.buffers.erase(was);
    each(p.body, [&](Item &i) {
      if (i.tile == was) i.tile = by;
      if (std::find(i.reads.begin(), i.reads.end(), was) == i.reads.end()) return;
      std::replace(i.reads.begin(), i.reads.end(), was, by);
      if (i.call)
        i.call = rewrite(
            c, i.call, [&](Node n) { return c.name_of(n) == was ? c.name(by, n) : n; },
            [](Node, std::vector<uint32_t> &) { return false; });
    });
    number();
  }
  static void erase(std::vector<Item> &items, const std::string &tile) {
    std::erase_if(items, [&](const Item &i) { return i.kind == Item::Kind::buffer && i.tile == tile; });
    for (Item &i : items) erase(i.body, tile);
  }

  const Context &c;
  Processes &all_;
  Process &p;
  bool hands_ = false; // what is put and got by the same core stays with it
  std::set<size_t> stored_;
  std::map<std::string, std::vector<size_t>> writes_; // of a tile, by the order of items
  std::map<const Item *, size_t> order_;
};

} // namespace

void take_turns(Processes &all, Process &p, std::vector<Item> &first, std::vector<Item> next) {
  const auto is_loop = [](const Item &i) { return i.kind == Item::Kind::loop; };
  std::vector<Item> made;
  size_t a = 0, b = 0;
  for (;;) {
    while (a < first.size() && !is_loop(first[a])) made.push_back(std::move(first[a++]));
    while (b < next.size() && !is_loop(next[b])) made.push_back(std::move(next[b++]));
    if (a == first.size() || b == next.size()) break;
    const size_t was = next[b].loop, of = first[a].loop;
    if (alike(all.loops[was], all.loops[of])) {
      within(all, p, next[b].body, was, of);
      take_turns(all, p, first[a].body, std::move(next[b++].body));
      made.push_back(std::move(first[a++]));
    } else {
      made.push_back(std::move(first[a++]));
    }
  }
  for (; a < first.size(); ++a) made.push_back(std::move(first[a]));
  for (; b < next.size(); ++b) made.push_back(std::move(next[b]));
  first = std::move(made);
}

bool settle(const Context &c, Processes &all, Process &p) { return Settling(c, all, p).run(); }
void load_once(const Context &c, Processes &all, Process &p) { Settling(c, all, p).load_once(); }

} // namespace htp::aie::processes
