// How many cores share a kernel's blocks, and by what streams.
#include "spreading/sharing.h"
#include "analyses/transfers.h"

#include <algorithm>

namespace htp::aie {

namespace {

class Sharing {
public:
  Sharing(Kernel &kernel, const Device &device, const Wanted &wanted)
      : c(kernel.c), k_(kernel), device_(device), wanted_(wanted) {}

  std::optional<Spread> run(Exceeded &why) {
    if (!choose() && !(!c.errors() && choose_words())) {
      why = refused_;
      return std::nullopt;
    }
    Choices choices;
    if (depth_ < deepest_) choices.depth = depth_;
    choices.packs_apart = apart_ && !groups_.empty();
    for (const Pack &pack : packs_) {
      std::vector<std::string> &tiles = choices.packs.emplace_back();
      for (const Turn &t : pack.turns)
        for (const Turn::Piece &piece : t.pieces) {
          const std::string &tile = k_.accesses[piece.access].tile;
          if (std::find(tiles.begin(), tiles.end(), tile) == tiles.end()) tiles.push_back(tile);
        }
    }
    return Spread{std::move(program_), blocks_, packs_, choices};
  }

private:
  // The streams for so many cores.
  Program spread(int64_t columns, int64_t rows, int64_t depth, bool in_blocks) {
    blocks_ = {};
    Program p;
    p.name = std::string(c.entry());
    p.device = device_.name;
    p.node = k_.function;
    p.columns = columns, p.rows = rows;
    p.parameters = k_.parameters;
    Core &core = p.cores.emplace_back();
    name_streams();
    for (const Access &a : k_.accesses)
      for (size_t d = 0; d < a.index.size() && !packed(a.stream); ++d)
        if (int l = a.index[d]; l >= 0) {
          while (k_.loop(l).within >= 0) l = k_.loop(l).within;
          const int64_t times = k_.rounds(l, columns, rows) * shared_by(k_.loop(l), columns, rows);
          int64_t &padded = p.parameters[a.tensor].padded[d];
          padded = std::max(padded, times * k_.loop(l).block);
        }
    if (in_blocks) blocks_ = blocks_of(device_.name, layout());
    std::set<std::string> seen;
    for (Access &a : k_.accesses) {
      const Parameter &q = p.parameters[a.tensor];
      Stream s;
      s.name = a.stream;
      if (!seen.insert(s.name).second) continue;
      if (Pack *pack = packed(s.name)) {
        shape(*pack, k_, blocks_, columns, rows);
        p.parameters.push_back(packed_tensor(*pack, k_, columns, rows));
        p.streams.push_back(stream_of(*pack, p.parameters.back(), columns, rows, depth));
        continue;
      }
      s.tensor = &q;
      s.dtype = q.dtype;
      s.node = a.node;
      s.feeds = !a.stores;
      const Share share = a.stores ? Share::each : share_of(k_.by_column(a), k_.by_row(a), columns);
      s.each = share == Share::each, s.by_row = share == Share::rows;
      std::vector<int64_t> strides(q.padded.size(), 1);
      for (size_t d = q.padded.size(); d-- > 1;) strides[d - 1] = strides[d] * q.padded[d];
      s.once = std::all_of(a.index.begin(), a.index.end(), [](int l) { return l < 0; });
      s.depth = s.once ? 1 : std::min(depth, depth_of(a));
      if (!s.once) {
        int64_t beside = 0; // from a core's block to that of the one below it
        for (const int l : a.path) {
          const Loop &loop = k_.loop(l);
          const int d = k_.dimension_of(a, l);
          const int64_t step = d < 0 ? 0 : loop.block * strides[static_cast<size_t>(d)],
                        n = k_.rounds(l, columns, rows);
          const bool over_rows = loop.over == Over::rows || loop.over == Over::cores;
          if (const int64_t times = l == a.path.back() ? passes(s.name) : 1; times > 1) s.order.push_back({times, 0});
          s.order.push_back({n, over_rows ? rows * step : step});
          if (over_rows) beside = step;
          if (loop.over == Over::columns || loop.over == Over::cores) s.apart = n * (over_rows ? rows * step : step);
        }
        if (s.by_row) s.apart = beside;
        if (s.each) s.order.push_back({rows, beside});
      }
      for (size_t d = 0; d < a.index.size(); ++d) {
        s.block.push_back(a.index[d] < 0 ? q.extents[d] : k_.loop(a.index[d]).block);
        s.order.push_back({s.block.back(), strides[d]});
      }
      const auto block = blocks_.of.find(s.name);
      std::vector<std::pair<int64_t, int64_t>> last;
      if (block != blocks_.of.end()) {
        s.block = htp::aie::in_blocks(s.block, block->second);
        const auto [m, n] = std::pair(s.block[s.block.size() - 4], s.block[s.block.size() - 3]);
        const auto [r, k] = std::pair(block->second.rows, block->second.columns);
        const bool line = q.extents.size() == 1;
        const int64_t along = s.order.back().second, down = line ? n * k : s.order[s.order.size() - 2].second;
        last = {{m, r * down}, {n, k * along}, {r, down}, {k, along}};
        s.order.resize(s.order.size() - (line ? 1 : 2));
      }
      merge(s.order);
      if (!last.empty() && s.order.size() == 1 && s.order[0].first == 1) s.order.clear();
      s.order.insert(s.order.end(), last.begin(), last.end());
      p.streams.push_back(std::move(s));
    }
    for (const auto &[name, b] : k_.buffers) {
      if ((k_.is_block(name) && !unpacked(name)) || !k_.alias_of(name).empty()) continue;
      Tile t;
      t.name = name;
      t.dtype = k_.dtype_of(b);
      if (!t.dtype) {
        c.report(diag::stream_dtype, b.dtype, c.show(b.dtype), "tiles");
        return p;
      }
      t.extents = htp::aie::extents_of(k_, blocks_, name);
      core.tiles.push_back(t);
    }
    // The loops that every turn of all streams is in.
    std::vector<Statement> *within = &core.body;
    for (size_t l = 0; l < k_.loops.size(); ++l) {
      if (!std::all_of(p.streams.begin(), p.streams.end(), [&](const Stream &s) { return s.once || inside(s, l); }))
        break;
      const int64_t times = k_.rounds(static_cast<int>(l), columns, rows);
      if (times == 1) continue;
      Statement &around = within->emplace_back();
      around.kind = Statement::Kind::loop;
      around.times = times;
      within = &around.body;
    }
    return p;
  }
  Pack *packed(const std::string &stream) {
    const auto it = std::find_if(packs_.begin(), packs_.end(), [&](const Pack &p) { return p.stream == stream; });
    return it == packs_.end() ? nullptr : &*it;
  }
  // Whether a tile has a buffer of its own for what comes in a block with others.
  bool unpacked(std::string_view tile) const {
    for (const Pack &pack : packs_)
      for (const Turn &t : pack.turns)
        for (const Turn::Piece &piece : t.pieces)
          if (!t.direct && k_.accesses[piece.access].tile == tile) return true;
    return false;
  }
  Stream stream_of(const Pack &pack, const Parameter &packed, int64_t columns, int64_t rows, int64_t depth) const {
    Stream s;
    s.name = pack.stream;
    s.tensor = &packed;
    s.dtype = pack.dtype;
    s.node = packed.node;
    s.block = pack.block;
    s.each = pack.share == Share::each, s.by_row = pack.share == Share::rows;
    s.once = pack.once;
    s.depth = pack.once ? 1 : std::min<int64_t>(depth, 2);
    for (const Access &a : k_.accesses)
      if (a.stream == s.name && !s.once) s.depth = std::max(s.depth, std::min(depth, depth_of(a)));
    const int64_t all = pack.blocks * pack.elements * (s.each ? rows : 1);
    if (s.by_row ? rows > 1 : pack.by_column && columns > 1) s.apart = all;
    if (pack.repeats > 1) s.order.push_back({pack.repeats, 0});
    s.order.push_back({all, 1});
    return s;
  }
  static int64_t shared_by(const Loop &loop, int64_t columns, int64_t rows) {
    return loop.over == Over::cores     ? columns * rows
           : loop.over == Over::columns ? columns
           : loop.over == Over::rows    ? rows
                                        : 1;
  }
  // How many blocks it is to hold, as the loop that it is loaded in says.
  int64_t depth_of(const Access &a) const { return a.stores || a.path.empty() ? 2 : k_.loop(a.path.back()).depth; }
  // Whether a stream's blocks are acquired within a loop.
  bool inside(const Stream &s, size_t loop) const {
    return std::any_of(k_.accesses.begin(), k_.accesses.end(), [&](const Access &a) {
      return a.stream == s.name && std::find(a.path.begin(), a.path.end(), static_cast<int>(loop)) != a.path.end();
    });
  }
  // The tiles and streams, and what is done with them.
  Layout layout() const {
    Layout l;
    const auto dtype = [&](Node n) {
      const std::string name = k_.names.qualified(n);
      return name.substr(name.rfind('.') + 1);
    };
    for (const auto &[name, b] : k_.buffers) l.tiles[name] = {b.extents, dtype(b.dtype)};
    for (const Access &a : k_.accesses) {
      if (std::any_of(packs_.begin(), packs_.end(), [&](const Pack &p) { return p.stream == a.stream; })) continue;
      l.tiles[a.stream] = {k_.block_of(a), std::string(k_.parameters[a.tensor].dtype->name)};
      if (k_.buffers.contains(a.tile))
        l.uses.push_back({"copy", a.stores ? std::vector{a.stream, a.tile} : std::vector{a.tile, a.stream}, a.node});
    }
    for (const Operation &o : k_.operations) {
      Layout::Use use{o.name, {}, o.node};
      for (const Operation::Operand &operand : o.operands) use.tiles.push_back(operand.tile);
      l.uses.push_back(std::move(use));
    }
    return l;
  }
  static void merge(std::vector<std::pair<int64_t, int64_t>> &order) {
    std::vector<std::pair<int64_t, int64_t>> merged;
    for (const auto &[size, stride] : order) {
      if (size == 1) continue;
      if (!merged.empty() && stride != 0 && merged.back().second == size * stride)
        merged.back() = {merged.back().first * size, stride};
      else
        merged.push_back({size, stride});
    }
    if (merged.empty()) merged.push_back({1, 1});
    order = merged;
  }
  // Where loads would be more streams than a core has channels for, loops that go through a tensor alike, one after the
  // other, get it by one stream, which comes as often; and some streams are packed by the host to one.
  void name_streams() {
    name_by_places();
    packs_.clear();
    for (const std::set<std::string> &group : packed_together()) {
      auto made = pack(k_, group, apart_);
      std::string name;
      for (const Access &a : k_.accesses)
        if (!a.stores && group.contains(a.stream)) {
          const std::string &tensor = k_.parameters[a.tensor].name;
          if (("_" + name + "_").find("_" + tensor + "_") == std::string::npos)
            name += (name.empty() ? "" : "_") + tensor;
        }
      if (group.size() == 1) name += "_packed";
      const auto [it, fresh] = pack_names_.try_emplace(name);
      if (fresh) it->second = {c.fresh(name), c.fresh(name + "_in")};
      made.packed = it->second.first, made.stream = it->second.second;
      for (Access &a : k_.accesses)
        if (!a.stores && group.contains(a.stream)) a.stream = made.stream;
      packs_.push_back(std::move(made));
    }
  }
  // Numbers are no tensors until they are packed, and blocks that are no multiple of 4 bytes are filled up where they
  // are.
  std::vector<std::set<std::string>> packed_together() const {
    std::vector<std::set<std::string>> groups = groups_;
    std::set<std::string> numbers;
    for (const Access &a : k_.accesses) {
      if (a.stores ||
          std::any_of(groups.begin(), groups.end(), [&](const auto &group) { return group.contains(a.stream); }))
        continue;
      if (k_.parameters[a.tensor].scalar)
        numbers.insert(a.stream);
      else if (fills_ && !words(a))
        groups.push_back({a.stream});
    }
    if (!numbers.empty()) groups.push_back(numbers);
    return groups;
  }
  void name_by_places() {
    std::set<std::string> in;
    for (Access &a : k_.accesses) {
      a.stream = stream_name(a);
      if (!a.stores) in.insert(a.stream);
    }
    if (static_cast<int64_t>(in.size()) <= core_channels) return;
    std::map<std::string, std::string> first;
    for (Access &a : k_.accesses)
      if (!a.stores) a.stream = first.try_emplace(place_of(a, true), a.stream).first->second;
  }
  // By how many loops.
  int64_t passes(const std::string &stream) const {
    std::set<int> loops;
    for (const Access &a : k_.accesses)
      if (a.stream == stream && !a.path.empty()) loops.insert(a.path.back());
    return static_cast<int64_t>(loops.size());
  }
  // The first of the loops that stand beside this one, in the same loops, and have the same blocks.
  int first_like(int loop) const {
    int found = loop;
    const auto look = [&](const auto &self, const std::vector<Item> &items) -> void {
      const auto here = [&](int l) {
        return std::any_of(items.begin(), items.end(), [&](const Item &item) { return item.loop == l; });
      };
      for (const Item &item : items) {
        if (item.loop < 0) continue;
        const Loop &l = k_.loop(item.loop), &one = k_.loop(loop);
        if (item.loop < found && here(loop) && l.extent == one.extent && l.block == one.block) found = item.loop;
        self(self, item.body);
      }
    };
    look(look, k_.body);
    return found;
  }
  // Loads of the same slice are one stream.
  std::string place_of(const Access &a, bool in_any_pass) const {
    const int last = a.path.empty() ? -1 : a.path.back(), like = in_any_pass && last > 0 ? first_like(last) : last;
    std::string key = std::to_string(a.tensor) + (a.stores ? " out" : " in");
    for (const int l : a.index) key += " " + std::to_string(l == last ? like : l);
    for (const int l : a.path) key += " in " + std::to_string(l == last ? like : l);
    return key;
  }
  std::string stream_name(const Access &a) {
    const auto [it, fresh] = stream_names_.try_emplace(place_of(a, false));
    if (fresh) it->second = c.fresh(k_.parameters[a.tensor].name + (a.stores ? "_out" : "_in"));
    return it->second;
  }

