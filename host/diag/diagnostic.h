// host/diag/diagnostic.h — diagnostics: what is wrong, where, and what would help; and the list that collects them.
#pragma once

#include "host/base/source.h"

#include <fmt/core.h>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace htp {

enum class Severity : uint8_t { error = 1, warning = 2, note = 3, fault = 4 }; // as htp_severity

// A fault is an error of a tool or a plugin rather than of the input.
constexpr bool is_error(Severity severity) { return severity == Severity::error || severity == Severity::fault; }

struct Label {
  Span span;
  std::string text;
};
struct Edit {
  Span span;
  std::string text;
};
// A change tools can apply; given only where one is sure.
struct FixIt {
  std::string title;
  std::vector<Edit> edits;
};

struct Diagnostic {
  std::string code; // "owner.kebab-name"
  Severity severity = Severity::error;
  std::string message;
  Span span;
  std::vector<Label> labels;
  std::vector<std::string> notes;
  std::vector<std::string> hints;
  std::vector<FixIt> fixits;
  std::string_view usual_hint; // its row's, shown when there are no others
  std::vector<FixIt>
      alternatives; // any one of these helps, the smallest first; one that no tool can apply has no edits

  Diagnostic &label(Span where, std::string text) {
    return labels.push_back({std::move(where), std::move(text)}), *this;
  }
  Diagnostic &note(std::string text) { return notes.push_back(std::move(text)), *this; }
  Diagnostic &hint(std::string text) { return hints.push_back(std::move(text)), *this; }
  Diagnostic &fix(FixIt fixit) { return fixits.push_back(std::move(fixit)), *this; }
};

// One row of a diagnostics table: the host's are in diagnostics.def, a plugin's in its entry.
struct DiagInfo {
  std::string_view code;
  Severity severity;
  std::string_view summary;     // with {} or {0} … for the arguments
  std::string_view explanation; // Markdown
  std::string_view hint = {};   // what would help, for reports that say nothing closer
};

template <size_t Arguments> struct DiagKind : DiagInfo {};

// The host's own diagnostics: diag::manifest_unknown_key and so on, from the table.
namespace diag {
consteval size_t count_arguments(std::string_view format) {
  size_t open = 0;
  for (size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '{') continue;
    if (i + 1 < format.size() && format[i + 1] == '{') {
      ++i;
      continue;
    }
    ++open;
  }
  return open;
}
#define HTP_DIAG(name, code, severity, summary, explanation, ...)                                                      \
  inline constexpr DiagKind<count_arguments(summary)> name{                                                            \
      {code, Severity::severity, summary, explanation __VA_OPT__(, ) __VA_ARGS__}};
#include "host/diag/diagnostics.def"
#undef HTP_DIAG
} // namespace diag

// All rows of the host's table, in its order.
const std::vector<DiagInfo> &host_diagnostics();

// Collects what a phase found. A phase reports and goes on where it can; `errors()` says whether its result counts.
class Diagnostics {
public:
  // Reports one of the host's own. The returned reference is good until the next report.
  template <size_t N, class... A> Diagnostic &report(const DiagKind<N> &kind, Span span, A &&...arguments) {
    static_assert(sizeof...(A) == N, "the diagnostic's message has another number of arguments");
    Diagnostic d;
    d.code = std::string(kind.code);
    d.severity = kind.severity;
    d.message = fmt::format(fmt::runtime(kind.summary), std::forward<A>(arguments)...);
    d.span = std::move(span);
    d.usual_hint = kind.hint;
    return add(std::move(d));
  }
  // The same by the row's code, for what HTP's own Python reports. Throws where there is no such row, or its message
  // has more arguments.
  Diagnostic &report(std::string_view code, const std::vector<std::string> &arguments);
  Diagnostic &add(Diagnostic d);

  size_t errors() const { return errors_; } // faults too
  size_t faults() const { return faults_; }
  bool empty() const { return list_.empty(); }
  const std::vector<Diagnostic> &list() const { return list_; }
  void append(const Diagnostics &other);

private:
  std::vector<Diagnostic> list_;
  size_t errors_ = 0, faults_ = 0;
};

} // namespace htp
