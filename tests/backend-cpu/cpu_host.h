// The CPU backend in a real host: a program's text through its passes, verifiers, emitter and binding.
#pragma once

#include "host/base/cache.h"
#include "host/base/fs.h"
#include "host/load/plugin.h"
#include "host/pipeline/context.h"

#include <map>
#include <string>
#include <vector>

namespace htp::test {

class CpuHost {
public:
  // `units`: those that take part; all when empty.
  explicit CpuHost(const std::string &program, const std::string &entry = "k",
                   const std::vector<std::string> &units = {});

  bool pass(const std::string &name);
  bool holds(const std::string &term);
  bool emit(); // files() then has what was handed over
  std::string text() const;
  // `CODE: message`, then its notes and hints, a line each, of every diagnostic.
  std::string said() const { return said(diagnostics); }
  static std::string said(const Diagnostics &list);
  const std::string &file(const std::string &path) const;

  Store store;
  Diagnostics diagnostics;
  Cache cache = Cache::off();
  Registry registry;
  htp_ctx ctx;
  htp_node root = HTP_NONE;
};

// The binding's five verbs on a folder that holds a package's files.
class Bound {
public:
  Bound(const std::string &package, Cache &cache);
  ~Bound();
  bool validate();
  bool build();
  bool load();
  bool run(const std::string &entry, const std::vector<htp_argument> &arguments, const htp_trace_sink *sink = nullptr);
  std::string said() const { return CpuHost::said(diagnostics); }

  Diagnostics diagnostics;
  htp_ctx &context() { return ctx_; }
  std::string folder; // of what was built

private:
  template <class F> bool verb(F &&f);
  const htp_binding &binding_;
  Store store_;
  htp_ctx ctx_;
  void *loaded_ = nullptr;
};

// Writes what was emitted as a package's files; the folder.
std::string write_package(const CpuHost &host, const std::string &folder);

const std::vector<LoadedPlugin> &plugins();
std::string source_text(const std::string &relative);
// Compares with a kept file; with $HTP_UPDATE set, writes it.
void expect_golden(const std::string &relative, const std::string &text);

} // namespace htp::test
