// The verifier on compiled packages, with one thing changed in their text: mutants MOST PACKAGE…, of each at most so
// many, and as many again of what only the last stage's program can refuse. It prints, for each kind of change, how
// many there were and which of them were let through; the status is that of all kinds but the one that changes nothing.
#include "simulated.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <functional>
#include <map>
#include <set>

namespace {

using htp::test::Simulated;

std::vector<std::string> lines_of(const std::string &text) {
  std::vector<std::string> lines;
  for (size_t at = 0; at < text.size();) {
    const size_t end = text.find('\n', at);
    lines.push_back(text.substr(at, end - at));
    at = end == std::string::npos ? text.size() : end + 1;
  }
  return lines;
}
std::string joined(const std::vector<std::string> &lines) {
  std::string text;
  for (const std::string &line : lines) text += line + "\n";
  return text;
}
bool part_of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

struct Mutant {
  std::string kind, file, what, text;
  bool alone = false; // without the stages, so that what refuses it is how it runs
};

constexpr const char *instructions[] = {
#define PTO(name, ...) #name,
#include "plugins/binding-a2a3sim/simulator/instructions.def"
};

class Mutants {
public:
  std::vector<Mutant> all;

  void of_file(const std::string &file, const std::string &text) {
    const auto lines = lines_of(text);
    const auto add = [&](const std::string &kind, size_t line, const std::string &what,
                         std::vector<std::string> changed) {
      all.push_back({kind, file, std::to_string(line + 1) + ": " + what, joined(changed), true});
    };
    if (file.ends_with(".cpp") && file.find("/kernels/") != std::string::npos) said(file, lines);
    for (size_t k = 0; k < lines.size(); ++k) {
      const bool flag =
          lines[k].find("set_flag(") != std::string::npos || lines[k].find("wait_flag(") != std::string::npos;
      const bool barrier = lines[k].find("pipe_barrier(") != std::string::npos;
      if (flag || barrier) {
        auto changed = lines;
        changed.erase(changed.begin() + static_cast<std::ptrdiff_t>(k));
        add(flag ? "flag deleted" : "barrier deleted", k, lines[k], changed);
      }
      if (flag) {
        auto changed = lines;
        changed.insert(changed.begin() + static_cast<std::ptrdiff_t>(k), lines[k]);
        add("flag duplicated", k, lines[k], changed);
        for (const size_t by : {size_t{1}, size_t{2}, size_t{4}}) {
          if (k >= by + 16) {
            changed = lines;
            changed.erase(changed.begin() + static_cast<std::ptrdiff_t>(k));
            changed.insert(changed.begin() + static_cast<std::ptrdiff_t>(k - by), lines[k]);
            if (changed != lines) add("flag moved", k, "up by " + std::to_string(by) + lines[k], changed);
          }
          if (k + by < lines.size() - 1) {
            changed = lines;
            changed.erase(changed.begin() + static_cast<std::ptrdiff_t>(k));
            changed.insert(changed.begin() + static_cast<std::ptrdiff_t>(k + by), lines[k]);
            if (changed != lines) add("flag moved", k, "down by " + std::to_string(by) + lines[k], changed);
          }
        }
      }
      directions(lines, k, add);
      numbers(file, lines, k);
    }
  }

  // A text that the stage's program makes, or that is the same in every package: each line of it counts.
  void of_constant(const std::string &file, const std::string &text) {
    const auto lines = lines_of(text);
    for (size_t k = 0; k < lines.size(); ++k) {
      if (trimmed(lines[k]).empty()) continue;
      auto changed = lines;
      changed.erase(changed.begin() + static_cast<std::ptrdiff_t>(k));
      add("configuration changed", file, k, "without " + lines[k], changed);
      for (const auto &[from, to] :
           {std::pair("1", "3"), {"0", "7"}, {"aic", "aiv"}, {"aiv", "aic"}, {"f32", "f16"}, {"(a", "(b"}})
        if (const size_t at = lines[k].find(from); at != std::string::npos) {
          changed = lines;
          changed[k].replace(at, std::string(from).size(), to);
          add("configuration changed", file, k, changed[k], changed);
        }
    }
  }
  // The registry: each of its fields by another name, each direction by the one that says more, and limits that take
  // one size more or less, but not a size of 0: most kernels do nothing then, which is right.
  void of_registry(const std::string &file, const std::string &text) {
    const auto lines = lines_of(text);
    for (size_t k = 0; k < lines.size(); ++k) {
      for (const std::string said : {"\"direction\": \"in\"", "\"direction\": \"out\""})
        if (const size_t at = lines[k].find(said); at != std::string::npos) {
          auto changed = lines;
          changed[k].replace(at, said.size(), "\"direction\": \"inout\"");
          add("registry's direction changed", file, k, changed[k], changed);
        }
      for (const std::string bound : {"\"least\": ", "\"most\": "})
        for (size_t at = 0; (at = lines[k].find(bound, at)) != std::string::npos; ++at) {
          const size_t from = at + bound.size(), digits = lines[k].find_first_not_of("-0123456789", from) - from;
          const long is = std::stol(lines[k].substr(from, digits));
          for (const long other : {is - 1, is + 1}) {
            if (is == 1 && other == 0) continue;
            auto changed = lines;
            changed[k].replace(from, digits, std::to_string(other));
            add("registry's limit changed", file, k, changed[k], changed);
          }
        }
      for (size_t at = 0; (at = lines[k].find("\": ", at)) != std::string::npos; ++at) {
        const size_t name = lines[k].rfind('"', at - 1) + 1;
        auto changed = lines;
        changed[k].insert(name, "z");
        add("registry's field renamed", file, k, changed[k], changed);
      }
    }
  }

private:
  static std::string trimmed(const std::string &s) {
    const size_t first = s.find_first_not_of(' ');
    return first == std::string::npos ? "" : s.substr(first);
  }
  void add(const std::string &kind, const std::string &file, size_t line, const std::string &what,
           const std::vector<std::string> &changed) {
    all.push_back({kind, file, std::to_string(line + 1) + ": " + what, joined(changed)});
  }

