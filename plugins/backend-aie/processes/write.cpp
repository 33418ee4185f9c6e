// Writing processes as cores: their streams, and which tiles are parts of these.
#include "processes/processes.h"
#include "spreading/packing.h"

#include "htp_cpp/edit.h"
#include "htp_cpp/types.h"

#include <algorithm>

namespace htp::aie::processes {

namespace {

// Accesses that one stream goes through, one after the other within so many of the loops around them: how many, and how
// far each begins from the one before it, of series of series.
struct OneStream {
  std::vector<std::pair<int64_t, int64_t>> dims;
  size_t within = 0;
};

class Writer {
public:
  Writer(const Context &context, Node root, Node function, const Device &device, int64_t columns, Processes &from)
      : c(context), names_(context, root), function_(function), device_(device), columns_(columns),
        parameters_(from.parameters), channels_(from.channels), loops_(from.loops), accesses_(from.accesses),
        processes_(from.processes), packs_(from.packs) {
    const auto takes = [&](std::string_view name) { taken_.emplace(name); };
    c.each(root, [&](Node n) {
      takes(c.name_of(n));
      if (auto f = c.as<ast::FunctionDef>(n)) takes(f.name());
      if (auto a = c.as<ast::arg>(n)) takes(a.arg());
    });
    for (const Parameter &q : parameters_)
      if (q.counts) takes(q.name);
    for (const Channel &ch : channels_) takes(ch.name);
    for (const Process &p : processes_) {
      takes(p.name);
      for (const auto &[name, buffer] : p.buffers) takes(name);
    }
    for (const auto &[room, dtype] : from.rooms) {
      Parameter &q = parameters_[room];
      if (!q.counts) q.name = fresh(q.name);
      rooms_.push_back(named(q.name, q.counts ? counts_text(q, dtype) : text_of(q, dtype), q.node));
    }
  }

  Node write(int64_t more) {
    std::vector<uint32_t> inside = rooms_, cores;
    for (const Channel &ch : channels_) {
      if (ch.dead) continue;
      const int64_t depth = std::min(most_depth, std::max<int64_t>(1, ch.capacity) + std::max<int64_t>(0, more));
      if (ch.transfer) {
        const Access &a = accesses_[*ch.transfer];
        inside.push_back(named(ch.name, transfer(a, {a.stores ? ch.puts : ch.gets.at(0)}, depth, false), ch.node));
        continue;
      }
      inside.push_back(named(ch.name,
                             "aie.fifo(" + c.show(ch.dtype) + ", " + tuple(ch.extents) + ", '" + ch.puts + "', " +
                                 named_cores(ch.gets) + ", " + std::to_string(depth) + ")",
                             ch.node));
    }
    loads_.clear();
    for (Process &p : processes_) cores.push_back(core(p, inside, more));
    for (const Load &l : loads_)
      inside.push_back(named(l.name, transfer(*l.access, l.cores, l.depth, l.once, l.together), l.node));
    inside.insert(inside.end(), cores.begin(), cores.end());
    const std::string text = "aie.device('" + std::string(device_.name) + "', columns=" + std::to_string(columns_) +
                             ", rows=" + std::to_string(cores_per_column) + ")";
    const Node item = c.make(make::withitem{.context_expr = c.parse(text, function_)}, function_);
    auto f = c.read<ast::FunctionDef>(function_);
    std::vector<uint32_t> body;
    for (const Node s : f.body)
      if (auto e = c.as<ast::Expr>(s); e && c.is(e.value(), HTP_Constant)) body.push_back(s);
    body.push_back(c.make(make::With{.items = {item}, .body = std::move(inside)}, function_));
    f.body = body;
    std::vector<uint32_t> marks;
    for (const Node d : f.decorator_list)
      if (names_.qualified(c.is(d, HTP_Call) ? c.get<ast::Call>(d).func() : d) != "htp_csp.pipeline")
        marks.push_back(d);
    f.decorator_list = marks;
    return c.with(function_, f);
  }

private:
  Node said(const std::string &text, Node origin) const { return c.statement(c.parse(text, origin), origin); }
  Node named(const std::string &name, const std::string &text, Node origin) const {
    return c.assign(name, HTP_NONE, c.parse(text, origin), origin);
  }

  // Of an attempt that may be given up: the names of others do not count.
  std::string fresh(const std::string &stem) {
    std::string name = stem;
    for (int n = 1; !taken_.insert(name).second; ++n) name = stem + "_" + std::to_string(n);
    return name;
  }

