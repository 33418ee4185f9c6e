// Statements in canonical form, and what their names are called: a name that two blocks bind is two names, since its
// types may speak of different blocks.
#include "language/races.h"
#include "passes/canonicalizer.h"
#include "passes/rebuild.h"

#include "htp_cpp/loops.h"
#include "htp_cpp/types.h"

namespace htp::tile {
namespace {

std::set<std::string, std::less<>> bound_inside(const Reader &r, Node n) {
  std::set<std::string, std::less<>> result;
  r.each(n, [&](Node inner) {
    if (auto name = r.as<ast::Name>(inner); name && name.ctx() == HTP_STORE) result.emplace(name.id());
    if (auto a = r.as<ast::arg>(inner)) result.emplace(a.arg());
  });
  return result;
}

} // namespace

Canonicalizer::Canonicalizer(const Module &module, Node function, Meanings meanings)
    : m_(module), c(module.c), function_(function), meanings_(std::move(meanings)), signs_(module, function, meanings_),
      imports_(module.c, module.root, bound_inside(module.c, function)) {
  taken_ = bound_inside(c, function);
  // Names of the module stay what they are where the kernel still uses them; the intrinsics are respelled.
  c.each(function, [&](Node n) {
    if (auto name = c.as<ast::Name>(n)) {
      const std::string path = m_.path(n);
      uint32_t row = 0;
      if (path.empty() || !c.host()->intrinsic(c.ctx(), str(path), &row)) taken_.emplace(name.id());
    }
    if (const htp_intrinsic *row = meaning(n).row) {
      const std::string_view name = row->name;
      taken_.emplace(name.substr(0, name.find('.')));
    }
  });
  taken_.insert("tile");
  taken_.insert("htp");
  auto f = c.get<ast::FunctionDef>(function);
  c.each(f.args(), [&](Node n) {
    if (auto a = c.as<ast::arg>(n)) {
      bound_[std::string(a.arg())] = a.arg(), used_.emplace(a.arg());
      if (!m_.dtype(a.annotation()).empty()) scalars_.emplace(a.arg());
    }
  });
}

Node Canonicalizer::run() {
  const auto statements = body(c.get<ast::FunctionDef>(function_).body());
  auto f = c.get<ast::FunctionDef>(function_);
  std::vector<uint32_t> parameters;
  for (const Node n : c.get<ast::arguments>(f.args()).args()) {
    const Node given = c.get<ast::arg>(n).annotation();
    parameters.push_back(with_slot(c, n, HTP_FIELD(arg, annotation), annotation(given)));
  }
  const Node typed = with_slot(c, function_, HTP_FIELD(FunctionDef, args),
                               with_list(c, f.args(), HTP_FIELD(arguments, args), parameters));
  const Node function = with_list(c, typed, HTP_FIELD(FunctionDef, body), statements);
  Node module = with_statement(c, m_.root, function_, function);
  if (module == m_.root) return module;
  // Intrinsics that were imported by name are spelled through their module now.
  return drop_unused_imports(c, imports_.apply(module), [&](std::string_view path) {
    uint32_t row = 0;
    return path == "htp_tile.tiles" || path == "htp_tile.whole" || c.host()->intrinsic(c.ctx(), str(path), &row);
  });
}

std::vector<uint32_t> Canonicalizer::body(Nodes statements) {
  std::vector<uint32_t> result;
  std::vector<uint32_t> *outer = std::exchange(out_, &result);
  for (const Node s : statements) statement(s);
  out_ = outer;
  if (result.empty()) result.push_back(c.make(make::Pass{}, HTP_NONE));
  return result;
}

void Canonicalizer::statement(Node n) {
  switch (c.kind(n)) {
  case HTP_For: return loop(n);
  case HTP_While: return repeat(n);
  case HTP_If: return branch(n);
  case HTP_FunctionDef: return part(n);
  case HTP_AugAssign: return augmented(n);
  case HTP_Assign: {
    auto a = c.get<ast::Assign>(n);
    return assign(n, a.targets()[0], a.value(), HTP_FIELD(Assign, value));
  }
  case HTP_AnnAssign: {
    auto a = c.get<ast::AnnAssign>(n);
    const Node annotated = with_slot(c, n, HTP_FIELD(AnnAssign, annotation), plain(a.annotation()));
    return assign(annotated, a.target(), a.value(), HTP_FIELD(AnnAssign, value));
  }
  case HTP_Expr: {
    const Node e = c.get<ast::Expr>(n).value();
    if (meaning(e).row) n = with_slot(c, n, HTP_FIELD(Expr, value), value(e));
    break;
  }
  default: break;
  }
  out_->push_back(n);
}

void Canonicalizer::assign(Node n, Node to, Node e, unsigned value_field) {
  if (c.is(to, HTP_Subscript)) return store(n, to, e);
  const Meaning &m = meaning(e);
  if (m.sort == Sort::number && m.value && m.value->real) return; // a literal wherever it is used
  const Node new_value = m.row ? value(e) : index(e);
  const Node name = target(to);
  n = with_slot(c, n, value_field, new_value);
  if (c.is(n, HTP_Assign)) {
    const Node targets[] = {name};
    out_->push_back(with_list(c, n, HTP_FIELD(Assign, targets), targets));
  } else {
    out_->push_back(with_slot(c, n, HTP_FIELD(AnnAssign, target), name));
  }
}

void Canonicalizer::augmented(Node n) {
  auto a = c.get<ast::AugAssign>(n);
  const Meaning &m = meaning(n);
  const Node right = operand(a.value());
  const std::string id(c.name_of(target(a.target())));
  const Node left = c.name(id, a.target());
  const std::string_view root = root_of(n, m);
  const Node value = !root.empty() ? c.call(own(root), {left}, n)
                     : m.row       ? call_of(n, m, {left, right})
                                   : c.binary(left, a.op(), right, n);
  out_->push_back(with_comments_of(c, n, c.assign(id, HTP_NONE, value, n)));
}

void Canonicalizer::store(Node n, Node to, Node e) {
  auto s = c.get<ast::Subscript>(to);
  std::vector<uint32_t> arguments{plain(s.value()), operand(e)};
  indices(s.slice(), arguments);
  out_->push_back(with_comments_of(c, n, c.statement(call_of(to, meaning(to), std::move(arguments)), n)));
}

// What a user's name is called where it is bound here.
Node Canonicalizer::target(Node name) {
  const std::string id(c.name_of(name));
  const auto [it, fresh] = bound_.try_emplace(id);
  if (fresh) it->second = used_.insert(id).second ? id : claim(id);
  return it->second == id ? name : with_slot(c, name, HTP_FIELD(Name, id), c.intern(it->second));
}

// A parallel loop whose iterations were not shown to be independent runs in order.
Node Canonicalizer::in_order(Node n) {
  auto f = c.get<ast::For>(n);
  const LoopForms forms = loop_forms(c, m_.names, f.iter());
  if (!forms.parallel) return f.iter();
  const auto races = races_of(m_, function_, n);
  if (races.empty()) return f.iter();
  const Race &race = races[0];
  auto report = c.report(diag::maybe_dependent_iterations, n, c.name_of(f.target()), race.name);
  report.label(race.from, "written here");
  if (race.at != race.from) report.label(race.at, race.kind == Dependence::reads_written ? "read here" : "and here");
  if (race.unknown) report.label(race.unknown, "not known for all sizes: " + race.why);
  report.hint("`" + std::string(c.entry()) + ".races(…)` says under plain Python which iterations of a call meet")
      .hint("index with `" + std::string(c.name_of(f.target())) + "`, or leave `htp.parallel` out");
  return rewrite(
      c, f.iter(),
      [&](Node e) {
        auto call = c.as<ast::Call>(e);
        return call && m_.path(call.func()) == "htp.parallel" && call.args().size() == 1 ? call.args()[0] : e;
      },
      [](Node, std::vector<uint32_t> &) { return false; });
}

void Canonicalizer::loop(Node n) {
  auto f = c.get<ast::For>(n);
  const Node iter = iteration(in_order(n));
  const Names before = bound_;
  const Node block = target(f.target());
  const auto statements = body(f.body());
  bound_ = before;
  n = with_slot(c, n, HTP_FIELD(For, target), block);
  n = with_slot(c, n, HTP_FIELD(For, iter), iter);
  out_->push_back(with_list(c, n, HTP_FIELD(For, body), statements));
}

void Canonicalizer::part(Node n) {
  const Names before = bound_;
  c.each(c.get<ast::FunctionDef>(n).args(), [&](Node a) {
    if (c.is(a, HTP_arg)) bound_[std::string(c.get<ast::arg>(a).arg())] = c.get<ast::arg>(a).arg();
  });
  const auto statements = body(c.get<ast::FunctionDef>(n).body());
  bound_ = before;
  out_->push_back(with_list(c, n, HTP_FIELD(FunctionDef, body), statements));
}

// A condition that computes does so in each iteration, at its begin, which is left where it does not hold.
void Canonicalizer::repeat(Node n) {
  auto w = c.get<ast::While>(n);
  const WhileTest test = split_test(c, w.test(), [&](Node part) { return computes(part); });
  const Node holds = plain(test.first);
  const Names before = bound_;
  std::vector<uint32_t> statements;
  std::vector<uint32_t> *outer = std::exchange(out_, &statements);
  for (const Node part : test.rest) {
    const Node asked = plain(part);
    statements.push_back(leave_unless(c, asked));
  }
  for (const Node s : w.body()) statement(s);
  out_ = outer;
  bound_ = before;
  n = with_slot(c, n, HTP_FIELD(While, test), holds);
  out_->push_back(with_list(c, n, HTP_FIELD(While, body), statements));
}

// Whether what the statements bind to a name is an int.
bool Canonicalizer::binds_int(Nodes statements, std::string_view name) const {
  bool ints = false;
  for (const Node s : statements)
    c.each(s, [&](Node inner) {
      auto a = c.as<ast::Assign>(inner);
      if (!a || c.name_of(a.targets()[0]) != name) return;
      const Meaning &m = meaning(a.value());
      ints |= m.sort == Sort::integer || m.sort == Sort::dim || (m.sort == Sort::number && m.value && !m.value->real);
    });
  return ints;
}

void Canonicalizer::branch(Node n) {
  auto b = c.get<ast::If>(n);
  const Node test = plain(b.test());
  // What both branches bind lives on behind them, under one name.
  std::set<std::string, std::less<>> other;
  for (const Node s : b.orelse()) other.merge(bound_inside(c, s));
  for (const Node s : b.body())
    for (const std::string &name : bound_inside(c, s)) {
      if (!other.contains(name) || bound_.contains(name)) continue;
      bound_[name] = used_.insert(name).second ? name : claim(name);
      // An int is one before it is another: targets know where a tile is made, and of an int where it is set first.
      if (binds_int(b.body(), name)) out_->push_back(c.assign(bound_[name], HTP_NONE, c.integer_node(0, n), n));
    }
  const Names before = bound_;
  const auto then = body(b.body());
  bound_ = before;
  const auto otherwise = b.orelse().empty() ? std::vector<uint32_t>() : body(b.orelse());
  bound_ = before;
  n = with_slot(c, n, HTP_FIELD(If, test), test);
  n = with_list(c, n, HTP_FIELD(If, body), then);
  out_->push_back(with_list(c, n, HTP_FIELD(If, orelse), otherwise));
}

} // namespace htp::tile
