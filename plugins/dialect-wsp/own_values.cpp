// The algebra of values that open blocks are cut from: what can be put together again from block to block.
#include "own.h"

#include <algorithm>

namespace htp::wsp {
namespace {

// The reduction that an operation of two operands continues; empty for others.
std::string_view continues(std::string_view operation) {
  static constexpr std::pair<std::string_view, std::string_view> continued[] = {
      {"add", "sum"}, {"mul", "prod"}, {"maximum", "max"}, {"minimum", "min"}, {"bit_or", "any"}, {"bit_and", "all"},
  };
  for (const auto &[name, op] : continued)
    if (name == operation) return op;
  return {};
}

bool has_blocks(const Value &v) {
  return v.shape && std::any_of(v.shape->begin(), v.shape->end(), [](const std::string &s) { return !s.empty(); });
}

// What a name holds so far, and one more block; `op` of a number of blocks is not theirs unless each stands for itself.
std::optional<Value> extended(std::string_view op, const Value &sofar, const Value &more, Node at) {
  if (sofar.kind != Value::sofar || (!sofar.op.empty() && sofar.op != op)) return std::nullopt;
  Value result = sofar;
  result.op = op;
  if (more.is(Value::prefix, op) && sofar.op.empty()) { // up to each element
    Value each;
    each.owes = {sofar.of, more.term};
    return each;
  }
  result.term = sofar.op.empty() ? more.term : std::string("several");
  if (idempotent(op)) {
    if (!more.is(Value::partial, op) && (more.kind != Value::same || has_blocks(more))) return std::nullopt;
    result.over.insert(more.over.begin(), more.over.end());
    return result.by = at, result;
  }
  if (!more.is(Value::partial, op) || more.by != sofar.by || !more.over.contains(sofar.loop)) return std::nullopt;
  if (!sofar.over.empty() && sofar.over != more.over) return std::nullopt;
  result.over = more.over;
  return result;
}

std::optional<Value> reduced(std::string_view op, const Value &a, const Value &b, Node at) {
  if (auto v = extended(op, a, b, at)) return v;
  if (auto v = extended(op, b, a, at)) return v;
  if (a.is(Value::partial, op) && b.is(Value::partial, op) && a.over == b.over && a.by == b.by) return a;
  return std::nullopt;
}

std::optional<Value> of_two(std::string_view operation, const Value &a, const Value &b, Node at) {
  if (const std::string_view op = continues(operation); !op.empty())
    if (auto v = reduced(op, a, b, at)) return v;
  const bool extreme = b.kind == Value::sofar && b.by && idempotent(b.op);
  if (operation == "sub") {
    if (a.kind == Value::same && extreme) return Value{.kind = Value::distance, .by = b.by};
    if (a.kind == Value::sofar && a.op.empty() && extreme && a.of == b.of)
      return Value{.kind = Value::shift, .of = a.of, .by = b.by};
    if (b.is(Value::partial, "sum")) return reduced("sum", a, b, at);
  }
  if (operation == "mul") {
    for (const auto &[x, y] : {std::pair(&a, &b), std::pair(&b, &a)}) {
      if (x->kind == Value::sofar && x->op.empty() && y->kind == Value::rescale) {
        Value result = *x;
        result.op = "sum", result.by = y->by, result.extreme = y->of;
        return result;
      }
      if (y->kind == Value::same && (x->is(Value::partial, "sum") || x->kind == Value::weight)) return *x;
    }
  }
  if (operation == "div" && b.kind == Value::same && (a.is(Value::partial, "sum") || a.kind == Value::weight)) return a;
  return std::nullopt;
}

std::optional<Value> known(std::string_view operation, const std::vector<Value> &operands, Node at) {
  if (operation == "cast" || operation == "transpose" || operation == "reshape" || operation == "relayout")
    return operands[0];
  if (operation == "exp" && operands[0].kind == Value::distance)
    return Value{.kind = Value::weight, .by = operands[0].by};
  if (operation == "exp" && operands[0].kind == Value::shift)
    return Value{.kind = Value::rescale, .of = operands[0].of, .by = operands[0].by};
  if (operation == "neg" && operands[0].is(Value::partial, "sum")) return operands[0];
  if (operation == "where" && operands.size() == 3 && operands[0].kind == Value::same) {
    if (operands[1].kind == Value::weight && operands[2].zero) return operands[1];
    if (operands[2].kind == Value::weight && operands[1].zero) return operands[2];
    if (!has_blocks(operands[0])) return met(operands[1], operands[2]);
  }
  return operands.size() == 2 ? of_two(operation, operands[0], operands[1], at) : std::nullopt;
}

} // namespace

Shape joined(const std::vector<Value> &operands) {
  Shape result;
  for (const Value &v : operands) {
    if (!v.shape) continue;
    if (!result) result = std::vector<std::string>();
    if (result->size() < v.shape->size()) result->insert(result->begin(), v.shape->size() - result->size(), "");
    const size_t missing = result->size() - v.shape->size();
    for (size_t d = 0; d < v.shape->size(); ++d)
      if (!(*v.shape)[d].empty()) (*result)[missing + d] = (*v.shape)[d];
  }
  return result;
}

Refusal pending(const Value &v) {
  if (v.kind == Value::partial && !v.intrinsic.empty()) return Refusal(diag::partial, v.intrinsic, v.loop);
  if (v.kind != Value::sofar || v.of.empty()) return {};
  return Refusal(diag::pending, v.of.substr(0, v.of.find('@')), v.loop);
}

Value combined(std::string_view operation, const std::vector<Value> &operands, Node at) {
  const auto open =
      std::find_if(operands.begin(), operands.end(), [](const Value &v) { return v.kind != Value::same; });
  Value result;
  if (open != operands.end()) {
    const auto found = known(operation, operands, at);
    result = found ? *found : Value{.kind = Value::varies};
    result.zero = false;
    if (!result.why) result.why = open->why, result.loop = open->loop;
    for (const Value &v : operands)
      if (result.kind == Value::varies && v.kind == Value::varies)
        result.why = v.why, result.loop = v.loop, result.used = v.used, result.held = v.held;
    // Of two of them it is not known which one is wrong.
    const auto own = [](const Value &v) { return v.kind != Value::same; };
    if (result.kind == Value::varies && open->kind != Value::varies &&
        std::count_if(operands.begin(), operands.end(), own) == 1)
      if (result.held = pending(*open); result.held) result.used = at;
  }
  result.shape = joined(operands);
  return result;
}

Value met(const Value &a, const Value &b) {
  Value result = a;
  if (a.shape != b.shape) result.shape = a.shape ? b.shape ? Shape() : a.shape : b.shape;
  result.zero = a.zero && b.zero;
  if (a.kind == b.kind && a.by == b.by && a.of == b.of) {
    if (a.op == b.op && a.over == b.over) return result;
    if (a.kind == Value::sofar && (a.op.empty() || b.op.empty())) {
      result.op = a.op + b.op;
      result.over = a.op.empty() ? b.over : a.over;
      result.term = "several"; // or none
      return result;
    }
  }
  const Value &open = a.kind == Value::same ? b : a;
  if (a.kind != Value::same || b.kind != Value::same)
    result.kind = Value::varies, result.why = open.why, result.loop = open.loop;
  return result;
}

} // namespace htp::wsp
