// a2a3.order: what touches the same bytes on different pipes is ordered by flags, on one pipe by a barrier.
//
// Each body of statements is ordered by itself, a loop in it taken as one statement that touches all that its body
// does: a flag from a statement to a later one, or to one of the next iteration, which is set once before the loop then
// and waited for once behind it, or before and behind all loops around, where no other loop needs flags between the
// same pipes. Each way of a branch is a body too, which goes round when it is taken: no flag leads into it or out of
// it. Then whatever the checker does without is left out again, from the outermost loops inwards.
#include "order/order.h"
#include "passes/passes.h"

#include "htp_cpp/edit.h"

#include <algorithm>
#include <array>
#include <optional>

namespace htp::a2a3 {

namespace {

using Known = std::array<size_t, pipe_count>; // how many statements' work of each pipe has ended

constexpr int64_t events = 8;

size_t at(Pipe p) { return static_cast<size_t>(p); }

struct Flag {
  Pipe source, destination;
  size_t set, wait; // behind this statement, before that one
  size_t later;     // waited for so many iterations later
  bool turned;      // two of them, in turn
  int64_t event = 0;
  bool hoisted = false, dropped = false;
};

// The order of the statements of one body.
struct Body {
  const Statement *loop = nullptr; // the innermost around it; null: none
  std::vector<const Statement *> steps;
  std::vector<std::vector<size_t>> inner; // the bodies of the k-th statement
  std::vector<Flag> flags;
  std::vector<std::set<Pipe>> barriers; // before the k-th statement
  std::vector<bool> all;                // all pipes wait for all
  size_t depth = 0;
};

// What a statement touches while the loops around it are in these turns.
void touched(const Statement &s, Turns &turns, std::vector<Touch> &out) {
  if (s.kind == Statement::Kind::instruction) {
    const std::vector<Touch> more = touches(s, turns);
    out.insert(out.end(), more.begin(), more.end());
  } else if (s.kind == Statement::Kind::loop) {
    for (int64_t turn = 0; turn < (s.turn.empty() ? 1 : 2); ++turn) {
      if (!s.turn.empty()) turns[s.turn] = turn;
      for (const Statement &n : s.body) touched(n, turns, out);
    }
  } else if (s.kind == Statement::Kind::branch) {
    for (const auto *way : {&s.body, &s.otherwise})
      for (const Statement &n : *way) touched(n, turns, out);
  }
}

size_t writes_to(const Tile *tile, const std::vector<Statement> &body) {
  size_t count = 0;
  for (const Statement &s : body)
    count += (s.kind == Statement::Kind::instruction && s.tile == tile && s.word != "tstore") +
             writes_to(tile, s.body) + writes_to(tile, s.otherwise);
  return count;
}

// A loop that loads more than there are flags for, each to two places in turn, loads all of it first: one flag is then
// enough. Only what nobody writes is loaded earlier than the program says.
void load_first(std::vector<Statement> &body) {
  for (Statement &s : body) {
    load_first(s.body), load_first(s.otherwise);
    std::set<const Tile *> early;
    for (const Statement &n : s.body)
      if (n.word == "tload" && n.tensor->direction == "in" && !n.tile->turn.empty() && n.tile->turn == s.turn &&
          writes_to(n.tile, s.body) == 1)
        early.insert(n.tile);
    if (s.kind != Statement::Kind::loop || early.size() * 2 <= static_cast<size_t>(events)) continue;
    const auto rank = [&](const Statement &n) { // ints, which both need, stay before them
      if (n.kind == Statement::Kind::integer) return 0;
      const bool loads = n.kind == Statement::Kind::tile || n.word == "tload";
      return loads && early.contains(n.tile) ? 1 : 2;
    };
    std::stable_sort(s.body.begin(), s.body.end(),
                     [&](const Statement &a, const Statement &o) { return rank(a) < rank(o); });
  }
}

// Goes through a body as often as its places repeat, and adds what is missing.
class Line {
public:
  explicit Line(Body &body) : b(body) {
    b.barriers.resize(b.steps.size());
    b.all.resize(b.steps.size());
    const bool turns = b.loop && !b.loop->turn.empty();
    for (size_t k = 0; k < (turns ? 4U : b.loop ? 2U : 1U); ++k) pass(k, turns);
  }

private:
  void pass(size_t iteration, bool turns) {
    const size_t n = b.steps.size(), base = iteration * n;
    for (size_t j = 0; j < n; ++j) {
      Turns values;
      if (turns) values[b.loop->turn] = static_cast<int64_t>(iteration % 2);
      std::vector<Touch> now;
      touched(*b.steps[j], values, now);
      touches_.push_back(std::move(now));
      if (b.all[j]) barrier_all(base + j);
      // What this waits for: flags that are there already.
      for (const Flag &f : b.flags)
        if (f.wait == j && f.later <= iteration)
          learn(known_[at(f.destination)], after_[base - f.later * n + f.set][at(f.source)]);
      for (const Pipe p : b.barriers[j]) known_[at(p)][at(p)] = base + j;
      // A loop's next run is ordered behind it as its next iteration is, and so is a branch, but for its other way.
      const bool again = b.steps[j]->kind != Statement::Kind::instruction;
      if (iteration && b.steps[j]->kind == Statement::Kind::branch) other_ways(*b.steps[j], base + j);
      for (size_t i = base + j; i-- > 0;)
        for (const Touch &a : touches_[i])
          for (const Touch &t : touches_[base + j])
            if (!again || i % n != j) order(a, i, t, base + j);
      std::array<Known, pipe_count> after{};
      for (size_t p = 0; p < pipe_count; ++p) {
        after[p] = known_[p];
        const auto works = [&](const Touch &t) { return at(t.pipe) == p; };
        if (std::any_of(touches_.back().begin(), touches_.back().end(), works)) after[p][p] = base + j + 1;
      }
      after_.push_back(after);
    }
  }
  void order(const Touch &a, size_t i, const Touch &t, size_t j) {
    Known &known = known_[at(t.pipe)];
    if (!a.meets(t) || known[at(a.pipe)] > i) return;
    const size_t n = b.steps.size();
    if (a.pipe == t.pipe) {
      b.barriers[j % n].insert(t.pipe);
      known[at(t.pipe)] = j;
      return;
    }
    const size_t later = j / n - i / n;
    const bool turned = b.loop && !b.loop->turn.empty() && later != 1;
    int64_t used = turned ? 2 : 1;
    for (const Flag &f : b.flags)
      if (f.source == a.pipe && f.destination == t.pipe) used += f.turned ? 2 : 1;
    if (used > events) {
      if (widened(a.pipe, t.pipe, i, j, later)) return learn(known, after_[i][at(a.pipe)]);
      b.all[j % n] = true;
      return barrier_all(j);
    }
    b.flags.push_back({a.pipe, t.pipe, i % n, j % n, later, turned});
    learn(known, after_[i][at(a.pipe)]);
  }