  bool invariant(const Access &a) const {
    return std::all_of(a.index.begin(), a.index.end(), [](const Span &s) {
      return std::all_of(s.steps.begin(), s.steps.end(), [](const auto &step) { return step.second == 0; });
    });
  }
  std::vector<int64_t> strides_of(const Access &a) const {
    const std::vector<int64_t> &padded = parameters_[a.tensor].padded;
    std::vector<int64_t> strides(padded.size(), 1);
    for (size_t d = padded.size(); d-- > 1;) strides[d - 1] = strides[d] * padded[d];
    return strides;
  }
  int64_t start_of(const Access &a) const {
    const std::vector<int64_t> strides = strides_of(a);
    int64_t start = 0;
    for (size_t d = 0; d < a.index.size(); ++d) start += a.index[d].start * strides[d];
    return start;
  }
  // `aie.feed(…)` or `aie.collect(…)` of one core. What does not depend on a loop comes once.
  std::string transfer(const Access &a, const std::vector<std::string> &cores, int64_t depth, bool once,
                       const OneStream &together = {}) const {
    const Parameter &q = parameters_[a.tensor];
    const std::vector<int64_t> strides = strides_of(a);
    std::vector<int64_t> part;
    std::vector<std::pair<int64_t, int64_t>> order;
    for (const size_t loop : a.path) {
      int64_t step = 0;
      for (size_t d = 0; d < a.index.size(); ++d)
        if (const auto it = a.index[d].steps.find(loop); it != a.index[d].steps.end()) step += it->second * strides[d];
      if (!once && order.size() == together.within)
        order.insert(order.end(), together.dims.begin(), together.dims.end());
      if (!once) order.push_back({loops_[loop].times, step});
    }
    if (once || together.within == a.path.size()) order.insert(order.end(), together.dims.begin(), together.dims.end());
    for (size_t d = 0; d < a.index.size(); ++d) {
      part.push_back(a.index[d].size);
      order.push_back({a.index[d].size, strides[d] * a.index[d].apart});
    }
    std::vector<std::pair<int64_t, int64_t>> merged;
    for (const auto &[size, stride] : order) {
      if (size == 1) continue;
      if (!merged.empty() && stride != 0 && merged.back().second == size * stride)
        merged.back() = {merged.back().first * size, stride};
      else
        merged.push_back({size, stride});
    }
    if (merged.empty()) merged.push_back({1, 1});
    std::string ways;
    for (const auto &[size, stride] : merged)
      ways += "(" + std::to_string(size) + ", " + std::to_string(stride) + "), ";
    ways.resize(ways.size() - (merged.size() > 1 ? 2 : 1));
    return std::string(a.stores ? "aie.collect(" : "aie.feed(") + q.name + ", " + tuple(q.padded) + ", " + tuple(part) +
           ", (" + ways + "), 0, " + named_cores(cores) + ", " + std::to_string(depth) +
           ", start=" + std::to_string(start_of(a)) +
           (q.pieces.empty() ? std::string() : ", pieces=" + tuple(q.pieces)) +
           (a.stores || q.fill == Fill::zeros ? std::string() : ", fill='" + std::string(fill_named(q.fill)) + "'") +
           ")";
  }

  static std::string named_cores(const std::vector<std::string> &names) {
    std::string to;
    for (const std::string &name : names) to += (to.empty() ? "'" : ", '") + name + "'";
    return names.size() > 1 ? "(" + to + ")" : to;
  }

  // A stream of what is loaded, which brings the same to each of its cores.
  struct Load {
    std::string text, name; // the transfer, without its cores
    const Access *access;
    Node node;
    int64_t depth;
    bool once;
    OneStream together;
    std::vector<std::string> cores;
  };
  std::string load(const Access &a, const std::string &core, int64_t depth, bool once, const OneStream &together,
                   bool shares) {
    const std::string text = transfer(a, {}, depth, once, together);
    for (Load &l : loads_)
      if (shares && l.text == text && std::find(l.cores.begin(), l.cores.end(), core) == l.cores.end())
        return l.cores.push_back(core), l.name;
    const std::string name = fresh(parameters_[a.tensor].name + "_in");
    loads_.push_back({text, name, &a, a.node, depth, once, together, {core}});
    return name;
  }

