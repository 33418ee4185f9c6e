// What expressions of a workload stand for, as own.h has it.
#include "own_blocks.h"

#include <algorithm>
#include <utility>

namespace htp::wsp {

namespace {

constexpr size_t deepest_call = 16; // functions that call functions

bool has_name(std::string_view list, std::string_view operation) {
  return (" " + std::string(list) + " ").find(" " + std::string(operation) + " ") != std::string::npos;
}

} // namespace

// ── expressions ───────────────────────────────────────────────────────────────────────────────────────────────────

std::string_view OwnBlocks::operator_name(htp_op op) {
  switch (op) {
  case HTP_Add: return "add";
  case HTP_Sub: return "sub";
  case HTP_Mult: return "mul";
  case HTP_Div: return "div";
  case HTP_BitOr: return "bit_or";
  case HTP_BitAnd: return "bit_and";
  case HTP_USub: return "neg";
  default: return "other";
  }
}

Value OwnBlocks::subscript(Node n) {
  auto s = c.get<ast::Subscript>(n);
  const Value of = expression(s.value());
  return of.tensor.empty() ? extract(n, of, indices(s.slice())) : load(n, of.tensor, indices(s.slice()));
}

Value OwnBlocks::owing(Value v) {
  auto &[name, term] = v.owes;
  if (!name.empty())
    if (const auto [it, fresh] = owed_.emplace(name, term); !fresh && it->second != term) it->second = "several";
  v.owes = {};
  return v;
}

std::string OwnBlocks::identity(Node n) const {
  std::string text = c.show(n);
  c.each(n, [&](Node m) {
    if (const auto v = c.is(m, HTP_Name) ? versions_.find(c.name_of(m)) : versions_.end(); v != versions_.end())
      text += " " + v->first + "#" + std::to_string(v->second);
  });
  return text;
}

Value OwnBlocks::expression(Node n) { return n ? owing(evaluated(n)) : Value(); }

Value OwnBlocks::evaluated(Node n) {
  if (c.is(n, HTP_Name)) {
    const auto it = here().find(c.name_of(n));
    return it == here().end() ? Value() : it->second;
  }
  if (c.is(n, HTP_Constant)) {
    const auto k = c.get<ast::Constant>(n).value();
    int64_t whole = 1;
    return Value{.zero = k.type == HTP_CONST_FLOAT ? k.u.f == 0 : c.integer(n, &whole) && whole == 0};
  }
  if (c.is(n, HTP_Subscript)) return subscript(n);
  if (c.is(n, HTP_Call)) return call(n);
  if (auto a = c.as<ast::Attribute>(n)) { // i.start, i.stop: where a block ends is another's size
    const Value of = expression(a.value());
    if (open(of.block)) return Value{.kind = Value::varies, .why = n, .loop = of.block};
  }
  std::vector<Value> operands;
  c.children(n, [&](Node child) {
    if (c.info(child).group == HTP_GROUP_EXPR) operands.push_back(expression(child));
  });
  if (c.is(n, HTP_Tuple)) {
    Value result;
    result.items = operands;
    return result;
  }
  std::string_view operation = "other";
  if (auto b = c.as<ast::BinOp>(n)) operation = operator_name(static_cast<htp_op>(b.op()));
  if (auto u = c.as<ast::UnaryOp>(n)) operation = operator_name(static_cast<htp_op>(u.op()));
  return combined(operation, operands, n);
}

Value OwnBlocks::call(Node n) {
  auto k = c.get<ast::Call>(n);
  std::vector<Node> arguments(k.args().begin(), k.args().end());
  const htp_intrinsic *row = c.intrinsic(p.names.qualified(k.func()));
  if (!row) return other_call(n, arguments);
  const std::string_view rule = row->rule, effects = row->effects;
  const std::string operation = std::string(row->name).substr(std::string_view(row->name).rfind('.') + 1);
  size_t first = 0;
  while (first < row->parameter_count && row->parameters[first].name[0] != '*') ++first;
  const std::vector<Node> rest(arguments.begin() + static_cast<ptrdiff_t>(std::min(first, arguments.size())),
                               arguments.end());
  if (!effects.empty() && !arguments.empty()) {
    const std::string tensor = expression(arguments[0]).tensor;
    if (!has_name(effects, "write")) return load(n, tensor, rest);
    if (arguments.size() > 1) store(n, tensor, rest, expression(arguments[1]), operation == "scatter_add");
    return {};
  }
  if (rule == "create" || rule == "iota" || rule == "buffer") {
    Value result = operation == "full" && arguments.size() > 1 ? expression(arguments[1]) : Value();
    result.zero = operation == "zeros" || result.zero;
    result.shape = extents(rest);
    return result; // `iota` counts the indices of a block: of whichever block, each element has its own
  }
  std::vector<Value> operands;
  for (const Node a : arguments) operands.push_back(expression(a));
  for (const Node w : k.keywords())
    if (auto named = c.get<ast::keyword>(w); named.arg() == "acc") operands.push_back(expression(named.value()));
  if (operands.empty()) return {};
  if (rule == "matmul" && operands.size() > 1) return product(n, operands);
  if (rule == "reduce" || rule == "locate" || rule == "scan" || rule == "argsort" || rule == "topk" || rule == "gather")
    return along_axis(n, rule, operation, operands);
  if (rule == "transpose" && operands[0].shape && operands[0].shape->size() > 1) {
    Value result = operands[0];
    const auto &before = *operands[0].shape;
    const size_t rank = before.size();
    Node named = arguments.size() > 1 ? arguments[1] : HTP_NONE;
    for (const Node w : k.keywords())
      if (auto keyword = c.get<ast::keyword>(w); keyword.arg() == "axes") named = keyword.value();
    auto axes = c.as<ast::Tuple>(named);
    if (!axes) {
      std::swap((*result.shape)[rank - 1], (*result.shape)[rank - 2]);
      return result;
    }
    for (size_t d = 0; d < rank && d < axes.elts().size(); ++d) {
      const int64_t axis = constants_.integer(axes.elts()[d]).value_or(0);
      (*result.shape)[d] = before[static_cast<size_t>(axis < 0 ? axis + static_cast<int64_t>(rank) : axis) % rank];
    }
    return result;
  }
  if (rule == "extract") return extract(n, operands[0], rest);
  if (rule == "reshape") operands.resize(1);
  Value result = combined(operation, operands, n);
  if (rule == "reshape") result.shape = reshaped(operands[0].shape, extents(rest), rest);
  const bool seen = rule == "elementwise" || rule == "compare" || rule == "select" || rule == "cast" ||
                    rule == "relayout" || rule == "reshape";
  if (!seen) result.shape.reset();
  return result;
}

// A slice of a tile: where a dimension is a block, all of it, or what stands there is the block's own.
Value OwnBlocks::extract(Node n, const Value &of, const std::vector<Node> &index) {
  for (const Node i : index) steady_index(i);
  Value result = of;
  result.zero = false;
  result.shape.reset();
  std::vector<Node> each;
  for (const Node i : index) {
    auto dots = c.as<ast::Constant>(i);
    if (dots && dots.value().type == HTP_CONST_ELLIPSIS && of.shape)
      each.insert(each.end(), of.shape->size() + 1 - std::min(of.shape->size(), index.size()), HTP_NONE);
    else
      each.push_back(i);
  }
  const auto varies = [&](const std::string &loop) { return Value{.kind = Value::varies, .why = n, .loop = loop}; };
  if (!of.shape || each.size() != of.shape->size()) return stack_.empty() ? result : varies(stack_.back().variable);
  result.shape.emplace();
  for (size_t d = 0; d < each.size(); ++d) {
    auto slice = c.as<ast::Slice>(each[d]);
    const bool whole = !each[d] || (slice && !slice.lower() && !slice.upper() && !slice.step()) ||
                       last_component(c.dotted(each[d])) == "whole";
    const std::string &block = (*of.shape)[d];
    if (!whole && !block.empty()) return varies(block);
    result.shape->push_back(whole ? block : block_of(each[d]));
  }
  return result;
}

// A block stays a dimension of its own: the one that is not named is what `-1` stands for.
Shape OwnBlocks::reshaped(const Shape &before, Shape after, const std::vector<Node> &named) const {
  for (size_t k = 0; after && before && k < named.size(); ++k) {
    if (constants_.integer(named[k]) != -1) continue;
    for (const std::string &block : *before)
      if (!block.empty() && std::ranges::find(*after, block) == after->end()) (*after)[k] = block;
  }
  return after;
}

Value OwnBlocks::other_call(Node n, const std::vector<Node> &arguments) {
  auto k = c.get<ast::Call>(n);
  const std::string_view name = c.name_of(k.func());
  if (name == "len" && arguments.size() == 1) {
    const Value of = expression(arguments[0]);
    const Open *o = open(of.block);
    if (!o) return {};
    return Value{.kind = Value::partial, .op = "sum", .over = chain(of.block), .why = n, .loop = of.block};
  }
  std::vector<Value> operands;
  for (const Node a : arguments) operands.push_back(expression(a));
  const Node function = c.function(root_, name);
  if (!function || scopes_.size() > deepest_call) return combined("other", operands, n);
  // The body, as it will stand here.
  auto f = c.get<ast::FunctionDef>(function);
  const Nodes parameters = c.get<ast::arguments>(f.args()).args();
  Names scope;
  for (size_t i = 0; i < parameters.size() && i < operands.size(); ++i)
    scope[std::string(c.get<ast::arg>(parameters[i]).arg())] = operands[i];
  for (const Node w : k.keywords())
    scope[std::string(c.get<ast::keyword>(w).arg())] = expression(c.get<ast::keyword>(w).value());
  scopes_.push_back(std::move(scope));
  Value result;
  for (const Node s : f.body()) {
    if (auto r = c.as<ast::Return>(s))
      result = expression(r.value());
    else
      statement(s);
  }
  scopes_.pop_back();
  return result;
}

bool OwnBlocks::keyword_of(Node n, std::string_view name, int64_t &value) const {
  for (const Node w : c.get<ast::Call>(n).keywords())
    if (auto keyword = c.get<ast::keyword>(w); keyword.arg() == name) return c.integer(keyword.value(), &value);
  return false;
}

bool OwnBlocks::unordered(Node n, const std::string &variable) {
  for (const std::string &v : chain(variable)) {
    const Open *o = open(v);
    if (o->ordered) continue;
    if (rehearsing_) return true;
    found_ = true;
    if (report_ && reported_.insert(n).second)
      c.report(diag::own_block, n, c.show(c.get<ast::Call>(n).func()), v)
          .label(c.get<ast::For>(o->statement).iter(), "`P`: blocks of any size");
    return true;
  }
  return false;
}

Value OwnBlocks::product(Node n, const std::vector<Value> &operands) {
  const Value &a = operands[0], &b = operands[1];
  Value result = combined("mul", {Value{a}, Value{b}}, n); // linear in both
  const std::string along = a.shape && !a.shape->empty() ? a.shape->back() : std::string();
  if (!along.empty() && unordered(n, along)) return {};
  if (!along.empty() && (result.kind == Value::same || result.kind == Value::weight)) {
    const bool weighted = result.kind == Value::weight;
    result = Value{.kind = Value::partial,
                   .op = "sum",
                   .over = chain(along),
                   .by = weighted ? result.by : HTP_NONE,
                   .why = n,
                   .loop = along,
                   .intrinsic = "matmul"};
  }
  result.shape.reset();
  if (a.shape && b.shape && !a.shape->empty() && a.shape->size() == b.shape->size()) {
    result.shape = a.shape;
    result.shape->back() = b.shape->back();
  }
  result.zero = false;
  return operands.size() > 2 ? combined("add", {operands[2], result}, n) : result;
}

Value OwnBlocks::along_axis(Node n, std::string_view rule, const std::string &operation, std::vector<Value> operands) {
  Node given = HTP_NONE;
  for (const Node w : c.get<ast::Call>(n).keywords())
    if (auto named = c.get<ast::keyword>(w); named.arg() == "axis") given = named.value();
  const Node one[] = {given};
  auto tuple = c.as<ast::Tuple>(given);
  for (const Node axis : tuple ? tuple.elts() : Nodes(one)) operands[0] = along(n, axis, rule, operation, operands);
  return operands[0];
}

Value OwnBlocks::along(Node n, Node given, std::string_view rule, const std::string &operation,
                       const std::vector<Value> &operands) {
  const Value &x = operands[0];
  const auto known = given ? constants_.integer(given) : std::nullopt;
  if (!x.shape || !known) {
    Value result = combined("other", operands, n);
    result.shape.reset();
    return result;
  }
  int64_t axis = *known;
  if (axis < 0) axis += static_cast<int64_t>(x.shape->size());
  if (axis < 0 || axis >= static_cast<int64_t>(x.shape->size())) return {};
  const std::string own = (*x.shape)[static_cast<size_t>(axis)];
  const size_t underscore = operation.find('_');
  const std::string op = underscore == std::string::npos ? std::string() : operation.substr(underscore + 1);
  const bool reduces = rule == "reduce";
  const std::string term = identity(c.get<ast::Call>(n).args()[0]) + " " + std::to_string(axis);
  Value result;
  if (own.empty()) {
    result = reduces && op == "sum" && (x.is(Value::partial, "sum") || x.kind == Value::weight)
                 ? x
                 : combined("other", operands, n);
  } else if (unordered(n, own)) {
    return {};
  } else if (reduces &&
             (x.kind == Value::same || (x.kind == Value::weight && op == "sum") || x.is(Value::partial, op))) {
    result =
        Value{.kind = Value::partial, .op = op, .over = chain(own), .by = x.by, .term = term, .why = n, .loop = own};
    result.over.insert(x.over.begin(), x.over.end());
    result.intrinsic = operation;
  } else if (rule == "scan" && !op.empty() && x.kind == Value::same) {
    result = Value{.kind = Value::prefix, .op = op, .term = term, .why = n, .loop = own};
  } else {
    result = Value{.kind = Value::varies, .why = n, .loop = own};
  }
  result.shape = x.shape;
  if (rule == "gather")
    result.shape = operands.size() > 1 ? operands[1].shape : Shape();
  else if (rule != "scan" && rule != "argsort")
    (*result.shape)[static_cast<size_t>(axis)].clear();
  return result;
}

} // namespace htp::wsp
