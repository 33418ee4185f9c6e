// aie.pack_loads, where cores are alike: tiles that were chosen come by one stream of a tensor that the host packs.
// What is loaded at once comes in one block, or each tile in one of its own.
#include "on_cores.h"

#include "spreading/packing.h"

#include "htp_cpp/types.h"

#include <algorithm>

namespace htp::aie::cores {

namespace {

// What comes in one block, at the first of its loads.
struct PackedBlock {
  struct Piece {
    Item *load = nullptr;
    int64_t at = 0; // in elements of the block
  };
  std::vector<size_t> path;
  std::vector<Piece> pieces;
  bool open = false;   // others may come with it: nothing is done with its tile before it is loaded
  bool direct = false; // the block is the tile
  int64_t before = 0;  // blocks before it, in the first iteration of all loops
};

class SharedPacking {
public:
  SharedPacking(const Context &context, Cores &all, bool apart)
      : c(context), all_(all), p(all.processes[0]), apart_(apart) {}

  void pack(const std::vector<std::string> &tiles) {
    blocks_.clear(), each_iteration_.clear(), loads_.clear();
    size_t position = 0;
    std::map<std::string, std::vector<size_t>> writes;
    each(p.body, [&](Item &i) {
      position_[&i] = ++position;
      if (i.kind == Item::Kind::call || i.kind == Item::Kind::load) writes[i.tile].push_back(position);
      if (i.kind == Item::Kind::load && std::find(tiles.begin(), tiles.end(), i.tile) != tiles.end())
        loads_.push_back(&i);
    });
    if (loads_.empty()) return;
    by_column_ = by_row_ = false, once_ = true, dtype_ = nullptr;
    for (const Item *i : loads_) {
      const Access &a = access(*i);
      const DType *d = all_.parameters[a.tensor].dtype;
      if (!dtype_ || d->bytes < dtype_->bytes) dtype_ = d;
      for (const Slice &s : a.index) {
        by_column_ = by_column_ || s.column, by_row_ = by_row_ || s.row;
        once_ = once_ && (s.whole || all_.parameters[a.tensor].scalar);
      }
      once_ = once_ && writes[i->tile].size() == 1;
    }
    for (Item *i : loads_) {
      const bool open = writes[i->tile].size() == 1 || (writes[i->tile][0] == position_[i] && loaded_once(i->tile));
      add(i, once_ ? std::vector<size_t>() : access(*i).path, open && !apart_);
    }
    lay();
    choose_block(writes);
    rewrite();
  }

private:
  const Access &access(const Item &i) const { return all_.accesses[i.access]; }
  bool loaded_once(const std::string &tile) const {
    return std::count_if(loads_.begin(), loads_.end(), [&](const Item *i) { return i->tile == tile; }) == 1;
  }
  void add(Item *load, const std::vector<size_t> &path, bool open) {
    const auto with = std::find_if(blocks_.begin(), blocks_.end(),
                                   [&](const PackedBlock &b) { return open && b.open && b.path == path; });
    PackedBlock &b = with != blocks_.end() ? *with : blocks_.emplace_back();
    b.path = path, b.open = open;
    b.pieces.push_back({load});
  }
  int64_t size_of(const Item &load) const {
    const Access &a = access(load);
    int64_t size = all_.parameters[a.tensor].dtype->bytes / dtype_->bytes;
    for (const Slice &s : a.index) size *= s.size;
    return size;
  }
  // Where pieces lie in their block, and blocks one behind the other.
  void lay() {
    const int64_t line = pack_line / dtype_->bytes;
    elements_ = 0;
    for (PackedBlock &b : blocks_) {
      int64_t size = 0;
      for (PackedBlock::Piece &piece : b.pieces) {
        piece.at = (size + line - 1) / line * line;
        size = piece.at + size_of(*piece.load);
      }
      elements_ = std::max(elements_, size);
    }
    // All of it comes once more in each iteration of an outermost loop that changes none.
    const Item *outer = nullptr;
    for (const Item &i : p.body)
      if (i.kind == Item::Kind::loop && !outer) outer = &i;
    repeated_ = !once_ && outer &&
                        std::none_of(loads_.begin(), loads_.end(),
                                     [&](const Item *i) {
                                       return std::any_of(access(*i).index.begin(), access(*i).index.end(),
                                                          [&](const Slice &s) { return s.step(outer->loop) != 0; });
                                     })
                    ? std::optional(outer->loop)
                    : std::nullopt;
    number_ = 0;
    if (once_)
      for (PackedBlock &b : blocks_) b.before = number_++;
    else
      number_ = lay(p.body, 0);
  }
  int64_t lay(std::vector<Item> &items, int64_t before) {
    int64_t blocks = 0;
    for (Item &i : items) {
      if (i.kind == Item::Kind::loop) {
        const int64_t of = each_iteration_[i.loop] = lay(i.body, before + blocks);
        blocks += of * (repeated_ == i.loop ? 1 : all_.loops[i.loop].times);
      }
      for (PackedBlock &b : blocks_)
        if (b.pieces[0].load == &i) b.before = before + blocks++;
    }
    return blocks;
  }
  // Whether no other block comes until the loop that one stands in goes on.
  bool last(const PackedBlock &b, const std::vector<Item> &items, bool behind = false) const {
    for (size_t k = 0; k < items.size(); ++k) {
      const Item &i = items[k];
      if (&i == b.pieces[0].load) {
        for (size_t rest = k + 1; rest < items.size(); ++rest)
          if (comes(items[rest])) return false;
        return true;
      }
      if (behind && comes(i)) return false;
      if (i.kind == Item::Kind::loop && !last(b, i.body, behind)) return false;
    }
    return true;
  }
  bool comes(const Item &i) const {
    if (i.kind == Item::Kind::loop)
      return std::any_of(i.body.begin(), i.body.end(), [&](const Item &n) { return comes(n); });
    return std::any_of(blocks_.begin(), blocks_.end(), [&](const PackedBlock &b) { return b.pieces[0].load == &i; });
  }
  // What a block is: a tile that is all there is, or a line of elements.
  void choose_block(const std::map<std::string, std::vector<size_t>> &writes) {
    extents_.clear();
    const int64_t unit = 4 / std::min<int64_t>(4, dtype_->bytes);
    for (PackedBlock &b : blocks_) {
      const Item &load = *b.pieces[0].load;
      std::vector<int64_t> extents;
      for (const Slice &s : access(load).index) extents.push_back(s.size);
      b.direct = b.pieces.size() == 1 && all_.parameters[access(load).tensor].dtype == dtype_ &&
                 writes.at(load.tile).size() == 1 && count(extents) == elements_ && elements_ % unit == 0 &&
                 (extents_.empty() || extents_ == extents) && last(b, p.body);
      if (b.direct) extents_ = extents;
    }
    if (!extents_.empty()) return;
    const int64_t line = 64 / dtype_->bytes;
    elements_ = (elements_ + line - 1) / line * line;
    extents_ = {elements_};
  }

