// Loops: over blocks of `tiles` or ints of `range`, perhaps wrapped in htp's loop forms.
#include "language/checker.h"
#include "language/races.h"
#include "verify/progress.h"

#include "htp_cpp/writer.h"

#include <algorithm>
#include <utility>

namespace htp::tile {

void Checker::loop(Node n) {
  auto f = c.get<ast::For>(n);
  const Meaning item = iteration(f.iter());
  if (!f.orelse().empty())
    c.report(diag::unsupported, f.orelse()[0], "`else` of loops").hint("write it behind the loop");
  const Scope before = bound_;
  const std::string_view target = c.name_of(f.target());
  if (target.empty()) {
    c.report(diag::bad_target, f.target(), "`" + c.show(f.target()) + "`").hint("a loop has one name: `for i in …`");
    forget(f.target());
  } else {
    const auto kind = m_.kind_of(target);
    if (const auto bound = bound_.find(target); bound != bound_.end())
      c.report(diag::shadowed, f.target(), target, describe(bound->second.meaning))
          .label(bound->second.where, "bound here");
    else if (kind == Module::Kind::dim || kind == Module::Kind::constant)
      c.report(diag::shadowed, f.target(), target,
               kind == Module::Kind::dim ? "a dim of the module" : "a constant of the module")
          .label(m_.definition(target), "defined here"),
          forget(f.target());
    else
      bound_[std::string(target)] = {item, f.target(), true};
  }
  const bool around = std::exchange(repeats_, false);
  Scope inner = inside(f.body());
  repeats_ = around;
  bound_ = before;
  leave(before, inner, "for");
  if (loop_forms(c, m_.names, f.iter()).parallel && !target.empty()) independent(n);
}

// Whether each iteration asks a channel for another item, `while csp.more(kept)`, or leaves, and takes one. That there
// is not always one more is for the channel's dialect to show, which knows who puts.
bool Checker::takes_items(ast::While w) const {
  const auto effect = [&](Node n, bool asks) { // the channel that a call asks, or takes an item of
    const auto meaning = meanings_.find(n);
    auto call = c.as<ast::Call>(n);
    const bool gets = call && !call.args().empty() && meaning != meanings_.end() && meaning->second.row &&
                      has_name(meaning->second.row->effects, "get") && (meaning->second.sort == Sort::integer) == asks;
    return gets ? channel_text(call.args()[0]) : std::string();
  };
  std::set<std::string> asked, taken;
  const auto ask = [&](Node n) {
    if (const std::string channel = effect(n, true); !channel.empty()) asked.insert(channel);
  };
  auto both = c.as<ast::BoolOp>(w.test());
  if (both && both.op() == HTP_And)
    for (const Node part : both.values()) ask(part);
  else
    ask(w.test());
  std::map<std::string, Node, std::less<>> bound; // what a line of the body binds
  for (const Node s : w.body()) {
    auto a = c.as<ast::Assign>(s);
    auto typed = c.as<ast::AnnAssign>(s);
    if (a || typed) bound[std::string(c.name_of(a ? a.targets()[0] : typed.target()))] = a ? a.value() : typed.value();
    auto i = c.as<ast::If>(s);
    auto negated = i ? c.as<ast::UnaryOp>(i.test()) : ast::UnaryOp{};
    if (negated && negated.op() == HTP_Not && i.body().size() == 1 && c.is(i.body()[0], HTP_Break)) {
      ask(negated.operand());
      if (const auto known = bound.find(c.name_of(negated.operand())); known != bound.end()) ask(known->second);
    }
    if (i || c.is(s, HTP_For) || c.is(s, HTP_While)) continue; // may not happen
    c.each(s, [&](Node n) {
      if (const std::string channel = effect(n, false); !channel.empty()) taken.insert(channel);
    });
  }
  return std::ranges::any_of(asked, [&](const std::string &channel) { return taken.contains(channel); });
}

// A channel as it is written, also where a name stands for it.
std::string Checker::channel_text(Node n) const {
  const std::string_view name = c.name_of(n);
  Node value = HTP_NONE;
  if (const auto local = locals_.find(name); !name.empty() && local != locals_.end())
    c.each(function_, [&](Node s) {
      auto a = c.as<ast::Assign>(s);
      if (a && a.targets().size() == 1 && c.name_of(a.targets()[0]) == name) value = a.value();
      if (auto typed = c.as<ast::AnnAssign>(s); typed && c.name_of(typed.target()) == name) value = typed.value();
    });
  auto call = c.as<ast::Call>(value);
  const bool of_another = call && !call.args().empty() && locals_.contains(c.name_of(call.args()[0]));
  return c.show(of_another ? value : n); // a channel of an array; its name where it is one by itself
}

// A loop that runs as long as its condition holds, which it does not for ever.
void Checker::repeat(Node n) {
  auto w = c.get<ast::While>(n);
  const size_t errors = c.errors();
  if (!w.orelse().empty())
    c.report(diag::unsupported, w.orelse()[0], "`else` of loops").hint("write it behind the loop");
  condition(w.test(), "while");
  const bool around = std::exchange(repeats_, true);
  leave(bound_, inside(w.body()), "while");
  repeats_ = around;
  if (c.errors() != errors || takes_items(w)) return; // what it does is not known; or it ends when the channel does
  Progress progress(m_, function_, n);
  if (progress.shown()) return;
  auto report = c.report(diag::endless, n);
  for (const Node comparison : progress.tried())
    report.label(comparison, "an iteration may leave `" + c.show(comparison) + "` no nearer to its end");
  report.hint("count the iterations: `n = 0` before it, `while n < 100 and …`, and `n += 1` in each");
}

// Iterations of a parallel loop run in any order: nothing is carried from one to the next, and no two touch one place.
// Where that was not shown, tile.canonicalize has them run in order.
void Checker::independent(Node n) {
  const std::string_view target = c.name_of(c.get<ast::For>(n).target());
  for (const Race &d : races_of(m_, function_, n)) {
    if (!d.sure) continue;
    switch (d.kind) {
    case Dependence::carried:
      c.report(diag::carried, n, target, d.name)
          .label(d.at, "read here, before this iteration binds it")
          .hint("bind it inside the loop, or leave `htp.parallel` out");
      break;
    case Dependence::escapes:
      c.report(diag::escapes, n, target, d.name).label(d.at, "read here").hint("store it, or leave `htp.parallel` out");
      break;
    case Dependence::same_element:
    case Dependence::reads_written: {
      const bool reads = d.kind == Dependence::reads_written;
      auto report = c.report(reads ? diag::reads_written : diag::same_element, n, target, d.name, d.example);
      report.label(d.from, "written here");
      if (d.at != d.from) report.label(d.at, reads ? "read here" : "and here");
      report.hint(reads ? "read it where `" + std::string(target) + "` writes it, or leave `htp.parallel` out"
                        : "index it with `" + std::string(target) + "`, or leave `htp.parallel` out");
      break;
    }
    }
  }
}

void Checker::level(Node n, const std::string &name) {
  const auto levels = c.hardware_names("levels");
  if (std::find(levels.begin(), levels.end(), name) != levels.end()) return;
  auto report = c.report(diag::unknown_level, n, c.target(), name);
  if (!levels.empty()) report.hint("it has: " + join(levels, ", ", [](const std::string &l) { return "`" + l + "`"; }));
}

// What a loop over `iter` gives.
Meaning Checker::iteration(Node iter) {
  const LoopForms forms = loop_forms(c, m_.names, iter);
  for (const Node wrapper : forms.wrappers) loop_form(wrapper);
  auto k = c.as<ast::Call>(forms.range);
  const std::string path = k ? m_.path(k.func()) : std::string();
  if (path == "htp_tile.tiles") return tiles(forms.range);
  if (k && c.name_of(k.func()) == "range" && !is_local("range") && m_.kind_of("range") == Module::Kind::none)
    return range(forms.range);
  const bool form =
      path == "htp.parallel" || path == "htp.vectorized" || path == "htp.unrolled" || path == "htp.pipelined";
  c.report(diag::bad_loop, forms.range, c.show(forms.range))
      .hint(form ? "`" + path + "` wraps one `tiles(…)` or `range(…)`" : "cut an extent into blocks: `tiles(M, 8)`");
  return {};
}

// htp.parallel(…, level="core"), htp.pipelined(…, depth=2)
void Checker::loop_form(Node call) {
  const std::string path = m_.path(c.get<ast::Call>(call).func());
  bool deep = false;
  for (const Node n : c.get<ast::Call>(call).keywords()) {
    auto keyword = c.get<ast::keyword>(n);
    std::string_view text;
    if (path == "htp.parallel" && keyword.arg() == "level") {
      if (!c.string(keyword.value(), &text))
        c.report(diag::bad_level, keyword.value(), c.show(keyword.value()))
            .hint("write the level's name: `level=\"core\"`");
      else
        level(keyword.value(), std::string(text));
    } else if (path == "htp.pipelined" && keyword.arg() == "depth") {
      deep = true;
      const auto depth = m_.integer(keyword.value());
      if (!depth)
        c.report(diag::not_constant, keyword.value(), "`depth`", c.show(keyword.value()))
            .hint("write an int, or a constant of the module");
      else if (*depth < 1)
        c.report(diag::bad_depth, keyword.value(), *depth).hint("`depth=1` is one iteration after the other");
    } else {
      c.report(diag::unknown_keyword, n, path, keyword.arg())
          .hint(path == "htp.parallel"    ? "it takes `level=`"
                : path == "htp.pipelined" ? "it takes `depth=`"
                                          : "it takes the loop's range alone");
    }
  }
  if (path == "htp.pipelined" && !deep)
    c.report(diag::missing_argument, call, path, "depth").hint("say how many iterations may overlap: `depth=2`");
}

// tiles(extent, size)
Meaning Checker::tiles(Node call) {
  auto k = c.get<ast::Call>(call);
  Node extent_node = HTP_NONE, size = HTP_NONE;
  if (!k.args().empty()) extent_node = k.args()[0];
  if (k.args().size() > 1) size = k.args()[1];
  if (k.args().size() > 2) c.report(diag::too_many_arguments, call, "tiles", 2, k.args().size());
  for (const Node n : k.keywords()) {
    auto keyword = c.get<ast::keyword>(n);
    Node *argument = keyword.arg() == "extent" ? &extent_node : keyword.arg() == "size" ? &size : nullptr;
    if (!argument)
      c.report(diag::unknown_keyword, n, "tiles", keyword.arg());
    else if (*argument)
      c.report(diag::repeated_argument, n, "tiles", keyword.arg());
    else
      *argument = keyword.value();
  }
  const Meaning block{Sort::block, own_};
  if (!extent_node) {
    c.report(diag::missing_argument, call, "tiles", "extent");
    return block;
  }
  extent(extent_node);
  if (!size) {
    c.report(diag::missing_argument, call, "tiles", "size").hint("say how large a block is at most: `tiles(M, 8)`");
    return block;
  }
  const auto value = m_.integer(size);
  const size_t errors = c.errors();
  if (!value) expr(size);
  if (!value && c.errors() == errors)
    c.report(diag::not_constant, size, "the size of `tiles`", c.show(size))
        .hint("write an int, or a constant of the module");
  else if (value && *value <= 0)
    c.report(diag::bad_size, size, *value);
  return block;
}

void Checker::extent(Node n, bool in_memory) {
  if (const auto value = m_.integer(n); value && *value > 0) return;
  const Meaning m = expr(n);
  if ((m.sort == Sort::block && c.is(n, HTP_Name)) || m.sort == Sort::dim || m.sort == Sort::unknown) return;
  if (m.sort == Sort::integer && (m_.of_dims(n) ? c.is(n, HTP_BinOp) : !in_memory)) return; // tile.infer asks the rest
  auto report = c.report(diag::bad_extent, n, c.show(n));
  if (const auto value = m_.integer(n)) report.hint("an extent is 1 or more, and this is " + std::to_string(*value));
  if (m.sort == Sort::integer && in_memory)
    report.hint(
        "a buffer has the largest extent that there can be, a dim or an int, of which slices take what is used");
}

Meaning Checker::range(Node call) {
  auto k = c.get<ast::Call>(call);
  if (k.args().empty() || k.args().size() > 3 || !k.keywords().empty())
    c.report(diag::bad_loop, call, c.show(call)).hint("`range` takes one to three ints");
  for (const Node n : k.args())
    if (!is_int(expr(n))) int_expected(n);
  if (k.args().size() == 3 && m_.integer(k.args()[2]) == 0)
    c.report(diag::no_step, k.args()[2]).hint("step by 1 or more, or by -1 or less to go down");
  return {Sort::integer, own_};
}

} // namespace htp::tile
