// The kernels of a program in OpenCL C: one for each grid, line for line what its stage says.
#include "text.h"

#include "model/bounds.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace htp::simt {

namespace {

using Kind = Statement::Kind;

class Printer {
public:
  Printer(const Context &context, Node root, const Program &program)
      : c(context), numbers_(context, root), p(program), unproved_(unproved_indices(context, root, program)) {
    c.each(root, [&](Node n) { places_.try_emplace(n, places_.size()); });
    for (const char *word :
         {"lid",      "failed",    "kernel",    "global",     "local",      "constant", "private",   "half",
          "float",    "double",    "int",       "long",       "char",       "short",    "uchar",     "ushort",
          "uint",     "ulong",     "if",        "else",       "for",        "while",    "do",        "switch",
          "case",     "default",   "break",     "continue",   "return",     "void",     "const",     "volatile",
          "restrict", "static",    "inline",    "struct",     "union",      "enum",     "typedef",   "sizeof",
          "signed",   "unsigned",  "bool",      "register",   "goto",       "auto",     "extern",    "barrier",
          "exp",      "log",       "sqrt",      "max",        "min",        "fabs",     "floor",     "ceil",
          "rint",     "trunc",     "sin",       "cos",        "tanh",       "erf",      "pow",       "fma",
          "NAN",      "INFINITY",  "event_t",   "sampler_t",  "size_t",     "dot",      "cross",     "length",
          "distance", "normalize", "step",      "sign",       "select",     "any",      "all",       "mix",
          "clamp",    "radians",   "degrees",   "abs",        "rotate",     "vec_step", "pipe",      "true",
          "false",    "M_E",       "read_only", "write_only", "read_write", "uniform",  "image2d_t", "generic",
          "as_float", "as_uint",   "remainder", "fmod",       "hypot",      "round",    "modf",      "frexp",
          "ldexp"})
      c_names_.reserve(word);
  }

  Emitted run() {
    host(p.body);
    Emitted out;
    std::string head =
        "// " + p.name + ": what its work-groups do. Made of the last stage's program.py, which the lines cite.\n";
    if (prelude_.uses_doubles()) head += "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n";
    head += "#pragma OPENCL FP_CONTRACT OFF\n\n";
    const std::string functions = prelude_.text();
    out.text = head + functions + (functions.empty() ? "" : "\n") + text_;
    out.kernels = std::move(kernels_);
    out.checks = std::move(checks_);
    return out;
  }

private:
  void host(const std::vector<Statement> &body) {
    for (const Statement &s : body) {
      if (s.kind == Kind::group)
        grid(s);
      else
        host(s.body), host(s.orelse);
    }
  }

  // ── a grid ────────────────────────────────────────────────────────────────────────────────────────────────────────

