// What statements do with names and tensors, and whether iterations meet there.
#include "htp_cpp/independence.h"

#include <algorithm>
#include <utility>

namespace htp::sdk {

std::optional<TensorAccess> tensor_access(const Context &c, const Names &names, Node n) {
  if (auto s = c.as<ast::Subscript>(n); s && c.is(s.value(), HTP_Name)) {
    auto tuple = c.as<ast::Tuple>(s.slice());
    const Nodes index = tuple ? tuple.elts() : Nodes();
    return TensorAccess{n, std::string(c.name_of(s.value())), s.ctx() == HTP_STORE,
                        tuple ? std::vector<Node>(index.begin(), index.end()) : std::vector<Node>{s.slice()}};
  }
  auto k = c.as<ast::Call>(n);
  if (!k || k.args().empty()) return std::nullopt;
  const htp_intrinsic *row = c.intrinsic(names.qualified(k.func()));
  if (!row || !*row->effects) return std::nullopt;
  uint32_t first = 0;
  while (first < row->parameter_count && row->parameters[first].name[0] != '*') ++first;
  const Nodes index = k.args().subspan(std::min<size_t>(first, k.args().size()));
  return TensorAccess{n, std::string(c.name_of(k.args()[0])),
                      std::string_view(row->effects).find("write") != std::string_view::npos,
                      std::vector<Node>(index.begin(), index.end())};
}

// ── names ───────────────────────────────────────────────────────────────────────────────────────────────────────────

Flow Flows::of(Nodes statements) const {
  Flow result;
  for (const Node s : statements) {
    if (auto f = c.as<ast::For>(s)) {
      reads(f.iter(), result);
      Flow inner = of(f.body());
      inner.exposed.erase(std::string(c.name_of(f.target())));
      merge(result, inner.exposed);
    } else if (auto w = c.as<ast::While>(s)) {
      reads(w.test(), result);
      merge(result, of(w.body()).exposed);
    } else if (auto i = c.as<ast::If>(s)) {
      reads(i.test(), result);
      const Flow then = of(i.body()), other = of(i.orelse());
      merge(result, then.exposed);
      merge(result, other.exposed);
      for (const std::string &name : then.bound)
        if (other.bound.contains(name)) result.bound.insert(name);
    } else if (auto a = c.as<ast::AugAssign>(s)) {
      const std::string name(c.name_of(a.target()));
      if (!name.empty() && !result.bound.contains(name)) result.exposed.try_emplace(name, s);
      reads(a.value(), result);
      reads(a.target(), result);
      binds(a.target(), result);
    } else if (auto n = c.as<ast::AnnAssign>(s)) {
      reads(n.value(), result);
      binds(n.target(), result);
    } else {
      reads(s, result);
      binds(s, result);
    }
  }
  return result;
}
void Flows::merge(Flow &into, const std::map<std::string, Node> &exposed) {
  for (const auto &[name, at] : exposed)
    if (!into.bound.contains(name)) into.exposed.try_emplace(name, at);
}
void Flows::reads(Node n, Flow &flow) const {
  if (!n) return;
  c.each(n, [&](Node m) {
    auto name = c.as<ast::Name>(m);
    if (name && name.ctx() == HTP_LOAD && !flow.bound.contains(std::string(name.id())))
      flow.exposed.try_emplace(std::string(name.id()), m);
  });
}
void Flows::binds(Node target, Flow &flow) const {
  c.each(target, [&](Node m) {
    if (auto name = c.as<ast::Name>(m); name && name.ctx() == HTP_STORE) flow.bound.emplace(name.id());
  });
}
IntExpressions::IntExpressions(const Context &context, const Names &names, Node function) : c(context), names_(names) {
  const auto bind = [&](Node target, Node value) {
    if (const std::string_view name = c.name_of(target); !name.empty()) bound_[std::string(name)].push_back(value);
  };
  c.each(function, [&](Node n) {
    if (auto a = c.as<ast::arg>(n)) {
      const std::string type = c.dotted(a.annotation());
      bound_[std::string(a.arg())].push_back(type.substr(type.rfind('.') + 1) == "int" ? HTP_NONE : n);
    }
    if (auto f = c.as<ast::For>(n)) {
      auto call = c.as<ast::Call>(loop_forms(c, names, f.iter()).range);
      bind(f.target(), call && c.name_of(call.func()) == "range" ? HTP_NONE : n);
    }
    if (auto a = c.as<ast::Assign>(n)) bind(a.targets()[0], a.value());
    if (auto a = c.as<ast::AnnAssign>(n)) bind(a.target(), a.value());
    if (auto a = c.as<ast::AugAssign>(n)) bind(a.target(), a.value());
  });
}

bool IntExpressions::is_int(Node n) const {
  std::set<std::string> asked;
  return is_int(n, asked);
}
bool IntExpressions::is_int(Node n, std::set<std::string> &asked) const {
  int64_t number = 0;
  if (n == HTP_NONE || c.integer(n, &number)) return true;
  if (const std::string name(c.name_of(n)); !name.empty()) {
    const auto it = bound_.find(name);
    if (it == bound_.end() || !asked.insert(name).second) return true; // the module's; asked already
    return std::all_of(it->second.begin(), it->second.end(), [&](Node value) { return is_int(value, asked); });
  }
  if (auto b = c.as<ast::BinOp>(n)) return is_int(b.left(), asked) && is_int(b.right(), asked);
  if (auto u = c.as<ast::UnaryOp>(n)) return is_int(u.operand(), asked);
  if (auto a = c.as<ast::Attribute>(n)) return a.attr() == "start" || a.attr() == "stop";
  auto call = c.as<ast::Call>(n);
  if (!call) return false;
  const std::string_view name = c.name_of(call.func());
  const std::string path = names_.qualified(call.func()), last = path.substr(path.rfind('.') + 1);
  if (name == "len" || last == "index" || last == "position") return true;
  const Nodes arguments = call.args();
  return (name == "min" || name == "max") &&
         std::all_of(arguments.begin(), arguments.end(), [&](Node a) { return is_int(a, asked); });
}

// ── iterations ──────────────────────────────────────────────────────────────────────────────────────────────────────

namespace {

class Search {
public:
  Search(const Context &context, const Names &names, Node function, Node loop,
         const std::set<std::string, std::less<>> &blocks)
      : c(context), names_(names), flows_(context), ints_(context, names, function), function_(function), loop_(loop),
        blocks_(blocks) {}

