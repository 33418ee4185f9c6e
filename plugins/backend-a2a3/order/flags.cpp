#include "order/flags.h"

#include <algorithm>

namespace htp::a2a3 {

namespace {

bool orders(const Statement &s) {
  return s.kind == Statement::Kind::set || s.kind == Statement::Kind::wait || s.kind == Statement::Kind::barrier ||
         s.kind == Statement::Kind::drain;
}
bool works(const Statement &s) {
  return s.kind == Statement::Kind::instruction || s.kind == Statement::Kind::loop || s.kind == Statement::Kind::branch;
}

std::vector<Statement> without_order(const std::vector<Statement> &body) {
  std::vector<Statement> out;
  for (const Statement &s : body) {
    if (orders(s)) continue;
    out.push_back(s);
    out.back().body = without_order(s.body);
    out.back().otherwise = without_order(s.otherwise);
  }
  return out;
}

Statement order(Statement::Kind kind, Pipe source, Pipe destination, Node node) {
  Statement s{};
  s.kind = kind;
  s.node = node;
  s.source = source;
  s.destination = destination;
  return s;
}
void barrier(Pipe p, bool all, Node node, std::vector<Statement> &out) {
  out.push_back(order(Statement::Kind::barrier, p, Pipe::s, node));
  out.back().all = all;
}
void flag(Statement::Kind kind, const Flag &f, const Body &b, Node node, std::vector<Statement> &out) {
  out.push_back(order(kind, f.source, f.destination, node));
  out.back().event = f.event;
  if (f.turned) out.back().turn = b.loop->turn;
}
void once(Statement::Kind kind, const Flag &f, Node node, std::vector<Statement> &out) {
  for (int64_t k = 0; k < (f.turned ? 2 : 1); ++k) {
    out.push_back(order(kind, f.source, f.destination, node));
    out.back().event = f.event + k;
  }
}

} // namespace

Order::Order(const Kernel &kernel) : node_(kernel.node), cube_(kernel.cube), statements_(without_order(kernel.body)) {
  body(nullptr, statements_, 0);
}

size_t Order::body(const Statement *loop, const std::vector<Statement> &statements, size_t depth) {
  Body b;
  b.loop = loop;
  b.depth = depth;
  for (const Statement &s : statements) {
    if (!works(s)) continue;
    b.steps.push_back(&s);
    b.inner.emplace_back();
    if (s.kind == Kind::loop) b.inner.back() = {body(&s, s.body, depth + 1)};
    if (s.kind == Kind::branch) b.inner.back() = {body(loop, s.body, depth), body(loop, s.otherwise, depth)};
  }
  b.barriers.resize(b.steps.size());
  b.all.resize(b.steps.size());
  bodies.push_back(std::move(b));
  return bodies.size() - 1;
}

// ── events ──

// All of them apart: a flag from one iteration to the next holds from one run of its loop to the next one too then, and
// is set before the outermost loop around it and waited for behind that. Where they do not suffice, all pipes wait for
// all before each loop, and a loop's events are free for what stands beside it.
void Order::number() {
  std::map<Pair, int64_t> taken;
  bool fits = true;
  for (Body &b : bodies)
    for (Flag &f : b.flags) {
      f.hoisted = f.later;
      if (!f.dropped) fits &= take(f, taken);
    }
  if (fits) return;
  for (Body &b : bodies) {
    for (size_t k = 0; k < b.steps.size(); ++k) b.all[k] = b.all[k] || b.steps[k]->kind != Kind::instruction;
    for (Flag &f : b.flags) f.hoisted = false;
  }
  while (!share(bodies.size() - 1)) {
  }
}
bool Order::take(Flag &f, std::map<Pair, int64_t> &taken) {
  int64_t &next = taken[{f.source, f.destination}];
  f.event = next;
  next += f.turned ? 2 : 1;
  return next <= (f.destination == Pipe::s ? events - 1 : events);
}
// The events that a body takes: its own differ from those of loops in it. Nothing after a flag gave way to a barrier.
std::optional<std::map<Order::Pair, int64_t>> Order::share(size_t n) {
  std::map<Pair, int64_t> used;
  Body &b = bodies[n];
  for (size_t k = 0; k < b.steps.size(); ++k) {
    for (const size_t in : b.inner[k]) {
      const auto inner = share(in);
      if (!inner) return std::nullopt;
      for (const auto &[pair, count] : *inner) used[pair] = std::max(used[pair], count);
    }
  }
  for (Flag &f : b.flags) {
    if (f.dropped || take(f, used)) continue;
    f.dropped = true;
    b.all[f.wait] = true;
    return std::nullopt;
  }
  return used;
}
bool Order::hoists() const {
  return std::any_of(bodies.begin(), bodies.end(), [](const Body &b) {
    return std::any_of(b.flags.begin(), b.flags.end(), [](const Flag &f) { return f.hoisted; });
  });
}

// ── the kernel with its flags ──

Kernel Order::kernel() const {
  Kernel k;
  k.node = node_;
  k.cube = cube_;
  k.body = with_flags(bodies.size() - 1, statements_);
  Statement drain{};
  drain.kind = Kind::drain;
  drain.node = node_;
  k.body.push_back(drain);
  return k;
}
Kernel Order::part(size_t n, size_t from, size_t to) const {
  const Body &b = bodies[n];
  Kernel part;
  part.node = node_;
  part.cube = cube_;
  const auto inside = [&](const Flag &f) { return !f.dropped && !f.later && f.set >= from && f.wait <= to; };
  for (size_t k = from; k <= to; ++k) {
    const Node node = b.steps[k]->node;
    if (b.all[k]) barrier(Pipe::s, true, node, part.body);
    for (const Flag &f : b.flags)
      if (f.wait == k && inside(f)) flag(Kind::wait, f, b, node, part.body);
    for (const Pipe p : b.barriers[k]) barrier(p, false, node, part.body);
    with_flags(b, k, true, part.body);
    for (const Flag &f : b.flags)
      if (f.set == k && inside(f)) flag(Kind::set, f, b, node, part.body);
  }
  part.body.push_back(order(Kind::drain, Pipe::s, Pipe::s, node_));
  return part;
}
std::vector<Statement> Order::with_flags(size_t n, const std::vector<Statement> &statements) const {
  const Body &b = bodies[n];
  std::vector<Statement> out;
  size_t k = 0;
  for (const Statement &s : statements) {
    if (!works(s)) {
      out.push_back(s);
      continue;
    }
    if (b.all[k]) barrier(Pipe::s, true, s.node, out);
    for (const Flag &f : b.flags)
      if (f.wait == k && !f.dropped) flag(Kind::wait, f, b, s.node, out);
    for (const Pipe p : b.barriers[k]) barrier(p, false, s.node, out);
    with_flags(b, k, b.depth == 0, out);
    for (const Flag &f : b.flags)
      if (f.set == k && !f.dropped) flag(Kind::set, f, b, s.node, out);
    ++k;
  }
  return out;
}
void Order::with_flags(const Body &b, size_t k, bool outermost, std::vector<Statement> &out) const {
  const Statement &s = *b.steps[k];
  if (s.kind == Kind::loop) {
    const auto around = [&](Kind kind) { around_loop(kind, b.inner[k][0], outermost, s.node, out); };
    around(Kind::set);
    Statement loop = s;
    loop.body = with_flags(b.inner[k][0], s.body);
    out.push_back(std::move(loop));
    around(Kind::wait);
  } else if (s.kind == Kind::branch) {
    // Both ways have the same events: what one sets first stands in it.
    const auto way = [&](size_t body, const std::vector<Statement> &from) {
      std::vector<Statement> all;
      around_loop(Kind::set, body, false, s.node, all);
      const std::vector<Statement> within = with_flags(body, from);
      all.insert(all.end(), within.begin(), within.end());
      around_loop(Kind::wait, body, false, s.node, all);
      return all;
    };
    // Of a branch in a loop what is hoisted goes around that; at the outermost level loops in it have it around them.
    const auto hoisted = [&](Kind kind) {
      for (const size_t in : b.inner[k])
        if (outermost && b.depth) hoisted_in(kind, in, s.node, out);
    };
    hoisted(Kind::set);
    Statement branch = s;
    branch.body = way(b.inner[k][0], s.body);
    branch.otherwise = way(b.inner[k][1], s.otherwise);
    out.push_back(std::move(branch));
    hoisted(Kind::wait);
  } else {
    out.push_back(s);
  }
}
// What is set before a loop, and waited for behind it: its own flags, and behind the outermost one those of all loops
// in it, where they are hoisted.
void Order::around_loop(Kind kind, size_t n, bool outermost, Node node, std::vector<Statement> &out) const {
  for (const Flag &f : bodies[n].flags)
    if (f.later && !f.dropped && !f.hoisted) once(kind, f, node, out);
  if (outermost) hoisted_in(kind, n, node, out);
}
void Order::hoisted_in(Kind kind, size_t n, Node node, std::vector<Statement> &out) const {
  const Body &b = bodies[n];
  for (const Flag &f : b.flags)
    if (f.hoisted && !f.dropped) once(kind, f, node, out);
  for (const auto &inner : b.inner)
    for (const size_t in : inner) hoisted_in(kind, in, node, out);
}

// ── the flags of a kernel that has them ──

// Goes through a kernel's bodies as `Order::body` does, and says what its flags are of them. A flag's own statements
// stand in its body: a set behind a step, a wait before one. Others, around loops, are of flags of bodies in them.
class Order::Reader {
public:
  explicit Reader(Order &order) : o_(order) {}

