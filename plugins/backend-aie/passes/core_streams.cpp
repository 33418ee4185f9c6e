// aie.insert_streams, where cores have bodies of their own: what they load, store, put and get comes and goes by
// streams. A block of a stream is copied to a tile, or from one.
#include "analyses/cores.h"
#include "analyses/host_made.h"
#include "passes.h"
#include "streams.h"

#include "htp_cpp/edit.h"
#include "htp_cpp/types.h"

#include <algorithm>

namespace htp::aie::cores {

namespace {

// Accesses that one stream goes through, one after the other within so many of the loops around them: how many, and how
// far each begins from the one before it, of series of series.
struct OneStream {
  std::vector<std::pair<int64_t, int64_t>> dims;
  size_t within = 0;
};

class Inserting : Writing {
public:
  Inserting(const Context &context, Node function, const OnDevice &on, Cores &all)
      : Writing(context), c(context), function_(function), on_(on), slack_(on.choices.slack), all_(all),
        parameters_(all.parameters), channels_(all.channels), loops_(all.loops), accesses_(all.accesses) {}

  Node run() {
    std::vector<uint32_t> inside = host_made_statements(c, all_), cores;
    for (const Channel &ch : channels_) {
      if (ch.dead) continue;
      const int64_t depth = std::min(most_depth, std::max<int64_t>(1, ch.capacity) + slack_);
      if (ch.transfer) {
        const Access &a = accesses_[*ch.transfer];
        inside.push_back(assign(ch.name, transfer(a, {a.stores ? ch.puts : ch.gets.at(0)}, depth, false), ch.node));
        continue;
      }
      inside.push_back(assign(ch.name,
                              "aie.fifo(" + c.show(ch.dtype) + ", " + tuple(ch.extents) + ", '" + ch.puts + "', " +
                                  named_cores(ch.gets) + ", " + std::to_string(depth) + ")",
                              ch.node));
    }
    for (Process &p : all_.processes)
      if (!p.dma) cores.push_back(core(p, inside));
    for (const Load &l : loads_)
      inside.push_back(assign(l.name, transfer(l.access, l.cores, l.depth, l.once, l.together), l.node));
    inside.insert(inside.end(), cores.begin(), cores.end());
    OnDevice on = on_;
    on.choices = {};
    return with_body(c, function_, device_around(c, on, std::move(inside), function_));
  }

private:
  bool invariant(const Access &a) const {
    return std::all_of(a.index.begin(), a.index.end(), [](const Slice &s) {
      return std::all_of(s.steps.begin(), s.steps.end(), [](const auto &step) { return step.second == 0; });
    });
  }
  int64_t start_of(const Access &a) const {
    const std::vector<int64_t> strides = strides_of(parameters_[a.tensor]);
    int64_t start = 0;
    for (size_t d = 0; d < a.index.size(); ++d) start += a.index[d].start * strides[d];
    return start;
  }
  // `aie.feed(…)` or `aie.collect(…)` of one core. What does not depend on a loop comes once.
  std::string transfer(const Access &a, const std::vector<std::string> &cores, int64_t depth, bool once,
                       const OneStream &together = {}) const {
    const Parameter &q = parameters_[a.tensor];
    const std::vector<int64_t> strides = strides_of(parameters_[a.tensor]);
    std::vector<int64_t> part;
    Order order;
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
    return transfer_text(q, a.stores, part, order, 0, named_cores(cores), depth,
                         ", start=" + std::to_string(start_of(a)) +
                             (q.pieces.empty() ? std::string() : ", pieces=" + tuple(q.pieces)));
  }

  static std::string named_cores(const std::vector<std::string> &names) {
    std::string to;
    for (const std::string &name : names) to += (to.empty() ? "'" : ", '") + name + "'";
    return names.size() > 1 ? "(" + to + ")" : to;
  }

