// tile.structure: a loop ends where its range or its condition does, and a function at its last line. What `continue`,
// `return` and the `break` of a `for` leave out stands in a branch, behind a flag where the branch is another one's.
#include "passes/passes.h"

#include "diagnostics.h"
#include "passes/rebuild.h"

#include "htp_cpp/edit.h"
#include "htp_cpp/loops.h"

#include <algorithm>
#include <set>

namespace htp::tile {
namespace {

using List = std::vector<uint32_t>;

// More statements than these are not repeated for the two ways on of branches: flags choose then.
constexpr size_t most_repeated = 128;

class Structurer {
public:
  explicit Structurer(const Module &module) : m_(module), c(module.c) {
    c.each(module.root, [&](Node n) {
      if (const std::string_view name = c.name_of(n); !name.empty()) taken_.emplace(name);
      if (auto a = c.as<ast::arg>(n)) taken_.emplace(a.arg());
      if (auto f = c.as<ast::FunctionDef>(n)) taken_.emplace(f.name());
    });
    for (const std::string &name : module.visible()) taken_.insert(name);
  }

  // The function with its body in this form; itself when it was so already.
  Node function(Node n) {
    auto f = c.get<ast::FunctionDef>(n);
    Scope scope;
    scope.function = n;
    if (!returns_well(f.body(), scope)) return n;
    if (!is_odd_function(f.body(), scope)) return n;
    List statements;
    repeated_ = 0;
    too_long_ = false;
    lower(List(f.body().begin(), f.body().end()), scope, statements);
    if (too_long_) return n;
    if (!scope.results.empty()) {
      List values;
      for (const std::string &name : scope.results) values.push_back(c.name(name, n));
      const Node value = values.size() == 1 ? values[0] : c.make(make::Tuple{.elts = values, .ctx = HTP_LOAD}, n);
      statements.push_back(c.make(make::Return{.value = value}, n));
    }
    return with_list(c, n, HTP_FIELD(FunctionDef, body), or_pass(std::move(statements), n));
  }

private:
  // Where a list of statements stands.
  struct Scope {
    Node function = HTP_NONE;
    std::vector<std::string> results; // what a function's values are bound to, where it returns them early
    std::string *returned = nullptr;  // the flag that a `return` within a loop sets
    Node loop = HTP_NONE;             // the innermost loop
    bool native = false;              // which a `break` leaves as it is: a `while` without `else`
    std::string stopped;              // else the flag that its `break` sets
    std::string skipped;              // the flag that a `continue` sets, where a branch is too long to be repeated
  };
  struct Jumps {
    bool breaks = false, continues = false, returns = false;
  };

  // What leaves the loop at hand, or the function, from within the statement.
  Jumps jumps(Node n) const {
    Jumps found;
    find(n, false, found);
    return found;
  }
  void find(Node n, bool within, Jumps &found) const {
    switch (c.kind(n)) {
    case HTP_Break: found.breaks |= !within; return;
    case HTP_Continue: found.continues |= !within; return;
    case HTP_Return: found.returns = true; return;
    case HTP_If: {
      auto b = c.get<ast::If>(n);
      for (const Nodes list : {b.body(), b.orelse()})
        for (const Node s : list) find(s, within, found);
      return;
    }
    case HTP_For:
      for (const Node s : c.get<ast::For>(n).body()) find(s, true, found);
      for (const Node s : c.get<ast::For>(n).orelse()) find(s, within, found);
      return;
    case HTP_While:
      for (const Node s : c.get<ast::While>(n).body()) find(s, true, found);
      for (const Node s : c.get<ast::While>(n).orelse()) find(s, within, found);
      return;
    default: return;
    }
  }

