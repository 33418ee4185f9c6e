// Packages written by hand, as they are or with something changed, run by the binding's five verbs.
#pragma once

#include "host/base/cache.h"
#include "host/base/fs.h"
#include "host/load/plugin.h"
#include "host/pipeline/context.h"

#include <htp/binding.h>

#include <map>
#include <string>
#include <vector>

namespace htp::test {

class Simulated {
public:
  // The files of packages/NAME, or of a compiled package by its whole path.
  explicit Simulated(const std::string &name);
  ~Simulated();
  // Changes a file, where `from` stands in it just once; throws when it does not.
  Simulated &change(const std::string &file, const std::string &from, const std::string &to);
  Simulated &option(const std::string &name, const std::string &value);

  bool validate();
  bool build();
  bool run(const std::vector<htp_argument> &arguments, const htp_trace_sink *sink = nullptr,
           const std::string &entry = "");
  // `CODE: message`, then its notes and hints, a line each.
  std::string said() const;

  std::map<std::string, std::string> files;
  Diagnostics diagnostics;
  std::string folder; // of what was built

private:
  void enter();
  std::string name_;
  Store store_;
  htp_ctx ctx_;
  void *loaded_ = nullptr;
};

} // namespace htp::test
