// Relayout: the steps are executed on simulated devices, each of which sees only the devices that take part, and the
// target's layout is what is found there in the end.
#include "htp_cpp/layout/convert.h"

#include "layout/oracle.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace htp::layout {
namespace {

// What lies where. An element x is the number x; of a pending sum the first part is what makes up for the others.
using Memory = std::map<Point, int64_t>;

Point device_of(const Point &place) {
  Point device;
  for (const auto &[axis, n] : place)
    if (!is_local(axis)) device.add(axis, n);
  return device;
}

struct At {
  int64_t element;
  Point place;
  Point part; // which of the pending parts, by axis
};
std::vector<At> places_in(const Layout &l) {
  std::vector<Term> parts;
  for (const Pending &p : l.pending()) parts.push_back(p.term);
  std::vector<At> all;
  for (int64_t x = 0; x < l.size(); ++x)
    for (const Point &copy : places_of(l.replicate()))
      for (const Point &part : places_of(parts)) all.push_back({x, l.at(x) + copy + part, part});
  return all;
}
int64_t value_of(const At &at, const Layout &l) {
  int64_t parts = 1;
  for (const Pending &p : l.pending()) parts *= p.term.extent;
  return at.part.nowhere() ? 100 * at.element + (parts - 1) : -1;
}
Memory filled(const Layout &l) {
  Memory memory;
  for (const At &at : places_in(l)) memory[at.place] = value_of(at, l);
  return memory;
}

// Executes a step as its kind allows; counts the elements that the worst off device gets from others.
Memory execute(const Step &s, const Memory &before, int64_t &received) {
  const bool reduces = s.kind == Step::all_reduce || s.kind == Step::reduce_scatter;
  const bool alone = s.kind == Step::copy || s.kind == Step::slice;
  const auto take_part = [&](const Point &a, const Point &b) { // whether the device a sees the device b
    if (alone) return a == b;
    if (s.kind == Step::permute || s.kind == Step::exchange) return true;
    return (a - Point(s.axis, a[s.axis])) == (b - Point(s.axis, b[s.axis]));
  };
  std::multimap<std::pair<int64_t, Point>, Point> sources; // element, part → places
  for (const At &at : places_in(s.before))
    sources.emplace(std::pair(at.element, reduces ? at.part - Point(s.axis, at.part[s.axis]) : at.part), at.place);
  Memory after;
  std::map<Point, int64_t> from_others;
  for (const At &at : places_in(s.after)) {
    const Point device = device_of(at.place);
    int64_t sum = 0, count = 0;
    bool own = false;
    const auto [begin, end] = sources.equal_range({at.element, at.part});
    for (auto found = begin; found != end; ++found) {
      if (!take_part(device, device_of(found->second))) continue;
      own |= device == device_of(found->second);
      sum = reduces || count == 0 ? sum + before.at(found->second) : sum;
      ++count;
    }
    EXPECT_GT(count, 0) << text_of(s) << ": no device that takes part has element " << at.element;
    after[at.place] = sum;
    from_others[device] += reduces ? 0 : !own;
  }
  received = 0;
  for (const auto &[device, n] : from_others) received = std::max(received, n);
  return after;
}

Sharding random_sharding(Random &random, const Space &mesh, size_t dims, bool parts) {
  Sharding s{mesh, std::vector<std::vector<std::string>>(dims), {}};
  Space order = mesh;
  random.shuffle(order);
  for (const auto &[axis, count] : order)
    if (const auto where = random(0, static_cast<int64_t>(dims) + 1); where < static_cast<int64_t>(dims))
      s.dims[static_cast<size_t>(where)].push_back(axis);
    else if (where > static_cast<int64_t>(dims) && parts)
      s.pending.emplace_back(axis, "sum");
  std::ranges::sort(s.pending);
  return s;
}
std::optional<Layout> random_distributed(Random &random, const Sharding &s, const std::vector<int64_t> &shape) {
  const auto local = local_shape(s, shape);
  if (!local) return std::nullopt;
  std::vector<size_t> order(shape.size());
  std::iota(order.begin(), order.end(), size_t{0});
  if (random.once_in(2)) random.shuffle(order);
  auto inner = ordered(*local, order);
  if (power_of_two(inner->size()) && random.once_in(3))
    if (const auto swizzle = swizzled(*inner, {1, 0, random(1, 3)})) inner = swizzle;
  const auto l = from_sharding(s, shape, *inner);
  return l ? std::optional(*l) : std::nullopt;
}

TEST(Relayout, LeadsToTheTarget) {
  std::map<std::string, size_t> seen;
  for (size_t n = 0; n < cases(500); ++n) {
    Random random(n);
    const bool even = random.once_in(2);
    const Space mesh = even ? Space{{"a", 2}, {"b", 2}} : Space{{"a", 2}, {"b", 3}};
    const std::vector<int64_t> shape = even                ? std::vector<int64_t>{4, 8}
                                       : random.once_in(2) ? std::vector<int64_t>{6, 6}
                                                           : std::vector<int64_t>{12};
    const Sharding s = random_sharding(random, mesh, shape.size(), true);
    Sharding t = random_sharding(random, mesh, shape.size(), false);
    const auto from = random_distributed(random, s, shape), to = random_distributed(random, t, shape);
    if (!from || !to) continue;
    const auto steps = relayout(*from, *to, shape, 4, random.once_in(2) ? 0 : 1024);
    ASSERT_TRUE(steps) << n << steps.reason();
    ASSERT_EQ(steps->empty(), *from == *to) << n;
    Memory memory = filled(*from);
    const Layout *at = &*from;
    for (const Step &step : *steps) {
      ++seen[name_of(step.kind)];
      ASSERT_EQ(step.before, *at) << n;
      int64_t received = 0;
      memory = execute(step, memory, received);
      ASSERT_LE(4 * received, step.bytes) << n << text_of(step); // it does not say less than it takes
      if (step.kind == Step::all_gather || step.kind == Step::all_to_all) {
        ASSERT_EQ(4 * received, step.bytes) << n << text_of(step);
      }
      if (step.kind == Step::copy || step.kind == Step::slice) {
        ASSERT_EQ(received, 0);
      }
      at = &step.after;
    }
    ASSERT_EQ(*at, *to) << n;
    ASSERT_EQ(memory, filled(*to)) << n;
  }
  for (const char *kind : {"copy", "slice", "all_gather", "all_to_all", "all_reduce", "reduce_scatter", "permute"})
    EXPECT_GT(seen[kind], 0U) << kind;
}

TEST(Relayout, OfAnyLayoutsExchanges) {
  size_t exchanges = 0;
  for (size_t n = 0; n < cases(500); ++n) {
    Random random(n);
    Fields parts;
    std::map<std::string, int64_t> span{{"a", 1}, {"b", 1}, {"m", 1}};
    const auto random_places = [&] {
      Fields made;
      std::vector<int64_t> extents{2, 2, 3, 2};
      random.shuffle(extents);
      span = {{"a", 1}, {"b", 1}, {"m", 1}};
      for (const int64_t e : extents) {
        const std::string axis = random.of(std::vector<std::string>{"a", "b", "m"});
        made.terms.push_back(Term::of(e, span[axis], axis));
        span[axis] *= e;
      }
      if (random.once_in(3)) made.replicate.push_back(Term::of(2, span["a"], "a"));
      random.shuffle(made.terms);
      return layout(std::move(made));
    };
    const Layout from = random_places(), to = random_places();
    const auto steps = relayout(from, to, {24}, 2);
    ASSERT_TRUE(steps) << n << steps.reason();
    Memory memory = filled(from);
    for (const Step &step : *steps) {
      int64_t received = 0;
      memory = execute(step, memory, received);
      ASSERT_LE(2 * received, step.bytes) << n;
      if (step.kind == Step::exchange) {
        ASSERT_EQ(2 * received, step.bytes) << n;
        ++exchanges;
      }
    }
    ASSERT_EQ(memory, filled(to)) << n;
  }
  EXPECT_GT(exchanges, 50U);
}

// The steps between two distributions of a 16 × 16 tensor of 4-byte elements over x = 4, y = 2.
std::string steps_of(std::string_view from, std::string_view to, int64_t overhead = 1024) {
  const auto a = read("shard((16, 16), " + std::string(from) + ", mesh={'x': 4, 'y': 2})"),
             b = read("shard((16, 16), " + std::string(to) + ", mesh={'x': 4, 'y': 2})");
  if (!a || !b) return a.reason() + b.reason();
  const auto steps = relayout(*a, *b, {16, 16}, 4, overhead);
  if (!steps) return steps.reason();
  std::string text;
  for (const Step &s : *steps) text += (text.empty() ? "" : "; ") + text_of(s);
  return text;
}

TEST(Relayout, TakesTheCheapestWay) {
  EXPECT_EQ(steps_of("('x', None)", "('x', None)"), "");
  EXPECT_EQ(steps_of("('x', None)", "(None, None)"), "all_gather over x of dimension 0 (768 bytes)");
  EXPECT_EQ(steps_of("(None, None)", "('x', None)"), "slice over x along dimension 0 (0 bytes)");
  EXPECT_EQ(steps_of("('x', None)", "(None, 'x')"), "all_to_all over x from dimension 0 to 1 (192 bytes)");
  EXPECT_EQ(steps_of("(None, None), pending={'x': 'sum'}", "(None, None)"),
            "all_reduce of the sum over x (1536 bytes)");
  EXPECT_EQ(steps_of("(None, None), pending={'x': 'sum'}", "(None, 'x')"),
            "reduce_scatter of the sum over x along dimension 1 (768 bytes)");
  EXPECT_EQ(steps_of("('x', None)", "('y', 'x')"),
            "all_to_all over x from dimension 0 to 1 (192 bytes); slice over y along dimension 0 (0 bytes)");
  // When starting costs nothing, devices that have the same first share the work.
  EXPECT_EQ(steps_of("(None, None), pending={'x': 'sum'}", "(None, None)", 0),
            "slice over y along dimension 0 (0 bytes); all_reduce of the sum over x (768 bytes); all_gather over y of "
            "dimension 0 (512 bytes)");
  EXPECT_EQ(steps_of("(('x', 'y'), None)", "(('y', 'x'), None)"), "permute (128 bytes)");
  EXPECT_EQ(steps_of("(None, None)", "(None, None), pending={'x': 'sum'}"),
            "nothing makes a value the sum of partial values over `x`");
}

TEST(Relayout, SaysWhyNot) {
  const auto reason = [](std::string_view from, std::string_view to, std::vector<int64_t> shape) {
    return relayout(*read(from), *read(to), shape, 4).reason();
  };
  EXPECT_EQ(reason("ordered((4,), (0,))", "ordered((8,), (0,))", {8}),
            "layouts of 4 and 8 elements are not of one tensor of (8,)");
  EXPECT_EQ(reason("layout(((2, 1, 'm'), (2, 1, 'x')), pending=((2, 1, 'y', 'sum'),))", "ordered((4,), (0,))", {4}),
            "what is pending is combined between distributions only, and dimension 0 is dealt out in turns, not cut "
            "into one piece for each device");
  EXPECT_EQ(reason("layout(((2, 1, 'm'), (2, 1, 'x')), pending=((2, 1, 'y', 'sum'),))",
                   "layout(((2, 1, 'x'), (2, 1, 'm')), pending=((2, 1, 'y', 'sum'),))", {4}),
            "partial values are not moved unless both layouts are distributions: dimension 0 is "
            "dealt out in turns, not cut into one piece "
            "for each device");
  EXPECT_EQ(reason("layout(((16777216, 1, 'm'), (2, 1, 'x')))", "ordered((33554432,), (0,))", {33554432}),
            "the layouts are too large to look at element by element, and dimension 0 is dealt out in turns, not cut "
            "into one piece for each device");
}

TEST(Relayout, OfMemoryAloneIsACopy) {
  const auto steps = relayout(*row_major({8, 64}), *swizzled(*row_major({8, 64}), {3, 3, 3}), {8, 64}, 2);
  ASSERT_TRUE(steps);
  ASSERT_EQ(steps->size(), 1U);
  EXPECT_EQ(text_of(steps->front()), "copy (1024 bytes)");
}

} // namespace
} // namespace htp::layout
