// Looks at documents while they are written: parses what changed at once, asks the compiler in a job, and publishes
// what was found.
#include "host/base/fs.h"
#include "host/base/hash.h"
#include "host/diag/location.h"
#include "host/editor/session.h"

#include <algorithm>
#include <set>

namespace htp::editor {

namespace {

constexpr std::chrono::milliseconds longest_check{60000}, between_shown{60};
constexpr size_t largest_program = 4u << 20;

// The key of a unit with what it reads beside the program: the same text with another sibling is another unit.
bool still_same(const Findings &findings, const Unsaved &unsaved) {
  return std::ranges::all_of(findings.files, [&](const InputFile &file) {
    const auto held = unsaved.find(absolute_path(file.path));
    if (held != unsaved.end()) return sha256(held->second) == file.sha256;
    const auto text = read_file(file.path, 64u << 20);
    return (text ? sha256(*text) : std::string()) == file.sha256;
  });
}

Json severity_of(Severity severity) {
  switch (severity) {
  case Severity::warning: return 2;
  case Severity::note: return 3;
  default: return 1;
  }
}

// Where it stands in the document; of what stands in another file, the import of that, else the first line.
Range place(const Document &document, const Span &span) {
  if (span.file && span.line && span.file->path == document.path) {
    const Stretch at{span.line, span.col, span.end_line, span.end_col};
    Range range = range_of(document, at);
    if (range.begin == range.end) ++range.end.character;
    return range;
  }
  uint32_t line = 0;
  if (span.file && document.program && span.file->path != document.path) {
    const std::string name = span.file->path.substr(span.file->path.rfind('/') + 1);
    for (const Imported &i : document.program->imports())
      if (i.module + ".py" == name) line = document.program->stretch(i.statement).line - 1;
  }
  return {{line, 0}, {line, std::max(utf16_units(document.text.line(line)), 1u)}};
}

std::string message_of(const Document &document, const Diagnostic &d) {
  std::string text = d.message;
  if (d.span.file && d.span.line && d.span.file->path != document.path)
    text += " (" + d.span.file->path.substr(d.span.file->path.rfind('/') + 1) + ":" + std::to_string(d.span.line) + ")";
  for (const std::string &note : d.notes) text += "\nnote: " + note;
  for (const std::string &hint : hints_of(d)) text += "\nhint: " + hint;
  return text;
}

Json protocol_of(const Document &document, const Diagnostic &d) {
  Json json{{"range", to_json(place(document, d.span))},
            {"severity", severity_of(d.severity)},
            {"code", d.code},
            {"source", "htp"},
            {"message", message_of(document, d)}};
  Json related = Json::array();
  for (const Label &label : d.labels) {
    if (!label.span.file || !label.span.line) continue;
    const bool own = label.span.file->path == document.path;
    Document other;
    if (!own) other.text = Text(label.span.file->text);
    const Stretch at{label.span.line, label.span.col, label.span.end_line, label.span.end_col};
    related.push_back({{"location",
                        {{"uri", own ? document.uri : uri_of(absolute_path(label.span.file->path))},
                         {"range", to_json(range_of(own ? document : other, at))}}},
                       {"message", label.text}});
  }
  if (!related.empty()) json["relatedInformation"] = related;
  return json;
}

} // namespace

std::vector<std::pair<const Unit *, const Findings *>> Session::found(const Document &document) const {
  std::vector<std::pair<const Unit *, const Findings *>> all;
  for (const Unit &unit : document.units)
    if (const auto found = document.findings.find(unit.key); found != document.findings.end())
      all.emplace_back(&unit, &found->second);
  return all;
}

void Session::publish(Document &document, bool goes_on) {
  document.published.clear();
  std::set<std::tuple<std::string, std::string, uint32_t, uint32_t>> seen;
  const auto add = [&](const Diagnostic &d) {
    if (seen.emplace(d.code, d.message, d.span.line, d.span.col).second) document.published.push_back(d);
  };
  for (const Diagnostic &d : document.own.list()) add(d);
  if (document.kind == Document::Kind::program && document.current) {
    // What another entry reaches is looked at there, with what it is called with.
    std::set<std::string> within;
    for (const auto &[unit, findings] : found(document))
      if (findings->is_entry && !unit->whole)
        for (const size_t k : document.program->reached(unit->entry)) {
          const htp_node s = document.program->statements()[k].node;
          const Store &store = document.program->store();
          if (store.kind(s) != HTP_FunctionDef) continue;
          const std::string name(store.text(store.slot(s, HTP_FIELD(FunctionDef, name))));
          if (name != unit->entry) within.insert(name);
        }
    for (const auto &[unit, findings] : found(document))
      if (unit->whole || (findings->is_entry && !within.contains(unit->entry)))
        for (const Diagnostic &d : findings->diagnostics.list()) add(d);
    const bool of_htp =
        std::ranges::any_of(document.program->imports(), [](const Imported &i) { return i.module == "htp"; });
    if (of_htp && !inputs)
      for (const Diagnostic &d : setup.list()) add(d);
  }
  Json list = Json::array();
  for (const Diagnostic &d : document.published) list.push_back(protocol_of(document, d));
  notify("textDocument/publishDiagnostics",
         {{"uri", document.uri}, {"version", document.version}, {"diagnostics", list}});
  if (!goes_on) notify("$/htp/checked", {{"uri", document.uri}, {"version", document.version}});
}

bool Session::look() {
  if (made_of != files()) set_up(); // a plugin was built again
  const auto dirty = std::ranges::find_if(documents, [](const auto &one) { return one.second.dirty; });
  if (dirty == documents.end()) return false;
  Document &document = dirty->second;
  if (check) check.reset();            // it is of another text, or comes again
  for (auto &[uri, other] : documents) // a text may be beside others
    if (&other != &document && other.kind == Document::Kind::program && document.kind == Document::Kind::program &&
        std::ranges::any_of(other.findings, [&](const auto &one) {
          return std::ranges::any_of(one.second.files,
                                     [&](const InputFile &f) { return absolute_path(f.path) == document.path; });
        }))
      other.dirty = true;
  document.dirty = document.asks = false;
  document.own = {};
  if (document.kind == Document::Kind::manifest || document.kind == Document::Kind::profile) {
    check_yaml(*this, document);
    publish(document);
    return true;
  }
  if (document.kind != Document::Kind::program || document.text.bytes().size() > largest_program) return true;
  const auto source = std::make_shared<SourceFile>(document.path, document.text.bytes());
  auto program = Program::parse(source, document.own);
  document.current = program != nullptr;
  if (!program) {
    publish(document);
    return true;
  }
  document.program = std::move(program);
  document.units = inputs ? units_of(*document.program, modules.of_plugins()) : std::vector<Unit>();
  document.asks = true;
  return true;
}

bool Session::ask() {
  const auto asks = std::ranges::find_if(documents, [](const auto &one) { return one.second.asks; });
  if (asks == documents.end() || check) return false; // one at a time
  Document &document = asks->second;
  document.asks = false;
  std::map<std::string, Findings> kept;
  std::vector<Unit> open;
  const Unsaved texts = unsaved();
  for (const Unit &unit : document.units) {
    const auto known = document.findings.find(unit.key);
    if (known == document.findings.end() || !still_same(known->second, texts)) {
      open.push_back(unit);
      continue;
    }
    move_to(unit.parts, known->second);
    kept.insert_or_assign(unit.key, known->second);
  }
  // What was found of a text a moment ago may be asked for again: what was undone.
  constexpr size_t most_kept = 256;
  if (document.findings.size() > most_kept)
    document.findings = std::move(kept);
  else
    for (auto &[key, findings] : kept) document.findings.insert_or_assign(key, std::move(findings));
  for (const Unit &unit : open) document.findings.erase(unit.key);
  if (open.empty()) {
    publish(document);
    return true;
  }
  CompileRequest asked = compile_request(document);
  analyst->warm(open.front(), asked);
  auto job = Job::start(
      [&](const Job::Say &say) {
        for (const Unit &unit : open) analyst->look_at(unit, asked, say);
      },
      longest_check);
  if (!job) {
    publish(document);
    return true;
  }
  check.emplace(Check{document.uri, std::move(*job), document.program->source(), {}, {}, {}});
  for (Unit &unit : open) check->units.emplace(unit.key, unit);
  shown = std::chrono::steady_clock::now();
  return true;
}

void Session::read_check() {
  std::vector<std::string> lines;
  const bool more = check->job.take(lines);
  const auto at = documents.find(check->uri);
  if (at == documents.end()) return check.reset();
  Document &document = at->second;
  bool news = false;
  for (const std::string &line : lines) {
    const Json json = Json::parse(line, nullptr, false);
    if (json.is_object() && json.value("begin", Json()).is_string()) {
      check->unit = json["begin"];
      check->at.clear();
    } else if (json.is_object() && json.value("at", Json()).is_string()) {
      check->at = json["at"];
    } else if (auto said = said_in(line, check->source)) {
      const auto unit = check->units.find(said->key);
      if (unit == check->units.end()) continue;
      said->findings.parts = unit->second.parts;
      document.findings.insert_or_assign(said->key, std::move(said->findings));
      check->units.erase(unit);
      news = true;
    }
  }
  const auto now = std::chrono::steady_clock::now();
  if (more) {
    if (news && now - shown >= between_shown) {
      publish(document, true);
      shown = now;
    }
    return;
  }
  // It ended. What it did not come to is looked at in another one, but for what ended it.
  if (!check->units.empty()) {
    if (const auto one = check->units.find(check->unit); one != check->units.end()) {
      const Unit &unit = one->second;
      Findings ended;
      ended.parts = unit.parts;
      const uint32_t at = unit.parts.empty() ? 1 : unit.parts.back().first;
      const Span line{check->source, at, 0, at, static_cast<uint32_t>(check->source->line(at).size())};
      ended.diagnostics.report(diag::editor_ended, line, unit.entry, check->at.empty() ? "the host" : check->at,
                               check->job.reason().empty() ? "it said nothing of it" : check->job.reason());
      document.findings.insert_or_assign(unit.key, std::move(ended));
    }
    const bool progress = !check->unit.empty();
    const bool rest = check->units.size() > 1 && progress;
    check.reset();
    if (rest) document.asks = true;
  } else {
    check.reset();
  }
  if (document.asks) return;
  publish(document);
  if (refreshes)
    send({{"jsonrpc", "2.0"}, {"id", "refresh-" + std::to_string(++asked)}, {"method", "workspace/inlayHint/refresh"}});
}

} // namespace htp::editor