  // Whether a flag to the same iteration does for these too: it is set behind both, and waited for before both.
  bool widened(Pipe source, Pipe destination, size_t i, size_t j, size_t later) {
    const size_t n = b.steps.size();
    for (Flag &f : b.flags) {
      const size_t set = std::max(f.set, i % n), wait = std::min(f.wait, j % n);
      if (f.source != source || f.destination != destination || f.later != later || (!later && set >= wait)) continue;
      f.set = set, f.wait = wait;
      return true;
    }
    return false;
  }

  // What the ways of a branch touch both, in whatever turns.
  void other_ways(const Statement &s, size_t j) {
    const size_t place = j % b.steps.size();
    std::vector<Touch> ways[2];
    for (int64_t turn = 0; turn < 2; ++turn) {
      Turns values;
      if (b.loop) values[b.loop->turn] = turn;
      for (const Statement &n : s.body) touched(n, values, ways[0]);
      for (const Statement &n : s.otherwise) touched(n, values, ways[1]);
    }
    for (const Touch &a : ways[0])
      for (const Touch &t : ways[1]) {
        if (!a.meets(t) && !t.meets(a)) continue;
        if (a.pipe == t.pipe)
          b.barriers[place].insert(t.pipe), known_[at(t.pipe)][at(t.pipe)] = j;
        else
          b.all[place] = true, barrier_all(j);
      }
  }
  void barrier_all(size_t now) {
    for (Known &k : known_) k.fill(now);
  }
  static void learn(Known &known, const Known &news) {
    for (size_t p = 0; p < pipe_count; ++p) known[p] = std::max(known[p], news[p]);
  }

