// manual: the manual page, made of the same table as --help, or a shell's completion (completion.h).
#include "host/cli/command.h"
#include "host/cli/completion.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace htp {

namespace {

// Text as troff takes it: a line must not begin with a dot, a quote or a backslash, and a dash that is typed is `\-`.
std::string troff(std::string_view text) {
  std::string result;
  for (const char c : text)
    if (c == '\\')
      result += "\\e";
    else if (c == '-')
      result += "\\-";
    else
      result += c;
  return result.starts_with('.') || result.starts_with('\'') ? "\\&" + result : result;
}

std::string usage(const CommandShape &command) {
  std::string text = command.name;
  for (const CommandShape::Option &o : command.options)
    if (o.positional) text += o.required ? " " + o.names : " [" + o.names + "]";
  return text;
}

std::string options_text(const CommandShape &command) {
  std::string text;
  for (const CommandShape::Option &o : command.options)
    text += fmt::format(".TP\n\\fB{}\\fR{}\n{}\n", troff(o.names),
                        o.type.empty() ? "" : " \\fI" + troff(o.type) + "\\fR", troff(o.doc));
  return text;
}

std::string manual_page() {
  const std::vector<CommandShape> shapes = command_shapes();
  std::string text = ".TH HTP\\-HOST 1 \"\" \"htp-host " HTP_VERSION "\" \"User Commands\"\n"
                     ".SH NAME\nhtp\\-host \\- compile tile programs to packages, through plugins\n"
                     ".SH SYNOPSIS\n.B htp\\-host\n[\\fIoption\\fR ...] \\fIcommand\\fR [\\fIargument\\fR ...]\n"
                     ".SH DESCRIPTION\n"
                     "HTP compiles tile programs, written as ordinary Python, to packages for heterogeneous machines. "
                     "The program is only\n"
                     "a host: dialects, intrinsics, passes, backends and bindings are plugins.\n"
                     ".SH OPTIONS\n";
  text += options_text(shapes.front());
  text += ".SH COMMANDS\n";
  for (const CommandShape &command : shapes)
    if (!command.name.empty())
      text += fmt::format(".SS {}\n{}.\n{}", troff(usage(command)), troff(command.summary), options_text(command));
  text += ".SH EXIT STATUS\n"
          "0 done; 1 the input was refused, with diagnostics; 2 usage; 3 a tool or plugin failed; 130 interrupted.\n"
          ".SH ENVIRONMENT\n"
          ".TP\n.B HTP_CACHE\nThe folder of the content cache; \\fBoff\\fR for none. Without it "
          "\\fI$XDG_CACHE_HOME/htp\\fR, or \\fI~/.cache/htp\\fR.\n"
          ".TP\n.B HTP_LOG\n\\fILEVEL\\fR logs on standard error, \\fILEVEL:FILE\\fR adds JSON lines to a file; see "
          "\\fB\\-\\-log\\-level\\fR.\n"
          ".SH EXAMPLES\n.nf\nhtp\\-host \\-\\-plugins cpu.yaml compile softmax.py \\-o softmax.htp\n"
          "htp\\-host run softmax.htp \\-\\-dim M=37 \\-\\-dim N=100\nhtp\\-host explain tile.shape\\-mismatch\n.fi\n";
  return text;
}

} // namespace

int manual_command(const Arguments &arguments) {
  const std::string text = arguments.completion.empty() ? manual_page() : completion(arguments.completion);
  return finish(arguments, {}, text, {{"text", text}});
}

} // namespace htp
