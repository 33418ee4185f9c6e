// Whether a loop's iterations can run in any order: nothing is carried from one to the next, and no two touch one place.
#include "wsp.h"

namespace htp::wsp {

namespace {

class Independence {
public:
  Independence(const Context &c, Node workload, const Loop &loop, Node where) : c_(c), loop_(loop), where_(where) {
    for (const Node p : c.get<ast::arguments>(c.get<ast::FunctionDef>(workload).args()).args()) tensors_.emplace(c.get<ast::arg>(p).arg());
    blocks_.insert(loop.variable);
  }

  void check() {
    auto f = c_.get<ast::For>(loop_.statement);
    for (const Node s : f.body())
      c_.each(s, [&](Node n) {
        if (c_.is(n, HTP_Name) && c_.get<ast::Name>(n).ctx() == HTP_STORE) assigned_anywhere_.emplace(c_.name_of(n));
        if (auto t = stored(n)) written_.emplace(c_.name_of(c_.get<ast::Subscript>(t).value()));
        // Blocks cut from this loop's block are its own too.
        if (auto inner = c_.as<ast::For>(n))
          c_.each(inner.iter(), [&](Node m) {
            if (blocks_.contains(std::string(c_.name_of(m)))) blocks_.emplace(c_.name_of(inner.target()));
          });
      });
    std::set<std::string> assigned{loop_.variable};
    statements(f.body(), assigned);
  }

private:
  // The subscript that `n` stores to; 0 if it stores nothing.
  Node stored(Node n) const {
    auto s = c_.as<ast::Subscript>(n);
    return s && s.ctx() == HTP_STORE ? n : HTP_NONE;
  }

  bool indexed_by_block(Node subscript) const {
    bool found = false;
    c_.each(c_.get<ast::Subscript>(subscript).slice(), [&](Node n) { found |= blocks_.contains(std::string(c_.name_of(n))); });
    return found;
  }

  void reads(Node n, const std::set<std::string> &assigned) {
    c_.each(n, [&](Node m) {
      if (auto s = c_.as<ast::Subscript>(m)) {
        const std::string tensor(c_.name_of(s.value()));
        if (s.ctx() == HTP_STORE && tensors_.contains(tensor) && !indexed_by_block(m)) say(diag::same_place, tensor, m, "written here");
        if (s.ctx() == HTP_LOAD && written_.contains(tensor) && !indexed_by_block(m)) say(diag::reads_written, tensor, m, "read here");
      }
      if (!c_.is(m, HTP_Name) || c_.get<ast::Name>(m).ctx() != HTP_LOAD) return;
      const std::string name(c_.name_of(m));
      if (assigned_anywhere_.contains(name) && !assigned.contains(name)) say(diag::carried, name, m, "read here, before this iteration assigns it");
    });
  }

  // `assigned`: the names this iteration has surely assigned so far.
  void statements(Nodes body, std::set<std::string> &assigned) {
    for (const Node s : body) {
      if (auto f = c_.as<ast::For>(s)) {
        reads(f.iter(), assigned);
        std::set<std::string> inside = assigned;
        inside.emplace(c_.name_of(f.target()));
        statements(f.body(), inside);
      } else if (auto i = c_.as<ast::If>(s)) {
        reads(i.test(), assigned);
        std::set<std::string> then = assigned, otherwise = assigned;
        statements(i.body(), then);
        statements(i.orelse(), otherwise);
        for (const std::string &name : then)
          if (otherwise.contains(name)) assigned.insert(name);
      } else if (auto a = c_.as<ast::AugAssign>(s)) {
        const std::string name(c_.name_of(a.target()));
        reads(a.value(), assigned);
        reads(a.target(), assigned);
        if (!name.empty() && !assigned.contains(name)) say(diag::carried, name, s, "changed here");
      } else {
        reads(s, assigned);
        c_.each(s, [&](Node n) {
          if (c_.is(n, HTP_Name) && c_.get<ast::Name>(n).ctx() == HTP_STORE) assigned.emplace(c_.name_of(n));
        });
      }
    }
  }

  void say(const DiagKind &kind, const std::string &what, Node at, const char *label) {
    if (!said_.insert(kind.code + what).second) return;
    c_.report(kind, where_, loop_.variable, what).label(at, label);
  }

  const Context &c_;
  const Loop &loop_;
  Node where_;
  std::set<std::string> tensors_, blocks_, assigned_anywhere_, written_, said_;
};

} // namespace

void check_independent(const Context &c, const Names &, Node workload, const Loop &loop, Node where) {
  Independence(c, workload, loop, where).check();
}

} // namespace htp::wsp
