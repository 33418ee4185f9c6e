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
    if (k_.loops.size() != 3 || k_.body.size() != 1) return false;
    if (std::any_of(k_.loops.begin(), k_.loops.end(), [](const Loop &l) { return l.bound; })) return false;
    const auto loop_in = [](const std::vector<Item> &items) {
      return std::find_if(items.begin(), items.end(), [](const Item &i) { return i.loop >= 0; });
    };
    const std::vector<Item> &outer = k_.body[0].body;
    const auto turn = loop_in(outer);
    if (turn == outer.end() || turn + 1 != outer.end()) return false;
    const std::vector<Item> &middle = turn->body;
    const auto inner = loop_in(middle);
    if (inner == middle.end() || !product(inner->body)) return false;
    before_.assign(outer.begin(), turn), before_.insert(before_.end(), middle.begin(), inner);
    behind_.assign(inner + 1, middle.end());
    if (!beside() || !begun() || !finished()) return false;
    packs_a_ = a_transposed_ || product_.with_a.tensors > 0;
    packs_b_ = b_transposed_ || product_.with_b.tensors > 0 || a_->tensor == b_->tensor;
    product_.with_a.by_host = packs_a_, product_.with_b.by_host = packs_b_;
    return !product_.panel || (!packs_a_ && !packs_b_);
  }
  // The loads of two blocks, either of them turned, and their product.
  bool product(const std::vector<Item> &items) {
    std::map<std::string, std::string> turned, reshaped; // a panel's part, without the dimension of 1
    for (const Item &item : items) {
      if (item.loop >= 0) return false;
      if (c.is(item.node, HTP_Assign)) continue;
      const Access *a = access_of(item.node);
      const std::string word = a ? std::string() : word_of(item.node);
      if (multiplied_ || (a && a->stores)) return false;
      if (a) continue;
      const Nodes args = call_of(item.node).args();
      if (word == "copy" || word == "transpose")
        (word == "copy" ? reshaped : turned)[std::string(c.name_of(args[0]))] = std::string(c.name_of(args[1]));
      else if (word != "matmul" || args.size() != 3)
        return false;
      else
        multiplied_ = item.node;
    }
    if (!multiplied_) return false;
    auto k = call_of(multiplied_);
    const auto loaded = [&](Node operand, bool &transposed) {
      std::string name(c.name_of(operand));
      const auto it = turned.find(name);
      transposed = it != turned.end();
      if (transposed) name = it->second, turned.erase(it);
      return name;
    };
    a_tile_ = loaded(k.args()[1], a_transposed_), b_tile_ = loaded(k.args()[2], b_transposed_);
    const bool panels = !reshaped.empty();
    if (panels && (reshaped.size() > 1 || reshaped.begin()->first != b_tile_)) return false;
    if (panels) b_tile_ = reshaped.begin()->second;
    if (!turned.empty() || (panels && b_transposed_)) return false;
    for (const Access &a : k_.accesses) {
      const std::string_view name = c.name_of(call_of(a.node).args()[a.stores ? 1 : 0]);
      if (!a.stores && name == a_tile_) a_ = &a;
      if (!a.stores && name == b_tile_) b_ = &a;
      if (a.stores && c_) return false;
      if (a.stores) c_ = &a;
    }
    sums_ = buffer(k.args()[0]);
    acc_ = std::string(c.name_of(k.args()[0]));
    if (!a_ || !b_ || !c_ || a_ == b_ || !sums_ || a_->index.size() != 2 || b_->index.size() != (panels ? 3u : 2u))
      return false;
    // b[k, j], or b[j, k, :] whose panels are of the columns of a block.
    const int i = a_->index[a_transposed_ ? 1 : 0], l = a_->index[a_transposed_ ? 0 : 1],
              j = b_->index[panels || b_transposed_ ? 0 : 1];
    const auto at = panels ? std::vector{i, j, -1} : std::vector{i, j};
    if (i < 0 || j < 0 || l != 2 || b_->index[panels || b_transposed_ ? 1 : 0] != l || i == j || c_->index != at ||
        (panels && (b_->index[2] >= 0 || k_.loop(j).block != 1)) ||
        sums_->loops != (panels ? std::vector{i, -1} : at) || sums_->path != c_->path || a_->path.size() != 3 ||
        b_->path.size() != 3 || c_->path.size() != 2 || !k_.is_part(a_tile_) || !k_.is_part(b_tile_))
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
  // What a tile that is loaded beside the blocks has, or what is computed of such: an element a column of the sums, a
  // row of them, or one; or none of these.
  enum class Line : uint8_t { none, columns, rows, one };
  Line line_of(const Buffer &b) const {
    if (count(b.extents) == 1 && std::all_of(b.loops.begin(), b.loops.end(), [](int l) { return l < 0; }))
      return Line::one;
    const size_t d = b.loops.size();
    if (d > 2 || d == 0) return Line::none;
    const bool flat = d == 1 || (b.loops[0] < 0 && b.extents[0] == 1);
    if (flat && b.loops[d - 1] == j_) return Line::columns;
    return d == 2 && b.loops[0] == i_ && b.loops[1] < 0 && b.extents[1] == 1 ? Line::rows : Line::none;
  }
  Line line_of(Node name) const {
    const Buffer *b = buffer(name);
    return b ? line_of(*b) : Line::none;
  }
  // What is loaded beside the two, and computed of that alone, is taken out of the statements around the product.
  bool beside() {
    if (product_.panel) return k_.accesses.size() == 3;
    for (const Access &a : k_.accesses) {
      if (&a == a_ || &a == b_ || &a == c_) continue;
      const Node tile = call_of(a.node).args()[0];
      const Line line = line_of(tile);
      const DType *dtype = k_.parameters[a.tensor].dtype;
      const int64_t bytes = dtype->bytes;
      if (line == Line::none || a.path.size() == 3 || k_.written.contains(std::string(c.name_of(tile))) ||
          bytes % product_.bytes || k_.parameters[a.tensor].direction != "in")
        return false;
      Product::Packed &with = line == Line::rows ? product_.with_a : product_.with_b;
      ++with.tensors;
      if (line != Line::one) with.bytes += bytes;
    }
    for (std::vector<Item> *items : {&before_, &behind_})
      for (auto item = items->begin(); item != items->end();) {
        const Access *access = item->loop < 0 ? access_of(item->node) : nullptr;
        if (item->loop >= 0 || access == c_) {
          ++item;
          continue;
        }
        auto a = c.as<ast::Assign>(item->node);
        const Node target = a ? a.targets()[0] : call_of(item->node).args()[0];
        const Line line = line_of(target);
        if (line == Line::none) {
          ++item;
          continue;
        }
        const DType *dtype = k_.dtype_of(*buffer(target));
        if (!dtype) return false;
        if (a) {
          if (line == Line::rows) product_.with_a.tile_bytes += dtype->bytes;
          if (line == Line::columns) product_.with_b.tile_bytes += dtype->bytes;
          if (line == Line::one) product_.with_b.single_bytes += dtype->bytes;
        } else if (!access) {
          const auto times = k_.written.find(std::string(c.name_of(target)));
          if (times == k_.written.end() || times->second != 1 || !by_elements(word_of(item->node))) return false;
          for (const Node n : call_of(item->node).args())
            if (const Line of = line_of(n); buffer(n) && of != line && of != Line::one) return false;
        }
        if (!access && !(a && k_.loaded(std::string(c.name_of(target))))) lines_.push_back(item->node);
        item = items->erase(item);
      }
    return true;
  }
  static bool by_elements(const std::string &word) {
    return !word.starts_with("reduce_") && word != "transpose" && word != "matmul" && word != "call";
  }
  // Before it there is nothing but what the sums begin with.
  bool begun() const {
    bool filled = false;
    for (const Item &item : before_) {
      if (item.loop >= 0) return false;
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
      if (!stored_.empty() || !by_elements(word)) return false;
      for (const Node n : call_of(item.node).args())
        if (const Buffer *b = buffer(n); b && b->loops != sums_->loops) {
          if (line_of(*b) == Line::none) return false;
          if (line_of(*b) != Line::one) ++product_.finish.operations; // as many as a vector has of them
        }
      product_.finish += effort(word, call_of(item.node).args());
    }
    if (in_sums_.erase(stored_) == 0 && stored_ != acc_) product_.scratch_bytes -= product_.out_bytes; // it is the part
    if (one_chain()) product_.scratch_bytes = 0;
    return !stored_.empty();
  }
  // Whether all words go by as many elements at a time as there are sums in a register, so that what one makes the next
  // has in a register (emit/chains.cpp), and everything that is made is read.
  bool one_chain() const {
    std::set<std::string> made, read;
    for (const Item &item : behind_) {
      if (c.is(item.node, HTP_Assign) || item.node == c_->node) continue;
      const Nodes args = call_of(item.node).args();
      int64_t widest = 0;
      for (size_t k = 0; k < args.size(); ++k)
        if (const Buffer *b = buffer(args[k])) {
          const DType *dtype = k_.dtype_of(*b);
          if (!dtype || dtype->word == "bool_") return false;
          widest = std::max(widest, dtype->bytes);
          if (k) read.emplace(c.name_of(args[k]));
        }
      const std::string name(c.name_of(args[0]));
      if (widest != product_.sum_bytes || (!made.insert(name).second && !in_sums_.contains(name))) return false;
    }
    return std::all_of(made.begin(), made.end(), [&](const std::string &name) {
      return name == stored_ || in_sums_.contains(name) || read.contains(name);
    });
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
  // An operand as the host packs it, one block of the product behind the other: what comes with it in a part of its
  // own, then its parts in blocks of the unit. `across` are the loops of the cores' rounds: size, elements, stride.
  struct Packing {
    const Access *access;
    std::string room;
    bool transposed, rows;                            // rows: of the sums, so that this is a
    int64_t transfers, of_transfer, rounds, of_round; // of how many rows, or columns, each of these is
    std::vector<Along> steps;                         // of the parts of a block, in its own dimensions 0 and 1
    std::vector<int64_t> part;                        // in blocks
    int64_t parts = 0;                                // of a block of the product, with what comes in front
  };
  int64_t turned(const Packing &p, int64_t dimension) const { return p.transposed ? 1 - dimension : dimension; }
  // The tensor that the host makes, `aie.pack(…)`, and where in its first part each tile lies.
  Node packed(const Packing &p, std::map<std::string, int64_t> &at) {
    const Parameter &tensor = k_.parameters[p.access->tensor];
    const int64_t of_part = count(p.part), round = p.parts * of_part, transfer = p.rounds * round;
    Parameter room;
    room.dtype = tensor.dtype;
    room.extents = p.part;
    room.extents.insert(room.extents.begin(), p.transfers * p.rounds * p.parts);
    const auto along = [](Place &place, int64_t size, int64_t dimension, int64_t step, int64_t stride) {
      if (size > 1) place.along.push_back({size, dimension, dimension < 0 ? 0 : step, stride});
    };
    const auto of_blocks = [&](const std::string &name, int64_t begin, int64_t dimension) {
      Place place{name, begin, {}};
      along(place, p.transfers, dimension, p.of_transfer, transfer);
      along(place, p.rounds, dimension, p.of_round, round);
      return place;
    };
    int64_t begin = 0;
    const bool comes = (p.rows ? product_.with_a : product_.with_b).tensors > 0;
    Place own = of_blocks(tensor.name, comes ? of_part : 0, turned(p, p.rows ? 0 : 1));
    for (const Along &one : p.steps) along(own, one.size, turned(p, one.dimension), one.step, one.stride);
    const Unit &u = *product_.unit;
    const int64_t r = p.rows ? u.rows : u.depth, n = p.rows ? u.depth : u.columns;
    along(own, p.part[0], turned(p, 0), r, p.part[1] * r * n);
    along(own, p.part[1], turned(p, 1), n, r * n);
    along(own, r, turned(p, 0), 1, n);
    along(own, n, turned(p, 1), 1, 1);
    room.places.push_back(std::move(own));
    for (const Access &a : k_.accesses) {
      const Node tile = call_of(a.node).args()[0];
      if (!beside_with(a, p.rows)) continue;
      const Parameter &other = k_.parameters[a.tensor];
      const int64_t units = other.dtype->bytes / room.dtype->bytes, line = pack_line / room.dtype->bytes;
      int64_t dimension = -1, size = 1;
      for (size_t d = 0; d < a.index.size(); ++d)
        if (a.index[d] >= 0) dimension = static_cast<int64_t>(d), size = p.rows ? grid_.m : grid_.n;
      begin = (begin + line - 1) / line * line;
      Place place = of_blocks(other.name, begin, dimension);
      along(place, size, dimension, 1, units);
      room.places.push_back(std::move(place));
      at[std::string(c.name_of(tile))] = begin;
      begin += size * units;
    }
    const std::string dtype = c.show(buffer_named(p.rows ? a_tile_ : b_tile_).dtype);
    return named(p.room, text_of(room, dtype), p.access->node);
  }
  const Buffer &buffer_named(const std::string &name) const { return k_.buffers.find(name)->second; }
  // Whether something is loaded that comes with a, or with b.
  bool beside_with(const Access &a, bool rows) const {
    return &a != a_ && &a != b_ && &a != c_ && (line_of(call_of(a.node).args()[0]) == Line::rows) == rows;
  }
  // A tile of a line as the sums lie: in blocks of one row, or one column.
  std::vector<int64_t> lying(const Buffer &b) const {
    const Unit &u = *product_.unit;
    switch (line_of(b)) {
    case Line::columns: return {1, grid_.n / u.columns, 1, u.columns};
    case Line::rows: return {grid_.m / u.rows, 1, u.rows, 1};
    default: return b.extents;
    }
  }
  std::string room(const Buffer &b, const std::vector<int64_t> &extents) const {
    return "aie.buffer(" + c.show(b.dtype) + ", " + join(extents, ", ", [](int64_t n) { return std::to_string(n); }) +
           ")";
  }
  // The part that comes in front of an operand's, taken apart.
  void unpack(const std::string &in, const std::string &room_name, const std::string &core, bool rows,
              const std::map<std::string, int64_t> &at, std::vector<uint32_t> &block) const {
    std::string part;
    Node last = HTP_NONE;
    for (const Access &a : k_.accesses) {
      if (!beside_with(a, rows)) continue;
      if (part.empty())
        block.push_back(named(part = c.fresh(room_name + "_part"), "aie.acquire(" + in + ", " + core + ")", a.node));
      const std::string tile(c.name_of(call_of(a.node).args()[0]));
      const Buffer &b = buffer_named(tile);
      block.push_back(named(tile, room(b, lying(b)), a.node));
      block.push_back(said("aie.unpack(" + tile + ", " + part + ", " + std::to_string(at.at(tile)) + ")", a.node));
      last = a.node;
    }
    if (last) block.push_back(said("aie.release(" + in + ", " + core + ")", last));
  }
  // How the operand that is packed is named: by what is in it.
  std::string pack_name(const Access &operand, bool rows) const {
    std::string name = k_.parameters[operand.tensor].name;
    std::set<size_t> seen{operand.tensor};
    for (const Access &a : k_.accesses)
      if (beside_with(a, rows) && seen.insert(a.tensor).second) name += "_" + k_.parameters[a.tensor].name;
    return c.fresh(seen.size() > 1 ? name : name + "_packed");
  }
  Node stream(const std::string &name, const Access &a, const std::vector<int64_t> &padded,
              const std::vector<int64_t> &part, const Order &order, int64_t apart, const char *share, int64_t depth,
              const std::string &packed = {}) {
    Order kept; // but for dimensions of 1 in front of the blocks
    for (size_t k = 0; k < order.size(); ++k)
      if (order[k].first != 1 || k + 4 >= order.size()) kept.push_back(order[k]);
    return named(
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
    const std::string a_room = packs_a_ ? pack_name(*a_, true) : std::string(),
                      b_room = packs_b_ ? pack_name(*b_, false) : std::string();
    const std::string a_in = packs_a_ ? c.fresh(a_room + "_in") : fresh(*a_, "_in"),
                      b_in = packs_b_ ? c.fresh(b_room + "_in") : fresh(*b_, "_in"), c_out = fresh(*c_, "_out"),
                      core = c.fresh("core"), strip = c.fresh("strip"), row = c.fresh("row");
    std::vector<uint32_t> inside = made_by_host(k_);
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
    // What is packed goes as it lies, once more for each round that does not move it.
    std::map<std::string, int64_t> at;
    const auto from_room = [&](const std::string &in, const Packing &p, const char *share) {
      inside.push_back(packed(p, at));
      const int64_t round = p.parts * count(p.part);
      std::vector<int64_t> extents = p.part;
      extents.insert(extents.begin(), p.transfers * p.rounds * p.parts);
      Order order = with(p.rows ? rounds(round, 0) : rounds(0, round), {{round, 1}});
      std::erase_if(order, [](const auto &one) { return one.first == 1; });
      inside.push_back(
          stream(in, *p.access, extents, p.part, order, p.transfers > 1 ? p.rounds * round : 0, share, 2, p.room));
    };
    const int64_t cuts = g.m / g.strip;
    const std::vector<int64_t> a_part{g.strip / u.rows, g.k / u.depth, u.rows, u.depth},
        b_part{g.k / u.depth, g.n / u.columns, u.depth, u.columns};
    if (packs_a_)
      from_room(a_in,
                {a_,
                 a_room,
                 a_transposed_,
                 true,
                 g.columns,
                 g.m,
                 down,
                 g.columns * g.m,
                 {{steps, 1, g.k, cuts * count(a_part)}, {cuts, 0, g.strip, count(a_part)}},
                 a_part,
                 steps * cuts + (product_.with_a.tensors > 0 ? 1 : 0)},
                "all");
    else
      inside.push_back(stream(a_in, *a_, {height, depth}, a_part,
                              with(rounds(g.columns * g.m * depth, 0), {{steps, g.k},
                                                                        {cuts, g.strip * depth},
                                                                        {g.strip / u.rows, u.rows * depth},
                                                                        {g.k / u.depth, u.depth},
                                                                        {u.rows, depth},
                                                                        {u.depth, 1}}),
                              g.m * depth, "all", 2));
    // Panels lie one behind the other.
    const bool panels = product_.panel;
    const int64_t line = panels ? g.n : width, next = panels ? depth * g.n : g.n;
    using Extents = std::vector<int64_t>;
    if (packs_b_)
      from_room(b_in,
                {b_,
                 b_room,
                 b_transposed_,
                 false,
                 g.rows,
                 g.n,
                 across,
                 g.rows * g.n,
                 {{steps, 0, g.k, count(b_part)}},
                 b_part,
                 steps + (product_.with_b.tensors > 0 ? 1 : 0)},
                "rows");
    else
      inside.push_back(stream(b_in, *b_, panels ? Extents{width / g.n, depth, g.n} : Extents{depth, width}, b_part,
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
    const auto part = [&](const std::string &size, const std::string &turn, int64_t times) {
      return times == 1 ? acc_ : "aie.strip(" + acc_ + ", " + size + ", " + turn + ")";
    };
    std::vector<uint32_t> block, step, strips, rows;
    unpack(b_in, b_room, core, false, at, block);
    unpack(a_in, a_room, core, true, at, block);
    for (const Node s : lines_) {
      auto a = c.as<ast::Assign>(s);
      const Buffer *b = a ? buffer(a.targets()[0]) : nullptr;
      block.push_back(b ? named(std::string(c.name_of(a.targets()[0])), room(*b, lying(*b)), s) : s);
    }
    for (const Item &item : before_)
      block.push_back(c.is(item.node, HTP_Assign) ? named(acc_, room(*sums_, sums), item.node) : item.node);
    // A product at a time, of a strip of rows.
    const std::string &a_tile = a_tile_, &b_tile = b_tile_;
    step.push_back(named(b_tile, "aie.acquire(" + b_in + ", " + core + ")", b_->node));
    strips.push_back(named(a_tile, "aie.acquire(" + a_in + ", " + core + ")", a_->node));
    strips.push_back(
        said("aie.mmul(" + part(std::to_string(g.strip / u.rows), strip, cuts) + ", " + a_tile + ", " + b_tile + ")",
             multiplied_));
    strips.push_back(said("aie.release(" + a_in + ", " + core + ")", a_->node));
    loop(step, strip, cuts, strips, multiplied_);
    step.push_back(said("aie.release(" + b_in + ", " + core + ")", b_->node));
    loop(block, k_.loop(2).name, steps, step, multiplied_);
    // What is made of the sums, a row of blocks at a time.
    const std::string here = part("1", row, g.m / u.rows);
    if (stored_ == acc_) {
      const std::string out = fresh(*c_, "_part");
      for (const Item &item : behind_)
        if (item.node != c_->node) finish(item.node, here, row, rows);
      rows.push_back(named(out, "aie.acquire(" + c_out + ", " + core + ")", c_->node));
      rows.push_back(said("aie.copy(" + out + ", " + here + ")", c_->node));
    } else {
      rows.push_back(named(stored_, "aie.acquire(" + c_out + ", " + core + ")", c_->node));
      for (const Item &item : behind_)
        if (item.node != c_->node) finish(item.node, here, row, rows);
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
  void finish(Node s, const std::string &here, const std::string &row, std::vector<uint32_t> &rows) const {
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
          if (sums) return c.parse(here, n);
          const bool a_row = c.as<ast::Name>(n) && line_of(n) == Line::rows && grid_.m > product_.unit->rows;
          return a_row ? c.parse("aie.strip(" + c.show(n) + ", 1, " + row + ")", n) : n;
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
  std::string acc_, a_tile_, b_tile_, stored_;
  bool a_transposed_ = false, b_transposed_ = false;
  bool packs_a_ = false, packs_b_ = false; // by the host
  std::vector<Node> lines_;                // what is computed of what comes with them, before the product
  std::string wrapped_;                    // what is stored, before it gets a dimension of 1 more
  std::set<std::string> in_sums_;          // values that lie where the sums did
  std::vector<Item> before_, behind_;      // the loop of the product
  int i_ = 0, j_ = 0;
};

} // namespace

Node on_grid(const Kernel &kernel, const Device &device, int64_t columns) {
  return OnGrid(kernel, device, columns).run();
}

} // namespace htp::aie
