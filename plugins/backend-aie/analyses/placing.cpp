// Which tiles of the array cores have that have names, and which shims streams of the host pass. What shares a stream
// comes next to each other, where it shares memory, and near to its shims.
#include "analyses/device.h"

#include <algorithm>

namespace htp::aie {

namespace {

class Placing {
public:
  explicit Placing(Program &program) : p(program) {}

  // False where there are fewer tiles than cores.
  bool cores() {
    for (Core &core : p.cores) {
      int64_t best = -1;
      std::pair<int64_t, int64_t> at;
      each_tile([&](int64_t column, int64_t row) {
        if (taken(column, row, nullptr)) return;
        core.column = column, core.row = row;
        if (const int64_t cost = this->cost(); best < 0 || cost < best) best = cost, at = {column, row};
      });
      if (best < 0) return false;
      std::tie(core.column, core.row) = at;
    }
    improve();
    return true;
  }
  // Each stream of the host passes the shim that is nearest and has a channel left; links first, which need those of
  // a memory tile too. False where one has none.
  bool shims() {
    std::map<std::pair<int64_t, bool>, int64_t> used, memory; // by column, and whether it is to the cores, or enters
    bool all_have_one = true;
    for (const bool links : {true, false})
      for (Stream &s : p.streams) {
        if (!s.tensor || s.link.empty() == links || (p.linked_at_shim(s) && !p.leads(s))) continue;
        const Core &core = *p.core_named(s.feeds ? s.consumers[0] : s.producer);
        const std::vector<const Stream *> all = p.linked(s);
        const auto n = links && p.leads(s) ? static_cast<int64_t>(all.size()) : 0;
        const bool distributes = s.feeds != p.linked_at_core(s);
        int64_t best = -1;
        for (int64_t column = 0; column < p.columns; ++column)
          if (used[{column, s.feeds}] < shim_channels &&
              (n == 0 || (memory[{column, distributes}] < memory_tile_channels &&
                          memory[{column, !distributes}] + n <= memory_tile_channels)) &&
              (best < 0 || std::abs(column - core.column) < std::abs(best - core.column)))
            best = column;
        if (best < 0) all_have_one = false, best = core.column; // which is then reported to have too few
        ++used[{best, s.feeds}];
        if (n) ++memory[{best, distributes}], memory[{best, !distributes}] += n;
        s.column = best;
        for (Stream &other : p.streams)
          if (p.linked_at_shim(s) && other.link == s.link) other.column = best;
      }
    return all_have_one;
  }

private:
  template <class F> void each_tile(F &&visit) const {
    for (int64_t column = 0; column < p.columns; ++column)
      for (int64_t row = 2; row < p.rows + 2; ++row) visit(column, row);
  }
  Core *taken(int64_t column, int64_t row, const Core *but) {
    for (Core &core : p.cores)
      if (&core != but && core.column == column && core.row == row) return &core;
    return nullptr;
  }

  // What streams cost where the cores stand: nothing between neighbours; else their way through the switches, and much
  // for channels that a core does not have.
  int64_t cost() const {
    int64_t total = 0;
    std::map<std::string_view, std::pair<int64_t, int64_t>> channels; // in and out
    for (const Stream &s : p.streams) {
      const Core *from = p.core_named(s.producer);
      if (from && from->column < 0) continue;
      if (s.tensor) {
        const bool shares = p.linked_at_core(s) && !p.leads(s);                      // the channel of another one
        if (from) total += from->row, channels[from->name].second += shares ? 0 : 1; // down to a shim
        for (const std::string &name : s.consumers)
          if (const Core *to = p.core_named(name); to && to->column >= 0)
            total += to->row, channels[to->name].first += shares ? 0 : 1;
        if (p.linked_at_shim(s) && !p.leads(s)) total += apart(s, *p.linked(s).front());
        continue;
      }
      if (p.beside(s)) continue;
      bool any = false;
      for (const std::string &name : s.consumers) {
        const Core *to = p.core_named(name);
        if (!from || !to || to->column < 0) continue;
        total += 16 + std::abs(from->column - to->column) + std::abs(from->row - to->row);
        ++channels[to->name].first;
        any = true;
      }
      if (any && from) ++channels[from->name].second;
      if (any && s.block_bytes() % 4) total += 4096; // which no channel moves
    }
    for (const auto &[name, count] : channels)
      total += 4096 *
               (std::max<int64_t>(0, count.first - core_channels) + std::max<int64_t>(0, count.second - core_channels));
    return total;
  }

  // How many columns lie between two streams' cores: what passes one memory tile is better near to it.
  int64_t apart(const Stream &a, const Stream &b) const {
    const Core *one = p.core_named(a.feeds ? a.consumers[0] : a.producer),
               *other = p.core_named(b.feeds ? b.consumers[0] : b.producer);
    return one->column < 0 || other->column < 0 ? 0 : std::abs(one->column - other->column);
  }

  // A core moved, or two exchanged, as long as that is better.
  void improve() {
    int64_t best = cost();
    for (bool better = true; better && best > 0;) {
      better = false;
      for (Core &core : p.cores)
        each_tile([&](int64_t column, int64_t row) {
          const std::pair<int64_t, int64_t> was{core.column, core.row};
          if (was == std::pair(column, row)) return;
          Core *other = taken(column, row, &core);
          core.column = column, core.row = row;
          if (other) std::tie(other->column, other->row) = was;
          if (const int64_t now = cost(); now < best) {
            best = now, better = true;
            return;
          }
          std::tie(core.column, core.row) = was;
          if (other) other->column = column, other->row = row;
        });
    }
  }

  Program &p;
};

} // namespace

bool place_cores(Program &program) { return Placing(program).cores(); }
bool choose_shims(Program &program) { return Placing(program).shims(); }

} // namespace htp::aie