  std::vector<Dependence> find() {
    auto f = c.get<ast::For>(loop_);
    find_own(f);
    for (const Node s : f.body()) c.each(s, [&](Node n) { collect(n); });
    auto body = flows_.of(f.body());
    for (const auto &[name, at] : body.exposed)
      if (bound_.contains(name) && !own_.contains(name)) add(Dependence::carried, name, at, bound_[name]);
    std::map<std::string, Node> after;
    continuation(c.get<ast::FunctionDef>(function_).body(), {}, after);
    for (const auto &[name, at] : after)
      if (bound_.contains(name) && !found(Dependence::carried, name)) add(Dependence::escapes, name, at, bound_[name]);
    for (const auto &[tensor, accesses] : accesses_)
      if (!bound_.contains(tensor))
        tensor_accesses(tensor, accesses); // a buffer of the iteration's own is nobody else's
    std::stable_sort(found_.begin(), found_.end(), [&](const Dependence &a, const Dependence &b) {
      return std::pair(c.record(a.at).line, c.record(a.at).col) < std::pair(c.record(b.at).line, c.record(b.at).col);
    });
    return found_;
  }

private:
  // The loop's own index, times an int of at least 1, and moved: `p * 2 + 1`; also by what is the same in all
  // iterations, `p - i.start`.
  struct Spread {
    int64_t times = 1, by = 0;
    std::string shift = {};
  };
  struct Access {
    Node at;
    bool writes;
    std::map<size_t, Spread> positions; // where the loop's own index stands
  };

