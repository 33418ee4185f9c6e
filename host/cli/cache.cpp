#include "host/base/sweep.h"
#include "host/cli/command.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <ctime>
#include <fmt/format.h>

namespace htp {

namespace {

constexpr int64_t a_day = 24 * 60 * 60;

using Json = nlohmann::ordered_json;

std::string shown_bytes(uint64_t bytes) {
  const auto value = static_cast<double>(bytes);
  return bytes < 1u << 10   ? fmt::format("{} bytes", bytes)
         : bytes < 1u << 20 ? fmt::format("{:.1f} KiB", value / (1u << 10))
         : bytes < 1u << 30 ? fmt::format("{:.1f} MiB", value / (1u << 20))
                            : fmt::format("{:.1f} GiB", value / (1u << 30));
}

std::string counted(size_t entries) { return std::to_string(entries) + (entries == 1 ? " entry" : " entries"); }

struct Sum {
  size_t entries = 0;
  uint64_t bytes = 0;
  Json json() const { return {{"entries", entries}, {"bytes", bytes}}; }
};

Sum sum_of(const std::vector<CacheEntry> &all, CacheEntry::Kind kind) {
  Sum sum;
  for (const CacheEntry &entry : all)
    if (entry.kind == kind) ++sum.entries, sum.bytes += entry.bytes;
  return sum;
}

Sum sum_of(const std::vector<CacheEntry> &all) {
  Sum sum;
  for (const CacheEntry &entry : all) ++sum.entries, sum.bytes += entry.bytes;
  return sum;
}

Json standing(const Cache &cache, const std::vector<CacheEntry> &all) {
  return {{"path", cache.path()},
          {"compiled", sum_of(all, CacheEntry::Kind::blob).json()},
          {"built", sum_of(all, CacheEntry::Kind::folder).json()},
          {"rest", sum_of(all, CacheEntry::Kind::rest).json()}};
}

} // namespace

int cache_stats_command(const Arguments &arguments) {
  const Cache cache = Cache::from_environment();
  const auto all = cache_entries(cache);
  std::string text = "the cache is off\n";
  if (cache.enabled()) {
    const Sum every = sum_of(all), compiled = sum_of(all, CacheEntry::Kind::blob),
              folders = sum_of(all, CacheEntry::Kind::folder), rest = sum_of(all, CacheEntry::Kind::rest);
    text = fmt::format("{}: {} in {}\n", cache.path(), shown_bytes(every.bytes), counted(every.entries));
    text += fmt::format("  {:>10} in {} that compiles and manifests gave\n", shown_bytes(compiled.bytes),
                        counted(compiled.entries));
    text += fmt::format("  {:>10} in {} that packages' recipes built\n", shown_bytes(folders.bytes),
                        counted(folders.entries));
    if (rest.entries)
      text += fmt::format("  {:>10} in {} that were never finished\n", shown_bytes(rest.bytes), counted(rest.entries));
    if (!all.empty()) {
      const int64_t days = std::max<int64_t>(std::time(nullptr) - all.front().used, 0) / a_day;
      text += days == 0 ? "all of it was used within a day\n"
                        : fmt::format("what was not used for longest was used {} days ago\n", days);
    }
  }
  return finish(arguments, {}, arguments.quiet ? "" : text, standing(cache, all));
}

int cache_gc_command(const Arguments &arguments) {
  const Cache cache = Cache::from_environment();
  const int64_t before =
      std::time(nullptr) - static_cast<int64_t>(std::min<uint64_t>(arguments.unused, 1'000'000)) * a_day;
  const auto most = arguments.bytes ? std::optional(static_cast<uint64_t>(*arguments.bytes)) : std::nullopt;
  const Sum removed = sum_of(sweep(cache, before, most));
  const auto left = cache_entries(cache);
  Json json = standing(cache, left);
  json["removed"] = removed.json();
  const std::string text = cache.enabled() ? fmt::format("{}: removed {} in {}; {} in {} are left\n", cache.path(),
                                                         shown_bytes(removed.bytes), counted(removed.entries),
                                                         shown_bytes(sum_of(left).bytes), counted(left.size()))
                                           : std::string("the cache is off\n");
  return finish(arguments, {}, arguments.quiet ? "" : text, json);
}

} // namespace htp
