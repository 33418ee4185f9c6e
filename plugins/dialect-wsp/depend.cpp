// What two pieces of a workload have to do with each other: where they stand, and what one writes that the other
// touches.
#include "wsp.h"

#include "htp_cpp/suggest.h"
#include "htp_cpp/types.h"

#include <algorithm>
#include <functional>

namespace htp::wsp {

Siblings Transform::siblings(Node first, Node second) const {
  Siblings result;
  const auto look = [&](Nodes body) {
    const auto a = std::find(body.begin(), body.end(), first), b = std::find(body.begin(), body.end(), second);
    if (a == body.end() || b == body.end()) return;
    result.together = true;
    result.in_order = a < b;
    if (a < b && a + 1 != b) result.between.assign(a + 1, b);
  };
  look(c.get<ast::FunctionDef>(workload).body());
  c.each(workload, [&](Node n) {
    if (auto f = c.as<ast::For>(n)) look(f.body());
    if (auto w = c.as<ast::While>(n)) look(w.body());
    if (auto i = c.as<ast::If>(n)) look(i.body()), look(i.orelse());
  });
  return result;
}

std::set<std::string> Transform::blocks_of(Node statement, const std::string &variable) const {
  std::set<std::string> own;
  if (variable.empty()) return own;
  own.insert(variable);
  std::map<std::string, std::vector<std::string>> cuts;
  std::map<std::string, size_t> bindings;
  c.each(statement, [&](Node n) {
    if (auto name = c.as<ast::Name>(n); name && name.ctx() == HTP_STORE) ++bindings[std::string(name.id())];
    auto f = c.as<ast::For>(n);
    auto call = f ? c.as<ast::Call>(loop_forms(c, names, f.iter()).range) : ast::Call{&c, HTP_NONE};
    if (call && !call.args().empty() && names.qualified(call.func()) != "")
      cuts[std::string(c.name_of(f.target()))].emplace_back(c.name_of(call.args()[0]));
  });
  if (bindings[variable] > 1) return {}; // it stands for something else as well
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto &[name, from] : cuts)
      if (from.size() == bindings[name] &&
          std::all_of(from.begin(), from.end(), [&](const std::string &f) { return own.contains(f); }))
        changed |= own.insert(name).second;
  }
  return own;
}

std::vector<TensorAccess> Transform::accesses(Node statement) const {
  std::vector<TensorAccess> found;
  c.each(statement, [&](Node n) {
    if (auto a = tensor_access(c, names, n)) found.push_back(std::move(*a));
  });
  return found;
}

Node Transform::calls(Node statement, std::string_view intrinsic) const {
  Node found = HTP_NONE;
  c.each(statement, [&](Node n) {
    if (auto k = c.as<ast::Call>(n); k && !found && names.qualified(k.func()) == intrinsic) found = n;
  });
  return found;
}

std::optional<Conflict> Transform::conflict(Node first, Node second, const std::string &first_variable,
                                            const std::string &second_variable, const std::string &but) const {
  const auto own_first = blocks_of(first, first_variable), own_second = blocks_of(second, second_variable);
  const auto apart = [&](const TensorAccess &a, const TensorAccess &b) {
    for (size_t k = 0; k < std::min(a.index.size(), b.index.size()); ++k)
      if (own_first.contains(std::string(c.name_of(a.index[k]))) &&
          own_second.contains(std::string(c.name_of(b.index[k]))))
        return true;
    return false;
  };
  const auto theirs = accesses(second);
  for (const TensorAccess &a : accesses(first))
    for (const TensorAccess &b : theirs)
      if (a.tensor == b.tensor && a.tensor != but && (a.writes || b.writes) && !apart(a, b))
        return Conflict{a.tensor, a.at, b.at, a.writes, b.writes};
  // A barrier, and the copies that it is for.
  for (const bool begins : {true, false})
    if (const Node copy = calls(begins ? first : second, "htp_tile.copy_async"),
        barrier = calls(begins ? second : first, "htp_tile.barrier");
        copy && barrier)
      return Conflict{std::string(c.name_of(c.get<ast::Call>(copy).args()[0])), begins ? copy : barrier,
                      begins ? barrier : copy, begins, !begins};
  // Names: what one binds and the other reads.
  const auto bindings = [&](Node statement) {
    std::map<std::string, Node> result;
    c.each(statement, [&](Node n) {
      if (auto name = c.as<ast::Name>(n); name && name.ctx() == HTP_STORE) result[std::string(name.id())] = n;
    });
    return result;
  };
  const auto bound_first = bindings(first), bound_second = bindings(second);
  const Node one[] = {first}, other[] = {second};
  for (const auto &[name, at] : Flows(c).of(other).exposed)
    if (const auto it = bound_first.find(name); it != bound_first.end())
      return Conflict{name, it->second, at, true, false};
  for (const auto &[name, at] : Flows(c).of(one).exposed)
    if (const auto it = bound_second.find(name); it != bound_second.end())
      return Conflict{name, at, it->second, false, true};
  return std::nullopt;
}

