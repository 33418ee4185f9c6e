// host/pipeline/context.h — one compile (or one binding) as a plugin sees it: what stands behind `htp_ctx` and
// `htp_host`.
#pragma once

#include "host/ast/store.h"
#include "host/base/cache.h"
#include "host/base/clock.h"
#include "host/base/expected.h"
#include "host/base/fs.h"
#include "host/diag/diagnostic.h"
#include "host/package/writer.h"
#include "host/pipeline/analysed.h"
#include "host/pipeline/registry.h"

#include <chrono>
#include <csignal>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace htp {
// The one function table; the same for every compile. It lies in memory that cannot be written to.
const htp_host &host_table();
// Makes it what it was, should anyone have made that memory writable; whether it was changed.
bool restore_host_table();

// A file a plugin read or a tool it ran, kept with its digest (R16).
struct Recorded {
  std::string path; // as asked for
  std::string role; // "read", "tool"
  std::string sha256;
};

// What a plugin asked for and no loaded unit gives; may cause one re-resolve (R10, round two).
struct Missing {
  std::string term; // "Intrinsic.Handler(op="acme.f", backend=cpu)"
  Span span;
  std::string by;       // the unit that asked
  std::string phrase{}; // what of the program wants it, "`f(…)`"; empty: nothing that is known
};

// Called with progress of long work: 0..1 and a short text.
using ProgressFunction = std::function<void(double, std::string_view)>;

struct ContextSettings {
  std::string target, entry;
  std::map<std::string, std::map<std::string, std::string>>
      options;                                 // unit → option → canonical text, defaults included
  std::map<std::string, std::string> hardware; // dotted path → canonical text
  std::set<std::string> environment;           // variables plugins may ask for
  bool any_environment = false;                // … or all of them
  std::string read_folder;                     // what read_file's paths are relative to
  std::function<Expected<std::string, IoError>(const std::string &)> read; // instead of read_folder's files
  std::function<Span(htp_node)> location; // where a diagnostic's node stands, when it is none of the store's
  std::vector<std::string> python_path; // of HTP's Python packages, for tools that are Python; empty: the process's own
  uint64_t seed = 0;
  std::chrono::milliseconds tool_timeout = std::chrono::minutes(5); // for one run of a tool
};

} // namespace htp

// Defined here because the ABI names it; a class of the host.
struct htp_ctx {
  htp_ctx(htp::Store &store, htp::Diagnostics &diagnostics, htp::Cache &cache, htp::ContextSettings settings);

  htp::Store &store;
  htp::Diagnostics &diagnostics;
  htp::Cache &cache;
  htp::ContextSettings settings;
  const htp::Registry *registry = nullptr;
  const htp_host *host = &htp::host_table(); // what units are given; `plugins check` puts tables of its own here
  htp::ProgressFunction progress;            // told of each unit that is entered
  double done = 0;                           // the share of the passes that have run
  htp::Clock clock = htp::steady_seconds;    // by which passes are measured
  const volatile std::sig_atomic_t *cancel = nullptr;

  std::vector<htp::Recorded> recorded;
  std::vector<htp::Missing> missing;
  std::vector<htp::PackageFile> artifacts;

  // ── one callback ──
  // Begins a callback of `unit` on the program at `root`: what was borrowed before is gone.
  void enter(const htp::Unit &unit, htp_node root);
  const htp::Unit *unit = nullptr;
  htp_node root = HTP_NONE;

  htp_str keep(std::string text); // borrowed until the callback returns
  std::deque<std::string> scratch;
  std::optional<std::vector<bool>> names;       // strings in use at `root`, and handed out by fresh
  std::map<std::string, unsigned> next_numbers; // by stem: names with a lower number are in use
  std::map<std::pair<std::string, htp_node>, std::unique_ptr<htp::Analysed>> analyses; // null: under way
  std::map<std::string, htp_node> snippets;                                            // parsed expressions by source
  // Each callback draws from its own sequence, of the seed and the unit, so that a compile that resumes draws the same.
  uint64_t random_of(const htp::Unit &unit) const;
  uint64_t random_state = 0;
  bool emitting = false; // artifacts are taken
  // While a binding traces: its events, with the node that each belongs to; empty otherwise.
  std::function<void(htp_node at, std::string_view name, std::string_view track, double begin_us, double duration_us)>
      event;
};
