// The helper header: the sections of runtime/htp_cpu.h that a kernel uses, and the functions made from them.
#include "c.h"

#include <algorithm>
#include <stdexcept>

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

// The compiler's own name of a function of C's library.
std::string builtin_of(const Operation &o, const DType *dtype) {
  return "__builtin_" + std::string(o.c) + (dtype->bytes == 4 ? "f" : "");
}

// "S, T, whether it is signed" of a type.
std::string of_sign(const DType *dtype) {
  return suffix(dtype, 1) + ", " + std::string(dtype->c) + (dtype->kind == Class::integer ? ", 1" : ", 0");
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
       "HTP_VECTOR(" + s + ", htp_" + s + ", " + std::string(computed(dtype)->c) + ", " + elements_of(lanes, 1) + ")");
  make("width", "", "#define HTP_WIDEST " + std::to_string(most_));
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
  struct Row {
    std::string_view operation;
    Maker floats, others;
  };
  static constexpr Row rows[] = {
#define SCALAR(operation, form, floats, others, c) {#operation, &Header::floats, &Header::others},
#define ELEMENTWISE(intrinsic, ...) SCALAR(__VA_ARGS__)
#define HANDLER(intrinsic, target)
#include "operations.def"
  };
  dtype = computed(dtype);
  vector(dtype, lanes);
  const Row &row = *std::ranges::find(rows, operation, &Row::operation);
  (this->*(floating(dtype) ? row.floats : row.others))(*operation_named(operation), dtype, lanes);
  return "htp_" + operation + "_" + suffix(dtype, lanes);
}

// ── what operations.def names ───────────────────────────────────────────────────────────────────────────────────────

void Header::none(const Operation &o, const DType *dtype, unsigned) {
  throw std::logic_error("`" + std::string(o.name) + "` of " + std::string(dtype->name) + " has no function in C");
}

// `a < b ? a : b` and `a > b ? a : b`.
void Header::less(const DType *dtype, unsigned lanes) {
  bits(dtype, lanes);
  machine(dtype, lanes);
  make("less", suffix(dtype, lanes), "HTP_LESS(" + parameters(dtype, lanes) + ")");
}

// What a machine has an instruction for, of a vector of floats.
void Header::machine(const DType *dtype, unsigned lanes) {
  if (lanes < 2) return;
  vector(dtype, lanes);
  const bool whole = dtype->bytes * lanes == widest_vector;
  make("machine", suffix(dtype, lanes),
       std::string(whole ? "HTP_MACHINE_WHOLE(" : "HTP_MACHINE_HALF(") + suffix(dtype, lanes) + ", " +
           value_type(dtype, lanes) + (dtype->bytes == 4 ? ", ps)" : ", pd)"));
}

void Header::float_order(const Operation &, const DType *dtype, unsigned lanes) {
  less(dtype, lanes);
  make("order", suffix(dtype, lanes), "HTP_ORDER(" + parameters(dtype, lanes) + ")");
}
void Header::integer_order(const Operation &, const DType *dtype, unsigned lanes) {
  integers_of(dtype, lanes);
  make("integer_order", suffix(dtype, lanes), "HTP_INTEGER_ORDER(" + parameters(dtype, lanes) + ")");
}
void Header::integer_absolute(const Operation &, const DType *dtype, unsigned lanes) {
  integers_of(dtype, lanes);
  make("integer_absolute", suffix(dtype, lanes), "HTP_INTEGER_ABSOLUTE(" + parameters(dtype, lanes) + ")");
}

void Header::rank(const Operation &, const DType *dtype, unsigned lanes) {
  const std::string s = suffix(dtype, lanes);
  make("rank", s, "HTP_RANK(" + s + ", " + std::string(dtype->c) + ")");
}
void Header::integer_rank(const Operation &, const DType *dtype, unsigned lanes) {
  const std::string s = suffix(dtype, lanes);
  make("integer_rank", s, "HTP_INTEGER_RANK(" + s + ", " + std::string(dtype->c) + ")");
}

void Header::compare(const Operation &, const DType *dtype, unsigned lanes) {
  const std::string s = suffix(dtype, lanes);
  vector(boolean_dtype(), lanes);
  integers_of(dtype, lanes);
  make("compare", s,
       "HTP_COMPARE(" + s + ", " + value_type(dtype, lanes) + ", " + value_type(element_integer(dtype, false), lanes) +
           ", " + value_type(boolean_dtype(), lanes) + ")");
}
void Header::where(const Operation &, const DType *dtype, unsigned lanes) {
  const std::string s = suffix(dtype, lanes);
  bits(dtype, lanes);
  vector(boolean_dtype(), lanes);
  make("where", s,
       "HTP_WHERE(" + s + ", " + value_type(dtype, lanes) + ", " + value_type(element_integer(dtype, true), lanes) +
           ", " + value_type(boolean_dtype(), lanes) + ")");
}

