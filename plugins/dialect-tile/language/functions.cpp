#include "language/functions.h"

#include "diagnostics.h"
#include "language/external.h"
#include "language/layouts.h"

#include <algorithm>

namespace htp::tile {

bool is_newer(const Reader &r, Node n) {
  bool newer = false;
  r.each(n, [&](Node inner) { newer |= r.kind(inner) >= HTP_KIND_LIMIT; });
  return newer;
}

bool is_added_store(const Reader &r, Node n) {
  auto a = r.as<ast::AugAssign>(n);
  return a && r.is(a.target(), HTP_Subscript);
}

bool Functions::is_entry(Node function) const {
  bool found = false;
  c.each(c.get<ast::FunctionDef>(function).args(), [&](Node n) {
    auto a = c.as<ast::arg>(n);
    auto direction = a && a.annotation() ? c.as<ast::Subscript>(a.annotation()) : ast::Subscript{&c, HTP_NONE};
    if (!direction) return;
    const std::string path = m_.path(direction.value());
    found |= path == "htp.In" || path == "htp.Out" || path == "htp.InOut";
  });
  return found;
}

bool Functions::is_local(Node call) const {
  auto k = c.as<ast::Call>(call);
  if (!k || !c.is(k.func(), HTP_Name) || m_.kind_of(c.name_of(k.func())) != Module::Kind::function) return false;
  const Node function = m_.definition(c.name_of(k.func()));
  return !m_.is_nested(function) && !m_.is_called_apart(function);
}

const LocalFunction *Functions::called(Node call) {
  return is_local(call) ? read(m_.definition(c.name_of(c.get<ast::Call>(call).func())), call) : nullptr;
}

const LocalFunction *Functions::read(Node function, Node call) {
  const std::string name(c.get<ast::FunctionDef>(function).name());
  if (const auto it = std::find(reading_.begin(), reading_.end(), function); it != reading_.end()) {
    std::string chain;
    for (auto at = it; at != reading_.end(); ++at)
      chain += "`" + std::string(c.get<ast::FunctionDef>(*at).name()) + "` calls ";
    c.report(diag::recursive, call, name).label(function, "defined here").note(chain + "`" + name + "`");
    return nullptr;
  }
  const auto [it, fresh] = read_.try_emplace(function);
  if (!fresh) return it->second ? &*it->second : nullptr;
  const bool external = m_.is_external(function);
  if (external && !check_external(m_, function, call)) return nullptr;
  const Nodes decorators = c.get<ast::FunctionDef>(function).decorator_list();
  const bool kernel = m_.is_plain_kernel(function) && m_.is_plain_kernel(c.entry_function(m_.root));
  if (!kernel && (is_entry(function) || (!external && !decorators.empty()))) {
    c.report(diag::local_call, call, name).label(function, "defined here");
    return nullptr;
  }
  if (is_newer(c, function)) {
    c.report(diag::unsupported, call, "syntax of a newer Python")
        .hint("write it for the Python that HTP is built with");
    return nullptr;
  }
  LocalFunction f;
  f.node = function;
  f.name = name;
  f.kernel = kernel;
  const size_t errors = c.errors();
  reading_.push_back(function);
  read_signature(f);
  read_body(f);
  read_calls(f);
  reading_.pop_back();
  if (c.errors() != errors) return nullptr;
  it->second = std::move(f);
  return &*it->second;
}

void Functions::read_signature(LocalFunction &f) {
  auto a = c.get<ast::arguments>(c.get<ast::FunctionDef>(f.node).args());
  const auto refuse = [&](Node n, std::string_view what) { c.report(diag::local_signature, n, f.name, what); };
  if (a.vararg()) refuse(a.vararg(), "`*`");
  if (a.kwarg()) refuse(a.kwarg(), "`**`");
  for (const Nodes list : {a.posonlyargs(), a.args(), a.kwonlyargs()})
    for (const Node n : list) {
      f.parameters.push_back(
          {.name = std::string(c.get<ast::arg>(n).arg()), .annotation = c.get<ast::arg>(n).annotation()});
      read_hint(f, c.get<ast::arg>(n).annotation());
    }
  read_hint(f, c.get<ast::FunctionDef>(f.node).returns());
  // Defaults belong to the last of the positional ones; each keyword-only one has its own, or none.
  const size_t positional = a.posonlyargs().size() + a.args().size();
  for (size_t i = 0; i < a.defaults().size(); ++i)
    f.parameters[positional - a.defaults().size() + i].default_value = a.defaults()[i];
  for (size_t i = 0; i < a.kw_defaults().size(); ++i) f.parameters[positional + i].default_value = a.kw_defaults()[i];
}

// Hints are for type checkers; where something lies is not theirs to say.
void Functions::read_hint(const LocalFunction &f, Node hint) {
  if (!hint || m_.is_external(f.node)) return;
  c.each(hint, [&](Node n) {
    auto call = c.as<ast::Call>(n);
    if (call && (is_layout(m_, n) || m_.path(call.func()) == "htp.space"))
      c.report(diag::local_placement, n, f.name, c.show(n));
    return !call;
  });
}

void Functions::read_body(LocalFunction &f) {
  bool first = true;
  for (const Node s : c.get<ast::FunctionDef>(f.node).body()) {
    std::string_view text;
    auto e = c.as<ast::Expr>(s);
    const bool docstring = first && e && c.string(e.value(), &text);
    first = false;
    if (docstring) continue;
    f.body.push_back(s);
  }
  if (!f.body.empty())
    if (auto r = c.as<ast::Return>(f.body.back())) {
      f.result = r.value();
      f.body.pop_back();
    }
  for (const auto &p : f.parameters) f.locals.insert(p.name);
  f.each(
      [&](Node n) {
        if (c.is(n, HTP_Return)) c.report(diag::early_return, n, f.name);
        auto name = c.as<ast::Name>(n);
        if (!name || name.ctx() != HTP_STORE) return;
        f.locals.emplace(name.id());
        for (auto &p : f.parameters) p.assigned |= p.name == name.id();
      },
      c);
}

void Functions::read_calls(LocalFunction &f) {
  f.each(
      [&](Node n) {
        if (auto name = c.as<ast::Name>(n); name && !f.locals.contains(name.id()))
          f.free.try_emplace(std::string(name.id()), n);
        if (auto store = c.as<ast::Assign>(n))
          for (const Node t : store.targets()) f.stores |= c.is(t, HTP_Subscript);
        f.stores |= is_added_store(c, n);
        auto call = c.as<ast::Call>(n);
        if (!call || f.locals.contains(c.name_of(call.func()))) return;
        if (const LocalFunction *inner = called(n)) {
          f.stores |= inner->stores;
          for (const auto &[id, use] : inner->free) f.free.try_emplace(id, use);
          return;
        }
        const std::string path = m_.path(call.func());
        const htp_intrinsic *row = path.empty() ? nullptr : c.intrinsic(path);
        f.stores |= row && std::string_view(row->effects).find("write") != std::string_view::npos;
      },
      c);
}

} // namespace htp::tile
