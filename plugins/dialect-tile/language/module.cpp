#include "language/module.h"

#include "htp_cpp/types.h"

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

std::string Module::dtype(Node n) const {
  const std::string whole = path(n);
  if (!whole.starts_with("htp.")) return {};
  std::string name = whole.substr(4);
  return dtype_class(name) == DtypeClass::none ? std::string() : name;
}

Node literal(const Tree &tree, const Number &number, Node origin) {
  if (!number.real) return tree.integer_node(number.i, origin);
  const Node n = tree.make(make::Constant{.value = Literal::real(std::fabs(number.f))}, origin);
  return std::signbit(number.f) ? tree.make(make::UnaryOp{.op = HTP_USub, .operand = n}, origin) : n;
}

} // namespace htp::tile
