#include "host/base/fs.h"
#include "host/bind/modules.h"
#include "host/cli/ask.h"
#include "host/pipeline/remake.h"
#include "host/pipeline/validate.h"

#include <algorithm>
#include <set>

namespace htp {

namespace {

using Json = nlohmann::ordered_json;

// Where two files differ first: its number and what each has there.
std::string first_difference(std::string_view is, std::string_view was) {
  unsigned line = 1;
  while (!is.empty() && !was.empty()) {
    const auto take = [](std::string_view &text) {
      const size_t end = std::min(text.find('\n'), text.size());
      const std::string_view line = text.substr(0, end);
      text.remove_prefix(std::min(end + 1, text.size()));
      return line;
    };
    const std::string_view a = take(is), b = take(was);
    if (a != b) return fmt::format("line {} is `{}`, and comes out as `{}`", line, a.substr(0, 200), b.substr(0, 200));
    ++line;
  }
  return fmt::format("it has {} line {}", is.empty() ? "no" : "a", line);
}

// What of a manifest a compile has to give again; one from the first stage all but how the program came to be that, and
// why each unit was chosen, of which a stage asks for some in other words.
std::string comparable(PackageManifest manifest, bool from_program) {
  if (!from_program) {
    manifest.inputs.clear();
    manifest.identity.name.clear();
    manifest.identity.set.clear();
    for (PackageManifest::Resolved &unit : manifest.plan.resolution) unit.why.clear();
  }
  manifest.outputs.clear(); // the files themselves are held against each other
  return to_json(manifest);
}

// What stands in a package that its own compile does not give.
void report_differences(const Package &package, const Package &again, bool from_program, Diagnostics &diagnostics) {
  const std::string &first = package.manifest.stages.front().path;
  const std::string start = first.substr(0, first.rfind('/') + 1);
  const auto report = [&](const std::string &path, const std::string &why) {
    diagnostics.report(diag::verify_not_what_it_compiles_to, {}, path, why);
  };
  for (const auto &[path, bytes] : package.files) {
    if (!from_program && path.starts_with(start) && path != first) continue; // how the program became the first stage
    const std::string *made = again.file(path);
    if (!made)
      report(path, "the compile gives no such file");
    else if (*made != bytes)
      report(path, first_difference(bytes, *made));
  }
  for (const auto &[path, bytes] : again.files)
    if (!package.file(path)) report(path, "the package lacks it");
  const std::string is = comparable(package.manifest, from_program), was = comparable(again.manifest, from_program);
  if (is != was) report("manifest.json", first_difference(is, was));
}

// What is proved of each pass, beside what `passes` has of it by its stage; in words, what is returned. That there is
// no validator, or that it does not load, is not the package's fault.
std::string prove(const Package &whole, const CompileRequest &request, Cache &cache, Json &passes) {
  const auto &stages = whole.manifest.stages;
  const auto folder = [](const std::string &path) { return path.substr(0, path.rfind('/')); };
  Diagnostics why_not;
  const auto validation =
      Validation::open(request, join_path(whole.folder, folder(stages.front().path)), cache, why_not);
  if (!validation) return "";
  std::string proved, not_shown;
  size_t count = 0;
  std::set<std::string> assumptions;
  for (size_t k = 1; k < stages.size(); ++k) {
    const std::string *before = whole.file(stages[k - 1].path), *after = whole.file(stages[k].path);
    if (!before || !after) continue;
    const Validated v = validation->of(*before, stages[k - 1].path, *after, stages[k].path);
    const std::string name = stages[k].id + "-" + stages[k].pass;
    Json proof{{"verdict", v.proved ? "proved" : "not shown"}};
    if (!v.by.empty()) proof["by"] = v.by;
    if (v.proved) {
      proof["assumptions"] = v.assumptions;
      assumptions.insert(v.assumptions.begin(), v.assumptions.end());
      proved += (count++ ? ", " : "") + stages[k].pass;
    } else {
      proof["why"] = v.reason;
      if (v.at.line) proof["at"] = fmt::format("{}:{}", v.at.file->path, v.at.line);
      not_shown += fmt::format("  {}: {}\n", stages[k].pass, v.reason.substr(0, 160));
    }
    for (Json &pass : passes)
      if (pass.value("stage", "") == name) pass["proof"] = proof;
  }
  std::string text = fmt::format("proved for all sizes and all data: {} of {} passes that change the program{}{}\n",
                                 count, stages.size() - 1, count ? ": " : "", proved);
  if (!assumptions.empty()) {
    text += "  where ";
    for (const std::string &one : assumptions) text += (one == *assumptions.begin() ? "" : ", ") + one;
    text += "\n";
  }
  return not_shown.empty() ? text : text + "not proved, but tested:\n" + not_shown;
}

} // namespace

// Three questions: are the files those of the manifest; does the compile give them, and does each stage keep what it
// claims; do all stages, and the package on its target, compute what the source does. The last one runs what is in the
// package, so it is asked of what the compile gives alone.
int verify_command(const Arguments &arguments) {
  Diagnostics diagnostics;
  const auto package = read_package(arguments.package, diagnostics);
  if (!package) return finish(arguments, diagnostics);
  const auto temporary = TemporaryFolder::make();
  if (!temporary) {
    diagnostics.report(diag::io_unwritable, {}, temporary.error().path, temporary.error().reason);
    return finish(arguments, diagnostics);
  }
  const std::string program = program_of(*package), &kept = package->manifest.stages_kept;
  Cache none = Cache::off(); // what is kept of an earlier compile proves nothing
  std::optional<Diagnostic> lost;
  const auto compiled = [&](const std::string &name, const std::string &stages) {
    CompileRequest asked = arguments.request;
    asked.progress = progress_line(arguments);
    asked.out = join_path(temporary->path(), name);
    asked.stages = stages;
    return compiled_again(*package, asked, program, none, lost);
  };
  const auto again = compiled("again", kept.empty() ? "changed" : kept);
  auto whole = again && kept == "last" ? compiled("whole", "changed") : again;
  if (!whole && !lost) return finish_cancelled(arguments);
  const auto &inputs_of = package->manifest.inputs; // one that was continued from a stage has that, and no program
  const bool continued =
      std::any_of(inputs_of.begin(), inputs_of.end(), [](const auto &i) { return i.role == "stage"; });
  if (again && program.empty() && !continued) diagnostics.report(diag::verify_no_program, {}, package->folder);
  if (again) report_differences(*package, *again, !program.empty(), diagnostics);
  if (!whole) {
    Diagnostic &d = diagnostics.report(diag::verify_not_compiled, {}, package->folder, lost->message);
    for (const std::string &note : lost->notes) d.note(note);
    for (const std::string &hint : lost->hints) d.hint(hint);
  }
  Json result{{"package", package->folder},
              {"digest", package->digest},
              {"files", package->files.size()},
              {"compiled_again", !again                 ? "not compiled"
                                 : diagnostics.errors() ? "differs"
                                                        : "same"},
              {"compiled_from", program.empty() ? "stage" : "program"}};
  std::string text = fmt::format("{}: {} files as its manifest lists them", package->folder, package->files.size());
  if (!diagnostics.errors()) {
    text += fmt::format("; compiled again from its {}, every file is the same, and every stage keeps what it claims\n",
                        program.empty() ? "first stage" : "program");
    const CompileRequest request = request_of(*package, arguments.request);
    const auto inputs = gather(request, false, diagnostics);
    if (!inputs) return finish(arguments, diagnostics);
    Json question = arrays_asked(arguments);
    question.update({{"package", absolute_path(package->folder)},
                     {"stages", whole->folder},
                     {"modules", modules_of(package->manifest, *inputs, nullptr, diagnostics)},
                     {"profile", request.profile},
                     {"plugin_path", request.plugin_path},
                     {"seconds", arguments.seconds.value_or(0)}});
    const auto response = ask_python("htp.verifying", "verify", question, diagnostics);
    if (!response) return finish(arguments, diagnostics);
    result.update(response->at("result"));
    text += response->at("text").get<std::string>();
    if (result.contains("passes")) text += prove(*whole, request, none, result["passes"]);
  } else {
    text += "; none of it was run\n";
  }
  result["verified"] = !diagnostics.errors();
  text += diagnostics.errors() ? "not verified\n" : "verified\n";
  return finish(arguments, diagnostics, arguments.quiet ? "" : text, result);
}

} // namespace htp
