#include "host/editor/analysis.h"

#include "host/ast/unparse.h"
#include "host/ast/walk.h"
#include "host/base/fs.h"
#include "host/base/hash.h"
#include "host/diag/transport.h"
#include "host/pipeline/phases.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <list>

namespace htp::editor {

namespace {

using Json = nlohmann::ordered_json;

constexpr size_t most_types = 20000, longest_type = 400;

// ── units ──

std::vector<Unit::Part> parts_of(const Program &program, const std::set<size_t> &statements) {
  std::vector<Unit::Part> parts;
  for (const size_t k : statements) {
    const Program::Statement &s = program.statements()[k];
    if (!parts.empty() && s.first <= parts.back().last)
      parts.back().last = std::max(parts.back().last, s.last); // `a = 1; b = 2`
    else
      parts.push_back({s.first, s.last});
  }
  return parts;
}

std::string lines_of(const SourceFile &source, const Unit::Part &part) {
  std::string text;
  for (uint32_t line = part.first; line <= part.last; ++line) text += std::string(source.line(line)) + "\n";
  return text;
}

// The parts where they stand, and nothing else.
std::string only(const SourceFile &source, const std::vector<Unit::Part> &parts) {
  std::string text;
  uint32_t at = 1;
  for (const Unit::Part &part : parts) {
    text.append(part.first - at, '\n');
    text += lines_of(source, part);
    at = part.last + 1;
  }
  return text;
}

bool is_future(const Program &program, size_t k) {
  const Store &store = program.store();
  const htp_node s = program.statements()[k].node;
  if (store.kind(s) != HTP_ImportFrom) return false;
  const uint32_t module = store.slot(s, HTP_FIELD(ImportFrom, module));
  return module && store.text(module) == "__future__";
}

Unit unit_of(const Program &program, std::string entry, std::set<size_t> statements) {
  for (size_t k = 0; k < program.statements().size(); ++k)
    if (is_future(program, k)) statements.insert(k);
  Unit unit;
  unit.entry = std::move(entry);
  unit.parts = parts_of(program, statements);
  unit.text = only(*program.source(), unit.parts);
  unit.key = unit.entry;
  for (const Unit::Part &part : unit.parts) unit.key += '\0' + lines_of(*program.source(), part);
  return unit;
}

// Whether a function at the top of a program of HTP is decorated with a name that is not defined.
bool decorated_by_nothing(const Program &program) {
  if (std::ranges::none_of(program.imports(), [](const Imported &i) { return i.module == "htp"; })) return false;
  const Store &store = program.store();
  for (const Program::Statement &s : program.statements()) {
    if (store.kind(s.node) != HTP_FunctionDef) continue;
    for (htp_node d : store.items(store.slot(s.node, HTP_FIELD(FunctionDef, decorator_list)))) {
      if (store.kind(d) == HTP_Call) d = store.slot(d, HTP_FIELD(Call, func));
      const Span at = store.span(d);
      const Program::Occurrence *one = store.kind(d) == HTP_Name ? program.occurrence_at(at.line, at.col) : nullptr;
      if (one && one->scope == Program::nowhere) return true;
    }
  }
  return false;
}

} // namespace

std::vector<Unit> units_of(const Program &program, const std::set<std::string> &dialect_modules) {
  std::vector<Unit> units;
  std::set<size_t> inside;
  for (const std::string &entry : program.decorated(dialect_modules)) {
    const std::set<size_t> statements = program.with(entry);
    inside.insert(statements.begin(), statements.end());
    units.push_back(unit_of(program, entry, statements));
  }
  // A file without an entry is no program, unless what was to make one is misspelled.
  if (units.empty() && !decorated_by_nothing(program)) return units;
  std::set<size_t> outside;
  const Store &store = program.store();
  for (size_t k = 0; k < program.statements().size(); ++k) {
    const htp_node s = program.statements()[k].node;
    const bool text =
        store.kind(s) == HTP_Expr && store.kind(store.slot(s, HTP_FIELD(Expr, value))) == HTP_Constant; // a docstring
    if (!inside.contains(k) && !text) outside.insert(k);
  }
  if (outside.empty()) return units;
  std::set<size_t> all;
  for (size_t k = 0; k < program.statements().size(); ++k) all.insert(k);
  Unit whole = unit_of(program, "", all);
  if (!units.empty()) whole.entry = units.front().entry;
  whole.whole = true;
  whole.parts = parts_of(program, outside);
  whole.key = std::string(1, '\0') + whole.entry;
  for (const Unit::Part &part : whole.parts) whole.key += '\0' + lines_of(*program.source(), part);
  units.push_back(std::move(whole));
  return units;
}

// ── in the job ──

namespace {

Json to_json(const Stretch &at) { return Json::array({at.line, at.col, at.end_line, at.end_col}); }

// What stages spell of types: for each name that is bound, and each expression that a pass named, in the user's text.
class TypeReader {
public:
  TypeReader(const Store &store, const std::string &path) : store_(store), path_(path) {}