Node Transform::renamed(Node n, const std::map<std::string, std::string> &to) const {
  return rewrite(
      c, n,
      [&](Node e) {
        auto name = c.as<ast::Name>(e);
        const auto it = name ? to.find(std::string(name.id())) : to.end();
        if (it == to.end()) return e;
        auto m = c.read<ast::Name>(e);
        m.id = it->second;
        return c.with(e, m);
      },
      [&](Node s, std::vector<uint32_t> &) {
        (void)s;
        return false;
      });
}

// Tiles that both bind may be of different types: the second's get names of their own where nothing behind it reads
// them.
Node Transform::apart(Node first, Node second) const {
  std::set<std::string> mine, escaping;
  c.each(first, [&](Node n) {
    if (auto name = c.as<ast::Name>(n); name && name.ctx() == HTP_STORE) mine.emplace(name.id());
  });
  for (const Dependence &d : dependences(second))
    if (d.kind == Dependence::escapes) escaping.insert(d.name);
  std::map<std::string, std::string> to;
  const std::string variable(c.name_of(c.get<ast::For>(second).target()));
  c.each(second, [&](Node n) {
    auto name = c.as<ast::Name>(n);
    const std::string id(name ? name.id() : std::string_view());
    if (name && name.ctx() == HTP_STORE && id != variable && mine.contains(id) && !escaping.contains(id) &&
        !to.contains(id))
      to[id] = free_name(id);
  });
  return to.empty() ? second : renamed(second, to);
}

std::set<std::string, std::less<>> Transform::locals(const Context &c, Node function) {
  std::set<std::string, std::less<>> result;
  c.each(function, [&](Node n) {
    if (auto name = c.as<ast::Name>(n); name && name.ctx() == HTP_STORE) result.emplace(name.id());
    if (auto a = c.as<ast::arg>(n)) result.emplace(a.arg());
  });
  return result;
}

Node Transform::buffer_binding(std::string_view name) const {
  Node found = HTP_NONE;
  c.each(workload, [&](Node n) {
    auto plain = c.as<ast::Assign>(n);
    auto typed = c.as<ast::AnnAssign>(n);
    const Node target = plain ? plain.targets()[0] : typed ? typed.target() : HTP_NONE;
    const Node value = plain ? plain.value() : typed ? typed.value() : HTP_NONE;
    if (!target || c.name_of(target) != name) return;
    // One that a directive made is called by a name that the module does not import yet.
    if (auto k = c.as<ast::Call>(value); k && last_component(c.dotted(k.func())) == "buffer") found = n;
  });
  return found;
}

std::optional<Type> Transform::tensor_type(std::string_view name) const {
  std::optional<Type> type;
  c.each(workload, [&](Node n) {
    if (auto a = c.as<ast::arg>(n); a && a.arg() == name && a.annotation()) type = read_type(c, a.annotation());
  });
  const Node binding = type ? HTP_NONE : buffer_binding(name);
  if (!binding) return type;
  auto plain = c.as<ast::Assign>(binding);
  const Nodes arguments = c.get<ast::Call>(plain ? plain.value() : c.get<ast::AnnAssign>(binding).value()).args();
  Type made;
  made.form = "Tensor";
  if (!arguments.empty()) made.dtype = last_component(c.dotted(arguments[0]));
  for (size_t k = 1; k < arguments.size(); ++k) {
    const auto size = constants.integer(arguments[k]);
    const auto extent = size ? std::optional(Extent::of(*size)) : read_extent(c, arguments[k]);
    made.extents.push_back(extent.value_or(Extent{}));
  }
  return made;
}

std::optional<Type> Transform::tensor(const Directive &d, const Name &name) const {
  if (const auto type = tensor_type(name.text); type && type->rank() > 0) return type;
  std::vector<std::string> known;
  for (const auto &[bound_name, at] : bound())
    if (const auto type = tensor_type(bound_name); type && type->rank() > 0) known.push_back(bound_name);
  const std::string near = nearest(name.text, known);
  Report report = c.report(diag::unknown_tensor, name.at, c.get<ast::FunctionDef>(workload).name(), name.text);
  report.hint(near.empty() ? "it has: " + join(known, ", ", [](const std::string &n) { return "`" + n + "`"; })
                           : "did you mean `" + near + "`?");
  offer(c, report, name, near);
  about(d, report);
  return std::nullopt;
}

} // namespace htp::wsp
