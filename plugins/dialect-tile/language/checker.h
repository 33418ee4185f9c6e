// The language check at work; its parts are check_*.cpp.
#pragma once

#include "diagnostics.h"
#include "language/check.h"

#include <map>
#include <set>

namespace htp::tile {

class Checker {
public:
  Checker(const Module &module, Node function);
  Meanings run() &&;

private:
  struct Bound {
    Meaning meaning;
    Node where;
    bool loop = false; // a loop's variable
  };
  struct Parameter {
    std::string name, direction; // of a buffer: "buffer", of a scalar: "scalar"
    Node node;
    bool written = false;
    Node read = HTP_NONE;   // where a buffer is read first
    bool elsewhere = false; // its name is another one's here
  };
  using Scope = std::map<std::string, Bound, std::less<>>;

  // check_signature.cpp
  void signature();
  bool parameter_type(Node annotation, Parameter &parameter);
  std::string dim_given_by(Node extent) const;
  void outputs();

  // check_statements.cpp
  void body(Nodes statements);
  void statement(Node n, bool first);
  void assign(Node n, Node target, Node value);
  void part(Node n);
  void annotated(Node n);
  void augmented(Node n);
  void store(Node target, Node value);
  void expression_statement(Node n, bool first);
  void branch(Node n);
  void condition(Node n, std::string_view construct);
  void bad_target(Node target);
  // Whether the name stands for a parameter that is handed over by value.
  bool is_scalar(Node n) const;
  void int_expected(Node n);
  void float_of_int(Node n, Node operand);
  std::string as_tile(Node n) const;
  void forget(Node n);
  void bind(Node target, const Meaning &meaning);
  Scope inside(Nodes statements);
  void leave(const Scope &before, const Scope &inner, std::string_view block);

  // check_loops.cpp
  void loop(Node n);
  void repeat(Node n);
  Meaning iteration(Node iter);
  void loop_form(Node call);
  Meaning tiles(Node call);
  Meaning range(Node call);
  void extent(Node n, bool in_memory = false);
  void independent(Node loop);
  bool takes_items(ast::While w) const;
  std::string channel_text(Node n) const;
  void level(Node n, const std::string &name);

  // check_expressions.cpp
  Meaning expr(Node n);
  Meaning expression(Node n);
  std::optional<Number> of_collection(Node n) const;
  Meaning name(Node n);
  Meaning attribute(Node n);
  Meaning constant(Node n);
  Meaning subscript(Node n);
  bool no_element(const ast::Subscript &s);
  Meaning binary(Node n);
  Meaning unary(Node n);
  Meaning compare(Node n);
  Meaning boolean(Node n);
  bool is_mask(Node n) const;
  struct Operand {
    Node node;
    Meaning meaning;
  };
  Meaning operation(Node n, htp_op op, std::initializer_list<Operand> operands);
  std::optional<Meaning> moved_block(Node n, htp_op op, std::initializer_list<Operand> operands);
  void index(Node n);
  void indices(Node slice);
  void one_ellipsis(Nodes parts);
  void slice(Node n);
  void read(Node n, Node tensor);
  void write(Node n, Node tensor);
  void refuse(Node n);

  // check_calls.cpp
  Meaning call(Node n);
  Meaning builtin(Node n, std::string_view name);
  // Whether a name is that of a function which the target calls as it is compiled apart.
  bool is_apart(Node function) const;
  Meaning external(Node n, const htp_intrinsics &set, const htp_intrinsic &row);
  Meaning intrinsic(Node n, const htp_intrinsics &set, const htp_intrinsic &row);
  void argument(const htp_intrinsic &row, const htp_parameter &parameter, Node value);
  void unknown(Node n, const std::string &path);
  std::string here(std::string_view name, Node first, Nodes behind, Nodes keywords) const;
  std::string instead_of_member(Node member) const;
  bool is_imported(std::string_view module, std::string_view name) const;
  // What helps where a value is wanted and an instruction stands that has none; else nothing.
  std::string go_on_with(Node value, const Meaning &m) const;
  void suggest_import(Report &report, std::string_view module, std::string_view name);

  bool is_local(std::string_view name) const { return locals_.contains(name); }
  bool is_int(const Meaning &m) const {
    return m.sort == Sort::integer || m.sort == Sort::dim || m.sort == Sort::unknown ||
           (m.sort == Sort::number && m.value && !m.value->real && !m.value->truth);
  }
  // What a call of `set`'s row gives.
  static Meaning result_of(const htp_intrinsics &set, const htp_intrinsic &row);
  static std::string_view describe(const Meaning &m);
  static std::string_view symbol_of(htp_op op);

  const Module &m_;
  const Context &c;
  const Node function_;
  Node method_ = HTP_NONE;              // the call whose function is looked at, a method's
  const htp_intrinsics *own_ = nullptr; // the tile set: its operators serve every value
  struct Local {
    Node first;      // where it is bound first
    unsigned stores; // how often
  };
  std::map<std::string, Local, std::less<>> locals_; // every name the function binds
  std::vector<Parameter> parameters_;
  std::set<std::string> alone_; // dims that are an extent of a parameter
  std::vector<Node> sums_;      // extents made of dims
  Scope bound_;                 // what is bound here
  std::map<std::string, std::pair<std::string, Node>, std::less<>>
      lost_;                // bound only inside a block: its statement, where
  bool repeats_ = false;    // the innermost loop around is a `while`
  bool condition_ = false;  // a comparison of ints may stand here
  bool lost_track_ = false; // something was refused that may write or bind
  Meanings meanings_;
};

} // namespace htp::tile
