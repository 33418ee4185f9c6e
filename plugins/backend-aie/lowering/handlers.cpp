// aie.handlers: a call that makes a value becomes operations that write it to a tile.
#include "analyses/program.h"

#include "htp_cpp/decompose.h"
#include "htp_cpp/edit.h"
#include "htp_cpp/layout/annotation.h"
#include "htp_cpp/types.h"

#include <algorithm>

namespace htp::aie {

namespace {

enum class Form : uint8_t {
  binary,
  call,
  cast,
  channel,
  compare,
  drop,
  fill,
  get,
  iota,
  load,
  matmul,
  power,
  put,
  reduce,
  relayout,
  reshape,
  shift,
  store,
  transpose,
  unary,
  where
};
struct Row {
  Form form;
  std::string_view operation; // of the target set, without its prefix
};
constexpr Row forms[] = {
#define HANDLER(from, form, operation) {Form::form, operation},
#include "lowering/handlers.def"
};

class Lowering {
public:
  Lowering(const Context &context, const htp_handler &handler, const htp_handler_call &request)
      : c(context), handler_(handler), call_(request), origin_(request.call),
        arguments_(request.arguments, request.arguments + request.count) {}

  std::vector<uint32_t> run() {
    const Row &row = forms[&handler_ - handler_rows];
    if (row.form == Form::store) {
      store();
    } else if (row.form == Form::channel) {
      channel(row.operation);
    } else if (row.form == Form::put || row.form == Form::drop) { // what an item's extents are stands in its tile
      arguments_.resize(row.form == Form::put ? 2 : 1);
      for (Node &n : arguments_) n = copy(n);
      call(row.operation, {arguments_.begin(), arguments_.end()});
    } else if (begin(row)) {
      arguments_.resize(std::max(arguments_.size(), size_t{2})); // a call of too few says so where they are used
      switch (row.form) {
      case Form::binary: call(row.operation, {target(), copy(arguments_[0]), copy(arguments_[1])}); break;
      case Form::unary: call(row.operation, {target(), copy(arguments_[0])}); break;
      case Form::fill: fill(); break;
      case Form::iota: iota(); break;
      case Form::load: load(); break;
      case Form::call: apart(); break;
      case Form::cast: cast(); break;
      case Form::compare: compare(row.operation); break;
      case Form::shift: shift(row.operation); break;
      case Form::transpose: transpose(); break;
      case Form::where: where(); break;
      case Form::matmul: matmul(); break;
      case Form::power: power(); break;
      case Form::reduce: reduce(row.operation); break;
      case Form::relayout: relayout(); break;
      case Form::reshape: reshape(); break;
      case Form::get: call(row.operation, {target(), copy(arguments_[0])}); break;
      case Form::channel:
      case Form::drop:
      case Form::put:
      case Form::store: break;
      }
    }
    if (!updated_.empty()) call("copy", {c.name(updated_, origin_), target()});
    return failed_ ? std::vector<uint32_t>() : statements_;
  }

private:
  // Tensors of a dtype that cores do not know never reach them, whatever is cast.
  void no_arithmetic(std::string_view operation, std::string_view dtype) const {
    auto report = c.report(diag::no_arithmetic, origin_, handler_.intrinsic, dtype);
    if (!calculates("cast", dtype))
      report.hint(dtype == "f16"           ? "declare its tensors bf16 or f32"
                  : dtype == "u8"          ? "declare its tensors i16 or i32"
                  : dtype.starts_with("f") ? "declare its tensors f32"
                                           : "declare its tensors i32");
    else if (calculates(operation, "i32"))
      report.hint("calculate in i32: `cast(x, i32)`, and cast the result back");
  }
  // The tile that the result goes to: a new one, or what the name stands for already.
  bool begin(const Row &row) {
    const auto type = read_type(c, call_.type);
    if (!type || type->form != "Tile") return refuse(diag::not_tile, c.show(origin_));
    type_ = *type;
    if (row.form != Form::load && row.form != Form::fill && row.form != Form::get && row.form != Form::reshape &&
        row.form != Form::relayout && row.form != Form::cast && row.form != Form::compare && row.form != Form::call &&
        !calculates(row.operation, type_.dtype)) {
      no_arithmetic(row.operation, type_.dtype);
      failed_ = true;
      return false;
    }
    if (auto a = c.as<ast::AnnAssign>(call_.statement)) {
      target_ = std::string(c.name_of(a.target()));
      declare(target_);
      return true;
    }
    // Each element is written when those that it is made of were read: in place.
    auto again = c.as<ast::Assign>(call_.statement);
    if (!again || again.targets().size() != 1 || c.name_of(again.targets()[0]).empty())
      return refuse(diag::reassigned, c.show(call_.statement));
    target_ = std::string(c.name_of(again.targets()[0]));
    again_ = true;
    const bool itself =
        std::any_of(arguments_.begin(), arguments_.begin() + std::min<ptrdiff_t>(2, std::ssize(arguments_)),
                    [&](Node n) { return c.name_of(n) == target_; });
    if (itself && (row.form == Form::matmul || row.form == Form::power || row.form == Form::reduce ||
                   row.form == Form::transpose)) {
      updated_ = target_, target_ = c.fresh(target_), again_ = false;
      declare(target_);
    }
    return true;
  }
  // A buffer for a tile of the result's type; a number is one of one element.
  void declare(const std::string &name) { declare(name, type_, call_.type); }
  void declare(const std::string &name, const Type &type, Node annotation) {
    std::vector<uint32_t> arguments{c.path(spelled(type, annotation), origin_)};
    for (const Extent &e : type.extents) arguments.push_back(write_extent(c, e, origin_));
    if (arguments.size() == 1) arguments.push_back(c.integer_node(1, origin_));
    statements_.push_back(
        c.assign(name, HTP_NONE, c.call("aie.buffer", std::move(arguments), origin_), call_.statement));
  }
  // How the program spells the dtype: as an annotation of the call does.
  std::string spelled() const { return spelled(type_, call_.type); }
  std::string spelled(const Type &type, Node annotation) const {
    auto s = c.as<ast::Subscript>(annotation);
    return s && c.is(s.slice(), HTP_Tuple) ? c.dotted(c.get<ast::Tuple>(s.slice()).elts()[0]) : "htp." + type.dtype;
  }
  Node target() const { return c.name(target_, origin_); }
  Node copy(Node n) const { return copy_of(c, n, origin_); } // 0 of 0
  void call(std::string_view name, std::vector<uint32_t> operands) {
    if (std::find(operands.begin(), operands.end(), HTP_NONE) != operands.end()) {
      refuse(diag::operand_count, c.show(origin_));
      return;
    }
    statements_.push_back(
        c.statement(c.call("aie." + std::string(name), std::move(operands), origin_), call_.statement));
  }
  template <class... A> bool refuse(const DiagKind &row, const A &...arguments) {
    c.report(row, origin_, arguments...);
    failed_ = true;
    return false;
  }
  std::optional<Type> tile_of(Node operand) const {
    for (size_t k = 0; k < call_.count; ++k)
      if (arguments_[k] == operand && call_.types[k])
        if (const auto type = read_type(c, call_.types[k]); type && type->form == "Tile") return type;
    return std::nullopt;
  }

