// htp_cpp/imports.h — adding the imports that rewritten code needs, and leaving out those it needs no more.
#pragma once

#include "htp_cpp/edit.h"
#include "htp_cpp/names.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace htp::sdk {

// Collects wishes while a function is rewritten, then puts the missing imports behind the last one before the module's
// first function. A name that the module or the function uses for something else is left alone.
class Imports {
public:
  // `avoid`: names bound inside the function that will use the imports.
  Imports(const Tree &tree, Node module, std::set<std::string, std::less<>> avoid)
      : tree_(tree), names_(tree, module), avoid_(std::move(avoid)) {
    for (const Node s : tree.get<ast::Module>(module).body()) bind(s);
  }

  // The name by which `module` is reached: one it is imported under already, else `prefer` (or prefer_1 …), newly
  // imported.
  std::string module(const std::string &module, const std::string &prefer) {
    if (prefers(prefer, module)) return prefer;
    for (const auto &[name, target] : names_.imports())
      if (target == module && !avoid_.contains(name)) return name;
    for (const auto &[target, name] : added_modules_)
      if (target == module) return name;
    std::string name = prefer;
    for (unsigned k = 1; bound_.contains(name) || avoid_.contains(name); ++k) name = prefer + "_" + std::to_string(k);
    bound_.insert(name);
    added_modules_.emplace_back(module, name);
    return name;
  }
  // How `module.name` is spelled: `name` when that is imported or free to be, else through the module.
  std::string name(const std::string &module_name, const std::string &name, const std::string &prefer_module) {
    const std::string whole = module_name + "." + name;
    if (prefers(name, whole)) return name;
    for (const auto &[from, what] : added_names_)
      if (from == module_name && what == name) return name;
    if (bound_.contains(name) || avoid_.contains(name)) return module(module_name, prefer_module) + "." + name;
    bound_.insert(name);
    added_names_.emplace_back(module_name, name);
    return name;
  }
  // The module with the imports added; `module` itself when none was missing.
  Node apply(Node module) const {
    if (added_modules_.empty() && added_names_.empty()) return module;
    auto m = tree_.read<ast::Module>(module);
    std::vector<uint32_t> statements;
    for (const auto &[target, name] : added_modules_)
      statements.push_back(tree_.make(make::Import{.names = {alias(target, name == target ? "" : name)}}, HTP_NONE));
    // A name joins the names already imported from its module.
    for (const auto &[from, name] : added_names_) {
      const auto joins = [this, from = std::string_view(from)](uint32_t s) {
        auto i = tree_.as<ast::ImportFrom>(s);
        return i && i.level() == 0 && i.module() == from;
      };
      for (std::vector<uint32_t> *list : {&m.body, &statements})
        if (const auto it = std::find_if(list->begin(), list->end(), joins); it != list->end()) {
          auto i = tree_.read<ast::ImportFrom>(*it);
          i.names.push_back(alias(name, ""));
          *it = tree_.with(*it, i);
          break;
        } else if (list == &statements) {
          statements.push_back(tree_.make(make::ImportFrom{.module = from, .names = {alias(name, "")}}, HTP_NONE));
          break;
        }
    }
    m.body.insert(m.body.begin() + static_cast<ptrdiff_t>(behind_imports(m.body)), statements.begin(),
                  statements.end());
    return tree_.with(module, m);
  }

private:
  bool prefers(const std::string &name, std::string_view target) const {
    const auto it = names_.imports().find(name);
    return it != names_.imports().end() && it->second == target && !avoid_.contains(name);
  }
  Node alias(const std::string &name, const std::string &asname) const {
    return tree_.make(make::alias{.name = name, .asname = asname}, HTP_NONE);
  }
  size_t behind_imports(const std::vector<uint32_t> &body) const {
    size_t at = 0;
    for (size_t i = 0; i < body.size(); ++i) {
      // What a function is decorated with is needed where it stands.
      if (tree_.is(body[i], HTP_FunctionDef) || tree_.is(body[i], HTP_ClassDef)) break;
      if (tree_.is(body[i], HTP_Import) || tree_.is(body[i], HTP_ImportFrom)) at = i + 1;
      // A docstring stands first.
      if (std::string_view text;
          i == 0 && tree_.is(body[i], HTP_Expr) && tree_.string(tree_.get<ast::Expr>(body[i]).value(), &text))
        at = 1;
    }
    return at;
  }
  void bind(Node statement) {
    if (auto i = tree_.as<ast::Import>(statement)) {
      for (const Node n : i.names()) {
        auto a = tree_.get<ast::alias>(n);
        const std::string_view name = a.name();
        bound_.emplace(a.asname().empty() ? name.substr(0, name.find('.')) : a.asname());
      }
    } else if (auto f = tree_.as<ast::ImportFrom>(statement)) {
      for (const Node n : f.names()) {
        auto a = tree_.get<ast::alias>(n);
        bound_.emplace(a.asname().empty() ? a.name() : a.asname());
      }
    } else if (auto d = tree_.as<ast::FunctionDef>(statement)) {
      bound_.emplace(d.name());
    } else if (auto k = tree_.as<ast::ClassDef>(statement)) {
      bound_.emplace(k.name());
    } else {
      tree_.each(statement, [&](Node n) {
        if (auto name = tree_.as<ast::Name>(n); name && name.ctx() == HTP_STORE) bound_.emplace(name.id());
      });
    }
  }

