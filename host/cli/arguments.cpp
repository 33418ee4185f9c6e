#include "host/cli/arguments.h"

#include "host/base/suggest.h"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <map>

namespace htp {

namespace {

const std::vector<std::pair<std::string, std::string>> &commands() {
  static const std::vector<std::pair<std::string, std::string>> table{
#define HTP_COMMAND(words, function, summary) {words, summary},
#include "host/cli/commands.def"
#undef HTP_COMMAND
  };
  return table;
}

// One App a command, with the options it takes.
class CommandLine {
public:
  CommandLine() : app_("HTP: compiles tile programs, written as Python, through plugins to packages.", "htp-host") {
    app_.set_version_flag("--version", "htp-host " HTP_VERSION);
    app_.require_subcommand(1);
    app_.fallthrough();
    app_.option_defaults()->always_capture_default(false);
    app_.add_option("--plugins", a.request.profile, "the profile: target, options, plugins, and optionally the program")
        ->type_name("PROFILE");
    app_.add_option("--plugin-path", a.request.plugin_path, "search this folder for plugins too (may be repeated)")
        ->type_name("DIR")
        ->expected(1)
        ->take_all();
    app_.add_option("--color", color_, "colour in messages")
        ->check(CLI::IsMember({"auto", "always", "never"}))
        ->type_name("auto|always|never");
    app_.add_option("--sarif", a.sarif, "write the diagnostics as SARIF 2.1.0 to this file as well")->type_name("FILE");
    app_.add_flag("--json", a.json, "answer as JSON on standard output");
    app_.add_flag("-q,--quiet", a.quiet, "say nothing when all is well");
    app_.footer("Exit codes: 0 done, 1 the input was refused, 2 usage, 3 a tool or plugin failed, 130 interrupted.\n"
                "A first example: htp-host --plugins manifests/cpu.yaml compile examples/gemm/gemm.py");
    for (const auto &[words, summary] : commands()) add(words, summary);
    plugins_->description("what plugins there are");
    plugins_->require_subcommand(1);
  }

  Parsed parse(int argc, char **argv) {
    try {
      app_.parse(argc, argv);
    } catch (const CLI::Success &e) {
      return {std::nullopt, app_.exit(e)};
    } catch (const CLI::ParseError &e) {
      return {std::nullopt, refuse(e, argc, argv)};
    }
    for (const auto &[words, sub] : subs_)
      if (sub->parsed()) a.command = words;
    a.color = color_ == "always"  ? Arguments::Color::always
              : color_ == "never" ? Arguments::Color::never
                                  : Arguments::Color::automatic;
    for (const std::string &setting : set_) {
      const size_t equal = setting.find('=');
      if (equal == 0 || equal == std::string::npos) {
        std::fprintf(stderr, "error: `--set %s` is not of the form NAME=VALUE\n", setting.c_str());
        return {std::nullopt, 2};
      }
      a.request.set[setting.substr(0, equal)] = setting.substr(equal + 1);
    }
    return {a, 0};
  }

private:
  void add(const std::string &words, const std::string &summary) {
    CLI::App *parent = &app_;
    std::string name = words;
    if (words.starts_with("plugins ")) {
      if (!plugins_) plugins_ = app_.add_subcommand("plugins"), plugins_->fallthrough();
      parent = plugins_;
      name = words.substr(8);
    }
    CLI::App *sub = parent->add_subcommand(name, summary);
    sub->fallthrough();
    subs_.emplace_back(words, sub);
    options(words, *sub);
  }

