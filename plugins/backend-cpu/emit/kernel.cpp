#include "kernel.h"

#include "live.h"

#include "htp_cpp/grids.h"

#include <algorithm>

namespace htp::cpu::ready {

namespace {

constexpr std::string_view reserved_words[] = {
    "auto",     "break",   "case",      "char",   "const",  "continue", "default", "do",     "double",  "else",
    "enum",     "extern",  "float",     "for",    "goto",   "if",       "inline",  "int",    "long",    "register",
    "restrict", "return",  "short",     "signed", "sizeof", "static",   "struct",  "switch", "typedef", "union",
    "unsigned", "void",    "volatile",  "while",  "_Bool",  "asm",      "typeof",  "shared", "place",   "context",
    "crew",     "count",   "processes", "at_0",   "at_1",   "at_2",     "at_3",    "bool",   "true",    "false",
    "failed",   "tensors", "dims",      "linux",  "unix",   "main"};

constexpr int64_t stack_limit =
    64 * 1024; // bytes of buffers in a function's frame; more, or of unknown size, is allocated

// A C identifier as close to the Python name as can be.
std::string identifier(std::string_view name) {
  static constexpr char hex[] = "0123456789abcdef";
  std::string text;
  for (const char ch : name) {
    const auto byte = static_cast<unsigned char>(ch);
    if (byte < 128) {
      text += ch;
    } else {
      text += 'x';
      text += hex[byte >> 4];
      text += hex[byte & 15];
    }
  }
  return text.rfind("htp_", 0) == 0 ? "n_" + text : text;
}

// How a block is printed: one element at a time, or several vectors of a loop's elements.
struct Mode {
  const VectorPlan *plan = nullptr;
  std::string_view variable; // of the loop on vectors
  unsigned copies = 1;
  unsigned lanes() const { return plan ? plan->lanes : 1; }
};

class Printer {
public:
  Printer(const Context &context, const Constants &constants, const Program &program, Header &header)
      : c(context), constants_(constants), p(program), unproved_(find_unproved(context, constants, program)),
        h(header) {
    for (const auto word : reserved_words) names_.reserve(word);
    if (const std::string lanes(c.hardware("vector.f32.lanes")); !lanes.empty())
      vector_bytes_ = 4 * static_cast<unsigned>(std::strtoul(lanes.c_str(), nullptr, 10));
    body_ = p.body;
    live_ = prune(c, unproved_, body_);
  }

  Kernel run() {
    Kernel k;
    k.symbol = names_.claim("kernel_" + identifier(p.name));
    k.call = names_.claim("call_" + identifier(p.name));
    w_.line("/* ", p.name, ": made from the last stage, whose lines are cited. */");
    w_.line("#include \"htp_cpu.h\"");
    w_.blank();
    if (is_pipeline())
      pipeline(k);
    else
      function(k);
    w_.blank();
    caller(k);
    k.text = w_.text();
    k.parallel = parallel_;
    k.threads = is_pipeline();
    return k;
  }

private:
  // ── names and expressions ─────────────────────────────────────────────────────────────────────────────────────────

  const std::string &name(std::string_view python) {
    auto [it, fresh] = c_names_.try_emplace(std::string(python));
    if (fresh) it->second = names_.claim(identifier(python));
    return it->second;
  }
  std::string scalar_name(const Scalar *s, const Mode &m, unsigned copy) {
    const std::string &base = name(s->name);
    if (!m.plan || !m.plan->varying.contains(s)) return base;
    if (m.plan->reduction(s)) return numbered(s->name + " v", base + "_v", copy);
    return m.copies > 1 ? numbered(s->name, base, copy) : base;
  }
  std::string numbered(const std::string &key, const std::string &base, unsigned copy) {
    auto [it, fresh] = c_names_.try_emplace(key + " " + std::to_string(copy));
    if (fresh) it->second = names_.claim(base + "_" + std::to_string(copy));
    return it->second;
  }

  // An index expression. Levels: 0 anything, 1 a term, 2 a factor.
  std::string index(Node n, const Mode &m, unsigned copy, int level = 0) {
    Value v;
    const auto id = c.name_of(n);
    if (!id.empty() && c_names_.contains(std::string(id))) {
      if (!m.plan || id != m.variable || copy == 0) return name(id);
      const std::string text = name(id) + " + " + std::to_string(copy * m.lanes());
      return level > 0 ? "(" + text + ")" : text;
    }
    if (constants_.number(n, v)) return v.i < 0 ? "(" + std::to_string(v.i) + ")" : std::to_string(v.i);
    if (!id.empty()) return name(id);
    if (auto u = c.as<ast::UnaryOp>(n))
      return "(" + std::string(u.op() == HTP_USub ? "-" : "") + index(u.operand(), m, copy, 2) + ")";
    if (auto call = c.as<ast::Call>(n))
      return h.index(std::string(c.name_of(call.func()))) + "(" + index(call.args()[0], m, copy) + ", " +
             index(call.args()[1], m, copy) + ")";
    auto b = c.get<ast::BinOp>(n);
    const htp_op op = b.op();
    if (op == HTP_FloorDiv || op == HTP_Mod) {
      const std::string word = op == HTP_Mod ? "mod" : "floordiv";
      const bool guarded = unproved_.divisions.contains(n);
      return (guarded ? h.guarded_index(word) : h.index(word)) + "(" + index(b.left(), m, copy) + ", " +
             index(b.right(), m, copy) + (guarded ? ", " + status() : "") + ")";
    }
    const int own = op == HTP_Mult ? 1 : 0;
    const std::string text = index(b.left(), m, copy, own) +
                             (op == HTP_Mult  ? " * "
                              : op == HTP_Add ? " + "
                                              : " - ") +
                             index(b.right(), m, copy, op == HTP_Add ? 0 : own + 1);
    return level > own ? "(" + text + ")" : text;
  }
  std::string index(Node n, int level = 0) { return index(n, Mode{}, 0, level); }

