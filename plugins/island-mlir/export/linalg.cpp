#include "export/linalg.h"

#include "htp_cpp/loops.h"

#include <algorithm>

namespace htp::mlir {

namespace {

class NestReader {
public:
  NestReader(const Program &program, const NameSet &after) : p(program), c(program.context()), after_(after) {}

  std::optional<Nest> run(Node first) {
    Nodes statements = std::span(&first, 1);
    // Loops that have nothing but one loop in them.
    while (statements.size() == 1 && c.is(statements[0], HTP_For)) {
      if (!enter(statements[0])) return std::nullopt;
      statements = c.get<ast::For>(statements[0]).body();
    }
    bool good = !nest_.loops.empty();
    const Node last = statements.empty() ? HTP_NONE : statements.back();
    if (good && statements.size() == 3 && c.is(statements[1], HTP_For)) {
      // acc = get(…); for …: acc = …; put(…, acc, …)
      const Node loop = statements[1];
      const auto begin = assigned(statements[0]);
      nest_.carried = begin.first;
      good = enter(loop) && !begin.first.empty() && load(statements[0], begin.second) && store(last) &&
             c.name_of(value_of(last)) == nest_.carried && same(nest_.loads[0], nest_.stores[0]) &&
             std::none_of(nest_.stores[0].places.begin(), nest_.stores[0].places.end(),
                          [&](const Offset &o) { return o.loop == nest_.loops.size() - 1; });
      const Nodes inside = c.get<ast::For>(loop).body();
      std::string bound;
      for (const Node s : inside) {
        const auto [name, value] = assigned(s);
        good = good && !name.empty() && scalars(s, name, value) && (name != nest_.carried || s == inside.back());
        bound = name;
      }
      good = good && bound == nest_.carried;
    } else {
      for (const Node s : statements) {
        if (!good) break;
        const auto [name, value] = assigned(s);
        good = name.empty() ? store(s) : scalars(s, name, value);
      }
    }
    return good && is_sound() ? std::optional(std::move(nest_)) : std::nullopt;
  }

private:
  bool enter(Node loop) {
    const auto f = c.get<ast::For>(loop);
    const LoopForms forms = loop_forms(c, p.names(), f.iter());
    const auto range = c.as<ast::Call>(forms.range);
    if (!range || c.name_of(range.func()) != "range" || range.args().size() != 1 || !f.orelse().empty() ||
        c.name_of(f.target()).empty() || varies(range.args()[0]) || forms.parallel)
      return false;
    if (const auto n = p.constants().integer(range.args()[0]); n && *n < 2) return false;
    nest_.loops.push_back(loop);
    nest_.extents.push_back(range.args()[0]);
    nest_.variables.emplace_back(c.name_of(f.target()));
    return true;
  }

  std::pair<std::string, Node> assigned(Node s) const {
    std::string_view name;
    Node value = HTP_NONE;
    if (const auto a = c.as<ast::AnnAssign>(s))
      name = c.name_of(a.target()), value = a.value();
    else if (const auto b = c.as<ast::Assign>(s); b && b.targets().size() == 1)
      name = c.name_of(b.targets()[0]), value = b.value();
    const Symbol *symbol = name.empty() ? nullptr : p.symbol(name);
    if (!symbol || symbol->sort != Symbol::Sort::scalar || !value) return {};
    return {std::string(name), value};
  }
  Node value_of(Node put) const { return c.get<ast::Call>(c.get<ast::Expr>(put).value()).args()[1]; }

  // Whether an expression is another in another iteration.
  bool varies(Node n) const {
    NameSet names;
    p.mentioned(n, names);
    return std::any_of(nest_.variables.begin(), nest_.variables.end(),
                       [&](const std::string &v) { return names.contains(v); });
  }