  bool read(const Kernel &kernel) {
    body(kernel.body);
    for (size_t n = 0; n < o_.bodies.size(); ++n) {
      Body &b = o_.bodies[n];
      std::stable_sort(b.flags.begin(), b.flags.end(),
                       [&](const Flag &x, const Flag &y) { return ranks_.at(key(n, x)) < ranks_.at(key(n, y)); });
    }
    return fine_;
  }
  // Whether no two flags have an event in common.
  bool apart() const { return apart_; }

private:
  using Event = std::tuple<Pipe, Pipe, int64_t>;
  using Rank = std::pair<bool, size_t>; // those first that are waited for in the same iteration; where they stand
  struct Half {
    size_t step, at;
  };

  static std::tuple<size_t, Event> key(size_t n, const Flag &f) { return {n, {f.source, f.destination, f.event}}; }

  // The events of a body, and of those in it.
  std::set<Event> body(const std::vector<Statement> &statements) {
    std::set<Event> inner;
    struct Seen {
      const Statement *s;
      size_t step, at;
    };
    std::vector<Seen> seen;
    size_t steps = 0;
    for (const Statement &s : statements) {
      const size_t at = clock_++;
      if (s.kind == Kind::set && s.turn.empty()) sets_[{s.source, s.destination, s.event}].push_back(at);
      if (orders(s) && s.kind != Kind::drain) seen.push_back({&s, steps, at});
      if (!works(s)) continue;
      ++steps;
      if (s.kind == Kind::loop) inner.merge(body(s.body));
      if (s.kind == Kind::branch) inner.merge(body(s.body)), inner.merge(body(s.otherwise));
    }
    const size_t n = next_++;
    Body &b = o_.bodies[n];
    std::map<std::tuple<Event, std::string>, std::pair<std::optional<Half>, std::optional<Half>>> halves;
    for (const auto &[s, step, at] : seen) {
      if (s->kind == Kind::barrier) {
        if (step == steps) return fine_ = false, inner;
        if (s->all)
          b.all[step] = true;
        else
          b.barriers[step].insert(s->source);
        continue;
      }
      const Event event{s->source, s->destination, s->event};
      const bool set = s->kind == Kind::set;
      if (inner.contains(event) || (set ? step == 0 : step == steps)) continue;
      auto &[sets, waits] = halves[{event, s->turn}];
      auto &half = set ? sets : waits;
      fine_ &= !half;
      half = {set ? step - 1 : step, at};
    }
    for (const auto &[of, two] : halves) {
      const auto &[event, turn] = of;
      const auto &[set, wait] = two;
      if (!set || !wait || (!turn.empty() && (!b.loop || b.loop->turn != turn))) {
        fine_ = false;
        continue;
      }
      const bool later = wait->at < set->at, turned = !turn.empty();
      const auto [source, destination, number] = event;
      b.flags.push_back({source, destination, set->step, wait->step, later ? turned ? 2U : 1U : 0U, turned, number});
      size_t rank = wait->at;
      if (later) // it is set first before the loop
        for (const size_t first : sets_[event])
          if (first < wait->at) rank = first;
      ranks_[{n, event}] = {later, rank};
      for (int64_t k = 0; k < (turned ? 2 : 1); ++k) {
        inner.insert({source, destination, number + k});
        apart_ &= all_.insert({source, destination, number + k}).second;
      }
    }
    return inner;
  }

