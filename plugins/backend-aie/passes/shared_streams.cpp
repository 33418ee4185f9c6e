// aie.insert_streams, where cores are alike: a stream goes by the columns of cores, and to each core of a column in
// turn, to all of them, or to each row of cores.
#include "passes/streams.h"

#include "analyses/host_made.h"
#include "passes/on_cores.h"

#include "htp_cpp/edit.h"

#include <algorithm>

namespace htp::aie::cores {

std::vector<int64_t> strides_of(const Parameter &tensor) {
  std::vector<int64_t> strides(tensor.padded.size(), 1);
  for (size_t d = tensor.padded.size(); d-- > 1;) strides[d - 1] = strides[d] * tensor.padded[d];
  return strides;
}

static Order merged(const Order &order) {
  Order made;
  for (const auto &[size, stride] : order) {
    if (size == 1) continue;
    if (!made.empty() && stride != 0 && made.back().second == size * stride)
      made.back() = {made.back().first * size, stride};
    else
      made.push_back({size, stride});
  }
  if (made.empty()) made.push_back({1, 1});
  return made;
}

std::vector<uint32_t> host_made_statements(const Context &c, const Cores &all) {
  std::vector<uint32_t> made;
  for (const auto &[tensor, from] : all.host_made) {
    const Parameter &q = all.parameters[tensor];
    made.push_back(from.node ? from.node
                             : c.assign(q.name, HTP_NONE, c.parse(host_made_text(q, from.dtype), q.node), q.node));
  }
  return made;
}

static std::string text_of(const Order &order) {
  std::string text = "(";
  for (const auto &[size, stride] : order) text += "(" + std::to_string(size) + ", " + std::to_string(stride) + "), ";
  text.resize(text.size() - (order.size() > 1 ? 2 : 1));
  return text + ")";
}

std::string transfer_text(const Parameter &tensor, bool stores, const std::vector<int64_t> &block, const Order &order,
                          int64_t apart, const std::string &to, int64_t depth, const std::string &more) {
  return std::string(stores ? "aie.collect(" : "aie.feed(") + tensor.name + ", " + tuple(tensor.padded) + ", " +
         tuple(block) + ", " + text_of(merged(order)) + ", " + std::to_string(apart) + ", " + to + ", " +
         std::to_string(depth) + more +
         (stores || tensor.fill == Fill::zeros ? std::string()
                                               : ", fill='" + std::string(fill_named(tensor.fill)) + "'") +
         ")";
}

namespace {

// What goes by one stream.
struct Shared {
  std::vector<const Item *> items;
  std::string name;
  bool once = false;      // it comes before the loops, and stays
  std::set<size_t> loops; // innermost ones, beside each other, in each of which all of it comes
};

class InsertingShared : Writing {
public:
  InsertingShared(const Context &context, Node function, const OnDevice &on, Cores &all)
      : Writing(context), c(context), function_(function), on_(on), all_(all), p(all.processes[0]) {}

  Node run() {
    find_streams();
    std::vector<uint32_t> inside = host_made_statements(c, all_);
    for (const Shared &s : streams_) inside.push_back(assign(s.name, text(s), access(*s.items[0]).node));
    std::vector<uint32_t> before, after;
    for (const Shared &s : streams_) {
      if (!s.once) continue;
      const Access &a = access(*s.items[0]);
      parts_[&s] = fresh(all_, all_.parameters[a.tensor].name + "_block");
      before.push_back(assign(parts_[&s], "aie.acquire(" + s.name + ", " + all_.core + ")", a.node));
      after.push_back(call("aie.release(" + s.name + ", " + all_.core + ")", a.node));
    }
    const std::vector<uint32_t> body = statements(p.body);
    before.insert(before.end(), body.begin(), body.end());
    before.insert(before.end(), after.begin(), after.end());
    inside.push_back(with_list(c, p.node, HTP_FIELD(For, body), before));
    OnDevice on = on_;
    on.choices = {};
    return with_body(c, function_, device_around(c, on, std::move(inside), function_));
  }

private:
  const Access &access(const Item &i) const { return all_.accesses[i.access]; }

  // ── which there are ──

