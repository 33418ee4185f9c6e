#include "host/editor/program.h"

#include "host/ast/walk.h"
#include "host/pipeline/program.h"

#include <algorithm>

namespace htp::editor {

namespace {

std::string_view name_of(const Store &store, htp_node n, unsigned field) { return store.text(store.slot(n, field)); }

bool is_definition(uint32_t kind) {
  return kind == HTP_FunctionDef || kind == HTP_AsyncFunctionDef || kind == HTP_ClassDef;
}
bool is_function(uint32_t kind) { return kind == HTP_FunctionDef || kind == HTP_AsyncFunctionDef; }
bool is_comprehension(uint32_t kind) {
  return kind == HTP_ListComp || kind == HTP_SetComp || kind == HTP_DictComp || kind == HTP_GeneratorExp;
}

} // namespace

// Reads the scopes of a module: which names each binds, then what each name in it means.
class ScopeReader {
public:
  explicit ScopeReader(Program &program) : program_(program), store_(program.store_) {
    program_.scopes_.push_back({program_.module_, 0, false, {}, false});
    for (const htp_node s : store_.items(store_.slot(program_.module_, HTP_FIELD(Module, body)))) visit(s, 0);
    for (Program::Occurrence &one : program_.occurrences_)
      if (!one.binds) one.scope = resolve(one.name, one.written);
    std::ranges::sort(program_.occurrences_, {}, &Program::Occurrence::at);
    for (size_t k = 0; k < program_.occurrences_.size(); ++k)
      if (const auto &one = program_.occurrences_[k]; one.binds)
        program_.scopes_[one.scope].bindings[one.name].push_back(k);
  }

private:
  size_t open(htp_node node, size_t parent) {
    program_.scopes_.push_back({node, parent, store_.kind(node) == HTP_ClassDef, {}, false});
    return program_.scopes_.size() - 1;
  }

  void add(std::string name, htp_node node, Stretch at, size_t scope, bool binds) {
    const bool exact = at.line == at.end_line && program_.text(at) == name;
    if (binds) program_.scopes_[scope].bindings[name]; // read for what names mean
    program_.occurrences_.push_back({std::move(name), node, at, scope, scope, binds, exact});
  }

  // The name of a definition stands behind its keyword.
  Stretch after_keyword(htp_node n, std::string_view name) const {
    const Stretch at = program_.stretch(n);
    const std::string_view line = program_.source_->line(at.line);
    size_t found = line.find(store_.kind(n) == HTP_ClassDef ? "class" : "def", at.col);
    found = found == line.npos ? found : line.find(name, found + 3);
    const auto col = static_cast<uint32_t>(found == line.npos ? at.col : found);
    return {at.line, col, at.line, col + static_cast<uint32_t>(name.size())};
  }

  void visit_all(uint32_t list, size_t scope) {
    for (const htp_node n : store_.items(list))
      if (n) visit(n, scope);
  }
  void visit_opt(htp_node n, size_t scope) {
    if (n) visit(n, scope);
  }

  void visit_function(htp_node n, size_t scope) {
    const std::string name(name_of(store_, n, HTP_FIELD(FunctionDef, name)));
    add(name, n, after_keyword(n, name), scope, true);
    visit_all(store_.slot(n, HTP_FIELD(FunctionDef, decorator_list)), scope);
    visit_opt(store_.slot(n, HTP_FIELD(FunctionDef, returns)), scope);
    const size_t own = open(n, scope);
    visit_arguments(store_.slot(n, HTP_FIELD(FunctionDef, args)), scope, own);
    visit_all(store_.slot(n, HTP_FIELD(FunctionDef, body)), own);
  }

  // Their annotations and defaults stand outside of the function.
  void visit_arguments(htp_node n, size_t outside, size_t own) {
    for (const htp_node part : preorder(*store_.abi(), n)) {
      if (store_.kind(part) != HTP_arg) continue;
      const Stretch at = program_.stretch(part);
      const std::string name(name_of(store_, part, HTP_FIELD(arg, arg)));
      add(name, part, {at.line, at.col, at.line, at.col + static_cast<uint32_t>(name.size())}, own, true);
      visit_opt(store_.slot(part, HTP_FIELD(arg, annotation)), outside);
    }
    visit_all(store_.slot(n, HTP_FIELD(arguments, kw_defaults)), outside);
    visit_all(store_.slot(n, HTP_FIELD(arguments, defaults)), outside);
  }

