// Completion of programs: names in scope, and what the authoring package and the plugins' modules offer, with the
// import that it needs.
#include "host/editor/session.h"

#include <algorithm>
#include <cctype>

namespace htp::editor {

namespace {

enum ItemKind : int {
  method_item = 2,
  function_item = 3,
  variable_item = 6,
  class_item = 7,
  module_item = 9,
  constant_item = 21
};

bool is_letter(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || (c & 0x80); }

int item_kind(const Member &member) {
  switch (member.kind) {
  case Member::Kind::module: return module_item;
  case Member::Kind::function:
  case Member::Kind::intrinsic: return function_item;
  case Member::Kind::type: return class_item;
  case Member::Kind::value: return constant_item;
  }
  return variable_item;
}

// Where a name is added to what is imported: behind the last import of its module, else as a statement of its own.
Json import_edit(const Document &document, const Program &program, const Member &member) {
  const Store &store = program.store();
  uint32_t behind = 0;
  for (const Program::Statement &s : program.statements()) {
    const uint32_t kind = store.kind(s.node);
    if (kind == HTP_Import || kind == HTP_ImportFrom) behind = s.last;
    if (kind != HTP_ImportFrom) continue;
    const uint32_t module = store.slot(s.node, HTP_FIELD(ImportFrom, module));
    if (!module || store.text(module) != member.module) continue;
    const Slots names = store.items(store.slot(s.node, HTP_FIELD(ImportFrom, names)));
    const Stretch last = program.stretch(names[names.size() - 1]);
    if (store.text(store.slot(names[0], HTP_FIELD(alias, name))) == "*") continue;
    const Position at = document.text.position(last.end_line - 1, last.end_col);
    return Json::array({{{"range", to_json(Range{at, at})}, {"newText", ", " + member.name}}});
  }
  const Position at{behind, 0};
  return Json::array(
      {{{"range", to_json(Range{at, at})}, {"newText", "from " + member.module + " import " + member.name + "\n"}}});
}

Json item_of(const Member &member, const std::string &sort) {
  Json item{{"label", member.name},
            {"kind", item_kind(member)},
            {"detail", member.signature},
            {"sortText", sort + member.name}};
  if (!member.doc.empty()) item["documentation"] = {{"kind", "plaintext"}, {"value", member.doc}};
  return item;
}

// The class that a parameter is annotated with: its module and name.
std::optional<std::pair<std::string, std::string>> class_of(const Program &program, const std::string &name,
                                                            size_t scope) {
  const Store &store = program.store();
  for (size_t at = scope;; at = program.scopes()[at].parent) {
    const auto found = program.scopes()[at].bindings.find(name);
    if (found != program.scopes()[at].bindings.end() && !found->second.empty()) {
      const htp_node n = program.occurrences()[found->second.front()].node;
      if (store.kind(n) != HTP_arg) return std::nullopt;
      const htp_node annotation = store.slot(n, HTP_FIELD(arg, annotation));
      const std::string full = annotation ? qualified_name(store, program.imports(), annotation) : "";
      const size_t dot = full.rfind('.');
      if (dot == full.npos) return std::nullopt;
      return std::pair(full.substr(0, dot), full.substr(dot + 1));
    }
    if (at == program.scopes()[at].parent) return std::nullopt;
  }
}

// What stands before the cursor: `head.` of a dotted name, and the beginning of a name.
struct Before {
  std::string line, head, word;
  bool in_text = false; // a string or a comment
};

Before before(const Document &document, Position position) {
  Before found;
  const size_t end = document.text.offset(position);
  const size_t begin = document.text.offset({position.line, 0});
  if (begin <= end) found.line = document.text.bytes().substr(begin, end - begin);
  size_t at = found.line.size();
  while (at > 0 && is_letter(found.line[at - 1])) --at;
  found.word = found.line.substr(at);
  if (at > 0 && found.line[at - 1] == '.') {
    const size_t dot = --at;
    while (at > 0 && (is_letter(found.line[at - 1]) || found.line[at - 1] == '.')) --at;
    found.head = found.line.substr(at, dot - at);
  }
  char quote = 0;
  for (size_t k = 0; k < found.line.size(); ++k) {
    const char c = found.line[k];
    if (quote && c == '\\')
      ++k;
    else if (quote)
      quote = c == quote ? '\0' : quote;
    else if (c == '"' || c == '\'')
      quote = c;
    else if (c == '#')
      found.in_text = true;
  }
  found.in_text = found.in_text || quote;
  return found;
}

// `from htp_tile import a, b` up to the cursor: the module; with nothing imported yet the text of the module's name.
std::string module_imported_from(const std::string &line, bool &names) {
  std::string rest = line.substr(std::min(line.find_first_not_of(' '), line.size()));
  names = false;
  if (rest.starts_with("import ")) return rest.substr(7);
  if (!rest.starts_with("from ")) return "";
  rest = rest.substr(5);
  const size_t end = rest.find(' ');
  if (end == rest.npos) return rest;
  names = rest.substr(end + 1).starts_with("import");
  return rest.substr(0, end);
}

} // namespace

std::optional<Json> completion(Session &session, const Json &, const Json &params) {
  const Document &document = session.document(params);
  const Position position = position_of(params.at("position"));
  if (document.kind == Document::Kind::manifest || document.kind == Document::Kind::profile)
    return complete_yaml(document, position);
  Json items = Json::array();
  const Before here = before(document, position);
  if (document.kind != Document::Kind::program || here.in_text) return items;
  const Modules &modules = session.modules;

  bool names = false;
  const std::string trimmed = here.line.substr(std::min(here.line.find_first_not_of(' '), here.line.size()));
  if (trimmed.starts_with("from ") || trimmed.starts_with("import ")) {
    const std::string module = module_imported_from(here.line, names);
    if (names)
      for (const Member &member : modules.members(module)) items.push_back(item_of(member, ""));
    else
      for (const std::string &name : modules.names())
        items.push_back({{"label", name}, {"kind", module_item}, {"sortText", name}});
    return items;
  }

  // The last text that was Python knows the names; the lines around are much the same.
  const Program *program = document.program.get();
  if (!here.head.empty()) {
    if (!program) return items;
    std::string module;
    const std::string first = here.head.substr(0, here.head.find('.'));
    for (const Imported &i : program->imports())
      if (i.local == first && i.name.empty()) module = i.module + here.head.substr(first.size());
    if (modules.knows(module)) {
      for (const Member &member : modules.members(module)) items.push_back(item_of(member, ""));
      return items;
    }
    const auto [line, col] = place_of(document, position);
    if (const auto type = class_of(*program, here.head, program->scope_at(line, col)))
      for (const Member &member : modules.methods(type->first, type->second)) {
        Json item = item_of(member, "");
        item["kind"] = method_item;
        items.push_back(std::move(item));
      }
    return items;
  }

  std::set<std::string> offered;
  if (program) {
    const auto [line, col] = place_of(document, position);
    for (size_t at = program->scope_at(line, col);; at = program->scopes()[at].parent) {
      for (const auto &[name, bindings] : program->scopes()[at].bindings) {
        if (bindings.empty() || !offered.insert(name).second) continue;
        const Program::Occurrence &binding = program->occurrences()[bindings.front()];
        std::optional<Member> member;
        if (const auto i = import_of(*program, binding); i && !i->name.empty())
          member = modules.member(i->module, i->name);
        if (member) {
          member->name = name;
          items.push_back(item_of(*member, "0"));
        } else {
          const bool function = program->store().kind(binding.node) == HTP_FunctionDef;
          items.push_back({{"label", name},
                           {"kind", function ? function_item : variable_item},
                           {"sortText", (at ? "00" : "0") + name}});
        }
      }
      if (at == program->scopes()[at].parent) break;
    }
  }
  // What could be imported, once something was typed; of dotted programs there is no tree to add the import to.
  if (!program || here.word.empty()) return items;
  std::vector<std::string> order = modules.names(); // first those that are imported from already
  std::ranges::stable_partition(order, [&](const std::string &module) {
    return std::ranges::any_of(program->imports(), [&](const Imported &i) { return i.module == module; });
  });
  for (const std::string &module : order)
    for (const Member &member : modules.members(module)) {
      if (!member.name.starts_with(here.word.substr(0, 1)) || !offered.insert(member.name).second) continue;
      Json item = item_of(member, "1");
      item["additionalTextEdits"] = import_edit(document, *program, member);
      item["labelDetails"] = {{"description", member.module}};
      items.push_back(std::move(item));
    }
  return items;
}

} // namespace htp::editor
