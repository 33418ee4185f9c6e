// The emitter: a kernel as C for people, with a loop for each loop, and for each call a nest of loops over its target's
// elements; and beside it what the binding must know.
#include "htp_cpp/writer.h"
#include "my_plugin.h"
#include "prelude.h"

#include <algorithm>

namespace htp_my_plugin {
namespace {

// Names of Python's are no keywords of C behind a letter that says what they are: an int, a block's length, a tile, a
// tensor.
std::string in_c(const IntExpr &e);
std::string symbol(const std::string &name) {
  if (name.starts_with("len(")) return "n_" + name.substr(4, name.size() - 5);
  return "v_" + name.substr(0, name.find('.'));
}
std::string in_c(const IntAtom &atom) {
  const auto pair = [&](std::string_view function) {
    std::string text = in_c(atom.of[0]);
    for (size_t k = 1; k < atom.of.size(); ++k)
      text = std::string(function) + "(" + text + ", " + in_c(atom.of[k]) + ")";
    return text;
  };
  const auto by = [&](std::string_view function) {
    return std::string(function) + "(" + in_c(atom.of[0]) + ", " + std::to_string(atom.by) + ")";
  };
  switch (atom.kind) {
  case IntAtom::Kind::quotient: return by("quotient");
  case IntAtom::Kind::remainder: return by("remainder_of");
  case IntAtom::Kind::least: return pair("least");
  case IntAtom::Kind::most: return pair("most");
  default: return symbol(atom.text);
  }
}
std::string in_c(const IntExpr &e) {
  std::string text;
  for (const auto &[product, number] : e.terms()) {
    std::string term = number == 1 && !product.empty() ? "" : std::to_string(number);
    for (const IntFactor &factor : product) term += (term.empty() ? "" : " * ") + in_c(*factor);
    text += (text.empty() ? "" : " + ") + term;
  }
  return text.empty() ? "0" : e.terms().size() > 1 ? "(" + text + ")" : text;
}

std::string in_c(const Number &n) {
  if (!n.real) return std::to_string(n.i);
  if (std::isinf(n.f)) return n.f < 0 ? "-INFINITY" : "INFINITY";
  char text[40];
  return std::string(text, std::to_chars(text, text + sizeof text, n.f, std::chars_format::scientific).ptr);
}

std::string with_dtype(std::string_view text, std::string_view dtype) {
  std::string result;
  for (const char letter : text) result += letter == '$' ? std::string(dtype) : std::string(1, letter);
  return result;
}
// A text with operands for the letters that stand alone.
std::string with_operands(const std::string &text, std::string_view letters, const std::vector<std::string> &operands) {
  std::string result;
  const auto letter_at = [&](size_t k) { return k < text.size() && (isalpha(text[k]) || text[k] == '_'); };
  for (size_t k = 0; k < text.size(); ++k) {
    const size_t operand = letters.find(text[k]);
    const bool alone = !(k && letter_at(k - 1)) && !letter_at(k + 1);
    result += alone && operand < operands.size() ? operands[operand] : std::string(1, text[k]);
  }
  return result;
}

std::string loop_variable(size_t d) { return "p" + std::to_string(d); }
std::string c_type(const Type &type) { return std::string(dtype_named(type.dtype)->c); }

// Where an element lies, row by row: `at` has its index in each dimension, empty for 0.
std::string row_major(const std::vector<std::string> &at, const std::vector<IntExpr> &extents) {
  std::string offset;
  for (size_t d = 0; d < at.size(); ++d) {
    if (!offset.empty() && extents[d].constant() != 1)
      offset = (offset.find(' ') == std::string::npos ? offset : "(" + offset + ")") + " * " + in_c(extents[d]);
    if (!at[d].empty()) offset += (offset.empty() ? "" : " + ") + at[d];
  }
  return offset.empty() ? "0" : offset;
}
std::string element(const TileValue &tile, const std::vector<std::string> &at) {
  return "t_" + tile.name + "[" + row_major(at, tile.extents) + "]";
}

class Printer {
public:
  Printer(const Context &context, const Kernel &kernel) : c(context), k_(kernel) {}

