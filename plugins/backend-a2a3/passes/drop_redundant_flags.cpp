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

// Whether one was dropped.
bool drop(Order &order) {
  const auto fine = [&] { return !disorder(order.kernel()); };
  std::vector<size_t> outermost(order.bodies.size());
  std::iota(outermost.begin(), outermost.end(), size_t{0});
  std::stable_sort(outermost.begin(), outermost.end(),
                   [&](size_t a, size_t o) { return order.bodies[a].depth < order.bodies[o].depth; });
  std::vector<bool> certain(order.bodies.size());
  mark_certain(order, order.bodies.size() - 1, certain);
  bool fewer = false, barriers = false;
  for (const size_t n : outermost) {
    Body &b = order.bodies[n];
    for (size_t k = 0; k < b.steps.size(); ++k) {
      if (b.all[k]) {
        b.all[k] = false;
        b.all[k] = !fine();
        barriers |= !b.all[k];
      }
      for (const Pipe p : std::set<Pipe>(b.barriers[k])) {
        if (certain[n] && needed(b, k, p)) continue;
        b.barriers[k].erase(p);
        if (fine())
          barriers = true;
        else
          b.barriers[k].insert(p);
      }
    }
    for (Flag &f : b.flags) {
      f.dropped = true;
      f.dropped = fine();
      fewer |= f.dropped;
    }
  }
  if (fewer && order.hoists()) order.number();
  return fewer || barriers;
}

} // namespace

// A kernel whose flags a person has written in another way stays as it is.
Node drop_redundant_flags(const Context &c, Node root) {
  Program program;
  if (!read_program(c, root, Stage::ordered, program)) return HTP_NONE;
  bool changed = false;
  for (Kernel &k : program.kernels)
    if (auto order = Order::of(k); order && drop(*order)) k.body = order->kernel().body, changed = true;
  return changed ? with_kernels(c, root, program) : root;
}

} // namespace htp::a2a3