  bool each_has_its_own() const { return by_row_ && (by_column_ || all_.columns == 1); }
  bool rows_have_their_own() const { return by_row_ && !each_has_its_own(); }
  int64_t turns() const { return each_has_its_own() ? all_.rows : 1; } // from a core's block to its next one
  int64_t transfer() const { return number_ * turns(); }               // blocks

  // Where the elements of a piece lie in what is packed.
  PackedTensor place(const PackedBlock &b, const PackedBlock::Piece &piece) const {
    const Access &a = access(*piece.load);
    const Parameter &tensor = all_.parameters[a.tensor];
    PackedTensor made{tensor.name, b.before * turns() * elements_ + piece.at, {}};
    const auto along = [&](int64_t size, int64_t dimension, int64_t step, int64_t stride) {
      if (size > 1) made.along.push_back({size, dimension, dimension < 0 ? 0 : step, stride});
    };
    const auto over = [&](int64_t size, const auto &step_of, int64_t stride) { // what changes one dimension, or none
      const auto d = std::find_if(a.index.begin(), a.index.end(), [&](const Slice &s) { return step_of(s) != 0; });
      along(size, d == a.index.end() ? -1 : d - a.index.begin(), d == a.index.end() ? 0 : step_of(*d), stride);
    };
    const auto row = [](const Slice &s) { return s.row; };
    if (by_column_)
      over(
          all_.columns, [](const Slice &s) { return s.column; }, transfer() * elements_);
    if (rows_have_their_own()) over(all_.rows, row, transfer() * elements_);
    for (const size_t l : b.path)
      if (l != repeated_)
        over(
            all_.loops[l].times, [&](const Slice &s) { return s.step(l); },
            each_iteration_.at(l) * turns() * elements_);
    if (each_has_its_own()) over(all_.rows, row, elements_);
    int64_t stride = tensor.dtype->bytes / dtype_->bytes;
    std::vector<int64_t> strides;
    for (size_t d = a.index.size(); d-- > 0; stride *= a.index[d].size) strides.insert(strides.begin(), stride);
    for (size_t d = 0; d < a.index.size(); ++d) along(a.index[d].size, static_cast<int64_t>(d), 1, strides[d]);
    return made;
  }

