// acme-tools: reads another plugin's analysis, acme.cost, and runs outermost loops over blocks in parallel.
#include "htp_cpp/plugin.h"
#include "htp_cpp/names.h"

#include <algorithm>
#include <map>

namespace {

using namespace htp::sdk;

std::map<Node, int64_t> costs(const Context &c, Node root) {
  std::map<Node, int64_t> result;
  if (const htp_table *table = c.host()->analysis(c.ctx(), "acme.cost", root))
    for (size_t i = 0; i < table->count; ++i) result[table->rows[i].key] = table->rows[i].value.u.i;
  return result;
}

// The loops of the entry's body, not those inside them, that do some work one block after the other.
std::vector<Node> sequential_loops(const Context &c, Node root) {
  const Names names(c, root);
  const auto cost = costs(c, root);
  std::vector<Node> result;
  for (const Node s : c.get<ast::FunctionDef>(c.entry_function(root)).body()) {
    auto loop = c.as<ast::For>(s);
    const auto it = cost.find(s);
    if (loop && it != cost.end() && it->second > 0 && names.called(loop.iter()) == "htp_tile.tiles")
      result.push_back(s);
  }
  return result;
}

constexpr DiagKind nothing{"acme-tools.nothing-to-spread", HTP_NOTE, "nothing to spread"};

Result spread(const Context &c, Node root, Node &out) {
  const auto loops = sequential_loops(c, root);
  if (loops.empty()) c.report(nothing, c.entry_function(root));
  out = htp::sdk::rewrite(
      c, root, [](Node n) { return n; },
      [&](Node s, std::vector<uint32_t> &to) {
        if (std::find(loops.begin(), loops.end(), s) == loops.end()) return false;
        auto loop = c.read<ast::For>(s);
        const Node level = c.make(make::keyword{.arg = "level", .value = c.string_node("core", s)}, s);
        loop.iter = c.call("htp.parallel", {loop.iter}, s, {level});
        to.push_back(c.with(s, loop));
        return true;
      });
  return c.result();
}

Result is_spread(const Context &c, std::string_view, Node root) {
  return sequential_loops(c, root).empty() ? HTP_OK : HTP_FAILED;
}

constexpr htp_diag_info diagnostics[] = {
    {nothing.code, nothing.severity, nothing.summary,
     "No loop over blocks in the entry does any work, so there is nothing to run in parallel."}};
const htp_unit units[] = {pass_unit<spread>("acme-tools.spread"), verifier_unit<is_spread>("acme-tools.is-spread")};

} // namespace

HTP_PLUGIN("acme.tools", "0.9.1", units, diagnostics)
