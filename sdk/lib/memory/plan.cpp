// Offsets by first fit, in a few orders of the requests, of which the best is taken.
#include "htp_cpp/memory_plan.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <span>

namespace htp::sdk {

namespace {

// All copies of a request, as multiples of the alignment.
std::optional<int64_t> size_of(const MemoryRequest &r, int64_t alignment) {
  int64_t size = 0;
  if (r.bytes < 0 || r.copies < 0 || __builtin_add_overflow(r.bytes, alignment - 1, &size)) return std::nullopt;
  size -= size % alignment;
  if (__builtin_mul_overflow(size, r.copies, &size)) return std::nullopt;
  return size;
}

// Whether they are in different ways of one branch.
bool exclude(const std::vector<BranchWay> &a, const std::vector<BranchWay> &b) {
  const auto [x, y] = std::ranges::mismatch(a, b);
  return x != a.end() && y != b.end() && x->branch == y->branch;
}

bool at_once(const MemoryRequest &a, const MemoryRequest &b) {
  return a.begin <= b.end && b.begin <= a.end && !exclude(a.ways, b.ways);
}

// Each request, in this order, at the lowest offset that nobody has who is needed at once. `by_begin`: that is the
// order, in which whoever is needed no more when one begins is none of those behind it either.
MemoryPlan fit(const std::vector<MemoryRequest> &requests, const std::vector<int64_t> &sizes,
               const std::vector<size_t> &order, bool by_begin) {
  MemoryPlan plan;
  plan.offsets.resize(requests.size());
  std::vector<size_t> placed; // by offset
  for (const size_t r : order) {
    if (by_begin) std::erase_if(placed, [&](size_t other) { return requests[other].end < requests[r].begin; });
    int64_t at = 0;
    for (const size_t other : placed) {
      if (!at_once(requests[r], requests[other]) || plan.offsets[other] + sizes[other] <= at) continue;
      if (plan.offsets[other] - at >= sizes[r]) break;
      at = plan.offsets[other] + sizes[other];
    }
    plan.offsets[r] = at;
    plan.bytes = std::max(plan.bytes, at + sizes[r]);
    const auto behind = std::upper_bound(placed.begin(), placed.end(), at,
                                         [&](int64_t offset, size_t other) { return offset < plan.offsets[other]; });
    placed.insert(behind, r);
  }
  return plan;
}

// Of requests that are all needed, in the order of their ways, how many bytes are needed at once: of each branch those
// of the way that needs most. The first `depth` ways are the same of all.
int64_t needed(std::span<const size_t> requests, const std::vector<MemoryRequest> &all,
               const std::vector<int64_t> &sizes, size_t depth) {
  int64_t bytes = 0;
  while (!requests.empty()) {
    const auto &ways = all[requests[0]].ways;
    if (ways.size() == depth) {
      bytes += sizes[requests[0]];
      requests = requests.subspan(1);
      continue;
    }
    int64_t most = 0;
    for (const size_t branch = ways[depth].branch;
         !requests.empty() && all[requests[0]].ways[depth].branch == branch;) {
      const BranchWay way = all[requests[0]].ways[depth];
      size_t count = 1;
      while (count < requests.size() && all[requests[count]].ways[depth] == way) ++count;
      most = std::max(most, needed(requests.first(count), all, sizes, depth + 1));
      requests = requests.subspan(count);
    }
    bytes += most;
  }
  return bytes;
}

// As `most_live`, of requests whose sizes have a sum.
int64_t most_needed(const std::vector<MemoryRequest> &requests, const std::vector<int64_t> &sizes) {
  if (std::ranges::all_of(requests, [](const MemoryRequest &r) { return r.ways.empty(); })) {
    std::vector<size_t> begins(requests.size());
    std::iota(begins.begin(), begins.end(), size_t{0});
    std::vector<size_t> ends = begins;
    std::ranges::sort(begins, {}, [&](size_t r) { return requests[r].begin; });
    std::ranges::sort(ends, {}, [&](size_t r) { return requests[r].end; });
    int64_t live = 0, most = 0;
    for (auto end = ends.begin(); const size_t r : begins) {
      for (; end != ends.end() && requests[*end].end < requests[r].begin; ++end)
        if (requests[*end].begin <= requests[*end].end) live -= sizes[*end];
      if (requests[r].begin <= requests[r].end) live += sizes[r];
      most = std::max(most, live);
    }
    return most;
  }
  std::vector<size_t> order(requests.size()), live;
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(
      order, {}, [&](size_t r) -> const auto & { return requests[r].ways; });
  int64_t most = 0;
  for (const MemoryRequest &at : requests) { // where one begins
    live.clear();
    std::ranges::copy_if(order, std::back_inserter(live),
                         [&](size_t r) { return requests[r].begin <= at.begin && at.begin <= requests[r].end; });
    most = std::max(most, needed(live, requests, sizes, 0));
  }
  return most;
}

// The sizes of all; nothing where they have no sum, which bounds every offset.
std::optional<std::vector<int64_t>> sizes_of(const std::vector<MemoryRequest> &requests, int64_t alignment) {
  std::vector<int64_t> sizes;
  int64_t all = 0;
  for (const MemoryRequest &r : requests) {
    const auto size = size_of(r, alignment);
    if (!size || __builtin_add_overflow(all, *size, &all)) return std::nullopt;
    sizes.push_back(*size);
  }
  return sizes;
}

} // namespace

std::optional<MemoryPlan> plan_memory(const std::vector<MemoryRequest> &requests, const MemorySpace &space) {
  const auto sizes = sizes_of(requests, space.alignment);
  if (!sizes) return std::nullopt;
  const auto length = [&](size_t r) { return static_cast<double>(requests[r].end - requests[r].begin) + 1; };
  const auto area = [&](size_t r) { return static_cast<double>((*sizes)[r]) * length(r); };
  std::vector<size_t> order(requests.size());
  std::optional<MemoryPlan> best;
  int64_t enough = space.enough;
  const auto attempt = [&](const auto &before, bool by_begin = false) {
    if (best && best->bytes <= enough) return;
    std::iota(order.begin(), order.end(), size_t{0});
    std::stable_sort(order.begin(), order.end(), before);
    MemoryPlan plan = fit(requests, *sizes, order, by_begin);
    if (!best || plan.bytes < best->bytes) best = std::move(plan);
  };
  attempt([&](size_t a, size_t b) { return requests[a].begin < requests[b].begin; }, true);
  if (best->bytes > enough) enough = std::max(enough, most_needed(requests, *sizes));
  attempt([&](size_t a, size_t b) { return (*sizes)[a] > (*sizes)[b]; });
  attempt([&](size_t a, size_t b) { return area(a) > area(b); });
  attempt([&](size_t a, size_t b) { return length(a) > length(b); });
  return best->bytes <= space.capacity ? best : std::nullopt;
}

std::optional<int64_t> most_live(const std::vector<MemoryRequest> &requests, int64_t alignment) {
  const auto sizes = sizes_of(requests, alignment);
  return sizes ? std::optional(most_needed(requests, *sizes)) : std::nullopt;
}

} // namespace htp::sdk
