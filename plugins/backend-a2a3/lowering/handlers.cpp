// a2a3.handlers: a call that makes a value becomes instructions that write it to a tile.
#include "lowering/lowering.h"

#include <algorithm>

namespace htp::a2a3 {

using sdk::decompose::Function;

namespace {
constexpr Row forms[] = {
#define HANDLER(from, form, instruction) {Form::form, instruction},
#include "lowering/handlers.def"
};
} // namespace

std::vector<uint32_t> Lowering::run() {
  const Row &row = forms[&handler_ - handler_rows];
  instruction_ = row.instruction;
  if (row.form == Form::store) {
    store();
  } else if (row.form == Form::value) { // the pass has made what is an input's element an int
    refuse(Refusal(diag::not_element, c.show(call_.call)));
  } else if (row.form == Form::buffer) {
    buffer();
  } else if (restate(row)) {
    return failed_ ? std::vector<uint32_t>() : statements_;
  } else if (begin(row)) {
    arguments_.resize(std::max(arguments_.size(), size_t{2})); // a call of too few says so where they are used
    switch (row.form) {
    case Form::binary:
      if (instruction_ == "div" && type_.dtype == "i32")
        divide();
      else
        binary(instruction_, target_, arguments_[0], arguments_[1]);
      break;
    case Form::unary: instruction(instruction_, {name(target_), copy(arguments_[0])}); break;
    case Form::bits: bits(); break;
    case Form::cast: cast(); break;
    case Form::compare: compare(); break;
    case Form::iota: iota(); break;
    case Form::where: where(); break;
    case Form::erf: decomposed(Function::erf); break;
    case Form::fill: fill(); break;
    case Form::gather: gather(); break;
    case Form::largest: largest(); break;
    case Form::load: load(); break;
    case Form::power: power(); break;
    case Form::product: product(); break;
    case Form::reduce: reduce(); break;
    case Form::relayout: relayout(); break;
    case Form::reshape: reshape(); break;
    case Form::sigmoid: decomposed(Function::sigmoid); break;
    case Form::sine: decomposed(Function::sin); break;
    case Form::cosine: decomposed(Function::cos); break;
    case Form::tanh: decomposed(Function::tanh_by_one_exp); break;
    case Form::transpose: transpose(); break;
    case Form::divide: divide(); break;
    case Form::round: round_off(); break;
    case Form::scan: scan(); break;
    case Form::shift: shift(); break;
    case Form::restated: lacks(type_.dtype); break; // of a dtype that it is not restated for
    case Form::buffer:
    case Form::value:
    case Form::store: break;
    }
    if (final_ != target_) instruction("tmov", {name(final_), name(target_)});
  }
  return failed_ ? std::vector<uint32_t>() : statements_;
}

bool Lowering::begin(const Row &row) {
  const auto type = read_type(c, call_.type);
  if (!type || type->form != "Tile") return fail();
  type_ = *type;
  if (!check(type_) || !check_dtype(row)) return false;
  if (auto a = c.as<ast::AnnAssign>(call_.statement)) {
    final_ = target_ = std::string(c.name_of(a.target()));
    declare(target_, type_);
    return true;
  }
  auto a = c.as<ast::Assign>(call_.statement);
  if (!a || a.targets().size() != 1) return fail();
  final_ = std::string(c.name_of(a.targets()[0]));
  const bool adds = row.form == Form::product && sums_up(); // in place
  target_ = row.form == Form::fill || adds ? final_ : temporary(final_, type_);
  return true;
}

bool Lowering::check_dtype(const Row &row) {
  if (row.form == Form::cast || row.form == Form::compare) return true;
  const std::string_view instruction = row.form == Form::reduce && row.instruction == "sum" ? "sum" : row.instruction;
  if (calculates(instruction, type_.dtype) || (row.instruction == "div" && type_.dtype == "i32")) return true;
  if ((row.form == Form::divide || row.instruction == "div") &&
      (type_.dtype == "i16" || type_.dtype == "i8" || type_.dtype == "u8"))
    return c.report(diag::no_instruction, origin_, handler_.intrinsic, type_.dtype)
               .hint("divide in i32: `cast(cast(x, i32) // 4, " + type_.dtype + ")`"),
           failed_ = true, false;
  if (row.form == Form::product && type_.dtype == "i8") {
    std::string sum = "i32";
    for (const Extent &e : type_.extents) sum += ", " + e.text();
    return c.report(diag::no_instruction, origin_, handler_.intrinsic, type_.dtype)
               .hint("add up in i32: `matmul(a, b, zeros(" + sum + "))`"),
           failed_ = true, false;
  }
  return lacks(type_.dtype);
}

bool Lowering::lacks(std::string_view dtype) {
  failed_ = true;
  // The load reports what cannot be loaded; nothing else reports what is no dtype.
  static constexpr std::string_view unloaded[] = {"f64", "i64", "u64", "u32", "u16"};
  const bool reported =
      (dtype.starts_with("f8") || std::find(std::begin(unloaded), std::end(unloaded), dtype) != std::end(unloaded)) &&
      !calculates("tload", dtype);
  if (std::string_view(handler_.intrinsic) == "tile.load" || !reported)
    c.report(diag::no_instruction, origin_, handler_.intrinsic, dtype).hint(dtype_hint(dtype));
  return false;
}

bool Lowering::check(const Type &type) {
  if (shape_of(type.extents).kind != Kind::other) return true;
  return refuse(Refusal(diag::too_many_dimensions, text_of(c, type)));
}

void Lowering::declare(const std::string &tile, const Type &type) {
  std::vector<uint32_t> parts{c.path(spelled(type), origin_)};
  const Shape shape = shape_of(type.extents);
  for (const Extent &e : type.extents.size() > 2 ? std::vector{shape.rows, shape.columns} : type.extents)
    parts.push_back(write_extent(c, e, origin_));
  statements_.push_back(c.assign(tile, HTP_NONE, c.call("pto.tile", std::move(parts), origin_), call_.statement));
}

std::string Lowering::temporary(const std::string &stem, const Type &type) {
  std::string tile = c.fresh(stem + "_new");
  declare(tile, type);
  return tile;
}

std::string Lowering::spelled(const Type &type) const {
  std::vector<Node> annotations(call_.types, call_.types + call_.count);
  annotations.push_back(call_.type);
  for (const Node n : annotations) {
    const auto seen = n ? read_type(c, n) : std::nullopt;
    if (!seen || seen->dtype != type.dtype) continue;
    auto s = c.as<ast::Subscript>(n);
    while (s && !c.is(s.slice(), HTP_Tuple)) s = c.as<ast::Subscript>(s.slice());
    if (s) return c.dotted(c.get<ast::Tuple>(s.slice()).elts()[0]);
  }
  return "htp." + type.dtype;
}

void Lowering::instruction(std::string_view name, std::vector<uint32_t> operands) {
  if (std::find(operands.begin(), operands.end(), HTP_NONE) != operands.end()) {
    fail();
    return;
  }
  statements_.push_back(c.statement(c.call("pto." + std::string(name), std::move(operands), origin_), call_.statement));
}

bool Lowering::refuse(const Refusal &why) {
  why.report(c, origin_);
  return fail();
}

std::optional<Type> Lowering::tile_of(Node operand) const {
  for (size_t k = 0; k < call_.count; ++k)
    if (arguments_[k] == operand && call_.types[k])
      if (const auto type = read_type(c, call_.types[k]); type && type->form == "Tile") return type;
  return std::nullopt;
}

void Lowering::binary(std::string_view operation, const std::string &to, Node a, Node b) {
  const auto left = tile_of(a), right = tile_of(b);
  const std::string w(operation);
  if (!left && !right) {
    fail();
  } else if (!right) {
    instruction("t" + w + "s", {name(to), copy(a), copy(b)});
  } else if (!left) {
    if (operation == "sub") { // n - x is -x + n
      instruction("tneg", {name(to), copy(b)});
      instruction("tadds", {name(to), name(to), copy(a)});
    } else if (operation == "div") {
      instruction("tdivs", {name(to), copy(a), copy(b)});
    } else {
      instruction("t" + w + "s", {name(to), copy(b), copy(a)});
    }
  } else {
    spread(w, to, a, *left, b, *right);
  }
}

void Lowering::spread(const std::string &w, const std::string &to, Node a, const Type &left, Node b,
                      const Type &right) {
  if (!check(left) || !check(right)) return;
  const Kind result = shape_of(type_.extents).kind, l = shape_of(left.extents).kind, r = shape_of(right.extents).kind;
  if (l == r && l == result) {
    instruction("t" + w, {name(to), copy(a), copy(b)});
  } else if (result == Kind::row && ((l == result && r == Kind::single) || (r == result && l == Kind::single))) {
    instruction("trowexpand" + w, {name(to), copy(a), copy(b)}); // a column of one row
  } else if (result == Kind::matrix && (l == Kind::single || r == Kind::single)) {
    Type row = l == Kind::single ? left : right;
    row.extents = {Extent::of(1), shape_of(type_.extents).columns};
    const std::string line = temporary(to, row);
    instruction("trowexpand", {name(line), copy(l == Kind::single ? a : b)});
    if (l == Kind::single)
      spread(w, to, name(line), row, b, right);
    else
      spread(w, to, a, left, name(line), row);
  } else if (result == Kind::matrix && ((l == result && r == Kind::column) || (r == result && l == Kind::column))) {
    instruction("trowexpand" + w, {name(to), copy(a), copy(b)});
  } else if (result == Kind::matrix && l == result && r == Kind::row) {
    instruction("tcolexpand" + w, {name(to), copy(a), copy(b)});
  } else if (result == Kind::matrix && l == Kind::row && r == result) {
    instruction("tcolexpand", {name(to), copy(a)});
    instruction("t" + w, {name(to), name(to), copy(b)});
  } else if (l == Kind::column && r == Kind::row && result == Kind::matrix) {
    instruction("trowexpand", {name(to), copy(a)});
    instruction("tcolexpand" + w, {name(to), name(to), copy(b)});
  } else if (l == Kind::row && r == Kind::column && result == Kind::matrix) {
    instruction("tcolexpand", {name(to), copy(a)});
    instruction("trowexpand" + w, {name(to), name(to), copy(b)});
  } else {
    const Node x = whole(copy(a), left, type_), y = whole(copy(b), right, type_);
    instruction("t" + w, {name(to), x, y});
  }
}

Node Lowering::whole(Node operand, const Type &like) {
  const auto type = tile_of(operand);
  if (type) return check(*type) ? whole(copy(operand), *type, like) : HTP_NONE;
  const std::string tile = temporary(target_, like);
  instruction("texpands", {name(tile), copy(operand)});
  return name(tile);
}

Node Lowering::whole(Node operand, const Type &type, const Type &like) {
  const Kind has = shape_of(type.extents).kind, wanted = shape_of(like.extents).kind;
  if (has == wanted) return operand;
  if (type.dtype == "bool_") return whole_mask(operand, type, like);
  Type full = like;
  full.dtype = type.dtype;
  Node line = operand;
  if (has == Kind::single) { // a row of it first
    Type row = full;
    const Shape shape = shape_of(like.extents);
    row.extents = {Extent::of(1), wanted == Kind::column ? shape.rows : shape.columns};
    const std::string made = temporary(target_, row);
    instruction("trowexpand", {name(made), operand});
    line = name(made);
    if (wanted == Kind::row) return line;
  }
  const std::string tile = temporary(target_, full);
  instruction(wanted == Kind::column ? "tmov" : has == Kind::column ? "trowexpand" : "tcolexpand", {name(tile), line});
  return name(tile);
}

// A mask that counts for a whole tile: as numbers it is spread.
Node Lowering::whole_mask(Node mask, const Type &type, const Type &like) {
  const std::string ones = temporary(target_, this->like(type, "f32")),
                    made = temporary(target_, this->like(like, "bool_"));
  instruction("texpands", {name(ones), number(1)});
  instruction("tsels", {name(ones), mask, name(ones), name(choosing()), number(0)});
  const Node spread = whole(name(ones), this->like(type, "f32"), this->like(like, "f32"));
  instruction("tcmps", {name(made), spread, number(0), c.string_node("GT", origin_)});
  return name(made);
}

std::string Lowering::choosing() {
  const std::string work = c.fresh("work");
  statements_.push_back(c.assign(
      work, HTP_NONE,
      c.call("pto.tile", {c.path("htp.u8", origin_), c.integer_node(1, origin_), c.integer_node(32, origin_)}, origin_),
      call_.statement));
  return work;
}

void Lowering::compare() {
  auto a = arguments_[0], b = arguments_[1];
  std::string mode(instruction_);
  if (!tile_of(a)) {
    std::swap(a, b);
    mode = mode[0] == 'L' ? "G" + mode.substr(1) : mode[0] == 'G' ? "L" + mode.substr(1) : mode;
  }
  const auto left = tile_of(a), right = tile_of(b);
  if (!left) {
    fail();
    return;
  }
  if (!calculates("tcmp", left->dtype)) {
    lacks(left->dtype);
    return;
  }
  Type like = type_;
  like.dtype = left->dtype;
  const Node x = whole(a, like);
  if (left->dtype != "i32" || mode == "EQ") {
    if (!right) return instruction("tcmps", {name(target_), x, copy(b), c.string_node(mode, origin_)});
    return instruction("tcmp", {name(target_), x, whole(b, like), c.string_node(mode, origin_)});
  }
  // NE is not EQ; LT not GE, GT not LE.
  const Node y = whole(b, like);
  const bool opposite = mode != "LE" && mode != "GE";
  const std::string equal = opposite ? temporary(target_, type_) : target_;
  if (mode == "NE") {
    instruction("tcmp", {name(equal), x, y, c.string_node("EQ", origin_)});
  } else {
    const std::string larger = temporary(target_, like);
    instruction("tmax", {name(larger), x, y});
    const Node is = mode == "LE" || mode == "GT" ? y : x;
    instruction("tcmp", {name(equal), name(larger), copy(is), c.string_node("EQ", origin_)});
  }
  if (opposite) instruction("tnot", {name(target_), name(equal)});
}

void Lowering::where() {
  const auto mask = tile_of(arguments_[0]);
  if (!mask || arguments_.size() < 3) {
    fail();
    return;
  }
  const Node which = whole(arguments_[0], type_);
  if (!which) return;
  const Node a = whole(arguments_[1], type_);
  const Node b = tile_of(arguments_[2]) ? whole(arguments_[2], type_) : HTP_NONE;
  const Node work = name(choosing());
  if (b)
    instruction("tsel", {name(target_), which, a, b, work});
  else
    instruction("tsels", {name(target_), which, a, work, copy(arguments_[2])});
}

void Lowering::reduce() {
  const auto from = tile_of(arguments_[0]);
  int64_t axis = 0;
  if (!from || !check(*from) || !arguments_[1] || !c.integer(arguments_[1], &axis)) {
    fail();
    return;
  }
  const auto rank = static_cast<int64_t>(from->extents.size());
  if (axis < 0) axis += rank;
  const Kind has = shape_of(from->extents).kind;
  const std::string w(instruction_);
  if (axis + 1 == rank && (has == Kind::matrix || (has == Kind::row && !from->extents.back().is(1)))) {
    const std::string work = c.fresh("work");
    declare(work, *from);
    instruction("trow" + w, {name(target_), copy(arguments_[0]), name(work)});
  } else if (has == Kind::matrix && !from->extents[static_cast<size_t>(axis)].is(1)) {
    instruction("tcol" + w, {name(target_), copy(arguments_[0])});
  } else if (axis >= 0 && axis < rank && from->extents[static_cast<size_t>(axis)].is(1)) { // of one each
    instruction("tmov", {name(target_), copy(arguments_[0])});
  } else {
    fail();
  }
}

bool Lowering::sums_up() const {
  return arguments_.size() > 2 && c.name_of(arguments_[2]) == final_ && type_.dtype != "f16" && type_.dtype != "bf16";
}

void Lowering::product() {
  const Node sum = arguments_.size() > 2 ? arguments_[2] : HTP_NONE;
  if (type_.dtype == "f16" || type_.dtype == "bf16") {
    Type wide = type_;
    wide.dtype = "f32";
    const std::string total = temporary(target_, wide);
    instruction("tmatmul", {name(total), copy(arguments_[0]), copy(arguments_[1])});
    if (sum) {
      const std::string before = temporary(target_, wide);
      instruction("tcvt", {name(before), copy(sum), c.string_node("NONE", origin_)});
      instruction("tadd", {name(total), name(total), name(before)});
    }
    instruction("tcvt", {name(target_), name(total), c.string_node("RINT", origin_)});
  } else if (sum && sums_up()) {
    instruction("tmatmul_acc", {name(target_), copy(arguments_[0]), copy(arguments_[1])});
  } else {
    const std::string product = sum ? temporary(target_, type_) : target_;
    instruction("tmatmul", {name(product), copy(arguments_[0]), copy(arguments_[1])});
    if (sum) instruction("tadd", {name(target_), copy(sum), name(product)});
  }
}

std::vector<uint32_t> rewrite_call(const Context &c, const htp_handler &row, const htp_handler_call &call) {
  return Lowering(c, row, call).run();
}

} // namespace htp::a2a3