  // What stands where in a process: for each item the lists around it, outermost first, and its place in each.
  using Place = std::vector<std::pair<const std::vector<Item> *, size_t>>;
  static void places(const std::vector<Item> &items, const Place &around, std::map<const Item *, Place> &out) {
    for (size_t k = 0; k < items.size(); ++k) {
      Place here = around;
      here.push_back({&items, k});
      out[&items[k]] = here;
      if (items[k].kind == Item::Kind::loop) places(items[k].body, here, out);
    }
  }

  struct Writing {
    Process *process = nullptr;
    std::map<const Item *, Place> places{};
    std::map<const Item *, std::string> stream{};
    std::map<const Item *, const Item *> hoisted{}; // to the one that stands for all
    std::map<const Item *, std::string> parts{};
    std::set<const Item *> direct{};                        // takes, and gives, whose tile is the part itself
    std::map<const Item *, const Item *> made{};            // of a tile's buffer: the give whose part it is
    std::map<const Item *, std::vector<std::string>> end{}; // behind an item: streams that are released
    std::map<std::string, std::string> alias{};             // of a tile: the part that was acquired before the loops
  };

  // Loads, or stores, that have one stream: it goes through them in the order in which the core does.
  struct Group {
    std::vector<const Item *> items;
    bool once = false; // before the loops
    OneStream together{};
  };
  // How far a group begins from another one that it goes on from; 0 where it does not.
  int64_t step(const Writing &w, const Group &group, const Group &next) const {
    const Item &first = *group.items.front(), &then = *next.items.front();
    const Access &a = accesses_[first.access], &b = accesses_[then.access];
    const auto stepped = [](const Span &s, size_t loop) {
      const auto it = s.steps.find(loop);
      return it == s.steps.end() ? 0 : it->second;
    };
    if (next.once != group.once || a.tensor != b.tensor || a.stores != b.stores || a.path.size() != b.path.size() ||
        group.together.dims != next.together.dims)
      return 0;
    for (size_t d = 0; d < a.index.size(); ++d) {
      if (a.index[d].size != b.index[d].size || a.index[d].apart != b.index[d].apart) return 0;
      for (size_t l = 0; !group.once && l < a.path.size(); ++l)
        if (loops_[a.path[l]].times != loops_[b.path[l]].times ||
            stepped(a.index[d], a.path[l]) != stepped(b.index[d], b.path[l]))
          return 0;
    }
    // What stands in one list comes in turn, a series as a whole; what has loops of its own, one loop after the other.
    if (!group.once && shared(a, b) == a.path.size() &&
        (w.places.at(&first).back().first != w.places.at(&then).back().first ||
         w.places.at(group.items.back()).back().second > w.places.at(&then).back().second))
      return 0;
    if (!group.together.dims.empty() && (group.once || shared(a, b) != a.path.size())) return 0;
    return std::max<int64_t>(0, start_of(b) - start_of(a));
  }
  // Series of groups that go on in equal steps.
  std::vector<Group> joined(const Writing &w, const std::vector<Group> &groups, bool loads, bool stores) const {
    struct Series {
      std::vector<const Group *> of;
      int64_t step = 0;
      size_t within = 0;
    };
    std::vector<Series> all;
    for (const Group &g : groups) {
      const bool joins = g.items[0]->kind == Item::Kind::load ? loads : stores;
      const auto at = std::find_if(all.begin(), all.end(), [&](const Series &s) {
        const int64_t by = joins ? step(w, *s.of.back(), g) : 0;
        return by > 0 && (s.of.size() == 1 || (by == s.step && within(*s.of.back(), g) == s.within));
      });
      if (at == all.end()) {
        all.push_back({{&g}, 0, 0});
        continue;
      }
      at->step = step(w, *at->of.back(), g), at->within = within(*at->of.back(), g);
      at->of.push_back(&g);
    }
    std::vector<Group> made;
    for (const Series &s : all) {
      Group &g = made.emplace_back(*s.of[0]);
      if (s.of.size() == 1) continue;
      g.together.within = s.within;
      g.together.dims.insert(g.together.dims.begin(), {std::ssize(s.of), s.step});
      for (size_t k = 1; k < s.of.size(); ++k)
        g.items.insert(g.items.end(), s.of[k]->items.begin(), s.of[k]->items.end());
    }
    return made;
  }
  size_t within(const Group &a, const Group &b) const {
    return shared(accesses_[a.items[0]->access], accesses_[b.items[0]->access]);
  }
  static size_t shared(const Access &a, const Access &b) { // loops around
    const auto end = std::mismatch(a.path.begin(), a.path.end(), b.path.begin(), b.path.end()).first;
    return static_cast<size_t>(end - a.path.begin());
  }
  // A stream for each load and store, or one for several, where a core has too few channels.
  std::vector<Group> grouped(Writing &w) const {
    std::set<size_t> in, out; // channels of the host
    std::vector<Group> groups;
    std::map<std::string, const Item *> once;
    each(w.process->body, [&](const Item &i) {
      if (i.kind == Item::Kind::get && channels_[i.channel].transfer) in.insert(i.channel);
      if (i.kind == Item::Kind::put && channels_[i.channel].transfer) out.insert(i.channel);
      if (i.kind != Item::Kind::load && i.kind != Item::Kind::store) return;
      const Access &a = accesses_[i.access];
      if (i.pack) {
        const Pack &pack = packs_[*i.pack];
        if (pack.once) w.hoisted[&i] = &i;
        const auto at =
            std::find_if(groups.begin(), groups.end(), [&](const Group &g) { return g.items[0]->pack == i.pack; });
        if (at != groups.end())
          at->items.push_back(&i);
        else
          groups.push_back({{&i}, pack.once, {{{pack.parts, pack.elements}}, pack.within}});
        return;
      }
      const bool comes_once = !a.stores && invariant(a) && !a.path.empty();
      if (comes_once) {
        const auto [first, fresh] = once.try_emplace(transfer(a, {}, 1, true), &i);
        w.hoisted[&i] = first->second;
        if (!fresh) return;
      }
      groups.push_back({{&i}, comes_once, {}});
    });
    const auto many = [&](Item::Kind kind, const std::set<size_t> &others) {
      const auto of =
          std::count_if(groups.begin(), groups.end(), [&](const Group &g) { return g.items[0]->kind == kind; });
      return of + std::ssize(others) > core_channels;
    };
    for (size_t before = 0; groups.size() != before;) {
      before = groups.size();
      groups = joined(w, groups, many(Item::Kind::load, in), many(Item::Kind::store, out));
    }
    return groups;
  }