  std::string condition(Node n) {
    if (auto cmp = c.as<ast::Compare>(n)) {
      static constexpr std::string_view ops[] = {" == ", " != ", " < ", " <= ", " > ", " >= "};
      std::string text;
      Node left = cmp.left();
      for (size_t k = 0; k < cmp.ops().size(); ++k) {
        if (k) text += " && ";
        text += index(left, 1) + std::string(ops[cmp.ops()[k] - HTP_Eq]) + index(cmp.comparators()[k], 1);
        left = cmp.comparators()[k];
      }
      return text;
    }
    if (auto b = c.as<ast::BoolOp>(n))
      return join(b.values(), b.op() == HTP_And ? " && " : " || ", [&](Node v) { return "(" + condition(v) + ")"; });
    if (auto u = c.as<ast::UnaryOp>(n); u && u.op() == HTP_Not) return "!(" + condition(u.operand()) + ")";
    return index(n);
  }

  // The element's place in the memory, row-major.
  std::string element(const Statement &s, const Mode &m, unsigned copy) {
    if (s.memory->scalar) return name(s.memory->name);
    std::string text;
    for (size_t d = 0; d < s.index.size(); ++d) {
      if (d == 0) {
        text = index(s.index[0], m, copy, s.index.size() > 1 ? 1 : 0);
        continue;
      }
      if (d > 1) text = "(" + text + ")";
      text += " * " + index(s.memory->extents[d], 2) + " + " + index(s.index[d], m, copy);
    }
    return name(s.memory->name) + "[" + (text.empty() ? "0" : text) + "]";
  }

  // Where the kernel keeps what it will return.
  std::string status() {
    fails_ = true;
    return "&failed";
  }

  // What must hold before the element is touched; empty when it was proved.
  std::string inside(const Statement &s, const Mode &m, unsigned copy) {
    const bool may_be_outside = s.kind == Statement::Kind::get && !s.operands.empty();
    std::string text;
    for (size_t d = 0; d < s.index.size(); ++d) {
      if (!unproved_.indices.contains(s.index[d])) continue;
      text += (text.empty() ? "" : " && ") + (may_be_outside ? h.index("within") : h.guard("inside")) + "(" +
              index(s.index[d], m, copy) + ", " + index(s.memory->extents[d]) +
              (may_be_outside ? "" : ", " + status()) + ")";
    }
    return text;
  }

  bool varies(const Value &v, const Mode &m) const {
    return m.plan && v.kind == Value::Kind::scalar && m.plan->varying.contains(v.scalar);
  }

  // An operand in a dtype; `wide`: it must be a vector.
  std::string operand(const Value &v, const DType *dtype, const Mode &m, unsigned copy, bool wide) {
    std::string text;
    switch (v.kind) {
    case Value::Kind::scalar: text = scalar_name(v.scalar, m, copy); break;
    case Value::Kind::number: text = literal(v, dtype); break;
    case Value::Kind::integer:
      text = "(" + std::string(dtype->c) + ")(" + index(v.node, m, copy) + ")";
      if (dtype->narrow()) text = h.round(dtype, 1) + "(" + text + ")";
      if (wide && mentions(c, v.node, m.variable)) return h.count(dtype, m.lanes()) + "(" + text + ")";
      break;
    }
    if (wide && !varies(v, m)) text = h.splat(dtype, m.lanes()) + "(" + text + ")";
    return text;
  }

  // ── one scalar statement ──────────────────────────────────────────────────────────────────────────────────────────

  std::string rounded(std::string text, const DType *dtype, unsigned lanes) {
    return dtype->narrow() ? h.round(dtype, lanes) + "(" + text + ")" : text;
  }

  std::string cast(const Value &v, const DType *from, const DType *to, std::string_view rounding, const Mode &m,
                   unsigned copy, unsigned lanes) {
    const bool wide = lanes > 1;
    std::string a = operand(v, from, m, copy, wide);
    const DType *f = computed(from), *t = computed(to);
    if (from == to) return a;
    if (!rounding.empty() && to->kind != Class::floating) {
      static const std::map<std::string_view, std::string> words = {
          {"nearest", "round"}, {"toward_zero", "trunc"}, {"down", "floor"}, {"up", "ceil"}};
      if (rounding != "toward_zero") a = h.function(words.at(rounding), f, lanes) + "(" + a + ")";
    } else if (!rounding.empty() && rounding != "nearest" && to->bytes < 8) {
      return h.directed(from, to, rounding) + "(" + a + ")";
    }
    if (to->kind == Class::boolean) {
      if (!wide) return a + " != 0";
      Value zero;
      return h.function("ne", f, lanes) + "(" + a + ", " + operand(zero, f, m, copy, true) + ")";
    }
    if (f->kind == Class::floating && t->kind != Class::floating) return h.cast(f, to, lanes) + "(" + a + ")";
    std::string text = a;
    if (!wide && to->narrow() && f->bytes == 8) {
      text = f->kind == Class::floating ? h.odd() + "(" + a + ")" : "(float)" + a;
    } else if (f != t) {
      if (wide) h.vector(t, lanes);
      text =
          wide ? "__builtin_convertvector(" + a + ", " + value_type(t, lanes) + ")" : "(" + std::string(t->c) + ")" + a;
    }
    return rounded(text, to, lanes);
  }

