#include "host/diag/location.h"
#include "host/diag/render.h"

#include <nlohmann/json.hpp>

#include <map>

namespace htp {

namespace {

using Json = nlohmann::ordered_json;

// A path as an RFC 3986 reference.
std::string uri_of(std::string_view path) {
  constexpr std::string_view plain = "-._~/!$&'()*+,;=@", digits = "0123456789ABCDEF";
  std::string uri = path.substr(0, 1) == "/" ? "file://" : "";
  for (const char c : path) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (letter || plain.find(c) != std::string_view::npos) {
      uri += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      uri += {'%', digits[byte >> 4], digits[byte & 15]};
    }
  }
  return uri;
}

Json region_of(const Span &span) {
  const Location location = location_of(span);
  return {{"startLine", location.line},
          {"startColumn", location.column},
          {"endLine", location.end_line},
          {"endColumn", location.end_column}};
}

Json cited(const Span &span) {
  Json physical = {{"artifactLocation", {{"uri", uri_of(span.file->path)}}}};
  if (span.line > 0) physical["region"] = region_of(span);
  return {{"physicalLocation", std::move(physical)}};
}

// One change a file, in the order in which the files first occur.
Json fix_of(const FixIt &fixit) {
  Json changes = Json::array();
  std::map<std::string, size_t> change_of;
  for (const Edit &edit : fixit.edits) {
    if (!edit.span || edit.span.line == 0) continue;
    const std::string uri = uri_of(edit.span.file->path);
    const auto [at, fresh] = change_of.emplace(uri, changes.size());
    if (fresh) changes.push_back({{"artifactLocation", {{"uri", uri}}}, {"replacements", Json::array()}});
    changes[at->second]["replacements"].push_back(
        {{"deletedRegion", region_of(edit.span)}, {"insertedContent", {{"text", edit.text}}}});
  }
  return {{"description", {{"text", fixit.title}}}, {"artifactChanges", std::move(changes)}};
}

Json result_of(const Diagnostic &d, size_t rule) {
  std::string message = d.message;
  for (const std::string &note : d.notes) message += "\nnote: " + note;
  for (const std::string &hint : hints_of(d)) message += "\nhint: " + hint;
  if (!d.alternatives.empty()) message += "\nany one of these changes helps:";
  for (const FixIt &fixit : d.alternatives) message += "\n- " + fixit.title;
  Json result = {
      {"ruleId", d.code}, {"ruleIndex", rule}, {"level", severity_name(d.severity)}, {"message", {{"text", message}}}};
  if (d.span) result["locations"] = Json::array({cited(d.span)});
  Json related = Json::array(), fixes = Json::array();
  for (const Label &label : d.labels) {
    if (!label.span) continue;
    Json location = cited(label.span);
    location["id"] = related.size();
    location["message"] = {{"text", label.text}};
    related.push_back(std::move(location));
  }
  for (const auto *list : {&d.fixits, &d.alternatives})
    for (const FixIt &fixit : *list) {
      Json fix = fix_of(fixit);
      if (!fix["artifactChanges"].empty()) fixes.push_back(std::move(fix));
    }
  if (!related.empty()) result["relatedLocations"] = std::move(related);
  if (!fixes.empty()) result["fixes"] = std::move(fixes);
  return result;
}

Json rule_of(std::string_view code, const std::vector<DiagInfo> &table) {
  Json rule = {{"id", code}};
  for (const DiagInfo &row : table) {
    if (row.code != code) continue;
    rule["shortDescription"] = {{"text", summary_shown(row)}};
    rule["fullDescription"] = {{"text", row.explanation}};
    rule["help"] = {{"text", row.explanation}, {"markdown", row.explanation}};
    rule["defaultConfiguration"] = {{"level", severity_name(row.severity)}};
    break;
  }
  return rule;
}

} // namespace

std::string render_sarif(const Diagnostics &diagnostics, std::string_view version, const std::vector<DiagInfo> &table) {
  Json rules = Json::array(), results = Json::array();
  std::map<std::string, size_t> rule_index;
  for (const Diagnostic *d : in_order(diagnostics)) {
    const auto [at, fresh] = rule_index.emplace(d->code, rules.size());
    if (fresh) rules.push_back(rule_of(d->code, table));
    results.push_back(result_of(*d, at->second));
  }
  const Json driver = {{"name", "htp-host"}, {"version", version}, {"rules", std::move(rules)}};
  const Json run = {
      {"tool", {{"driver", driver}}}, {"columnKind", "unicodeCodePoints"}, {"results", std::move(results)}};
  const Json log = {
      {"$schema", "https://json.schemastore.org/sarif-2.1.0.json"}, {"version", "2.1.0"}, {"runs", Json::array({run})}};
  return log.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace htp