  void visit_import(htp_node n, unsigned field, size_t scope) {
    for (const htp_node a : store_.items(store_.slot(n, field))) {
      const std::string_view full = name_of(store_, a, HTP_FIELD(alias, name));
      const htp_node as = store_.slot(a, HTP_FIELD(alias, asname));
      const Stretch at = program_.stretch(a);
      if (full == "*") continue;
      const std::string name(as ? store_.text(as) : full.substr(0, full.find('.')));
      const auto size = static_cast<uint32_t>(name.size());
      add(name, a,
          as ? Stretch{at.end_line, at.end_col - std::min(at.end_col, size), at.end_line, at.end_col}
             : Stretch{at.line, at.col, at.line, at.col + size},
          scope, true);
    }
  }

  // The first iterable is read outside.
  void visit_comprehension(htp_node n, size_t scope) {
    const size_t own = open(n, scope);
    bool first = true;
    for_each_child(*store_.abi(), n, [&](htp_node part) {
      if (store_.kind(part) != HTP_comprehension) return;
      visit(store_.slot(part, HTP_FIELD(comprehension, iter)), first ? scope : own);
      visit(store_.slot(part, HTP_FIELD(comprehension, target)), own);
      visit_all(store_.slot(part, HTP_FIELD(comprehension, ifs)), own);
      first = false;
    });
    for_each_child(*store_.abi(), n, [&](htp_node part) {
      if (store_.kind(part) != HTP_comprehension) visit(part, own);
    });
  }

  void share(uint32_t names, size_t scope, bool global) {
    program_.scopes_[scope].shares = true;
    for (const uint32_t name : store_.items(names))
      shared_.emplace(std::pair(scope, std::string(store_.text(name))), global);
  }

  void visit(htp_node n, size_t scope) {
    const uint32_t kind = store_.kind(n);
    if (is_function(kind)) return visit_function(n, scope);
    if (is_comprehension(kind)) return visit_comprehension(n, scope);
    switch (kind) {
    case HTP_ClassDef: {
      const std::string name(name_of(store_, n, HTP_FIELD(ClassDef, name)));
      add(name, n, after_keyword(n, name), scope, true);
      visit_all(store_.slot(n, HTP_FIELD(ClassDef, decorator_list)), scope);
      visit_all(store_.slot(n, HTP_FIELD(ClassDef, bases)), scope);
      visit_all(store_.slot(n, HTP_FIELD(ClassDef, keywords)), scope);
      return visit_all(store_.slot(n, HTP_FIELD(ClassDef, body)), open(n, scope));
    }
    case HTP_Lambda: {
      const size_t own = open(n, scope);
      visit_arguments(store_.slot(n, HTP_FIELD(Lambda, args)), scope, own);
      return visit(store_.slot(n, HTP_FIELD(Lambda, body)), own);
    }
    case HTP_Import: return visit_import(n, HTP_FIELD(Import, names), scope);
    case HTP_ImportFrom: return visit_import(n, HTP_FIELD(ImportFrom, names), scope);
    case HTP_Global: return share(store_.slot(n, HTP_FIELD(Global, names)), scope, true);
    case HTP_Nonlocal: return share(store_.slot(n, HTP_FIELD(Nonlocal, names)), scope, false);
    case HTP_Name: {
      const bool binds = store_.slot(n, HTP_FIELD(Name, ctx)) != HTP_LOAD;
      std::string name(name_of(store_, n, HTP_FIELD(Name, id)));
      size_t of = scope; // `:=` binds outside of comprehensions
      if (binds && walrus_)
        while (is_comprehension(store_.kind(program_.scopes_[of].node))) of = program_.scopes_[of].parent;
      return add(std::move(name), n, program_.stretch(n), of, binds);
    }
    case HTP_NamedExpr:
      walrus_ = true;
      visit(store_.slot(n, HTP_FIELD(NamedExpr, target)), scope);
      walrus_ = false;
      return visit(store_.slot(n, HTP_FIELD(NamedExpr, value)), scope);
    default: break;
    }
    // Names of patterns and handlers have no location of their own.
    const auto bind_unseen = [&](uint32_t text) {
      if (text) add(std::string(store_.text(text)), n, program_.stretch(n), scope, true);
    };
    if (kind == HTP_ExceptHandler) bind_unseen(store_.slot(n, HTP_FIELD(ExceptHandler, name)));
    if (kind == HTP_MatchAs) bind_unseen(store_.slot(n, HTP_FIELD(MatchAs, name)));
    if (kind == HTP_MatchStar) bind_unseen(store_.slot(n, HTP_FIELD(MatchStar, name)));
    if (kind == HTP_MatchMapping) bind_unseen(store_.slot(n, HTP_FIELD(MatchMapping, rest)));
    for_each_child(*store_.abi(), n, [&](htp_node child) { visit(child, scope); });
  }

