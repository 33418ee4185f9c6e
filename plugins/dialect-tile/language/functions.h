// The functions of a module that its entries call: plain ones, whose bodies stand for their calls.
#pragma once

#include "language/module.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace htp::tile {

// A function that can be called: straight to its end, where it may give a value, or a tuple of them.
struct LocalFunction {
  struct Parameter {
    std::string name;
    Node default_value = HTP_NONE;
    bool assigned = false; // its body binds the name anew
    Node annotation = HTP_NONE;
  };
  Node node = HTP_NONE; // the FunctionDef
  std::string name;
  std::vector<Parameter> parameters;
  std::vector<Node> body;                        // without docstring and `return`
  Node result = HTP_NONE;                        // what it returns; 0: nothing
  bool kernel = false;                           // its parameters are checked as those of a call from outside
  bool stores = false;                           // it stores to a tensor, or calls what does
  std::set<std::string, std::less<>> locals;     // names it binds, its parameters among them
  std::map<std::string, Node, std::less<>> free; // names of the module that it uses, each with its first use

  // Every node of the body and of the result.
  template <class F> void each(F &&visit, const Reader &r) const {
    for (const Node s : body) r.each(s, visit);
    if (result) r.each(result, visit);
  }
};

// Whether something in the subtree is of a Python that is not known here: it can be kept, not copied.
bool is_newer(const Reader &r, Node n);

// `y[i, :] += x`: what is stored is what was there, and more.
bool is_added_store(const Reader &r, Node n);

class Functions {
public:
  explicit Functions(const Module &module) : m_(module), c(module.c) {}

  // The module's function that `call` calls; null when it calls something else, or after a report.
  const LocalFunction *called(Node call);
  // Whether `call` calls a function of the module by its name.
  bool is_local(Node call) const;
  // A function with In, Out or InOut parameters can be called from outside, and by a kernel where it is one itself.
  bool is_entry(Node function) const;

private:
  // Reads it, reports what it may not have; null then.
  const LocalFunction *read(Node function, Node call);
  void read_signature(LocalFunction &f);
  void read_hint(const LocalFunction &f, Node hint);
  void read_body(LocalFunction &f);
  void read_calls(LocalFunction &f);

  const Module &m_;
  const Context &c;
  std::map<Node, std::optional<LocalFunction>> read_; // nothing: it was refused
  std::vector<Node> reading_;                         // from the outermost call in
};

} // namespace htp::tile
