// htp-host report --serve: the page of a program or a package, made again whenever that changes.
#include "host/base/fs.h"
#include "host/base/interrupt.h"
#include "host/cli/ask.h"
#include "host/cli/report.h"

namespace htp {

namespace live {

using Words = std::vector<std::string>;

void add(Words &words, const char *option, const std::string &value) {
  if (!value.empty()) words.insert(words.end(), {option, value});
}

Words host_options(const Arguments &arguments, const char *command) {
  Words words;
  add(words, "--plugins", arguments.request.profile);
  for (const std::string &folder : arguments.request.plugin_path) add(words, "--plugin-path", folder);
  words.push_back(command);
  return words;
}

// The two calls of htp-host that are made each time, but for the package and the page.
Words compile_call(const Arguments &arguments, const std::string &program) {
  Words words = host_options(arguments, "compile");
  words.push_back(program);
  add(words, "--entry", arguments.request.entry);
  for (const auto &[name, value] : arguments.request.set) add(words, "--set", name + "=" + value);
  return words;
}

Words report_call(const Arguments &arguments) {
  Words words = host_options(arguments, "report");
  for (const auto &[name, size] : arguments.dims) add(words, "--dim", fmt::format("{}={}", name, size));
  for (const auto &[name, value] : arguments.args) add(words, "--arg", name + "=" + value);
  add(words, "--inputs", arguments.inputs);
  add(words, "--trace", arguments.trace);
  add(words, "--bench", arguments.bench);
  add(words, "--verify", arguments.verified);
  if (arguments.values) words.push_back("--values");
  return words;
}

} // namespace live

int serve_report(const Arguments &arguments) {
  Diagnostics diagnostics;
  const std::string given = absolute_path(arguments.package);
  if (!exists(given)) {
    diagnostics.report(diag::io_unreadable, {}, arguments.package, "there is no such file or folder");
    return finish(arguments, diagnostics);
  }
  if (is_folder(given)) refuse_compile_options(arguments, diagnostics);
  if (diagnostics.errors()) return finish(arguments, diagnostics);
  const nlohmann::ordered_json question{{"host", own_file()},
                                        {"given", given},
                                        {"compiles", !is_folder(given)},
                                        {"compile", live::compile_call(arguments, given)},
                                        {"report", live::report_call(arguments)},
                                        {"output", arguments.output.empty() ? "" : absolute_path(arguments.output)},
                                        {"port", arguments.port},
                                        {"page", live_page(given.substr(given.rfind('/') + 1))}};
  const auto response = ask_python("htp.serving", "serve", question, diagnostics);
  if (interrupted) return finish(arguments, {}, exit_interrupted, "", nullptr); // as it is ended
  const nlohmann::ordered_json result = response ? response->at("result") : nlohmann::ordered_json();
  return finish(arguments, diagnostics, exit_code_of(diagnostics), "", result);
}

} // namespace htp