  std::string compute(const Statement &s, const Mode &m, unsigned copy) {
    const DType *d = s.dtype;
    const unsigned lanes = m.plan && m.plan->varying.contains(s.target) ? m.lanes() : 1;
    const bool wide = lanes > 1, floating = d->kind == Class::floating;
    const std::string word(s.word->name);
    auto arg = [&](size_t k, bool vector) { return operand(s.operands[k], d, m, copy, vector); };
    auto call = [&](const std::string &function) {
      std::string text = function + "(";
      for (size_t k = 0; k < s.operands.size(); ++k) text += (k ? ", " : "") + arg(k, wide);
      return text + ")";
    };
    switch (s.word->form) {
    case Form::cast: return cast(s.operands[0], d, s.target->dtype, s.rounding, m, copy, lanes);
    case Form::infix: {
      if (!floating) return call(h.function(word, d, lanes));
      static const std::map<std::string, std::string, std::less<>> signs = {
          {"add", " + "}, {"sub", " - "}, {"mul", " * "}, {"div", " / "}};
      return rounded(arg(0, false) + signs.at(word) + arg(1, false), d, lanes);
    }
    case Form::compare: {
      if (wide) return call(h.function(word, d, lanes));
      if (word == "above" || word == "below") return call(h.function(word, d, 1));
      static const std::map<std::string, std::string, std::less<>> signs = {
          {"lt", " < "}, {"le", " <= "}, {"gt", " > "}, {"ge", " >= "}, {"eq", " == "}, {"ne", " != "}};
      return arg(0, false) + signs.at(word) + arg(1, false);
    }
    case Form::where: {
      const std::string condition = operand(s.operands[0], boolean_dtype(), m, copy, wide);
      if (!wide) return condition + " ? " + arg(1, false) + " : " + arg(2, false);
      return h.function("where", d, lanes) + "(" + condition + ", " + arg(1, true) + ", " + arg(2, true) + ")";
    }
    case Form::unary:
      if (word == "neg" && floating) return "-(" + arg(0, wide) + ")";
      if (word == "absolute" && (d->kind == Class::natural || d->kind == Class::boolean)) return arg(0, wide);
      if (word == "neg" || word == "absolute") return call(h.function(word, d, lanes));
      return rounded(call(h.function(word, d, lanes)), d, lanes);
    case Form::binary: return call(h.function(word, d, lanes));
    case Form::ternary: return rounded(call(h.function(word, d, lanes)), d, lanes);
    }
    return {};
  }

  std::string get(const Statement &s, const Mode &m, unsigned copy, unsigned lanes) {
    const std::string text = read(s, m, copy, lanes), condition = inside(s, m, copy);
    if (condition.empty()) return text;
    if (!s.operands.empty())
      return condition + " ? " + text + " : " + operand(s.operands[0], s.dtype, m, copy, lanes > 1);
    const std::string type = value_type(s.memory->dtype, lanes);
    return condition + " ? " + text + " : " + (lanes > 1 ? "(" + type + "){0}" : "0");
  }
  std::string read(const Statement &s, const Mode &m, unsigned copy, unsigned lanes) {
    const DType *d = s.memory->dtype;
    const std::string place = element(s, m, copy);
    if (lanes == 1) return d->narrow() ? h.load(d, 1) + "(" + place + ")" : place;
    if (!d->narrow()) return h.load(d, lanes) + "(&" + place + ")";
    return h.load(d, lanes) + "(" + h.load(memory_integer(d), lanes) + "(&" + place + "))";
  }

  // An integer as an int; what is too large for one lies outside of everything.
  std::string position(const Statement &s, const Mode &m) {
    const DType *d = s.operands[0].scalar->dtype;
    std::string text = operand(s.operands[0], d, m, 0, false);
    if (d->kind == Class::natural && d->bytes == 8) text = "(int64_t)" + text;
    return s.limit ? h.guard("place") + "(" + text + ", " + index(s.limit) + ", " + status() + ")" : text;
  }

  void order(const Statement &s) {
    const auto line_of = [&](const Memory &memory) {
      std::string text;
      for (size_t d = 0; d < s.index.size(); ++d)
        text = (d ? "(" + text + " * " + index(memory.extents[d], 2) + " + " : "") + index(s.index[d], d ? 0 : 2) +
               (d ? ")" : "");
      return name(memory.name) + (text.empty() ? "" : " + " + text + " * " + index(memory.extents.back(), 2));
    };
    std::string condition;
    if (unproved_.indices.contains(s.node)) {
      const auto inside = [&](const std::string &what, const std::string &extent) {
        condition +=
            (condition.empty() ? "" : " && ") + h.guard("inside") + "(" + what + ", " + extent + ", " + status() + ")";
      };
      for (size_t d = 0; d < s.index.size(); ++d)
        for (const Memory *m : {s.memory, s.source}) inside(index(s.index[d]), index(m->extents[d]));
      inside(index(s.stop), index(s.test, 1) + " + 1");
      inside(index(s.stop), index(s.memory->extents.back(), 1) + " + 1");
      inside(index(s.test), index(s.source->extents.back(), 1) + " + 1");
    }
    const std::string call = h.order(s.dtype, s.descending) + "(" + line_of(*s.memory) + ", " + line_of(*s.source) +
                             ", " + index(s.test) + ", " + index(s.stop) + ", " + status() + ");";
    line(s.node, (condition.empty() ? "" : "if (" + condition + ") ") + call);
  }

