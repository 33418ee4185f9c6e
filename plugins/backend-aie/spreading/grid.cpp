#include "analyses/host_made.h"
#include "analyses/writing.h"
#include "spreading/grid_read.h"

#include "htp_cpp/edit.h"
#include "htp_cpp/writer.h"

#include <algorithm>

namespace htp::aie {

namespace {

using Order = std::vector<std::pair<int64_t, int64_t>>;

class OnGrid : Writing {
public:
  OnGrid(const Kernel &kernel, const Device &device, int64_t columns)
      : Writing(kernel.c), c(kernel.c), k_(kernel), device_(device), columns_(columns) {}

  Node run(Refused &why) {
    if (!read_products(k_, device_, p_, why)) return HTP_NONE;
    grid_ = search_grid(p_.product, device_, columns_);
    if (!grid_.found()) return HTP_NONE;
    const auto n = [](int64_t v) { return std::to_string(v); };
    c.report(diag::product, p_.terms[0].multiplied, n(grid_.m) + " by " + n(grid_.n) + ", " + n(grid_.k) + " deep",
             n(grid_.columns) + " columns of " + n(grid_.rows), device_.name, static_cast<int>(100 * grid_.share + 0.5),
             grid_.bound);
    return written();
  }

private:
  // A loop, or what is in it where it goes round once.
  void loop(std::vector<uint32_t> &into, const std::string &name, int64_t times, std::vector<uint32_t> body,
            Node origin) const {
    if (times == 1) {
      into.insert(into.end(), body.begin(), body.end());
      return;
    }
    into.push_back(c.make(make::For{.target = c.name(name, origin, HTP_STORE),
                                    .iter = c.parse("range(" + std::to_string(times) + ")", origin),
                                    .body = std::move(body)},
                          origin));
  }
  // Operands as the host packs them, one block of the sums behind the other: what comes with them in a block of its
  // own, then theirs, tiled for the unit, of one product behind those of another one.
  struct Packing {
    std::vector<std::pair<const Access *, bool>> operands; // of each product; whether it is turned
    std::string packed;
    bool rows;                                        // of the sums, so that this is a
    int64_t transfers, of_transfer, rounds, of_round; // of how many rows, or columns, each of these is
    std::vector<Along> steps;                         // of a block of the units, in its own dimensions 0 and 1
    std::vector<int64_t> block;                       // in blocks
    int64_t blocks = 0;                               // of a block of the product, with what comes in front
  };
  // The tensor that the host makes, `aie.pack(…)`, and where in its first block each tile lies.
  Node packed(const Packing &p, std::map<std::string, int64_t> &at) {
    const Access &first = *p.operands[0].first;
    const int64_t of_part = count(p.block), round = p.blocks * of_part, batch = p.rounds * round;
    Parameter made;
    made.dtype = k_.parameters[first.tensor].dtype;
    made.extents = p.block;
    made.extents.insert(made.extents.begin(), p.transfers * batches(p.rows) * p.rounds * p.blocks);
    const auto along = [](PackedTensor &slice, int64_t size, int64_t dimension, int64_t step, int64_t stride) {
      if (size > 1) slice.along.push_back({size, dimension, dimension < 0 ? 0 : step, stride});
    };
    // `batched`: the dimension that products one after the other differ in, or -1.
    const auto of_blocks = [&](const std::string &name, int64_t begin, int64_t batched, int64_t dimension) {
      PackedTensor slice{name, begin, {}};
      along(slice, p.transfers, dimension, p.of_transfer, batches(p.rows) * batch);
      along(slice, batches(p.rows), batched, 1, batch);
      along(slice, p.rounds, dimension, p.of_round, round);
      return slice;
    };
    const bool comes = (p.rows ? p_.product.with_a : p_.product.with_b).tensors > 0;
    const Unit &u = *p_.product.unit;
    const int64_t r = p.rows ? u.rows : u.depth, n = p.rows ? u.depth : u.columns;
    int64_t begin = comes ? of_part : 0;
    for (const auto &[operand, is_turned] : p.operands) {
      const int64_t before = in_batch(*operand) ? 1 : 0;
      const auto turned = [&, turns = is_turned](int64_t d) { return d < 0 ? d : before + (turns ? 1 - d : d); };
      PackedTensor own = of_blocks(k_.parameters[operand->tensor].name, begin, before ? 0 : -1, turned(p.rows ? 0 : 1));
      for (const Along &one : p.steps) along(own, one.size, turned(one.dimension), one.step, one.stride);
      along(own, p.block[0], turned(0), r, p.block[1] * r * n);
      along(own, p.block[1], turned(1), n, r * n);
      along(own, r, turned(0), 1, n);
      along(own, n, turned(1), 1, 1);
      made.packed.push_back(std::move(own));
      begin += (p.blocks - (comes ? 1 : 0)) / std::ssize(p.operands) * of_part;
    }
    begin = 0;
    for (const Access &a : k_.accesses) {
      if (!beside_with(a, p.rows)) continue;
      const Parameter &other = k_.parameters[a.tensor];
      const int64_t units = other.dtype->bytes / made.dtype->bytes, line = pack_line / made.dtype->bytes;
      int64_t dimension = -1, size = 1;
      for (size_t d = 0; d < a.index.size(); ++d)
        if (a.index[d] >= 0) dimension = static_cast<int64_t>(d), size = p.rows ? grid_.m : grid_.n;
      begin = (begin + line - 1) / line * line;
      PackedTensor slice = of_blocks(other.name, begin, -1, dimension);
      along(slice, size, dimension, 1, units);
      made.packed.push_back(std::move(slice));
      at[a.tile] = begin;
      begin += size * units;
    }
    const std::string dtype = c.show(buffer_named(p.rows ? p_.terms[0].a_tile : p_.terms[0].b_tile).dtype);
    return assign(p.packed, host_made_text(made, dtype), first.node);
  }
  bool in_batch(const Access &a) const { return p_.batch >= 0 && k_.uses(a, p_.batch); }
  // How often what is packed of an operand differs from product to product of the batch.
  int64_t batches(bool rows) const {
    return std::any_of(p_.terms.begin(), p_.terms.end(), [&](const Term &t) { return in_batch(rows ? *t.a : *t.b); })
               ? p_.product.batches
               : 1;
  }
  const Buffer &buffer_named(const std::string &name) const { return k_.buffers.find(name)->second; }
  // Whether something is loaded that comes with a, or with b.
  bool beside_with(const Access &a, bool rows) const {
    const auto operand = [&](const Term &t) { return &a == t.a || &a == t.b; };
    return &a != p_.c && std::none_of(p_.terms.begin(), p_.terms.end(), operand) &&
           (line_of(k_, p_, a.tile) == Line::rows) == rows;
  }
  // A tile of a line as the sums lie: in blocks of one row, or one column.
  std::vector<int64_t> lying(const std::string &tile) const {
    const Unit &u = *p_.product.unit;
    switch (line_of(k_, p_, tile)) {
    case Line::columns: return {1, grid_.n / u.columns, 1, u.columns};
    case Line::rows: return {grid_.m / u.rows, 1, u.rows, 1};
    default: return buffer_named(tile).extents;
    }
  }
  std::string buffer_text(const Buffer &b, const std::vector<int64_t> &extents) const {
    return "aie.buffer(" + c.show(b.dtype) + ", " + join(extents, ", ", [](int64_t n) { return std::to_string(n); }) +
           ")";
  }
  // A statement, with other extents where it declares a buffer.
  template <class F> Node declared(const Item &item, const F &extents) const {
    return item.buffer.empty()
               ? item.node
               : assign(item.buffer, buffer_text(buffer_named(item.buffer), extents(item.buffer)), item.node);
  }
  // The block that comes in front of an operand's, taken apart.
  void unpack(const std::string &in, const std::string &packed, const std::string &core, bool rows,
              const std::map<std::string, int64_t> &at, std::vector<uint32_t> &block) const {
    std::string part;
    Node last = HTP_NONE;
    for (const Access &a : k_.accesses) {
      if (!beside_with(a, rows)) continue;
      if (part.empty())
        block.push_back(assign(part = c.fresh(packed + "_block"), "aie.acquire(" + in + ", " + core + ")", a.node));
      const std::string &tile = a.tile;
      block.push_back(assign(tile, buffer_text(buffer_named(tile), lying(tile)), a.node));
      block.push_back(call("aie.unpack(" + tile + ", " + part + ", " + std::to_string(at.at(tile)) + ")", a.node));
      last = a.node;
    }
    if (last) block.push_back(call("aie.release(" + in + ", " + core + ")", last));
  }
  // How operands that are packed are named: by what is in them.
  std::string pack_name(bool rows) const {
    std::string name;
    std::set<size_t> seen;
    for (const Term &t : p_.terms)
      if (const Access &a = rows ? *t.a : *t.b; seen.insert(a.tensor).second)
        name += (name.empty() ? "" : "_") + k_.parameters[a.tensor].name;
    for (const Access &a : k_.accesses)
      if (beside_with(a, rows) && seen.insert(a.tensor).second) name += "_" + k_.parameters[a.tensor].name;
    return c.fresh(seen.size() > 1 ? name : name + "_packed");
  }
  Node stream(const std::string &name, const Access &a, const std::vector<int64_t> &padded,
              const std::vector<int64_t> &part, const Order &order, int64_t apart, const char *share, int64_t depth,
              const std::string &packed = {}) const {
    Order kept; // but for dimensions of 1 in front of the blocks
    for (size_t k = 0; k < order.size(); ++k)
      if (order[k].first != 1 || k + 4 >= order.size()) kept.push_back(order[k]);
    return assign(
        name,
        std::string(a.stores ? "aie.collect(" : "aie.feed(") +
            (packed.empty() ? k_.parameters[a.tensor].name : packed) + ", " + tuple(padded) + ", " + tuple(part) +
            ", (" +
            join(kept, ", ",
                 [](const auto &x) { return "(" + std::to_string(x.first) + ", " + std::to_string(x.second) + ")"; }) +
            (kept.size() == 1 ? ",), " : "), ") + std::to_string(apart) + ", '" + share + "', " +
            std::to_string(depth) + ")",
        a.node);
  }
  using Extents = std::vector<int64_t>;