  std::string run() {
    const auto function = w_.block("}", "int64_t kernel(void *const *tensors, const int64_t *dims) {");
    for (size_t t = 0; t < k_.program.tensors.size(); ++t) {
      const TileTensor &tensor = k_.program.tensors[t];
      const bool reads = tensor.direction == "In" || tensor.direction.empty();
      w_.line(reads ? "const " : "", c_type(tensor.type), " *const x_", tensor.name, " = tensors[", t, "];");
    }
    dims();
    int64_t bytes = 1;
    for (const auto &[tile, own] : k_.allocations) bytes = std::max(bytes, own.offset + own.bytes);
    w_.line("_Alignas(", scratchpad(c).alignment, ") unsigned char pad[", bytes, "];");
    for (const TileValue &v : k_.program.values)
      w_.line(c_type(v.type), " *const t_", v.name, " = (", c_type(v.type), " *)(pad + ", k_.allocations.at(&v).offset,
              ");");
    std::vector<std::string> ints;
    k_.program.each([&](const TileStatement &s) {
      if (s.is(TileStatement::Kind::integer) && std::ranges::find(ints, s.name) == ints.end()) ints.push_back(s.name);
    });
    for (const std::string &name : ints) w_.line("int64_t ", symbol(name), " = 0;");
    w_.blank();
    block(k_.program.body);
    w_.line("return 0;");
    return prelude + w_.text() + "}\n";
  }

private:
  void dims() {
    for (size_t d = 0; d < k_.program.dims.size(); ++d)
      w_.line("const int64_t ", symbol(k_.program.dims[d]), " = dims[", d, "];");
  }
  std::string cited(Node n) const { return " // program.py:" + std::to_string(c.record(n).line); }

  void block(const std::vector<TileStatement> &statements) {
    for (const TileStatement &s : statements) statement(s);
  }
  void statement(const TileStatement &s) {
    if (s.is(TileStatement::Kind::integer)) {
      w_.line(symbol(s.name), " = ", in_c(s.value), ";", cited(s.node));
    } else if (s.is(TileStatement::Kind::branch)) {
      {
        const auto then = w_.block(s.otherwise.empty() ? "}" : "", "if (", test(s.test), ") {", cited(s.node));
        block(s.body);
      }
      if (s.otherwise.empty()) return;
      const auto otherwise = w_.block("}", "} else {");
      block(s.otherwise);
    } else if (s.is(TileStatement::Kind::loop)) {
      const std::string v = symbol(s.loop.name), stop = "stop_" + s.loop.name;
      const bool down = *s.loop.step.constant() < 0;
      const auto loop =
          w_.block("}", "for (int64_t ", v, " = ", in_c(s.loop.start), ", ", stop, " = ", in_c(s.loop.stop), "; ", v,
                   down ? " > " : " < ", stop, "; ", v, " += ", in_c(s.loop.step), ") {", cited(s.node));
      if (s.loop.blocks)
        w_.line("const int64_t ", symbol(length_of(s.loop.name)), " = least(", in_c(s.loop.step), ", ", stop, " - ", v,
                ");");
      block(s.body);
    } else {
      call(s);
    }
  }
  static std::string test(const TileTest &t) {
    if (t.kind == TileTest::Kind::negation) return "!(" + test(t.of[0]) + ")";
    if (t.kind != TileTest::Kind::compare)
      return join(t.of, t.kind == TileTest::Kind::all ? " && " : " || ",
                  [](const TileTest &n) { return "(" + test(n) + ")"; });
    const std::string_view op = t.op == HTP_Eq      ? " == "
                                : t.op == HTP_NotEq ? " != "
                                : t.op == HTP_Lt    ? " < "
                                : t.op == HTP_LtE   ? " <= "
                                : t.op == HTP_Gt    ? " > "
                                                    : " >= ";
    return in_c(t.left) + std::string(op) + in_c(t.right);
  }

