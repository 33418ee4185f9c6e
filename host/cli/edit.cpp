// htp-host edit: a stage's program changed, and the compile from there on.
#include "host/base/fs.h"
#include "host/cli/command.h"
#include "host/pipeline/remake.h"

#include <map>

namespace htp {

namespace edit {

// What was found in the file at `path`, said of it by a name that the user knows.
Diagnostics renamed(const Diagnostics &found, const std::string &path, const std::string &name) {
  std::map<SourceRef, SourceRef> again;
  const auto rename = [&](Span &span) {
    if (!span.file || !span.file->path.ends_with(path)) return;
    SourceRef &made = again[span.file];
    if (!made) made = std::make_shared<SourceFile>(name, span.file->text);
    span.file = made;
  };
  Diagnostics all;
  for (Diagnostic one : found.list()) { // `path` is a temporary file: no name of the user's has it in it
    for (size_t at; (at = one.message.find(path)) != std::string::npos;) one.message.replace(at, path.size(), name);
    rename(one.span);
    for (Label &label : one.labels) rename(label.span);
    for (auto *fixes : {&one.fixits, &one.alternatives})
      for (FixIt &fix : *fixes)
        for (Edit &change : fix.edits) rename(change.span);
    all.add(std::move(one));
  }
  return all;
}

} // namespace edit

int edit_command(const Arguments &arguments) {
  Diagnostics diagnostics;
  auto package = read_package(arguments.package, diagnostics);
  if (!package) return finish(arguments, diagnostics);
  Cache cache = Cache::from_environment();
  CompileRequest asked = arguments.request;
  asked.progress = progress_line(arguments);
  package = with_all_stages(std::move(*package), asked, cache, diagnostics);
  if (!package && interrupted) return finish_cancelled(arguments);
  if (!package) return finish(arguments, diagnostics);
  const PackageManifest::Stage *stage = nullptr;
  std::string known;
  for (const auto &one : package->manifest.stages) {
    const std::string whole = one.id + "-" + one.pass;
    known += (known.empty() ? "" : ", ") + whole;
    if (arguments.name == one.id || arguments.name == one.pass || arguments.name == whole) stage = &one;
  }
  if (!stage) {
    diagnostics.report(diag::cli_unknown_stage, {}, arguments.name).hint("it has: " + known);
    return finish(arguments, diagnostics);
  }
  std::string program = *package->file(stage->path);
  if (arguments.diff.empty() == arguments.inputs.empty()) {
    diagnostics.report(diag::cli_no_edit, {}, "give either `--replace OLD NEW` or `--program FILE.py`");
  } else if (!arguments.inputs.empty()) {
    auto text = read_file(arguments.inputs, package_file_limit);
    if (text)
      program = std::move(*text);
    else
      diagnostics.report(diag::io_unreadable, {}, text.error().path, text.error().reason);
  } else {
    const std::string &old = arguments.diff[0];
    const size_t at = old.empty() ? std::string::npos : program.find(old);
    if (at == std::string::npos)
      diagnostics.report(diag::cli_no_edit, {}, "its program does not have the text `" + old + "`");
    else if (program.find(old, at + 1) != std::string::npos)
      diagnostics.report(diag::cli_no_edit, {}, "its program has the text `" + old + "` more than once");
    else
      program.replace(at, old.size(), arguments.diff[1]);
  }
  if (diagnostics.errors()) return finish(arguments, diagnostics);
  const auto temporary = TemporaryFolder::make();
  if (!temporary) {
    diagnostics.report(diag::io_unwritable, {}, temporary.error().path, temporary.error().reason);
    return finish(arguments, diagnostics);
  }
  CompileRequest request = request_of(*package, asked);
  request.from_stage = join_path(temporary->path(), stage->id + "-" + stage->pass);
  request.out = arguments.request.out;
  const std::string file = join_path(request.from_stage, "program.py");
  auto failed = make_folders(request.from_stage);
  if (!failed) failed = write_file(file, program);
  if (failed) {
    diagnostics.report(diag::io_unwritable, {}, failed->path, failed->reason);
    return finish(arguments, diagnostics);
  }
  Diagnostics found;
  const CompileOutcome outcome = compile(request, cache, found);
  const std::string kept = join_path(arguments.package, stage->path);
  diagnostics.append(edit::renamed(found, file, arguments.inputs.empty() ? kept : arguments.inputs));
  if (outcome.status == CompileOutcome::Status::cancelled) return finish_cancelled(arguments);
  if (outcome.status != CompileOutcome::Status::done) return finish(arguments, diagnostics);
  return finish(arguments, diagnostics, arguments.quiet ? "" : outcome.package + "\n",
                nlohmann::ordered_json{{"package", outcome.package},
                                       {"digest", outcome.digest},
                                       {"stage", stage->id + "-" + stage->pass},
                                       {"changed", program != *package->file(stage->path)}});
}

} // namespace htp
