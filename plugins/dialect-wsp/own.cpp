// What a workload computes must not depend on the sizes that its schedule chooses. A walk through it with values that
// say how they do (own.h), each open loop seen as any number of blocks.
#include "own_blocks.h"

#include <algorithm>
#include <utility>

namespace htp::wsp {

bool OwnBlocks::run() {
  auto f = c.get<ast::FunctionDef>(p.workload);
  auto a = c.get<ast::arguments>(f.args());
  for (const Nodes list : {a.posonlyargs(), a.args()})
    for (const Node n : list) {
      const std::string name(c.get<ast::arg>(n).arg());
      here()[name] = Value{.tensor = name};
      made_[name] = 0;
    }
  block(f.body());
  return found_;
}

OwnBlocks::Names &OwnBlocks::here() { return scopes_.back(); }

// ── what is reported
// ──────────────────────────────────────────────────────────────────────────────────────────────────

void OwnBlocks::depends(Node n, const DiagKind &row, const Value &v, const std::string &name) {
  if (rehearsing_) return;
  found_ = true;
  if (!report_ || !reported_.insert(v.used ? v.used : n).second) return;
  const auto loop = std::find_if(stack_.begin(), stack_.end(), [&](const Open &o) { return o.variable == v.loop; });
  const Node call = loop == stack_.end() ? HTP_NONE : loop->call;
  const Node used = v.used ? v.used : n;
  auto report = v.held         ? c.report(v.held.kind, used, v.held.message)
                : name.empty() ? c.report(row, n, v.loop)
                               : c.report(row, n, name, v.loop);
  if (v.why && v.why != used && v.why != call) report.label(v.why, v.held ? "made here" : "it does here");
  if (used != n) report.label(n, "this depends on it");
  if (call) report.label(call, "blocks of any size");
  report.hint("carry it from block to block: `s = s + reduce_sum(…)`, `m = maximum(m, reduce_max(…))`, or take the "
              "whole dimension, `:`");
  if (call && !c.get<ast::Call>(call).args().empty())
    report.hint("or say the size in the workload, `" + c.show(c.get<ast::Call>(call).func()) + "(" +
                c.show(c.get<ast::Call>(call).args()[0]) + ", 64)`: then it is what the program means");
}

// ── loops ─────────────────────────────────────────────────────────────────────────────────────────────────────────

const OwnBlocks::Open *OwnBlocks::open(std::string_view variable) const {
  for (auto o = stack_.rbegin(); o != stack_.rend(); ++o)
    if (o->variable == variable) return &*o;
  return nullptr;
}

std::set<std::string> OwnBlocks::chain(const std::string &variable) const {
  std::set<std::string> result;
  for (const Open *o = open(variable); o; o = o->parent.empty() ? nullptr : open(o->parent)) result.insert(o->variable);
  return result;
}

std::optional<OwnBlocks::Open> OwnBlocks::opened(Node statement) {
  auto f = c.get<ast::For>(statement);
  const Node iter = loop_forms(c, p.names, f.iter()).range;
  const std::string called = p.names.called(iter);
  const bool wsp = called == "htp_wsp.P" || called == "htp_wsp.seq";
  if (!wsp && called != "htp_tile.tiles") return std::nullopt;
  const Nodes arguments = c.get<ast::Call>(iter).args();
  const Value of = arguments.empty() ? Value() : expression(arguments[0]);
  const std::string parent = open(of.block) ? of.block : std::string();
  if (parent.empty() && !(wsp && (arguments.size() < 2 || statement == also_))) return std::nullopt;
  Open o{statement, iter, std::string(c.name_of(f.target())), parent, called != "htp_wsp.P", {}};
  for (const Node s : f.body())
    c.each(s, [&](Node n) {
      if (auto name = c.as<ast::Name>(n); name && name.ctx() == HTP_STORE) o.bound.emplace(name.id());
    });
  return o;
}

void OwnBlocks::loop(Node statement) {
  auto f = c.get<ast::For>(statement);
  auto o = opened(statement);
  if (!o) return repeated(loop_forms(c, p.names, f.iter()).range, f.body(), c.name_of(f.target()));
  // What the blocks write is known when they were seen once.
  const Names before = here(), contents = contents_;
  const auto owed = owed_;
  std::set<std::string> carried;
  for (const auto &[name, at] : Flows(c).of(f.body()).exposed)
    if (o->bound.contains(name) && before.contains(name)) carried.insert(name);
  for (const bool last : {false, true}) {
    here() = before, contents_ = contents;
    if (o->ordered) {
      for (const std::string &name : carried) here()[name] = so_far(before.at(name), name, *o);
      for (const auto &[tensor, writes] : o->writes)
        if (own(writes, *o).empty()) contents_[tensor] = so_far(contents_[tensor], tensor, *o);
    }
    here()[o->variable] = Value{.block = o->variable};
    ++versions_[o->variable];
    owed_.clear();
    rehearsing_ += last ? 0 : 1;
    stack_.push_back(*o);
    block(f.body());
    if (last) end(f.body(), carried, before, contents);
    o = stack_.back();
    stack_.pop_back();
    rehearsing_ -= last ? 0 : 1;
  }
  here().erase(o->variable);
  owed_.insert(owed.begin(), owed.end());
}

Value OwnBlocks::so_far(const Value &before, const std::string &name, const Open &o) const {
  Value v{.kind = Value::sofar, .shape = before.shape, .of = name, .loop = o.variable};
  v.why = o.call;
  v.tensor = before.tensor;
  return v;
}

void OwnBlocks::end(Nodes body, const std::set<std::string> &carried, const Names &before, const Names &contents) {
  const Open o = stack_.back();
  const Names ended = here();
  for (const std::string &name : carried) {
    Node at = HTP_NONE;
    for (const Node s : body)
      c.each(s, [&](Node n) {
        if (auto b = c.as<ast::Name>(n); b && b.ctx() == HTP_STORE && b.id() == name) at = n;
      });
    after(here()[name], name, before.at(name), at, ended);
  }
  if (o.ordered)
    for (const auto &[tensor, writes] : o.writes)
      if (own(writes, o).empty())
        after(contents_[tensor], tensor, contents.contains(tensor) ? contents.at(tensor) : Value(), o.statement, ended);
  for (auto &[name, v] : here()) {
    if (carried.contains(name) || !o.bound.contains(name) || v.kind == Value::varies) continue;
    const bool last =
        v.kind != Value::same || (v.shape && std::any_of(v.shape->begin(), v.shape->end(),
                                                         [&](const std::string &s) { return s == o.variable; }));
    if (last) v = Value{.kind = Value::varies, .why = o.call, .loop = o.variable};
  }
}

void OwnBlocks::after(Value &v, const std::string &name, const Value &before, Node at, const Names &ended) {
  const Open &o = stack_.back();
  const auto owed = owed_.extract(name);
  const auto fine = [&] {
    if (owed && (v.kind != Value::sofar || v.term != owed.mapped())) return false;
    if (v.kind == Value::same) return true;
    if (v.kind != Value::sofar || v.of != name) return false;
    if (v.extreme.empty()) return true;
    const auto extreme = ended.find(v.extreme);
    return extreme != ended.end() && extreme->second.kind == Value::sofar && extreme->second.of == v.extreme &&
           extreme->second.by == v.by;
  };
  if (!fine()) {
    depends(at, diag::size_carried, v.loop.empty() ? Value{.why = at, .loop = o.variable} : v,
            name.substr(0, name.find('@')));
    v = Value{.shape = before.shape};
    return;
  }
  if (v.kind == Value::same) return;
  std::set<std::string> rest = v.over;
  rest.erase(o.variable);
  Value all{.shape = v.shape};
  if (!rest.empty())
    all.kind = Value::partial, all.op = v.op, all.over = rest, all.why = o.call, all.loop = *rest.begin();
  if (v.op.empty())
    all = before;
  else if (before.kind != Value::same)
    all = combined(v.op == "sum"    ? "add"
                   : v.op == "prod" ? "mul"
                   : v.op == "max"  ? "maximum"
                   : v.op == "min"  ? "minimum"
                   : v.op == "any"  ? "bit_or"
                                    : "bit_and",
                   {before, all}, at);
  else if (!rest.empty() && ((!idempotent(v.op) && !(v.op == "sum" && before.zero)) || !v.extreme.empty()))
    all = Value{.kind = Value::varies, .shape = v.shape, .why = at, .loop = *rest.begin()};
  all.tensor = before.tensor;
  v = all;
}

void OwnBlocks::repeated(Node range, Nodes body, std::string_view variable) {
  if (auto k = c.as<ast::Call>(range))
    for (const Node n : k.args()) steady(n, diag::size_iterations);
  if (!variable.empty()) here()[std::string(variable)] = Value();
  ++rehearsing_;
  for (int round = 0; round < 2; ++round) {
    const Names names = here(), contents = contents_;
    block(body);
    merge(here(), names), merge(contents_, contents);
  }
  --rehearsing_;
  const Names names = here(), contents = contents_;
  block(body);
  merge(here(), names), merge(contents_, contents);
}

void OwnBlocks::merge(Names &into, const Names &other) {
  for (auto &[name, v] : into)
    if (const auto it = other.find(name); it != other.end()) v = met(v, it->second);
  for (const auto &[name, v] : other) into.try_emplace(name, v);
}

void OwnBlocks::steady(Node n, const DiagKind &row) {
  if (const Value v = expression(n); v.kind != Value::same) depends(n, row, v);
}

// ── statements ────────────────────────────────────────────────────────────────────────────────────────────────────

void OwnBlocks::block(Nodes statements) {
  for (const Node s : statements) statement(s);
}

void OwnBlocks::statement(Node n) {
  if (c.is(n, HTP_For)) {
    loop(n);
  } else if (auto w = c.as<ast::While>(n)) {
    steady(w.test(), diag::size_iterations);
    repeated(HTP_NONE, w.body(), {});
    steady(w.test(), diag::size_iterations); // by what its body changes, too
  } else if (auto i = c.as<ast::If>(n)) {
    steady(i.test(), diag::size_branch);
    const Names names = here(), contents = contents_;
    block(i.body());
    const Names then = std::exchange(here(), names), stored = std::exchange(contents_, contents);
    block(i.orelse());
    merge(here(), then), merge(contents_, stored);
  } else if (auto a = c.as<ast::Assign>(n)) {
    bind(a.targets()[0], expression(a.value()), a.value());
  } else if (auto annotated = c.as<ast::AnnAssign>(n); annotated && annotated.value()) {
    bind(annotated.target(), expression(annotated.value()), annotated.value());
  } else if (auto g = c.as<ast::AugAssign>(n)) {
    const Node target = g.target();
    const Value old = c.is(target, HTP_Subscript) ? subscript(target) : expression(target);
    bind(target, owing(combined(operator_name(static_cast<htp_op>(g.op())), {old, expression(g.value())}, n)), n);
  } else if (auto e = c.as<ast::Expr>(n)) {
    expression(e.value());
  }
}

void OwnBlocks::bind(Node target, const Value &v, Node value) {
  if (auto s = c.as<ast::Subscript>(target)) {
    const Value tensor = expression(s.value());
    store(target, tensor.tensor, indices(s.slice()), v, false);
  } else if (auto t = c.as<ast::Tuple>(target)) {
    for (size_t k = 0; k < t.elts().size(); ++k) bind(t.elts()[k], k < v.items.size() ? v.items[k] : Value(), value);
  } else if (const std::string name(c.name_of(target)); !name.empty()) {
    Value bound = v;
    if (auto k = c.as<ast::Call>(value); k && p.names.qualified(k.func()) == "htp_tile.buffer") {
      bound = Value{.tensor = name + (scopes_.size() > 1 ? "@" + std::to_string(scopes_.size()) : std::string())};
      contents_[bound.tensor] = Value();
      made_[bound.tensor] = stack_.size();
      extents_[bound.tensor] = v.shape;
    }
    ++versions_[name];
    here()[name] = bound;
  }
}

// ── tensors ───────────────────────────────────────────────────────────────────────────────────────────────────────

std::vector<Node> OwnBlocks::indices(Node slice) const {
  auto several = c.as<ast::Tuple>(slice);
  if (!several) return {slice};
  return {several.elts().begin(), several.elts().end()};
}

std::string OwnBlocks::block_of(Node index) {
  std::string result;
  c.each(index, [&](Node n) {
    const auto it = c.is(n, HTP_Name) ? here().find(c.name_of(n)) : here().end();
    if (it == here().end() || !result.empty()) return;
    if (open(it->second.block)) result = it->second.block;
    if (it->second.shape)
      for (const std::string &of : *it->second.shape)
        if (result.empty()) result = of;
  });
  return result;
}

OwnBlocks::Write OwnBlocks::write(const std::vector<Node> &index) {
  Write w{scopes_.size() > 1 ? std::to_string(scopes_.size()) : std::string(), {}, true};
  for (const Node n : index) {
    w.index += c.show(n) + ", ";
    const std::string variable = block_of(n);
    if (variable.empty()) continue;
    w.own.merge(chain(variable));
    const auto it = c.is(n, HTP_Name) ? here().find(c.name_of(n)) : here().end();
    w.plain = w.plain && it != here().end() && !it->second.block.empty();
  }
  return w;
}

size_t OwnBlocks::outside(const std::string &tensor) const {
  const auto it = made_.find(tensor);
  return it == made_.end() ? stack_.size() : it->second;
}

std::vector<const OwnBlocks::Write *> OwnBlocks::own(const std::vector<Write> &writes, const Open &o) {
  std::vector<const Write *> result;
  for (const Write &w : writes)
    if (w.own.contains(o.variable)) result.push_back(&w);
  return result;
}

Value OwnBlocks::load(Node n, const std::string &tensor, const std::vector<Node> &index) {
  Value result;
  for (const Node i : index) steady_index(i), named_dimension(i);
  if (const auto it = contents_.find(tensor); it != contents_.end()) result = it->second;
  const Write mine = write(index);
  for (size_t k = outside(tensor); k < stack_.size(); ++k) {
    const Open &o = stack_[k];
    const auto writes = o.writes.find(tensor);
    if (!o.ordered || writes == o.writes.end()) continue;
    const auto owns = own(writes->second, o);
    const bool apart = !owns.empty() && mine.own.contains(o.variable) &&
                       std::all_of(owns.begin(), owns.end(),
                                   [&](const Write *w) { return (w->plain && mine.plain) || w->index == mine.index; });
    const bool together = owns.empty() && std::all_of(writes->second.begin(), writes->second.end(),
                                                      [&](const Write &w) { return w.index == mine.index; });
    if (!apart && !together) result = Value{.kind = Value::varies, .why = n, .loop = o.variable};
  }
  result.tensor.clear(), result.zero = false;
  result.shape = extents(index);
  const auto whole = extents_.find(tensor); // `:` of what is made of a block is that block
  if (whole != extents_.end() && whole->second && whole->second->size() == index.size())
    for (size_t d = 0; d < index.size(); ++d)
      if ((*result.shape)[d].empty() && (c.is(index[d], HTP_Slice) || last_component(c.dotted(index[d])) == "whole"))
        (*result.shape)[d] = (*whole->second)[d];
  return result;
}

void OwnBlocks::store(Node n, const std::string &tensor, const std::vector<Node> &index, const Value &v, bool adds) {
  const std::string shown = tensor.substr(0, tensor.find('@'));
  for (const Node i : index) steady_index(i), named_dimension(i);
  const Write mine = write(index);
  std::set<std::string> parts = mine.own; // of whose blocks the elements are
  if (v.shape)
    for (const std::string &of : *v.shape) parts.merge(chain(of));
  bool accumulates = false;
  for (size_t k = outside(tensor); k < stack_.size(); ++k) {
    Open &o = stack_[k];
    auto &writes = o.writes[tensor];
    if (std::none_of(writes.begin(), writes.end(), [&](const Write &w) { return w.index == mine.index; }))
      writes.push_back(mine);
    if (adds) {
      if (v.kind == Value::same ? !parts.contains(o.variable)
                                : !(v.is(Value::partial, "sum") && v.over.contains(o.variable)))
        return depends(n, diag::size_matters, v.kind == Value::same ? Value{.why = n, .loop = o.variable} : v, shown);
      continue;
    }
    const auto owns = own(writes, o);
    const bool mixed = owns.size() != 0 && owns.size() != writes.size();
    const bool moved =
        owns.size() > 1 && std::any_of(owns.begin(), owns.end(), [](const Write *w) { return !w->plain; });
    if (o.ordered && (mixed || moved))
      return depends(n, diag::size_matters, Value{.why = n, .loop = o.variable}, shown);
    accumulates |= o.ordered && owns.empty();
  }
  if (adds) return;
  if (v.kind != Value::same && !(accumulates && v.kind == Value::sofar && v.of == tensor)) {
    Value stored = v;
    if (!stored.held) stored.held = pending(v);
    if (!stored.used && stored.held) stored.used = n;
    return depends(n, diag::size_matters, stored, shown);
  }
  ++versions_[tensor];
  contents_[tensor] = v;
}

// Which dimension a block stands at is not seen behind `...`.
void OwnBlocks::named_dimension(Node n) {
  auto dots = c.as<ast::Constant>(n);
  if (dots && dots.value().type == HTP_CONST_ELLIPSIS && !stack_.empty())
    depends(n, diag::size_index, Value{.kind = Value::varies, .why = n, .loop = stack_.back().variable});
}

void OwnBlocks::steady_index(Node n) {
  if (auto s = c.as<ast::Slice>(n); s && !s.lower() && !s.upper() && !s.step()) return;
  if (const Value v = expression(n); v.kind != Value::same) depends(n, diag::size_index, v);
}

Shape OwnBlocks::extents(const std::vector<Node> &of) {
  std::vector<std::string> result;
  for (const Node n : of) result.push_back(block_of(n));
  return result;
}

void check_own_blocks(const Context &c, const Program &p, Node root) { OwnBlocks(c, p, root, HTP_NONE, true).run(); }

bool depends_on_size(const Context &c, const Program &p, Node root, Node loop) {
  return OwnBlocks(c, p, root, loop, false).run();
}

} // namespace htp::wsp
