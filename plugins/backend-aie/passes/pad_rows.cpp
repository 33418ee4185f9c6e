// aie.pad_rows: rows of tensors and channels that are no multiples of 4 bytes are padded, through all processes that
// they pass, where nothing counts the padding.
#include "analyses/core_padding.h"
#include "on_cores.h"
#include "passes.h"

#include <algorithm>

namespace htp::aie::cores {

namespace {

// Dimensions of tensors, channels and tiles that are as long as one another because of what is done with them.
class Rows {
public:
  Rows(const Context &context, const Names &names, Cores &all) : c(context), names_(names), all_(all) {
    for (size_t p = 0; p < all_.processes.size(); ++p) {
      Process &process = all_.processes[p];
      if (process.dma) continue;
      each(process.body, [&](const Item &i) { join(p, process, i); });
    }
    for (size_t k = 0; k < all_.channels.size(); ++k) // what a transfer puts or gets
      if (const auto transfer = all_.channels[k].transfer; transfer && !all_.channels[k].dead)
        for (size_t d = 0; d < all_.accesses[*transfer].index.size(); ++d) {
          const Access &a = all_.accesses[*transfer];
          same(tensor(a.tensor, d), number(Of::channel, 0, k, {}, d));
          if (a.index[d].size != part(a.tensor, d) || a.index[d].apart != 1) refuse(tensor(a.tensor, d));
        }
  }
  // The rows that transfers do not take as they are are padded where nothing counts the padding.
  bool pad(Node root) {
    demands_ = blocks_filled(c, names_, all_);
    for (size_t t = 0; t < all_.parameters.size(); ++t) {
      Parameter &q = all_.parameters[t];
      if (q.extents.empty()) continue;
      const size_t last = q.extents.size() - 1;
      const int64_t extent = part(t, last);
      if ((extent == q.extents.back() ? q.padded.back() : extent) * q.dtype->bytes % 4 == 0) continue;
      const size_t row = find(tensor(t, last));
      int64_t to = extent;
      for (size_t other = 0; other < all_.parameters.size(); ++other)
        if (!all_.parameters[other].extents.empty() &&
            find(tensor(other, all_.parameters[other].extents.size() - 1)) == row) {
          const int64_t unit = std::max<int64_t>(1, 4 / all_.parameters[other].dtype->bytes);
          to = std::max(to, (extent + unit - 1) / unit * unit);
        }
      if (to != extent && whole(row, extent) && !counts(root, row)) widen(row, extent, to);
    }
    for (size_t k = 0; k < all_.channels.size(); ++k) {
      Channel &ch = all_.channels[k];
      const DType *d = dtype_of(names_, ch.dtype);
      if (ch.dead || ch.extents.empty() || !d || count(ch.extents) * d->bytes % 4 == 0) continue;
      const size_t last = ch.extents.size() - 1, row = find(number(Of::channel, 0, k, {}, last));
      const int64_t extent = ch.extents.back(), unit = 4 / d->bytes, to = (extent + unit - 1) / unit * unit;
      if (whole(row, extent) && !counts(root, row)) widen(row, extent, to);
    }
    return changed_;
  }

private:
  // How long a dimension of a tensor is: the whole, or the blocks side by side that a grid's instances have of it.
  int64_t part(size_t t, size_t d) const {
    const Parameter &q = all_.parameters[t];
    int64_t size = 0;
    for (const Access &a : all_.accesses) {
      if (a.tensor != t || a.index.empty()) continue;
      const Slice &s = a.index[d];
      if ((s.block && all_.loops[*s.block].times != 1) || s.size < 2 || (size && s.size != size) ||
          q.extents[d] % s.size || s.start % s.size ||
          std::any_of(s.steps.begin(), s.steps.end(), [&](const auto &k) { return k.second % s.size != 0; }))
        return q.extents[d];
      size = s.size;
    }
    return size ? size : q.extents[d];
  }
  enum class Of : uint8_t { tensor, channel, tile };
  struct Dimension {
    Of of;
    size_t process, number; // of a tensor, or of a channel
    std::string tile;
    size_t at;
  };
  using Key = std::tuple<Of, size_t, size_t, std::string, size_t>;
  size_t number(Of of, size_t process, size_t which, const std::string &tile, size_t at) {
    const auto [it, fresh] = numbers_.try_emplace(Key{of, process, which, tile, at}, parent_.size());
    if (fresh) {
      parent_.push_back(parent_.size());
      dimensions_.push_back({of, process, which, tile, at});
    }
    return it->second;
  }
  size_t tensor(size_t t, size_t d) { return number(Of::tensor, 0, t, {}, d); }
  size_t find(size_t k) const { return parent_[k] == k ? k : find(parent_[k]); }
  void same(size_t a, size_t b) { parent_[find(a)] = find(b); }
  void refuse(size_t k) { refused_.push_back(k); }

