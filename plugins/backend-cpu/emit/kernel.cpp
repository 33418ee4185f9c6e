#include "printer.h"

#include <algorithm>

namespace htp::cpu::ready {

namespace {

constexpr std::string_view reserved_words[] = {
    "auto",     "break",   "case",      "char",   "const",  "continue", "default", "do",     "double",   "else",
    "enum",     "extern",  "float",     "for",    "goto",   "if",       "inline",  "int",    "long",     "register",
    "restrict", "return",  "short",     "signed", "sizeof", "static",   "struct",  "switch", "typedef",  "union",
    "unsigned", "void",    "volatile",  "while",  "_Bool",  "asm",      "typeof",  "shared", "instance", "context",
    "crew",     "count",   "processes", "at_0",   "at_1",   "at_2",     "at_3",    "bool",   "true",     "false",
    "failed",   "tensors", "dims",      "linux",  "unix",   "main"};

// Bytes of a buffer in a function's frame; a larger one, or one of unknown size, is allocated.
constexpr int64_t stack_limit = 64 * 1024;
// Bytes of all that a frame has at once: a loop over cores has a frame of its own, and both fit a thread of 256 KiB.
constexpr int64_t frame_limit = 96 * 1024;

} // namespace

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

Printer::Printer(const Context &context, const Constants &constants, Node root, const Program &program, Header &header)
    : c(context), constants_(constants), root_(root), p(program), unproved_(find_unproved(context, constants, program)),
      h(header) {
  for (const auto name : reserved_words) names_.reserve(name);
  body_ = p.body;
  poisons_ = find_poisons(c, constants_, body_);
  live_ = prune(c, unproved_, poisons_, body_);
  const auto visit = [&](auto &&self, const std::vector<Statement> &body) -> void {
    for (const Statement &s : body) {
      if (s.kind == Statement::Kind::integer) integers_[s.name].push_back(&s);
      for (const Value &v : s.operands)
        if (v.kind == Value::Kind::scalar && !(s.operation && s.operation->form == Form::word)) used_.insert(v.scalar);
      self(self, s.body);
      self(self, s.orelse);
    }
  };
  visit(visit, body_);
}

Kernel Printer::run() {
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
  if (fails_any_) k.why = names_.claim("why_" + identifier(p.name));
  if (is_pipeline()) k.traced = names_.claim("traced_" + identifier(p.name));
  caller(k);
  k.text = w_.text();
  k.checks = checks_;
  k.processes = process_rows_;
  k.sites = sites_;
  k.parallel = parallel_;
  k.threads = is_pipeline();
  return k;
}

const std::string &Printer::name(std::string_view python) {
  auto [it, fresh] = c_names_.try_emplace(std::string(python));
  if (fresh) it->second = names_.claim(identifier(python));
  return it->second;
}

std::string Printer::scalar_name(const Scalar *s, const Mode &m, unsigned copy) {
  const std::string &base = name(s->name);
  if (!m.plan || !m.plan->varying.contains(s)) return base;
  if (m.plan->reduction(s)) return numbered(s->name + " v" + std::to_string(m.plan->loop), base + "_v", copy);
  return m.copies > 1 ? numbered(s->name, base, copy) : base;
}

std::string Printer::numbered(const std::string &key, const std::string &base, unsigned copy) {
  auto [it, fresh] = c_names_.try_emplace(key + " " + std::to_string(copy));
  if (fresh) it->second = names_.claim(base + "_" + std::to_string(copy));
  return it->second;
}

bool Printer::varies(const Value &v, const Mode &m) const {
  return m.plan && v.kind == Value::Kind::scalar && m.plan->varying.contains(v.scalar);
}

std::string Printer::operand(const Value &v, const DType *dtype, const Mode &m, unsigned copy, bool wide) {
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

std::string Printer::rounded(std::string text, const DType *dtype, unsigned lanes) {
  return dtype->narrow() ? h.round(dtype, lanes) + "(" + text + ")" : text;
}

std::string Printer::cast(const Value &v, const DType *from, const DType *to, std::string_view rounding, const Mode &m,
                          unsigned copy, unsigned lanes) {
  const bool wide = lanes > 1;
  std::string a = operand(v, from, m, copy, wide);
  const DType *f = computed(from), *t = computed(to);
  if (from == to) return a;
  if (!rounding.empty() && to->kind != Class::floating) {
    static const std::map<std::string_view, std::string> operations = {
        {"nearest", "round"}, {"toward_zero", "trunc"}, {"down", "floor"}, {"up", "ceil"}};
    if (rounding != "toward_zero") a = h.function(operations.at(rounding), f, lanes) + "(" + a + ")";
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
  if (!wide && to->narrow() && f->bytes == 8)
    text = f->kind == Class::floating ? h.odd() + "(" + a + ")" : "(float)" + a;
  else if (wide)
    text = converted(a, f, t, lanes);
  else if (f != t)
    text = "(" + std::string(t->c) + ")" + a;
  return rounded(text, to, lanes);
}

// Integers grow and shrink by half or twice their width at a time, and are as wide as a float that they become: gcc
// takes other conversions of what it loads element by element.
std::string Printer::converted(std::string text, const DType *from, const DType *to, unsigned lanes) {
  while (from != to) {
    const DType *next = to;
    if (to->kind == Class::floating && from->kind != Class::floating && from->bytes < 4)
      next = integer_of(Class::integer, 2 * from->bytes);
    else if (to->kind != Class::floating && from->kind != Class::floating && to->bytes > 2 * from->bytes)
      next = integer_of(from->kind == Class::integer ? Class::integer : Class::natural, 2 * from->bytes);
    else if (to->kind != Class::floating && from->kind != Class::floating && from->bytes > 2 * to->bytes)
      next = integer_of(from->kind, from->bytes / 2);
    h.vector(next, lanes);
    text = "__builtin_convertvector(" + text + ", " + value_type(next, lanes) + ")";
    from = next;
  }
  return text;
}

std::string Printer::compute(const Statement &s, const Mode &m, unsigned copy) {
  const DType *d = s.dtype;
  const unsigned lanes = m.plan && m.plan->varying.contains(s.target) ? m.lanes() : 1;
  const bool wide = lanes > 1, floating = d->kind == Class::floating;
  const std::string operation(s.operation->name);
  auto arg = [&](size_t k, bool vector) { return operand(s.operands[k], d, m, copy, vector); };
  auto call = [&](const std::string &function) {
    std::string text = function + "(";
    for (size_t k = 0; k < s.operands.size(); ++k) text += (k ? ", " : "") + arg(k, wide);
    return text + ")";
  };
  switch (s.operation->form) {
  case Form::cast: return cast(s.operands[0], d, s.target->dtype, s.rounding, m, copy, lanes);
  case Form::infix: {
    if (!floating) return call(h.function(operation, d, lanes));
    const bool uniform = wide && !varies(s.operands[0], m) && !varies(s.operands[1], m);
    return rounded(arg(0, uniform) + std::string(s.operation->c) + arg(1, false), d, lanes);
  }
  case Form::compare: {
    if (wide) return call(h.function(operation, d, lanes));
    if (s.operation->c.empty()) return call(h.function(operation, d, 1));
    return arg(0, false) + std::string(s.operation->c) + arg(1, false);
  }
  case Form::where: {
    const std::string condition = operand(s.operands[0], boolean_dtype(), m, copy, wide);
    if (!wide) return condition + " ? " + arg(1, false) + " : " + arg(2, false);
    return h.function("where", d, lanes) + "(" + condition + ", " + arg(1, true) + ", " + arg(2, true) + ")";
  }
  case Form::unary:
    if (operation == "neg" && floating) return "-(" + arg(0, wide) + ")";
    if (operation == "absolute" && (d->kind == Class::natural || d->kind == Class::boolean)) return arg(0, wide);
    if (operation == "neg" || operation == "absolute") return call(h.function(operation, d, lanes));
    return rounded(call(h.function(operation, d, lanes)), d, lanes);
  case Form::binary: return call(h.function(operation, d, lanes));
  case Form::word: {
    const auto first = words_.find(&s);
    return first == words_.end() ? call(h.word(lanes)) : h.word_at() + "(&" + element(*first->second, m, copy) + ")";
  }
  case Form::ternary: return rounded(call(h.function(operation, d, lanes)), d, lanes);
  }
  return {};
}

std::vector<const Statement *> Printer::bytes_of(const Statement &word, const std::vector<Statement> &block,
                                                 const Mode &m) {
  std::vector<const Statement *> loads;
  for (const Value &v : word.operands) {
    if (v.kind != Value::Kind::scalar || used_.contains(v.scalar)) return {};
    const Statement *load = nullptr;
    for (const Statement &s : block) {
      if (&s == &word) break;
      const bool value = s.kind == Statement::Kind::get || s.kind == Statement::Kind::compute ||
                         s.kind == Statement::Kind::value || (s.kind == Statement::Kind::integer && !s.channel);
      if (!value) load = nullptr; // it may write what was loaded
      if (s.target == v.scalar) load = &s;
    }
    if (!load || load->kind != Statement::Kind::get || !load->operands.empty() || load->memory->scalar ||
        !inside(*load, m, 0).empty() || !load->memory->unit(load->index.size() - 1))
      return {};
    const Statement &first = loads.empty() ? *load : *loads.front();
    bool beside = load->memory == first.memory;
    for (size_t d = 0; beside && d + 1 < load->index.size(); ++d)
      beside = index(load->index[d]) == index(first.index[d]);
    auto at = c.as<ast::BinOp>(load->index.back()), from = c.as<ast::BinOp>(first.index.back());
    Value place;
    if (!beside || !at || !from || at.op() != HTP_Add || from.op() != HTP_Add ||
        !constants_.number(at.right(), place) || place.i != static_cast<int64_t>(loads.size()) ||
        index(at.left()) != index(from.left()))
      return {};
    loads.push_back(load);
  }
  return loads;
}

std::string Printer::get(const Statement &s, const Mode &m, unsigned copy, unsigned lanes) {
  const std::string text = read(s, m, copy, lanes), condition = inside(s, m, copy);
  if (condition.empty()) return text;
  if (!s.operands.empty())
    return condition + " ? " + text + " : " + operand(s.operands[0], s.dtype, m, copy, lanes > 1);
  const std::string type = value_type(s.memory->dtype, lanes);
  return condition + " ? " + text + " : " + (lanes > 1 ? "(" + type + "){0}" : "0");
}

std::string Printer::read(const Statement &s, const Mode &m, unsigned copy, unsigned lanes) {
  const DType *d = s.memory->dtype;
  // One element for all lanes, where its name stands for a vector elsewhere.
  if (lanes > 1 && std::ranges::none_of(s.index, [&](Node i) { return mentions(c, i, m.variable); }))
    return h.splat(d, lanes) + "(" + read(s, m, copy, 1) + ")";
  const std::string text = element(s, m, copy);
  // What a caller gives as a truth value is any byte.
  if (d->kind == Class::boolean && s.memory->direction != Direction::none)
    return lanes == 1 ? "(" + text + " != 0)"
                      : "((" + value_type(d, lanes) + ")(" + h.load(d, lanes) + "(&" + text + ") != 0) & 1)";
  if (lanes == 1) return d->narrow() ? h.load(d, 1) + "(" + text + ")" : text;
  if (!d->narrow()) return h.load(d, lanes) + "(&" + text + ")";
  return h.load(d, lanes) + "(" + h.load(memory_integer(d), lanes) + "(&" + text + "))";
}

std::string Printer::position(const Statement &s, const Mode &m) {
  const DType *d = s.operands[0].scalar->dtype;
  std::string text = operand(s.operands[0], d, m, 0, false);
  if (d->kind == Class::natural && d->bytes == 8)
    text = s.limit ? "(int64_t)" + text : h.checked("int") + "(" + text + ", " + status("int", s.node, s.node) + ")";
  return s.limit
             ? h.guard("bounded") + "(" + text + ", " + index(s.limit) + ", " + status("index", s.node, s.node) + ")"
             : text;
}

void Printer::order(const Statement &s) {
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
      condition += (condition.empty() ? "" : " && ") + h.guard("inside") + "(" + what + ", " + extent + ", " +
                   status("index", s.node, s.node) + ")";
    };
    for (size_t d = 0; d < s.index.size(); ++d)
      for (const Memory *m : {s.memory, s.source}) inside(index(s.index[d]), index(m->extents[d]));
    // Below 0 there are none.
    const auto elements = [&](Node n) { return h.index("max") + "(" + index(n) + ", 0)"; };
    inside(elements(s.stop), elements(s.test) + " + 1");
    inside(elements(s.stop), elements(s.memory->extents.back()) + " + 1");
    inside(elements(s.test), elements(s.source->extents.back()) + " + 1");
  }
  const std::string call = h.order(s.dtype, s.descending) + "(" + line_of(*s.memory) + ", " + line_of(*s.source) +
                           ", " + index(s.test) + ", " + index(s.stop) + ", " + status("memory", s.node, s.node) + ");";
  line(s.node, (condition.empty() ? "" : "if (" + condition + ") ") + call);
}

void Printer::put(const Statement &s, const Mode &m, unsigned copy) {
  const DType *d = s.memory->dtype;
  const bool wide = m.plan != nullptr;
  std::string value = operand(s.operands[0], d, m, copy, wide);
  if (d->narrow()) value = h.store(d, m.lanes()) + "(" + value + ")";
  const std::string target = element(s, m, copy), condition = inside(s, m, copy);
  const std::string text =
      wide ? h.store(d->narrow() ? memory_integer(d) : d, m.lanes()) + "(&" + target + ", " + value + ");"
           : target + " = " + value + ";";
  line(s.node, condition.empty() ? text : "if (" + condition + ") " + text);
}

void Printer::scalar(const Statement &s, const Mode &m) {
  if (in_words_.contains(&s)) return;
  const bool varying = m.plan && m.plan->varying.contains(s.target);
  const unsigned lanes = varying ? m.lanes() : 1;
  if (const Reduction *r = m.plan ? m.plan->reduction(s.target) : nullptr; r && r->apart()) return extreme(s, *r, m);
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

std::string Printer::cite(Node from) {
  const uint32_t number = c.record(from).line;
  if (number == 0 || number == cited_) return {};
  cited_ = number;
  return " // program.py:" + std::to_string(number);
}

void Printer::block(const std::vector<Statement> &body, const Mode &m, size_t from) {
  for (const Statement &s : body)
    if (s.operation && s.operation->form == Form::word && !(m.plan && m.plan->varying.contains(s.target)))
      if (const auto loads = bytes_of(s, body, m); !loads.empty()) {
        words_[&s] = loads.front();
        in_words_.insert(loads.begin(), loads.end());
      }
  for (size_t k = from; k < body.size(); ++k) {
    const Statement &s = body[k];
    statement_ = s.node;
    switch (s.kind) {
    case Statement::Kind::loop: loop(s, m); break;
    case Statement::Kind::repeat: repeat(s, m); break;
    case Statement::Kind::leave: leave(s.node); break;
    case Statement::Kind::branch: branch(s, m); break;
    case Statement::Kind::integer:
      if (s.channel)
        slot(s);
      else
        line(s.node, (s.declares ? live_.reassigned.contains(s.name) ? "int64_t " : "const int64_t " : "") +
                         name(s.name) + " = " + (s.test ? index(s.test) : position(s, m)) + ";");
      break;
    case Statement::Kind::order: order(s); break;
    case Statement::Kind::slot:
    case Statement::Kind::done: slot(s); break;
    case Statement::Kind::close: line(s.node, h.channel("channel_end") + "(" + channel_of(s) + ");"); break;
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

void Printer::branch(const Statement &s, const Mode &m) {
  {
    auto then = w_.block(s.orelse.empty() ? "}" : "", "if (", condition(s.test), ") {", cite(s.node));
    block(s.body, m);
  }
  if (s.orelse.empty()) return;
  auto otherwise = w_.block("}", "} else {");
  block(s.orelse, m);
}

void Printer::repeat(const Statement &s, const Mode &m) {
  // What failed takes another value's place, with which the loop might not come to its end.
  const std::string test = condition(s.test);
  auto body = w_.block("}", "while (", fails_ ? "!failed.why && (" + test + ")" : test, ") {", cite(s.node));
  const int64_t frame = frame_;
  const auto around = std::exchange(allocated_, std::vector<std::string>());
  block(s.body, m);
  allocated_ = around;
  frame_ = frame;
}

void Printer::leave(Node from) {
  for (auto a = allocated_->rbegin(); a != allocated_->rend(); ++a) w_.line("__builtin_free(", *a, ");");
  line(from, "break;");
}

bool Printer::allocate(const Statement &s, const std::vector<Statement> &body, size_t rest) {
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
      frame_ + elements * m.dtype->bytes <= frame_limit) {
    frame_ += elements * m.dtype->bytes;
    // Aligned as the hardware model's space `stack` is, and explicitly: gcc 12 writes a large array of a leaf function
    // as if it lay so, and does not always see to it that it does.
    line(s.node,
         "_Alignas(64) " + std::string(m.dtype->memory) + " " + name(m.name) + "[" + (elements ? extents : "1") + "];");
    poison(s);
    return false;
  }
  const std::string &n = name(m.name);
  const std::string bytes = scratch_bytes(m);
  line(s.node, std::string(m.dtype->memory) + " *restrict " + n + " = " + h.scratch() + "(" + bytes + ");");
  {
    auto failure = w_.block("", "if (!", n, ") {");
    const std::string site = status("memory", s.node, s.node);
    w_.line(h.guard("fail"), "(&failed, htp_no_memory, ", site.substr(0, site.find(',')), ", ", bytes, ", 0);");
    if (allocated_) leave(s.node); // its condition may wait for what is left out here
  }
  auto inside = w_.block("}", "} else {");
  poison(s, "(uint64_t)" + bytes);
  if (allocated_) allocated_->push_back(n);
  block(body, Mode{}, rest);
  if (allocated_) allocated_->pop_back();
  w_.line("__builtin_free(", n, ");");
  return true;
}

// What is allocated of the heap: extents may be below 0, where there is nothing, and too large for an int.
std::string Printer::scratch_bytes(const Memory &m) {
  std::string bytes = "(int64_t)sizeof *" + name(m.name);
  for (const Node e : m.extents) bytes = "htp_size(" + index(e) + ", " + bytes + ")";
  return bytes;
}

void Printer::poison(const Statement &s, std::string bytes) {
  const auto found = poisons_.find(s.memory);
  if (found == poisons_.end()) return;
  std::string unless;
  for (const auto &[is, extent] : found->second.unless)
    unless += (unless.empty() ? "" : " || ") + index(is, 1) + " != " + index(extent, 1);
  if (bytes.empty()) { // of extents that the module says
    bytes = "sizeof *" + name(s.memory->name);
    for (const Node extent : s.memory->extents) bytes += " * " + index(extent, 2);
  }
  line(s.node, (unless.empty() ? "" : "if (" + unless + ") ") + "__builtin_memset(" + name(s.memory->name) + ", " +
                   std::to_string(poison_byte(*s.memory->dtype)) + ", " + bytes + ");");
}

void Printer::function(const Kernel &k) {
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
  if (fails_) w_.line("htp_failure failed = {0};");
  block(body_, Mode{});
  w_.line("return ", fails_ ? "htp_end(&failed)" : "0", ";");
}

std::string Printer::type_of(const Memory &m) {
  const std::string element(m.dtype->memory);
  if (m.scalar) return element + " ";
  return (m.direction == Direction::in ? "const " : "") + element + " *";
}

const Memory &Printer::memory(const std::string &parameter) const {
  for (const Memory &m : p.memories)
    if (m.name == parameter) return m;
  return p.memories.front();
}

void Printer::caller(const Kernel &k) {
  w_.line(
      "/* The same for a caller that holds the tensors' addresses and the extents in arrays, in the order above. */");
  std::optional<Writer::Block> f;
  f.emplace(w_.block("}", "int ", k.call, "(void *const *tensors, const int64_t *dims) {"));
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
  if (!k.traced.empty()) {
    f.reset();
    w_.blank();
    w_.line("/* The same, which tells what its processes waited for: at the signature's sites. */");
    f.emplace(w_.block("}", "int ", k.traced, "(void *const *tensors, const int64_t *dims, const ", h.channel("watch"),
                       " *watch) {"));
    w_.line("htp_watched = watch;");
    w_.line("const int failed = ", k.call, "(tensors, dims);");
    w_.line("htp_watched = NULL;");
    w_.line("return failed;");
  }
  if (k.why.empty()) return;
  f.reset();
  w_.blank();
  w_.line("/* Of the call that failed last on this thread: which of the signature's checks, and its ints. */");
  auto g = w_.block("}", "const htp_failure *", k.why, "(void) {");
  w_.line("return &htp_failed_last;");
}

Kernel print_kernel(const Context &c, const Constants &constants, Node root, const Program &program, Header &header) {
  return Printer(c, constants, root, program, header).run();
}

} // namespace htp::cpu::ready