  void put(const Statement &s, const Mode &m, unsigned copy) {
    const DType *d = s.memory->dtype;
    const bool wide = m.plan != nullptr;
    std::string value = operand(s.operands[0], d, m, copy, wide);
    if (d->narrow()) value = h.store(d, m.lanes()) + "(" + value + ")";
    const std::string place = element(s, m, copy), condition = inside(s, m, copy);
    const std::string text =
        wide ? h.store(d->narrow() ? memory_integer(d) : d, m.lanes()) + "(&" + place + ", " + value + ");"
             : place + " = " + value + ";";
    line(s.node, condition.empty() ? text : "if (" + condition + ") " + text);
  }

  void scalar(const Statement &s, const Mode &m) {
    const bool varying = m.plan && m.plan->varying.contains(s.target);
    const unsigned lanes = varying ? m.lanes() : 1;
    for (unsigned copy = 0; copy < (varying ? m.copies : 1); ++copy) {
      std::string value;
      if (s.kind == Statement::Kind::get)
        value = get(s, m, copy, lanes);
      else if (s.kind == Statement::Kind::value)
        value = operand(s.operands[0], s.dtype, m, copy, varying);
      else
        value = compute(s, m, copy);
      const bool fixed = s.declares && !live_.reassigned.contains(s.target->name);
      const bool declares = s.declares && !(m.plan && m.plan->reduction(s.target));
      const std::string type = declares ? (fixed ? "const " : "") + value_type(s.target->dtype, lanes) + " " : "";
      line(s.node, type + scalar_name(s.target, m, copy) + " = " + value + ";");
    }
  }

  // ── blocks and loops ──────────────────────────────────────────────────────────────────────────────────────────────

  // A line that cites where it comes from, when that is not where the line before came from.
  void line(Node from, const std::string &text) { w_.line(text, cite(from)); }
  std::string cite(Node from) {
    const uint32_t number = c.record(from).line;
    if (number == 0 || number == cited_) return {};
    cited_ = number;
    return " // program.py:" + std::to_string(number);
  }

  void block(const std::vector<Statement> &body, const Mode &m, size_t from = 0) {
    for (size_t k = from; k < body.size(); ++k) {
      const Statement &s = body[k];
      switch (s.kind) {
      case Statement::Kind::loop: loop(s, m); break;
      case Statement::Kind::repeat: repeat(s, m); break;
      case Statement::Kind::leave: leave(s.node); break;
      case Statement::Kind::branch: branch(s, m); break;
      case Statement::Kind::integer:
        line(s.node, (s.declares ? live_.reassigned.contains(s.name) ? "int64_t " : "const int64_t " : "") +
                         name(s.name) + " = " + (s.test ? index(s.test) : position(s, m)) + ";");
        break;
      case Statement::Kind::order: order(s); break;
      case Statement::Kind::slot:
      case Statement::Kind::done: slot(s); break;
      case Statement::Kind::alloc:
        if (allocate(s, body, k + 1)) return;
        break;
      case Statement::Kind::put:
        for (unsigned copy = 0; copy < m.copies; ++copy) put(s, m, copy);
        break;
      default: scalar(s, m);
      }
    }
  }

  void branch(const Statement &s, const Mode &m) {
    {
      auto then = w_.block(s.orelse.empty() ? "}" : "", "if (", condition(s.test), ") {", cite(s.node));
      block(s.body, m);
    }
    if (s.orelse.empty()) return;
    auto otherwise = w_.block("}", "} else {");
    block(s.orelse, m);
  }

  void repeat(const Statement &s, const Mode &m) {
    auto body = w_.block("}", "while (", condition(s.test), ") {", cite(s.node));
    const int64_t frame = frame_;
    const auto around = std::exchange(allocated_, std::vector<std::string>());
    block(s.body, m);
    allocated_ = around;
    frame_ = frame;
  }

  // Out of the innermost `while`, with what its body has allocated given back.
  void leave(Node from) {
    for (auto a = allocated_->rbegin(); a != allocated_->rend(); ++a) w_.line("__builtin_free(", *a, ");");
    line(from, "break;");
  }

