// What is restated in other intrinsics, which have instructions, and narrow floats that are computed with as f32.
#include "lowering/lowering.h"

#include <algorithm>
#include <map>

namespace htp::a2a3 {

std::string Lowering::prefix() const {
  const std::string called = c.dotted(c.get<ast::Call>(call_.call).func());
  const size_t dot = called.rfind('.');
  return dot == std::string::npos ? std::string() : called.substr(0, dot + 1);
}
Node Lowering::annotation(const Type &type) const {
  std::string form = "Tile";
  std::vector<Node> seen(call_.types, call_.types + call_.count);
  seen.push_back(call_.type);
  for (const Node n : seen)
    if (auto s = n ? c.as<ast::Subscript>(n) : c.as<ast::Subscript>(HTP_NONE);
        s && c.dotted(s.value()).ends_with("Tile"))
      form = c.dotted(s.value());
  return write_type(c, type, origin_, form, spelled(type));
}
std::string Lowering::intermediate(const Type &type, Node call) {
  const std::string made = c.fresh(std::string(c.name_of(target_of())) + "_part");
  statements_.push_back(c.assign(made, annotation(type), call, call_.statement));
  return made;
}
Node Lowering::target_of() const {
  if (auto a = c.as<ast::AnnAssign>(call_.statement)) return a.target();
  auto b = c.as<ast::Assign>(call_.statement);
  return b && b.targets().size() == 1 ? b.targets()[0] : HTP_NONE;
}
Node Lowering::portable(std::string_view name, std::vector<uint32_t> operands, Node axis) const {
  std::vector<uint32_t> keywords;
  if (axis) keywords.push_back(c.make(make::keyword{.arg = "axis", .value = copy(axis)}, origin_));
  return c.call(prefix() + std::string(name), std::move(operands), origin_, std::move(keywords));
}

// Whether the call is restated; its statements are those of portable intrinsics then.
bool Lowering::restate(const Row &row) {
  const auto type = call_.type ? read_type(c, call_.type) : std::nullopt;
  if (!type || type->form != "Tile" || !target_of()) return false;
  const auto is = [&](std::string_view intrinsic) { return intrinsic == handler_.intrinsic; };
  const auto last = [&](Node call) { statements_.push_back(with_value(c, call_.statement, call)); };
  const auto narrow = [](const std::string &dtype) { return dtype == "f16" || dtype == "bf16"; };
  const auto first = arguments_.empty() ? std::nullopt : tile_of(arguments_[0]);
  const auto works_along_rows = [&](std::string_view instead) {
    if (along_rows(&*first)) return true;
    refuse(Refusal(diag::along_rows, handler_.intrinsic)
               .with("look along the last dimension, of the transpose: `" + std::string(instead) + "`"));
    return false;
  };
  if (is("tile.argmin") && first && first->dtype == "f32") { // of what is turned over
    if (!works_along_rows("argmin(transpose(x), axis=1)")) return true;
    last(portable("argmax", {name(intermediate(*first, portable("neg", {copy(arguments_[0])})))}, arguments_.back()));
    return true;
  }
  if (is("tile.topk") && first && first->dtype == "f32" && arguments_.size() == 3) {
    if (!works_along_rows("transpose(topk(transpose(x), 4, axis=1))")) return true;
    const std::string at = intermediate(like(*type, "i32"),
                                        portable("argtopk", {copy(arguments_[0]), copy(arguments_[1])}, arguments_[2]));
    last(portable("gather", {copy(arguments_[0]), name(at)}, arguments_[2]));
    return true;
  }
  if (row.form == Form::reduce && first && shape_of(first->extents).kind == Kind::column && arguments_[1]) {
    const auto rank = static_cast<int64_t>(first->extents.size());
    int64_t axis = 0;
    if (c.integer(arguments_[1], &axis) && axis < 0) axis += rank;
    if (axis >= 0 && axis < rank && !first->extents[static_cast<size_t>(axis)].is(1)) { // lies as the row that it is
      Type line = *first;
      std::swap(line.extents[static_cast<size_t>(axis)], line.extents.back());
      std::vector<uint32_t> reshaped{copy(arguments_[0])};
      for (const Extent &e : line.extents) reshaped.push_back(c.parse(e.text(), origin_));
      const std::string flat = intermediate(line, portable("reshape", std::move(reshaped)));
      const std::string_view called = handler_.intrinsic;
      last(portable(called.substr(called.find('.') + 1), {name(flat)}, c.integer_node(rank - 1, origin_)));
      return true;
    }
  }
  if ((is("tile.reduce_any") || is("tile.reduce_all")) && first && arguments_[1]) { // of 1 and 0
    const std::string ones = intermediate(
        like(*first, "f32"), portable("cast", {copy(arguments_[0]), c.path(spelled(like(*first, "f32")), origin_)}));
    const std::string most = intermediate(
        like(*type, "f32"), portable(is("tile.reduce_any") ? "reduce_max" : "reduce_min", {name(ones)}, arguments_[1]));
    last(portable("gt", {name(most), number(0.5)}));
    return true;
  }
  // What narrow floats have no instruction for is computed in f32 and rounded once.
  static constexpr Form wide[] = {Form::binary, Form::unary,   Form::compare, Form::cosine,   Form::erf,
                                  Form::gather, Form::largest, Form::power,   Form::restated, Form::reduce,
                                  Form::round,  Form::scan,    Form::sigmoid, Form::sine,     Form::tanh};
  if (std::find(std::begin(wide), std::end(wide), row.form) == std::end(wide)) return false;
  std::string dtype;
  for (size_t k = 0; k < arguments_.size(); ++k)
    if (const auto t = arguments_[k] ? tile_of(arguments_[k]) : std::nullopt; t && narrow(t->dtype)) dtype = t->dtype;
  if (dtype.empty() || calculates(row.form == Form::compare    ? "tcmp"
                                  : row.form == Form::restated ? ""
                                                               : row.instruction,
                                  dtype))
    return false;
  std::map<std::string, std::string, std::less<>> widened;
  for (const Node a : arguments_) {
    const auto t = a ? tile_of(a) : std::nullopt;
    const std::string id(a ? c.name_of(a) : std::string_view());
    if (!t || t->dtype != dtype || widened.contains(id)) continue;
    widened[id] =
        intermediate(like(*t, "f32"), portable("cast", {name(id), c.path(spelled(like(*t, "f32")), origin_)}));
  }
  auto call = c.read<ast::Call>(copy(call_.call));
  for (uint32_t &a : call.args)
    if (const auto it = widened.find(c.name_of(a)); it != widened.end()) a = name(it->second);
  const Node wider = c.make(call, origin_);
  if (type->dtype != dtype) return last(wider), true;
  const std::string result = intermediate(like(*type, "f32"), wider);
  last(portable("cast", {name(result), c.path(spelled(*type), origin_)}));
  return true;
}

} // namespace htp::a2a3
