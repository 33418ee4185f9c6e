// htp-host explain PKG:NODE, PKG:FILE:LINE: what it was made of, by which passes and why, and what was made of it.
#include "host/base/fs.h"
#include "host/cli/cites.h"
#include "host/cli/explain.h"
#include "host/cli/report.h"
#include "host/pipeline/remake.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

namespace htp {

namespace {

using Json = nlohmann::ordered_json;

std::optional<uint32_t> count_of(std::string_view text) {
  uint32_t n = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  return error == std::errc() && end == text.data() + text.size() && !text.empty() ? std::optional(n) : std::nullopt;
}

std::string trimmed(std::string text) {
  text.erase(0, std::min(text.find_first_not_of(" \t"), text.size()));
  return text;
}

// A package's folder and what is asked of it; the folder is the longest that is there.
std::optional<std::pair<std::string, std::string>> cut(const std::string &asked) {
  for (size_t at = asked.rfind(':'); at != asked.npos && at > 0; at = asked.rfind(':', at - 1))
    if (is_folder(asked.substr(0, at))) return std::pair(asked.substr(0, at), asked.substr(at + 1));
  return std::nullopt;
}

class Explained {
public:
  Explained(const Package &package, const History &history) : package_(package), history_(history) {}

  struct Subject {
    size_t stage = 0;
    std::set<size_t> nodes; // the first is who is asked about
    std::string what;       // "codegen/x.c:12"
  };

  // Nothing, and why, where there is no such thing.
  std::optional<Subject> find(const std::string &asked, std::string &why) const {
    const size_t colon = asked.rfind(':');
    const auto number = colon == asked.npos ? std::nullopt : count_of(asked.substr(colon + 1));
    if (!number)
      return why = "after the package stands a node, `05:120`, or a file and a line, `kernel.c:12`", std::nullopt;
    const std::string file = asked.substr(0, colon);
    for (size_t s = 0; s < history_.stages.size(); ++s) {
      const HistoryStage &stage = history_.stages[s];
      if (file == stage.id || (count_of(file) && count_of(file) == count_of(stage.id))) {
        if (*number < stage.nodes.size()) return Subject{s, {*number}, stage.id + ":" + std::to_string(*number)};
        return why = fmt::format("the stage `{}` has {} nodes", stage.id, stage.nodes.size()), std::nullopt;
      }
      if (file == stage.path) return on_line(s, *number, asked, why);
    }
    if (count_of(file)) return why = "it has no stage `" + file + "`", std::nullopt;
    if (auto emitted = cited(file, *number, asked, why)) return emitted;
    if (!why.empty()) return std::nullopt;
    Subject subject{0, {}, asked};
    for (size_t k = 0; k < history_.sources.size(); ++k)
      if (const auto &source = history_.sources[k]; source && source->file == file && source->at.line == *number)
        subject.nodes.insert(k);
    if (!subject.nodes.empty()) return subject;
    why = "it has no file `" + file + "` of which a line " + std::to_string(*number) + " is known";
    return std::nullopt;
  }

  Json history_of(const Subject &subject) const {
    const size_t asked = *subject.nodes.begin();
    const HistoryStage &stage = history_.stages[subject.stage];
    Json json{{"asked", subject.what},
              {"stage", stage.id + "-" + stage.pass},
              {"node", stage.id + ":" + std::to_string(asked)},
              {"kind", stage.nodes[asked].kind},
              {"line", stage.nodes[asked].at.line},
              {"text", text_of(subject.stage, asked)}};
    if (const auto source = history_.source_of(subject.stage, asked))
      json["source"] = {{"file", source->file}, {"line", source->at.line}};
    json["passes"] = Json::array();
    std::vector<std::pair<size_t, size_t>> chain{{subject.stage, asked}};
    while (chain.back().first > 0) {
      const auto [s, k] = chain.back();
      const int64_t before = history_.stages[s].nodes[k].before;
      if (before < 0) break;
      chain.emplace_back(s - 1, static_cast<size_t>(before));
    }
    std::string last;
    for (size_t k = chain.size(); k-- > 0;) {
      const auto [s, node] = chain[k];
      const std::string text = text_of(s, node);
      if (k + 1 < chain.size() && text == last) continue; // it left it as it was
      last = text;
      json["passes"].push_back(step(s, node, text));
    }
    json["made"] = made_of(subject);
    return json;
  }

  // The lines of the last stage whose statements were made of it.
  std::set<uint32_t> last_lines(const Subject &subject) const {
    std::set<size_t> nodes = subject.nodes;
    for (size_t s = subject.stage + 1; s < history_.stages.size(); ++s) {
      std::set<size_t> next;
      const auto &all = history_.stages[s].nodes;
      for (size_t k = 0; k < all.size(); ++k)
        if (all[k].before >= 0 && nodes.contains(static_cast<size_t>(all[k].before))) next.insert(k);
      nodes = std::move(next);
    }
    std::set<uint32_t> lines;
    for (const size_t k : nodes)
      if (const uint32_t line = statement(history_.stages.size() - 1, k).at.line) lines.insert(line);
    return lines;
  }