  const Tree &tree_;
  Names names_;
  std::set<std::string, std::less<>> avoid_, bound_;
  std::vector<std::pair<std::string, std::string>> added_modules_; // module, name
  std::vector<std::pair<std::string, std::string>> added_names_;   // module, name
};

// The module with `import MODULE as ALIAS` after its last import, unless it stands there already.
inline Node add_import(const Tree &t, Node module, std::string_view name, std::string_view alias) {
  auto m = t.read<ast::Module>(module);
  size_t at = 0;
  for (size_t k = 0; k < m.body.size(); ++k) {
    if (t.is(m.body[k], HTP_Import) || t.is(m.body[k], HTP_ImportFrom)) at = k + 1;
    if (auto i = t.as<ast::Import>(m.body[k]); i && i.names().size() == 1)
      if (auto a = t.get<ast::alias>(i.names()[0]); a.name() == name && a.asname() == alias) return module;
  }
  const Node entry = t.make(make::alias{.name = std::string(name), .asname = std::string(alias)}, HTP_NONE);
  m.body.insert(m.body.begin() + static_cast<ptrdiff_t>(at), t.make(make::Import{.names = {entry}}, HTP_NONE));
  return t.with(module, m);
}

// The module without the imports that nothing uses, of what `may_go("htp_tile.exp")` says of. A name that a function
// binds is its own and no use of an import.
template <class F> Node drop_unused_imports(const Tree &t, Node module, F &&may_go) {
  std::set<std::string, std::less<>> used;
  const auto uses = [&](Node root, const std::set<std::string, std::less<>> &own) {
    if (!root) return;
    t.each(root, [&](Node n) {
      if (const auto name = t.name_of(n); !name.empty() && !own.contains(name)) used.emplace(name);
      if (std::string_view text; t.string(n, &text)) used.emplace(text); // an annotation may be one
    });
  };
  const auto body = t.get<ast::Module>(module).body();
  for (const Node s : body) {
    auto f = t.as<ast::FunctionDef>(s);
    if (!f) {
      uses(s, {});
      continue;
    }
    for (const Node d : f.decorator_list()) uses(d, {});
    uses(f.args(), {});
    uses(f.returns(), {});
    std::set<std::string, std::less<>> own;
    t.each(s, [&](Node n) {
      if (auto name = t.as<ast::Name>(n); name && name.ctx() == HTP_STORE) own.emplace(name.id());
      if (auto a = t.as<ast::arg>(n)) own.emplace(a.arg());
    });
    for (const Node inner : f.body()) uses(inner, own);
  }
  std::vector<uint32_t> statements;
  for (const Node s : body) {
    auto import = t.as<ast::Import>(s);
    auto from = t.as<ast::ImportFrom>(s);
    if (!import && !from) {
      statements.push_back(s);
      continue;
    }
    std::vector<uint32_t> kept;
    for (const Node n : import ? import.names() : from.names()) {
      auto a = t.get<ast::alias>(n);
      const std::string path = (from ? std::string(from.module()) + "." : "") + std::string(a.name());
      const std::string_view bound = a.asname().empty() ? a.name().substr(0, a.name().find('.')) : a.asname();
      if (used.contains(bound) || !may_go(std::string_view(path))) kept.push_back(n);
    }
    if (!kept.empty())
      statements.push_back(with_list(t, s, import ? HTP_FIELD(Import, names) : HTP_FIELD(ImportFrom, names), kept));
  }
  return with_list(t, module, HTP_FIELD(Module, body), statements);
}

} // namespace htp::sdk
