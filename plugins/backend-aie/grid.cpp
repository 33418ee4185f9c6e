#include "grid.h"

#include "htp_cpp/edit.h"
#include "htp_cpp/writer.h"

#include <algorithm>

namespace htp::aie {

namespace {

using Order = std::vector<std::pair<int64_t, int64_t>>;

std::string tuple(const std::vector<int64_t> &items) {
  return "(" + join(items, ", ", [](int64_t n) { return std::to_string(n); }) + (items.size() == 1 ? ",)" : ")");
}

class OnGrid {
public:
  OnGrid(const Kernel &kernel, const Device &device, int64_t columns)
      : c(kernel.c), k_(kernel), device_(device), columns_(columns) {}

  Node run() {
    if (!matches()) return HTP_NONE;
    grid_ = search_grid(product_, device_, columns_);
    if (!grid_.found()) return HTP_NONE;
    const auto n = [](int64_t v) { return std::to_string(v); };
    c.report(diag::product, multiplied_, n(grid_.m) + " by " + n(grid_.n) + ", " + n(grid_.k) + " deep",
             n(grid_.columns) + " columns of " + n(grid_.rows), device_.name, static_cast<int>(100 * grid_.share + 0.5),
             grid_.bound);
    return written();
  }

private:
  // ── what the kernel is ──

  const Access *access_of(Node statement) const {
    for (const Access &a : k_.accesses)
      if (a.node == statement) return &a;
    return nullptr;
  }
  ast::Call call_of(Node statement) const { return c.get<ast::Call>(c.get<ast::Expr>(statement).value()); }
  std::string word_of(Node statement) const {
    auto e = c.as<ast::Expr>(statement);
    return e ? k_.names.called(e.value()).substr(8) : std::string();
  }
  const Buffer *buffer(Node name) const {
    const auto it = k_.buffers.find(c.name_of(name));
    return it == k_.buffers.end() ? nullptr : &it->second;
  }

