#include "read.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <optional>

namespace htp::validator {

namespace {

using namespace htp::sdk;

// A buffer or a tensor: what a name can stand for beside a value.
struct Memory {
  std::string name;
  Type type;
  std::vector<Term> origins; // of each dimension: what index its first element has
  std::string space;         // with an address: two of one space may lie on each other
  Term address = 0;
  std::string layout;
  int64_t bytes = 0;
  char stream = 0; // 'f'eed, 'c'ollect; else none
  int tensor = -1; // that is collected
  int padded = -1; // the tensor that this one is with padding
};

struct Value {
  Term term = 0;
  int memory = -1;
  Node function = HTP_NONE;
  bool operator==(const Value &) const = default;
};

using Environment = std::map<std::string, Value, std::less<>>;

struct State {
  Environment names;
  std::vector<Term> holds; // by memory
};

int64_t bytes_of(std::string_view dtype) {
  for (const auto &[name, bytes] : {std::pair<std::string_view, int64_t>{"f64", 8},
                                    {"i64", 8},
                                    {"u64", 8},
                                    {"f32", 4},
                                    {"i32", 4},
                                    {"u32", 4},
                                    {"f16", 2},
                                    {"bf16", 2},
                                    {"i16", 2},
                                    {"u16", 2}})
    if (dtype == name) return bytes;
  return 1; // masks have less
}

bool is_float(std::string_view dtype) { return dtype.starts_with("f") || dtype.starts_with("bf"); }

std::vector<std::string> words(std::string_view text) {
  std::vector<std::string> result;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find(' ', at), text.size());
    if (end > at) result.emplace_back(text.substr(at, end - at));
    at = end + 1;
  }
  return result;
}

constexpr int64_t least_assumed = 64;

class Reader_ {
public:
  Reader_(const Context &c, Terms &terms) : c(c), t(terms) {}

  Reading run(Nodes body, std::string_view entry) {
    State state;
    s = &state;
    module(body);
    auto found = globals_.find(entry);
    if (found == globals_.end() || !found->second.function) fail(HTP_NONE, "the entry is not a function");
    Node function = found->second.function;
    // A schedule never changes what its workload computes.
    for (const Node d : c.get<ast::FunctionDef>(function).decorator_list()) {
      const auto call = c.as<ast::Call>(d);
      if (!call || symbol_of(call.func()) != "htp_wsp.schedule" || call.args().size() != 1) continue;
      const auto workload = globals_.find(c.name_of(call.args()[0]));
      if (workload == globals_.end() || !workload->second.function) fail(d, "a schedule of what is not known here");
      function = workload->second.function;
    }
    const auto f = c.get<ast::FunctionDef>(function);
    for (const Node d : f.decorator_list()) {
      const std::string name = symbol_of(d);
      if (name == "htp_tile.kernel") continue;
      const std::string called = c.is(d, HTP_Call) ? symbol_of(c.get<ast::Call>(d).func()) : name;
      if (called == "htp_csp.pipeline" && c.is(d, HTP_Call)) reading_ends_ = c.show(d);
      if (called != "htp_csp.pipeline" && called != "htp_wsp.workload")
        fail(d, "the entry is not a kernel or pipeline: `" + c.show(d) + "`");
    }
    const auto arguments = c.get<ast::arguments>(f.args());
    if (arguments.vararg() || arguments.kwarg() || !arguments.kwonlyargs().empty() || !arguments.posonlyargs().empty())
      fail(function, "the entry has parameters of another kind");
    Reading reading;
    std::vector<int> memories;
    for (const Node a : arguments.args()) {
      const auto arg = c.get<ast::arg>(a);
      Parameter p{std::string(arg.arg()), 0, 0};
      if (!arg.annotation()) fail(a, "a parameter has no type");
      p.annotation = annotation(arg.annotation());
      Value v;
      const Type type = type_of_annotation(p.annotation);
      if (type.known()) {
        v.memory = make_memory(p.name, type, t.make(Op::argument, p.name, {}));
        t.type(s->holds[static_cast<size_t>(v.memory)], type);
      } else if (t.at(p.annotation).op == Op::symbol && t.at(p.annotation).tag == "int") {
        v.term = t.symbol("dim argument " + p.name);
      } else if (t.at(p.annotation).op == Op::symbol) { // a scalar: a tensor of one element
        std::string dtype = t.at(p.annotation).tag;
        if (!dtype.starts_with("htp.")) fail(a, "a parameter of a type that has no meaning here");
        const Type scalar{dtype.substr(4), {t.integer(1)}};
        v.memory = make_memory(p.name, scalar, t.make(Op::argument, p.name, {}));
        t.type(s->holds[static_cast<size_t>(v.memory)], scalar);
        scalars_.insert(v.memory);
      } else {
        fail(a, "a parameter of a type that has no meaning here: " + t.show(p.annotation));
      }
      s->names[p.name] = v;
      memories.push_back(v.memory);
      reading.parameters.push_back(p);
    }
    block(f.body());
    for (const auto &[m, by] : changed_) {
      for (const auto &[other, read] : read_)
        if (other != by.first && read.contains(m))
          fail(HTP_NONE, "processes share `" + memories_[static_cast<size_t>(m)].name + "`");
      s->holds[static_cast<size_t>(m)] = by.second;
    }
    for (size_t k = 0; k < memories.size(); ++k)
      if (memories[k] >= 0) reading.parameters[k].holds = s->holds[static_cast<size_t>(memories[k])];
    reading.observed = observed_;
    reading.ends = reading_ends_;
    reading.device = device_;
    reading.streams = streams_;
    reading.assumptions = assumptions_;
    return reading;
  }

private:
  [[noreturn]] void fail(Node at, std::string why) const { throw NotShown{at, std::move(why)}; }

  // ── the module ──

  void module(Nodes body) {
    for (const Node n : body) {
      if (const auto i = c.as<ast::Import>(n)) {
        for (const Node a : i.names()) {
          const auto alias = c.get<ast::alias>(a);
          const std::string name(alias.asname().empty() ? alias.name() : alias.asname());
          globals_[name] = {t.symbol(std::string(alias.name())), -1, HTP_NONE};
        }
      } else if (const auto from = c.as<ast::ImportFrom>(n)) {
        for (const Node a : from.names()) {
          const auto alias = c.get<ast::alias>(a);
          const std::string name(alias.asname().empty() ? alias.name() : alias.asname());
          globals_[name] = {t.symbol(std::string(from.module()) + "." + std::string(alias.name())), -1, HTP_NONE};
        }
      } else if (const auto f = c.as<ast::FunctionDef>(n)) {
        globals_[std::string(f.name())] = {0, -1, n};
      } else if (const auto a = c.as<ast::Assign>(n)) {
        if (a.targets().size() != 1 || !c.is(a.targets()[0], HTP_Name)) continue;
        const std::string name(c.name_of(a.targets()[0]));
        try {
          globals_[name] = evaluate(a.value());
        } catch (const NotShown &) {
          globals_.erase(name); // whoever uses it has no meaning for it
        }
      } else if (const auto a = c.as<ast::AnnAssign>(n)) {
        if (!a.value() || !c.is(a.target(), HTP_Name)) continue;
        try {
          globals_[std::string(c.name_of(a.target()))] = evaluate(a.value());
        } catch (const NotShown &) {
          globals_.erase(std::string(c.name_of(a.target())));
        }
      }
    }
  }

  // "htp_tile.exp" for a path that leads to what was imported; empty for others.
  std::string symbol_of(Node n) {
    if (c.is(n, HTP_Name)) {
      if (s->names.contains(c.name_of(n))) return {};
      const auto it = globals_.find(c.name_of(n));
      if (it == globals_.end()) return builtin(c.name_of(n));
      return it->second.term && t.is(it->second.term, Op::symbol) ? t.at(it->second.term).tag : std::string();
    }
    if (const auto a = c.as<ast::Attribute>(n)) {
      const std::string of = symbol_of(a.value());
      return of.empty() || of.starts_with("dim ") ? std::string() : of + "." + std::string(a.attr());
    }
    return {};
  }
  static std::string builtin(std::string_view name) {
    for (const std::string_view known : {"range", "min", "max", "len", "slice", "int", "float", "abs", "bool"})
      if (name == known) return std::string(name);
    return {};
  }

  Term annotation(Node n) {
    if (const auto sub = c.as<ast::Subscript>(n)) {
      std::vector<Term> args{annotation(sub.value())};
      if (const auto tuple = c.as<ast::Tuple>(sub.slice())) {
        for (const Node e : tuple.elts()) args.push_back(annotation(e));
      } else {
        args.push_back(annotation(sub.slice()));
      }
      return t.make(Op::tuple, "type", std::move(args));
    }
    if (const std::string name = symbol_of(n); !name.empty()) return t.symbol(name);
    if (const auto call = c.as<ast::Call>(n))
      if (const std::string name = symbol_of(call.func()); name.starts_with("htp.layout") || name == "htp.space") {
        std::vector<Term> args{t.symbol(name)};
        for (const Node a : call.args()) args.push_back(annotation(a));
        for (const Node k : call.keywords())
          args.push_back(t.make(Op::tuple, std::string(c.get<ast::keyword>(k).arg()),
                                {annotation(c.get<ast::keyword>(k).value())}));
        return t.make(Op::tuple, "call", std::move(args));
      }
    if (const auto tuple = c.as<ast::Tuple>(n)) {
      std::vector<Term> args;
      for (const Node e : tuple.elts()) args.push_back(annotation(e));
      return t.make(Op::tuple, "", std::move(args));
    }
    return term(n);
  }
  // Of In[Tensor[f32, M, N]] and of Tile[f32, M, N].
  Type type_of_annotation(Term a) {
    const TermNode n = t.at(a);
    if (n.op != Op::tuple || n.args.size() < 2 || !t.is(n.args[0], Op::symbol)) return {};
    const std::string head = t.at(n.args[0]).tag;
    if (head == "htp.In" || head == "htp.Out" || head == "htp.InOut") return type_of_annotation(n.args[1]);
    if (head != "htp_tile.Tensor" && head != "htp_tile.Tile") return {};
    if (!t.is(n.args[1], Op::symbol) || !t.at(n.args[1]).tag.starts_with("htp.")) return {};
    Type type{t.at(n.args[1]).tag.substr(4), {}};
    for (size_t k = 2; k < n.args.size(); ++k) {
      if (t.is(n.args[k], Op::block))
        type.extents.push_back(t.at(n.args[k]).args[1]);
      else if (t.is_int(n.args[k]))
        type.extents.push_back(n.args[k]);
    }
    return type;
  }

  int make_memory(std::string name, Type type, Term holds) {
    std::vector<Term> origins(type.extents.size(), t.integer(0));
    memories_.push_back({std::move(name), std::move(type), std::move(origins), "", 0, "", 0, 0, -1, -1});
    s->holds.push_back(holds);
    return static_cast<int>(memories_.size() - 1);
  }

  // ── expressions ──

  Term term(Node n) {
    const Value v = evaluate(n);
    if (v.memory >= 0) return contents(v.memory, n);
    if (!v.term) fail(n, "`" + c.show(n) + "` has no value here");
    return v.term;
  }
  Term contents(int memory, Node n) {
    const auto m = static_cast<size_t>(memory);
    if (memories_[m].stream || memories_[m].padded >= 0) fail(n, "a stream, or a tensor with padding, is no value");
    reads_.insert(memory);
    const Term holds = s->holds[m];
    t.type(holds, memories_[m].type);
    if (scalars_.contains(memory)) return load(holds, memories_[m].type, {index_of_int(t.integer(0))}, 0);
    return holds;
  }
  Term index_of_int(Term at) { return t.make(Op::slice, "", {at, t.integer(1), t.integer(1)}); }

