// a2a3.select: every intrinsic call of the entry becomes instructions, by its handler (R8).
#include "batches.h"
#include "sequence.h"

#include "htp_cpp/select.h"

#include <map>

namespace htp::a2a3 {

namespace {

// A tile of one element that is a number stands for the number: instructions take one as an operand.
Node with_numbers(const Context &c, Node root) {
  const Names names(c, root);
  const Node function = c.entry_function(root);
  std::map<std::string, unsigned, std::less<>> bindings;
  std::map<std::string, Node, std::less<>> numbers;
  c.each(function, [&](Node n) {
    if (auto name = c.as<ast::Name>(n); name && name.ctx() == HTP_STORE) ++bindings[std::string(name.id())];
  });
  c.each(function, [&](Node n) {
    auto a = c.as<ast::AnnAssign>(n);
    auto call = a ? c.as<ast::Call>(a.value()) : c.as<ast::Call>(HTP_NONE);
    if (!call || names.qualified(call.func()) != "htp_tile.full" || call.args().size() < 3) return;
    int64_t size = 0;
    for (const Node extent : call.args().subspan(2))
      if (!c.integer(extent, &size) || size != 1) return;
    const std::string_view value = c.name_of(call.args()[1]), target = c.name_of(a.target());
    const auto times = value.empty() ? bindings.end() : bindings.find(value);
    if ((c.is(call.args()[1], HTP_Name) || c.is(call.args()[1], HTP_Constant)) && times == bindings.end() &&
        bindings.find(target)->second == 1)
      numbers.emplace(target, call.args()[1]);
  });
  if (numbers.empty()) return root;
  const Node changed = rewrite(
      c, function,
      [&](Node n) {
        auto name = c.as<ast::Name>(n);
        const auto it = name && name.ctx() == HTP_LOAD ? numbers.find(name.id()) : numbers.end();
        return it == numbers.end() ? n : c.parse(c.show(it->second), n);
      },
      [&](Node s, std::vector<uint32_t> &) {
        auto a = c.as<ast::AnnAssign>(s);
        return a && numbers.contains(c.name_of(a.target()));
      });
  return with_statement(c, root, function, changed);
}

} // namespace

Result select(const Context &c, Node root, Node &out) {
  if (!c.entry_function(root)) {
    c.report(diag::no_entry, HTP_NONE, c.entry());
    return HTP_FAILED;
  }
  const Node sequence = with_processes_in_turn(c, root);
  if (!sequence) return HTP_FAILED;
  const Node prepared =
      with_marked_indices(c, with_single_batches(c, with_numbers(c, with_decided_branches(c, sequence))), true);
  const Node selected = select_calls(c, prepared, diag::no_handler, "htp_pto", "pto");
  if (!selected) return HTP_FAILED;
  out = drop_unused_imports(c, with_whole_buffers(c, with_marked_indices(c, selected, false)),
                            [](std::string_view path) { return path == "htp_tile" || path.starts_with("htp_tile."); });
  return c.result();
}

} // namespace htp::a2a3
