#include "host/cli/completion.h"

#include "host/cli/arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace htp {

namespace {

struct Offer {
  std::string text, doc;
};

// What may stand behind a command, or behind an option that has a few values.
struct Case {
  std::string after; // "plugins list", "--stages"
  std::vector<Offer> offers;
};

struct Completions {
  std::vector<Case> commands, options;
};

bool is_within(const std::string &inner, const std::string &outer) {
  if (inner.size() <= outer.size() || !inner.starts_with(outer)) return false;
  size_t const begin = outer.empty() ? 0 : outer.size() + 1;
  return (outer.empty() || inner[outer.size()] == ' ') && inner.find(' ', begin) == std::string::npos;
}

Completions completions() {
  const std::vector<CommandShape> shapes = command_shapes();
  Completions made;
  const auto take_options = [&](const CommandShape &command, std::vector<Offer> &into) {
    for (const CommandShape::Option &o : command.options) {
      if (o.positional) continue;
      const std::string name = o.names.substr(o.names.find(',') + 1); // of "-o,--out" the long one
      into.push_back({name, o.doc});
      if (o.type.find('|') == std::string::npos ||
          o.type.find_first_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ") != std::string::npos)
        continue; // no list of words
      Case values{name, {}};
      for (size_t at = 0; at <= o.type.size();) {
        const size_t end = std::min(o.type.find('|', at), o.type.size());
        values.offers.push_back({o.type.substr(at, end - at), ""});
        at = end + 1;
      }
      const auto known =
          std::find_if(made.options.begin(), made.options.end(), [&](const Case &c) { return c.after == name; });
      if (known == made.options.end()) made.options.push_back(std::move(values));
    }
  };
  for (const CommandShape &command : shapes) {
    Case &here = made.commands.emplace_back(Case{command.name, {}});
    for (const CommandShape &inner : shapes)
      if (is_within(inner.name, command.name))
        here.offers.push_back({inner.name.substr(command.name.empty() ? 0 : command.name.size() + 1), inner.summary});
    take_options(command, here.offers);
    if (!command.name.empty()) take_options(shapes.front(), here.offers);
  }
  return made;
}

// Within single quotes, as all three shells have them ('\'' ends them, is a quote, and begins them again).
std::string shell_quoted(std::string_view text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

std::string known_commands(const Completions &table, std::string_view between) {
  std::string text;
  for (const Case &c : table.commands)
    if (!c.after.empty()) text += (text.empty() ? "" : std::string(between)) + shell_quoted(c.after);
  return text;
}

std::string bash(const Completions &table) {
  const auto cases = [](const std::vector<Case> &all) {
    std::string text;
    for (const Case &c : all) {
      std::string words;
      for (const Offer &offer : c.offers) words += (words.empty() ? "" : " ") + offer.text;
      text += fmt::format("    {}) words={} ;;\n", shell_quoted(c.after), shell_quoted(words));
    }
    return text;
  };
  return fmt::format("# bash completion for htp-host; made by `htp-host manual --completion bash`\n"
                     "_htp_host() {{\n"
                     "  local command= word words=\n"
                     "  for word in \"${{COMP_WORDS[@]:1:COMP_CWORD-1}}\"; do\n"
                     "    case ${{command:+$command }}$word in\n"
                     "    {}) command=${{command:+$command }}$word ;;\n"
                     "    esac\n"
                     "  done\n"
                     "  case ${{COMP_WORDS[COMP_CWORD-1]}} in\n{}"
                     "  *)\n    case $command in\n{}    esac ;;\n  esac\n"
                     "  mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"${{COMP_WORDS[COMP_CWORD]}}\")\n"
                     "}}\n"
                     "complete -o default -F _htp_host htp-host\n",
                     known_commands(table, " | "), cases(table.options), cases(table.commands));
}

std::string zsh(const Completions &table) {
  const auto cases = [](const std::vector<Case> &all) {
    std::string text;
    for (const Case &c : all) {
      std::string words;
      for (const Offer &offer : c.offers)
        words += " " + shell_quoted(offer.doc.empty() ? offer.text : offer.text + ":" + offer.doc);
      text += fmt::format("    ({}) found=({}) ;;\n", shell_quoted(c.after), words.empty() ? "" : words.substr(1));
    }
    return text;
  };
  return fmt::format(
      "#compdef htp-host\n"
      "# zsh completion for htp-host; made by `htp-host manual --completion zsh`\n"
      "_htp-host() {{\n"
      "  local command= word\n"
      "  local -a found\n"
      "  for word in \"${{(@)words[2,CURRENT-1]}}\"; do\n"
      "    case \"${{command:+$command }}$word\" in\n"
      "    ({}) command=\"${{command:+$command }}$word\" ;;\n"
      "    esac\n"
      "  done\n"
      "  case \"${{words[CURRENT-1]}}\" in\n{}"
      "    (*)\n    case \"$command\" in\n{}    esac ;;\n  esac\n"
      "  _describe -o htp-host found\n"
      "  _files\n"
      "}}\n"
      "if [[ $funcstack[1] == _htp-host ]]; then _htp-host \"$@\"; else compdef _htp-host htp-host; fi\n",
      known_commands(table, "|"), cases(table.options), cases(table.commands));
}

std::string fish(const Completions &table) {
  std::string text = fmt::format("# fish completion for htp-host; made by `htp-host manual --completion fish`\n"
                                 "function __htp_host_at --description 'whether this command is being written'\n"
                                 "  set -l command\n"
                                 "  for word in (commandline -opc)[2..-1]\n"
                                 "    set -l longer (string trim -- \"$command $word\")\n"
                                 "    contains -- $longer {}; and set command $longer\n"
                                 "  end\n"
                                 "  test \"$command\" = \"$argv[1]\"\n"
                                 "end\n",
                                 known_commands(table, " "));
  for (const Case &c : table.commands)
    for (const Offer &offer : c.offers) {
      const bool option = offer.text.starts_with('-');
      text += fmt::format("complete -c htp-host -n \"__htp_host_at {}\"", shell_quoted(c.after));
      if (!option) text += " -a " + shell_quoted(offer.text);
      if (option)
        text += (offer.text.starts_with("--") ? " -l " : " -s ") + offer.text.substr(offer.text.find_first_not_of('-'));
      for (const Case &values : table.options)
        if (values.after == offer.text) {
          std::string words;
          for (const Offer &value : values.offers) words += (words.empty() ? "" : " ") + value.text;
          text += " -x -a " + shell_quoted(words);
        }
      text += " -d " + shell_quoted(offer.doc) + "\n";
    }
  return text;
}

} // namespace

std::string completion(std::string_view shell) {
  const Completions made = completions();
  return shell == "zsh" ? zsh(made) : shell == "fish" ? fish(made) : bash(made);
}

} // namespace htp
