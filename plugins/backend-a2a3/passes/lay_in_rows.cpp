// A parameter that lies as no transfer can follow is laid in rows, in memory beside it: what is read of it at the
// beginning, and what is written of it back at the end. What lies in blocks is a tensor with a dimension for each digit
// of its indices then, each with one step, which transfers follow.
#include "analyses/layouts.h"
#include "analyses/shapes.h"
#include "passes/passes.h"

#include "htp_cpp/imports.h"
#include "htp_cpp/ints.h"
#include "htp_cpp/layout/annotation.h"
#include "htp_cpp/loops.h"
#include "htp_cpp/saturated.h"
#include "htp_cpp/types.h"

#include <algorithm>
#include <map>
#include <set>

namespace htp::a2a3 {

namespace {

using Words = std::set<std::string, std::less<>>;
constexpr int64_t part_bytes = 16 * 1024, // that a tile has at most which goes from one order to the other
    row_bytes = 2 * 1024, apart_elements = 256;

// Along a dimension of a parameter: those of one index that are `unit` apart.
struct Digit {
  size_t dimension;
  int64_t unit, extent, step;
};

struct Parameter {
  Node argument = HTP_NONE;
  std::string name, rows, dtype, direction;
  Type type;
  std::vector<int64_t> shape;
  std::vector<Digit> digits; // the first dimension's first, of each the slowest
  bool blocks = false;       // the type has a dimension for each digit from here on
  bool follows = true;       // transfers follow it as it lies
  bool moved = false;        // it is loaded or stored, and not read as ints alone
};

std::string text(int64_t n) { return std::to_string(n); }
std::string plus(const std::string &a, const std::string &b) { return a.empty() ? b : b.empty() ? a : a + " + " + b; }

class Rows {
public:
  Rows(const Context &context, Node root)
      : c(context), names_(context, root), constants_(context, root), root_(root),
        function_(context.entry_function(root)), imports_(context, root, {}) {}

  Node run() {
    c.each(function_, [&](Node n) {
      const std::string called = names_.called(n);
      multiplies_ |= called == "htp_tile.matmul";
      by_data_ |= called == "htp_pto.value" || called == "htp_tile.index";
      auto l = c.as<ast::For>(n);
      const Node range = l ? loop_forms(c, names_, l.iter()).range : HTP_NONE;
      if (range && names_.called(range) == "htp_tile.tiles") blocks_.emplace(c.name_of(l.target()));
      auto a = c.as<ast::AnnAssign>(n);
      const std::string made = a ? names_.called(a.value()) : std::string();
      if (made == "htp_tile.load" || made == "htp_tile.reshape") copies_.emplace(c.name_of(a.target()));
    });
    c.each(function_, [&](Node n) {
      const std::string called = c.is(n, HTP_Call) ? names_.called(n) : std::string();
      if (called.empty() || called == "htp_tile.store" || called == "htp_tile.reshape") return;
      for (const Node a : c.get<ast::Call>(n).args()) copies_.erase(std::string(c.name_of(a)));
    });
    const Nodes arguments = c.get<ast::arguments>(c.get<ast::FunctionDef>(function_).args()).args();
    for (const Node n : arguments)
      if (!read(n)) return HTP_NONE;
    for (Parameter &p : all_) {
      if (p.follows) continue;
      p.rows = c.fresh(p.name + "_rows");
      c.each(function_, [&](Node n) {
        const std::string called = c.is(n, HTP_Call) ? names_.called(n) : std::string();
        p.moved |= (called == "htp_tile.load" || called == "htp_tile.store") &&
                   c.name_of(c.get<ast::Call>(n).args()[0]) == p.name;
      });
    }
    if (std::ranges::all_of(all_, [](const Parameter &p) { return p.follows; })) return root_;
    return imports_.apply(with_statement(c, root_, function_, rewritten()));
  }

private:
  // ── which they are ──

