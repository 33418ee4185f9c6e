// host/cli/report.h — what the page of `htp-host report` shows, as data.
#pragma once

#include "host/cli/command.h"
#include "host/pipeline/compilation.h"
#include "host/pipeline/history.h"

namespace htp {

// Everything of a package that the page shows; `views` is what plugins see of its program, if any. `trace` is of
// timeline_of, `bench` and `verified` answers of `bench --json` and `verify --json`, `values` of htp.replaying.values;
// or they are null.
struct ReportSources {
  const Package &package;
  const History &history;
  const std::optional<Views> &views;
  const std::map<std::string, int64_t> &sizes; // of dimensions, for what is predicted
  nlohmann::ordered_json trace, bench, verified, values;
};
nlohmann::ordered_json report_data(const ReportSources &of);

// What `run --trace` wrote, as lanes of slices; throws what nlohmann::json does of something else.
nlohmann::ordered_json timeline_of(const nlohmann::ordered_json &trace);

// The dims of the entry's program, as its first stage declares them: `M = htp.dim("M")`.
std::vector<std::string> dims_of(const History &history);

// A page without anything from elsewhere: the data, and what draws it.
std::string report_page(const nlohmann::ordered_json &data, const std::string &title);
// The page around it, which follows a compile.
std::string live_page(const std::string &title);
// Refuses what says how a program is compiled, where a package is given.
void refuse_compile_options(const Arguments &arguments, Diagnostics &diagnostics);
// `report --serve`: until it is ended.
int serve_report(const Arguments &arguments);

} // namespace htp