  // Whether a loop, or one in it, is left in a way that is not written so in the end.
  bool is_odd(Node n) const {
    bool odd = false;
    c.each(n, [&](Node inner) {
      if (c.is(inner, HTP_FunctionDef)) return false;
      auto f = c.as<ast::For>(inner);
      auto w = c.as<ast::While>(inner);
      if (!f && !w) return true;
      Jumps found;
      for (const Node s : f ? f.body() : w.body()) find(s, false, found);
      odd |= found.continues || found.returns || (f && found.breaks) || !(f ? f.orelse() : w.orelse()).empty();
      return true;
    });
    return odd;
  }
  bool is_odd_function(Nodes body, const Scope &scope) const {
    for (size_t k = 0; k < body.size(); ++k) {
      const bool last = k + 1 == body.size() && c.is(body[k], HTP_Return);
      const Node value = last ? c.get<ast::Return>(body[k]).value() : HTP_NONE;
      if (is_odd(body[k]) || !scope.results.empty() || (last && !value) || (!last && jumps(body[k]).returns))
        return true;
    }
    return false;
  }
  // Whether its returns can be brought to its end, as far as is seen before they are. Where they give values, each way
  // ends in one of as many, none in a loop; what is otherwise is reported where the function is called.
  bool returns_well(Nodes body, Scope &scope) {
    size_t early = 0, values = 0, all = 0, count = 0;
    bool in_loop = false;
    const auto visit = [&](const auto &self, Nodes list, bool within) -> void {
      for (const Node s : list) {
        if (auto r = c.as<ast::Return>(s)) {
          ++all;
          early += !(!within && list.data() == body.data() && s == body.back());
          auto tuple = r.value() ? c.as<ast::Tuple>(r.value()) : ast::Tuple{&c, HTP_NONE};
          const size_t given = !r.value() ? 0 : tuple ? tuple.elts().size() : 1;
          values += r.value() != HTP_NONE;
          in_loop |= within && r.value();
          count = std::max(count, given);
          if (r.value() && given != count) in_loop = true;
        } else if (auto b = c.as<ast::If>(s)) {
          self(self, b.body(), within), self(self, b.orelse(), within);
        } else if (auto f = c.as<ast::For>(s)) {
          self(self, f.body(), true), self(self, f.orelse(), within);
        } else if (auto w = c.as<ast::While>(s)) {
          self(self, w.body(), true), self(self, w.orelse(), within);
        }
      }
    };
    visit(visit, body, false);
    if (values == 0 || early == 0) return true;
    if (in_loop || values != all || !ends(body)) return false;
    for (size_t k = 0; k < count; ++k) scope.results.push_back(claim("result"));
    return true;
  }
  // Whether each way through the statements ends in a jump.
  bool ends(Nodes list) const {
    for (const Node s : list) {
      if (c.is(s, HTP_Break) || c.is(s, HTP_Continue) || c.is(s, HTP_Return)) return true;
      if (auto b = c.as<ast::If>(s); b && !b.orelse().empty() && ends(b.body()) && ends(b.orelse())) return true;
    }
    return false;
  }

  std::string claim(std::string_view stem) {
    std::string name(stem);
    for (unsigned k = 1; !taken_.insert(name).second; ++k) name = std::string(stem) + "_" + std::to_string(k);
    return name;
  }
  Node set(const std::string &flag, int64_t value, Node origin) const {
    return c.assign(flag, HTP_NONE, c.integer_node(value, origin), origin);
  }
  // `stopped == 0 and returned == 0`
  Node unset(const std::vector<std::string> &flags, Node origin) const {
    List tests;
    for (const std::string &flag : flags)
      tests.push_back(c.make(
          make::Compare{.left = c.name(flag, origin), .ops = {HTP_Eq}, .comparators = {c.integer_node(0, origin)}},
          origin));
    return tests.size() == 1 ? tests[0] : c.make(make::BoolOp{.op = HTP_And, .values = tests}, origin);
  }
  Node guard(const std::vector<std::string> &flags, List then, Node origin) const {
    return c.make(make::If{.test = unset(flags, origin), .body = or_pass(std::move(then), origin)}, origin);
  }
  Node branch(Node test, List then, List otherwise, Node origin) const {
    if (then.empty() && !otherwise.empty()) {
      auto negated = c.as<ast::UnaryOp>(test);
      const bool undone = negated && negated.op() == HTP_Not;
      test = undone ? negated.operand() : c.make(make::UnaryOp{.op = HTP_Not, .operand = test}, test);
      std::swap(then, otherwise);
    }
    return with_comments_of(
        c, origin,
        c.make(make::If{.test = test, .body = or_pass(std::move(then), origin), .orelse = otherwise}, origin));
  }
  List or_pass(List statements, Node origin) const {
    if (statements.empty()) statements.push_back(c.make(make::Pass{}, origin));
    return statements;
  }
  Node copy(Node n) const {
    return with_each_child(c, n, [&](Node child) { return copy(child); });
  }
  size_t size(const List &list) const {
    size_t result = 0;
    for (const uint32_t s : list) c.each(s, [&](Node n) { result += c.info(n).group == HTP_GROUP_STMT; });
    return result;
  }

