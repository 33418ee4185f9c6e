// a2a3.handlers: a call that makes a value becomes instructions that write it to a tile.
#include "shapes.h"

#include "htp_cpp/edit.h"

#include <algorithm>
#include <span>

namespace htp::a2a3 {

namespace {

enum class Form : uint8_t {
  binary,
  bits,
  buffer,
  cast,
  compare,
  erf,
  fill,
  iota,
  load,
  power,
  product,
  reduce,
  reshape,
  sigmoid,
  store,
  tanh,
  transpose,
  unary,
  where
};
struct Row {
  Form form;
  std::string_view word;
};
constexpr Row forms[] = {
#define HANDLER(from, form, word) {Form::form, word},
#include "handlers.def"
};

class Lowering {
public:
  Lowering(const Context &context, const htp_handler &handler, const htp_handler_call &request)
      : c(context), handler_(handler), call_(request), origin_(request.call),
        arguments_(request.arguments, request.arguments + request.count) {}

  std::vector<uint32_t> run() {
    const Row &row = forms[&handler_ - handler_rows];
    word_ = row.word;
    if (row.form == Form::store) {
      store();
    } else if (row.form == Form::buffer) {
      buffer();
    } else if (begin(row)) {
      arguments_.resize(std::max(arguments_.size(), size_t{2})); // a call of too few says so where they are used
      switch (row.form) {
      case Form::binary: binary(word_, target_, arguments_[0], arguments_[1]); break;
      case Form::unary: instruction(word_, {name(target_), copy(arguments_[0])}); break;
      case Form::bits: bits(); break;
      case Form::cast: cast(); break;
      case Form::compare: compare(); break;
      case Form::iota: iota(); break;
      case Form::where: where(); break;
      case Form::erf: erf(); break;
      case Form::fill: fill(); break;
      case Form::load: load(); break;
      case Form::power: power(); break;
      case Form::product: product(); break;
      case Form::reduce: reduce(); break;
      case Form::reshape: reshape(); break;
      case Form::sigmoid: sigmoid(); break;
      case Form::tanh: tanh(); break;
      case Form::transpose: transpose(); break;
      case Form::buffer:
      case Form::store: break;
      }
      if (final_ != target_) instruction("tmov", {name(final_), name(target_)});
    }
    return failed_ ? std::vector<uint32_t>() : statements_;
  }

private:
  // ── what is written to ──

