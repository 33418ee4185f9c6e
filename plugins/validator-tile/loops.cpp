// Loops as statements: their header, what an iteration changes, what they leave. What follows of that is induction.h.
#include "elements.h"
#include "induction.h"
#include "reader.h"

#include <algorithm>

namespace htp::validator {

using namespace htp::sdk;

void Reader::loop(Node n) {
  const auto f = c.get<ast::For>(n);
  if (!f.orelse().empty()) fail(n, "a loop with an else");
  Node iter = f.iter();
  bool independent = false;
  for (;;) {
    const std::string name = c.is(iter, HTP_Call) ? symbol_of(c.get<ast::Call>(iter).func()) : std::string();
    if (name != "htp.parallel" && name != "htp.vectorized" && name != "htp.unrolled" && name != "htp.pipelined") break;
    independent |= name == "htp.parallel";
    if (c.get<ast::Call>(iter).args().empty()) fail(iter, "a loop over nothing");
    iter = c.get<ast::Call>(iter).args()[0];
  }
  if (!c.is(iter, HTP_Call)) fail(iter, "a loop over `" + c.show(iter) + "`");
  std::string name = symbol_of(c.get<ast::Call>(iter).func());
  bool turns = false;
  if (name == "htp_pto.turns") {
    turns = true;
    iter = c.get<ast::Call>(iter).args()[0];
    if (!c.is(iter, HTP_Call)) fail(iter, "a loop over `" + c.show(iter) + "`");
    name = symbol_of(c.get<ast::Call>(iter).func());
  }
  const Given g = given(iter);
  if (!g.named.empty()) fail(iter, "a loop over `" + c.show(iter) + "`");
  Loop header;
  header.form = "for";
  bool blocks = false;
  if (name == "htp_aie.cores" && g.positional.empty()) return cores(n);
  if (name == "range") {
    if (g.positional.empty() || g.positional.size() > 3) fail(iter, "a range that has no meaning here");
    const bool one = g.positional.size() == 1;
    header.low = one ? t.integer(0) : term(g.positional[0]);
    header.high = term(g.positional[one ? 0 : 1]);
    header.step = g.positional.size() == 3 ? term(g.positional[2]) : t.integer(1);
  } else if (name == "htp_aie.blocks" && g.positional.size() == 4) { // so many of them, from one on
    blocks = true;
    const Term size = term(g.positional[1]), first = term(g.positional[2]), count = term(g.positional[3]);
    for (const Term x : {size, first, count})
      if (!t.constant(x) || *t.constant(x) < 0) fail(iter, "blocks that have no meaning here");
    header.low = t.mul(first, size);
    header.high = t.least({term(g.positional[0]), t.mul(t.add(first, count), size)});
    header.step = size;
  } else if (name == "htp_tile.tiles" || name == "htp_wsp.P" || name == "htp_wsp.seq") {
    const bool wsp = name != "htp_tile.tiles";
    if (g.positional.empty() || g.positional.size() > (wsp ? 3 : 2)) fail(iter, "blocks that have no meaning here");
    blocks = true;
    const Term of = term(g.positional[0]), second = g.positional.size() > 1 ? term(g.positional[1]) : 0;
    if (wsp && second && !t.constant(second) && !of_dims(second)) fail(iter, "blocks that have no meaning here");
    const bool range = wsp && second && (g.positional.size() == 3 || !t.constant(second));
    if (range && (t.constant(second) || !t.is_int(of))) fail(iter, "blocks that have no meaning here");
    if (range) {
      header.low = of;
      header.high = second;
    } else if (t.is(of, Op::block)) {
      const TermNode b = t.at(of);
      if (t.constant(b.args[2]) != 1) fail(iter, "blocks of a block that is spread");
      header.low = b.args[0];
      header.high = t.add(b.args[0], b.args[1]);
    } else {
      header.low = t.integer(0);
      header.high = of;
    }
    if (range ? g.positional.size() == 2 : !second) { // one block
      header.step = t.sub(header.high, header.low);
      if (!t.is_int(header.step)) fail(iter, "a loop whose bounds are not ints");
      if (!wsp) fail(iter, "blocks without a size");
      if (!t.constant(header.step) && !t.is(of, Op::block))
        assumptions_.insert(t.show(header.low, 9) + " < " + t.show(header.high, 9));
      if (t.constant(header.step).value_or(1) > 0) iterate(n, f, header.low, header, blocks, false);
      return;
    }
    header.step = range ? term(g.positional[2]) : second;
  } else {
    fail(iter, "a loop over `" + c.show(iter) + "`");
  }
  for (const Term x : header.bounds())
    if (!t.is_int(x)) fail(iter, "a loop whose bounds are not ints");
  if (const auto step = t.constant(header.step); step && *step <= 0) fail(iter, "a loop that goes down");
  repeat(n, header, independent, turns, [&](Term variable) { iterate(n, f, variable, header, blocks, turns); });
}

// Columns, and in each of them rows.
void Reader::cores(Node n) {
  const auto f = c.get<ast::For>(n);
  if (!device_) fail(n, "cores of no array");
  if (!c.is(f.target(), HTP_Name)) fail(n, "a loop whose variable is not a name");
  const auto over = [&](size_t which) {
    Loop header;
    header.form = "for";
    header.low = t.integer(0), header.high = t.at(device_).args[which], header.step = t.integer(1);
    return header;
  };
  // Each has queues of its own.
  const auto before = s->counts;
  const auto each = [&](Term column, Term row) {
    s->counts = before;
    bind(c.name_of(f.target()), value(t.apply("core", {column, row})));
    block(f.body());
    all_moved(before, n);
  };
  repeat(
      n, over(1), false, false,
      [&](Term column) {
        repeat(
            n, over(2), false, false, [&](Term row) { each(column, row); }, false);
      },
      false);
  for (const auto &[stream, count] : before)
    if (s->counts.at(stream) != count) s->counts.erase(stream); // who comes again is not known
}

void Reader::repeat(Node n, Loop header, bool independent, bool turns, const std::function<void(Term)> &body,
                    bool counting) {
  const auto f = c.get<ast::For>(n);
  // One iteration is none.
  const auto low = t.constant(header.low), high = t.constant(header.high), step = t.constant(header.step);
  if (low && high && step && *low < *high && *low + *step >= *high && !turns) return body(header.low);
  header.parent = loop_;
  const auto number = static_cast<uint32_t>(t.loops.size());
  t.loops.push_back(header);
  const Term variable = t.make(Op::variable, "", {}, {number});
  const uint32_t outer = loop_;
  loop_ = number;

  std::set<std::string> names;
  bound(f.body(), names);
  const uint32_t target_only[] = {f.target()};
  std::set<std::string> targets;
  bound(Nodes(target_only, 1), targets);
  const Environment before = s->names;
  std::vector<std::pair<std::string, size_t>> carried;
  const auto slot = [&](Term initial, const std::string &of, Type type) {
    auto &slots = t.loops[number].slots;
    const auto k = static_cast<int64_t>(slots.size());
    const Term state = t.make(Op::state, of, {}, {static_cast<int64_t>(number), k});
    if (!type.known() && t.is_int(initial)) type = {"int", {}};
    if (type.known()) t.type(state, type);
    slots.push_back({initial, 0, state});
    return static_cast<size_t>(k);
  };
  for (const auto &[of, v] : before) {
    if (!names.contains(of) || targets.contains(of) || v.memory >= 0 || v.function) continue;
    const size_t k = slot(v.term, of, t.type_of(v.term));
    carried.emplace_back(of, k);
    s->names[of] = value(t.loops[number].slots[k].state);
  }
  const size_t known = memories_.size();
  std::vector<size_t> memory_slots(known);
  for (size_t m = 0; m < known; ++m) {
    memory_slots[m] = slot(s->holds[m], memories_[m].name, memories_[m].type);
    s->holds[m] = t.loops[number].slots[memory_slots[m]].state;
  }
  const auto begun = s->counts;
  std::map<std::vector<int>, int64_t> each;
  const Term turn = t.sub(variable, header.low);
  for (const auto &[stream, count] : begun) {
    if (!counting) break;
    const auto per = taken(f.body(), stream[0]);
    if (!per || (*per && step != 1)) fail(n, "how many blocks of a stream have come is not known");
    each[stream] = *per;
    s->counts[stream] = t.add(count, t.scale(turn, *per));
  }
  const auto held = held_;
  std::vector<FlagEvent> *const outer_events = events_;
  FlagEvent inner;
  inner.kind = FlagEvent::Kind::loop;
  inner.bodies.resize(1);
  if (turns) inner.turn = t.apply("turn", {variable}, {"int", {}});
  if (events_) events_ = &inner.bodies[0];
  body(variable);
  events_ = outer_events;
  if (events_) events_->push_back(std::move(inner));
  if (held_ != held) fail(n, "a block is held from one iteration to the next");
  for (const auto &[stream, per] : each) { // by induction: so many in each iteration
    const Term was = t.add(begun.at(stream), t.scale(turn, per));
    if (s->counts[stream] != t.add(was, t.integer(per))) fail(n, "how many blocks of a stream have come is not known");
    const Term times = low && high ? t.integer(std::max<int64_t>(0, *high - *low)) : t.sub(header.high, header.low);
    if (per && !(low && high)) fail(n, "how many blocks of a stream have come is not known");
    s->counts[stream] = t.add(begun.at(stream), t.scale(times, per));
  }
  for (const auto &[of, k] : carried) {
    const Value v = s->names[of];
    if (v.memory >= 0 || v.function) fail(n, "`" + of + "` is another kind of thing after an iteration");
    const Type was = t.type_of(t.loops[number].slots[k].state), is = t.type_of(v.term);
    if (was.known() && !t.is(v.term, Op::undefined) && was.dtype != "int" &&
        (was.dtype != is.dtype || !same_extents(was.extents, is.extents)))
      fail(n, "`" + of + "` has another type after an iteration");
    t.loops[number].slots[k].next = v.term;
  }
  for (size_t m = 0; m < known; ++m) t.loops[number].slots[memory_slots[m]].next = s->holds[m];
  loop_ = outer;
  Induction induction(t);
  induction.begin_products(number, assumptions_);
  if (independent && !induction.independent(number) && !elements_independent(number, memory_slots))
    fail(n, "iterations of a parallel loop are not shown to be independent");

  Environment after;
  for (auto &[of, v] : s->names) {
    const auto was = before.find(of);
    if (was == before.end()) continue; // bound in the loop alone
    after[of] = v;
  }
  for (const auto &[of, v] : before)
    if (targets.contains(of) || ((v.memory >= 0 || v.function) && names.contains(of) && !(after[of] == v)))
      after[of] = value(t.make(Op::undefined, "", {}));
  for (const auto &[of, k] : carried) after[of] = value(induction.after_loop(number, k, of));
  s->names = std::move(after);
  for (size_t m = 0; m < memories_.size(); ++m)
    s->holds[m] =
        m < known ? induction.after_loop(number, memory_slots[m], memories_[m].name) : t.garbage(memories_[m].type);
  for (size_t m = 0; m < known && events_; ++m)
    if (!induction.stores_apart(number, memory_slots[m])) again_.insert(static_cast<int>(m));
}

// What is carried from one iteration to the next is contents, of which each element is one iteration's.
bool Reader::elements_independent(uint32_t number, const std::vector<size_t> &memories) {
  const std::vector<Loop::Slot> slots = t.loops[number].slots;
  std::vector<size_t> changed;
  for (size_t k = 0; k < slots.size(); ++k) {
    if (slots[k].next == slots[k].state || t.is(slots[k].next, Op::garbage)) continue;
    if (std::find(memories.begin(), memories.end(), k) == memories.end()) return false;
    changed.push_back(k);
  }
  Facts facts(t);
  return Elements(t, facts).independent(number, changed);
}

void Reader::iterate(Node n, const ast::For &f, Term variable, const Loop &header, bool blocks, bool turns) {
  Node target = f.target();
  if (turns) {
    const auto tuple = c.as<ast::Tuple>(target);
    if (!tuple || tuple.elts().size() != 2 || !c.is(tuple.elts()[0], HTP_Name))
      fail(n, "a loop over turns without a name for them");
    bind(c.name_of(tuple.elts()[0]), value(t.apply("turn", {variable}, {"int", {}})));
    target = tuple.elts()[1];
  }
  if (!c.is(target, HTP_Name)) fail(n, "a loop whose variable is not a name");
  Term v = variable;
  if (blocks) v = t.make(Op::block, "", {variable, t.least({header.step, t.sub(header.high, variable)}), t.integer(1)});
  bind(c.name_of(target), value(v));
  if (blocks) blocks_.push_back(v);
  block(f.body());
  if (blocks) blocks_.pop_back();
}

void Reader::bound(Nodes body, std::set<std::string> &names) {
  for (const Node n : body)
    c.each(n, [&](Node x) {
      if (c.is(x, HTP_Name) && c.get<ast::Name>(x).ctx() != HTP_LOAD) names.insert(std::string(c.name_of(x)));
    });
}

} // namespace htp::validator