  Value evaluate(Node n) {
    switch (c.kind(n)) {
    case HTP_Name: {
      const std::string_view name = c.name_of(n);
      if (const auto it = s->names.find(name); it != s->names.end()) {
        if (it->second.term && t.is(it->second.term, Op::undefined))
          fail(n, "`" + std::string(name) + "` may have no value");
        return it->second;
      }
      if (const auto it = globals_.find(name); it != globals_.end()) return it->second;
      if (const std::string known = builtin(name); !known.empty()) return {t.symbol(known), -1, HTP_NONE};
      fail(n, "`" + std::string(name) + "` is not known");
    }
    case HTP_Constant: return {literal(c.constant(c.get<ast::Constant>(n).fields().value), n), -1, HTP_NONE};
    case HTP_Attribute: {
      if (const std::string name = symbol_of(n); !name.empty()) {
        if (name == "htp.inf") return {t.number(HUGE_VAL), -1, HTP_NONE};
        if (name == "htp_tile.whole" || name == "htp.whole" || name == "htp_cpu.whole" || name == "htp_pto.whole" ||
            name == "htp_aie.whole")
          return {t.make(Op::whole, "", {}), -1, HTP_NONE};
        return {t.symbol(name), -1, HTP_NONE};
      }
      const auto a = c.get<ast::Attribute>(n);
      const Value of = evaluate(a.value());
      if (of.term && t.is(of.term, Op::block)) {
        const TermNode b = t.at(of.term);
        if (a.attr() == "start") return {b.args[0], -1, HTP_NONE};
        if (a.attr() == "extent") return {b.args[1], -1, HTP_NONE};
        if (a.attr() == "stop" && t.constant(b.args[2]) == 1) return {t.add(b.args[0], b.args[1]), -1, HTP_NONE};
      }
      if (of.term && t.is(of.term, Op::apply) && t.at(of.term).tag == "core" &&
          (a.attr() == "column" || a.attr() == "row"))
        return {t.apply("core." + std::string(a.attr()), {of.term}, {"int", {}}), -1, HTP_NONE};
      fail(n, "`" + c.show(n) + "` has no meaning here");
    }
    case HTP_BinOp: {
      const auto b = c.get<ast::BinOp>(n);
      const Term left = term(b.left()); // first, as Python does
      return {binary(b.op(), left, term(b.right()), n), -1, HTP_NONE};
    }
    case HTP_UnaryOp: {
      const auto u = c.get<ast::UnaryOp>(n);
      const Term x = term(u.operand());
      if (u.op() == HTP_UAdd) return {x, -1, HTP_NONE};
      if (u.op() == HTP_USub) {
        if (t.is(x, Op::number)) return {t.number(-std::stod(t.at(x).tag)), -1, HTP_NONE};
        if (t.constant(x) == 0 && is_float_literal(u.operand())) return {t.number(-0.0), -1, HTP_NONE};
        return {t.is_int(x) ? t.scale(x, -1) : function("neg", {x}, n), -1, HTP_NONE};
      }
      if (u.op() == HTP_Invert && !t.is_int(x)) return {function("bit_not", {x}, n), -1, HTP_NONE};
      if (u.op() == HTP_Not) return {negated(x), -1, HTP_NONE};
      fail(n, "`" + c.show(n) + "` has no meaning here");
    }
    case HTP_BoolOp: {
      const auto b = c.get<ast::BoolOp>(n);
      Term result = 0;
      for (const Node v : b.values()) {
        const Term x = term(v);
        result = !result ? x : t.apply(b.op() == HTP_And ? "and" : "or", {result, x}, {"truth", {}});
      }
      return {result, -1, HTP_NONE};
    }
    case HTP_Compare: {
      const auto b = c.get<ast::Compare>(n);
      Term left = term(b.left()), result = 0;
      for (size_t k = 0; k < b.comparators().size(); ++k) {
        const Term right = term(b.comparators()[k]);
        const Term one = compare(static_cast<htp_op>(b.ops()[k]), left, right, n);
        result = !result ? one : t.apply("and", {result, one}, {"truth", {}});
        left = right;
      }
      return {result, -1, HTP_NONE};
    }
    case HTP_Tuple:
    case HTP_List: {
      std::vector<Term> items;
      for (const Node e : c.kind(n) == HTP_Tuple ? c.get<ast::Tuple>(n).elts() : c.get<ast::List>(n).elts())
        items.push_back(term(e));
      return {t.make(Op::tuple, "", std::move(items)), -1, HTP_NONE};
    }
    case HTP_Subscript: {
      const auto sub = c.get<ast::Subscript>(n);
      const Value of = evaluate(sub.value());
      if (of.memory >= 0) return {load_from(of.memory, indices(sub.slice(), of.memory), 0), -1, HTP_NONE};
      if (of.term && t.is(of.term, Op::apply) && t.at(of.term).tag == "channels") {
        std::vector<Term> args{of.term};
        const Term i = term(sub.slice());
        if (t.is(i, Op::tuple))
          args.insert(args.end(), t.at(i).args.begin(), t.at(i).args.end());
        else
          args.push_back(i);
        return {t.apply("lane", std::move(args)), -1, HTP_NONE};
      }
      if (of.term && t.is(of.term, Op::tuple)) {
        const auto k = t.constant(term(sub.slice()));
        if (k && *k >= 0 && static_cast<size_t>(*k) < t.at(of.term).args.size())
          return {t.at(of.term).args[static_cast<size_t>(*k)], -1, HTP_NONE};
      }
      fail(n, "`" + c.show(n) + "` has no meaning here");
    }
    case HTP_Call: return call(n);
    default: fail(n, "`" + c.show(n) + "` has no meaning here");
    }
  }

  bool is_float_literal(Node n) const {
    return c.is(n, HTP_Constant) && c.constant(c.get<ast::Constant>(n).fields().value).type == HTP_CONST_FLOAT;
  }

  Term literal(const htp_const &k, Node n) {
    switch (k.type) {
    case HTP_CONST_INT:
      if (k.u.i >= 0) return t.integer(k.u.i);
      return t.make(Op::number, std::string(c.text(k.text)), {});
    case HTP_CONST_FLOAT: return t.number(k.u.f);
    case HTP_CONST_STR: return t.make(Op::text, std::string(c.text(k.text)), {});
    case HTP_CONST_TRUE: return t.symbol("True");
    case HTP_CONST_FALSE: return t.symbol("False");
    case HTP_CONST_NONE: return t.symbol("None");
    default: fail(n, "a constant that has no meaning here");
    }
  }

  std::optional<double> real(Term x) const {
    if (const auto k = t.constant(x)) return static_cast<double>(*k);
    if (t.is(x, Op::number)) return std::stod(t.at(x).tag);
    return std::nullopt;
  }
  bool is_number(Term x) const { return t.is(x, Op::number) || t.constant(x).has_value(); }

  Term binary(htp_op op, Term a, Term b, Node n) {
    if (t.is(a, Op::block) || t.is(b, Op::block)) { // moved and spread
      const bool behind = t.is(b, Op::block);
      if (behind) std::swap(a, b);
      const TermNode block = t.at(a);
      if (!t.is_int(b) || (behind && op == HTP_Sub) || (op == HTP_Mult && t.constant(b).value_or(0) < 1))
        fail(n, "a block is moved in a way that has no meaning here");
      if (op == HTP_Add) return t.make(Op::block, "", {t.add(block.args[0], b), block.args[1], block.args[2]});
      if (op == HTP_Sub) return t.make(Op::block, "", {t.sub(block.args[0], b), block.args[1], block.args[2]});
      if (op == HTP_Mult)
        return t.make(Op::block, "", {t.mul(block.args[0], b), block.args[1], t.mul(block.args[2], b)});
      fail(n, "a block is moved in a way that has no meaning here");
    }
    const bool floats = is_number(a) && is_number(b) && (t.is(a, Op::number) || t.is(b, Op::number));
    if (floats || (op == HTP_Div && is_number(a) && is_number(b)) || (op == HTP_Pow && is_number(a) && is_number(b))) {
      const double x = *real(a), y = *real(b);
      switch (op) {
      case HTP_Add: return t.number(x + y);
      case HTP_Sub: return t.number(x - y);
      case HTP_Mult: return t.number(x * y);
      case HTP_Div:
        if (y == 0) break;
        return t.number(x / y);
      case HTP_Pow: return t.number(std::pow(x, y));
      default: break;
      }
      fail(n, "`" + c.show(n) + "` has no meaning here");
    }
    if (t.is_int(a) && t.is_int(b)) {
      switch (op) {
      case HTP_Add: return t.add(a, b);
      case HTP_Sub: return t.sub(a, b);
      case HTP_Mult: return t.mul(a, b);
      case HTP_FloorDiv: return t.floordiv(a, b);
      case HTP_Mod: return t.mod(a, b);
      case HTP_LShift:
        if (const auto x = t.constant(a), y = t.constant(b); x && y && *y >= 0 && *y < 40) return t.integer(*x << *y);
        break;
      case HTP_RShift:
        if (const auto y = t.constant(b); y && *y >= 0 && *y < 40) return t.floordiv(a, t.integer(int64_t{1} << *y));
        break;
      default: break;
      }
      fail(n, "`" + c.show(n) + "` has no meaning here");
    }
    switch (op) {
    case HTP_Add: return function("add", {a, b}, n);
    case HTP_Sub: return function("sub", {a, b}, n);
    case HTP_Mult: return function("mul", {a, b}, n);
    case HTP_Div: return function("div", {a, b}, n);
    case HTP_FloorDiv: return function("floordiv", {a, b}, n);
    case HTP_Mod: return function("mod", {a, b}, n);
    case HTP_Pow: return function("pow", {a, b}, n);
    case HTP_LShift: return function("shl", {a, b}, n);
    case HTP_RShift: return function("shr", {a, b}, n);
    case HTP_BitAnd: return function("bit_and", {a, b}, n);
    case HTP_BitOr: return function("bit_or", {a, b}, n);
    case HTP_BitXor: return function("bit_xor", {a, b}, n);
    case HTP_MatMult: return function("matmul", {a, b}, n);
    default: fail(n, "`" + c.show(n) + "` has no meaning here");
    }
  }

  Term truth(const char *name, std::vector<Term> args) { return t.apply(name, std::move(args), {"truth", {}}); }
  Term negated(Term x) {
    const TermNode n = t.at(x);
    if (n.op == Op::apply && n.tag == "not") return n.args[0];
    if (n.op == Op::apply && n.tag == "nonnegative") return truth("nonnegative", {t.sub(t.integer(-1), n.args[0])});
    if (n.op == Op::symbol && n.tag == "True") return t.symbol("False");
    if (n.op == Op::symbol && n.tag == "False") return t.symbol("True");
    return truth("not", {x});
  }
  Term nonnegative(Term x) {
    if (const auto k = t.constant(x)) return t.symbol(*k >= 0 ? "True" : "False");
    return truth("nonnegative", {x});
  }
  Term compare(htp_op op, Term a, Term b, Node n) {
    if (t.is_int(a) && t.is_int(b)) {
      switch (op) {
      case HTP_Lt: return nonnegative(t.sub(t.sub(b, a), t.integer(1)));
      case HTP_LtE: return nonnegative(t.sub(b, a));
      case HTP_Gt: return nonnegative(t.sub(t.sub(a, b), t.integer(1)));
      case HTP_GtE: return nonnegative(t.sub(a, b));
      case HTP_Eq:
      case HTP_NotEq: {
        const Term d = t.sub(a, b), e = t.sub(b, a);
        Term is = 0;
        if (const auto k = t.constant(d))
          is = t.symbol(*k == 0 ? "True" : "False");
        else
          is = truth("zero", {std::min(d, e)});
        return op == HTP_Eq ? is : negated(is);
      }
      default: fail(n, "`" + c.show(n) + "` has no meaning here");
      }
    }
    switch (op) {
    case HTP_Lt: return function("lt", {a, b}, n);
    case HTP_LtE: return function("le", {a, b}, n);
    case HTP_Gt: return function("gt", {a, b}, n);
    case HTP_GtE: return function("ge", {a, b}, n);
    case HTP_Eq: return function("eq", {a, b}, n);
    case HTP_NotEq: return function("ne", {a, b}, n);
    default: fail(n, "`" + c.show(n) + "` has no meaning here");
    }
  }

  // ── values with elements ──

  bool is_one(Term x) const { return t.constant(x) == 1; }

  // Of extents that are equal or 1, from the last on.
  std::optional<std::vector<Term>> broadcast(const std::vector<Term> &a, const std::vector<Term> &b) {
    std::vector<Term> result(std::max(a.size(), b.size()));
    for (size_t k = 1; k <= result.size(); ++k) {
      const Term x = k <= a.size() ? a[a.size() - k] : t.integer(1), y = k <= b.size() ? b[b.size() - k] : t.integer(1);
      if (x == y || is_one(y))
        result[result.size() - k] = x;
      else if (is_one(x))
        result[result.size() - k] = y;
      else
        return std::nullopt;
    }
    return result;
  }
  static std::vector<Term> without_leading_ones(const Terms &t, std::vector<Term> extents) {
    while (extents.size() > 1 && t.constant(extents[0]) == 1) extents.erase(extents.begin());
    return extents;
  }
  bool same_extents(const std::vector<Term> &a, const std::vector<Term> &b) const {
    return without_leading_ones(t, a) == without_leading_ones(t, b);
  }

  // A literal, or a tile of one value, is that value where the operation gives the type without it.
  Term scalar_of(Term x) const {
    const TermNode &n = t.at(x);
    return n.op == Op::apply && n.tag == "full" ? n.args[1] : 0;
  }

  Term function(std::string_view name, std::vector<Term> args, Node n) {
    const Function *f = function_named(name);
    if (!f) fail(n, "`" + std::string(name) + "` has no meaning here");
    Type type;
    switch (f->result) {
    case Typing::elementwise:
    case Typing::compare:
    case Typing::select: {
      bool any = false;
      for (size_t k = 0; k < args.size(); ++k) {
        if (is_number(args[k]) || t.is_int(args[k])) continue;
        const Type of = t.type_of(args[k]);
        if (!of.known()) fail(n, "an operand of `" + std::string(name) + "` has a type that is not known here");
        const bool condition = f->result == Typing::select && k == 0;
        if (condition ? of.dtype != "bool_" : type.known() && type.dtype != of.dtype && !type.dtype.empty())
          fail(n, "operands of `" + std::string(name) + "` have dtypes " + type.dtype + " and " + of.dtype);
        if (!condition && !type.known()) type.dtype = of.dtype;
        const auto extents = any ? broadcast(type.extents, of.extents) : std::optional(of.extents);
        if (!extents) fail(n, "extents of operands of `" + std::string(name) + "` are not shown to be equal");
        type.extents = *extents;
        any = true;
      }
      if (!any || !type.known()) fail(n, "`" + std::string(name) + "` has no operand with a type");
      for (size_t k = 0; k < args.size(); ++k)
        if (const Term scalar = scalar_of(args[k])) {
          // The type stays what it is without this operand.
          Type others;
          bool first = true, good = true;
          for (size_t j = 0; j < args.size() && good; ++j) {
            if (j == k || is_number(args[j]) || t.is_int(args[j])) continue;
            const Type of = t.type_of(args[j]);
            if (!(f->result == Typing::select && j == 0)) others.dtype = of.dtype;
            const auto e = first ? std::optional(of.extents) : broadcast(others.extents, of.extents);
            good = e.has_value();
            if (good) others.extents = *e;
            first = false;
          }
          if (good && !first && others.dtype == type.dtype && same_extents(others.extents, type.extents))
            args[k] = scalar;
        }
      if (f->result == Typing::compare) type.dtype = "bool_";
      if (name == "gt") return t.apply("lt", {args[1], args[0]}, type);
      if (name == "ge") return t.apply("le", {args[1], args[0]}, type);
      break;
    }
    case Typing::reduce: {
      type = t.type_of(args[0]);
      if (!type.known()) fail(n, "the type of what is reduced is not known here");
      std::vector<int64_t> axes;
      if (t.is(args[1], Op::tuple)) {
        for (const Term a : t.at(args[1]).args) axes.push_back(t.constant(a).value_or(99));
      } else {
        axes.push_back(t.constant(args[1]).value_or(99));
      }
      const auto rank = static_cast<int64_t>(type.extents.size());
      Term value = args[0];
      for (int64_t &axis : axes) {
        if (axis < 0) axis += rank;
        if (axis < 0 || axis >= rank) fail(n, "an axis that is not known here");
      }
      for (const int64_t axis : axes) { // one after the other
        const Term extent = type.extents[static_cast<size_t>(axis)];
        type.extents[static_cast<size_t>(axis)] = t.integer(1);
        if (name == "reduce_mean") {
          if (type.dtype != "f32" && type.dtype != "f64") fail(n, "the mean of narrow floats has no meaning here");
          value = t.apply("reduce_sum", {value, t.integer(axis - rank)}, type);
          value = function("div", {value, extent}, n);
        } else {
          value = t.apply(std::string(name), {value, t.integer(axis - rank)}, type);
        }
      }
      return value;
    }
    case Typing::like: {
      type = t.type_of(args[0]);
      if (!type.known()) fail(n, "an operand's type is not known here");
      auto axis = t.constant(args[1]);
      if (!axis) fail(n, "an axis that is not known here");
      if (*axis >= 0) *axis -= static_cast<int64_t>(type.extents.size());
      return t.apply(std::string(name), {args[0], t.integer(*axis)}, type);
    }
    case Typing::product: {
      const Type a = t.type_of(args[0]), b = t.type_of(args[1]);
      if (!a.known() || !b.known() || a.extents.size() < 2 || b.extents.size() < 2)
        fail(n, "the factors' types are not known here");
      if (a.dtype != b.dtype) fail(n, "factors of two dtypes");
      if (a.extents.back() != b.extents[b.extents.size() - 2])
        fail(n, "the factors' extents are not shown to be equal");
      const auto batch = broadcast({a.extents.begin(), a.extents.end() - 2}, {b.extents.begin(), b.extents.end() - 2});
      if (!batch) fail(n, "the factors' extents are not shown to be equal");
      type.extents = *batch;
      type.extents.push_back(a.extents[a.extents.size() - 2]);
      type.extents.push_back(b.extents.back());
      type.dtype = a.dtype;
      if (args.size() > 2) {
        const Type acc = t.type_of(args[2]);
        if (!acc.known() || !same_extents(acc.extents, type.extents))
          fail(n, "the accumulator's extents are not shown to be the product's");
        type.dtype = acc.dtype;
        if (const Term scalar = scalar_of(args[2]); scalar && t.constant(scalar) == 0) args[2] = scalar; // of nothing
      } else {
        args.push_back(t.integer(0));
        if (product_dtype_) type.dtype = *product_dtype_;
      }
      // In which dtype it is summed.
      args.push_back(t.symbol(type.dtype));
      break;
    }
    case Typing::transpose: {
      type = t.type_of(args[0]);
      if (!type.known() || type.extents.size() < 2) fail(n, "the type of what is transposed is not known here");
      const size_t rank = type.extents.size();
      if (args.size() > 1) {
        std::vector<Term> extents;
        std::vector<Term> axes;
        for (const Term a : t.at(args[1]).args) {
          const auto k = t.constant(a);
          if (!t.is(args[1], Op::tuple) || !k || *k < 0 || static_cast<size_t>(*k) >= rank)
            fail(n, "axes that are not known here");
          extents.push_back(type.extents[static_cast<size_t>(*k)]);
          axes.push_back(t.integer(*k - static_cast<int64_t>(rank)));
        }
        if (extents.size() != rank) fail(n, "axes that are not known here");
        type.extents = extents;
        args[1] = t.make(Op::tuple, "", axes);
      } else {
        for (size_t k = 0; k + 2 < rank; ++k)
          if (!is_one(type.extents[k])) fail(n, "a transposition of more than two dimensions");
        std::swap(type.extents[rank - 1], type.extents[rank - 2]);
      }
      break;
    }
    }
    return t.apply(std::string(name), std::move(args), type);
  }

