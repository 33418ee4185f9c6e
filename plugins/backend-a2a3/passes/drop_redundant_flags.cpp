// Flags and barriers that the order does without are left out, from the outermost loops inwards.
#include "order/flags.h"
#include "passes/passes.h"

#include <algorithm>
#include <numeric>

namespace htp::a2a3 {

namespace {

// Whether one was dropped.
bool drop(Order &order) {
  const auto fine = [&] { return !disorder(order.kernel()); };
  std::vector<size_t> outermost(order.bodies.size());
  std::iota(outermost.begin(), outermost.end(), size_t{0});
  std::stable_sort(outermost.begin(), outermost.end(),
                   [&](size_t a, size_t o) { return order.bodies[a].depth < order.bodies[o].depth; });
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
