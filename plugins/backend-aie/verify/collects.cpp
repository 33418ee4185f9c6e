#include "verify/collects.h"

#include <algorithm>
#include <set>

namespace htp::aie {

namespace {

constexpr int64_t most_elements = int64_t{1} << 22; // of a tensor that is gone through one by one

using Order = std::vector<std::pair<int64_t, int64_t>>; // size, stride

// Whether no two turns of an order meet, as far as its strides show: each is longer than all that lies within it.
bool apart(Order order) {
  std::sort(order.begin(), order.end(), [](const auto &a, const auto &b) { return a.second < b.second; });
  int64_t reach = 1;
  for (const auto &[size, stride] : order) {
    if (size == 1) continue;
    if (stride < reach) return false;
    reach += (size - 1) * stride;
  }
  return true;
}

// Calls `at` with every element that an order comes to.
template <class F> void each_element(const Order &order, int64_t from, size_t dimension, const F &at) {
  if (dimension == order.size()) return at(from);
  for (int64_t k = 0; k < order[dimension].first; ++k)
    each_element(order, from + k * order[dimension].second, dimension + 1, at);
}

struct Way { // of a transfer through the tensor
  const Stream *stream;
  int64_t start, number; // the column or row that it is of
};
std::string name_of(const Program &p, const Way &way) {
  return "`" + way.stream->name + "`" + (p.alike ? " of column " + std::to_string(way.number) : std::string());
}
std::vector<Way> ways_of(const Program &p, const Parameter &tensor) {
  std::vector<Way> ways;
  for (const Stream &s : p.streams) {
    if (s.tensor != &tensor || s.feeds) continue;
    for (int64_t k = 0; k < (p.alike ? p.transfers(s) : 1); ++k) ways.push_back({&s, s.start + k * s.apart, k});
  }
  return ways;
}

struct Found {
  int64_t element = -1; // that is written twice, or by nobody
  size_t first = 0, second = 0;
  bool twice = false;
};
// Whether an element of what a tensor is padded to is one of its own.
bool inside(const Parameter &tensor, int64_t element) {
  for (size_t d = tensor.padded.size(); d-- > 0;) {
    const int64_t pieces = tensor.pieces.empty() ? 1 : tensor.pieces[d];
    if (element % tensor.padded[d] % (tensor.padded[d] / pieces) >= tensor.extents[d] / pieces) return false;
    element /= tensor.padded[d];
  }
  return true;
}
Found through(const std::vector<Way> &ways, const Parameter &tensor) {
  const int64_t elements = count(tensor.padded);
  Found found;
  std::vector<uint16_t> owner(static_cast<size_t>(elements));
  for (size_t w = 0; w < ways.size() && !found.twice; ++w)
    each_element(ways[w].stream->order, ways[w].start, 0, [&](int64_t at) {
      if (found.twice || at >= elements) return;
      uint16_t &by = owner[static_cast<size_t>(at)];
      if (by && by != w + 1) found = {at, static_cast<size_t>(by) - 1, w, true};
      by = static_cast<uint16_t>(w + 1);
    });
  if (found.twice || tensor.direction != "out") return found;
  for (int64_t at = 0; at < elements && found.element < 0; ++at)
    if (!owner[static_cast<size_t>(at)] && inside(tensor, at)) found.element = at;
  return found;
}

// A distance between columns with which each element is written once; 0: none was found.
int64_t distance(const Program &p, const Stream &s, int64_t elements) {
  std::set<int64_t> tried{elements / p.transfers(s)};
  for (const auto &[size, stride] : s.order) tried.insert({stride, size * stride});
  for (const int64_t distance : tried) {
    Order order = s.order;
    order.push_back({p.transfers(s), distance});
    int64_t moved = 1, last = 0;
    for (const auto &[size, stride] : order) moved *= size, last += (size - 1) * stride;
    if (moved == elements && last == elements - 1 && apart(order)) return distance;
  }
  return 0;
}

} // namespace

Clash clash(const Program &p) {
  for (const Parameter &tensor : p.parameters) {
    const std::vector<Way> ways = ways_of(p, tensor);
    if (ways.empty() && tensor.direction == "out")
      return {p.with, Refusal(diag::uncollected, tensor.name)
                          .with("write `" + tensor.name + "_out = aie.collect(" + tensor.name +
                                ", …)`, and what computes its blocks")};
    if (ways.empty() || ways.size() >= UINT16_MAX) continue;
    const int64_t elements = count(tensor.padded);
    const Stream &s = *ways[0].stream;
    if (p.alike || ways.size() == 1) {
      Order order = s.order;
      if (p.alike) order.push_back({p.transfers(s), s.apart});
      int64_t moved = 1;
      for (const auto &[size, stride] : order) moved *= size;
      if (moved == elements && apart(order)) continue;
    }
    if (elements > most_elements) continue;
    const Found found = through(ways, tensor);
    if (found.element < 0) continue;
    const int64_t legal = p.alike ? distance(p, s, elements) : 0;
    const std::string hint =
        legal         ? "the distance between columns that writes each element once is " + std::to_string(legal)
        : p.alike     ? "let the order and the distance between columns come to each element once"
        : found.twice ? "give each its own elements: another `start`, or an order that ends before the other one's"
                      : "let the orders of its streams come to each element";
    return {ways[found.second].stream->node,
            (found.twice ? Refusal(diag::written_twice, name_of(p, ways[found.first]), name_of(p, ways[found.second]),
                                   found.element, tensor.name)
                         : Refusal(diag::unwritten, p.alike ? "column" : "core", found.element, tensor.name))
                .with(hint)};
  }
  return {};
}

} // namespace htp::aie
