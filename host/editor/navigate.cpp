// Where names are defined and used, their renaming, and the outline.
#include "host/base/fs.h"
#include "host/editor/session.h"

#include <algorithm>
#include <cctype>

namespace htp::editor {

namespace {

constexpr std::string_view keywords[] = {
    "False",  "None",     "True", "and",    "as",   "assert",  "async",  "await",  "break", "class",  "continue", "def",
    "del",    "elif",     "else", "except", "for",  "finally", "from",   "global", "if",    "import", "in",       "is",
    "lambda", "nonlocal", "not",  "or",     "pass", "raise",   "return", "try",    "while", "with",   "yield"};

bool is_identifier(const std::string &name) {
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0]))) return false;
  return std::ranges::all_of(name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }) &&
         std::ranges::find(keywords, name) == std::end(keywords);
}

struct Asked {
  const Document &document;
  const Program &program;
  const Program::Occurrence *one; // null: no name stands there
};

Asked asked(Session &session, const Json &params, bool needs_current = true) {
  const Document &document = session.document(params);
  const Position position = position_of(params.at("position"));
  const Program *program = needs_current ? session.current(document) : document.program.get();
  if (!program) throw Refused{rpc::request_failed, "the text is no Python as it is"};
  const auto [line, col] = place_of(document, position);
  return {document, *program, program->occurrence_at(line, col)};
}

// Where a keyword argument of a call of a function here names the parameter.
std::vector<Stretch> keywords_of(const Program &program, const Program::Occurrence &parameter) {
  std::vector<Stretch> found;
  const Store &store = program.store();
  if (store.kind(parameter.node) != HTP_arg) return found;
  const htp_node function = program.scopes()[parameter.scope].node;
  for (const Program::Occurrence &call : program.occurrences()) {
    const Program::Occurrence *binding = call.binds ? nullptr : program.binding_of(call);
    if (!binding || binding->node != function) continue;
    const std::vector<htp_node> around = program.around(call.at.line, call.at.col);
    for (const htp_node n : around) {
      if (store.kind(n) != HTP_Call || program.stretch(store.slot(n, HTP_FIELD(Call, func))) != call.at) continue;
      for (const htp_node k : store.items(store.slot(n, HTP_FIELD(Call, keywords)))) {
        const uint32_t arg = store.slot(k, HTP_FIELD(keyword, arg));
        if (!arg || store.text(arg) != parameter.name) continue;
        Stretch at = program.stretch(k);
        at.end_line = at.line;
        at.end_col = at.col + static_cast<uint32_t>(parameter.name.size());
        found.push_back(at);
      }
    }
  }
  return found;
}

// `M = htp.dim("M")`: the string is the name again.
std::optional<Stretch> dim_text(const Program &program, const Program::Occurrence &binding) {
  const Store &store = program.store();
  for (const Program::Statement &s : program.statements()) {
    if (store.kind(s.node) != HTP_Assign) continue;
    for (const htp_node n : program.calls(s.node)) {
      if (qualified_name(store, program.imports(), store.slot(n, HTP_FIELD(Call, func))) != "htp.dim") continue;
      const Slots given = store.items(store.slot(n, HTP_FIELD(Call, args)));
      if (given.size() != 1 || string_of(store, given[0]) != binding.name) continue;
      Stretch at = program.stretch(given[0]);
      const std::string text = program.text(at);
      if (text.size() != binding.name.size() + 2) return std::nullopt;
      ++at.col, --at.end_col;
      return at;
    }
  }
  return std::nullopt;
}

// All that changes with a name; throws Refused where it cannot be told.
std::vector<Stretch> renamed_with(const Program &program, const Program::Occurrence &one) {
  if (one.scope == Program::nowhere) throw Refused{rpc::request_failed, "`" + one.name + "` is not defined here"};
  if (program.scopes()[one.scope].shares || program.scopes()[one.scope].is_class)
    throw Refused{rpc::request_failed, "`" + one.name + "` is shared between scopes"};
  std::vector<Stretch> all;
  for (const Program::Occurrence *other : program.same(one)) {
    if (!other->exact)
      throw Refused{rpc::request_failed, "`" + one.name + "` stands in line " + std::to_string(other->at.line) +
                                             " where it cannot be renamed"};
    const uint32_t kind = program.store().kind(other->node);
    if (kind == HTP_alias && !program.store().slot(other->node, HTP_FIELD(alias, asname)))
      throw Refused{rpc::request_failed, "`" + one.name + "` is imported; `as` gives it another name here"};
    for (const Program::Scope &scope : program.scopes())
      if (scope.shares) throw Refused{rpc::request_failed, "the program has `global` or `nonlocal`"};
    all.push_back(other->at);
    if (kind == HTP_arg)
      for (const Stretch &at : keywords_of(program, *other)) all.push_back(at);
    if (other->binds && other->scope == 0)
      if (const auto at = dim_text(program, *other)) all.push_back(*at);
  }
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

// Whether another name of this spelling would be met: where it is bound or read, in any scope that sees one of the
// renamed, or around one.
bool is_free(const Program &program, const Program::Occurrence &one, const std::string &name) {
  for (const Program::Occurrence &other : program.occurrences()) {
    if (other.name != name) continue;
    if (one.scope == 0) return false;
    for (size_t at = other.written;; at = program.scopes()[at].parent) { // read or bound within the scope
      if (at == one.scope) return false;
      if (at == program.scopes()[at].parent) break;
    }
  }
  return true;
}

Json edits_of(const Document &document, const std::vector<Stretch> &all, const std::string &text) {
  Json edits = Json::array();
  for (const Stretch &at : all) edits.push_back({{"range", to_json(range_of(document, at))}, {"newText", text}});
  return edits;
}

} // namespace

