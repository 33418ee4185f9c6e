// htp_cpp/layout/canonical.h — the one form of a layout. Included by core.h.
//
// Digits: a block of exclusive ors is split wherever its lower steps share no bit with its higher ones, since + is ^
// there; neighbours that go on where the other ends are one digit. What is left is unique: the lowest digit ends where
// the distances from one element to the next first change, and so on up.
//
// Copies: the set { Σ digit · step } is, as a polynomial, a product of (x^end - 1) / (x^step - 1) for each primitive
// direction. In a ring with unique factorisation the steps and the ends that do not cancel are therefore unique, and
// which step goes with which end is chosen by a rule.
#pragma once

#include "htp_cpp/layout/core.h"

namespace htp::layout {
namespace canonical {

// An irreducible row of digits, highest first, for one digit of exclusive ors.
inline std::vector<Term> split(const Term &term) {
  if (!term.is_xor()) return {term};
  const size_t bits = term.steps.size();
  std::vector<Point> above(bits + 1); // the bits of the steps from k on
  for (size_t k = bits; k-- > 0;) above[k] = above[k + 1] | term.steps[k];
  std::vector<Term> low_first;
  Point below;
  Term block{1, {}};
  for (size_t k = 0; k < bits; ++k) {
    block.extent *= 2;
    block.steps.push_back(term.steps[k]);
    below = below | term.steps[k];
    if (!apart(below, above[k + 1])) continue;
    low_first.push_back(std::exchange(block, Term{1, {}}));
  }
  return {low_first.rbegin(), low_first.rend()};
}

inline std::vector<Term> digits(const std::vector<Term> &terms) {
  std::vector<Term> result;
  for (const Term &whole : terms)
    for (Term &t : split(whole)) {
      if (t.extent == 1) continue;
      if (!result.empty() && !t.is_xor() && !result.back().is_xor() && result.back().steps[0] == t.steps[0] * t.extent)
        result.back() = {result.back().extent * t.extent, t.steps};
      else
        result.push_back(std::move(t));
    }
  return result;
}

// A step as a multiple of the shortest one in its direction, which points up along its first axis.
inline std::pair<Point, int64_t> direction_of(const Point &step) {
  int64_t common = 0;
  for (const auto &[axis, n] : step) common = std::gcd(common, n);
  if (step.begin()->second < 0) common = -common;
  Point direction;
  for (const auto &[axis, n] : step) direction.add(axis, n / common);
  return {direction, common};
}

// Pairs each step with an end that it divides: the largest step first, with the nearest end that leaves the others
// theirs.
inline bool pair_up(std::vector<int64_t> &steps, std::vector<int64_t> &ends,
                    std::vector<std::pair<int64_t, int64_t>> &found) {
  if (steps.empty()) return true;
  const int64_t step = steps.back();
  steps.pop_back();
  for (size_t k = 0; k < ends.size(); ++k) {
    const int64_t end = ends[k];
    if (end % step != 0 || end <= step || (k && ends[k - 1] == end)) continue;
    ends.erase(ends.begin() + static_cast<ptrdiff_t>(k));
    found.emplace_back(step, end);
    if (pair_up(steps, ends, found)) return true;
    found.pop_back();
    ends.insert(ends.begin() + static_cast<ptrdiff_t>(k), end);
  }
  steps.push_back(step);
  return false;
}

// The canonical terms of a set of copies; what points down is turned, which moves the offset.
inline std::vector<Term> copies(const std::vector<Term> &terms, Point &offset) {
  std::map<Point, std::pair<std::multiset<int64_t>, std::multiset<int64_t>>> lines; // direction → steps, ends
  for (const Term &t : terms) {
    if (t.extent == 1) continue;
    auto [direction, step] = direction_of(t.steps[0]);
    if (step < 0) offset = offset + t.steps[0] * (t.extent - 1), step = -step;
    lines[direction].first.insert(step);
    lines[direction].second.insert(times(step, t.extent));
  }
  std::vector<Term> result;
  for (auto &[direction, line] : lines) {
    auto &[steps, ends] = line;
    for (auto s = steps.begin(); s != steps.end();) {
      const auto e = ends.find(*s);
      s = e == ends.end() ? std::next(s) : (ends.erase(e), steps.erase(s));
    }
    std::vector<int64_t> open(steps.begin(), steps.end()), up_to(ends.begin(), ends.end());
    std::vector<std::pair<int64_t, int64_t>> pairs;
    (void)pair_up(open, up_to, pairs); // there is a way: the one that was given
    for (const auto &[step, end] : pairs) result.push_back({end / step, {direction * step}});
  }
  return result;
}

inline constexpr int64_t most_copies = int64_t{1} << 16; // that are looked at one by one

// Whether no two copies have one position; nothing when there are too many to tell.
inline std::optional<bool> distinct(std::vector<Term> terms) {
  std::erase_if(terms, [](const Term &t) { return t.extent == 1; });
  if (std::ranges::any_of(terms, [](const Term &t) { return t.steps[0].nowhere(); })) return false;
  const bool straight = std::ranges::all_of(terms, [](const Term &t) { return t.steps[0].axes() == 1; });
  if (straight) {
    // Along each axis the steps go beyond all that the shorter ones reach.
    std::ranges::sort(terms, {}, [](const Term &t) {
      const auto &[axis, n] = *t.steps[0].begin();
      return std::pair(axis, std::abs(n));
    });
    std::map<std::string, int64_t> reached;
    bool beyond = true;
    for (const Term &t : terms) {
      const auto &[axis, n] = *t.steps[0].begin();
      beyond &= std::abs(n) > reached[axis];
      reached[axis] = plus(reached[axis], times(std::abs(n), t.extent - 1));
    }
    if (beyond) return true;
  }
  int64_t count = 1;
  for (const Term &t : terms)
    if ((count = times(count, t.extent)) > most_copies) return std::nullopt;
  std::set<Point> points{Point()};
  for (const Term &t : terms) {
    std::set<Point> more;
    for (const Point &p : points)
      for (int64_t d = 0; d < t.extent; ++d) more.insert(p + t.at(d));
    if (more.size() != points.size() * static_cast<size_t>(t.extent)) return false;
    points = std::move(more);
  }
  return true;
}

// What is wrong with a digit; empty when nothing is.
inline std::string fault(const Term &t) {
  if (t.extent < 1) return "an extent is at least 1, not " + std::to_string(t.extent);
  if (t.steps.empty()) return "a digit has a step";
  if (!t.is_xor()) return {};
  if (!power_of_two(t.extent) || log2_of(t.extent) != t.steps.size())
    return "an extent of " + std::to_string(t.extent) + " with " + std::to_string(t.steps.size()) +
           " steps: there is one step for each bit";
  if (std::ranges::any_of(t.steps, &Point::negative)) return "steps that are combined bit by bit are not negative";
  return {};
}

} // namespace canonical

inline Result<Layout> Layout::make(Fields fields) {
  int64_t size = 1;
  std::vector<Term> copies = fields.replicate;
  for (const Pending &p : fields.pending) copies.push_back(p.term);
  for (const Term &t : fields.terms) {
    if (std::string fault = canonical::fault(t); !fault.empty()) return No{std::move(fault)};
    size = times(size, t.extent);
  }
  for (const Term &t : copies) {
    if (std::string fault = canonical::fault(t); !fault.empty()) return No{std::move(fault)};
    if (t.is_xor()) return No{"copies lie at regular distances, not at exclusive ors"};
  }
  const Reach reach = reach_of(fields);
  if (size >= far || reach.low.too_far() || reach.high.too_far() || (fields.offset + reach.low).too_far() ||
      (fields.offset + reach.high).too_far())
    return No{"the layout reaches further than whole numbers go"};
  const auto distinct = canonical::distinct(copies);
  if (!distinct)
    return No{"more than " + std::to_string(canonical::most_copies) +
              " copies whose positions overlap are not distinguished"};
  if (!*distinct) return No{"two copies of one element have one position"};
  Fields result{.offset = std::move(fields.offset)};
  result.terms = canonical::digits(fields.terms);
  result.replicate = canonical::copies(fields.replicate, result.offset);
  std::map<std::string, std::vector<Term>> by_op;
  for (Pending &p : fields.pending) by_op[p.op].push_back(std::move(p.term));
  for (const auto &[op, terms] : by_op)
    for (Term &t : canonical::copies(terms, result.offset)) result.pending.push_back({op, std::move(t)});
  return Layout(std::move(result));
}

} // namespace htp::layout