  void rewrite() {
    Parameter made;
    std::set<std::pair<size_t, std::vector<size_t>>> streams;
    for (const Item *i : loads_) {
      const std::string &tensor = all_.parameters[access(*i).tensor].name;
      if (("_" + made.name + "_").find("_" + tensor + "_") == std::string::npos)
        made.name += (made.name.empty() ? "" : "_") + tensor;
      streams.emplace(access(*i).tensor, access(*i).path);
    }
    made.name = fresh(all_, streams.size() == 1 ? made.name + "_packed" : made.name);
    made.direction = "in", made.dtype = dtype_, made.node = access(*loads_[0]).node;
    made.extents = extents_;
    const int64_t transfers = rows_have_their_own() ? all_.rows : by_column_ ? all_.columns : 1;
    const bool several = transfers * transfer() > 1;
    if (several) made.extents.insert(made.extents.begin(), transfers * transfer());
    made.padded = made.extents;
    for (const PackedBlock &b : blocks_)
      for (const PackedBlock::Piece &piece : b.pieces) made.packed.push_back(place(b, piece));
    Node dtype = HTP_NONE; // as the program spells it
    for (const auto &[name, b] : p.buffers)
      if (last_component(c.show(b.dtype)) == dtype_->name) dtype = b.dtype;
    const size_t tensor = all_.parameters.size();
    all_.host_made[tensor].dtype = dtype ? c.show(dtype) : "htp." + std::string(dtype_->name);
    all_.parameters.push_back(made);
    std::map<const Item *, std::vector<Item>> instead; // of loads
    std::vector<Item> before;
    for (PackedBlock &b : blocks_) load(b, tensor, several, dtype, once_ ? before : instead[b.pieces[0].load]);
    place(p.body, instead);
    p.body.insert(p.body.begin(), before.begin(), before.end());
  }
  // The load of a block, and what is taken from it.
  void load(const PackedBlock &b, size_t tensor, bool several, Node dtype, std::vector<Item> &out) {
    const Node at = access(*b.pieces[0].load).node;
    Access a{.tensor = tensor, .path = b.path, .node = at, .changed = true};
    if (several) {
      Slice row{b.before * turns(), 1, {}};
      for (const size_t l : b.path)
        if (l != repeated_) row.steps[l] = each_iteration_.at(l) * turns();
      row.column = by_column_ ? transfer() : 0;
      row.row = each_has_its_own() ? 1 : rows_have_their_own() ? transfer() : 0;
      a.index.push_back(row);
    }
    for (const int64_t e : extents_) a.index.push_back({0, e, {}}), a.index.back().whole = true;
    const std::string name = b.direct ? b.pieces[0].load->tile : block_name(tensor);
    Buffer buffer{dtype ? dtype : c.parse("htp." + std::string(dtype_->name), at), {}, {}};
    buffer.extents = extents_;
    buffer.loops.resize(extents_.size());
    if (!b.direct) p.buffers[name] = buffer;
    moved_.insert(name);
    Item declared{Item::Kind::buffer, at, 0, {}, name, 0, 0},
        comes{Item::Kind::load, at, 0, {}, name, 0, all_.accesses.size()};
    declared.changed = comes.changed = true;
    all_.accesses.push_back(std::move(a));
    out.push_back(declared), out.push_back(comes);
    if (b.direct) return;
    for (const PackedBlock::Piece &piece : b.pieces) {
      const std::string &tile = piece.load->tile;
      Item buffer{Item::Kind::buffer, piece.load->node, 0, {}, tile, 0, 0};
      buffer.changed = true;
      if (!declared_before(tile, *b.pieces[0].load)) out.push_back(buffer), moved_.insert(tile);
      Item unpack{Item::Kind::call, piece.load->node, 0, {}, tile, 0, 0, {name}};
      unpack.call = c.parse("aie.unpack(" + tile + ", " + name + ", " + std::to_string(piece.at) + ")", unpack.node);
      unpack.changed = true;
      out.push_back(unpack);
    }
  }
  std::string block_name(size_t tensor) {
    const std::string stem = all_.parameters[tensor].name + "_block";
    std::string name = stem;
    for (int n = 1; p.buffers.contains(name) || all_.names.contains(name); ++n) name = stem + "_" + std::to_string(n);
    return name;
  }
  // Whether a tile is there before an item that does not come before all loops.
  bool declared_before(const std::string &tile, const Item &item) {
    bool before = false;
    each(p.body, [&](const Item &i) {
      before = before || (i.kind == Item::Kind::buffer && i.tile == tile && position_.at(&i) < position_.at(&item));
    });
    return before && !once_ && !moved_.contains(tile);
  }
  void place(std::vector<Item> &items, std::map<const Item *, std::vector<Item>> &instead) {
    std::vector<Item> made;
    for (Item &i : items) {
      if (i.kind == Item::Kind::loop) place(i.body, instead);
      const bool load = std::find(loads_.begin(), loads_.end(), &i) != loads_.end();
      if (const auto it = instead.find(&i); it != instead.end())
        made.insert(made.end(), it->second.begin(), it->second.end());
      else if (!load && !(i.kind == Item::Kind::buffer && moved_.contains(i.tile)))
        made.push_back(std::move(i));
    }
    items = std::move(made);
  }

  const Context &c;
  Cores &all_;
  Process &p;
  const bool apart_;
  std::map<const Item *, size_t> position_;
  std::vector<Item *> loads_;
  std::vector<PackedBlock> blocks_;
  std::map<size_t, int64_t> each_iteration_; // blocks, of a loop
  std::optional<size_t> repeated_;           // loop
  bool by_column_ = false, by_row_ = false, once_ = false;
  const DType *dtype_ = nullptr; // of the block: of the fewest bytes that there are
  std::vector<int64_t> extents_; // of a block
  int64_t elements_ = 0, number_ = 0;
  std::set<std::string, std::less<>> moved_; // buffers that stand where their tile is loaded
};

} // namespace

void pack_shared(const Context &c, Cores &all, const Choices &choices) {
  for (const std::vector<std::string> &tiles : choices.packs) SharedPacking(c, all, choices.packs_apart).pack(tiles);
}

} // namespace htp::aie::cores