  bool matches() {
    if (k_.loops.size() != 3 || k_.accesses.size() != 3 || k_.body.size() != 1) return false;
    if (std::any_of(k_.loops.begin(), k_.loops.end(), [](const Loop &l) { return l.bound; })) return false;
    const Item &outer = k_.body[0];
    if (outer.body.size() != 1 || outer.body[0].loop < 0) return false;
    const std::vector<Item> &middle = outer.body[0].body;
    const auto inner = std::find_if(middle.begin(), middle.end(), [](const Item &i) { return i.loop >= 0; });
    if (inner == middle.end() || !product(inner->body)) return false;
    before_.assign(middle.begin(), inner), behind_.assign(inner + 1, middle.end());
    return begun() && finished();
  }
  // The loads of two blocks, and their product.
  bool product(const std::vector<Item> &items) {
    Node reshaped = HTP_NONE;
    for (const Item &item : items) {
      if (item.loop >= 0) return false;
      if (c.is(item.node, HTP_Assign)) continue;
      const Access *a = access_of(item.node);
      if (!a && !multiplied_ && !reshaped && word_of(item.node) == "copy") {
        reshaped = item.node; // a panel's part, without the dimension of 1
        continue;
      }
      if (a ? a->stores : multiplied_ || word_of(item.node) != "matmul") return false;
      if (!a) multiplied_ = item.node;
    }
    if (!multiplied_) return false;
    auto k = call_of(multiplied_);
    if (k.args().size() != 3) return false;
    b_tile_ = std::string(c.name_of(k.args()[2]));
    if (reshaped) {
      if (c.name_of(call_of(reshaped).args()[0]) != b_tile_) return false;
      b_tile_ = std::string(c.name_of(call_of(reshaped).args()[1]));
    }
    for (const Access &a : k_.accesses) {
      const std::string_view name = c.name_of(call_of(a.node).args()[a.stores ? 1 : 0]);
      if (!a.stores && name == c.name_of(k.args()[1])) a_ = &a;
      if (!a.stores && name == b_tile_) b_ = &a;
      if (a.stores) c_ = &a;
    }
    sums_ = buffer(k.args()[0]);
    acc_ = std::string(c.name_of(k.args()[0]));
    if (!a_ || !b_ || !c_ || a_ == b_ || !sums_ || a_->index.size() != 2 || b_->index.size() != (reshaped ? 3u : 2u))
      return false;
    // b[k, j], or b[j, k, :] whose panels are of the columns of a block.
    const bool panels = b_->index.size() == 3;
    const int i = a_->index[0], l = a_->index[1], j = b_->index[panels ? 0 : 1];
    const auto at = panels ? std::vector{i, j, -1} : std::vector{i, j};
    if (i < 0 || j < 0 || l != 2 || b_->index[panels ? 1 : 0] != l || i == j || c_->index != at ||
        (panels && (b_->index[2] >= 0 || k_.loop(j).block != 1)) ||
        sums_->loops != (panels ? std::vector{i, -1} : at) || sums_->path != c_->path || a_->path.size() != 3 ||
        b_->path.size() != 3 || c_->path.size() != 2 || !k_.is_part(std::string(c.name_of(k.args()[1]))) ||
        !k_.is_part(b_tile_))
      return false;
    i_ = i, j_ = j;
    const Parameter &from = k_.parameters[a_->tensor], &to = k_.parameters[c_->tensor];
    if (panels) product_.panel = to.extents[2];
    if (panels && product_.panel != k_.parameters[b_->tensor].extents[2]) return false;
    const DType *sums = k_.dtype_of(*sums_);
    if (!sums || !(product_.unit = unit_of(device_.name, from.dtype->word, sums->word))) return false;
    if (product_.panel % product_.unit->columns) return false;
    product_.rows = k_.loop(i).extent, product_.depth = k_.loop(l).extent;
    product_.columns = k_.loop(j).extent * std::max<int64_t>(product_.panel, 1);
    product_.bytes = from.dtype->bytes, product_.sum_bytes = sums->bytes, product_.out_bytes = to.dtype->bytes;
    return true;
  }
  // Before it there is nothing but what the sums begin with.
  bool begun() const {
    bool filled = false;
    for (const Item &item : before_) {
      if (auto a = c.as<ast::Assign>(item.node)) {
        if (c.name_of(a.targets()[0]) != acc_) return false;
      } else if (filled || word_of(item.node) != "fill" || c.name_of(call_of(item.node).args()[0]) != acc_) {
        return false;
      } else {
        filled = true;
      }
    }
    return filled;
  }
  // Behind it the elements go their own ways, and are stored.
  bool finished() {
    if (product_.panel && !unwrapped()) return false;
    for (const Item &item : behind_) {
      if (item.loop >= 0) return false;
      if (auto a = c.as<ast::Assign>(item.node)) {
        const Buffer *b = buffer(a.targets()[0]);
        const DType *dtype = b ? k_.dtype_of(*b) : nullptr;
        if (!dtype || b->loops != sums_->loops) return false;
        const std::string name(c.name_of(a.targets()[0]));
        if (instead_of_sums(name, dtype))
          in_sums_.insert(name);
        else
          product_.scratch_bytes += dtype->bytes;
        continue;
      }
      if (item.node == c_->node) {
        stored_ = given();
        if (!k_.buffers.contains(stored_)) return false;
        continue;
      }
      const std::string word = word_of(item.node);
      if (!stored_.empty() || word.starts_with("reduce_") || word == "transpose" || word == "matmul") return false;
      for (const Node n : call_of(item.node).args())
        if (const Buffer *b = buffer(n); b && b->loops != sums_->loops) return false;
      product_.finish += effort(word, call_of(item.node).args());
    }
    if (in_sums_.erase(stored_) == 0 && stored_ != acc_) product_.scratch_bytes -= product_.out_bytes; // it is the part
    return !stored_.empty();
  }
  Effort effort(const std::string &word, Nodes args) const {
    const auto dtype = [&](Node n) {
      const Buffer *b = buffer(n);
      return b ? k_.dtype_of(*b) : nullptr;
    };
    const DType *to = dtype(args[0]), *of = nullptr;
    bool number = false;
    for (const Node n : args.subspan(1))
      if (const DType *d = dtype(n))
        of = of ? of : d;
      else
        number = true;
    return of && to ? effort_of(word, *of, *to, number) : Effort();
  }
  // Of panels: what is stored has a dimension of 1 more than what was computed, and is nothing else.
  bool unwrapped() {
    const std::string to(c.name_of(call_of(c_->node).args()[1]));
    for (const Item &item : behind_)
      if (item.loop < 0 && word_of(item.node) == "copy" && c.name_of(call_of(item.node).args()[0]) == to)
        wrapped_ = std::string(c.name_of(call_of(item.node).args()[1]));
    std::erase_if(behind_, [&](const Item &item) {
      auto a = c.as<ast::Assign>(item.node);
      return item.loop < 0 && item.node != c_->node &&
             c.name_of(a ? a.targets()[0] : call_of(item.node).args()[0]) == to;
    });
    return !wrapped_.empty();
  }
  std::string given() const {
    return wrapped_.empty() ? std::string(c.name_of(call_of(c_->node).args()[1])) : wrapped_;
  }
  // Whether a value may take the place of the sums: it is of their dtype, and they are not read after it was made.
  bool instead_of_sums(const std::string &name, const DType *dtype) const {
    if (dtype != k_.dtype_of(*sums_)) return false;
    bool made = false;
    for (const Item &item : behind_) {
      if (c.is(item.node, HTP_Assign)) continue;
      const Nodes args = call_of(item.node).args();
      if (made && item.node != c_->node)
        for (const Node n : args)
          if (const std::string other(c.name_of(n)); other == acc_ || in_sums_.contains(other)) return false;
      if (item.node == c_->node && given() == acc_) return false;
      made = made || c.name_of(args[0]) == name;
    }
    return true;
  }

