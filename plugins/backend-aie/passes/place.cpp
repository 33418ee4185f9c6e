// aie.place: cores that have names get tiles of the array.
#include "passes.h"

#include "analyses/device.h"
#include "analyses/on_device.h"

#include "htp_cpp/edit.h"

namespace htp::aie {

Result place(const Context &c, Node root, Node &out) {
  out = root;
  if (!has_named_cores(c, Names(c, root), root)) return HTP_OK;
  Program p;
  if (!read_program(c, root, p, refusing(c))) return HTP_FAILED;
  Exceeded found = exceeded(p);
  if (!found && !place_cores(p)) found = exceeded(p);
  if (found) return report(c, found, p.node), HTP_FAILED;
  const Node changed = rewrite(
      c, p.node, [](Node n) { return n; },
      [&](Node s, std::vector<uint32_t> &list) {
        for (const Core &core : p.cores)
          if (core.node == s) {
            auto f = c.read<ast::FunctionDef>(s);
            f.decorator_list = {
                c.parse("aie.core(" + std::to_string(core.column) + ", " + std::to_string(core.row) + ")", s)};
            list.push_back(c.with(s, f));
            return true;
          }
        return false;
      });
  out = with_statement(c, root, p.node, changed);
  return c.result();
}

} // namespace htp::aie