void Header::builtin(const Operation &o, const DType *dtype, unsigned lanes) {
  const std::string s = suffix(dtype, lanes), element = lanes > 1 ? ", " + std::string(dtype->c) : "";
  machine(dtype, lanes);
  make(std::string(o.c), s,
       "HTP_" + upper(o.c) + (lanes > 1 ? "_N(" : "_1(") + s + ", " + value_type(dtype, lanes) + element + ", " +
           builtin_of(o, dtype) + ")");
}
void Header::reciprocal(const Operation &o, const DType *dtype, unsigned lanes) {
  builtin(o, dtype, lanes);
  make("rsqrt", suffix(dtype, lanes), "HTP_RSQRT(" + parameters(dtype, lanes) + ")");
}
void Header::library(const Operation &o, const DType *dtype, unsigned lanes) {
  const std::string operation(o.name), s = suffix(dtype, lanes);
  if (lanes > 1 && (o.c == "floor" || o.c == "ceil" || o.c == "trunc" || o.c == "rint")) {
    const std::string one = function(operation, dtype, 1), name = "htp_" + operation + "_" + s;
    machine(dtype, lanes);
    return make("whole", name,
                "HTP_WHOLE(" + name + ", " + std::string(o.c) + ", " + s + ", " + one + ", " +
                    value_type(dtype, lanes) + ", " + std::string(dtype->c) + ")");
  }
  if (lanes > 1) return by_lanes(operation, dtype, lanes, o.operands());
  make("libm", operation + s,
       "HTP_LIBM_" + std::to_string(o.operands()) + "(" + operation + ", " + s + ", " + std::string(dtype->c) + ", " +
           builtin_of(o, dtype) + ")");
}
// A polynomial of the helper header's own.
void Header::series(const Operation &o, const DType *dtype, unsigned lanes) {
  bits(dtype, lanes);
  if (o.name == "sigmoid" || (o.name == "tanh" && dtype->bytes == 8)) function("exp", dtype, lanes);
  less(dtype, lanes);
  make("mad", suffix(dtype, lanes), "HTP_MAD(" + parameters(dtype, lanes) + ")");
  if (dtype->bytes == 4 && o.name != "log")
    make("power", suffix(dtype, lanes), "HTP_POWER(" + parameters(dtype, lanes) + ")");
  const std::string section_name = std::string(o.name) + "_" + std::string(dtype->name);
  make(section_name, suffix(dtype, lanes), "HTP_" + upper(section_name) + "(" + parameters(dtype, lanes) + ")");
}

void Header::integers(const Operation &, const DType *dtype, unsigned lanes) {
  integers_of(dtype, lanes);
  make("integers", suffix(dtype, lanes), "HTP_INTEGERS(" + parameters(dtype, lanes) + ")");
}
void Header::integer_div(const Operation &o, const DType *dtype, unsigned lanes) {
  if (lanes > 1) return by_lanes("div", dtype, lanes, o.operands());
  make("integer_div", suffix(dtype, lanes),
       (dtype->kind == Class::integer ? "HTP_INTEGER_DIV_1(" : "HTP_NATURAL_DIV_1(") + parameters(dtype, lanes) + ")");
}
void Header::integer_rem(const Operation &o, const DType *dtype, unsigned lanes) {
  if (lanes > 1) return by_lanes("rem", dtype, lanes, o.operands());
  make("integer_rem", suffix(dtype, lanes), "HTP_INTEGER_REM(" + of_sign(dtype) + ")");
}
void Header::integer_mod(const Operation &o, const DType *dtype, unsigned lanes) {
  if (lanes > 1) return by_lanes("mod", dtype, lanes, o.operands());
  function("rem", dtype, 1);
  make("integer_floor", suffix(dtype, lanes), "HTP_INTEGER_FLOOR(" + of_sign(dtype) + ")");
}
void Header::integer_floordiv(const Operation &o, const DType *dtype, unsigned lanes) {
  if (lanes > 1) return by_lanes("floordiv", dtype, lanes, o.operands());
  function("rem", dtype, 1);
  function("div", dtype, 1);
  make("integer_floordiv", suffix(dtype, lanes), "HTP_INTEGER_FLOORDIV(" + of_sign(dtype) + ")");
}
void Header::shift(const Operation &o, const DType *dtype, unsigned lanes) {
  if (lanes > 1) return by_lanes(std::string(o.name), dtype, lanes, o.operands());
  make("shift", suffix(dtype, lanes),
       "HTP_SHIFT(" + suffix(dtype, lanes) + ", " + std::string(dtype->c) + ", " +
           (dtype->bytes == 8 ? "uint64_t" : "uint32_t") + ", " + std::to_string(dtype->bytes * 8) +
           (dtype->kind == Class::integer ? ", 1)" : ", 0)"));
}
void Header::bitwise(const Operation &, const DType *dtype, unsigned lanes) {
  integers_of(dtype, lanes);
  make("bitwise", suffix(dtype, lanes), "HTP_BITWISE(" + parameters(dtype, lanes) + ")");
}
void Header::bit_not(const Operation &, const DType *dtype, unsigned lanes) {
  integers_of(dtype, lanes);
  make("bit_not", suffix(dtype, lanes),
       "HTP_BIT_NOT(" + parameters(dtype, lanes) + (dtype->kind == Class::boolean ? ", 1)" : ", -1)"));
}

