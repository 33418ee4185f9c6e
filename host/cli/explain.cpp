#include "host/cli/explain.h"
#include "host/base/suggest.h"
#include "host/cli/command.h"
#include "host/diag/location.h"
#include "host/diag/render.h"

namespace htp {

namespace {

nlohmann::ordered_json json_of(const DiagInfo &row) {
  return {{"code", row.code},
          {"severity", severity_name(row.severity)},
          {"summary", summary_shown(row)},
          {"explanation", row.explanation}};
}

} // namespace

int explain_command(const Arguments &arguments) {
  if (names_package(arguments.name)) return explain_in_package(arguments);
  Diagnostics diagnostics;
  KnownDiagnostics known;
  if (!known.find(arguments.name)) known = KnownDiagnostics(arguments.request);
  if (arguments.name.empty()) {
    auto rows = nlohmann::ordered_json::array();
    for (const DiagInfo &row : known.rows()) rows.push_back(json_of(row));
    return finish(arguments, diagnostics, diagnostics_markdown(known.rows()), {{"known", rows}});
  }
  if (const DiagInfo *row = known.find(arguments.name))
    return finish(arguments, diagnostics, explain(*row), json_of(*row));
  std::vector<std::string_view> codes;
  for (const DiagInfo &row : known.rows()) codes.push_back(row.code);
  const auto near = did_you_mean(arguments.name, codes);
  diagnostics.report(diag::cli_unknown_code, {}, arguments.name)
      .hint(near.empty() ? "`htp-host explain` lists them all" : "did you mean `" + std::string(near) + "`?");
  return finish(arguments, diagnostics);
}

} // namespace htp