  // What a kernel says: its instructions, their operands, its conditions, and each statement.
  void said(const std::string &file, const std::vector<std::string> &lines) {
    for (size_t k = 0; k < lines.size(); ++k) {
      const auto change = [&](const std::string &kind, const std::string &to) {
        if (to == lines[k]) return;
        auto changed = lines;
        changed[k] = to;
        add(kind, file, k, to, changed);
      };
      const std::string &line = lines[k];
      const size_t comment = std::min(line.find("//"), line.size()), open = line.find('('),
                   end = line.rfind(");", comment);
      const std::string text = trimmed(line.substr(0, comment));
      if (text.empty() || text[0] == '}' || text[0] == '#') continue;
      const std::string word = text.substr(0, text.find_first_of("(<"));
      if (const auto at = std::find(std::begin(instructions), std::end(instructions), word);
          at != std::end(instructions)) {
        const char *next = at + 1 == std::end(instructions) ? instructions[0] : at[1];
        change("instruction replaced", std::string(line).replace(line.find(word), word.size(), next));
      }
      if (const size_t t = line.find('T');
          t != std::string::npos && t < open && end != std::string::npos && open < end) {
        const std::string inside = line.substr(open + 1, end - open - 1);
        for (size_t comma = 0; (comma = inside.find(", ", comma)) != std::string::npos; ++comma) {
          const size_t before = inside.rfind(", ", comma - 1), from = before == std::string::npos ? 0 : before + 2,
                       to = std::min(inside.find(", ", comma + 2), inside.size());
          change("operands swapped", line.substr(0, open + 1) + inside.substr(0, from) +
                                         inside.substr(comma + 2, to - comma - 2) + ", " +
                                         inside.substr(from, comma - from) + inside.substr(to) + line.substr(end));
        }
      }
      if (text.starts_with("if (") || text.starts_with("for ("))
        for (const auto &[from, to] : {std::pair(" == ", " <= "),
                                       {" <= ", " < "},
                                       {" < ", " <= "},
                                       {" != ", " < "},
                                       {" > ", " >= "},
                                       {" >= ", " == "},
                                       {" && ", " || "},
                                       {" || ", " && "}})
          if (const size_t at = line.find(from); at != std::string::npos)
            change("condition changed", std::string(line).replace(at, std::string(from).size(), to));
      if (text.back() != ';' || text.starts_with("using ")) continue;
      auto changed = lines;
      changed[k].insert(0, "// ");
      add("statement deleted", file, k, line, changed);
      changed = lines;
      changed[k] = line.substr(0, comment) + text + line.substr(comment);
      add("statement twice", file, k, line, changed);
      changed = lines;
      changed[k] = "#ifdef __CPU_SIM";
      add("line of the preprocessor", file, k, line, changed);
    }
  }

  // What a task is told to read and write, as each of the other two.
  template <class Add> static void directions(const std::vector<std::string> &lines, size_t k, const Add &add) {
    const std::string words[] = {"input", "output", "inout"};
    for (const auto &[before, behind] : {std::pair("add_", "("), {"make_", "_param("}})
      for (const std::string &from : words)
        for (const std::string &to : words) {
          const size_t at = to == from ? std::string::npos : lines[k].find(before + from + behind);
          if (at == std::string::npos) continue;
          auto changed = lines;
          changed[k].replace(at + std::string_view(before).size(), from.size(), to);
          add("direction changed", k, changed[k], changed);
        }
  }