  // Of these lines the statements around them that have a cost: a model tells it of whole statements.
  std::set<uint32_t> priced(const std::set<uint32_t> &lines, const std::map<uint32_t, double> &costs) const {
    const HistoryStage &stage = history_.stages.back();
    std::set<uint32_t> found;
    for (const uint32_t line : lines)
      for (auto at = stage.statement_at(line); at; at = stage.nodes[*at].parent) {
        if (stage.nodes[*at].statement && costs.contains(stage.nodes[*at].at.line)) {
          found.insert(stage.nodes[*at].at.line);
          break;
        }
        if (stage.nodes[*at].parent == *at) break;
      }
    return found;
  }

private:
  const HistoryNode &statement(size_t s, size_t node) const {
    const auto &nodes = history_.stages[s].nodes;
    while (!nodes[node].statement && nodes[node].parent != node && node) node = nodes[node].parent;
    return nodes[node];
  }
  // The statement's first line.
  std::string text_of(size_t s, size_t node) const {
    const uint32_t line = statement(s, node).at.line;
    const auto &lines = history_.stages[s].lines;
    return line && line <= lines.size() ? trimmed(lines[line - 1]) : "";
  }
  Json step(size_t s, size_t node, const std::string &text) const {
    const HistoryStage &stage = history_.stages[s];
    Json json{{"stage", stage.id},
              {"pass", stage.pass},
              {"node", stage.id + ":" + std::to_string(node)},
              {"line", stage.nodes[node].at.line},
              {"text", text}};
    for (const auto &pass : package_.manifest.plan.passes)
      if (pass.name == stage.pass) json["why"] = pass.why;
    for (const auto &unit : package_.manifest.plan.resolution)
      if (unit.unit == stage.pass) json["chosen"] = unit.why;
    return json;
  }

  std::optional<Subject> on_line(size_t s, uint32_t line, const std::string &asked, std::string &why) const {
    if (const auto found = history_.stages[s].statement_at(line)) return Subject{s, {*found}, asked};
    why = "no statement stands on line " + std::to_string(line) + " of it";
    return std::nullopt;
  }

  // By what an emitted line cites, or, as a statement is cited once, the nearest line above that cites one.
  std::optional<Subject> cited(const std::string &file, uint32_t line, const std::string &asked,
                               std::string &why) const {
    const PackageManifest::Output *found = nullptr;
    for (const auto &output : package_.manifest.outputs)
      if (output.path == file || (output.path.ends_with("/" + file) && !output.path.starts_with("ir/"))) {
        if (found && found->path != file && output.path != file)
          return why = "both `" + found->path + "` and `" + output.path + "` are of that name", std::nullopt;
        if (!found || output.path == file) found = &output;
      }
    if (!found) return std::nullopt;
    const std::vector<std::string> lines = lines_in(*package_.file(found->path));
    if (line < 1 || line > lines.size())
      return why = fmt::format("`{}` has {} lines", found->path, lines.size()), std::nullopt;
    const std::vector<uint32_t> cites = citations(lines);
    for (size_t k = line; k-- > 0;)
      if (cites[k]) return on_line(history_.stages.size() - 1, cites[k], asked, why);
    why = "no line of `" + found->path + "` up to there cites the program";
    return std::nullopt;
  }

  // The emitted lines that cite what was made of it.
  Json made_of(const Subject &subject) const {
    const std::set<uint32_t> last = last_lines(subject);
    auto made = Json::array();
    for (const auto &output : package_.manifest.outputs) {
      const std::string *text = package_.file(output.path);
      if (!text || output.path.starts_with("ir/")) continue;
      const std::vector<std::string> lines = lines_in(*text);
      const std::vector<uint32_t> cites = citations(lines);
      for (size_t k = 0; k < lines.size(); ++k)
        if (cites[k] && last.contains(cites[k]))
          made.push_back({{"file", output.path}, {"line", k + 1}, {"text", trimmed(lines[k])}});
    }
    return made;
  }