  // `rows = csp.channel(f32, 8, N, capacity=2)`: under another name.
  void channel(std::string_view name) {
    auto callee = c.read<ast::Call>(call_.call);
    callee.func = c.path("aie." + std::string(name), callee.func);
    statements_.push_back(with_value(c, call_.statement, c.with(call_.call, callee)));
  }

  void fill() {
    const bool zeros = std::string_view(handler_.intrinsic) == "tile.zeros";
    call("fill", {target(), zeros ? c.integer_node(0, origin_) : copy(arguments_[1])});
  }
  void place(std::vector<uint32_t> operands, std::string_view name, size_t first) {
    for (size_t k = first; k < arguments_.size(); ++k) {
      if (!arguments_[k]) continue;
      if (tile_of(arguments_[k])) refuse(diag::tile_index, c.show(arguments_[k]));
      operands.push_back(copy(arguments_[k]));
    }
    call(name, std::move(operands));
  }
  // Of a number, a scalar parameter, the one element; the intrinsic's last argument is what is outside of the tensor.
  void load() {
    const Node outside = arguments_.back();
    arguments_.pop_back();
    if (arguments_.size() == 1) arguments_.push_back(c.integer_node(0, origin_));
    place({target(), copy(arguments_[0])}, "load", 1);
    if (!outside || failed_) return;
    const Node last = statements_.back();
    auto call = c.read<ast::Call>(c.get<ast::Expr>(last).value());
    call.keywords.push_back(c.make(make::keyword{.arg = std::string("outside"), .value = copy(outside)}, origin_));
    statements_.back() = c.statement(c.with(c.get<ast::Expr>(last).value(), call), call_.statement);
  }
  // A line that counts, which is the tile, or goes into each of its others.
  void iota() {
    int64_t axis = 0;
    const auto rank = static_cast<int64_t>(type_.rank());
    if (arguments_.size() != type_.rank() + 2 || !arguments_.back() || !c.integer(arguments_.back(), &axis) ||
        axis < -rank || axis >= rank) {
      refuse(diag::axis, c.show(origin_));
      return;
    }
    axis += axis < 0 ? rank : 0;
    bool is_line = true;
    std::vector<uint32_t> extents{c.path(spelled(), origin_)}, operands{HTP_NONE};
    for (int64_t d = 0; d < rank; ++d) {
      is_line = is_line && (d == axis || type_.extents[static_cast<size_t>(d)].is(1));
      extents.push_back(d == axis ? write_extent(c, type_.extents[static_cast<size_t>(d)], origin_)
                                  : c.integer_node(1, origin_));
      operands.push_back(d == axis ? copy(arguments_[static_cast<size_t>(d) + 1]) : c.integer_node(1, origin_));
    }
    const std::string line = is_line ? target_ : c.fresh("line");
    if (!is_line)
      statements_.push_back(
          c.assign(line, HTP_NONE, c.call("aie.buffer", std::move(extents), origin_), call_.statement));
    operands[0] = c.name(line, origin_);
    const Node keyword =
        c.make(make::keyword{.arg = std::string("axis"), .value = c.integer_node(axis, origin_)}, origin_);
    statements_.push_back(c.statement(
        c.make(make::Call{.func = c.path("aie.iota", origin_), .args = operands, .keywords = {keyword}}, origin_),
        call_.statement));
    if (!is_line) call("copy", {target(), c.name(line, origin_)});
  }
  void store() {
    if (arguments_.size() < 3) {
      refuse(diag::operand_count, c.show(origin_));
      return;
    }
    place({copy(arguments_[0]), copy(arguments_[1])}, "store", 2);
  }
  // Of a function that others compiled, whose last argument is which of its results.
  void apart() {
    std::vector<uint32_t> operands{target()}, keywords;
    for (size_t k = 0; k + 1 < call_.count; ++k) operands.push_back(copy(arguments_[k]));
    if (std::find(operands.begin(), operands.end(), HTP_NONE) != operands.end()) {
      refuse(diag::operand_count, c.show(origin_));
      return;
    }
    if (const Node result = arguments_[call_.count - 1])
      keywords.push_back(c.make(make::keyword{.arg = "result", .value = copy(result)}, origin_));
    statements_.push_back(c.statement(
        c.make(make::Call{.func = c.path("aie.call", origin_), .args = operands, .keywords = keywords}, origin_),
        call_.statement));
  }
  // Of floats that become ints, the integers first, by the rounding's intrinsic.
  void cast() {
    const auto from = tile_of(arguments_[0]);
    if (!from) {
      refuse(diag::not_tile, c.show(arguments_[0]));
    } else if (!calculates("cast", from->dtype) || !calculates("cast", type_.dtype)) {
      if (!calculates("cast", from->dtype))
        no_arithmetic("cast", from->dtype);
      else
        c.report(diag::no_arithmetic, origin_, handler_.intrinsic, from->dtype + " to " + type_.dtype)
            .hint("cast to f32, bf16, i32, i16 or i8, which cores calculate with");
      failed_ = true;
    } else {
      Node source = copy(arguments_[0]);
      std::string_view rounding;
      if (arguments_.size() > 2 && arguments_[2] && c.string(arguments_[2], &rounding)) {
        const bool narrower = type_.dtype == "bf16" && from->dtype == "f32";
        if (narrower && rounding != "nearest") {
          refuse(diag::rounding, rounding);
          return;
        }
        if (!calculates("floor", type_.dtype) && rounding != "toward_zero") {
          const std::string whole = c.fresh("whole");
          Type made = type_;
          made.dtype = from->dtype;
          declare(whole, made, call_.types[0]);
          call(rounding == "nearest" ? "round"
               : rounding == "down"  ? "floor"
                                     : "ceil",
               {c.name(whole, origin_), source});
          source = c.name(whole, origin_);
        }
      }
      call("cast", {target(), source});
    }
  }
  void compare(std::string_view name) {
    for (const Node n : {arguments_[0], arguments_[1]})
      if (const auto of = n ? tile_of(n) : std::nullopt; of && !calculates(name, of->dtype)) {
        no_arithmetic(name, of->dtype);
        failed_ = true;
        return;
      }
    call(name, {target(), copy(arguments_[0]), copy(arguments_[1])});
  }
  void where() {
    arguments_.resize(std::max(arguments_.size(), size_t{3}));
    call("where", {target(), copy(arguments_[0]), copy(arguments_[1]), copy(arguments_[2])});
  }
  void shift(std::string_view name) {
    int64_t by = 0;
    const int64_t bits = type_.dtype == "i8" ? 8 : type_.dtype == "i16" ? 16 : 32;
    if (!arguments_[1] || !c.integer(arguments_[1], &by) || by < 0 || by >= bits || !tile_of(arguments_[0]))
      refuse(diag::shift_count, c.show(origin_), type_.dtype, bits - 1);
    else
      call(name, {target(), copy(arguments_[0]), copy(arguments_[1])});
  }
  void transpose() {
    if (arguments_[1])
      refuse(diag::transpose_axes, c.show(origin_));
    else
      call("transpose", {target(), copy(arguments_[0])});
  }
  void matmul() {
    const bool added = again_ && arguments_.size() > 2 && c.name_of(arguments_[2]) == target_; // up in place
    if (!added) {
      if (arguments_.size() > 2 && arguments_[2])
        call("copy", {target(), copy(arguments_[2])});
      else
        call("fill", {target(), c.parse(type_.dtype == "f32" || type_.dtype == "bf16" ? "0.0" : "0", origin_)});
    }
    const auto a = tile_of(arguments_[0]), b = tile_of(arguments_[1]);
    const auto batch = [&](const std::optional<Type> &t) {
      std::string text;
      for (size_t d = 0; t && d + 2 < t->extents.size(); ++d) text += t->extents[d].text() + ", ";
      return text;
    };
    if (!a || !b || a->rank() < 2 || a->rank() != b->rank() || batch(a) != batch(b))
      refuse(diag::product_batch, c.show(origin_));
    else
      call("matmul", {target(), copy(arguments_[0]), copy(arguments_[1])});
  }
  void power() {
    const std::string exponent = arguments_[1] ? c.show(arguments_[1]) : std::string();
    if (exponent == "2" || exponent == "2.0" || exponent == "3" || exponent == "3.0") {
      using sdk::decompose::Operand;
      const auto operand = [&](const Operand &o) {
        return o.kind == Operand::Kind::argument ? copy(arguments_[0]) : target();
      };
      const auto product = sdk::decompose::power(exponent[0] - '0');
      for (const auto &step : product->steps) call("mul", {target(), operand(step.of[0]), operand(step.of[1])});
    } else if (exponent == "-0.5" && (type_.dtype == "f32" || type_.dtype == "bf16")) { // -0 counts as +0
      const std::string root = c.fresh("rsqrt"), positive = c.fresh("positive"), least = c.fresh("least");
      declare(root);
      declare(positive);
      Type mask = type_;
      mask.dtype = "bool_";
      declare(least, mask, HTP_NONE);
      call("eq", {c.name(least, origin_), copy(arguments_[0]), c.parse("float('-inf')", origin_)});
      call("rsqrt", {c.name(root, origin_), copy(arguments_[0])});
      call("absolute", {c.name(positive, origin_), c.name(root, origin_)});
      call("where", {target(), c.name(least, origin_), c.parse("0.0", origin_), c.name(positive, origin_)}); // of -inf
    } else {
      refuse(diag::power, c.show(origin_));
    }
  }
  void reduce(std::string_view name) {
    const auto from = tile_of(arguments_[0]);
    int64_t axis = 0;
    if (!from || !arguments_[1] || !c.integer(arguments_[1], &axis)) {
      refuse(diag::axis, c.show(origin_));
      return;
    }
    if (axis < 0) axis += static_cast<int64_t>(from->extents.size());
    call(name, {target(), copy(arguments_[0]), c.integer_node(axis, origin_)});
  }
  // A core has a tile in its memory as it wants it: the elements stay in order.
  void relayout() {
    const auto from = call_.types[0] ? read_type(c, call_.types[0]) : std::nullopt;
    for (const Node layout : {arguments_[1], from ? from->layout : HTP_NONE}) {
      const auto read = layout ? std::optional(read_layout(c, layout)) : std::nullopt;
      if (!read || (*read && layout::units_of(**read).empty())) continue;
      c.report(diag::spread_relayout, origin_, c.show(layout));
      failed_ = true;
      return;
    }
    c.report(diag::free_relayout, arguments_[1], c.show(arguments_[1]));
    call("copy", {target(), copy(arguments_[0])});
  }
  // Where only dimensions of 1 come and go, the elements stay in order.
  void reshape() {
    const auto from = tile_of(arguments_[0]);
    const auto long_ones = [](const Type &t) {
      std::vector<std::string> left;
      for (const Extent &e : t.extents)
        if (!e.is(1)) left.push_back(e.text());
      return left;
    };
    if (from && long_ones(*from) == long_ones(type_))
      call("copy", {target(), copy(arguments_[0])});
    else
      refuse(diag::reshape, from ? text_of(c, *from) : c.show(arguments_[0]), text_of(c, type_));
  }

  const Context &c;
  const htp_handler &handler_;
  const htp_handler_call &call_;
  Node origin_;
  std::vector<Node> arguments_;
  Type type_;
  std::string target_;
  std::string updated_; // the name whose tile that is copied to, where it is read meanwhile
  bool again_ = false;  // the name has a tile already
  std::vector<uint32_t> statements_;
  bool failed_ = false;
};

} // namespace

std::vector<uint32_t> rewrite_call(const Context &c, const htp_handler &row, const htp_handler_call &call) {
  return Lowering(c, row, call).run();
}

} // namespace htp::aie
