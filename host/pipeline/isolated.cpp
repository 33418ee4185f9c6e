#include "host/pipeline/isolated.h"

#include "host/base/confined.h"
#include "host/base/hash.h"
#include "host/diag/transport.h"
#include "host/log/log.h"
#include "host/pipeline/describe.h"
#include "host/pipeline/file_rows.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <map>

namespace htp {

namespace {

using Json = nlohmann::ordered_json;

// Of a compile, which may be large.
constexpr uint64_t memory = uint64_t{16} << 30, answer_bytes = uint64_t{1} << 30;

// ── confined: what is handed over ── a line of JSON, then the bytes of the files, one behind the other.

// The texts of sources that are no files, by the names that spans have.
void collect(const Span &span, Json &texts) {
  if (span.file && !texts.contains(span.file->path)) texts[span.file->path] = span.file->text;
}
Json sources_of(const Diagnostics &diagnostics) {
  Json texts = Json::object();
  const auto all = [&](const std::vector<FixIt> &fixes) {
    for (const FixIt &fix : fixes)
      for (const Edit &edit : fix.edits) collect(edit.span, texts);
  };
  for (const Diagnostic &d : diagnostics.list()) {
    collect(d.span, texts);
    for (const Label &label : d.labels) collect(label.span, texts);
    all(d.fixits), all(d.alternatives);
  }
  return texts;
}

std::string line_of(const std::optional<Made> &made, const Diagnostics &diagnostics, const Seconds &seconds,
                    double whole, const std::string &log) {
  Json line = {{"diagnostics", Json::array()}, {"seconds", Json::array()}, {"whole", whole}, {"log", log}};
  for (const Diagnostic &d : diagnostics.list()) line["diagnostics"].push_back(to_json(d));
  line["sources"] = sources_of(diagnostics);
  for (const auto &[name, spent] : seconds) line["seconds"].push_back(Json::array({name, spent}));
  std::string bytes;
  if (made) {
    PackageManifest manifest = made->draft.manifest; // with what the writer fills in: without it, it reads as none
    for (const PackageFile &file : made->draft.files)
      manifest.outputs.push_back({file.path, file.role, sha256(file.bytes), file.bytes.size()});
    std::ranges::sort(manifest.outputs, {}, &PackageManifest::Output::path);
    for (PackageManifest::Stage &stage : manifest.stages) {
      const auto file = std::ranges::find(manifest.outputs, stage.path, &PackageManifest::Output::path);
      if (file != manifest.outputs.end()) stage.sha256 = file->sha256;
    }
    line["manifest"] = to_json(manifest);
    line["files"] = file_rows(made->draft.files, bytes);
    line["logs"] = file_rows(made->draft.logs, bytes);
  }
  return line.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n" + bytes;
}

// ── the host: what is taken of it ──

struct Unfit {
  std::string_view where;
  std::string why = {};
};

// Files that are there; else what was handed over: a program that a pass wrote, say.
SourceOf sources_from(const Json &texts) {
  return [&texts, read = sources_read(), known = std::map<std::string, SourceRef>()](const std::string &path) mutable {
    auto [at, fresh] = known.try_emplace(path);
    if (!fresh) return at->second;
    at->second = read(path);
    if (const auto text = texts.find(path); at->second->text.empty() && text != texts.end() && text->is_string())
      at->second = std::make_shared<SourceFile>(path, text->get<std::string>());
    return at->second;
  };
}

// "pass tile.infer": what logs/times.json can have as it is.
bool is_phase(std::string_view text) {
  return std::ranges::all_of(text, [](unsigned char c) { return c >= ' ' && c < 0x7f && c != '"' && c != '\\'; });
}

// That the manifest is of what was asked for, and of what was found.
void hold_against(const PackageManifest &manifest, const Inputs &inputs) {
  if (manifest.identity.target != inputs.profile.target.value) throw Unfit{"target"};
  for (const PackageManifest::Plugin &plugin : manifest.plugins) {
    const auto found = std::ranges::find_if(inputs.manifests, [&](const Manifest &m) {
      return m.id.value == plugin.id && m.version_text.value == plugin.version && m.sha256 == plugin.manifest_sha256;
    });
    if (found == inputs.manifests.end()) throw Unfit{"plugins"};
    const std::string &library = found->library.value;
    if (library.empty() != plugin.library_sha256.empty()) throw Unfit{"plugins"};
    const auto bytes = library.empty() ? std::nullopt : std::optional(read_file(join_path(found->folder, library)));
    if (bytes && (!*bytes || sha256(**bytes) != plugin.library_sha256)) throw Unfit{"plugins"};
    if (python_files(*found).sha256 != (plugin.python ? plugin.python->sha256 : "")) throw Unfit{"plugins"};
  }
}

struct Answer {
  Diagnostics diagnostics;
  Seconds seconds;
  double whole = 0;
  std::string log;
  std::optional<Made> made;
};

Answer answer_of(const std::string &text, const Inputs &inputs) {
  Answer answer;
  try {
    const size_t end = text.find('\n');
    if (end == std::string::npos) throw Unfit{"answer"};
    const Json line = Json::parse(std::string_view(text).substr(0, end));
    const SourceOf sources = sources_from(line.at("sources"));
    for (const Json &one : line.at("diagnostics")) {
      auto d = diagnostic_of(one, sources);
      if (!d) throw Unfit{"diagnostics"};
      answer.diagnostics.add(std::move(*d));
    }
    for (const Json &row : line.at("seconds")) {
      answer.seconds.emplace_back(row.at(0).get<std::string>(), row.at(1).get<double>());
      if (!is_phase(answer.seconds.back().first)) throw Unfit{"seconds"};
    }
    answer.whole = line.at("whole").get<double>();
    answer.log = line.at("log").get<std::string>();
    if (!line.contains("manifest")) {
      if (!answer.diagnostics.errors()) throw Unfit{"diagnostics"};
      return answer;
    }
    if (answer.diagnostics.errors()) throw Unfit{"diagnostics"};
    Diagnostics said;
    auto manifest = package_manifest_from_json(line.at("manifest").get<std::string>(), "manifest.json", said);
    if (!manifest) throw Unfit{"manifest", said.list().front().message};
    hold_against(*manifest, inputs);
    manifest->outputs.clear();
    std::string_view bytes = std::string_view(text).substr(end + 1);
    answer.made.emplace();
    auto files = files_of(line.at("files"), bytes), logs = files_of(line.at("logs"), bytes);
    if (!files || !logs || !bytes.empty()) throw Unfit{"files"};
    answer.made->draft = {std::move(*manifest), std::move(*files), std::move(*logs)};
  } catch (const Json::exception &) {
    throw Unfit{"answer"};
  }
  return answer;
}

// The plugin whose unit a place names; null: it names none.
const Manifest *owner_of(std::string_view place, const Inputs &inputs) {
  for (const Manifest &m : inputs.manifests)
    if (std::ranges::any_of(m.units, [&](const Unit &u) { return u.name.value == place; })) return &m;
  return nullptr;
}

// "0.250 tile.infer": how far, and what was entered.
std::pair<double, std::string_view> progress_of(std::string_view place) {
  double done = 0;
  const auto [end, error] = std::from_chars(place.data(), place.data() + place.size(), done);
  if (error != std::errc()) return {0, place};
  place.remove_prefix(static_cast<size_t>(end - place.data()));
  return {done, place.starts_with(' ') ? place.substr(1) : place};
}

void report(const ConfinedEnd &end, const Inputs &inputs, std::chrono::milliseconds silence, Diagnostics &diagnostics) {
  const std::string place(progress_of(end.place).second);
  const Manifest *const owner = owner_of(place, inputs);
  const auto tell = [&](Diagnostic &d) {
    if (!end.output.empty()) d.note("it wrote: " + end.output);
  };
  switch (end.outcome) {
  case ConfinedEnd::Outcome::no_process: diagnostics.report(diag::pipeline_not_isolated, {}, end.reason); break;
  case ConfinedEnd::Outcome::hung:
    tell(diagnostics.report(diag::pipeline_isolated_silent, {}, place, std::chrono::duration<double>(silence).count()));
    break;
  case ConfinedEnd::Outcome::died:
    if (owner)
      tell(diagnostics.report(diag::pipeline_isolated_died, {}, owner->id.value, place, end.reason));
    else
      tell(diagnostics.report(diag::pipeline_isolated_ended, {}, end.reason));
    break;
  case ConfinedEnd::Outcome::done: tell(diagnostics.report(diag::pipeline_isolated_left, {}, end.left)); break;
  }
}

} // namespace

std::optional<Made> isolated(const CompileRequest &request, const Inputs &inputs, Diagnostics &diagnostics,
                             Seconds &seconds, LogRecord &record, const Make &make, std::chrono::milliseconds silence) {
  LogPhase phase("isolate");
  const double begun = request.clock();
  ConfinedLimits limits;
  limits.time = silence;
  limits.memory = memory;
  limits.answer = answer_bytes;
  limits.nested = 3; // libraries are tried before they are opened, and tools run
  limits.cancel = request.cancel;
  const ConfinedEnd end = run_confined(
      limits,
      [&](ConfinedVoice &voice) {
        leave_log();
        const LogRecord own;
        CompileRequest asked = request;
        asked.progress = [&](double done, std::string_view what) { voice.at(fmt::format("{:.3f} {}", done, what)); };
        const double start = asked.clock();
        Diagnostics said;
        Seconds spent;
        const auto made = make(asked, said, spent);
        voice.answer(line_of(made, said, spent, asked.clock() - start, own.text()));
      },
      [&](std::string_view place) {
        if (const auto [done, what] = progress_of(place); request.progress) request.progress(done, what);
      });
  if (request.cancel && *request.cancel) return std::nullopt;
  if (end.outcome != ConfinedEnd::Outcome::done) return report(end, inputs, silence, diagnostics), std::nullopt;
  try {
    Answer answer = answer_of(end.answer, inputs);
    record.take(answer.log);
    if (end.left && answer.made) return report(end, inputs, silence, diagnostics), std::nullopt;
    diagnostics.append(answer.diagnostics);
    if (const std::string lacks = confinement_lacks(); !lacks.empty())
      diagnostics.report(diag::pipeline_less_isolated, {}, lacks);
    seconds.insert(seconds.end(), answer.seconds.begin(), answer.seconds.end());
    seconds.emplace_back("isolate", request.clock() - begun - answer.whole);
    return std::move(answer.made);
  } catch (const Unfit &unfit) {
    Diagnostic &d = diagnostics.report(diag::pipeline_isolated_answer, {}, unfit.where);
    if (!unfit.why.empty()) d.note(unfit.why);
    return std::nullopt;
  }
}

} // namespace htp
