#include "host/cli/arguments.h"

#include "host/base/suggest.h"
#include "host/cli/command.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>

namespace htp {

namespace {

const std::vector<std::pair<std::string, std::string>> &commands() {
  static const std::vector<std::pair<std::string, std::string>> table{
#define HTP_COMMAND(words, function, schema, summary) {words, summary},
#include "host/cli/commands.def"
#undef HTP_COMMAND
  };
  return table;
}

// NAME=VALUE; the name is empty where it is not of that form.
std::pair<std::string, std::string> split(const std::string &text) {
  const size_t equal = std::min(text.find('='), text.size());
  if (equal == text.size()) return {};
  return {text.substr(0, equal), text.substr(equal + 1)};
}

template <class Number> bool whole(const std::string &text, Number &number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

// "64KiB"; false where it is none, or nothing.
bool memory(const std::string &text, int64_t &bytes) {
  int64_t unit = 1;
  std::string_view number = text;
  for (const auto &[name, size] : {std::pair("KiB", int64_t{1} << 10), std::pair("MiB", int64_t{1} << 20),
                                   std::pair("GiB", int64_t{1} << 30), std::pair("B", int64_t{1})})
    if (number.ends_with(name)) {
      number.remove_suffix(std::string_view(name).size());
      unit = size;
      break;
    }
  if (!whole(std::string(number), bytes) || bytes <= 0 || bytes > INT64_MAX / unit) return false;
  bytes *= unit;
  return true;
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
        ->check([](const std::string &word) {
          return word == "auto" || word == "always" || word == "never"
                     ? ""
                     : "`" + word + "` is none of auto, always, never";
        })
        ->type_name("auto|always|never");
    app_.add_option("--sarif", a.sarif, "write the diagnostics as SARIF 2.1.0 to this file as well")->type_name("FILE");
    app_.add_flag("--json", a.json, "answer as JSON on standard output");
    app_.add_flag("-q,--quiet", a.quiet, "say nothing when all is well");
    app_.footer(
        "Exit codes: 0 done, 1 the input was refused, 2 usage, 3 a tool or plugin failed, 130 interrupted.\n"
        "A first example, where the sources lie: htp-host --plugins manifests/cpu.yaml compile examples/gemm/gemm.py");
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
      return refuse(wrong(e), argc, argv);
    }
    for (const auto &[words, sub] : subs_)
      if (sub->parsed()) a.command = words;
    a.python = language_ == "python";
    a.color = color_ == "always"  ? Arguments::Color::always
              : color_ == "never" ? Arguments::Color::never
                                  : Arguments::Color::automatic;
    for (const CLI::App *app : {static_cast<const CLI::App *>(&app_), chosen()})
      for (const CLI::Option *option : app->get_options())
        for (const std::string &value : option->results())
          if (value.empty()) return refuse("`" + option->get_name() + "` is empty", argc, argv);
    if (!a.request.from_stage.empty() && !a.request.program.empty())
      return refuse("`--from-stage` takes the place of `" + a.request.program + "`: give one of the two", argc, argv);
    for (const std::string &setting : set_) {
      const auto [name, value] = split(setting);
      if (name.empty()) return refuse("`--set " + setting + "` is not of the form NAME=VALUE", argc, argv);
      a.request.set[name] = value;
    }
    for (const std::string &scalar : args_) {
      const auto [name, value] = split(scalar);
      if (name.empty()) return refuse("`--arg " + scalar + "` is not of the form NAME=VALUE", argc, argv);
      a.args[name] = value;
    }
    struct Numbers {
      const char *option;
      const std::vector<std::string> &given;
      std::map<std::string, int64_t> *into;
    };
    for (const auto &[option, given, into] :
         {Numbers{"--dim", dims_, &a.dims}, Numbers{"--capacity", capacities_, &a.capacities}})
      for (const std::string &text : given) {
        const auto [name, value] = split(text);
        int64_t size = 0;
        const std::string said = std::string("`") + option + " " + text + "`";
        if (name.empty() || !whole(value, size))
          return refuse(said + " is not of the form NAME=" + (into == &a.dims ? "SIZE" : "ITEMS"), argc, argv);
        if (size <= 0)
          return refuse(said + (into == &a.dims ? " gives a size of " : " gives room for ") + value +
                            ": give at least 1",
                        argc, argv);
        (*into)[name] = size;
      }
    for (const std::string &budget : budget_) {
      if (a.command == "simulate") {
        int64_t bytes = 0;
        if (!memory(budget, bytes))
          return refuse("`--budget " + budget + "` is no size of memory: 65536, 64KiB, 2MiB", argc, argv);
        a.bytes = bytes;
        continue;
      }
      const bool timed = budget.ends_with('s');
      int64_t number = 0;
      if (!whole(budget.substr(0, budget.size() - timed), number) || number <= 0)
        return refuse("`--budget " + budget + "` is neither a number of candidates nor of seconds: 16, 60s", argc,
                      argv);
      (timed ? a.seconds : a.trials) = number;
    }
    return {a, 0};
  }

