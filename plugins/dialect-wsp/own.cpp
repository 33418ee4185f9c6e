// What a workload computes must not depend on the sizes that its schedule chooses. A walk through it with values that
// say how they do (own.h), each open loop seen as any number of blocks.
#include "own.h"

#include <algorithm>
#include <utility>

namespace htp::wsp {
namespace {

constexpr size_t deepest = 16; // functions that call functions

bool has_word(std::string_view list, std::string_view word) {
  return (" " + std::string(list) + " ").find(" " + std::string(word) + " ") != std::string::npos;
}

class OwnBlocks {
public:
  // Of the loops that have a size, `also` is taken as open.
  OwnBlocks(const Context &context, const Program &program, Node root, Node also, bool report)
      : c(context), p(program), root_(root), also_(also), constants_(context, root), report_(report) {}

  // Whether something depends on the sizes.
  bool run() {
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

private:
  using Names = std::map<std::string, Value, std::less<>>;
  struct Write {
    std::string index;         // as text
    std::set<std::string> own; // the open loops whose blocks it is made of
    bool plain;                // these blocks as they are
  };
  // A loop over blocks of any size.
  struct Open {
    Node statement, call;
    std::string variable, parent; // the latter: what it cuts, when that is open
    bool ordered;
    std::set<std::string> bound;                           // names that its body binds
    std::map<std::string, std::vector<Write>> writes = {}; // of tensors that are there before
  };

  Names &here() { return scopes_.back(); }

  // ── what is told ──────────────────────────────────────────────────────────────────────────────────────────────────

  void depends(Node n, const std::string &what, const Value &v) {
    if (rehearsing_) return;
    found_ = true;
    if (!report_ || !told_.insert(n).second) return;
    const auto loop = std::find_if(stack_.begin(), stack_.end(), [&](const Open &o) { return o.variable == v.loop; });
    const Node call = loop == stack_.end() ? HTP_NONE : loop->call;
    auto report = c.report(diag::size_matters, n, what, v.loop);
    if (v.why && v.why != n && v.why != call) report.label(v.why, "it does here");
    if (call) report.label(call, "blocks of any size");
    report.hint("carry it from block to block: `s = s + reduce_sum(…)`, `m = maximum(m, reduce_max(…))`, or take the "
                "whole dimension, `:`");
    if (call && !c.get<ast::Call>(call).args().empty())
      report.hint("or say the size in the workload, `" + c.show(c.get<ast::Call>(call).func()) + "(" +
                  c.show(c.get<ast::Call>(call).args()[0]) + ", 64)`: then it is what the program means");
  }

  // ── loops ─────────────────────────────────────────────────────────────────────────────────────────────────────────

  const Open *open(std::string_view variable) const {
    for (auto o = stack_.rbegin(); o != stack_.rend(); ++o)
      if (o->variable == variable) return &*o;
    return nullptr;
  }
  // The loop's variable, and those of the open loops whose blocks it cuts.
  std::set<std::string> chain(const std::string &variable) const {
    std::set<std::string> result;
    for (const Open *o = open(variable); o; o = o->parent.empty() ? nullptr : open(o->parent))
      result.insert(o->variable);
    return result;
  }

  std::optional<Open> opened(Node statement) {
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

  void loop(Node statement) {
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

  Value so_far(const Value &before, const std::string &name, const Open &o) const {
    Value v{.kind = Value::sofar, .shape = before.shape, .of = name, .loop = o.variable};
    v.why = o.call;
    v.tensor = before.tensor;
    return v;
  }

  // Behind a loop's blocks: all of them together.
  void end(Nodes body, const std::set<std::string> &carried, const Names &before, const Names &contents) {
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
          after(contents_[tensor], tensor, contents.contains(tensor) ? contents.at(tensor) : Value(), o.statement,
                ended);
    for (auto &[name, v] : here()) {
      if (carried.contains(name) || !o.bound.contains(name) || v.kind == Value::varies) continue;
      const bool last =
          v.kind != Value::same || (v.shape && std::any_of(v.shape->begin(), v.shape->end(),
                                                           [&](const std::string &s) { return s == o.variable; }));
      if (last) v = Value{.kind = Value::varies, .why = o.call, .loop = o.variable};
    }
  }

  // What a name that is carried holds behind the loop.
  void after(Value &v, const std::string &name, const Value &before, Node at, const Names &ended) {
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
      depends(at, "what `" + name.substr(0, name.find('@')) + "` is after a block",
              v.loop.empty() ? Value{.why = at, .loop = o.variable} : v);
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

  // A loop that runs as often whatever the sizes are.
  void repeated(Node range, Nodes body, std::string_view variable) {
    if (auto k = c.as<ast::Call>(range))
      for (const Node n : k.args()) steady(n, "how often this loop runs");
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

  static void merge(Names &into, const Names &other) {
    for (auto &[name, v] : into)
      if (const auto it = other.find(name); it != other.end()) v = met(v, it->second);
    for (const auto &[name, v] : other) into.try_emplace(name, v);
  }

  void steady(Node n, const std::string &what) {
    if (const Value v = expression(n); v.kind != Value::same) depends(n, what, v);
  }

  // ── statements ────────────────────────────────────────────────────────────────────────────────────────────────────

  void block(Nodes statements) {
    for (const Node s : statements) statement(s);
  }

  void statement(Node n) {
    if (c.is(n, HTP_For)) {
      loop(n);
    } else if (auto w = c.as<ast::While>(n)) {
      steady(w.test(), "how often this loop runs");
      repeated(HTP_NONE, w.body(), {});
      steady(w.test(), "how often this loop runs"); // by what its body changes, too
    } else if (auto i = c.as<ast::If>(n)) {
      steady(i.test(), "whether this holds");
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
      bind(target, owing(combined(operator_word(static_cast<htp_op>(g.op())), {old, expression(g.value())}, n)), n);
    } else if (auto e = c.as<ast::Expr>(n)) {
      expression(e.value());
    }
  }

  void bind(Node target, const Value &v, Node value) {
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

  std::vector<Node> indices(Node slice) const {
    auto several = c.as<ast::Tuple>(slice);
    if (!several) return {slice};
    return {several.elts().begin(), several.elts().end()};
  }

  // The open loops of whose blocks an index is made, by the tiles in it or by itself.
  std::string block_of(Node index) {
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

  Write write(const std::vector<Node> &index) {
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

  // The loops from here on see more of the tensor than one block's.
  size_t outside(const std::string &tensor) const {
    const auto it = made_.find(tensor);
    return it == made_.end() ? stack_.size() : it->second;
  }

  static std::vector<const Write *> own(const std::vector<Write> &writes, const Open &o) {
    std::vector<const Write *> result;
    for (const Write &w : writes)
      if (w.own.contains(o.variable)) result.push_back(&w);
    return result;
  }

  Value load(Node n, const std::string &tensor, const std::vector<Node> &index) {
    Value result;
    for (const Node i : index) steady_index(i);
    if (const auto it = contents_.find(tensor); it != contents_.end()) result = it->second;
    const Write mine = write(index);
    for (size_t k = outside(tensor); k < stack_.size(); ++k) {
      const Open &o = stack_[k];
      const auto writes = o.writes.find(tensor);
      if (!o.ordered || writes == o.writes.end()) continue;
      const auto owns = own(writes->second, o);
      const bool apart =
          !owns.empty() && mine.own.contains(o.variable) && std::all_of(owns.begin(), owns.end(), [&](const Write *w) {
            return (w->plain && mine.plain) || w->index == mine.index;
          });
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

  void store(Node n, const std::string &tensor, const std::vector<Node> &index, const Value &v, bool adds) {
    const std::string shown = "what `" + tensor.substr(0, tensor.find('@')) + "` gets";
    for (const Node i : index) steady_index(i);
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
          return depends(n, shown, v.kind == Value::same ? Value{.why = n, .loop = o.variable} : v);
        continue;
      }
      const auto owns = own(writes, o);
      const bool mixed = owns.size() != 0 && owns.size() != writes.size();
      const bool moved =
          owns.size() > 1 && std::any_of(owns.begin(), owns.end(), [](const Write *w) { return !w->plain; });
      if (o.ordered && (mixed || moved)) return depends(n, shown, Value{.why = n, .loop = o.variable});
      accumulates |= o.ordered && owns.empty();
    }
    if (adds) return;
    if (v.kind != Value::same && !(accumulates && v.kind == Value::sofar && v.of == tensor))
      return depends(n, shown, v);
    ++versions_[tensor];
    contents_[tensor] = v;
  }

  void steady_index(Node n) {
    if (auto s = c.as<ast::Slice>(n); s && !s.lower() && !s.upper() && !s.step()) return;
    if (const Value v = expression(n); v.kind != Value::same) depends(n, "where this is", v);
  }

  Shape extents(const std::vector<Node> &of) {
    std::vector<std::string> result;
    for (const Node n : of) result.push_back(block_of(n));
    return result;
  }

  // ── expressions ───────────────────────────────────────────────────────────────────────────────────────────────────

  static std::string_view operator_word(htp_op op) {
    switch (op) {
    case HTP_Add: return "add";
    case HTP_Sub: return "sub";
    case HTP_Mult: return "mul";
    case HTP_Div: return "div";
    case HTP_BitOr: return "bit_or";
    case HTP_BitAnd: return "bit_and";
    case HTP_USub: return "neg";
    default: return "other";
    }
  }

  Value subscript(Node n) {
    auto s = c.get<ast::Subscript>(n);
    return load(n, expression(s.value()).tensor, indices(s.slice()));
  }

  // Notes what a value needs to be right.
  Value owing(Value v) {
    auto &[name, term] = v.owes;
    if (!name.empty())
      if (const auto [it, fresh] = owed_.emplace(name, term); !fresh && it->second != term) it->second = "several";
    v.owes = {};
    return v;
  }

  // An expression and what its names stand for.
  std::string identity(Node n) const {
    std::string text = c.show(n);
    c.each(n, [&](Node m) {
      if (const auto v = c.is(m, HTP_Name) ? versions_.find(c.name_of(m)) : versions_.end(); v != versions_.end())
        text += " " + v->first + "#" + std::to_string(v->second);
    });
    return text;
  }

  Value expression(Node n) { return n ? owing(evaluated(n)) : Value(); }

  Value evaluated(Node n) {
    if (c.is(n, HTP_Name)) {
      const auto it = here().find(c.name_of(n));
      return it == here().end() ? Value() : it->second;
    }
    if (c.is(n, HTP_Constant)) {
      const auto k = c.get<ast::Constant>(n).value();
      int64_t whole = 1;
      return Value{.zero = k.type == HTP_CONST_FLOAT ? k.u.f == 0 : c.integer(n, &whole) && whole == 0};
    }
    if (c.is(n, HTP_Subscript)) return subscript(n);
    if (c.is(n, HTP_Call)) return call(n);
    if (auto a = c.as<ast::Attribute>(n)) { // i.start, i.stop: where a block ends is another's size
      const Value of = expression(a.value());
      if (open(of.block)) return Value{.kind = Value::varies, .why = n, .loop = of.block};
    }
    std::vector<Value> operands;
    c.children(n, [&](Node child) {
      if (c.info(child).group == HTP_GROUP_EXPR) operands.push_back(expression(child));
    });
    if (c.is(n, HTP_Tuple)) {
      Value result;
      result.items = operands;
      return result;
    }
    std::string_view word = "other";
    if (auto b = c.as<ast::BinOp>(n)) word = operator_word(static_cast<htp_op>(b.op()));
    if (auto u = c.as<ast::UnaryOp>(n)) word = operator_word(static_cast<htp_op>(u.op()));
    return combined(word, operands, n);
  }

  Value call(Node n) {
    auto k = c.get<ast::Call>(n);
    std::vector<Node> arguments(k.args().begin(), k.args().end());
    const htp_intrinsic *row = c.intrinsic(p.names.qualified(k.func()));
    if (!row) return other_call(n, arguments);
    const std::string_view rule = row->rule, effects = row->effects;
    const std::string word = std::string(row->name).substr(std::string_view(row->name).rfind('.') + 1);
    size_t first = 0;
    while (first < row->parameter_count && row->parameters[first].name[0] != '*') ++first;
    const std::vector<Node> rest(arguments.begin() + static_cast<ptrdiff_t>(std::min(first, arguments.size())),
                                 arguments.end());
    if (!effects.empty() && !arguments.empty()) {
      const std::string tensor = expression(arguments[0]).tensor;
      if (!has_word(effects, "write")) return load(n, tensor, rest);
      if (arguments.size() > 1) store(n, tensor, rest, expression(arguments[1]), word == "scatter_add");
      return {};
    }
    if (rule == "create" || rule == "iota" || rule == "buffer") {
      Value result = word == "full" && arguments.size() > 1 ? expression(arguments[1]) : Value();
      result.zero = word == "zeros" || result.zero;
      result.shape = extents(rest);
      return rule == "iota" ? iota(n, result) : result;
    }
    std::vector<Value> operands;
    for (const Node a : arguments) operands.push_back(expression(a));
    for (const Node w : k.keywords())
      if (auto named = c.get<ast::keyword>(w); named.arg() == "acc") operands.push_back(expression(named.value()));
    if (operands.empty()) return {};
    if (rule == "matmul" && operands.size() > 1) return product(n, operands);
    if (rule == "reduce" || rule == "locate" || rule == "scan" || rule == "argsort" || rule == "topk" ||
        rule == "gather")
      return along_axis(n, rule, word, operands);
    if (rule == "transpose" && operands[0].shape && operands[0].shape->size() > 1) {
      Value result = operands[0];
      const auto &before = *operands[0].shape;
      const size_t rank = before.size();
      Node named = arguments.size() > 1 ? arguments[1] : HTP_NONE;
      for (const Node w : k.keywords())
        if (auto word_of = c.get<ast::keyword>(w); word_of.arg() == "axes") named = word_of.value();
      auto axes = c.as<ast::Tuple>(named);
      if (!axes) {
        std::swap((*result.shape)[rank - 1], (*result.shape)[rank - 2]);
        return result;
      }
      for (size_t d = 0; d < rank && d < axes.elts().size(); ++d) {
        const int64_t axis = constants_.integer(axes.elts()[d]).value_or(0);
        (*result.shape)[d] = before[static_cast<size_t>(axis < 0 ? axis + static_cast<int64_t>(rank) : axis) % rank];
      }
      return result;
    }
    if (rule == "reshape") operands.resize(1);
    Value result = combined(word, operands, n);
    if (rule == "reshape") result.shape = extents(rest);
    const bool seen = rule == "elementwise" || rule == "compare" || rule == "select" || rule == "cast" ||
                      rule == "relayout" || rule == "reshape";
    if (!seen) result.shape.reset();
    return result;
  }

  Value other_call(Node n, const std::vector<Node> &arguments) {
    auto k = c.get<ast::Call>(n);
    const std::string_view name = c.name_of(k.func());
    if (name == "len" && arguments.size() == 1) {
      const Value of = expression(arguments[0]);
      const Open *o = open(of.block);
      if (!o) return {};
      return Value{.kind = Value::partial, .op = "sum", .over = chain(of.block), .why = n, .loop = of.block};
    }
    std::vector<Value> operands;
    for (const Node a : arguments) operands.push_back(expression(a));
    const Node function = c.function(root_, name);
    if (!function || scopes_.size() > deepest) return combined("other", operands, n);
    // The body, as it will stand here.
    auto f = c.get<ast::FunctionDef>(function);
    const Nodes parameters = c.get<ast::arguments>(f.args()).args();
    Names scope;
    for (size_t i = 0; i < parameters.size() && i < operands.size(); ++i)
      scope[std::string(c.get<ast::arg>(parameters[i]).arg())] = operands[i];
    for (const Node w : k.keywords())
      scope[std::string(c.get<ast::keyword>(w).arg())] = expression(c.get<ast::keyword>(w).value());
    scopes_.push_back(std::move(scope));
    Value result;
    for (const Node s : f.body()) {
      if (auto r = c.as<ast::Return>(s))
        result = expression(r.value());
      else
        statement(s);
    }
    scopes_.pop_back();
    return result;
  }

  // Counted from where the block begins: of one that is open no element has its own number.
  Value iota(Node n, Value v) {
    int64_t axis = -1;
    word_of(n, "axis", axis);
    if (v.shape && axis >= 0 && axis < static_cast<int64_t>(v.shape->size()))
      if (const std::string &own = (*v.shape)[static_cast<size_t>(axis)]; !own.empty())
        v.kind = Value::varies, v.why = n, v.loop = own;
    return v;
  }

  bool word_of(Node n, std::string_view name, int64_t &value) const {
    for (const Node w : c.get<ast::Call>(n).keywords())
      if (auto word = c.get<ast::keyword>(w); word.arg() == name) return c.integer(word.value(), &value);
    return false;
  }

  // What runs along a `P` loop's blocks is refused where it stands: nothing puts it together again.
  bool unordered(Node n, const std::string &variable) {
    for (const std::string &v : chain(variable)) {
      const Open *o = open(v);
      if (o->ordered) continue;
      if (rehearsing_) return true;
      found_ = true;
      if (report_ && told_.insert(n).second)
        c.report(diag::own_block, n, c.show(c.get<ast::Call>(n).func()), v)
            .label(c.get<ast::For>(o->statement).iter(), "`P`: blocks of any size");
      return true;
    }
    return false;
  }

  Value product(Node n, const std::vector<Value> &operands) {
    const Value &a = operands[0], &b = operands[1];
    Value result = combined("mul", {Value{a}, Value{b}}, n); // linear in both
    const std::string along = a.shape && !a.shape->empty() ? a.shape->back() : std::string();
    if (!along.empty() && unordered(n, along)) return {};
    if (!along.empty() && (result.kind == Value::same || result.kind == Value::weight)) {
      const bool weighted = result.kind == Value::weight;
      result = Value{.kind = Value::partial,
                     .op = "sum",
                     .over = chain(along),
                     .by = weighted ? result.by : HTP_NONE,
                     .why = n,
                     .loop = along};
    }
    result.shape.reset();
    if (a.shape && b.shape && !a.shape->empty() && a.shape->size() == b.shape->size()) {
      result.shape = a.shape;
      result.shape->back() = b.shape->back();
    }
    result.zero = false;
    return operands.size() > 2 ? combined("add", {operands[2], result}, n) : result;
  }

  // Along an axis, or along several one after the other.
  Value along_axis(Node n, std::string_view rule, const std::string &word, std::vector<Value> operands) {
    Node given = HTP_NONE;
    for (const Node w : c.get<ast::Call>(n).keywords())
      if (auto named = c.get<ast::keyword>(w); named.arg() == "axis") given = named.value();
    const Node one[] = {given};
    auto tuple = c.as<ast::Tuple>(given);
    for (const Node axis : tuple ? tuple.elts() : Nodes(one)) operands[0] = along(n, axis, rule, word, operands);
    return operands[0];
  }

  Value along(Node n, Node given, std::string_view rule, const std::string &word, const std::vector<Value> &operands) {
    const Value &x = operands[0];
    const auto known = given ? constants_.integer(given) : std::nullopt;
    if (!x.shape || !known) {
      Value result = combined("other", operands, n);
      result.shape.reset();
      return result;
    }
    int64_t axis = *known;
    if (axis < 0) axis += static_cast<int64_t>(x.shape->size());
    if (axis < 0 || axis >= static_cast<int64_t>(x.shape->size())) return {};
    const std::string own = (*x.shape)[static_cast<size_t>(axis)];
    const size_t underscore = word.find('_');
    const std::string op = underscore == std::string::npos ? std::string() : word.substr(underscore + 1);
    const bool reduces = rule == "reduce";
    const std::string term = identity(c.get<ast::Call>(n).args()[0]) + " " + std::to_string(axis);
    Value result;
    if (own.empty()) {
      result = reduces && op == "sum" && (x.is(Value::partial, "sum") || x.kind == Value::weight)
                   ? x
                   : combined("other", operands, n);
    } else if (unordered(n, own)) {
      return {};
    } else if (reduces &&
               (x.kind == Value::same || (x.kind == Value::weight && op == "sum") || x.is(Value::partial, op))) {
      result =
          Value{.kind = Value::partial, .op = op, .over = chain(own), .by = x.by, .term = term, .why = n, .loop = own};
      result.over.insert(x.over.begin(), x.over.end());
    } else if (rule == "scan" && !op.empty() && x.kind == Value::same) {
      result = Value{.kind = Value::prefix, .op = op, .term = term, .why = n, .loop = own};
    } else {
      result = Value{.kind = Value::varies, .why = n, .loop = own};
    }
    result.shape = x.shape;
    if (rule == "gather")
      result.shape = operands.size() > 1 ? operands[1].shape : Shape();
    else if (rule != "scan" && rule != "argsort")
      (*result.shape)[static_cast<size_t>(axis)].clear();
    return result;
  }

  const Context &c;
  const Program &p;
  const Node root_, also_;
  const Constants constants_;
  const bool report_;
  int rehearsing_ = 0; // what is seen only prepares for seeing it again
  bool found_ = false;
  std::set<Node> told_;
  std::vector<Names> scopes_{1};
  Names contents_;                                      // of tensors
  std::map<std::string, size_t, std::less<>> made_;     // a tensor → in how many open loops it is made
  std::map<std::string, Shape, std::less<>> extents_;   // of buffers
  std::map<std::string, size_t, std::less<>> versions_; // of names and tensors: how often they were bound
  std::map<std::string, std::string> owed_;             // what is told of names in the blocks of the loop at hand
  std::vector<Open> stack_;
};

} // namespace

void check_own_blocks(const Context &c, const Program &p, Node root) { OwnBlocks(c, p, root, HTP_NONE, true).run(); }

bool depends_on_size(const Context &c, const Program &p, Node root, Node loop) {
  return OwnBlocks(c, p, root, loop, false).run();
}

} // namespace htp::wsp