  Node written() {
    const Grid &g = grid_;
    const Product &size = p_.product;
    const auto over = [](int64_t n, int64_t by) { return (n + by - 1) / by; };
    down_ = over(size.rows, g.columns * g.m), across_ = over(size.columns, g.rows * g.n),
    steps_ = over(size.depth, g.k);
    const auto fresh = [&](const Access &a, const char *suffix) {
      return c.fresh(k_.parameters[a.tensor].name + suffix);
    };
    const std::string a_packed = p_.packs_a ? pack_name(true) : std::string(),
                      b_packed = p_.packs_b ? pack_name(false) : std::string();
    a_in_ = p_.packs_a ? c.fresh(a_packed + "_in") : fresh(*p_.terms[0].a, "_in"),
    b_in_ = p_.packs_b ? c.fresh(b_packed + "_in") : fresh(*p_.terms[0].b, "_in"), c_out_ = fresh(*p_.c, "_out"),
    core_ = c.fresh("core");
    std::vector<uint32_t> inside = made_by_host(k_);
    std::map<std::string, int64_t> at; // of what comes with operands, in its block
    feeds(a_packed, b_packed, inside, at);
    inside.push_back(results());

    std::vector<uint32_t> block;
    unpack(b_in_, b_packed, core_, false, at, block);
    unpack(a_in_, a_packed, core_, true, at, block);
    for (const Item &item : p_.lines)
      block.push_back(declared(item, [&](const std::string &tile) { return lying(tile); }));
    const Unit &u = *size.unit;
    const Extents sums{g.m / u.rows, g.n / u.columns, u.rows, u.columns};
    for (const Item &item : p_.before) block.push_back(declared(item, [&](const std::string &) { return sums; }));
    std::set<std::string> taken;
    for (const Term &t : p_.terms) multiply(t, taken, block);
    finish(fresh(*p_.c, "_block"), block);

    std::vector<uint32_t> turns, rounds, all;
    loop(turns, k_.loop(inner()).name, rows_outside() ? across_ : down_, block, k_.loop(inner()).node);
    loop(rounds, k_.loop(outer()).name, rows_outside() ? down_ : across_, turns, k_.loop(outer()).node);
    if (p_.batch < 0)
      all = rounds;
    else
      loop(all, k_.loop(p_.batch).name, size.batches, rounds, k_.loop(p_.batch).node);
    inside.push_back(c.make(make::For{.target = c.name(core_, k_.function, HTP_STORE),
                                      .iter = c.parse("aie.cores()", k_.function),
                                      .body = all},
                            k_.function));
    const std::string text = "aie.device('" + std::string(device_.name) + "', columns=" + std::to_string(g.columns) +
                             ", rows=" + std::to_string(g.rows) + ")";
    const Node item = c.make(make::withitem{.context_expr = c.parse(text, k_.function)}, k_.function);
    return c.make(make::With{.items = {item}, .body = std::move(inside)}, k_.function);
  }
  bool rows_outside() const { return p_.i < p_.j; }
  int outer() const { return rows_outside() ? p_.i : p_.j; }
  int inner() const { return rows_outside() ? p_.j : p_.i; }
  // Columns of cores have blocks of rows. Every round of rows goes past all rounds of columns.
  Order rounds(int64_t of_batch, int64_t by_rows, int64_t by_columns) const {
    const std::pair<int64_t, int64_t> r{down_, by_rows}, s{across_, by_columns};
    Order order = rows_outside() ? Order{r, s} : Order{s, r};
    if (p_.batch >= 0) order.insert(order.begin(), {p_.product.batches, of_batch});
    return order;
  }
  static Order with(Order order, const Order &more) {
    order.insert(order.end(), more.begin(), more.end());
    return order;
  }
  // A tensor's extents, behind that of the batch.
  Extents padded(const Access &a, Extents extents) const {
    if (in_batch(a)) extents.insert(extents.begin(), p_.product.batches);
    return extents;
  }
  // What is packed goes as it lies, once more for each round that does not move it.
  void from_packed(const std::string &in, const Packing &p, const char *share, std::vector<uint32_t> &inside,
                   std::map<std::string, int64_t> &at) {
    inside.push_back(packed(p, at));
    const int64_t round = p.blocks * count(p.block), all = batches(p.rows) * p.rounds;
    Extents extents = p.block;
    extents.insert(extents.begin(), p.transfers * all * p.blocks);
    const int64_t of_batch = batches(p.rows) > 1 ? p.rounds * round : 0;
    Order order = with(p.rows ? rounds(of_batch, round, 0) : rounds(of_batch, 0, round), {{round, 1}});
    std::erase_if(order, [](const auto &one) { return one.first == 1; });
    inside.push_back(stream(in, *p.operands[0].first, extents, p.block, order, p.transfers > 1 ? all * round : 0, share,
                            2, p.packed));
  }
  void feeds(const std::string &a_packed, const std::string &b_packed, std::vector<uint32_t> &inside,
             std::map<std::string, int64_t> &at) {
    const Grid &g = grid_;
    const Unit &u = *p_.product.unit;
    const int64_t height = down_ * g.columns * g.m, width = across_ * g.rows * g.n, depth = steps_ * g.k,
                  cuts = g.m / g.strip, terms = std::ssize(p_.terms);
    const Extents a_part{g.strip / u.rows, g.k / u.depth, u.rows, u.depth},
        b_part{g.k / u.depth, g.n / u.columns, u.depth, u.columns};
    std::vector<std::pair<const Access *, bool>> as, bs;
    for (const Term &t : p_.terms) as.push_back({t.a, t.a_turned}), bs.push_back({t.b, t.b_turned});
    const Access &a = *as[0].first, &b = *bs[0].first;
    if (p_.packs_a)
      from_packed(a_in_,
                  {as,
                   a_packed,
                   true,
                   g.columns,
                   g.m,
                   down_,
                   g.columns * g.m,
                   {{steps_, 1, g.k, cuts * count(a_part)}, {cuts, 0, g.strip, count(a_part)}},
                   a_part,
                   terms * steps_ * cuts + (p_.product.with_a.tensors > 0 ? 1 : 0)},
                  "all", inside, at);
    else
      inside.push_back(stream(a_in_, a, padded(a, {height, depth}), a_part,
                              with(rounds(in_batch(a) ? height * depth : 0, g.columns * g.m * depth, 0),
                                   {{terms, 0},
                                    {steps_, g.k},
                                    {cuts, g.strip * depth},
                                    {g.strip / u.rows, u.rows * depth},
                                    {g.k / u.depth, u.depth},
                                    {u.rows, depth},
                                    {u.depth, 1}}),
                              g.m * depth, "all", 2));
    // Panels lie one behind the other.
    const bool panels = p_.product.panel;
    const int64_t line = panels ? g.n : width, next = panels ? depth * g.n : g.n;
    if (p_.packs_b)
      from_packed(b_in_,
                  {bs,
                   b_packed,
                   false,
                   g.rows,
                   g.n,
                   across_,
                   g.rows * g.n,
                   {{steps_, 0, g.k, count(b_part)}},
                   b_part,
                   terms * steps_ + (p_.product.with_b.tensors > 0 ? 1 : 0)},
                  "rows", inside, at);
    else
      inside.push_back(
          stream(b_in_, b, padded(b, panels ? Extents{width / g.n, depth, g.n} : Extents{depth, width}), b_part,
                 with(rounds(in_batch(b) ? depth * width : 0, 0, g.rows * next), {{steps_, g.k * line},
                                                                                  {g.k / u.depth, u.depth * line},
                                                                                  {g.n / u.columns, u.columns},
                                                                                  {u.depth, line},
                                                                                  {u.columns, 1}}),
                 next, "rows", 2));
  }
  Node results() const {
    const Grid &g = grid_;
    const Unit &u = *p_.product.unit;
    const int64_t height = down_ * g.columns * g.m, width = across_ * g.rows * g.n;
    return stream(c_out_, *p_.c,
                  padded(*p_.c, p_.product.panel ? Extents{height, width / g.n, g.n} : Extents{height, width}),
                  {1, g.n / u.columns, u.rows, u.columns},
                  with(rounds(height * width, g.columns * g.m * width, g.rows * g.n), {{g.m / u.rows, u.rows * width},
                                                                                       {g.rows, g.n},
                                                                                       {1, u.rows * width},
                                                                                       {g.n / u.columns, u.columns},
                                                                                       {u.rows, width},
                                                                                       {u.columns, 1}}),
                  g.m * width, "each", g.out_depth);
  }
  // So many rows of blocks of a tile, by turns of a loop.
  static std::string part(const std::string &tile, int64_t rows, const std::string &turn, int64_t times) {
    return times == 1 ? tile : "aie.strip(" + tile + ", " + std::to_string(rows) + ", " + turn + ")";
  }
  // A product, a strip of rows at a time.
  void multiply(const Term &t, std::set<std::string> &taken, std::vector<uint32_t> &block) const {
    const Unit &u = *p_.product.unit;
    const int64_t cuts = grid_.m / grid_.strip;
    const std::string strip = c.fresh("strip");
    const auto name = [&](const std::string &tile) { // another product may have loaded the same
      return taken.insert(tile).second ? tile : c.fresh(tile);
    };
    const std::string a_tile = name(t.a_tile), b_tile = name(t.b_tile);
    std::vector<uint32_t> step, strips;
    step.push_back(assign(b_tile, "aie.acquire(" + b_in_ + ", " + core_ + ")", t.b->node));
    strips.push_back(assign(a_tile, "aie.acquire(" + a_in_ + ", " + core_ + ")", t.a->node));
    strips.push_back(
        call("aie.mmul(" + part(t.sums, grid_.strip / u.rows, strip, cuts) + ", " + a_tile + ", " + b_tile + ")",
             t.multiplied));
    strips.push_back(call("aie.release(" + a_in_ + ", " + core_ + ")", t.a->node));
    loop(step, strip, cuts, strips, t.multiplied);
    step.push_back(call("aie.release(" + b_in_ + ", " + core_ + ")", t.b->node));
    const std::string turn(c.name_of(c.get<ast::For>(t.loop).target()));
    loop(block, taken.insert(turn).second ? turn : c.fresh(turn), steps_, step, t.multiplied);
  }
  // What is made of the sums, a row of blocks at a time.
  void finish(const std::string &out, std::vector<uint32_t> &block) const {
    const std::string row = c.fresh("row");
    const int64_t times = grid_.m / p_.product.unit->rows;
    std::vector<uint32_t> rows;
    const std::string acquired = "aie.acquire(" + c_out_ + ", " + core_ + ")";
    const bool of_sums = p_.of_sums(p_.stored);
    if (!of_sums) rows.push_back(assign(p_.stored, acquired, p_.c->node));
    for (const Item &item : p_.behind)
      if (item.node != p_.c->node) finish(item, row, times, rows);
    if (of_sums) {
      rows.push_back(assign(out, acquired, p_.c->node));
      rows.push_back(call("aie.copy(" + out + ", " + part(p_.stored, 1, row, times) + ")", p_.c->node));
    }
    rows.push_back(call("aie.release(" + c_out_ + ", " + core_ + ")", p_.c->node));
    loop(block, row, times, rows, p_.c->node);
  }
  // A statement behind the products, of a row of blocks.
  void finish(const Item &item, const std::string &row, int64_t times, std::vector<uint32_t> &rows) const {
    const Unit &u = *p_.product.unit;
    if (const std::string &name = item.buffer; !name.empty()) {
      const Extents row_of_blocks{1, grid_.n / u.columns, u.rows, u.columns};
      if (name != p_.stored && !p_.sums_at(name))
        rows.push_back(assign(name, buffer_text(buffer_named(name), row_of_blocks), item.node));
      return;
    }
    rows.push_back(rewrite(
        c, item.node,
        [&](Node n) {
          if (!c.as<ast::Name>(n)) return n;
          const std::string name(c.name_of(n));
          if (const std::string *sums = p_.sums_at(name)) return c.parse(part(*sums, 1, row, times), n);
          return line_of(k_, p_, name) == Line::rows && times > 1 ? c.parse(part(name, 1, row, times), n) : n;
        },
        [](Node, std::vector<uint32_t> &) { return false; }));
  }

  const Context &c;
  const Kernel &k_;
  const Device &device_;
  int64_t columns_; // at most
  Products p_;
  Grid grid_;
  int64_t down_ = 1, across_ = 1, steps_ = 1; // rounds of rows, of columns, and through what is summed up
  std::string a_in_, b_in_, c_out_, core_;
};

} // namespace

Node on_grid(const Kernel &kernel, const Device &device, int64_t columns, Refused &why) {
  return OnGrid(kernel, device, columns).run(why);
}

} // namespace htp::aie