void Header::dot(const Operation &, const DType *dtype, unsigned lanes) {
  integers_of(dtype, lanes);
  const std::string halves = value_type(integer_of(Class::integer, 2), 2 * lanes);
  if (lanes > 1) vector(integer_of(Class::integer, 2), 2 * lanes);
  make("dot4", suffix(dtype, lanes),
       lanes > 1 ? "HTP_DOT4_N(" + suffix(dtype, lanes) + ", " + value_type(dtype, lanes) + ", " + halves + ", " +
                       value_type(element_integer(dtype, true), lanes) + ")"
                 : "HTP_DOT4_1");
}

std::string Header::word(unsigned lanes) {
  const DType *byte = dtype_named("i8"), *i32 = dtype_named("i32");
  vector(byte, lanes);
  integers_of(i32, lanes);
  const std::string s = suffix(i32, lanes);
  make("word", s,
       lanes == 1 ? "HTP_WORD_1"
                  : "HTP_WORD_N(" + s + ", " + value_type(byte, lanes) + ", " + value_type(i32, lanes) + ", " +
                        value_type(dtype_named("u32"), lanes) + ")");
  return "htp_word_" + s;
}

std::string Header::word_at() {
  make("word", "at", "HTP_WORD_AT");
  return "htp_word_at";
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

std::string Header::late(const DType *dtype, unsigned lanes) {
  vector(dtype, lanes);
  integers_of(dtype, lanes);
  make("late", suffix(dtype, lanes), "HTP_LATE(" + parameters(dtype, lanes) + ")");
  return "htp_late_" + suffix(dtype, lanes);
}

std::string Header::fold(const std::string &operation, const DType *dtype, unsigned lanes) {
  const DType *d = computed(dtype);
  const std::string s = suffix(d, lanes);
  vector(d, lanes);
  const std::string combine = !floating(d)         ? function(operation, d, lanes)
                              : operation == "add" ? "HTP_PLUS"
                              : operation == "mul" ? "HTP_TIMES"
                                                   : function(operation, d, lanes);
  integers_of(d, lanes);
  std::string text =
      "HTP_INLINE " + std::string(d->c) + " htp_fold_" + operation + "_" + s + "(" + value_type(d, lanes) + " v) {\n";
  for (unsigned bytes = widest_vector; bytes >= narrowest_vector; bytes /= 2) {
    text += bytes == widest_vector      ? "#if HTP_VECTOR_BYTES == " + std::to_string(bytes) + "\n"
            : bytes == narrowest_vector ? "#else\n"
                                        : "#elif HTP_VECTOR_BYTES == " + std::to_string(bytes) + "\n";
    const unsigned count = lanes * bytes / widest_vector;
    for (unsigned half = count / 2; half; half /= 2) {
      text += "  v = " + combine + "(v, HTP_SHUFFLE(v, " + value_type(element_integer(d, false), lanes);
      for (unsigned k = 0; k < count; ++k) text += ", " + std::to_string((k + half) % count);
      text += "));\n";
    }
  }
  text += "#endif\n";
  make("fold", operation + s, text + "  return v[0];\n}");
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

std::string Header::transpose(const DType *memory) {
  const DType *d = memory->narrow() ? memory_integer(memory) : memory;
  const std::string one = suffix(d, 1);
  make("transpose", one, "HTP_TRANSPOSE_1(" + one + ", " + std::string(d->memory) + ")");
  if (d->bytes < 4) return "htp_transpose_one_" + one;
  const unsigned lanes = widest_vector / d->bytes;
  vector(d, lanes);
  vector(element_integer(d, false), lanes);
  const std::string v = value_type(d, lanes), i = value_type(element_integer(d, false), lanes);
  // By turns of the lower halves of two vectors, or of the upper ones.
  std::string text;
  for (unsigned bytes = widest_vector; bytes >= narrowest_vector; bytes /= 2) {
    text += bytes == widest_vector      ? "#if HTP_VECTOR_BYTES == " + std::to_string(bytes) + "\n"
            : bytes == narrowest_vector ? "#else\n"
                                        : "#elif HTP_VECTOR_BYTES == " + std::to_string(bytes) + "\n";
    const unsigned n = bytes / d->bytes;
    for (const bool high : {false, true}) {
      text += "HTP_INLINE " + v + (high ? " htp_high_" : " htp_low_") + one + "(" + v + " a, " + v +
              " b) { return HTP_SHUFFLE_2(a, b, " + i;
      for (unsigned k = 0; k < n; ++k) text += ", " + std::to_string((high ? n / 2 : 0) + k / 2 + (k % 2 ? n : 0));
      text += "); }\n";
    }
  }
  make("transpose_blocks", one,
       text + "#endif\nHTP_TRANSPOSE_N(" + one + ", " + v + ", " + std::string(d->memory) + ")");
  return "htp_transpose_" + one;
}

std::string Header::unroll() {
  section("unroll");
  return "HTP_UNROLL";
}

std::string Header::rolled() {
  section("rolled");
  return "HTP_ROLLED";
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
