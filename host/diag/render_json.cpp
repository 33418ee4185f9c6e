#include "host/diag/location.h"
#include "host/diag/render.h"

#include <nlohmann/json.hpp>

namespace htp {

namespace {

using Json = nlohmann::ordered_json;

Json json_of(const Span &span) {
  if (!span) return nullptr;
  Json json = {{"file", span.file->path}};
  if (span.line == 0) return json;
  const Location location = location_of(span);
  json["line"] = location.line;
  json["column"] = location.column;
  json["end_line"] = location.end_line;
  json["end_column"] = location.end_column;
  return json;
}

Json json_of(const FixIt &fixit) {
  Json edits = Json::array();
  for (const Edit &edit : fixit.edits) edits.push_back({{"place", json_of(edit.span)}, {"text", edit.text}});
  return {{"title", fixit.title}, {"edits", std::move(edits)}};
}

Json json_of(const Diagnostic &d) {
  Json labels = Json::array(), fixes = Json::array();
  for (const Label &label : d.labels) labels.push_back({{"place", json_of(label.span)}, {"text", label.text}});
  for (const FixIt &fixit : d.fixits) fixes.push_back(json_of(fixit));
  Json json = {{"code", d.code},
               {"severity", severity_name(d.severity)},
               {"message", d.message},
               {"place", json_of(d.span)},
               {"labels", std::move(labels)},
               {"notes", d.notes},
               {"hints", hints_of(d)},
               {"fixes", std::move(fixes)}};
  if (!d.alternatives.empty()) {
    json["alternatives"] = Json::array();
    for (const FixIt &fixit : d.alternatives) json["alternatives"].push_back(json_of(fixit));
  }
  if (d.severity == Severity::fault) json["fault"] = true;
  return json;
}

} // namespace

std::string render_json(const Diagnostics &diagnostics) {
  Json list = Json::array();
  for (const Diagnostic *d : in_order(diagnostics)) list.push_back(json_of(*d));
  const Json json = {{"schema", "htp.diagnostics/1"}, {"diagnostics", std::move(list)}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace htp
