// The commands behind the lenses: stages, emitted code and a run of a program as it is in the editor. Each is a job;
// its answer is text, which the client shows.
#include "host/base/fs.h"
#include "host/base/process.h"
#include "host/editor/session.h"
#include "host/load/identity.h"
#include "host/pipeline/compilation.h"
#include "host/pipeline/tree.h"

#include <algorithm>

namespace htp::editor {

namespace {

struct Command {
  const char *name;
  // One line with `result` or `error`.
  Json (*work)(const CompileRequest &request, const Json &arguments);
};

std::string errors_of(const Diagnostics &diagnostics) {
  std::string text;
  for (const Diagnostic &d : diagnostics.list())
    if (is_error(d.severity)) {
      const std::string at = d.span.file && d.span.line ? "line " + std::to_string(d.span.line) + ": " : "";
      text += (text.empty() ? "" : "\n") + at + d.message + " [" + d.code + "]";
    }
  return text.empty() ? "the compile was refused" : text;
}

std::unique_ptr<Compilation> compiled(const CompileRequest &request, Diagnostics &diagnostics) {
  Cache cache = Cache::from_environment();
  auto inputs = gather(request, true, diagnostics);
  auto compilation = inputs ? Compilation::run(std::move(*inputs), request, cache, diagnostics) : nullptr;
  return compilation && compilation->last() && !diagnostics.errors() ? std::move(compilation) : nullptr;
}

// The first line of a stage that stands for a line of the program.
uint32_t line_in(const Compilation &compilation, const Stage &stage, const std::string &path, uint32_t line) {
  const Store &store = compilation.store();
  std::vector<LineSpan> spans;
  Store &printed = compilation.store();
  unparse(*store.abi(), with_header(printed, stage.root, stage.header), {.trivia = true, .spans = &spans});
  for (const LineSpan &span : spans)
    if (const Span at = location_of(store, span.node); at.file && at.file->path == path && at.line == line)
      return span.line;
  return 0;
}

Json show_stage(const CompileRequest &request, const Json &arguments) {
  Diagnostics diagnostics;
  const auto compilation = compiled(request, diagnostics);
  if (!compilation) return {{"error", errors_of(diagnostics)}};
  const auto &stages = compilation->ran().stages;
  const std::string asked = arguments.value("stage", std::string());
  const Stage *chosen = &stages.back();
  Json names = Json::array();
  bool known = asked.empty();
  for (const Stage &stage : stages) {
    const std::string name = stage.id() + "-" + stage.header.after;
    names.push_back(name);
    if (asked != stage.id() && asked != stage.header.after && asked != name) continue;
    chosen = &stage;
    known = true;
  }
  if (!known) return {{"error", "there is no stage `" + asked + "`"}};
  Json result{{"stages", names},
              {"name", chosen->id() + "-" + chosen->header.after},
              {"language", "python"},
              {"text", chosen->text}};
  const Json line = arguments.value("line", Json());
  if (line.is_number_unsigned())
    if (const uint32_t at = line_in(*compilation, *chosen, request.program, line.get<uint32_t>() + 1))
      result["line"] = at - 1;
  return {{"result", result}};
}

Json show_emitted(const CompileRequest &request, const Json &) {
  Diagnostics diagnostics;
  const auto compilation = compiled(request, diagnostics);
  const auto draft = compilation ? compilation->emit(diagnostics) : std::nullopt;
  if (!draft) return {{"error", errors_of(diagnostics)}};
  Json files = Json::array();
  for (const PackageFile &file : draft->files)
    if (file.path.starts_with("codegen/")) files.push_back({{"path", file.path}, {"text", file.bytes}});
  return {{"result", {{"files", files}}}};
}

Json run_random(const CompileRequest &asked, const Json &arguments) {
  auto folder = TemporaryFolder::make("htp-run");
  if (!folder) return {{"error", folder.error().path + ": " + folder.error().reason}};
  CompileRequest request = asked;
  request.out = join_path(folder->path(), "package");
  Diagnostics diagnostics;
  Cache cache = Cache::from_environment();
  if (compile(request, cache, diagnostics).status != CompileOutcome::Status::done)
    return {{"error", errors_of(diagnostics)}};
  ProcessRequest run;
  run.argv = {own_file()};
  if (!request.profile.empty()) run.argv.insert(run.argv.end(), {"--plugins", request.profile});
  for (const std::string &path : request.plugin_path) run.argv.insert(run.argv.end(), {"--plugin-path", path});
  const Json seed = arguments.value("seed", Json());
  run.argv.insert(run.argv.end(), {"--color", "never", "run", "--check", "--seed",
                                   seed.is_number_unsigned() ? std::to_string(seed.get<uint64_t>()) : "0"});
  if (const Json dims = arguments.value("dims", Json()); dims.is_object())
    for (const auto &[name, size] : dims.items())
      if (size.is_number_unsigned())
        run.argv.insert(run.argv.end(), {"--dim", name + "=" + std::to_string(size.get<uint64_t>())});
  run.argv.insert(run.argv.end(), {"--", request.out});
  const auto done = run_process(run);
  if (!done) return {{"error", done.error()}};
  return {{"result", {{"text", done->out + done->err}, {"exitCode", done->exit_status}}}};
}

constexpr Command commands[] = {
    {"htp.showStage", show_stage}, {"htp.showEmitted", show_emitted}, {"htp.run", run_random}};

} // namespace

std::vector<std::string> command_names() {
  std::vector<std::string> names;
  for (const Command &command : commands) names.emplace_back(command.name);
  return names;
}

std::optional<Json> execute_command(Session &session, const Json &id, const Json &params) {
  const std::string name = params.at("command");
  const auto *command =
      std::find_if(std::begin(commands), std::end(commands), [&](const Command &one) { return name == one.name; });
  if (command == std::end(commands)) throw Refused{rpc::invalid_params, "there is no such command"};
  const Json arguments = params.at("arguments").at(0);
  const Document &document = session.document({{"textDocument", {{"uri", arguments.at("uri")}}}});
  if (document.kind != Document::Kind::program) throw Refused{rpc::invalid_params, "it is no program"};
  CompileRequest request = session.compile_request(document);
  request.entry = arguments.value("entry", std::string());
  if (document.program) // those that it has
    std::erase_if(request.set,
                  [&](const auto &one) { return !document.program->scopes()[0].bindings.contains(one.first); });
  if (id.is_null()) return std::nullopt; // nobody waits for what it would say
  session.later(id, [&](const Job::Say &say) { say(rpc::dumped(command->work(request, arguments))); });
  return std::nullopt;
}

} // namespace htp::editor