  void grid(const Statement &s) {
    Kernel k;
    k.name = p.name + "_" + std::to_string(kernels_.size());
    k.node = s.node;
    std::set<std::string> own;
    std::set<const Memory *> used, written;
    std::vector<const Memory *> local;
    const auto ints_of = [&](Node n) {
      if (n)
        c.each(n, [&](Node e) {
          const std::string name(c.name_of(e));
          if (name.empty() || name == "min" || name == "max" || own.contains(name)) return;
          if (numbers_.is_dim(name) || !numbers_.integer(e))
            if (std::ranges::find(k.ints, name) == k.ints.end()) k.ints.push_back(name);
        });
    };
    const auto visit = [&](auto &&self, const std::vector<Statement> &body) -> void {
      for (const Statement &one : body) {
        for (const Node n : {one.start, one.stop, one.step, one.test, one.limit}) ints_of(n);
        for (const Value &v : one.operands)
          if (v.kind == Value::Kind::integer) ints_of(v.node);
        if (!one.name.empty()) own.insert(one.name);
        if (one.kind == Kind::lanes) k.lanes = std::max(k.lanes, one.count);
        if (one.kind == Kind::group) k.groups.push_back(&one);
        if (one.kind == Kind::alloc && (one.memory->space == Space::shared || one.memory->by_lane))
          local.push_back(one.memory);
        if (one.kind == Kind::get || one.kind == Kind::put) {
          for (const Node n : one.index) ints_of(n);
          for (const Node n : one.memory->extents) ints_of(n);
          for (const Node n : one.index)
            k.checks |= one.operands.size() != (one.kind == Kind::get) && unproved_.contains(n);
          if (one.memory->space == Space::global && used.insert(one.memory).second) k.memories.push_back(one.memory);
          if (one.kind == Kind::put) written.insert(one.memory);
        }
        k.checks |= one.limit != HTP_NONE;
        self(self, one.body), self(self, one.orelse);
      }
    };
    k.groups.push_back(&s);
    own.insert(s.name);
    for (const Node n : {s.start, s.stop, s.step}) ints_of(n);
    visit(visit, s.body);

    std::vector<std::string> parameters;
    for (const Memory *m : k.memories)
      parameters.push_back("__global " + std::string(written.contains(m) ? "" : "const ") +
                           std::string(m->dtype->memory) + " *restrict " + name(m->name));
    for (const std::string &i : k.ints) parameters.push_back("const long " + name(i));
    if (k.checks) parameters.emplace_back("__global int *failed");
    Writer w;
    w_ = &w;
    own_names_ = &own;
    lanes_ = k.lanes;
    {
      w.line("__kernel __attribute__((reqd_work_group_size(", k.lanes, ", 1, 1)))");
      auto body = w.block("}", "void ", k.name, "(", join(parameters, ", ", [](const std::string &x) { return x; }),
                          ") {", cited(s.node));
      w.line("const int lid = (int)get_local_id(0);");
      for (const Memory *m : local) {
        int64_t elements = 1;
        for (size_t d = m->by_lane; d < m->extents.size(); ++d) elements *= numbers_.integer(m->extents[d]).value_or(1);
        w.line(m->by_lane ? "" : "__local ", m->dtype->memory, " ", name(m->name), "[", std::max<int64_t>(elements, 1),
               "];", cited(m->node));
      }
      group_loop(s, 0);
    }
    text_ += (text_.empty() ? "" : "\n") + w.text();
    kernels_.push_back(std::move(k));
  }

  // A loop over work-groups is where a group stands in the grid.
  void group_loop(const Statement &s, int dimension) {
    std::string at = "(long)get_group_id(" + std::to_string(dimension) + ")";
    if (s.step && numbers_.integer(s.step) != 1) at += " * " + integer(s.step, 2);
    if (s.start && numbers_.integer(s.start) != 0) at = integer(s.start, 1) + " + " + at;
    w_->line("const long ", name(s.name), " = ", at, ";", cited(s.node));
    for (const Statement &inner : s.body) {
      if (inner.kind == Kind::group)
        group_loop(inner, dimension + 1);
      else
        statement(inner);
    }
  }

  // ── statements ────────────────────────────────────────────────────────────────────────────────────────────────────

  void block(const std::vector<Statement> &body) {
    for (const Statement &s : body) statement(s);
  }

  void statement(const Statement &s) {
    switch (s.kind) {
    case Kind::loop: return loop(s);
    case Kind::lanes: return lanes(s);
    case Kind::repeat: {
      auto body = w_->block("}", "while (", condition(s.test), ") {", cited(s.node));
      return block(s.body);
    }
    case Kind::leave: w_->line("break;", cited(s.node)); return;
    case Kind::branch: {
      {
        auto then = w_->block(s.orelse.empty() ? "}" : "", "if (", condition(s.test), ") {", cited(s.node));
        block(s.body);
      }
      if (s.orelse.empty()) return;
      auto otherwise = w_->block("}", "} else {");
      return block(s.orelse);
    }
    case Kind::barrier: w_->line("barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);", cited(s.node)); return;
    case Kind::integer: return bind(s);
    case Kind::alloc: {
      if (s.memory->space != Space::lane || s.memory->by_lane) return;
      int64_t elements = 1;
      for (const Node e : s.memory->extents) elements *= numbers_.integer(e).value_or(1);
      w_->line(s.memory->dtype->memory, " ", name(s.memory->name), "[", std::max<int64_t>(elements, 1), "];",
               cited(s.node));
      return;
    }
    case Kind::put: return put(s);
    case Kind::get: return set(s, get(s));
    case Kind::value: return set(s, value(s.operands[0], s.dtype));
    case Kind::compute: return set(s, compute(s));
    case Kind::group: return;
    }
  }

