// What finding and loading plugins costs.
//   build/release/bin/load_bench                    needs build/release/plugins (the plugins of the tree)
#include "host/base/cache.h"
#include "host/base/fs.h"
#include "host/base/hash.h"
#include "host/load/audit.h"
#include "host/load/discover.h"
#include "host/load/elf.h"
#include "host/load/plugin.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <ctime>

namespace htp {
namespace {

// A manifest of some forty lines, of which each plugin has its own.
std::string manifest_text(int number) {
  std::string text = fmt::format("htp_manifest: 1\nplugin:\n  id: acme.p{0}\n  version: \"1.{0}.0\"\n"
                                 "  doc: plugin number {0} of a measurement\ndeclares:\n  - name: P{0}.Ready\n"
                                 "    is: state\n    doc: a state of plugin {0}\nunits:\n",
                                 number);
  for (const char *pass : {"first", "second", "third"})
    text += fmt::format("  - kind: pipeline\n    name: p{0}.{1}\n    doc: the {1} pipeline\n    passes:\n"
                        "      - p{0}.canonicalize\n      - p{0}.infer\n    requires:\n      - P{0}.Ready\n"
                        "      - Intrinsic.Handler(op=p{0}.f, backend=p{0})\n",
                        number, pass);
  return text;
}

class Plugins {
public:
  explicit Plugins(int64_t count) {
    for (int64_t i = 0; i < count; ++i) {
      const std::string one = fmt::format("{}/p{:04}", folder(), i);
      make_folders(one);
      write_file(one + "/htp-plugin.yaml", manifest_text(static_cast<int>(i)));
    }
  }
  std::string folder() const { return folder_->path() + "/plugins"; }
  std::string cache() const { return folder_->path() + "/cache"; }

private:
  Expected<TemporaryFolder, IoError> folder_ = TemporaryFolder::make();
};

void find(benchmark::State &state, bool cached) {
  const Plugins plugins(state.range(0));
  const Cache cache = cached ? Cache(plugins.cache()) : Cache::off();
  size_t found = 0;
  for (const bool counted : {false, true}) {
    if (!counted) {
      Diagnostics diagnostics;
      discover({plugins.folder()}, diagnostics, &cache);
      continue;
    }
    for (auto _ : state) {
      Diagnostics diagnostics;
      found = discover({plugins.folder()}, diagnostics, &cache).size();
    }
  }
  if (found != static_cast<size_t>(state.range(0))) state.SkipWithError("not all were found");
}
void discover_cold(benchmark::State &state) { find(state, false); }
void discover_cached(benchmark::State &state) { find(state, true); }
BENCHMARK(discover_cold)->Arg(20)->Arg(1000)->Unit(benchmark::kMillisecond);
BENCHMARK(discover_cached)->Arg(20)->Arg(1000)->Unit(benchmark::kMillisecond);

const char *const own[] = {"backend-cpu", "dialect-tile", "dialect-wsp"};

std::vector<Manifest> own_plugins() {
  Diagnostics diagnostics;
  return discover({HTP_PLUGINS}, diagnostics);
}

std::string library_of(const Manifest &manifest) { return join_path(manifest.folder, manifest.library.value); }

const Manifest &named(const std::vector<Manifest> &all, int64_t index) {
  for (const Manifest &manifest : all)
    if (manifest.folder.ends_with(own[index])) return manifest;
  std::fputs("build the plugins first\n", stderr);
  std::abort();
}

// One plugin whose verdict is known: who may write to it, the bytes sealed and hashed, opened, shaken hands with. CPU
// time; that of unloading it again does not count.
void load_known(benchmark::State &state) {
  const auto all = own_plugins();
  const Manifest *const one[] = {&named(all, state.range(0))};
  const auto place = TemporaryFolder::make();
  Cache cache(place->path());
  LoadOptions options;
  options.cache = &cache;
  for (auto _ : state) {
    Diagnostics diagnostics;
    const std::clock_t begin = std::clock();
    const auto loaded = load_plugins(one, options, diagnostics);
    state.SetIterationTime(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
    if (loaded.size() != 1) return state.SkipWithError("it was not loaded");
  }
  state.SetLabel(own[state.range(0)]);
}
BENCHMARK(load_known)->DenseRange(0, 2)->UseManualTime()->Unit(benchmark::kMicrosecond);

// What of it is the digest of its bytes.
void hash_bytes(benchmark::State &state) {
  const auto all = own_plugins();
  const auto bytes = read_file(library_of(named(all, state.range(0))));
  for (auto _ : state) benchmark::DoNotOptimize(sha256(*bytes));
  state.SetLabel(fmt::format("{}, {} kB", own[state.range(0)], bytes->size() / 1000));
}
BENCHMARK(hash_bytes)->DenseRange(0, 2)->Unit(benchmark::kMicrosecond);

void read_facts(benchmark::State &state) {
  const auto all = own_plugins();
  const auto bytes = read_file(library_of(named(all, state.range(0))));
  for (auto _ : state) benchmark::DoNotOptimize(read_elf(*bytes));
}
BENCHMARK(read_facts)->DenseRange(0, 2)->Unit(benchmark::kMicrosecond);

void audit_all(benchmark::State &state) {
  const auto all = own_plugins();
  for (auto _ : state) {
    Auditor auditor;
    for (int64_t i = 0; i < 3; ++i) {
      const Manifest &manifest = named(all, i);
      const auto facts = read_elf(*read_file(library_of(manifest)));
      benchmark::DoNotOptimize(auditor.audit(manifest.folder, manifest.library.value, *facts));
    }
  }
}
BENCHMARK(audit_all)->Unit(benchmark::kMicrosecond);

} // namespace
} // namespace htp

BENCHMARK_MAIN();