  // ── calls ──

  // Loops over some dimensions, then the innermost line.
  void over(const std::vector<IntExpr> &extents, const std::vector<size_t> &order, const std::string &line, Node cite) {
    std::vector<Writer::Block> loops;
    for (const size_t d : order)
      if (extents[d].constant() != 1) {
        const std::string p = loop_variable(d);
        loops.push_back(w_.block("", "for (int64_t ", p, " = 0; ", p, " < ", in_c(extents[d]), "; ++", p, ")",
                                 loops.empty() ? cited(cite) : ""));
      }
    w_.line(line, loops.empty() ? cited(cite) : "");
    while (!loops.empty()) loops.pop_back();
  }
  void over(const std::vector<IntExpr> &extents, const std::string &line, Node cite) {
    std::vector<size_t> order(extents.size());
    for (size_t d = 0; d < order.size(); ++d) order[d] = d;
    over(extents, order, line, cite);
  }
  static std::vector<std::string> every(const std::vector<IntExpr> &extents) {
    std::vector<std::string> at;
    for (size_t d = 0; d < extents.size(); ++d) at.push_back(extents[d].constant() == 1 ? "" : loop_variable(d));
    return at;
  }
  // Where an operand stands when its target stands at `at`.
  static std::vector<std::string> through(const Along &along, const std::vector<std::string> &at, size_t rank) {
    std::vector<std::string> result(rank);
    for (size_t d = 0; d < along.size(); ++d)
      if (along[d] >= 0) result[static_cast<size_t>(along[d])] = at[d];
    return result;
  }
  static std::string number(const TileOperand &o, const std::string &type) {
    return "(" + type + ")" + (o.number ? "(" + in_c(*o.number) + ")" : in_c(*o.integer));
  }

  void call(const TileStatement &s) {
    const std::string_view name = s.intrinsic_name();
    if (s.binds || name == "limit") return;
    const TileValue *target = s.result;
    const TileValue *x = s.operands.size() > 1 ? s.operands[1].tile : nullptr;
    if (name == "load" || name == "store") return copy(s);
    const std::vector<std::string> at = every(target->extents);
    const std::string type = c_type(target->type), head = element(*target, at) + " = ";
    if (name == "fill") {
      over(target->extents, head + number(s.operands[1], type) + ";", s.node);
    } else if (name == "iota") {
      const size_t axis = axes_of(c, s.operand("axis").node, at.size())->front();
      const std::string block(c.name_of(s.rest[axis]));
      const bool counted = k_.program.ranges.contains(start_of(block));
      over(target->extents,
           head + "(" + type + ")(" + (counted ? symbol(block) : "0") + (at[axis].empty() ? "" : " + " + at[axis]) +
               ");",
           s.node);
    } else if (name == "mmul") {
      product(s, *x, *s.operands[2].tile);
    } else if (name == "cast") {
      const std::string from = element(*x, through(*broadcast(x->extents, target->extents), at, x->extents.size()));
      const bool real = x->type.dtype.starts_with("f");
      over(target->extents,
           head +
               (target->type.dtype == "bool_" ? from + " != 0"
                : real                        ? "cast_" + target->type.dtype + "(" + from + ")"
                                              : "(" + type + ")" + from) +
               ";",
           s.node);
    } else if (const Elementwise *computed = elementwise(s)) {
      elements(s, *computed, at);
    } else if (name == "transpose") {
      const auto order = *axes_of(c, s.operand("axes").node, at.size());
      std::vector<std::string> from(at.size());
      for (size_t d = 0; d < at.size(); ++d) from[order[d]] = at[d];
      over(target->extents, head + element(*x, from) + ";", s.node);
    } else if (name == "reshape") {
      over({*elements_of(target->extents)}, "t_" + target->name + "[p0] = t_" + x->name + "[p0];", s.node);
    } else {
      reduce(s, *x, at);
    }
  }

