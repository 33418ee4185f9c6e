// What touches the same bytes on different pipes is ordered by flags, on one pipe by a barrier.
//
// Each body of statements is ordered by itself, a loop in it taken as one statement that touches all that its body
// does: a flag from a statement to a later one, or to one of the next iteration, which is set once before the loop then
// and waited for once behind it, or before and behind all loops around, where no other loop needs flags between the
// same pipes. Each way of a branch is a body too, which goes round when it is taken: no flag leads into it or out of
// it.
#include "order/accesses.h"
#include "order/flags.h"
#include "passes/passes.h"

#include <algorithm>
#include <array>
#include <set>
#include <tuple>

namespace htp::a2a3 {

namespace {

using Known = std::array<size_t, pipe_count>; // how many statements' work of each pipe has ended

size_t at(Pipe p) { return static_cast<size_t>(p); }

// What statements touch while the loops around them are in these turns, each once.
class Touched {
public:
  explicit Touched(Turns turns) : turns_(std::move(turns)) {}

  void add(const Statement &s) {
    if (s.kind == Statement::Kind::instruction) {
      for (const Touch &t : touches(s, turns_))
        if (seen_.emplace(t.tensor, t.space, t.begin, t.end, t.writes, t.pipe, t.store).second) all.push_back(t);
    } else if (s.kind == Statement::Kind::loop) {
      for (int64_t turn = 0; turn < (s.turn.empty() ? 1 : 2); ++turn) {
        if (!s.turn.empty()) turns_[s.turn] = turn;
        for (const Statement &n : s.body) add(n);
      }
    } else if (s.kind == Statement::Kind::branch) {
      for (const auto *way : {&s.body, &s.otherwise})
        for (const Statement &n : *way) add(n);
    }
  }

  std::vector<Touch> all; // in order

private:
  Turns turns_;
  std::set<std::tuple<const Tensor *, const Space *, int64_t, int64_t, bool, Pipe, const Statement *>> seen_;
};

// Goes through a body as often as its places repeat, and adds what is missing.
class Line {
public:
  explicit Line(Body &body) : b(body) {
    const bool turns = b.loop && !b.loop->turn.empty();
    for (size_t k = 0; k < (turns ? 4U : b.loop ? 2U : 1U); ++k) pass(k, turns);
  }

private:
  void pass(size_t iteration, bool turns) {
    const size_t n = b.steps.size(), base = iteration * n;
    for (size_t j = 0; j < n; ++j) {
      Turns values;
      if (turns) values[b.loop->turn] = static_cast<int64_t>(iteration % 2);
      Touched touched(std::move(values));
      touched.add(*b.steps[j]);
      const std::vector<Touch> &now = touched.all;
      if (b.all[j]) barrier_all(base + j);
      // What this waits for: flags that are there already.
      for (const Flag &f : b.flags)
        if (f.wait == j && f.later <= iteration)
          learn(known_[at(f.destination)], after_[base - f.later * n + f.set][at(f.source)]);
      for (const Pipe p : b.barriers[j]) known_[at(p)][at(p)] = base + j;
      // A loop's next run is ordered behind it as its next iteration is, and so is a branch, but for its other way.
      const bool again = b.steps[j]->kind != Statement::Kind::instruction;
      if (iteration && b.steps[j]->kind == Statement::Kind::branch) other_ways(*b.steps[j], base + j);
      for (const auto &[access, touch] : meeting(now, [&](size_t number) { return !again || number % n != j; }))
        order(access->touch, access->number, *touch, base + j);
      std::array<Known, pipe_count> after{};
      for (size_t p = 0; p < pipe_count; ++p) {
        after[p] = known_[p];
        const auto works = [&](const Touch &t) { return at(t.pipe) == p; };
        if (std::any_of(now.begin(), now.end(), works)) after[p][p] = base + j + 1;
      }
      after_.push_back(after);
      for (const Touch &t : now) accesses_.add(t, base + j, b.steps[j], !again || !b.loop);
    }
  }
  // What a statement must follow, the last first: of stores by its own pipe the last one, behind which the others are.
  template <class C>
  std::vector<std::pair<const Access *, const Touch *>> meeting(const std::vector<Touch> &touches, C &&counts) {
    std::vector<std::pair<const Access *, const Touch *>> found;
    for (const Touch &t : touches) {
      const auto unknown = [&](const Access &a) { return known_[at(t.pipe)][at(a.touch.pipe)] <= a.number; };
      accesses_.meeting(
          t, unknown, [&](const Access &a) { return counts(a.number); },
          [&](const Access &a) {
            found.emplace_back(&a, &t);
            return false;
          });
    }
    std::stable_sort(found.begin(), found.end(), [](const auto &x, const auto &y) {
      const Access &a = *x.first, &o = *y.first;
      return a.number != o.number ? a.number > o.number : a.rank < o.rank;
    });
    return found;
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
    for (int64_t turn = 0; turn < 2; ++turn)
      for (const bool other : {false, true}) {
        Touched touched(b.loop ? Turns{{b.loop->turn, turn}} : Turns());
        for (const Statement &n : other ? s.otherwise : s.body) touched.add(n);
        ways[other].insert(ways[other].end(), touched.all.begin(), touched.all.end());
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
  Accesses accesses_; // of all iterations so far
  std::array<Known, pipe_count> known_{};
  std::vector<std::array<Known, pipe_count>> after_; // what each pipe knows to have ended when a statement has
};

// A flag from before a branch to behind it, or the other way round, may be set again too early where the branch does
// nothing: all pipes wait for all there.
void part_branches(Order &order) {
  for (Body &b : order.bodies)
    for (size_t k = 0; k < b.steps.size(); ++k)
      if (b.steps[k]->kind == Statement::Kind::branch) {
        b.all[k] = true;
        if (k + 1 < b.steps.size()) b.all[k + 1] = true;
      }
}
// Where all pipes wait for all in a loop, no flag leads from its last iteration to the first of its next run.
void part_loops(Order &order) {
  for (Body &b : order.bodies)
    for (size_t k = 0; k < b.steps.size(); ++k)
      if (b.steps[k]->kind == Statement::Kind::loop) b.all[k] = true;
}

// What is not in order behind all of that, the verifier says.
Kernel ordered(const Kernel &kernel) {
  Order order(kernel);
  for (Body &b : order.bodies) Line line(b);
  order.number();
  for (void (*part)(Order &) : {part_branches, part_loops}) {
    if (!disorder(order.kernel())) break;
    part(order);
  }
  return order.kernel();
}

} // namespace

Node insert_flags(const Context &c, Node root) {
  Program program;
  if (!read_program(c, root, Stage::placed, program)) return HTP_NONE;
  for (Kernel &k : program.kernels) k.body = ordered(k).body, k.stage = Stage::ordered;
  return with_kernels(c, root, program);
}

} // namespace htp::a2a3
