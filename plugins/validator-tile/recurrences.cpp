// Loops, an element at a time: of what a slot holds after all iterations. An element that one iteration writes is what
// that writes; one to which each adds is a fold; any other is a recurrence.
#include "elements.h"

#include <algorithm>
#include <charconv>

namespace htp::validator {

namespace {

// Open loops and facts, as they were.
struct Closed {
  std::vector<OpenLoop> &open;
  Facts &facts;
  size_t loops, mark;
  Closed(std::vector<OpenLoop> &o, Facts &f) : open(o), facts(f), loops(o.size()), mark(f.mark()) {}
  ~Closed() { close(); }
  void close() {
    if (open.size() > loops) open.resize(loops);
    facts.back_to(mark);
  }
  Closed(const Closed &) = delete;
  Closed &operator=(const Closed &) = delete;
};

// Of "dim ?12" 12, else 0.
uint64_t number_of(const TermNode &n) {
  uint64_t k = 0;
  if (n.op == Op::symbol && n.tag.starts_with("dim ?"))
    std::from_chars(n.tag.data() + 5, n.tag.data() + n.tag.size(), k);
  return k;
}

uint64_t youngest(const Terms &t, Term x, std::set<Term> &seen) {
  if (!seen.insert(x).second) return 0;
  uint64_t k = number_of(t.at(x));
  for (const Term a : t.at(x).args) k = std::max(k, youngest(t, a, seen));
  return k;
}

} // namespace

OpenLoop Elements::opened(uint32_t number) {
  const Loop loop = t.loops[number];
  if (loop.form != "for") fail("a loop over cores");
  OpenLoop o;
  o.loop = number;
  o.low = integer(loop.low);
  o.step = integer(loop.step);
  const Term high = integer(loop.high);
  if (!facts.proves(t.sub(o.step, t.integer(1)))) fail("a loop whose step is not shown to be positive");
  o.count = t.floordiv(t.sub(t.add(t.sub(high, o.low), o.step), t.integer(1)), o.step);
  o.turn = o.at = fresh_int();
  o.begun = t.add(o.low, t.mul(o.step, o.turn));
  o.left = t.sub(t.sub(t.sub(high, o.low), t.mul(o.step, o.turn)), t.integer(1));
  return o;
}

void Elements::assume(const OpenLoop &o) {
  facts.assume(o.turn);
  facts.assume(o.left);
}

OpenLoop *Elements::open(uint32_t loop) {
  for (size_t k = open_.size(); k-- > 0;)
    if (open_[k].loop == loop) return &open_[k];
  return nullptr;
}

Term Elements::state(uint32_t loop, size_t slot, const Index &index) {
  const Loop::Slot of = t.loops[loop].slots[slot];
  if (of.next == of.state) return element(of.initial, index);
  OpenLoop *o = open(loop);
  if (!o) fail("what a loop changes is asked for outside of it");
  if (t.type_of(of.state).dtype == "int") fail("an int that a loop changes");
  std::set<Term> seen;
  const uint64_t turn = number_of(t.at(o->turn));
  for (const Term i : index)
    if (youngest(t, i, seen) >= turn)
      fail("an element of `" + t.at(of.state).tag + "` that depends on the iteration: `" + t.show(i) + "`");
  for (size_t k = 0; k < o->elements.size(); ++k)
    if (o->elements[k].first == slot && o->elements[k].second == index) return o->states[k];
  o->elements.emplace_back(slot, index);
  o->states.push_back(fresh_value(t.type_of(of.state).dtype));
  return o->states.back();
}

Elements::Pin Elements::pinned(const OpenLoop &o, const std::vector<Term> &given, const std::set<Term> &but) {
  if (t.constant(o.count) == 1) return {o.turn, t.integer(0)};
  // x = c · turn + rest, where neither has it.
  const auto linear = [&](Term x, Term &c, Term &rest) {
    const TermNode n = t.at(x);
    c = t.integer(0), rest = t.integer(0);
    std::vector<Term> atoms = n.op == Op::sum ? n.args : std::vector<Term>{x};
    if (n.op == Op::sum) rest = t.integer(n.numbers[0]);
    for (size_t k = 0; k < atoms.size(); ++k) {
      const int64_t by = n.op == Op::sum ? n.numbers[k + 1] : 1;
      if (atoms[k] == o.turn) {
        c = t.add(c, t.integer(by));
      } else if (!mentions(atoms[k], o.turn)) {
        rest = t.add(rest, t.scale(atoms[k], by));
      } else if (t.is(atoms[k], Op::product)) {
        auto factors = t.at(atoms[k]).args;
        const auto own = std::find(factors.begin(), factors.end(), o.turn);
        if (own == factors.end()) return false;
        factors.erase(own);
        Term others = t.integer(by);
        for (const Term f : factors) others = t.mul(others, f);
        if (mentions(others, o.turn)) return false;
        c = t.add(c, others);
      } else {
        return false;
      }
    }
    return true;
  };
  const auto conditions = weakened(given, !but.empty());
  const auto multiples = [&](Term x, Term per) {
    std::vector<int64_t> result{1};
    const auto by = t.constant(per);
    const auto in = [&](Term arm) {
      Term c = 0, rest = 0;
      if (!by || !linear(arm, c, rest)) return;
      if (const auto k = t.constant(c); k && *k > *by && *k % *by == 0) result.push_back(*k / *by);
    };
    if (t.is(x, Op::minimum))
      for (const Term arm : std::vector<Term>(t.at(x).args)) in(arm);
    else
      in(x);
    return result;
  };
  for (const Term lower : conditions) {
    Term c = 0, rest = 0;
    if (is_truth(lower) || !mentions(lower, o.turn) || !linear(lower, c, rest)) continue;
    const Term per = t.scale(c, -1); // lower: rest - per · turn
    if (mentions_any(rest, but)) continue;
    if (!facts.proves(t.sub(per, t.integer(1)))) continue;
    for (const Term upper : conditions) {
      if (upper == lower || is_truth(upper) || !mentions(upper, o.turn)) continue;
      // Both hold within less than a step: the turn is the quotient. Of several steps, where the upper one counts in
      // such.
      for (const int64_t times : multiples(upper, per)) {
        const Term both = t.add(t.scale(lower, times), upper);
        if (mentions(both, o.turn)) continue;
        if (!facts.proves(t.sub(t.sub(t.scale(per, times), t.integer(1)), both))) continue;
        const auto k = t.constant(per);
        if (k == 1) return {o.turn, rest};
        const bool exact = k && facts.proves(t.scale(t.add(lower, upper), -1));
        return {o.turn, t.floordiv(rest, per), k.value_or(1), exact ? rest : 0};
      }
    }
  }
  return {o.turn};
}

void Elements::pin(const Pin &pin) {
  for (OpenLoop &o : open_) {
    if (o.turn == pin.variable) {
      // Its variable is low + step · turn: as one, so that multiples of the turn are seen.
      o.begun = pinned_in(o.begun, pin);
      o.at = pin.value;
      continue;
    }
    for (Term *x : {&o.begun, &o.low, &o.step, &o.count, &o.left, &o.at}) *x = pinned_in(*x, pin);
  }
}

// Each of a minimum; and what is left of it where a turn, of which it has so many less, is none, or, if that is asked
// for, of which it has so many more, is the last one.
std::vector<Term> Elements::weakened(const std::vector<Term> &conditions, bool last) {
  std::vector<Term> all;
  const std::function<void(Term)> add = [&](Term x) {
    if (t.is(x, Op::minimum)) {
      for (const Term arm : std::vector<Term>(t.at(x).args)) add(arm);
      return;
    }
    if (std::find(all.begin(), all.end(), x) == all.end()) all.push_back(x);
  };
  for (const Term c : conditions)
    if (!is_truth(c)) add(c);
  for (size_t k = 0; k < all.size() && all.size() < 80; ++k) {
    const TermNode n = t.at(all[k]);
    if (n.op != Op::sum) continue;
    for (size_t j = 0; j < n.args.size(); ++j) {
      const auto o =
          std::find_if(open_.begin(), open_.end(), [&](const OpenLoop &one) { return one.turn == n.args[j]; });
      if (o == open_.end()) continue;
      const Term without = t.add(all[k], t.scale(n.args[j], -n.numbers[j + 1]));
      if (n.numbers[j + 1] < 0)
        add(without);
      else if (const auto count = t.constant(o->count); last && count && *count > 0)
        add(t.add(without, t.integer(n.numbers[j + 1] * (*count - 1))));
    }
  }
  return all;
}

void Elements::pin_all(std::vector<Term> &now, Index &index) {
  for (const OpenLoop &o : open_)
    if (o.at == o.turn) now.push_back(o.turn), now.push_back(o.left);
  for (bool more = true; more;) {
    more = false;
    for (size_t k = open_.size(); k-- > 0;) {
      if (open_[k].at != open_[k].turn) continue;
      const Pin by = pinned(open_[k], now);
      if (!by.value) continue;
      // No loop that is looked into by it is later in time: what is known of it is known before.
      std::set<Term> seen;
      if (youngest(t, by.value, seen) >= number_of(t.at(by.variable))) continue;
      pin(by);
      for (Term &c : now) {
        facts.assume(replaced(c, {{by.variable, by.value}}));
        c = pinned_in(c, by);
      }
      for (Term &i : index) i = pinned_in(i, by);
      more = true;
    }
  }
}

void Elements::unpin(const std::vector<OpenLoop> &as) {
  for (size_t k = 0; k < as.size(); ++k) {
    OpenLoop &o = open_[k];
    o.begun = as[k].begun, o.low = as[k].low, o.step = as[k].step, o.count = as[k].count, o.left = as[k].left,
    o.at = as[k].at;
  }
}

// What a chain of choices leaves where it does not leave the state. Where a choice has several conditions, that one of
// them fails is not kept: apart() shows that no two leaves hold.
bool Elements::leaves(const OpenLoop &o, Term next, Term state, std::vector<Leaf> &into) {
  std::vector<Term> path;
  const std::function<bool(Term)> collect = [&](Term x) -> bool {
    if (x == state) return true;
    if (!t.is(x, Op::choice)) {
      if (into.size() >= 64) return false;
      into.push_back({path, x, 0});
      return true;
    }
    const TermNode n = t.at(x);
    const auto atoms = atoms_of_condition(t, n.args[0]);
    const size_t mark = path.size();
    path.insert(path.end(), atoms.begin(), atoms.end());
    if (!collect(n.args[1])) return false;
    path.resize(mark);
    if (n.args[2] == state) return true;
    if (atoms.size() == 1) {
      path.push_back(is_truth(atoms[0]) ? t.apply("not", {atoms[0]}, {"truth", {}}) : t.sub(t.integer(-1), atoms[0]));
    } else if (t.is(n.args[1], Op::choice) || n.args[1] == state) {
      return false;
    }
    const bool good = collect(n.args[2]);
    path.resize(mark);
    return good;
  };
  if (!collect(next)) return false;
  for (Leaf &leaf : into) {
    leaf.conditions.push_back(o.turn);
    leaf.conditions.push_back(o.left);
    const Closed closed(open_, facts);
    for (const Term c : leaf.conditions)
      if (!is_truth(c)) facts.assume(c);
    const Pin pin = pinned(o, leaf.conditions);
    if (!pin.value) return false;
    leaf.turn = pin.value;
    for (Term &c : leaf.conditions) c = replaced(c, {{o.turn, leaf.turn}});
    leaf.value = pinned_in(leaf.value, pin);
  }
  return true;
}

bool Elements::apart(const OpenLoop &, const std::vector<Leaf> &of, const std::set<Term> &states) {
  for (size_t a = 0; a < of.size(); ++a)
    for (size_t b = a + 1; b < of.size(); ++b) {
      if (of[a].value == of[b].value && !mentions_any(of[a].value, states)) continue;
      std::vector<Term> both;
      for (const auto *leaf : {&of[a], &of[b]})
        for (const Term c : leaf->conditions)
          if (!is_truth(c)) both.push_back(c);
      if (!facts.impossible(both)) return false;
    }
  return true;
}

bool Elements::items(Term next, Term state, std::string &name, const std::string &dtype, std::vector<Term> &into) {
  if (next == state) return true;
  const TermNode n = t.at(next);
  if (n.op != Op::apply) return false;
  std::string of;
  std::vector<Term> args = n.args;
  if (n.tag.starts_with("fold ")) {
    of = n.tag.substr(5);
  } else if (const Fold *f = fold_of_function(n.tag)) {
    of = f->name;
  } else if (n.tag == "fma") {
    of = "sum";
    args = {function("mul", {n.args[0], n.args[1]}, dtype), n.args[2]};
  }
  if (of.empty() || dtype_of(next) != dtype || (!name.empty() && name != of)) return false;
  name = of;
  Term on = 0;
  for (const Term a : args) {
    if (!mentions(a, state)) {
      into.push_back(a);
      continue;
    }
    if (on) return false;
    on = a;
  }
  return on && items(on, state, name, dtype, into);
}

Term Elements::after(uint32_t number, size_t slot, const Index &index) {
  const Loop::Slot of = t.loops[number].slots[slot];
  if (of.next == of.state) return element(of.initial, index);
  const std::string dtype = t.type_of(of.state).dtype;
  if (const Term stored = nest(number, slot, index, dtype)) return stored;
  Closed closed(open_, facts);
  OpenLoop first = opened(number);
  if (const auto k = t.constant(first.count); k && *k <= 0) return element(of.initial, index);
  open_.push_back(first);
  const size_t here = open_.size() - 1;
  assume(first);
  const Term begun = state(number, slot, index);
  std::vector<Term> next{element(of.next, index)};
  const auto next_of = [&](size_t j) {
    while (next.size() <= j) {
      const auto [which, at] = open_[here].elements[next.size()];
      next.push_back(element(t.loops[number].slots[which].next, at));
    }
    return next[j];
  };
  const auto states = [&] { return std::set<Term>(open_[here].states.begin(), open_[here].states.end()); };
  const auto initial = [&](const OpenLoop &o, size_t j) {
    return element_if(t.loops[number].slots[o.elements[j].first].initial, o.elements[j].second);
  };
  if (next[0] == begun) {
    closed.close();
    return element(of.initial, index);
  }
  if (!mentions(next[0], first.turn) && !mentions_any(next[0], states())) {
    closed.close();
    return guarded({t.sub(first.count, t.integer(1))}, next[0], element_if(of.initial, index));
  }
  // What one iteration writes.
  std::vector<Leaf> written;
  if (leaves(first, next[0], begun, written) && apart(first, written, states())) {
    bool good = true;
    std::map<Term, size_t> asked; // states, which must still be what they were at first
    for (const Leaf &leaf : written)
      for (size_t j = 0; j < open_[here].states.size(); ++j)
        if (mentions(leaf.value, open_[here].states[j])) {
          asked[open_[here].states[j]] = j;
          if (j == 0) continue;
          std::vector<Leaf> others;
          const Term other = next_of(j);
          if (other == open_[here].states[j]) continue;
          good = good && leaves(first, other, open_[here].states[j], others);
          for (const Leaf &o : others) {
            std::vector<Term> before{t.sub(t.sub(leaf.turn, o.turn), t.integer(1))};
            for (const auto *l : {&leaf, &o})
              for (const Term c : l->conditions)
                if (!is_truth(c)) before.push_back(c);
            good = good && facts.impossible(before);
          }
        }
    for (const Leaf &leaf : written)
      for (const Term c : leaf.conditions) good = good && !mentions_any(c, states());
    if (good) {
      const OpenLoop o = open_[here];
      closed.close();
      std::map<Term, Term> by;
      for (const auto &[s, j] : asked) by[s] = initial(o, j);
      Term result = element_if(of.initial, index);
      for (size_t k = written.size(); k-- > 0;) {
        const Closed again(open_, facts);
        Term value = replaced(written[k].value, by);
        {
          const Closed inner(open_, facts);
          for (const Term c : written[k].conditions)
            if (!is_truth(c)) facts.assume(c);
          value = decided(value);
        }
        result = guarded(written[k].conditions, value, result);
      }
      return result;
    }
  }
  // What each iteration adds to.
  std::string name;
  std::vector<Term> added;
  if (items(next[0], begun, name, dtype, added) && !name.empty() &&
      std::none_of(added.begin(), added.end(), [&](Term a) { return mentions_any(a, states()); })) {
    closed.close();
    std::vector<Term> all{element(of.initial, index)};
    for (const Term a : added) all.push_back(over(name, dtype, first.count, first.turn, a));
    return fold(name, dtype, std::move(all));
  }
  // A recurrence of as many elements as ask for each other.
  for (size_t j = 0; j < open_[here].elements.size(); ++j) next_of(j);
  const OpenLoop o = open_[here];
  closed.close();
  int64_t h = height(first.count);
  for (const Term n : next) h = std::max(h, height(n));
  ++h;
  std::map<Term, Term> by{{o.turn, bound_int(h)}};
  for (size_t j = 0; j < o.states.size(); ++j) by[o.states[j]] = bound_value(h, j, dtype_of(o.states[j]));
  std::vector<Term> args{first.count};
  for (size_t j = 0; j < next.size(); ++j) {
    args.push_back(initial(o, j));
    args.push_back(replaced(next[j], by));
  }
  const Term made = t.make(Op::apply, "rec", std::move(args), {h});
  t.type(made, {dtype, {}});
  return made;
}

bool Elements::independent(uint32_t number, const std::vector<size_t> &changed) {
  Closed closed(open_, facts);
  try {
    std::vector<Index> indices;
    for (const size_t k : changed) {
      const Type type = t.type_of(t.loops[number].slots[k].state);
      if (!type.known()) return false;
      indices.emplace_back();
      for (size_t d = 0; d < type.extents.size(); ++d) indices.back().push_back(fresh_int());
    }
    std::vector<uint32_t> around;
    for (uint32_t l = number; l; l = t.loops[l].parent) around.insert(around.begin(), l);
    for (const uint32_t l : around) {
      open_.push_back(opened(l));
      assume(open_.back());
    }
    const size_t here = open_.size() - 1;
    const OpenLoop o = open_[here];
    for (size_t j = 0; j < changed.size(); ++j) {
      const Loop::Slot slot = t.loops[number].slots[changed[j]];
      const Closed inner(open_, facts);
      const Type type = t.type_of(slot.state);
      for (size_t d = 0; d < type.extents.size(); ++d) {
        facts.assume(indices[j][d]);
        facts.assume(t.sub(t.sub(integer(type.extents[d]), indices[j][d]), t.integer(1)));
      }
      std::vector<Leaf> written;
      const Term begun = state(number, changed[j], indices[j]);
      const Term next = element(slot.next, indices[j]);
      const std::vector<Term> states = open_[here].states;
      if (!leaves(o, next, begun, written)) return false;
      if (!apart(o, written, {states.begin(), states.end()})) return false;
      for (size_t which = 0; which < states.size(); ++which)
        for (const Leaf &leaf : written) {
          for (const Term c : leaf.conditions)
            if (mentions(c, states[which])) return false;
          if (states[which] == begun || !mentions(leaf.value, states[which])) continue;
          // Another element: whoever writes that is this iteration.
          std::vector<Leaf> others;
          const auto [of, at] = open_[here].elements[which];
          const Term other = element(t.loops[number].slots[of].next, at);
          if (other == states[which]) continue;
          if (!leaves(o, other, states[which], others)) return false;
          for (const Leaf &by : others)
            for (const bool earlier : {true, false}) {
              std::vector<Term> both{
                  t.sub(earlier ? t.sub(leaf.turn, by.turn) : t.sub(by.turn, leaf.turn), t.integer(1))};
              for (const auto *l : {&leaf, &by})
                for (const Term c : l->conditions)
                  if (!is_truth(c)) both.push_back(c);
              if (!facts.impossible(both)) return false;
            }
        }
    }
    return true;
  } catch (const NoElement &) {
    return false;
  }
}

bool Elements::within_loops(uint32_t loop, const std::vector<Term> &known, const std::vector<Term> &wanted) {
  Closed closed(open_, facts);
  try {
    auto &around = around_[loop];
    if (around.empty())
      for (uint32_t l = loop; l; l = t.loops[l].parent) {
        const auto outer = around_.find(l);
        if (l != loop && outer != around_.end() && !outer->second.empty()) {
          around.insert(around.begin(), outer->second.begin(), outer->second.end());
          break;
        }
        around.insert(around.begin(), OpenLoop{});
        around[0].loop = l;
      }
    for (OpenLoop &o : around) {
      if (!o.turn) o = opened(o.loop);
      open_.push_back(o);
      assume(o);
    }
    for (const Term x : known) try {
        facts.assume(integer(x));
      } catch (const NoElement &) {
        continue; // nothing is known by it
      }
    return std::all_of(wanted.begin(), wanted.end(), [&](Term x) { return facts.proves(integer(x)); });
  } catch (const NoElement &) {
    return false;
  }
}

Term Elements::nest(uint32_t number, size_t slot, const Index &index, const std::string &dtype) {
  std::vector<int64_t> axes;
  uint32_t l = number;
  for (size_t k = slot;;) {
    const Loop::Slot of = t.loops[l].slots[k];
    axes.push_back(l);
    TermNode n = t.at(of.next);
    if (n.op == Op::exit) {
      l = static_cast<uint32_t>(n.numbers[0]), k = static_cast<size_t>(n.numbers[1]);
      if (t.loops[l].slots[k].initial != of.state) return 0;
      continue;
    }
    const bool stores = n.op == Op::map || (n.op == Op::apply && n.tag == "update");
    if (!stores || n.args[0] != of.state) return 0;
    if (n.op == Op::map) axes.insert(axes.end(), n.numbers.begin(), n.numbers.end());
    if (axes.size() < 2) return 0;
    n.numbers = axes;
    n.args[0] = t.loops[number].slots[slot].initial;
    const size_t loops = open_.size(), mark = facts.mark();
    try {
      return mapped(n, index, dtype);
    } catch (const NoElement &) {
      open_.resize(loops);
      facts.back_to(mark);
      return 0;
    }
  }
}

Term Elements::mapped(const TermNode &n, const Index &index, const std::string &dtype) {
  if (index.size() + 2 != n.args.size()) fail("an index of another rank");
  Closed closed(open_, facts);
  std::vector<int64_t> axes = n.numbers;
  std::sort(axes.begin(), axes.end());
  std::vector<Term> conditions;
  const size_t first = open_.size();
  for (const int64_t a : axes) {
    open_.push_back(opened(static_cast<uint32_t>(a)));
    assume(open_.back());
  }
  const std::vector<Term> slices(n.args.begin() + 2, n.args.end());
  Index local(index.size());
  for (size_t k = 0; k < index.size(); ++k)
    for (const Term c : within(slices[k], index[k], local[k])) conditions.push_back(c);
  for (size_t k = first; k < open_.size(); ++k)
    conditions.push_back(open_[k].turn), conditions.push_back(open_[k].left);
  for (const Term c : conditions) facts.assume(c);
  std::vector<Term> now = conditions, kept = conditions;
  const std::set<Term> turns = [&] {
    std::set<Term> all;
    for (size_t k = first; k < open_.size(); ++k) all.insert(open_[k].turn);
    return all;
  }();
  size_t left = open_.size() - first;
  for (bool more = true; more && left;) {
    more = false;
    for (size_t k = first; k < open_.size(); ++k) {
      if (open_[k].at != open_[k].turn) continue;
      const Pin by = pinned(open_[k], now, turns);
      if (!by.value) continue;
      pin(by);
      for (Term &c : kept) c = replaced(c, {{by.variable, by.value}});
      for (Term &c : now) c = pinned_in(c, by);
      for (Term &l : local) l = pinned_in(l, by);
      for (const auto *some : {&kept, &now})
        for (const Term c : *some) facts.assume(c);
      more = true;
      --left;
    }
  }
  if (left) fail("which iteration stores an element is not shown");
  const std::vector<OpenLoop> unpinned = open_;
  pin_all(now, local);
  Term value = 0;
  try {
    value = put(n, slices, local, dtype);
  } catch (const NoElement &) {
    unpin(unpinned);
    throw;
  }
  unpin(unpinned);
  for (size_t k = first; k < open_.size(); ++k)
    if (mentions_any(value, {open_[k].states.begin(), open_[k].states.end()}))
      fail("what is stored depends on earlier iterations");
  if (mentions_any(value, turns)) fail("which iteration stores an element is not shown");
  closed.close();
  return guarded(std::move(kept), value, element_if(n.args[0], index));
}

} // namespace htp::validator
