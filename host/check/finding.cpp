#include "host/check/finding.h"

#include "host/diag/transport.h"

#include <algorithm>

namespace htp {

namespace {

using Json = nlohmann::ordered_json;

const DiagInfo &row_of(const CheckInfo &check) {
  for (const DiagInfo &row : host_diagnostics())
    if (row.code == check.codes) return row;
  return host_diagnostics().front(); // not reached: checks.def makes the rows
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

std::optional<CheckId> failed_by(const ConfinedEnd &end) {
  if (end.outcome == ConfinedEnd::Outcome::hung) return CheckId::comes_to_an_end;
  if (end.crowd || (end.outcome == ConfinedEnd::Outcome::done && end.left)) return CheckId::ends_threads;
  if (end.outcome == ConfinedEnd::Outcome::done) return std::nullopt;
  return end.greedy ? CheckId::bearable_memory : end.exited ? CheckId::leaves_the_process : CheckId::survives;
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
                      {"diagnostic", to_json(f.diagnostic)},
                      {"late", f.late}});
  for (const Absence &a : findings.absent) absent.push_back({{"check", check_info(a.check).name}, {"why", a.why}});
  for (const CheckId id : findings.answered) answered.push_back(check_info(id).name);
  return {{"failed", failed}, {"absent", absent}, {"answered", answered}};
}

bool from_json(const Json &json, Findings &findings) {
  try {
    const SourceOf sources = sources_read();
    for (const Json &f : json.at("failed")) {
      const CheckInfo *check = find_check(f.at("check").get<std::string>());
      auto diagnostic = diagnostic_of(f.at("diagnostic"), sources);
      if (!check || !diagnostic) return false;
      findings.failed.push_back({check->id, f.at("unit"), f.at("program"), f.at("expected"), f.at("found"),
                                 std::move(*diagnostic), f.at("late")});
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

std::string line_of(const Findings &findings) {
  return to_json(findings).dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

void take_lines(std::string_view answer, Findings &findings) {
  for (size_t at = 0, next; (next = answer.find('\n', at)) != std::string::npos; at = next + 1) {
    const Json json = Json::parse(answer.substr(at, next - at), nullptr, false);
    if (!json.is_discarded()) from_json(json, findings);
  }
}

} // namespace htp
