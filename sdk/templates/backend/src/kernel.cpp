// The contract: what a program is that can be allocated, or emitted. The passes, the verifiers and the emitter all read
// it here, so that they cannot differ:
//
//   def kernel(x: In[Tensor[f32, M, N]], …) -> None:
//       my_plugin.limit(N, 1024)
//       for i in tile.tiles(M, 8):
//           row: Tile[f32, i, N] = my_plugin.buffer(f32, i, N, at=0, nbytes=32768)
//           my_plugin.load(row, x, i, tile.whole)
//           …
#include "htp_cpp/memory_plan.h"
#include "my_plugin.h"

#include <algorithm>

namespace htp_my_plugin {
namespace {

constexpr DType dtypes[] = {
#define DTYPE(name, c, code, bytes) {#name, c, bytes, code},
#include "dtypes.def"
};

constexpr Elementwise elementwise_rows[] = {
#define ELEMENTWISE(name, gives, c) {name, Gives::gives, c},
#define REDUCTION(name, first, next)
#define OTHER(name)
#include "intrinsics.def"
};
constexpr Reduction reductions[] = {
#define ELEMENTWISE(name, gives, c)
#define REDUCTION(name, first, next) {name, first, next},
#define OTHER(name)
#include "intrinsics.def"
};
template <class Row> const Row *row_of(const TileStatement &s, std::span<const Row> rows) {
  const auto found = std::ranges::find(rows, std::string_view(s.intrinsic->name), &Row::name);
  return found == rows.end() ? nullptr : &*found;
}

bool one(const IntExpr &e) { return e.constant() == 1; }

class Checker {
public:
  Checker(const Context &context, Form form, Kernel &kernel, const NotOfForm &no)
      : c(context), form_(form), k_(kernel), no_(no) {}

  bool run() {
    for (const TileTensor &t : k_.program.tensors)
      if (!dtype_named(t.type.dtype)) return refuse(t.node, "`" + t.name + "`, a tensor of " + t.type.dtype);
    if (!k_.program.integers.empty())
      return refuse(k_.program.node, "the parameter `" + k_.program.integers[0] + "`, an int");
    if (!dims_of(k_)) return refuse(k_.program.node, "a dim that is no extent of a parameter by itself");
    for (const TileValue &v : k_.program.values) {
      if (!dtype_named(v.type.dtype)) return refuse(v.node, "`" + v.name + "`, a tile of " + v.type.dtype);
      if (v.escapes) return refuse(v.node, "`" + v.name + "`, which is used outside of the block that binds it");
    }
    return block(k_.program.body);
  }

private:
  bool refuse(Node where, const std::string &what) const { return no_(where, what), false; }

  bool block(const std::vector<TileStatement> &statements) {
    return std::ranges::all_of(statements, [&](const TileStatement &s) { return statement(s); });
  }
  bool statement(const TileStatement &s) {
    switch (s.kind) {
    case TileStatement::Kind::integer: return true;
    case TileStatement::Kind::branch:
      return (decides(s.test) || refuse(s.test.node, "`" + c.show(s.test.node) + "`, a test of anything but ints")) &&
             block(s.body) && block(s.otherwise);
    case TileStatement::Kind::loop: {
      const auto step = s.loop.step.constant();
      if (!step || *step == 0 || (s.loop.blocks && *step < 0))
        return refuse(s.node, "a loop without a number as its step");
      return block(s.body);
    }
    case TileStatement::Kind::call: break;
    }
    if (!std::string_view(s.intrinsic->name).starts_with("my_plugin."))
      return refuse(s.call, "`" + std::string(s.intrinsic->name) + "`");
    const std::string wrong = s.intrinsic_name() == "tile" || s.intrinsic_name() == "buffer" ? buffer(s) : fault(s);
    return wrong.empty() || refuse(s.call, wrong);
  }
  static bool decides(const TileTest &t) {
    return t.kind == TileTest::Kind::compare ||
           (t.kind != TileTest::Kind::other && std::ranges::all_of(t.of, [](const TileTest &n) { return decides(n); }));
  }