  // Puts the statements to `out`, none of which jumps but by `break` of a `while`.
  void lower(List list, Scope &scope, List &out) {
    for (size_t k = 0; k < list.size(); ++k) {
      const Node n = list[k];
      List rest(list.begin() + static_cast<std::ptrdiff_t>(k) + 1, list.end());
      switch (c.kind(n)) {
      case HTP_Return: return leave(n, scope, out);
      case HTP_Continue:
        if (!scope.skipped.empty()) out.push_back(set(scope.skipped, 1, n));
        return;
      case HTP_Break:
        if (!scope.loop) return out.push_back(n); // the language check says what is wrong with it
        if (!scope.stopped.empty()) out.push_back(set(scope.stopped, 1, n));
        if (c.is(scope.loop, HTP_While)) out.push_back(n);
        return;
      case HTP_If:
        if (!goes_elsewhere(n, scope)) break;
        return chosen(n, std::move(rest), scope, out);
      case HTP_For:
      case HTP_While:
        if (!is_odd(n)) break;
        if (loop(n, rest, scope, out)) return;
        continue;
      default: break;
      }
      out.push_back(n);
    }
  }

  void leave(Node n, const Scope &scope, List &out) {
    const Node value = c.get<ast::Return>(n).value();
    if (value && scope.results.size() == 1)
      return out.push_back(with_comments_of(c, n, c.assign(scope.results[0], HTP_NONE, value, n)));
    if (value && !scope.results.empty()) {
      List names;
      for (const std::string &name : scope.results) names.push_back(c.name(name, n, HTP_STORE));
      const Node target = c.make(make::Tuple{.elts = names, .ctx = HTP_STORE}, n);
      return out.push_back(with_comments_of(c, n, c.make(make::Assign{.targets = {target}, .value = value}, n)));
    }
    if (value) return out.push_back(n);
    if (scope.returned && !scope.returned->empty()) out.push_back(set(*scope.returned, 1, n));
    if (c.is(scope.loop, HTP_While)) out.push_back(c.make(make::Break{}, n));
  }

  // Whether what follows a branch does so on some of its ways alone, for another reason than `break` of a `while`.
  bool goes_elsewhere(Node n, const Scope &scope) const {
    const Jumps found = jumps(n);
    return found.returns || found.continues || (found.breaks && !scope.native) || is_odd(n);
  }

  void chosen(Node n, List rest, Scope &scope, List &out) {
    auto b = c.get<ast::If>(n);
    List then(b.body().begin(), b.body().end()), otherwise(b.orelse().begin(), b.orelse().end());
    const bool then_ends = ends(then), otherwise_ends = ends(otherwise);
    const Jumps found = jumps(n);
    const bool jumping = found.returns || found.continues || found.breaks;
    const size_t again = then_ends || otherwise_ends ? 0 : size(rest);
    if (!jumping || repeated_ + again > most_repeated) {
      too_long_ |= jumping && !scope.results.empty(); // no flag says which value is returned
      return flagged(n, std::move(rest), scope, out);
    }
    repeated_ += again;
    if (!then_ends)
      for (const uint32_t s : rest) then.push_back(otherwise_ends ? s : copy(s));
    if (!otherwise_ends) otherwise.insert(otherwise.end(), rest.begin(), rest.end());
    List first, second;
    lower(std::move(then), scope, first);
    lower(std::move(otherwise), scope, second);
    if (first.empty() && second.empty()) return;
    out.push_back(branch(b.test(), std::move(first), std::move(second), n));
  }

  // The branch sets flags, and the rest follows where none is set.
  void flagged(Node n, List rest, Scope &scope, List &out) {
    auto b = c.get<ast::If>(n);
    const Jumps found = jumps(n);
    Scope inner = scope;
    std::vector<std::string> flags;
    if (found.continues) {
      if (inner.skipped.empty()) inner.skipped = claim("skipped");
      out.push_back(set(inner.skipped, 0, n));
      flags.push_back(inner.skipped);
    }
    if (found.breaks && !scope.stopped.empty() && !c.is(scope.loop, HTP_While)) flags.push_back(scope.stopped);
    std::string returned;
    if (found.returns && scope.results.empty() && !c.is(scope.loop, HTP_While)) {
      if (!scope.returned) {
        returned = claim("returned");
        out.push_back(set(returned, 0, n));
        inner.returned = &returned;
      }
      flags.push_back(*inner.returned);
    }
    List first, second;
    lower(List(b.body().begin(), b.body().end()), inner, first);
    lower(List(b.orelse().begin(), b.orelse().end()), inner, second);
    out.push_back(branch(b.test(), std::move(first), std::move(second), n));
    List behind;
    lower(std::move(rest), scope, behind);
    if (behind.empty()) return;
    if (flags.empty())
      out.insert(out.end(), behind.begin(), behind.end());
    else
      out.push_back(guard(flags, std::move(behind), n));
  }

