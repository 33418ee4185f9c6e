// reader/syntax.h — the text of a kernel or an orchestration as a tree: the part of C++ that the packages use, and no
// more. What is not of it is refused where it stands.
#pragma once

#include "refusals.h"

#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace htp::a2a3sim {

// What a text has that is not read; `broken`: nor is it by any compiler.
struct NotRead {
  int line;
  std::string what;
  Refusal broken = {};
};

struct Block;

struct Expr {
  enum class Kind {
    integer,
    real,
    text,
    name,        // text, with `children` as its template arguments
    type,        // text: the type's name, `children` its arguments; pointer: a pointer to it
    unary,       // text before children[0]
    after,       // text behind children[0]
    binary,      // children[0] text children[1]
    assign,      // children[0] text children[1]
    conditional, // children[0] ? children[1] : children[2]
    call,        // children[0](children[1], …)
    index,       // children[0][children[1]]
    member,      // children[0].text
    list,        // {children…}; a designated one has its name in the child's `field`
    lambda,
    none, // of a `for` without a condition
  } kind = Kind::none;
  std::string text = {}, field = {};
  int64_t integer = 0;
  double real = 0;
  bool pointer = false;
  int line = 0;
  std::vector<Expr> children = {};
  std::vector<std::string> parameters = {}; // lambda
  std::shared_ptr<Block> body = {};         // lambda
};

struct Statement {
  enum class Kind { expression, declare, alias, loop, each, branch, give, block } kind = Kind::expression;
  int line = 0;
  Expr value = {};  // expression; loop, branch: the condition; each: the list; give: what is returned
  Expr type = {};   // declare, alias
  std::string name; // declare, alias, each; block: of a scope of tasks, whose mode is its argument
  // declare: how it begins: nothing, `(…)`, `= …`, `{…}`; and `[]` of an array
  enum class Start { nothing, call, equals, braces } start = Start::nothing;
  bool array = false;
  Expr extent = {}; // of an array, if it is given
  std::vector<Expr> arguments = {};
  std::vector<Statement> first = {}; // loop: before it
  Expr step = {};
  std::vector<Statement> body = {}, otherwise = {};
};
struct Block {
  std::vector<Statement> statements;
};

struct Function {
  std::string name;
  std::vector<std::string> templates, parameters;
  std::vector<Statement> body;
};
struct Alias { // template <int R> using Rows = …
  std::string name;
  std::vector<std::string> templates;
  Expr type;
};
struct Unit {
  std::vector<Function> functions;
  std::vector<Alias> aliases;
  std::unordered_map<std::string, size_t> function_at = {}, alias_at = {}; // by name; of declarations, the definition
};

// Adds what a file holds; lines that begin with `#` are passed over. Throws NotRead.
void read_unit(const std::string &text, Unit &unit);

// An expression of Python, as far as it reads like one here: `//` divides, single quotes hold text, and `and`, `or` and
// `not` are `&&`, `||` and `!`. Throws NotRead.
Expr read_python(const std::string &text);

} // namespace htp::a2a3sim
