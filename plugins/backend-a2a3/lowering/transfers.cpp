// What moves elements and calculates nothing: loads and stores, counts, other shapes.
#include "lowering/lowering.h"

#include "htp_cpp/layout/annotation.h"
#include "htp_cpp/saturated.h"

#include <algorithm>

namespace htp::a2a3 {

namespace {
Extent in_multiples(const Extent &e, int64_t of) {
  return e.name.empty() ? Extent::of(sdk::round_up_sat(e.size, of)) : e;
}
} // namespace

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

bool Lowering::is_several(Node index) const {
  const auto part = read_slice(c, index);
  int64_t from = 0, to = 0;
  if (!part || !part->start || !part->stop) return part.has_value();
  if (c.integer(part->start, &from) && c.integer(part->stop, &to)) return to != from + 1;
  return c.show(part->stop) != c.show(part->start) + " + 1";
}

std::optional<Lowering::Way> Lowering::way_of(const Type &tensor, const std::vector<Extent> &extents, size_t first) {
  if (const Strided lies = strided_of(c, tensor)) return strided_way(lies, extents, first);
  size_t behind = 0, lines = 0; // the last dimension of more than one index, and how many there are
  for (size_t d = 0; d < extents.size() && first + d < arguments_.size(); ++d)
    if (!extents[d].is(1) || is_several(arguments_[first + d])) behind = d + 1, ++lines;
  if (std::all_of(tensor.extents.begin() + static_cast<ptrdiff_t>(behind), tensor.extents.end(),
                  [](const Extent &e) { return e.is(1); }))
    return Way::straight;
  return lines ? apart(extents, lines) : Way::straight;
}

std::optional<Lowering::Way> Lowering::apart(const std::vector<Extent> &extents, size_t lines) {
  const Kind kind = shape_of(extents).kind;
  if (lines == 1 && (kind == Kind::row || kind == Kind::column)) return Way::apart;
  fail(); // a matrix has its last dimension as columns, and a2a3.lay_in_rows has left no other steps
  return std::nullopt;
}

std::optional<Lowering::Way> Lowering::strided_way(const Strided &lies, const std::vector<Extent> &extents,
                                                   size_t first) {
  std::vector<size_t> lines; // dimensions of more than one index
  for (size_t d = 0; d < lies.steps.size() && first + d < arguments_.size(); ++d) {
    Node &index = arguments_[first + d];
    const bool several = is_several(index);
    // `p:p + 1` is `p`: the tile has no dimension of it.
    if (const auto part = read_slice(c, index); part && part->start && !several) index = part->start;
    if (lies.shape[d] > 1 && (several || (d < extents.size() && !extents[d].is(1)))) lines.push_back(d);
  }
  if (lines.empty() || lies.steps[lines.back()] == 1) return Way::straight;
  if (lines.size() == 2 && lies.steps[lines[0]] == 1) return Way::turned;
  return apart(extents, lines.size());
}

Type Lowering::turned_type() const {
  Type turned = type_;
  const Shape shape = shape_of(type_.extents);
  turned.extents = {shape.columns, shape.rows};
  return turned;
}

void Lowering::turn(const std::string &to, Node from, const Type &type) {
  // It works in boxes, which extents that are numbers need not fill.
  Type boxes = type;
  const int64_t bytes = dtype_named(type.dtype) ? dtype_named(type.dtype)->bytes : 4;
  if (const Shape shape = shape_of(type.extents); shape.kind == Kind::matrix)
    boxes.extents = {in_multiples(shape.rows, 32 / bytes), in_multiples(shape.columns, bytes == 1 ? 32 : 16)};
  const std::string work = c.fresh("work");
  declare(work, boxes);
  instruction("ttrans", {name(to), from, name(work)});
}

std::string Lowering::declare_lines(const Type &type) {
  const Shape shape = shape_of(type.extents);
  const std::string lines = c.fresh("lines");
  const Node nd = c.make(make::keyword{.arg = "layout", .value = c.string_node("nd", origin_)}, origin_);
  const Extent &count = shape.kind == Kind::column ? shape.rows : shape.columns;
  statements_.push_back(c.assign(
      lines, HTP_NONE,
      c.call("pto.tile", {c.path(spelled(type), origin_), write_extent(c, count, origin_), c.integer_node(1, origin_)},
             origin_, {nd}),
      call_.statement));
  return lines;
}

// A tile of the elements of another one as a row: itself, or, of a column, a new one.
std::string Lowering::as_row(const std::string &tile, const Type &type) {
  const Shape shape = shape_of(type.extents);
  if (shape.kind != Kind::column) return tile;
  Type row = type;
  row.extents = {Extent::of(1), shape.rows};
  return temporary(tile, row);
}

// Between the lines and a row; of a column its elements lie as those of a row do.
void Lowering::turn_lines(const std::string &to, const std::string &from, const Type &type) {
  const int64_t bytes = dtype_named(type.dtype) ? dtype_named(type.dtype)->bytes : 4;
  const Shape shape = shape_of(type.extents);
  Type boxes = type;
  boxes.extents = {in_multiples(shape.kind == Kind::column ? shape.rows : shape.columns, bytes == 1 ? 32 : 16),
                   Extent::of(32 / bytes)};
  const std::string work = c.fresh("work");
  declare(work, boxes);
  instruction("ttrans", {name(to), name(from), name(work)});
}

void Lowering::transfer(std::string_view instruction, std::vector<uint32_t> operands, bool turned) {
  if (!turned) return this->instruction(instruction, std::move(operands));
  if (!calculates("ttrans", type_.dtype)) {
    lacks(type_.dtype);
    return;
  }
  const Node keyword = c.make(make::keyword{.arg = "turned", .value = c.parse("True", origin_)}, origin_);
  statements_.push_back(
      c.statement(c.call("pto." + std::string(instruction), std::move(operands), origin_, {keyword}), call_.statement));
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
  Way way = Way::straight;
  if (tensor && tensor->extents.size() == type_.extents.size()) {
    const auto found = way_of(*tensor, type_.extents, 1);
    if (!found) return;
    way = *found;
  } else if (tensor && strided_of(c, *tensor)) {
    fail();
    return;
  }
  if (way == Way::straight)
    return instruction("tload", place({name(target_), copy(arguments_[0])}, 1, arguments_.size()));
  if (way == Way::apart) {
    if (!calculates("ttrans", type_.dtype)) {
      lacks(type_.dtype);
      return;
    }
    const std::string apart = declare_lines(type_);
    instruction("tload", place({name(apart), copy(arguments_[0])}, 1, arguments_.size()));
    const std::string row = as_row(target_, type_);
    turn_lines(row, apart, type_);
    if (row != target_) instruction("tmov", {name(target_), name(row)});
    return;
  }
  const std::string lines = c.fresh(target_ + "_turned");
  declare(lines, turned_type());
  transfer("tload", place({name(lines), copy(arguments_[0])}, 1, arguments_.size()), true);
  turn(target_, name(lines), type_);
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

// The block whose indices an index stands for, moved and spread or not; a2a3.mark_indices has marked what are ints.
std::string Lowering::block_of(Node index) const {
  if (auto b = c.as<ast::BinOp>(index)) {
    const std::string left = block_of(b.left());
    return left.empty() ? block_of(b.right()) : left;
  }
  if (auto u = c.as<ast::UnaryOp>(index)) return block_of(u.operand());
  return std::string(c.name_of(index));
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
    const auto part = read_slice(c, arguments_[k]);
    const auto length = part && part->start && part->stop ? slice_length(c, *part) : std::nullopt;
    if (length)
      wanted.extents.push_back(Extent::of(*length));
    else if (text == "whole" || text.ends_with(".whole"))
      wanted.extents.push_back(tensor->extents[k - 2]);
    else if (const std::string block = block_of(arguments_[k]); !block.empty())
      wanted.extents.push_back({block, 0});
    else
      wanted.extents.push_back(Extent::of(1));
  }
  std::string from;
  if (!calculates("tstore", tensor->dtype)) {
    c.report(diag::no_instruction, origin_, handler_.intrinsic, tensor->dtype).hint(dtype_hint(tensor->dtype));
    failed_ = true;
    return;
  }
  for (size_t d = 0; tile && tile->extents.size() == wanted.extents.size() && d < wanted.extents.size(); ++d)
    if (wanted.extents[d].is(1)) wanted.extents[d] = tile->extents[d];
  const auto way = check(wanted) ? way_of(*tensor, wanted.extents, 2) : std::nullopt;
  if (!way) return;
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
  } else if (has == Kind::single && (to == Kind::row || to == Kind::column || to == Kind::matrix)) {
    target_ = "spread";
    from = std::string(c.name_of(whole(copy(arguments_[1]), *tile, wanted)));
  } else {
    from = std::string(c.name_of(arguments_[1]));
  }
  if (*way == Way::turned) {
    const std::string lines = c.fresh(from + "_turned");
    declare(lines, turned_type());
    turn(lines, name(from), turned_type());
    from = lines;
  }
  if (*way == Way::apart) {
    if (!calculates("ttrans", type_.dtype)) {
      lacks(type_.dtype);
      return;
    }
    const std::string row = as_row(from, tile ? *tile : wanted);
    if (row != from) instruction("tmov", {name(row), name(from)});
    from = declare_lines(wanted);
    turn_lines(from, row, wanted);
  }
  transfer("tstore", place({copy(arguments_[0]), name(from)}, 2, arguments_.size()), *way == Way::turned);
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
  turn(target_, copy(arguments_[0]), type_);
}

void Lowering::relayout() {
  if (!tile_of(arguments_[0])) {
    fail();
    return;
  }
  const auto type = read_type(c, call_.types[0]);
  for (const Node layout : {arguments_[1], type ? type->layout : HTP_NONE}) {
    const auto read = layout ? std::optional(read_layout(c, layout)) : std::nullopt;
    if (!read || (*read && layout::units_of(**read).empty())) continue;
    c.report(diag::no_handler, origin_, handler_.intrinsic)
        .hint("leave the layout to the compiler: one device holds all of a tile");
    failed_ = true;
    return;
  }
  c.report(diag::free_relayout, arguments_[1], c.show(arguments_[1]));
  instruction("tmov", {name(target_), copy(arguments_[0])});
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
