// Code actions of what diagnostics offer, formatting, and lenses.
#include "host/base/fs.h"
#include "host/editor/format.h"
#include "host/editor/session.h"

#include <algorithm>

namespace htp::editor {

namespace {

bool touches(const Range &a, const Range &b) { return a.begin <= b.end && b.begin <= a.end; }

Range line_range(const Document &document, const Span &span) {
  return range_of(document, {span.line, span.col, span.end_line, span.end_col});
}

// Nothing where an edit is of a file that no text is known of.
std::optional<Json> changes_of(const Session &session, const Document &document, const FixIt &fix) {
  Json changes = Json::object();
  for (const Edit &edit : fix.edits) {
    if (!edit.span.file || !edit.span.line) return std::nullopt;
    const std::string path = absolute_path(edit.span.file->path);
    const Stretch at{edit.span.line, edit.span.col, edit.span.end_line, edit.span.end_col};
    Json location = path == document.path ? Json{{"uri", document.uri}, {"range", to_json(range_of(document, at))}}
                                          : location_in(path, at, session);
    changes[location["uri"].get<std::string>()].push_back({{"range", location["range"]}, {"newText", edit.text}});
  }
  return changes;
}

} // namespace

std::optional<Json> code_actions(Session &session, const Json &, const Json &params) {
  const Document &document = session.document(params);
  const Range asked = range_of(params.at("range"));
  Json list = Json::array();
  if (document.dirty) return list; // what was found is of another text
  for (const Diagnostic &d : document.published) {
    if (!d.span.file || !d.span.line || d.span.file->path != document.path) continue;
    if (!touches(line_range(document, d.span), asked)) continue;
    for (const auto *fixes : {&d.fixits, &d.alternatives})
      for (const FixIt &fix : *fixes) {
        if (fix.edits.empty()) continue;
        auto changes = changes_of(session, document, fix);
        if (!changes) continue;
        Json action{{"title", fix.title}, {"kind", "quickfix"}, {"edit", {{"changes", std::move(*changes)}}}};
        if (fixes == &d.fixits) action["isPreferred"] = d.fixits.size() == 1;
        list.push_back(std::move(action));
      }
  }
  return list;
}

std::optional<Json> lenses(Session &session, const Json &, const Json &params) {
  const Document &document = session.document(params);
  Json list = Json::array();
  const Program *program = session.current(document);
  if (!program) return list;
  for (const Unit &unit : document.units) {
    if (unit.whole) continue;
    const auto known = document.findings.find(unit.key);
    if (known != document.findings.end() && !known->second.is_entry) continue;
    const auto binding = program->scopes()[0].bindings.find(unit.entry);
    if (binding == program->scopes()[0].bindings.end() || binding->second.empty()) continue;
    const Range range = range_of(document, program->occurrences()[binding->second.front()].at);
    for (const auto &[title, command] :
         {std::pair("show stage", "htp.showStage"), std::pair("show emitted code", "htp.showEmitted"),
          std::pair("run with random input", "htp.run")})
      list.push_back({{"range", to_json(range)},
                      {"command",
                       {{"title", title},
                        {"command", command},
                        {"arguments", Json::array({{{"uri", document.uri}, {"entry", unit.entry}}})}}}});
  }
  return list;
}

std::optional<Json> formatting(Session &session, const Json &id, const Json &params) {
  const Document &document = session.document(params);
  if (document.kind != Document::Kind::program) throw Refused{rpc::request_failed, "only programs are formatted"};
  session.later(id, [&](const Job::Say &say) {
    Diagnostics diagnostics;
    const std::string &before = document.text.bytes();
    const auto after = formatted(document.path, before, diagnostics);
    if (!after) {
      std::string why = "black refused it";
      for (const Diagnostic &d : diagnostics.list()) why = d.message;
      return say(rpc::dumped({{"error", why}}));
    }
    Json edits = Json::array();
    const Range whole{{0, 0}, document.text.position(before.size())};
    if (*after != before) edits.push_back({{"range", to_json(whole)}, {"newText", *after}});
    say(rpc::dumped({{"result", edits}}));
  });
  return std::nullopt;
}

} // namespace htp::editor