  Order &o_;
  bool fine_ = true, apart_ = true;
  size_t clock_ = 0, next_ = 0; // statements; bodies, in the order of `Order::bodies`
  std::map<Event, std::vector<size_t>> sets_;
  std::map<std::tuple<size_t, Event>, Rank> ranks_;
  std::set<Event> all_;
};

namespace {
bool same(const std::vector<Statement> &a, const std::vector<Statement> &b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Statement &x, const Statement &y) {
    if (x.kind != y.kind) return false;
    if (!orders(x)) return x.node == y.node && same(x.body, y.body) && same(x.otherwise, y.otherwise);
    return x.source == y.source && x.destination == y.destination && x.event == y.event && x.turn == y.turn &&
           x.all == y.all;
  });
}
} // namespace

std::optional<Order> Order::of(const Kernel &kernel) {
  Order order(kernel);
  Reader reader(order);
  if (!reader.read(kernel)) return std::nullopt;
  for (const bool hoisted : {true, false}) {
    for (Body &b : order.bodies)
      for (Flag &f : b.flags) f.hoisted = hoisted && f.later;
    if (hoisted ? reader.apart() && same(order.kernel().body, kernel.body) : same(order.kernel().body, kernel.body))
      return order;
  }
  return std::nullopt;
}

} // namespace htp::a2a3