  void read(const Stage &stage) {
    for (const htp_node n : preorder(*store_.abi(), stage.root)) {
      if (store_.kind(n) != HTP_AnnAssign) continue;
      const htp_node target = store_.slot(n, HTP_FIELD(AnnAssign, target)),
                     value = store_.slot(n, HTP_FIELD(AnnAssign, value)),
                     annotation = store_.slot(n, HTP_FIELD(AnnAssign, annotation));
      if (store_.kind(target) != HTP_Name || !annotation) continue;
      const std::string_view name = store_.text(store_.slot(target, HTP_FIELD(Name, id)));
      if (const Span at = location_of(store_, target); in_program(at) && is_there(at, name))
        add(at, true, annotation, stage.header.after);
      if (value)
        if (const Span at = location_of(store_, value); in_program(at)) add(at, false, annotation, stage.header.after);
    }
  }
  const Json &rows() const { return rows_; }

private:
  bool in_program(const Span &at) const { return at.file && at.line && at.file->path == path_; }
  // A name that a pass made stands for something else.
  static bool is_there(const Span &at, std::string_view name) {
    return at.line == at.end_line && at.file->line(at.line).substr(at.col, at.end_col - at.col) == name;
  }
  void add(const Span &at, bool name, htp_node annotation, const std::string &pass) {
    const Stretch where{at.line, at.col, at.end_line, at.end_col};
    std::string type = unparse(*store_.abi(), annotation);
    if (type.size() > longest_type || rows_.size() >= most_types) return;
    if (!seen_.emplace(where, name, type).second) return;
    rows_.push_back(Json::array({to_json(where), name, type, pass}));
  }

  const Store &store_;
  const std::string &path_;
  std::set<std::tuple<Stretch, bool, std::string>> seen_;
  Json rows_ = Json::array();
};

// Whether a line that is not indented has the name: values are given to the constants that a unit has.
bool at_module_level(const std::string &text, const std::string &name) {
  const auto letter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  for (size_t at = 0; !name.empty() && (at = text.find(name, at)) != text.npos; at += name.size()) {
    const size_t end = at + name.size(), line = at == 0 ? text.npos : text.rfind('\n', at - 1);
    const char first = text[line == text.npos ? 0 : line + 1];
    if (first == ' ' || first == '\t' || (at > 0 && letter(text[at - 1])) || (end < text.size() && letter(text[end])))
      continue;
    return true;
  }
  return false;
}

std::string dumped(const Json &json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

} // namespace

struct Analyst::State {
  Cache cache = Cache::from_environment();
  std::optional<Inputs> inputs;
  Diagnostics gathering;
  std::list<Setup> setups;

  // The request of a unit, and the inputs made its own.
  CompileRequest of_unit(const Unit &unit, const CompileRequest &asked) {
    CompileRequest request = asked;
    request.entry = unit.entry;
    request.unsaved[absolute_path(request.program)] = unit.text;
    std::erase_if(request.set, [&](const auto &one) { return !at_module_level(unit.text, one.first); });
    if (!inputs && gathering.empty()) inputs = gather(request, true, gathering);
    if (inputs) {
      inputs->entry = {unit.entry, {}};
      inputs->program = {request.program, {}};
      inputs->read_folder = request.program.substr(0, request.program.rfind('/'));
    }
    return request;
  }

  // The setup that was chosen for such a request, else a new one.
  Setup &setup_for(const CompileRequest &request, const Start &start, const Store &store) {
    Request needs = make_request(request, *inputs, start, store);
    const std::string key = choice_key(needs, request.locked);
    auto found = std::ranges::find(setups, key, &Setup::chosen_for);
    if (found == setups.end()) found = setups.emplace(setups.end());
    found->request = std::move(needs);
    found->locked = request.locked;
    return *found;
  }

  void plan(const CompileRequest &request, const Start &start, Store &store, Setup &setup, Diagnostics &said) {
    Diagnostics own;
    prepare(*inputs, start, setup, store, cache, request, own);
    said.append(own);
  }

