// aie.use_matrix_units: products go by the matrix units where what they multiply and add up may lie in
// blocks, `aie.mmul`, and what is made so fits the device.
#include "passes.h"

#include "analyses/blocks.h"
#include "analyses/linking.h"
#include "analyses/on_device.h"

#include "htp_cpp/edit.h"

namespace htp::aie {

namespace {
// Why products are left in rows whose tiles may lie in blocks.
void report_rows(const Context &c, const Statement &product, const Attempt &in_blocks) {
  const Exceeded &first = in_blocks.first;
  const Refusal &why = in_blocks.deadlock ? in_blocks.deadlock.why : first.why;
  auto report = c.report(diag::blocks_exceed, product.node, product.operands.at(0).tile->dtype->name, why.kind.code);
  if (first.of_core && why.is(diag::channels))
    report.hint("let another process load what is not multiplied, and do what it is for, with a channel between");
  else if (!why.hint.empty())
    report.hint(why.hint);
  report.note(why.message);
}

// Whether a core has a product by rows.
bool multiplies(const Context &c, Node root) {
  const Names names(c, root);
  bool found = false;
  c.each(c.entry_function(root), [&](Node n) { found = found || names.called(n) == "htp_aie.matmul"; });
  return found;
}

// The entry with blocks; the one that there is, after a note, where that does not fit. 0 after a report.
Node in_blocks(const Context &c, Node root, bool reports) {
  if (!multiplies(c, root)) return root;
  Program p;
  if (!read_program(c, root, p, refusing(c))) return HTP_NONE;
  const UnitBlocks laid = with_unit_blocks(c, p, p.node);
  if (!laid.entry) return root;
  Program blocks;
  if (!read_made(c, root, p.node, laid.entry, blocks)) return HTP_NONE;
  if (p.alike) return exceeded(blocks) ? root : with_statement(c, root, p.node, laid.entry);
  const Attempt one = with_links(c, root, p.node, laid.entry, blocks);
  if (one.made) return with_statement(c, root, p.node, laid.entry);
  if (reports) report_rows(c, *laid.product, one);
  return root;
}
} // namespace

Result use_matrix_units(const Context &c, Node root, Node &out) {
  out = in_blocks(c, root, true);
  return out ? c.result() : HTP_FAILED;
}

Result verify_in_blocks(const Context &c, std::string_view term, Node root) {
  if (verify_fed(c, term, root) != HTP_OK) return HTP_FAILED;
  const Node made = in_blocks(c, root, false);
  if (made == root) return HTP_OK;
  if (made) c.report(diag::product_rows, c.entry_function(root), c.entry());
  return HTP_FAILED;
}

} // namespace htp::aie
