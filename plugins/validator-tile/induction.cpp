#include "induction.h"

#include <algorithm>

namespace htp::validator {

using namespace htp::sdk;

void Induction::begin_products(uint32_t number, std::set<std::string> &assumptions) {
  auto &slots = t.loops[number].slots;
  const Loop loop = t.loops[number];
  const Term d = t.sub(t.variable(number), loop.low), e = t.sub(loop.low, t.variable(number));
  const Term first = t.apply("zero", {std::min(d, e)}, {"truth", {}});
  for (size_t k = 0; k < slots.size(); ++k) {
    const TermNode x = t.at(slots[k].next);
    if (x.op != Op::choice || x.args[0] != first) continue;
    const TermNode once = t.at(x.args[1]), on = t.at(x.args[2]);
    const Type type = t.type_of(slots[k].state);
    if (once.op != Op::apply || on.op != Op::apply || once.tag != "matmul" || on.tag != "matmul" || !type.known())
      continue;
    if (once.args[0] != on.args[0] || once.args[1] != on.args[1] || once.args[3] != on.args[3] ||
        t.constant(once.args[2]) != 0 || on.args[2] != slots[k].state)
      continue;
    std::set<Term> seen;
    bool other = uses(on.args[0], slots[k].state, seen) || uses(on.args[1], slots[k].state, seen);
    for (size_t j = 0; j < slots.size(); ++j)
      if (j != k) other |= uses(slots[j].next, slots[k].state, seen);
    if (other) continue;
    if (const auto low = t.constant(loop.low), high = t.constant(loop.high); !low || !high || *low >= *high)
      assumptions.insert(t.show(loop.low, 9) + " < " + t.show(loop.high, 9));
    slots[k].initial = full(type.dtype, t.integer(0), type.extents);
    slots[k].next = x.args[2];
  }
}

bool Induction::independent(uint32_t number) {
  std::set<Term> seen;
  for (const auto &slot : std::vector<Loop::Slot>(t.loops[number].slots))
    if (slot.next != slot.state && !t.is(slot.next, Op::garbage) && !changes_own(slot.next, slot.state, number, seen))
      return false;
  return true;
}

bool Induction::stores_apart(uint32_t number, size_t slot) {
  const Loop::Slot of = t.loops[number].slots[slot];
  std::set<Term> seen;
  return of.next == of.state || changes_own(of.next, of.state, number, seen, false);
}

Term Induction::after_loop(uint32_t number, size_t k, const std::string &of) {
  const auto slot = t.loops[number].slots[k];
  if (slot.next == slot.state) return slot.initial;
  if (const Term map = as_map(number, slot)) return map;
  const Term exit = t.make(Op::exit, of, {}, {static_cast<int64_t>(number), static_cast<int64_t>(k)});
  const Type type = t.type_of(slot.state);
  if (type.known()) t.type(exit, type);
  return exit;
}

Term Induction::as_map(uint32_t number, const Loop::Slot &slot) {
  const TermNode x = t.at(slot.next);
  const Loop loop = t.loops[number];
  if ((x.op != Op::map && (x.op != Op::apply || x.tag != "update")) || x.args[0] != slot.state || loop.form != "for")
    return 0;
  std::set<Term> seen;
  for (size_t k = 1; k < x.args.size(); ++k)
    if (mentions(x.args[k], number, seen)) return 0;
  std::vector<int64_t> axes;
  if (x.op == Op::map) axes = x.numbers;
  for (const int64_t a : axes)
    for (const Term h : t.loops[static_cast<size_t>(a)].bounds())
      if (mentions(h, number, seen)) return 0;
  const Term variable = t.variable(number);
  std::vector<Term> args = x.args;
  args[0] = slot.initial;
  bool owns = false;
  for (size_t k = 2; k < args.size() && !owns; ++k)
    owns = t.is(args[k], Op::slice) && is_within(args[k], variable, loop);
  if (!owns) return 0;
  for (size_t k = 0; k < axes.size(); ++k) {
    const auto inner = static_cast<uint32_t>(axes[k]);
    const Loop axis = t.loops[inner];
    const auto step = t.constant(axis.step);
    if (axis.low != variable || !step || *step <= 0 || axis.form != "for") continue;
    if (axis.high != t.least({t.add(variable, loop.step), loop.high}) || !t.divisible(loop.step, *step) ||
        !positive(loop.step))
      continue;
    Loop flat;
    flat.low = loop.low, flat.high = loop.high, flat.step = axis.step, flat.form = axis.form, flat.parent = loop.parent;
    const auto made = static_cast<uint32_t>(t.loops.size());
    t.loops.push_back(flat);
    std::map<Term, Term> known;
    std::map<uint32_t, uint32_t> again;
    for (const Loop::Slot &same : axis.slots)
      if (same.next == same.state) known[same.state] = same.initial;
    std::vector<Term> replaced{args[0]};
    for (size_t j = 1; j < args.size(); ++j) replaced.push_back(t.replaced(args[j], inner, made, known, again));
    std::vector<int64_t> flat_axes = axes;
    flat_axes[k] = made;
    for (size_t j = 0; j < axes.size(); ++j)
      if (j != k) {
        const Term v = t.replaced(t.variable(static_cast<uint32_t>(axes[j])), inner, made, known, again);
        flat_axes[j] = t.at(v).numbers[0];
      }
    // Nothing else asks for the blocks that were cut.
    std::set<Term> asked;
    bool asks = false;
    for (size_t j = 1; j < replaced.size(); ++j) asks |= uses(replaced[j], variable, asked);
    for (const int64_t a : flat_axes)
      for (const Term h : t.loops[static_cast<size_t>(a)].bounds()) asks |= uses(h, variable, asked);
    if (asks) continue;
    t.loops[number].split = true;
    return map_of(std::move(replaced), std::move(flat_axes), slot);
  }
  axes.insert(axes.begin(), number);
  return map_of(std::move(args), std::move(axes), slot);
}

Term Induction::map_of(std::vector<Term> args, std::vector<int64_t> axes, const Loop::Slot &slot) {
  const auto dimension = [&](int64_t a) {
    const Term v = t.variable(static_cast<uint32_t>(a));
    for (size_t k = 2; k < args.size(); ++k)
      if (t.is(args[k], Op::slice) && t.at(args[k]).args[0] == v) return k;
    return size_t{0};
  };
  std::stable_sort(axes.begin(), axes.end(), [&](int64_t a, int64_t b) { return dimension(a) < dimension(b); });
  const Term map = t.make(Op::map, t.at(slot.state).tag, std::move(args), std::move(axes));
  const Type type = t.type_of(slot.state);
  if (type.known()) t.type(map, type);
  return map;
}

bool Induction::positive(Term x) const {
  if (const auto k = t.constant(x)) return *k > 0;
  const TermNode &n = t.at(x);
  return n.op == Op::maximum &&
         std::any_of(n.args.begin(), n.args.end(), [&](Term a) { return t.constant(a).value_or(0) > 0; });
}

bool Induction::uses(Term x, Term of, std::set<Term> &seen) const {
  if (x == of) return true;
  if (!x || !seen.insert(x).second) return false;
  const TermNode &n = t.at(x);
  const auto header = [&](int64_t l) {
    const Loop &loop = t.loops[static_cast<size_t>(l)];
    return uses(loop.low, of, seen) || uses(loop.high, of, seen) || uses(loop.step, of, seen);
  };
  if (n.op == Op::state || n.op == Op::exit) {
    const auto slot = t.loops[static_cast<size_t>(n.numbers[0])].slots[static_cast<size_t>(n.numbers[1])];
    return header(n.numbers[0]) || uses(slot.initial, of, seen) || uses(slot.next, of, seen);
  }
  if (n.op == Op::map && std::any_of(n.numbers.begin(), n.numbers.end(), header)) return true;
  return std::any_of(n.args.begin(), n.args.end(), [&](Term a) { return uses(a, of, seen); });
}

bool Induction::mentions(Term x, uint32_t number, std::set<Term> &seen) {
  if (!seen.insert(x).second) return false;
  const TermNode n = t.at(x);
  if (n.op == Op::state && n.numbers[0] == static_cast<int64_t>(number)) {
    const auto &slot = t.loops[number].slots[static_cast<size_t>(n.numbers[1])];
    return slot.next != slot.state && !t.is(slot.next, Op::garbage);
  }
  if (n.op == Op::exit || n.op == Op::state) {
    const auto &slot = t.loops[static_cast<size_t>(n.numbers[0])].slots[static_cast<size_t>(n.numbers[1])];
    return mentions(slot.initial, number, seen) || (slot.next && mentions(slot.next, number, seen));
  }
  if (n.op == Op::map)
    for (const int64_t a : n.numbers)
      for (const Term h : t.loops[static_cast<size_t>(a)].bounds())
        if (mentions(h, number, seen)) return true;
  return std::any_of(n.args.begin(), n.args.end(), [&](Term a) { return mentions(a, number, seen); });
}

bool Induction::changes_own(Term x, Term from, uint32_t number, std::set<Term> &seen, bool values) {
  const Loop loop = t.loops[number];
  const Term variable = t.make(Op::variable, "", {}, {static_cast<int64_t>(number)});
  while (x != from) {
    const TermNode u = t.at(x);
    if (u.op == Op::exit) {
      const auto slot = t.loops[static_cast<size_t>(u.numbers[0])].slots[static_cast<size_t>(u.numbers[1])];
      if (!changes_own(slot.next, slot.state, number, seen, values)) return false;
      x = slot.initial;
      continue;
    }
    if (u.op == Op::choice)
      return (!values || !mentions(u.args[0], number, seen)) && changes_own(u.args[1], from, number, seen, values) &&
             changes_own(u.args[2], from, number, seen, values);
    if (u.op != Op::map && (u.op != Op::apply || u.tag != "update")) return false;
    if (u.op == Op::map)
      for (const int64_t a : u.numbers)
        for (const Term h : t.loops[static_cast<size_t>(a)].bounds())
          if (mentions(h, number, seen)) return false;
    const bool own = std::any_of(u.args.begin() + 2, u.args.end(), [&](Term i) {
      if (!t.is(i, Op::slice)) return false;
      if (is_within(i, variable, loop)) return true;
      const TermNode sl = t.at(i); // or that far from there
      return is_around(t.sub(sl.args[0], variable), number) &&
             is_within(t.make(Op::slice, "", {variable, sl.args[1], sl.args[2]}), variable, loop);
    });
    if (!own) return false;
    for (size_t k = values ? 1 : 2; k < u.args.size(); ++k)
      if (mentions(u.args[k], number, seen)) return false;
    x = u.args[0];
  }
  return true;
}

bool Induction::is_around(Term x, uint32_t number) const {
  const TermNode &n = t.at(x);
  if (n.op == Op::symbol) return n.tag.starts_with("dim ");
  if (n.op == Op::variable) {
    for (uint32_t l = t.loops[number].parent; l; l = t.loops[l].parent)
      if (n.numbers[0] == static_cast<int64_t>(l)) return true;
    return false;
  }
  if (n.op != Op::sum && n.op != Op::product && n.op != Op::floordiv && n.op != Op::minimum && n.op != Op::maximum)
    return false;
  return std::all_of(n.args.begin(), n.args.end(), [&](Term a) { return is_around(a, number); });
}

bool Induction::is_within(Term slice, Term variable, const Loop &loop) {
  const TermNode sl = t.at(slice);
  if (t.constant(sl.args[2]) != 1) return false;
  if (sl.args[0] == variable) {
    if (sl.args[1] == loop.step) return true;
    if (t.is(sl.args[1], Op::minimum)) {
      const auto arms = t.at(sl.args[1]).args;
      return std::find(arms.begin(), arms.end(), loop.step) != arms.end();
    }
    const auto k = t.constant(sl.args[1]), st = t.constant(loop.step);
    return k && st && *k <= *st;
  }
  // A block of the block: of a loop from the variable to the end of its block at most.
  if (!t.is(sl.args[0], Op::variable)) return false;
  const Loop inner = t.loops[static_cast<size_t>(t.at(sl.args[0]).numbers[0])];
  if (!is_within_to(inner, variable, loop)) return false;
  return is_within(t.make(Op::slice, "", {sl.args[0], sl.args[1], sl.args[2]}), sl.args[0], inner) && stays(sl, inner);
}

bool Induction::is_within_to(const Loop &inner, Term variable, const Loop &loop) {
  if (inner.low != variable) return false;
  const Term end = t.add(variable, loop.step); // of the block
  if (inner.high == end) return true;
  return t.is(inner.high, Op::minimum) &&
         std::find(t.at(inner.high).args.begin(), t.at(inner.high).args.end(), end) != t.at(inner.high).args.end();
}

bool Induction::stays(const TermNode &sl, const Loop &inner) {
  const Term wanted = t.least({inner.step, t.sub(inner.high, sl.args[0])});
  return sl.args[1] == wanted || (t.constant(inner.step) == 1 && t.constant(sl.args[1]) == 1);
}

} // namespace htp::validator
