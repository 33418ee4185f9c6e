// htp-host simulate: asks the target's simulation, and shows what it answers as a table, a timeline and a picture.
#include "host/base/fs.h"
#include "host/cli/command.h"
#include "host/pipeline/compilation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace htp {

namespace {

using Json = nlohmann::ordered_json;

std::string time_text(double seconds) {
  for (const auto &[unit, size] : {std::pair("s", 1.0), std::pair("ms", 1e-3), std::pair("µs", 1e-6)})
    if (seconds >= size) return fmt::format("{:.4g} {}", seconds / size, unit);
  return seconds >= 0.5e-12 ? fmt::format("{:.4g} ns", seconds / 1e-9) : "0"; // less is what sums were rounded by
}

std::string bytes_text(double bytes) {
  for (const auto &[unit, size] : {std::pair("MiB", 1048576.0), std::pair("KiB", 1024.0)})
    if (bytes >= size) return fmt::format("{:.4g} {}", bytes / size, unit);
  return fmt::format("{:.0f} B", bytes);
}

std::string percent(double share, double whole) {
  return whole > 0 ? fmt::format("{:.0f} %", 100 * share / whole) : "-";
}

double number(const Json &of, const char *key) { return of.at(key).get<double>(); }
std::string text_of(const Json &of, const char *key) { return of.at(key).get<std::string>(); }

std::string readers_of(const Json &channel) {
  std::string text;
  for (const auto &one : channel.at("to")) text += (text.empty() ? "" : ", ") + one.get<std::string>();
  return text;
}

// ── the table ──

using Rows = std::vector<std::vector<std::string>>;

// Rows below a header, of which more than fit a screen are left out: those that weigh least.
struct Table {
  Rows rows;
  std::vector<double> weights{}; // of the rows below the header
  static constexpr size_t most = 24, kept = 12;
  void add(std::vector<std::string> row, double weight) {
    rows.push_back(std::move(row));
    weights.push_back(weight);
  }
};

// The first column to the left, the others to the right; widths count characters.
std::string table_text(const Rows &rows) {
  const auto width = [](const std::string &text) {
    return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
  };
  std::vector<size_t> widths(rows[0].size());
  for (const auto &row : rows)
    for (size_t k = 0; k < row.size(); ++k) widths[k] = std::max(widths[k], width(row[k]));
  std::string text;
  for (const auto &row : rows) {
    std::string line;
    for (size_t k = 0; k < row.size(); ++k) {
      const std::string pad(widths[k] - width(row[k]), ' ');
      line += k == 0 ? row[k] + pad : "  " + pad + row[k];
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

std::string table_text(const Table &table) {
  if (table.weights.size() <= Table::most) return table_text(table.rows);
  std::vector<size_t> order(table.weights.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return table.weights[a] > table.weights[b]; });
  std::sort(order.begin(), order.begin() + Table::kept);
  Rows shown{table.rows[0]};
  for (size_t k = 0; k < Table::kept; ++k) shown.push_back(table.rows[order[k] + 1]);
  return table_text(shown) + fmt::format("{} more: `--json` has all\n", order.size() - Table::kept);
}

std::string critical_text(const Json &run) {
  const std::string process = text_of(run.at("critical"), "process");
  double own = 0;
  for (const auto &one : run.at("processes"))
    if (text_of(one, "name") == process) own = number(one, "critical");
  std::string text = fmt::format(
      "what takes the time: `{}`, whose work is {} of the longest chain of moves that wait for each other\n", process,
      percent(own, number(run, "seconds")));
  if (const auto channel = run.at("critical").find("channel"); channel != run.at("critical").end()) {
    // With capacity for all items of all channels.
    const auto choice = run.find("choice");
    const std::string helps =
        run.at("critical").contains("more") ? text_of(run.at("critical"), "more") // the model has tried it
        : choice == run.end()
            ? "; faster readers would shorten it, and `--choose-capacities` tells if more capacity would"
        : number(*choice, "best") < number(run, "seconds")
            ? "; more capacity, or faster readers, would shorten it"
            : "; faster readers would shorten it, more capacity would not";
    return text + fmt::format("what holds it up: `{}` is full{}\n", channel->get<std::string>(), helps);
  }
  return text + "no channel holds it up: more capacity would not shorten it\n";
}

std::string run_text(const Json &run) {
  const double all = number(run, "seconds");
  Table processes{{{"process", "works", "", "waits for capacity", "", "for items", "", "in the longest chain"}}};
  for (const auto &one : run.at("processes")) {
    std::vector<std::string> row{text_of(one, "name")};
    for (const char *key : {"busy", "full", "empty"})
      row.insert(row.end(), {time_text(number(one, key)), percent(number(one, key), all)});
    row.push_back(percent(number(one, "critical"), all));
    processes.add(std::move(row), number(one, "critical") + number(one, "busy") / 1e3);
  }
  Table channels{{{"channel", "from", "to", "items", "capacity", "held at most", "on average", "waits for capacity",
                   "for items"}}};
  for (const auto &one : run.at("channels")) {
    const auto from = one.at("from");
    if (!from.is_string()) continue; // the rim of an array
    const int64_t capacity = one.at("capacity").get<int64_t>();
    channels.add({text_of(one, "name"), from.get<std::string>(), readers_of(one),
                  std::to_string(one.at("items").get<int64_t>()), capacity ? std::to_string(capacity) : "rendezvous",
                  std::to_string(one.at("most").get<int64_t>()), fmt::format("{:.2f}", number(one, "mean")),
                  time_text(number(one, "full")), time_text(number(one, "empty"))},
                 number(one, "critical") + (number(one, "full") + number(one, "empty")) / 1e3);
  }
  return table_text(processes) + "\n" + table_text(channels);
}

std::string summary_text(const Json &run) {
  const double all = number(run, "seconds");
  std::string text = critical_text(run);
  if (const auto shared = run.find("shared"); shared != run.end() && number(*shared, "seconds") > all)
    text += fmt::format("this is with a core for each process; {} cores take {} for all of the work\n",
                        shared->at("cores").get<int64_t>(), time_text(number(*shared, "seconds")));
  return text;
}

// The line of the program with the number in it, where it stands there as it is.
std::string line_to_write(const Span &at_line, const std::string &was, const std::string &is) {
  if (!at_line.line) return is;
  std::string line(at_line.file->line(at_line.line));
  line.erase(0, std::min(line.find_first_not_of(' '), line.size()));
  const size_t at = line.find(was), end = at + was.size();
  const bool whole = at != line.npos && (end == line.size() || !std::isalnum(static_cast<unsigned char>(line[end])));
  return fmt::format("{}:{}: {}", at_line.file->path, at_line.line, whole ? line.replace(at, was.size(), is) : is);
}

std::string choice_text(const Json &choice, const std::map<std::string, Span> &declared) {
  const double seconds = number(choice, "seconds"), best = number(choice, "best"), before = number(choice, "before");
  std::string text =
      fmt::format("\nchosen: {} in {}; the program's own capacities: {} in {}; {}\n", time_text(seconds),
                  bytes_text(number(choice, "bytes")), before < 0 ? "stuck" : time_text(before),
                  bytes_text(number(choice, "before_bytes")),
                  seconds <= best * 1.001 ? "capacity for all items would not be faster"
                                          : fmt::format("capacity for all items would take {}", time_text(best)));
  text += choice.at("least").get<bool>() ? "no fewer bytes are as fast\n" : "none of them alone can be less\n";
  std::string lines;
  for (const auto &one : choice.at("channels")) {
    const std::string name = text_of(one, "name");
    const int64_t capacity = one.at("capacity").get<int64_t>();
    std::string why = capacity == 0 ? "a rendezvous" : "the least there is";
    if (const auto smaller = one.find("smaller"); smaller != one.end()) {
      if (smaller->is_string())
        why = fmt::format("with {} it gets stuck", capacity - 1);
      else
        why = fmt::format("with {} it takes {}, {} longer", capacity - 1, time_text(smaller->get<double>()),
                          percent(smaller->get<double>() - seconds, seconds));
    }
    text += fmt::format("  {}: {}{}\n", name, capacity, ", " + why);
    const auto at = declared.find(name);
    if (capacity != one.at("declared").get<int64_t>())
      lines +=
          "  " +
          line_to_write(at == declared.end() ? Span{} : at->second, text_of(one, "instead_of"), text_of(one, "write")) +
          "\n";
  }
  return text + (lines.empty() ? "the program has them already\n" : "write\n" + lines);
}

// ── the timeline ──

// Chrome trace events, as Perfetto opens them: a row a process, a counter a channel.
std::string trace_text(const Json &run) {
  constexpr double micro = 1e6;
  auto events = Json::array();
  int row = 0;
  for (const auto &process : run.at("processes")) {
    events.push_back(
        {{"name", "thread_name"}, {"ph", "M"}, {"pid", 1}, {"tid", ++row}, {"args", {{"name", process.at("name")}}}});
    events.push_back(
        {{"name", "thread_sort_index"}, {"ph", "M"}, {"pid", 1}, {"tid", row}, {"args", {{"sort_index", row}}}});
    for (const auto &slice : process.at("slices")) {
      const std::string what = text_of(slice, "what");
      const std::string name = what == "work"
                                   ? what
                                   : fmt::format("waits for {} `{}`", what == "full" ? "capacity in" : "an item of",
                                                 text_of(slice, "channel"));
      events.push_back({{"name", name},
                        {"cat", what},
                        {"ph", "X"},
                        {"ts", number(slice, "begin") * micro},
                        {"dur", number(slice, "seconds") * micro},
                        {"pid", 1},
                        {"tid", row}});
    }
  }
  for (const auto &channel : run.at("channels"))
    for (const auto &level : channel.value("levels", Json::array()))
      events.push_back({{"name", channel.at("name")},
                        {"ph", "C"},
                        {"ts", level.at(0).get<double>() * micro},
                        {"pid", 1},
                        {"args", {{"items", level.at(1)}}}});
  return Json{{"traceEvents", events}, {"displayTimeUnit", "ns"}}.dump() + "\n";
}

// ── the picture ──

// Processes and channels, with how full they are; what is critical in red.
std::string graph_text(const Json &run) {
  const double all = number(run, "seconds");
  const std::string process = text_of(run.at("critical"), "process"), channel = run.at("critical").value("channel", "");
  constexpr const char *marked = ", color=\"#c0392b\", fontcolor=\"#c0392b\", penwidth=2.5";
  std::string dot = "digraph pipeline {\n  rankdir=LR;\n  node [shape=box, style=rounded, fontname=\"sans-serif\"];\n  "
                    "edge [fontname=\"sans-serif\", fontsize=10];\n";
  for (const auto &one : run.at("processes")) {
    const std::string name = text_of(one, "name");
    const std::string label =
        fmt::format("{}\nworks {}, waits for capacity {}, for items {}", name, percent(number(one, "busy"), all),
                    percent(number(one, "full"), all), percent(number(one, "empty"), all));
    dot += fmt::format("  {} [label={}{}];\n", dot_quoted(name), dot_quoted(label), name == process ? marked : "");
  }
  for (const auto &one : run.at("channels")) {
    if (!one.at("from").is_string()) continue;
    const std::string name = text_of(one, "name");
    const int64_t capacity = one.at("capacity").get<int64_t>();
    const std::string label = capacity ? fmt::format("{}\n{:.2f} of {}, at most {}", name, number(one, "mean"),
                                                     capacity, one.at("most").get<int64_t>())
                                       : name + "\nrendezvous";
    for (const auto &to : one.at("to"))
      dot += fmt::format("  {} -> {} [label={}{}];\n", dot_quoted(one.at("from").get<std::string>()),
                         dot_quoted(to.get<std::string>()), dot_quoted(label), name == channel ? marked : "");
  }
  return dot + "}\n";
}

std::string listed(const std::map<std::string, int64_t> &numbers) {
  std::string text;
  for (const auto &[name, value] : numbers) text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, value);
  return text;
}

void write(const std::string &path, const std::string &text, Diagnostics &diagnostics) {
  if (const auto failed = write_file_atomic(path, text))
    diagnostics.report(diag::io_unwritable, {}, failed->path, failed->reason)
        .hint("give a file in a folder that exists and may be written");
}

} // namespace

int simulate_command(const Arguments &arguments) {
  Cache cache = Cache::from_environment();
  Diagnostics diagnostics;
  const std::map<std::string, std::string> options{{"sizes", listed(arguments.dims)},
                                                   {"capacities", listed(arguments.capacities)},
                                                   {"choose", arguments.choose || arguments.bytes ? "true" : "false"},
                                                   {"budget", std::to_string(arguments.bytes.value_or(0))},
                                                   {"timeline", arguments.trace.empty() ? "false" : "true"}};
  CompileRequest request = arguments.request;
  request.progress = progress_line(arguments);
  const auto found = simulate(request, options, cache, diagnostics);
  if (!found) return finish(arguments, diagnostics);
  if (found->by.empty()) {
    const auto inputs = gather(request, true, diagnostics);
    diagnostics.report(diag::cli_no_simulation, {}, inputs ? inputs->profile.target.value : "");
    return finish(arguments, diagnostics);
  }
  std::string text;
  Json run;
  try {
    run = Json::parse(found->json);
    text = fmt::format("{}{}: {} by {}, channels {}\n", text_of(run, "entry"),
                       arguments.dims.empty() ? "" : " at " + listed(arguments.dims), time_text(number(run, "seconds")),
                       found->by, bytes_text(number(run, "bytes"))) +
           summary_text(run);
    for (const auto &note : run.value("notes", Json::array())) text += note.get<std::string>() + "\n";
    text += "\n" + run_text(run);
    if (const auto choice = run.find("choice"); choice != run.end()) text += choice_text(*choice, found->declared);
    if (!arguments.trace.empty()) write(arguments.trace, trace_text(run), diagnostics);
    if (const auto drawn = run.find("svg"); drawn != run.end() && !arguments.svg.empty()) // by the model itself
      write(arguments.svg, drawn->get<std::string>(), diagnostics);
    else if (!arguments.svg.empty())
      if (const auto svg = svg_of(graph_text(run), diagnostics,
                                  "install Graphviz (Debian: `graphviz`); the table and `--trace` do without"))
        write(arguments.svg, *svg, diagnostics);
  } catch (const Json::exception &e) {
    diagnostics.report(diag::cli_bad_simulation, {}, found->by, e.what());
    return finish(arguments, diagnostics);
  }
  run["by"] = found->by;
  run.erase("svg");                                                  // it is where it was asked for
  for (auto &process : run.at("processes")) process.erase("slices"); // they are in the trace
  for (auto &channel : run.at("channels")) channel.erase("levels");
  return finish(arguments, diagnostics, arguments.quiet ? "" : text, run);
}

} // namespace htp
