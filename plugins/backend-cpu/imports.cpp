#include "imports.h"

namespace htp::cpu {

namespace {
bool imports_as(const Tree &t, Node statement, std::string_view name, std::string_view alias) {
  auto i = t.as<ast::Import>(statement);
  if (!i || i.names().size() != 1) return false;
  auto a = t.get<ast::alias>(i.names()[0]);
  return a.name() == name && a.asname() == alias;
}

bool is_import(const Tree &t, Node n) { return t.is(n, HTP_Import) || t.is(n, HTP_ImportFrom); }
} // namespace

Node add_import(const Tree &t, Node module, std::string_view name, std::string_view alias, Node origin) {
  auto m = t.read<ast::Module>(module);
  size_t at = 0;
  for (size_t k = 0; k < m.body.size(); ++k) {
    if (imports_as(t, m.body[k], name, alias)) return module;
    if (is_import(t, m.body[k])) at = k + 1;
  }
  const Node entry = t.make(make::alias{.name = std::string(name), .asname = std::string(alias)}, origin);
  m.body.insert(m.body.begin() + static_cast<std::ptrdiff_t>(at), t.make(make::Import{.names = {entry}}, origin));
  return t.with(module, m);
}

} // namespace htp::cpu