  void loop(const Statement &s) {
    const std::string v = name(s.name), start = s.start ? integer(s.start) : "0";
    const auto step = s.step ? numbers_.integer(s.step) : 1;
    const std::string by = !step ? integer(s.step) : std::to_string(*step < 0 ? -*step : *step);
    const bool down = step && *step < 0;
    if (s.unrolled) w_->line("#pragma unroll");
    auto body = w_->block("}", "for (long ", v, " = ", start, "; ", v, down ? " > " : " < ", integer(s.stop, 1), "; ",
                          step == 1 ? "++" + v : v + (down ? " -= " : " += ") + by, ") {", cited(s.node));
    block(s.body);
  }

  void lanes(const Statement &s) {
    auto body = s.count == lanes_ ? w_->block("}", "{", cited(s.node))
                                  : w_->block("}", "if (lid < ", s.count, ") {", cited(s.node));
    w_->line("const long ", name(s.name), " = lid;");
    block(s.body);
  }

  void bind(const Statement &s) {
    std::string text;
    if (s.test) {
      text = integer(s.test);
    } else {
      text = "(long)" + name(s.operands[0].scalar->name);
      if (s.limit) {
        const std::string at = text;
        w_->line(s.declares ? "long " : "", name(s.name), " = ", at, ";", cited(s.node));
        w_->line("if (!", prelude_.use("inside"), "(", name(s.name), ", ", integer(s.limit), ", ",
                 check("position", s, nullptr, 0), ", failed)) ", name(s.name), " = 0;");
        return;
      }
    }
    w_->line(s.declares ? "long " : "", name(s.name), " = ", text, ";", cited(s.node));
  }

  std::string element(const Statement &s) {
    std::string text;
    const Memory &m = *s.memory;
    for (size_t d = m.by_lane; d < s.index.size(); ++d) {
      if (!m.steps.empty()) {
        const int64_t step = m.steps[d];
        text +=
            (d ? " + " : "") + integer(s.index[d], step == 1 ? 1 : 2) + (step == 1 ? "" : " * " + std::to_string(step));
      } else if (d == size_t{m.by_lane}) {
        text = integer(s.index[d], s.index.size() > d + 1 ? 2 : 0);
      } else {
        text = (d > 1u + m.by_lane ? "(" + text + ")" : text) + " * " + integer(m.extents[d], 2) + " + " +
               integer(s.index[d], 1);
      }
    }
    return name(m.name) + "[" + (text.empty() ? "0" : text) + "]";
  }

  // What must hold for the element to be there; empty: it is.
  std::string inside(const Statement &s, bool silent) {
    std::string text;
    for (size_t d = 0; d < s.index.size(); ++d) {
      if (!unproved_.contains(s.index[d])) continue;
      const std::string at = integer(s.index[d]), extent = integer(s.memory->extents[d]);
      text += text.empty() ? "" : " && ";
      if (silent)
        text += "(" + at + ") >= 0 && (" + at + ") < (" + extent + ")";
      else
        text += prelude_.use("inside") + "(" + at + ", " + extent + ", " +
                check("index", s, s.memory, static_cast<int64_t>(d)) + ", failed)";
    }
    return text;
  }

  std::string check(const std::string &what, const Statement &s, const Memory *m, int64_t dimension) {
    checks_.push_back({what, m ? m->name : "", dimension, places_.at(s.node)});
    return std::to_string(checks_.size() - 1);
  }

  std::string get(const Statement &s) {
    const DType *d = s.dtype;
    std::string text = element(s);
    if (d->narrow()) text = "htp_from_" + prelude_.use(std::string(d->name)) + "(" + text + ")";
    prelude_.note(d);
    const bool silent = !s.operands.empty();
    const std::string fine = inside(s, silent);
    if (fine.empty()) return text;
    return fine + " ? " + text + " : " + (silent ? value(s.operands[0], d) : "0");
  }

