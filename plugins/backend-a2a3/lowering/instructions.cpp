// Instructions that a program writes itself, between portable intrinsics: a tile of its own, and what writes to it.
#include "analyses/program.h"
#include "passes/passes.h"

#include "htp_cpp/edit.h"

namespace htp::a2a3 {

namespace {
// What only a stage has: kernels, memory between them, and the order of pipes.
bool of_stages(const htp_intrinsic &row) {
  const std::string_view rule = row.rule;
  return rule == "order" || rule == "gm" || rule == "value";
}
} // namespace

bool has_instructions(const Context &c, Node root) {
  const Names names(c, root);
  bool found = false;
  c.each(c.entry_function(root), [&](Node n) {
    const std::string called = c.is(n, HTP_Call) ? names.called(n) : std::string();
    const htp_intrinsic *row = called.starts_with("htp_pto.") ? c.intrinsic("pto." + called.substr(8)) : nullptr;
    found |= row && !of_stages(*row);
  });
  return found;
}

bool check_instructions(const Context &c, Node root) {
  const Names names(c, root);
  std::set<std::string, std::less<>> tiles;
  const size_t errors = c.errors();
  c.each(c.entry_function(root), [&](Node n) {
    auto a = c.as<ast::AnnAssign>(n);
    if (!a || names.called(a.value()) != "htp_pto.tile") return;
    tiles.emplace(c.name_of(a.target()));
    if (!c.get<ast::Call>(a.value()).keywords().empty()) c.report(diag::program_tile, a.value(), c.name_of(a.target()));
  });
  c.each(c.entry_function(root), [&](Node n) {
    const std::string called = c.is(n, HTP_Call) ? names.called(n) : std::string();
    if (!called.starts_with("htp_pto.") || called == "htp_pto.tile") return;
    const std::string name = called.substr(8);
    const htp_intrinsic *row = c.intrinsic("pto." + name);
    if (!row) return;
    if (of_stages(*row)) {
      c.report(diag::stage_instruction, n, name);
      return;
    }
    const Transfer *way = transfer_of(name);
    const Nodes operands = c.get<ast::Call>(n).args();
    if ((way && way->writes) || operands.empty() || tiles.contains(c.name_of(operands[0]))) return;
    c.report(diag::writes_value, operands[0], name, c.show(operands[0]));
  });
  return c.errors() == errors;
}

Node with_plain_tiles(const Context &c, Node root) {
  const Names names(c, root);
  const Node function = c.entry_function(root);
  const Node changed = rewrite(
      c, function, [](Node n) { return n; },
      [&](Node s, std::vector<uint32_t> &out) {
        auto a = c.as<ast::AnnAssign>(s);
        if (!a || names.called(a.value()) != "htp_pto.tile") return false;
        out.push_back(c.assign(c.name_of(a.target()), HTP_NONE, a.value(), s));
        return true;
      });
  return with_statement(c, root, function, changed);
}

} // namespace htp::a2a3
