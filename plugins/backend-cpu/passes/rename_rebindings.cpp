// cpu.rename_rebindings: one name, one value. A tile name that is bound anew gets a name of its own from there on, so
// that what never meets shares no buffer. A name that a loop carries, or that branches bind, stays one; but what a
// parallel loop binds is its own.
#include "cpu.h"
#include "lowering/loops/uses.h"

#include "htp_cpp/edit.h"
#include "htp_cpp/loops.h"

#include <set>

namespace htp::cpu::loops {

namespace {

class Separator {
public:
  Separator(const Context &context, const Names &names) : c(context), names_(names) {}

  // A name that a parallel loop binds and that stands outside it as well gets a name of its own inside. Iterations are
  // independent, so none reads what stood in it before, and nothing reads it behind the loop: without this, threads
  // would share its memory.
  Node apart_in_parallel(Node function) {
    std::vector<Node> loops;
    c.each(function, [&](Node n) {
      auto loop = c.as<ast::For>(n);
      if (!loop || !loop_forms(c, names_, loop.iter()).parallel) return true;
      loops.push_back(n);
      return false;
    });
    for (const Node loop : loops) {
      const Node own = alone(loop, function);
      if (own == loop) continue;
      function = rewrite(
          c, function, [](Node n) { return n; },
          [&](Node s, std::vector<uint32_t> &out) { return s == loop && (out.push_back(own), true); });
    }
    return function;
  }

  void count(Node function) {
    c.each(function, [&](Node n) {
      if (c.is(n, HTP_Name)) ++total_[std::string(c.name_of(n))];
      if (!is_tile_statement(c, names_, n)) return;
      const std::string name(bound_name(c, n));
      if (name.empty()) return;
      ++bindings_[name];
      if (auto a = c.as<ast::AnnAssign>(n)) annotations_.try_emplace(name, a.annotation());
    });
    std::erase_if(bindings_, [&](const auto &b) { return b.second < 2 || !annotations_.contains(b.first); });
  }

  bool needed() const { return !bindings_.empty(); }
  // The name that came apart first; empty where none did.
  const std::string &first() const { return first_; }

  std::vector<uint32_t> block(std::vector<uint32_t> statements) {
    const std::map<std::string, Occurrences> here = occurrences_of(bindings_, statements);
    for (const auto &[name, count] : std::map(bindings_))
      if (const auto it = here.find(name); it != here.end() && it->second.count == total_.at(name))
        separate(statements, name, it->second.positions);
    for (uint32_t &s : statements) s = inside(s);
    return statements;
  }

private:
  void note(const std::string &name) {
    if (first_.empty()) first_ = name;
  }

  Node alone(Node loop, Node function) {
    std::set<std::string> bound;
    c.each(loop, [&](Node n) { bound.emplace(bound_name(c, n)); });
    const auto everywhere = occurrences_of(bound, {function}), inside = occurrences_of(bound, {loop});
    for (const auto &[name, found] : inside) {
      if (everywhere.at(name).count == found.count) continue;
      Node annotation = HTP_NONE;
      c.each(function, [&, &name = name](Node n) {
        auto a = c.as<ast::AnnAssign>(n);
        if (a && !annotation && c.name_of(a.target()) == name) annotation = a.annotation();
      });
      note(name);
      const std::string own = c.fresh(name);
      loop = renamed(loop, name, own);
      if (annotation) loop = annotated(loop, own, annotation);
    }
    return loop;
  }

  size_t occurrences(Node root, const std::string &name) const {
    size_t n = 0;
    c.each(root, [&](Node m) { n += c.name_of(m) == name; });
    return n;
  }
  size_t occurrences(Nodes statements, const std::string &name) const {
    size_t n = 0;
    for (const Node s : statements) n += occurrences(s, name);
    return n;
  }