  std::optional<Spread> spread(Node n) const {
    if (own_.contains(std::string(c.name_of(n)))) return Spread{};
    auto b = c.as<ast::BinOp>(n);
    if (!b) return std::nullopt;
    const auto left = spread(b.left()), right = left ? std::nullopt : spread(b.right());
    int64_t other = 0;
    if (!left && !right) return std::nullopt;
    const Node moves = left ? b.right() : b.left();
    Spread s = left ? *left : *right;
    if (!c.integer(moves, &other)) {
      const bool adds = b.op() == HTP_Add, takes = b.op() == HTP_Sub && left;
      if ((!adds && !takes) || !same_throughout(moves)) return std::nullopt;
      s.shift += (adds ? " + (" : " - (") + c.show(moves) + ")";
      return s;
    }
    if (other < -limit || other > limit || (b.op() == HTP_Mult && !s.shift.empty())) return std::nullopt;
    if (b.op() == HTP_Mult && other >= 1)
      s.times *= other, s.by *= other;
    else if (b.op() == HTP_Add)
      s.by += other;
    else if (b.op() == HTP_Sub && left)
      s.by -= other;
    else
      return std::nullopt;
    if (s.times > limit || s.by < -limit || s.by > limit) return std::nullopt;
    return s;
  }
  // Whether it is an int, made of names alone, none of which the loop binds.
  bool same_throughout(Node n) const {
    bool same = ints_.is_int(n);
    c.each(n, [&](Node inner) {
      auto name = c.as<ast::Name>(inner);
      same &= name                        ? !inside_.contains(std::string(name.id()))
              : c.is(inner, HTP_Constant) ? true
                                          : c.is(inner, HTP_BinOp) || c.is(inner, HTP_UnaryOp) ||
                                                c.is(inner, HTP_Attribute) || c.info(inner).group != HTP_GROUP_EXPR;
    });
    return same;
  }
  static constexpr int64_t limit = int64_t{1} << 30;

  // Whether two iterations never meet there: what one has spread goes between what the others have.
  static bool apart(const Spread &a, const Spread &b) {
    return a.times == b.times && a.shift == b.shift && (a.by == b.by || (a.by - b.by) % a.times != 0);
  }

  bool found(Dependence::Kind kind, const std::string &name) const {
    return std::any_of(found_.begin(), found_.end(),
                       [&](const Dependence &d) { return d.kind == kind && d.name == name; });
  }
  void add(Dependence::Kind kind, const std::string &name, Node at, Node from) {
    if (!found(kind, name)) found_.push_back({kind, name, at, from});
  }

  // What a loop over blocks cuts; 0 for other loops.
  Node cut(Node iter) const {
    auto call = c.as<ast::Call>(loop_forms(c, names_, iter).range);
    if (!call || call.args().empty() || !blocks_.contains(names_.qualified(call.func()))) return HTP_NONE;
    return call.args()[0];
  }

  // A name is own when each of its bindings in the loop cuts an own block: what stands for something else, be it once,
  // keeps nothing apart.
  void find_own(ast::For loop) {
    std::map<std::string, size_t> bindings;
    std::map<std::string, std::vector<std::string>> cuts; // a name → what its loops cut
    for (const Node s : loop.body())
      c.each(s, [&](Node n) {
        if (auto name = c.as<ast::Name>(n); name && name.ctx() == HTP_STORE) ++bindings[std::string(name.id())];
        if (auto inner = c.as<ast::For>(n))
          if (const Node from = cut(inner.iter()))
            cuts[std::string(c.name_of(inner.target()))].emplace_back(c.name_of(from));
      });
    const std::string variable(c.name_of(loop.target()));
    inside_.insert(variable);
    for (const auto &[name, count] : bindings) inside_.insert(name);
    if (bindings.contains(variable)) return;
    own_.insert(variable);
    if (!cut(loop.iter())) return; // an int, which is no block
    const auto owned = [&](const std::string &name) { return own_.contains(name); };
    for (bool changed = true; changed;) {
      changed = false;
      for (const auto &[name, from] : cuts)
        if (from.size() == bindings[name] && std::all_of(from.begin(), from.end(), owned))
          changed |= own_.insert(name).second;
    }
  }