  // The tile that the result goes to: a new one, or what the name stands for already. Several instructions, or one that
  // cannot overwrite what it reads, work in a tile of their own then.
  bool begin(const Row &row) {
    const auto type = read_type(c, call_.type);
    if (!type || type->form != "Tile") return refuse("a result that is no tile");
    type_ = *type;
    if (!check(type_) || !check_dtype(row)) return false;
    if (auto a = c.as<ast::AnnAssign>(call_.statement)) {
      final_ = target_ = std::string(c.name_of(a.target()));
      declare(target_, type_);
      return true;
    }
    auto a = c.as<ast::Assign>(call_.statement);
    if (!a || a.targets().size() != 1) return refuse("a value without a name");
    final_ = std::string(c.name_of(a.targets()[0]));
    const bool adds = row.form == Form::product && sums_up(); // in place
    target_ = row.form == Form::fill || adds ? final_ : temporary(final_, type_);
    return true;
  }
  bool check_dtype(const Row &row) {
    if (row.form == Form::cast || row.form == Form::compare) return true;
    const std::string_view instruction = row.form == Form::reduce && row.word == "sum" ? "sum" : row.word;
    if (calculates(instruction, type_.dtype)) return true;
    c.report(diag::no_instruction, origin_, handler_.intrinsic, type_.dtype);
    failed_ = true;
    return false;
  }
  bool check(const Type &type) {
    if (shape_of(type.extents).kind != Kind::other) return true;
    c.report(diag::too_many_dimensions, origin_, text_of(c, type));
    failed_ = true;
    return false;
  }
  // Of more than two dimensions those are left that count: rows and columns.
  void declare(const std::string &tile, const Type &type) {
    std::vector<uint32_t> parts{c.path(spelled(type), origin_)};
    const Shape shape = shape_of(type.extents);
    for (const Extent &e : type.extents.size() > 2 ? std::vector{shape.rows, shape.columns} : type.extents)
      parts.push_back(write_extent(c, e, origin_));
    statements_.push_back(c.assign(tile, HTP_NONE, c.call("pto.tile", std::move(parts), origin_), call_.statement));
  }
  std::string temporary(const std::string &stem, const Type &type) {
    std::string tile = c.fresh(stem + "_new");
    declare(tile, type);
    return tile;
  }
  // How the program spells the dtype: as an annotation of the call does, else with its module.
  std::string spelled(const Type &type) const {
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

  // ── saying it ──

  Node name(std::string_view id) const { return c.name(id, origin_); }
  Node copy(Node n) const { return copy_of(c, n, origin_); } // 0 of 0
  Node number(double value) const {
    const Node n = c.make(make::Constant{.value = Literal::real(value < 0 ? -value : value)}, origin_);
    return value < 0 ? c.make(make::UnaryOp{.op = HTP_USub, .operand = n}, origin_) : n;
  }
  void instruction(std::string_view word, std::vector<uint32_t> operands) {
    if (std::find(operands.begin(), operands.end(), HTP_NONE) != operands.end()) {
      refuse("a call without its operands");
      return;
    }
    statements_.push_back(
        c.statement(c.call("pto." + std::string(word), std::move(operands), origin_), call_.statement));
  }
  bool refuse(const std::string &what) {
    c.report(diag::unsupported_form, origin_, what);
    failed_ = true;
    return false;
  }

  // The type of an operand; nothing for numbers.
  std::optional<Type> tile_of(Node operand) const {
    for (size_t k = 0; k < call_.count; ++k)
      if (arguments_[k] == operand && call_.types[k])
        if (const auto type = read_type(c, call_.types[k]); type && type->form == "Tile") return type;
    return std::nullopt;
  }

  // ── one form each ──

  void binary(std::string_view word, const std::string &to, Node a, Node b) {
    const auto left = tile_of(a), right = tile_of(b);
    const std::string w(word);
    if (!left && !right) {
      refuse("an operation on numbers alone");
    } else if (!right) {
      instruction("t" + w + "s", {name(to), copy(a), copy(b)});
    } else if (!left) {
      if (word == "sub") { // n - x is -x + n
        instruction("tneg", {name(to), copy(b)});
        instruction("tadds", {name(to), name(to), copy(a)});
      } else if (word == "div") {
        instruction("tdivs", {name(to), copy(a), copy(b)});
      } else {
        instruction("t" + w + "s", {name(to), copy(b), copy(a)});
      }
    } else {
      spread(w, to, a, *left, b, *right);
    }
  }

  void spread(const std::string &w, const std::string &to, Node a, const Type &left, Node b, const Type &right) {
    if (!check(left) || !check(right)) return;
    const Kind result = shape_of(type_.extents).kind, l = shape_of(left.extents).kind, r = shape_of(right.extents).kind;
    if (l == r && l == result) {
      instruction("t" + w, {name(to), copy(a), copy(b)});
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
      c.report(diag::extents, origin_, handler_.intrinsic, text_of(c, left), text_of(c, right));
      failed_ = true;
    }
  }

  // An operand with all extents of the result: a tile as it is, a column or a row repeated, a number everywhere.
  Node whole(Node operand, const Type &like) {
    const auto type = tile_of(operand);
    if (type && !check(*type)) return HTP_NONE;
    const Kind has = type ? shape_of(type->extents).kind : Kind::single, wanted = shape_of(like.extents).kind;
    if (type && has == wanted) return copy(operand);
    if (type && (wanted != Kind::matrix || (has != Kind::row && has != Kind::column))) {
      c.report(diag::extents, origin_, handler_.intrinsic, text_of(c, *type), text_of(c, like));
      failed_ = true;
      return HTP_NONE;
    }
    Type full = like;
    if (type) full.dtype = type->dtype;
    const std::string tile = temporary(target_, full);
    instruction(!type ? "texpands" : has == Kind::row ? "tcolexpand" : "trowexpand", {name(tile), copy(operand)});
    return name(tile);
  }
  // Room for an instruction that chooses.
  std::string choosing() {
    const std::string work = c.fresh("work");
    statements_.push_back(
        c.assign(work, HTP_NONE,
                 c.call("pto.tile",
                        {c.path("htp.u8", origin_), c.integer_node(1, origin_), c.integer_node(32, origin_)}, origin_),
                 call_.statement));
    return work;
  }

  // Of i32 these cores compare EQ alone: a <= b where the larger of both is b.
  void compare() {
    auto a = arguments_[0], b = arguments_[1];
    std::string mode(word_);
    if (!tile_of(a)) {
      std::swap(a, b);
      mode = mode[0] == 'L' ? "G" + mode.substr(1) : mode[0] == 'G' ? "L" + mode.substr(1) : mode;
    }
    const auto left = tile_of(a), right = tile_of(b);
    if (!left) {
      refuse("a comparison of numbers alone");
      return;
    }
    if (!calculates("tcmp", left->dtype)) {
      c.report(diag::no_instruction, origin_, handler_.intrinsic, left->dtype);
      failed_ = true;
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
    if (mode == "NE") {
      instruction("tcmp", {name(target_), x, y, c.string_node("EQ", origin_)});
    } else {
      const std::string larger = temporary(target_, like);
      instruction("tmax", {name(larger), x, y});
      const Node is = mode == "LE" || mode == "GT" ? y : x;
      instruction("tcmp", {name(target_), name(larger), copy(is), c.string_node("EQ", origin_)});
    }
    if (mode != "LE" && mode != "GE") instruction("tnot", {name(target_), name(target_)});
  }

  void bits() {
    std::vector<uint32_t> operands{name(target_)};
    for (size_t k = 0; k < (word_ == "tnot" ? 1U : 2U); ++k) {
      const auto type = tile_of(arguments_[k]);
      if (!type || shape_of(type->extents).kind != shape_of(type_.extents).kind) {
        refuse("bits of tiles of other extents, or of numbers");
        return;
      }
      operands.push_back(copy(arguments_[k]));
    }
    instruction(word_, std::move(operands));
  }

  void where() {
    const auto mask = tile_of(arguments_[0]);
    if (!mask || arguments_.size() < 3 || shape_of(mask->extents).kind != shape_of(type_.extents).kind) {
      refuse(mask ? "a condition of other extents than what is chosen" : "a condition that is a number");
      return;
    }
    const Node a = whole(arguments_[1], type_);
    const Node b = tile_of(arguments_[2]) ? whole(arguments_[2], type_) : HTP_NONE;
    const Node work = name(choosing());
    if (b)
      instruction("tsel", {name(target_), copy(arguments_[0]), a, b, work});
    else
      instruction("tsels", {name(target_), copy(arguments_[0]), a, work, copy(arguments_[2])});
  }

  // A line that counts, repeated. Of a dimension, which the pass marks, it counts from 0.
  void iota() {
    int64_t axis = 0;
    const Node last = arguments_.back();
    if (!last || !c.integer(last, &axis) || axis < 0 || arguments_.size() != type_.extents.size() + 2) {
      refuse("a count whose axis is no number");
      return;
    }
    const Node extent = arguments_[static_cast<size_t>(axis) + 1];
    const Node start =
        c.is(extent, HTP_Name) ? c.parse(c.show(extent) + ".start", origin_) : c.integer_node(0, origin_);
    const Kind kind = shape_of(type_.extents).kind;
    const Extent along = type_.extents[static_cast<size_t>(axis)];
    if (kind == Kind::single || along.is(1)) return instruction("texpands", {name(target_), start});
    if (kind == Kind::row) return instruction("tci", {name(target_), start});
    Type line = type_;
    line.extents = {Extent::of(1), along};
    const std::string counted = temporary(target_, line);
    instruction("tci", {name(counted), start});
    if (kind == Kind::column) return instruction("tmov", {name(target_), name(counted)});
    if (along == shape_of(type_.extents).columns) return instruction("tcolexpand", {name(target_), name(counted)});
    line.extents = {along, Extent::of(1)};
    const std::string column = temporary(target_, line);
    instruction("tmov", {name(column), name(counted)});
    instruction("trowexpand", {name(target_), name(column)});
  }

  void cast() {
    struct Cast {
      std::string_view from, to, mode;
    };
    static constexpr Cast casts[] = {{"f16", "f32", "NONE"},  {"bf16", "f32", "NONE"}, {"f32", "f16", "RINT"},
                                     {"f32", "bf16", "RINT"}, {"i32", "f32", "RINT"},  {"f32", "i32", "TRUNC"},
                                     {"i16", "f32", "NONE"},  {"i8", "i32", "NONE"}};
    const auto from = tile_of(arguments_[0]);
    if (!from || (arguments_.size() > 2 && arguments_[2])) {
      refuse("a cast with a rounding of its own");
      return;
    }
    if (from->dtype == "bool_" && calculates("tsel", type_.dtype)) {
      const std::string one = temporary(target_, type_);
      instruction("texpands", {name(one), number(1)});
      const Node work = name(choosing());
      return instruction("tsels", {name(target_), copy(arguments_[0]), name(one), work, c.integer_node(0, origin_)});
    }
    if (from->dtype == type_.dtype && calculates("tmov", type_.dtype))
      return instruction("tmov", {name(target_), copy(arguments_[0])});
    for (const Cast &k : casts)
      if (k.from == from->dtype && k.to == type_.dtype)
        return instruction("tcvt", {name(target_), copy(arguments_[0]), c.string_node(k.mode, origin_)});
    c.report(diag::no_instruction, origin_, handler_.intrinsic, from->dtype + " to " + type_.dtype)
        .hint("cast through f32, or compile for the CPU: `--plugins manifests/cpu.yaml`");
    failed_ = true;
  }

  void fill() {
    const bool zeros = std::string_view(handler_.intrinsic) == "tile.zeros";
    instruction("texpands", {name(target_), zeros ? c.integer_node(0, origin_) : copy(arguments_[1])});
  }

  std::vector<uint32_t> place(std::vector<uint32_t> operands, size_t first, size_t end) {
    for (size_t k = first; k < end; ++k) {
      if (!arguments_[k]) continue;
      if (tile_of(arguments_[k])) refuse("an index that is a tile");
      operands.push_back(copy(arguments_[k]));
    }
    return operands;
  }
  void load() {
    if (arguments_.back() && has_keyword("outside")) {
      refuse("a load with `outside`");
      return;
    }
    instruction("tload", place({name(target_), copy(arguments_[0])}, 1, arguments_.size()));
  }
  bool has_keyword(std::string_view word) const {
    for (const Node n : c.get<ast::Call>(call_.call).keywords())
      if (c.get<ast::keyword>(n).arg() == word) return true;
    return false;
  }

  // Memory beside the parameters.
  void buffer() {
    auto a = c.as<ast::AnnAssign>(call_.statement);
    const auto type = a ? read_type(c, a.annotation()) : std::nullopt;
    if (!type || !calculates("tstore", type->dtype)) {
      refuse("a buffer of what cannot be stored");
      return;
    }
    std::vector<uint32_t> parts;
    for (const Node n : c.get<ast::Call>(call_.call).args()) parts.push_back(copy(n));
    statements_.push_back(
        c.assign(c.name_of(a.target()), HTP_NONE, c.call("pto.gm", std::move(parts), origin_), call_.statement));
  }

  void store() {
    if (arguments_.size() < 3 || !arguments_[0] || !call_.types[0]) {
      refuse("a store without an index");
      return;
    }
    const auto tensor = read_type(c, call_.types[0]);
    const auto tile = tile_of(arguments_[1]);
    if (!tensor || tensor->extents.size() + 2 != arguments_.size()) {
      refuse("a store to something that is no tensor");
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
      c.report(diag::no_instruction, origin_, handler_.intrinsic, tensor->dtype);
      failed_ = true;
      return;
    }
    if (!check(wanted)) return;
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

  void power() {
    const auto base = tile_of(arguments_[0]);
    const std::string exponent = arguments_[1] ? c.show(arguments_[1]) : std::string();
    if (base && (exponent == "2" || exponent == "2.0")) {
      instruction("tmul", {name(target_), copy(arguments_[0]), copy(arguments_[0])});
    } else if (base && (exponent == "3" || exponent == "3.0")) {
      instruction("tmul", {name(target_), copy(arguments_[0]), copy(arguments_[0])});
      instruction("tmul", {name(target_), name(target_), copy(arguments_[0])});
    } else if (base && exponent == "-0.5") { // -0 counts as +0
      instruction("tadds", {name(target_), copy(arguments_[0]), number(0)});
      instruction("trsqrt", {name(target_), name(target_)});
    } else {
      refuse("a power other than 2, 3 and -0.5");
    }
  }

  void reduce() {
    const auto from = tile_of(arguments_[0]);
    int64_t axis = 0;
    if (!from || !check(*from) || !arguments_[1] || !c.integer(arguments_[1], &axis)) {
      refuse("a reduction whose axis is no number");
      return;
    }
    const auto rank = static_cast<int64_t>(from->extents.size());
    if (axis < 0) axis += rank;
    const Kind has = shape_of(from->extents).kind;
    const std::string w(word_);
    if (axis + 1 == rank && has == Kind::matrix) {
      const std::string work = c.fresh("work");
      declare(work, *from);
      instruction("trow" + w, {name(target_), copy(arguments_[0]), name(work)});
    } else if (has == Kind::matrix && !from->extents[static_cast<size_t>(axis)].is(1)) {
      instruction("tcol" + w, {name(target_), copy(arguments_[0])});
    } else {
      refuse("a reduction of " + text_of(c, *from) + " along axis " + std::to_string(axis));
    }
  }

  // Whether a product is added to the name that it is assigned to.
  bool sums_up() const {
    return arguments_.size() > 2 && c.name_of(arguments_[2]) == final_ && type_.dtype != "f16" && type_.dtype != "bf16";
  }
  // Half precision adds up in f32, and is rounded once.
  void product() {
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

  // Of rows and columns; where only dimensions of 1 change places the elements stay in order.
  void transpose() {
    const auto from = tile_of(arguments_[0]);
    if (!from || !check(*from)) return;
    const size_t rank = from->extents.size();
    std::vector<int64_t> axes;
    auto given = c.as<ast::Tuple>(arguments_[1]);
    for (size_t d = 0; d < rank; ++d) {
      axes.push_back(static_cast<int64_t>(d + 1 == rank && rank > 1 ? d - 1 : d + 2 == rank ? d + 1 : d));
      if (given && (given.elts().size() != rank || !c.integer(given.elts()[d], &axes.back()))) {
        refuse("axes that are no numbers");
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

  // Where only dimensions of 1 come and go, and a column becomes a row or the other way round: the elements stay in
  // order.
  void reshape() {
    const auto from = tile_of(arguments_[0]);
    const Shape a = from ? shape_of(from->extents) : Shape{}, b = shape_of(type_.extents);
    const auto line = [](const Shape &s) { return s.kind == Kind::column ? s.rows : s.columns; };
    const bool lines = a.kind != Kind::matrix && b.kind != Kind::matrix && a.kind != Kind::other && line(a) == line(b);
    if (lines || (a.kind == Kind::matrix && b.kind == a.kind && a.rows == b.rows && a.columns == b.columns))
      instruction("tmov", {name(target_), copy(arguments_[0])});
    else
      refuse(from ? "a reshape of " + text_of(c, *from) + " to " + text_of(c, type_) : "a reshape of no tile");
  }

  // exp(min(x, 0)) / (1 + exp(-|x|)), which is exact to the least numbers.
  void sigmoid() {
    const std::string below = temporary(target_, type_);
    instruction("tmins", {name(below), copy(arguments_[0]), number(0)});
    instruction("texp", {name(below), name(below)});
    instruction("tabs", {name(target_), copy(arguments_[0])});
    instruction("tneg", {name(target_), name(target_)});
    instruction("texp", {name(target_), name(target_)});
    instruction("tadds", {name(target_), name(target_), number(1)});
    instruction("tdiv", {name(target_), name(below), name(target_)});
  }

  // 1 - 2 / (1 + exp(2 x)): off by two units of 1 at most, also where the result is small.
  void tanh() {
    instruction("tmuls", {name(target_), copy(arguments_[0]), number(2)});
    instruction("texp", {name(target_), name(target_)});
    instruction("tadds", {name(target_), name(target_), number(1)});
    instruction("tdivs", {name(target_), number(-2), name(target_)});
    instruction("tadds", {name(target_), name(target_), number(1)});
  }

  // A quotient of polynomials of x * x, between -4 and 4, where it is 1 to the last digit.
  void erf() {
    static constexpr double above[] = {-2.72614225801306e-10, 2.77068142495902e-08,  -2.10102402082508e-06,
                                       -5.69250639462346e-05, -7.34990630326855e-04, -2.95459980854025e-03,
                                       -1.60960333262415e-02};
    static constexpr double below[] = {-1.45660718464996e-05, -2.13374055278905e-04, -1.68282697438203e-03,
                                       -7.37332916720468e-03, -1.42647390514189e-02};
    const std::string x = temporary(target_, type_), square = temporary(target_, type_),
                      divisor = temporary(target_, type_);
    instruction("tmins", {name(x), copy(arguments_[0]), number(4)});
    instruction("tmaxs", {name(x), name(x), number(-4)});
    instruction("tmul", {name(square), name(x), name(x)});
    const auto polynomial = [&](const std::string &to, std::span<const double> factors) {
      instruction("tmuls", {name(to), name(square), number(factors[0])});
      for (const double factor : factors.subspan(1, factors.size() - 2)) {
        instruction("tadds", {name(to), name(to), number(factor)});
        instruction("tmul", {name(to), name(to), name(square)});
      }
      instruction("tadds", {name(to), name(to), number(factors.back())});
    };
    polynomial(target_, above);
    instruction("tmul", {name(target_), name(target_), name(x)});
    polynomial(divisor, below);
    instruction("tdiv", {name(target_), name(target_), name(divisor)});
  }

  const Context &c;
  const htp_handler &handler_;
  const htp_handler_call &call_;
  Node origin_;
  std::vector<Node> arguments_;
  std::string_view word_;
  Type type_;
  std::string target_, final_;
  std::vector<uint32_t> statements_;
  bool failed_ = false;
};

} // namespace

std::vector<uint32_t> rewrite_call(const Context &c, const htp_handler &row, const htp_handler_call &call) {
  return Lowering(c, row, call).run();
}

} // namespace htp::a2a3
