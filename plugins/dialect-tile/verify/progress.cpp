#include "verify/progress.h"

namespace htp::tile {
namespace {

// More paths than these are one of which nothing is known.
constexpr size_t most_paths = 32;

} // namespace

Progress::Progress(const Module &module, Node function, Node loop) : m_(module), c(module.c), ints_(module, function) {
  auto w = c.get<ast::While>(loop);
  Path begin{ints_.isl().all(), {}};
  c.each(loop, [&](Node n) {
    auto name = c.as<ast::Name>(n);
    if (!name) return;
    if (name.ctx() == HTP_STORE) changing_.emplace(name.id());
    if (!m_.is_dim(name.id()) && !m_.integer(n)) begin.values.try_emplace(std::string(name.id()));
  });
  for (auto &[name, value] : begin.values) value = ints_.isl().variable("at " + name);
  const Ints::Values at_first = begin.values;

  find_comparisons(w.test());
  ints_.assume(at_first);
  begin.set = perhaps(w.test(), true);
  Paths paths{std::move(begin)};
  block(w.body(), paths);
  for (const Comparison &k : comparisons_) {
    ints_.assume(at_first);
    if (!side(k.left) || !side(k.right)) continue;
    shown_ = shown_ || approaches(k.left, k.right, paths) || approaches(k.right, k.left, paths);
    tried_.push_back(k.node);
  }
}

void Progress::block(Nodes statements, Paths &paths) {
  for (const Node s : statements) statement(s, paths);
}

void Progress::statement(Node n, Paths &paths) {
  if (c.is(n, HTP_Assign) || c.is(n, HTP_AnnAssign)) {
    auto a = c.as<ast::Assign>(n);
    const Node target = a ? a.targets()[0] : c.get<ast::AnnAssign>(n).target();
    const Node value = a ? a.value() : c.get<ast::AnnAssign>(n).value();
    for (Path &path : paths) {
      ints_.assume(path.values);
      bind(c.name_of(target), ints_.value(value), path);
    }
  } else if (auto g = c.as<ast::AugAssign>(n)) {
    for (Path &path : paths) {
      ints_.assume(path.values);
      const auto left = ints_.value(g.target()), right = ints_.value(g.value());
      bind(c.name_of(g.target()), left && right ? Ints::combined(g.op(), *left, *right) : std::nullopt, path);
    }
  } else if (c.is(n, HTP_If)) {
    branch(n, paths);
  } else if (c.is(n, HTP_Break)) {
    paths.clear();
  } else {
    forget(n, paths); // a loop within may run any number of times
  }
}

void Progress::branch(Node n, Paths &paths) {
  auto b = c.get<ast::If>(n);
  c.each(n, [&](Node inner) {
    if (c.is(inner, HTP_Break)) find_comparisons(b.test());
    return !c.is(inner, HTP_For) && !c.is(inner, HTP_While);
  });
  if (2 * paths.size() > most_paths) {
    paths.resize(1);
    paths[0].set = ints_.isl().all();
    for (const std::string &name : changing_) bind(name, std::nullopt, paths[0]);
    return;
  }
  Paths then = paths, otherwise = std::move(paths);
  for (Path &path : then) ints_.assume(path.values), path.set = path.set & perhaps(b.test(), true);
  for (Path &path : otherwise) ints_.assume(path.values), path.set = path.set & perhaps(b.test(), false);
  block(b.body(), then);
  block(b.orelse(), otherwise);
  paths = std::move(then);
  paths.insert(paths.end(), otherwise.begin(), otherwise.end());
}

void Progress::bind(std::string_view name, const std::optional<IntValue> &value, Path &path) {
  if (!name.empty()) path.values.insert_or_assign(std::string(name), value ? *value : unknown());
}

void Progress::forget(Node n, Paths &paths) {
  c.each(n, [&](Node inner) {
    auto name = c.as<ast::Name>(inner);
    if (!name || name.ctx() != HTP_STORE) return;
    for (Path &path : paths) bind(name.id(), std::nullopt, path);
  });
}

IntSet Progress::perhaps(Node n, bool holds) {
  if (auto u = c.as<ast::UnaryOp>(n); u && u.op() == HTP_Not) return perhaps(u.operand(), !holds);
  if (auto b = c.as<ast::BoolOp>(n)) {
    const bool all = (b.op() == HTP_And) == holds; // each part holds, or each does not
    IntSet result = all ? ints_.isl().all() : ints_.isl().none();
    for (const Node v : b.values()) result = all ? result & perhaps(v, holds) : result | perhaps(v, holds);
    return result;
  }
  if (auto k = c.as<ast::Compare>(n)) {
    IntSet every = ints_.isl().all(), not_every = ints_.isl().none();
    Node left = k.left();
    for (size_t i = 0; i < k.ops().size(); ++i) {
      const auto a = side(left), b = side(k.comparators()[i]);
      const auto part = a && b ? Ints::compared(static_cast<htp_op>(k.ops()[i]), *a, *b) : std::nullopt;
      every = part ? every & *part : every;
      not_every = part ? not_every | (ints_.isl().all() - *part) : ints_.isl().all();
      left = k.comparators()[i];
    }
    return holds ? every : not_every;
  }
  const auto known = ints_.condition(n);
  if (!known) return ints_.isl().all();
  return holds ? *known : ints_.isl().all() - *known;
}

void Progress::find_comparisons(Node condition) {
  c.each(condition, [&](Node n) {
    auto k = c.as<ast::Compare>(n);
    if (!k) return;
    Node left = k.left();
    for (const Node right : k.comparators()) {
      comparisons_.push_back({n, left, right});
      left = right;
    }
  });
}

// Whether `high - low`, at the begin of an iteration, is at least 0, and less behind it.
bool Progress::approaches(Node low, Node high, const Paths &paths) {
  const IntValue before = *side(high) - *side(low), none = ints_.number(0);
  const Ints::Values at_first = ints_.values();
  bool all = true;
  for (const Path &path : paths) {
    ints_.assume(path.values);
    const auto from = side(low), to = side(high);
    all = all && from && to && (path.set & ((before < none) | (*to - *from >= before))).empty() == Answer::yes;
  }
  ints_.assume(at_first);
  return all;
}

// What the loop does not change is one int throughout, whatever it is made of.
std::optional<IntValue> Progress::side(Node n) {
  if (auto known = ints_.value(n)) return known;
  bool same = true;
  c.each(n, [&](Node inner) {
    auto call = c.as<ast::Call>(inner);
    const auto number = m_.evaluate(inner);
    same = same && !changing_.contains(c.name_of(inner)) && !c.is(inner, HTP_Subscript) && !(number && number->real) &&
           (!call || c.name_of(call.func()) == "len");
  });
  return same ? std::optional(ints_.isl().variable(c.show(n))) : std::nullopt;
}

} // namespace htp::tile