  // A buffer: in the frame when it is small, else allocated, and then the rest of the block stands inside. True in that
  // case.
  bool allocate(const Statement &s, const std::vector<Statement> &body, size_t rest) {
    const Memory &m = *s.memory;
    int64_t elements = 1;
    bool fixed = true;
    std::string extents;
    for (const Node e : m.extents) {
      Value v;
      fixed = fixed && constants_.number(e, v) && !v.real && !__builtin_mul_overflow(elements, v.i, &elements);
      extents += (extents.empty() ? "" : " * ") + index(e, 2);
    }
    if (extents.empty()) extents = "1";
    if (!m.on_heap && fixed && elements <= stack_limit / m.dtype->bytes &&
        frame_ + elements * m.dtype->bytes <= 4 * stack_limit) {
      frame_ += elements * m.dtype->bytes;
      line(s.node, std::string(m.dtype->memory) + " " + name(m.name) + "[" + (elements ? extents : "1") + "];");
      return false;
    }
    const std::string &n = name(m.name);
    line(s.node, std::string(m.dtype->memory) + " *restrict " + n + " = " + h.scratch() + "(" + extents +
                     " * (int64_t)sizeof *" + n + ");");
    {
      auto failure = w_.block("", "if (!", n, ") {");
      w_.line(h.guard("fail"), "(", status(), ", htp_no_memory);");
      if (allocated_) leave(s.node); // its condition may wait for what is left out here
    }
    auto inside = w_.block("}", "} else {");
    if (allocated_) allocated_->push_back(n);
    block(body, Mode{}, rest);
    if (allocated_) allocated_->pop_back();
    w_.line("__builtin_free(", n, ");");
    return true;
  }

  std::string range(const Statement &s, const std::string &start, const std::string &condition_,
                    const std::string &step) {
    const std::string &q = name(s.name);
    return "for (int64_t " + q + " = " + start + "; " + q + condition_ + "; " + q + step + ") {" + cite(s.node);
  }

  // A bound as Python has it, evaluated once: with a name of its own where the body may change what it is made of, or
  // where a division would be checked each time.
  std::string once(Node bound, const std::string &stem, int level) {
    bool fixed = true;
    c.each(bound, [&](Node n) {
      fixed = fixed && !live_.reassigned.contains(c.name_of(n)) && !unproved_.divisions.contains(n);
    });
    if (fixed) return index(bound, level);
    auto [it, fresh] = c_names_.try_emplace("bound " + std::to_string(bound)); // no Python name has a space
    if (fresh) it->second = names_.claim(stem);
    const std::string &own = it->second;
    w_.line("const int64_t ", own, " = ", index(bound), ";");
    return own;
  }

  void loop(const Statement &s, const Mode &m) {
    const std::string start = s.start ? index(s.start) : "0";
    if (s.vectorized && !m.plan) {
      if (const auto plan = plan_vectors(c, unproved_, s, vector_bytes_)) {
        name(s.name);
        return vectors(s, *plan);
      }
    }
    const std::string stop = once(s.stop, identifier(s.name) + "_stop", 1),
                      step = s.step ? once(s.step, identifier(s.name) + "_step", 0) : "";
    name(s.name);
    const bool checked = s.step && unproved_.steps.contains(s.step);
    if (checked) {
      auto steps = w_.block("}", "if (", h.guard("steps"), "(", step, ", ", status(), ")) {");
      return counted(s, m, start, stop, step);
    }
    counted(s, m, start, stop, step);
  }

  void counted(const Statement &s, const Mode &m, const std::string &start, const std::string &stop,
               const std::string &step) {
    const bool outermost = s.parallel && !in_parallel_;
    if (outermost) {
      w_.line("#pragma omp parallel for");
      in_parallel_ = parallel_ = true;
    }
    // A loop that is cut among threads is not unrolled, nor one whose iterations cannot be counted here.
    Value v;
    const bool counts = (!s.start || constants_.number(s.start, v)) && constants_.number(s.stop, v) &&
                        (!s.step || constants_.number(s.step, v));
    if (s.unrolled && !outermost) w_.line(counts ? h.unroll() : h.unroll_some());
    {
      auto body = w_.block("}", range(s, start, (s.down ? " > " : " < ") + stop, s.step ? " += " + step : "++"));
      const int64_t frame = frame_;
      const auto around = std::exchange(allocated_, std::nullopt);
      if (s.depth > 1) ahead(s, step);
      block(s.body, m);
      allocated_ = around;
      frame_ = frame;
    }
    if (outermost) in_parallel_ = false;
  }

  // Where the last of the overlapping iterations begins to read each tensor: on its way while this one computes. An
  // address beyond the tensor is harmless.
  void ahead(const Statement &loop, const std::string &step) {
    // Loop variables stand for where they begin. Others hold on to what names are called, so each is put back in place.
    std::map<std::string, std::optional<std::string>> before;
    const auto stands_for = [&](const std::string &variable, std::string text) {
      const auto it = c_names_.find(variable);
      before.try_emplace(variable, it == c_names_.end() ? std::nullopt : std::optional(it->second));
      c_names_[variable] = std::move(text);
    };
    const std::string by = loop.depth == 2
                               ? (step.empty() ? "1" : step)
                               : std::to_string(loop.depth - 1) + " * (" + (step.empty() ? "1" : step) + ")";
    stands_for(loop.name, "(" + name(loop.name) + " + " + by + ")");
    std::set<std::string> written, inside;
    const auto visit = [&](auto &&self, const std::vector<Statement> &body) -> void {
      for (const Statement &s : body) {
        if (s.kind == Statement::Kind::integer) inside.insert(s.name);
        if (s.kind == Statement::Kind::loop) stands_for(s.name, s.start ? "(" + index(s.start) + ")" : "0");
        if (s.kind == Statement::Kind::get && s.memory->direction != Direction::none) {
          bool moves = false, known = true;
          for (const Node n : s.index)
            c.each(n, [&](Node e) {
              moves |= c.name_of(e) == loop.name;
              known = known && !inside.contains(std::string(c.name_of(e)));
            });
          const std::string place = moves && known ? element(s, Mode{}, 0) : std::string();
          const size_t bracket = place.find('[');
          if (bracket != std::string::npos && written.insert(place).second)
            w_.line(h.ahead(), "(", place.substr(0, bracket), ", ",
                    place.substr(bracket + 1, place.size() - bracket - 2), ");");
        }
        self(self, s.body);
        self(self, s.orelse);
      }
    };
    visit(visit, loop.body);
    for (auto &[variable, text] : before)
      if (text)
        c_names_[variable] = std::move(*text);
      else
        c_names_.erase(variable);
  }

