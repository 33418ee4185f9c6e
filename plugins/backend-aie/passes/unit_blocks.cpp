// Products by the matrix units: what they multiply and add up lies in blocks. Memory tiles make blocks of the rows of
// tensors, and rows of what is collected; the host packs in blocks; between cores blocks stay what they are.
#include "analyses/blocks.h"
#include "analyses/host_made.h"
#include "analyses/links.h"

#include "htp_cpp/edit.h"
#include "htp_cpp/writer.h"

#include <algorithm>

namespace htp::aie {

namespace {

using Order = std::vector<std::pair<int64_t, int64_t>>; // size, stride; outermost first

// The step over the last `size` elements of an order, which are taken off it; nothing where it is not the same for all.
std::optional<int64_t> take(Order &order, int64_t size) {
  while (!order.empty() && order.back().first == 1) order.pop_back();
  if (size == 1) return 1;
  if (order.empty() || order.back().first % size) return std::nullopt;
  auto &[n, stride] = order.back();
  const int64_t step = stride;
  n /= size, stride *= size;
  return step;
}
// The order of a stream whose blocks, of these extents, are tiled for the matrix units; nothing where there is none.
std::optional<Order> order_in_blocks(const Stream &s, const std::vector<int64_t> &part, const Block &block) {
  Order order = s.order;
  const int64_t columns = part.back(), rows = part.size() > 1 ? part[part.size() - 2] : 1;
  const auto along = take(order, columns), down = along ? take(order, rows) : std::nullopt;
  if (!down) return std::nullopt;
  while (!order.empty() && order.back().first == 1) order.pop_back();
  order.insert(order.end(), {{rows / block.rows, block.rows * *down},
                             {columns / block.columns, block.columns * *along},
                             {block.rows, *down},
                             {block.columns, *along}});
  return order;
}

std::string text_of(const Order &order) {
  std::string text = "(";
  for (const auto &[size, stride] : order) text += "(" + std::to_string(size) + ", " + std::to_string(stride) + "), ";
  return text + ")";
}

class Laying {
public:
  Laying(const Context &context, const Program &program) : c(context), p(program) {
    for (const Stream &s : p.streams) layout_.tiles[key_of(s)] = {s.block, std::string(s.dtype->name)};
    if (p.alike)
      for (const Stream &s : p.streams)
        if (s.tensor && !s.tensor->packed.empty()) packed(s);
    for (const Core &core : p.cores) uses(core, core.body);
    for (const Stream &s : p.streams)
      if (s.tensor && !packed_.contains(&s) &&
          (!s.tensor->packed.empty() || !order_in_blocks(s, extents_of(s), {1, 1})))
        in_rows(s);
    blocks_ = blocks_of(p.device, layout_);
  }

  UnitBlocks laid(Node entry) const {
    if (blocks_.products.empty()) return {};
    const Node made = rewrite(
        c, entry, [](Node n) { return n; },
        [&](Node s, std::vector<uint32_t> &list) {
          const Node laid = statement(s);
          if (laid) list.push_back(laid);
          return laid != HTP_NONE;
        });
    return {made, calls_.at(*blocks_.products.begin())};
  }