  // ── what becomes of it ──

  Node said(const std::string &text, Node origin) const { return c.statement(c.parse(text, origin), origin); }
  Node named(const std::string &name, const std::string &text, Node origin) const {
    return c.assign(name, HTP_NONE, c.parse(text, origin), origin);
  }
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
  Node stream(const std::string &name, const Access &a, const std::vector<int64_t> &padded,
              const std::vector<int64_t> &part, const Order &order, int64_t apart, const char *share, int64_t depth) {
    Order kept; // but for dimensions of 1 in front of the blocks
    for (size_t k = 0; k < order.size(); ++k)
      if (order[k].first != 1 || k + 4 >= order.size()) kept.push_back(order[k]);
    return named(
        name,
        std::string(a.stores ? "aie.collect(" : "aie.feed(") + k_.parameters[a.tensor].name + ", " + tuple(padded) +
            ", " + tuple(part) + ", (" +
            join(kept, ", ",
                 [](const auto &x) { return "(" + std::to_string(x.first) + ", " + std::to_string(x.second) + ")"; }) +
            "), " + std::to_string(apart) + ", '" + share + "', " + std::to_string(depth) + ")",
        a.node);
  }
  Node written() {
    const Grid &g = grid_;
    const Unit &u = *product_.unit;
    const auto over = [](int64_t n, int64_t by) { return (n + by - 1) / by; };
    const int64_t down = over(product_.rows, g.columns * g.m), across = over(product_.columns, g.rows * g.n),
                  steps = over(product_.depth, g.k);
    const int64_t height = down * g.columns * g.m, width = across * g.rows * g.n, depth = steps * g.k;
    const auto fresh = [&](const Access &a, const char *suffix) {
      return c.fresh(k_.parameters[a.tensor].name + suffix);
    };
    const std::string a_in = fresh(*a_, "_in"), b_in = fresh(*b_, "_in"), c_out = fresh(*c_, "_out"),
                      core = c.fresh("core"), strip = c.fresh("strip"), row = c.fresh("row");
    std::vector<uint32_t> inside;
    // Columns of cores have blocks of rows. Every round of rows goes past all rounds of columns.
    const bool rows_outside = i_ == 0;
    const auto rounds = [&](int64_t by_rows, int64_t by_columns) {
      const std::pair<int64_t, int64_t> r{down, by_rows}, s{across, by_columns};
      return rows_outside ? Order{r, s} : Order{s, r};
    };
    const auto with = [](Order order, const Order &more) {
      order.insert(order.end(), more.begin(), more.end());
      return order;
    };
    inside.push_back(stream(a_in, *a_, {height, depth}, {g.strip / u.rows, g.k / u.depth, u.rows, u.depth},
                            with(rounds(g.columns * g.m * depth, 0), {{steps, g.k},
                                                                      {g.m / g.strip, g.strip * depth},
                                                                      {g.strip / u.rows, u.rows * depth},
                                                                      {g.k / u.depth, u.depth},
                                                                      {u.rows, depth},
                                                                      {u.depth, 1}}),
                            g.m * depth, "all", 2));
    // Panels lie one behind the other.
    const bool panels = product_.panel;
    const int64_t line = panels ? g.n : width, next = panels ? depth * g.n : g.n;
    using Extents = std::vector<int64_t>;
    inside.push_back(stream(b_in, *b_, panels ? Extents{width / g.n, depth, g.n} : Extents{depth, width},
                            {g.k / u.depth, g.n / u.columns, u.depth, u.columns},
                            with(rounds(0, g.rows * next), {{steps, g.k * line},
                                                            {g.k / u.depth, u.depth * line},
                                                            {g.n / u.columns, u.columns},
                                                            {u.depth, line},
                                                            {u.columns, 1}}),
                            next, "rows", 2));
    inside.push_back(stream(c_out, *c_, panels ? Extents{height, width / g.n, g.n} : Extents{height, width},
                            {1, g.n / u.columns, u.rows, u.columns},
                            with(rounds(g.columns * g.m * width, g.rows * g.n), {{g.m / u.rows, u.rows * width},
                                                                                 {g.rows, g.n},
                                                                                 {1, u.rows * width},
                                                                                 {g.n / u.columns, u.columns},
                                                                                 {u.rows, width},
                                                                                 {u.columns, 1}}),
                            g.m * width, "each", g.out_depth));

    const std::vector<int64_t> sums{g.m / u.rows, g.n / u.columns, u.rows, u.columns};
    const auto room = [&](const Buffer &b, const std::vector<int64_t> &extents) {
      return "aie.buffer(" + c.show(b.dtype) + ", " + join(extents, ", ", [](int64_t n) { return std::to_string(n); }) +
             ")";
    };
    const auto part = [&](const std::string &size, const std::string &at, int64_t times) {
      return times == 1 ? acc_ : "aie.strip(" + acc_ + ", " + size + ", " + at + ")";
    };
    std::vector<uint32_t> block, step, strips, rows;
    for (const Item &item : before_)
      block.push_back(c.is(item.node, HTP_Assign) ? named(acc_, room(*sums_, sums), item.node) : item.node);
    // A product at a time, of a strip of rows.
    auto k = call_of(multiplied_);
    const std::string a_tile(c.name_of(k.args()[1])), &b_tile = b_tile_;
    step.push_back(named(b_tile, "aie.acquire(" + b_in + ", " + core + ")", b_->node));
    strips.push_back(named(a_tile, "aie.acquire(" + a_in + ", " + core + ")", a_->node));
    const int64_t cut = g.m / g.strip;
    strips.push_back(
        said("aie.mmul(" + part(std::to_string(g.strip / u.rows), strip, cut) + ", " + a_tile + ", " + b_tile + ")",
             multiplied_));
    strips.push_back(said("aie.release(" + a_in + ", " + core + ")", a_->node));
    loop(step, strip, cut, strips, multiplied_);
    step.push_back(said("aie.release(" + b_in + ", " + core + ")", b_->node));
    loop(block, k_.loop(2).name, steps, step, multiplied_);
    // What is made of the sums, a row of blocks at a time.
    const std::string here = part("1", row, g.m / u.rows);
    if (stored_ == acc_) {
      const std::string out = fresh(*c_, "_part");
      for (const Item &item : behind_)
        if (item.node != c_->node) finish(item.node, here, rows);
      rows.push_back(named(out, "aie.acquire(" + c_out + ", " + core + ")", c_->node));
      rows.push_back(said("aie.copy(" + out + ", " + here + ")", c_->node));
    } else {
      rows.push_back(named(stored_, "aie.acquire(" + c_out + ", " + core + ")", c_->node));
      for (const Item &item : behind_)
        if (item.node != c_->node) finish(item.node, here, rows);
    }
    rows.push_back(said("aie.release(" + c_out + ", " + core + ")", c_->node));
    loop(block, row, g.m / u.rows, rows, c_->node);
    std::vector<uint32_t> turns, all;
    loop(turns, k_.loop(1).name, rows_outside ? across : down, block, k_.body[0].body[0].node);
    loop(all, k_.loop(0).name, rows_outside ? down : across, turns, k_.body[0].node);
    inside.push_back(c.make(make::For{.target = c.name(core, k_.function, HTP_STORE),
                                      .iter = c.parse("aie.cores()", k_.function),
                                      .body = all},
                            k_.function));
    const std::string text = "aie.device('" + std::string(device_.name) + "', columns=" + std::to_string(g.columns) +
                             ", rows=" + std::to_string(g.rows) + ")";
    const Node item = c.make(make::withitem{.context_expr = c.parse(text, k_.function)}, k_.function);
    return c.make(make::With{.items = {item}, .body = std::move(inside)}, k_.function);
  }
  // A statement behind the product, of a row of blocks.
  void finish(Node s, const std::string &here, std::vector<uint32_t> &rows) const {
    if (auto a = c.as<ast::Assign>(s)) {
      const std::string name(c.name_of(a.targets()[0]));
      const Unit &u = *product_.unit;
      if (name != stored_ && !in_sums_.contains(name))
        rows.push_back(named(name,
                             "aie.buffer(" + c.show(buffer(a.targets()[0])->dtype) + ", 1, " +
                                 std::to_string(grid_.n / u.columns) + ", " + std::to_string(u.rows) + ", " +
                                 std::to_string(u.columns) + ")",
                             s));
      return;
    }
    rows.push_back(rewrite(
        c, s,
        [&](Node n) {
          const bool sums =
              c.as<ast::Name>(n) && (c.name_of(n) == acc_ || in_sums_.contains(std::string(c.name_of(n))));
          return sums ? c.parse(here, n) : n;
        },
        [](Node, std::vector<uint32_t> &) { return false; }));
  }

  const Context &c;
  const Kernel &k_;
  const Device &device_;
  int64_t columns_; // at most
  Product product_;
  Grid grid_;
  const Access *a_ = nullptr, *b_ = nullptr, *c_ = nullptr;
  const Buffer *sums_ = nullptr;
  Node multiplied_ = HTP_NONE;
  std::string acc_, b_tile_, stored_;
  std::string wrapped_;               // what is stored, before it gets a dimension of 1 more
  std::set<std::string> in_sums_;     // values that lie where the sums did
  std::vector<Item> before_, behind_; // the loop of the product
  int i_ = 0, j_ = 0;
};

} // namespace

Node on_grid(const Kernel &kernel, const Device &device, int64_t columns) {
  return OnGrid(kernel, device, columns).run();
}

} // namespace htp::aie
