#include "places.h"

#include "htp_cpp/edit.h"

#include <algorithm>

namespace htp::wsp {

bool is_place(const Transform &t, Node index) {
  const Context &c = t.c;
  const auto all = t.loops();
  const auto bound = t.bound();
  std::set<std::string> counters; // of loops over ints
  c.each(t.workload, [&](Node n) {
    auto f = c.as<ast::For>(n);
    auto call = f ? c.as<ast::Call>(loop_forms(c, t.names, f.iter()).range) : ast::Call{&c, HTP_NONE};
    if (call && c.name_of(call.func()) == "range") counters.emplace(c.name_of(f.target()));
  });
  bool fine = true;
  size_t blocks = 0;
  c.each(index, [&](Node n) {
    if (auto name = c.as<ast::Name>(n)) {
      const std::string id(name.id());
      const bool block = find_loop(all, id) != nullptr;
      blocks += block;
      fine = fine && (block || counters.contains(id) || !bound.contains(id));
    } else {
      fine = fine && (c.is(n, HTP_Constant) || c.is(n, HTP_BinOp) || c.is(n, HTP_UnaryOp));
    }
  });
  return fine && blocks <= 1;
}

Node beyond_indices(const Transform &t, Node n, const std::string &variable) {
  const Context &c = t.c;
  std::set<Node> indexing;
  for (const TensorAccess &a : t.accesses(n))
    for (const Node index : a.index)
      if (is_place(t, index)) c.each(index, [&](Node e) { indexing.insert(e); });
  Node found = HTP_NONE;
  c.each(n, [&](Node e) {
    if (!found && c.name_of(e) == variable && !indexing.contains(e)) found = e;
  });
  return found;
}

namespace {

// `n + by`; of two ints that are added one.
Node plus(const Context &c, Node n, int64_t by, Node origin) {
  auto b = c.as<ast::BinOp>(n);
  int64_t there = 0;
  if (b && (b.op() == HTP_Add || b.op() == HTP_Sub) && c.integer(b.right(), &there))
    return plus(c, b.left(), by + (b.op() == HTP_Add ? there : -there), origin);
  if (by == 0) return n;
  return c.make(
      make::BinOp{.left = n, .op = by > 0 ? HTP_Add : HTP_Sub, .right = c.integer_node(by > 0 ? by : -by, origin)},
      origin);
}

} // namespace

Node with_places(const Context &c, Node n, const std::map<std::string, Node> &places) {
  if (places.empty()) return n;
  std::set<Node> put; // what stands for a place now
  return rewrite(
      c, n,
      [&](Node e) {
        auto name = c.as<ast::Name>(e);
        if (const auto it = name ? places.find(std::string(name.id())) : places.end(); it != places.end())
          return *put.insert(copy_of(c, it->second, e)).first;
        auto b = c.as<ast::BinOp>(e);
        int64_t by = 0;
        if (!b || !put.contains(b.left()) || (b.op() != HTP_Add && b.op() != HTP_Sub) || !c.integer(b.right(), &by))
          return e;
        return *put.insert(plus(c, b.left(), b.op() == HTP_Add ? by : -by, e)).first;
      },
      [](Node, std::vector<uint32_t> &) { return false; });
}

namespace {

// How far an index is from a block of the consumer's own: 1 in `i + 1`.
std::optional<int64_t> moved_by(const Transform &t, Node n, const std::set<std::string> &own) {
  const Context &c = t.c;
  if (own.contains(std::string(c.name_of(n)))) return 0;
  auto b = c.as<ast::BinOp>(n);
  if (!b || (b.op() != HTP_Add && b.op() != HTP_Sub)) return std::nullopt;
  constexpr int64_t limit = 1 << 20;
  const auto fits = [](const std::optional<int64_t> &by) { return by && *by > -limit && *by < limit; };
  if (const auto left = moved_by(t, b.left(), own), by = t.constants.integer(b.right()); fits(left) && fits(by))
    return b.op() == HTP_Add ? *left + *by : *left - *by;
  if (const auto right = moved_by(t, b.right(), own), by = t.constants.integer(b.left());
      fits(right) && fits(by) && b.op() == HTP_Add)
    return *right + *by;
  return std::nullopt;
}

// A statement of which no node is shared with the one it is a copy of.
Node copy_of_statement(const Context &c, Node statement) {
  return rewrite(
      c, statement,
      [&](Node e) {
        if (auto name = c.as<ast::Name>(e))
          return c.make(make::Name{.id = std::string(name.id()), .ctx = name.ctx()}, e);
        if (auto slice = c.as<ast::Slice>(e); slice && !slice.lower() && !slice.upper() && !slice.step())
          return c.make(make::Slice{}, e);
        return c.is(e, HTP_Constant) ? copy_of(c, e, e) : e;
      },
      [](Node, std::vector<uint32_t> &) { return false; });
}

// The block of a consumer that an index moves.
std::string block_in(const Context &c, Node index, const std::set<std::string> &own) {
  std::string block;
  c.each(index, [&](Node n) {
    if (own.contains(std::string(c.name_of(n)))) block = c.name_of(n);
  });
  return block;
}

} // namespace

std::optional<Halo> halo_of(const Transform &t, const Loop &producer, const Loop &consumer) {
  const Context &c = t.c;
  Halo halo;
  size_t stores = 0;
  for (const TensorAccess &a : t.accesses(producer.statement)) {
    if (!a.writes) continue;
    ++stores;
    halo.store = a;
  }
  halo.buffer = halo.store.tensor;
  if (stores != 1 || !t.buffer_binding(halo.buffer)) return std::nullopt;
  const auto at = std::ranges::find_if(halo.store.index, [&](Node n) { return c.name_of(n) == producer.variable; });
  if (at == halo.store.index.end()) return std::nullopt;
  halo.dimension = static_cast<size_t>(at - halo.store.index.begin());
  const auto type = t.tensor_type(halo.buffer);
  if (!type || type->rank() != halo.store.index.size() ||
      type->extents[halo.dimension].text() != c.show(producer.extent))
    return std::nullopt;
  const auto own = t.blocks_of(consumer.statement, consumer.variable);
  bool any = false, moved = false;
  for (const TensorAccess &a : t.accesses(consumer.statement)) {
    if (a.tensor != halo.buffer) continue;
    if (a.writes || !c.is(a.at, HTP_Subscript) || a.index.size() != type->rank()) return std::nullopt;
    const auto by = moved_by(t, a.index[halo.dimension], own);
    if (!by) return std::nullopt;
    moved |= *by != 0;
    halo.low = any ? std::min(halo.low, *by) : *by;
    halo.high = any ? std::max(halo.high, *by) : *by;
    any = true;
    halo.reads.push_back(a);
  }
  size_t everywhere = 0;
  for (const TensorAccess &a : t.accesses(t.workload)) everywhere += a.tensor == halo.buffer;
  if (!moved || everywhere != halo.reads.size() + 1) return std::nullopt;
  return halo;
}

bool compute_with_halo(Transform &t, const Directive &d, const Loop &producer, const Loop &consumer, const Halo &halo) {
  const Context &c = t.c;
  const auto size = t.size_of(producer), around = t.size_of(consumer);
  if (!around) {
    about(d, c.report(diag::open_loop, d.texts.find("at")->second.at, consumer.variable, d.name())
                 .label(consumer.call, "its extent alone")
                 .hint("say how big its blocks are first: `s.tile(\"" + consumer.variable + "\", 32)`"));
    return false;
  }
  std::optional<Conflict> conflict;
  for (const Node s : t.siblings(producer.statement, consumer.statement).between)
    if (!conflict && s != t.buffer_binding(halo.buffer)) conflict = t.conflict(producer.statement, s);
  if (!conflict)
    conflict = t.conflict(producer.statement, consumer.statement, producer.variable, consumer.variable, halo.buffer);
  if (conflict) {
    Report report = c.report(diag::not_moved, d.call, producer.variable, consumer.variable, conflict->name);
    report.label(conflict->first, conflict->first_writes ? "written here" : "read here")
        .label(conflict->second, conflict->second_writes ? "written here" : "read here");
    about(d, report);
    return false;
  }
  const auto inner = c.get<ast::For>(producer.statement).body();
  Node other = HTP_NONE;
  for (const Node s : inner)
    if (!other) other = beyond_indices(t, s, producer.variable);
  if (other) {
    about(d, c.report(diag::not_moved, d.call, producer.variable, consumer.variable, halo.buffer)
                 .label(halo.reads[0].at, "needs more than its own block")
                 .label(other, "not only indices depend on the block that is computed here")
                 .hint("what is computed around a block is indexed by it, and does not depend on it otherwise"));
    return false;
  }

  const Node origin = consumer.statement;
  const auto moved_on = [&](Node n, int64_t by) { return plus(c, n, by, origin); };
  const auto minus = [&](Node a, Node b) { return c.make(make::BinOp{.left = a, .op = HTP_Sub, .right = b}, origin); };
  const auto sum = [&](Node a, Node b) { return c.make(make::BinOp{.left = a, .op = HTP_Add, .right = b}, origin); };
  const auto edge = [&](const char *which) {
    return c.make(make::Attribute{.value = c.name(consumer.variable, origin), .attr = which, .ctx = HTP_LOAD}, origin);
  };
  // The producer's body at another place: `where` takes the block's, `row` that of the buffer.
  const auto computed = [&](Node statement, Node where, Node row) {
    return rewrite(
        c, with_places(c, statement, {{producer.variable, where}}),
        [&](Node e) {
          auto s = c.as<ast::Subscript>(e);
          if (!s || s.ctx() != HTP_STORE || c.name_of(s.value()) != halo.buffer) return e;
          auto tuple = c.as<ast::Tuple>(s.slice());
          std::vector<uint32_t> index;
          if (tuple)
            index.assign(tuple.elts().begin(), tuple.elts().end());
          else
            index.push_back(s.slice());
          index[halo.dimension] = row;
          auto m = c.read<ast::Subscript>(e);
          m.slice = tuple ? c.make(make::Tuple{.elts = index, .ctx = HTP_LOAD}, e) : row;
          return c.with(e, m);
        },
        [](Node, std::vector<uint32_t> &) { return false; });
  };

  auto f = c.read<ast::For>(consumer.statement);
  std::vector<uint32_t> body;
  // A buffer for one iteration.
  Node binding = t.buffer_binding(halo.buffer);
  const Node binding_was = binding;
  {
    auto plain = c.as<ast::Assign>(binding);
    const Node value = plain ? plain.value() : c.get<ast::AnnAssign>(binding).value();
    auto call = c.read<ast::Call>(value);
    call.args[halo.dimension + 1] = c.integer_node(*around + halo.high - halo.low, origin);
    const Node made = c.with(value, call);
    if (plain) {
      binding = with_value(c, binding, made);
    } else {
      return about(d, c.report(diag::not_moved, d.call, producer.variable, consumer.variable, halo.buffer)
                          .label(binding, "its space is given before")
                          .hint("say `buffer` of it behind `compute_at`")),
             false;
    }
  }
  body.push_back(binding);
  // Its own block, from the nearest index on.
  const Node moved = t.apart(consumer.statement, producer.statement);
  const bool cut = size && *size < *around;
  const std::string own = cut ? producer.variable : consumer.variable;
  std::vector<uint32_t> main;
  for (const Node s : c.get<ast::For>(moved).body())
    main.push_back(computed(s, moved_on(c.name(own, origin), halo.low), minus(c.name(own, origin), edge("start"))));
  if (cut) {
    auto loop = c.read<ast::For>(moved);
    auto call = c.read<ast::Call>(producer.call);
    call.args[0] = c.name(consumer.variable, producer.call);
    loop.iter = c.with(producer.call, call);
    loop.body = main;
    main = {c.with(moved, loop)};
  }
  body.insert(body.end(), main.begin(), main.end());
  // What is around it, an index at a time.
  std::map<std::string, std::string> names;
  for (const Node s : c.get<ast::For>(moved).body())
    c.each(s, [&](Node n) {
      auto name = c.as<ast::Name>(n);
      if (!name || name.ctx() != HTP_STORE || names.contains(std::string(name.id()))) return;
      std::string fresh = t.free_name(std::string(name.id()));
      while (std::ranges::any_of(names, [&](const auto &one) { return one.second == fresh; }))
        fresh = t.free_name(fresh + "_1");
      names[std::string(name.id())] = fresh;
    });
  const std::string counter = t.free_name("n");
  std::vector<uint32_t> rest;
  for (const Node s : c.get<ast::For>(moved).body())
    rest.push_back(
        t.renamed(computed(copy_of_statement(c, s), moved_on(sum(edge("stop"), c.name(counter, origin)), halo.low),
                           sum(minus(edge("stop"), edge("start")), c.name(counter, origin))),
                  names));
  const Node range = c.call("range", {c.integer_node(halo.high - halo.low, origin)}, origin);
  if (halo.high > halo.low)
    body.push_back(c.make(
        make::For{.target = c.make(make::Name{.id = counter, .ctx = HTP_STORE}, origin), .iter = range, .body = rest},
        origin));
  // The consumer reads it by where its own buffer begins.
  const auto blocks = t.blocks_of(consumer.statement, consumer.variable);
  std::map<Node, const TensorAccess *> reads;
  for (const TensorAccess &a : halo.reads) reads[a.at] = &a;
  for (const Node s : f.body)
    body.push_back(rewrite(
        c, s,
        [&](Node e) {
          const auto it = reads.find(e);
          if (it == reads.end()) return e;
          const Node old = it->second->index[halo.dimension];
          std::vector<uint32_t> index(it->second->index.begin(), it->second->index.end());
          index[halo.dimension] = moved_on(minus(c.name(block_in(c, old, blocks), old), edge("start")),
                                           *moved_by(t, old, blocks) - halo.low);
          auto m = c.read<ast::Subscript>(e);
          m.slice = index.size() == 1 ? index[0] : c.make(make::Tuple{.elts = index, .ctx = HTP_LOAD}, e);
          return c.with(e, m);
        },
        [](Node, std::vector<uint32_t> &) { return false; }));
  f.body = body;
  const Node with = c.with(consumer.statement, f);
  t.replace(producer.statement, {});
  t.replace(binding_was, {});
  t.replace(consumer.statement, {with});
  return true;
}

} // namespace htp::wsp