  Refusal kept(Node product) const {
    const auto it = blocks_.kept.find(product);
    if (it == blocks_.kept.end()) return {};
    const Blocks::Kept &k = it->second;
    if (k.by) return blocks_.kept.contains(k.by) ? kept(k.by) : by(k.by);
    const auto text = [](int64_t rows, int64_t columns) {
      return std::to_string(rows) + " by " + std::to_string(columns);
    };
    if (k.one != k.other)
      return Refusal(diag::two_blocks, text(k.one.rows, k.one.columns), text(k.other.rows, k.other.columns));
    const std::vector<int64_t> &e = layout_.tiles.at(k.tile).extents;
    return Refusal(diag::uneven_tile, text(e.size() > 1 ? e[e.size() - 2] : 1, e.back()),
                   text(k.one.rows, k.one.columns));
  }

private:
  static std::string key_of(const Stream &s) { return "stream " + s.name; }
  static std::string key_of(const Core &core, const Tile &t) {
    return t.stream ? key_of(*t.stream) : core.name + " " + t.name;
  }
  const std::vector<int64_t> &extents_of(const Stream &s) const { return layout_.tiles.at(key_of(s)).extents; }
  // A block of (32, 1, 1, 8) that is only copied from or to a tile of (32, 8) may as well have that one's extents.
  void seen_as(const Tile *part, const Tile *tile) {
    if (!part || !tile || !part->stream || tile->stream || part->extents == tile->extents) return;
    const auto long_ones = [](std::vector<int64_t> extents) {
      std::erase(extents, 1);
      return extents;
    };
    if (long_ones(part->extents) == long_ones(tile->extents))
      layout_.tiles.at(key_of(*part->stream)).extents = tile->extents;
  }
  // Where the host packs the tiles that a stream brings: those that are blocks of it, and those taken out of them.
  void packed(const Stream &s) {
    const int64_t elements = count(s.block), by = s.each ? p.rows : 1;
    std::map<const Tile *, int64_t> blocks; // in the first iteration of all loops
    int64_t number = 0;
    bool good = s.start == 0;
    const auto place_at = [&](int64_t at) -> const PackedTensor * {
      for (const PackedTensor &slice : s.tensor->packed)
        if (slice.at == at) return &slice;
      return nullptr;
    };
    std::map<Node, const PackedTensor *> found;
    const auto look = [&](const auto &self, const std::vector<Statement> &body) -> void {
      for (const Statement &n : body) {
        if (n.kind == Statement::Kind::acquire && n.stream == &s) blocks[n.tile] = number++;
        if (n.kind == Statement::Kind::call && n.name == "unpack" && blocks.contains(n.operands[0].tile))
          good = (found[n.node] = place_at(blocks[n.operands[0].tile] * by * elements + n.axis)) && good;
        if (n.kind != Statement::Kind::loop) continue;
        const int64_t before = number;
        self(self, n.body);
        number += (number - before) * (n.times - 1);
      }
    };
    look(look, p.cores.front().body);
    for (const auto &[tile, block] : blocks) { // one that is used as it is
      const bool whole =
          std::none_of(found.begin(), found.end(), [&](const auto &f) { return unpacks(f.first, tile); });
      if (const PackedTensor *slice = whole ? place_at(block * by * elements) : nullptr; whole)
        good = slice && good, direct_[&s].push_back(slice);
    }
    if (!good) return;
    packed_.insert(&s);
    places_.insert(found.begin(), found.end());
  }
  bool unpacks(Node statement, const Tile *part) const {
    bool found = false;
    const auto look = [&](const auto &self, const std::vector<Statement> &body) -> void {
      for (const Statement &n : body) {
        found = found || (n.node == statement && n.operands[0].tile == part);
        self(self, n.body);
      }
    };
    look(look, p.cores.front().body);
    return found;
  }
  // The same elements for a tile in blocks.
  static PackedTensor in_blocks_of(PackedTensor slice, const std::vector<int64_t> &extents, const Block &block) {
    const auto inner =
        static_cast<size_t>(std::count_if(extents.begin(), extents.end(), [](int64_t e) { return e > 1; }));
    std::vector<Along> own(slice.along.end() - static_cast<ptrdiff_t>(inner), slice.along.end()), all, within;
    slice.along.resize(slice.along.size() - inner);
    const int64_t unit = own.empty() ? 1 : own.back().stride;
    size_t at = 0;
    for (size_t d = 0; d < extents.size(); ++d) {
      if (extents[d] == 1) continue;
      Along one = own[at++];
      const bool last = d + 1 == extents.size(), row = d + 2 == extents.size();
      if (const int64_t size = last ? block.columns : row ? block.rows : 1; size > 1) {
        within.push_back({size, one.dimension, one.step, 0});
        one.size /= size, one.step *= size;
      }
      all.push_back(one);
    }
    all.insert(all.end(), within.begin(), within.end());
    int64_t stride = unit;
    for (size_t k = all.size(); k-- > 0; stride *= all[k].size) all[k].stride = stride;
    std::erase_if(all, [](const Along &a) { return a.size == 1; });
    slice.along.insert(slice.along.end(), all.begin(), all.end());
    return slice;
  }
  const Stream *stream_at(Node s) const {
    for (const Stream &one : p.streams)
      if (one.node == s) return &one;
    return nullptr;
  }
  void in_rows(const Stream &s) { layout_.uses.push_back({"call", {key_of(s)}, s.node}); }
  void uses(const Core &core, const std::vector<Statement> &body) {
    for (const Statement &s : body) {
      if (s.kind == Statement::Kind::buffer) {
        layout_.tiles[key_of(core, *s.tile)] = {s.tile->extents, std::string(s.tile->dtype->name)};
        buffers_[s.node] = key_of(core, *s.tile);
      }
      uses(core, s.body);
      if (s.kind != Statement::Kind::call) continue;
      if (s.name == "copy") seen_as(s.tile, s.operands[0].tile), seen_as(s.operands[0].tile, s.tile);
      // A block of a tile, what is unpacked, and numbers that count places have an order of their own.
      bool rows = s.external || s.name == "unpack" || s.name == "iota" || s.tile->whole;
      Layout::Use use{s.name, {key_of(core, s.tile->whole ? *s.tile->whole : *s.tile)}, s.node};
      for (const Operand &o : s.operands) {
        rows = rows || (o.tile && o.tile->whole);
        use.tiles.push_back(!o.tile ? "" : key_of(core, o.tile->whole ? *o.tile->whole : *o.tile));
      }
      if (rows) use.operation = "call";
      calls_[s.node] = &s;
      if (!places_.contains(s.node)) layout_.uses.push_back(std::move(use));
    }
  }
  // Of a statement that has a tile in rows.
  Refusal by(Node s) const {
    const auto call = calls_.find(s);
    const Stream *stream = call == calls_.end() ? stream_at(s) : nullptr;
    if (stream && stream->tensor->packed.empty()) return Refusal(diag::uneven_rows, stream->tensor->name);
    if (stream || call->second->name == "unpack") return Refusal(diag::packed_operand);
    const std::string shown = c.show(c.get<ast::Expr>(s).value());
    return Refusal(call->second->name == "copy" ? diag::reshaped_operand : diag::tile_in_rows, shown);
  }