  // One loop on vectors: the main one with several in flight, one with the rest of them, and the last elements one by
  // one.
  void vectors(const Statement &s, const VectorPlan &plan) {
    Value first, last;
    first.i = 0;
    const bool known = (!s.start || constants_.number(s.start, first)) && constants_.number(s.stop, last);
    const int64_t total = known ? std::max<int64_t>(last.i - first.i, 0) : -1;
    const int64_t lanes = plan.lanes;
    const std::string start = s.start ? index(s.start) : "0", stop = index(s.stop, 1);
    // Where the loops that take `width` elements at a time end.
    auto after = [&](int64_t width) {
      if (known) return std::to_string(first.i + total / width * width);
      const std::string w = std::to_string(width);
      return s.start ? index(s.start, 1) + " + (" + stop + " - " + index(s.start, 2) + ") / " + w + " * " + w
                     : index(s.stop, 2) + " / " + w + " * " + w;
    };
    const bool any = !known || total >= lanes;
    if (any)
      open_reductions(plan, known ? static_cast<unsigned>(std::min<int64_t>(plan.copies, total / lanes)) : plan.copies);
    int64_t done = 0; // elements already taken, when that is known
    for (const unsigned copies : {plan.copies, 1u}) {
      if (copies == 1 && plan.copies > 1 && known && total % (lanes * plan.copies) < lanes) continue;
      const int64_t width = lanes * copies;
      if (!any || (known && total - done < width)) continue;
      const std::string from = copies == plan.copies ? start : after(lanes * plan.copies);
      const Mode m{&plan, s.name, copies};
      auto body =
          w_.block("}", range(s, from, " + " + std::to_string(width) + " <= " + stop, " += " + std::to_string(width)));
      block(s.body, m);
      if (known) done = total / width * width;
      if (copies == 1) break;
    }
    if (any)
      close_reductions(plan,
                       known ? static_cast<unsigned>(std::min<int64_t>(plan.copies, total / lanes)) : plan.copies);
    if (known && total % lanes == 0) return;
    auto body = w_.block("}", range(s, any ? after(lanes) : start, " < " + stop, "++"));
    block(s.body, Mode{});
  }

  Value identity(const Reduction &r) const {
    Value v;
    const DType *d = r.scalar->dtype;
    if (r.word == "mul") v.i = 1;
    if (r.word != "maximum" && r.word != "minimum") return v;
    const bool lowest = r.word == "maximum";
    if (d->kind == Class::floating) {
      v.real = true;
      v.f = lowest ? -__builtin_inf() : __builtin_inf();
    } else if (d->kind == Class::integer) {
      v.i = lowest ? INT64_MIN >> (64 - d->bytes * 8) : INT64_MAX >> (64 - d->bytes * 8);
    } else if (!lowest) {
      v.digits = std::to_string(~uint64_t{0} >> (64 - d->bytes * 8));
    }
    return v;
  }

  void open_reductions(const VectorPlan &plan, unsigned copies) {
    const Mode m{&plan, {}, copies};
    for (const Reduction &r : plan.reductions)
      for (unsigned copy = 0; copy < copies; ++copy) {
        h.vector(computed(r.scalar->dtype), plan.lanes);
        w_.line(value_type(r.scalar->dtype, plan.lanes), " ", scalar_name(r.scalar, m, copy), " = ",
                h.splat(r.scalar->dtype, plan.lanes), "(", literal(identity(r), r.scalar->dtype), ");");
      }
  }

  void close_reductions(const VectorPlan &plan, unsigned copies) {
    const Mode m{&plan, {}, copies};
    for (const Reduction &r : plan.reductions) {
      const DType *d = r.scalar->dtype;
      const std::string first = scalar_name(r.scalar, m, 0), &one = name(r.scalar->name);
      for (unsigned copy = 1; copy < copies; ++copy)
        w_.line(first, " = ", combined(r.word, d, plan.lanes, first, scalar_name(r.scalar, m, copy)), ";");
      w_.line(one, " = ", combined(r.word, d, 1, one, h.fold(r.word, d, plan.lanes) + "(" + first + ")"), ";");
    }
  }

  std::string combined(const std::string &word, const DType *d, unsigned lanes, const std::string &a,
                       const std::string &b) {
    if (d->kind == Class::floating && (word == "add" || word == "mul")) return a + (word == "add" ? " + " : " * ") + b;
    return h.function(word, d, lanes) + "(" + a + ", " + b + ")";
  }

  // ── functions ─────────────────────────────────────────────────────────────────────────────────────────────────────