  Node core(Process &p, std::vector<uint32_t> &streams, int64_t more) {
    Writing w{.process = &p};
    places(p.body, {}, w.places);
    std::vector<uint32_t> before, after;
    each(p.body, [&](const Item &i) {
      if (i.kind == Item::Kind::get || i.kind == Item::Kind::put || i.kind == Item::Kind::drop)
        w.stream[&i] = channels_[i.channel].name;
    });
    const std::vector<Group> groups = grouped(w);
    for (const Group &g : groups) {
      const Access &a = accesses_[g.items[0]->access];
      int64_t depth = g.once || a.path.empty() || more < 0 ? 1 : 2;
      if (const int64_t parts = std::ssize(g.items); parts > 1) // that are held beside each other
        depth = std::min(most_depth, g.once ? parts : more > 0 ? std::max(2 + more, parts) : 2);
      std::string name;
      if (!a.stores) {
        name = load(a, p.name, depth, g.once, g.together, more < 2);
      } else {
        name = fresh(parameters_[a.tensor].name + "_out");
        streams.push_back(named(name, transfer(a, {p.name}, depth, false, g.together), a.node));
      }
      for (const Item *i : g.items) w.stream[i] = name;
    }
    decide(w);
    for (const Group &g : groups)
      for (const Item *item : g.items) {
        if (!g.once) continue;
        const std::string part = fresh(parameters_[accesses_[item->access].tensor].name + "_part");
        w.parts[item] = part;
        before.push_back(named(part, "aie.acquire(" + w.stream.at(item) + ", core)", item->node));
        after.push_back(said("aie.release(" + w.stream.at(item) + ", core)", item->node));
      }
    std::vector<uint32_t> body = before, inner = statements(w, p.body);
    body.insert(body.end(), inner.begin(), inner.end());
    body.insert(body.end(), after.begin(), after.end());
    make::FunctionDef f;
    f.name = p.name;
    make::arguments arguments;
    arguments.args = {c.make(make::arg{.arg = std::string("core"), .annotation = c.parse("aie.Core", p.node)}, p.node)};
    f.args = c.make(arguments, p.node);
    f.decorator_list = {c.parse("aie.core()", p.node)};
    f.returns = c.make(make::Constant{.value = {}}, p.node);
    f.body = std::move(body);
    return c.make(f, p.node);
  }