  void elements(const TileStatement &s, const Elementwise &computed, const std::vector<std::string> &at) {
    const TileValue &target = *s.result;
    const bool chooses = s.intrinsic_name() == "where";
    const Type *type = &target.type; // of the operands
    for (const TileOperand &o : std::span(s.operands).subspan(chooses ? 2 : 1))
      if (o.tile) type = &o.tile->type;
    std::vector<std::string> operands;
    for (const TileOperand &o : std::span(s.operands).subspan(1))
      operands.push_back(
          o.tile ? element(*o.tile, through(*broadcast(o.tile->extents, target.extents), at, o.tile->extents.size()))
                 : number(o, c_type(*type)));
    over(target.extents,
         element(target, at) + " = (" + c_type(target.type) + ")(" +
             with_operands(with_dtype(computed.c, type->dtype), "abc", operands) + ");",
         s.node);
  }

  // Between memory and the scratchpad. What cannot be seen to be inside of the tensor is checked.
  void copy(const TileStatement &s) {
    const std::vector<IntExpr> counts = counts_of(s.index);
    const std::vector<std::string> at = every(counts);
    std::vector<std::string> indices;
    for (size_t d = 0; d < s.index.size(); ++d) {
      const TileIndex &i = s.index[d];
      std::string index = i.start.constant() == 0 ? "" : in_c(i.start);
      if (!at[d].empty())
        index += (index.empty() ? "" : " + ") + at[d] + (i.step == 1 ? "" : " * " + std::to_string(i.step));
      indices.push_back(index);
      if (!inside(s, d))
        w_.line("if (", in_c(i.count), " > 0 && (", in_c(i.start), " < 0 || ", in_c(i.start), " + (", in_c(i.count),
                " - 1) * ", i.step, " >= ", in_c(s.tensor->extents[d]), ")) return ", c.record(s.node).line, ";");
    }
    const std::string there = "x_" + s.tensor->name + "[" + row_major(indices, s.tensor->extents) + "]";
    if (!s.stores) return over(counts, element(*s.result, at) + " = " + there + ";", s.node);
    const TileOperand &value = s.operand("value");
    const std::string from =
        value.tile
            ? element(*value.tile, through(*broadcast(value.tile->extents, counts), at, value.tile->extents.size()))
            : number(value, c_type(s.tensor->type));
    over(counts, there + " = " + from + ";", s.node);
  }
  // A whole dimension, the blocks that it is cut into, and numbers.
  bool inside(const TileStatement &s, size_t d) const {
    const TileIndex &i = s.index[d];
    const IntExpr &extent = s.tensor->extents[d];
    if (i.whole) return true;
    const auto range = [&](const IntExpr &e) {
      return e.range([&](const std::string &symbol) { return k_.program.range_of(symbol); });
    };
    const MaybeInt last = i.start + (i.count - MaybeInt(IntExpr(1))) * MaybeInt(IntExpr(i.step));
    const MaybeInt rest = extent - (last + 1);
    if (i.step > 0 && rest && range(i.start).least.value_or(-1) >= 0 && range(*rest).least.value_or(-1) >= 0)
      return true;
    return i.start == IntExpr::symbol(start_of(i.block)) && cut_from(k_.program.body, i.block, extent);
  }
  // Whether every loop of that name goes through blocks of an extent.
  static bool cut_from(const std::vector<TileStatement> &statements, const std::string &block, const IntExpr &extent) {
    return std::ranges::all_of(statements, [&](const TileStatement &s) {
      const bool other = s.is(TileStatement::Kind::loop) && s.loop.name == block &&
                         !(s.loop.blocks && s.loop.start.constant() == 0 && s.loop.stop == extent);
      return !other && cut_from(s.body, block, extent) && cut_from(s.otherwise, block, extent);
    });
  }