  struct Candidate {
    int64_t depth, rounds, columns, rows;
    size_t way; // of sharing the outermost two loops
    auto key() const { return std::tuple(-depth, rounds, way > 0, columns * rows, way, rows); }
  };
  // As few rounds as there can be, then as few cores, then as many columns: each has transfers of its own.
  bool choose() {
    candidates_.clear();
    std::vector<Candidate> &candidates = candidates_;
    std::set<int64_t> depths{1, 2};
    for (const Loop &l : k_.loops) depths.insert(std::min(l.depth, core_descriptors));
    const auto shared = [&](Over by) {
      return std::any_of(k_.loops.begin(), k_.loops.end(),
                         [&](const Loop &l) { return l.over == by || l.over == Over::cores; });
    };
    ways_ = ways_to_share();
    for (size_t way = 0; way < ways_.size(); ++way)
      for (const int64_t depth : depths) {
        take(way);
        for (int64_t columns = 1; columns <= (shared(Over::columns) ? wanted_.columns : 1); ++columns)
          for (int64_t rows = 1; rows <= (shared(Over::rows) ? wanted_.rows : 1); ++rows) {
            if (wanted_.exactly && (columns != wanted_.columns || rows != wanted_.rows)) continue;
            int64_t rounds = 1;
            bool even = true; // blocks within others are shared evenly
            for (size_t l = 0; l < k_.loops.size(); ++l) {
              if (k_.loops[l].over == Over::none && (l > 1 || ways_.size() == 1)) continue;
              rounds *= k_.rounds(static_cast<int>(l), columns, rows);
              even =
                  even && (k_.loops[l].within < 0 || k_.loops[l].blocks() % shared_by(k_.loops[l], columns, rows) == 0);
            }
            if (even) candidates.push_back({depth, rounds, columns, rows, way});
          }
      }
    std::sort(candidates.begin(), candidates.end(),
              [](const Candidate &a, const Candidate &b) { return a.key() < b.key(); });
    if (fits()) return true;
    if (c.errors()) return false;
    // Of the ways to pack what is loaded for the channels that there are, the one that moves least.
    if (too_many_loads()) {
      take(0);
      const auto ways = ways_to_pack();
      for (const bool apart :
           {false, true}) // what is loaded at once in one block, or each in one, which takes less memory
        for (const auto &groups : ways) {
          groups_ = groups, apart_ = apart;
          if (fits()) return true;
          if (c.errors()) return false;
        }
      if (!ways.empty()) groups_ = ways[0];
    }
    take(0);
    refused_ = exceeded(spread(1, 1, 1, false));
    if (!refused_) { // packed it would fit, but what is packed is filled up with zeros alone
      groups_.clear();
      refused_ = exceeded(spread(1, 1, 1, false));
    }
    return false;
  }
  // The same, where transfers take no blocks, or lines, of so many bytes: with longer blocks, and with what is loaded
  // in blocks that the host fills up.
  bool choose_words() {
    const Exceeded first = refused_;
    if (!of_transfer(first.why)) return false;
    std::vector<int64_t> blocks;
    for (const Loop &l : k_.loops) blocks.push_back(l.block);
    for (const Access &a : k_.accesses) {
      const int l = a.index.empty() ? -1 : a.index.back();
      const int64_t unit = 4 / std::min<int64_t>(4, k_.parameters[a.tensor].dtype->bytes);
      if (l > 0 && k_.loop(l).block % unit && k_.grows(l)) k_.grow(l, (k_.loop(l).block + unit - 1) / unit * unit);
    }
    for (const int64_t more : {0, 1, 2, 3}) {
      if (more && !k_.grows(0)) break;
      if (more) k_.grow(0, blocks[0] + more);
      const auto odd = [&](bool stores) {
        return std::any_of(k_.accesses.begin(), k_.accesses.end(),
                           [&](const Access &a) { return a.stores == stores && !words(a); });
      };
      for (const bool fills : {false, true}) {
        groups_.clear(), fills_ = fills;
        if (!odd(true) && odd(false) == fills && choose()) return true;
        if (c.errors()) return false;
      }
    }
    for (size_t l = 0; l < blocks.size(); ++l) k_.grow(static_cast<int>(l), blocks[l]);
    fills_ = false, refused_ = first;
    return false;
  }
  bool words(const Access &a) const { return count(k_.block_of(a)) * k_.parameters[a.tensor].dtype->bytes % 4 == 0; }
  // Which cores have different blocks of the outermost two loops. Where no schedule says so: all cores of the outermost
  // one, or where that takes fewer rounds, columns of one and rows of the other, or all of the inner one.
  using Way = std::pair<Over, Over>;
  std::vector<Way> ways_to_share() const {
    if (k_.loops.empty()) return {{Over::none, Over::none}};
    const Way as_read{k_.loops[0].over, k_.loops.size() > 1 ? k_.loops[1].over : Over::none};
    const bool both = k_.loops.size() > 1 && !k_.scheduled && k_.loops[1].within < 0 && !k_.carries(1) &&
                      std::all_of(k_.accesses.begin(), k_.accesses.end(),
                                  [&](const Access &a) { return !a.stores || (k_.uses(a, 0) && k_.uses(a, 1)); });
    if (!both) return {as_read};
    return {as_read, {Over::columns, Over::rows}, {Over::rows, Over::columns}, {Over::none, Over::cores}};
  }
  void take(size_t way) {
    if (!k_.loops.empty()) k_.loops[0].over = ways_[way].first;
    if (k_.loops.size() > 1) k_.loops[1].over = ways_[way].second;
  }
  bool fits() {
    for (const Candidate &k : candidates_)
      for (const bool in_blocks : {true, false}) {
        take(k.way);
        program_ = spread(k.columns, k.rows, k.depth, in_blocks);
        if (c.errors() || packs_filled()) return false;
        if (!exceeded(program_)) {
          depth_ = k.depth, deepest_ = candidates_.front().depth;
          for (const Candidate &other : candidates_) deepest_ = std::max(deepest_, other.depth);
          for (const Loop &l : k_.loops)
            if (!wanted_.exactly && l.depth > 2 && l.depth > k.depth)
              c.report(diag::depth, l.node, l.name, l.depth, k.depth);
          return true;
        }
        if (blocks_.of.empty()) break;
      }
    return false;
  }
  // What is packed is filled up with zeros.
  bool packs_filled() const {
    return std::any_of(k_.accesses.begin(), k_.accesses.end(), [&](const Access &a) {
      return k_.parameters[a.tensor].fill != Fill::zeros &&
             std::any_of(packs_.begin(), packs_.end(), [&](const Pack &p) { return p.stream == a.stream; });
    });
  }
  std::set<std::string> loads() const {
    std::set<std::string> in;
    for (const Access &a : k_.accesses)
      if (!a.stores) in.insert(a.stream);
    return in;
  }
  bool too_many_loads() const { return static_cast<int64_t>(loads().size()) > core_channels; }
  std::vector<std::vector<std::set<std::string>>> ways_to_pack() {
    groups_.clear();
    packs_.clear();
    name_by_places();
    const std::set<std::string> all = loads();
    const std::vector<std::string> in(all.begin(), all.end());
    struct Split {
      int64_t bytes;
      size_t streams;
      std::vector<std::set<std::string>> groups;
    };
    std::vector<Split> ways;
    if (in.size() > 10) return {};
    for (size_t chosen = 0; chosen < size_t{1} << (in.size() - 1); ++chosen) { // the last one is of the first group
      std::set<std::string> group[2];
      for (size_t k = 0; k < in.size(); ++k) group[chosen >> k & 1].insert(in[k]);
      Split way{0, 0, {}};
      for (const auto &one : group) {
        if (!one.empty()) way.bytes += traffic_of(pack(k_, one, false), k_);
        if (one.size() > 1) way.groups.push_back(one), way.streams += one.size();
      }
      ways.push_back(std::move(way));
    }
    std::stable_sort(ways.begin(), ways.end(), [](const Split &a, const Split &b) {
      return std::pair(a.bytes, a.streams) < std::pair(b.bytes, b.streams);
    });
    std::vector<std::vector<std::set<std::string>>> best;
    for (size_t k = 0; k < std::min<size_t>(ways.size(), 4); ++k) best.push_back(ways[k].groups);
    return best;
  }

