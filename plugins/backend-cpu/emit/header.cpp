// The helper header: the sections of runtime/htp_cpu.h that a kernel uses, and the functions made from them.
#include "c.h"

namespace htp::cpu::ready {

namespace {

constexpr std::string_view runtime =
#include "htp_cpu_text.inc"
    ;

struct Section {
  std::string name, text;
  std::vector<std::string> needs;
};

// `//@ NAME : NAME NAME`, and the text up to the next.
std::vector<Section> split() {
  std::vector<Section> sections;
  size_t at = runtime.find("//@ ");
  while (at != std::string_view::npos) {
    const size_t end = runtime.find('\n', at), next = runtime.find("//@ ", end);
    const std::string_view head = runtime.substr(at + 4, end - at - 4);
    const size_t colon = head.find(" :");
    Section s;
    s.name = std::string(head.substr(0, colon));
    for (size_t from = colon + 2; from < head.size();) {
      size_t stop = head.find(' ', from + 1);
      if (stop == std::string_view::npos) stop = head.size();
      s.needs.emplace_back(head.substr(from + 1, stop - from - 1));
      from = stop;
    }
    std::string_view body = runtime.substr(end + 1, next == std::string_view::npos ? next : next - end - 1);
    while (body.size() > 1 && body[body.size() - 1] == '\n' && body[body.size() - 2] == '\n') body.remove_suffix(1);
    s.text = std::string(body);
    sections.push_back(std::move(s));
    at = next;
  }
  return sections;
}

const DType *element_integer(const DType *dtype, bool natural) {
  const unsigned bytes = computed(dtype)->bytes;
  switch (bytes) {
  case 1: return dtype_named(natural ? "u8" : "i8");
  case 2: return dtype_named(natural ? "u16" : "i16");
  case 4: return dtype_named(natural ? "u32" : "i32");
  default: return dtype_named(natural ? "u64" : "i64");
  }
}

bool floating(const DType *d) { return d->kind == Class::floating; }

// The C library's function of an operation; empty for others.
std::string_view libm(std::string_view operation) {
  if (operation == "sin" || operation == "cos" || operation == "erf" || operation == "floor" || operation == "ceil" ||
      operation == "trunc")
    return operation;
  return operation == "round" ? "rint" : "";
}

std::string upper(std::string_view text_of) {
  std::string text;
  for (const char ch : text_of) text += ch >= 'a' && ch <= 'z' ? static_cast<char>(ch - 'a' + 'A') : ch;
  return text;
}

} // namespace

void Header::section(const std::string &name) { made_.try_emplace(name); }

void Header::make(const std::string &section_name, const std::string &key, const std::string &line) {
  Made &m = made_[section_name];
  if (m.keys.insert(key).second) m.lines.push_back(line);
}

void Header::vector(const DType *dtype, unsigned lanes) {
  if (lanes < 2) return;
  const std::string s = suffix(dtype, lanes);
  make("vector", s,
       "HTP_VECTOR(" + s + ", htp_" + s + ", " + std::string(computed(dtype)->c) + ", " +
           std::to_string(computed(dtype)->bytes * lanes) + ")");
}

void Header::integers_of(const DType *dtype, unsigned lanes) {
  vector(element_integer(dtype, false), lanes);
  vector(element_integer(dtype, true), lanes);
}

std::string Header::parameters(const DType *dtype, unsigned lanes) const {
  const DType *i = element_integer(dtype, false), *u = element_integer(dtype, true);
  std::string unsigned_type = lanes > 1 ? value_type(u, lanes) : std::string(u->c);
  // One element of a small integer is computed at least as wide as int, where it must not overflow.
  if (lanes == 1 && !floating(dtype) && dtype->bytes < 4) unsigned_type = "uint32_t";
  return suffix(dtype, lanes) + ", " + value_type(dtype, lanes) + ", " + std::string(dtype->c) + ", " +
         value_type(i, lanes) + ", " + unsigned_type + ", " + (lanes > 1 ? "N" : "1");
}

void Header::bits(const DType *dtype, unsigned lanes) {
  vector(dtype, lanes);
  integers_of(dtype, lanes);
  make("bits", suffix(dtype, lanes), "HTP_BITS(" + parameters(dtype, lanes) + ")");
}

void Header::by_lanes(const std::string &operation, const DType *dtype, unsigned lanes, unsigned operands) {
  const std::string one = function(operation, dtype, 1);
  vector(dtype, lanes);
  const std::string name = "htp_" + operation + "_" + suffix(dtype, lanes);
  make("lanes", name,
       "HTP_LANES_" + std::to_string(operands) + "(" + name + ", " + one + ", " + value_type(dtype, lanes) + ", " +
           std::string(dtype->c) + ")");
}

std::string Header::function(const std::string &operation, const DType *dtype, unsigned lanes) {
  dtype = computed(dtype);
  const std::string s = suffix(dtype, lanes), name = "htp_" + operation + "_" + s;
  vector(dtype, lanes);
  const bool order = operation == "minimum" || operation == "maximum" || operation == "absolute";
  const bool comparison = operation == "lt" || operation == "le" || operation == "gt" || operation == "ge" ||
                          operation == "eq" || operation == "ne";
  if (order && floating(dtype)) {
    bits(dtype, lanes);
    make("order", s, "HTP_ORDER(" + parameters(dtype, lanes) + ")");
  } else if (order) {
    integers_of(dtype, lanes);
    if (operation == "absolute")
      make("integer_absolute", s, "HTP_INTEGER_ABSOLUTE(" + parameters(dtype, lanes) + ")");
    else
      make("integer_order", s, "HTP_INTEGER_ORDER(" + parameters(dtype, lanes) + ")");
  } else if (operation == "above" || operation == "below") {
    if (!floating(dtype))
      make("integer_rank", s, "HTP_INTEGER_RANK(" + s + ", " + std::string(dtype->c) + ")");
    else
      make("rank", s, "HTP_RANK(" + s + ", " + std::string(dtype->c) + ")");
  } else if (comparison) {
    const DType *b = boolean_dtype();
    vector(b, lanes);
    integers_of(dtype, lanes);
    make("compare", s,
         "HTP_COMPARE(" + s + ", " + value_type(dtype, lanes) + ", " +
             value_type(element_integer(dtype, false), lanes) + ", " + value_type(b, lanes) + ")");
  } else if (operation == "where") {
    bits(dtype, lanes);
    vector(boolean_dtype(), lanes);
    make("where", s,
         "HTP_WHERE(" + s + ", " + value_type(dtype, lanes) + ", " + value_type(element_integer(dtype, true), lanes) +
             ", " + value_type(boolean_dtype(), lanes) + ")");
  } else if (operation == "fma" || operation == "sqrt" || operation == "rsqrt") {
    const std::string tail = dtype->bytes == 4 ? "f" : "", what = operation == "fma" ? "fma" : "sqrt";
    const std::string element = lanes > 1 ? ", " + std::string(dtype->c) : "";
    make(what, s,
         "HTP_" + upper(what) + (lanes > 1 ? "_N(" : "_1(") + s + ", " + value_type(dtype, lanes) + element +
             ", __builtin_" + what + tail + ")");
    if (operation == "rsqrt") make("rsqrt", s, "HTP_RSQRT(" + parameters(dtype, lanes) + ")");
  } else if (const std::string_view builtin = floating(dtype) ? libm(operation) : ""; !builtin.empty()) {
    if (lanes == 1)
      make("libm", operation + s,
           "HTP_LIBM(" + operation + ", " + s + ", " + std::string(dtype->c) + ", __builtin_" + std::string(builtin) +
               (dtype->bytes == 4 ? "f" : "") + ")");
    else
      by_lanes(operation, dtype, lanes, 1);
  } else if (operation == "pow") {
    if (lanes == 1)
      make("pow", s,
           "HTP_POW(" + s + ", " + std::string(dtype->c) + ", __builtin_pow" + (dtype->bytes == 4 ? "f)" : ")"));
    else
      by_lanes(operation, dtype, lanes, 2);
  } else if (floating(dtype)) { // exp, log, tanh, sigmoid
    bits(dtype, lanes);
    if (operation == "tanh" || operation == "sigmoid") function("exp", dtype, lanes);
    const std::string where = operation + "_" + std::string(dtype->name);
    make(where, s, "HTP_" + upper(where) + "(" + parameters(dtype, lanes) + ")");
  } else if (operation == "div") {
    if (lanes > 1)
      by_lanes(operation, dtype, lanes, 2);
    else
      make("integer_div", s,
           (dtype->kind == Class::integer ? "HTP_INTEGER_DIV_1(" : "HTP_NATURAL_DIV_1(") + parameters(dtype, lanes) +
               ")");
  } else if (operation == "rem" || operation == "mod" || operation == "floordiv" || operation == "shl" ||
             operation == "shr") {
    const std::string t(dtype->c), whether = dtype->kind == Class::integer ? ", 1)" : ", 0)";
    if (lanes > 1)
      by_lanes(operation, dtype, lanes, 2);
    else if (operation == "rem")
      make("integer_rem", s, "HTP_INTEGER_REM(" + s + ", " + t + whether);
    else if (operation == "mod")
      function("rem", dtype, 1), make("integer_floor", s, "HTP_INTEGER_FLOOR(" + s + ", " + t + whether);
    else if (operation == "floordiv")
      function("rem", dtype, 1), function("div", dtype, 1),
          make("integer_floordiv", s, "HTP_INTEGER_FLOORDIV(" + s + ", " + t + whether);
    else
      make("shift", s,
           "HTP_SHIFT(" + s + ", " + t + ", " + (dtype->bytes == 8 ? "uint64_t" : "uint32_t") + ", " +
               std::to_string(dtype->bytes * 8) + whether);
  } else if (operation == "bit_not") {
    integers_of(dtype, lanes);
    make("bit_not", s, "HTP_BIT_NOT(" + parameters(dtype, lanes) + (dtype->kind == Class::boolean ? ", 1)" : ", -1)"));
  } else if (operation.starts_with("bit_")) {
    integers_of(dtype, lanes);
    make("bitwise", s, "HTP_BITWISE(" + parameters(dtype, lanes) + ")");
  } else { // add, sub, mul, neg of integers
    integers_of(dtype, lanes);
    make("integers", s, "HTP_INTEGERS(" + parameters(dtype, lanes) + ")");
  }
  return name;
}

// Of a narrow float: what lies in memory, its conversions to and from f32.
void Header::memory_vector(const DType *dtype, unsigned lanes) {
  const DType *f32 = computed(dtype), *memory = memory_integer(dtype), *u32 = dtype_named("u32");
  bits(f32, lanes);
  vector(memory, lanes);
  const std::string s = suffix(dtype, lanes);
  make(std::string(dtype->name), s,
       "HTP_" + upper(dtype->name) + "(" + s + ", " + value_type(f32, lanes) + ", " + value_type(memory, lanes) + ", " +
           suffix(f32, lanes) + ", " + value_type(u32, lanes) + ", " + (lanes > 1 ? "N" : "1") + ")");
}

std::string Header::load(const DType *memory, unsigned lanes) {
  if (memory->narrow()) {
    memory_vector(memory, lanes);
    return "htp_from_" + suffix(memory, lanes);
  }
  vector(memory, lanes);
  return "htp_load_" + suffix(memory, lanes);
}

std::string Header::store(const DType *memory, unsigned lanes) {
  if (memory->narrow()) {
    memory_vector(memory, lanes);
    return "htp_to_" + suffix(memory, lanes);
  }
  vector(memory, lanes);
  return "htp_store_" + suffix(memory, lanes);
}

std::string Header::splat(const DType *dtype, unsigned lanes) {
  vector(computed(dtype), lanes);
  return "htp_splat_" + suffix(computed(dtype), lanes);
}

std::string Header::count(const DType *dtype, unsigned lanes) {
  vector(dtype, lanes);
  const std::string s = suffix(dtype, lanes);
  make("count", s, "HTP_COUNT(" + s + ", " + value_type(dtype, lanes) + ", " + std::string(dtype->c) + ")");
  return "htp_count_" + s;
}

std::string Header::round(const DType *narrow, unsigned lanes) {
  memory_vector(narrow, lanes);
  return "htp_round_" + suffix(narrow, lanes);
}

std::string Header::fold(const std::string &operation, const DType *dtype, unsigned lanes) {
  const DType *d = computed(dtype);
  const std::string s = suffix(d, lanes);
  vector(d, lanes);
  const std::string op = !floating(d)         ? function(operation, d, 1)
                         : operation == "add" ? "HTP_PLUS"
                         : operation == "mul" ? "HTP_TIMES"
                                              : function(operation, d, 1);
  make("fold", operation + s,
       "HTP_FOLD(" + operation + ", " + s + ", " + value_type(d, lanes) + ", " + std::string(d->c) + ", " + op + ")");
  return "htp_fold_" + operation + "_" + s;
}

std::string Header::cast(const DType *from, const DType *to, unsigned lanes) {
  const DType *f = computed(from);
  const std::string name = "htp_" + suffix(f, lanes) + "_to_" + suffix(to, lanes);
  if (lanes > 1) {
    vector(f, lanes);
    vector(to, lanes);
    const std::string one = cast(from, to, 1);
    make("to_integer", name,
         "HTP_TO_INTEGER_N(" + name + ", " + value_type(f, lanes) + ", " + value_type(to, lanes) + ", " +
             std::string(to->c) + ", " + one + ")");
    return name;
  }
  const unsigned width = to->bytes * 8;
  const bool natural = to->kind == Class::natural;
  const std::string tail = f->bytes == 4 ? "f" : "";
  const std::string high = "0x1p" + std::to_string(natural ? width : width - 1) + tail;
  const std::string low = natural ? "0" : "-0x1p" + std::to_string(width - 1) + tail;
  const std::string most = (natural ? "UINT" : "INT") + std::to_string(width) + "_MAX";
  make("to_integer", name,
       "HTP_TO_INTEGER_1(" + name + ", " + std::string(f->c) + ", " + std::string(to->c) + ", " + low + ", " + high +
           ", " + most + ")");
  return name;
}

std::string Header::directed(const DType *from, const DType *to, std::string_view rounding) {
  const DType *f = computed(from);
  const std::string name = "htp_" + std::string(rounding) + "_" + std::string(f->name) + "_to_" + std::string(to->name);
  bits(dtype_named("f32"), 1);
  std::string nearest = "(float)x", bits = "uint32_t", to_bits = "htp_bits_f32", from_bits = "htp_value_f32";
  if (to->narrow()) {
    nearest = round(to, 1) + "(" + (f->bytes == 8 ? odd() + "(x)" : "x") + ")";
    bits = memory_integer(to)->c;
    to_bits = store(to, 1);
    from_bits = load(to, 1);
  }
  make("directed", name,
       "HTP_DIRECTED(" + name + ", " + std::string(f->c) + ", " + nearest + ", " + bits + ", " + to_bits + ", " +
           from_bits + ", " +
           (rounding == "down" ? "-1"
            : rounding == "up" ? "1"
                               : "0") +
           ")");
  return name;
}

std::string Header::odd() {
  bits(dtype_named("f32"), 1);
  section("odd");
  return "htp_odd";
}

std::string Header::index(const std::string &operation) {
  section("index");
  return "htp_" + operation;
}

std::string Header::guard(const std::string &operation) {
  section("guard");
  return "htp_" + operation;
}

std::string Header::guarded_index(const std::string &operation) {
  section("guarded_index");
  return "htp_guarded_" + operation;
}

std::string Header::checked(const std::string &operation) {
  section("checked");
  return "htp_checked_" + operation;
}

std::string Header::next() {
  section("checked");
  return "htp_next";
}

std::string Header::scratch() {
  section("scratch");
  return "htp_scratch";
}

std::string Header::channel(const std::string &operation) {
  section("guard");
  section("channel");
  return "htp_" + operation;
}

std::string Header::order(const DType *memory, bool descending) {
  section("order_line");
  section("scratch");
  const std::string above = function("above", memory, 1), load = memory->narrow() ? this->load(memory, 1) : "",
                    s = suffix(memory, 1) + (descending ? "_down" : "_up");
  make("order_line", s,
       "HTP_ORDER_LINE(" + s + ", " + std::string(memory->memory) + ", " + load + ", " + above + ", " +
           (descending ? "1" : "0") + ")");
  return "htp_order_" + s;
}

std::string Header::unroll() {
  section("unroll");
  return "HTP_UNROLL";
}

std::string Header::unroll_some() {
  section("unroll_some");
  return "HTP_UNROLL_SOME";
}

std::string Header::ahead() {
  section("ahead");
  return "HTP_AHEAD";
}

std::string Header::text() const {
  const std::vector<Section> sections = split();
  std::set<std::string> used{"base", "end"};
  for (const auto &[name, made] : made_) used.insert(name);
  for (auto s = sections.rbegin(); s != sections.rend(); ++s) // what a section needs stands before it
    if (used.contains(s->name)) used.insert(s->needs.begin(), s->needs.end());
  std::string text =
      "/* htp_cpu.h: what kernel.c is made of. The parameters of the macros: S the suffix, V the type of a value, T of "
      "one\n"
      " * element, I and U the signed and unsigned integers of its width, K 1 for one element and N for a vector. */\n";
  for (const Section &s : sections) {
    if (!used.contains(s.name)) continue;
    text += s.text;
    if (const auto it = made_.find(s.name); it != made_.end())
      for (const std::string &line : it->second.lines) text += line + "\n";
    if (s.name != "end") text += "\n";
  }
  return text;
}

} // namespace htp::cpu::ready
