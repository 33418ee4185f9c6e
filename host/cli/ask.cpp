#include "host/cli/ask.h"

#include "host/base/fs.h"
#include "host/load/identity.h"
#include "host/python/python.h"

#include <algorithm>
#include <memory>

namespace htp {

namespace {

// A location as JSON has it; of a file that is there no longer without its text.
Span span_of(const nlohmann::ordered_json &location) {
  if (!location.is_object()) return {};
  const std::string path = location.value("file", std::string());
  auto text = read_file(path, 16u << 20);
  const auto column = [&](const char *key) { return std::max(location.value(key, 1u), 1u) - 1; };
  return {std::make_shared<SourceFile>(path, text ? std::move(*text) : std::string()), location.value("line", 0u),
          column("column"), location.value("end_line", 0u), column("end_column")};
}

// Adds what Python code answered: `diagnostics`, as JSON has them, and `differs`.
void add_answered(const nlohmann::ordered_json &response, Diagnostics &diagnostics) {
  if (const auto differs = response.find("differs"); differs != response.end())
    for (const auto &one : *differs) diagnostics.report(diag::run_differs, {}, one.get<std::string>());
  for (const auto &d : response.at("diagnostics")) {
    if (const auto arguments = d.find("arguments"); arguments != d.end()) { // of a row of the host's table
      Diagnostic &own = diagnostics.report(d.at("code").get<std::string>(), arguments->get<std::vector<std::string>>());
      for (const auto &hint : d.at("hints")) own.hint(hint);
      continue;
    }
    Diagnostic again;
    again.code = d.at("code");
    again.message = d.at("message");
    again.severity = d.at("severity") == "warning" ? Severity::warning
                     : d.at("severity") == "note"  ? Severity::note
                     : d.value("fault", false)     ? Severity::fault
                                                   : Severity::error;
    again.span = span_of(d.value("place", nlohmann::ordered_json()));
    for (const auto &label : d.value("labels", nlohmann::ordered_json::array()))
      again.label(span_of(label.at("place")), label.at("text").get<std::string>());
    for (const auto &note : d.value("notes", nlohmann::ordered_json::array())) again.note(note);
    for (const auto &hint : d.value("hints", nlohmann::ordered_json::array())) again.hint(hint);
    diagnostics.add(std::move(again));
  }
}

} // namespace

nlohmann::ordered_json arrays_asked(const Arguments &arguments) {
  return {{"host", own_file()},
          {"profile", arguments.request.profile},
          {"plugin_path", arguments.request.plugin_path},
          {"entry", arguments.request.entry},
          {"inputs", arguments.inputs},
          {"args", arguments.args},
          {"dims", arguments.dims},
          {"seed", arguments.seed}};
}

std::optional<nlohmann::ordered_json> ask_python(const std::string &module, const std::string &function,
                                                 const nlohmann::ordered_json &request, Diagnostics &diagnostics) {
  const auto answer =
      call_python(module, function, request.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace),
                  python_folders(), diagnostics);
  if (!answer) return std::nullopt;
  auto response = nlohmann::ordered_json::parse(*answer);
  add_answered(response, diagnostics);
  return response;
}

} // namespace htp
