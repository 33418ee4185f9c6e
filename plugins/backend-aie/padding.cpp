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

// What elements of the tiles of a kernel hold that a loop's blocks are filled up with: zeros where they were loaded,
// and what words make of these. The same number for all, or it is not known.
class Padding {
public:
  Padding(const Kernel &kernel, int loop) : k_(kernel), c(kernel.c), loop_(loop) {
    for (const Access &a : k_.accesses)
      if (const std::string_view tile = c.name_of(call_of(a.node).args()[0]); !a.stores && along(tile)) holds(tile, 0);
    for (bool changed = true; changed;) {
      changed = false;
      for (const Node w : k_.words) {
        const Nodes args = call_of(w).args();
        if (!along(c.name_of(args[0]))) continue;
        changed = holds(c.name_of(args[0]), made(word_of(w), args)) || changed;
      }
    }
  }
  // NaN: not known.
  double of(Node operand) const {
    const auto it = values_.find(c.name_of(operand));
    if (it != values_.end()) return it->second;
    if (k_.buffers.contains(c.name_of(operand))) return unknown;
    const auto number = constants_.number(operand);
    return number ? number->as_double() : unknown;
  }
  ast::Call call_of(Node statement) const { return c.get<ast::Call>(c.get<ast::Expr>(statement).value()); }
  std::string word_of(Node statement) const { return k_.names.called(c.get<ast::Expr>(statement).value()).substr(8); }

private:
  static constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

  bool along(std::string_view tile) const {
    const auto b = k_.buffers.find(tile);
    return b != k_.buffers.end() &&
           std::find(b->second.loops.begin(), b->second.loops.end(), loop_) != b->second.loops.end();
  }
  double made(const std::string &word, Nodes args) const {
    for (const auto &row : padded)
      if (row.word == word) {
        const double value = row.value(of(args[1]), args.size() > 2 ? of(args[2]) : 0);
        const DType *d = k_.dtype_of(k_.buffers.find(c.name_of(args[0]))->second);
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

  const Kernel &k_;
  const Context &c;
  int loop_;
  sdk::Constants constants_{k_.c, k_.root};
  std::map<std::string, double, std::less<>> values_;
};

// The loop whose blocks a dimension of a tile has, counted from its first or, below 0, from behind its last; -1: none.
int loop_at(const Kernel &k, Node tile, int64_t dimension) {
  const auto b = k.buffers.find(k.c.name_of(tile));
  if (b == k.buffers.end()) return -1;
  const auto rank = static_cast<int64_t>(b->second.loops.size());
  if (dimension < 0) dimension += rank;
  return dimension < 0 || dimension >= rank ? -1 : b->second.loops[static_cast<size_t>(dimension)];
}

} // namespace

Counted counted(const Kernel &k) {
  std::map<int, Padding> of;
  for (const Node w : k.words) {
    auto call = k.c.get<ast::Call>(k.c.get<ast::Expr>(w).value());
    const std::string word = k.names.called(k.c.get<ast::Expr>(w).value()).substr(8);
    const Nodes args = call.args();
    if (word == "call") { // may count whatever there is
      for (const Node n : args)
        if (const auto b = k.buffers.find(k.c.name_of(n)); b != k.buffers.end())
          for (const int loop : b->second.loops)
            if (loop >= 0 && k.ragged(loop)) return {w, loop};
      continue;
    }
    const bool product = word == "matmul", reduces = word.starts_with("reduce_");
    int64_t axis = -1;
    if ((!product && !reduces) || args.size() != 3 || (reduces && !k.c.integer(args[2], &axis))) continue;
    const int loop = loop_at(k, args[1], axis);
    if (loop < 0 || !k.ragged(loop)) continue;
    const Padding &padding = of.try_emplace(loop, k, loop).first->second;
    const double a = padding.of(args[1]);
    const bool neutral = product                ? a * padding.of(args[2]) == 0
                         : word == "reduce_sum" ? a == 0
                                                : std::isinf(a) && (a < 0) == (word == "reduce_max");
    if (!neutral) return {w, loop};
  }
  return {};
}

} // namespace htp::aie