  void put(const Statement &s) {
    const DType *d = s.dtype;
    std::string text = value(s.operands[0], d);
    prelude_.note(d);
    if (d->narrow()) text = "htp_to_" + prelude_.use(std::string(d->name)) + "(" + text + ")";
    const std::string fine = inside(s, false);
    w_->line(fine.empty() ? "" : "if (" + fine + ") ", element(s), " = ", text, ";", cited(s.node));
  }

  void set(const Statement &s, const std::string &text) {
    prelude_.note(s.target->dtype);
    w_->line(s.declares ? std::string(s.target->dtype->value) + " " : std::string(), name(s.target->name), " = ", text,
             ";", cited(s.node));
  }

  // ── what is computed ──────────────────────────────────────────────────────────────────────────────────────────────

  std::string value(const Value &v, const DType *dtype) {
    if (v.kind == Value::Kind::scalar) return name(v.scalar->name);
    if (v.kind == Value::Kind::integer) return "(" + std::string(dtype->value) + ")" + integer(v.node, 3);
    return literal(v, dtype);
  }

  std::string compute(const Statement &s) {
    const Operation &o = *s.operation;
    const DType *d = s.dtype;
    prelude_.note(d);
    std::vector<std::string> a;
    for (size_t k = 0; k < s.operands.size(); ++k)
      a.push_back(value(s.operands[k], o.form == Form::where && k == 0 ? dtype_named("bool_") : d));
    if (o.form == Form::where) return a[0] + " ? " + a[1] + " : " + a[2];
    if (o.form == Form::cast) return cast(s, a[0]);
    const std::string spelled(d->kind == Class::floating ? o.floats : o.others);
    std::string text;
    if (spelled == "-")
      text = prelude_.function(o.name, d) + "(" + join(a, ", ", [](const std::string &x) { return x; }) + ")";
    else if (spelled.front() == ' ')
      text = a[0] + spelled + a[1];
    else
      text = spelled + "(" + join(a, ", ", [](const std::string &x) { return x; }) + ")";
    if (d->kind == Class::boolean && o.name == "absolute") return a[0];
    return d->narrow() && o.form != Form::compare && rounds(o.name) ? rounded(text, d) : text;
  }
  // What of narrow floats gives one of them anyway.
  static bool rounds(std::string_view operation) {
    constexpr std::string_view exact[] = {"absolute", "neg", "maximum", "minimum", "floor", "ceil", "trunc", "round"};
    return std::ranges::find(exact, operation) == std::end(exact);
  }
  std::string rounded(const std::string &text, const DType *narrow) {
    const std::string of = prelude_.use(std::string(narrow->name));
    return "htp_from_" + of + "(htp_to_" + of + "(" + text + "))";
  }

  std::string cast(const Statement &s, const std::string &a) {
    const DType *from = s.dtype, *to = s.target->dtype;
    const std::string_view way = s.rounding;
    const std::string_view mode = way == "down" ? "_rtn" : way == "up" ? "_rtp" : way == "nearest" ? "_rte" : "_rtz";
    const bool from_float = from->kind == Class::floating, to_float = to->kind == Class::floating;
    const bool directed = !way.empty() && way != "nearest" && to_float;
    if (directed && to->narrow() && from_float) return prelude_.directed(from, to, way) + "(" + a + ")";
    if (directed && to->bytes < 8 && !from_float) {
      c.report(diag::cast, s.node, from->name, way, to->name);
      return "0";
    }
    if (to->kind == Class::boolean) return a + " != 0";
    if (from_float && !to_float)
      return a + " != " + a + " ? 0 : convert_" + std::string(to->value) + "_sat" + std::string(mode) + "(" + a + ")";
    if (!to_float) return "(" + std::string(to->value) + ")" + a;
    if (!to->narrow()) {
      if (from_float && to->bytes < from->bytes && !way.empty())
        return "convert_float" + std::string(mode) + "(" + a + ")";
      return from == to ? a : "(" + std::string(to->value) + ")" + a;
    }
    if (from == to) return a;
    if (from->name == "f64") return rounded("htp_" + prelude_.use("odd_f64") + "(" + a + ")", to);
    if (from->bytes == 8)
      return rounded("htp_" + prelude_.use(from->kind == Class::natural ? "odd_u64" : "odd_i64") + "(" + a + ")", to);
    if (from->bytes == 4 && !from_float) {
      const bool natural = from->kind == Class::natural;
      return rounded("htp_" + prelude_.use(natural ? "odd_u64" : "odd_i64") + "((" + (natural ? "ulong" : "long") +
                         ")" + a + ")",
                     to);
    }
    return rounded("(float)" + a, to);
  }