  void collect(Node n) {
    if (auto name = c.as<ast::Name>(n); name && name.ctx() == HTP_STORE) bound_[std::string(name.id())] = n;
    if (const auto a = tensor_access(c, names_, n)) {
      Access mine{a->at, a->writes, {}};
      for (size_t k = 0; k < a->index.size(); ++k)
        if (const auto at = spread(a->index[k])) mine.positions.emplace(k, *at);
      accesses_[a->tensor].push_back(std::move(mine));
    }
  }

  void tensor_accesses(const std::string &tensor, const std::vector<Access> &accesses) {
    std::map<size_t, std::vector<Spread>> common; // where all stores are apart, with what each has there
    const auto fits = [](const Access &a, size_t position, const std::vector<Spread> &others) {
      const auto mine = a.positions.find(position);
      return mine != a.positions.end() &&
             std::all_of(others.begin(), others.end(), [&](const Spread &other) { return apart(mine->second, other); });
    };
    Node write = HTP_NONE;
    for (const Access &a : accesses) {
      if (!a.writes) continue;
      if (!write)
        for (const auto &[position, at] : a.positions) common[position];
      std::erase_if(common, [&](const auto &one) { return !fits(a, one.first, one.second); });
      for (auto &[position, others] : common) others.push_back(a.positions.at(position));
      if (!write) write = a.at;
      if (common.empty()) return add(Dependence::same_element, tensor, a.at, write);
    }
    if (!write) return; // only read
    for (const Access &a : accesses)
      if (!a.writes &&
          std::none_of(common.begin(), common.end(), [&](const auto &one) { return fits(a, one.first, one.second); }))
        add(Dependence::reads_written, tensor, a.at, write);
  }

  // What is read behind the loop before it is bound again; `tail` is what is read behind `statements`.
  bool continuation(Nodes statements, const std::map<std::string, Node> &tail, std::map<std::string, Node> &result) {
    for (size_t k = 0; k < statements.size(); ++k) {
      const Node s = statements[k];
      const auto behind = [&] {
        Flow rest = flows_.of(statements.subspan(k + 1));
        Flows::merge(rest, tail);
        return rest.exposed;
      };
      if (s == loop_) return result = behind(), true;
      if (auto process = c.as<ast::FunctionDef>(s)) { // its names are its own
        if (!contains(s)) continue;
        return continuation(process.body(), {}, result);
      }
      if (auto f = c.as<ast::For>(s)) {
        if (!contains(s)) continue;
        auto around = behind();
        for (const auto &[name, at] : flows_.of(f.body()).exposed) around.try_emplace(name, at); // the next iteration
        return continuation(f.body(), around, result);
      }
      if (auto w = c.as<ast::While>(s)) {
        if (!contains(s)) continue;
        auto around = behind();
        for (const auto &[name, at] : flows_.of(statements.subspan(k, 1)).exposed) around.try_emplace(name, at);
        return continuation(w.body(), around, result);
      }
      if (auto i = c.as<ast::If>(s)) {
        if (!contains(s)) continue;
        const auto around = behind();
        return continuation(i.body(), around, result) || continuation(i.orelse(), around, result);
      }
    }
    return false;
  }
  bool contains(Node statement) const {
    bool found = false;
    c.each(statement, [&](Node n) { found |= n == loop_; });
    return found;
  }

  const Context &c;
  const Names &names_;
  const Flows flows_;
  const IntExpressions ints_;
  Node function_, loop_;
  const std::set<std::string, std::less<>> &blocks_;
  std::set<std::string> own_, inside_; // the latter: all that the loop binds
  std::map<std::string, Node> bound_;  // a name the loop binds → where it does last
  std::map<std::string, std::vector<Access>> accesses_;
  std::vector<Dependence> found_;
};

} // namespace

std::vector<Dependence> Independence::find() const { return Search(c, names_, function_, loop_, blocks_).find(); }

} // namespace htp::sdk
