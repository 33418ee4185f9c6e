#include "analyses/transfers.h"

#include <algorithm>
#include <numeric>

namespace htp::aie {

namespace {

constexpr int64_t most_words = 1023, most_repeats = 64, longest_stride = int64_t{1} << 20;
constexpr int64_t most_turns = 4096;                    // longer sequences are no help
using Order = std::vector<std::pair<int64_t, int64_t>>; // size, stride; outermost first

// The largest divisor of `n` up to `most` that is a multiple of `of`; 0 if there is none.
int64_t divisor(int64_t n, int64_t most, int64_t of) {
  for (int64_t d = std::min(n, most); d >= 1; --d)
    if (n % d == 0 && d % of == 0) return d;
  return 0;
}

// An order as one transfer of a tensor; else why it is none.
std::optional<Transfer> transfer_of(const Order &order, int64_t bytes, const std::string &tensor, Refusal &why) {
  Order dims;
  for (const auto &[size, stride] : order) {
    if (size == 1) continue;
    if (!dims.empty() && dims.back().second == size * stride)
      dims.back() = {dims.back().first * size, stride};
    else
      dims.push_back({size, stride});
  }
  if (dims.empty() || dims.back().second != 1) dims.push_back({1, 1});
  const int64_t unit = 4 / std::min<int64_t>(bytes, 4); // elements of 4 bytes
  const auto no = [&](const DiagKind &row, const auto &...arguments) {
    why = Refusal(row, tensor, arguments...);
    return std::nullopt;
  };
  if (dims.back().first % unit) return no(diag::line_bytes, dims.back().first);
  for (size_t k = 0; k + 1 < dims.size(); ++k) {
    if (dims[k].second % unit) return no(diag::stride_bytes, dims[k].second);
    if (dims[k].second / unit > longest_stride) return no(diag::long_stride, dims[k].second, longest_stride * unit);
    if (dims[k].second == 0 && k > 0) return no(diag::inner_repeat);
  }
  Transfer t;
  if (dims.size() == 1) { // lies together: of any length
    t.sizes[3] = dims[0].first;
    return t;
  }
  if (dims.back().first > most_words * unit) { // a multiple of the unit, which divides it then
    const int64_t d = divisor(dims.back().first, most_words * unit, unit);
    const int64_t times = dims.back().first / d;
    dims.back().first = d;
    dims.insert(dims.end() - 1, {times, d});
  }
  if (int64_t &size = dims[dims.size() - 2].first; size > most_words) {
    // So many that the stride over them is not too long: one at least, as its own stride is not.
    const int64_t stride = dims[dims.size() - 2].second;
    const int64_t d = divisor(size, std::min(most_words, longest_stride * unit / std::max<int64_t>(stride, 1)), 1);
    const int64_t times = size / d;
    size = d;
    dims.insert(dims.end() - 2, {times, d * stride});
  }
  if (dims.size() < 4 && dims[0].second == 0) // only the outermost may repeat
    while (dims.size() < 4) dims.insert(dims.begin() + 1, {1, 0});
  if (dims.size() > 4) return no(diag::transfer_dimensions, dims.size());
  if (dims.size() == 4 && dims[0].first > most_repeats)
    return no(diag::transfer_iterations, dims[0].first, most_repeats);
  for (size_t k = 0; k < dims.size(); ++k) {
    t.sizes[4 - dims.size() + k] = dims[k].first;
    t.strides[4 - dims.size() + k] = dims[k].second;
  }
  return t;
}

// Cuts an order into so many pieces that follow one another, and is left with the first; where each begins, or nothing.
std::vector<int64_t> cut(Order &order, int64_t pieces) {
  std::vector<int64_t> begins{0};
  for (size_t d = 0; pieces > 1; ++d) {
    if (d == order.size() || (pieces % order[d].first && order[d].first % pieces)) return {};
    const int64_t times = std::min(pieces, order[d].first), step = order[d].first / times * order[d].second;
    std::vector<int64_t> more;
    for (const int64_t begin : begins)
      for (int64_t k = 0; k < times; ++k) more.push_back(begin + k * step);
    begins = std::move(more);
    order[d].first /= times, pieces /= times;
  }
  return begins;
}

// An order of the elements of a tensor as one of its storage; nothing where that is none. What lies together in both is
// one transfer, and a swizzle is none.
std::optional<Order> as_it_lies(const layout::Layout &lies, const Order &order, int64_t start, int64_t &offset) {
  layout::Fields indices{{}, {}, {}, layout::Point(layout::index_axis, start)};
  for (const auto &[size, stride] : order) indices.terms.push_back(layout::Term::of(size, stride, layout::index_axis));
  const auto inner = layout::Layout::make(std::move(indices));
  const auto made = inner ? layout::compose(lies, *inner) : inner;
  if (!made || !made->plain()) return std::nullopt;
  Order found;
  for (const layout::Term &t : made->terms()) {
    if (t.is_xor() || t.steps[0][layout::memory_axis] < 0) return std::nullopt;
    found.push_back({t.extent, t.steps[0][layout::memory_axis]});
  }
  offset = made->offset()[layout::memory_axis];
  return found;
}

// Where a stream's transfers begin in the storage, and how they go through it: alike from each beginning, and as far
// from one column to the next.
bool follow(const Program &p, const Stream &s, Order &order, std::vector<int64_t> &begins, int64_t &apart) {
  const int64_t transfers = p.alike ? p.transfers(s) : 1;
  std::optional<Order> all;
  for (size_t k = 0; k < begins.size(); ++k) {
    int64_t first = 0, last = 0;
    for (int64_t of = 0; of < transfers; ++of) {
      int64_t at = 0;
      auto one = as_it_lies(*s.tensor->lies, order, s.start + begins[k] + of * s.apart, at);
      if (!one || (all && *one != *all)) return false;
      all = std::move(one);
      if (of == 0) first = at;
      if (of == 1 && k == 0) apart = at - first;
      if (of > 0 && at - last != apart) return false;
      last = at;
    }
    begins[k] = first;
  }
  order = std::move(*all);
  return apart >= 0;
}

} // namespace

int64_t Plan::elements(const Parameter &q) const {
  return follows.contains(&q) ? layout::Places::of(*q.lies, q.extents)->span() : count(q.padded);
}

bool of_transfer(const Refusal &why) {
  static constexpr const DiagKind *rows[] = {&diag::block_bytes,         &diag::line_bytes,         &diag::stride_bytes,
                                             &diag::start_bytes,         &diag::long_stride,        &diag::inner_repeat,
                                             &diag::transfer_dimensions, &diag::transfer_iterations};
  return std::ranges::any_of(rows, [&](const DiagKind *row) { return why.is(*row); });
}

namespace {
std::optional<Plan> plan_of(const Program &p, const std::set<const Parameter *> &follows,
                            std::set<const Parameter *> &not_so, Refused &why) {
  // Several turns need something that is waited for in each.
  bool collects = false;
  for (const Stream &s : p.streams) collects = collects || (s.tensor && !s.feeds && !s.once);
  int64_t rounds = collects && p.alike ? p.rounds() : collects ? 0 : 1;
  if (rounds == 0)
    for (const Stream &s : p.streams)
      if (s.tensor && !s.once) rounds = std::gcd(rounds, s.blocks());
  for (int64_t turns = 1; turns <= std::min(rounds, most_turns); ++turns) {
    if (rounds % turns) continue;
    Plan plan;
    plan.turns = turns;
    plan.follows = follows;
    bool good = true;
    const auto no = [&](const Stream &s, const Refusal &found) {
      good = false;
      if (!why.why) why = {s.node, found}; // of whole transfers, which the program has
    };
    for (const Stream &s : p.streams) {
      std::vector<Transfer> &of = plan.of.emplace_back();
      if (!good || !s.tensor || (p.linked_at_shim(s) && !p.leads(s))) continue;
      const int64_t pieces = s.once ? 1 : turns;
      Order order = p.order_of(s);
      std::vector<int64_t> begins = cut(order, pieces);
      if (begins.empty()) { // never of one piece
        good = false;
        continue;
      }
      Refusal found;
      int64_t apart = 0;
      const bool follows_it = follows.contains(s.tensor);
      if (follows_it && !follow(p, s, order, begins, apart)) {
        not_so.insert(s.tensor), good = false;
        continue;
      }
      if (!follows_it) {
        apart = s.apart;
        for (int64_t &begin : begins) begin += s.start;
      }
      const auto one = transfer_of(order, s.dtype->bytes, s.tensor->name, found);
      const bool aligned =
          apart * s.dtype->bytes % 4 == 0 &&
          std::all_of(begins.begin(), begins.end(), [&](int64_t begin) { return begin * s.dtype->bytes % 4 == 0; });
      if ((!one || !aligned) && follows_it) {
        not_so.insert(s.tensor), good = false;
        continue;
      }
      if (!one || !aligned) {
        no(s, one ? Refusal(diag::start_bytes, s.tensor->name) : found);
        continue;
      }
      for (const int64_t begin : begins) {
        of.push_back(*one);
        of.back().offset = begin, of.back().apart = apart;
      }
    }
    if (good) return plan;
  }
  return std::nullopt;
}
} // namespace

std::optional<Plan> plan_transfers(const Program &p, Refused &why) {
  std::set<const Parameter *> follows;
  for (const Stream &s : p.streams)
    if (s.tensor && s.tensor->lies && s.tensor->padded == s.tensor->extents && s.tensor->pieces.empty())
      follows.insert(s.tensor);
  for (;;) {
    std::set<const Parameter *> not_so;
    Refused found;
    auto plan = plan_of(p, follows, not_so, found);
    if (plan) return plan;
    if (not_so.empty()) {
      why = found;
      return std::nullopt;
    }
    for (const Parameter *q : not_so) follows.erase(q);
  }
}

int64_t turns_of(const Program &program) {
  Refused why;
  const auto plan = plan_transfers(program, why);
  return plan ? plan->turns : 1;
}

} // namespace htp::aie