  // Where an item stands in a list: its place, or that of the loop around it; nothing elsewhere.
  static std::optional<size_t> within(const Writing &w, const Item *item, const std::vector<Item> *list) {
    for (const auto &[items, at] : w.places.at(item))
      if (items == list) return at;
    return std::nullopt;
  }

  // Which tiles are parts of streams: what is taken and never written, and what is written and given once.
  void decide(Writing &w) {
    std::map<std::string, std::vector<const Item *>> uses, writes, takes, gives;
    std::map<std::string, const Item *> declared;
    std::map<std::string, std::vector<const Item *>> of; // by stream
    each(w.process->body, [&](const Item &i) {
      for (const std::string &t : i.reads) uses[t].push_back(&i);
      if (i.kind == Item::Kind::word) writes[i.tile].push_back(&i), uses[i.tile].push_back(&i);
      if (i.kind == Item::Kind::buffer) declared[i.tile] = &i;
      if (i.kind == Item::Kind::load || i.kind == Item::Kind::get) takes[i.tile].push_back(&i);
      if (i.kind == Item::Kind::store || i.kind == Item::Kind::put) gives[i.tile].push_back(&i);
      if (w.stream.contains(&i) && !w.hoisted.contains(&i)) of[w.stream.at(&i)].push_back(&i);
    });
    for (const auto &[tile, taken] : takes)
      if (w.hoisted.contains(taken[0]) && !taken[0]->pack && taken.size() == 1 && writes[tile].empty())
        w.direct.insert(taken[0]);
    for (const auto &[stream, items] : of) {
      if (items[0]->pack) continue; // each is taken out of its part
      const bool takes_them =
          items[0]->kind == Item::Kind::load || items[0]->kind == Item::Kind::get || items[0]->kind == Item::Kind::drop;
      takes_them ? decide_takes(w, items, uses, writes, takes) : decide_gives(w, items, uses, takes, gives, declared);
    }
  }
  using ByTile = std::map<std::string, std::vector<const Item *>>;
  // All of a stream or none, where more than one is held: what is released is what was acquired first.
  void decide_takes(Writing &w, const std::vector<const Item *> &items, ByTile &uses, ByTile &writes, ByTile &takes) {
    std::map<const Item *, size_t> last;
    bool good = true;
    for (const Item *i : items) {
      const auto [list, at] = w.places.at(i).back();
      last[i] = at;
      if (i->kind == Item::Kind::drop) continue;
      good = good && takes[i->tile].size() == 1 && writes[i->tile].empty();
      for (const Item *use : uses[i->tile]) {
        const auto place = within(w, use, list);
        good = good && place && *place > at;
        if (place) last[i] = std::max(last[i], *place);
      }
    }
    for (const Item *i : items) // nothing of the stream in a loop while a part from before it is held
      for (const Item *other : items) {
        const auto [list, at] = w.places.at(i).back();
        const auto place = within(w, other, list);
        if (other != i && place && *place > at && *place <= last[i] && w.places.at(other).back().first != list)
          good = false;
        if (other != i && place && w.places.at(other).back().first == list && *place > at)
          last[other] = std::max(last[other], last[i]);
      }
    if (!good) return;
    for (const Item *i : items) {
      if (i->kind == Item::Kind::drop) continue;
      w.direct.insert(i);
      w.end[&(*w.places.at(i).back().first)[last[i]]].push_back(w.stream.at(i));
    }
  }
  void decide_gives(Writing &w, const std::vector<const Item *> &items, ByTile &uses, ByTile &takes, ByTile &gives,
                    const std::map<std::string, const Item *> &declared) {
    for (const Item *i : items) {
      const auto made = declared.find(i->tile);
      if (made == declared.end() || gives[i->tile].size() != 1 || takes.contains(i->tile)) continue;
      const auto [list, at] = w.places.at(i).back();
      if (w.places.at(made->second).back().first != list) continue;
      const size_t from = w.places.at(made->second).back().second;
      bool good = true;
      for (const Item *use : uses[i->tile]) {
        const auto place = within(w, use, list);
        good = good && place && *place <= at;
      }
      for (const Item *other : items)
        if (other != i) {
          const auto place = within(w, other, list);
          good = good && !(place && *place > from && *place < at);
        }
      if (!good) continue;
      w.direct.insert(i);
      w.made[made->second] = i;
    }
  }

