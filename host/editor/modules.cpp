#include "host/editor/modules.h"

#include "host/ast/walk.h"
#include "host/base/fs.h"
#include "host/pipeline/tree.h"
#include "host/python/sources.h"

#include <algorithm>

namespace htp::editor {

namespace {

constexpr int deepest = 8; // of names that are handed from module to module
constexpr const char *authoring = "htp";

// "htp_tile/elementwise.py" is htp_tile.elementwise, "htp_tile/__init__.py" htp_tile.
std::string module_of(std::string file) {
  file.resize(file.size() - 3);
  std::ranges::replace(file, '/', '.');
  constexpr std::string_view init = ".__init__";
  if (file.ends_with(init)) file.resize(file.size() - init.size());
  return file;
}

// As `inspect.cleandoc`: without the indentation that the lines behind the first share.
std::string cleaned(const std::string &doc) {
  std::vector<std::string> lines(1);
  for (const char c : doc)
    if (c == '\n')
      lines.emplace_back();
    else
      lines.back() += c;
  size_t margin = std::string::npos;
  for (size_t k = 1; k < lines.size(); ++k) margin = std::min(margin, lines[k].find_first_not_of(' '));
  std::string text;
  for (size_t k = 0; k < lines.size(); ++k) {
    std::string &line = lines[k];
    line.erase(0, k == 0 ? std::min(line.find_first_not_of(' '), line.size())
                         : std::min(margin, std::min(line.find_first_not_of(' '), line.size())));
    text += (k ? "\n" : "") + line;
  }
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  return text;
}

std::string docstring(const Store &store, uint32_t body) {
  const Slots statements = store.items(body);
  if (statements.empty() || store.kind(statements[0]) != HTP_Expr) return "";
  const auto text = string_of(store, store.slot(statements[0], HTP_FIELD(Expr, value)));
  return text ? cleaned(*text) : "";
}

// What stands before a body, on one line, without its colon.
std::string head_of(const Program &program, htp_node n, uint32_t body) {
  const Store &store = program.store();
  Stretch at = program.stretch(n);
  if (const Slots statements = store.items(body); !statements.empty()) {
    const Stretch first = program.stretch(statements[0]);
    at.end_line = first.line, at.end_col = first.col;
  }
  std::string head;
  for (const char c : program.text(at)) {
    const bool blank = c == ' ' || c == '\n' || c == '\t';
    if (!blank || (!head.empty() && head.back() != ' ')) head += blank ? ' ' : c;
  }
  while (!head.empty() && (head.back() == ' ' || head.back() == ':')) head.pop_back();
  for (const auto &[from, to] : {std::pair<std::string_view, std::string_view>("( ", "("), {", )", ")"}, {" )", ")"}})
    for (size_t found = 0; (found = head.find(from, found)) != head.npos;) head.replace(found, from.size(), to);
  return head;
}

} // namespace

Modules::Modules(const Inputs &inputs, const std::vector<std::string> &python_folders) {
  for (const std::string &folder : python_folders) {
    const auto list = list_folder(join_path(folder, authoring));
    if (!list) continue;
    for (const FolderEntry &entry : *list)
      if (entry.name.ends_with(".py")) {
        const std::string name = std::string(authoring) + "/" + entry.name;
        sources_.emplace(module_of(name), Source{join_path(folder, name), {}, false, {}});
      }
    packages_.insert(authoring);
    break;
  }
  for (const Manifest &manifest : inputs.manifests) {
    for (const PythonSource &source : read_python(manifest))
      if (source.name.ends_with(".py")) sources_.emplace(module_of(source.name), Source{source.path, {}, false, {}});
    if (const std::string &module = manifest.python_module.value; !module.empty()) {
      plugins_.insert(module);
      packages_.insert(module);
    }
    for (const htp::Unit &unit : manifest.units) {
      const auto add = [&](const htp::Text &intrinsic, const std::string &backend) {
        std::vector<std::string> &all = backends_[intrinsic.value];
        if (std::ranges::find(all, backend) == all.end()) all.push_back(backend);
      };
      if (unit.kind == UnitKind::handlers)
        for (const htp::Text &one : unit.members)
          add(one, unit.backend.value.starts_with('$') ? "any" : unit.backend.value);
      if (unit.kind == UnitKind::backend)
        for (const htp::Text &one : unit.target_set) add(one, unit.name.value);
    }
  }
  for (auto &[intrinsic, backends] : backends_) std::ranges::sort(backends);
}

bool Modules::knows(const std::string &module) const { return sources_.contains(module); }

std::vector<std::string> Modules::names() const { return {packages_.begin(), packages_.end()}; }

std::set<std::string> Modules::of_plugins() const { return plugins_; }

std::string Modules::file(const std::string &module) const {
  const auto found = sources_.find(module);
  return found == sources_.end() ? "" : found->second.path;
}

const Program *Modules::parsed(const std::string &module) const {
  const auto found = sources_.find(module);
  if (found == sources_.end()) return nullptr;
  Source &source = found->second;
  if (!source.read) {
    source.read = true;
    Diagnostics none;
    if (auto text = read_file(source.path, 4u << 20))
      source.program = Program::parse(std::make_shared<SourceFile>(source.path, std::move(*text)), none);
  }
  return source.program.get();
}

Member Modules::member_of(const Program &program, const std::string &module, const Program::Occurrence &binding) const {
  const Store &store = program.store();
  Member member;
  member.name = binding.name;
  member.module = module;
  member.file = program.source()->path;
  member.at = binding.at;
  const htp_node n = binding.node;
  switch (store.kind(n)) {
  case HTP_FunctionDef:
  case HTP_AsyncFunctionDef: {
    member.kind = Member::Kind::function;
    const uint32_t body = store.slot(n, HTP_FIELD(FunctionDef, body));
    member.doc = docstring(store, body);
    member.signature = head_of(program, n, body);
    for (const htp_node d : store.items(store.slot(n, HTP_FIELD(FunctionDef, decorator_list)))) {
      if (store.kind(d) != HTP_Call) continue;
      const htp_node function = store.slot(d, HTP_FIELD(Call, func));
      if (qualified_name(store, program.imports(), function) != "htp.intrinsic") continue;
      member.kind = Member::Kind::intrinsic;
      if (const htp_node name = keyword_of(store, d, "name")) member.intrinsic = string_of(store, name).value_or("");
      if (const auto found = backends_.find(member.intrinsic); found != backends_.end())
        member.backends = found->second;
    }
    break;
  }
  case HTP_ClassDef: {
    member.kind = Member::Kind::type;
    const uint32_t body = store.slot(n, HTP_FIELD(ClassDef, body));
    member.doc = docstring(store, body);
    member.signature = head_of(program, n, body);
    break;
  }
  default: {
    std::string line(program.source()->line(binding.at.line));
    line.erase(0, std::min(line.find_first_not_of(' '), line.size()));
    member.signature = line;
  }
  }
  return member;
}

std::optional<Member> Modules::find(const std::string &module, const std::string &name, int depth) const {
  const Program *program = depth < deepest ? parsed(module) : nullptr;
  if (!program) return std::nullopt;
  const auto found = program->scopes()[0].bindings.find(name);
  if (found == program->scopes()[0].bindings.end()) return std::nullopt;
  const Program::Occurrence *best = nullptr; // a definition says most
  for (const size_t k : found->second) {
    const Program::Occurrence &one = program->occurrences()[k];
    const auto is_definition = [&](const Program::Occurrence &o) {
      const uint32_t kind = program->store().kind(o.node);
      return kind == HTP_FunctionDef || kind == HTP_ClassDef;
    };
    if (!best || (!is_definition(*best) && is_definition(one))) best = &one;
  }
  if (!best) return std::nullopt;
  if (program->store().kind(best->node) != HTP_alias) return member_of(*program, module, *best);
  for (const Imported &i : program->imports())
    if (i.local == name && !i.name.empty())
      if (auto member = find(i.module, i.name, depth + 1)) {
        member->name = name;
        return member;
      }
  return std::nullopt;
}

std::optional<Member> Modules::member(const std::string &module, const std::string &name) const {
  auto found = find(module, name, 0);
  if (found) found->module = module;
  return found;
}

std::vector<Member> Modules::members(const std::string &module) const {
  std::vector<Member> found;
  const Program *program = parsed(module);
  if (!program) return found;
  for (const auto &[name, bindings] : program->scopes()[0].bindings)
    if (!name.starts_with('_'))
      if (auto one = member(module, name)) found.push_back(std::move(*one));
  return found;
}

std::vector<Member> Modules::methods(const std::string &module, const std::string &type) const {
  std::vector<Member> found;
  const auto of = find(module, type, 0);
  if (!of || of->kind != Member::Kind::type) return found;
  const Program *program = parsed(of->module);
  if (!program) return found;
  for (const Program::Scope &scope : program->scopes()) {
    if (!scope.is_class || program->store().text(program->store().slot(scope.node, HTP_FIELD(ClassDef, name))) != type)
      continue;
    for (const auto &[name, bindings] : scope.bindings)
      if (!name.starts_with('_') && !bindings.empty())
        found.push_back(member_of(*program, of->module, program->occurrences()[bindings.front()]));
  }
  return found;
}

} // namespace htp::editor
