// The body of a core: what its words are in scf, arith and memref.
#include "emit.h"

#include <charconv>
#include <cmath>
#include <cstring>
#include <set>

namespace htp::aie {

namespace {

class CoreWriter {
public:
  CoreWriter(Writer &writer, const Context &context, const Program &program, int64_t column, int64_t row)
      : w_(writer), c(context), p(program), column_(column), row_(row) {}

  void write() {
    std::set<int64_t> numbers{0, 1};
    for (const Tile &t : p.tiles) numbers.insert(t.extents.begin(), t.extents.end());
    collect(p.body, numbers);
    for (const int64_t n : numbers) w_.line("%c", n, " = arith.constant ", n, " : index");
    w_.line("%forever = arith.constant 9223372036854775807 : index");
    auto calls = w_.block("}", "scf.for %call = %c0 to %forever step %c1 {");
    block(p.body);
  }

private:
  static void collect(const std::vector<Statement> &statements, std::set<int64_t> &numbers) {
    for (const Statement &s : statements)
      if (s.kind == Statement::Kind::loop) numbers.insert(s.times), collect(s.body, numbers);
  }
  std::string fresh() { return "%v" + std::to_string(next_++); }
  std::string value_of(const Tile &t) const { return t.stream ? "%" + t.name : "%" + buffer_of(t, column_, row_); }
  static std::string type_of(const Tile &t) { return memref(t.extents, *t.dtype); }

  void block(const std::vector<Statement> &statements) {
    for (const Statement &s : statements) statement(s);
  }
  void statement(const Statement &s) {
    switch (s.kind) {
    case Statement::Kind::loop: {
      auto loop = w_.block("}", "scf.for %step", next_++, " = %c0 to %c", s.times, " step %c1 {");
      block(s.body);
      break;
    }
    case Statement::Kind::buffer: break;
    case Statement::Kind::acquire: {
      const std::string type = type_of(*s.tile), view = fresh();
      w_.line(view, " = aie.objectfifo.acquire @", fifo_of(p, *s.stream, column_, row_), port(*s.stream),
              ", 1) : !aie.objectfifosubview<", type, ">");
      w_.line("%", s.tile->name, " = aie.objectfifo.subview.access ", view, "[0] : !aie.objectfifosubview<", type,
              "> -> ", type);
      break;
    }
    case Statement::Kind::release:
      w_.line("aie.objectfifo.release @", fifo_of(p, *s.stream, column_, row_), port(*s.stream), ", 1)");
      break;
    case Statement::Kind::word: word(s); break;
    }
  }
  static std::string port(const Stream &s) { return s.feeds ? " (Consume" : " (Produce"; }

  // ── elements ──

  void word(const Statement &s) {
    w_.line("// ", c.show(s.node));
    if (s.name.starts_with("reduce_"))
      reduce(s);
    else if (s.name == "matmul")
      multiply(s);
    else
      nest(s, 0, {});
  }

