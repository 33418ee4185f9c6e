// What stands where along the rows of a tile: the largest elements, and elements at given places. There is no access to
// single elements: masks say which column is meant.
#include "lowering/lowering.h"

namespace htp::a2a3 {

namespace {
constexpr double later = 1 << 20; // more than a row has elements: what comes behind all others
constexpr double taken = 1e30;
} // namespace

Type Lowering::like(const Type &type, const char *dtype) {
  Type changed = type;
  changed.dtype = dtype;
  return changed;
}

std::string Lowering::counted(const Type &type) {
  Type line = like(type, "i32");
  line.extents = {Extent::of(1), shape_of(type.extents).columns};
  const std::string whole = temporary(target_, line), row = temporary(target_, like(line, "f32"));
  instruction("tci", {name(whole), c.integer_node(0, origin_)});
  instruction("tcvt", {name(row), name(whole), c.string_node("RINT", origin_)});
  if (shape_of(type.extents).kind == Kind::row) return row;
  const std::string all = temporary(target_, like(type, "f32"));
  instruction("tcolexpand", {name(all), name(row)});
  return all;
}

void Lowering::each(Node times, const std::function<void(Node)> &body) {
  std::vector<uint32_t> before = std::move(statements_);
  statements_.clear();
  const std::string n = c.fresh("n");
  body(c.name(n, origin_));
  make::For loop{.target = c.name(n, origin_, HTP_STORE),
                 .iter = c.call("range", {times}, origin_),
                 .body = std::move(statements_)};
  statements_ = std::move(before);
  statements_.push_back(c.make(loop, call_.statement));
}

void Lowering::largest() {
  const auto from = tile_of(arguments_[0]);
  const int64_t most = type_.extents.back().name.empty() ? type_.extents.back().size : 0;
  if (!along_rows(from ? &*from : nullptr)) {
    refuse(Refusal(diag::along_rows, handler_.intrinsic)
               .with("look along the last dimension, of the transpose: `argmax(transpose(x), axis=1)`"));
    return;
  }
  if (from->dtype != "f32") {
    lacks(from->dtype);
    return;
  }
  const Type numbers = like(*from, "f32");
  const std::string place = counted(*from), value = temporary(target_, numbers), other = temporary(target_, numbers),
                    work = temporary(target_, numbers), mask = temporary(target_, like(*from, "bool_"));
  const auto string = [&](const char *text) { return c.string_node(text, origin_); };
  const auto infinite = [&](const char *text) { return c.parse(text, origin_); };
  const Node x = arguments_[0];
  // NaN counts as infinity, and stands before the others that do; what is negative stands later: of equals -0 alone.
  instruction("tcmp", {name(mask), copy(x), copy(x), string("EQ")});
  instruction("tsels", {name(value), name(mask), copy(x), name(choosing()), infinite("float('inf')")});
  instruction("tadds", {name(other), name(place), number(later)});
  instruction("tsel", {name(place), name(mask), name(other), name(place), name(choosing())});
  instruction("trecip", {name(other), copy(x)});
  instruction("tcmps", {name(mask), name(other), number(0), string("LT")});
  instruction("tadds", {name(other), name(place), number(later)});
  instruction("tsel", {name(place), name(mask), name(other), name(place), name(choosing())});

  Type column = numbers;
  column.extents = {shape_of(from->extents).rows, Extent::of(1)};
  const std::string found = temporary(target_, column);
  // The first of the largest ones: which is taken then.
  const auto next = [&] {
    instruction("trowmax", {name(found), name(value), name(work)});
    instruction("trowexpand", {name(other), name(found)});
    instruction("tcmp", {name(mask), name(value), name(other), string("EQ")});
    instruction("tsels", {name(other), name(mask), name(place), name(choosing()), number(taken)});
    instruction("trowmin", {name(found), name(other), name(work)});
  };
  std::string result = found;
  if (most == 1) {
    next();
  } else {
    const Type wide = like(type_, "f32");
    const std::string columns = counted(type_), spread = temporary(target_, wide),
                      chosen = temporary(target_, like(type_, "bool_"));
    result = temporary(target_, wide);
    instruction("texpands", {name(result), number(0)});
    each(c.integer_node(most, origin_), [&](Node n) {
      next();
      instruction("trowexpand", {name(other), name(found)});
      instruction("tcmp", {name(mask), name(place), name(other), string("EQ")});
      instruction("tnot", {name(mask), name(mask)});
      instruction("tsels", {name(value), name(mask), name(value), name(choosing()), infinite("float('-inf')")});
      instruction("tsels", {name(place), name(mask), name(place), name(choosing()), number(taken)});
      instruction("trowexpand", {name(spread), name(found)});
      instruction("tcmps", {name(chosen), name(columns), n, string("EQ")});
      instruction("tsels", {name(spread), name(chosen), name(spread), name(choosing()), number(0)});
      instruction("tadd", {name(result), name(result), name(spread)});
    });
  }
  // The remainder of a division by `later`: 0 to 2 times it less.
  Type exact = result == found ? column : like(type_, "f32");
  const std::string less = temporary(target_, exact), times = temporary(target_, exact);
  instruction("tmuls", {name(times), name(result), number(0)});
  for (const double multiple : {later, 2 * later}) {
    instruction("tadds", {name(less), name(result), number(1 - multiple)});
    instruction("tmaxs", {name(less), name(less), number(0)});
    instruction("tmins", {name(less), name(less), number(1)});
    instruction("tadd", {name(times), name(times), name(less)});
  }
  instruction("tmuls", {name(times), name(times), number(-later)});
  instruction("tadd", {name(result), name(result), name(times)});
  instruction("tcvt", {name(target_), name(result), string("RINT")});
}

void Lowering::gather() {
  const auto from = tile_of(arguments_[0]), at = tile_of(arguments_[1]);
  const Shape shape = from ? shape_of(from->extents) : Shape{}, wanted = at ? shape_of(at->extents) : Shape{};
  if (arguments_.size() != 3 || !along_rows(from ? &*from : nullptr) || !at || wanted.kind == Kind::other) {
    refuse(Refusal(diag::along_rows, handler_.intrinsic)
               .with("gather along the last dimension: `transpose` the tile before and after"));
    return;
  }
  const bool one = wanted.kind == Kind::single || wanted.kind == Kind::column; // for each row
  if (shape.kind == Kind::row ? wanted.kind == Kind::matrix || wanted.kind == Kind::column
                              : wanted.kind == Kind::row || wanted.kind == Kind::single || wanted.rows != shape.rows) {
    refuse(Refusal(diag::gather_indices, text_of(c, *at), text_of(c, *from)));
    return;
  }
  const Type numbers = like(*from, "f32"), wide = like(*at, "f32");
  const std::string place = counted(*from), index = temporary(target_, wide), other = temporary(target_, numbers),
                    work = temporary(target_, numbers), mask = temporary(target_, like(*from, "bool_"));
  const auto equal = [&] { return c.string_node("EQ", origin_); };
  // What leaves any number what it is where it is added, NaN and -0 too.
  const auto nothing = [&] { return c.parse("-0.0", origin_); };
  // What stands at a place of each row.
  const auto found_at = [&](const std::string &to, const std::string &places) {
    instruction("trowexpand", {name(other), name(places)});
    instruction("tcmp", {name(mask), name(place), name(other), equal()});
    instruction("tsels", {name(other), name(mask), copy(arguments_[0]), name(choosing()), nothing()});
    instruction("trowsum", {name(to), name(other), name(work)});
  };
  instruction("tcvt", {name(index), copy(arguments_[1]), c.string_node("RINT", origin_)});
  if (one) return found_at(target_, index);
  Type column = numbers;
  column.extents = {shape.rows, Extent::of(1)};
  const std::string columns = counted(wide), part = temporary(target_, wide), part_work = temporary(target_, wide),
                    chosen = temporary(target_, like(*at, "bool_")), found = temporary(target_, column);
  instruction("texpands", {name(target_), nothing()});
  each(count_of(wanted.columns), [&](Node n) {
    // The place that this column says, and what stands there.
    instruction("tcmps", {name(chosen), name(columns), n, equal()});
    instruction("tsels", {name(part), name(chosen), name(index), name(choosing()), number(-1)});
    instruction("trowmax", {name(found), name(part), name(part_work)});
    found_at(found, found);
    instruction("trowexpand", {name(part), name(found)});
    instruction("tsels", {name(part), name(chosen), name(part), name(choosing()), nothing()});
    instruction("tadd", {name(target_), name(target_), name(part)});
  });
}

// An extent as an int: of a block its indices.
Node Lowering::count_of(const Extent &extent) const {
  if (extent.name.empty() || extent.sum()) return write_extent(c, extent, origin_);
  return c.call("len", {write_extent(c, extent, origin_)}, origin_);
}

// Column by column: of the elements up to it what they are together.
void Lowering::scan() {
  const auto from = tile_of(arguments_[0]);
  const Shape shape = from ? shape_of(from->extents) : Shape{};
  if (!along_rows(from ? &*from : nullptr)) {
    refuse(Refusal(diag::along_rows, handler_.intrinsic)
               .with("scan along the last dimension: `transpose` the tile before and after"));
    return;
  }
  if (from->dtype != "f32") {
    lacks(from->dtype);
    return;
  }
  const std::string w(instruction_), place = counted(*from), part = temporary(target_, *from),
                                     work = temporary(target_, *from), mask = temporary(target_, like(*from, "bool_"));
  Type column = *from;
  column.extents = {shape.rows, Extent::of(1)};
  const std::string found = temporary(target_, column);
  const auto string = [&](const char *text) { return c.string_node(text, origin_); };
  const auto nothing = [&] {
    return w == "sum" ? number(0) : c.parse(w == "max" ? "float('-inf')" : "float('inf')", origin_);
  };
  // What leaves any number what it is where it is added, NaN and -0 too.
  const auto none = [&] { return c.parse("-0.0", origin_); };
  instruction("texpands", {name(target_), none()});
  each(count_of(shape.columns), [&](Node n) {
    instruction("tcmps", {name(mask), name(place), n, string("LE")});
    instruction("tsels", {name(part), name(mask), copy(arguments_[0]), name(choosing()), nothing()});
    instruction("trow" + w, {name(found), name(part), name(work)});
    instruction("trowexpand", {name(part), name(found)});
    instruction("tcmps", {name(mask), name(place), copy(n), string("EQ")});
    instruction("tsels", {name(part), name(mask), name(part), name(choosing()), none()});
    instruction("tadd", {name(target_), name(target_), name(part)});
  });
}

bool Lowering::along_rows(const Type *type) const {
  int64_t axis = 0;
  const Node last = arguments_.empty() ? HTP_NONE : arguments_.back();
  if (!type || !last || !c.integer(last, &axis)) return false;
  const Kind kind = shape_of(type->extents).kind;
  if (kind != Kind::matrix && kind != Kind::row) return false;
  const auto rank = static_cast<int64_t>(type->extents.size());
  return axis == rank - 1 || axis == -1;
}

} // namespace htp::a2a3
