// Slices of tiles: an int that may be outside of the tile is asked before, since what the tile is made of may go
// further.
//
//                                                            j_i64: i64 = cpu.index(htp.i64, j)
//   row = cpu.extract(x_tile, cpu.whole, j)         →        j_at = cpu.position(j_i64, N)
//                                                            row = cpu.extract(x_tile, cpu.whole, j_at)
#include "lower.h"

#include "htp_cpp/edit.h"

#include <algorithm>

namespace htp::cpu::loops {

namespace {

using sdk::IntExpr;
using sdk::MaybeInt;

class Inside {
public:
  Inside(Kernel &kernel, Node statement, std::vector<uint32_t> &before)
      : k(kernel), c(kernel.c), statement_(statement), before_(before) {}

  Node run() {
    const Node value = value_of(c, statement_);
    auto call = c.as<ast::Call>(value);
    if (!call || k.names.called(value) != "htp_cpu.extract" || call.args().empty()) return statement_;
    auto bound = c.as<ast::AnnAssign>(k.uses.binding(c.name_of(call.args()[0])));
    if (!bound) return statement_;
    auto rewritten = c.read<ast::Call>(value);
    const Type tile = read_type(c, k.names, bound.annotation());
    bool same = true;
    for (size_t d = 0; d < tile.dims.size() && d + 1 < rewritten.args.size(); ++d) {
      const Node index = inside(rewritten.args[d + 1], k.extent_of(tile.dims[d]));
      same = same && index == rewritten.args[d + 1];
      rewritten.args[d + 1] = index;
    }
    return same ? statement_ : with_value(c, statement_, c.with(value, rewritten));
  }

private:
  Node inside(Node index, const Extent &dimension) {
    const MaybeInt size = of(k.count(dimension, index));
    if (const auto slice = sdk::read_slice(c, index)) {
      if (const auto step = slice->step ? k.constants.integer(slice->step) : std::nullopt; step && *step < 0) {
        const MaybeInt last = size - of(slice->start);
        if (slice->stop || !last || last->constant() != 1) c.report(diag::untyped, index, c.show(index));
        return index; // from the last to the first
      }
      const MaybeInt start = of(slice->start), stop = of(slice->stop);
      const auto length = sdk::slice_length(c, *slice, sdk::with_constants(k.constants));
      if (!length || (natural(start) && natural(size - stop))) return index;
      const auto number = length->constant();
      if (number && *number < 1) return index; // of no indices none is outside
      Node first = clone(c, slice->start);
      if (!number) {
        const Node some = c.parse("min(max(" + length->text() + ", 0), 1)", index);
        first = c.binary(first, HTP_Mult, some, index);
      }
      const MaybeInt most = size - (stop - start) + IntExpr(1);
      if (!most) return index;
      const Node at = asked(first, c.parse(most->text(), index), index);
      const Node end = c.binary(c.name(c.name_of(at), index), HTP_Add, c.parse((stop - start)->text(), index), index);
      std::vector<uint32_t> parts{at, end};
      if (slice->step) parts.push_back(clone(c, slice->step));
      return c.call("slice", parts, index);
    }
    const auto q = k.names.qualified(index);
    if (q == "htp_tile.whole" || q == "htp_cpu.whole" || q == "htp.whole") return index;
    if (k.uses.is_tile(c.name_of(index))) return index; // whose elements are asked one by one
    if (const Node block = block_of(index)) return moved(index, block, dimension, size);
    const MaybeInt at = of(index);
    if (natural(at) && natural(size - at - IntExpr(1))) return index;
    return asked(clone(c, index), k.count(dimension, index), index);
  }

  Node block_of(Node index) const {
    Node block = HTP_NONE;
    c.each(index, [&](Node n) {
      if (c.is(n, HTP_Name) && k.blocks.contains(c.name_of(n))) block = n;
    });
    return block;
  }
  // A block by itself is inside when what is cut is; it has at least one index, also where it is moved, `i + 1`.
  Node moved(Node index, Node block, const Extent &dimension, const MaybeInt &size) {
    const std::string name(c.name_of(block));
    const Block &b = k.blocks.find(name)->second;
    const Extent cut = k.extent_of(b.of);
    if (c.is(index, HTP_Name) && (cut.key == dimension.key || natural(size - of(k.count(cut, index))))) return index;
    const MaybeInt all = of(index);
    const int64_t times = all ? all->coefficient(name) : 0;
    const MaybeInt start = all - IntExpr::symbol(name) * IntExpr(times) + of(c.name(b.at, index)) * IntExpr(times);
    const MaybeInt behind = (of(b.count) - IntExpr(1)) * IntExpr(times) + IntExpr(1); // the first to behind the last
    const MaybeInt most = size - behind + IntExpr(1);
    if (times < 1 || !start || !most) {
      c.report(diag::untyped, index, c.show(index));
      return index;
    }
    const Node at = asked(c.parse(start->text(), index), c.parse(most->text(), index), index);
    const Node end = c.binary(c.name(c.name_of(at), index), HTP_Add, c.parse(behind->text(), index), index);
    return c.call("slice", {at, end, c.integer_node(times, index)}, index);
  }

  MaybeInt of(Node n) const { return sdk::read_int(c, n, sdk::with_constants(k.constants)); }
  // Whether it is 0 or more, whatever the dims are.
  bool natural(const MaybeInt &x) const {
    const auto range_of = [&](const std::string &name) {
      return k.is_natural(name) ? sdk::IntRange{0, std::nullopt} : sdk::IntRange{};
    };
    return x && x->range(range_of).least.value_or(-1) >= 0;
  }

  // An int that is one of the first so many.
  Node asked(Node n, Node below, Node origin) {
    const std::string stem = c.is(n, HTP_Name) ? std::string(c.name_of(n)) : "index";
    const std::string element = c.fresh(stem + "_i64"), at = c.fresh(stem + "_at");
    const auto dtype = [&] { return c.path("htp.i64", origin); };
    before_.push_back(c.assign(element, dtype(), c.call("cpu.index", {dtype(), n}, origin), statement_));
    before_.push_back(
        c.assign(at, HTP_NONE, c.call("cpu.position", {c.name(element, origin), below}, origin), statement_));
    return c.name(at, origin);
  }

  Kernel &k;
  const Context &c;
  Node statement_;
  std::vector<uint32_t> &before_;
};

} // namespace

Node with_inside_asked(Kernel &k, Node statement, std::vector<uint32_t> &before) {
  return Inside(k, statement, before).run();
}

} // namespace htp::cpu::loops
