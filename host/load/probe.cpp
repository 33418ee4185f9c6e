#include "host/load/probe.h"

#include "host/base/confined.h"
#include "host/diag/transport.h"
#include "host/load/handshake.h"
#include "htp/entry.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>

namespace htp {

namespace {

using Json = nlohmann::ordered_json;
using Outcome = ProbeVerdict::Outcome;

constexpr std::string_view opening = "while it was opened", reading = "while its entry was read";

// ── confined ────────────────────────────────────────────────────────────────────────────────────────────────────────

// What became of one library, as a line of JSON.
Json open_one(const ProbeRequest &request, const LoadOptions &options, ConfinedVoice &voice) {
  voice.at(opening);
  const pid_t process = ::getpid();
  const unsigned before = processes_beside();
  void *const handle = ::dlopen(request.library->path().c_str(), RTLD_NOW | RTLD_LOCAL);
  if (::getpid() != process) ::_exit(1); // a copy that it made of this process
  const unsigned started = processes_beside() - std::min(before, processes_beside());
  if (!handle) return {{"not_opened", ::dlerror()}};
  if (started) return {{"started", started}};
  voice.at(reading);
  const auto *entry = static_cast<const htp_entry *>(::dlsym(handle, HTP_ENTRY_SYMBOL));
  if (!entry) return {{"no_entry", true}};
  Diagnostics found;
  const auto step = shake_hands(*request.manifest, *entry, options.releases, found);
  if (!step) return {{"survived", true}};
  Json why = Json::array();
  for (const Diagnostic &d : found.list()) why.push_back(to_json(d));
  return {{"refused", static_cast<unsigned>(*step)}, {"why", why}};
}

// ── the host ────────────────────────────────────────────────────────────────────────────────────────────────────────

// Nothing when this is nothing that open_one writes.
std::optional<ProbeVerdict> verdict_of(const Json &said, const ProbeRequest &request) {
  if (!said.is_object() || said.empty()) return std::nullopt;
  const std::string &key = said.begin().key();
  const Json &value = said.begin().value();
  if (key == "survived") return ProbeVerdict{Outcome::survived, {}, {}, {}, {}, {}};
  if (key == "no_entry") return ProbeVerdict{Outcome::no_entry, {}, {}, {}, {}, {}};
  if (key == "not_opened" && value.is_string())
    return ProbeVerdict{Outcome::not_opened, value.get<std::string>().substr(0, 2000), {}, {}, {}, {}};
  if (key == "started" && value.is_number_unsigned())
    return ProbeVerdict{Outcome::left_processes, {}, std::string(opening), {}, {}, {}};
  if (key != "refused" || !value.is_number_unsigned() || value >= std::size(load_steps) || !said.contains("why"))
    return std::nullopt;
  ProbeVerdict verdict{Outcome::refused, {}, {}, {}, static_cast<LoadStep>(value.get<unsigned>()), {}};
  for (const Json &one : said["why"]) {
    auto d = diagnostic_of(one, [&](const std::string &path) {
      const SourceRef &source = request.manifest->source;
      return source && source->path == path ? source : SourceRef();
    });
    const auto &rows = host_diagnostics();
    const auto known = [&](const DiagInfo &row) { return d && row.code == d->code && row.severity == d->severity; };
    if (!d || !d->code.starts_with("load.") || std::none_of(rows.begin(), rows.end(), known)) return std::nullopt;
    verdict.why.push_back(std::move(*d));
  }
  if (verdict.why.empty()) return std::nullopt;
  return verdict;
}

// One process for them; nothing when it did not come to its end, or said what it could not, and they were several.
std::vector<ProbeVerdict> try_together(std::span<const ProbeRequest> requests, const LoadOptions &options) {
  ConfinedLimits limits;
  limits.time = options.probe_timeout;
  limits.address_space = options.probe_memory;
  limits.memory = options.probe_memory;
  limits.answer = uint64_t{16} << 20;
  for (const ProbeRequest &request : requests)
    if (const int fd = request.library->descriptor(); fd >= 0) limits.keep.push_back(fd);
  const ConfinedEnd end = run_confined(limits, [&](ConfinedVoice &voice) {
    std::string lines; // said once nothing of a plugin runs any more
    for (const ProbeRequest &request : requests)
      lines += open_one(request, options, voice).dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
    voice.answer(lines);
  });
  const auto one = [&](Outcome outcome, std::string reason) {
    const std::string phase(end.place == reading ? reading : opening);
    return std::vector{ProbeVerdict{outcome, std::move(reason), phase, end.output, {}, {}}};
  };
  std::vector<ProbeVerdict> verdicts;
  if (end.outcome == ConfinedEnd::Outcome::done && !end.left) {
    size_t at = 0;
    for (size_t next; (next = end.answer.find('\n', at)) != std::string::npos; at = next + 1) {
      const auto line = std::string_view(end.answer).substr(at, next - at);
      auto verdict = verdicts.size() < requests.size()
                         ? verdict_of(Json::parse(line, nullptr, false), requests[verdicts.size()])
                         : std::nullopt;
      if (!verdict) break;
      verdicts.push_back(std::move(*verdict));
    }
    if (verdicts.size() == requests.size() && at == end.answer.size()) return verdicts;
  }
  if (requests.size() > 1) return {};
  switch (end.outcome) {
  case ConfinedEnd::Outcome::done:
    return end.left ? one(Outcome::left_processes, "") : one(Outcome::died, "it wrote where the host did alone");
  case ConfinedEnd::Outcome::hung: return one(Outcome::hung, "");
  case ConfinedEnd::Outcome::died: return one(end.crowd ? Outcome::left_processes : Outcome::died, end.reason);
  case ConfinedEnd::Outcome::no_process: break;
  }
  return one(Outcome::no_process, end.reason);
}

} // namespace

std::vector<ProbeVerdict> probe(std::span<const ProbeRequest> requests, const LoadOptions &options) {
  std::vector<ProbeVerdict> verdicts = requests.empty() ? std::vector<ProbeVerdict>() : try_together(requests, options);
  if (verdicts.size() == requests.size()) return verdicts;
  for (size_t i = 0; i < requests.size(); ++i)
    verdicts.push_back(std::move(try_together(requests.subspan(i, 1), options).front()));
  return verdicts;
}

void report_probe(const ProbeRequest &request, const ProbeVerdict &verdict, const LoadOptions &options,
                  Diagnostics &diagnostics) {
  const Manifest &manifest = *request.manifest;
  Diagnostic *reported = nullptr;
  switch (verdict.outcome) {
  case ProbeVerdict::Outcome::survived: return;
  case ProbeVerdict::Outcome::not_opened:
    return report_open_failure(manifest, request.library->facts(), verdict.reason, diagnostics);
  case ProbeVerdict::Outcome::no_entry: return report_no_entry(manifest, diagnostics);
  case ProbeVerdict::Outcome::refused:
    for (const Diagnostic &d : verdict.why) diagnostics.add(d);
    return;
  case ProbeVerdict::Outcome::no_process:
    diagnostics.report(diag::load_cannot_open, manifest.library.span, manifest.library.value,
                       "no process to try it in: " + verdict.reason);
    return;
  case ProbeVerdict::Outcome::left_processes:
    reported = &diagnostics.report(diag::load_left_processes, manifest.library.span, manifest.id.value, verdict.phase);
    break;
  case ProbeVerdict::Outcome::hung:
    reported =
        &diagnostics.report(diag::load_hung, manifest.library.span, manifest.id.value, options.probe_timeout.count());
    break;
  case ProbeVerdict::Outcome::died:
    reported = &diagnostics.report(diag::load_crashed_at_load, manifest.library.span, manifest.id.value, verdict.phase,
                                   verdict.reason);
    break;
  }
  if (!verdict.output.empty()) reported->note("it wrote: " + verdict.output);
  reported->hint("debug it with `HTP_LOAD=path`; nothing else of this plugin was used");
}

} // namespace htp