  void compile(const CompileRequest &request, const Start &start, Store &store, Setup &setup, Diagnostics &said,
               Json &line) {
    StageRun run;
    std::optional<Diagnostics> attempt;
    const bool ran = run_rounds(*inputs, start, setup, store, cache, request, run, attempt, [] {});
    if (ran && !emit(*setup.ctx, setup, run.stages.back(), *attempt)) blame_passes(*setup.ctx, run);
    said.append(*attempt);
    TypeReader reader(store, request.program);
    for (const Stage &stage : run.stages)
      if (stage.header.number) reader.read(stage);
    line["types"] = reader.rows();
  }
};

Analyst::Analyst() : state_(std::make_unique<State>()) {}
Analyst::~Analyst() = default;

void Analyst::warm(const Unit &unit, const CompileRequest &asked) {
  const CompileRequest request = state_->of_unit(unit, asked);
  if (!state_->inputs) return;
  Store store;
  Diagnostics said; // again by whoever looks at it
  const auto start = parse_start(request, *state_->inputs, store, said);
  if (!start) return;
  Setup &setup = state_->setup_for(request, *start, store);
  if (!setup.registry && !choose(*state_->inputs, *start, store, setup, state_->cache, said)) state_->setups.pop_back();
}

void Analyst::look_at(const Unit &unit, const CompileRequest &asked, const Job::Say &say) {
  say(dumped({{"begin", unit.key}}));
  CompileRequest request = state_->of_unit(unit, asked);
  request.progress = [&](double, std::string_view what) { say(dumped({{"at", what}})); };
  Json line{{"key", unit.key}, {"types", Json::array()}, {"files", Json::array()}};
  Diagnostics said = state_->gathering;
  if (state_->inputs) {
    Store store;
    std::vector<InputFile> files;
    if (const auto start = parse_start(request, *state_->inputs, store, said, &files)) {
      Setup &setup = state_->setup_for(request, *start, store);
      if (choose(*state_->inputs, *start, store, setup, state_->cache, said)) {
        if (unit.whole)
          state_->plan(request, *start, store, setup, said);
        else
          state_->compile(request, *start, store, setup, said, line);
      }
      setup.ctx.reset(); // it is of this store
    }
    for (const InputFile &file : files) line["files"].push_back(Json::array({file.path, file.sha256}));
  }
  const auto counts = [&](const Diagnostic &d) {
    if (!unit.whole) return true;
    return d.span.file && d.span.file->path == request.program &&
           std::ranges::any_of(unit.parts, [&](const Unit::Part &part) {
             return d.span.line >= part.first && d.span.line <= part.last;
           });
  };
  line["diagnostics"] = Json::array();
  for (const Diagnostic &d : said.list())
    if (counts(d)) line["diagnostics"].push_back(htp::to_json(d));
  line["entry"] = std::ranges::none_of(said.list(),
                                       [](const Diagnostic &d) { return d.code == diag::pipeline_unknown_entry.code; });
  say(dumped(line));
}

std::optional<Said> said_in(const std::string &line, const SourceRef &source) {
  try {
    const Json json = Json::parse(line);
    if (!json.contains("key")) return std::nullopt;
    Said said;
    said.key = json.at("key").get<std::string>();
    Findings &found = said.findings;
    found.is_entry = json.value("entry", true);
    const SourceOf read = sources_read();
    const SourceOf sources = [&](const std::string &path) { return path == source->path ? source : read(path); };
    for (const Json &one : json.at("diagnostics"))
      if (auto d = diagnostic_of(one, sources)) found.diagnostics.add(std::move(*d));
    for (const Json &row : json.at("types")) {
      const Json &at = row.at(0);
      found.types.push_back({{at.at(0), at.at(1), at.at(2), at.at(3)}, row.at(1), row.at(2), row.at(3)});
    }
    for (const Json &row : json.at("files"))
      if (row.at(0) != source->path) found.files.push_back({row.at(0), "", row.at(1)});
    return said;
  } catch (const Json::exception &) {
    return std::nullopt;
  }
}

// ── kept findings ──

void move_to(const std::vector<Unit::Part> &parts, Findings &findings) {
  if (parts == findings.parts || parts.size() != findings.parts.size()) return;
  const auto moved = [&](uint32_t line) {
    for (size_t k = 0; k < parts.size(); ++k)
      if (line >= findings.parts[k].first && line <= findings.parts[k].last)
        return line - findings.parts[k].first + parts[k].first;
    return line;
  };
  const auto move = [&](Span &span) {
    if (!span.line) return;
    span.line = moved(span.line);
    span.end_line = moved(span.end_line);
  };
  Diagnostics again;
  for (Diagnostic d : findings.diagnostics.list()) {
    const std::string path = d.span.file ? d.span.file->path : "";
    const auto own = [&](Span &span) {
      if (span.file && span.file->path == path) move(span);
    };
    for (Label &label : d.labels) own(label.span);
    for (auto *fixes : {&d.fixits, &d.alternatives})
      for (FixIt &fix : *fixes)
        for (Edit &edit : fix.edits) own(edit.span);
    own(d.span);
    again.add(std::move(d));
  }
  findings.diagnostics = std::move(again);
  for (Typed &typed : findings.types) {
    typed.at.line = moved(typed.at.line);
    typed.at.end_line = moved(typed.at.end_line);
  }
  findings.parts = parts;
}

} // namespace htp::editor
