// htp_cpp/layout/hardware.h — layouts against a machine: levels of parallel units, memory spaces with a capacity and an
// alignment, vectors and banks. A layout's axes are the levels' names; "m" is the memory of the space it is put in.
#pragma once

#include "htp_cpp/layout/memory.h"

namespace htp::layout {

struct Level {
  std::string name;
  int64_t units = 1;
  friend bool operator==(const Level &, const Level &) = default;
};
struct MemorySpace {
  std::string name;
  int64_t capacity = 0;  // bytes
  int64_t alignment = 1; // bytes
};
struct Machine {
  std::vector<Level> levels; // outermost first
  std::vector<MemorySpace> spaces{};
};

// Units outermost first, each taking one piece: hierarchy(core=4, lane=8).
inline Result<Layout> from_levels(const std::vector<Level> &levels) {
  Fields fields;
  for (const Level &level : levels) fields.terms.push_back(Term::of(level.units, 1, level.name));
  return Layout::make(std::move(fields));
}
inline Result<std::vector<Level>> to_levels(const Layout &layout) {
  if (!layout.plain() || !layout.offset().nowhere())
    return No{"a hierarchy has no copies, no partial values and no offset"};
  std::vector<Level> levels;
  for (const Term &t : layout.terms()) {
    if (t.is_xor() || t.steps[0].axes() != 1 || t.steps[0].begin()->second != 1)
      return No{"a digit of " + std::to_string(t.extent) + " does not go from unit to unit of one level"};
    levels.push_back({t.steps[0].begin()->first, t.extent});
  }
  return levels;
}

struct Fault {
  enum Kind { axis, units, space, capacity, alignment, below } kind;
  std::string what;
  friend bool operator==(const Fault &, const Fault &) = default;
};

// All that is wrong with elements of `bytes` bytes laid out so in a space of the machine.
inline std::vector<Fault> misfits(const Layout &layout, const Machine &machine, std::string_view space, int64_t bytes) {
  std::vector<Fault> faults;
  const Reach reach = reach_of(layout.fields());
  std::map<std::string, std::pair<int64_t, int64_t>> axes; // first and last coordinate
  for (const Point &p : {reach.low, reach.high, layout.offset()})
    for (const auto &[axis, n] : p)
      axes[axis] = {layout.offset()[axis] + reach.low[axis], layout.offset()[axis] + reach.high[axis]};
  const auto named = [&](const auto &items, std::string_view name) {
    return std::ranges::find_if(items, [&](const auto &item) { return item.name == name; });
  };
  for (const auto &[axis, ends] : axes) {
    const auto &[first, last] = ends;
    if (first < 0) faults.push_back({Fault::below, "`" + axis + "` begins at " + std::to_string(first)});
    if (axis == memory_axis) continue;
    const auto level = named(machine.levels, axis);
    if (level == machine.levels.end())
      faults.push_back({Fault::axis, "the machine has no level `" + axis + "`"});
    else if (last >= level->units)
      faults.push_back({Fault::units, "`" + axis + "` has " + std::to_string(level->units) +
                                          " units, and the layout goes to unit " + std::to_string(last)});
  }
  const auto memory = named(machine.spaces, space);
  if (memory == machine.spaces.end()) {
    faults.push_back({Fault::space, "the machine has no memory space `" + std::string(space) + "`"});
    return faults;
  }
  const auto found = axes.find(std::string(memory_axis));
  const auto [first, last] = found == axes.end() ? std::pair<int64_t, int64_t>() : found->second;
  const int64_t needed = times(plus(last, 1), bytes);
  if (needed > memory->capacity)
    faults.push_back({Fault::capacity, "`" + memory->name + "` has " + std::to_string(memory->capacity) +
                                           " bytes, and the layout takes " + std::to_string(needed)});
  if (first >= 0 && times(first, bytes) % memory->alignment != 0)
    faults.push_back({Fault::alignment, "`" + memory->name + "` is aligned to " + std::to_string(memory->alignment) +
                                            " bytes, and the layout begins at byte " +
                                            std::to_string(times(first, bytes))});
  return faults;
}

// How many elements from an index on lie one after the other in memory, the first of them and every next such run at a
// multiple of it: what one vector can load.
inline int64_t vector_of(const Layout &layout) {
  if (layout.terms().empty()) return 1;
  const Term &low = layout.terms().back();
  int64_t run = 1;
  if (low.is_xor()) {
    // Bits that go straight on, and that no other step touches.
    for (size_t k = 0; k < low.steps.size() && low.steps[k] == Point(memory_axis, run); ++k) {
      for (size_t other = 0; other < low.steps.size(); ++other)
        if (other != k && (low.steps[other][memory_axis] & run)) return run;
      run *= 2;
    }
  } else if (low.steps[0] == Point(memory_axis, 1)) {
    run = low.extent;
  }
  // The other digits, copies and the offset keep to multiples.
  int64_t common = std::gcd(run, layout.offset()[memory_axis]);
  for (size_t k = 0; k + 1 < layout.terms().size(); ++k)
    for (const Point &step : layout.terms()[k].steps) {
      const int64_t n = step[memory_axis];
      common = std::gcd(common, layout.terms()[k].is_xor() ? n & -n : n); // multiples of a bit stay so under ^
    }
  for (const Term &t : layout.replicate()) common = std::gcd(common, t.steps[0][memory_axis]);
  for (const Pending &p : layout.pending()) common = std::gcd(common, p.term.steps[0][memory_axis]);
  return common;
}

// The most words of one bank that `lanes` elements from an index on ask for at once, over all starts that are multiples
// of `lanes`: 1 is without conflicts. A bank gives a word of `word` elements at a time.
inline int64_t bank_conflicts(const Layout &layout, int64_t lanes, int64_t banks, int64_t word = 1) {
  int64_t worst = 1;
  for (int64_t start = 0; start < layout.size(); start += lanes) {
    std::map<int64_t, std::set<int64_t>> asked;
    for (int64_t x = start; x < std::min(start + lanes, layout.size()); ++x) {
      const int64_t at = layout.at(x)[memory_axis] / word;
      asked[at % banks].insert(at);
    }
    for (const auto &[bank, words] : asked) worst = std::max(worst, static_cast<int64_t>(words.size()));
  }
  return worst;
}

} // namespace htp::layout