  const Context &c;
  Kernel &k_;
  const Device &device_;
  const Wanted wanted_;
  Blocks blocks_;
  std::vector<Way> ways_;
  std::vector<Candidate> candidates_;
  std::vector<std::set<std::string>> groups_; // of streams, each of which is packed
  bool apart_ = false;
  bool fills_ = false; // what is loaded in blocks that are no multiple of 4 bytes is packed too
  Exceeded refused_;
  int64_t depth_ = 0, deepest_ = 0; // that was chosen, and that there may be
  std::vector<Pack> packs_;
  std::map<std::string, std::string> stream_names_;
  std::map<std::string, std::pair<std::string, std::string>> pack_names_; // what is packed, and its stream
  Program program_;
};

} // namespace

std::vector<int64_t> extents_of(const Kernel &kernel, const Blocks &blocks, const std::string &buffer) {
  const auto block = blocks.of.find(buffer);
  const std::vector<int64_t> &extents = kernel.buffers.find(buffer)->second.extents;
  return block == blocks.of.end() ? extents : in_blocks(extents, block->second);
}

std::optional<Spread> share(Kernel &kernel, const Device &device, const Wanted &wanted, Exceeded &exceeded) {
  return Sharing(kernel, device, wanted).run(exceeded);
}

} // namespace htp::aie
