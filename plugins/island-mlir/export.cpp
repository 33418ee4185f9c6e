#include "export.h"

#include "htp_cpp/loops.h"
#include "htp_cpp/writer.h"

#include <charconv>
#include <cmath>

namespace htp::mlir {

namespace {

struct Value {
  std::string name, type;
};
using Environment = std::map<std::string, Value, std::less<>>;

[[noreturn]] void refuse(Node where, std::string what) { throw Refusal{where, std::move(what)}; }

// A name in MLIR's letters.
std::string plain(std::string_view name) {
  std::string result;
  for (const char ch : name) {
    const bool letter = (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || (ch >= '0' && ch <= '9');
    result += letter ? ch : '_';
  }
  return result;
}

std::string quoted(std::string_view text) {
  constexpr const char *hex = "0123456789ABCDEF";
  std::string result = "\"";
  for (const char ch : text) {
    const auto byte = static_cast<unsigned char>(ch);
    if (ch == '"' || ch == '\\' || byte < 32 || byte > 126)
      (result += '\\', result += hex[byte >> 4]) += hex[byte & 15];
    else
      result += ch;
  }
  return result + "\"";
}

// What a float type can hold at most, and how MLIR writes its infinities.
struct FloatType {
  std::string_view type;
  double largest;
  const char *infinity, *minus_infinity;
};
constexpr FloatType float_types[] = {
    {"f16", 65504.0, "0x7C00", "0xFC00"},
    {"bf16", 3.3895313892515355e38, "0x7F80", "0xFF80"},
    {"f32", 3.4028234663852886e38, "0x7F800000", "0xFF800000"},
    {"f64", 1.7976931348623157e308, "0x7FF0000000000000", "0xFFF0000000000000"},
};

class FunctionWriter {
public:
  FunctionWriter(const Program &program, const Part &part) : p(program), c(program.context()), part_(part) {}

  std::string run() {
    Environment names;
    std::string head = "func.func @" + part_.name + "(";
    for (const std::string &name : part_.inputs) {
      const Symbol &s = *p.symbol(name);
      if (s.type.empty()) refuse(s.annotation, untyped(name, s));
      const Value v{fresh(name), s.type};
      names.emplace(name, v);
      if (head.back() != '(') head += ", ";
      head += v.name + ": " + v.type;
    }
    head += ")";
    const std::vector<Value> results = block(part_.statements, names, part_.after, part_.results);
    if (!results.empty()) head += " -> (" + join(results, ", ", [](const Value &v) { return v.type; }) + ")";
    Writer w;
    {
      auto function = w.block("}", head, " {");
      for (const std::string &line : constants_) w.line(line);
      for (const auto &[depth, line] : lines_) w.line(std::string(2 * depth, ' '), line);
      w.line("func.return", results.empty() ? "" : " " + names_of(results) + " : " + types_of(results));
    }
    return w.text();
  }

private:
  static std::string names_of(const std::vector<Value> &list) {
    return join(list, ", ", [](const Value &v) { return v.name; });
  }
  static std::string types_of(const std::vector<Value> &list) {
    return join(list, ", ", [](const Value &v) { return v.type; });
  }

  std::string fresh(std::string_view stem) { return "%" + names_.claim(plain(stem)); }
  void line(std::string text) { lines_.emplace_back(depth_, std::move(text)); }
  std::string place(std::string_view name = {}) const {
    return " loc(" + quoted(std::to_string(number_) + ":" + std::string(name)) + ")";
  }

  // One operation with one result.
  Value operation(std::string_view stem, const std::string &text, const std::string &type, std::string_view name = {}) {
    const Value v{fresh(name.empty() ? stem : name), type};
    line(v.name + " = " + text + place(name));
    return v;
  }

  // ── constants ─────────────────────────────────────────────────────────────────────────────────────────────────────

  // They stand at the function's beginning; where they come from is how the program spells them.
  Value constant(const std::string &text, const std::string &type, Node node) {
    const std::string spelled = node ? " loc(" + quoted("=" + c.show(node)) + ")" : std::string();
    const std::string value = "arith.constant " + text + (type == "i1" ? "" : " : " + type) + spelled;
    const auto [at, first] = known_.try_emplace(value);
    if (first) {
      at->second = Value{fresh("c"), type};
      constants_.push_back(at->second.name + " = " + value);
    }
    return at->second;
  }
  Value index_constant(int64_t n, Node node) { return constant(std::to_string(n), "index", node); }

  static std::string decimal(double d) {
    char buffer[40];
    std::string text(buffer, std::to_chars(buffer, buffer + sizeof buffer, d).ptr);
    if (text.find('.') == std::string::npos) text.insert(std::min(text.find('e'), text.size()), ".0");
    return text;
  }

  // A number as a value of a scalar type.
  Value literal(const Number &n, const std::string &type, Node node) {
    if (is_float(type)) {
      const double d = n.as_double();
      for (const FloatType &f : float_types) {
        if (f.type != type) continue;
        if (std::isinf(d)) return constant(d > 0 ? f.infinity : f.minus_infinity, type, node);
        if (std::fabs(d) > f.largest || (!n.real && std::llabs(n.i) > (int64_t{1} << 53)))
          refuse(node, "the number `" + c.show(node) + "`, which " + type + " does not hold");
      }
      return constant(decimal(d), type, node);
    }
    if (n.real) refuse(node, "the number `" + c.show(node) + "` as " + type);
    if (type == "i1") return constant(n.i ? "true" : "false", type, node);
    const int bits = std::stoi(type.substr(1));
    const int64_t most = bits == 64 ? INT64_MAX : (int64_t{1} << (bits - 1)) - 1;
    if (n.i > most || n.i < -most - 1)
      refuse(node, "the number `" + c.show(node) + "`, which " + type + " does not hold");
    return constant(std::to_string(n.i), type, node);
  }

  // ── ints ──────────────────────────────────────────────────────────────────────────────────────────────────────────

  Value known(const Environment &names, Node n) const {
    const auto name = c.name_of(n);
    const auto at = names.find(name);
    if (at == names.end()) refuse(n, "`" + std::string(name) + "`, which may have no value here");
    return at->second;
  }

  Value index(const Environment &names, Node n, std::string_view name = {}) {
    if (const auto value = p.constants().number(n)) {
      if (value->real || value->truth) refuse(n, "`" + c.show(n) + "` as an index");
      return index_constant(value->i, n);
    }
    if (const auto id = c.name_of(n); !id.empty()) {
      const Symbol *s = p.symbol(id);
      if (!s || s->sort != Symbol::Sort::integer) refuse(n, "`" + std::string(id) + "` as an index");
      return known(names, n);
    }
    if (auto u = c.as<ast::UnaryOp>(n); u && u.op() == HTP_USub) {
      const Value zero = index_constant(0, HTP_NONE), v = index(names, u.operand());
      return operation("minus", "arith.subi " + zero.name + ", " + v.name + " : index", "index", name);
    }
    if (auto b = c.as<ast::BinOp>(n)) {
      const htp_op op = b.op();
      const std::string_view word = op == HTP_Add ? "addi" : op == HTP_Sub ? "subi" : op == HTP_Mult ? "muli" : "";
      if (!word.empty()) {
        const Value l = index(names, b.left()), r = index(names, b.right());
        return operation("at", "arith." + std::string(word) + " " + l.name + ", " + r.name + " : index", "index", name);
      }
      if (op == HTP_FloorDiv || op == HTP_Mod) {
        const auto by = p.constants().integer(b.right());
        if (!by || *by == 0 || *by == -1) refuse(n, "a division by `" + c.show(b.right()) + "`");
        const Value l = index(names, b.left()), r = index_constant(*by, b.right());
        const std::string quotient = "arith.floordivsi " + l.name + ", " + r.name + " : index";
        if (op == HTP_FloorDiv) return operation("quotient", quotient, "index", name);
        const Value q = operation("quotient", quotient, "index");
        const Value whole = operation("whole", "arith.muli " + q.name + ", " + r.name + " : index", "index");
        return operation("rest", "arith.subi " + l.name + ", " + whole.name + " : index", "index", name);
      }
    }
    if (auto call = c.as<ast::Call>(n); call && call.args().size() == 2 && call.keywords().empty())
      if (const auto word = c.name_of(call.func()); word == "min" || word == "max") {
        const Value l = index(names, call.args()[0]), r = index(names, call.args()[1]);
        return operation(word, "arith." + std::string(word) + "si " + l.name + ", " + r.name + " : index", "index",
                         name);
      }
    refuse(n, "`" + c.show(n) + (p.cpu_word(n).empty() ? "` as an index" : "`"));
  }

  // ── conditions over ints ──────────────────────────────────────────────────────────────────────────────────────────

  Value truth(const Environment &names, Node n) {
    if (auto cmp = c.as<ast::Compare>(n)) {
      Value left = index(names, cmp.left()), all;
      for (size_t k = 0; k < cmp.ops().size(); ++k) {
        const auto op = cmp.ops()[k];
        const char *word = op == HTP_Eq      ? "eq"
                           : op == HTP_NotEq ? "ne"
                           : op == HTP_Lt    ? "slt"
                           : op == HTP_LtE   ? "sle"
                           : op == HTP_Gt    ? "sgt"
                           : op == HTP_GtE   ? "sge"
                                             : nullptr;
        if (!word) refuse(n, "`" + c.show(n) + "` as a condition");
        const Value right = index(names, cmp.comparators()[k]);
        const Value one = operation(
            "is", "arith.cmpi " + std::string(word) + ", " + left.name + ", " + right.name + " : index", "i1");
        all = k == 0 ? one : operation("both", "arith.andi " + all.name + ", " + one.name + " : i1", "i1");
        left = right;
      }
      return all;
    }
    if (auto b = c.as<ast::BoolOp>(n)) {
      Value all = truth(names, b.values()[0]);
      for (const Node v : b.values().subspan(1)) {
        const Value next = truth(names, v);
        const bool both = b.op() == HTP_And;
        all = operation(both ? "both" : "either",
                        std::string(both ? "arith.andi " : "arith.ori ") + all.name + ", " + next.name + " : i1", "i1");
      }
      return all;
    }
    if (auto u = c.as<ast::UnaryOp>(n); u && u.op() == HTP_Not) {
      const Value v = truth(names, u.operand()), yes = constant("true", "i1", HTP_NONE);
      return operation("not", "arith.xori " + v.name + ", " + yes.name + " : i1", "i1");
    }
    if (const Symbol *s = p.symbol(c.name_of(n)); s && s->sort == Symbol::Sort::truth) return known(names, n);
    if (const auto number = p.constants().number(n); number && number->truth) return literal(*number, "i1", n);
    const Value v = index(names, n), zero = index_constant(0, HTP_NONE);
    return operation("is", "arith.cmpi ne, " + v.name + ", " + zero.name + " : index", "i1");
  }

  // ── scalars and memory ────────────────────────────────────────────────────────────────────────────────────────────

  bool is_scalar(Node n) const {
    const Symbol *s = p.symbol(c.name_of(n));
    return s && s->sort == Symbol::Sort::scalar;
  }

  // An operand that must have this type.
  Value operand(const Environment &names, Node n, const std::string &type, std::string_view name = {}) {
    if (is_scalar(n)) {
      Value v = known(names, n);
      if (v.type != type) refuse(n, "`" + c.show(n) + "` as " + type);
      return v;
    }
    if (const auto number = p.constants().number(n)) return literal(*number, type, n);
    const Value v = index(names, n);
    if (!is_float(type)) return opaque("splat", {v}, {}, {}, type, name);
    const Value wide = operation("wide", "arith.index_cast " + v.name + " : index to i64", "i64");
    return operation("real", "arith.sitofp " + wide.name + " : i64 to " + type, type, name);
  }

  Value memory(const Environment &names, Node n) {
    const Symbol *s = p.symbol(c.name_of(n));
    if (!s || s->sort != Symbol::Sort::memory) refuse(n, "`" + c.show(n) + "` as memory");
    return known(names, n);
  }

  std::string element(const Environment &names, Node where, Node of, Nodes at) {
    const Value m = memory(names, of);
    if (at.size() != p.symbol(c.name_of(of))->extents.size()) refuse(where, "`" + c.show(where) + "`");
    const std::string indices = join(at, ", ", [&](Node n) { return index(names, n).name; });
    return m.name + "[" + indices + "] : " + m.type;
  }

  // What MLIR has no operation for: one of its own, with the word's name. `keywords`: of the last operands.
  Value opaque(std::string_view word, const std::vector<Value> &operands, const std::vector<std::string> &keywords,
               const std::vector<std::string> &attributes, const std::string &type, std::string_view name) {
    std::vector<std::string> all = attributes;
    if (!keywords.empty()) all.push_back("htp.keywords = [" + join(keywords, ", ", quoted) + "]");
    const std::string dictionary =
        all.empty() ? "" : " {" + join(all, ", ", [](const std::string &s) { return s; }) + "}";
    const std::string text = "\"cpu." + std::string(word) + "\"(" + names_of(operands) + ")" + dictionary + " : (" +
                             types_of(operands) + ") -> " + (type.empty() ? "()" : type);
    if (!type.empty()) return operation(word, text, type, name);
    line(text + place());
    return {};
  }

  // Keywords of a call that are constants, as attributes; None is nothing.
  std::vector<std::string> attributes(Nodes keywords) {
    std::vector<std::string> result;
    for (const Node k : keywords) {
      const auto kw = c.get<ast::keyword>(k);
      std::string_view text;
      const auto constant = c.as<ast::Constant>(kw.value());
      if (constant && constant.value().type == HTP_CONST_NONE) continue;
      if (c.string(kw.value(), &text))
        result.push_back(std::string(kw.arg()) + " = " + quoted(text));
      else if (const auto n = p.constants().number(kw.value()); n && n->truth)
        result.push_back(std::string(kw.arg()) + (n->i ? " = true" : " = false"));
      else
        refuse(k, "`" + c.show(k) + "`");
    }
    return result;
  }

  Value conversion(const Value &v, const std::string &type, Node where, Nodes keywords, std::string_view name) {
    const bool from = is_float(v.type), to = is_float(type);
    const auto bits = [](const std::string &t) { return std::stoi(t.substr(t.find_first_of("0123456789"))); };
    const std::vector<std::string> asked = attributes(keywords);
    std::string word;
    if (!asked.empty() || type == "i1" || v.type == type)
      word.clear();
    else if (from && to && bits(v.type) != bits(type))
      word = bits(type) > bits(v.type) ? "arith.extf" : "arith.truncf";
    else if (v.type == "i1")
      word = to ? "arith.uitofp" : "arith.extui";
    else if (!from && to)
      word = "arith.sitofp";
    else if (!from && !to)
      word = bits(type) > bits(v.type) ? "arith.extsi" : "arith.trunci";
    if (type.empty()) refuse(where, "`" + c.show(where) + "`");
    if (word.empty()) return opaque("cast", {v}, {}, asked, type, name);
    return operation("cast", word + " " + v.name + " : " + v.type + " to " + type, type, name);
  }

  // The value of `name: T = …`.
  Value computed(const Environment &names, Node n, const std::string &type, std::string_view name) {
    const std::string word = p.cpu_word(n);
    if (!c.is(n, HTP_Call) || word.empty()) return operand(names, n, type);
    const auto call = c.get<ast::Call>(n);
    const Nodes a = call.args(), keywords = call.keywords();
    if (word == "get" && !a.empty()) {
      const Value m = memory(names, a[0]);
      if (!m.type.ends_with("x" + type + ">")) refuse(n, "`" + c.show(n) + "` as " + type);
      if (keywords.empty()) return operation(name, "memref.load " + element(names, n, a[0], a.subspan(1)), type, name);
      std::vector<Value> operands{m};
      for (const Node at : a.subspan(1)) operands.push_back(index(names, at));
      const auto kw = c.get<ast::keyword>(keywords[0]);
      if (keywords.size() != 1 || kw.arg() != "outside") refuse(n, "`" + c.show(n) + "`");
      operands.push_back(operand(names, kw.value(), type));
      return opaque("get", operands, {"outside"}, {}, type, name);
    }
    if (word == "splat" && a.size() == 2 && keywords.empty()) return operand(names, a[1], type, name);
    if (word == "index" && a.size() == 2) return opaque("index", {index(names, a[1])}, {}, {}, type, name);
    if (word == "cast" && !a.empty() && is_scalar(a[0])) return conversion(known(names, a[0]), type, n, keywords, name);
    if (word == "where" && a.size() == 3) {
      const Value when = operand(names, a[0], "i1"), yes = operand(names, a[1], type), no = operand(names, a[2], type);
      return operation("where", "arith.select " + when.name + ", " + yes.name + ", " + no.name + " : " + type, type,
                       name);
    }
    const Word *w = word_named(word);
    if (!w || a.size() != w->operands || !keywords.empty()) refuse(n, "`" + c.show(n) + "`");
    std::string of = type;
    if (w->compares || word == "above" || word == "below") {
      of.clear();
      for (const Node x : a)
        if (is_scalar(x)) of = known(names, x).type;
      if (of.empty() || type != "i1") refuse(n, "`" + c.show(n) + "`, none of whose operands has a dtype");
    }
    std::vector<Value> operands;
    for (const Node x : a) operands.push_back(operand(names, x, of));
    const std::string_view op = is_float(of) ? w->of_floats : of == "i1" ? w->of_truths : w->of_ints;
    if (op.empty()) return opaque(word, operands, {}, {}, type, name);
    if (w->compares)
      return operation(word,
                       std::string(is_float(of) ? "arith.cmpf " : "arith.cmpi ") + std::string(op) + ", " +
                           names_of(operands) + " : " + of,
                       type, name);
    return operation(word, std::string(op) + " " + names_of(operands) + " : " + of, type, name);
  }

  // ── statements ────────────────────────────────────────────────────────────────────────────────────────────────────

  // Returns what the names of `results` are at the end.
  std::vector<Value> block(Nodes statements, Environment names, NameSet after,
                           const std::vector<std::string> &results) {
    std::vector<NameSet> behind(statements.size());
    after.insert(results.begin(), results.end());
    for (size_t k = statements.size(); k-- > 0;) {
      behind[k] = after;
      after = p.before(statements[k], std::move(after));
    }
    for (size_t k = 0; k < statements.size(); ++k) {
      number_ = p.number(statements[k]);
      statement(statements[k], names, behind[k]);
    }
    std::vector<Value> values;
    for (const std::string &name : results) {
      const auto at = names.find(name);
      if (at == names.end())
        refuse(statements.empty() ? p.function() : statements.back(),
               "`" + name + "`, which may have no value behind this");
      values.push_back(at->second);
    }
    return values;
  }

  void statement(Node s, Environment &names, const NameSet &after) {
    if (c.is(s, HTP_Pass)) return;
    if (c.is(s, HTP_For)) return loop(s, names, after);
    if (c.is(s, HTP_If)) return branch(s, names, after);
    if (auto e = c.as<ast::Expr>(s)) {
      if (c.is(e.value(), HTP_Constant)) return;
      const std::string word = p.cpu_word(e.value());
      const auto call = c.as<ast::Call>(e.value());
      if (word == "put" && call.args().size() >= 2 && call.keywords().empty()) {
        const Nodes a = call.args();
        const Value m = memory(names, a[0]);
        const size_t x = m.type.rfind('x');
        const Value v = operand(names, a[1], m.type.substr(x + 1, m.type.size() - x - 2));
        return line("memref.store " + v.name + ", " + element(names, e.value(), a[0], a.subspan(2)) + place());
      }
      if (word == "order" && call.args().size() >= 4) {
        const Nodes a = call.args();
        std::vector<Value> operands{memory(names, a[0]), memory(names, a[1])};
        for (const Node n : a.subspan(2)) operands.push_back(index(names, n));
        opaque(word, operands, {}, attributes(call.keywords()), "", "");
        return;
      }
      refuse(s, "`" + c.show(s) + "`");
    }
    std::string_view name;
    Node value = HTP_NONE;
    if (auto a = c.as<ast::AnnAssign>(s)) {
      name = c.name_of(a.target()), value = a.value();
    } else if (auto b = c.as<ast::Assign>(s); b && b.targets().size() == 1) {
      name = c.name_of(b.targets()[0]), value = b.value();
    }
    const Symbol *symbol = p.symbol(name);
    if (!symbol || !value) refuse(s, statement_words(s));
    if (symbol->type.empty()) refuse(s, untyped(name, *symbol));
    names.insert_or_assign(std::string(name), bound(s, *symbol, names, value, name));
  }

  static std::string untyped(std::string_view name, const Symbol &s) {
    const bool has = !type_of_dtype(s.dtype).empty();
    return "`" + std::string(name) + "`, of " + (has ? "several types" : s.dtype);
  }

  std::string statement_words(Node s) const {
    if (c.is(s, HTP_While)) return "a `while`";
    if (auto f = c.as<ast::FunctionDef>(s)) return "the process `" + std::string(f.name()) + "`";
    if (c.is(s, HTP_Break)) return "a `break`";
    return "`" + c.show(s) + "`";
  }

  Value bound(Node s, const Symbol &symbol, const Environment &names, Node value, std::string_view name) {
    const std::string word = p.cpu_word(value);
    if (word == "alloc") {
      std::string sizes;
      const Nodes a = c.get<ast::Call>(value).args();
      std::string shape;
      for (const Node e : a.empty() ? a : a.subspan(1)) {
        const auto n = p.constants().integer(e);
        shape += (n && *n >= 0 ? std::to_string(*n) : "?") + "x";
        if (!n) sizes += (sizes.empty() ? "" : ", ") + index(names, e).name;
      }
      if ("memref<" + shape + type_of_dtype(symbol.dtype) + ">" != symbol.type) refuse(s, "`" + c.show(s) + "`");
      return operation(name, "memref.alloc(" + sizes + ") : " + symbol.type, symbol.type, name);
    }
    if (word == "position" || word == "holds") {
      const Nodes a = c.get<ast::Call>(value).args();
      if (a.empty() || !is_scalar(a[0])) refuse(s, "`" + c.show(s) + "`");
      std::vector<Value> operands{known(names, a[0])};
      if (a.size() > 1) operands.push_back(index(names, a[1]));
      return opaque(word, operands, {}, {}, word == "holds" ? "i1" : "index", name);
    }
    if (symbol.sort == Symbol::Sort::integer) return index(names, value, name);
    if (symbol.sort == Symbol::Sort::scalar) return computed(names, value, symbol.type, name);
    refuse(s, "`" + c.show(s) + "`");
  }

  // `%a, %b = ` before an operation with these results.
  static std::string results(const std::vector<Value> &values) {
    return values.empty() ? std::string() : names_of(values) + " = ";
  }

  void loop(Node s, Environment &names, const NameSet &after) {
    const size_t number = number_;
    const auto f = c.get<ast::For>(s);
    const std::string variable(c.name_of(f.target()));
    const LoopForms forms = loop_forms(c, p.names(), f.iter());
    const auto range = c.as<ast::Call>(forms.range);
    if (!range || c.name_of(range.func()) != "range" || range.args().empty() || variable.empty() || !f.orelse().empty())
      refuse(f.iter(), "a loop over `" + c.show(f.iter()) + "`");
    const Nodes a = range.args();
    const auto step = a.size() > 2 ? p.constants().integer(a[2]) : std::optional<int64_t>(1);
    if (!step || *step < 1) refuse(a[2], "a loop whose step is `" + c.show(a[2]) + "`");
    const Value from = a.size() > 1 ? index(names, a[0]) : index_constant(0, HTP_NONE);
    const Value to = index(names, a[a.size() > 1 ? 1 : 0]);
    const Value by = a.size() > 2 ? index_constant(*step, a[2]) : index_constant(1, HTP_NONE);

    NameSet around = after;
    around.merge(p.before(f.body(), after));
    const NameSet head = p.before(f.body(), around);
    const NameSet bound = p.bound(f.body());
    NameSet carried_names;
    for (const std::string &name : bound)
      if (head.contains(name) || after.contains(name)) carried_names.insert(name);
    const std::vector<std::string> carried = p.ordered(carried_names);

    Environment inside = names;
    std::vector<Value> initial, made;
    std::string arguments;
    for (const std::string &name : carried) {
      const auto at = names.find(name);
      if (at == names.end()) refuse(s, "`" + name + "`, which may have no value before this loop");
      initial.push_back(at->second);
      const Value inner{fresh(name), at->second.type};
      made.push_back({fresh(name), at->second.type});
      inside.insert_or_assign(name, inner);
      arguments += (arguments.empty() ? "" : ", ") + inner.name + " = " + at->second.name;
    }
    const Value i{fresh(variable), "index"};
    inside.insert_or_assign(variable, i);
    line(results(made) + "scf.for " + i.name + " = " + from.name + " to " + to.name + " step " + by.name +
         (carried.empty() ? "" : " iter_args(" + arguments + ") -> (" + types_of(made) + ")") + " {");
    ++depth_;
    const std::vector<Value> last = block(f.body(), inside, around, carried);
    number_ = number;
    if (!last.empty()) line("scf.yield " + names_of(last) + " : " + types_of(last) + place());
    --depth_;
    std::string words = variable;
    for (const std::string &name : carried) words += "," + name;
    line("}" + form(forms, f.iter()) + place(words));
    for (const std::string &name : bound) names.erase(name);
    for (size_t k = 0; k < carried.size(); ++k) names.insert_or_assign(carried[k], made[k]);
  }

  // The words around the range, as an attribute that passes leave alone: `htp.vectorized(_)`.
  std::string form(const LoopForms &forms, Node iter) const {
    if (forms.wrappers.empty()) return {};
    std::string text = c.show(iter);
    const std::string range = c.show(forms.range);
    text.replace(text.find(range), range.size(), "_");
    return " {htp.loop = " + quoted(text) + "}";
  }

  void branch(Node s, Environment &names, const NameSet &after) {
    const size_t number = number_;
    const auto b = c.get<ast::If>(s);
    const Value when = truth(names, b.test());
    std::vector<Node> all(b.body().begin(), b.body().end());
    all.insert(all.end(), b.orelse().begin(), b.orelse().end());
    const NameSet bound = p.bound(all);
    NameSet wanted;
    for (const std::string &name : bound)
      if (after.contains(name)) wanted.insert(name);
    const std::vector<std::string> results_of = p.ordered(wanted);
    std::vector<Value> made;
    for (const std::string &name : results_of) made.push_back({fresh(name), p.symbol(name)->type});
    line(results(made) + "scf.if " + when.name + (made.empty() ? "" : " -> (" + types_of(made) + ")") + " {");
    const auto side = [&](Nodes statements) {
      ++depth_;
      const std::vector<Value> last = block(statements, names, after, results_of);
      number_ = number;
      if (!last.empty()) line("scf.yield " + names_of(last) + " : " + types_of(last) + place());
      --depth_;
    };
    side(b.body());
    if (!made.empty() || !b.orelse().empty()) {
      line("} else {");
      side(b.orelse());
    }
    std::string words;
    for (const std::string &name : results_of) words += (words.empty() ? "" : ",") + name;
    line("}" + place(words));
    for (const std::string &name : bound) names.erase(name);
    for (size_t k = 0; k < made.size(); ++k) names.insert_or_assign(results_of[k], made[k]);
  }

  const Program &p;
  const Context &c;
  const Part &part_;
  NameTable names_;
  std::map<std::string, Value> known_;
  std::vector<std::string> constants_;
  std::vector<std::pair<size_t, std::string>> lines_;
  size_t depth_ = 0, number_ = 0;
};

// The names a part needs from outside, and those it gives.
void complete(const Program &p, Part &part) {
  NameSet mentioned = p.before(part.statements, part.after);
  const NameSet bound = p.bound(part.statements);
  NameSet inside;
  for (const Node s : part.statements) p.mentioned(s, inside);
  NameSet inputs, results;
  NameSet own; // memory and loop variables that begin here
  for (const Node s : part.statements)
    p.context().each(s, [&](Node n) {
      if (auto a = p.context().as<ast::AnnAssign>(n)) own.emplace(p.context().name_of(a.target()));
      if (auto f = p.context().as<ast::For>(n)) own.emplace(p.context().name_of(f.target()));
    });
  for (const std::string &name : inside) {
    const Symbol &s = *p.symbol(name);
    const bool live = s.sort == Symbol::Sort::memory ? !own.contains(name) : mentioned.contains(name);
    if (live) inputs.insert(name);
  }
  for (const std::string &name : bound)
    if (part.after.contains(name)) results.insert(name);
  part.inputs = p.ordered(inputs);
  part.results = p.ordered(results);
}

class Finder {
public:
  Finder(const Program &program, std::vector<Refusal> *left) : p(program), left_(left) {}

  void list(Nodes statements, NameSet after) {
    std::vector<NameSet> behind(statements.size());
    for (size_t k = statements.size(); k-- > 0;) {
      behind[k] = after;
      after = p.before(statements[k], std::move(after));
    }
    for (size_t k = 0; k < statements.size(); ++k) statement(statements[k], behind[k]);
  }

  std::vector<Part> found;

private:
  void statement(Node s, const NameSet &after) {
    const Context &c = p.context();
    if (auto loop = c.as<ast::For>(s)) {
      Part part{{s}, after, "loop_" + std::to_string(found.size()), {}, {}};
      complete(p, part);
      try {
        FunctionWriter(p, part).run();
        found.push_back(std::move(part));
        return;
      } catch (const Refusal &why) {
        const size_t before = found.size(), told = left_ ? left_->size() : 0;
        NameSet around = after;
        around.merge(p.before(loop.body(), after));
        around.merge(p.before(loop.body(), around));
        list(loop.body(), around);
        if (left_ && found.size() == before && left_->size() == told) left_->push_back({s, why.what});
      }
    } else if (auto branch = c.as<ast::If>(s)) {
      list(branch.body(), after);
      list(branch.orelse(), after);
    } else if (auto repeat = c.as<ast::While>(s)) {
      NameSet all = after; // whatever its body or its test reads may be read again
      p.mentioned(s, all);
      list(repeat.body(), all);
    } else if (auto part = c.as<ast::FunctionDef>(s)) {
      NameSet all;
      list(part.body(), all);
    }
  }
  const Program &p;
  std::vector<Refusal> *left_;
};

} // namespace

std::vector<Part> parts_of(const Program &p, bool loops, std::vector<Refusal> *left) {
  if (loops) {
    Finder finder(p, left);
    finder.list(p.body(), {});
    return std::move(finder.found);
  }
  Part whole{p.body(), {}, plain(p.context().entry()), {}, {}};
  complete(p, whole);
  return {std::move(whole)};
}

std::string text_of_parts(const Program &p, const std::vector<Part> &parts) {
  std::string text;
  for (const Part &part : parts) text += FunctionWriter(p, part).run();
  return text;
}

} // namespace htp::mlir
