// a2a3.select: every intrinsic call of the entry becomes instructions, by its handler (R8).
#include "passes/passes.h"

#include "htp_cpp/select.h"

namespace htp::a2a3 {

namespace {

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

Node select(const Context &c, Node root) {
  root = with_strided_parameters(c, root);
  const bool instructions = has_instructions(c, root);
  const Names names(c, root);
  // Of a tile in a core's memory dimensions of 1 do not count.
  const auto as_load = [&](Node n) {
    const Node load = c.is(n, HTP_Call) ? load_of(c, names, n) : HTP_NONE;
    return load ? load : n;
  };
  // `n: int = 3` is an int like `n = 3`.
  const auto as_int = [&](Node s, std::vector<uint32_t> &out) {
    auto a = c.as<ast::AnnAssign>(s);
    if (!a || c.name_of(a.annotation()) != "int" || c.name_of(a.target()).empty()) return false;
    out.push_back(c.assign(c.name_of(a.target()), HTP_NONE, a.value(), s));
    return true;
  };
  Node selected = select_calls(c, with_entry(c, root, as_load, as_int), diag::no_handler, "htp_pto", "pto", instead);
  if (!selected) return HTP_NONE;
  if (instructions) selected = with_plain_tiles(c, selected);
  selected = without_marks(c, with_hoisted_declarations(c, selected));
  selected = drop_unused_imports(
      c, selected, [](std::string_view path) { return path == "htp_tile" || path.starts_with("htp_tile."); });
  return instructions && verify_selected(c, "", selected) != HTP_OK ? HTP_NONE : selected;
}

} // namespace htp::a2a3