std::optional<Json> definition(Session &session, const Json &, const Json &params) {
  const Asked here = asked(session, params, false);
  const Program &program = here.program;
  const Store &store = program.store();
  const auto of_module = [&](const std::string &module, const std::string &name) -> std::optional<Json> {
    if (name.empty()) {
      const std::string file = session.modules.file(module);
      if (!file.empty()) return location_in(file, {1, 0, 1, 0}, session);
    } else if (const auto member = session.modules.member(module, name)) {
      return location_in(member->file, member->at, session);
    }
    // A file beside the program.
    const std::string path = here.document.path.substr(0, here.document.path.rfind('/') + 1) + module + ".py";
    const auto open = session.documents.find(uri_of(path));
    auto text = open != session.documents.end() ? Expected<std::string, IoError>(open->second.text.bytes())
                                                : read_file(path, 4u << 20);
    if (!text) return std::nullopt;
    Diagnostics none;
    const auto other = Program::parse(std::make_shared<SourceFile>(path, std::move(*text)), none);
    if (!other) return std::nullopt;
    const auto found = other->scopes()[0].bindings.find(name);
    if (found == other->scopes()[0].bindings.end() || found->second.empty())
      return location_in(path, {1, 0, 1, 0}, session);
    return location_in(path, other->occurrences()[found->second.front()].at, session);
  };
  if (here.one) {
    if (const auto i = import_of(program, *here.one))
      if (auto found = of_module(i->module, i->name)) return found;
    const Program::Occurrence *binding = program.binding_of(*here.one);
    if (!binding) return Json(nullptr);
    return Json{{"uri", here.document.uri}, {"range", to_json(range_of(here.document, binding->at))}};
  }
  const auto [line, col] = place_of(here.document, position_of(params.at("position")));
  for (const htp_node n : program.around(line, col)) {
    if (store.kind(n) != HTP_Attribute) continue;
    const std::string full = qualified_name(store, program.imports(), n);
    const size_t dot = full.rfind('.');
    if (dot == full.npos) continue;
    if (auto found = of_module(full.substr(0, dot), full.substr(dot + 1))) return found;
  }
  return Json(nullptr);
}

std::optional<Json> references(Session &session, const Json &, const Json &params) {
  const Asked here = asked(session, params);
  Json list = Json::array();
  if (here.one)
    for (const Program::Occurrence *one : here.program.same(*here.one))
      list.push_back({{"uri", here.document.uri}, {"range", to_json(range_of(here.document, one->at))}});
  return list;
}

std::optional<Json> highlights(Session &session, const Json &, const Json &params) {
  const Asked here = asked(session, params);
  Json list = Json::array();
  if (here.one)
    for (const Program::Occurrence *one : here.program.same(*here.one))
      list.push_back({{"range", to_json(range_of(here.document, one->at))}, {"kind", one->binds ? 3 : 2}});
  return list;
}

std::optional<Json> prepare_rename(Session &session, const Json &, const Json &params) {
  const Asked here = asked(session, params);
  if (!here.one) return Json(nullptr);
  renamed_with(here.program, *here.one);
  return Json{{"range", to_json(range_of(here.document, here.one->at))}, {"placeholder", here.one->name}};
}

std::optional<Json> rename(Session &session, const Json &, const Json &params) {
  const std::string name = params.at("newName");
  const Asked here = asked(session, params);
  if (!here.one) throw Refused{rpc::request_failed, "no name stands there"};
  if (!is_identifier(name)) throw Refused{rpc::invalid_params, "`" + name + "` is no name"};
  const std::vector<Stretch> all = renamed_with(here.program, *here.one);
  if (name == here.one->name) return Json{{"changes", Json::object()}};
  if (!is_free(here.program, *here.one, name))
    throw Refused{rpc::request_failed, "`" + name + "` has another meaning there"};
  return Json{{"changes", {{here.document.uri, edits_of(here.document, all, name)}}}};
}

std::optional<Json> symbols(Session &session, const Json &, const Json &params) {
  enum SymbolKind : int { class_symbol = 5, method_symbol = 6, function_symbol = 12, constant_symbol = 14 };
  const Document &document = session.document(params);
  Json list = Json::array();
  const Program *program = document.program.get();
  if (!program || document.kind != Document::Kind::program) return list;
  const Store &store = program->store();
  const auto symbol = [&](const Program::Occurrence &one, int kind, const Stretch &whole) {
    return Json{{"name", one.name},
                {"kind", kind},
                {"range", to_json(range_of(document, whole))},
                {"selectionRange", to_json(range_of(document, one.at))}};
  };
  for (const Program::Occurrence &one : program->occurrences()) {
    if (!one.binds || one.scope != 0 || store.kind(one.node) == HTP_alias) continue;
    const uint32_t kind = store.kind(one.node);
    if (kind == HTP_Name) {
      if (program->same(one).front()->at == one.at) list.push_back(symbol(one, constant_symbol, one.at));
      continue;
    }
    if (kind != HTP_FunctionDef && kind != HTP_ClassDef) continue;
    Json json = symbol(one, kind == HTP_ClassDef ? class_symbol : function_symbol, program->stretch(one.node));
    for (const Program::Occurrence &inner : program->occurrences())
      if (inner.binds && program->scopes()[inner.scope].node == one.node && inner.scope != 0 &&
          (store.kind(inner.node) == HTP_FunctionDef || store.kind(inner.node) == HTP_ClassDef))
        json["children"].push_back(
            symbol(inner, kind == HTP_ClassDef ? method_symbol : function_symbol, program->stretch(inner.node)));
    list.push_back(std::move(json));
  }
  return list;
}

} // namespace htp::editor
