#include "spreading/padding.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace htp::aie {

namespace {

constexpr struct {
  std::string_view operation;
  double (*value)(double a, double b);
} padded[] = {
#define PADDED(operation, value) {operation, [](double a, [[maybe_unused]] double b) -> double { return value; }},
#include "spreading/padding.def"
};

// What elements of tiles hold that a loop's blocks are filled up with: what was loaded, and what operations make of it.
// The same number for all, or it is not known. Of ints, infinite stands for what no element is beyond.
class Padding {
public:
  Padding(const Context &context, Node root, const Filled &filled, int loop, const std::vector<Fill> &fills)
      : c(context), f_(filled), loop_(loop), constants_(context, root) {
    for (const auto &[tile, tensor] : f_.loaded) {
      from_[tile].insert(tensor);
      if (along(tile))
        holds(tile, fills[tensor] == Fill::zeros ? 0 : fills[tensor] == Fill::least ? -infinite : infinite);
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (const Filled::Operation &w : f_.operations) {
        const std::string_view target = c.name_of(w.operands[0]);
        std::set<size_t> &from = from_[std::string(target)];
        const size_t before = from.size();
        for (size_t k = 1; k < w.operands.size(); ++k)
          if (const auto it = from_.find(c.name_of(w.operands[k])); it != from_.end()) {
            const std::set<size_t> tensors = it->second;
            from.insert(tensors.begin(), tensors.end());
          }
        changed = changed || from.size() != before;
        if (along(target)) changed = holds(target, made(w)) || changed;
      }
    }
  }
  // NaN: not known.
  double of(Node operand) const {
    const auto it = values_.find(c.name_of(operand));
    if (it != values_.end()) return it->second;
    if (f_.tiles.contains(c.name_of(operand))) return unknown;
    const auto number = constants_.number(operand);
    return number ? number->as_double() : unknown;
  }
  // Whether what a tile is filled up with is nothing beside its own elements: to a maximum, or with `sign` -1 to a
  // minimum.
  bool below(Node tile, int sign) const {
    const double value = sign * of(tile);
    return value == -infinite || (sign > 0 && value <= 0 && never_below_zero(tile));
  }

private:
  static constexpr double unknown = std::numeric_limits<double>::quiet_NaN(),
                          infinite = std::numeric_limits<double>::infinity();

  bool along(std::string_view tile) const {
    const auto t = f_.tiles.find(tile);
    return t != f_.tiles.end() &&
           std::find(t->second.loops.begin(), t->second.loops.end(), loop_) != t->second.loops.end();
  }
  const DType *dtype_of(Node tile) const {
    const auto t = f_.tiles.find(c.name_of(tile));
    return t == f_.tiles.end() ? nullptr : t->second.dtype;
  }
  double made(const Filled::Operation &w) const {
    const DType *d = dtype_of(w.operands[0]);
    for (const auto &row : padded)
      if (row.operation == w.name && d) {
        const double a = of(w.operands[1]), b = w.operands.size() > 2 ? of(w.operands[2]) : 0;
        if (w.name == "sub" && std::isinf(a) && std::isnan(b) && extreme_of(w.operands[2], w.operands[1], a)) return a;
        if (std::isinf(a) || std::isinf(b)) {
          const DType *source = dtype_of(w.operands[1]);
          const bool moves = w.name == "copy" || w.name == "transpose" || w.name == "cast";
          const bool kept = source && source->real == d->real && (d->real || source->bytes <= d->bytes);
          if (!(d->real ? w.name != "cast" || kept : moves && kept)) return unknown;
        }
        const double value = row.value(a, b);
        const double most = d->real ? 3e38 : 127; // what every dtype holds
        return (std::isfinite(value) && std::fabs(value) > most) ||
                       (!d->real && std::isfinite(value) && value != std::trunc(value))
                   ? unknown
                   : value;
      }
    return unknown;
  }
  // Whether a tile is the greatest, or least, of what the same tensor has: infinite only where all elements are.
  bool extreme_of(Node tile, Node elements, double beyond) const {
    const auto from = from_.find(c.name_of(elements));
    if (from == from_.end() || from->second.size() != 1) return false;
    const std::string_view reduces = beyond < 0 ? "reduce_max" : "reduce_min",
                           joins = beyond < 0 ? "maximum" : "minimum";
    std::set<std::string, std::less<>> seen;
    bool reduced = false;
    const auto follow = [&](const auto &self, Node n) -> bool {
      if (!f_.tiles.contains(c.name_of(n)) || !seen.emplace(c.name_of(n)).second) return true;
      for (const Filled::Operation &w : f_.operations) {
        if (c.name_of(w.operands[0]) != c.name_of(n)) continue;
        if (w.name == reduces) {
          const auto of = from_.find(c.name_of(w.operands[1]));
          if (of == from_.end() || of->second != from->second) return false;
          reduced = true;
        } else if (w.name == joins || w.name == "copy" ||
                   (w.name == "cast" && dtype_of(n) == dtype_of(w.operands[1]))) {
          for (size_t k = 1; k < w.operands.size(); ++k)
            if (!self(self, w.operands[k])) return false;
        } else if (w.name != "fill") {
          return false;
        }
      }
      return true;
    };
    return follow(follow, tile) && reduced;
  }
  bool never_below_zero(Node tile) const {
    bool any = false;
    for (const Filled::Operation &w : f_.operations) {
      if (c.name_of(w.operands[0]) != c.name_of(tile)) continue;
      any = true;
      const DType *d = dtype_of(tile);
      if (!d || !d->real || (w.name != "absolute" && w.name != "exp" && w.name != "sigmoid" && w.name != "sqrt"))
        return false;
    }
    return any;
  }
  // Whether that is new.
  bool holds(std::string_view tile, double value) {
    const auto [it, fresh] = values_.try_emplace(std::string(tile), value);
    if (fresh) return true;
    if (it->second == value || std::isnan(it->second)) return false;
    it->second = unknown;
    return true;
  }

