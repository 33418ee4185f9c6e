// The blocks of a product: every choice that fits is predicted, and the best one taken.
#include "spreading/grid.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace htp::aie {

namespace {

namespace cost {
#define DEVICE_COST(...)
#define MACS(...)
#define COST(name, value, what) inline constexpr double name = value;
#include "analyses/costs.def"
} // namespace cost

struct Speed {
  std::string_view device;
  double hertz, resting, memory_bytes, start;
  int64_t cores;
};
struct Macs {
  std::string_view device, element;
  double matrix, vector;
};
constexpr Speed speeds[] = {
#define DEVICE_COST(...) {__VA_ARGS__},
#define MACS(...)
#define COST(...)
#include "analyses/costs.def"
};
constexpr Macs rates[] = {
#define DEVICE_COST(...)
#define MACS(...) {__VA_ARGS__},
#define COST(...)
#include "analyses/costs.def"
};

double up(double n, double to) { return std::ceil(n / to) * to; }
int64_t blocks(int64_t n, int64_t of) { return (n + of - 1) / of; }

class Search {
public:
  Search(const Product &product, const Device &device, int64_t columns)
      : p_(product), u_(*product.unit), columns_(columns) {
    for (const Speed &s : speeds)
      if (s.device == device.name) speed_ = &s;
    for (const Macs &r : rates)
      if (r.device == device.name) {
        if (r.element == u_.dtype) macs_ = r.matrix;
        if (r.element == "f32") vector_macs_ = r.vector;
      }
  }

  Grid run() {
    if (!speed_) return {};
    const int64_t most_rows = cores_per_column;
    for (Grid g; g.columns <= columns_; ++g.columns)
      for (g.rows = 1; g.rows <= std::min(most_rows, g.columns); ++g.rows) {
        if (g.columns * u_.rows >= p_.rows + u_.rows * 2 && g.columns > 1) continue; // columns with nothing to do
        if (g.rows * u_.columns >= p_.columns + u_.columns * 2 && g.rows > 1) continue;
        for (g.m = step(u_.rows, p_.rows); g.m <= reach(p_.rows, g.columns, u_.rows); g.m += u_.rows * 2)
          for (g.n = narrowest(); g.n <= widest(g.rows); g.n += u_.columns * 2)
            for (g.k = u_.depth; g.k <= deepest(); g.k += u_.depth)
              if (!strips(g)) break; // deeper ones do not fit either
      }
    if (p_.batches > 1 && best_.found() && apart() < std::get<0>(best_key_)) return {};
    return best_;
  }

private:
  // Two blocks at a time stay in registers, where there are two.
  static int64_t step(int64_t unit, int64_t extent) { return extent > unit ? unit * 2 : unit; }
  static int64_t reach(int64_t extent, int64_t over, int64_t unit) {
    return std::min<int64_t>(256, up_to(blocks(extent, over), unit * 2));
  }
  // What comes with an operand takes memory.
  int64_t deepest() const {
    const int64_t least = p_.with_a.tensors + p_.with_b.tensors > 0 ? 4 : 1;
    return std::min<int64_t>(512, std::max(least, blocks(p_.depth, u_.depth)) * u_.depth);
  }
  int64_t narrowest() const { return p_.panel ? p_.panel : step(u_.columns, p_.columns); }
  int64_t widest(int64_t rows) const { return p_.panel ? p_.panel : reach(p_.columns, rows, u_.columns); }
  static int64_t up_to(int64_t n, int64_t unit) { return blocks(n, unit) * unit; }