  Term cast(Term x, const std::string &dtype, Term rounding, Node n) {
    Type type = t.type_of(x);
    if (!type.known()) fail(n, "the type of what is cast is not known here");
    if (type.dtype == dtype) return x;
    type.dtype = dtype;
    return t.apply("cast", {x, t.symbol("htp." + dtype), rounding ? rounding : t.symbol("None")}, type);
  }

  Term extent_of(Term x, Node n) {
    if (t.is(x, Op::block)) return t.at(x).args[1];
    if (!t.is_int(x)) fail(n, "an extent that is not an int");
    if (const auto k = t.constant(x); k && *k <= 0) fail(n, "an extent that is not positive");
    return x;
  }

  Term full(const std::string &dtype, Term value, std::vector<Term> extents) {
    std::vector<Term> args{t.symbol("htp." + dtype), value};
    const auto shape = without_leading_ones(t, extents);
    args.insert(args.end(), shape.begin(), shape.end());
    return t.apply("full", std::move(args), {dtype, std::move(extents)});
  }

  // ── memory ──

  // An index of each dimension, as a slice: where it begins, how many, how far apart. Tiles of ints stay.
  std::vector<Term> indices(Node slice, int memory) {
    if (const auto tuple = c.as<ast::Tuple>(slice)) return indices(tuple.elts(), memory);
    const uint32_t one[] = {slice};
    return indices(Nodes(one, 1), memory);
  }
  std::vector<Term> indices(Nodes nodes, int memory) {
    const Memory &m = memories_[static_cast<size_t>(memory)];
    if (nodes.size() != m.type.extents.size())
      fail(nodes.empty() ? HTP_NONE : nodes[0], "not an index for each dimension");
    std::vector<Term> result;
    for (size_t k = 0; k < nodes.size(); ++k) {
      const Term extent = m.type.extents[k];
      if (const auto slice = c.as<ast::Slice>(nodes[k])) {
        if (slice.step()) fail(nodes[k], "a slice with a step");
        const Term from = slice.lower() ? term(slice.lower()) : t.integer(0);
        const Term to = slice.upper() ? term(slice.upper()) : extent;
        result.push_back(t.make(Op::slice, "", {from, t.sub(to, from), t.integer(1)}));
        continue;
      }
      const Term x = term(nodes[k]);
      const Term origin = m.origins[k];
      if (t.is(x, Op::whole)) {
        result.push_back(t.make(Op::slice, "", {t.integer(0), extent, t.integer(1)}));
      } else if (t.is(x, Op::block)) {
        const TermNode b = t.at(x);
        result.push_back(t.make(Op::slice, "", {t.sub(b.args[0], origin), b.args[1], b.args[2]}));
      } else if (t.is(x, Op::slice)) {
        result.push_back(x);
      } else if (t.is_int(x)) {
        result.push_back(index_of_int(t.sub(x, origin)));
      } else if (t.type_of(x).known()) {
        if (t.constant(origin) != 0) fail(nodes[k], "a tile of indices into a buffer of a block");
        result.push_back(x);
      } else {
        fail(nodes[k], "`" + c.show(nodes[k]) + "` is an index that has no meaning here");
      }
    }
    return result;
  }

  Term load(Term holds, const Type &of, const std::vector<Term> &index, Term outside) {
    Type type{of.dtype, {}};
    for (const Term i : index) {
      if (t.is(i, Op::slice)) {
        type.extents.push_back(t.at(i).args[1]);
      } else {
        const Type tile = t.type_of(i);
        type.extents.insert(type.extents.end(), tile.extents.begin(), tile.extents.end());
      }
    }
    const TermNode h = t.at(holds);
    if (!outside && h.op == Op::apply && h.tag == "update" &&
        std::equal(h.args.begin() + 2, h.args.end(), index.begin(), index.end()) &&
        std::all_of(index.begin(), index.end(), [&](Term i) { return t.is(i, Op::slice); })) {
      const Type stored = t.type_of(h.args[1]);
      if (stored.known() && stored.dtype == type.dtype && same_extents(stored.extents, type.extents)) return h.args[1];
    }
    std::vector<Term> args{holds};
    args.insert(args.end(), index.begin(), index.end());
    if (outside) args.push_back(t.make(Op::tuple, "outside", {outside}));
    return t.apply("load", std::move(args), type);
  }
  Term load_from(int memory, const std::vector<Term> &index, Term outside) {
    memory = within(memory, index);
    const auto m = static_cast<size_t>(memory);
    reads_.insert(memory);
    t.type(s->holds[m], memories_[m].type);
    return load(s->holds[m], memories_[m].type, index, outside);
  }

  void set(int memory, Term holds) {
    const auto m = static_cast<size_t>(memory);
    t.type(holds, memories_[m].type);
    s->holds[m] = holds;
    clobber(memory);
  }
  // What may lie where this was written holds nothing of use any more.
  void clobber(int memory) {
    const Memory &m = memories_[static_cast<size_t>(memory)];
    if (!m.address) return;
    for (size_t k = 0; k < memories_.size(); ++k) {
      const Memory &o = memories_[k];
      if (static_cast<int>(k) == memory || !o.address || o.space != m.space || apart(m, o)) continue;
      s->holds[k] = t.garbage(o.type);
    }
  }
  bool apart(const Memory &a, const Memory &b) const {
    const auto between = range(t_sub(a.address, b.address));
    return between && (between->first >= b.bytes || between->second <= -a.bytes);
  }
  Term t_sub(Term a, Term b) const { return const_cast<Terms &>(t).sub(a, b); }
  // Of a sum of turns, each 0 or 1.
  std::optional<std::pair<int64_t, int64_t>> range(Term x) const {
    if (const auto k = t.constant(x)) return std::pair(*k, *k);
    const TermNode n = t.at(x);
    const auto is_turn = [&](Term a) { return t.at(a).op == Op::apply && t.at(a).tag == "turn"; };
    if (is_turn(x)) return std::pair<int64_t, int64_t>(0, 1);
    if (n.op != Op::sum) return std::nullopt;
    std::pair<int64_t, int64_t> result(n.numbers[0], n.numbers[0]);
    for (size_t k = 0; k < n.args.size(); ++k) {
      if (!is_turn(n.args[k])) return std::nullopt;
      (n.numbers[k + 1] > 0 ? result.second : result.first) += n.numbers[k + 1];
    }
    return result;
  }

  void store(int memory, Term value, const std::vector<Term> &index, Node n, const char *how = "update") {
    memory = within(memory, index);
    const auto m = static_cast<size_t>(memory);
    const Type &of = memories_[m].type;
    if (is_number(value) || t.is_int(value)) {
      // as it is: it takes the tensor's dtype
    } else {
      const Type type = t.type_of(value);
      if (!type.known()) fail(n, "the type of what is stored is not known here");
      if (type.dtype != of.dtype) fail(n, "what is stored has dtype " + type.dtype + ", and the tensor " + of.dtype);
      if (const Term scalar = scalar_of(value)) {
        value = scalar; // extents of 1 repeat
        std::vector<Term> wanted;
        for (const Term i : index)
          if (t.is(i, Op::slice)) wanted.push_back(t.at(i).args[1]);
        if (const auto all = broadcast(wanted, type.extents); !all || !same_extents(*all, wanted))
          fail(n, "extents of what is stored are not shown to be the index's");
      } else {
        std::vector<Term> wanted;
        for (const Term i : index) {
          if (t.is(i, Op::slice)) {
            wanted.push_back(t.at(i).args[1]);
          } else {
            const Type tile = t.type_of(i);
            wanted.insert(wanted.end(), tile.extents.begin(), tile.extents.end());
          }
        }
        const auto fits = [&](const Type &stored) {
          const auto all = broadcast(wanted, stored.extents);
          return (all && same_extents(*all, wanted)) ||
                 (stored.extents.size() > wanted.size() && without_ones(stored.extents) == without_ones(wanted));
        };
        if (!fits(type)) fail(n, "extents of what is stored are not shown to be the index's");
        // What spreads it, or gives it extents of 1, the store does as well.
        while (t.is(value, Op::apply) && (t.at(value).tag == "spread" || t.at(value).tag == "reshape") &&
               fits(t.type_of(t.at(value).args[0])) &&
               (t.at(value).tag == "spread" ||
                without_ones(t.type_of(value).extents) == without_ones(t.type_of(t.at(value).args[0]).extents)))
          value = t.at(value).args[0];
      }
    }
    std::vector<Term> args{s->holds[m], value};
    args.insert(args.end(), index.begin(), index.end());
    set(memory, t.apply(how, std::move(args), of));
  }

  // A buffer gets a value, all of it.
  void write(int memory, Term value, Node n) {
    const Memory &m = memories_[static_cast<size_t>(memory)];
    if (is_number(value) || t.is_int(value)) return set(memory, full(m.type.dtype, value, m.type.extents));
    const Type type = t.type_of(value);
    if (!type.known()) fail(n, "the type of what is written is not known here");
    if (type.dtype != m.type.dtype)
      fail(n, "what is written has dtype " + type.dtype + ", and `" + m.name + "` " + m.type.dtype);
    if (!same_extents(type.extents, m.type.extents))
      fail(n, "extents of what is written are not shown to be those of `" + m.name + "`");
    set(memory, value);
  }
  // The same where extents of 1 come and go.
  void copy(int memory, Term value, Node n) {
    const Type to = memories_[static_cast<size_t>(memory)].type;
    if (is_number(value) || t.is_int(value)) return write(memory, value, n);
    const Type type = t.type_of(value);
    if (type.known() && !same_extents(type.extents, to.extents)) {
      if (without_ones(type.extents) == without_ones(to.extents)) value = reshaped(value, to.extents);
    }
    write(memory, value, n);
  }
  std::vector<Term> without_ones(std::vector<Term> extents) const {
    std::erase_if(extents, [&](Term e) { return is_one(e); });
    return extents;
  }
  Term reshaped(Term x, std::vector<Term> extents) {
    Type type = t.type_of(x);
    if (same_extents(type.extents, extents)) return x;
    if (t.is(x, Op::apply) && t.at(x).tag == "reshape") {
      const Term inner = t.at(x).args[0];
      if (same_extents(t.type_of(inner).extents, extents)) return inner;
      x = inner;
    }
    std::vector<Term> args{x};
    const auto shape = without_leading_ones(t, extents);
    args.insert(args.end(), shape.begin(), shape.end());
    type.extents = std::move(extents);
    return t.apply("reshape", std::move(args), type);
  }

  // ── calls ──

  struct Given {
    std::vector<Node> positional;
    std::map<std::string, Node, std::less<>> named;
  };
  Given given(Node n) {
    const auto call = c.get<ast::Call>(n);
    Given g;
    for (const Node a : call.args()) {
      if (c.is(a, HTP_Starred)) fail(a, "an argument with a star");
      g.positional.push_back(a);
    }
    for (const Node k : call.keywords()) {
      const auto keyword = c.get<ast::keyword>(k);
      if (keyword.arg().empty()) fail(n, "an argument with stars");
      g.named.emplace(std::string(keyword.arg()), keyword.value());
    }
    return g;
  }
  static Value value(Term x) { return {x, -1, HTP_NONE}; }

  std::string dtype_of(Node n) {
    const std::string name = symbol_of(n);
    if (!name.starts_with("htp.")) fail(n, "`" + c.show(n) + "` is not a dtype that is known here");
    return name.substr(4);
  }
  int memory_of(Node n) {
    const Value v = evaluate(n);
    if (v.memory < 0) fail(n, "`" + c.show(n) + "` is not a buffer or tensor");
    return v.memory;
  }