  // Where names stand in a block.
  struct Occurrences {
    size_t count = 0;
    std::vector<size_t> positions; // of statements
  };
  template <class Names>
  std::map<std::string, Occurrences> occurrences_of(const Names &names, const std::vector<uint32_t> &statements) const {
    std::map<std::string, Occurrences> found;
    for (size_t k = 0; k < statements.size(); ++k)
      c.each(statements[k], [&](Node n) {
        const std::string name(c.name_of(n));
        if (name.empty() || !names.contains(name)) return;
        Occurrences &o = found[name];
        ++o.count;
        if (o.positions.empty() || o.positions.back() != k) o.positions.push_back(k);
      });
    return found;
  }

  bool binds(Node s, const std::string &name) const {
    return is_tile_statement(c, names_, s) && bound_name(c, s) == name;
  }

  // Whether a block binds the name before it reads it, whatever stood in it before.
  bool starts_afresh(Nodes statements, const std::string &name) const {
    for (const Node s : statements) {
      if (occurrences(s, name) == 0) continue;
      if (binds(s, name)) return occurrences(value_of(c, s), name) == 0;
      // A loop that has all of it; after another one, that may not have run, the value of before could be read.
      auto loop = c.as<ast::For>(s);
      const std::vector<uint32_t> all(statements.begin(), statements.end());
      return loop && occurrences(all, name) == occurrences({loop.body().begin(), loop.body().end()}, name) &&
             starts_afresh(loop.body(), name);
    }
    return false;
  }
  bool self_contained(Node s, const std::string &name) const {
    auto loop = c.as<ast::For>(s);
    return loop && occurrences(loop.iter(), name) == 0 && loop.orelse().empty() && starts_afresh(loop.body(), name);
  }

  // The name occurs in this block only. A binding here, or a loop whose inside has the name to itself, begins a new
  // web.
  void separate(std::vector<uint32_t> &statements, const std::string &name, const std::vector<size_t> &positions) {
    if (positions.empty() || !begins(statements[positions[0]], name)) return;
    std::string web; // empty: none yet, the name itself is free
    for (size_t n = 0; n < positions.size(); ++n) {
      uint32_t &s = statements[positions[n]];
      const bool bound = binds(s, name);
      const bool last_use = n + 1 == positions.size() || begins(statements[positions[n + 1]], name);
      const bool apart = self_contained(s, name) && last_use;
      const std::string next = web.empty() ? name : bound || apart ? fresh(name) : web;
      s = bound   ? rebound(s, name, web, next)
          : apart ? annotated(renamed(s, name, next), next, annotations_.at(name))
                  : renamed(s, name, next);
      if (next != name) note(name), annotations_[next] = annotations_.at(name);
      web = next;
    }
    bindings_.erase(name);
    made_.insert(name);
    std::vector<uint32_t> changed;
    for (const size_t k : positions) changed.push_back(statements[k]);
    recount(changed);
  }
  bool begins(Node s, const std::string &name) const {
    return (binds(s, name) && occurrences(value_of(c, s), name) == 0) || self_contained(s, name);
  }

  std::string fresh(const std::string &name) {
    const std::string made = c.fresh(name);
    made_.insert(made);
    return made;
  }

  // Names made here may come apart further, inside.
  void recount(const std::vector<uint32_t> &statements) {
    for (const auto &[m, found] : occurrences_of(made_, statements)) total_[m] = found.count;
    std::map<std::string, size_t> bindings;
    for (const Node s : statements)
      c.each(s, [&](Node n) {
        if (!is_tile_statement(c, names_, n)) return;
        const std::string m(bound_name(c, n));
        if (made_.contains(m)) ++bindings[m];
      });
    for (const auto &[m, count] : bindings)
      if (count > 1) bindings_[m] = count;
    made_.clear();
  }

  Node renamed(Node root, const std::string &from, const std::string &to) const {
    if (from == to || !root) return root;
    return rewrite(
        c, root,
        [&](Node n) {
          auto v = c.as<ast::Name>(n);
          if (!v || v.id() != from) return n;
          auto m = c.read<ast::Name>(n);
          m.id = to;
          return c.with(n, m);
        },
        [](Node, std::vector<uint32_t> &) { return false; });
  }