  void nest(const Statement &s, size_t dim, std::vector<std::string> index) {
    if (dim < s.tile->extents.size()) {
      index.push_back("%i" + std::to_string(next_++));
      auto loop = w_.block("}", "scf.for ", index.back(), " = %c0 to %c", s.tile->extents[dim], " step %c1 {");
      nest(s, dim + 1, index);
      return;
    }
    const DType &d = *s.tile->dtype;
    std::vector<std::string> operands;
    for (const Operand &o : s.operands)
      operands.push_back(o.tile ? load(*o.tile, at(*o.tile, *s.tile, index)) : constant(o.number, d));
    const std::string result =
        s.name == "cast" ? cast(operands[0], *s.operands[0].tile->dtype, d) : compute(s.name, operands, d);
    w_.line("memref.store ", result, ", ", value_of(*s.tile), "[", list(index), "] : ", type_of(*s.tile));
  }
  static std::string list(const std::vector<std::string> &index) {
    return join(index, ", ", [](const std::string &i) { return i; });
  }
  std::string load(const Tile &t, const std::vector<std::string> &index) {
    const std::string v = fresh();
    w_.line(v, " = memref.load ", value_of(t), "[", list(index), "] : ", type_of(t));
    return v;
  }
  // Where an operand's element lies: extents of 1 count for every index; where only extents of 1 come and go, in order.
  static std::vector<std::string> at(const Tile &from, const Tile &to, const std::vector<std::string> &index) {
    std::vector<std::string> found(from.extents.size(), "%c0");
    bool spreads = from.extents.size() <= to.extents.size();
    for (size_t k = 0; spreads && k < from.extents.size(); ++k) {
      const size_t f = from.extents.size() - 1 - k, t = to.extents.size() - 1 - k;
      if (from.extents[f] == 1) continue;
      spreads = from.extents[f] == to.extents[t];
      found[f] = index[t];
    }
    if (spreads) return found;
    found.assign(from.extents.size(), "%c0");
    for (size_t f = 0, t = 0; f < from.extents.size(); ++f) {
      if (from.extents[f] == 1) continue;
      while (to.extents[t] == 1) ++t;
      found[f] = index[t++];
    }
    return found;
  }

  std::string constant(double value, const DType &d) {
    std::string text;
    if (d.real && std::isfinite(value)) {
      char buffer[64];
      text.assign(
          buffer,
          std::to_chars(buffer, buffer + sizeof buffer, static_cast<float>(value), std::chars_format::scientific).ptr);
      if (text.find('.') == std::string::npos) text.insert(text.find('e'), ".0");
    } else if (d.real) {
      text = value > 0 ? "0x7F800000" : value < 0 ? "0xFF800000" : "0x7FC00000";
    } else {
      text = std::to_string(static_cast<int64_t>(value));
    }
    const std::string v = fresh();
    w_.line(v, " = arith.constant ", text, " : ", d.text);
    return v;
  }
  std::string op(std::string_view name, const std::vector<std::string> &operands, std::string_view type) {
    const std::string v = fresh();
    w_.line(v, " = ", name, " ", list(operands), " : ", type);
    return v;
  }
  std::string call(std::string_view function, const std::vector<std::string> &operands) {
    const std::string v = fresh();
    w_.line(v, " = func.call @htp_", function, "(", list(operands), ") : (",
            join(operands, ", ", [](const std::string &) { return std::string("f32"); }), ") -> f32");
    return v;
  }
  std::string cast(const std::string &x, const DType &from, const DType &to) {
    if (&from == &to) return x;
    const std::string_view name = from.real               ? "arith.fptosi"
                                  : to.real               ? "arith.sitofp"
                                  : from.bytes < to.bytes ? "arith.extsi"
                                                          : "arith.trunci";
    const std::string v = fresh();
    w_.line(v, " = ", name, " ", x, " : ", from.text, " to ", to.text);
    return v;
  }
  std::string compute(std::string_view name, const std::vector<std::string> &o, const DType &d) {
    const auto arith = [&](std::string_view real, std::string_view integer) {
      return op(d.real ? real : integer, o, d.text);
    };
    if (name == "fill" || name == "copy") return o[0];
    if (name == "add") return arith("arith.addf", "arith.addi");
    if (name == "sub") return arith("arith.subf", "arith.subi");
    if (name == "mul") return arith("arith.mulf", "arith.muli");
    if (name == "div") return op("arith.divf", o, d.text);
    if (name == "maximum" || name == "minimum") {
      const bool most = name == "maximum";
      return d.real ? call(name, o) : op(most ? "arith.maxsi" : "arith.minsi", o, d.text);
    }
    if (name == "neg") return d.real ? op("arith.negf", o, d.text) : op("arith.subi", {constant(0, d), o[0]}, d.text);
    if (name == "absolute" && !d.real)
      return op("arith.maxsi", {o[0], op("arith.subi", {constant(0, d), o[0]}, d.text)}, d.text);
    return call(name, o);
  }

