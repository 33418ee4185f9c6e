// The verifier on compiled packages, with one thing changed in their text: mutants MOST PACKAGE…, of each at most so
// many. It prints, for each kind of change, how many there were and which of them were let through; the status is that
// of all kinds but the one that changes nothing.
#include "simulated.h"

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
};

class Mutants {
public:
  std::vector<Mutant> all;

  void of_file(const std::string &file, const std::string &text) {
    const auto lines = lines_of(text);
    const auto add = [&](const std::string &kind, size_t line, const std::string &what,
                         std::vector<std::string> changed) {
      all.push_back({kind, file, std::to_string(line + 1) + ": " + what, joined(changed)});
    };
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
      numbers(file, lines, k);
    }
  }

private:
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
      if (file.size() > 4 && file.substr(file.size() - 4) == ".cpp") mutants.of_file(file, text);
    const size_t all = mutants.all.size(), taken = std::min(most, all);
    for (size_t n = 0; n < taken; ++n) {
      const Mutant &m = mutants.all[n * all / taken]; // evenly among them
      const std::string before = std::exchange(package.files[m.file], m.text);
      package.diagnostics = {};
      const bool refused = !package.validate();
      package.files[m.file] = before;
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