  Value call(Node n) {
    const auto call = c.get<ast::Call>(n);
    const Given g = given(n);
    if (c.is(call.func(), HTP_Name)) {
      const std::string_view name = c.name_of(call.func());
      if (!s->names.contains(name))
        if (const auto it = globals_.find(name); it != globals_.end() && it->second.function)
          return own(it->second.function, g, n);
    }
    const std::string name = symbol_of(call.func());
    if (name.empty())
      if (const auto a = c.as<ast::Attribute>(call.func()))
        return method(channel_of(a.value()), std::string(a.attr()), g, n);
    if (name.empty()) fail(n, "`" + c.show(call.func()) + "` has no meaning here");
    const auto plain = [&](size_t least, size_t most) {
      if (!g.named.empty() || g.positional.size() < least || g.positional.size() > most)
        fail(n, "`" + c.show(n) + "` has arguments that have no meaning here");
    };
    if (name == "htp.dim") {
      plain(1, 1);
      std::string_view text;
      if (!c.string(g.positional[0], &text)) fail(n, "a dim without a name");
      return value(t.symbol("dim " + std::string(text)));
    }
    if (name == "min" || name == "max") {
      plain(2, 99);
      std::vector<Term> of;
      for (const Node a : g.positional) of.push_back(term(a));
      if (!std::all_of(of.begin(), of.end(), [&](Term x) { return t.is_int(x); }))
        fail(n, "a minimum of what are not ints");
      return value(name == "min" ? t.least(std::move(of)) : t.most(std::move(of)));
    }
    if (name == "len" || name == "int") {
      plain(1, 1);
      const Term x = term(g.positional[0]);
      if (name == "len" && t.is(x, Op::block)) return value(t.at(x).args[1]);
      if (name == "int" && t.is_int(x)) return value(x);
    }
    if (name == "float") {
      plain(1, 1);
      std::string_view text;
      if (c.string(g.positional[0], &text)) {
        if (text == "inf") return value(t.number(HUGE_VAL));
        if (text == "-inf") return value(t.number(-HUGE_VAL));
        if (text == "nan") return value(t.make(Op::number, "nan", {}));
      }
    }
    if (name == "slice") {
      plain(2, 2);
      const Term from = term(g.positional[0]), to = term(g.positional[1]);
      return value(t.make(Op::slice, "", {from, t.sub(to, from), t.integer(1)}));
    }
    const size_t dot = name.find('.');
    if (dot == std::string::npos || !name.starts_with("htp_")) fail(n, "`" + name + "` has no meaning here");
    return intrinsic(name.substr(4, dot - 4), name.substr(dot + 1), g, n);
  }

  // A call of one of the program's functions: its body, in its place.
  Value own(Node function, const Given &g, Node n) {
    const auto f = c.get<ast::FunctionDef>(function);
    const auto arguments = c.get<ast::arguments>(f.args());
    if (arguments.vararg() || arguments.kwarg() || !arguments.posonlyargs().empty())
      fail(n, "a function with parameters of another kind");
    if (++calls_ > 40) fail(n, "functions that call each other");
    Environment inside;
    const auto args = arguments.args();
    if (g.positional.size() > args.size()) fail(n, "too many arguments");
    size_t bound = 0;
    for (size_t k = 0; k < args.size(); ++k) {
      const std::string name(c.get<ast::arg>(args[k]).arg());
      if (k < g.positional.size()) {
        inside[name] = evaluate(g.positional[k]);
      } else if (const auto it = g.named.find(name); it != g.named.end()) {
        inside[name] = evaluate(it->second), ++bound;
      } else {
        const auto defaults = arguments.defaults();
        if (k + defaults.size() < args.size()) fail(n, "an argument is missing");
        inside[name] = evaluate(defaults[k + defaults.size() - args.size()]);
      }
    }
    if (bound != g.named.size() || !arguments.kwonlyargs().empty()) fail(n, "arguments that have no meaning here");
    std::swap(inside, s->names);
    const std::optional<Value> outer = returned_;
    returned_.reset();
    const uint32_t loop_before = std::exchange(outer_loop_, loop_),
                   branch_before = std::exchange(outer_branch_, branch_);
    block(f.body());
    outer_loop_ = loop_before, outer_branch_ = branch_before;
    const Value result = returned_.value_or(Value{t.symbol("None"), -1, HTP_NONE});
    returned_ = outer;
    std::swap(inside, s->names);
    --calls_;
    return result;
  }

  // Arguments by their parameters.
  std::vector<Term> arguments(std::string_view parameters, const Given &g, Node n) {
    std::vector<Term> result;
    size_t next = 0, used = 0;
    for (std::string name : words(parameters)) {
      const bool optional = name.back() == '?';
      if (optional) name.pop_back();
      if (next < g.positional.size()) {
        result.push_back(term(g.positional[next++]));
      } else if (const auto it = g.named.find(name); it != g.named.end()) {
        result.push_back(term(it->second)), ++used;
      } else if (!optional) {
        fail(n, "`" + c.show(n) + "` lacks `" + name + "`");
      }
    }
    if (next != g.positional.size() || used != g.named.size())
      fail(n, "`" + c.show(n) + "` has arguments that have no meaning here");
    return result;
  }

  Value allocated(const std::string &dtype, Nodes extents, Node n) {
    Type type{dtype, {}};
    std::vector<Term> origins;
    for (const Node e : extents) {
      const Term x = term(e);
      type.extents.push_back(extent_of(x, e));
      origins.push_back(t.is(x, Op::block) ? t.at(x).args[0] : t.integer(0));
    }
    std::vector<Term> args{t.symbol("htp." + dtype)};
    args.insert(args.end(), type.extents.begin(), type.extents.end());
    const int m = make_memory(c.show(n), type, t.apply("nothing", std::move(args), type));
    memories_[static_cast<size_t>(m)].origins = std::move(origins);
    return {0, m, HTP_NONE};
  }

  Value intrinsic(const std::string &of, const std::string &name, const Given &g, Node n) {
    const bool values = of == "tile" || of == "cpu";
    const Nodes positional(g.positional.data(), g.positional.size());
    const auto no_more = [&](std::initializer_list<std::string_view> known) {
      for (const auto &[keyword, _] : g.named)
        if (std::find(known.begin(), known.end(), keyword) == known.end())
          fail(n, "`" + c.show(n) + "` has an argument that has no meaning here: `" + keyword + "`");
    };
    if (values) {
      if (const Function *f = function_named(name)) return value(function(name, arguments(f->parameters, g, n), n));
      if (name == "load") {
        no_more({"outside"});
        if (positional.empty()) fail(n, "a load of nothing");
        const int m = memory_of(positional[0]);
        const auto outside = g.named.find("outside");
        return value(load_from(m, scalars_.contains(m) ? scalar_index(positional) : indices(positional.subspan(1), m),
                               outside == g.named.end() ? 0 : term(outside->second)));
      }
      if (name == "store" || name == "scatter_add") {
        no_more({});
        if (positional.size() < 2) fail(n, "a store of nothing");
        const int m = memory_of(positional[0]);
        store(m, term(positional[1]), indices(positional.subspan(2), m), n, name == "store" ? "update" : "scatter_add");
        return value(t.symbol("None"));
      }
      if (name == "zeros" || name == "full") {
        no_more({});
        const size_t first = name == "zeros" ? 1 : 2;
        if (positional.size() < first) fail(n, "a tile without a dtype");
        std::vector<Term> extents;
        for (const Node e : positional.subspan(first)) extents.push_back(extent_of(term(e), e));
        return value(
            full(dtype_of(positional[0]), first == 1 ? t.integer(0) : term(positional[1]), std::move(extents)));
      }
      if (name == "cast") {
        no_more({"rounding", "dtype"});
        if (positional.size() != 2) fail(n, "a cast without a dtype");
        const auto rounding = g.named.find("rounding");
        return value(cast(term(positional[0]), dtype_of(positional[1]),
                          rounding == g.named.end() ? 0 : term(rounding->second), n));
      }
      if (name == "buffer") {
        no_more({});
        if (positional.empty()) fail(n, "a buffer without a dtype");
        return allocated(dtype_of(positional[0]), positional.subspan(1), n);
      }
      if (name == "iota") {
        no_more({"axis"});
        const auto axis = g.named.find("axis");
        if (positional.empty() || axis == g.named.end()) fail(n, "an iota without an axis");
        Type type{dtype_of(positional[0]), {}};
        const auto at = t.constant(term(axis->second));
        if (!at || *at < 0 || static_cast<size_t>(*at) + 1 >= positional.size())
          fail(n, "an axis that is not known here");
        Term from = t.integer(0);
        std::vector<Term> args{t.symbol(type.dtype)};
        for (const Node e : positional.subspan(1)) {
          const Term x = term(e);
          if (t.is(x, Op::block) && type.extents.size() == static_cast<size_t>(*at)) {
            from = t.at(x).args[0];
            if (t.constant(t.at(x).args[2]) != 1) fail(n, "an iota of a block that is spread");
          }
          type.extents.push_back(extent_of(x, e));
        }
        args.push_back(from);
        args.push_back(t.integer(*at - static_cast<int64_t>(type.extents.size())));
        const auto shape = without_leading_ones(t, type.extents);
        args.insert(args.end(), shape.begin(), shape.end());
        return value(t.apply("iota", std::move(args), type));
      }
      if (name == "index" || name == "holds" || (of == "cpu" && name == "position")) {
        no_more({});
        if (positional.size() != 1) fail(n, "`" + c.show(n) + "` has arguments that have no meaning here");
        const Term x = term(positional[0]);
        const Type type = t.type_of(x);
        if (!type.known()) fail(n, "an operand's type is not known here");
        return value(t.apply("element", {x}, {type.dtype == "bool_" ? "truth" : "int", {}}));
      }
      if (name == "reshape") {
        no_more({});
        if (positional.size() < 2) fail(n, "a reshape without extents");
        const Term x = term(positional[0]);
        Type type = t.type_of(x);
        if (!type.known()) fail(n, "an operand's type is not known here");
        type.extents.clear();
        for (const Node e : positional.subspan(1)) type.extents.push_back(extent_of(term(e), e));
        return value(reshaped(x, type.extents));
      }
      if (name == "gather") {
        const auto args = arguments("x index axis", g, n);
        const Type x = t.type_of(args[0]), index = t.type_of(args[1]);
        auto axis = t.constant(args[2]);
        if (!x.known() || !index.known() || !axis || *axis < 0 || static_cast<size_t>(*axis) >= x.extents.size() ||
            x.extents.size() != index.extents.size())
          fail(n, "a gather of what is not known here");
        Type type = x;
        type.extents[static_cast<size_t>(*axis)] = index.extents[static_cast<size_t>(*axis)];
        return value(
            t.apply("gather", {args[0], args[1], t.integer(*axis - static_cast<int64_t>(x.extents.size()))}, type));
      }
    }
    if (of == "pto" && name == "tile") {
      no_more({"valid", "at", "space", "layout"});
      if (positional.empty()) fail(n, "a tile without a dtype");
      Value v = allocated(dtype_of(positional[0]), positional.subspan(1), n);
      Memory &m = memories_[static_cast<size_t>(v.memory)];
      for (Term &o : m.origins) o = t.integer(0);
      m.space = "ub";
      if (const auto space = g.named.find("space"); space != g.named.end()) m.space = t.at(term(space->second)).tag;
      if (const auto layout = g.named.find("layout"); layout != g.named.end())
        m.layout = t.at(term(layout->second)).tag;
      if (const auto at = g.named.find("at"); at != g.named.end()) place(m, term(at->second), n);
      if (const auto valid = g.named.find("valid"); valid != g.named.end()) {
        const Term x = term(valid->second);
        if (!t.is(x, Op::tuple) || t.at(x).args.size() != m.type.extents.size())
          fail(n, "a tile whose valid extents are not known");
        const auto counted = t.at(x).args;
        for (size_t k = 0; k < counted.size(); ++k)
          if (!bounded(counted[k], m.type.extents[k]) && !assume_bounded(counted[k], m.type.extents[k]))
            fail(n, "what counts of a tile is not shown to fit into it");
        m.type.extents = counted;
        std::vector<Term> args{t.symbol("htp." + m.type.dtype)};
        args.insert(args.end(), m.type.extents.begin(), m.type.extents.end());
        s->holds[static_cast<size_t>(v.memory)] = t.apply("nothing", std::move(args), m.type);
      }
      clobber(v.memory);
      return v;
    }
    if ((of == "pto" && name == "gm") || (of == "aie" && name == "buffer")) {
      no_more({});
      if (positional.empty()) fail(n, "a buffer without a dtype");
      Value v = allocated(dtype_of(positional[0]), positional.subspan(1), n);
      if (of == "aie")
        for (Term &o : memories_[static_cast<size_t>(v.memory)].origins) o = t.integer(0);
      return v;
    }
    if (of == "csp" || of == "aie" || of == "cpu")
      if (const auto made = channels(of, name, g, n)) return *made;
    if (of == "aie")
      if (const auto made = streams(name, g, n)) return *made;
    if (of == "aie" && name == "pad") return padded(g, n);
    if (of == "aie" && name == "mmul") {
      no_more({});
      if (positional.size() != 3) fail(n, "a product of what is not known here");
      const int m = memory_of(positional[0]);
      const Term a = term(positional[1]), b = term(positional[2]);
      write(m, t.apply("mmul", {a, b, contents(m, n)}, memories_[static_cast<size_t>(m)].type), n);
      return value(t.symbol("None"));
    }
    if (of == "pto" || of == "aie") {
      const std::string whole = of + "." + name;
      if (const Instruction *i = instruction_named(whole)) return instruction(*i, g, n);
      if (name == "tload" || whole == "aie.load") {
        no_more({"outside"});
        if (positional.size() < 2) fail(n, "a load of nothing");
        const int to = memory_of(positional[0]), from = memory_of(positional[1]);
        const auto outside = g.named.find("outside");
        Term x = load_from(
            from, scalars_.contains(from) ? scalar_index(positional.subspan(1)) : indices(positional.subspan(2), from),
            outside == g.named.end() ? 0 : term(outside->second));
        if (of == "aie" && t.type_of(x).extents != memories_[static_cast<size_t>(to)].type.extents)
          fail(n, "what is loaded has other extents");
        if (memories_[static_cast<size_t>(to)].layout == "zn") x = function("transpose", {x}, n);
        copy(to, x, n);
        return value(t.symbol("None"));
      }
      if (name == "tstore" || whole == "aie.store") {
        no_more({});
        if (positional.size() < 2) fail(n, "a store of nothing");
        const int m = memory_of(positional[0]);
        const Value source = evaluate(positional[1]);
        Term x = term(positional[1]);
        if (of == "pto" && source.memory >= 0 && memories_[static_cast<size_t>(source.memory)].space == "acc")
          x = cast(x, memories_[static_cast<size_t>(m)].type.dtype, 0, n);
        store(m, x, indices(positional.subspan(2), m), n);
        return value(t.symbol("None"));
      }
      if (name == "texpands" || whole == "aie.fill") {
        no_more({});
        if (positional.size() != 2) fail(n, "a fill of nothing");
        const Term x = term(positional[1]);
        if (!is_number(x) && !t.is_int(x)) fail(n, "a fill with what is not a number");
        write(memory_of(positional[0]), x, n);
        return value(t.symbol("None"));
      }
      if (name == "tmov" || whole == "aie.copy") {
        no_more({});
        if (positional.size() != 2) fail(n, "a copy of nothing");
        const int to = memory_of(positional[0]);
        Term x = term(positional[1]);
        const Type type = t.type_of(x), wanted = memories_[static_cast<size_t>(to)].type;
        const Value source = evaluate(positional[1]);
        if (of == "pto" && source.memory >= 0 && memories_[static_cast<size_t>(source.memory)].space == "acc" &&
            type.known() && memories_[static_cast<size_t>(to)].space == "mat")
          x = cast(x, wanted.dtype, 0, n);
        if (of == "aie" && type.known() && !same_extents(type.extents, wanted.extents) &&
            without_ones(type.extents) != without_ones(wanted.extents))
          x = spread(x, wanted.extents, n);
        copy(to, x, n);
        return value(t.symbol("None"));
      }
      if (whole == "aie.cast") {
        no_more({});
        if (positional.size() != 2) fail(n, "a cast of nothing");
        const int m = memory_of(positional[0]);
        write(m, cast(term(positional[1]), memories_[static_cast<size_t>(m)].type.dtype, 0, n), n);
        return value(t.symbol("None"));
      }
      if (whole == "pto.tci") {
        no_more({});
        if (positional.size() != 2) fail(n, "a count of nothing");
        const int m = memory_of(positional[0]);
        const Type type = memories_[static_cast<size_t>(m)].type;
        const auto shape = without_leading_ones(t, type.extents);
        const Term from = term(positional[1]);
        if (shape.size() != 1 || !t.is_int(from)) fail(n, "a count of more than a row");
        write(m, t.apply("iota", {t.symbol(type.dtype), from, t.integer(-1), shape[0]}, type), n);
        return value(t.symbol("None"));
      }
      if (name == "tcvt") {
        no_more({});
        if (positional.size() != 3) fail(n, "a conversion of nothing");
        const int m = memory_of(positional[0]);
        const Term x = term(positional[1]), mode = term(positional[2]);
        const std::string to = memories_[static_cast<size_t>(m)].type.dtype, from = t.type_of(x).dtype;
        const bool rounds = is_float(from) && !is_float(to);
        if (!rounds && t.at(mode).tag != "NONE" && t.at(mode).tag != "RINT")
          fail(n, "a conversion that has no meaning here");
        write(m, cast(x, to, rounds ? mode : 0, n), n);
        return value(t.symbol("None"));
      }
      if (name == "tcmp" || name == "tcmps") {
        no_more({});
        if (positional.size() != 4) fail(n, "a comparison of nothing");
        const Term mode = term(positional[3]);
        std::string which = t.at(mode).tag;
        std::transform(which.begin(), which.end(), which.begin(), [](char ch) { return static_cast<char>(ch | 0x20); });
        const Term a = term(positional[1]), b = term(positional[2]);
        if (is_number(a) || t.is_int(a) || (is_number(b) || t.is_int(b)) != (name == "tcmps"))
          fail(n, "an operand of a kind that a comparison does not take");
        write(memory_of(positional[0]), function(which, {a, b}, n), n);
        return value(t.symbol("None"));
      }
      if (whole == "pto.value") {
        no_more({});
        if (positional.empty()) fail(n, "a value of nothing");
        const int m = memory_of(positional[0]);
        return value(t.apply("element", {load_from(m, indices(positional.subspan(1), m), 0)}, {"int", {}}));
      }
      if (name == "trowexpand" || name == "tcolexpand") {
        no_more({});
        if (positional.size() != 2) fail(n, "an expansion of nothing");
        const int m = memory_of(positional[0]);
        write(m, spread(term(positional[1]), memories_[static_cast<size_t>(m)].type.extents, n), n);
        return value(t.symbol("None"));
      }
    }
    fail(n, "`" + of + "." + name + "` has no meaning here");
  }