  Node call_of(Node s, const make::Call &call) const {
    return with_value(c, s, c.with(c.get<ast::Assign>(s).value(), call));
  }
  // A statement whose tile lies in blocks, or whose product is of these; else 0.
  Node statement(Node s) const {
    if (blocks_.products.contains(s)) {
      auto k = c.get<ast::Call>(c.get<ast::Expr>(s).value());
      const std::string operands = join(k.args(), ", ", [&](Node n) { return c.show(n); });
      return c.statement(c.parse("aie.mmul(" + operands + ")", s), s);
    }
    if (const auto buffer = buffers_.find(s); buffer != buffers_.end()) {
      const auto block = blocks_.of.find(buffer->second);
      if (block == blocks_.of.end()) return HTP_NONE;
      auto k = c.read<ast::Call>(c.get<ast::Assign>(s).value());
      k.args.resize(1);
      for (const int64_t n : in_blocks(layout_.tiles.at(buffer->second).extents, block->second))
        k.args.push_back(c.integer_node(n, s));
      return call_of(s, k);
    }
    for (const Stream *packed : packed_)
      if (packed->tensor->node == s) return host_packed(*packed);
    const Stream *stream = stream_at(s);
    const auto block = stream ? blocks_.of.find(key_of(*stream)) : blocks_.of.end();
    if (block == blocks_.of.end()) return HTP_NONE;
    auto k = c.read<ast::Call>(c.get<ast::Assign>(s).value());
    std::vector<int64_t> extents = in_blocks(extents_of(*stream), block->second);
    if (stream->tensor) // which has fewer dimensions than a tiled block
      extents.insert(extents.begin(), std::max(stream->tensor->extents.size() + 1, extents.size()) - extents.size(), 1);
    const Node part = c.parse(tuple(extents), s);
    if (!stream->tensor) {
      k.args[1] = part;
      return call_of(s, k);
    }
    if (packed_.contains(stream)) {
      k.args[1] = c.parse(tuple(packed_extents(*stream, block->second)), s),
      k.args[2] = c.parse(tuple(in_blocks(extents_of(*stream), block->second)), s);
      return call_of(s, k);
    }
    k.args[2] = part, k.args[3] = c.parse(text_of(*order_in_blocks(*stream, extents_of(*stream), block->second)), s);
    if (!p.alike && block->second.rows > 1 && block->second.columns > 1) {
      const Node link = c.string_node(link_of(p, *stream, "_rows"), s);
      k.keywords.push_back(c.make(make::keyword{.arg = std::string("link"), .value = link}, s));
    }
    return call_of(s, k);
  }

