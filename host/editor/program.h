// host/editor/program.h — a program's text that is Python: its tree, its statements, and which name means what. Nothing
// is executed, and no plugin asked.
#pragma once

#include "host/ast/store.h"
#include "host/diag/diagnostic.h"
#include "host/pipeline/tree.h"

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace htp::editor {

// Lines from 1, columns in bytes from 0, the end exclusive: as in a Span.
struct Stretch {
  uint32_t line = 0, col = 0, end_line = 0, end_col = 0;
  auto operator<=>(const Stretch &) const = default;
  bool holds(uint32_t at_line, uint32_t at_col) const {
    return std::pair(line, col) <= std::pair(at_line, at_col) &&
           std::pair(at_line, at_col) <= std::pair(end_line, end_col);
  }
};

class Program {
public:
  // Nothing after a report.
  static std::shared_ptr<const Program> parse(SourceRef source, Diagnostics &diagnostics);

  const Store &store() const { return store_; }
  htp_node module() const { return module_; }
  const SourceRef &source() const { return source_; }
  const std::vector<Imported> &imports() const { return imports_; }
  Stretch stretch(htp_node n) const;
  std::string text(const Stretch &at) const; // of one line or several

  // ── statements at the top ──
  struct Statement {
    htp_node node;
    uint32_t first, last; // lines, with decorators
  };
  const std::vector<Statement> &statements() const { return statements_; }
  // Of these, by index, what `entry` reaches, what is decorated with one of the functions that it reaches, as a
  // schedule is, and what that reaches.
  std::set<size_t> with(const std::string &entry) const;
  // Those that `entry` reaches itself.
  std::set<size_t> reached(const std::string &entry) const;
  // The functions at the top whose decorators come from one of the modules.
  std::vector<std::string> decorated(const std::set<std::string> &modules) const;

  // ── names ──
  struct Scope {
    htp_node node;
    size_t parent; // its own index: the module
    bool is_class;
    std::map<std::string, std::vector<size_t>, std::less<>> bindings; // name → occurrences
    bool shares = false;                                              // it has `global` or `nonlocal`
  };
  struct Occurrence {
    std::string name;
    htp_node node;  // what stands there: a Name, an arg, a definition, an alias, a keyword
    Stretch at;     // of the name alone
    size_t written; // the scope it stands in
    size_t scope;   // the scope it belongs to; `nowhere`: that of no scope here, a builtin say
    bool binds;
    bool exact; // the text there is the name
  };
  static constexpr size_t nowhere = ~size_t{0};
  const std::vector<Scope> &scopes() const { return scopes_; }
  const std::vector<Occurrence> &occurrences() const { return occurrences_; }
  const Occurrence *occurrence_at(uint32_t line, uint32_t col) const;
  // The same name in the same scope, in the text's order.
  std::vector<const Occurrence *> same(const Occurrence &one) const;
  // Where it was bound last before it stands there; else where it is bound first.
  const Occurrence *binding_of(const Occurrence &one) const;
  // The innermost scope around a line and column.
  size_t scope_at(uint32_t line, uint32_t col) const;

  std::vector<htp_node> calls(htp_node root) const; // in it
  // The innermost expressions around a location, innermost first.
  std::vector<htp_node> around(uint32_t line, uint32_t col) const;

private:
  friend class ScopeReader;
  void find_statements();
  void find_reads();
  std::optional<size_t> definition_of(const std::string &function) const; // the last, as Python has it

  Store store_;
  htp_node module_ = HTP_NONE;
  SourceRef source_;
  std::vector<Imported> imports_;
  std::vector<Statement> statements_;
  std::vector<std::set<size_t>> reads_, decorated_by_; // of a statement: those that bind what it reads
  std::vector<Scope> scopes_;
  std::vector<Occurrence> occurrences_;
};

// The definition of the imported name: for `from m import a as b` the alias node of `b`.
std::optional<Imported> import_of(const Program &program, const Program::Occurrence &one);

} // namespace htp::editor