  void function(const Kernel &k) {
    std::vector<std::string> parameters;
    for (const Parameter &parameter : p.parameters) {
      const Memory &m = memory(parameter.name);
      parameters.push_back(type_of(m) + (m.scalar ? "" : "restrict ") + name(m.name));
    }
    for (const std::string &d : p.dims) parameters.push_back("int64_t " + name(d));
    // The body decides whether `failed` is needed, so it is written twice.
    Writer kept = std::move(w_);
    w_ = Writer();
    block(body_, Mode{});
    w_ = std::move(kept);
    frame_ = 0;
    cited_ = 0;
    auto f = w_.block("}", "int ", k.symbol, "(", join(parameters, ", ", [](const std::string &x) { return x; }), ") {",
                      cite(p.function));
    for (const Parameter &parameter : p.parameters)
      if (!live_.names.contains(parameter.name)) w_.line("(void)", name(parameter.name), ";");
    for (const std::string &d : p.dims)
      if (!live_.names.contains(d)) w_.line("(void)", name(d), ";");
    if (fails_) w_.line("int failed = 0;");
    block(body_, Mode{});
    w_.line("return ", fails_ ? "failed" : "0", ";");
  }

  // ── processes ─────────────────────────────────────────────────────────────────────────────────────────────────────

  bool is_pipeline() const {
    return std::any_of(body_.begin(), body_.end(),
                       [](const Statement &s) { return s.kind == Statement::Kind::process; });
  }

  // `rows`, or `&across[i * 5 + j]`
  std::string channel_of(const Statement &s) {
    const std::string &of = name(s.channel->name);
    if (s.place.empty()) return of;
    std::string at;
    for (size_t d = 0; d < s.place.size(); ++d)
      at = (d == 0 ? index(s.place[0], 1)
                   : (d > 1 ? "(" + at + ")" : at) + " * " + std::to_string(s.channel->array[d]) + " + " +
                         index(s.place[d]));
    return "&" + of + "[" + at + "]";
  }

  void slot(const Statement &s) {
    // Which of the channel's readers this is: they are counted in the order of the program, and of their grids.
    std::string reader = "0";
    if (!s.puts && s.place.empty()) {
      auto &known = readers_[s.channel];
      auto it = known.begin();
      int64_t first = 0;
      for (; it != known.end() && *it != process_; ++it) first += places((*it)->grid);
      if (it == known.end()) known.push_back(process_);
      reader = std::to_string(first);
      std::string place;
      for (size_t d = 0; d < process_->grid.size(); ++d)
        place = (d == 0 ? "" : "(" + place + ") * " + std::to_string(process_->grid[d]) + " + ") +
                name(process_->indices[d]);
      if (!place.empty()) reader += " + (size_t)(" + place + ")";
    }
    const std::string arguments = "(" + channel_of(s) + (s.puts ? "" : ", " + reader) + ");";
    if (s.kind == Statement::Kind::done)
      return line(s.node, h.channel(s.puts ? "channel_publish" : "channel_release") + arguments);
    const std::string call = h.channel(s.puts ? "channel_claim" : "channel_front") + arguments;
    if (!s.memory) return line(s.node, call);
    line(s.node, (s.puts ? "" : "const ") + std::string(s.memory->dtype->memory) + " *restrict " +
                     name(s.memory->name) + " = " + call);
  }

  // What all processes share: the parameters, the sizes and the channels.
  struct Shared {
    std::string type, name; // "const float *", "x"
  };
  std::vector<Shared> shared() {
    std::vector<Shared> all;
    for (const Parameter &parameter : p.parameters) {
      const Memory &m = memory(parameter.name);
      all.push_back({type_of(m), name(m.name)});
    }
    for (const std::string &d : p.dims) all.push_back({"int64_t ", name(d)});
    for (const Channel &channel : p.channels) all.push_back({"htp_channel *", name(channel.name)});
    return all;
  }

  // static void row_read(void *context, int64_t place) { … }
  std::string process(const Statement &s, const std::string &type, const std::vector<Shared> &around) {
    const std::string symbol = names_.claim(identifier(p.name) + "_" + identifier(s.name));
    process_ = &s;
    frame_ = 0;
    fails_ = false;
    // The body says what of it all is needed.
    Writer kept = std::exchange(w_, Writer());
    for (size_t d = 0; d < s.indices.size(); ++d) name(s.indices[d]);
    block(s.body, Mode{});
    const std::string text = std::exchange(w_, std::move(kept)).text();
    frame_ = 0;
    cited_ = 0;
    const auto used = [&](const std::string &word) {
      for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
        const auto part = [&](size_t k) {
          return k < text.size() && (std::isalnum(static_cast<unsigned char>(text[k])) || text[k] == '_');
        };
        if (!(at > 0 && part(at - 1)) && !part(at + word.size())) return true;
      }
      return false;
    };
    auto f = w_.block("}", "static void ", symbol, "(void *context, int64_t place) {", cite(s.node));
    w_.line(type, " *const shared = context;");
    bool placed = false;
    for (const Shared &one : around)
      if (used(one.name))
        w_.line(one.type, one.type.ends_with("*") && !one.type.starts_with("htp_") ? "restrict const " : "const ",
                one.name, " = shared->", one.name, ";");
    // The last index runs fastest.
    int64_t inner = places(s.grid);
    for (size_t d = 0; d < s.indices.size(); ++d) {
      inner /= s.grid[d];
      if (!used(name(s.indices[d]))) continue;
      w_.line("const int64_t ", name(s.indices[d]), " = place", inner > 1 ? " / " + std::to_string(inner) : "",
              d > 0 ? " % " + std::to_string(s.grid[d]) : "", ";");
      placed = true;
    }
    if (!placed) w_.line("(void)place;");
    if (fails_) w_.line("int failed = 0;");
    block(s.body, Mode{});
    if (fails_) w_.line("if (failed) ", h.guard("fail"), "(&shared->failed, failed);");
    return symbol;
  }