  // Whether the rest of the list was put as well.
  bool loop(Node n, const List &rest, Scope &scope, List &out) {
    auto f = c.as<ast::For>(n);
    auto w = c.as<ast::While>(n);
    const Nodes body = f ? f.body() : w.body(), otherwise = f ? f.orelse() : w.orelse();
    Jumps found;
    for (const Node s : body) find(s, false, found);
    const bool parallel = f && (loop_forms(c, m_.names, f.iter()).parallel || m_.names.called(f.iter()) == "htp_wsp.P");
    if (parallel && (found.breaks || found.returns)) {
      c.report(diag::parallel_exit, n, c.name_of(f.target()), found.breaks ? "break" : "return");
      return out.push_back(n), false;
    }
    if (found.returns && !scope.results.empty()) return out.push_back(n), false;
    Scope inner = scope;
    inner.loop = n;
    inner.native = w && otherwise.empty();
    inner.skipped.clear();
    inner.stopped.clear();
    std::string returned;
    std::vector<std::string> flags;
    if (found.breaks && !inner.native) {
      inner.stopped = claim("stopped");
      out.push_back(set(inner.stopped, 0, n));
      flags.push_back(inner.stopped);
    }
    if (found.returns && !scope.returned) {
      returned = claim("returned");
      out.push_back(set(returned, 0, n));
      inner.returned = &returned;
    }
    if (found.returns) flags.push_back(*inner.returned);
    List statements;
    lower(List(body.begin(), body.end()), inner, statements);
    if (f && !flags.empty()) statements = {guard(flags, std::move(statements), n)};
    Node made = with_list(c, n, f ? HTP_FIELD(For, body) : HTP_FIELD(While, body), or_pass(std::move(statements), n));
    made = with_list(c, made, f ? HTP_FIELD(For, orelse) : HTP_FIELD(While, orelse), List());
    out.push_back(made);
    if (!otherwise.empty()) {
      const bool jumping = std::ranges::any_of(otherwise, [&](Node s) {
        const Jumps of = jumps(s);
        return of.breaks || of.continues || of.returns;
      });
      if (jumping)
        return c.report(diag::unsupported, otherwise[0], "jumps in the `else` of a loop")
                   .hint("write it behind the loop"),
               false;
      List last;
      lower(List(otherwise.begin(), otherwise.end()), scope, last);
      if (flags.empty())
        out.insert(out.end(), last.begin(), last.end());
      else
        out.push_back(guard(flags, std::move(last), n));
    }
    if (!found.returns) return false;
    // Behind it nothing happens any more where it has returned.
    List behind;
    lower(rest, scope, behind);
    const bool repeats = c.is(scope.loop, HTP_While);
    const std::string flag = *inner.returned;
    if (repeats) {
      const Node test =
          c.make(make::Compare{.left = c.name(flag, n), .ops = {HTP_NotEq}, .comparators = {c.integer_node(0, n)}}, n);
      out.push_back(c.make(make::If{.test = test, .body = {c.make(make::Break{}, n)}}, n));
      out.insert(out.end(), behind.begin(), behind.end());
    } else if (!behind.empty()) {
      out.push_back(guard({flag}, std::move(behind), n));
    }
    return true;
  }

  const Module &m_;
  const Context &c;
  std::set<std::string, std::less<>> taken_;
  size_t repeated_ = 0; // statements of the function that stand twice so far
  bool too_long_ = false;
};

} // namespace

Node structured(const Module &module) {
  const Context &c = module.c;
  Node root = module.root;
  // Processes are read as they are written.
  const Node entry = c.entry_function(root);
  if (!module.is_plain_kernel(entry) && !module.decorated(entry, "htp_wsp.workload") &&
      !module.decorated(entry, "htp_wsp.schedule"))
    return root;
  Structurer structurer(module);
  for (const Node s : c.get<ast::Module>(module.root).body())
    if (c.is(s, HTP_FunctionDef) && !is_newer(c, s)) root = with_statement(c, root, s, structurer.function(s));
  return root;
}

Result structure(const Context &c, Node root, Node &out) {
  const Module module(c, root);
  out = structured(module);
  return c.result();
}

} // namespace htp::tile