  bool strips(Grid g) {
    bool fits = false;
    for (g.strip = std::min(u_.rows * 2, g.m); g.strip <= g.m; g.strip += u_.rows * 2) {
      if (g.m % g.strip) continue;
      for (g.out_depth = 2; g.out_depth >= 1; --g.out_depth) {
        if (bytes(g) > core_bytes) continue;
        fits = true;
        if (comes(p_.with_a, g.m, g.strip * g.k) && comes(p_.with_b, g.n, g.k * g.n)) predict(g);
        break;
      }
    }
    return fits;
  }
  int64_t bytes(const Grid &g) const {
    return p_.terms * g.m * g.n * p_.sum_bytes + 2 * p_.bytes * g.k * (g.strip + g.n) +
           u_.rows * g.n * (g.out_depth * p_.out_bytes + p_.scratch_bytes) + g.m * p_.with_a.tile_bytes +
           g.n * p_.with_b.tile_bytes + p_.with_b.single_bytes;
  }
  // The seconds that a batch takes at least where each core makes blocks of the program's own, and each column of them
  // gets by one channel what its cores multiply.
  double apart() const {
    const auto n = [](int64_t v) { return static_cast<double>(v); };
    const int64_t m = p_.own_rows, w = p_.own_columns, cores = columns_ * cores_per_column;
    const int64_t turns = blocks(p_.batches * blocks(p_.rows, m) * blocks(p_.columns, w), cores);
    const double made = n(m * w * p_.depth * p_.terms) / macs_, column = n(cores_per_column) / cost::stream_bytes,
                 comes = column * n(std::max(m, w) * p_.depth * p_.terms * p_.bytes),
                 leaves = column * n(m * w * p_.out_bytes);
    const double all = n(p_.batches * p_.rows * p_.columns) *
                       (n(p_.terms * p_.depth * p_.bytes) * (1 / n(w) + 1 / n(m)) + n(p_.out_bytes));
    return std::max(n(turns) * std::max({made, comes, leaves}) / speed_->hertz, all / speed_->memory_bytes) +
           speed_->start;
  }
  // Whether what comes with an operand fits one of its blocks.
  bool comes(const Product::Packed &with, int64_t lines, int64_t part) const {
    return with.bytes * lines + with.tensors * pack_line <= part * p_.bytes;
  }