  // Extents of 1, repeated.
  Term spread(Term x, const std::vector<Term> &to, Node n) {
    const Type type = t.type_of(x);
    if (!type.known()) fail(n, "an operand's type is not known here");
    const auto extents = broadcast(to, type.extents);
    if (!extents || !same_extents(*extents, to)) fail(n, "extents are not shown to be equal");
    if (same_extents(type.extents, to)) return x;
    std::vector<Term> args{x};
    const auto shape = without_leading_ones(t, to);
    args.insert(args.end(), shape.begin(), shape.end());
    return t.apply("spread", std::move(args), {type.dtype, to});
  }

  // The array that a program is for has so many cores at least. What else a device says is for passes.
  void device(Node e) {
    const Given g = given(e);
    std::string_view array;
    if (g.positional.size() != 1 || !c.string(g.positional[0], &array)) fail(e, "an array that is not known here");
    const int64_t most = array == "npu1" ? 4 : array == "npu2" ? 8 : 0;
    std::vector<Term> says{t.make(Op::text, std::string(array), {})};
    for (const char *keyword : {"columns", "rows", "cores", "processes", "interleaved", "neighbours"}) {
      const auto it = g.named.find(keyword);
      const Term x = it == g.named.end() ? t.symbol("None") : term(it->second);
      says.push_back(x);
      const auto k = t.constant(x);
      const std::string_view which = keyword;
      if (which == "columns" || which == "rows")
        if (!k || *k < 1 || *k > (which == "rows" ? 4 : most)) fail(e, "an array that is not known here");
    }
    device_ = t.make(Op::tuple, "device", std::move(says));
  }

  // A tile at an address, as the machine has them.
  void place(Memory &m, Term address, Node n) {
    const Space *space = space_named(m.space);
    if (!space || space->core != core_) fail(n, "a tile in a space that has no meaning here");
    const int64_t size = bytes_of(m.type.dtype);
    const bool bits = m.type.dtype == "bool_";
    std::vector<int64_t> extents;
    for (const Term e : m.type.extents) {
      const auto k = t.constant(e);
      if (!k || *k <= 0 || *k > (1 << 20)) fail(n, "a tile with an address and extents that are not known");
      extents.push_back(*k);
    }
    const auto between = range(address);
    if (extents.size() != 2 || !between || !t.divisible(address, 32)) fail(n, "a tile at an address that is not known");
    const int64_t line = 32 / size;
    std::string layout = m.layout;
    if (layout.empty()) layout = space->layouts.empty() ? "" : words(space->layouts)[0];
    bool fits = false;
    if (m.space == "ub")
      fits = layout.empty() && (extents[1] == 1 ? extents[0] : extents[1]) * size % (bits ? 256 : 32) == 0;
    else if (m.space == "left" && extents[0] == 1)
      fits = !bits && extents[1] * size % 512 == 0;
    else if (std::string(space->layouts).find(layout) != std::string::npos && !bits)
      fits = layout == "nz"   ? extents[0] % 16 == 0 && extents[1] % (m.space == "acc" ? 16 : line) == 0
             : layout == "zn" ? extents[0] % line == 0 && extents[1] % 16 == 0
             : layout == "nd" ? extents[1] % line == 0
                              : false;
    m.bytes = extents[0] * extents[1] * size / (bits ? 8 : 1);
    if (!fits || between->first < 0 || between->second + m.bytes > space->bytes)
      fail(n, "a tile that is not shown to lie as its space wants");
    m.address = address;
  }
  // What is made of dims alone the machine refuses where it is larger: the sizes are listed. A tile that holds but a
  // few is not for a dim.
  bool assume_bounded(Term x, Term most) {
    const auto k = t.constant(most);
    if (!k || *k < least_assumed || !of_dims(x)) return false;
    assumptions_.insert(t.show(x, 9) + " <= " + std::to_string(*k));
    return true;
  }
  bool of_dims(Term x) const {
    const TermNode &n = t.at(x);
    if (n.op == Op::symbol) return n.tag.starts_with("dim ");
    if (n.op != Op::sum && n.op != Op::product && n.op != Op::floordiv && n.op != Op::minimum && n.op != Op::maximum)
      return false;
    return std::all_of(n.args.begin(), n.args.end(), [&](Term a) { return of_dims(a); });
  }
  // Whether an int is at most another, by what decides the branch too.
  bool bounded(Term x, Term most) {
    const auto at_most = [&](Term a) {
      const Term d = t.sub(most, a);
      if (const auto k = t.constant(d)) return *k >= 0;
      return std::any_of(facts_.begin(), facts_.end(),
                         [&](Term fact) { return t.constant(t.sub(d, fact)).value_or(-1) >= 0; });
    };
    if (const auto k = t.constant(x); k && *k <= 0) return false;
    if (t.is(x, Op::minimum)) {
      const auto arms = t.at(x).args;
      return std::any_of(arms.begin(), arms.end(), at_most);
    }
    return at_most(x);
  }

  // A tensor with padding: as long as it is used within the tensor, it is the tensor.
  Value padded(const Given &g, Node n) {
    if (g.positional.size() != 2) fail(n, "`" + c.show(n) + "` has arguments that have no meaning here");
    for (const auto &[keyword, x] : g.named) {
      if (keyword != "fill" && keyword != "pieces")
        fail(n, "`" + c.show(n) + "` has arguments that have no meaning here");
      const Term v = term(x);
      if (keyword == "pieces" && !t.at(v).args.empty()) fail(n, "a tensor that is padded in pieces");
    }
    const int of = memory_of(g.positional[0]);
    const Term extents = term(g.positional[1]);
    const Memory tensor = memories_[static_cast<size_t>(of)];
    if (tensor.padded >= 0 || !t.is(extents, Op::tuple) || t.at(extents).args.size() != tensor.type.extents.size())
      fail(n, "a padded tensor that is not known here");
    const auto to = t.at(extents).args;
    for (size_t k = 0; k < to.size(); ++k)
      if (!bounded(tensor.type.extents[k], to[k])) fail(n, "a padded tensor that is not known here");
    const int m = make_memory(tensor.name, {tensor.type.dtype, to}, t.garbage({tensor.type.dtype, to}));
    memories_[static_cast<size_t>(m)].padded = of;
    return {0, m, HTP_NONE};
  }
  // Of a padded tensor the tensor, where an index stays within that.
  int within(int memory, const std::vector<Term> &index) {
    const Memory &m = memories_[static_cast<size_t>(memory)];
    if (m.padded < 0) return memory;
    const auto extents = memories_[static_cast<size_t>(m.padded)].type.extents;
    for (size_t k = 0; k < index.size(); ++k) {
      if (!t.is(index[k], Op::slice) || t.constant(t.at(index[k]).args[2]) != 1)
        fail(HTP_NONE, "a padded tensor is used beyond what it pads");
      const TermNode sl = t.at(index[k]);
      const Term end = t.add(sl.args[0], sl.args[1]);
      if (!bounded(end, extents[k])) fail(HTP_NONE, "a padded tensor is used beyond what it pads");
    }
    return m.padded;
  }

  std::vector<Term> scalar_index(Nodes positional) {
    if (positional.size() != 2 || t.constant(term(positional[1])) != 0)
      fail(positional[0], "an index of a scalar that is not 0");
    return {index_of_int(t.integer(0))};
  }

  Value instruction(const Instruction &i, const Given &g, Node n) {
    if (!g.named.empty()) fail(n, "`" + c.show(n) + "` has an argument that has no meaning here");
    std::vector<Term> args;
    std::vector<Type> types;
    size_t most = 0;
    const auto at = [&](const std::string &word) {
      size_t k = 0;
      std::from_chars(word.data(), word.data() + word.size(), k);
      if (k >= g.positional.size()) fail(n, "`" + c.show(n) + "` has too few arguments");
      most = std::max(most, k);
      return g.positional[k];
    };
    const int target = memory_of(at("0"));
    for (const std::string &word : words(i.operands)) {
      if (word == "rows" || word == "columns") {
        const auto rank = static_cast<int64_t>(t.type_of(args[0]).extents.size());
        args.push_back(t.integer(word == "rows" ? rank - 1 : rank - 2));
      } else {
        const bool number = word[0] == '#', either = word[0] == '?';
        const Node given_as = at(number || either ? word.substr(1) : word);
        const Term x = term(given_as);
        if (!either && (is_number(x) || t.is_int(x)) != number)
          fail(given_as,
               "`" + c.show(given_as) + "` is not the kind of operand that `" + std::string(i.name) + "` takes");
        args.push_back(x);
      }
    }
    for (const std::string &word : words(i.spoils)) at(word);
    if (most + 1 != g.positional.size()) fail(n, "`" + c.show(n) + "` has arguments that have no meaning here");
    const Function *f = function_named(i.function);
    const auto column = [&](Term x, size_t from_end) {
      const Type type = t.type_of(x);
      return type.extents.size() >= from_end && is_one(type.extents[type.extents.size() - from_end]);
    };
    if (i.name.starts_with("pto.trowexpand") && !column(args[1], 1)) fail(n, "what is expanded is not a column");
    if (i.name.starts_with("pto.tcolexpand") && !column(args[1], 2)) fail(n, "what is expanded is not a row");
    if (i.name.starts_with("pto.t") && !i.name.starts_with("pto.trow") && !i.name.starts_with("pto.tcol") &&
        f->result == Typing::elementwise)
      for (const Term a : args)
        if (!is_number(a) && !t.is_int(a) && !is_number(args[0]) &&
            !same_extents(t.type_of(a).extents, t.type_of(args[0]).extents))
          fail(n, "operands of two shapes");
    const auto dtype = memories_[static_cast<size_t>(target)].type.dtype;
    product_dtype_ = dtype;
    const Term result = function(i.function, std::move(args), n);
    product_dtype_.reset();
    for (const std::string &word : words(i.spoils)) {
      const int work = memory_of(at(word));
      if (work != target) set(work, t.garbage(memories_[static_cast<size_t>(work)].type));
    }
    write(target, result, n);
    return value(t.symbol("None"));
  }

