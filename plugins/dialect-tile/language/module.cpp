#include "language/module.h"

#include "htp_cpp/types.h"

#include <algorithm>
#include <cmath>

namespace htp::tile {

Module::Module(const Context &context, Node module)
    : c(context), root(module), names(context, module), constants_(context, module) {
  for (const Node s : c.get<ast::Module>(root).body()) {
    if (auto f = c.as<ast::FunctionDef>(s)) {
      bind(f.name(), Kind::function, s);
    } else if (auto a = c.as<ast::Assign>(s)) {
      each_assigned(c, a, [&](Node target, Node value) {
        const bool dim = names.called(value) == "htp.dim";
        if (c.is(target, HTP_Name))
          bind(c.name_of(target), dim ? Kind::dim : Kind::constant, s);
        else // what is unpacked otherwise has no one value
          c.each(target, [&](Node n) {
            if (c.is(n, HTP_Name)) bind(c.name_of(n), Kind::other, s);
          });
      });
    } else if (auto n = c.as<ast::AnnAssign>(s)) {
      if (c.is(n.target(), HTP_Name) && n.value()) bind(c.name_of(n.target()), Kind::constant, s);
    } else if (auto i = c.as<ast::ImportFrom>(s)) {
      for (const Node alias : i.names())
        if (!star_ && c.get<ast::alias>(alias).name() == "*") star_ = s;
    } else if (!c.is(s, HTP_Import)) {
      // What a loop, a branch or an augmented assignment binds has no one value.
      c.each(s, [&](Node inner) {
        if (auto name = c.as<ast::Name>(inner); name && name.ctx() == HTP_STORE) bind(name.id(), Kind::other, s);
      });
    }
  }
}

void Module::bind(std::string_view name, Kind kind, Node node) {
  const auto [it, fresh] = bindings_.try_emplace(std::string(name), Binding{kind, node});
  // A function may be redefined, as in Python; a constant that is assigned twice is none.
  if (!fresh) it->second = {kind == Kind::function ? kind : Kind::other, node};
}

Module::Kind Module::kind_of(std::string_view name) const {
  const auto it = bindings_.find(name);
  if (it == bindings_.end()) return Kind::none;
  if (it->second.kind == Kind::constant && !constants_.named(name)) return Kind::other;
  return it->second.kind;
}

Node Module::definition(std::string_view name) const {
  const auto it = bindings_.find(name);
  return it == bindings_.end() ? HTP_NONE : it->second.node;
}

std::vector<std::string> Module::visible() const {
  std::vector<std::string> result;
  for (const auto &[name, binding] : bindings_) result.push_back(name);
  for (const auto &[name, target] : names.imports()) result.push_back(name);
  return result;
}

bool Module::decorated(Node function, std::string_view path) const {
  auto f = c.as<ast::FunctionDef>(function);
  if (!f) return false;
  for (const Node d : f.decorator_list())
    if (names.qualified(d) == path || names.called(d) == path) return true;
  return false;
}

MaybeInt Module::sum(Node n) const { return read_int(c, n, ints()); }

IntMeanings Module::ints() const {
  return with_constants([this](std::string_view name) {
    const auto number = is_dim(name) ? std::nullopt : constants_.named(name);
    return number && !number->real ? std::optional(number->i) : std::nullopt;
  });
}

bool Module::of_dims(Node n) const {
  const auto s = sum(n);
  if (!s) return false;
  const auto parts = s->names();
  return std::all_of(parts.begin(), parts.end(), [&](const std::string &name) { return is_dim(name); });
}

std::vector<int64_t> Module::grid_of(Node part) const {
  auto f = c.get<ast::FunctionDef>(part);
  std::vector<int64_t> extents;
  auto mark = f.decorator_list().empty() ? ast::Call{} : c.as<ast::Call>(f.decorator_list()[0]);
  for (const Node n : mark ? mark.keywords() : Nodes()) {
    auto keyword = c.get<ast::keyword>(n);
    if (keyword.arg() != "grid") continue;
    auto tuple = c.as<ast::Tuple>(keyword.value());
    const Node alone[] = {keyword.value()};
    for (const Node extent : tuple ? tuple.elts() : Nodes(alone)) extents.push_back(integer(extent).value_or(0));
  }
  const bool good = std::all_of(extents.begin(), extents.end(), [](int64_t extent) { return extent > 0; });
  return good && extents.size() == c.get<ast::arguments>(f.args()).args().size() ? extents : std::vector<int64_t>();
}

bool Module::is_plain_kernel(Node function) const {
  auto f = c.as<ast::FunctionDef>(function);
  return f && f.decorator_list().size() == 1 && names.qualified(f.decorator_list()[0]) == "htp_tile.kernel";
}

bool Module::is_part(Node function) const {
  const Nodes decorators = c.get<ast::FunctionDef>(function).decorator_list();
  if (decorators.size() != 1) return false;
  const std::string by = c.is(decorators[0], HTP_Call) ? names.called(decorators[0]) : names.qualified(decorators[0]);
  return !by.empty() && !by.starts_with("htp_tile.") && !by.starts_with("htp.");
}

bool Module::is_called_apart(Node function) const {
  uint32_t row = 0;
  return is_external(function) && c.host()->handler(c.ctx(), str("tile.call"), str(c.target()), &row);
}

bool Module::is_nested(Node function) const {
  const Nodes decorators = c.get<ast::FunctionDef>(function).decorator_list();
  return std::any_of(decorators.begin(), decorators.end(), [&](Node d) {
    const std::string by = c.is(d, HTP_Call) ? names.called(d) : names.qualified(d);
    if (by == "htp_tile.kernel") { // a task of a workload
      const Node entry = c.entry_function(root);
      return entry && (decorated(entry, "htp_wsp.workload") || decorated(entry, "htp_wsp.schedule"));
    }
    return by == "htp_wsp.workload" || by == "htp_wsp.schedule" || by == "htp_csp.pipeline" || by == "htp_csp.schedule";
  });
}

std::string Module::dtype(Node n) const {
  const std::string whole = path(n);
  if (!whole.starts_with("htp.")) return {};
  std::string name = whole.substr(4);
  return dtype_class(name) == DtypeClass::none ? std::string() : name;
}

Node literal(const Tree &tree, const Number &number, Node origin) {
  if (number.truth) return tree.make(make::Constant{.value = Literal::boolean(number.i != 0)}, origin);
  if (!number.real) return tree.integer_node(number.i, origin);
  const Node n = tree.make(make::Constant{.value = Literal::real(std::fabs(number.f))}, origin);
  return std::signbit(number.f) ? tree.make(make::UnaryOp{.op = HTP_USub, .operand = n}, origin) : n;
}

} // namespace htp::tile