  // The loop over the columns is the innermost one: it goes along rows of b and of the target.
  void product(const TileStatement &s, const TileValue &a, const TileValue &b) {
    const TileValue &target = *s.result;
    const size_t rank = target.extents.size();
    std::vector<IntExpr> extents = target.extents;
    extents.push_back(a.extents.back());
    std::vector<size_t> order(rank + 1);
    for (size_t d = 0; d <= rank; ++d) order[d] = d;
    std::swap(order[rank], order[rank - 1]);
    const std::vector<std::string> at = every(extents);
    std::vector<std::string> of_a(rank), of_b(rank), of_target(at.begin(), at.end() - 1);
    for (size_t d = 0; d < rank; ++d) {
      of_a[d] = a.extents[d].constant() == 1 ? "" : d + 1 == rank ? at[rank] : at[d];
      of_b[d] = b.extents[d].constant() == 1 ? "" : d + 2 == rank ? at[rank] : at[d];
    }
    const std::string type = c_type(target.type);
    over(extents, order,
         element(target, of_target) + " += (" + type + ")" + element(a, of_a) + " * (" + type + ")" + element(b, of_b) +
             ";",
         s.node);
  }

  void reduce(const TileStatement &s, const TileValue &x, const std::vector<std::string> &at) {
    const Reduction *row = reduction(s);
    const TileValue &target = *s.result;
    const std::string type = c_type(target.type), &dtype = target.type.dtype;
    const std::vector<size_t> axes = *axes_of(c, s.operand("axis").node, x.extents.size());
    const std::vector<std::string> inner = every(x.extents);
    std::string text = "{ " + type + " s = " + with_dtype(row->first, dtype) + "; ";
    MaybeInt count = IntExpr(1);
    for (const size_t axis : axes) {
      count = count * x.extents[axis];
      if (!inner[axis].empty())
        text += "for (int64_t " + inner[axis] + " = 0; " + inner[axis] + " < " + in_c(x.extents[axis]) + "; ++" +
                inner[axis] + ") ";
    }
    text += "s = (" + type + ")(" + with_operands(with_dtype(row->next, dtype), "a", {element(x, inner)}) + "); ";
    const std::string result = s.intrinsic_name() == "reduce_mean" ? "s / (" + type + ")" + in_c(*count) : "s";
    over(target.extents, text + element(target, at) + " = " + result + "; }", s.node);
  }

  const Context &c;
  const Kernel &k_;
  Writer w_;
};

// One line each: the entry, the dims, the parameters.
std::string signature_of(const Kernel &kernel) {
  std::string text = "entry " + kernel.program.name + "\n";
  const std::vector<Dim> dims = *dims_of(kernel);
  for (const Dim &d : dims) {
    text += "dim " + d.name;
    for (const int64_t number :
         {static_cast<int64_t>(d.tensor), static_cast<int64_t>(d.axis), d.factor, d.offset, d.largest})
      text += " " + std::to_string(number);
    text += "\n";
  }
  for (const TileTensor &t : kernel.program.tensors)
    text += "tensor " + (t.direction.empty() ? "In" : t.direction) + " " + t.name + " " + t.type.dtype + " " +
            std::to_string(t.type.rank()) + "\n";
  return text;
}

} // namespace

Result emit(const Context &c, Node root) {
  const auto kernel = read_kernel(c, root, Form::allocated,
                                  [&](Node where, const std::string &what) { c.report(diag::no_form, where, what); });
  if (!kernel) return HTP_FAILED;
  c.artifact("kernel.c", "source", Printer(c, *kernel).run());
  c.artifact("signature.txt", "signature", signature_of(*kernel));
  return c.result();
}

} // namespace htp_my_plugin
