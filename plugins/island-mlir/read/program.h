// plugins/island-mlir/read/program.h — the entry as the island sees it: its statements by number, what each name is,
// and which names live where.
#pragma once

#include "mlir.h"

#include "htp_cpp/constants.h"
#include "htp_cpp/names.h"
#include "htp_cpp/types.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace htp::mlir {

using NameSet = std::set<std::string, std::less<>>;

// What a name of the entry stands for, from its first binding to the last: one name has one type.
struct Symbol {
  enum class Sort : uint8_t { memory, scalar, integer, truth } sort = Sort::scalar;
  std::string dtype;          // of memory and scalars
  std::vector<Node> extents;  // of memory
  Node annotation = HTP_NONE; // of its first binding
  bool parameter = false;     // or a dim
  bool input = false;         // memory that nothing writes: `In[…]`
  std::string type;           // MLIR's; empty if there is none
  size_t order = 0;           // of its first binding
  size_t statement = 0;       // the number of that
};

class Program {
public:
  Program(const Context &context, Node function);

  Node function() const { return function_; }
  // The statements of the body behind a docstring.
  std::vector<Node> body() const;
  const Context &context() const { return c; }
  const Names &names() const { return names_; }
  const Constants &constants() const { return constants_; }
  const std::map<std::string, Symbol, std::less<>> &symbols() const { return symbols_; }
  const Symbol *symbol(std::string_view name) const {
    const auto it = symbols_.find(name);
    return it == symbols_.end() ? nullptr : &it->second;
  }
  // Names in the order of their first bindings.
  std::vector<std::string> ordered(const NameSet &names) const;
  // A statement's number within the entry, parents first.
  size_t number(Node statement) const { return numbers_.at(statement); }
  // How many loops around a statement are parallel.
  size_t parallel(size_t number) const { return parallel_[number]; }
  // Whether a statement stands in another.
  bool inside(size_t number, size_t outer) const { return outer < number && number < ends_[outer]; }
  Node statement(size_t number) const { return number < statements_.size() ? statements_[number] : HTP_NONE; }
  // The wrappers around a loop's range, `htp.vectorized(_)`; empty if there are none.
  std::string loop_wrappers(Node iter) const;
  // "add" of a call `cpu.add(…)`; empty for anything else.
  std::string cpu_intrinsic(Node n) const;
  // How the program spells what htp_cpu has ("cpu.add"), or another module ("htp_tile.Tile").
  std::string spell(std::string_view module, std::string_view name) const;

  // ── names that live ──
  // Scalars and ints that a statement, or its inside, binds; loop variables apart.
  NameSet bound(Nodes statements) const;
  // Names that are read in or after the statements, before they are bound there.
  NameSet before(Nodes statements, NameSet after) const;
  NameSet before(Node statement, NameSet after) const;
  // Names that stand in an expression, or anywhere in statements.
  void mentioned(Node n, NameSet &names) const;

private:
  void collect(Nodes statements);
  void bind(std::string_view name, Node annotation, Node value);
  void declare(std::string_view name, Symbol symbol);

  const Context &c;
  Node function_, module_;
  Names names_;
  Constants constants_;
  std::vector<Node> statements_;
  std::vector<size_t> parallel_, ends_; // ends_: the number behind those in it
  size_t around_ = 0;                   // parallel loops around what is collected
  std::map<Node, size_t> numbers_;
  std::map<std::string, Symbol, std::less<>> symbols_;
};

// The module that `statement` stands in. An island is given a statement alone; the tree is plain data.
Node module_of(const Context &c, Node statement);

} // namespace htp::mlir
