// Statements but loops and processes; what branches leave in names and memories.
#include "reader.h"

namespace htp::validator {

using namespace htp::sdk;

void Reader::block(Nodes body) {
  for (const Node n : body) {
    if (returned_) fail(n, "a statement after a return");
    statement(n);
  }
}

void Reader::statement(Node n) {
  if (c.cancelled()) fail(n, "it was cancelled");
  switch (c.kind(n)) {
  case HTP_Pass: return;
  case HTP_Import:
  case HTP_ImportFrom: fail(n, "an import in a function");
  case HTP_Expr: {
    const Node v = c.get<ast::Expr>(n).value();
    if (!c.is(v, HTP_Constant)) evaluate(v);
    return;
  }
  case HTP_Assign: {
    const auto a = c.get<ast::Assign>(n);
    if (a.targets().size() != 1) fail(n, "an assignment to several");
    return assign(a.targets()[0], a.value(), HTP_NONE);
  }
  case HTP_AnnAssign: {
    const auto a = c.get<ast::AnnAssign>(n);
    if (a.value()) assign(a.target(), a.value(), a.annotation());
    return;
  }
  case HTP_AugAssign: {
    const auto a = c.get<ast::AugAssign>(n);
    if (!c.is(a.target(), HTP_Name)) fail(n, "an assignment that has no meaning here");
    const Value was = evaluate(a.target());
    if (was.memory >= 0) fail(n, "an assignment that has no meaning here");
    return bind(c.name_of(a.target()), value(binary(a.op(), was.term, term(a.value()), n)));
  }
  case HTP_Return: {
    const auto r = c.get<ast::Return>(n);
    if (loop_ != outer_loop_ || branch_ != outer_branch_) fail(n, "a return within a loop or branch");
    returned_ = r.value() ? evaluate(r.value()) : value(t.symbol("None"));
    return;
  }
  case HTP_With: {
    const auto w = c.get<ast::With>(n);
    bool on_device = false;
    for (const Node item : w.items()) {
      const auto i = c.get<ast::withitem>(item);
      const Node e = i.context_expr();
      const std::string name = c.is(e, HTP_Call) ? symbol_of(c.get<ast::Call>(e).func()) : std::string();
      const bool flags = name == "htp_pto.aiv" || name == "htp_pto.aic";
      if (i.optional_vars() || (!flags && name != "htp_pto.one_by_one" && name != "htp_aie.device"))
        fail(n, "`" + c.show(e) + "` has no meaning here");
      if (flags) {
        if (w.items().size() != 1 || !c.get<ast::Call>(e).args().empty())
          fail(n, "`" + c.show(e) + "` has no meaning here");
        return kernel(w.body(), name.substr(8), n);
      }
      if (name == "htp_aie.device") device(e), on_device = true;
      if (name == "htp_pto.one_by_one") {
        const auto args = c.get<ast::Call>(e).args();
        std::string_view kind = "aiv";
        if (args.size() > 1 || (!args.empty() && !c.string(args[0], &kind)))
          fail(n, "`" + c.show(e) + "` has no meaning here");
        core_ = kind;
      }
    }
    block(w.body());
    core_.clear();
    if (on_device) end_device();
    return;
  }
  case HTP_FunctionDef: return process(n);
  case HTP_If: return branch(n);
  case HTP_For: return loop(n);
  default: fail(n, "a statement that has no meaning here");
  }
}

void Reader::assign(Node target, Node from, Node annotation_node) {
  if (c.is(target, HTP_Name)) {
    Value v = evaluate(from);
    if (v.term && !v.function && t.is(v.term, Op::none)) fail(from, "no value");
    if (annotation_node) check_annotation(annotation_node, v);
    if (v.memory >= 0) {
      // A second name of a buffer is that buffer; of a tensor's elements there is none.
      if (!c.is(from, HTP_Call) && !c.is(from, HTP_Name)) fail(from, "`" + c.show(from) + "` has no meaning here");
      if (c.is(from, HTP_Call)) memories_[static_cast<size_t>(v.memory)].name = c.name_of(target);
    }
    return bind(c.name_of(target), v);
  }
  if (const auto sub = c.as<ast::Subscript>(target)) {
    const int m = memory_of(sub.value());
    const Term v = term(from);
    return store(m, v, indices(sub.slice(), m), target);
  }
  if (const auto tuple = c.as<ast::Tuple>(target)) {
    const Term v = term(from);
    if (t.is(v, Op::tuple) && t.at(v).args.size() == tuple.elts().size()) {
      const std::vector<Term> items = t.at(v).args;
      for (size_t k = 0; k < items.size(); ++k) {
        if (!c.is(tuple.elts()[k], HTP_Name)) fail(target, "an assignment that has no meaning here");
        bind(c.name_of(tuple.elts()[k]), value(items[k]));
      }
      return;
    }
  }
  fail(target, "an assignment that has no meaning here");
}

void Reader::bind(std::string_view name, Value v) { s->names[std::string(name)] = v; }

void Reader::check_annotation(Node n, const Value &v) {
  const Type type = type_of_annotation(annotation(n));
  const Type is = v.memory >= 0 ? memories_[static_cast<size_t>(v.memory)].type : t.type_of(v.term);
  if (!type.known() || !is.known()) return;
  if (type.dtype != is.dtype || !same_extents(type.extents, is.extents))
    fail(n, "the type that is written is not shown to be the value's");
}

void Reader::branch(Node n) {
  const auto i = c.get<ast::If>(n);
  const Term condition = term(i.test());
  if (t.is(condition, Op::symbol) && (t.at(condition).tag == "True" || t.at(condition).tag == "False"))
    return block(t.at(condition).tag == "True" ? i.body() : i.orelse());
  ++branch_;
  const auto held = held_;
  State before = *s;
  const size_t facts = facts_.size();
  std::vector<FlagEvent> *const outer = events_;
  FlagEvent ways;
  ways.kind = FlagEvent::Kind::branch;
  ways.bodies.resize(2);
  const auto into = [&](size_t way) {
    if (outer) events_ = &ways.bodies[way];
  };
  into(0);
  learn(condition);
  block(i.body());
  facts_.resize(facts);
  into(1);
  learn(negated(condition));
  if (held_ != held) fail(n, "a block is acquired or released in a branch");
  State one = std::move(*s);
  *s = std::move(before);
  s->holds.resize(memories_.size(), 0);
  block(i.orelse());
  if (held_ != held) fail(n, "a block is acquired or released in a branch");
  if (s->counts != one.counts) fail(n, "a block is acquired or released in a branch");
  facts_.resize(facts);
  events_ = outer;
  if (outer) outer->push_back(std::move(ways));
  --branch_;
  one.holds.resize(memories_.size(), 0);
  s->holds.resize(memories_.size(), 0);
  for (size_t k = 0; k < memories_.size(); ++k) {
    Term &x = s->holds[k];
    const Term a = one.holds[k];
    if (!a || !x)
      x = a ? a : x; // made in one of them, and seen there alone
    else if (a != x)
      x = choice(condition, a, x, memories_[k].type);
  }
  Environment merged;
  for (auto &[name, v] : s->names) {
    const auto it = one.names.find(name);
    if (it == one.names.end()) continue;
    if (it->second == v)
      merged[name] = v;
    else if (it->second.memory >= 0 || v.memory >= 0 || it->second.function || v.function)
      merged[name] = value(t.make(Op::undefined, "", {}));
    else
      merged[name] = value(choice(condition, it->second.term, v.term, t.type_of(v.term)));
  }
  s->names = std::move(merged);
}

void Reader::learn(Term condition) {
  const TermNode n = t.at(condition);
  if (n.op != Op::apply) return;
  if (n.tag == "nonnegative") facts_.push_back(n.args[0]);
  if (n.tag == "and")
    for (const Term a : n.args) learn(a);
}

} // namespace htp::validator
