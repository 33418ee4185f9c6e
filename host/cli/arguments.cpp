#include "host/cli/arguments.h"

#include "host/base/suggest.h"
#include "host/cli/command.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>
#include <set>

namespace htp {

namespace {

const std::vector<std::pair<std::string, std::string>> &commands() {
  static const std::vector<std::pair<std::string, std::string>> table{
#define HTP_COMMAND(name, function, schema, summary) {name, summary},
#include "host/cli/commands.def"
#undef HTP_COMMAND
  };
  return table;
}

// What was given for an option: its name, TYPE of its row, and at least one value.
struct Given {
  const std::string &name, &type;
  const std::vector<std::string> &values;
};

template <class Number> bool whole(const std::string &text, Number &number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

// A value that an option does not take, and what it takes.
struct Wrong {
  std::string value, expected;
};
using MaybeWrong = std::optional<Wrong>;

// The kinds of options.def. `values` are those of one occurrence (0: a flag, -1: one or more); with `repeats` those of
// all occurrences count.
namespace kinds {

struct flag {
  static constexpr int values = 0;
  static constexpr bool repeats = false;
  static MaybeWrong read(const Given &given, bool &to) {
    const std::string &value = given.values.back();
    to = value == "true";
    if (!to && value != "false") return Wrong{value, "no value"};
    return {};
  }
};

struct text {
  static constexpr int values = 1;
  static constexpr bool repeats = false;
  static MaybeWrong read(const Given &given, std::string &to) {
    to = given.values.back();
    return {};
  }
};

struct texts {
  static constexpr int values = 1;
  static constexpr bool repeats = true;
  static MaybeWrong read(const Given &given, std::vector<std::string> &to) {
    to = given.values;
    return {};
  }
};

struct many : texts {
  static constexpr int values = -1;
};

struct two : texts {
  static constexpr int values = 2;
  static constexpr bool repeats = false;
};

struct choice : text {
  static MaybeWrong read(const Given &given, std::string &to) {
    to = given.values.back();
    std::string known;
    for (const std::string &one : CLI::detail::split(given.type, '|')) {
      if (to == one) return {};
      known += (known.empty() ? "" : ", ") + one;
    }
    return Wrong{to, "one of " + known};
  }
};

struct number : text {
  template <class Number> static MaybeWrong read(const Given &given, Number &to) {
    uint64_t read = 0;
    if (!whole(given.values.back(), read)) return Wrong{given.values.back(), "a whole number from 0 to 2**64 - 1"};
    to = read;
    return {};
  }
};

struct pairs : texts {
  static MaybeWrong read(const Given &given, std::map<std::string, std::string> &to) {
    for (const std::string &value : given.values) {
      const size_t equal = std::min(value.find('='), value.size());
      if (equal == 0 || equal == value.size()) return Wrong{value, given.type};
      to[value.substr(0, equal)] = value.substr(equal + 1);
    }
    return {};
  }
};

struct extents : texts {
  static MaybeWrong read(const Given &given, std::map<std::string, int64_t> &to) { return read(given, to, 0); }
  static MaybeWrong read(const Given &given, std::map<std::string, int64_t> &to, int64_t least) {
    for (const std::string &value : given.values) {
      std::map<std::string, std::string> pair;
      int64_t size = 0;
      if (auto wrong = pairs::read({given.name, given.type, {value}}, pair)) return wrong;
      const auto &[name, text] = *pair.begin();
      if (!whole(text, size)) return Wrong{value, given.type};
      if (size < least) return Wrong{value, "at least " + std::to_string(least)};
      to[name] = size;
    }
    return {};
  }
};

struct sizes : extents {
  static MaybeWrong read(const Given &given, std::map<std::string, int64_t> &to) { return extents::read(given, to, 1); }
};

// 16 candidates, or 60s.
struct effort : texts {
  static MaybeWrong read(const Given &given, Effort &to) {
    for (const std::string &value : given.values) {
      const bool timed = value.ends_with('s');
      int64_t number = 0;
      if (!whole(value.substr(0, value.size() - timed), number) || number <= 0)
        return Wrong{value, "a number of candidates or of seconds, as 16 or 60s"};
      (timed ? to.seconds : to.trials) = number;
    }
    return {};
  }
};

// 65536, 64KiB, 2MiB.
struct memory : texts {
  static MaybeWrong read(const Given &given, std::optional<int64_t> &to) {
    const std::string &value = given.values.back();
    int64_t unit = 1, bytes = 0;
    std::string_view number = value;
    for (const auto &[name, size] : {std::pair("KiB", int64_t{1} << 10), std::pair("MiB", int64_t{1} << 20),
                                     std::pair("GiB", int64_t{1} << 30), std::pair("B", int64_t{1})})
      if (number.ends_with(name)) {
        number.remove_suffix(std::string_view(name).size());
        unit = size;
        break;
      }
    if (!whole(std::string(number), bytes) || bytes <= 0 || bytes > INT64_MAX / unit)
      return Wrong{value, "a number of bytes, as 65536, 64KiB or 2MiB"};
    to = bytes * unit;
    return {};
  }
};

} // namespace kinds

struct Row {
  std::string commands, spelling, type, doc;
  bool required;
  int values;
  bool repeats;
  MaybeWrong (*read)(const Given &, Arguments &);

  bool of(const std::string &command) const {
    const std::vector<std::string> takers = CLI::detail::split(commands, '|');
    return std::find(takers.begin(), takers.end(), command) != takers.end();
  }
};

const std::vector<Row> &rows() {
  static const std::vector<Row> table{
#define HTP_ROW(commands, spelling, kind, destination, type, doc, required)                                            \
  {commands,                                                                                                           \
   spelling,                                                                                                           \
   type,                                                                                                               \
   doc,                                                                                                                \
   required,                                                                                                           \
   kinds::kind::values,                                                                                                \
   kinds::kind::repeats,                                                                                               \
   [](const Given &given, Arguments &to) { return kinds::kind::read(given, to.destination); }},
#define HTP_OPTION(commands, spelling, kind, destination, type, doc)                                                   \
  HTP_ROW(commands, spelling, kind, destination, type, doc, false)
#define HTP_REQUIRED(commands, spelling, kind, destination, type, doc)                                                 \
  HTP_ROW(commands, spelling, kind, destination, type, doc, true)
#include "host/cli/options.def"
#undef HTP_REQUIRED
#undef HTP_OPTION
#undef HTP_ROW
  };
  return table;
}

// One App a command, with the rows of its options.
class CommandLine {
public:
  // `words`: only commands all of whose words are among them have their options; a start needs no others.
  explicit CommandLine(std::optional<std::set<std::string_view>> words = {})
      : app_("HTP: compiles tile programs, written as Python, through plugins to packages.", "htp-host"),
        words_(std::move(words)) {
    app_.set_version_flag("--version", "htp-host " HTP_VERSION);
    app_.require_subcommand(1);
    app_.fallthrough();
    app_.footer(
        "Exit codes: 0 done, 1 the input was refused, 2 usage, 3 a tool or plugin failed, 130 interrupted.\n"
        "A first example, where the sources lie: htp-host --plugins manifests/cpu.yaml compile examples/gemm/gemm.py");
    add_options("", app_);
    for (const auto &[name, summary] : commands()) add(name, summary);
    for (const auto &[group, of] : {std::pair("plugins", "what plugins there are"),
                                    std::pair("cache", "what is kept of earlier compiles and builds")}) {
      CLI::App *commands = app_.get_subcommand(group);
      commands->description(of);
      commands->require_subcommand(1);
    }
  }

  Parsed parse(int argc, char **argv) {
    try {
      app_.parse(argc, argv);
    } catch (const CLI::Success &e) {
      return {std::nullopt, app_.exit(e)};
    } catch (const CLI::ParseError &e) {
      report(e);
      return refused(argc, argv);
    }
    for (const auto &[name, sub] : subs_)
      if (sub->parsed()) a.command = name;
    for (const auto &[row, option] : options_) {
      const std::vector<std::string> &values = option->results();
      if (values.empty()) continue;
      const std::string name = option->get_name();
      if (std::find(values.begin(), values.end(), "") != values.end())
        diagnostics_.report(diag::cli_empty_value, {}, name);
      else if (const auto wrong = row->read({name, row->type, values}, a))
        diagnostics_.report(diag::cli_bad_value, {}, name, wrong->value, wrong->expected);
      if (diagnostics_.errors()) return refused(argc, argv);
    }
    if (!a.request.from_stage.empty() && !a.request.program.empty()) {
      diagnostics_.report(diag::cli_program_and_stage, {}, a.request.program);
      return refused(argc, argv);
    }
    return {a, 0};
  }

  std::vector<CommandShape> shapes() const {
    std::vector<CommandShape> result;
    shape(app_, "", result);
    return result;
  }

private:
  void shape(const CLI::App &app, const std::string &name, std::vector<CommandShape> &to) const {
    CommandShape made{name, app.get_description(), {}};
    for (const CLI::Option *o : app.get_options()) {
      if (!name.empty() && o == app.get_help_ptr()) continue; // shown once, with the options of all
      const bool positional = !o->nonpositional();
      const std::string name = positional ? o->get_name(true) : o->get_name(false, true);
      const auto known =
          std::find_if(options_.begin(), options_.end(), [&](const auto &one) { return one.second == o; });
      const auto [values, repeats] =
          known == options_.end() ? std::pair(0, false) : std::pair(known->first->values, known->first->repeats);
      made.options.push_back({name, o->get_type_size() == 0 || positional ? "" : o->get_type_name(),
                              o->get_description(), positional, o->get_required(), values, repeats});
    }
    to.push_back(std::move(made));
    for (const CLI::App *inner : commands_of(&app))
      shape(*inner, name.empty() ? inner->get_name() : name + " " + inner->get_name(), to);
  }

  void add(const std::string &name, const std::string &summary) {
    const size_t space = name.find(' ');
    CLI::App *parent = &app_;
    if (space != std::string::npos) {
      const auto known =
          app_.get_subcommands([&](const CLI::App *one) { return one->check_name(name.substr(0, space)); });
      parent = known.empty() ? app_.add_subcommand(name.substr(0, space)) : known.front();
      parent->fallthrough();
    }
    CLI::App *sub = parent->add_subcommand(name.substr(space + 1), summary); // npos + 1 is 0
    sub->fallthrough();
    subs_.emplace_back(name, sub);
    if (!words_ || (words_->contains(name.substr(0, space)) && words_->contains(name.substr(space + 1))))
      add_options(name, *sub);
  }

  void add_options(const std::string &command, CLI::App &to) {
    for (const Row &row : rows()) {
      if (!row.of(command)) continue;
      CLI::Option *option = row.values == 0 ? to.add_flag(row.spelling, row.doc) : to.add_option(row.spelling, row.doc);
      if (row.values == 0) option->take_last();
      if (row.values != 0) option->type_name(row.type)->expected(row.values);
      if (row.values < 0) option->expected(CLI::detail::expected_max_vector_size);
      if (row.repeats) option->take_all();
      option->required(row.required);
      options_.emplace_back(&row, option);
    }
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
  void report(const CLI::ParseError &e) {
    const CLI::App *at = chosen();
    // Arguments that nothing takes are reported before what is missing: one may be it, misspelled.
    if (const auto extras = app_.remaining(true); !extras.empty() && !dynamic_cast<const CLI::ValidationError *>(&e))
      return report_unknown(*at, extras[0].substr(0, extras[0].find('=')));
    const std::string message = e.what(), name = message.substr(0, message.find(':'));
    if (dynamic_cast<const CLI::ArgumentMismatch *>(&e))
      for (const CLI::App *app : {at, static_cast<const CLI::App *>(&app_)})
        if (const CLI::Option *option = app->get_option_no_throw(name)) {
          diagnostics_.report(diag::cli_value_count, {}, name, option->get_type_name());
          return;
        }
    if (!dynamic_cast<const CLI::RequiredError *>(&e)) throw; // no row of options.def asks for anything else
    if (!commands_of(at).empty())
      diagnostics_.report(diag::cli_no_command, {});
    else
      diagnostics_.report(diag::cli_missing_argument, {}, message.substr(0, message.find(" is required")));
  }
  void report_unknown(const CLI::App &at, const std::string &given) {
    const bool option = given.starts_with("-");
    std::vector<std::string> known;
    for (const CLI::App *app : {&at, static_cast<const CLI::App *>(&app_)}) {
      if (option)
        for (const CLI::Option *o : app->get_options())
          for (const std::string &name : o->get_lnames()) known.push_back("--" + name);
      else if (app == &at)
        for (const CLI::App *sub : commands_of(app)) known.push_back(sub->get_name());
    }
    if (option && std::find(known.begin(), known.end(), given) != known.end()) {
      diagnostics_.report(diag::cli_option_too_early, {}, given, at.get_name());
      return;
    }
    Diagnostic &d = option                     ? diagnostics_.report(diag::cli_unknown_option, {}, given)
                    : commands_of(&at).empty() ? diagnostics_.report(diag::cli_unexpected_argument, {}, given)
                                               : diagnostics_.report(diag::cli_unknown_command, {}, given);
    if (const auto near = did_you_mean(given, known); !near.empty())
      d.hint("did you mean `" + std::string(near) + "`?");
  }

  Parsed refused(int argc, char **argv) {
    std::string path = "htp-host";
    for (const CLI::App *at = &app_; at != chosen(); path += " " + at->get_name()) at = at->get_subcommands().front();
    // What stands after the mistake was not read.
    for (int i = 1; i < argc; ++i) a.json |= std::string_view(argv[i]) == "--json";
    Diagnostic d = diagnostics_.list().back();
    if (d.hints.empty() && !d.usual_hint.empty()) d.hint(std::string(d.usual_hint));
    Diagnostics diagnostics;
    diagnostics.add(std::move(d)).hint("`" + path + " --help` tells what there is");
    return {std::nullopt, finish(a, diagnostics, exit_usage, "", nullptr)};
  }

  CLI::App app_;
  std::optional<std::set<std::string_view>> words_;
  std::vector<std::pair<std::string, CLI::App *>> subs_;
  std::vector<std::pair<const Row *, CLI::Option *>> options_; // as they were added
  Arguments a;
  Diagnostics diagnostics_;
};

} // namespace

std::vector<CommandShape> command_shapes() { return CommandLine().shapes(); }

Parsed parse_arguments(int argc, char **argv) {
  return CommandLine(std::set<std::string_view>(argv, argv + argc)).parse(argc, argv);
}

} // namespace htp