  bool offset(Node n, bool minus, Offset &to) const {
    if (const auto b = c.as<ast::BinOp>(n); b && varies(n) && (b.op() == HTP_Add || b.op() == HTP_Sub))
      return offset(b.left(), minus, to) && offset(b.right(), minus != (b.op() == HTP_Sub), to);
    if (!varies(n)) {
      if (const auto zero = p.constants().integer(n); !zero || *zero != 0) to.offsets.emplace_back(minus, n);
      return true;
    }
    const auto at = std::find(nest_.variables.begin(), nest_.variables.end(), c.name_of(n));
    if (at == nest_.variables.end() || to.loop || minus) return false;
    to.loop = static_cast<size_t>(at - nest_.variables.begin());
    return true;
  }
  std::optional<Element> element(Node call, Nodes at) const {
    Element e{c.get<ast::Call>(call).args()[0], call, {}};
    const Symbol *s = p.symbol(c.name_of(e.memory));
    if (!s || s->sort != Symbol::Sort::memory || s->extents.size() != at.size()) return std::nullopt;
    for (const Node n : at) {
      Offset o;
      if (!offset(n, false, o)) return std::nullopt;
      for (const Offset &other : e.places)
        if (o.loop && other.loop == o.loop) return std::nullopt; // a diagonal
      e.places.push_back(std::move(o));
    }
    return e;
  }
  bool same(const Element &a, const Element &b) const {
    if (c.name_of(a.memory) != c.name_of(b.memory)) return false;
    const Nodes at = c.get<ast::Call>(a.call).args(), other = c.get<ast::Call>(b.call).args();
    const size_t i = p.cpu_intrinsic(a.call) == "put" ? 2 : 1, j = p.cpu_intrinsic(b.call) == "put" ? 2 : 1;
    for (size_t k = 0; k < a.places.size(); ++k)
      if (c.show(at[i + k]) != c.show(other[j + k])) return false;
    return true;
  }

  bool load(Node s, Node value) {
    const auto call = c.as<ast::Call>(value);
    if (p.cpu_intrinsic(value) != "get" || call.args().empty() || !call.keywords().empty()) return false;
    auto e = element(value, call.args().subspan(1));
    if (!e || std::any_of(nest_.stores.begin(), nest_.stores.end(),
                          [&](const Element &stored) { return c.name_of(stored.memory) == c.name_of(e->memory); }))
      return false;
    nest_.loads.push_back(std::move(*e));
    nest_.load_statements.push_back(s);
    nest_.body.push_back(s);
    return true;
  }
  bool scalars(Node s, const std::string &name, Node value) {
    // What is stored is stored at the end.
    for (const Node put : nest_.store_statements)
      if (c.name_of(value_of(put)) == name && name != nest_.carried) return false;
    if (p.cpu_intrinsic(value) == "get") return name != nest_.carried && load(s, value);
    nest_.body.push_back(s);
    return !varies(value);
  }
  bool store(Node s) {
    const auto e = c.as<ast::Expr>(s);
    if (!e || p.cpu_intrinsic(e.value()) != "put") return false;
    const auto call = c.get<ast::Call>(e.value());
    auto where =
        call.args().size() < 2 || varies(call.args()[1]) ? std::nullopt : element(e.value(), call.args().subspan(2));
    if (!where) return false;
    nest_.stores.push_back(std::move(*where));
    nest_.store_statements.push_back(s);
    return true;
  }

  bool is_sound() const {
    if (nest_.stores.empty()) return false;
    const size_t parallel = nest_.loops.size() - (nest_.carried.empty() ? 0 : 1);
    std::vector<bool> sized(nest_.loops.size());
    for (const Element &stored : nest_.stores) {
      size_t count = 0;
      for (const Offset &o : stored.places) count += o.loop.has_value();
      if (count != parallel) return false; // an element is stored once
      for (const Element &other : nest_.stores)
        if (&other != &stored && c.name_of(other.memory) == c.name_of(stored.memory)) return false;
      for (const Element &loaded : nest_.loads)
        if (c.name_of(loaded.memory) == c.name_of(stored.memory) && !same(loaded, stored)) return false;
    }
    for (const auto *list : {&nest_.loads, &nest_.stores})
      for (const Element &e : *list)
        for (const Offset &o : e.places)
          if (o.loop) sized[*o.loop] = true;
    if (std::find(sized.begin(), sized.end(), false) != sized.end()) return false; // who says how long it is?
    // Nothing goes from one iteration to the next, or on behind the nest.
    NameSet bound = p.bound(std::span(&nest_.loops[0], 1));
    const NameSet head = p.before(c.get<ast::For>(nest_.loops[0]).body(), {});
    for (const std::string &name : bound)
      if (after_.contains(name) || head.contains(name)) return false;
    const NameSet inner = p.before(c.get<ast::For>(nest_.loops.back()).body(), {});
    for (const std::string &name : p.bound(c.get<ast::For>(nest_.loops.back()).body()))
      if (name != nest_.carried && inner.contains(name)) return false;
    return true;
  }

  const Program &p;
  const Context &c;
  const NameSet &after_;
  Nest nest_;
};

} // namespace

std::optional<Nest> nest_of(const Program &program, Node loop, const NameSet &after) {
  return NestReader(program, after).run(loop);
}

} // namespace htp::mlir
