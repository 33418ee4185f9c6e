#include "interpret.h"

#include <cstring>
#include <optional>
#include <utility>

namespace htp::a2a3sim {

namespace {

constexpr int64_t dynamic = -1;

std::optional<Type> element_type(std::string_view spelled) {
  static constexpr std::pair<const char *, Type> rows[] = {
      {"float", Type::f32},    {"half", Type::f16},    {"bfloat16_t", Type::bf16}, {"int8_t", Type::i8},
      {"uint8_t", Type::u8},   {"int16_t", Type::i16}, {"uint16_t", Type::u16},    {"int32_t", Type::i32},
      {"uint32_t", Type::u32}, {"int64_t", Type::i64}, {"uint64_t", Type::u64},    {"int", Type::i32},
      {"bool", Type::u8},      {"size_t", Type::u64},  {"event_t", Type::i32},     {"unsigned", Type::u32},
      {"void", Type::none},    {"char", Type::i8},     {"auto", Type::none},       {"double", Type::none}};
  for (const auto &[name, type] : rows)
    if (spelled == name) return type;
  return std::nullopt;
}

bool number(const Value &v) { return v.kind == Value::Kind::integer || v.kind == Value::Kind::real; }

} // namespace

void Interpreter::endless(int line) const { wrong(line, Refusal(diag::many_steps, most_steps_)); }

void Interpreter::wrong(int line, Refusal why) const {
  throw Fault{std::move(why), {path_.c_str(), line}, line_text(path_, line)};
}

Value *Interpreter::find(const std::string &name) {
  for (size_t k = scope_.size(); k-- > base_;)
    if (scope_[k].first == name) return &scope_[k].second;
  return nullptr;
}

Value Interpreter::call(const std::string &function, std::vector<Value> arguments, int line) {
  const auto at = u_.function_at.find(function);
  if (at == u_.function_at.end()) fail(line, "`" + function + "` is not defined");
  const Function *f = &u_.functions[at->second];
  if (f->parameters.size() + f->templates.size() < arguments.size())
    fail(line, "`" + function + "` is given too many arguments");
  const size_t base = base_, size = scope_.size();
  const size_t first = arguments.size() > f->parameters.size() ? arguments.size() - f->parameters.size() : 0;
  Scope own;
  own.reserve(f->templates.size() + f->parameters.size());
  for (size_t k = 0; k < first; ++k) own.emplace_back(f->templates[k], std::move(arguments[k]));
  for (size_t k = first; k < arguments.size(); ++k) own.emplace_back(f->parameters[k - first], std::move(arguments[k]));
  // A template's dtype that nobody names is that of the first pointer.
  for (size_t k = first; k < f->templates.size(); ++k)
    for (const auto &[name, value] : own)
      if (value.kind == Value::Kind::pointer) {
        Value t;
        t.kind = Value::Kind::type, t.type = value.type;
        own.emplace_back(f->templates[k], std::move(t));
        break;
      }
  base_ = size;
  for (auto &one : own) scope_.push_back(std::move(one));
  given_ = {};
  ++depth_;
  run(f->body);
  --depth_;
  scope_.resize(size);
  base_ = base;
  return std::exchange(given_, {});
}

Interpreter::Then Interpreter::run(const std::vector<Statement> &body) {
  const size_t size = scope_.size();
  for (const Statement &s : body)
    if (run(s) == Then::give) {
      scope_.resize(size);
      return Then::give;
    }
  scope_.resize(size);
  return Then::go_on;
}

Interpreter::Then Interpreter::run(const Statement &s) {
  using Form = Statement::Kind;
  if (++steps_ > most_steps_) endless(s.line);
  switch (s.kind) {
  case Form::expression: evaluate(s.value); return Then::go_on;
  case Form::declare: declare(s); return Then::go_on;
  case Form::alias: scope_.emplace_back(s.name, type_of(s.type)); return Then::go_on;
  case Form::give: given_ = s.value.kind == Expr::Kind::none ? Value{} : evaluate(s.value); return Then::give;
  case Form::block: {
    if (s.name.empty()) return run(s.body);
    std::vector<Value> mode;
    for (const Expr &a : s.arguments) mode.push_back(evaluate(a));
    scope_begins(mode, s.line);
    const Then then = run(s.body);
    scope_ends();
    return then;
  }
  case Form::branch: return run(truth(s.value) ? s.body : s.otherwise);
  case Form::each: {
    const Value list = evaluate(s.value);
    if (!list.items) fail(s.line, "this is no list");
    for (const Value &v : *list.items) {
      scope_.emplace_back(s.name, v);
      const Then then = run(s.body);
      scope_.pop_back();
      if (then == Then::give) return then;
    }
    return Then::go_on;
  }
  case Form::loop: break;
  }
  const size_t size = scope_.size();
  for (const Statement &f : s.first) run(f);
  begins(s);
  while (s.value.kind == Expr::Kind::none || truth(s.value)) {
    if (run(s.body) == Then::give) return scope_.resize(size), Then::give;
    if (s.step.kind != Expr::Kind::none) evaluate(s.step);
    if (++steps_ > most_steps_) endless(s.line);
  }
  scope_.resize(size);
  return Then::go_on;
}

void Interpreter::declare(const Statement &s) {
  using Start = Statement::Start;
  std::vector<Value> arguments;
  arguments.reserve(s.arguments.size());
  for (const Expr &a : s.arguments) arguments.push_back(evaluate(a));
  Value value;
  if (s.array) {
    value.kind = Value::Kind::list;
    value.items = std::make_shared<std::vector<Value>>();
    if (s.start == Start::equals && arguments.size() == 1 && arguments[0].items) *value.items = *arguments[0].items;
    if (s.extent.kind != Expr::Kind::none)
      value.items->resize(static_cast<size_t>(std::clamp<int64_t>(evaluate(s.extent).integer, 0, 4096)));
  } else if (s.start == Start::equals && (s.type.pointer || s.type.text == "auto" || element_type(s.type.text))) {
    value = std::move(arguments[0]);
    if (value.kind == Value::Kind::operand && s.type.text == "auto")
      value.operand = std::make_shared<Operand>(*value.operand);
  } else if (s.start == Start::equals && arguments[0].kind != Value::Kind::list) {
    value = std::move(arguments[0]);
  } else {
    if (s.start == Start::equals && arguments[0].items) arguments = std::vector<Value>(*arguments[0].items);
    value = construct(type_of(s.type), std::move(arguments), s.line);
  }
  declared(s, value);
  scope_.emplace_back(s.name, std::move(value));
}

Value Interpreter::type_of(const Expr &e) {
  if (e.kind != Expr::Kind::type) {
    return evaluate(e);
  }
  Value t;
  t.kind = Value::Kind::type, t.text = e.text;
  if (const auto element = element_type(e.text)) {
    t.type = *element;
    return t;
  }
  if (const Value *own = find(e.text)) return *own;
  std::vector<Value> parts;
  parts.reserve(e.children.size());
  for (const Expr &p : e.children) parts.push_back(type_of(p));
  if (const auto at = u_.alias_at.find(e.text); at != u_.alias_at.end()) {
    const Alias &a = u_.aliases[at->second];
    if (parts.size() > a.templates.size()) fail(e.line, "`" + e.text + "` has fewer arguments");
    const size_t base = base_, size = scope_.size();
    base_ = size;
    for (size_t k = 0; k < parts.size(); ++k) scope_.emplace_back(a.templates[k], std::move(parts[k]));
    t = type_of(a.type);
    scope_.resize(size);
    base_ = base;
    return t;
  }
  if (e.text == "Shape" || e.text == "Stride") {
    t.items = std::make_shared<std::vector<Value>>(5, Value::of(1));
    for (size_t k = 0; k < parts.size() && k < 5; ++k) {
      if (parts[k].integer == dynamic) t.open |= static_cast<uint8_t>(1u << k);
      (*t.items)[k] = parts[k];
    }
    return t;
  }
  t.items = std::make_shared<std::vector<Value>>(std::move(parts));
  return t;
}

Value Interpreter::construct(const Value &type, std::vector<Value> arguments, int line) {
  if (type.kind != Value::Kind::type) fail(line, "this is no type");
  if (type.text == "Shape" || type.text == "Stride") {
    Value v;
    v.kind = Value::Kind::five;
    v.items = std::make_shared<std::vector<Value>>(*type.items);
    size_t next = 0;
    for (size_t k = 0; k < 5; ++k)
      if (type.open >> k & 1u) {
        const size_t from = arguments.size() == 5 ? k : next++;
        (*v.items)[k] = from < arguments.size() ? arguments[from] : Value::of(1);
      }
    return v;
  }
  if (type.text == "Tile" || type.text == "GlobalTensor" || !element_type(type.text) || arguments.size() != 1) {
    std::vector<Value> all;
    const size_t of_type = type.items ? type.items->size() : 0;
    all.reserve(of_type + arguments.size() + 1);
    if (type.items) all.assign(type.items->begin(), type.items->end());
    for (Value &a : arguments) all.push_back(std::move(a));
    all.push_back(Value::of(static_cast<int64_t>(of_type)));
    Value v;
    if (element_type(type.text) && arguments.empty()) return Value::of(0);
    if (!constructed(type.text, all, line, v))
      fail(line, "the type `" + std::string(type.text) + "` is none that is known");
    return v;
  }
  Value v = arguments[0];
  if (number(v)) { // numbers are as wide as they need to be
    v = type.type == Type::f32 || type.type == Type::f16 || type.type == Type::bf16 || type.text == "double"
            ? Value::of_real(v.real)
            : Value::of(v.integer);
    if (type.type == Type::u32) v = Value::of(static_cast<int64_t>(static_cast<uint32_t>(v.integer)));
  }
  return v;
}

bool Interpreter::truth(const Expr &e) {
  const Value v = evaluate(e);
  if (v.kind == Value::Kind::none) fail(e.line, "what this is is not known here");
  return v.kind == Value::Kind::real                                        ? v.real != 0
         : v.kind != Value::Kind::integer && v.kind != Value::Kind::pointer ? true
                                                                            : v.integer != 0;
}

Value *Interpreter::place(const Expr &e) {
  if (e.kind == Expr::Kind::name) return find(e.text);
  if (e.kind != Expr::Kind::index) return nullptr;
  Value *list = place(e.children[0]);
  const int64_t at = evaluate(e.children[1]).integer;
  if (!list || list->kind != Value::Kind::list || at < 0 || static_cast<size_t>(at) >= list->items->size())
    return nullptr;
  return &(*list->items)[static_cast<size_t>(at)];
}

Value Interpreter::binary(std::string_view operation, const Value &a, const Value &b, int line) const {
  const char first = operation[0];
  const bool pair = operation.size() == 2;
  if (a.kind == Value::Kind::pointer && b.kind == Value::Kind::integer && !pair && (first == '+' || first == '-')) {
    Value v = a;
    v.integer +=
        (first == '+' ? 1 : -1) * b.integer * static_cast<int64_t>(a.type == Type::none ? 1 : bytes_of(a.type));
    return v;
  }
  if (a.kind == Value::Kind::none || b.kind == Value::Kind::none) fail(line, "what this is is not known here");
  if (a.kind == Value::Kind::real || b.kind == Value::Kind::real) {
    const double x = a.real, y = b.real;
    if (!pair) switch (first) {
      case '+': return Value::of_real(x + y);
      case '-': return Value::of_real(x - y);
      case '*': return Value::of_real(x * y);
      case '/': return Value::of_real(x / y);
      case '<': return Value::of(static_cast<int64_t>(x < y));
      case '>': return Value::of(static_cast<int64_t>(x > y));
      default: break;
      }
    if (operation == "<=") return Value::of(static_cast<int64_t>(x <= y));
    if (operation == ">=") return Value::of(static_cast<int64_t>(x >= y));
    if (operation == "==") return Value::of(static_cast<int64_t>(x == y));
    if (operation == "!=") return Value::of(static_cast<int64_t>(x != y));
    fail(line, "`" + std::string(operation) + "` of floats is not read");
  }
  const int64_t x = a.integer, y = b.integer;
  const auto wrapped = [](uint64_t n) { return Value::of(static_cast<int64_t>(n)); };
  const auto ux = static_cast<uint64_t>(x), uy = static_cast<uint64_t>(y);
  if (!pair) switch (first) {
    case '+': return wrapped(ux + uy);
    case '-': return wrapped(ux - uy);
    case '*': return wrapped(ux * uy);
    case '/':
    case '%':
      if (y == 0 || y == -1) fail(line, "a division by " + std::to_string(y));
      return Value::of(first == '/' ? x / y : x % y);
    case '<': return Value::of(static_cast<int64_t>(x < y));
    case '>': return Value::of(static_cast<int64_t>(x > y));
    case '&': return Value::of(x & y);
    case '|': return Value::of(x | y);
    case '^': return Value::of(x ^ y);
    default: break;
    }
  if (operation == "<=") return Value::of(static_cast<int64_t>(x <= y));
  if (operation == ">=") return Value::of(static_cast<int64_t>(x >= y));
  if (operation == "==") return Value::of(static_cast<int64_t>(x == y));
  if (operation == "!=") return Value::of(static_cast<int64_t>(x != y));
  if (operation == "//" && y > 0) return Value::of(x / y - (x % y < 0));
  if (operation == "<<" && y >= 0 && y < 63) return wrapped(ux << uy);
  if (operation == ">>" && y >= 0 && y < 63) return Value::of(x >> y);
  fail(line, "`" + std::string(operation) + "` is not read");
}

Value Interpreter::evaluate(const Expr &e) {
  using Form = Expr::Kind;
  if (++steps_ > most_steps_) endless(e.line);
  switch (e.kind) {
  case Form::none: return {};
  case Form::integer: return Value::of(e.integer);
  case Form::real: return Value::of_real(e.real);
  case Form::text: {
    Value v;
    v.kind = Value::Kind::text, v.text = e.text;
    return v;
  }
  case Form::type: return type_of(e);
  case Form::name: {
    if (const Value *v = find(e.text)) return *v;
    Value v;
    if (named(e.text, v)) return v;
    wrong(e.line, Refusal(diag::undeclared, e.text));
  }
  case Form::unary: {
    if (e.text == "&" || e.text == "*") return evaluate(e.children[0]);
    if (e.text == "++" || e.text == "--") {
      Value *v = place(e.children[0]);
      if (!v) fail(e.line, "this cannot be changed");
      return *v = binary(std::string_view(e.text).substr(1), *v, Value::of(1), e.line);
    }
    const Value v = evaluate(e.children[0]);
    if (e.text == "!")
      return Value::of(static_cast<int64_t>(
          v.kind == Value::Kind::integer || v.kind == Value::Kind::pointer ? v.integer == 0 : !truth(e.children[0])));
    if (e.text == "~") return Value::of(~v.integer);
    if (e.text == "+") return v;
    if (!number(v)) fail(e.line, "this is no number");
    return v.kind == Value::Kind::real ? Value::of_real(-v.real) : Value::of(-v.integer);
  }
  case Form::after: {
    Value *v = place(e.children[0]);
    if (!v) fail(e.line, "this cannot be changed");
    Value before = *v;
    *v = binary(std::string_view(e.text).substr(1), before, Value::of(1), e.line);
    return before;
  }
  case Form::binary: {
    if (e.text == "&&") return Value::of(static_cast<int64_t>(truth(e.children[0]) && truth(e.children[1])));
    if (e.text == "||") return Value::of(static_cast<int64_t>(truth(e.children[0]) || truth(e.children[1])));
    const Value a = evaluate(e.children[0]), b = evaluate(e.children[1]);
    if (e.text == ",") return b;
    return binary(e.text, a, b, e.line);
  }
  case Form::assign: {
    Value right = evaluate(e.children[1]);
    Value *v = place(e.children[0]);
    if (!v) wrong(e.line, Refusal(diag::assigned));
    *v = e.text == "=" ? std::move(right) : binary(std::string_view(e.text).substr(0, 1), *v, right, e.line);
    return *v;
  }
  case Form::conditional: return evaluate(e.children[truth(e.children[0]) ? 1 : 2]);
  case Form::index: {
    if (const Value *v = place(e)) return *v;
    const Value list = evaluate(e.children[0]);
    const int64_t at = evaluate(e.children[1]).integer;
    if (list.items && at >= 0 && static_cast<size_t>(at) < list.items->size())
      return (*list.items)[static_cast<size_t>(at)];
    wrong(e.line, Refusal(diag::list_element, at));
  }
  case Form::list: {
    Value v;
    v.kind = Value::Kind::list, v.items = std::make_shared<std::vector<Value>>();
    for (const Expr &p : e.children) v.items->push_back(evaluate(p)), v.items->back().field = p.field;
    return v;
  }
  case Form::lambda: {
    Value v;
    v.kind = Value::Kind::closure, v.lambda = &e;
    return v;
  }
  case Form::member: {
    const Value o = evaluate(e.children[0]);
    Value v;
    if (o.kind == Value::Kind::object && o.object->member(e.text, v)) return v;
    fail(e.line, "`" + e.text + "` is not known here");
  }
  case Form::call: break;
  }

  calling(e);
  const Expr &what = e.children[0];
  std::vector<Value> arguments;
  arguments.reserve(e.children.size());
  for (size_t k = 1; k < e.children.size(); ++k)
    arguments.push_back(evaluate(e.children[k])), arguments.back().field = e.children[k].field;
  Value v;
  if (what.kind == Form::member) {
    const Value o = evaluate(what.children[0]);
    if (o.kind == Value::Kind::object && o.object->call(what.text, arguments, e.line, v)) return v;
    fail(e.line, "`" + what.text + "` is not known here");
  }
  if (what.kind == Form::type) {
    const auto cast = what.text.find("_cast");
    if (cast != std::string::npos && what.children.size() == 1 && arguments.size() == 1) {
      const Value to = type_of(what.children[0]);
      if (what.children[0].pointer || arguments[0].kind == Value::Kind::pointer) {
        v = arguments[0];
        if (v.kind == Value::Kind::object || v.kind == Value::Kind::list) return v;
        v.kind = what.children[0].pointer ? Value::Kind::pointer : Value::Kind::integer, v.type = to.type;
        v.real = static_cast<double>(v.integer);
        return v;
      }
      return construct(to, std::move(arguments), e.line);
    }
    if (has(what.text)) {
      std::vector<Value> all;
      for (const Expr &p : what.children) all.push_back(type_of(p));
      for (Value &a : arguments) all.push_back(std::move(a));
      return call(what.text, std::move(all), e.line);
    }
    std::vector<Value> templates;
    if (what.text == "TSTORE" || what.text == "TCI" || what.text == "TGATHER" || what.text == "TSCATTER" ||
        what.text == "TTRI") {
      for (const Expr &p : what.children) templates.push_back(type_of(p));
      if (called(what.text, templates, arguments, e.line, v)) return v;
    }
    return construct(type_of(what), std::move(arguments), e.line);
  }
  if (what.kind != Form::name) fail(e.line, "this is not called");
  if (const Value *own = find(what.text)) {
    if (own->kind != Value::Kind::closure) fail(e.line, "`" + what.text + "` is no function");
    const Expr &lambda = *own->lambda;
    const size_t size = scope_.size();
    for (size_t k = 0; k < lambda.parameters.size() && k < arguments.size(); ++k)
      scope_.emplace_back(lambda.parameters[k], std::move(arguments[k]));
    given_ = {};
    run(lambda.body->statements);
    scope_.resize(size);
    return std::exchange(given_, {});
  }
  if (has(what.text)) return call(what.text, std::move(arguments), e.line);
  std::vector<Value> templates;
  for (const Expr &p : what.children) templates.push_back(type_of(p));
  if (called(what.text, templates, arguments, e.line, v)) return v;
  if (e.text == "{") return construct(type_of(what), std::move(arguments), e.line);
  // A type that is known by what it constructs alone.
  arguments.push_back(Value::of(0));
  if (constructed(what.text, arguments, e.line, v)) return v;
  fail(e.line, "`" + what.text + "` is not known");
}

} // namespace htp::a2a3sim
