// What moves elements and calculates nothing: loads and stores, counts, other shapes.
#include "lowering/lowering.h"

#include <algorithm>

namespace htp::a2a3 {

void Lowering::iota() {
  int64_t axis = 0;
  const Node last = arguments_.back();
  if (!last || !c.integer(last, &axis) || axis < 0 || arguments_.size() != type_.extents.size() + 2) {
    fail();
    return;
  }
  const Node extent = arguments_[static_cast<size_t>(axis) + 1];
  const Node start = c.is(extent, HTP_Name) ? c.parse(c.show(extent) + ".start", origin_) : c.integer_node(0, origin_);
  const Kind kind = shape_of(type_.extents).kind;
  const Extent along = type_.extents[static_cast<size_t>(axis)];
  if (kind == Kind::single || along.is(1)) return instruction("texpands", {name(target_), start});
  if (kind == Kind::row) return instruction("tci", {name(target_), start});
  Type line = type_;
  line.extents = {Extent::of(1), along};
  const std::string counted = temporary(target_, line);
  instruction("tci", {name(counted), start});
  if (kind == Kind::column) return instruction("tmov", {name(target_), name(counted)});
  // The axis tells, not the extent: rows may be as many as columns.
  if (static_cast<size_t>(axis) + 1 == type_.extents.size())
    return instruction("tcolexpand", {name(target_), name(counted)});
  line.extents = {along, Extent::of(1)};
  const std::string column = temporary(target_, line);
  instruction("tmov", {name(column), name(counted)});
  instruction("trowexpand", {name(target_), name(column)});
}

void Lowering::fill() {
  const bool zeros = std::string_view(handler_.intrinsic) == "tile.zeros";
  instruction("texpands", {name(target_), zeros ? c.integer_node(0, origin_) : copy(arguments_[1])});
}

std::vector<uint32_t> Lowering::place(std::vector<uint32_t> operands, size_t first, size_t end) {
  for (size_t k = first; k < end; ++k) {
    if (!arguments_[k]) continue;
    if (tile_of(arguments_[k])) refuse(Refusal(diag::tile_index, c.show(arguments_[k])));
    operands.push_back(copy(arguments_[k]));
  }
  return operands;
}

bool Lowering::lies_together(const Type &tensor, const std::vector<Extent> &extents, size_t first) {
  const auto several = [&](Node index) {
    const auto part = read_slice(c, index);
    int64_t from = 0, to = 0;
    if (!part || !part->start || !part->stop) return part.has_value();
    if (c.integer(part->start, &from) && c.integer(part->stop, &to)) return to != from + 1;
    return c.show(part->stop) != c.show(part->start) + " + 1";
  };
  size_t behind = 0; // the last such dimension
  for (size_t d = 0; d < extents.size() && first + d < arguments_.size(); ++d)
    if (!extents[d].is(1) || several(arguments_[first + d])) behind = d + 1;
  if (!behind || std::all_of(tensor.extents.begin() + static_cast<ptrdiff_t>(behind), tensor.extents.end(),
                             [](const Extent &e) { return e.is(1); }))
    return true;
  c.report(diag::strided, origin_, c.show(arguments_[first - (first > 1 ? 2 : 1)]));
  failed_ = true;
  return false;
}

// Whether an index leaves out elements of what lies side by side.
bool Lowering::in_steps(size_t first) {
  for (size_t k = first; k < arguments_.size(); ++k) {
    const auto slice = arguments_[k] ? read_slice(c, arguments_[k]) : std::nullopt;
    int64_t step = 1;
    if (!slice || !slice->step || (c.integer(slice->step, &step) && step == 1)) continue;
    refuse(Refusal(diag::index_step, c.show(arguments_[k])));
    return true;
  }
  return false;
}

void Lowering::load() {
  if (in_steps(1)) return;
  if (arguments_.back() && has_keyword("outside")) {
    refuse(Refusal(diag::outside, c.show(call_.call)));
    return;
  }
  const auto tensor = call_.types[0] ? read_type(c, call_.types[0]) : std::nullopt;
  if (tensor && tensor->extents.size() == type_.extents.size() && !lies_together(*tensor, type_.extents, 1)) return;
  instruction("tload", place({name(target_), copy(arguments_[0])}, 1, arguments_.size()));
}

bool Lowering::has_keyword(std::string_view keyword) const {
  for (const Node n : c.get<ast::Call>(call_.call).keywords())
    if (c.get<ast::keyword>(n).arg() == keyword) return true;
  return false;
}

void Lowering::buffer() {
  auto a = c.as<ast::AnnAssign>(call_.statement);
  const auto type = a ? read_type(c, a.annotation()) : std::nullopt;
  if (!type) {
    fail();
    return;
  }
  if (!calculates("tstore", type->dtype)) {
    c.report(diag::no_instruction, origin_, handler_.intrinsic, type->dtype).hint(dtype_hint(type->dtype));
    fail();
    return;
  }
  if (type->space) {
    refuse(Refusal(diag::buffer_space, c.name_of(a.target()), c.show(type->space)));
    return;
  }
  std::vector<uint32_t> parts;
  for (const Node n : c.get<ast::Call>(call_.call).args()) parts.push_back(copy(n));
  statements_.push_back(
      c.assign(c.name_of(a.target()), HTP_NONE, c.call("pto.gm", std::move(parts), origin_), call_.statement));
}

void Lowering::store() {
  if (arguments_.size() < 3 || !arguments_[0] || !call_.types[0]) {
    fail();
    return;
  }
  if (in_steps(2)) return;
  const auto tensor = read_type(c, call_.types[0]);
  const auto tile = tile_of(arguments_[1]);
  if (!tensor || tensor->extents.size() + 2 != arguments_.size()) {
    fail();
    return;
  }
  // What the index stands for.
  Type wanted{.form = "Tile", .dtype = tensor->dtype, .extents = {}, .layout = HTP_NONE, .space = HTP_NONE};
  for (size_t k = 2; k < arguments_.size(); ++k) {
    const std::string text = c.show(arguments_[k]);
    if (text == "whole" || text.ends_with(".whole"))
      wanted.extents.push_back(tensor->extents[k - 2]);
    else if (const auto e = read_extent(c, arguments_[k]); e && !e->name.empty() && !e->sum())
      wanted.extents.push_back(*e);
    else
      wanted.extents.push_back(Extent::of(1));
  }
  std::string from;
  if (!calculates("tstore", tensor->dtype)) {
    c.report(diag::no_instruction, origin_, handler_.intrinsic, tensor->dtype).hint(dtype_hint(tensor->dtype));
    failed_ = true;
    return;
  }
  std::vector<Extent> moved = wanted.extents;
  for (size_t d = 0; tile && tile->extents.size() == moved.size() && d < moved.size(); ++d)
    if (moved[d].is(1)) moved[d] = tile->extents[d];
  if (!check(wanted) || !lies_together(*tensor, moved, 2)) return;
  const Kind to = shape_of(wanted.extents).kind;
  const Kind has = tile ? shape_of(tile->extents).kind : Kind::other;
  type_ = wanted;
  if (!tile) {
    from = c.fresh("filled");
    declare(from, wanted);
    instruction("texpands", {name(from), copy(arguments_[1])});
  } else if (to == Kind::matrix && (has == Kind::row || has == Kind::column)) {
    from = c.fresh("spread");
    declare(from, wanted);
    instruction(has == Kind::row ? "tcolexpand" : "trowexpand", {name(from), copy(arguments_[1])});
  } else {
    from = std::string(c.name_of(arguments_[1]));
  }
  instruction("tstore", place({copy(arguments_[0]), name(from)}, 2, arguments_.size()));
}

void Lowering::transpose() {
  const auto from = tile_of(arguments_[0]);
  if (!from || !check(*from)) return;
  const size_t rank = from->extents.size();
  std::vector<int64_t> axes;
  auto given = c.as<ast::Tuple>(arguments_[1]);
  for (size_t d = 0; d < rank; ++d) {
    axes.push_back(static_cast<int64_t>(d + 1 == rank && rank > 1 ? d - 1 : d + 2 == rank ? d + 1 : d));
    if (given && (given.elts().size() != rank || !c.integer(given.elts()[d], &axes.back()))) {
      fail();
      return;
    }
    if (axes.back() < 0) axes.back() += static_cast<int64_t>(rank);
  }
  std::erase_if(axes, [&](int64_t d) { return from->extents[static_cast<size_t>(d)].is(1); });
  if (std::is_sorted(axes.begin(), axes.end())) return instruction("tmov", {name(target_), copy(arguments_[0])});
  const std::string work = c.fresh("work");
  declare(work, type_);
  instruction("ttrans", {name(target_), copy(arguments_[0]), name(work)});
}

void Lowering::reshape() {
  const auto from = tile_of(arguments_[0]);
  const Shape a = from ? shape_of(from->extents) : Shape{}, b = shape_of(type_.extents);
  const auto line = [](const Shape &s) { return s.kind == Kind::column ? s.rows : s.columns; };
  const bool lines = a.kind != Kind::matrix && b.kind != Kind::matrix && a.kind != Kind::other && line(a) == line(b);
  if (lines || (a.kind == Kind::matrix && b.kind == a.kind && a.rows == b.rows && a.columns == b.columns))
    instruction("tmov", {name(target_), copy(arguments_[0])});
  else if (from)
    refuse(Refusal(diag::reshape, text_of(c, *from), text_of(c, type_)));
  else
    fail();
}

} // namespace htp::a2a3