  void find_streams() {
    each_access(all_, p.body, [&](const Item &i, const Access &a) {
      const Parameter &q = all_.parameters[a.tensor];
      if (!q.packed.empty()) { // in the order in which the core loads it
        const auto at = std::find_if(streams_.begin(), streams_.end(),
                                     [&](const Shared &s) { return access(*s.items[0]).tensor == a.tensor; });
        if (at != streams_.end()) return at->items.push_back(&i);
      }
      Shared &s = streams_.emplace_back();
      s.items = {&i};
      s.once = !a.stores && q.packed.empty() &&
               std::all_of(a.index.begin(), a.index.end(), [](const Slice &x) { return x.whole; });
      if (!a.path.empty()) s.loops = {a.path.back()};
    });
    const auto loads =
        std::count_if(streams_.begin(), streams_.end(), [&](const Shared &s) { return !access(*s.items[0]).stores; });
    if (loads > core_channels) join();
    for (Shared &s : streams_) {
      const Access &a = access(*s.items[0]);
      s.name = fresh(all_, all_.parameters[a.tensor].name + (a.stores ? "_out" : "_in"));
    }
  }
  // Loops beside each other that go through a tensor alike get it by one stream, which brings it as often.
  void join() {
    std::vector<Shared> joined;
    for (Shared &s : streams_) {
      const auto at = std::find_if(joined.begin(), joined.end(), [&](const Shared &o) { return alike(o, s); });
      if (at == joined.end()) {
        joined.push_back(std::move(s));
        continue;
      }
      at->items.insert(at->items.end(), s.items.begin(), s.items.end());
      at->loops.insert(s.loops.begin(), s.loops.end());
    }
    streams_ = std::move(joined);
  }
  bool alike(const Shared &one, const Shared &other) const {
    const Access &a = access(*one.items[0]), &b = access(*other.items[0]);
    if (a.stores || b.stores || a.tensor != b.tensor || one.once != other.once || a.path.size() != b.path.size() ||
        !all_.parameters[a.tensor].packed.empty())
      return false;
    const size_t depth = a.path.size();
    for (size_t k = 0; k < depth; ++k)
      if (k + 1 < depth ? a.path[k] != b.path[k] : all_.loops[a.path[k]].times != all_.loops[b.path[k]].times)
        return false;
    return std::equal(a.index.begin(), a.index.end(), b.index.begin(), [&](const Slice &x, const Slice &y) {
      bool same =
          x.start == y.start && x.size == y.size && x.apart == y.apart && x.column == y.column && x.row == y.row;
      for (size_t k = 0; k < depth; ++k) same = same && x.step(a.path[k]) == y.step(b.path[k]);
      return same;
    });
  }

  // ── how they go ──

