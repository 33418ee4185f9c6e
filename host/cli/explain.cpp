#include "host/base/suggest.h"
#include "host/cli/command.h"
#include "host/pipeline/compile.h"

#include <htp/entry.h>
#include <nlohmann/json.hpp>

namespace htp {

namespace {

std::string_view severity_word(Severity severity) {
  return severity == Severity::error ? "error" : severity == Severity::warning ? "warning" : "note";
}

} // namespace

int explain_command(const Arguments &arguments) {
  Diagnostics diagnostics, loading;
  std::vector<DiagInfo> known = host_diagnostics();
  Cache cache = Cache::from_environment();
  const auto find = [&]() -> const DiagInfo * {
    for (const DiagInfo &info : known)
      if (info.code == arguments.name) return &info;
    return nullptr;
  };
  // A plugin's codes are in its library; its faults are not what is asked about here.
  std::optional<LoadedSet> set;
  if (!find()) set = load_set(arguments.request, cache, loading);
  if (set)
    for (const LoadedPlugin &plugin : set->plugins)
      if (const htp_entry *entry = plugin.entry())
        for (uint32_t i = 0; i < entry->diag_count; ++i) {
          const htp_diag_info &d = entry->diagnostics[i];
          known.push_back({d.code, static_cast<Severity>(d.severity), d.summary, d.explanation});
        }
  const DiagInfo *info = find();
  if (!info) {
    std::vector<std::string> codes;
    for (const DiagInfo &d : known) codes.emplace_back(d.code);
    Diagnostic &d = diagnostics.report(diag::cli_unknown_code, {}, arguments.name);
    if (const auto near = did_you_mean(arguments.name, codes); !near.empty())
      d.hint("did you mean `" + std::string(near) + "`?");
    return finish(arguments, diagnostics, exit_refused, "");
  }
  const std::string text =
      fmt::format("{}[{}]: {}\n\n{}\n", severity_word(info->severity), info->code, info->summary, info->explanation);
  const nlohmann::ordered_json json{{"schema", "htp.explain/1"},
                                    {"code", info->code},
                                    {"severity", severity_word(info->severity)},
                                    {"summary", info->summary},
                                    {"explanation", info->explanation}};
  return finish(arguments, diagnostics, exit_done, text, json.dump());
}

} // namespace htp