  // ── statements ──

  void block(Nodes body) {
    for (const Node n : body) {
      if (returned_) fail(n, "a statement after a return");
      statement(n);
    }
  }

  void bind(std::string_view name, Value v) { s->names[std::string(name)] = v; }

  void assign(Node target, Node from, Node annotation_node) {
    if (c.is(target, HTP_Name)) {
      Value v = evaluate(from);
      if (v.term && !v.function && t.is(v.term, Op::none)) fail(from, "no value");
      if (annotation_node) check_annotation(annotation_node, v);
      if (v.memory >= 0) {
        // A second name of a buffer is that buffer; of a tensor's elements there is none.
        if (!c.is(from, HTP_Call) && !c.is(from, HTP_Name)) fail(from, "`" + c.show(from) + "` has no meaning here");
        if (c.is(from, HTP_Call)) memories_[static_cast<size_t>(v.memory)].name = c.name_of(target);
      }
      return bind(c.name_of(target), v);
    }
    if (const auto sub = c.as<ast::Subscript>(target)) {
      const int m = memory_of(sub.value());
      const Term v = term(from);
      return store(m, v, indices(sub.slice(), m), target);
    }
    if (const auto tuple = c.as<ast::Tuple>(target)) {
      const Term v = term(from);
      if (t.is(v, Op::tuple) && t.at(v).args.size() == tuple.elts().size()) {
        const std::vector<Term> items = t.at(v).args;
        for (size_t k = 0; k < items.size(); ++k) {
          if (!c.is(tuple.elts()[k], HTP_Name)) fail(target, "an assignment that has no meaning here");
          bind(c.name_of(tuple.elts()[k]), value(items[k]));
        }
        return;
      }
    }
    fail(target, "an assignment that has no meaning here");
  }

  void check_annotation(Node n, const Value &v) {
    const Type type = type_of_annotation(annotation(n));
    const Type is = v.memory >= 0 ? memories_[static_cast<size_t>(v.memory)].type : t.type_of(v.term);
    if (!type.known() || !is.known()) return;
    if (type.dtype != is.dtype || !same_extents(type.extents, is.extents))
      fail(n, "the type that is written is not shown to be the value's");
  }

  void statement(Node n) {
    if (c.cancelled()) fail(n, "it was cancelled");
    switch (c.kind(n)) {
    case HTP_Pass: return;
    case HTP_Import:
    case HTP_ImportFrom: fail(n, "an import in a function");
    case HTP_Expr: {
      const Node v = c.get<ast::Expr>(n).value();
      if (!c.is(v, HTP_Constant)) evaluate(v);
      return;
    }
    case HTP_Assign: {
      const auto a = c.get<ast::Assign>(n);
      if (a.targets().size() != 1) fail(n, "an assignment to several");
      return assign(a.targets()[0], a.value(), HTP_NONE);
    }
    case HTP_AnnAssign: {
      const auto a = c.get<ast::AnnAssign>(n);
      if (a.value()) assign(a.target(), a.value(), a.annotation());
      return;
    }
    case HTP_AugAssign: {
      const auto a = c.get<ast::AugAssign>(n);
      if (!c.is(a.target(), HTP_Name)) fail(n, "an assignment that has no meaning here");
      const Value was = evaluate(a.target());
      if (was.memory >= 0) fail(n, "an assignment that has no meaning here");
      return bind(c.name_of(a.target()), value(binary(a.op(), was.term, term(a.value()), n)));
    }
    case HTP_Return: {
      const auto r = c.get<ast::Return>(n);
      if (loop_ != outer_loop_ || branch_ != outer_branch_) fail(n, "a return within a loop or branch");
      returned_ = r.value() ? evaluate(r.value()) : value(t.symbol("None"));
      return;
    }
    case HTP_With: {
      const auto w = c.get<ast::With>(n);
      for (const Node item : w.items()) {
        const auto i = c.get<ast::withitem>(item);
        const Node e = i.context_expr();
        const std::string name = c.is(e, HTP_Call) ? symbol_of(c.get<ast::Call>(e).func()) : std::string();
        if (i.optional_vars() || (name != "htp_pto.one_by_one" && name != "htp_aie.device"))
          fail(n, "`" + c.show(e) + "` has no meaning here");
        if (name == "htp_aie.device") device(e);
        if (name == "htp_pto.one_by_one") {
          const auto args = c.get<ast::Call>(e).args();
          std::string_view kind = "aiv";
          if (args.size() > 1 || (!args.empty() && !c.string(args[0], &kind)))
            fail(n, "`" + c.show(e) + "` has no meaning here");
          core_ = kind;
        }
      }
      block(w.body());
      core_.clear();
      // What streams have brought back is in their tensors.
      for (size_t m = 0; m < memories_.size(); ++m) {
        const Memory &stream = memories_[m];
        if (stream.stream != 'c' || !changed_.empty()) continue;
        set(stream.tensor, t.apply("collected", {s->holds[static_cast<size_t>(stream.tensor)], s->holds[m]}));
      }
      return;
    }
    case HTP_FunctionDef: return process(n);
    case HTP_If: return branch(n);
    case HTP_For: return loop(n);
    default: fail(n, "a statement that has no meaning here");
    }
  }

  // A process has a past of its own: what it puts into channels and gets of them, in order. Processes whose pasts are
  // equal, of equal channels, make equal networks (Kahn), which get stuck in the same states.
  void process(Node n) {
    const auto f = c.get<ast::FunctionDef>(n);
    if (loop_ || branch_ || trace_ >= 0 || f.decorator_list().size() != 1)
      fail(n, "a function in a function that is no process");
    const Node d = f.decorator_list()[0];
    const std::string kind = symbol_of(c.is(d, HTP_Call) ? c.get<ast::Call>(d).func() : d);
    const bool grids = kind == "htp_csp.process";
    if (!grids && kind != "htp_aie.core" && kind != "htp_aie.dma")
      fail(n, "a function in a function that is no process");
    std::vector<Term> head;
    bool instances = false;
    if (c.is(d, HTP_Call)) {
      const Given g = given(d);
      if (grids && !g.positional.empty()) fail(d, "a process that has no meaning here");
      if (!grids && kind == "htp_aie.core") positions(g, d);
      for (const auto &[keyword, x] : g.named) {
        if (keyword == "grid")
          instances = true;
        else if (grids)
          fail(d, "a process that has no meaning here");
        if (grids) head.push_back(term(x));
      }
    }
    const State before = *s;
    const auto number = std::to_string(processes_++);
    const int trace = make_memory("the past", {}, t.apply("begun", {t.make(Op::text, number, {})}));
    trace_ = trace;
    reads_.clear();
    const auto arguments = c.get<ast::arguments>(f.args());
    size_t coordinate = 0;
    for (const Node a : arguments.args()) {
      const std::string name(c.get<ast::arg>(a).arg());
      if (grids)
        s->names[name] = value(t.symbol("dim coordinate " + number + " " + std::to_string(coordinate++)));
      else
        s->names[name] = value(t.apply("core", {t.make(Op::text, number, {})}));
    }
    block(f.body());
    if (!held_.empty()) fail(n, "a block is held as a process ends");
    head.push_back(s->holds[static_cast<size_t>(trace)]);
    observed_.push_back({"process " + number, t.make(Op::tuple, "process", head)});
    for (size_t m = 0; m < before.holds.size(); ++m) {
      const int memory = static_cast<int>(m);
      if (s->holds[m] == before.holds[m]) continue;
      if (memories_[m].stream) {
        observed_.push_back({"stream " + std::to_string(m) + " of process " + number, s->holds[m]});
        continue;
      }
      if (changed_.contains(memory)) fail(n, "processes share `" + memories_[m].name + "`");
      if (instances && reads_.contains(memory)) fail(n, "instances of a process share `" + memories_[m].name + "`");
      changed_[memory] = {processes_, s->holds[m]};
    }
    read_[processes_] = reads_;
    trace_ = -1;
    const size_t size = s->holds.size();
    *s = before;
    s->holds.resize(size, 0);
    s->names[std::string(f.name())] = value(t.make(Op::undefined, "", {}));
  }
  // Each core has a position of its own in the array, or none yet.
  void positions(const Given &g, Node n) {
    if (g.positional.empty()) return;
    if (g.positional.size() != 2) fail(n, "a core's position that has no meaning here");
    const auto column = t.constant(term(g.positional[0])), row = t.constant(term(g.positional[1]));
    const int64_t columns = device_ ? t.constant(t.at(device_).args[1]).value_or(0) : 0;
    constexpr int64_t first_row = 2; // above the shim's and the memory tiles
    if (!column || !row || *column < 0 || *column >= columns || *row < first_row || *row >= first_row + 4 ||
        !cores_.insert({*column, *row}).second)
      fail(n, "a core's position that has no meaning here");
  }

  // ── channels and streams ──

  void happens(const char *what, std::vector<Term> args, Node n) {
    if (trace_ < 0) fail(n, "a channel is used outside of processes");
    const auto m = static_cast<size_t>(trace_);
    args.insert(args.begin(), s->holds[m]);
    s->holds[m] = t.apply(what, std::move(args));
  }
  Value channel(const char *what, const Given &g) {
    std::vector<Term> args{t.make(Op::text, std::to_string(channels_++), {})};
    std::vector<std::pair<Term, Term>> extents; // and of what it is a block
    for (const Node a : g.positional) {
      const std::string name = symbol_of(a);
      const auto tiles = c.as<ast::Call>(a);
      if (tiles && symbol_of(tiles.func()) == "htp_tile.tiles" && tiles.args().size() == 2) {
        args.push_back(term(tiles.args()[1]));
        extents.emplace_back(args.back(), term(tiles.args()[0]));
      } else {
        args.push_back(name.empty() ? term(a) : t.symbol(name));
        if (name.empty()) extents.emplace_back(args.back(), 0);
      }
    }
    for (const auto &[keyword, x] : g.named) args.push_back(t.make(Op::tuple, keyword, {term(x)}));
    const Term made = t.apply(what, std::move(args));
    if (std::string_view(what) == "channels" && !extents.empty()) extents.erase(extents.begin()); // how many
    declared_[made] = extents;
    observed_.push_back({"channel", made});
    return value(made);
  }
  // `keys.put(x)`, `keys.get()`. An item's extents are the channel's: of a dimension that goes by blocks, those of the
  // loop around that goes through the same blocks.
  Value method(Term channel, const std::string &name, const Given &g, Node n) {
    if (!g.named.empty() || g.positional.size() != (name == "put" ? 1 : 0))
      fail(n, "`" + c.show(n) + "` has no meaning here");
    if (name == "put") {
      put(channel, term(g.positional[0]), n);
      return value(t.symbol("None"));
    }
    if (name == "signal" || name == "meet" || name == "close" || name == "drop") {
      happens(name.c_str(), {channel}, n);
      return value(t.symbol("None"));
    }
    if (name != "get") fail(n, "`" + c.show(n) + "` has no meaning here");
    Term base = channel;
    while (t.at(base).tag == "lane") base = t.at(base).args[0];
    const auto declared = declared_.find(base);
    if (declared == declared_.end()) fail(n, "an item whose extents are not known");
    Type type{dtype_of_channel(channel), {}};
    for (const auto &[size, over] : declared->second) {
      if (!over) {
        type.extents.push_back(size);
        continue;
      }
      Term found = 0;
      for (const Term b : blocks_) {
        const Term at = t.at(b).args[0];
        if (!t.is(at, Op::variable)) continue;
        const Loop loop = t.loops[static_cast<size_t>(t.at(at).numbers[0])];
        if (t.constant(loop.low) == 0 && loop.high == over && loop.step == size) found = t.at(b).args[1];
      }
      if (!found) fail(n, "an item whose extents are not known");
      type.extents.push_back(found);
    }
    return value(get(channel, type, n));
  }
  std::string dtype_of_channel(Term channel) const {
    while (t.at(channel).tag == "lane") channel = t.at(channel).args[0];
    for (const Term a : t.at(channel).args)
      if (t.is(a, Op::symbol) && t.at(a).tag.starts_with("htp.")) return t.at(a).tag.substr(4);
    return {};
  }
  // A channel, an array of them, or one of these.
  Term channel_of(Node n) {
    const Term x = term(n);
    const std::string &tag = t.at(x).tag;
    if (!t.is(x, Op::apply) || (tag != "channel" && tag != "lane" && tag != "channels" && tag != "event"))
      fail(n, "`" + c.show(n) + "` is not a channel");
    return x;
  }
  std::optional<Value> channels(const std::string &of, const std::string &name, const Given &g, Node n) {
    if (name == "channel" || name == "channels" || name == "event") return channel(name.c_str(), g);
    const Nodes positional(g.positional.data(), g.positional.size());
    if (!g.named.empty() || positional.empty()) return std::nullopt;
    if (name == "lane") {
      std::vector<Term> args{channel_of(positional[0])};
      for (const Node i : positional.subspan(1)) args.push_back(term(i));
      return value(t.apply("lane", std::move(args)));
    }
    if (of == "csp" && name == "put" && positional.size() >= 2) {
      const Term to = channel_of(positional[0]), x = term(positional[1]);
      std::vector<Term> extents;
      for (const Node e : positional.subspan(2)) extents.push_back(extent_of(term(e), e));
      if (!t.type_of(x).known() || !same_extents(extents, t.type_of(x).extents))
        fail(n, "extents of what is put are not shown to be those that are named");
      put(to, x, n);
      return value(t.symbol("None"));
    }
    if (of == "csp" && name == "get") {
      const Term from = channel_of(positional[0]);
      Type type{dtype_of_channel(from), {}};
      if (positional.size() < 2) fail(n, "an item whose extents are not known");
      for (const Node e : positional.subspan(1)) type.extents.push_back(extent_of(term(e), e));
      return value(get(from, type, n));
    }
    if (of == "aie" && name == "put" && positional.size() == 2) {
      const Term to = channel_of(positional[0]);
      put(to, term(positional[1]), n);
      return value(t.symbol("None"));
    }
    if (of == "aie" && name == "get" && positional.size() == 2) {
      const int target = memory_of(positional[0]);
      const Term from = channel_of(positional[1]);
      Type type = memories_[static_cast<size_t>(target)].type;
      if (type.dtype != dtype_of_channel(from)) fail(n, "an item of another dtype");
      write(target, get(from, type, n), n);
      return value(t.symbol("None"));
    }
    if (name == "signal" || name == "meet" || name == "close" || name == "drop") {
      if (positional.size() != 1) return std::nullopt;
      happens(name.c_str(), {channel_of(positional[0])}, n);
      return value(t.symbol("None"));
    }
    return std::nullopt;
  }
  void put(Term to, Term x, Node n) {
    const Type type = t.type_of(x);
    const std::string dtype = dtype_of_channel(to);
    if (type.known() ? type.dtype != dtype : !is_number(x)) fail(n, "what is put has another dtype than the channel");
    happens("put", {to, x}, n);
  }
  Term get(Term from, const Type &type, Node n) {
    if (!type.known() || trace_ < 0) fail(n, "a channel is used outside of processes");
    std::vector<Term> args{s->holds[static_cast<size_t>(trace_)], from};
    const auto shape = without_leading_ones(t, type.extents);
    args.insert(args.end(), shape.begin(), shape.end());
    const Term item = t.apply("item", args, type);
    happens("got", {from}, n);
    return item;
  }

