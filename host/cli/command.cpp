#include "host/cli/command.h"

#include "host/base/environment.h"
#include "host/base/fs.h"
#include "host/base/interrupt.h"
#include "host/base/process.h"
#include "host/diag/render.h"
#include "host/diag/utf8.h"
#include "host/log/log.h"

#include <htp/entry.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace htp {

namespace {

FILE *answers = stdout;

bool wants_color(const Arguments &arguments) {
  if (arguments.color != "auto") return arguments.color == "always";
  const char *term = std::getenv("TERM");
  return isatty(2) && !std::getenv("NO_COLOR") && term && std::strcmp(term, "dumb") != 0;
}

bool progress_shown = false;

std::string_view schema_of(std::string_view command) {
#define HTP_COMMAND(name, function, schema, summary)                                                                   \
  if (command == name) return schema;
#include "host/cli/commands.def"
#undef HTP_COMMAND
  return "htp.usage/1";
}

// Rows of the host and, when one of the codes is none of these, of the plugins found.
std::string sarif_of(const Arguments &arguments, const Diagnostics &diagnostics) {
  const KnownDiagnostics host;
  bool all = true;
  for (const Diagnostic &d : diagnostics.list()) all = all && host.find(d.code);
  return render_sarif(diagnostics, HTP_VERSION, all ? host.rows() : KnownDiagnostics(arguments.request).rows());
}

} // namespace

KnownDiagnostics::KnownDiagnostics() : rows_(host_diagnostics()) {}

KnownDiagnostics::KnownDiagnostics(const CompileRequest &request) : KnownDiagnostics() {
  Diagnostics loading; // faults of plugins are not what is asked about
  Cache cache = Cache::from_environment();
  set_ = load_set(request, cache, loading);
  if (!set_) return;
  for (const Manifest &manifest : set_->inputs.manifests)
    for (const DiagnosticDecl &d : manifest.diagnostics) rows_.push_back({d.name.value, d.severity, d.summary, d.doc});
  for (const LoadedPlugin &plugin : set_->plugins)
    if (const htp_entry *entry = plugin.entry())
      for (uint32_t i = 0; i < entry->diag_count; ++i) {
        const htp_diag_info &d = entry->diagnostics[i];
        if (!find(d.code)) // plugins that belong together may share what they say
          rows_.push_back({d.code, static_cast<Severity>(d.severity), d.summary, d.explanation});
      }
}

const DiagInfo *KnownDiagnostics::find(std::string_view code) const {
  for (const DiagInfo &row : rows_)
    if (row.code == code) return &row;
  return nullptr;
}

void keep_answers_apart() {
  const int own = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  FILE *const stream = own < 0 ? nullptr : ::fdopen(own, "w");
  if (stream && ::dup2(STDERR_FILENO, STDOUT_FILENO) >= 0) answers = stream;
}

bool begin_log(const Arguments &arguments, Diagnostics &diagnostics) {
  LogSettings settings;
  if (arguments.verbose || !arguments.log_level.empty() || !arguments.log_file.empty()) {
    const bool kept = !arguments.log_file.empty();
    const std::string level = !arguments.log_level.empty() ? arguments.log_level : arguments.verbose ? "info" : "debug";
    (kept ? settings.kept : settings.shown) = *log_level(level);
    settings.file = arguments.log_file;
    ::setenv("HTP_LOG", (kept ? level + ":" + absolute_path(settings.file) : level).c_str(), 1);
  } else if (const char *asked = environment("HTP_LOG"); asked && *asked) {
    auto found = log_settings(asked);
    if (!found) return diagnostics.report(diag::cli_bad_log, {}, asked).note(found.error()), false;
    settings = *found;
  } else {
    return true;
  }
  settings.color = wants_color(arguments);
  settings.before_shown = end_progress;
  const auto failed = open_log(settings);
  if (failed) diagnostics.report(diag::cli_no_log, {}, settings.file, *failed);
  log(LogLevel::info, "htp-host begins", {{"command", arguments.command}, {"version", HTP_VERSION}});
  return !failed;
}

