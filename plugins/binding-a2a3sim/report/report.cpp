// What a run of a package looks like, as data and as a picture: its tasks and what they wait for, how busy each pipe
// is, and of the first task of each kernel its memory over time and its events. By the texts and the cycle model,
// without a run.
#include "package.h"

#include <nlohmann/json.hpp>

#include <charconv>
#include <cmath>
#include <set>

namespace htp::a2a3sim {

namespace {

using Json = nlohmann::ordered_json;

double rounded(double cycles) { return std::round(cycles * 10) / 10; }
const char *space_name(Space space) {
  constexpr const char *names[] = {"ub", "mat", "left", "right", "acc", "bias", "scaling"};
  return names[static_cast<size_t>(space)];
}

// The sizes that the option names; nothing after a report.
std::optional<std::vector<int64_t>> sizes_of(const Context &c, const Package &p) {
  std::map<std::string, int64_t> sizes;
  std::string_view rest = c.option("report");
  while (!rest.empty()) {
    const size_t end = std::min(rest.find(' '), rest.size()), is = std::min(rest.find('='), end);
    int64_t size = 0;
    const char *digits = rest.data() + std::min(is + 1, end), *last = rest.data() + end;
    if (digits < last && std::from_chars(digits, last, size).ptr == last) sizes[std::string(rest.substr(0, is))] = size;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  std::vector<int64_t> dims;
  std::string lacking;
  for (const std::string &name : p.dims) {
    const auto found = sizes.find(name);
    if (found == sizes.end() || (found->second < 0 && !p.is_int(dims.size())))
      lacking += (lacking.empty() ? "`" : ", `") + name + "`";
    dims.push_back(found == sizes.end() ? 0 : found->second);
  }
  if (!lacking.empty()) {
    c.report(diag::report_sizes, HTP_NONE, lacking);
    return std::nullopt;
  }
  for (const Limit &l : p.limits)
    if (const auto value = value_of(l.extent, dims); !value || *value < l.least || *value > l.most) {
      beyond(p, l, dims, value.value_or(-1)).report(c, HTP_NONE);
      return std::nullopt;
    }
  return dims;
}

// The tile that the registry calls by a name.
std::string buffer_of(const Json &registry, int func_id, const Use &use) {
  for (const Json &k : registry.value("kernels", Json::array()))
    if (k.value("func_id", -1) == func_id)
      for (const Json &m : k.value("memory", Json::array()))
        if (m.value("space", "") == space_name(use.space) && m.value("offset", uint64_t{0}) == use.offset &&
            m.value("bytes", uint64_t{0}) == use.bytes)
          return m.value("buffer", "");
  return "";
}

// How a kernel's work lies on the cores: which share of all tasks' cycles it has, how many cores it has tasks on, and
// how many of these have at least half of what they have on average.
Json spread_over_cores(const Timeline &line, int id) {
  std::map<std::string, double> work;
  double all = 0, own = 0;
  for (const Timeline::Task &t : line.tasks) {
    all += t.cycles;
    if (t.func_id == id) own += t.cycles, work[t.core] += t.cycles;
  }
  const double mean = own / static_cast<double>(std::max<size_t>(work.size(), 1));
  const auto busy = std::count_if(work.begin(), work.end(), [&](const auto &c) { return c.second >= mean / 2; });
  const bool vector = !work.empty() && work.begin()->first.starts_with("AIV");
  return {{"used", work.size()},
          {"busy", busy},
          {"there", vector ? vector_cores : cube_cores},
          {"of_all_cycles", std::round(1000 * own / std::max(all, 1.0)) / 1000}};
}

// What each orchestration text makes of the tasks: which wait for which, and when the last one ends.
Json graphs_of(const std::map<std::string, Timeline> &lines) {
  Json all = Json::array();
  for (const auto &[path, line] : lines) {
    std::map<uint32_t, const Timeline::Task *> tasks;
    for (const Timeline::Task &t : line.tasks) tasks[t.number] = &t;
    Json graph{{"source", path}, {"cycles", rounded(line.cycles)}, {"tasks", Json::array()}};
    for (const auto &[number, t] : tasks)
      graph["tasks"].push_back({{"task", number}, {"func_id", t->func_id}, {"after", t->after}});
    all.push_back(std::move(graph));
  }
  return all;
}

Json report_of(const Package &p, const std::vector<int64_t> &dims, const Timeline &line,
               const std::map<std::string, Timeline> &others, const Json &registry) {
  Json j{{"schema", "htp.a2a3sim.report/1"}, {"contract", p.contract}, {"entry", p.entry}};
  j["sizes"] = Json::object();
  for (size_t d = 0; d < dims.size(); ++d) j["sizes"][p.dims[d]] = dims[d];
  j["clock_mhz"] = cost::clock;
  j["cycles"] = rounded(line.cycles);
  j["microseconds"] = rounded(cost::program_start + line.cycles / cost::clock);
  j["start_microseconds"] = cost::program_start; // of which no cycles are
  // What must leave the machine's memory: of what is given and made alone, each once. And what cores move, much of
  // which a cache that they share holds. No limit of either is known.
  double moved = 0;
  for (const Parameter &q : p.parameters) {
    double bytes = dtype_row(q.dtype)->bits / 8.0;
    for (const Extents &e : q.dims) bytes *= static_cast<double>(value_of(e, dims).value_or(0));
    moved += q.direction == "inout" ? 2 * bytes : bytes;
  }
  const auto a_second = [&](double bytes) { return rounded(bytes / std::max(line.cycles, 1.0) * cost::clock / 1000); };
  j["memory"] = {{"bytes", moved},
                 {"gigabytes_a_second", a_second(moved)},
                 {"moved_bytes", line.moved},
                 {"moved_gigabytes_a_second", a_second(line.moved)},
                 {"room_bytes", line.held}};
  for (const bool vector : {false, true}) {
    std::set<std::string> used;
    for (const Timeline::Task &t : line.tasks)
      if (t.core.starts_with(vector ? "AIV" : "AIC")) used.insert(t.core);
    if (!used.empty())
      j["cores"][vector ? "vector" : "cube"] = {{"used", used.size()}, {"there", vector ? vector_cores : cube_cores}};
  }
  j["bound"] = {{"core", line.core}, {"pipe", name_of(line.pipe)}, {"busy", std::round(line.share * 1000) / 1000}};
  j["pipes"] = Json::array();
  for (const auto &[core, pipes] : line.busy)
    for (const auto &[pipe, cycles] : pipes)
      j["pipes"].push_back({{"core", core},
                            {"pipe", name_of(pipe)},
                            {"cycles", rounded(cycles)},
                            {"busy", std::round(1000 * cycles / std::max(line.cycles, 1.0)) / 1000}});
  j["tasks"] = Json::array();
  for (const Timeline::Task &t : line.tasks)
    j["tasks"].push_back({{"task", t.number},
                          {"func_id", t.func_id},
                          {"kernel", t.kernel},
                          {"core", t.core},
                          {"begin", rounded(t.begin)},
                          {"cycles", rounded(t.cycles)},
                          {"after", t.after}});
  j["orchestrations"] = graphs_of(others);
  j["kernels"] = Json::array();
  for (const auto &[id, recorded] : line.records) {
    const Record &r = recorded.second;
    Json kernel{{"func_id", id},
                {"task", recorded.first},
                {"cores", spread_over_cores(line, id)},
                {"instructions", Json::array()},
                {"memory", Json::array()},
                {"events", Json::array()}};
    for (const Source &s : p.sources)
      if (!s.orchestration && s.func_id == id) kernel["kernel"] = s.name, kernel["source"] = s.path;
    for (const Event &e : r.events)
      kernel["instructions"].push_back({{"pipe", name_of(e.pipe)},
                                        {"name", name_of(e.op)},
                                        {"line", e.line},
                                        {"begin", rounded(e.begin)},
                                        {"cycles", rounded(e.cycles)}});
    std::map<std::tuple<Space, uint64_t, uint64_t>, Json> memory;
    for (const Use &u : r.uses) {
      Json &row = memory[{u.space, u.offset, u.bytes}];
      if (row.is_null())
        row = {{"space", space_name(u.space)},
               {"offset", u.offset},
               {"bytes", u.bytes},
               {"buffer", buffer_of(registry, id, u)},
               {"uses", Json::array()}};
      const Event &e = r.events[u.event];
      row["uses"].push_back({{"write", u.write},
                             {"instruction", u.event},
                             {"begin", rounded(e.begin)},
                             {"end", rounded(e.begin + e.cycles)}});
    }
    for (auto &[place, row] : memory) kernel["memory"].push_back(std::move(row));
    for (const Signal &s : r.signals)
      kernel["events"].push_back({{"source", name_of(static_cast<Pipe>(s.from))},
                                  {"destination", name_of(static_cast<Pipe>(s.to))},
                                  {"id", s.id},
                                  {"set_line", s.set_line},
                                  {"wait_line", s.wait_line},
                                  {"set", rounded(s.set)},
                                  {"waited", rounded(s.waited)}});
    j["kernels"].push_back(std::move(kernel));
  }
  return j;
}

// ── the picture ─────────────────────────────────────────────────────────────────────────────────────────────────────

constexpr double left = 170, width = 1000, row_height = 16, most_marks = 4000;
constexpr const char *colours[] = {"#4878a8", "#e08030", "#58a058", "#b05050",
                                   "#8868b0", "#907058", "#c878b0", "#808080"};

std::string number(double n) {
  std::string text = std::to_string(n);
  return text.substr(0, text.find('.') + 2);
}
std::string escaped(const std::string &text) {
  std::string out;
  for (const char ch : text)
    out += ch == '<' ? "&lt;" : ch == '>' ? "&gt;" : ch == '&' ? "&amp;" : ch == '"' ? "&quot;" : std::string(1, ch);
  return out;
}

class Picture {
public:
  // A heading, what colours are, and an axis for rows over so many cycles from now on.
  void part(const std::string &heading, double cycles, const std::vector<std::pair<std::string, std::string>> &legend) {
    y_ += 28;
    text(8, heading + " (" + number(cycles) + " cycles, " + number(cycles / cost::clock) + " µs)", "bold");
    y_ += row_height;
    double at = left;
    for (const auto &[colour, label] : legend) {
      body_ += "<rect x=\"" + number(at) + "\" y=\"" + number(y_ - 9) + "\" width=\"10\" height=\"10\" fill=\"" +
               colour + "\"/>\n";
      text(at + 14, label, "normal");
      at += 14 + 7 * static_cast<double>(label.size()) + 20;
    }
    cycles_ = std::max(cycles, 1.0);
    axis();
  }
  void row(const std::string &name) { y_ += row_height, text(8, name, "normal"); }
  void mark(double begin, double cycles, const std::string &colour, const std::string &label) {
    if (++marks_ > most_marks) return;
    body_ += "<rect x=\"" + number(x(begin)) + "\" y=\"" + number(y_ - 11) + "\" width=\"" +
             number(std::max(0.5, cycles * width / cycles_)) + "\" height=\"13\" fill=\"" + colour + "\"><title>" +
             escaped(label) + "</title></rect>\n";
  }
  double y() const { return y_; }
  double x(double cycle) const { return left + cycle * width / cycles_; }
  void edge(double x1, double y1, double x2, double y2) {
    if (++marks_ > most_marks) return;
    body_ += "<line x1=\"" + number(x1) + "\" y1=\"" + number(y1) + "\" x2=\"" + number(x2) + "\" y2=\"" + number(y2) +
             "\" stroke=\"#222\" stroke-width=\"0.6\"/>\n";
  }
  std::string svg() {
    if (marks_ > most_marks)
      y_ += row_height, text(8,
                             "of " + std::to_string(static_cast<int>(marks_)) + " marks the first " +
                                 std::to_string(static_cast<int>(most_marks)) + " are drawn; report.json has all",
                             "normal");
    return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + number(left + width + 90) + "\" height=\"" +
           number(y_ + 20) +
           "\" font-family=\"sans-serif\" font-size=\"11\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n" +
           body_ + "</svg>\n";
  }

private:
  // Cycles and microseconds at about eight places, by steps of 1, 2 or 5 and zeros.
  void axis() {
    double step = std::pow(10, std::floor(std::log10(cycles_ / 8)));
    for (const double more : {2.0, 2.5, 2.0})
      if (cycles_ / step > 10) step *= more;
    y_ += row_height;
    text(8, "cycles (µs)", "normal");
    for (double at = 0; at <= cycles_; at += step) {
      body_ += "<line x1=\"" + number(x(at)) + "\" y1=\"" + number(y_ + 1) + "\" x2=\"" + number(x(at)) + "\" y2=\"" +
               number(y_ + 5) + "\" stroke=\"#222\"/>\n";
      text(x(at), std::to_string(static_cast<int64_t>(at + 0.5)) + " (" + number(at / cost::clock) + ")", "normal");
    }
    y_ += 4;
  }
  void text(double at, const std::string &label, const char *weight) {
    body_ += "<text x=\"" + number(at) + "\" y=\"" + number(y_) + "\" font-weight=\"" + weight + "\">" +
             escaped(label) + "</text>\n";
  }
  std::string body_;
  double y_ = 0, cycles_ = 1, marks_ = 0;
};

std::string picture(const Json &j) {
  Picture p;
  std::vector<std::pair<std::string, std::string>> kernels;
  for (const Json &k : j["kernels"])
    kernels.emplace_back(colours[k["func_id"].get<size_t>() % std::size(colours)], k.value("kernel", ""));
  p.part(j["entry"].get<std::string>() + ", " + number(j["microseconds"]) + " µs, of which " +
             number(j["start_microseconds"]) + " to start: tasks; bound by " + j["bound"]["core"].get<std::string>() +
             " " + j["bound"]["pipe"].get<std::string>(),
         j["cycles"], kernels);
  std::map<std::string, std::vector<const Json *>, CoreOrder> cores;
  for (const Json &t : j["tasks"]) cores[t["core"].get<std::string>()].push_back(&t);
  std::map<int64_t, std::array<double, 3>> places; // of a task: where it begins and ends, and its row
  for (const auto &[core, tasks] : cores) {
    p.row(core);
    for (const Json *t : tasks) {
      const double begin = (*t)["begin"], cycles = (*t)["cycles"];
      p.mark(begin, cycles, colours[(*t)["func_id"].get<size_t>() % std::size(colours)],
             "task " + std::to_string((*t)["task"].get<int64_t>()) + ": " + (*t)["kernel"].get<std::string>() + ", " +
                 number(cycles) + " cycles");
      places[(*t)["task"].get<int64_t>()] = {p.x(begin), p.x(begin + cycles), p.y() - 4};
    }
  }
  for (const Json &t : j["tasks"])
    for (const Json &after : t["after"])
      p.edge(places[after.get<int64_t>()][1], places[after.get<int64_t>()][2], places[t["task"].get<int64_t>()][0],
             places[t["task"].get<int64_t>()][2]);
  for (const Json &k : j["kernels"]) {
    double end = 0;
    std::map<std::string, std::vector<const Json *>> pipes;
    for (const Json &e : k["instructions"])
      end = std::max(end, e["begin"].get<double>() + e["cycles"].get<double>()),
      pipes[e["pipe"].get<std::string>()].push_back(&e);
    p.part(k.value("kernel", "") + ", task " + std::to_string(k["task"].get<int64_t>()), end,
           {{"#4878a8", "a pipe's instruction"},
            {"#c8d4e0", "bytes in use"},
            {"#b05050", "written"},
            {"#58a058", "read"},
            {"#e08030", "from a flag's set to its wait"}});
    for (const auto &[pipe, events] : pipes) {
      p.row(pipe);
      for (const Json *e : events)
        p.mark((*e)["begin"], (*e)["cycles"], "#4878a8",
               (*e)["name"].get<std::string>() + ", line " + std::to_string((*e)["line"].get<int>()));
    }
    for (const Json &m : k["memory"]) {
      p.row(m["space"].get<std::string>() + " " + std::to_string(m["offset"].get<uint64_t>()) + " " +
            m["buffer"].get<std::string>());
      // From each first write to the last use before the next one the bytes are in use.
      double begin = -1, last = 0;
      const auto close = [&] {
        if (begin >= 0)
          p.mark(begin, last - begin, "#c8d4e0",
                 m["buffer"].get<std::string>() + ", " + std::to_string(m["bytes"].get<uint64_t>()) + " bytes");
      };
      for (const Json &u : m["uses"]) {
        if (u["write"].get<bool>() && u["begin"].get<double>() >= last) close(), begin = u["begin"];
        if (begin < 0) begin = u["begin"];
        last = std::max(last, u["end"].get<double>());
      }
      close();
      for (const Json &u : m["uses"])
        p.mark(u["begin"], u["end"].get<double>() - u["begin"].get<double>(),
               u["write"].get<bool>() ? "#b05050" : "#58a058", u["write"].get<bool>() ? "written" : "read");
    }
    std::map<std::string, std::vector<const Json *>> events;
    for (const Json &e : k["events"])
      events[e["source"].get<std::string>() + " to " + e["destination"].get<std::string>() + " " +
             std::to_string(e["id"].get<int>())]
          .push_back(&e);
    for (const auto &[name, signals] : events) {
      p.row("event " + name);
      for (const Json *e : signals)
        p.mark((*e)["set"], (*e)["waited"].get<double>() - (*e)["set"].get<double>(), "#e08030",
               "set on line " + std::to_string((*e)["set_line"].get<int>()) + ", waited for on line " +
                   std::to_string((*e)["wait_line"].get<int>()));
    }
  }
  return p.svg();
}

bool write(const Context &c, const std::string &path, const std::string &text) {
  htp_tool_result result{};
  return run_tool(c, {"/bin/sh", "-c", "cat > \"$1\"", "sh", path}, {}, text, result) && result.exit_status == 0;
}

} // namespace

Result write_report(const Context &c, const Package &p, const std::string &folder) {
  const auto dims = sizes_of(c, p);
  Timeline line;
  std::map<std::string, Timeline> others;
  if (!dims || !measure(c, p, *dims, line, others)) return HTP_FAILED;
  std::string bytes;
  read_package_file(c, "registry.json", bytes);
  const Json j = report_of(p, *dims, line, others, Json::parse(bytes, nullptr, false));
  return write(c, folder + "/report.json", j.dump(1) + "\n") && write(c, folder + "/report.svg", picture(j))
             ? HTP_OK
             : HTP_FAILED;
}

} // namespace htp::a2a3sim
