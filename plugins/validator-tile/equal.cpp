#include "equal.h"

#include <algorithm>

namespace htp::validator {

namespace {

constexpr size_t most_steps = 2'000'000, most_depth = 4000;

} // namespace

// What a loop leaves as it is is what it was before.
Term Equality::resolved(Term x) const {
  for (;;) {
    const TermNode &n = t.at(x);
    if (n.op != Op::state && n.op != Op::exit) return x;
    const Loop::Slot &slot = t.loops[static_cast<size_t>(n.numbers[0])].slots[static_cast<size_t>(n.numbers[1])];
    if (slot.next != slot.state) return x;
    x = slot.initial;
  }
}

bool Equality::differ(Term a, Term b) {
  if (difference_.empty() || depth_ > deepest_) {
    deepest_ = depth_;
    difference_ = "`" + t.show(a) + "` before, `" + t.show(b) + "` after";
  }
  return false;
}

bool Equality::equal(Term a, Term b) {
  a = resolved(a), b = resolved(b);
  const bool closed = t.at(a).op != Op::state && t.at(a).op != Op::variable;
  if (a == b) return a != 0 && t.at(a).op != Op::garbage && t.at(a).op != Op::undefined && (closed || true);
  if (assumed_.contains({a, b})) return true;
  if (++steps_ > most_steps || depth_ > most_depth) return differ(a, b);
  const size_t mark = trail_.size(), loop_mark = loop_trail_.size();
  ++depth_;
  const bool good = compare(a, b);
  --depth_;
  if (!good) {
    back_to(mark);
    back_to_loops(loop_mark);
    return false;
  }
  take({a, b});
  return true;
}

bool Equality::all(const std::vector<Term> &a, const std::vector<Term> &b) {
  if (a.size() != b.size()) return false;
  for (size_t k = 0; k < a.size(); ++k)
    if (!equal(a[k], b[k])) return false;
  return true;
}

bool Equality::aligned(uint32_t a, uint32_t b) { return (a == 0 && b == 0) || loops_.contains({a, b}); }

bool Equality::align(uint32_t a, uint32_t b) {
  if (aligned(a, b)) return true;
  if ((a == 0) != (b == 0)) return false;
  if (a == 0) return true;
  const Loop one = t.loops[a], other = t.loops[b];
  if (one.form != other.form || !align(one.parent, other.parent) || !may_align(a, b)) return false;
  if (!equal(one.low, other.low) || !equal(one.high, other.high) || !equal(one.step, other.step)) return false;
  loops_.insert({a, b});
  loop_trail_.push_back({a, b});
  return true;
}

// A loop goes in pairs with one of a nest alone: not with two of which one is within the other.
bool Equality::may_align(uint32_t a, uint32_t b) const {
  const auto within = [&](uint32_t x, uint32_t y) {
    for (uint32_t l = t.loops[x].parent; l; l = t.loops[l].parent)
      if (l == y) return true;
    return false;
  };
  return std::none_of(loops_.begin(), loops_.end(), [&](const auto &pair) {
    return (pair.first == a && (within(pair.second, b) || within(b, pair.second))) ||
           (pair.second == b && (within(pair.first, a) || within(a, pair.first)));
  });
}

// Axes in the order of what they go through; what is around them is aligned.
bool Equality::maps(const TermNode &x, const TermNode &y) {
  if (x.numbers.size() != y.numbers.size() || x.args.size() != y.args.size()) return false;
  const auto around = [&](const TermNode &n) {
    uint32_t l = static_cast<uint32_t>(n.numbers[0]);
    const auto is_axis = [&](uint32_t which) {
      return std::find(n.numbers.begin(), n.numbers.end(), static_cast<int64_t>(which)) != n.numbers.end();
    };
    // What was split off an axis is none any more.
    while (l && (is_axis(l) || t.loops[l].split)) l = t.loops[l].parent;
    return l;
  };
  if (!align(around(x), around(y))) return false;
  for (size_t k = 0; k < x.numbers.size(); ++k) {
    const auto la = static_cast<uint32_t>(x.numbers[k]), lb = static_cast<uint32_t>(y.numbers[k]);
    if (loops_.contains({la, lb})) continue;
    const Loop one = t.loops[la], other = t.loops[lb];
    if (one.form != other.form || !may_align(la, lb)) return false;
    if (!equal(one.low, other.low) || !equal(one.high, other.high) || !equal(one.step, other.step)) return false;
    loops_.insert({la, lb});
    loop_trail_.push_back({la, lb});
  }
  return all(x.args, y.args);
}

bool Equality::slots(uint32_t la, size_t a, uint32_t lb, size_t b) {
  const Loop::Slot one = t.loops[la].slots[a], other = t.loops[lb].slots[b];
  if (assumed_.contains({one.state, other.state})) return true;
  take({one.state, other.state});
  return equal(one.initial, other.initial) && equal(one.next, other.next);
}

bool Equality::compare(Term a, Term b) {
  const TermNode x = t.at(a), y = t.at(b);
  // A choice whose ways are both the same.
  if (y.op == Op::choice && x.op != Op::choice) return equal(a, y.args[1]) && equal(a, y.args[2]);
  if (x.op == Op::choice && y.op != Op::choice) return equal(x.args[1], b) && equal(x.args[2], b);
  if (x.op != y.op) return differ(a, b);
  switch (x.op) {
  case Op::state: {
    const auto la = static_cast<uint32_t>(x.numbers[0]), lb = static_cast<uint32_t>(y.numbers[0]);
    if (!align(la, lb)) return differ(a, b);
    return slots(la, static_cast<size_t>(x.numbers[1]), lb, static_cast<size_t>(y.numbers[1]));
  }
  case Op::exit: {
    const auto la = static_cast<uint32_t>(x.numbers[0]), lb = static_cast<uint32_t>(y.numbers[0]);
    if (!align(la, lb)) return differ(a, b);
    return slots(la, static_cast<size_t>(x.numbers[1]), lb, static_cast<size_t>(y.numbers[1]));
  }
  case Op::variable:
    if (align(static_cast<uint32_t>(x.numbers[0]), static_cast<uint32_t>(y.numbers[0]))) return true;
    return differ(a, b);
  case Op::map: return maps(x, y) || differ(a, b);
  case Op::sum: return sums(a, b) || differ(a, b);
  case Op::product:
  case Op::minimum:
  case Op::maximum: {
    if (x.args.size() != y.args.size()) return differ(a, b);
    std::vector<Pair> rest;
    const std::vector<int64_t> ones(x.args.size(), 1);
    return some(rest, x.args, ones, y.args, ones) || differ(a, b);
  }
  case Op::choice:
    if (all(x.args, y.args)) return true;
    return equal(a, y.args[1]) && equal(a, y.args[2]);
  case Op::apply: {
    if (x.tag != y.tag || x.args.size() != y.args.size()) return differ(a, b);
    if (t.type_of(a).dtype != t.type_of(b).dtype) return differ(a, b);
    if (all(x.args, y.args)) return true;
    if (x.args.size() == 2 && (x.tag == "add" || x.tag == "mul" || x.tag == "and" || x.tag == "or" ||
                               x.tag == "bit_and" || x.tag == "bit_or" || x.tag == "bit_xor"))
      return equal(x.args[0], y.args[1]) && equal(x.args[1], y.args[0]);
    return false;
  }
  case Op::block:
  case Op::slice:
  case Op::tuple:
  case Op::floordiv:
    if (x.tag != y.tag || x.args.size() != y.args.size()) return differ(a, b);
    return all(x.args, y.args);
  default: return differ(a, b); // the same ones are one term
  }
}

bool Equality::sums(Term a, Term b) {
  const TermNode x = t.at(a), y = t.at(b);
  if (x.numbers[0] != y.numbers[0] || x.args.size() != y.args.size()) return false;
  std::vector<Pair> rest;
  return some(rest, x.args, {x.numbers.begin() + 1, x.numbers.end()}, y.args, {y.numbers.begin() + 1, y.numbers.end()});
}

bool Equality::some(std::vector<Pair> &, const std::vector<Term> &a, const std::vector<int64_t> &ka,
                    std::vector<Term> b, std::vector<int64_t> kb) {
  for (size_t i = 0; i < a.size(); ++i) {
    bool found = false;
    for (size_t j = 0; j < b.size() && !found; ++j) {
      if (ka[i] != kb[j] || !equal(a[i], b[j])) continue;
      b.erase(b.begin() + static_cast<std::ptrdiff_t>(j));
      kb.erase(kb.begin() + static_cast<std::ptrdiff_t>(j));
      found = true;
    }
    if (!found) return false;
  }
  return true;
}

} // namespace htp::validator
