// aie.link_streams: streams of named cores that are more than a core, or the shims, have channels pass a memory tile
// together, `link='x_in_link'`.
#include "passes.h"

#include "analyses/linking.h"
#include "analyses/links.h"
#include "analyses/on_device.h"

#include "htp_cpp/edit.h"

namespace htp::aie {

Result link_streams(const Context &c, Node root, Node &out) {
  out = root;
  Program p;
  if (!read_program(c, root, p, refusing(c))) return HTP_FAILED;
  if (p.alike) {
    if (const Exceeded found = exceeded(p)) report(c, found, p.node);
    return c.result();
  }
  if (links(p, cores_per_column).empty()) return HTP_OK;
  const Attempt one = with_links(c, root, p.node, p.node, p);
  if (one.made)
    out = with_statement(c, root, p.node, one.made);
  else
    one.report(c, p.node);
  return one.made ? c.result() : HTP_FAILED;
}

} // namespace htp::aie
