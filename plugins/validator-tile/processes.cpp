// Processes, each with a past of its own, and the array that they are on.
#include "reader.h"

namespace htp::validator {

using namespace htp::sdk;

void Reader::process(Node n) {
  const auto f = c.get<ast::FunctionDef>(n);
  if (loop_ || branch_ || trace_ >= 0 || f.decorator_list().size() != 1)
    fail(n, "a function in a function that is no process");
  const Node d = f.decorator_list()[0];
  const std::string kind = symbol_of(c.is(d, HTP_Call) ? c.get<ast::Call>(d).func() : d);
  const bool grids = kind == "htp_csp.process";
  if (!grids && kind != "htp_aie.core" && kind != "htp_aie.dma") fail(n, "a function in a function that is no process");
  std::vector<Term> head;
  Nodes given_as;
  bool instances = false;
  if (c.is(d, HTP_Call)) {
    const Given g = given(d);
    if (grids && !g.positional.empty()) fail(d, "a process that has no meaning here");
    if (!grids && kind == "htp_aie.core") positions(g, d);
    for (const auto &[keyword, x] : g.named) {
      if (keyword == "grid")
        instances = true;
      else if (grids && keyword == "args" && c.is(x, HTP_Tuple))
        given_as = c.get<ast::Tuple>(x).elts();
      else if (grids)
        fail(d, "a process that has no meaning here");
      if (keyword == "grid" && grids) head.push_back(term(x));
    }
  }
  const State before = *s;
  const auto number = std::to_string(processes_++);
  const Term begun = t.apply("begun", {t.make(Op::text, number, {})});
  const int trace = make_memory("the past", {}, begun);
  trace_ = trace;
  reads_.clear();
  const auto arguments = c.get<ast::arguments>(f.args());
  size_t coordinate = 0;
  const size_t dimensions = arguments.args().size() - std::min(arguments.args().size(), given_as.size());
  const auto at = [&](size_t axis) { return t.symbol("dim coordinate " + number + " " + std::to_string(axis)); };
  std::vector<Value> parts;
  for (const Node part : given_as) parts.push_back(sharded(part, head.empty() ? 0 : head[0], at));
  for (const Node a : arguments.args()) {
    const std::string name(c.get<ast::arg>(a).arg());
    if (grids && coordinate >= dimensions)
      s->names[name] = parts[coordinate++ - dimensions];
    else if (grids)
      s->names[name] = value(t.symbol("dim coordinate " + number + " " + std::to_string(coordinate++)));
    else
      s->names[name] = value(t.apply("core", {t.make(Op::text, number, {})}));
  }
  const auto counts = s->counts;
  process_ = f.name();
  block(f.body());
  all_moved(counts, n);
  process_.clear();
  if (!held_.empty()) fail(n, "a block is held as a process ends");
  head.push_back(s->holds[static_cast<size_t>(trace)]);
  // One that waits for no other is what it stores.
  if (instances || head.back() != begun) observed_.push_back({"process " + number, t.make(Op::tuple, "process", head)});
  for (size_t m = 0; m < before.holds.size(); ++m) {
    const int memory = static_cast<int>(m);
    if (s->holds[m] == before.holds[m]) continue;
    if (memories_[m].stream) {
      observed_.push_back({"stream " + std::to_string(m) + " of process " + number, s->holds[m]});
      continue;
    }
    if (instances && reads_.contains(memory)) fail(n, "instances of a process share `" + memories_[m].name + "`");
    // What each stores is stored, where it is shown that no two store to one place.
    auto &[by, holds] = changed_[memory];
    t.type(s->holds[m], memories_[m].type);
    if (holds) t.type(holds, memories_[m].type);
    holds = holds ? t.apply("both", {holds, s->holds[m], before.holds[m]}, memories_[m].type) : s->holds[m];
    by.insert(processes_);
  }
  read_[processes_] = reads_;
  trace_ = -1;
  const size_t size = s->holds.size();
  *s = before;
  s->holds.resize(size, 0);
  s->names[std::string(f.name())] = value(t.make(Op::undefined, "", {}));
}

Value Reader::sharded(Node part, Term grid, const std::function<Term(size_t)> &at) {
  const auto call = c.as<ast::Call>(part);
  if (!call) return {0, memory_of(part), HTP_NONE};
  if (symbol_of(call.func()) != "htp_csp.shard" || call.args().empty() || !grid) fail(part, "a part of no tensor");
  const int whole = memory_of(call.args()[0]);
  std::vector<Term> extents = memories_[static_cast<size_t>(whole)].type.extents, offset;
  if (call.args().size() != extents.size() + 1) fail(part, "a part of no tensor");
  const std::vector<Term> places = t.is(grid, Op::tuple) ? t.at(grid).args : std::vector<Term>{grid};
  for (size_t k = 0; k < extents.size(); ++k) {
    offset.push_back(t.integer(0));
    if (symbol_of(call.args()[k + 1]) == "htp_csp.R") continue;
    const auto cut = c.as<ast::Call>(call.args()[k + 1]);
    if (!cut || symbol_of(cut.func()) != "htp_csp.S" || cut.args().size() != 1) fail(part, "a part of no tensor");
    const auto axis = t.constant(term(cut.args()[0]));
    if (!axis || *axis < 0 || static_cast<size_t>(*axis) >= places.size()) fail(part, "a part of no tensor");
    const auto which = static_cast<size_t>(*axis);
    extents[k] = t.floordiv(extents[k], places[which]);
    offset[k] = t.mul(extents[k], at(which));
  }
  return {0, part_of(whole, std::move(extents), std::move(offset)), HTP_NONE};
}

void Reader::merge_processes() {
  for (const auto &[m, stored] : changed_) {
    const auto &[by, holds] = stored;
    for (const auto &[other, read] : read_)
      if (read.contains(m) && (by.size() > 1 || !by.contains(other)))
        fail(HTP_NONE, "processes share `" + memories_[static_cast<size_t>(m)].name + "`");
    s->holds[static_cast<size_t>(m)] = holds;
  }
  changed_.clear();
}

void Reader::device(Node e) {
  const Given g = given(e);
  std::string_view array;
  if (g.positional.size() != 1 || !c.string(g.positional[0], &array)) fail(e, "an array that is not known here");
  const int64_t most = array == "npu1" ? 4 : array == "npu2" ? 8 : 0;
  std::vector<Term> says{t.make(Op::text, std::string(array), {})};
  for (const char *keyword : {"columns", "rows", "cores", "processes", "interleaved", "neighbours"}) {
    const auto it = g.named.find(keyword);
    const Term x = it == g.named.end() ? t.symbol("None") : term(it->second);
    says.push_back(x);
    const auto k = t.constant(x);
    const std::string_view which = keyword;
    if (which == "columns" || which == "rows")
      if (!k || *k < 1 || *k > (which == "rows" ? 4 : most)) fail(e, "an array that is not known here");
  }
  device_ = t.make(Op::tuple, "device", std::move(says));
}

void Reader::positions(const Given &g, Node n) {
  if (g.positional.empty()) return;
  if (g.positional.size() != 2) fail(n, "a core's position that has no meaning here");
  const auto column = t.constant(term(g.positional[0])), row = t.constant(term(g.positional[1]));
  const int64_t columns = device_ ? t.constant(t.at(device_).args[1]).value_or(0) : 0;
  constexpr int64_t first_row = 2; // above the shim's and the memory tiles
  if (!column || !row || *column < 0 || *column >= columns || *row < first_row || *row >= first_row + 4 ||
      !cores_.insert({*column, *row}).second)
    fail(n, "a core's position that has no meaning here");
}

} // namespace htp::validator
