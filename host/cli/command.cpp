#include "host/cli/command.h"

#include "host/base/fs.h"
#include "host/diag/render.h"
#include "host/pipeline/compile.h"

#include <nlohmann/json.hpp>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/ioctl.h>
#include <unistd.h>

namespace htp {

namespace {

volatile bool interrupted = false;

void on_interrupt(int) {
  interrupted = true;
  std::signal(SIGINT, SIG_DFL);
}

bool wants_color(const Arguments &arguments) {
  if (arguments.color != Arguments::Color::automatic) return arguments.color == Arguments::Color::always;
  const char *term = std::getenv("TERM");
  return isatty(2) && !std::getenv("NO_COLOR") && term && std::strcmp(term, "dumb") != 0;
}

bool progress_shown = false;

} // namespace

int finish(const Arguments &arguments, const Diagnostics &diagnostics, int code, const std::string &answer,
           const std::string &json) {
  end_progress();
  if (!arguments.sarif.empty())
    if (const auto failed = write_file(arguments.sarif, render_sarif(diagnostics, HTP_VERSION)))
      std::fprintf(stderr, "error: cannot write `%s`: %s\n", failed->path.c_str(), failed->reason.c_str()),
          code = code ? code : exit_refused;
  if (arguments.json) {
    auto object = nlohmann::ordered_json::parse(json);
    object["exit_code"] = code;
    object["diagnostics"] = nlohmann::ordered_json::parse(render_json(diagnostics)).at("diagnostics");
    std::printf("%s\n", object.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace).c_str());
    return code;
  }
  std::fwrite(answer.data(), 1, answer.size(), stdout);
  std::fflush(stdout);
  const std::string text = render_text(diagnostics, {.color = wants_color(arguments)});
  std::fwrite(text.data(), 1, text.size(), stderr);
  if (code == exit_interrupted) std::fputs("interrupted; nothing was changed\n", stderr);
  return code;
}

int exit_code_of(const Diagnostics &diagnostics) { return blames_tool(diagnostics) ? exit_failed : exit_refused; }

const volatile bool *interrupt_flag() {
  std::signal(SIGINT, on_interrupt);
  return &interrupted;
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