  std::optional<Value> streams(const std::string &name, const Given &g, Node n) {
    const Nodes positional(g.positional.data(), g.positional.size());
    if (name == "feed" || name == "collect") {
      if (positional.size() < 3) return std::nullopt;
      const int tensor = memory_of(positional[0]);
      std::vector<Term> args{name == "feed" ? contents(tensor, n)
                                            : t.make(Op::text, memories_[static_cast<size_t>(tensor)].name, {})};
      for (const Node a : positional.subspan(1)) args.push_back(term(a));
      for (const auto &[keyword, x] : g.named) {
        const Term given_as = term(x);
        if (keyword == "column") { // where it enters the array
          const int64_t columns = device_ ? t.constant(t.at(device_).args[1]).value_or(0) : 0;
          if (const auto at = t.constant(given_as); !at || *at < 0 || *at >= columns)
            fail(n, "a column that the array does not have");
        } else {
          args.push_back(t.make(Op::tuple, keyword, {given_as}));
        }
      }
      const Term block = term(positional[2]);
      if (!t.is(block, Op::tuple)) return std::nullopt;
      const Type type{memories_[static_cast<size_t>(tensor)].type.dtype, t.at(block).args};
      const Term made_as = t.apply(name, std::move(args));
      streams_.push_back(made_as);
      const int m = make_memory(name, {}, made_as);
      Memory &made = memories_[static_cast<size_t>(m)];
      made.type = type;
      made.stream = name == "feed" ? 'f' : 'c';
      made.tensor = tensor;
      return Value{0, m, HTP_NONE};
    }
    if (name == "fifo" && positional.size() == 5 && g.named.empty()) {
      std::vector<Term> args{t.symbol("htp." + dtype_of(positional[0]))};
      for (const Node a : positional.subspan(1)) args.push_back(term(a));
      const Term block = args[1];
      if (!t.is(block, Op::tuple)) return std::nullopt;
      const Term made_as = t.apply("fifo", std::move(args));
      streams_.push_back(made_as);
      const int m = make_memory(name, {dtype_of(positional[0]), t.at(block).args}, made_as);
      memories_[static_cast<size_t>(m)].stream = 'q';
      return Value{0, m, HTP_NONE};
    }
    if ((name == "acquire" || name == "release") && positional.size() == 2 && g.named.empty()) {
      const int stream = memory_of(positional[0]);
      const Memory made = memories_[static_cast<size_t>(stream)];
      const auto m = static_cast<size_t>(stream);
      if (!made.stream) fail(n, "a stream of a kind that has no meaning here");
      const Term core = term(positional[1]);
      if (name == "acquire") {
        if (held_.contains(stream)) fail(n, "a block is acquired while another one is held");
        const Term block = t.apply(made.stream == 'c' ? "slot" : "acquired", {s->holds[m], core}, made.type);
        s->holds[m] = t.apply("acquiring", {s->holds[m], core});
        const int to = make_memory("block", made.type, block);
        held_[stream] = to;
        return Value{0, to, HTP_NONE};
      }
      const auto held = held_.find(stream);
      if (held == held_.end()) fail(n, "a block is released that is not held");
      std::vector<Term> args{s->holds[m], core};
      const auto block = static_cast<size_t>(held->second);
      if (made.stream != 'f') args.push_back(s->holds[block]);
      s->holds[m] = t.apply("released", std::move(args));
      s->holds[block] = t.garbage(made.type);
      held_.erase(held);
      return value(t.symbol("None"));
    }
    return std::nullopt;
  }

  void branch(Node n) {
    const auto i = c.get<ast::If>(n);
    const Term condition = term(i.test());
    if (t.is(condition, Op::symbol) && (t.at(condition).tag == "True" || t.at(condition).tag == "False"))
      return block(t.at(condition).tag == "True" ? i.body() : i.orelse());
    ++branch_;
    const auto held = held_;
    State before = *s;
    const size_t facts = facts_.size();
    learn(condition);
    block(i.body());
    facts_.resize(facts);
    learn(negated(condition));
    if (held_ != held) fail(n, "a block is acquired or released in a branch");
    State one = std::move(*s);
    *s = std::move(before);
    s->holds.resize(memories_.size(), 0);
    block(i.orelse());
    if (held_ != held) fail(n, "a block is acquired or released in a branch");
    facts_.resize(facts);
    --branch_;
    one.holds.resize(memories_.size(), 0);
    s->holds.resize(memories_.size(), 0);
    for (size_t k = 0; k < memories_.size(); ++k) {
      Term &x = s->holds[k];
      const Term a = one.holds[k];
      if (!a || !x)
        x = a ? a : x; // made in one of them, and seen there alone
      else if (a != x)
        x = choice(condition, a, x, memories_[k].type);
    }
    Environment merged;
    for (auto &[name, v] : s->names) {
      const auto it = one.names.find(name);
      if (it == one.names.end()) continue;
      if (it->second == v)
        merged[name] = v;
      else if (it->second.memory >= 0 || v.memory >= 0 || it->second.function || v.function)
        merged[name] = value(t.make(Op::undefined, "", {}));
      else
        merged[name] = value(choice(condition, it->second.term, v.term, t.type_of(v.term)));
    }
    s->names = std::move(merged);
  }

  // What is not negative where a condition holds.
  void learn(Term condition) {
    const TermNode n = t.at(condition);
    if (n.op != Op::apply) return;
    if (n.tag == "nonnegative") facts_.push_back(n.args[0]);
    if (n.tag == "and")
      for (const Term a : n.args) learn(a);
  }

  Term choice(Term condition, Term a, Term b, const Type &type) {
    if (t.is(a, Op::undefined) || t.is(b, Op::undefined)) return t.make(Op::undefined, "", {});
    if (t.is(a, Op::block) || t.is(b, Op::block) || t.is(a, Op::tuple)) return t.make(Op::undefined, "", {});
    Type both = type;
    if (t.is_int(a) && t.is_int(b)) both = {"int", {}};
    const Term x = t.make(Op::choice, "", {condition, a, b});
    if (both.known() && (both.dtype == "int" || t.type_of(a) == t.type_of(b))) t.type(x, both);
    return x;
  }

  // The names that statements bind.
  void bound(Nodes body, std::set<std::string> &names) {
    for (const Node n : body)
      c.each(n, [&](Node x) {
        if (c.is(x, HTP_Name) && c.get<ast::Name>(x).ctx() != HTP_LOAD) names.insert(std::string(c.name_of(x)));
      });
  }

  void loop(Node n) {
    const auto f = c.get<ast::For>(n);
    if (!f.orelse().empty()) fail(n, "a loop with an else");
    Node iter = f.iter();
    bool independent = false;
    for (;;) {
      const std::string name = c.is(iter, HTP_Call) ? symbol_of(c.get<ast::Call>(iter).func()) : std::string();
      if (name != "htp.parallel" && name != "htp.vectorized" && name != "htp.unrolled" && name != "htp.pipelined")
        break;
      independent |= name == "htp.parallel";
      if (c.get<ast::Call>(iter).args().empty()) fail(iter, "a loop over nothing");
      iter = c.get<ast::Call>(iter).args()[0];
    }
    if (!c.is(iter, HTP_Call)) fail(iter, "a loop over `" + c.show(iter) + "`");
    std::string name = symbol_of(c.get<ast::Call>(iter).func());
    bool turns = false;
    if (name == "htp_pto.turns") {
      turns = true;
      iter = c.get<ast::Call>(iter).args()[0];
      if (!c.is(iter, HTP_Call)) fail(iter, "a loop over `" + c.show(iter) + "`");
      name = symbol_of(c.get<ast::Call>(iter).func());
    }
    const Given g = given(iter);
    if (!g.named.empty()) fail(iter, "a loop over `" + c.show(iter) + "`");
    Loop header;
    header.form = "for";
    bool blocks = false;
    const bool cores = name == "htp_aie.cores" && g.positional.empty();
    if (cores) {
      header.form = "cores";
      if (!device_) fail(iter, "cores of no array");
      header.low = t.at(device_).args[1], header.high = t.at(device_).args[2];
      header.step = t.integer(1);
    } else if (name == "range") {
      if (g.positional.empty() || g.positional.size() > 3) fail(iter, "a range that has no meaning here");
      const bool one = g.positional.size() == 1;
      header.low = one ? t.integer(0) : term(g.positional[0]);
      header.high = term(g.positional[one ? 0 : 1]);
      header.step = g.positional.size() == 3 ? term(g.positional[2]) : t.integer(1);
    } else if (name == "htp_tile.tiles" || name == "htp_wsp.P" || name == "htp_wsp.seq") {
      if (g.positional.size() != 2) fail(iter, "blocks without a size");
      blocks = true;
      const Term of = term(g.positional[0]);
      if (t.is(of, Op::block)) {
        const TermNode b = t.at(of);
        if (t.constant(b.args[2]) != 1) fail(iter, "blocks of a block that is spread");
        header.low = b.args[0];
        header.high = t.add(b.args[0], b.args[1]);
      } else {
        header.low = t.integer(0);
        header.high = of;
      }
      header.step = term(g.positional[1]);
    } else {
      fail(iter, "a loop over `" + c.show(iter) + "`");
    }
    for (const Term x : {header.low, header.high, header.step})
      if (!t.is_int(x)) fail(iter, "a loop whose bounds are not ints");
    if (const auto step = t.constant(header.step); step && *step <= 0) fail(iter, "a loop that goes down");
    // One iteration is none.
    const auto low = t.constant(header.low), high = t.constant(header.high), step = t.constant(header.step);
    if (!cores && low && high && step && *low < *high && *low + *step >= *high && !turns) {
      iterate(n, f, header.low, header, blocks, false);
      return;
    }
    header.parent = loop_;
    header.independent = independent;
    const auto number = static_cast<uint32_t>(t.loops.size());
    t.loops.push_back(header);
    const Term variable = t.make(Op::variable, "", {}, {number});
    const uint32_t outer = loop_;
    loop_ = number;

    std::set<std::string> names;
    bound(f.body(), names);
    const uint32_t target_only[] = {f.target()};
    std::set<std::string> targets;
    bound(Nodes(target_only, 1), targets);
    const Environment before = s->names;
    std::vector<std::pair<std::string, size_t>> carried;
    const auto slot = [&](Term initial, const std::string &of, Type type) {
      auto &slots = t.loops[number].slots;
      const auto k = static_cast<int64_t>(slots.size());
      const Term state = t.make(Op::state, of, {}, {static_cast<int64_t>(number), k});
      if (!type.known() && t.is_int(initial)) type = {"int", {}};
      if (type.known()) t.type(state, type);
      slots.push_back({initial, 0, state});
      return static_cast<size_t>(k);
    };
    for (const auto &[of, v] : before) {
      if (!names.contains(of) || targets.contains(of) || v.memory >= 0 || v.function) continue;
      const size_t k = slot(v.term, of, t.type_of(v.term));
      carried.emplace_back(of, k);
      s->names[of] = value(t.loops[number].slots[k].state);
    }
    const size_t known = memories_.size();
    std::vector<size_t> memory_slots(known);
    for (size_t m = 0; m < known; ++m) {
      memory_slots[m] = slot(s->holds[m], memories_[m].name, memories_[m].type);
      s->holds[m] = t.loops[number].slots[memory_slots[m]].state;
    }
    const auto held = held_;
    iterate(n, f, cores ? t.apply("core", {variable}) : variable, header, blocks, turns);
    if (held_ != held) fail(n, "a block is held from one iteration to the next");
    for (const auto &[of, k] : carried) {
      const Value v = s->names[of];
      if (v.memory >= 0 || v.function) fail(n, "`" + of + "` is another kind of thing after an iteration");
      t.loops[number].slots[k].next = v.term;
    }
    for (size_t m = 0; m < known; ++m) t.loops[number].slots[memory_slots[m]].next = s->holds[m];
    loop_ = outer;
    begin_products(number);
    if (independent) check_independent(number, n);

    Environment after;
    for (auto &[of, v] : s->names) {
      const auto was = before.find(of);
      if (was == before.end()) continue; // bound in the loop alone
      after[of] = v;
    }
    for (const auto &[of, v] : before)
      if (targets.contains(of) || ((v.memory >= 0 || v.function) && names.contains(of) && !(after[of] == v)))
        after[of] = value(t.make(Op::undefined, "", {}));
    for (const auto &[of, k] : carried) after[of] = value(after_loop(number, k, of));
    s->names = std::move(after);
    for (size_t m = 0; m < memories_.size(); ++m)
      s->holds[m] = m < known ? after_loop(number, memory_slots[m], memories_[m].name) : t.garbage(memories_[m].type);
  }

  Term after_loop(uint32_t number, size_t k, const std::string &of) {
    const auto slot = t.loops[number].slots[k];
    if (slot.next == slot.state) return slot.initial;
    if (const Term map = as_map(number, slot)) return map;
    const Term exit = t.make(Op::exit, of, {}, {static_cast<int64_t>(number), static_cast<int64_t>(k)});
    const Type type = t.type_of(slot.state);
    if (type.known()) t.type(exit, type);
    return exit;
  }