  int64_t along(const Access &a, const std::function<int64_t(const Slice &)> &step) const { // elements
    const std::vector<int64_t> strides = strides_of(all_.parameters[a.tensor]);
    int64_t sum = 0;
    for (size_t d = 0; d < a.index.size(); ++d) sum += step(a.index[d]) * strides[d];
    return sum;
  }
  // `aie.feed(…)` or `aie.collect(…)`
  std::string text(const Shared &s) const {
    const Access &a = access(*s.items[0]);
    const Parameter &q = all_.parameters[a.tensor];
    const bool packed = !q.packed.empty();
    const auto differs = [&](int64_t Slice::*step) {
      return std::any_of(a.index.begin(), a.index.end(), [&](const Slice &x) { return x.*step != 0; });
    };
    const bool by_column = differs(&Slice::column), by_row = differs(&Slice::row);
    const bool each = a.stores || (by_row && (by_column || all_.columns == 1)), rows = by_row && !each;
    const int64_t beside =
        along(a, [](const Slice &x) { return x.row; }); // from a core's block to that of the one below
    int64_t apart = rows ? beside : along(a, [](const Slice &x) { return x.column; });
    if (packed && (rows ? all_.rows : all_.columns) == 1) apart = 0;
    std::vector<int64_t> part = p.buffers.at(s.items[0]->tile).extents;
    Order order;
    if (packed) {
      order = rows_in_order(s, each);
    } else if (!s.once) {
      for (const size_t l : a.path) {
        if (l == a.path.back() && s.loops.size() > 1) order.push_back({std::ssize(s.loops), 0});
        order.push_back({all_.loops[l].times, along(a, [&](const Slice &x) { return x.step(l); })});
      }
      if (each) order.push_back({all_.rows, beside});
    }
    if (!packed) {
      const std::vector<int64_t> strides = strides_of(q);
      for (size_t d = 0; d < a.index.size(); ++d) order.push_back({a.index[d].size, strides[d] * a.index[d].apart});
    }
    const int64_t start = along(a, [](const Slice &x) { return x.start; });
    return transfer_text(q, a.stores, part, order, apart,
                         each   ? "'each'"
                         : rows ? "'rows'"
                                : "'all'",
                         depth(s), start ? ", start=" + std::to_string(start) : std::string());
  }
  // Of a tensor that is packed in the order in which cores load it: all of it, in each iteration of loops around that
  // change nothing.
  Order rows_in_order(const Shared &s, bool each) const {
    const Access &first = access(*s.items[0]);
    int64_t elements = count(p.buffers.at(s.items[0]->tile).extents);
    Order order;
    std::vector<size_t> outside = first.path;
    for (const Item *i : s.items) {
      size_t same = 0;
      const Access &a = access(*i);
      while (same < std::min(outside.size(), a.path.size()) && outside[same] == a.path[same] &&
             a.index[0].step(a.path[same]) == 0)
        ++same;
      outside.resize(same);
    }
    for (const size_t l : outside) order.push_back({all_.loops[l].times, 0});
    order.push_back({blocks_of(p.body, first.tensor, outside) * elements * (each ? all_.rows : 1), 1});
    return order;
  }
  int64_t blocks_of(const std::vector<Item> &items, size_t tensor, const std::vector<size_t> &outside) const {
    int64_t blocks = 0;
    for (const Item &i : items)
      if (i.kind == Item::Kind::loop)
        blocks += blocks_of(i.body, tensor, outside) *
                  (std::find(outside.begin(), outside.end(), i.loop) != outside.end() ? 1 : all_.loops[i.loop].times);
      else if (i.kind == Item::Kind::load && access(i).tensor == tensor)
        ++blocks;
    return blocks;
  }
  int64_t depth(const Shared &s) const {
    const int64_t most = on_.choices.depth ? on_.choices.depth : core_descriptors;
    const Access &first = access(*s.items[0]);
    const bool packed = !all_.parameters[first.tensor].packed.empty();
    const bool whole = std::all_of(first.index.begin(), first.index.end(), [](const Slice &x) { return x.whole; });
    if (packed ? first.path.empty() : whole) return 1; // there is one block
    int64_t depth = 0;
    for (const Item *i : s.items) {
      const Access &a = access(*i);
      depth = std::max(depth, std::min(most, a.stores || a.path.empty() ? 2 : all_.loops[a.path.back()].depth));
    }
    return depth;
  }

  // ── the statements ──

  std::vector<uint32_t> statements(const std::vector<Item> &items) {
    std::vector<uint32_t> out;
    for (const Item &i : items) statement(i, out);
    return out;
  }
  void statement(const Item &i, std::vector<uint32_t> &out) {
    if (i.kind == Item::Kind::loop) {
      const std::vector<uint32_t> body = statements(i.body);
      const Loop &l = all_.loops[i.loop];
      out.push_back(counted(l.name, l.times, body, i.node));
      return;
    }
    if (i.kind != Item::Kind::load && i.kind != Item::Kind::store) return out.push_back(i.node);
    const Shared &s = *std::find_if(streams_.begin(), streams_.end(), [&](const Shared &one) {
      return std::find(one.items.begin(), one.items.end(), &i) != one.items.end();
    });
    const auto copy = [&](const std::string &to, const std::string &from) {
      out.push_back(call("aie.copy(" + to + ", " + from + ")", i.node));
    };
    if (s.once) return copy(i.tile, parts_.at(&s));
    const std::string part = fresh(all_, all_.parameters[access(i).tensor].name + "_block");
    out.push_back(assign(part, "aie.acquire(" + s.name + ", " + all_.core + ")", i.node));
    if (i.kind == Item::Kind::load)
      copy(i.tile, part);
    else
      copy(part, i.tile);
    out.push_back(call("aie.release(" + s.name + ", " + all_.core + ")", i.node));
  }

  const Context &c;
  Node function_;
  const OnDevice &on_;
  Cores &all_;
  Process &p;
  std::vector<Shared> streams_;
  std::map<const Shared *, std::string> parts_;
};

} // namespace

Node with_shared_streams(const Context &c, Node function, const OnDevice &on, Cores &all) {
  return InsertingShared(c, function, on, all).run();
}

} // namespace htp::aie::cores
