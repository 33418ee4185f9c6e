// aie.route_shims: streams between the host and cores that have tiles pass a shim, `column=1`.
#include "passes.h"

#include "analyses/device.h"
#include "analyses/on_device.h"

#include "htp_cpp/edit.h"

namespace htp::aie {

Result route_shims(const Context &c, Node root, Node &out) {
  out = root;
  if (!has_named_cores(c, Names(c, root), root)) return HTP_OK;
  Program p;
  if (!read_program(c, root, p, refusing(c))) return HTP_FAILED;
  const bool routed = choose_shims(p);
  if (const Exceeded found = exceeded(p); found || !routed) return report(c, found, p.node), HTP_FAILED;
  const Node changed = rewrite(
      c, p.node, [](Node n) { return n; },
      [&](Node s, std::vector<uint32_t> &list) {
        for (const Stream &stream : p.streams)
          if (stream.node == s && stream.tensor) {
            auto call = c.read<ast::Call>(c.get<ast::Assign>(s).value());
            std::erase_if(call.keywords, [&](uint32_t w) { return c.get<ast::keyword>(w).arg() == "column"; });
            call.keywords.push_back(
                c.make(make::keyword{.arg = std::string("column"), .value = c.integer_node(stream.column, s)}, s));
            list.push_back(with_value(c, s, c.with(c.get<ast::Assign>(s).value(), call)));
            return true;
          }
        return false;
      });
  out = with_statement(c, root, p.node, changed);
  return c.result();
}

} // namespace htp::aie
