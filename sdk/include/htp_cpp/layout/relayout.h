// htp_cpp/layout/relayout.h — how a tensor gets from one layout to another: the steps that cost least, each with what
// it costs. Axes of memory and registers are within a device; every other axis counts devices (or units that have
// memory of their own).
#pragma once

#include "htp_cpp/layout/distribution.h"

#include <tuple>

namespace htp::layout {

struct Step {
  enum Kind {
    copy,           // each device moves elements in its own memory
    slice,          // of copies each device keeps its slice
    all_gather,     // the devices of an axis give each other their slices
    all_to_all,     // what was cut along one dimension is cut along another
    all_reduce,     // the partial values of the devices of an axis are combined, each gets all
    reduce_scatter, // … each gets its slice
    permute,        // every device gets what another has
    exchange        // every device gets what it needs from whoever has it
  } kind;
  std::string axis{};         // the devices that take part
  size_t dim = 0, to_dim = 0; // of the tensor, where the step is about one
  std::string op{};           // of a reduction
  Layout before, after;
  int64_t bytes = 0; // that one device receives; of a copy, that it moves
};

inline const char *name_of(Step::Kind kind) {
  constexpr const char *names[] = {"copy",       "slice",          "all_gather", "all_to_all",
                                   "all_reduce", "reduce_scatter", "permute",    "exchange"};
  return names[kind];
}

// `all_gather over x of dimension 0 (96 bytes)`.
inline std::string text_of(const Step &s) {
  std::string text = name_of(s.kind);
  if (!s.op.empty()) text += " of the " + s.op;
  if (!s.axis.empty()) text += " over " + s.axis;
  switch (s.kind) {
  case Step::slice:
  case Step::reduce_scatter: text += " along dimension " + std::to_string(s.dim); break;
  case Step::all_gather: text += " of dimension " + std::to_string(s.dim); break;
  case Step::all_to_all: text += " from dimension " + std::to_string(s.dim) + " to " + std::to_string(s.to_dim); break;
  default: break;
  }
  return text + " (" + std::to_string(s.bytes) + " bytes)";
}

// What a device holds is addressed by these axes; all others count devices.
inline bool is_local(std::string_view axis) { return axis == memory_axis || axis == "register"; }

namespace moves {

// One step between distributions, without its layouts.
struct Move {
  Step::Kind kind;
  std::string axis{};
  size_t dim = 0, to_dim = 0;
  std::string op{};
  Sharding to;
  int64_t bytes = 0;
};

inline int64_t part_of(int64_t bytes, int64_t devices) { return bytes / devices * (devices - 1); }

// All steps from a distribution; `shape` and `bytes` of an element give what they cost.
inline std::vector<Move> from(const Sharding &s, const std::vector<int64_t> &shape, int64_t bytes) {
  std::vector<Move> found;
  const auto local = local_shape(s, shape);
  if (!local) return found;
  const int64_t size = times(product_of(*local), bytes);
  const auto divisible = [&](size_t dim, int64_t devices) { return (*local)[dim] % devices == 0; };
  for (const auto &[axis, n] : s.mesh) {
    if (s.copied(axis))
      for (size_t k = 0; k < shape.size(); ++k)
        if (divisible(k, n)) {
          found.push_back({Step::slice, axis, k, 0, {}, s, 0});
          found.back().to.dims[k].push_back(axis);
        }
    for (size_t p = 0; p < s.pending.size(); ++p) {
      if (s.pending[p].first != axis) continue;
      Sharding done = s;
      done.pending.erase(done.pending.begin() + static_cast<ptrdiff_t>(p));
      found.push_back({Step::all_reduce, axis, 0, 0, s.pending[p].second, done, 2 * part_of(size, n)});
      for (size_t k = 0; k < shape.size(); ++k)
        if (divisible(k, n)) {
          found.push_back({Step::reduce_scatter, axis, k, 0, s.pending[p].second, done, part_of(size, n)});
          found.back().to.dims[k].push_back(axis);
        }
    }
  }
  for (size_t k = 0; k < shape.size(); ++k) {
    if (s.dims[k].empty()) continue;
    const std::string axis = s.dims[k].back();
    const int64_t n = s.devices(axis);
    Sharding without = s;
    without.dims[k].pop_back();
    found.push_back({Step::all_gather, axis, k, 0, {}, without, times(size, n - 1)});
    for (size_t j = 0; j < shape.size(); ++j)
      if (j != k && divisible(j, n)) {
        found.push_back({Step::all_to_all, axis, k, j, {}, without, part_of(size, n)});
        found.back().to.dims[j].push_back(axis);
      }
    // Devices are exchanged: two axes of one dimension, or axes of as many devices anywhere.
    for (size_t a = 0; a + 1 < s.dims[k].size(); ++a) {
      found.push_back({Step::permute, {}, k, k, {}, s, size});
      std::swap(found.back().to.dims[k][a], found.back().to.dims[k][a + 1]);
    }
    for (size_t a = 0; a < s.dims[k].size(); ++a)
      for (const auto &[other, count] : s.mesh) {
        if (other == s.dims[k][a] || count != s.devices(s.dims[k][a]) || s.is_pending(other)) continue;
        Move move{Step::permute, {}, k, k, {}, s, size};
        for (auto &cut : move.to.dims)
          for (std::string &name : cut)
            if (name == other)
              name = s.dims[k][a];
            else if (name == s.dims[k][a])
              name = other;
        found.push_back(std::move(move));
      }
  }
  return found;
}

// The cheapest way: what costs least, then fewest steps, then the order of `from`.
inline std::optional<std::vector<Move>> cheapest(const Sharding &start, const Sharding &goal,
                                                 const std::vector<int64_t> &shape, int64_t bytes, int64_t overhead) {
  struct Reached {
    std::pair<int64_t, size_t> cost;
    std::optional<std::pair<Sharding, Move>> by{};
    bool settled = false;
  };
  std::map<Sharding, Reached> reached{{start, {{0, 0}}}};
  std::set<std::tuple<int64_t, size_t, size_t, Sharding>> open{{0, 0, 0, start}};
  for (size_t order = 1; !open.empty();) {
    const Sharding at = std::get<3>(*open.begin());
    open.erase(open.begin());
    Reached &here = reached.at(at);
    if (std::exchange(here.settled, true)) continue;
    if (at == goal) break;
    const auto cost = here.cost;
    for (Move &move : from(at, shape, bytes)) {
      const std::pair<int64_t, size_t> next{plus(cost.first, move.bytes ? plus(move.bytes, overhead) : 0),
                                            cost.second + 1};
      const auto [there, added] = reached.try_emplace(move.to, Reached{next});
      if (!added && (there->second.settled || there->second.cost <= next)) continue;
      open.emplace(next.first, next.second, order++, move.to);
      there->second = {next, std::pair(at, std::move(move))};
    }
  }
  const auto end = reached.find(goal);
  if (end == reached.end()) return std::nullopt;
  std::vector<Move> way;
  for (const Reached *r = &end->second; r->by; r = &reached.at(r->by->first)) way.push_back(r->by->second);
  std::ranges::reverse(way);
  return way;
}

inline Space devices_of(const Layout &a, const Layout &b) {
  std::map<std::string, int64_t> counts;
  for (const Layout *l : {&a, &b}) {
    const Reach reach = reach_of(l->fields());
    for (const Point &p : {reach.high, l->offset()})
      for (const auto &[axis, n] : p)
        if (!is_local(axis)) counts[axis] = std::max(counts[axis], plus(plus(reach.high[axis], l->offset()[axis]), 1));
  }
  return {counts.begin(), counts.end()};
}

// Elements, of the device that has most: what it needs and does not have, and all that it needs. Nothing when there are
// too many to look at.
struct Needs {
  int64_t missing = 0, all = 0;
};
inline std::optional<Needs> needs(const Layout &from, const Layout &to) {
  const auto held = [](const Layout &l) -> std::optional<std::map<Point, std::set<int64_t>>> {
    std::vector<Point> copies{Point()};
    for (const Term &t : l.replicate()) {
      std::vector<Point> more;
      for (const Point &p : copies)
        for (int64_t d = 0; d < t.extent; ++d) more.push_back(p + t.at(d));
      copies = std::move(more);
      if (static_cast<int64_t>(copies.size()) > most_elements) return std::nullopt;
    }
    if (times(l.size(), static_cast<int64_t>(copies.size())) > 16 * most_elements) return std::nullopt;
    std::map<Point, std::set<int64_t>> by_device;
    for (int64_t x = 0; x < l.size(); ++x)
      for (const Point &copy : copies) {
        Point device;
        for (const auto &[axis, n] : l.at(x) + copy)
          if (!is_local(axis)) device.add(axis, n);
        by_device[device].insert(x);
      }
    return by_device;
  };
  const auto has = held(from), wanted = held(to);
  if (!has || !wanted) return std::nullopt;
  Needs worst;
  for (const auto &[device, elements] : *wanted) {
    const auto own = has->find(device);
    int64_t count = 0;
    for (const int64_t x : elements) count += own == has->end() || !own->second.contains(x);
    worst.missing = std::max(worst.missing, count);
    worst.all = std::max(worst.all, static_cast<int64_t>(elements.size()));
  }
  return worst;
}

} // namespace moves

// None when the layouts are the same. Elements have `bytes` bytes; a step in which devices talk costs `overhead` bytes
// more than it moves.
inline Result<std::vector<Step>> relayout(const Layout &from, const Layout &to, const std::vector<int64_t> &shape,
                                          int64_t bytes, int64_t overhead = 1024) {
  std::vector<Step> steps;
  if (from.size() != to.size() || product_of(shape) != from.size())
    return No{"layouts of " + std::to_string(from.size()) + " and " + std::to_string(to.size()) +
              " elements are not of one tensor of " + shape_text(shape)};
  if (from == to) return steps;
  const Space mesh = moves::devices_of(from, to);
  const auto a = to_sharding(from, mesh, shape), b = to_sharding(to, mesh, shape);
  if (!a || !b) {
    if (from.pending() != to.pending())
      return No{"what is pending is combined between distributions only, and " + (a ? b : a).reason()};
    if (!from.pending().empty())
      return No{"partial values are not moved unless both layouts are distributions: " + (a ? b : a).reason()};
    const auto needs = moves::needs(from, to);
    if (!needs) return No{"the layouts are too large to look at element by element, and " + (a ? b : a).reason()};
    const bool talks = needs->missing > 0;
    steps.push_back({.kind = talks ? Step::exchange : Step::copy,
                     .before = from,
                     .after = to,
                     .bytes = times(talks ? needs->missing : needs->all, bytes)});
    return steps;
  }
  for (const auto &[axis, op] : b->sharding.pending)
    if (std::ranges::find(a->sharding.pending, std::pair(axis, op)) == a->sharding.pending.end())
      return No{"nothing makes a value the " + op + " of partial values over `" + axis + "`"};
  const auto way = moves::cheapest(a->sharding, b->sharding, shape, bytes, overhead);
  if (!way) return No{"no steps lead from " + text_of(a->sharding) + " to " + text_of(b->sharding)};
  Layout at = from;
  for (size_t k = 0; k < way->size(); ++k) {
    const moves::Move &move = (*way)[k];
    // The last step writes each element where it is to be.
    const auto next = k + 1 == way->size() ? Result<Layout>(to) : from_sharding(move.to, shape);
    if (!next) return next.no();
    steps.push_back({move.kind, move.axis, move.dim, move.to_dim, move.op, at, *next, move.bytes});
    at = *next;
  }
  if (way->empty())
    steps.push_back({.kind = Step::copy, .before = from, .after = to, .bytes = times(a->local.size(), bytes)});
  return steps;
}

} // namespace htp::layout