  // Each whole number that stands for itself.
  void numbers(const std::string &file, const std::vector<std::string> &lines, size_t k) {
    const std::string &line = lines[k];
    const size_t comment = std::min(line.find("//"), line.size());
    if (line.rfind("#", 0) == 0) return;
    const bool tile = line.find("Tile<") != std::string::npos || line.find("Column<") != std::string::npos ||
                      line.find("TileLeft<") != std::string::npos || line.find("TileRight<") != std::string::npos ||
                      line.find("TileAcc<") != std::string::npos;
    for (size_t at = 0; at < comment; ++at) {
      if (!std::isdigit(static_cast<unsigned char>(line[at])) ||
          (at && (part_of_name(line[at - 1]) || line[at - 1] == '.')))
        continue;
      size_t end = at;
      while (end < comment && std::isdigit(static_cast<unsigned char>(line[end]))) ++end;
      const bool whole = end == comment || (!part_of_name(line[end]) && line[end] != '.');
      if (whole) {
        const long n = std::stol(line.substr(at, end - at));
        const bool place = line.find("TASSIGN") != std::string::npos;
        std::set<long> others = {n + 1, n * 2, n / 2};
        if (place) others = {n + 32, n + 1024, n >= 32 ? n - 32 : n + 64, 0};
        others.erase(n);
        for (const long other : others) {
          auto changed = lines;
          changed[k] = line.substr(0, at) + std::to_string(other) + line.substr(end);
          const bool room = tile && at < line.find('>'); // not what is valid of it
          // What says nothing else: any code that is not 0 tells of a failure.
          const bool code = other != 0 && at >= 8 && line.substr(at - 8, 8) == "return -";
          const std::string kind = code    ? "equivalent"
                                   : place ? "offset changed"
                                   : room  ? (other < n ? "buffer shrunk" : "buffer grown")
                                           : "number changed";
          all.push_back({kind, file, std::to_string(k + 1) + ": " + changed[k], joined(changed)});
        }
      }
      at = end;
    }
  }
};

} // namespace

int main(int count, char **arguments) {
  struct Tally {
    size_t made = 0;
    std::vector<std::string> through;
  };
  std::map<std::string, Tally> tallies;
  bool fine = true;
  const size_t most = count > 1 ? std::stoul(arguments[1]) : 0;
  for (int k = 2; k < count; ++k) {
    Simulated package(arguments[k]);
    if (!package.validate() || !package.diagnostics.list().empty()) {
      std::printf("%s, as it was compiled: %s\n", arguments[k], package.said().c_str());
      fine = false;
      continue;
    }
    Mutants mutants;
    for (const auto &[file, text] : package.files)
      if (file.ends_with(".cpp"))
        mutants.of_file(file, text);
      else if (file.ends_with("/kernel_config.py") || file.ends_with("/golden.py") || file.ends_with("/htp_kernel.h"))
        mutants.of_constant(file, text);
      else if (file.ends_with("/registry.json"))
        mutants.of_registry(file, text);
    const auto held = [](const Mutant &m) {
      constexpr std::string_view kinds[] = {
          "instruction replaced",    "operands swapped",         "condition changed",
          "statement deleted",       "statement twice",          "line of the preprocessor",
          "configuration changed",   "registry's field renamed", "registry's direction changed",
          "registry's limit changed"};
      return std::find(std::begin(kinds), std::end(kinds), m.kind) != std::end(kinds);
    };
    const auto behind = std::stable_partition(mutants.all.begin(), mutants.all.end(), std::not_fn(held));
    const auto runs = static_cast<size_t>(behind - mutants.all.begin());
    std::vector<const Mutant *> taken;
    for (const auto &[from, all] : {std::pair(size_t{0}, runs), std::pair(runs, mutants.all.size() - runs)})
      for (size_t n = 0; n < std::min(most, all); ++n) // evenly among them
        taken.push_back(&mutants.all[from + n * all / std::min(most, all)]);
    for (const Mutant *one : taken) {
      const Mutant &m = *one;
      const std::string before = std::exchange(package.files[m.file], m.text),
                        manifest = m.alone ? std::exchange(package.files["manifest.json"], "{}")
                                           : package.files["manifest.json"];
      package.diagnostics = {};
      const bool refused = !package.validate();
      package.files[m.file] = before, package.files["manifest.json"] = manifest;
      Tally &t = tallies[m.kind];
      ++t.made;
      if (!refused)
        t.through.push_back(m.file + ":" + m.what +
                            (package.diagnostics.list().empty() ? "" : "\n    " + package.said()));
    }
  }
  size_t made = 0, through = 0;
  for (const auto &[kind, t] : tallies) {
    if (kind != "equivalent") made += t.made, through += t.through.size();
    std::printf("%s: %zu, let through: %zu\n", kind.c_str(), t.made, t.through.size());
    if (kind == "equivalent") continue;
    for (const std::string &one : t.through) std::printf("  %s\n", one.c_str());
    fine = fine && t.through.empty();
  }
  std::printf("mutants: %zu, let through: %zu\n", made, through);
  return fine ? 0 : 1;
}
