// Flags and barriers that the order does without are left out, from the outermost loops inwards.
#include "order/flags.h"
#include "passes/passes.h"

#include <algorithm>
#include <numeric>

namespace htp::a2a3 {

namespace {

// Bodies that are gone through in any case: not those of branches, nor what stands in these.
void mark_certain(const Order &order, size_t n, std::vector<bool> &certain) {
  certain[n] = true;
  const Body &b = order.bodies[n];
  for (size_t k = 0; k < b.steps.size(); ++k)
    if (b.steps[k]->kind == Statement::Kind::loop) mark_certain(order, b.inner[k][0], certain);
}

// Whether a barrier before the k-th step is needed for sure: its pipe has waited for nothing since an instruction of it
// that touches the same.
bool needed(const Body &b, size_t k, Pipe p) {
  const auto runs = [&](size_t n) { return b.steps[n]->kind == Statement::Kind::instruction; };
  const auto waits = [&](size_t n) {
    return b.all[n] || std::any_of(b.flags.begin(), b.flags.end(),
                                   [&](const Flag &f) { return f.wait == n && f.destination == p && !f.dropped; });
  };
  if (!runs(k) || b.steps[k]->pipe() != p) return false;
  const std::vector<Touch> touched = touches(*b.steps[k], {});
  for (size_t n = k; !waits(n) && (n == k || !b.barriers[n].contains(p)) && n-- > 0 && runs(n);)
    if (b.steps[n]->pipe() == p)
      for (const Touch &before : touches(*b.steps[n], {}))
        for (const Touch &t : touched)
          if (before.meets(t)) return true;
  return false;
}

// A barrier, or a flag, that may be left out.
struct Candidate {
  enum class Of : uint8_t { all, barrier, flag } of;
  size_t body, at; // a step, or a flag
  Pipe pipe = Pipe::s;

  void leave_out(Order &order, bool out) const {
    Body &b = order.bodies[body];
    switch (of) {
    case Of::all: b.all[at] = !out; break;
    case Of::barrier: out ? void(b.barriers[at].erase(pipe)) : void(b.barriers[at].insert(pipe)); break;
    case Of::flag: b.flags[at].dropped = out; break;
    }
  }
};

// Leaves out what the order does without, one after the other: each where the kernel is in order without it and those
// that were left out before. With less order no more is in order, and that is what keeps the work near the kernel's
// size: whatever a few steps around a candidate need it for, the kernel does too, and of the others as many as go at
// once are left out together.
class Drop {
public:
  explicit Drop(Order &order) : order_(order), loops_(order.bodies.size()) {
    for (size_t n = 0; n < order.bodies.size(); ++n) {
      const Body &b = order.bodies[n];
      for (size_t k = 0; k < b.steps.size(); ++k)
        for (const size_t in : b.inner[k]) loops_[in].around = n, loops_[in].step = k;
      loops_[n].size += b.steps.size(); // those of inner bodies come first
      for (const auto &inner : b.inner)
        for (const size_t in : inner) loops_[n].size += loops_[in].size;
    }
    mark_certain(order, order.bodies.size() - 1, certain_);
  }

  // Whether one was left out.
  bool run() {
    const std::vector<Candidate> open = candidates();
    if (open.empty() || !fine()) return false;
    size_t together = open.size();
    bool any = false, flags = false;
    for (size_t at = 0; at < open.size();) {
      const size_t most = std::min(together, open.size() - at);
      size_t out = most;
      if (!without(open, at, most)) { // fewer of them, by halves
        size_t fails = most;
        for (out = 0; fails - out > 1;) {
          const size_t half = (out + fails) / 2;
          (without(open, at, half) ? out : fails) = half;
        }
      }
      for (size_t k = at; k < at + out; ++k) {
        open[k].leave_out(order_, true);
        any = true, flags |= open[k].of == Candidate::Of::flag;
      }
      at += out + (out < most ? 1 : 0);
      together = std::max<size_t>(2 * out, 1);
    }
    if (flags && order_.hoists()) order_.number();
    return any;
  }

private:
  bool fine() const { return !disorder(order_.kernel()); }
  bool without(const std::vector<Candidate> &open, size_t at, size_t count) {
    for (size_t k = at; k < at + count; ++k) open[k].leave_out(order_, true);
    const bool works = fine();
    for (size_t k = at; k < at + count; ++k) open[k].leave_out(order_, false);
    return works;
  }

  // Those that are not needed for sure, from the outermost loops inwards.
  std::vector<Candidate> candidates() {
    using Of = Candidate::Of;
    std::vector<size_t> outermost(order_.bodies.size());
    std::iota(outermost.begin(), outermost.end(), size_t{0});
    std::stable_sort(outermost.begin(), outermost.end(),
                     [&](size_t a, size_t o) { return order_.bodies[a].depth < order_.bodies[o].depth; });
    std::vector<Candidate> open;
    for (const size_t n : outermost) {
      const Body &b = order_.bodies[n];
      for (size_t k = 0; k < b.steps.size(); ++k) {
        if (b.all[k]) add({Of::all, n, k}, k, k, open);
        for (const Pipe p : std::set<Pipe>(b.barriers[k]))
          if (!certain_[n] || !needed(b, k, p)) add({Of::barrier, n, k, p}, k, k, open);
      }
      for (size_t k = 0; k < b.flags.size(); ++k)
        add({Of::flag, n, k}, std::min(b.flags[k].set, b.flags[k].wait), std::max(b.flags[k].set, b.flags[k].wait),
            open);
    }
    return open;
  }
  void add(const Candidate &one, size_t from, size_t to, std::vector<Candidate> &open) {
    one.leave_out(order_, true);
    if (!needed_nearby(one, from, to)) open.push_back(one);
    one.leave_out(order_, false);
  }
  // Whether the steps around these, or the loop that they stand in, are not in order.
  bool needed_nearby(const Candidate &one, size_t from, size_t to) const {
    const Body &b = order_.bodies[one.body];
    const auto wrong = [&](size_t body, size_t first, size_t last) {
      return disorder(order_.part(body, first, last)).has_value();
    };
    if (one.of != Candidate::Of::flag || !b.flags[one.at].later)
      for (const size_t near : {2U, 8U, 32U}) {
        const size_t first = from - std::min(from, near), last = std::min(to + near, b.steps.size() - 1);
        if (last - first + 1 == b.steps.size() && !b.loop) break; // all of the kernel
        if (wrong(one.body, first, last)) return true;
      }
    const Loop &loop = loops_[one.body];
    return b.loop && loop.size < loops_.back().size / 2 && wrong(loop.around, loop.step, loop.step);
  }

  struct Loop {
    size_t around = 0, step = 0; // where a body stands
    size_t size = 0;             // steps in it, those of inner ones too
  };
  Order &order_;
  std::vector<Loop> loops_; // of bodies
  std::vector<bool> certain_ = std::vector<bool>(order_.bodies.size());
};

} // namespace

// A kernel whose flags a person has written in another way stays as it is.
Node drop_redundant_flags(const Context &c, Node root) {
  Program program;
  if (!read_program(c, root, Stage::ordered, program)) return HTP_NONE;
  bool changed = false;
  for (Kernel &k : program.kernels)
    if (auto order = Order::of(k); order && Drop(*order).run()) k.body = order->kernel().body, changed = true;
  return changed ? with_kernels(c, root, program) : root;
}

} // namespace htp::a2a3
