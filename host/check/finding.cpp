#include "host/check/finding.h"

#include "host/base/fs.h"
#include "host/diag/place.h"

#include <algorithm>
#include <map>

namespace htp {

namespace {

using Json = nlohmann::ordered_json;

const DiagInfo &row_of(const CheckInfo &check) {
  for (const DiagInfo &row : host_diagnostics())
    if (row.code == check.codes) return row;
  return host_diagnostics().front(); // not reached: checks.def makes the rows
}

Json to_json(const Span &span) {
  if (!span.file) return nullptr;
  return Json::array({span.file->path, span.line, span.col, span.end_line, span.end_col});
}

// Sources by path, each read once.
class Sources {
public:
  Span span(const Json &json) {
    if (!json.is_array()) return {};
    const auto path = json.at(0).get<std::string>();
    auto [at, fresh] = files_.try_emplace(path);
    if (fresh) {
      auto text = read_file(path, 1u << 24);
      at->second = std::make_shared<SourceFile>(path, text ? std::move(*text) : std::string());
    }
    return {at->second, json.at(1), json.at(2), json.at(3), json.at(4)};
  }

private:
  std::map<std::string, SourceRef> files_;
};

Json to_json(const Diagnostic &d) {
  Json labels = Json::array();
  for (const Label &label : d.labels) labels.push_back(Json::array({to_json(label.span), label.text}));
  return {{"code", d.code},       {"severity", static_cast<int>(d.severity)},
          {"message", d.message}, {"span", to_json(d.span)},
          {"labels", labels},     {"notes", d.notes},
          {"hints", hints_of(d)}};
}

Diagnostic diagnostic_of(const Json &json, Sources &sources) {
  Diagnostic d;
  d.code = json.at("code");
  d.severity = static_cast<Severity>(json.at("severity").get<int>());
  d.message = json.at("message");
  d.span = sources.span(json.at("span"));
  for (const Json &label : json.at("labels")) d.label(sources.span(label.at(0)), label.at(1));
  d.notes = json.at("notes").get<std::vector<std::string>>();
  d.hints = json.at("hints").get<std::vector<std::string>>();
  return d;
}

} // namespace

Finding &Findings::fail(CheckId check, const Manifest &manifest, const Unit *unit, std::string message) {
  const DiagInfo &row = row_of(check_info(check));
  Diagnostic d;
  d.code = std::string(row.code);
  d.severity = row.severity;
  d.message = std::move(message);
  d.span = unit ? unit->name.span : manifest.id.span;
  if (const size_t at = row.explanation.find("Fix: "); at != std::string_view::npos) {
    std::string fix(row.explanation.substr(at + 5));
    std::replace(fix.begin(), fix.end(), '\n', ' ');
    while (fix.ends_with('.')) fix.pop_back();
    d.hint(std::move(fix));
  }
  return failed.emplace_back(Finding{check, unit ? unit->name.value : "", {}, {}, {}, std::move(d)});
}

bool Findings::take(const Diagnostic &diagnostic) {
  const CheckInfo *check = check_of(diagnostic.code);
  if (!check || diagnostic.severity == Severity::note) return false;
  failed.push_back({check->id, {}, {}, {}, {}, diagnostic});
  return true;
}

void Findings::answer(CheckPhase phase) {
  for (const CheckInfo &check : all_checks())
    if (check.phase == phase) answered.insert(check.id);
}

const Unit *named_in(std::string_view place, const Manifest &manifest) {
  for (const Unit &unit : manifest.units)
    if (place.find("`" + unit.name.value + "`") != std::string_view::npos) return &unit;
  return nullptr;
}

Json to_json(const Findings &findings) {
  Json failed = Json::array(), absent = Json::array(), answered = Json::array();
  for (const Finding &f : findings.failed)
    failed.push_back({{"check", check_info(f.check).name},
                      {"unit", f.unit},
                      {"program", f.program},
                      {"expected", f.expected},
                      {"found", f.found},
                      {"diagnostic", to_json(f.diagnostic)}});
  for (const Absence &a : findings.absent) absent.push_back({{"check", check_info(a.check).name}, {"why", a.why}});
  for (const CheckId id : findings.answered) answered.push_back(check_info(id).name);
  return {{"failed", failed}, {"absent", absent}, {"answered", answered}};
}

bool from_json(const Json &json, Findings &findings) {
  try {
    Sources sources;
    for (const Json &f : json.at("failed")) {
      const CheckInfo *check = find_check(f.at("check").get<std::string>());
      if (!check) return false;
      findings.failed.push_back({check->id, f.at("unit"), f.at("program"), f.at("expected"), f.at("found"),
                                 diagnostic_of(f.at("diagnostic"), sources)});
    }
    for (const Json &a : json.at("absent")) {
      const CheckInfo *check = find_check(a.at("check").get<std::string>());
      if (!check) return false;
      findings.absent.push_back({check->id, a.at("why")});
    }
    for (const Json &name : json.at("answered")) {
      const CheckInfo *check = find_check(name.get<std::string>());
      if (!check) return false;
      findings.answered.insert(check->id);
    }
    return true;
  } catch (const Json::exception &) {
    return false;
  }
}

} // namespace htp