  bool read(Node n) {
    auto a = c.get<ast::arg>(n);
    auto type = a.annotation() ? read_type(c, a.annotation()) : std::nullopt;
    if (!type || type->form != "Tensor" || !type->layout) return true;
    const auto integer = [&](Node e) { return constants_.integer(e); };
    const auto layout = read_layout_by_facet(c, names_, type->layout, integer);
    if (!layout || layout::is_row_major(*layout)) return true; // what is no layout of numbers is refused elsewhere
    Parameter p{.argument = n,
                .name = std::string(a.arg()),
                .rows = {},
                .dtype = {},
                .direction = std::string(direction_of(c, a.annotation())),
                .type = *type,
                .shape = {},
                .digits = {}};
    for (const Extent &e : type->extents)
      p.shape.push_back(e.name.empty() ? e.size : integer(c.parse(e.name, type->layout)).value_or(0));
    p.dtype = dtype_of(a.annotation());
    if (const auto steps = layout::array_steps(*layout, p.shape)) {
      for (size_t d = 0; d < p.shape.size(); ++d) p.digits.push_back({d, 1, p.shape[d], (*steps)[d]});
      p.follows = follows(p);
    } else if (const auto places = layout::Places::of(*layout, p.shape); places && !p.dtype.empty()) {
      for (const layout::IndexDigit &d : layout::index_digits(*places, p.shape)) {
        if (!d.dimension || d.steps.size() != 1) {
          c.report(diag::parameter_digits, type->layout, p.name, layout::write(*layout));
          return false;
        }
        p.digits.insert(p.digits.begin(), {*d.dimension, d.unit, d.extent, d.steps[0]});
      }
      p.blocks = true, p.follows = false;
    }
    all_.push_back(std::move(p));
    return true;
  }
  std::string dtype_of(Node annotation) const {
    auto s = c.as<ast::Subscript>(annotation);
    while (s && !c.is(s.slice(), HTP_Tuple)) s = c.as<ast::Subscript>(s.slice());
    return s ? c.show(c.get<ast::Tuple>(s.slice()).elts()[0]) : "";
  }

  // Whether a transfer moves each slice of it that is loaded or stored: rows, or columns that are turned, or lines of
  // one element each, which a vector core turns: beside products only what is copied alone.
  bool follows(const Parameter &p) const {
    bool fine = true;
    Node copied = HTP_NONE; // a load whose tile is stored, and nothing else
    c.each(function_, [&](Node n) {
      if (auto a = c.as<ast::AnnAssign>(n); a && copies_.contains(c.name_of(a.target()))) copied = a.value();
      const std::string called = c.is(n, HTP_Call) ? names_.called(n) : std::string();
      const bool store = called == "htp_tile.store";
      if (!store && called != "htp_tile.load") return;
      const Nodes a = c.get<ast::Call>(n).args();
      if (a.empty() || c.name_of(a[0]) != p.name) return;
      std::vector<int64_t> steps; // of the dimensions of more than one index
      bool blocks_of_one = false;
      for (size_t d = 0; d < p.shape.size() && d + (store ? 2 : 1) < a.size(); ++d) {
        const Node index = a[d + (store ? 2 : 1)];
        if (p.shape[d] > 1 && is_several(index)) steps.push_back(p.digits[d].step);
        blocks_of_one |= p.shape[d] == 1 && !c.dotted(index).ends_with("whole") && is_several(index);
      }
      const bool alone = !multiplies_ || (store ? copies_.contains(c.name_of(a[1])) : n == copied);
      fine &= steps.empty() || steps.back() == 1 || (steps.size() == 1 && alone && !blocks_of_one) ||
              (steps.size() == 2 && steps[0] == 1) || steps.size() > 2;
    });
    return fine;
  }
  bool is_several(Node index) const {
    if (const auto part = read_slice(c, index)) {
      const MaybeInt length = part->start && part->stop ? slice_length(c, *part) : std::nullopt;
      return !length || length->constant() != 1;
    }
    if (c.dotted(index).ends_with("whole")) return true;
    bool several = false, of_int = false; // `i.start` is one, and `len(i)`
    c.each(index, [&](Node n) {
      several |= blocks_.contains(c.name_of(n));
      of_int |= c.is(n, HTP_Attribute) || c.is(n, HTP_Call);
    });
    return several && !of_int;
  }

  // ── what becomes of them ──