  void predict(Grid &g) {
    const auto n = [](int64_t v) { return static_cast<double>(v); };
    const double loads = cost::load_bytes * cost::load_ports;
    // Two by two blocks of the sums, one turn of the loop over them.
    const double down = g.strip > u_.rows ? 2 : 1, across = g.n > u_.columns ? 2 : 1;
    const double a_bytes = up(n(u_.rows * u_.depth * p_.bytes), cost::load_bytes),
                 b_bytes = up(n(u_.depth * u_.columns * p_.bytes), cost::load_bytes),
                 sum_bytes = up(n(u_.rows * u_.columns * p_.sum_bytes), cost::load_bytes);
    const double turns = n(g.k / u_.depth);
    const double loading = turns * (down * a_bytes + across * b_bytes) / loads + down * across * sum_bytes / loads,
                 storing = down * across * sum_bytes / cost::store_bytes,
                 making = turns * down * across * std::max(1.0, std::ceil(n(u_.rows * u_.depth * u_.columns) / macs_));
    // Until the first results of a strip are there: sums are loaded, products made, sums stored; three loops begin.
    const double fill = down * across * sum_bytes * (1 / loads + 1.0 / cost::store_bytes) + cost::load_latency * 2 +
                        cost::product_latency + cost::loop_setup * 3 + (down * a_bytes + across * b_bytes) / loads;
    const double squares = n(g.strip / u_.rows) / down * n(g.n / u_.columns) / across;
    const double strip = squares * std::max({loading, storing, making}) + fill + 2 * cost::lock;
    const double cores = n(g.m / g.strip) * strip + 2 * cost::lock;
    // What comes meanwhile: a strip of rows, and the block of columns, each by a channel.
    const double rows = n(g.m / g.strip) * (n(g.strip * g.k * p_.bytes) / cost::stream_bytes + cost::descriptor),
                 columns = n(g.k * g.n * p_.bytes) / cost::stream_bytes + cost::descriptor;
    const double steps = n(blocks(p_.depth, g.k) * p_.terms);
    const double step = std::max({cores, rows, columns});
    // In front of them what comes with an operand, a block each.
    const auto unpacking = [&](const Product::Packed &with, int64_t lines) {
      return with.tensors == 0 ? 0.0
                               : n(lines * with.bytes) / cost::store_bytes + 2 * cost::lock +
                                     n(with.tensors) * (cost::call + cost::loop_setup + cost::load_latency);
    };
    const double unpacked = unpacking(p_.with_a, g.m) + unpacking(p_.with_b, g.n);
    const double parts_a = n(g.m / g.strip) * steps + (p_.with_a.tensors > 0 ? 1 : 0),
                 parts_b = steps + (p_.with_b.tensors > 0 ? 1 : 0);
    // Before and behind them: zeros, and the results, a row of blocks at a time.
    const double operations = p_.finish.operations + p_.finish.divisions * cost::division,
                 products = p_.finish.products / vector_macs_;
    const double finish = std::max({1.0, n(16 * p_.out_bytes) / cost::store_bytes, operations, products});
    // One after the other: a turn of the loop, which the next ones overlap.
    const double latency = cost::load_latency + operations * cost::vector_latency +
                           p_.finish.products / 16 * std::max<double>(cost::product_latency, 16 / vector_macs_) +
                           cost::loop_setup + cost::call;
    const double around = n(p_.terms * g.m * g.n * p_.sum_bytes) / cost::store_bytes + n(g.m * g.n) / 16 * finish +
                          n(g.m / u_.rows) * (latency + 2 * cost::lock);
    const double joined = n(g.rows * g.m * g.n * p_.out_bytes) / cost::stream_bytes;
    // The results leave while they are made, but for what the core and the memory tile hold.
    const double leaving = joined * std::max(0.0, 1 - n((g.out_depth + 2) * u_.rows) / n(g.m));
    const double block = std::max(steps * step + unpacked + std::max(around, leaving), joined);
    const int64_t down_rounds = blocks(p_.rows, g.columns * g.m), across_rounds = blocks(p_.columns, g.rows * g.n);
    const double working = n(p_.batches * down_rounds * across_rounds) * block / speed_->hertz;
    // The host's memory: a for each round of columns, b for each of rows, in runs.
    const auto stretched = [](double elements, double run) { return elements * up(run, cost::burst_bytes) / run; };
    const double height = n(down_rounds * g.columns * g.m), width = n(across_rounds * g.rows * g.n);
    const double memory = n(p_.batches) *
                          (stretched(n(down_rounds * g.columns * across_rounds * g.strip * p_.bytes) * n(g.k) * parts_a,
                                     n((p_.with_a.by_host ? g.strip * g.k : g.k) * p_.bytes)) +
                           stretched(n(across_rounds * g.rows * down_rounds * g.n * p_.bytes) * n(g.k) * parts_b,
                                     n((p_.panel || p_.with_b.by_host ? g.k * g.n : g.n) * p_.bytes)) +
                           stretched(height * width * n(p_.out_bytes), n(g.rows * g.n * p_.out_bytes))) /
                          speed_->memory_bytes;
    const double first = (rows + columns) / speed_->hertz; // until there is something to do
    const double seconds = std::max(working, memory) + first + speed_->start;
    g.share = n(p_.terms * p_.batches) * n(p_.rows) * n(p_.columns) * n(p_.depth) /
              (macs_ * n(speed_->cores) * speed_->hertz * seconds);
    g.bound = memory > working  ? "the host's memory"
              : joined >= block ? "the streams of the result"
              : step > cores    ? "the streams of the operands"
                                : "the cores";
    const double cores_taken = n(g.columns * g.rows), bytes_taken = n(bytes(g));
    const auto key = std::tuple(seconds, cores_taken, bytes_taken);
    if (best_.found() && key >= best_key_) return;
    best_ = g, best_key_ = key;
  }

  const Product &p_;
  const Unit &u_;
  int64_t columns_;
  const Speed *speed_ = nullptr;
  double macs_ = 1, vector_macs_ = 1;
  Grid best_;
  std::tuple<double, double, double> best_key_;
};

} // namespace

Grid search_grid(const Product &product, const Device &device, int64_t columns) {
  return Search(product, device, columns).run();
}

} // namespace htp::aie