  // ── ints ──────────────────────────────────────────────────────────────────────────────────────────────────────────

  // 0: in any place, 1: an operand of `+` or a comparison, 2: of `*`, 3: alone
  std::string integer(Node n, int level = 0) {
    if (const auto id = c.name_of(n);
        !id.empty() && (own_names_->contains(std::string(id)) || numbers_.is_dim(id) || !numbers_.integer(n)))
      return name(std::string(id));
    if (const auto number = numbers_.integer(n)) {
      const std::string digits = std::to_string(*number) + (*number > INT32_MAX || *number < INT32_MIN ? "L" : "");
      return *number < 0 && level > 0 ? "(" + digits + ")" : digits;
    }
    if (auto u = c.as<ast::UnaryOp>(n))
      return "(" + std::string(u.op() == HTP_USub ? "-" : "") + integer(u.operand(), 3) + ")";
    if (auto call = c.as<ast::Call>(n))
      return std::string(c.name_of(call.func())) + "((long)(" + integer(call.args()[0]) + "), (long)(" +
             integer(call.args()[1]) + "))";
    auto b = c.get<ast::BinOp>(n);
    const htp_op op = b.op();
    if (op == HTP_FloorDiv || op == HTP_Mod) {
      const auto by = numbers_.integer(b.right());
      if (by && *by > 0 && natural(b.left())) {
        const std::string text = integer(b.left(), 2) + (op == HTP_Mod ? " % " : " / ") + integer(b.right(), 3);
        return level > 1 ? "(" + text + ")" : text;
      }
      return "htp_" + prelude_.use(op == HTP_Mod ? "mod" : "floordiv") + "(" + integer(b.left()) + ", " +
             integer(b.right()) + ")";
    }
    const bool times = op == HTP_Mult;
    const std::string text = integer(b.left(), times ? 2 : 1) +
                             (times           ? " * "
                              : op == HTP_Add ? " + "
                                              : " - ") +
                             integer(b.right(), times           ? 3
                                                : op == HTP_Add ? 1
                                                                : 2);
    return level > (times ? 2 : 0) && !(level == 1 && op == HTP_Add) ? "(" + text + ")" : text;
  }

  // Whether an int is surely not negative.
  bool natural(Node n) {
    if (const auto number = numbers_.integer(n)) return *number >= 0;
    if (const auto id = c.name_of(n); !id.empty()) return numbers_.is_dim(id) || counts_up(std::string(id));
    if (auto call = c.as<ast::Call>(n)) return natural(call.args()[0]) && natural(call.args()[1]);
    auto b = c.as<ast::BinOp>(n);
    if (!b) return false;
    if (b.op() == HTP_Mod) return natural(b.right());
    return b.op() != HTP_Sub && natural(b.left()) && natural(b.right());
  }
  // A loop's variable that begins at what is not negative, in all loops of the name.
  bool counts_up(const std::string &id) {
    if (const auto it = natural_.find(id); it != natural_.end()) return it->second;
    natural_[id] = false;
    bool found = false, fine = true;
    const auto visit = [&](auto &&self, const std::vector<Statement> &body) -> void {
      for (const Statement &s : body) {
        if (s.name == id) {
          found = true;
          const auto step = s.step ? numbers_.integer(s.step) : 1;
          fine &= s.kind != Kind::integer && step && *step > 0 && (!s.start || natural(s.start));
        }
        self(self, s.body), self(self, s.orelse);
      }
    };
    visit(visit, p.body);
    return natural_[id] = found && fine;
  }

