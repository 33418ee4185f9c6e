#include "items.h"

#include "htp_cpp/writer.h"

#include <algorithm>

namespace htp::csp {

bool Items::reads(Node n, std::string_view name) const {
  bool found = false;
  c.each(n, [&](Node e) {
    auto one = c.as<ast::Name>(e);
    found = found || (one && one.id() == name && one.ctx() == HTP_LOAD);
  });
  return found;
}

bool Items::binds(Node n, std::string_view name) const {
  bool found = false;
  c.each(n, [&](Node e) {
    auto one = c.as<ast::Name>(e);
    found = found || (one && one.id() == name && one.ctx() == HTP_STORE);
  });
  return found;
}

Items::Followed Items::follow(Nodes statements, size_t from, std::string_view name) const {
  Node fork = HTP_NONE;
  for (size_t k = from; k < statements.size(); ++k) {
    Followed found = follow(statements[k], name);
    fork = fork ? fork : found.fork;
    found.fork = fork;
    if (found.fate != Fate::open) return found;
  }
  return {.fork = fork};
}

Items::Followed Items::follow(Node s, std::string_view name) const {
  if (auto i = c.as<ast::If>(s)) {
    if (reads(i.test(), name)) return {Fate::used};
    if (const auto way = holds(i.test())) return follow(*way ? i.body() : i.orelse(), 0, name);
    const Followed then = follow(i.body(), 0, name), other = follow(i.orelse(), 0, name);
    if (then.fate == Fate::lost) return then;
    if (other.fate == Fate::lost) return other;
    if (then.fate == Fate::used && other.fate == Fate::used) return {Fate::used};
    const bool one = then.fate == Fate::used || other.fate == Fate::used;
    return {.fork = one ? i.test() : then.fork ? then.fork : other.fork};
  }
  // A loop is taken to run: that it may not is no way on which its body was left out by the program.
  if (auto f = c.as<ast::For>(s)) {
    if (reads(f.iter(), name)) return {Fate::used};
    if (binds(f.target(), name)) return {Fate::lost, f.target()};
    return follow(f.body(), 0, name);
  }
  if (auto w = c.as<ast::While>(s)) {
    if (reads(w.test(), name)) return {Fate::used};
    return follow(w.body(), 0, name);
  }
  if (reads(s, name)) return {Fate::used};
  return binds(s, name) ? Followed{Fate::lost, s} : Followed{};
}

// From the statement at hand to the end of the process: of a loop around both the next iteration and what is behind it.
Items::Followed Items::follow_on(std::string_view name) {
  Node fork = HTP_NONE;
  const auto ints = ints_;
  const auto indices = indices_;
  Followed found;
  Node last = HTP_NONE;
  for (size_t depth = around_.size(); depth-- > 0;) {
    const Around &here = around_[depth];
    found = follow(here.statements, here.at + 1, name);
    fork = fork ? fork : found.fork;
    if (found.fate != Fate::open || depth == 0) break;
    const Node outer = around_[depth - 1].statements[around_[depth - 1].at];
    if (!c.is(outer, HTP_For) && !c.is(outer, HTP_While)) continue;
    const auto turning = turning_.find(outer);
    bool again = true, ends = true;
    if (turning != turning_.end()) {
      const auto &[variable, stride, behind] = turning->second;
      again = !behind || !positive(-*behind);
      ends = !behind || !positive(*behind - 1);
      if (const auto value = ints_.find(variable); value != ints_.end())
        value->second = value->second + stride;
      else if (const auto index = indices_.find(variable); index != indices_.end())
        index->second += stride;
    }
    if (again) {
      const Followed next = follow(here.statements, 0, name);
      if (next.fate == Fate::lost || !ends) {
        found = next;
        break;
      }
      if (next.fate == Fate::used && !last) last = outer;
    } else if (!ends) {
      break;
    }
    // Behind the loop its variable has no number.
    if (turning != turning_.end()) ints_.erase(turning->second.variable), indices_.erase(turning->second.variable);
  }
  ints_ = ints;
  indices_ = indices;
  found.fork = fork ? fork : found.fork;
  found.last = last;
  return found;
}

bool Items::used(Node s) {
  auto e = c.as<ast::Expr>(s);
  auto a = c.as<ast::Assign>(s);
  auto typed = c.as<ast::AnnAssign>(s);
  auto call = c.as<ast::Call>(e ? e.value() : a ? a.value() : typed ? typed.value() : HTP_NONE);
  const Operation got = operation(c, p_, call ? call.node : HTP_NONE);
  if (!got.channel || got.puts || got.closes || !got.channel->dtype) return true;
  const Node target = a && a.targets().size() == 1 ? a.targets()[0] : typed ? typed.target() : HTP_NONE;
  const std::string_view name = c.name_of(target);
  if (name == "_" || (name.empty() && !e)) return true;
  const Followed found = e ? Followed{} : follow_on(name);
  if (found.fate == Fate::used) return true;
  const std::string from = c.show(c.get<ast::Attribute>(call.func()).value());
  auto report = c.report(found.fork || found.last ? diag::maybe_dropped : diag::dropped, s, from);
  if (found.fork) report.label(found.fork, "here it is, one way");
  if (found.last)
    report.label(c.is(found.last, HTP_For) ? c.get<ast::For>(found.last).iter() : found.last,
                 "in its next iteration it is, but not behind its last one");
  if (found.where && found.where != s)
    report.label(found.where, "`" + std::string(name) + "` is bound to another value here");
  else if (found.where && !found.fork)
    report.note("the next iteration binds `" + std::string(name) + "` to another one");
  return false;
}

} // namespace htp::csp