  Node rewritten() {
    const auto rows_of = [&](std::string_view name) -> const Parameter * {
      const auto it = std::ranges::find_if(all_, [&](const Parameter &p) { return p.name == name && !p.follows; });
      return it == all_.end() ? nullptr : &*it;
    };
    auto f = c.read<ast::FunctionDef>(function_);
    for (uint32_t &s : f.body)
      s = rewrite(
          c, s,
          [&](Node n) -> Node {
            if (c.is(n, HTP_Call) && names_.called(n) == "htp_pto.value") { // its operands are rewritten before it
              const auto of = c.name_of(c.get<ast::Call>(n).args()[0]);
              const auto it =
                  std::ranges::find_if(all_, [&](const Parameter &p) { return !of.empty() && p.rows == of; });
              return it == all_.end() ? n : value_of(*it, n);
            }
            auto name = c.as<ast::Name>(n);
            const Parameter *p = name ? rows_of(name.id()) : nullptr;
            return p ? c.name(p->rows, n) : n;
          },
          keep);
    std::vector<uint32_t> before, behind;
    for (const Parameter &p : all_) {
      if (p.follows || !p.moved) continue;
      c.report(diag::laid_in_rows, p.type.layout, p.name, c.show(p.type.layout));
      std::string sizes;
      for (const int64_t n : p.shape) sizes += ", " + text(n);
      const std::string of = p.dtype + sizes;
      before.push_back(c.assign(p.rows,
                                c.parse(imports_.name("htp_tile", "Tensor", "tile") + "[" + of + "]", p.argument),
                                c.parse(module() + ".buffer(" + of + ")", p.argument), p.argument));
      const bool written = p.direction != "In";
      if (!written || p.direction == "InOut" || by_data_) copy(p, true, before);
      if (written) copy(p, false, behind);
    }
    auto said = f.body.empty() ? c.as<ast::Expr>(HTP_NONE) : c.as<ast::Expr>(f.body[0]);
    const bool says = said && c.is(said.value(), HTP_Constant);
    f.body.insert(f.body.begin() + says, before.begin(), before.end());
    f.body.insert(f.body.end(), behind.begin(), behind.end());
    auto arguments = c.read<ast::arguments>(f.args);
    for (uint32_t &n : arguments.args) {
      auto a = c.get<ast::arg>(n);
      if (const Parameter *p = rows_of(a.arg()))
        n = with_slot(c, n, HTP_FIELD(arg, annotation), annotation(*p, a.annotation()));
    }
    f.args = c.with(f.args, arguments);
    return c.with(function_, f);
  }
  std::string module() { return imports_.module("htp_tile", "tile"); }

  // What is not written of an output that goes by its rows keeps what it had.
  Node annotation(const Parameter &p, Node was) {
    const bool both = p.direction == "Out" && by_data_;
    auto outer = c.get<ast::Subscript>(was);
    const Node direction = both ? c.path(imports_.name("htp", "InOut", "htp"), was) : outer.value();
    Node type = outer.slice();
    if (p.blocks) {
      std::vector<int64_t> shape, steps;
      for (const Digit &d : p.digits) shape.push_back(d.extent), steps.push_back(d.step);
      std::string extents;
      for (const int64_t n : shape) extents += ", " + text(n);
      type = c.parse(c.show(c.get<ast::Subscript>(type).value()) + "[" + p.dtype + extents + ", " +
                         imports_.module("htp", "htp") + ".layouts.strided(" + tuple_text(shape) + ", " +
                         tuple_text(steps) + ")]",
                     was);
    } else if (!both) {
      return was;
    }
    return c.make(make::Subscript{.value = copy_of(c, direction, was), .slice = type, .ctx = HTP_LOAD}, was);
  }

  // `pto.value(t, i, j)` of what lies in blocks: an int is read where it lies.
  Node value_of(const Parameter &p, Node call) const {
    auto k = c.read<ast::Call>(call);
    if (p.blocks) {
      const std::vector<uint32_t> indices(k.args.begin() + 1, k.args.end());
      k.args.resize(1);
      for (const Digit &d : p.digits) {
        std::string at = d.dimension < indices.size() ? "(" + c.show(indices[d.dimension]) + ")" : "0";
        if (d.unit > 1) at += " // " + text(d.unit);
        if (d.unit * d.extent < p.shape[d.dimension]) at += " % " + text(d.extent);
        k.args.push_back(c.parse(at, call));
      }
    }
    k.args[0] = c.name(p.name, call);
    return c.make(k, call);
  }

  // ── from one to the other ──