  void pipeline(const Kernel &k) {
    const std::vector<Shared> around = shared();
    const std::string type = "struct " + names_.claim("shared_" + identifier(p.name));
    {
      auto fields = w_.block("};", type, " {");
      for (const Shared &one : around) w_.line(one.type, one.name, ";");
      w_.line("int failed;");
    }
    std::vector<std::pair<const Statement *, std::string>> processes;
    int64_t total = 0;
    for (const Statement &s : body_) {
      w_.blank();
      processes.emplace_back(&s, process(s, type, around));
      total += places(s.grid);
    }
    w_.blank();
    std::vector<std::string> parameters;
    for (const Shared &one : around)
      if (!one.type.starts_with("htp_"))
        parameters.push_back(one.type + (one.type.ends_with("*") ? "restrict " : "") + one.name);
    const auto same = [](const std::string &text) { return text; };
    auto f = w_.block("}", "int ", k.symbol, "(", join(parameters, ", ", same), ") {", cite(p.function));
    w_.line(h.channel("crew"), " crew = {.lock = PTHREAD_MUTEX_INITIALIZER};");
    std::string opened;
    for (const Channel &channel : p.channels) {
      std::string bytes = channel.dtype ? "(int64_t)sizeof(" + std::string(channel.dtype->memory) + ")" : "1";
      for (const Node extent : channel.extents) bytes += " * " + index(extent, 2);
      w_.line("htp_channel *", name(channel.name), " = ", h.channel("channels_open"), "(&crew, ",
              std::to_string(places(channel.array)), ", ", bytes, ", ", std::to_string(channel.capacity), ", ",
              std::to_string(channel.readers), ");");
      opened += (opened.empty() ? "" : " && ") + name(channel.name);
    }
    w_.line(type, " shared = {",
            join(around, ", ", [](const Shared &one) { return "." + one.name + " = " + one.name; }), "};");
    w_.line("htp_process processes[", std::to_string(total), "];");
    w_.line("size_t count = 0;");
    for (const auto &[s, symbol] : processes) {
      const std::string each =
          s->grid.empty() ? "" : "for (int64_t at = 0; at < " + std::to_string(places(s->grid)) + "; ++at) ";
      w_.line(each, "processes[count++] = (htp_process){", symbol, ", &shared, ", s->grid.empty() ? "0" : "at", "};");
    }
    w_.line("const int failed = ", opened.empty() ? "" : opened + " ? ", "htp_crew_run(&crew, processes, count)",
            opened.empty() ? "" : " : htp_no_memory", ";");
    for (const Channel &channel : p.channels)
      w_.line("htp_channels_close(", name(channel.name), ", ", std::to_string(places(channel.array)), ");");
    w_.line("return failed | shared.failed;");
  }

  // Of a parameter: "const float *", "float *", "float ".
  static std::string type_of(const Memory &m) {
    const std::string element(m.dtype->memory);
    if (m.scalar) return element + " ";
    return (m.direction == Direction::in ? "const " : "") + element + " *";
  }

  const Memory &memory(const std::string &parameter) const {
    for (const Memory &m : p.memories)
      if (m.name == parameter) return m;
    return p.memories.front();
  }

  void caller(const Kernel &k) {
    w_.line(
        "/* The same for a caller that holds the tensors' addresses and the extents in arrays, in the order above. */");
    auto f = w_.block("}", "int ", k.call, "(void *const *tensors, const int64_t *dims) {");
    if (p.parameters.empty()) w_.line("(void)tensors;");
    if (p.dims.empty()) w_.line("(void)dims;");
    std::vector<std::string> arguments;
    for (size_t n = 0; n < p.parameters.size(); ++n) {
      const Memory &m = memory(p.parameters[n].name);
      const std::string at = "tensors[" + std::to_string(n) + "]";
      arguments.push_back(m.scalar ? "*(const " + std::string(m.dtype->memory) + " *)" + at : at);
    }
    for (size_t n = 0; n < p.dims.size(); ++n) arguments.push_back("dims[" + std::to_string(n) + "]");
    w_.line("return ", k.symbol, "(", join(arguments, ", ", [](const std::string &x) { return x; }), ");");
  }

  const Context &c;
  const Constants &constants_;
  const Program &p;
  const Unproved unproved_;
  std::vector<Statement> body_; // without what nothing reads
  Header &h;
  Writer w_;
  NameTable names_;
  std::map<std::string, std::string> c_names_;
  Live live_;
  unsigned vector_bytes_ = 64;
  int64_t frame_ = 0;
  std::optional<std::vector<std::string>> allocated_; // in the innermost loop around, where that is a `while`
  uint32_t cited_ = 0;
  bool in_parallel_ = false, parallel_ = false, fails_ = false;
  const Statement *process_ = nullptr; // at hand
  std::map<const Channel *, std::vector<const Statement *>> readers_;
};

} // namespace

Kernel print_kernel(const Context &c, const Constants &constants, const Program &program, Header &header) {
  return Printer(c, constants, program, header).run();
}

} // namespace htp::cpu::ready
