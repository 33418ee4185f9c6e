#include "analyses/declaration.h"

namespace htp::a2a3 {

Declaration read_declaration(const Context &c, const Names &names, std::string_view name, Node call) {
  auto k = c.get<ast::Call>(call);
  Declaration d;
  Tile &t = d.tile;
  t.name = std::string(name), t.node = call, t.space = spaces;
  d.dtype = k.args().empty() ? "" : names.qualified(k.args()[0]);
  d.dtype = d.dtype.substr(d.dtype.rfind('.') + 1);
  t.dtype = dtype_named(d.dtype);
  for (const Node w : k.keywords()) {
    auto keyword = c.get<ast::keyword>(w);
    const Node value = keyword.value();
    std::string_view text;
    if (keyword.arg() == "at") d.at = value;
    if (keyword.arg() == "space") d.space = value, t.space = c.string(value, &text) ? space_named(text) : nullptr;
    if (keyword.arg() == "layout" && c.string(value, &text))
      t.layout = text == "zn" ? Tile::Layout::zn : text == "nd" ? Tile::Layout::nd : Tile::Layout::usual;
    if (keyword.arg() == "pad" && c.string(value, &text)) t.pad = text;
    if (keyword.arg() == "kept")
      d.kept = c.is(value, HTP_Constant) && c.get<ast::Constant>(value).value().type == HTP_CONST_TRUE;
    if (auto pair = c.as<ast::Tuple>(value); pair && keyword.arg() == "valid" && pair.elts().size() == 2)
      t.valid_rows = pair.elts()[0], t.valid_columns = pair.elts()[1], d.valid = value;
  }
  return d;
}

Refusal Declaration::wrong_dtype() const {
  return tile.dtype || mask() ? Refusal() : Refusal(diag::unknown_dtype, dtype);
}
Refusal Declaration::wrong_space(const Context &c) const {
  return tile.space ? Refusal() : Refusal(diag::unknown_space, c.show(space)).with("choose one of " + space_names());
}

} // namespace htp::a2a3
