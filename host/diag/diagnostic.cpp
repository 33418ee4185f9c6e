#include "host/diag/diagnostic.h"

#include <fmt/args.h>

#include <algorithm>
#include <stdexcept>

namespace htp {

const std::vector<DiagInfo> &host_diagnostics() {
  static const std::vector<DiagInfo> rows = {
#define HTP_DIAG(name, ...) diag::name,
#include "host/diag/diagnostics.def"
#undef HTP_DIAG
// `check.name`, which only that component reports.
#define HTP_CHECK(id, name, phase, severity, kinds, what, explanation)                                                 \
  {"check." name, Severity::severity, "{}", explanation},
#include "host/check/checks.def"
  };
  return rows;
}

Diagnostic &Diagnostics::report(std::string_view code, const std::vector<std::string> &arguments) {
  const auto &rows = host_diagnostics();
  const auto row = std::ranges::find(rows, code, &DiagInfo::code);
  if (row == rows.end()) throw std::out_of_range("no diagnostic `" + std::string(code) + "`");
  fmt::dynamic_format_arg_store<fmt::format_context> store;
  for (const std::string &argument : arguments) store.push_back(argument);
  Diagnostic d;
  d.code = row->code;
  d.severity = row->severity;
  d.message = fmt::vformat(row->summary, store);
  d.usual_hint = row->hint;
  return add(std::move(d));
}

Diagnostic &Diagnostics::add(Diagnostic d) {
  if (is_error(d.severity)) ++errors_;
  if (d.severity == Severity::fault) ++faults_;
  return list_.emplace_back(std::move(d));
}

void Diagnostics::append(const Diagnostics &other) {
  list_.insert(list_.end(), other.list_.begin(), other.list_.end());
  errors_ += other.errors_;
  faults_ += other.faults_;
}

} // namespace htp
