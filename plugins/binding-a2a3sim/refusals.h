// refusals.h — what the binding refuses with: the rows of diagnostics.def, and what ends a run.
#pragma once

#include "htp_cpp/refusal.h"

#include "htp_sim.h"

namespace htp::a2a3sim {

using sdk::Refusal;

namespace diag {
#define DIAG(...) HTP_DIAGNOSTICS_KIND(__VA_ARGS__)
#include "diagnostics.def"
#undef DIAG
} // namespace diag

// What is wrong with a kernel or an orchestration, found while it runs; ends the run.
struct Fault {
  Refusal why;
  htp_sim::Where where{};
  std::string at = {}; // which kernel, and its line, as reports name them

  void report(const sdk::Context &c, const std::string &note = {}) const {
    Refusal found = why;
    if (!at.empty()) found.message = at + ": " + found.message;
    found.report(c, HTP_NONE, note);
  }
};
inline std::string line_text(const std::string &path, int line) {
  return "`" + path + ":" + std::to_string(line) + "`";
}

} // namespace htp::a2a3sim
