// cpu.serialize_copies: a copy that is begun is made at once, by the core that begins it. Nothing touches where it goes
// to before it was waited for, so nobody sees that it was there earlier.
#include "cpu.h"
#include "lowering/loops/uses.h"

#include "htp_cpp/edit.h"
#include "htp_cpp/imports.h"

namespace htp::cpu {

namespace {

bool begins_copy(std::string_view called) { return called == "htp_cpu.copy_async"; }
bool awaits(std::string_view called) { return called == "htp_cpu.wait" || called == "htp_cpu.barrier"; }

// What waits becomes `pass`: the loops before and behind it stay apart.
Node serialized(const Context &c, Node root) {
  const Names names(c, root);
  const Node function = c.entry_function(root);
  const Node done = rewrite(
      c, function, [](Node n) { return n; },
      [&](Node s, std::vector<uint32_t> &out) {
        const Node value = loops::value_of(c, s);
        const std::string called = names.called(value);
        if (!begins_copy(called) && !awaits(called)) return false;
        const Nodes arguments = c.get<ast::Call>(value).args();
        out.push_back(awaits(called)
                          ? c.make(make::Pass{}, s)
                          : c.statement(c.call("cpu.store", {arguments.begin(), arguments.end()}, value), s));
        return true;
      });
  return done == function ? root : drop_unused_imports(c, with_statement(c, root, function, done), is_tile_import);
}

} // namespace

Result serialize_copies(const Context &c, Node root, Node &out) {
  if (!c.entry_function(root)) return c.report(diag::no_entry, HTP_NONE, c.entry()), HTP_FAILED;
  out = serialized(c, root);
  return HTP_OK;
}

Result verify_serial(const Context &c, std::string_view, Node root) {
  const Names names(c, root);
  Node left = HTP_NONE;
  if (const Node function = c.entry_function(root))
    c.each(function, [&](Node n) {
      const std::string called = names.called(n);
      if (!left && (begins_copy(called) || awaits(called))) left = n;
    });
  if (!left) return HTP_OK;
  c.report(diag::copy_beside, left, c.show(left));
  return HTP_FAILED;
}

} // namespace htp::cpu