  const Context &c;
  const Filled &f_;
  int loop_;
  sdk::Constants constants_;
  std::map<std::string, double, std::less<>> values_;
  std::map<std::string, std::set<size_t>, std::less<>> from_; // the tensors that a tile is made of
};

// The loop whose blocks a dimension of a tile has, counted from its first or, below 0, from behind its last; -1: none.
int loop_at(const Context &c, const Filled &f, Node tile, int64_t dimension) {
  const auto t = f.tiles.find(c.name_of(tile));
  if (t == f.tiles.end()) return -1;
  const auto rank = static_cast<int64_t>(t->second.loops.size());
  if (dimension < 0) dimension += rank;
  return dimension < 0 || dimension >= rank ? -1 : t->second.loops[static_cast<size_t>(dimension)];
}

Counted counted(const Context &c, Node root, const Filled &f, const std::vector<Fill> &fills) {
  std::map<int, Padding> of;
  for (const Filled::Operation &w : f.operations) {
    if (w.name == "call") { // may count whatever there is
      for (const Node n : w.operands)
        if (const auto t = f.tiles.find(c.name_of(n)); t != f.tiles.end())
          for (const int loop : t->second.loops)
            if (f.ragged.contains(loop)) return {w.node, loop, w.name};
      continue;
    }
    const bool product = w.name == "matmul", reduces = w.name.starts_with("reduce_");
    int64_t axis = -1;
    if ((!product && !reduces) || w.operands.size() != 3 || (reduces && !c.integer(w.operands[2], &axis))) continue;
    const int loop = loop_at(c, f, w.operands[1], axis);
    if (!f.ragged.contains(loop)) continue;
    const Padding &padding = of.try_emplace(loop, c, root, f, loop, fills).first->second;
    const double a = padding.of(w.operands[1]);
    const bool neutral = product                  ? a * padding.of(w.operands[2]) == 0
                         : w.name == "reduce_sum" ? a == 0
                                                  : padding.below(w.operands[1], w.name == "reduce_max" ? 1 : -1);
    if (!neutral) return {w.node, loop, w.name};
  }
  return {};
}

} // namespace

Counted choose_fills(const Context &c, Node root, const std::vector<Filled> &all, std::vector<Fill> &fills) {
  const auto look = [&](const std::vector<Fill> &with) {
    for (const Filled &f : all)
      if (const Counted found = counted(c, root, f, with); found.by) return found;
    return Counted{};
  };
  const Counted first = look(fills);
  if (!first.by) return {};
  constexpr size_t most = 4; // tensors that more than zeros are tried for
  std::set<size_t> ragged;
  for (const Filled &f : all)
    for (const auto &[tile, tensor] : f.loaded)
      for (const int loop : f.tiles.find(tile)->second.loops)
        if (f.ragged.contains(loop) && ragged.size() < most) ragged.insert(tensor);
  size_t ways = 1;
  for (size_t k = 0; k < ragged.size(); ++k) ways *= std::size(fill_names);
  for (size_t way = 1; way < ways; ++way) {
    std::vector<Fill> with(fills.size());
    size_t rest = way;
    for (const size_t tensor : ragged)
      with[tensor] = static_cast<Fill>(rest % std::size(fill_names)), rest /= std::size(fill_names);
    if (look(with).by) continue;
    fills = with;
    return {};
  }
  return first;
}

Counted choose_fills(Kernel &k) {
  Filled f;
  for (const auto &[name, b] : k.buffers) f.tiles[name] = {k.dtype_of(b), b.loops};
  for (const Access &a : k.accesses)
    if (!a.stores) f.loaded.emplace_back(a.tile, a.tensor);
  for (const Operation &o : k.operations) {
    Filled::Operation &made = f.operations.emplace_back(o.node, o.name);
    for (const Operation::Operand &operand : o.operands) made.operands.push_back(operand.node);
  }
  for (size_t l = 0; l < k.loops.size(); ++l)
    if (k.ragged(static_cast<int>(l))) f.ragged.insert(static_cast<int>(l));
  std::vector<Fill> fills(k.parameters.size());
  const Counted found = choose_fills(k.c, k.root, {f}, fills);
  for (size_t t = 0; t < fills.size(); ++t) k.parameters[t].fill = fills[t];
  return found;
}

std::string hint_for(const Counted &counted, int64_t extent, int64_t block) {
  int64_t even = block;
  while (extent % even) --even;
  const std::string blocks = even > 1 || block == 1 ? "choose blocks that divide the extent evenly: `" +
                                                          std::to_string(even) + "` of " + std::to_string(extent)
                                                    : std::string();
  if (counted.how == "call")
    return even > 1 ? blocks
                    : "choose blocks that divide the extent evenly: of " + std::to_string(extent) +
                          " these are blocks of 1, or the whole";
  const std::string one =
      "go through it one by one, `range(" + std::to_string(extent) + ")`, or load the dimension whole";
  return even > 1 ? blocks + ", or load the dimension whole" : one;
}

} // namespace htp::aie