  // `to: type = value`, reading the web before.
  Node rebound(Node s, const std::string &name, const std::string &web, const std::string &to) const {
    const Node value = web.empty() ? value_of(c, s) : renamed(value_of(c, s), name, web);
    if (auto a = c.as<ast::AnnAssign>(s)) {
      auto m = c.read<ast::AnnAssign>(s);
      m.target = renamed(m.target, name, to);
      m.value = value;
      return c.with(s, m);
    }
    auto b = c.get<ast::Assign>(s);
    return c.make(make::AnnAssign{.target = renamed(b.targets()[0], name, to),
                                  .annotation = clone(c, annotations_.at(name)),
                                  .value = value,
                                  .simple = 1},
                  s);
  }

  // The first binding inside carries the type.
  Node annotated(Node root, const std::string &name, Node annotation) const {
    Node first = HTP_NONE;
    c.each(root, [&](Node n) {
      if (!first && binds(n, name)) first = n;
    });
    if (!c.is(first, HTP_Assign)) return root;
    const Node typed = rebound_as(first, annotation);
    return rewrite(
        c, root, [](Node n) { return n; },
        [&](Node s, std::vector<uint32_t> &out) {
          if (s != first) return false;
          out.push_back(typed);
          return true;
        });
  }
  Node rebound_as(Node s, Node annotation) const {
    auto b = c.get<ast::Assign>(s);
    return c.make(
        make::AnnAssign{.target = b.targets()[0], .annotation = clone(c, annotation), .value = b.value(), .simple = 1},
        s);
  }

  Node inside(Node s) {
    if (c.is(s, HTP_For)) {
      auto f = c.read<ast::For>(s);
      f.body = block(f.body);
      return c.with(s, f);
    }
    if (c.is(s, HTP_While)) {
      auto f = c.read<ast::While>(s);
      f.body = block(f.body);
      return c.with(s, f);
    }
    if (c.is(s, HTP_FunctionDef)) {
      auto f = c.read<ast::FunctionDef>(s);
      f.body = block(f.body);
      return c.with(s, f);
    }
    if (c.is(s, HTP_If)) {
      auto f = c.read<ast::If>(s);
      f.body = block(f.body);
      f.orelse = block(f.orelse);
      return c.with(s, f);
    }
    return s;
  }

  const Context &c;
  const Names &names_;
  std::map<std::string, size_t> total_, bindings_;
  std::map<std::string, Node> annotations_;
  std::set<std::string> made_;
  std::string first_;
};

// The function with such names separated; `first` is one of them.
Node separated(const Context &c, const Names &names, Node function, std::string *first = nullptr) {
  Separator separator(c, names);
  function = separator.apart_in_parallel(function);
  separator.count(function);
  if (separator.needed()) {
    auto f = c.read<ast::FunctionDef>(function);
    f.body = separator.block(f.body);
    function = c.with(function, f);
  }
  if (first) *first = separator.first();
  return function;
}

// Where a name is bound a second time.
Node rebound_at(const Context &c, Node function, std::string_view name) {
  Node first = HTP_NONE, second = HTP_NONE;
  c.each(function, [&](Node n) {
    if (second || bound_name(c, n) != name) return;
    (first ? second : first) = n;
  });
  return second ? second : function;
}

} // namespace
} // namespace htp::cpu::loops

namespace htp::cpu {

Result rename_rebindings(const Context &c, Node root, Node &out) {
  const Names names(c, root);
  const Node function = c.entry_function(root);
  if (!function) return c.report(diag::no_entry, HTP_NONE, c.entry()), HTP_FAILED;
  check_parallel(c, names, root, function);
  if (c.errors()) return HTP_FAILED;
  out = with_statement(c, root, function, loops::separated(c, names, function));
  return HTP_OK;
}

Result verify_renamed(const Context &c, std::string_view, Node root) {
  const Names names(c, root);
  const Node function = c.entry_function(root);
  if (!function) return HTP_OK;
  check_parallel(c, names, root, function);
  std::string name;
  if (!c.errors() && loops::separated(c, names, function, &name) != function)
    c.report(diag::rebound, loops::rebound_at(c, function, name), name);
  return c.result();
}

} // namespace htp::cpu