  void join(size_t p, const Process &process, const Item &i) {
    const auto dimension = [&](const std::string &tile, size_t at) { return number(Of::tile, p, 0, tile, at); };
    const auto extents = [&](const std::string &tile) -> const std::vector<int64_t> & {
      return process.buffers.find(tile)->second.extents;
    };
    const auto alike = [&](const std::string &a, size_t skipped_a, const std::string &b, size_t skipped_b) {
      const size_t m = extents(a).size() - skipped_a, n = extents(b).size() - skipped_b;
      for (size_t k = 1; k <= std::min(m, n); ++k)
        if (extents(a)[m - k] == extents(b)[n - k])
          same(dimension(a, m - k), dimension(b, n - k));
        else if (extents(a)[m - k] == 1) // for each of the other's
          refuse(dimension(a, m - k));
        else if (extents(b)[n - k] == 1)
          refuse(dimension(b, n - k));
    };
    switch (i.kind) {
    case Item::Kind::loop:
    case Item::Kind::buffer:
    case Item::Kind::drop: return;
    case Item::Kind::load:
    case Item::Kind::store: {
      const Access &a = all_.accesses[i.access];
      for (size_t d = 0; d < a.index.size(); ++d) {
        same(tensor(a.tensor, d), dimension(i.tile, d));
        if (a.index[d].size != part(a.tensor, d) || a.index[d].apart != 1 || !all_.parameters[a.tensor].packed.empty())
          refuse(tensor(a.tensor, d));
      }
      return;
    }
    case Item::Kind::get:
    case Item::Kind::put:
      for (size_t d = 0; d < extents(i.tile).size(); ++d)
        same(dimension(i.tile, d), number(Of::channel, 0, i.channel, {}, d));
      return;
    case Item::Kind::call: break;
    }
    const Nodes args = c.get<ast::Call>(i.call).args();
    const std::string operation = names_.called(i.call).substr(8);
    std::vector<std::string> tiles;
    for (const Node n : args)
      if (process.buffers.contains(c.name_of(n))) tiles.emplace_back(c.name_of(n));
    if (operation == "call") {
      for (const std::string &t : tiles)
        for (size_t d = 0; d < extents(t).size(); ++d) refuse(dimension(t, d));
    } else if (operation == "matmul" && tiles.size() == 3 && extents(tiles[0]).size() >= 2 &&
               extents(tiles[1]).size() >= 2 && extents(tiles[2]).size() >= 2) {
      const auto at = [&](size_t tile, size_t from_last) { return extents(tiles[tile]).size() - from_last; };
      same(dimension(tiles[0], at(0, 2)), dimension(tiles[1], at(1, 2)));
      same(dimension(tiles[0], at(0, 1)), dimension(tiles[2], at(2, 1)));
      same(dimension(tiles[1], at(1, 1)), dimension(tiles[2], at(2, 2)));
    } else if (operation == "transpose" && tiles.size() == 2 && extents(tiles[0]).size() >= 2 &&
               extents(tiles[0]).size() == extents(tiles[1]).size()) {
      const size_t n = extents(tiles[0]).size();
      same(dimension(tiles[0], n - 1), dimension(tiles[1], n - 2));
      same(dimension(tiles[0], n - 2), dimension(tiles[1], n - 1));
      alike(tiles[0], 2, tiles[1], 2);
    } else if (operation == "copy" && tiles.size() == 2 && extents(tiles[0]).size() != extents(tiles[1]).size()) {
      const auto long_ones = [&](const std::string &t) {
        std::vector<size_t> found;
        for (size_t d = 0; d < extents(t).size(); ++d)
          if (extents(t)[d] != 1) found.push_back(d);
        return found;
      };
      const auto a = long_ones(tiles[0]), b = long_ones(tiles[1]);
      for (size_t k = 1; k <= std::min(a.size(), b.size()); ++k)
        same(dimension(tiles[0], a[a.size() - k]), dimension(tiles[1], b[b.size() - k]));
    } else {
      for (size_t k = 1; k < tiles.size(); ++k) alike(tiles[0], 0, tiles[k], 0);
      keep_ones(tiles, dimension, extents);
    }
  }
  // A dimension of 1 that counts for a longer one, or is what was reduced, stays 1.
  template <class DimensionOf, class ExtentsOf>
  void keep_ones(const std::vector<std::string> &tiles, const DimensionOf &dimension, const ExtentsOf &extents) {
    size_t rank = 0;
    for (const std::string &t : tiles) rank = std::max(rank, extents(t).size());
    for (size_t k = 1; k <= rank; ++k) {
      const auto at = [&](const std::string &t) {
        return extents(t).size() < k ? 1 : extents(t)[extents(t).size() - k];
      };
      const bool longer = std::any_of(tiles.begin(), tiles.end(), [&](const std::string &t) { return at(t) > 1; });
      for (const std::string &t : tiles)
        if (longer && extents(t).size() >= k && at(t) == 1) refuse(dimension(t, extents(t).size() - k));
    }
  }
  int64_t &extent_of(const Dimension &d) {
    return d.of == Of::channel ? all_.channels[d.number].extents[d.at]
                               : all_.processes[d.process].buffers[d.tile].extents[d.at];
  }
  // Whether all of them are as long, and nothing has a block of them.
  bool whole(size_t row, int64_t extent) {
    for (const size_t k : refused_)
      if (find(k) == row) return false;
    for (size_t k = 0; k < dimensions_.size(); ++k) {
      if (find(k) != row) continue;
      const Dimension &d = dimensions_[k];
      if ((d.of == Of::tensor ? part(d.number, d.at) : extent_of(d)) != extent) return false;
      const auto loop =
          d.of == Of::tile ? all_.processes[d.process].buffers[d.tile].loops[d.at] : std::optional<size_t>();
      if (loop && all_.loops[*loop].times != 1) return false;
    }
    return true;
  }
  // What is filled up, with this too, by all processes: false where nothing counts it.
  bool counts(Node root, size_t row) {
    std::vector<Filled> demands = demands_;
    for (size_t p = 0; p < all_.processes.size(); ++p) {
      if (all_.processes[p].dma) continue;
      Filled f = filled(c, names_, all_, all_.processes[p], [&](const std::string &tile, size_t at) {
        const auto it = numbers_.find(Key{Of::tile, p, 0, tile, at});
        return it != numbers_.end() && find(it->second) == row ? 0 : -1;
      });
      f.ragged.insert(0);
      demands.push_back(std::move(f));
    }
    if (settle(c, root, all_, demands).by) return true;
    demands_ = std::move(demands);
    return false;
  }
  void widen(size_t row, int64_t extent, int64_t to) {
    changed_ = true;
    for (size_t k = 0; k < dimensions_.size(); ++k) {
      if (find(k) != row) continue;
      const Dimension &d = dimensions_[k];
      if (d.of == Of::channel) all_.channels[d.number].changed = true;
      if (d.of != Of::tensor) {
        extent_of(d) = to;
        continue;
      }
      Parameter &q = all_.parameters[d.number];
      const int64_t pieces = q.extents[d.at] / extent;
      q.padded[d.at] = pieces * to;
      if (pieces != 1 && q.pieces.empty()) q.pieces.assign(q.extents.size(), 1);
      if (pieces != 1) q.pieces[d.at] = pieces;
      set_padded(all_, d.number);
    }
    for (Process &p : all_.processes)
      each(p.body, [&](Item &i) {
        if (i.kind != Item::Kind::buffer) return;
        Buffer &b = p.buffers.at(i.tile);
        i.changed = true;
        for (size_t d = 0; d < b.extents.size(); ++d) // of a loop of one iteration
          if (b.loops[d] && all_.loops[*b.loops[d]].block != b.extents[d]) b.loops[d].reset();
      });
    for (Access &a : all_.accesses)
      for (size_t d = 0; d < a.index.size(); ++d) {
        if (find(tensor(a.tensor, d)) != row) continue;
        Slice &s = a.index[d];
        s.block.reset(); // of a loop that goes round once
        s.start = s.start / extent * to, s.size = to;
        for (auto &[loop, step] : s.steps) step = step / extent * to;
      }
  }

private:
  const Context &c;
  const Names &names_;
  Cores &all_;
  std::map<Key, size_t> numbers_;
  std::vector<Dimension> dimensions_;
  std::vector<size_t> parent_, refused_;
  std::vector<Filled> demands_; // what is padded already
  bool changed_ = false;
};

// What DMA engines move is as large as it is loaded, or got.
void widen_moved(Cores &all) {
  for (Process &p : all.processes)
    each(p.body, [&](const Item &i) {
      if (!p.dma || i.kind == Item::Kind::loop || i.kind == Item::Kind::buffer) return;
      Buffer &b = p.buffers.at(i.tile);
      if (i.kind != Item::Kind::get && i.kind != Item::Kind::put) return;
      b.extents = all.channels[i.channel].extents;
      b.loops.assign(b.extents.size(), std::nullopt);
    });
}

} // namespace

bool pad_rows(const Context &c, Node root, Cores &all) {
  const Names names(c, root);
  const bool any = Rows(c, names, all).pad(root);
  if (any) widen_moved(all);
  return any;
}

} // namespace htp::aie::cores

namespace htp::aie {

Node padded_rows(const Context &c, Node root) {
  return cores::changed(
      c, root, cores::Of::named, [](const Context &context, Node module, cores::Cores &all, OnDevice &on) {
        return std::exchange(on.choices.pad_rows, false) && (cores::pad_rows(context, module, all), true);
      });
}

} // namespace htp::aie
