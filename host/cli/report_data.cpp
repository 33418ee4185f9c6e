// The data of a report's page: a package's stages with where each line comes from, its plan, its emitted text, layouts,
// and what plugins see of the program.
#include "host/base/fs.h"
#include "host/cli/cites.h"
#include "host/cli/report.h"
#include "host/parse/parse.h"
#include "host/pipeline/stage.h"
#include "host/pipeline/tree.h"

#include <htp_cpp/constants.h>
#include <htp_cpp/layout/annotation.h>

#include <algorithm>
#include <set>
#include <unordered_map>

namespace htp {

namespace {

using Json = nlohmann::ordered_json;

// A page that opens at once: what is beyond these is left out, and the page says so.
constexpr size_t most_emitted = 700'000, most_slices = 9'000, most_elements = 4'096, most_layouts = 48,
                 most_stage_lines = 120'000;

Json object_of(const std::string &text) {
  Json json = Json::parse(text, nullptr, false);
  return json.is_discarded() ? Json() : json;
}

// Each line once: stages have most of theirs in common.
class LineTable {
public:
  Json add(const std::vector<std::string> &lines) {
    auto numbers = Json::array();
    for (const std::string &line : lines) {
      const auto [at, fresh] = known_.emplace(line, known_.size());
      if (fresh) all_.push_back(line);
      numbers.push_back(at->second);
    }
    return numbers;
  }
  Json take() { return std::move(all_); }

private:
  std::unordered_map<std::string, size_t> known_;
  Json all_ = Json::array();
};

// Of each line the line that its first statement, or what begins there, was made of: in the stage before, and the
// user's.
Json stage_json(const History &history, size_t k, LineTable &lines, size_t &budget) {
  const HistoryStage &stage = history.stages[k];
  const size_t count = stage.lines.size();
  Json json{{"id", stage.id}, {"pass", stage.pass}, {"path", stage.path}, {"holds", stage.holds}};
  if (count > budget) return json["lines"] = nullptr, json;
  budget -= count;
  std::vector<uint32_t> before(count), source(count);
  std::vector<std::string> files;
  for (size_t n = 0; n < stage.nodes.size(); ++n) {
    const HistoryNode &node = stage.nodes[n];
    if (!node.at.line || node.at.line > count) continue;
    const size_t line = node.at.line - 1;
    if (k && !before[line] && node.before >= 0)
      before[line] = history.stages[k - 1].nodes[static_cast<size_t>(node.before)].at.line;
    if (!source[line])
      if (const auto found = history.source_of(k, n)) source[line] = found->at.line;
  }
  json["lines"] = lines.add(stage.lines);
  if (k) json["before"] = before;
  json["source"] = source;
  return json;
}

// ── emitted text ──

Json emitted_json(const Package &package, LineTable &lines) {
  auto files = Json::array();
  size_t budget = most_emitted;
  for (const PackageManifest::Output &output : package.manifest.outputs) {
    const std::string *bytes = package.file(output.path);
    if (!bytes || output.path.starts_with("ir/")) continue;
    Json file{{"path", output.path}, {"role", output.role}, {"bytes", output.size}};
    if (bytes->find('\0') == std::string::npos && bytes->size() <= budget) {
      budget -= bytes->size();
      const std::vector<std::string> text = lines_in(*bytes);
      file["lines"] = lines.add(text);
      file["cites"] = citations(text);
    }
    files.push_back(std::move(file));
  }
  return files;
}

// ── the plan ──

Json passes_json(const Package &package) {
  const Json times = [&] {
    const auto text = read_file(join_path(package.folder, "logs/times.json"), package_manifest_limit);
    return text ? object_of(*text) : Json();
  }();
  std::map<std::string, Json> events;
  if (const std::string *trace = package.file("ir/pass_trace.jsonl"))
    for (const std::string &line : lines_in(*trace))
      if (const Json event = object_of(line); event.is_object() && event.value("pass", Json()).is_string())
        events[event["pass"].get<std::string>()] = event;
  auto passes = Json::array();
  for (const PackageManifest::Pass &pass : package.manifest.plan.passes) {
    Json one{{"name", pass.name},
             {"plugin", pass.plugin},
             {"version", pass.version},
             {"options", pass.options},
             {"why", pass.why}};
    for (const auto &unit : package.manifest.plan.resolution)
      if (unit.unit == pass.name) one["chosen"] = unit.why;
    if (const auto event = events.find(pass.name); event != events.end()) {
      for (const char *key : {"requires", "provides", "invalidates", "holds", "nodes", "changed", "diagnostics"})
        if (event->second.contains(key)) one[key] = event->second[key];
      one["stage"] = event->second.value("stage_after", Json());
      one["changes"] = event->second.value("stage_after", Json()) != event->second.value("stage_before", Json());
    }
    if (times.is_object())
      if (const Json seconds = times.value("pass " + pass.name, Json()); seconds.is_number()) one["seconds"] = seconds;
    passes.push_back(std::move(one));
  }
  return passes;
}

Json package_json(const Package &package) {
  const PackageManifest &m = package.manifest;
  Json json{{"name", m.identity.name},
            {"entry", m.identity.entry},
            {"target", m.target.backend},
            {"contract", m.target.contract},
            {"htp", m.htp},
            {"digest", package.digest},
            {"set", m.identity.set},
            {"options", m.target.options},
            {"hardware", m.target.hardware},
            {"dialects", m.dialects},
            {"intrinsics", m.intrinsics},
            {"capabilities", m.capabilities},
            {"pipeline", m.plan.pipeline}};
  json["entries"] = Json::array();
  for (const auto &entry : m.entries) {
    auto parameters = Json::array();
    for (const auto &p : entry.parameters)
      parameters.push_back({{"name", p.name}, {"direction", p.direction}, {"type", p.type}});
    json["entries"].push_back({{"name", entry.name}, {"parameters", parameters}, {"returns", entry.returns}});
  }
  json["inputs"] = Json::array();
  for (const auto &input : m.inputs)
    json["inputs"].push_back({{"path", input.path}, {"role", input.role}, {"sha256", input.sha256}});
  json["plugins"] = Json::array();
  for (const auto &plugin : m.plugins)
    json["plugins"].push_back({{"id", plugin.id}, {"version", plugin.version}, {"sha256", plugin.library_sha256}});
  json["units"] = Json::array();
  for (const auto &unit : m.plan.resolution)
    json["units"].push_back({{"unit", unit.unit}, {"kind", unit.kind}, {"plugin", unit.plugin}, {"why", unit.why}});
  return json;
}

// ── layouts ──

// The elements of a layout, each with its coordinate on every axis; of a large one the first.
Json layout_json(const layout::Layout &layout) {
  std::set<std::string> axes;
  const auto collect = [&](const layout::Term &term) {
    for (const auto &step : term.steps)
      for (const auto &[axis, n] : step) axes.insert(axis);
  };
  for (const auto &term : layout.terms()) collect(term);
  for (const auto &[axis, n] : layout.fields().offset) axes.insert(axis);
  const int64_t shown = std::min<int64_t>(layout.size(), most_elements);
  Json json{{"text", layout::write(layout)}, {"size", layout.size()}, {"axes", Json::object()}};
  for (const std::string &axis : axes) json["axes"][axis] = Json::array();
  for (int64_t k = 0; k < shown; ++k) {
    const layout::Point at = layout.at(k);
    for (const std::string &axis : axes) json["axes"][axis].push_back(at[axis]);
  }
  json["copies"] = Json::array();
  for (const auto &term : layout.replicate()) {
    Json copy{{"count", term.extent}, {"along", Json::array()}};
    for (const auto &[axis, n] : term.steps[0]) copy["along"].push_back(axis);
    json["copies"].push_back(std::move(copy));
  }
  json["pending"] = Json::array();
  for (const auto &one : layout.pending()) json["pending"].push_back({{"op", one.op}, {"count", one.term.extent}});
  return json;
}

// Those that stand in types, in the order in which stages first have them.
Json layouts_json(const History &history) {
  auto found = Json::array();
  std::map<std::string, size_t> known;
  for (const HistoryStage &stage : history.stages) {
    std::string text;
    bool any = false;
    for (const std::string &line : stage.lines) text += line + "\n", any = any || line.find("layout") != line.npos;
    if (!any) continue;
    Store store;
    Diagnostics ignored;
    const htp_node module = parse_tree(std::make_shared<SourceFile>(stage.path, text), ignored, store);
    if (!module) continue;
    const sdk::Reader reader(store.abi());
    const sdk::Constants constants(reader, module);
    const auto integer = [&](htp_node e) { return constants.integer(e); };
    const auto type = [&](std::string_view name, htp_node annotation) {
      if (!annotation) return;
      reader.each(annotation, [&](htp_node n) {
        const auto subscript = reader.as<sdk::ast::Subscript>(n);
        const auto arguments = subscript ? reader.as<sdk::ast::Tuple>(subscript.slice()) : sdk::ast::Tuple();
        if (!arguments) return;
        auto shape = Json::array();
        for (const htp_node argument : arguments.elts()) {
          if (store.kind(argument) != HTP_Call) {
            if (const auto extent = constants.integer(argument)) shape.push_back(*extent);
            continue;
          }
          const auto layout = sdk::read_layout(reader, argument, integer);
          if (!layout || found.size() >= most_layouts) continue;
          const auto [at, fresh] = known.emplace(layout::write(*layout) + shape.dump(), found.size());
          if (fresh) {
            Json one = layout_json(*layout);
            one["shape"] = shape;
            one["of"] = Json::array();
            one["stage"] = stage.id + "-" + stage.pass;
            found.push_back(std::move(one));
          }
          Json &of = found[at->second]["of"];
          if (of.size() < 24 && std::find(of.begin(), of.end(), name) == of.end()) of.push_back(name);
        }
      });
    };
    reader.each(module, [&](htp_node n) {
      if (const auto arg = reader.as<sdk::ast::arg>(n)) type(arg.arg(), arg.annotation());
      if (const auto assign = reader.as<sdk::ast::AnnAssign>(n))
        type(reader.name_of(assign.target()), assign.annotation());
    });
  }
  return found;
}

// ── what plugins and runs say ──

// Of all lanes the longest slices, as many as the page takes.
void cut_slices(Json &lanes, size_t &left_out) {
  std::vector<double> lengths;
  for (const Json &lane : lanes)
    for (const Json &slice : lane["slices"]) lengths.push_back(slice[1].get<double>());
  if (lengths.size() <= most_slices) return;
  std::nth_element(lengths.begin(), lengths.begin() + most_slices, lengths.end(), std::greater<>());
  const double least = lengths[most_slices];
  for (Json &lane : lanes) {
    auto kept = Json::array();
    for (Json &slice : lane["slices"]) {
      if (slice[1].get<double>() > least)
        kept.push_back(std::move(slice));
      else
        ++left_out;
    }
    lane["slices"] = std::move(kept);
  }
}

// A slice is [begin, seconds, what, label].
Json planned_json(const Json &simulated) {
  auto lanes = Json::array();
  for (const Json &process : simulated.at("processes")) {
    auto slices = Json::array();
    for (const Json &s : process.value("slices", Json::array()))
      slices.push_back(Json::array({s.at("begin"), s.at("seconds"), s.at("what"), s.value("channel", "")}));
    lanes.push_back({{"name", process.at("name")}, {"slices", slices}});
  }
  return lanes;
}

// Chrome's trace events: complete ones, by thread.
Json traced_json(const Json &trace) {
  const Json &events = trace.is_array() ? trace : trace.at("traceEvents");
  std::map<std::pair<int64_t, int64_t>, std::pair<std::string, Json>> threads;
  const auto whole = [](const Json &event, const char *key) {
    const Json value = event.value(key, Json(0));
    return value.is_number() ? value.get<int64_t>() : 0;
  };
  for (const Json &event : events) {
    if (!event.is_object()) continue;
    auto &[name, slices] = threads[{whole(event, "pid"), whole(event, "tid")}];
    const std::string phase = event.value("ph", "");
    if (phase == "M" && event.value("name", "") == "thread_name")
      name = event.at("args").at("name").get<std::string>();
    else if (phase == "X")
      slices.push_back(Json::array({event.at("ts").get<double>() / 1e6, event.at("dur").get<double>() / 1e6,
                                    event.value("cat", ""), event.value("name", "")}));
  }
  auto lanes = Json::array();
  for (auto &[id, thread] : threads)
    if (!thread.second.empty())
      lanes.push_back({{"name", thread.first.empty() ? "thread " + std::to_string(id.second) : thread.first},
                       {"slices", std::move(thread.second)}});
  return lanes;
}

Json timeline_json(Json lanes) {
  size_t left_out = 0;
  cut_slices(lanes, left_out);
  return {{"lanes", std::move(lanes)}, {"left_out", left_out}};
}

// What a plugin answers that is not of the form is missing, and everything else is there.
void add_views(const Views &views, Json &data) {
  data["missing"] = Json::array();
  for (const auto &[what, why] : views.missing) data["missing"].push_back({{"what", what}, {"why", why}});
  const auto add = [&](const char *what, auto part) {
    try {
      part();
    } catch (const Json::exception &e) {
      data["missing"].push_back({{"what", what}, {"why", std::string("the answer is not of the form: ") + e.what()}});
    }
  };
  if (views.tasks)
    add("Task.Graph", [&] {
      Json tasks = Json::parse(views.tasks->json);
      tasks["stage"] = views.tasks->stage;
      for (const auto &[id, span] : views.tasks->locations)
        if (span.line) tasks["lines"][id] = span.line;
      data["tasks"] = std::move(tasks);
    });
  if (views.simulated && !views.simulated->by.empty())
    add("Simulation.Model", [&] {
      Json simulated = Json::parse(views.simulated->json);
      Json planned = timeline_json(planned_json(simulated));
      for (const char *key : {"seconds", "bytes"}) simulated.at(key).get<double>();
      simulated.erase("svg");
      for (Json &process : simulated.at("processes")) process.erase("slices");
      for (Json &channel : simulated.at("channels")) channel.erase("levels");
      simulated["by"] = views.simulated->by;
      data["planned"] = std::move(planned);
      data["network"] = std::move(simulated);
    });
  if (views.cost && !views.cost->by.empty()) data["cost"] = {{"by", views.cost->by}, {"seconds", views.cost->seconds}};
  if (views.drawn)
    add("Report.Views", [&] {
      Json drawn = Json::parse(views.drawn->json);
      drawn.at("views").get_ref<const Json::array_t &>();
      data["views"] = std::move(drawn["views"]);
    });
}

} // namespace

Json timeline_of(const Json &trace) { return timeline_json(traced_json(trace)); }

std::vector<std::string> dims_of(const History &history) {
  std::vector<std::string> dims;
  for (const std::string &line : history.stages.front().lines) { // as HTP prints it
    const size_t equals = line.find(" = htp.dim(");
    if (equals != line.npos && equals > 0 && line[0] != ' ' && line[0] != '#') dims.push_back(line.substr(0, equals));
  }
  return dims;
}

Json report_data(const ReportSources &of) {
  LineTable lines;
  Json data{
      {"schema", "htp.report-data/1"}, {"package", package_json(of.package)}, {"passes", passes_json(of.package)}};
  data["stages"] = Json::array();
  size_t budget = most_stage_lines;
  for (size_t k = 0; k < of.history.stages.size(); ++k)
    data["stages"].push_back(stage_json(of.history, k, lines, budget));
  data["emitted"] = emitted_json(of.package, lines);
  data["layouts"] = layouts_json(of.history);
  data["sizes"] = of.sizes;
  if (of.views) add_views(*of.views, data);
  if (!of.trace.is_null()) data["traced"] = of.trace;
  if (!of.bench.is_null()) data["bench"] = of.bench;
  if (!of.verified.is_null()) data["verified"] = of.verified;
  if (!of.values.is_null()) data["values"] = of.values;
  data["lines"] = lines.take();
  return data;
}

} // namespace htp
