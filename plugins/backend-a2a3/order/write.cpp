// Kernels as Python again.
#include "order/flags.h"

#include "htp_cpp/edit.h"

namespace htp::a2a3 {

namespace {

class StatementWriter {
public:
  explicit StatementWriter(const Context &context) : c(context) {}

  std::vector<uint32_t> block(const std::vector<Statement> &body) const {
    std::vector<uint32_t> out;
    for (const Statement &s : body) out.push_back(node(s));
    return out;
  }

private:
  Node node(const Statement &s) const {
    using Kind = Statement::Kind;
    const auto pipe = [&](Pipe p) { return c.string_node(name_of(p), s.node); };
    switch (s.kind) {
    case Kind::loop: return with_list(c, s.node, HTP_FIELD(For, body), block(s.body));
    case Kind::branch: {
      auto choice = c.read<ast::If>(s.node);
      choice.body = block(s.body), choice.orelse = block(s.otherwise);
      return c.with(s.node, choice);
    }
    case Kind::set: return instruction("set_flag", {pipe(s.source), pipe(s.destination), event(s)}, s.node);
    case Kind::wait: return instruction("wait_flag", {pipe(s.source), pipe(s.destination), event(s)}, s.node);
    case Kind::barrier:
      return instruction("pipe_barrier", {s.all ? c.string_node("ALL", s.node) : pipe(s.source)}, s.node);
    case Kind::drain: return instruction("drain", {}, s.node);
    case Kind::integer:
    case Kind::tile:
    case Kind::instruction: break;
    }
    return s.node;
  }
  Node event(const Statement &s) const {
    const Node first = c.integer_node(s.event, s.node);
    if (s.turn.empty()) return first;
    const Node turn = c.name(s.turn, s.node);
    return s.event ? c.binary(first, HTP_Add, turn, s.node) : turn;
  }
  Node instruction(const char *what, std::vector<uint32_t> operands, Node origin) const {
    return c.statement(c.call("pto." + std::string(what), std::move(operands), origin), origin);
  }

  const Context &c;
};

} // namespace

Node with_kernels(const Context &c, Node root, const Program &program) {
  const StatementWriter writer(c);
  std::map<Node, Node> kernels;
  for (const Kernel &k : program.kernels) {
    auto with = c.read<ast::With>(k.node);
    if (k.stage == Stage::ordered)
      with.items = {c.make(make::withitem{.context_expr = c.call(k.cube ? "pto.aic" : "pto.aiv", {}, k.node)}, k.node)};
    with.body = writer.block(k.body);
    kernels[k.node] = c.with(k.node, with);
  }
  const Node function = c.entry_function(root);
  const Node written = rewrite(
      c, function, [](Node n) { return n; },
      [&](Node s, std::vector<uint32_t> &to) {
        const auto it = kernels.find(s);
        if (it != kernels.end()) to.push_back(it->second);
        return it != kernels.end();
      });
  return with_statement(c, root, function, written);
}

} // namespace htp::a2a3