  Body &b;
  std::vector<std::vector<Touch>> touches_; // of all iterations so far, like what follows
  std::array<Known, pipe_count> known_{};
  std::vector<std::array<Known, pipe_count>> after_; // what each pipe knows to have ended when a statement has
};

class Ordering {
public:
  Ordering(const Context &context, const Kernel &kernel) : c(context), k_(kernel) {
    body(nullptr, k_.body, 0);
    number();
    drop();
  }

  std::vector<uint32_t> written() {
    std::vector<uint32_t> out;
    for (const Statement &s : kernel().body) out.push_back(node(s));
    return out;
  }

private:
  using Pair = std::pair<Pipe, Pipe>;
  static Pair pair_of(const Flag &f) { return {f.source, f.destination}; }

  static bool works(const Statement &s) {
    using Kind = Statement::Kind;
    return s.kind == Kind::instruction || s.kind == Kind::loop || s.kind == Kind::branch;
  }
  size_t body(const Statement *loop, const std::vector<Statement> &statements, size_t depth) {
    Body b;
    b.loop = loop;
    b.depth = depth;
    for (const Statement &s : statements) {
      if (!works(s)) continue;
      b.steps.push_back(&s);
      b.inner.emplace_back();
      if (s.kind == Statement::Kind::loop) b.inner.back() = {body(&s, s.body, depth + 1)};
      if (s.kind == Statement::Kind::branch)
        b.inner.back() = {body(loop, s.body, depth), body(loop, s.otherwise, depth)};
    }
    const Line line(b);
    bodies_.push_back(std::move(b));
    return bodies_.size() - 1;
  }

