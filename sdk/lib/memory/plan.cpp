// Offsets by first fit, in a few orders of the requests, of which the best is taken.
#include "htp_cpp/memory_plan.h"

#include <algorithm>
#include <map>
#include <numeric>

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

bool at_once(const MemoryRequest &a, const MemoryRequest &b) { return a.begin <= b.end && b.begin <= a.end; }

// Each request, in this order, at the lowest offset that nobody has who is needed at once.
MemoryPlan fit(const std::vector<MemoryRequest> &requests, const std::vector<int64_t> &sizes,
               const std::vector<size_t> &order) {
  MemoryPlan plan;
  plan.offsets.resize(requests.size());
  std::vector<size_t> placed; // by offset
  for (const size_t r : order) {
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

} // namespace

std::optional<MemoryPlan> plan_memory(const std::vector<MemoryRequest> &requests, const MemorySpace &space) {
  std::vector<int64_t> sizes;
  int64_t all = 0; // bounds every offset
  for (const MemoryRequest &r : requests) {
    const auto size = size_of(r, space.alignment);
    if (!size || *size > space.capacity || __builtin_add_overflow(all, *size, &all)) return std::nullopt;
    sizes.push_back(*size);
  }
  const auto length = [&](size_t r) { return static_cast<double>(requests[r].end - requests[r].begin) + 1; };
  const auto area = [&](size_t r) { return static_cast<double>(sizes[r]) * length(r); };
  std::vector<size_t> order(requests.size());
  std::optional<MemoryPlan> best;
  const auto attempt = [&](const auto &before) {
    std::iota(order.begin(), order.end(), size_t{0});
    std::stable_sort(order.begin(), order.end(), before);
    MemoryPlan plan = fit(requests, sizes, order);
    if (!best || plan.bytes < best->bytes) best = std::move(plan);
  };
  attempt([&](size_t a, size_t b) { return sizes[a] > sizes[b]; });
  attempt([&](size_t a, size_t b) { return area(a) > area(b); });
  attempt([&](size_t a, size_t b) { return length(a) > length(b); });
  attempt([&](size_t a, size_t b) { return requests[a].begin < requests[b].begin; });
  return best->bytes <= space.capacity ? best : std::nullopt;
}

std::optional<int64_t> most_live(const std::vector<MemoryRequest> &requests, int64_t alignment) {
  std::map<size_t, std::pair<std::vector<int64_t>, std::vector<int64_t>>> events; // by position: who begins, who ended
  for (const MemoryRequest &r : requests) {
    const auto size = size_of(r, alignment);
    if (!size) return std::nullopt;
    events[r.begin].first.push_back(*size);
    events[r.end + 1].second.push_back(*size);
  }
  int64_t now = 0, most = 0;
  for (const auto &[position, event] : events) {
    for (const int64_t size : event.second) now -= size;
    for (const int64_t size : event.first)
      if (__builtin_add_overflow(now, size, &now)) return std::nullopt;
    most = std::max(most, now);
  }
  return most;
}

} // namespace htp::sdk