  const Package &package_;
  const History &history_;
};

std::string seconds_text(double seconds) {
  for (const auto &[unit, size] : {std::pair("s", 1.0), std::pair("ms", 1e-3), std::pair("µs", 1e-6)})
    if (seconds >= size) return fmt::format("{:.3g} {}", seconds / size, unit);
  return fmt::format("{:.3g} ns", seconds / 1e-9);
}

std::string history_text(const Json &json) {
  constexpr size_t most = 16;
  std::string text =
      fmt::format("{}: {} {} of {}\n    {}\n", json["asked"].get<std::string>(), json["kind"].get<std::string>(),
                  json["node"].get<std::string>(), json["stage"].get<std::string>(), json["text"].get<std::string>());
  if (json.contains("source"))
    text += fmt::format("made of {}:{}\n", json["source"]["file"].get<std::string>(),
                        json["source"]["line"].get<uint32_t>());
  else
    text += "made by a pass, of no line of the program\n";
  text += "\nwhat it was, and the passes that changed it\n";
  for (const Json &step : json["passes"]) {
    text += fmt::format("  {} {}  line {}\n      {}\n", step["stage"].get<std::string>(),
                        step["pass"].get<std::string>(), step["line"].get<uint32_t>(), step["text"].get<std::string>());
    if (step.contains("why")) text += "      it ran since it " + step["why"].get<std::string>() + "\n";
  }
  const Json &made = json["made"];
  text += made.empty() ? "\nno emitted line cites it\n" : "\nemitted of it\n";
  for (size_t k = 0; k < std::min(most, made.size()); ++k)
    text += fmt::format("  {}:{}\n      {}\n", made[k]["file"].get<std::string>(), made[k]["line"].get<size_t>(),
                        made[k]["text"].get<std::string>());
  if (made.size() > most) text += fmt::format("  {} more: `--json` has all\n", made.size() - most);
  if (json.contains("cost")) {
    std::string sizes;
    for (const auto &[dim, size] : json["cost"]["sizes"].items())
      sizes += fmt::format("{}{}={}", sizes.empty() ? "" : ", ", dim, size.get<int64_t>());
    const double own = json["cost"]["seconds"].get<double>(), all = json["cost"]["of"].get<double>();
    std::string lines;
    for (const Json &line : json["cost"]["lines"]) lines += (lines.empty() ? "" : ", ") + line.dump();
    if (!lines.empty())
      text += fmt::format("\npredicted{}: {} of {}, for what stands at line {} of the last stage, by {}\n",
                          sizes.empty() ? "" : " at " + sizes, seconds_text(own), seconds_text(all), lines,
                          json["cost"]["by"].get<std::string>());
  }
  return text;
}

} // namespace

bool names_package(const std::string &asked) { return asked.find(':') != asked.npos; }

int explain_in_package(const Arguments &arguments) {
  Diagnostics diagnostics;
  const auto parts = cut(arguments.name);
  if (!parts) {
    const std::string folder = arguments.name.substr(0, arguments.name.find(':'));
    diagnostics.report(diag::cli_nothing_there, {}, arguments.name, "there is no folder `" + folder + "`");
    return finish(arguments, diagnostics);
  }
  auto package = read_package(parts->first, diagnostics);
  if (!package) return finish(arguments, diagnostics);
  Cache cache = Cache::from_environment();
  CompileRequest asked = arguments.request;
  asked.progress = progress_line(arguments);
  package = with_all_stages(std::move(*package), asked, cache, diagnostics);
  if (!package && interrupted) return finish_cancelled(arguments);
  const auto history = package ? read_history(*package, diagnostics) : std::nullopt;
  if (!history) return finish(arguments, diagnostics);
  const Explained explained(*package, *history);
  std::string why;
  const auto subject = explained.find(parts->second, why);
  if (!subject) {
    diagnostics.report(diag::cli_nothing_there, {}, arguments.name, why);
    return finish(arguments, diagnostics);
  }
  Json json = explained.history_of(*subject);
  // Its cost, where the target has a model and the compile can be made again.
  std::map<std::string, int64_t> sizes;
  for (const std::string &dim : dims_of(*history)) sizes[dim] = 64;
  for (const auto &[dim, size] : arguments.dims) sizes[dim] = size;
  CompileRequest again = request_of(*package, asked);
  const std::string &first = package->manifest.stages.front().path;
  again.from_stage = join_path(package->folder, first.substr(0, first.rfind('/')));
  Diagnostics ignored;
  const auto cost = again.profile.empty() ? std::nullopt : estimate(again, sizes, cache, ignored);
  if (interrupted) return finish_cancelled(arguments);
  if (cost && !cost->by.empty()) {
    double own = 0;
    const std::set<uint32_t> lines = explained.priced(explained.last_lines(*subject), cost->lines);
    for (const uint32_t line : lines) own += cost->lines.at(line);
    json["cost"] = {
        {"by", cost->by}, {"seconds", own}, {"of", cost->seconds}, {"lines", lines}, {"sizes", Json(sizes)}};
    if (sizes.empty()) json["cost"]["sizes"] = Json::object();
  }
  return finish(arguments, diagnostics, history_text(json), json);
}

} // namespace htp