  // A tile is what its annotation says.
  std::string buffer(const TileStatement &s) {
    if (!s.binds || s.rest.size() != s.result->extents.size()) return "a tile of other extents than its type's";
    for (size_t d = 0; d < s.rest.size(); ++d)
      if (read_extent(c, s.rest[d]) != s.result->type.extents[d]) return "a tile of other extents than its type's";
    if (last_component(c.dotted(s.operands[0].node)) != s.result->type.dtype)
      return "a tile of another dtype than its type's";
    if ((s.intrinsic_name() == "buffer") != (form_ == Form::allocated))
      return form_ == Form::allocated ? "a tile without bytes in the scratchpad" : "a tile that has its bytes already";
    if (form_ == Form::selected) return "";
    const MaybeInt at = s.operand("at").integer, bytes = s.operand("nbytes").integer;
    if (!at || !bytes || !at->constant() || !bytes->constant()) return "an offset that is no number";
    k_.allocations[s.result] = {*at->constant(), *bytes->constant()};
    return "";
  }

  // What a call has that its intrinsic does not take; empty: nothing.
  std::string fault(const TileStatement &s) {
    const std::string_view name = s.intrinsic_name();
    if (name == "limit") {
      const MaybeInt size = s.operand("size").integer, most = s.operand("most").integer;
      if (!size || !k_.program.is_dim(size->text()) || !most || most->constant().value_or(0) < 1)
        return "a limit of anything but a dim";
      k_.largest[size->text()] = *most->constant();
      return "";
    }
    for (const TileIndex &i : s.index)
      if (i.indices) return "the index `" + i.indices->name + "`, which is data";
    if (name == "store") {
      const TileOperand &value = s.operand("value");
      if (!s.stores || !is_operand(value, s.tensor->type.dtype)) return "what is stored in `" + c.show(s.call) + "`";
      return !value.tile || broadcast(value.tile->extents, counts_of(s.index)) ? "" : mismatch(s);
    }
    if (!s.result || s.binds) return "`" + c.show(s.call) + "`, whose result is not a tile that is there";
    const TileValue &target = *s.result;
    const TileValue *x = s.operands.size() > 1 ? s.operands[1].tile : nullptr;
    if (name == "load") {
      if (!s.tensor || s.stores || s.tensor->type.dtype != target.type.dtype) return "`" + c.show(s.call) + "`";
      return counts_of(s.index) == target.extents ? "" : mismatch(s);
    }
    if (name == "fill") return s.operands[1].number || s.operands[1].integer ? "" : "`" + c.show(s.call) + "`";
    if (name == "iota") {
      const auto axes = axes_of(c, s.operand("axis").node, target.extents.size());
      return axes && axes->size() == 1 && s.rest.size() == target.extents.size() ? "" : mismatch(s);
    }
    if (name == "mmul") return product(target, x, s.operand("b").tile) ? "" : mismatch(s);
    if (name == "cast") return x && broadcast(x->extents, target.extents) ? "" : mismatch(s);
    if (const Elementwise *computed = elementwise(s)) return elements(s, computed->gives);
    if (!x || x->type.dtype != target.type.dtype) return mismatch(s);
    if (!elements_of(x->extents)) return mismatch(s);
    if (name == "reshape") return elements_of(x->extents) == elements_of(target.extents) ? "" : mismatch(s);
    if (name == "transpose") return turned(*x, target, s.operand("axes").node) ? "" : mismatch(s);
    return reduction(s) && reduced(*x, target, s.operand("axis").node) ? "" : mismatch(s);
  }
  std::string mismatch(const TileStatement &s) const { return "the operands of `" + c.show(s.call) + "`"; }
  static bool is_operand(const TileOperand &o, std::string_view dtype) {
    return o.tile ? o.tile->type.dtype == dtype : o.number || o.integer;
  }

  std::string elements(const TileStatement &s, Gives gives) const {
    const TileValue &target = *s.result;
    std::string_view dtype; // of the operands, but for a condition
    if (gives == Gives::same) dtype = target.type.dtype;
    bool any = false;
    for (const TileOperand &o : std::span(s.operands).subspan(1)) {
      const bool condition = s.intrinsic_name() == "where" && &o == &s.operands[1];
      if (!is_operand(o, condition                 ? "bool_"
                         : dtype.empty() && o.tile ? o.tile->type.dtype
                                                   : dtype) ||
          (condition && !o.tile) || (o.tile && !broadcast(o.tile->extents, target.extents)))
        return mismatch(s);
      if (o.tile && !condition) dtype = o.tile->type.dtype;
      any |= o.tile != nullptr;
    }
    return any && target.type.dtype == (gives == Gives::mask ? "bool_" : dtype) ? "" : mismatch(s);
  }