  std::vector<CommandShape> shapes() const {
    std::vector<CommandShape> result;
    shape(app_, "", result);
    return result;
  }

private:
  static void shape(const CLI::App &app, const std::string &words, std::vector<CommandShape> &to) {
    CommandShape made{words, app.get_description(), {}};
    for (const CLI::Option *o : app.get_options()) {
      if (!words.empty() && o == app.get_help_ptr()) continue; // told once, with the options of all
      const bool positional = !o->nonpositional();
      const std::string name = positional ? o->get_name(true) : o->get_name(false, true);
      made.options.push_back({name, o->get_type_size() == 0 || positional ? "" : o->get_type_name(),
                              o->get_description(), positional, o->get_required()});
    }
    to.push_back(std::move(made));
    for (const CLI::App *inner : commands_of(&app))
      shape(*inner, words.empty() ? inner->get_name() : words + " " + inner->get_name(), to);
  }

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
    if (command == "compile" || command == "plan" || command == "tune" || command == "simulate" || command == "graph") {
      s.add_option("PROGRAM", a.request.program, "the Python file; by default the profile's `program:`");
      s.add_option("--entry", a.request.entry, "the entry point, when the file has several")->type_name("NAME");
      s.add_option("--set", set_, "give a module constant another value (may be repeated)")
          ->type_name("NAME=VALUE")
          ->expected(1)
          ->take_all();
    }
    if (command == "compile" || command == "plan")
      s.add_option("--from-stage", a.request.from_stage, "resume from a stage's folder: OUT/ir/stages/NN-pass")
          ->type_name("DIR");
    if (command == "tune") {
      s.add_option("--budget", budget_, "measure at most so many candidates, or as long: 16, 60s (both may be given)")
          ->type_name("N|Ns")
          ->expected(1)
          ->take_all();
      s.add_option("--kept", a.kept, "the file that keeps results; by default PROGRAM.tune.json in the working folder")
          ->type_name("FILE");
      s.add_option("-o", a.output, "write the program there with the choices that were found best")
          ->type_name("FILE.py");
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
    if (command == "run")
      s.add_option("--entry", a.request.entry, "the entry point, when the package has several")->type_name("NAME");
    if (command == "run" || command == "tune" || command == "simulate")
      s.add_option("--dim", dims_,
                   command == "simulate" ? "a dimension's size; each needs one (may be repeated)"
                                         : "a dimension's size for random inputs (64 if not given; may be repeated)")
          ->type_name("NAME=SIZE")
          ->expected(1)
          ->take_all();
    if (command == "run" || command == "tune") {
      s.add_option("--arg", args_, "the value of a scalar parameter (random if not given; may be repeated)")
          ->type_name("NAME=VALUE")
          ->expected(1)
          ->take_all();
      s.add_option("--inputs", a.inputs, "arrays by parameter name; without it random ones are made")
          ->type_name("in.npz");
      s.add_option("--seed", a.seed, "of the random inputs")
          ->check([](const std::string &word) {
            uint64_t seed = 0;
            return whole(word, seed) ? "" : "`" + word + "` is no whole number from 0 to 2**64 - 1";
          })
          ->type_name("N");
    }
    if (command == "run") {
      s.add_option("--outputs", a.outputs, "write the outputs there")->type_name("out.npz");
      s.add_option("--trace", a.trace, "write a timeline there (Chrome trace events; opens in Perfetto)")
          ->type_name("t.json");
    }
    if (command == "simulate") {
      s.add_option("--capacity", capacities_, "try another capacity for a channel (may be repeated)")
          ->type_name("NAME=ITEMS")
          ->expected(1)
          ->take_all();
      s.add_flag("--choose-capacities", a.choose,
                 "find the capacities with the fewest bytes at which it is as fast as it can be");
      s.add_option("--budget", budget_, "the memory that these may take: 65536, 64KiB, 2MiB")
          ->type_name("BYTES")
          ->expected(1)
          ->take_last();
      s.add_option("--trace", a.trace, "write a timeline there (Chrome trace events; opens in Perfetto)")
          ->type_name("t.json");
      s.add_option("--svg", a.svg, "draw processes and channels there (needs Graphviz)")->type_name("FILE.svg");
    }
    if (command == "graph") {
      s.add_option("--stage", a.name, "of this stage, its number or its pass; by default of the last that has tasks")
          ->type_name("STAGE");
      s.add_option("-o", a.output, "write it there; the ending says what: a picture (needs Graphviz), DOT or JSON")
          ->type_name("FILE.svg|.dot|.json");
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
    if (command == "plugins check") {
      s.add_option(
          "PATH", a.files,
          "plugins' folders, manifests or ids, folders of plugins, or a profile; by default all that are found");
      s.add_option("--only", a.only, "only this check or phase (may be repeated)")
          ->type_name("NAME")
          ->expected(1)
          ->take_all()
          ->allow_extra_args(false);
      s.add_option("--reproduce", a.reproduce, "replay the made-up case that was reported with this seed")
          ->check([](const std::string &word) {
            uint64_t seed = 0;
            return whole(word, seed) ? "" : "`" + word + "` is no whole number from 0 to 2**64 - 1";
          })
          ->type_name("SEED");
      s.add_flag("--list", a.list, "list the checks instead");
    }
    if (command == "plugins new") {
      s.add_option("NAME", a.name, "its owner and what it is, for instance acme-fold")->required();
      s.add_option(
           "--kind", a.kind,
           "what it brings: pass, pipeline, dialect, intrinsics, handlers, layout, analysis, island, backend or "
           "binding")
          ->required()
          ->type_name("KIND");
      s.add_option("--language", language_,
                   "what it is written in; in Python there are passes and analyses, and nothing is built")
          ->check([](const std::string &word) {
            return word == "c++" || word == "python" ? "" : "`" + word + "` is none of c++, python";
          })
          ->type_name("c++|python");
      s.add_option("--into", a.into, "the folder to make it in; by default this one")->type_name("DIR");
    }
    if (command == "compile" || command == "plan")
      s.add_flag("--locked", a.request.locked, "with exactly the plugins that the lock file beside the profile holds");
    if (command == "plugins lock" || command == "plugins graph")
      s.add_option("PROFILE", a.name,
                   command == "plugins lock" ? "the profile; by default that of `--plugins`"
                                             : "draw what it resolves to; by default all that is found");
    if (command == "plugins lock")
      s.add_option("-o", a.output, "where to write it; by default PROFILE.lock.yaml beside the profile")
          ->type_name("FILE");
    if (command == "plugins graph")
      s.add_option("-o", a.output,
                   "write it there, in the form that the ending says; by default DOT on standard output")
          ->type_name("FILE.svg|.dot|.json");
    if (command == "plugins intrinsics") {
      s.add_option("FILE", a.files, "the Python files that declare them")->required();
      s.add_option("-o", a.output, "where to write the table; standard output by default")->type_name("FILE");
    }
    if (command == "manual") s.add_flag("--completion", a.completion, "print bash's completion of htp-host instead");
    if (command == "explain") s.add_option("CODE", a.name, "for instance tile.shape-mismatch; all without one");
  }

  static std::vector<const CLI::App *> commands_of(const CLI::App *app) {
    return app->get_subcommands([](const CLI::App *) { return true; });
  }

  // The command as far as it was understood.
  const CLI::App *chosen() const {
    const CLI::App *at = &app_;
    while (!at->get_subcommands().empty()) at = at->get_subcommands().front();
    return at;
  }

  // What is wrong, with what was probably meant among the options and commands there are.
  std::string wrong(const CLI::ParseError &e) const {
    const CLI::App *at = chosen();
    // The words that have no place are told before what is missing: they may be it, misspelled.
    if (const auto extras = app_.remaining(true); !extras.empty() && !dynamic_cast<const CLI::ValidationError *>(&e)) {
      const std::string word = extras[0].substr(0, extras[0].find('='));
      const bool option = word.starts_with("-");
      std::vector<std::string> known;
      for (const CLI::App *app : {at, static_cast<const CLI::App *>(&app_)}) {
        if (option)
          for (const CLI::Option *o : app->get_options())
            for (const std::string &name : o->get_lnames()) known.push_back("--" + name);
        else if (app == at)
          for (const CLI::App *sub : commands_of(app)) known.push_back(sub->get_name());
      }
      const char *kind = option                    ? "unknown option"
                         : commands_of(at).empty() ? "unexpected argument"
                                                   : "unknown command";
      if (option && std::find(known.begin(), known.end(), word) != known.end())
        return "`" + word + "` stands before `" + at->get_name() + "`, which it is an option of: it goes after it";
      const auto near = did_you_mean(word, known);
      return std::string(kind) + " `" + word + "`" +
             (near.empty() ? "" : "; did you mean `" + std::string(near) + "`?");
    }
    const std::string message = e.what(), name = message.substr(0, message.find(':'));
    if (dynamic_cast<const CLI::ArgumentMismatch *>(&e))
      for (const CLI::App *app : {at, static_cast<const CLI::App *>(&app_)})
        if (const CLI::Option *option = app->get_option_no_throw(name))
          return "`" + name + "` takes " + option->get_type_name();
    if (dynamic_cast<const CLI::RequiredError *>(&e) && !commands_of(at).empty()) return "no command given";
    return message;
  }

  Parsed refuse(const std::string &message, int argc, char **argv) {
    std::string path = "htp-host";
    for (const CLI::App *at = &app_; at != chosen(); path += " " + at->get_name()) at = at->get_subcommands().front();
    // What stands after the mistake was not read.
    for (int i = 1; i < argc; ++i) a.json |= std::string_view(argv[i]) == "--json";
    Diagnostics diagnostics;
    diagnostics.report(diag::cli_usage, {}, message).hint("`" + path + " --help` tells what there is");
    return {std::nullopt, finish(a, diagnostics, exit_usage, "", nullptr)};
  }

  CLI::App app_;
  CLI::App *plugins_ = nullptr;
  std::vector<std::pair<std::string, CLI::App *>> subs_;
  Arguments a;
  std::string color_ = "auto", language_ = "c++";
  std::vector<std::string> set_, args_, dims_, capacities_, budget_;
};

} // namespace

std::vector<CommandShape> command_shapes() { return CommandLine().shapes(); }

Parsed parse_arguments(int argc, char **argv) { return CommandLine().parse(argc, argv); }

} // namespace htp