  // ── along an axis ──

  void reduce(const Statement &s) {
    const Tile &from = *s.operands[0].tile;
    const auto axis = static_cast<size_t>(s.axis);
    const std::string_view how = std::string_view(s.name).substr(7);
    const DType &d = *s.tile->dtype;
    reduce(s, from, axis, how == "sum" ? "add" : how == "max" ? "maximum" : "minimum", start(how, d), 0, {});
  }
  static double start(std::string_view how, const DType &d) {
    if (how == "sum") return 0;
    const double most = d.real ? HUGE_VAL : std::ldexp(1, static_cast<int>(8 * d.bytes - 1));
    return how == "max" ? -most : d.real ? most : most - 1;
  }
  void reduce(const Statement &s, const Tile &from, size_t axis, std::string_view with, double first, size_t dim,
              std::vector<std::string> index) {
    if (dim < from.extents.size()) {
      if (dim == axis) {
        index.push_back("%c0");
        reduce(s, from, axis, with, first, dim + 1, index);
        return;
      }
      index.push_back("%i" + std::to_string(next_++));
      auto loop = w_.block("}", "scf.for ", index.back(), " = %c0 to %c", from.extents[dim], " step %c1 {");
      reduce(s, from, axis, with, first, dim + 1, index);
      return;
    }
    const DType &d = *s.tile->dtype;
    const std::string begin = constant(first, d), total = fresh(), so_far = fresh();
    std::vector<std::string> inside = index;
    inside[axis] = "%i" + std::to_string(next_++);
    {
      auto loop = w_.block("}", total, " = scf.for ", inside[axis], " = %c0 to %c", from.extents[axis],
                           " step %c1 iter_args(", so_far, " = ", begin, ") -> (", d.text, ") {");
      const std::string sum = compute(with, {so_far, load(from, inside)}, d);
      w_.line("scf.yield ", sum, " : ", d.text);
    }
    w_.line("memref.store ", total, ", ", value_of(*s.tile), "[", list(index), "] : ", type_of(*s.tile));
  }

  // target += a b
  void multiply(const Statement &s) {
    const Tile &a = *s.operands[0].tile, &b = *s.operands[1].tile;
    const DType &d = *s.tile->dtype;
    const std::string i = "%i" + std::to_string(next_++), j = "%i" + std::to_string(next_++),
                      k = "%i" + std::to_string(next_++);
    auto rows = w_.block("}", "scf.for ", i, " = %c0 to %c", s.tile->extents[0], " step %c1 {");
    auto columns = w_.block("}", "scf.for ", j, " = %c0 to %c", s.tile->extents[1], " step %c1 {");
    const std::string before = load(*s.tile, {i, j}), total = fresh(), so_far = fresh();
    {
      auto along = w_.block("}", total, " = scf.for ", k, " = %c0 to %c", a.extents[1], " step %c1 iter_args(", so_far,
                            " = ", before, ") -> (", d.text, ") {");
      const std::string x = cast(load(a, {i, k}), *a.dtype, d), y = cast(load(b, {k, j}), *b.dtype, d);
      w_.line("scf.yield ", compute("add", {so_far, compute("mul", {x, y}, d)}, d), " : ", d.text);
    }
    w_.line("memref.store ", total, ", ", value_of(*s.tile), "[", i, ", ", j, "] : ", type_of(*s.tile));
  }

  Writer &w_;
  const Context &c;
  const Program &p;
  int64_t column_, row_;
  unsigned next_ = 0;
};

} // namespace

void write_core(Writer &w, const Context &c, const Program &p, int64_t column, int64_t row) {
  CoreWriter(w, c, p, column, row).write();
}

std::string memref(const std::vector<int64_t> &extents, const DType &dtype) {
  return "memref<" + join(extents, "", [](int64_t n) { return std::to_string(n) + "x"; }) + std::string(dtype.text) +
         ">";
}

} // namespace htp::aie