  static bool product(const TileValue &target, const TileValue *a, const TileValue *b) {
    if (!a || !b || a->type.dtype != b->type.dtype) return false;
    const size_t rank = target.extents.size();
    if (rank < 2 || a->extents.size() != rank || b->extents.size() != rank) return false;
    for (size_t d = 0; d + 2 < rank; ++d)
      for (const TileValue *x : {a, b})
        if (!one(x->extents[d]) && !(x->extents[d] == target.extents[d])) return false;
    return a != &target && b != &target && a->extents[rank - 2] == target.extents[rank - 2] &&
           a->extents[rank - 1] == b->extents[rank - 2] && b->extents[rank - 1] == target.extents[rank - 1];
  }
  bool turned(const TileValue &x, const TileValue &target, Node axes) const {
    const auto order = axes_of(c, axes, x.extents.size());
    if (&x == &target || !order || order->size() != target.extents.size()) return false;
    for (size_t d = 0; d < order->size(); ++d)
      if (!(x.extents[(*order)[d]] == target.extents[d])) return false;
    return true;
  }
  bool reduced(const TileValue &x, const TileValue &target, Node axis) const {
    const auto axes = axes_of(c, axis, x.extents.size());
    if (&x == &target || !axes || x.extents.size() != target.extents.size()) return false;
    for (size_t d = 0; d < x.extents.size(); ++d)
      if (std::ranges::find(*axes, d) != axes->end() ? !one(target.extents[d]) : !(target.extents[d] == x.extents[d]))
        return false;
    return true;
  }