void answer_bytes(const std::string &text) {
  std::fwrite(text.data(), 1, text.size(), answers);
  std::fflush(answers);
}

bool answers_written() { return std::fflush(answers) == 0 && std::ferror(answers) == 0; }

int finish(const Arguments &arguments, const Diagnostics &diagnostics, int code, const std::string &answer,
           const nlohmann::ordered_json &json) {
  end_progress();
  if (interrupted && code != exit_done && code != exit_interrupted) { // what it reports is of the interrupt
    finish(arguments, {}, exit_interrupted, "", nullptr);
    if (!arguments.json) std::fputs("interrupted\n", stderr);
    return exit_interrupted;
  }
  if (!arguments.sarif.empty())
    if (const auto failed = write_file_atomic(arguments.sarif, sarif_of(arguments, diagnostics)))
      std::fprintf(stderr, "error: cannot write `%s`: %s\n", failed->path.c_str(), failed->reason.c_str()),
          code = code ? code : exit_refused;
  if (arguments.json) {
    nlohmann::ordered_json object{{"schema", schema_of(arguments.command)}};
    if (json.is_object()) object.update(json);
    object["exit_code"] = code;
    object["diagnostics"] = nlohmann::ordered_json::parse(render_json(diagnostics)).at("diagnostics");
    std::fprintf(answers, "%s\n", object.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace).c_str());
    return code;
  }
  // A file or a pipe gets the bytes as they are; a terminal would obey what a plugin's text has in it.
  const std::string shown = ::isatty(::fileno(answers)) ? printable(answer, true) : answer;
  std::fwrite(shown.data(), 1, shown.size(), answers);
  std::fflush(answers);
  const std::string text = render_text(diagnostics, {.color = wants_color(arguments)});
  std::fwrite(text.data(), 1, text.size(), stderr);
  return code;
}

int finish_cancelled(const Arguments &arguments, const std::string &left) {
  const int code = finish(arguments, {}, exit_interrupted, "", nullptr);
  if (!arguments.json) std::fputs(("interrupted; " + left + "\n").c_str(), stderr);
  return code;
}

int finish(const Arguments &arguments, const Diagnostics &diagnostics, const std::string &answer,
           const nlohmann::ordered_json &json) {
  return finish(arguments, diagnostics, exit_code_of(diagnostics), answer, json);
}

std::string dot_quoted(const std::string &text) {
  std::string found = "\"";
  for (const char c : text)
    found += c == '"' || c == '\\' ? std::string("\\") + c : c == '\n' ? "\\n" : std::string(1, c);
  return found + "\"";
}

std::optional<std::string> svg_of(const std::string &dot, Diagnostics &diagnostics, const std::string &hint) {
  ProcessRequest request;
  request.argv = {"dot", "-Tsvg"};
  request.input = dot;
  request.timeout = std::chrono::minutes(1);
  const auto result = run_process(request);
  if (result && result->exit_status == 0) return result->out;
  diagnostics
      .report(diag::cli_no_graphviz, {},
              !result             ? result.error()
              : result->timed_out ? "it did not end"
                                  : result->err)
      .hint(hint);
  return std::nullopt;
}

int exit_code_of(const Diagnostics &diagnostics) {
  return !diagnostics.errors() ? exit_done : diagnostics.faults() ? exit_failed : exit_refused;
}

std::function<void(double, std::string_view)> progress_line(const Arguments &arguments) {
  if (arguments.quiet || arguments.json || !isatty(2) || std::getenv("CI")) return {};
  return [](double fraction, std::string_view what) {
    std::fprintf(stderr, "\r\033[K%3d %% %.*s", static_cast<int>(fraction * 100), static_cast<int>(what.size()),
                 what.data());
    std::fflush(stderr);
    progress_shown = true;
  };
}

void end_progress() {
  if (progress_shown) std::fputs("\r\033[K", stderr);
  progress_shown = false;
}

} // namespace htp
