// aie.normalize_loops: loops count their iterations from 0, `range(5)`, of blocks that are whole by now: slices of as
// many elements. Of loops that cores share each core, `for core in aie.cores()`, does its own.
#include "on_cores.h"
#include "passes.h"

#include <algorithm>

namespace htp::aie::cores {

namespace {

// Each core does its iterations of a loop that cores share, and so many: those of a column follow each other, and go
// round its cores.
class Distributing {
public:
  explicit Distributing(Cores &all) : all_(all) {
    for (const Loop &l : all.loops) {
      const int64_t blocks = l.block ? (l.extent + l.block - 1) / l.block : l.times, by = shared_by(all, l.over);
      iterations_.push_back((blocks + by - 1) / by);
    }
  }
  void run() {
    all_.core = fresh(all_, "core");
    for (Access &a : all_.accesses)
      for (Slice &s : a.index) distribute(a, s);
    for (size_t l = 0; l < all_.loops.size(); ++l)
      all_.loops[l].times = iterations_[l], all_.loops[l].over = Over::none, all_.loops[l].within.reset();
  }

private:
  void distribute(Access &a, Slice &s) {
    std::map<size_t, int64_t> steps;
    for (const auto &[l, step] : s.steps) {
      const Over over = all_.loops[l].over;
      const bool rows = over == Over::rows || over == Over::cores,
                 columns = over == Over::columns || over == Over::cores;
      const int64_t each = rows ? all_.rows * step : step; // iteration
      if (columns) s.column += iterations_[l] * each;
      if (rows) s.row += step;
      if (iterations_[l] > 1) steps[l] = each;
      a.changed = a.changed || columns || rows;
    }
    s.steps = std::move(steps);
  }
  Cores &all_;
  std::vector<int64_t> iterations_; // of a core, by loop
};

} // namespace

bool normalize_loops(const Context &c, Cores &all) {
  const bool shared = all.alike && all.core.empty();
  if (shared) Distributing(all).run();
  std::set<size_t> other; // loops
  for (size_t l = 0; l < all.loops.size(); ++l)
    if (all.loops[l].block || all.loops[l].first || shared) other.insert(l);
  if (other.empty()) return shared;
  for (Access &a : all.accesses)
    for (Slice &s : a.index) {
      a.changed = a.changed || s.block || std::any_of(s.steps.begin(), s.steps.end(), [&](const auto &step) {
                    return step.second && other.contains(step.first);
                  });
      s.block.reset();
    }
  for (Process &p : all.processes)
    each(p.body, [&](Item &i) {
      if (i.kind == Item::Kind::loop) i.changed = i.changed || other.contains(i.loop);
      if (i.kind != Item::Kind::buffer) return;
      for (std::optional<size_t> &loop : p.buffers.at(i.tile).loops)
        if (loop) loop.reset(), i.changed = true;
    });
  for (const size_t l : other)
    all.loops[l].block = all.loops[l].extent = all.loops[l].first = 0, all.loops[l].ints = false;
  share_loads(c, all); // the only block of a dimension is a slice that may be loaded beside it
  return true;
}

} // namespace htp::aie::cores

namespace htp::aie {

Node normalized_loops(const Context &c, Node root) {
  return cores::changed(c, root, cores::Of::all, [](const Context &context, Node, cores::Cores &all, OnDevice &) {
    return cores::normalize_loops(context, all);
  });
}

} // namespace htp::aie
