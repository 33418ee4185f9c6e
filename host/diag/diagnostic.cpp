#include "host/diag/diagnostic.h"

namespace htp {

const std::vector<DiagInfo> &host_diagnostics() {
  static const std::vector<DiagInfo> rows = {
#define HTP_DIAG(name, ...) diag::name,
#include "host/diag/diagnostics.def"
#undef HTP_DIAG
// `check.name`, which only that room reports.
#define HTP_CHECK(id, name, phase, severity, kinds, what, explanation)                                                 \
  {"check." name, Severity::severity, "{}", explanation},
#include "host/check/checks.def"
  };
  return rows;
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
