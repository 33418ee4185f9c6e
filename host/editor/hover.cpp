// Hover and inlay hints: types as stages spell them, and what a name is declared as.
#include "host/editor/session.h"

#include <algorithm>

namespace htp::editor {

namespace {

std::string fenced(const std::string &code) { return "```python\n" + code + "\n```"; }

std::string joined(const std::vector<std::string> &names) {
  std::string text;
  for (const std::string &name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

std::string about(const Member &member) {
  std::string text = fenced(member.signature);
  if (!member.doc.empty()) { // an example is code
    std::string doc;
    bool code = false;
    size_t at = 0;
    while (at <= member.doc.size()) {
      const size_t end = std::min(member.doc.find('\n', at), member.doc.size());
      const std::string line = member.doc.substr(at, end - at);
      const bool example = line.starts_with(">>>") || line.starts_with("...") || line.starts_with("    ");
      if (example != code) doc += example ? "```python\n" : "```\n";
      code = example;
      doc += line + "\n";
      at = end + 1;
    }
    if (code) doc += "```\n";
    text += "\n\n" + doc;
  }
  if (!member.intrinsic.empty())
    text += "\n`" + member.intrinsic + "`, " +
            (member.backends.empty() ? "which no backend here handles" : "handled by " + joined(member.backends));
  return text;
}

// What stages spell at a location: the first stage's, and what later ones have instead.
std::string types_at(const Session &session, const Document &document, const Stretch &at, bool name,
                     const std::string &shown) {
  std::vector<const Typed *> found;
  for (const auto &[unit, findings] : session.found(document))
    for (const Typed &typed : findings->types)
      if (typed.name == name && typed.at == at) found.push_back(&typed);
  if (found.empty()) return "";
  std::string text = fenced(shown + ": " + found.front()->type);
  // Of the same kind: what became a loop over elements has another.
  const auto head = [](const Typed *typed) { return typed->type.substr(0, typed->type.find('[')); };
  std::erase_if(found, [&, first = head(found.front())](const Typed *typed) { return head(typed) != first; });
  constexpr size_t most = 4;
  for (size_t k = 1; k < std::min(found.size(), most); ++k)
    text += "\n`" + found[k]->type + "` after `" + found[k]->pass + "`\n";
  return text;
}

// The declaration of what a name or a dotted name is imported as.
std::optional<Member> imported(const Session &session, const Program &program, htp_node expression) {
  const std::string full = qualified_name(program.store(), program.imports(), expression);
  const size_t dot = full.rfind('.');
  if (dot == full.npos) return std::nullopt;
  return session.modules.member(full.substr(0, dot), full.substr(dot + 1));
}

std::string one_line(std::string text) {
  constexpr size_t longest = 60;
  if (const size_t end = text.find('\n'); end != text.npos) text = text.substr(0, end) + " …";
  if (text.size() > longest) text = text.substr(0, longest) + "…";
  return text;
}

} // namespace

std::optional<Json> hover(Session &session, const Json &, const Json &params) {
  const Document &document = session.document(params);
  const Position position = position_of(params.at("position"));
  const Program *program = session.current(document);
  if (!program) return Json(nullptr);
  const auto [line, col] = place_of(document, position);
  const auto answer = [&](const std::string &text, const Stretch &at) {
    return Json{{"contents", {{"kind", "markdown"}, {"value", text}}}, {"range", to_json(range_of(document, at))}};
  };
  const Store &store = program->store();
  const std::vector<htp_node> around = program->around(line, col);
  if (const Program::Occurrence *one = program->occurrence_at(line, col)) {
    std::string text;
    if (const Program::Occurrence *binding = program->binding_of(*one)) {
      text = types_at(session, document, binding->at, true, one->name);
      const uint32_t kind = store.kind(binding->node);
      if (text.empty() && kind == HTP_arg) text = fenced(program->text(program->stretch(binding->node)));
      if (text.empty() && kind == HTP_alias)
        if (const auto i = import_of(*program, *one))
          if (const auto member = i->name.empty() ? std::nullopt : session.modules.member(i->module, i->name))
            text = about(*member);
      if (text.empty() && (kind == HTP_FunctionDef || kind == HTP_ClassDef || binding->scope == 0)) {
        std::string shown(program->source()->line(binding->at.line));
        shown.erase(0, std::min(shown.find_first_not_of(' '), shown.size()));
        text = fenced(shown);
      }
    }
    // What a call of it gives, beside what it is.
    for (const htp_node n : around)
      if (store.kind(n) == HTP_Call && program->stretch(store.slot(n, HTP_FIELD(Call, func))) == one->at)
        if (const std::string type =
                types_at(session, document, program->stretch(n), false, one_line(program->text(program->stretch(n))));
            !type.empty())
          text = type + (text.empty() ? "" : "\n\n---\n\n" + text);
    if (!text.empty()) return answer(text, one->at);
  }
  for (const htp_node n : around) {
    const Stretch at = program->stretch(n);
    if (store.kind(n) == HTP_Attribute)
      if (const auto member = imported(session, *program, n)) return answer(about(*member), at);
    if (store.kind(n) == HTP_Name || store.kind(n) == HTP_Constant) continue;
    if (const std::string text = types_at(session, document, at, false, one_line(program->text(at))); !text.empty())
      return answer(text, at);
  }
  return Json(nullptr);
}

std::optional<Json> inlay_hints(Session &session, const Json &, const Json &params) {
  const Document &document = session.document(params);
  const Range range = range_of(params.at("range"));
  Json hints = Json::array();
  const Program *program = session.current(document);
  if (!program) return hints;
  std::set<Stretch> told;
  for (const auto &[unit, findings] : session.found(document))
    for (const Typed &typed : findings->types) {
      if (!typed.name || !told.insert(typed.at).second) continue;
      const Position end = range_of(document, typed.at).end;
      if (end < range.begin || range.end < end) continue;
      const std::string_view rest =
          program->source()
              ->line(typed.at.end_line)
              .substr(std::min<size_t>(typed.at.end_col, program->source()->line(typed.at.end_line).size()));
      const size_t next = rest.find_first_not_of(' ');
      if (next != rest.npos && rest[next] == ':') continue; // it is written there
      hints.push_back({{"position", to_json(end)}, {"label", ": " + typed.type}, {"kind", 1}});
    }
  return hints;
}

} // namespace htp::editor
