// host/bind/bind.h — a package and arguments to results, through the binding of its contract. Knows no target.
#pragma once

#include "host/base/cache.h"
#include "host/bind/direct.h"
#include "host/load/plugin.h"
#include "host/package/reader.h"
#include "host/pipeline/inputs.h"

#include <htp/binding.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace htp {

struct TraceEvent {
  std::string name, track;
  double begin_us, duration_us;
  Span at{}; // in the user's program, where that is known
};

// An opened package. Owns the plugin that runs it and what that plugin loaded.
class BoundPackage {
public:
  // Reads the package, finds and loads the plugin whose binding speaks its contract, and has it validate the package.
  static std::unique_ptr<BoundPackage> open(const std::string &package, const CompileRequest &request, Cache &cache,
                                            Diagnostics &diagnostics);
  ~BoundPackage();

  const Package &package() const { return package_; }
  // The folders with HTP's Python packages, and with those of the plugins that made the package and that run it.
  const std::vector<std::string> &python_path() const;
  // Runs the recipe (or finds what it gave before); the folder of what was built. Nothing after a report.
  std::optional<std::string> build(Diagnostics &diagnostics);
  // Builds and opens when that was not done yet, holds the arguments against the entry's signature, then runs it;
  // outputs are written in place. `trace` may be null.
  bool run(const std::string &entry, const std::vector<htp_argument> &given, std::vector<TraceEvent> *trace,
           Diagnostics &diagnostics);
  // The seconds that each of so many runs took, one after the other on the same arguments; nothing after a report.
  std::vector<double> time(const std::string &entry, const std::vector<htp_argument> &given, unsigned runs,
                           Diagnostics &diagnostics);

  // An entry as a function, built and opened. `call` may be made from any thread while this object lives, one that
  // fails is told by `failed`, on its thread. Nothing where `run` is the only way, or after a report.
  struct Direct {
    htp_direct function;
    DirectCall arguments;
  };
  std::optional<Direct> direct(const std::string &entry, Diagnostics &diagnostics);
  void failed(const std::string &entry, int code, Diagnostics &diagnostics);

private:
  struct State;
  BoundPackage();
  bool load(Diagnostics &diagnostics);
  template <class F>
  bool with_arguments(const std::string &entry, const std::vector<htp_argument> &given, Diagnostics &diagnostics, F f);

  Package package_;
  std::unique_ptr<State> state_;
};

} // namespace htp