  // What is packed, of blocks of this.
  std::vector<int64_t> packed_extents(const Stream &s, const Block &block) const {
    std::vector<int64_t> extents = s.tensor->extents;
    const std::vector<int64_t> made = in_blocks(extents_of(s), block);
    extents.resize(extents.size() - s.block.size());
    extents.insert(extents.end(), made.begin(), made.end());
    return extents;
  }
  Node host_packed(const Stream &s) const {
    Parameter made = *s.tensor;
    const auto block = blocks_.of.find(key_of(s));
    bool any = false;
    const auto lies = [&](const PackedTensor *slice, const std::vector<int64_t> &extents, const Block &in) {
      made.packed[static_cast<size_t>(slice - s.tensor->packed.data())] = in_blocks_of(*slice, extents, in);
      any = true;
    };
    if (block != blocks_.of.end()) {
      made.extents = packed_extents(s, block->second);
      const auto direct = direct_.find(&s);
      for (const PackedTensor *slice : direct == direct_.end() ? std::vector<const PackedTensor *>() : direct->second)
        lies(slice, extents_of(s), block->second);
    }
    for (const auto &[node, slice] : places_) {
      if (slice < s.tensor->packed.data() || slice >= s.tensor->packed.data() + s.tensor->packed.size()) continue;
      const Tile &tile = *calls_.at(node)->tile;
      const auto own = blocks_.of.find(key_of(p.cores.front(), tile));
      if (own != blocks_.of.end()) lies(slice, tile.extents, own->second);
    }
    auto call = c.get<ast::Call>(c.get<ast::Assign>(made.node).value());
    return any ? with_value(c, made.node, c.parse(host_made_text(made, c.show(call.args()[0])), made.node)) : HTP_NONE;
  }

  const Context &c;
  const Program &p;
  std::set<const Stream *> packed_;             // whose tiles the host may pack in blocks
  std::map<Node, const PackedTensor *> places_; // of what is taken out of their blocks, by the statements
  std::map<const Stream *, std::vector<const PackedTensor *>> direct_; // of blocks that are tiles
  Layout layout_;
  Blocks blocks_;
  std::map<Node, std::string> buffers_; // their keys
  std::map<Node, const Statement *> calls_;
};

} // namespace

UnitBlocks with_unit_blocks(const Context &c, const Program &p, Node entry) { return Laying(c, p).laid(entry); }

Refusal kept_in_rows(const Context &c, const Program &p, Node product) { return Laying(c, p).kept(product); }

} // namespace htp::aie