  size_t resolve(const std::string &name, size_t scope) const {
    for (size_t at = scope;; at = program_.scopes_[at].parent) {
      const Program::Scope &one = program_.scopes_[at];
      const bool seen = !one.is_class || at == scope; // a class's names are not those of its functions
      if (const auto given = shared_.find(std::pair(at, name)); given != shared_.end() && given->second)
        return program_.scopes_[0].bindings.contains(name) ? 0 : Program::nowhere;
      if (seen && one.bindings.contains(name)) return at;
      if (at == one.parent) return Program::nowhere;
    }
  }

  Program &program_;
  const Store &store_;
  std::map<std::pair<size_t, std::string>, bool> shared_;
  bool walrus_ = false;
};

std::shared_ptr<const Program> Program::parse(SourceRef source, Diagnostics &diagnostics) {
  auto program = std::make_shared<Program>();
  program->module_ = parse_program(source, diagnostics, program->store_);
  if (!program->module_) return nullptr;
  program->source_ = program->store_.span(program->module_).file;
  program->imports_ = imports_of(program->store_, program->module_);
  program->find_statements();
  ScopeReader reader(*program);
  program->find_reads();
  return program;
}

Stretch Program::stretch(htp_node n) const {
  const Span span = store_.span(n);
  return {span.line, span.col, span.end_line, span.end_col};
}

std::string Program::text(const Stretch &at) const {
  const size_t begin = source_->offset(at.line, at.col), end = source_->offset(at.end_line, at.end_col);
  return begin < end ? source_->text.substr(begin, end - begin) : std::string();
}

void Program::find_statements() {
  for (const htp_node s : store_.items(store_.slot(module_, HTP_FIELD(Module, body)))) {
    const Span span = store_.span(s);
    Statement one{s, span.line, std::max(span.end_line, span.line)};
    if (is_definition(store_.kind(s))) {
      const unsigned field =
          store_.kind(s) == HTP_ClassDef ? HTP_FIELD(ClassDef, decorator_list) : HTP_FIELD(FunctionDef, decorator_list);
      for (const htp_node d : store_.items(store_.slot(s, field))) one.first = std::min(one.first, store_.span(d).line);
    }
    statements_.push_back(one);
  }
}

void Program::find_reads() {
  reads_.resize(statements_.size());
  decorated_by_.resize(statements_.size());
  const auto statement_at = [&](const Stretch &at) {
    const auto after = std::ranges::upper_bound(statements_, at.line, {}, &Statement::first);
    size_t k = static_cast<size_t>(after - statements_.begin());
    while (k > 0) { // of several on one line the one around it
      const Stretch whole = stretch(statements_[--k].node);
      if (statements_[k].first < at.line || whole.col <= at.col) break;
    }
    return k;
  };
  std::map<std::string_view, std::set<size_t>> binds;
  for (const Occurrence &one : occurrences_)
    if (one.binds && one.scope == 0) binds[one.name].insert(statement_at(one.at));
  // A name of a function's own counts too: a dialect may refuse that it hides one of the module.
  for (const Occurrence &one : occurrences_) {
    if (one.binds && one.scope == 0) continue;
    const size_t reader = statement_at(one.at);
    const auto found = binds.find(one.name);
    if (found == binds.end()) continue;
    reads_[reader].insert(found->second.begin(), found->second.end());
    if (is_function(store_.kind(statements_[reader].node)) && one.at.line < stretch(statements_[reader].node).line)
      decorated_by_[reader].insert(found->second.begin(), found->second.end());
  }
  // What is bound twice is bound by both.
  for (const auto &[name, several] : binds)
    if (several.size() > 1)
      for (const size_t k : several) reads_[k].insert(several.begin(), several.end());
}

std::optional<size_t> Program::definition_of(const std::string &function) const {
  std::optional<size_t> found;
  for (size_t k = 0; k < statements_.size(); ++k)
    if (const htp_node s = statements_[k].node;
        is_function(store_.kind(s)) && name_of(store_, s, HTP_FIELD(FunctionDef, name)) == function)
      found = k;
  return found;
}

std::set<size_t> Program::reached(const std::string &entry) const {
  std::set<size_t> found;
  std::vector<size_t> open;
  if (const auto first = definition_of(entry)) open.push_back(*first);
  while (!open.empty()) {
    const size_t k = open.back();
    open.pop_back();
    if (found.insert(k).second) open.insert(open.end(), reads_[k].begin(), reads_[k].end());
  }
  return found;
}

std::set<size_t> Program::with(const std::string &entry) const {
  std::set<size_t> found = reached(entry);
  for (bool more = true; more;) {
    more = false;
    for (size_t k = 0; k < statements_.size(); ++k) {
      if (found.contains(k) || decorated_by_[k].empty()) continue;
      const bool of_these = std::ranges::any_of(decorated_by_[k], [&](size_t by) {
        return found.contains(by) && is_function(store_.kind(statements_[by].node));
      });
      if (!of_these) continue;
      found.merge(reached(std::string(name_of(store_, statements_[k].node, HTP_FIELD(FunctionDef, name)))));
      more = true;
    }
  }
  return found;
}

std::vector<std::string> Program::decorated(const std::set<std::string> &modules) const {
  std::vector<std::string> found;
  for (const Statement &s : statements_) {
    if (store_.kind(s.node) != HTP_FunctionDef) continue;
    for (htp_node d : store_.items(store_.slot(s.node, HTP_FIELD(FunctionDef, decorator_list)))) {
      if (store_.kind(d) == HTP_Call) d = store_.slot(d, HTP_FIELD(Call, func));
      const std::string name = qualified_name(store_, imports_, d);
      if (!modules.contains(name.substr(0, name.find('.')))) continue;
      found.emplace_back(name_of(store_, s.node, HTP_FIELD(FunctionDef, name)));
      break;
    }
  }
  return found;
}

const Program::Occurrence *Program::occurrence_at(uint32_t line, uint32_t col) const {
  for (const Occurrence &one : occurrences_)
    if (one.exact && one.at.holds(line, col)) return &one;
  return nullptr;
}

std::vector<const Program::Occurrence *> Program::same(const Occurrence &one) const {
  std::vector<const Occurrence *> found;
  if (one.scope == nowhere) return found;
  for (const Occurrence &other : occurrences_)
    if (other.scope == one.scope && other.name == one.name) found.push_back(&other);
  return found;
}

const Program::Occurrence *Program::binding_of(const Occurrence &one) const {
  const Occurrence *found = nullptr;
  for (const Occurrence *other : same(one))
    if (other->binds && (!found || other->at <= one.at)) found = other;
  return found;
}

size_t Program::scope_at(uint32_t line, uint32_t col) const {
  size_t found = 0;
  for (size_t k = 1; k < scopes_.size(); ++k)
    if (const Stretch at = stretch(scopes_[k].node); at.holds(line, col) && line > at.line) found = k;
  return found;
}

std::vector<htp_node> Program::calls(htp_node root) const {
  std::vector<htp_node> found;
  for (const htp_node n : preorder(*store_.abi(), root))
    if (store_.kind(n) == HTP_Call) found.push_back(n);
  return found;
}

std::vector<htp_node> Program::around(uint32_t line, uint32_t col) const {
  std::vector<htp_node> found;
  for (const htp_node n : preorder(*store_.abi(), module_))
    if (const auto group = kind_info(store_.kind(n)).group;
        group == HTP_GROUP_EXPR && store_.span(n).line && stretch(n).holds(line, col))
      found.push_back(n);
  std::ranges::reverse(found);
  return found;
}

std::optional<Imported> import_of(const Program &program, const Program::Occurrence &one) {
  const Program::Occurrence *const binding = program.binding_of(one);
  if (!binding || program.store().kind(binding->node) != HTP_alias) return std::nullopt;
  for (const Imported &i : program.imports())
    if (i.local == one.name) return i;
  return std::nullopt;
}

} // namespace htp::editor
