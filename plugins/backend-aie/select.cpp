// aie.select: every intrinsic call of the entry becomes words of the target, by its handler (R8).
#include "external.h"

#include "htp_cpp/constants.h"
#include "htp_cpp/edit.h"
#include "htp_cpp/select.h"

namespace htp::aie {

namespace {
// What a constant of the program decides: `if CAUSAL:`.
Node with_decided_branches(const Context &c, Node root) {
  const sdk::Constants constants(c, root);
  const Node function = c.entry_function(root);
  const Node decided = rewrite(
      c, function, [](Node n) { return n; },
      [&](Node s, std::vector<uint32_t> &out) {
        auto f = c.as<ast::If>(s);
        const auto known = f ? constants.number(f.test()) : std::nullopt;
        if (!known) return false;
        const Nodes taken = known->as_double() != 0 ? f.body() : f.orelse();
        out.insert(out.end(), taken.begin(), taken.end());
        return true;
      });
  return with_statement(c, root, function, decided);
}

std::string instead(std::string_view intrinsic) {
  static constexpr std::pair<std::string_view, std::string_view> forms[] = {
#define MISSING(name, form) {name, form},
#include "missing.def"
  };
  for (const auto &[name, form] : forms)
    if (name == intrinsic) return std::string(form);
  return {};
}
} // namespace

Result select(const Context &c, Node root, Node &out) {
  if (!c.entry_function(root)) {
    c.report(diag::no_entry, HTP_NONE, c.entry());
    return HTP_FAILED;
  }
  const Node selected =
      select_calls(c, without_caches(c, with_decided_branches(c, root)), diag::no_handler, "htp_aie", "aie", instead);
  if (!selected) return HTP_FAILED;
  out = drop_unused_imports(c, with_room_for_calls(c, selected),
                            [](std::string_view path) { return path == "htp_tile" || path.starts_with("htp_tile."); });
  return c.result();
}

} // namespace htp::aie