  // Contents to which a loop stores in places of its own in each iteration, values that do not depend on the contents:
  // in whichever order. Blocks of blocks, of whole steps, are blocks.
  Term as_map(uint32_t number, const Loop::Slot &slot) {
    const TermNode x = t.at(slot.next);
    const Loop loop = t.loops[number];
    if ((x.op != Op::map && (x.op != Op::apply || x.tag != "update")) || x.args[0] != slot.state || loop.form != "for")
      return 0;
    std::set<Term> seen;
    for (size_t k = 1; k < x.args.size(); ++k)
      if (mentions(x.args[k], number, seen)) return 0;
    std::vector<int64_t> axes;
    if (x.op == Op::map) axes = x.numbers;
    for (const int64_t a : axes)
      for (const Term h : {t.loops[static_cast<size_t>(a)].low, t.loops[static_cast<size_t>(a)].high,
                           t.loops[static_cast<size_t>(a)].step})
        if (mentions(h, number, seen)) return 0;
    const Term variable = t.variable(number);
    std::vector<Term> args = x.args;
    args[0] = slot.initial;
    bool owns = false;
    for (size_t k = 2; k < args.size() && !owns; ++k)
      owns = t.is(args[k], Op::slice) && is_within(args[k], variable, loop);
    if (!owns) return 0;
    for (size_t k = 0; k < axes.size(); ++k) {
      const auto inner = static_cast<uint32_t>(axes[k]);
      const Loop axis = t.loops[inner];
      const auto step = t.constant(axis.step);
      if (axis.low != variable || !step || *step <= 0 || axis.form != "for") continue;
      if (axis.high != t.least({t.add(variable, loop.step), loop.high}) || !t.divisible(loop.step, *step) ||
          !positive(loop.step))
        continue;
      Loop flat;
      flat.low = loop.low, flat.high = loop.high, flat.step = axis.step, flat.form = axis.form,
      flat.parent = loop.parent;
      const auto made = static_cast<uint32_t>(t.loops.size());
      t.loops.push_back(flat);
      std::map<Term, Term> known;
      std::map<uint32_t, uint32_t> again;
      for (const Loop::Slot &same : axis.slots)
        if (same.next == same.state) known[same.state] = same.initial;
      std::vector<Term> replaced{args[0]};
      for (size_t j = 1; j < args.size(); ++j) replaced.push_back(t.replaced(args[j], inner, made, known, again));
      std::vector<int64_t> flat_axes = axes;
      flat_axes[k] = made;
      for (size_t j = 0; j < axes.size(); ++j)
        if (j != k) {
          const Term v = t.replaced(t.variable(static_cast<uint32_t>(axes[j])), inner, made, known, again);
          flat_axes[j] = t.at(v).numbers[0];
        }
      // Nothing else asks for the blocks that were cut.
      std::set<Term> asked;
      bool asks = false;
      for (size_t j = 1; j < replaced.size(); ++j) asks |= uses(replaced[j], variable, asked);
      for (const int64_t a : flat_axes)
        for (const Term h : {t.loops[static_cast<size_t>(a)].low, t.loops[static_cast<size_t>(a)].high,
                             t.loops[static_cast<size_t>(a)].step})
          asks |= uses(h, variable, asked);
      if (asks) continue;
      t.loops[number].split = true;
      return map_of(std::move(replaced), std::move(flat_axes), slot);
    }
    axes.insert(axes.begin(), number);
    return map_of(std::move(args), std::move(axes), slot);
  }
  Term map_of(std::vector<Term> args, std::vector<int64_t> axes, const Loop::Slot &slot) {
    const auto dimension = [&](int64_t a) {
      const Term v = t.variable(static_cast<uint32_t>(a));
      for (size_t k = 2; k < args.size(); ++k)
        if (t.is(args[k], Op::slice) && t.at(args[k]).args[0] == v) return k;
      return size_t{0};
    };
    std::stable_sort(axes.begin(), axes.end(), [&](int64_t a, int64_t b) { return dimension(a) < dimension(b); });
    const Term map = t.make(Op::map, t.at(slot.state).tag, std::move(args), std::move(axes));
    const Type type = t.type_of(slot.state);
    if (type.known()) t.type(map, type);
    return map;
  }
  bool positive(Term x) const {
    if (const auto k = t.constant(x)) return *k > 0;
    const TermNode &n = t.at(x);
    return n.op == Op::maximum &&
           std::any_of(n.args.begin(), n.args.end(), [&](Term a) { return t.constant(a).value_or(0) > 0; });
  }
  // Whether a term is made of another.
  bool uses(Term x, Term of, std::set<Term> &seen) const {
    if (x == of) return true;
    if (!x || !seen.insert(x).second) return false;
    const TermNode &n = t.at(x);
    const auto header = [&](int64_t l) {
      const Loop &loop = t.loops[static_cast<size_t>(l)];
      return uses(loop.low, of, seen) || uses(loop.high, of, seen) || uses(loop.step, of, seen);
    };
    if (n.op == Op::state || n.op == Op::exit) {
      const auto slot = t.loops[static_cast<size_t>(n.numbers[0])].slots[static_cast<size_t>(n.numbers[1])];
      return header(n.numbers[0]) || uses(slot.initial, of, seen) || uses(slot.next, of, seen);
    }
    if (n.op == Op::map && std::any_of(n.numbers.begin(), n.numbers.end(), header)) return true;
    return std::any_of(n.args.begin(), n.args.end(), [&](Term a) { return uses(a, of, seen); });
  }

  // A product that begins anew in the first iteration: what was there before it is nothing.
  void begin_products(uint32_t number) {
    auto &slots = t.loops[number].slots;
    const Loop loop = t.loops[number];
    const Term d = t.sub(t.variable(number), loop.low), e = t.sub(loop.low, t.variable(number));
    const Term first = t.apply("zero", {std::min(d, e)}, {"truth", {}});
    for (size_t k = 0; k < slots.size(); ++k) {
      const TermNode x = t.at(slots[k].next);
      if (x.op != Op::choice || x.args[0] != first) continue;
      const TermNode once = t.at(x.args[1]), on = t.at(x.args[2]);
      const Type type = t.type_of(slots[k].state);
      if (once.op != Op::apply || on.op != Op::apply || once.tag != "matmul" || on.tag != "matmul" || !type.known())
        continue;
      if (once.args[0] != on.args[0] || once.args[1] != on.args[1] || once.args[3] != on.args[3] ||
          t.constant(once.args[2]) != 0 || on.args[2] != slots[k].state)
        continue;
      std::set<Term> seen;
      bool other = uses(on.args[0], slots[k].state, seen) || uses(on.args[1], slots[k].state, seen);
      for (size_t j = 0; j < slots.size(); ++j)
        if (j != k) other |= uses(slots[j].next, slots[k].state, seen);
      if (other) continue;
      if (const auto low = t.constant(loop.low), high = t.constant(loop.high); !low || !high || *low >= *high)
        assumptions_.insert(t.show(loop.low, 9) + " < " + t.show(loop.high, 9));
      slots[k].initial = full(type.dtype, t.integer(0), type.extents);
      slots[k].next = x.args[2];
    }
  }

  void iterate(Node n, const ast::For &f, Term variable, const Loop &header, bool blocks, bool turns) {
    Node target = f.target();
    if (turns) {
      const auto tuple = c.as<ast::Tuple>(target);
      if (!tuple || tuple.elts().size() != 2 || !c.is(tuple.elts()[0], HTP_Name))
        fail(n, "a loop over turns without a name for them");
      bind(c.name_of(tuple.elts()[0]), value(t.apply("turn", {variable}, {"int", {}})));
      target = tuple.elts()[1];
    }
    if (!c.is(target, HTP_Name)) fail(n, "a loop whose variable is not a name");
    Term v = variable;
    if (blocks)
      v = t.make(Op::block, "", {variable, t.least({header.step, t.sub(header.high, variable)}), t.integer(1)});
    bind(c.name_of(target), value(v));
    if (blocks) blocks_.push_back(v);
    block(f.body());
    if (blocks) blocks_.pop_back();
  }

  // Iterations that may run in any order: each changes tensors at places of its own, and reads none that others change.
  void check_independent(uint32_t number, Node n) {
    std::set<Term> seen;
    for (const auto &slot : std::vector<Loop::Slot>(t.loops[number].slots))
      if (slot.next != slot.state && !t.is(slot.next, Op::garbage) && !changes_own(slot.next, slot.state, number, seen))
        fail(n, "iterations of a parallel loop are not shown to be independent");
  }
  // Whether the contents come of `from` by stores alone, each in places of this iteration.
  bool changes_own(Term x, Term from, uint32_t number, std::set<Term> &seen) {
    const Loop loop = t.loops[number];
    const Term variable = t.make(Op::variable, "", {}, {static_cast<int64_t>(number)});
    while (x != from) {
      const TermNode u = t.at(x);
      if (u.op == Op::exit) {
        const auto slot = t.loops[static_cast<size_t>(u.numbers[0])].slots[static_cast<size_t>(u.numbers[1])];
        if (!changes_own(slot.next, slot.state, number, seen)) return false;
        x = slot.initial;
        continue;
      }
      if (u.op == Op::choice)
        return !mentions(u.args[0], number, seen) && changes_own(u.args[1], from, number, seen) &&
               changes_own(u.args[2], from, number, seen);
      if (u.op != Op::map && (u.op != Op::apply || u.tag != "update")) return false;
      if (u.op == Op::map)
        for (const int64_t a : u.numbers)
          for (const Term h : {t.loops[static_cast<size_t>(a)].low, t.loops[static_cast<size_t>(a)].high,
                               t.loops[static_cast<size_t>(a)].step})
            if (mentions(h, number, seen)) return false;
      const bool own = std::any_of(u.args.begin() + 2, u.args.end(),
                                   [&](Term i) { return t.is(i, Op::slice) && is_within(i, variable, loop); });
      if (!own) return false;
      for (size_t k = 1; k < u.args.size(); ++k)
        if (mentions(u.args[k], number, seen)) return false;
      x = u.args[0];
    }
    return true;
  }
  // Whether a slice lies between the variable and a step further.
  bool is_within(Term slice, Term variable, const Loop &loop) {
    const TermNode sl = t.at(slice);
    if (t.constant(sl.args[2]) != 1) return false;
    if (sl.args[0] == variable) {
      if (sl.args[1] == loop.step) return true;
      if (t.is(sl.args[1], Op::minimum)) {
        const auto arms = t.at(sl.args[1]).args;
        return std::find(arms.begin(), arms.end(), loop.step) != arms.end();
      }
      const auto k = t.constant(sl.args[1]), st = t.constant(loop.step);
      return k && st && *k <= *st;
    }
    // A block of the block: of a loop from the variable to the end of its block at most.
    if (!t.is(sl.args[0], Op::variable)) return false;
    const Loop inner = t.loops[static_cast<size_t>(t.at(sl.args[0]).numbers[0])];
    if (!is_within_to(inner, variable, loop)) return false;
    return is_within(t.make(Op::slice, "", {sl.args[0], sl.args[1], sl.args[2]}), sl.args[0], inner) &&
           stays(sl, inner);
  }
  bool is_within_to(const Loop &inner, Term variable, const Loop &loop) {
    if (inner.low != variable) return false;
    const Term end = t.add(variable, loop.step); // of the block
    if (inner.high == end) return true;
    return t.is(inner.high, Op::minimum) &&
           std::find(t.at(inner.high).args.begin(), t.at(inner.high).args.end(), end) != t.at(inner.high).args.end();
  }
  // Whether a block of a loop ends where the loop does at the latest: min(step, high - variable) elements.
  bool stays(const TermNode &sl, const Loop &inner) {
    const Term wanted = t.least({inner.step, t.sub(inner.high, sl.args[0])});
    return sl.args[1] == wanted || (t.constant(inner.step) == 1 && t.constant(sl.args[1]) == 1);
  }
  bool mentions(Term x, uint32_t number, std::set<Term> &seen) {
    if (!seen.insert(x).second) return false;
    const TermNode n = t.at(x);
    if (n.op == Op::state && n.numbers[0] == static_cast<int64_t>(number)) {
      const auto &slot = t.loops[number].slots[static_cast<size_t>(n.numbers[1])];
      return slot.next != slot.state && !t.is(slot.next, Op::garbage);
    }
    if (n.op == Op::exit || n.op == Op::state) {
      const auto &slot = t.loops[static_cast<size_t>(n.numbers[0])].slots[static_cast<size_t>(n.numbers[1])];
      return mentions(slot.initial, number, seen) || (slot.next && mentions(slot.next, number, seen));
    }
    if (n.op == Op::map)
      for (const int64_t a : n.numbers)
        for (const Term h : {t.loops[static_cast<size_t>(a)].low, t.loops[static_cast<size_t>(a)].high,
                             t.loops[static_cast<size_t>(a)].step})
          if (mentions(h, number, seen)) return true;
    return std::any_of(n.args.begin(), n.args.end(), [&](Term a) { return mentions(a, number, seen); });
  }

  const Context &c;
  Terms &t;
  State *s = nullptr;
  Environment globals_;
  std::vector<Memory> memories_;
  std::set<int> scalars_;
  std::set<std::string> assumptions_;
  std::optional<Value> returned_;
  std::optional<std::string> product_dtype_;
  std::vector<Term> facts_; // ints that are not negative here
  std::string core_;        // whose instructions these are
  uint32_t loop_ = 0, branch_ = 0, calls_ = 0;
  // Of processes:
  int trace_ = -1; // the past of the one that is read
  uint32_t processes_ = 0, channels_ = 0;
  std::set<int> reads_;                              // what is read
  std::map<uint32_t, std::set<int>> read_;           // by process
  std::map<int, std::pair<uint32_t, Term>> changed_; // tensors: by which process, and what they hold then
  std::map<int, int> held_;                          // streams whose block is held
  std::map<Term, std::vector<std::pair<Term, Term>>>
      declared_; // channels: extents of items, and of what these are blocks
  Term device_ = 0;
  std::vector<Term> streams_;
  std::string reading_ends_;
  std::vector<Term> blocks_; // of the loops around, innermost last
  std::set<std::pair<int64_t, int64_t>> cores_;
  std::vector<std::pair<std::string, Term>> observed_;
  uint32_t outer_loop_ = 0, outer_branch_ = 0; // around the function that is read
};

} // namespace

Reading read(const sdk::Context &c, sdk::Nodes body, std::string_view entry, Terms &terms) {
  return Reader_(c, terms).run(body, entry);
}

} // namespace htp::validator