  const Context &c;
  Form form_;
  Kernel &k_;
  const NotOfForm &no_;
};

// Whether an allocated program's tiles have the bytes that they need, and no two that are live at once have one in
// common.
bool check_memory(const Context &c, const Kernel &k) {
  const Scratchpad pad = scratchpad(c);
  for (const TileValue &tile : k.program.values) {
    const Allocation own = k.allocations.at(&tile);
    const auto bytes = bytes_of(k, tile, k.largest);
    if (!bytes || *bytes > own.bytes)
      return c.report(diag::too_few_bytes, tile.node, tile.name, bytes.value_or(0), own.bytes), false;
    if (own.offset < 0 || own.offset % pad.alignment != 0 || own.offset > pad.capacity - own.bytes)
      return c.report(diag::bad_offset, tile.node, tile.name, own.offset, pad.capacity, pad.alignment), false;
    for (const TileValue &other : k.program.values) {
      const Allocation that = k.allocations.at(&other);
      if (&tile != &other && tile.begin <= other.end && other.begin <= tile.end &&
          own.offset < that.offset + that.bytes && that.offset < own.offset + own.bytes)
        return c.report(diag::overlap, tile.node, tile.name, other.name).label(other.node, "which lies here"), false;
    }
  }
  return true;
}

} // namespace

const DType *dtype_named(std::string_view name) {
  const auto *found = std::ranges::find(dtypes, name, &DType::name);
  return found == std::end(dtypes) ? nullptr : found;
}
const Elementwise *elementwise(const TileStatement &s) {
  return row_of(s, std::span<const Elementwise>(elementwise_rows));
}
const Reduction *reduction(const TileStatement &s) { return row_of(s, std::span<const Reduction>(reductions)); }

// The last dimensions under each other.
std::optional<Along> broadcast(const std::vector<IntExpr> &from, const std::vector<IntExpr> &to) {
  if (from.size() > to.size()) return std::nullopt;
  Along along(to.size(), -1);
  const size_t missing = to.size() - from.size();
  for (size_t d = 0; d < from.size(); ++d)
    if (from[d] == to[missing + d])
      along[missing + d] = static_cast<int>(d);
    else if (!one(from[d]))
      return std::nullopt;
  return along;
}
std::vector<IntExpr> counts_of(const std::vector<TileIndex> &index) {
  std::vector<IntExpr> counts;
  for (const TileIndex &i : index) counts.push_back(i.count);
  return counts;
}
MaybeInt elements_of(const std::vector<IntExpr> &extents) {
  MaybeInt all = IntExpr(1);
  for (const IntExpr &e : extents) all = all * e;
  return all;
}
std::optional<std::vector<size_t>> axes_of(const Context &c, Node axes, size_t rank) {
  std::vector<size_t> result;
  const Node single[] = {axes};
  Nodes named = single;
  if (auto several = c.as<ast::Tuple>(axes)) named = several.elts();
  int64_t axis = 0;
  for (const Node n : axes ? named : Nodes()) {
    if (!c.integer(n, &axis)) return std::nullopt;
    const auto size = static_cast<int64_t>(rank), at = axis < 0 ? axis + size : axis;
    if (at < 0 || at >= size || std::ranges::find(result, static_cast<size_t>(at)) != result.end()) return std::nullopt;
    result.push_back(static_cast<size_t>(at));
  }
  if (axes || rank < 2) return result;
  for (size_t d = 0; d < rank; ++d) result.push_back(d); // of a transpose: the last two swapped
  std::swap(result[rank - 1], result[rank - 2]);
  return result;
}

std::optional<int64_t> bytes_of(const Kernel &kernel, const TileValue &tile,
                                const std::map<std::string, int64_t, std::less<>> &largest) {
  int64_t bytes = dtype_named(tile.type.dtype)->bytes;
  for (const IntExpr &e : tile.extents) {
    const auto most = e.range([&](const std::string &symbol) {
                         const auto limit = largest.find(symbol);
                         return limit == largest.end() ? kernel.program.range_of(symbol) : IntRange{0, limit->second};
                       }).most;
    if (!most || __builtin_mul_overflow(bytes, std::max<int64_t>(*most, 0), &bytes)) return std::nullopt;
  }
  return bytes;
}

Scratchpad scratchpad(const Context &c) {
  const auto number = [&](const char *path) {
    int64_t value = 0;
    const std::string_view text = c.hardware(path);
    std::from_chars(text.data(), text.data() + text.size(), value);
    return std::max<int64_t>(value, 1);
  };
  return {number("spaces.scratchpad.capacity"), number("spaces.scratchpad.alignment")};
}

std::optional<std::vector<Dim>> dims_of(const Kernel &kernel) {
  std::vector<Dim> dims;
  for (const std::string &name : kernel.program.dims) {
    const auto largest = kernel.largest.find(name);
    Dim dim{name, 0, 0, 0, 0, largest == kernel.largest.end() ? 0 : largest->second};
    for (size_t t = 0; t < kernel.program.tensors.size() && dim.factor == 0; ++t) {
      const std::vector<IntExpr> &extents = kernel.program.tensors[t].extents;
      for (size_t d = 0; d < extents.size() && dim.factor == 0; ++d)
        if (extents[d].affine() && extents[d].names().size() == 1 && extents[d].uses(name))
          dim.tensor = t, dim.axis = d, dim.factor = extents[d].coefficient(name), dim.offset = extents[d].offset();
    }
    if (dim.factor < 1) return std::nullopt;
    dims.push_back(dim);
  }
  return dims;
}

std::optional<Kernel> read_kernel(const Context &c, Node root, Form form, const NotOfForm &no_form) {
  auto program = read_tile_program(c, root, no_form);
  if (!program) return std::nullopt;
  Kernel kernel{std::move(*program), {}, {}};
  if (!Checker(c, form, kernel, no_form).run()) return std::nullopt;
  return kernel;
}

Result is_selected(const Context &c, std::string_view, Node root) {
  const auto kernel = read_kernel(c, root, Form::selected,
                                  [&](Node where, const std::string &what) { c.report(diag::not_ready, where, what); });
  return kernel ? HTP_OK : HTP_FAILED;
}
Result is_ready(const Context &c, std::string_view, Node root) {
  const auto kernel = read_kernel(c, root, Form::allocated,
                                  [&](Node where, const std::string &what) { c.report(diag::not_ready, where, what); });
  return kernel && check_memory(c, *kernel) ? HTP_OK : HTP_FAILED;
}

} // namespace htp_my_plugin
