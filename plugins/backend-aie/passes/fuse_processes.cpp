// aie.fuse_processes: processes that share a core, `@aie.core(on='cell_0')`, become one. Loops over the same become
// one, in which they alternate, or one follows the other; what one hands to the other stays where it is.
#include "analyses/one_tile.h"
#include "on_cores.h"
#include "passes.h"

#include <algorithm>

namespace htp::aie::cores {

namespace {

bool alike(const Loop &a, const Loop &b) { return a.times == b.times && a.block == b.block && a.extent == b.extent; }

// The loop `of` instead of `was`, in what stands in it.
void within(Cores &all, Process &p, std::vector<Item> &items, size_t was, size_t of) {
  each(items, [&](const Item &i) {
    if (i.kind != Item::Kind::load && i.kind != Item::Kind::store) return;
    Access &a = all.accesses[i.access];
    a.changed = true;
    std::replace(a.path.begin(), a.path.end(), was, of);
    for (Slice &s : a.index)
      if (s.block == was) s.block = of;
    for (Slice &s : a.index)
      if (auto step = s.steps.extract(was)) step.key() = of, s.steps.insert(std::move(step));
  });
  for (auto &[name, b] : p.buffers) std::replace(b.loops.begin(), b.loops.end(), std::optional(was), std::optional(of));
}

void interleave(Cores &all, Process &p, std::vector<Item> &first, std::vector<Item> next) {
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
      interleave(all, p, first[a].body, std::move(next[b++].body));
      made.push_back(std::move(first[a++]));
    } else {
      made.push_back(std::move(first[a++]));
    }
  }
  for (; a < first.size(); ++a) made.push_back(std::move(first[a]));
  for (; b < next.size(); ++b) made.push_back(std::move(next[b]));
  first = std::move(made);
}

// What a process puts and gets again, once each, in the same iteration, is one tile.
class Handing {
public:
  Handing(const Context &context, Cores &all, Process &process) : all_(all), p(process), tiles_(context, process) {}

  void run() { list(p.body); }

private:
  void list(std::vector<Item> &items) {
    for (bool again = true; again;) {
      again = false;
      for (size_t k = 0; k < items.size() && !again; ++k)
        for (size_t later = k + 1; later < items.size() && !again; ++later) again = handed(items, k, later);
    }
    for (Item &i : items)
      if (i.kind == Item::Kind::loop) list(i.body);
  }
  // What is put and got again, once each, in the same turn.
  bool handed(std::vector<Item> &items, size_t k, size_t later) {
    const Item &put = items[k], &get = items[later];
    if (put.kind != Item::Kind::put || get.kind != Item::Kind::get || put.channel != get.channel ||
        put.tile == get.tile || all_.channels[put.channel].readers != 1 || !tiles_.written_once(get.tile) ||
        !tiles_.unwritten_behind(put.tile, put))
      return false;
    int operations = 0;
    each(p.body, [&](const Item &i) {
      const bool operates = i.kind == Item::Kind::put || i.kind == Item::Kind::get || i.kind == Item::Kind::drop;
      operations += operates && i.channel == put.channel;
    });
    if (operations != 2) return false;
    tiles_.replace(items, {{get.tile, put.tile}}, {k, later});
    return true;
  }

  Cores &all_;
  Process &p;
  OneTile tiles_;
};

// Whether a process has a channel from itself.
bool to_itself(Process &p) {
  std::set<size_t> puts;
  bool found = false;
  each(p.body, [&](const Item &i) {
    if (i.kind == Item::Kind::put) puts.insert(i.channel);
  });
  each(p.body, [&](const Item &i) {
    if (i.kind == Item::Kind::get || i.kind == Item::Kind::drop) found = found || puts.contains(i.channel);
  });
  return found;
}

void add(const Context &c, Cores &all, Process &p, Process &next) {
  std::map<std::string, std::string, std::less<>> names;
  each(next.body, [&](const Item &i) {
    if (i.kind != Item::Kind::buffer) return;
    std::string name = i.tile;
    for (int n = 1; p.buffers.contains(name); ++n) name = i.tile + "_" + std::to_string(n);
    p.buffers[name] = next.buffers.at(i.tile);
    if (name != i.tile) names[i.tile] = name;
  });
  rename(c, next.body, names);
  each(next.body, [](Item &i) { i.changed = true; });
  if (next.interleaved)
    interleave(all, p, p.body, std::move(next.body));
  else
    for (Item &i : next.body) p.body.push_back(std::move(i));
}

} // namespace

bool fuse_processes(const Context &c, Cores &all, bool &fits) {
  std::set<std::string> fused, gone;
  for (Process &next : all.processes) {
    const auto p = std::find_if(all.processes.begin(), all.processes.end(),
                                [&](const Process &other) { return other.name == next.on && other.on.empty(); });
    if (p == all.processes.end()) continue;
    add(c, all, *p, next);
    fused.insert(p->name);
    gone.insert(next.name);
  }
  if (fused.empty()) return false;
  std::erase_if(all.processes, [&](const Process &p) { return gone.contains(p.name); });
  for (Process &p : all.processes) {
    if (fused.contains(p.name)) Handing(c, all, p).run();
    fits = fits && !to_itself(p);
  }
  connect(all);
  return true;
}

} // namespace htp::aie::cores

namespace htp::aie {

Node fused_processes(const Context &c, Node root) {
  return cores::changed(c, root, cores::Of::named, [](const Context &context, Node, cores::Cores &all, OnDevice &) {
    bool fits = true;
    const bool any = cores::fuse_processes(context, all, fits);
    if (!fits) context.report(diag::fused_channel, HTP_NONE, context.entry());
    return any;
  });
}

} // namespace htp::aie
