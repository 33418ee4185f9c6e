#include "padding.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace htp::aie {

namespace {

constexpr struct {
  std::string_view word;
  double (*value)(double a, double b);
} padded[] = {
#define PADDED(word, value) {word, [](double a, [[maybe_unused]] double b) -> double { return value; }},
#include "padding.def"
};

// What elements of tiles hold that a loop's blocks are filled up with: zeros where they were loaded, and what words
// make of these. The same number for all, or it is not known.
class Padding {
public:
  Padding(const Context &context, Node root, const Filled &filled, int loop)
      : c(context), f_(filled), loop_(loop), constants_(context, root) {
    for (const std::string &tile : f_.loaded)
      if (along(tile)) holds(tile, 0);
    for (bool changed = true; changed;) {
      changed = false;
      for (const Filled::Word &w : f_.words) {
        const std::string_view target = c.name_of(w.operands[0]);
        if (!along(target)) continue;
        changed = holds(target, made(w)) || changed;
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

private:
  static constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

  bool along(std::string_view tile) const {
    const auto t = f_.tiles.find(tile);
    return t != f_.tiles.end() &&
           std::find(t->second.loops.begin(), t->second.loops.end(), loop_) != t->second.loops.end();
  }
  double made(const Filled::Word &w) const {
    for (const auto &row : padded)
      if (row.word == w.name) {
        const double value = row.value(of(w.operands[1]), w.operands.size() > 2 ? of(w.operands[2]) : 0);
        const DType *d = f_.tiles.find(c.name_of(w.operands[0]))->second.dtype;
        const double most = d && d->real ? 3e38 : 127; // what every dtype holds
        return !d || (std::isfinite(value) && std::fabs(value) > most) || (!d->real && value != std::trunc(value))
                   ? unknown
                   : value;
      }
    return unknown;
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
};

// The loop whose blocks a dimension of a tile has, counted from its first or, below 0, from behind its last; -1: none.
int loop_at(const Context &c, const Filled &f, Node tile, int64_t dimension) {
  const auto t = f.tiles.find(c.name_of(tile));
  if (t == f.tiles.end()) return -1;
  const auto rank = static_cast<int64_t>(t->second.loops.size());
  if (dimension < 0) dimension += rank;
  return dimension < 0 || dimension >= rank ? -1 : t->second.loops[static_cast<size_t>(dimension)];
}

} // namespace

Counted counted(const Context &c, Node root, const Filled &f) {
  std::map<int, Padding> of;
  for (const Filled::Word &w : f.words) {
    if (w.name == "call") { // may count whatever there is
      for (const Node n : w.operands)
        if (const auto t = f.tiles.find(c.name_of(n)); t != f.tiles.end())
          for (const int loop : t->second.loops)
            if (f.ragged.contains(loop)) return {w.node, loop};
      continue;
    }
    const bool product = w.name == "matmul", reduces = w.name.starts_with("reduce_");
    int64_t axis = -1;
    if ((!product && !reduces) || w.operands.size() != 3 || (reduces && !c.integer(w.operands[2], &axis))) continue;
    const int loop = loop_at(c, f, w.operands[1], axis);
    if (!f.ragged.contains(loop)) continue;
    const Padding &padding = of.try_emplace(loop, c, root, f, loop).first->second;
    const double a = padding.of(w.operands[1]);
    const bool neutral = product                  ? a * padding.of(w.operands[2]) == 0
                         : w.name == "reduce_sum" ? a == 0
                                                  : std::isinf(a) && (a < 0) == (w.name == "reduce_max");
    if (!neutral) return {w.node, loop};
  }
  return {};
}

Counted counted(const Kernel &k) {
  Filled f;
  for (const auto &[name, b] : k.buffers) f.tiles[name] = {k.dtype_of(b), b.loops};
  for (const Access &a : k.accesses)
    if (!a.stores) f.loaded.emplace(k.c.name_of(k.c.get<ast::Call>(k.c.get<ast::Expr>(a.node).value()).args()[0]));
  for (const Node w : k.words) {
    const Nodes args = k.c.get<ast::Call>(k.c.get<ast::Expr>(w).value()).args();
    f.words.push_back({w, k.names.called(k.c.get<ast::Expr>(w).value()).substr(8), {args.begin(), args.end()}});
  }
  for (size_t l = 0; l < k.loops.size(); ++l)
    if (k.ragged(static_cast<int>(l))) f.ragged.insert(static_cast<int>(l));
  return counted(k.c, k.root, f);
}

} // namespace htp::aie