  // Loops over parts of a parameter and of its rows, each of which one transfer moves: lines that lie together, as many
  // as fit, else lines of one element each.
  void copy(const Parameter &p, bool in, std::vector<uint32_t> &out) {
    const auto innermost = [](const Digit &d) { return d.unit == 1 && d.extent > 1; };
    size_t line = SIZE_MAX, beside = SIZE_MAX;
    for (size_t k = 0; k < p.digits.size(); ++k)
      if (innermost(p.digits[k]) &&
          (line == SIZE_MAX ||
           (p.digits[line].step != 1 && (p.digits[k].step == 1 || p.digits[k].extent >= p.digits[line].extent))))
        line = k;
    const bool together = p.digits[line].step == 1;
    for (size_t k = 0; together && k < p.digits.size(); ++k)
      if (k != line && std::max(k, line) + 1 == p.digits.size() &&
          p.digits[std::max(k, line)].dimension + 1 == p.shape.size() && innermost(p.digits[k]) &&
          (beside == SIZE_MAX || p.digits[k].extent > p.digits[beside].extent))
        beside = k; // a tile has rows and columns, and the last dimension of its type is columns

    const int64_t bytes = dtype_named(p.type.dtype) ? dtype_named(p.type.dtype)->bytes : 4;
    const int64_t along = std::min(p.digits[line].extent, together ? row_bytes / bytes : apart_elements);
    struct Loop {
      std::string variable, range;
    };
    std::vector<Loop> loops, inner;
    std::vector<std::string> at(p.digits.size(), "0"), size(p.digits.size(), "1"), base(p.shape.size());
    for (size_t k = 0; k < p.digits.size(); ++k) {
      const Digit &d = p.digits[k];
      if (d.extent == 1) continue;
      const bool moved = k == line || k == beside;
      const int64_t most = !moved ? 1 : k == line ? along : part_bytes / sdk::round_up_sat(along * bytes, 32);
      if (moved && most >= d.extent) {
        at[k] = module() + ".whole", size[k] = text(d.extent);
        continue;
      }
      at[k] = c.fresh(p.name + "_block");
      if (moved)
        size[k] = at[k], inner.push_back({at[k], module() + ".tiles(" + text(d.extent) + ", " + text(most) + ")"});
      else
        loops.push_back({at[k], "range(" + text(d.extent) + ")"});
      if (!moved) base[d.dimension] = plus(base[d.dimension], at[k] + (d.unit > 1 ? " * " + text(d.unit) : ""));
    }
    loops.insert(loops.end(), inner.begin(), inner.end());

    // The same as indices of the rows.
    std::vector<std::string> indices(p.shape.size()), extents(p.shape.size(), "1");
    for (size_t d = 0; d < p.shape.size(); ++d) indices[d] = base[d].empty() ? "0" : base[d];
    for (const size_t k : {line, beside}) {
      if (k == SIZE_MAX) continue;
      const Digit &d = p.digits[k];
      std::string &index = indices[d.dimension];
      extents[d.dimension] = size[k];
      if (size[k] != text(d.extent))
        index = plus(at[k], base[d.dimension]);
      else if (d.extent == p.shape[d.dimension])
        index = at[k];
      else
        index = "slice(" + index + ", " + plus(base[d.dimension], text(d.extent)) + ")";
    }

    const auto list = [](const std::vector<std::string> &of) {
      std::string all;
      for (const std::string &one : of) all += ", " + one;
      return all;
    };
    std::vector<uint32_t> body;
    const auto made = [&](const std::vector<std::string> &of, const std::string &value) {
      std::string part = c.fresh(p.name + "_part");
      body.push_back(c.assign(
          part, c.parse(imports_.name("htp_tile", "Tile", "tile") + "[" + p.dtype + list(of) + "]", p.argument),
          c.parse(module() + value, p.argument), p.argument));
      return part;
    };
    const auto &first = in ? size : extents, &then = in ? extents : size;
    const std::string mine = list(at), rows = list(indices);
    std::string part = made(first, ".load(" + (in ? p.name + mine : p.rows + rows) + ")");
    if (first != then) part = made(then, ".reshape(" + part + list(then) + ")");
    const std::string to = in ? p.rows + ", " + part + rows : p.name + ", " + part + mine;
    body.push_back(c.statement(c.parse(module() + ".store(" + to + ")", p.argument), p.argument));
    for (auto l = loops.rbegin(); l != loops.rend(); ++l)
      body = {c.make(make::For{.target = c.name(l->variable, p.argument, HTP_STORE),
                               .iter = c.parse(l->range, p.argument),
                               .body = std::move(body)},
                     p.argument)};
    out.insert(out.end(), body.begin(), body.end());
  }

  const Context &c;
  Names names_;
  sdk::Constants constants_;
  Node root_, function_;
  Imports imports_;
  std::vector<Parameter> all_;
  Words blocks_, copies_; // variables of loops over blocks; tiles that are loaded and stored, and nothing else
  bool multiplies_ = false, by_data_ = false;
};

} // namespace

Node lay_in_rows(const Context &c, Node root) { return Rows(c, root).run(); }

} // namespace htp::a2a3