  void options(const std::string &command, CLI::App &s) {
    if (command == "compile" || command == "plan") {
      s.add_option("PROGRAM", a.request.program, "the Python file; by default the profile's `program:`");
      s.add_option("--entry", a.request.entry, "the entry point, when the file has several")->type_name("NAME");
      s.add_option("--set", set_, "give a module constant another value (may be repeated)")
          ->type_name("NAME=VALUE")
          ->expected(1)
          ->take_all();
      s.add_option("--from-stage", a.request.from_stage, "resume from a stage's folder: OUT/ir/stages/NN-pass")
          ->type_name("DIR");
    }
    if (command == "compile") {
      s.add_option("-o,--out", a.request.out, "the package to write; by default PROGRAM.htp in the working folder")
          ->type_name("OUT");
      s.add_flag("--verify-each", a.request.verify_each,
                 "after each pass, read its stage back and verify what it says it provides");
    }
    if (command == "build" || command == "run" || command == "stages")
      s.add_option("PACKAGE", a.package, "a package's folder")->required();
    if (command == "build") s.add_option("--into", a.into, "also copy what was built there")->type_name("DIR");
    if (command == "run") {
      s.add_option("--entry", a.request.entry, "the entry point, when the package has several")->type_name("NAME");
      s.add_option("--inputs", a.inputs, "arrays by parameter name; without it random ones are made")
          ->type_name("in.npz");
      s.add_option("--outputs", a.outputs, "write the outputs there")->type_name("out.npz");
      s.add_option("--dim", a.dims, "a dimension's size for random inputs (64 if not given; may be repeated)")
          ->type_name("NAME=SIZE")
          ->expected(1)
          ->take_all();
      s.add_option("--seed", a.seed, "of the random inputs")->type_name("N");
      s.add_option("--trace", a.trace, "write a timeline there (Chrome trace events; opens in Perfetto)")
          ->type_name("t.json");
    }
    if (command == "stages") {
      s.add_option("STAGE", a.name, "only this one: its number, its pass, or both");
      s.add_option("--diff", a.diff, "what differs between two stages")->type_name("A B")->expected(2);
    }
    if (command == "ast") {
      s.add_option("FILE", a.files, "Python files")->required();
      s.add_flag("--dump", a.dump, "print what ast.dump(tree, indent=2) prints");
    }
    if (command == "ops") {
      CLI::App *show = s.add_subcommand("show", "explain one intrinsic");
      show->add_option("NAME", a.name, "for instance tile.exp")->required();
      show->fallthrough();
    }
    if (command == "plugins show") s.add_option("ID", a.name, "for instance htp.dialect-tile")->required();
    if (command == "plugins check")
      s.add_option("PATH", a.name, "a plugin's folder or manifest; by default all that are found");
    if (command == "plugins intrinsics") {
      s.add_option("FILE", a.files, "the Python file that declares them")->required()->expected(1);
      s.add_option("-o", a.output, "where to write the table; standard output by default")->type_name("FILE");
    }
    if (command == "explain") s.add_option("CODE", a.name, "for instance tile.shape-mismatch")->required();
  }

  // What was probably meant, among the options and commands there are.
  int refuse(const CLI::ParseError &e, int argc, char **argv) {
    const auto commands_of = [](const CLI::App *app) {
      return app->get_subcommands([](const CLI::App *) { return true; });
    };
    const CLI::App *at = &app_;
    std::string path = "htp-host";
    std::vector<std::string> known;
    for (int i = 1; i < argc; ++i)
      for (const CLI::App *sub : commands_of(at))
        if (sub->get_name() == argv[i]) at = sub, path += " " + sub->get_name();
    for (const CLI::App *app = at; app; app = app == &app_ ? nullptr : &app_) {
      for (const CLI::Option *option : app->get_options())
        for (const std::string &name : option->get_lnames()) known.push_back("--" + name);
      for (const CLI::App *sub : commands_of(app)) known.push_back(sub->get_name());
    }
    std::string message = e.what();
    const bool no_command =
        dynamic_cast<const CLI::RequiredError *>(&e) && message.find("subcommand") != std::string::npos;
    if (no_command) message = "no command given";
    // CLI11 tells the words it could not place after a colon.
    const std::string blamed = " " + message.substr(std::min(message.size(), message.find(':') + 1)) + " ";
    for (int i = 1; i < argc; ++i) {
      const std::string word = std::string(argv[i]).substr(0, std::string(argv[i]).find('='));
      if (std::find(known.begin(), known.end(), word) != known.end() ||
          !(no_command || blamed.find(" " + word) != std::string::npos))
        continue;
      const char *kind = word.starts_with("-")     ? "unknown option"
                         : commands_of(at).empty() ? "unexpected argument"
                                                   : "unknown command";
      message = std::string(kind) + " `" + word + "`";
      if (const auto near = did_you_mean(word, known); !near.empty())
        message += "; did you mean `" + std::string(near) + "`?";
      break;
    }
    std::fprintf(stderr, "error: %s\n  = hint: `%s --help` tells what there is\n", message.c_str(), path.c_str());
    return 2;
  }

  CLI::App app_;
  CLI::App *plugins_ = nullptr;
  std::vector<std::pair<std::string, CLI::App *>> subs_;
  Arguments a;
  std::string color_ = "auto";
  std::vector<std::string> set_;
};

} // namespace

Parsed parse_arguments(int argc, char **argv) { return CommandLine().parse(argc, argv); }

} // namespace htp
