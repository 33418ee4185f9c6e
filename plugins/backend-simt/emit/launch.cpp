// launch.json: what the host does, step by step. An int is a number, a name, or a list of an operation and its
// operands.
#include "text.h"

namespace htp::simt {

namespace {

using Kind = Statement::Kind;

std::string quoted(std::string_view text) {
  std::string r = "\"";
  for (const char ch : text) {
    if (ch == '"' || ch == '\\') r += '\\';
    r += ch;
  }
  return r + "\"";
}

class Launch {
public:
  Launch(const Context &context, Node root, const Program &program, const Emitted &emitted)
      : c(context), numbers_(context, root), p(program), e(emitted) {}

  std::string run() {
    {
      auto file = w_.block("}", "{");
      w_.line("\"schema\": \"htp.opencl.launch/1\",");
      w_.line("\"contract\": \"opencl/1\",");
      w_.line("\"source\": \"codegen/opencl/kernel.cl\",");
      w_.line("\"entry\": ", quoted(p.name), ",");
      {
        auto list = w_.block("],", "\"parameters\": [");
        for (size_t k = 0; k < p.parameters; ++k) {
          const Memory &m = p.memories[k];
          w_.line("{\"name\": ", quoted(m.name), ", \"direction\": \"",
                  m.direction == Direction::in    ? "in"
                  : m.direction == Direction::out ? "out"
                                                  : "inout",
                  "\", \"dtype\": ", quoted(m.dtype->name), ", \"bytes\": ", m.dtype->bytes, ", \"extents\": [",
                  ints(m.extents), "]",
                  m.steps.empty()
                      ? ""
                      : ", \"steps\": [" + join(m.steps, ", ", [](int64_t s) { return std::to_string(s); }) + "]",
                  m.is_int ? ", \"int\": 1" : "", "}", k + 1 < p.parameters ? "," : "");
        }
      }
      w_.line("\"dims\": [", join(p.dims, ", ", quoted), "],");
      {
        auto list = w_.block("],", "\"checks\": [");
        for (size_t k = 0; k < e.checks.size(); ++k) {
          const Check &check = e.checks[k];
          w_.line("{\"what\": ", quoted(check.what), ", \"place\": ", check.place,
                  ", \"memory\": ", quoted(check.memory), ", \"dimension\": ", check.dimension, "}",
                  k + 1 < e.checks.size() ? "," : "");
        }
      }
      auto list = w_.block("]", "\"steps\": [");
      steps(p.body);
    }
    return w_.text();
  }

private:
  void steps(const std::vector<Statement> &body) {
    for (size_t k = 0; k < body.size(); ++k) step(body[k], k + 1 < body.size() ? "," : "");
  }

  void step(const Statement &s, std::string_view comma) {
    const std::string end = "}" + std::string(comma);
    if (s.kind == Kind::integer) {
      w_.line("{\"do\": \"int\", \"name\": ", quoted(s.name), ", \"value\": ", integer(s.test), end);
    } else if (s.kind == Kind::alloc) {
      w_.line("{\"do\": \"buffer\", \"name\": ", quoted(s.memory->name), ", \"bytes\": ", s.memory->dtype->bytes,
              ", \"extents\": [", ints(s.memory->extents), "]", end);
    } else if (s.kind == Kind::loop) {
      auto inside = w_.block("]" + end, "{\"do\": \"loop\", \"name\": ", quoted(s.name),
                             ", \"start\": ", s.start ? integer(s.start) : "0", ", \"stop\": ", integer(s.stop),
                             ", \"step\": ", s.step ? integer(s.step) : "1", ", \"steps\": [");
      steps(s.body);
    } else if (s.kind == Kind::branch) {
      {
        auto inside = w_.block("", "{\"do\": \"branch\", \"test\": ", condition(s.test), ", \"steps\": [");
        steps(s.body);
      }
      auto inside = w_.block("]" + end, "], \"otherwise\": [");
      steps(s.orelse);
    } else if (s.kind == Kind::group) {
      launch(e.kernels[next_++], end);
    }
  }

  void launch(const Kernel &k, const std::string &end) {
    std::string groups;
    for (const Statement *g : k.groups) {
      const std::string start = g->start ? integer(g->start) : "0", step = g->step ? integer(g->step) : "1";
      groups += (groups.empty() ? "" : ", ") + std::string("[\"count\", ") + start + ", " + integer(g->stop) + ", " +
                step + "]";
    }
    w_.line("{\"do\": \"launch\", \"kernel\": ", quoted(k.name), ", \"groups\": [", groups, "], \"lanes\": ", k.lanes,
            ", \"memories\": [", join(k.memories, ", ", [](const Memory *m) { return quoted(m->name); }),
            "], \"ints\": [", join(k.ints, ", ", quoted), "], \"checked\": ", k.checks ? 1 : 0,
            ", \"line\": ", static_cast<int64_t>(c.record(k.node).line), end);
  }

  std::string ints(const std::vector<Node> &all) {
    return join(all, ", ", [&](Node n) { return integer(n); });
  }
  std::string list(std::string_view op, const std::vector<std::string> &of) {
    return "[" + quoted(op) + ", " + join(of, ", ", [](const std::string &x) { return x; }) + "]";
  }
  std::string integer(Node n) {
    if (const auto number = numbers_.integer(n)) return std::to_string(*number);
    if (const auto name = c.name_of(n); !name.empty()) return quoted(name);
    if (auto u = c.as<ast::UnaryOp>(n))
      return u.op() == HTP_USub ? list("-", {"0", integer(u.operand())}) : integer(u.operand());
    if (auto call = c.as<ast::Call>(n))
      return list(c.name_of(call.func()), {integer(call.args()[0]), integer(call.args()[1])});
    auto b = c.get<ast::BinOp>(n);
    const htp_op op = b.op();
    const char *sign = op == HTP_Add        ? "+"
                       : op == HTP_Sub      ? "-"
                       : op == HTP_Mult     ? "*"
                       : op == HTP_FloorDiv ? "//"
                                            : "%";
    return list(sign, {integer(b.left()), integer(b.right())});
  }
  std::string condition(Node n) {
    static constexpr const char *ops[] = {"==", "!=", "<", "<=", ">", ">="};
    if (auto cmp = c.as<ast::Compare>(n)) {
      std::vector<std::string> all;
      Node left = cmp.left();
      for (size_t k = 0; k < cmp.ops().size(); ++k) {
        all.push_back(list(ops[cmp.ops()[k] - HTP_Eq], {integer(left), integer(cmp.comparators()[k])}));
        left = cmp.comparators()[k];
      }
      return all.size() == 1 ? all[0] : list("and", all);
    }
    if (auto b = c.as<ast::BoolOp>(n)) {
      std::vector<std::string> all;
      for (const Node v : b.values()) all.push_back(condition(v));
      return list(b.op() == HTP_And ? "and" : "or", all);
    }
    if (auto u = c.as<ast::UnaryOp>(n); u && u.op() == HTP_Not) return list("not", {condition(u.operand())});
    return integer(n);
  }

  const Context &c;
  const Numbers numbers_;
  const Program &p;
  const Emitted &e;
  Writer w_;
  size_t next_ = 0;
};

} // namespace

std::string launch_text(const Context &c, Node root, const Program &program, const Emitted &emitted) {
  return Launch(c, root, program, emitted).run();
}

} // namespace htp::simt
