// plugins/backend-cpu/emit/reader.h — what reads a function of the last stage into a Program: its statements
// (program.cpp), and its processes with their channels (program_processes.cpp).
#pragma once

#include "cpu.h"
#include "program.h"

namespace htp::cpu::ready {

class ProgramReader {
public:
  ProgramReader(const Context &context, const Names &names, const Constants &constants, Program &program)
      : c(context), names_(names), constants_(constants), p(program) {}

  bool run(Node function);

private:
  struct Scope {
    std::map<std::string, Memory *, std::less<>> memory;
    std::set<std::string, std::less<>> scalars, integers;
    std::string variable; // of the loop this is
  };
  template <class... A> bool no(Node where, const DiagKind &kind, const A &...arguments) const {
    c.report(kind, where, arguments...);
    return false;
  }

  bool lay_out(const Parameter &parameter, Memory &m);
  Memory *memory(Node n) const;

  // What a name may be given here: nothing where it stands for something else already.
  enum class Holds : uint8_t { element, integer, memory };
  bool may_hold(Node where, std::string_view name, Holds what) const;

  // Whether an argument is the dtype.
  bool names_dtype(Node argument, const DType *dtype) const;
  bool has_scalar(std::string_view name) const;
  bool has_integer(std::string_view name) const;

  // An expression over ints: loop variables, dims, constants, + - * // %, min and max.
  bool integer(Node n);
  bool condition(Node n);
  bool block(Nodes statements, std::vector<Statement> &out);
  bool statement(Node s, std::vector<Statement> &out);

  // ── processes ─────────────────────────────────────────────────────────────────────────────────────────────────────

  static bool is_slot_intrinsic(std::string_view intrinsic);

  // A function of the entry: by its decorator a process, with a grid as each of its instances.
  bool process(Node s, std::vector<Statement> &out);

  // `4` or `(4, 5)`
  bool numbers(Node n, std::vector<int64_t> &into);
  bool channel(Node s, std::string_view name, std::string_view intrinsic, Node call);
  bool lane(Node s, std::string_view name, Node call);

  // `slot: Tensor[f32, 8, N] = cpu.claim(rows, 8, N)`, `cpu.publish(rows)`; `cpu.signal(done)` is both.
  bool channel_used(Node s, Node call, Statement &st);
  bool more(Node s, std::string_view name, Node call, std::vector<Statement> &out);
  bool slot(Node s, std::string_view intrinsic, Node call, Memory *memory, std::vector<Statement> &out);

  // ── statements ────────────────────────────────────────────────────────────────────────────────────────────────────

  bool repeat(Node s, std::vector<Statement> &out);
  bool loop(Node s, std::vector<Statement> &out);
  bool indices(Node call, const Memory &m, Nodes index, std::vector<Node> &out);
  bool put(Node s, Node call, std::vector<Statement> &out);
  bool order(Node s, Node call, std::vector<Statement> &out);

  // An operand that must have this dtype.
  bool value(Node n, const DType *dtype, Value &v);
  bool assign(Node s, std::string_view name, Node annotation, Node value_node, std::vector<Statement> &out);
  bool bind_integer(Node s, Statement st, std::vector<Statement> &out);

  // An int that is an integer scalar's value.
  bool position(Node s, std::string_view name, Node call, std::vector<Statement> &out);

  // The scalar `name`, whose dtype must be this.
  bool target(Node where, std::string_view name, const DType *dtype, Statement &st);
  bool compute(Node n, std::string_view intrinsic, const Type &type, std::string_view name, Statement &st);
  bool operands_of(Node n, Nodes a, const DType *wanted, Statement &st);
  bool alloc(Node s, std::string_view name, const Type &type, Node call, std::string_view intrinsic,
             std::vector<Statement> &out);

  const Context &c;
  const Names &names_;
  const Constants &constants_;
  Program &p;
  std::vector<Scope> scopes_;
  bool repeats_ = false; // the innermost loop around is a `while`
  std::map<std::string, Scalar *> scalars_;
  std::map<std::string, std::pair<const Channel *, std::vector<Node>>, std::less<>> channels_; // and which of an array
  bool in_process_ = false;
  bool pipeline_ = false; // the entry, by its decorators
};

} // namespace htp::cpu::ready