  // Events, all of them apart: a flag from one iteration to the next holds from one run of its loop to the next one too
  // then, and is set before the outermost loop around it and waited for behind that. Where they do not suffice, all
  // pipes wait for all before each loop, and a loop's events are free for what stands beside it.
  void number() {
    std::map<Pair, int64_t> taken;
    bool fits = true;
    for (Body &b : bodies_)
      for (Flag &f : b.flags) {
        f.hoisted = f.later;
        if (!f.dropped) fits &= take(f, taken);
      }
    if (fits) return;
    for (Body &b : bodies_) {
      for (size_t k = 0; k < b.steps.size(); ++k)
        b.all[k] = b.all[k] || b.steps[k]->kind != Statement::Kind::instruction;
      for (Flag &f : b.flags) f.hoisted = false;
    }
    while (!share(bodies_.size() - 1)) {
    }
  }
  static bool take(Flag &f, std::map<Pair, int64_t> &taken) {
    int64_t &next = taken[pair_of(f)];
    f.event = next;
    next += f.turned ? 2 : 1;
    return next <= (f.destination == Pipe::s ? events - 1 : events);
  }
  // The events that a body takes: its own differ from those of loops in it. Nothing after a flag gave way to a barrier.
  std::optional<std::map<Pair, int64_t>> share(size_t n) {
    std::map<Pair, int64_t> used;
    Body &b = bodies_[n];
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

  // ── what the checker does without ──

  static bool hoists(const Body &b) {
    return std::any_of(b.flags.begin(), b.flags.end(), [](const Flag &f) { return f.hoisted; });
  }
  bool fine() const { return !disorder(kernel()); }
  // A flag from before a branch to behind it, or the other way round, may be set again too early where the branch does
  // nothing: all pipes wait for all there.
  void part_branches() {
    for (Body &b : bodies_)
      for (size_t k = 0; k < b.steps.size(); ++k)
        if (b.steps[k]->kind == Statement::Kind::branch) {
          b.all[k] = true;
          if (k + 1 < b.steps.size()) b.all[k + 1] = true;
        }
  }
  // Where all pipes wait for all in a loop, no flag leads from its last iteration to the first of its next run.
  void part_loops() {
    for (Body &b : bodies_)
      for (size_t k = 0; k < b.steps.size(); ++k)
        if (b.steps[k]->kind == Statement::Kind::loop) b.all[k] = true;
  }
  void drop() {
    if (!fine()) part_branches();
    if (!fine()) part_loops();
    if (!fine()) return; // the verifier says why
    std::vector<size_t> outermost(bodies_.size());
    for (size_t n = 0; n < outermost.size(); ++n) outermost[n] = n;
    std::stable_sort(outermost.begin(), outermost.end(),
                     [&](size_t a, size_t o) { return bodies_[a].depth < bodies_[o].depth; });
    bool changed = false;
    for (const size_t n : outermost) {
      Body &b = bodies_[n];
      for (size_t k = 0; k < b.steps.size(); ++k) {
        if (b.all[k]) {
          b.all[k] = false;
          b.all[k] = !fine();
        }
        for (const Pipe p : std::set<Pipe>(b.barriers[k])) {
          b.barriers[k].erase(p);
          if (!fine()) b.barriers[k].insert(p);
        }
      }
      for (Flag &f : b.flags) {
        if (f.dropped) continue;
        f.dropped = true;
        f.dropped = fine();
        changed |= f.dropped;
      }
    }
    if (changed && std::any_of(bodies_.begin(), bodies_.end(), hoists)) number();
  }

  // ── the kernel with its flags ──

  Kernel kernel() const {
    Kernel k;
    k.node = k_.node;
    k.cube = k_.cube;
    k.body = with_flags(bodies_.size() - 1, k_.body);
    Statement drain{};
    drain.kind = Statement::Kind::drain;
    drain.node = k_.node;
    k.body.push_back(drain);
    return k;
  }
  std::vector<Statement> with_flags(size_t n, const std::vector<Statement> &statements) const {
    const Body &b = bodies_[n];
    std::vector<Statement> out;
    size_t k = 0;
    for (const Statement &s : statements) {
      if (!works(s)) {
        out.push_back(s);
        continue;
      }
      if (b.all[k]) barrier(Pipe::s, true, s.node, out);
      for (const Flag &f : b.flags)
        if (f.wait == k && !f.dropped) flag(Statement::Kind::wait, f, b, s.node, out);
      for (const Pipe p : b.barriers[k]) barrier(p, false, s.node, out);
      if (s.kind == Statement::Kind::loop) {
        const auto around = [&](Statement::Kind kind) { around_loop(kind, b.inner[k][0], b.depth == 0, s.node, out); };
        around(Statement::Kind::set);
        Statement loop = s;
        loop.body = with_flags(b.inner[k][0], s.body);
        out.push_back(std::move(loop));
        around(Statement::Kind::wait);
      } else if (s.kind == Statement::Kind::branch) {
        // Both ways have the same events: what one sets first stands in it.
        const auto way = [&](size_t body, const std::vector<Statement> &from) {
          std::vector<Statement> all;
          around_loop(Statement::Kind::set, body, false, s.node, all);
          const std::vector<Statement> within = with_flags(body, from);
          all.insert(all.end(), within.begin(), within.end());
          around_loop(Statement::Kind::wait, body, false, s.node, all);
          return all;
        };
        Statement branch = s;
        branch.body = way(b.inner[k][0], s.body);
        branch.otherwise = way(b.inner[k][1], s.otherwise);
        out.push_back(std::move(branch));
      } else {
        out.push_back(s);
      }
      for (const Flag &f : b.flags)
        if (f.set == k && !f.dropped) flag(Statement::Kind::set, f, b, s.node, out);
      ++k;
    }
    return out;
  }
  // What is set before a loop, and waited for behind it: its own flags, and behind the outermost one those of all loops
  // in it, where they are hoisted.
  void around_loop(Statement::Kind kind, size_t n, bool outermost, Node node, std::vector<Statement> &out) const {
    for (const Flag &f : bodies_[n].flags)
      if (f.later && !f.dropped && !f.hoisted) once(kind, f, node, out);
    if (outermost) hoisted_in(kind, n, node, out);
  }
  void hoisted_in(Statement::Kind kind, size_t n, Node node, std::vector<Statement> &out) const {
    const Body &b = bodies_[n];
    for (const Flag &f : b.flags)
      if (f.hoisted && !f.dropped) once(kind, f, node, out);
    for (const auto &bodies : b.inner)
      for (const size_t inner : bodies) hoisted_in(kind, inner, node, out);
  }
  static Statement order(Statement::Kind kind, Pipe source, Pipe destination, Node node) {
    Statement s{};
    s.kind = kind;
    s.node = node;
    s.source = source;
    s.destination = destination;
    return s;
  }
  static void barrier(Pipe p, bool all, Node node, std::vector<Statement> &out) {
    out.push_back(order(Statement::Kind::barrier, p, p, node));
    out.back().all = all;
  }
  static void flag(Statement::Kind kind, const Flag &f, const Body &b, Node node, std::vector<Statement> &out) {
    out.push_back(order(kind, f.source, f.destination, node));
    out.back().event = f.event;
    if (f.turned) out.back().turn = b.loop->turn;
  }
  static void once(Statement::Kind kind, const Flag &f, Node node, std::vector<Statement> &out) {
    for (int64_t k = 0; k < (f.turned ? 2 : 1); ++k) {
      out.push_back(order(kind, f.source, f.destination, node));
      out.back().event = f.event + k;
    }
  }

  // ── as Python ──

  Node node(const Statement &s) {
    using Kind = Statement::Kind;
    const auto pipe = [&](Pipe p) { return c.string_node(name_of(p), s.node); };
    switch (s.kind) {
    case Kind::loop: {
      std::vector<uint32_t> inner;
      for (const Statement &n : s.body) inner.push_back(node(n));
      return with_list(c, s.node, HTP_FIELD(For, body), inner);
    }
    case Kind::branch: {
      auto choice = c.read<ast::If>(s.node);
      choice.body.clear(), choice.orelse.clear();
      for (const Statement &n : s.body) choice.body.push_back(node(n));
      for (const Statement &n : s.otherwise) choice.orelse.push_back(node(n));
      return c.with(s.node, choice);
    }
    case Kind::set: return word("set_flag", {pipe(s.source), pipe(s.destination), event(s)}, s.node);
    case Kind::wait: return word("wait_flag", {pipe(s.source), pipe(s.destination), event(s)}, s.node);
    case Kind::barrier: return word("pipe_barrier", {s.all ? c.string_node("ALL", s.node) : pipe(s.source)}, s.node);
    case Kind::drain: return word("drain", {}, s.node);
    case Kind::integer:
    case Kind::tile:
    case Kind::instruction: break;
    }
    return s.node;
  }
  Node event(const Statement &s) {
    const Node first = c.integer_node(s.event, s.node);
    if (s.turn.empty()) return first;
    const Node turn = c.name(s.turn, s.node);
    return s.event ? c.binary(first, HTP_Add, turn, s.node) : turn;
  }
  Node word(const char *what, std::vector<uint32_t> operands, Node origin) {
    return c.statement(c.call("pto." + std::string(what), std::move(operands), origin), origin);
  }

  const Context &c;
  const Kernel &k_;
  std::vector<Body> bodies_; // those of inner loops first, the kernel's last
};

} // namespace

Node order(const Context &c, Node root) {
  Program program;
  if (!read_program(c, root, Stage::placed, program)) return HTP_NONE;
  std::map<Node, Node> kernels;
  for (Kernel &k : program.kernels) {
    load_first(k.body);
    auto with = c.read<ast::With>(k.node);
    with.items = {c.make(make::withitem{.context_expr = c.call(k.cube ? "pto.aic" : "pto.aiv", {}, k.node)}, k.node)};
    with.body = Ordering(c, k).written();
    kernels[k.node] = c.with(k.node, with);
  }
  const Node function = c.entry_function(root);
  const Node ordered = rewrite(
      c, function, [](Node n) { return n; },
      [&](Node s, std::vector<uint32_t> &to) {
        const auto it = kernels.find(s);
        if (it != kernels.end()) to.push_back(it->second);
        return it != kernels.end();
      });
  return with_statement(c, root, function, ordered);
}

} // namespace htp::a2a3
