#include "host/diag/location.h"
#include "host/diag/render.h"

#include <fmt/format.h>

#include <algorithm>

namespace htp {

namespace {

std::string_view owner_of(std::string_view code) { return code.substr(0, code.find('.')); }

} // namespace

std::string summary_shown(const DiagInfo &row) {
  const std::string_view format = row.summary;
  std::string out;
  for (size_t i = 0; i < format.size(); ++i) {
    const char c = format[i];
    const bool doubled = i + 1 < format.size() && format[i + 1] == c;
    if ((c == '{' || c == '}') && doubled) {
      out += c;
      ++i;
    } else if (c == '{') {
      out += "…";
      i = std::min(format.find('}', i), format.size() - 1);
    } else {
      out += c;
    }
  }
  if (out == "…") out = row.explanation.substr(0, row.explanation.find(". "));
  if (out.ends_with('.')) out.pop_back();
  return out;
}

std::string explain(const DiagInfo &row) {
  return fmt::format("{}[{}]: {}\n\n{}\n", severity_name(row.severity), row.code, summary_shown(row), row.explanation);
}

std::string diagnostics_markdown(const std::vector<DiagInfo> &table) {
  std::vector<DiagInfo> rows = table;
  std::sort(rows.begin(), rows.end(), [](const DiagInfo &a, const DiagInfo &b) { return a.code < b.code; });
  std::string page = "# Diagnostics\n\n"
                     "Every diagnostic of the host and of the plugins found, from their tables (`diagnostics.def`). "
                     "`htp-host explain CODE` prints\n"
                     "one, `htp-host explain` this page.\n";
  std::string_view owner;
  for (const DiagInfo &row : rows) {
    if (owner_of(row.code) != owner) page += fmt::format("\n## {}\n", owner = owner_of(row.code));
    page += fmt::format("\n### `{}`\n\n*{}*: {}\n\n{}\n", row.code, severity_name(row.severity), summary_shown(row),
                        row.explanation);
  }
  return page;
}

} // namespace htp