  std::string condition(Node n) {
    if (auto cmp = c.as<ast::Compare>(n)) {
      static constexpr std::string_view ops[] = {" == ", " != ", " < ", " <= ", " > ", " >= "};
      std::string text;
      Node left = cmp.left();
      for (size_t k = 0; k < cmp.ops().size(); ++k) {
        text += (k ? " && " : "") + integer(left, 1) + std::string(ops[cmp.ops()[k] - HTP_Eq]) +
                integer(cmp.comparators()[k], 1);
        left = cmp.comparators()[k];
      }
      return text;
    }
    if (auto b = c.as<ast::BoolOp>(n))
      return join(b.values(), b.op() == HTP_And ? " && " : " || ", [&](Node v) { return "(" + condition(v) + ")"; });
    if (auto u = c.as<ast::UnaryOp>(n); u && u.op() == HTP_Not) return "!(" + condition(u.operand()) + ")";
    return integer(n);
  }

  std::string name(const std::string &id) { return c_names_.of(id); }
  std::string cited(Node n) const { return " // program.py:" + std::to_string(c.record(n).line); }

  const Context &c;
  const Numbers numbers_;
  const Program &p;
  const std::set<Node> unproved_;
  std::map<Node, size_t> places_;
  Prelude prelude_;
  NameTable c_names_;
  Writer *w_ = nullptr;
  const std::set<std::string> *own_names_ = nullptr;
  std::map<std::string, bool> natural_;
  int64_t lanes_ = 1;
  std::string text_;
  std::vector<Kernel> kernels_;
  std::vector<Check> checks_;
};

// The nearest value, to even, of a float with this many fraction bits and this lowest exponent.
double rounded_to(double x, int fraction_bits, int lowest, double largest) {
  if (x == 0 || !std::isfinite(x)) return x;
  int exponent = 0;
  std::frexp(x, &exponent);
  const int unit = std::max(exponent - 1, lowest) - fraction_bits;
  const double r = std::ldexp(std::nearbyint(std::ldexp(x, -unit)), unit);
  return std::fabs(r) > largest ? std::copysign(HUGE_VAL, x) : r;
}

template <class F> std::string shortest(F value) {
  char buffer[64];
  std::string text(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return text;
}

} // namespace

std::string literal(const Value &number, const DType *dtype) {
  if (dtype->kind == Class::floating) {
    const double wide = number.real              ? number.f
                        : !number.digits.empty() ? std::strtod(number.digits.c_str(), nullptr)
                                                 : static_cast<double>(number.i);
    const bool single = dtype->bytes < 8;
    double f = dtype->name == "f16"      ? rounded_to(wide, 10, -14, 65504)
               : dtype->name == "bf16"   ? rounded_to(wide, 7, -126, 0x1.fep127)
               : dtype->name == "f8e5m2" ? rounded_to(wide, 2, -14, 57344)
               : dtype->name == "f8e4m3" ? rounded_to(wide, 3, -6, 448)
               : single                  ? static_cast<double>(static_cast<float>(wide))
                                         : wide;
    if (dtype->name == "f8e4m3" && std::isinf(f)) f = std::nan("");
    if (std::isnan(f)) return "NAN";
    if (std::isinf(f)) return f < 0 ? "-INFINITY" : "INFINITY";
    return (single ? shortest(static_cast<float>(f)) : shortest(f)) + (single ? "f" : "");
  }
  if (dtype->kind == Class::boolean) return number.i || number.f != 0 || !number.digits.empty() ? "1" : "0";
  if (number.digits == "-9223372036854775808" || number.i == INT64_MIN) return "(-9223372036854775807L - 1)";
  if (!number.digits.empty()) return number.digits + "UL";
  if (number.i == INT32_MIN && dtype->bytes == 4) return "(-2147483647 - 1)";
  return std::to_string(number.i) + (dtype->kind == Class::natural ? "u" : "") + (dtype->bytes == 8 ? "L" : "");
}

Emitted emit_kernels(const Context &c, Node root, const Program &program) { return Printer(c, root, program).run(); }

} // namespace htp::simt
