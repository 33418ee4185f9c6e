// reorder and fuse: in which order iterations run.
#include "wsp.h"

#include "htp_cpp/edit.h"

#include <algorithm>

namespace htp::wsp {

namespace {

// Whether what `extent` cuts is, or is cut from, the block of `variable`.
bool cut_from(const Context &c, const std::vector<Loop> &loops, Node extent, std::string_view variable) {
  std::set<std::string> seen;
  for (std::string name(c.name_of(extent)); !name.empty() && seen.insert(name).second;) {
    if (name == variable) return true;
    const Loop *outer = find_loop(loops, name);
    name = outer ? c.name_of(outer->extent) : std::string_view();
  }
  return false;
}

} // namespace

bool apply_reorder(Transform &t, const Directive &d) {
  const Context &c = t.c;
  std::vector<Loop> named;
  for (const Name &w : d.names) {
    const auto loop = t.loop(d, w);
    if (!loop) return false;
    for (const Loop &l : named)
      if (l.statement == loop->statement) return about(d, c.report(diag::named_twice, w.at, loop->variable)), false;
    named.push_back(*loop);
  }
  const auto is_named = [&](Node s) {
    return std::find_if(named.begin(), named.end(), [&](const Loop &l) { return l.statement == s; });
  };
  // The outermost of them holds the others; the way down is a chain of loops with nothing beside them.
  const auto all = t.loops();
  const auto of = [&](Node s) {
    return *std::find_if(all.begin(), all.end(), [&](const Loop &l) { return l.statement == s; });
  };
  const Node outermost = std::find_if(all.begin(), all.end(), [&](const Loop &l) {
                           return is_named(l.statement) != named.end();
                         })->statement;
  std::vector<Loop> chain;
  size_t found = 0;
  for (Node s = outermost;;) {
    chain.push_back(of(s));
    found += is_named(s) != named.end();
    if (found == named.size()) break;
    const Nodes body = c.get<ast::For>(s).body();
    const bool perfect =
        body.size() == 1 && std::any_of(all.begin(), all.end(), [&](const Loop &l) { return l.statement == body[0]; });
    if (!perfect) {
      const auto missing = std::find_if(named.begin(), named.end(), [&](const Loop &l) {
        return std::none_of(chain.begin(), chain.end(), [&](const Loop &k) { return k.statement == l.statement; });
      });
      about(d, c.report(diag::not_nested, d.call, missing->variable, chain.back().variable)
                   .label(missing->statement, "this loop")
                   .label(body[0], "stands directly inside `" + chain.back().variable + "`")
                   .hint("loops change places when nothing but the inner loop stands in the outer one"));
      return false;
    }
    s = body[0];
  }
  // The named loops take each other's places, in the order given.
  std::vector<Loop> wanted = chain;
  size_t next = 0;
  for (Loop &l : wanted)
    if (is_named(l.statement) != named.end()) l = named[next++];
  const auto place = [&](const Loop &l) {
    return std::find_if(chain.begin(), chain.end(), [&](const Loop &k) { return k.statement == l.statement; }) -
           chain.begin();
  };
  bool changes = false;
  for (size_t k = 0; k < wanted.size(); ++k)
    for (size_t m = k + 1; m < wanted.size(); ++m) {
      if (place(wanted[k]) < place(wanted[m])) continue;
      const Loop &outer = wanted[m], &inner = wanted[k]; // as they stand now
      changes = true;
      if (cut_from(c, all, inner.extent, outer.variable)) {
        about(d, c.report(diag::cut_inside, d.call, inner.variable, outer.variable)
                     .label(inner.call, "cuts what `" + outer.variable + "` runs over")
                     .hint("keep the loop that is cut outside"));
        return false;
      }
      const auto across = t.dependences(inner.statement), along = t.dependences(outer.statement);
      if (across.empty() || along.empty()) continue;
      Report report = c.report(diag::not_reordered, d.call, outer.variable, inner.variable, along.front().name);
      explain(report, along.front());
      if (d.via) report.label(d.via, "called here");
      return false;
    }
  if (!changes) return about(d, c.report(diag::changes_nothing, d.call, d.name())), true;
  std::vector<uint32_t> body;
  for (const Node s : c.get<ast::For>(chain.back().statement).body()) body.push_back(s);
  for (size_t k = wanted.size(); k-- > 0;) {
    auto f = c.read<ast::For>(wanted[k].statement);
    f.body = body;
    body = {c.with(wanted[k].statement, f)};
  }
  t.replace(outermost, body);
  return true;
}

bool apply_fuse(Transform &t, const Directive &d) {
  const Context &c = t.c;
  const auto first = t.loop(d, d.names[0]);
  const auto second = first ? t.loop(d, d.names[1]) : std::nullopt;
  if (!second) return false;
  if (first->statement == second->statement)
    return about(d, c.report(diag::named_twice, d.names[1].at, second->variable)), false;
  const Siblings siblings = t.siblings(first->statement, second->statement);
  if (!siblings.adjacent()) {
    Report report = c.report(diag::not_adjacent, d.call, first->variable, second->variable);
    report.label(first->statement, "the first").label(second->statement, "the second");
    if (!siblings.between.empty()) report.label(siblings.between[0], "stands between them");
    for (const auto &[around, within] : {std::pair{first, second}, std::pair{second, first}}) {
      const auto outer = around, inner = within;
      bool holds = false;
      c.each(outer->statement, [&](Node n) { holds = holds || (n == inner->statement && n != outer->statement); });
      if (holds)
        report.hint("`" + inner->variable + "` stands inside `" + outer->variable +
                    "`: loops that become one stand one behind the other");
    }
    if (d.via) report.label(d.via, "called here");
    return false;
  }
  const auto range = [&](const Loop &l) {
    return c.show(l.extent) + (l.size ? ", " + std::to_string(t.size_of(l).value_or(0)) : "");
  };
  if (first->ordered != second->ordered || range(*first) != range(*second) ||
      first->forms.wrappers.size() != second->forms.wrappers.size()) {
    about(d, c.report(diag::different_ranges, d.call, first->variable, second->variable)
                 .label(first->forms.wrappers.empty() ? first->call : first->forms.wrappers[0], "one range")
                 .label(second->forms.wrappers.empty() ? second->call : second->forms.wrappers[0], "the other")
                 .hint("loops that become one run over the same extent, in blocks of the same size, and in the same "
                       "way; `compute_at` puts a loop into one with other blocks"));
    return false;
  }
  // Iteration n of the second runs before iteration n + 1 of the first from now on.
  if (const auto conflict = t.conflict(first->statement, second->statement, first->variable, second->variable)) {
    Report report = c.report(diag::not_fused, d.call, first->variable, second->variable, conflict->name);
    report.label(conflict->first, conflict->first_writes ? "written here" : "read here")
        .label(conflict->second, conflict->second_writes ? "written here" : "read here");
    if (d.via) report.label(d.via, "called here");
    return false;
  }
  auto f = c.read<ast::For>(first->statement);
  const Node moved = t.apart(first->statement, second->statement);
  for (const Node s : c.get<ast::For>(t.renamed(moved, {{second->variable, first->variable}})).body())
    f.body.push_back(s);
  const Node fused = c.with(first->statement, f);
  t.replace(second->statement, {});
  t.replace(first->statement, {fused});
  return true;
}

} // namespace htp::wsp