  // A stream of what is loaded, which brings the same to each of its cores.
  struct Load {
    std::string text, name; // the transfer, without its cores
    Access access;
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
    const std::string name = fresh(all_, parameters_[a.tensor].name + "_in");
    loads_.push_back({text, name, a, a.node, depth, once, together, {core}});
    return name;
  }

  // What stands where in a process: for each item the lists around it, outermost first, and its position in each.
  using Position = std::vector<std::pair<const std::vector<Item> *, size_t>>;
  static void positions(const std::vector<Item> &items, const Position &around, std::map<const Item *, Position> &out) {
    for (size_t k = 0; k < items.size(); ++k) {
      Position here = around;
      here.push_back({&items, k});
      out[&items[k]] = here;
      if (items[k].kind == Item::Kind::loop) positions(items[k].body, here, out);
    }
  }

  struct InProcess {
    Process *process = nullptr;
    std::map<const Item *, Position> positions{};
    std::map<const Item *, std::string> stream{};
    std::map<const Item *, const Item *> hoisted{}; // to the one that stands for all
    std::map<const Item *, std::string> blocks{};
  };

  // Loads, or stores, that have one stream: it goes through them in the order in which the core does.
  struct Group {
    std::vector<const Item *> items;
    bool once = false; // before the loops
    OneStream together{};
    std::optional<Access> all = {}; // of loads that go through a tensor in order, row by row
  };
  const Access &access_of(const Group &g) const { return g.all ? *g.all : accesses_[g.items[0]->access]; }
  // How far a group begins from another one that it goes on from; 0 where it does not.
  int64_t step(const InProcess &w, const Group &group, const Group &next) const {
    const Item &first = *group.items.front(), &then = *next.items.front();
    const Access &a = access_of(group), &b = access_of(next);
    if (group.all || next.all) return 0;
    if (next.once != group.once || a.tensor != b.tensor || a.stores != b.stores || a.path.size() != b.path.size() ||
        group.together.dims != next.together.dims)
      return 0;
    for (size_t d = 0; d < a.index.size(); ++d) {
      if (a.index[d].size != b.index[d].size || a.index[d].apart != b.index[d].apart) return 0;
      for (size_t l = 0; !group.once && l < a.path.size(); ++l)
        if (loops_[a.path[l]].times != loops_[b.path[l]].times ||
            a.index[d].step(a.path[l]) != b.index[d].step(b.path[l]))
          return 0;
    }
    // What stands in one list comes in turn, a series as a whole; what has loops of its own, one loop after the other.
    if (!group.once && shared(a, b) == a.path.size() &&
        (w.positions.at(&first).back().first != w.positions.at(&then).back().first ||
         w.positions.at(group.items.back()).back().second > w.positions.at(&then).back().second))
      return 0;
    if (!group.together.dims.empty() && (group.once || shared(a, b) != a.path.size())) return 0;
    return std::max<int64_t>(0, start_of(b) - start_of(a));
  }
  // Series of groups that go on in equal steps.
  std::vector<Group> joined(const InProcess &w, const std::vector<Group> &groups, bool loads, bool stores) const {
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
  size_t within(const Group &a, const Group &b) const { return shared(access_of(a), access_of(b)); }
  static size_t shared(const Access &a, const Access &b) { // loops around
    const auto end = std::mismatch(a.path.begin(), a.path.end(), b.path.begin(), b.path.end()).first;
    return static_cast<size_t>(end - a.path.begin());
  }
  // The loads of a core of a tensor that the host packed for it, where each is of the row behind the one before.
  std::map<size_t, Group> row_by_row(const InProcess &w) const {
    std::map<size_t, Group> found;
    each(w.process->body, [&](const Item &i) {
      if (i.kind != Item::Kind::load) return;
      const Access &a = accesses_[i.access];
      if (!parameters_[a.tensor].packed.empty() && a.index.size() == 2) found[a.tensor].items.push_back(&i);
    });
    for (auto group = found.begin(); group != found.end();)
      group = rows_in_order(w, group->second) ? std::next(group) : found.erase(group);
    return found;
  }
  bool rows_in_order(const InProcess &w, Group &g) const {
    const Access &first = accesses_[g.items[0]->access];
    const int64_t elements = parameters_[first.tensor].extents[1];
    g.once = true;
    std::vector<size_t> outside = first.path; // loops around all of them, which change none
    for (const Item *i : g.items) {
      const Access &a = accesses_[i->access];
      if (a.index[0].size != 1 || a.index[1].size != elements || a.index[1].start) return false;
      g.once = g.once && invariant(a) && !a.path.empty();
      size_t same = 0;
      while (same < std::min(outside.size(), a.path.size()) && outside[same] == a.path[same] &&
             a.index[0].step(a.path[same]) == 0)
        ++same;
      outside.resize(same);
    }
    std::map<size_t, int64_t> each_iteration; // rows of loops
    std::map<const Item *, int64_t> before;
    int64_t rows = 0;
    if (g.once)
      for (const Item *i : g.items) before[i] = rows++;
    else
      rows = count_rows(w.process->body, first.tensor, outside, 0, each_iteration, before);
    for (const Item *i : g.items) {
      const Access &a = accesses_[i->access];
      if (a.index[0].start - first.index[0].start != before.at(i)) return false;
      for (const size_t loop : a.path)
        if (!g.once && std::find(outside.begin(), outside.end(), loop) == outside.end() &&
            a.index[0].step(loop) != each_iteration.at(loop))
          return false;
    }
    if (rows == 1) return false;
    g.all = Access{.tensor = first.tensor, .path = g.once ? first.path : outside, .node = first.node};
    g.all->index = {Slice{first.index[0].start, 1, {}}, Slice{0, elements, {}}};
    g.together = {{{rows, elements}}, outside.size()};
    return true;
  }
  // How many rows of a tensor a list loads, in the first iteration of the loops around all of its loads.
  int64_t count_rows(const std::vector<Item> &items, size_t tensor, const std::vector<size_t> &outside, int64_t from,
                     std::map<size_t, int64_t> &each_iteration, std::map<const Item *, int64_t> &before) const {
    int64_t rows = 0;
    for (const Item &i : items)
      if (i.kind == Item::Kind::loop) {
        const int64_t of = each_iteration[i.loop] =
            count_rows(i.body, tensor, outside, from + rows, each_iteration, before);
        rows += of * (std::find(outside.begin(), outside.end(), i.loop) != outside.end() ? 1 : loops_[i.loop].times);
      } else if (i.kind == Item::Kind::load && accesses_[i.access].tensor == tensor) {
        before[&i] = from + rows++;
      }
    return rows;
  }
  // A stream for each load and store, or one for several, where a core has too few channels.
  std::vector<Group> grouped(InProcess &w) const {
    const std::map<size_t, Group> in_order = row_by_row(w);
    std::set<size_t> in, out; // channels of the host
    std::vector<Group> groups;
    std::map<std::string, const Item *> once;
    each(w.process->body, [&](const Item &i) {
      if (i.kind == Item::Kind::get && channels_[i.channel].transfer) in.insert(i.channel);
      if (i.kind == Item::Kind::put && channels_[i.channel].transfer) out.insert(i.channel);
      if (i.kind != Item::Kind::load && i.kind != Item::Kind::store) return;
      const Access &a = accesses_[i.access];
      if (const auto at = in_order.find(a.tensor); at != in_order.end()) {
        if (at->second.once) w.hoisted[&i] = &i;
        if (&i == at->second.items[0]) groups.push_back(at->second);
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

  Node core(Process &p, std::vector<uint32_t> &streams) {
    InProcess w{.process = &p};
    positions(p.body, {}, w.positions);
    std::vector<uint32_t> before, after;
    each(p.body, [&](const Item &i) {
      if (i.kind == Item::Kind::get || i.kind == Item::Kind::put || i.kind == Item::Kind::drop)
        w.stream[&i] = channels_[i.channel].name;
    });
    const std::vector<Group> groups = grouped(w);
    for (const Group &g : groups) {
      const Access &a = access_of(g);
      int64_t depth = g.once || a.path.empty() || on_.choices.depth == 1 ? 1 : 2;
      if (const int64_t parts = std::ssize(g.items); parts > 1) // that are held beside each other
        depth = std::min(most_depth, g.once ? parts : slack_ > 0 ? std::max(2 + slack_, parts) : 2);
      std::string name;
      if (!a.stores) {
        name = load(a, p.name, depth, g.once, g.together, slack_ < 2);
      } else {
        name = fresh(all_, parameters_[a.tensor].name + "_out");
        streams.push_back(assign(name, transfer(a, {p.name}, depth, false, g.together), a.node));
      }
      for (const Item *i : g.items) w.stream[i] = name;
    }
    for (const Group &g : groups)
      for (const Item *item : g.items) {
        if (!g.once) continue;
        const std::string part = fresh(all_, parameters_[access_of(g).tensor].name + "_block");
        w.blocks[item] = part;
        before.push_back(assign(part, "aie.acquire(" + w.stream.at(item) + ", core)", item->node));
        after.push_back(call("aie.release(" + w.stream.at(item) + ", core)", item->node));
      }
    std::vector<uint32_t> body = before, inner = statements(w, p.body);
    body.insert(body.end(), inner.begin(), inner.end());
    body.insert(body.end(), after.begin(), after.end());
    return core_function(c, p, std::move(body));
  }

  std::vector<uint32_t> statements(InProcess &w, const std::vector<Item> &items) {
    std::vector<uint32_t> out;
    for (const Item &i : items) statement(w, i, out);
    return out;
  }
  void statement(InProcess &w, const Item &i, std::vector<uint32_t> &out) {
    switch (i.kind) {
    case Item::Kind::loop: {
      const std::vector<uint32_t> body = statements(w, i.body);
      if (!i.changed) return out.push_back(with_list(c, i.node, HTP_FIELD(For, body), body));
      const Loop &l = loops_[i.loop];
      return out.push_back(counted(l.name, l.times, body, i.node));
    }
    case Item::Kind::buffer: {
      if (!i.changed) return out.push_back(i.node);
      const Buffer &b = w.process->buffers.at(i.tile);
      std::string text = "aie.buffer(" + c.show(b.dtype);
      for (const int64_t e : b.extents) text += ", " + std::to_string(e);
      return out.push_back(assign(i.tile, text + ")", i.node));
    }
    case Item::Kind::call: return out.push_back(i.changed ? c.statement(i.call, i.node) : i.node);
    case Item::Kind::drop:
    case Item::Kind::load:
    case Item::Kind::get:
    case Item::Kind::store:
    case Item::Kind::put: break;
    }
    const auto copy = [&](const std::string &to, const std::string &from) {
      out.push_back(call("aie.copy(" + to + ", " + from + ")", i.node));
    };
    if (const auto hoisted = w.hoisted.find(&i); hoisted != w.hoisted.end())
      return copy(i.tile, w.blocks.at(hoisted->second));
    const std::string &stream = w.stream.at(&i), part = fresh(all_, stream + "_block");
    out.push_back(assign(part, "aie.acquire(" + stream + ", core)", i.node));
    if (i.kind == Item::Kind::load || i.kind == Item::Kind::get) copy(i.tile, part);
    if (i.kind == Item::Kind::store || i.kind == Item::Kind::put) copy(part, i.tile);
    out.push_back(call("aie.release(" + stream + ", core)", i.node));
  }

  const Context &c;
  Node function_;
  const OnDevice &on_;
  const int64_t slack_;
  Cores &all_;
  std::deque<Parameter> &parameters_;
  std::deque<Channel> &channels_;
  std::vector<Loop> &loops_;
  std::vector<Access> &accesses_;
  std::vector<Load> loads_;
};

} // namespace

Node with_streams(const Context &c, Node function, const OnDevice &on, Cores &all) {
  return Inserting(c, function, on, all).run();
}

} // namespace htp::aie::cores