  std::vector<uint32_t> statements(Writing &w, const std::vector<Item> &items) {
    std::vector<uint32_t> out;
    for (const Item &i : items) {
      statement(w, i, out);
      if (const auto it = w.end.find(&i); it != w.end.end())
        for (const std::string &stream : it->second) out.push_back(said("aie.release(" + stream + ", core)", i.node));
    }
    return out;
  }
  void statement(Writing &w, const Item &i, std::vector<uint32_t> &out) {
    const auto acquire = [&](const std::string &name, const Item *of) {
      out.push_back(named(name, "aie.acquire(" + w.stream.at(of) + ", core)", i.node));
    };
    const auto release = [&](const Item *of) {
      out.push_back(said("aie.release(" + w.stream.at(of) + ", core)", i.node));
    };
    const auto part_of = [&] { return fresh(w.stream.at(&i) + "_part"); };
    const auto taken = [&](const std::string &part) {
      out.push_back(said(
          i.pack ? "aie.unpack(" + i.tile + ", " + part + ", 0)" : "aie.copy(" + i.tile + ", " + part + ")", i.node));
    };
    switch (i.kind) {
    case Item::Kind::loop: {
      const Loop &l = loops_[i.loop];
      out.push_back(c.make(make::For{.target = c.name(l.name, i.node, HTP_STORE),
                                     .iter = c.parse("range(" + std::to_string(l.times) + ")", i.node),
                                     .body = statements(w, i.body)},
                           i.node));
      return;
    }
    case Item::Kind::buffer: {
      if (const auto it = w.made.find(&i); it != w.made.end()) return acquire(i.tile, it->second);
      if (taken_direct(w, i.tile)) return;
      const Buffer &b = w.process->buffers.at(i.tile);
      std::string text = "aie.buffer(" + c.show(b.dtype);
      for (const int64_t e : b.extents) text += ", " + std::to_string(e);
      out.push_back(named(i.tile, text + ")", i.node));
      return;
    }
    case Item::Kind::word:
      out.push_back(c.statement(rewrite(
                                    c, copy_of(c, i.call, i.call),
                                    [&](Node n) {
                                      const auto it = w.alias.find(std::string(c.name_of(n)));
                                      return it == w.alias.end() ? n : c.name(it->second, n);
                                    },
                                    [](Node, std::vector<uint32_t> &) { return false; }),
                                i.node));
      return;
    case Item::Kind::drop: {
      acquire(part_of(), &i);
      release(&i);
      return;
    }
    case Item::Kind::load:
    case Item::Kind::get: {
      if (const auto it = w.hoisted.find(&i); it != w.hoisted.end()) {
        const std::string &part = w.parts.at(it->second);
        if (w.direct.contains(&i))
          w.alias[i.tile] = part;
        else
          taken(part);
        return;
      }
      if (w.direct.contains(&i)) return acquire(i.tile, &i);
      const std::string part = part_of();
      acquire(part, &i);
      taken(part);
      release(&i);
      return;
    }
    case Item::Kind::store:
    case Item::Kind::put: {
      if (!w.direct.contains(&i)) {
        const std::string part = part_of();
        acquire(part, &i);
        const auto it = w.alias.find(i.tile);
        out.push_back(said("aie.copy(" + part + ", " + (it == w.alias.end() ? i.tile : it->second) + ")", i.node));
      }
      release(&i);
      return;
    }
    }
  }
  // Whether the tile is what is acquired, so that it needs no room of its own.
  bool taken_direct(const Writing &w, const std::string &tile) const {
    return std::any_of(w.direct.begin(), w.direct.end(), [&](const Item *i) {
      return i->tile == tile && (i->kind == Item::Kind::load || i->kind == Item::Kind::get);
    });
  }

  const Context &c;
  Names names_;
  Node function_;
  const Device &device_;
  int64_t columns_;
  std::deque<Parameter> &parameters_;
  std::deque<Channel> &channels_;
  std::vector<Loop> &loops_;
  std::vector<Access> &accesses_;
  std::deque<Process> &processes_;
  const std::vector<Pack> &packs_;
  std::vector<uint32_t> rooms_; // statements
  std::vector<Load> loads_;
  std::set<std::string> taken_;
};

} // namespace

Node write(const Context &c, Node root, Node function, const Device &device, int64_t columns, Processes &from,
           int64_t more) {
  return Writer(c, root, function, device, columns, from).write(more);
}

} // namespace htp::aie::processes
