// aiesim.simulation: what the host's `simulate` tells of a program for AI Engines, by the model of its module.
#include "binding/binding.h"
#include "report/picture.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace htp::aiesim {

namespace {

using nlohmann::ordered_json;

std::string text_of(double value, const char *unit) {
  char text[64];
  std::snprintf(text, sizeof text, "%.4g %s", value, unit);
  return text;
}

void set_depth(Fifo &f, int64_t depth) {
  for (int64_t &d : f.depths) d = std::max<int64_t>(depth, 1);
}

// What is wrong with a module; nothing where it is legal.
std::optional<Wrong> wrong_with(const Module &m) {
  try {
    check_legal(m);
    return std::nullopt;
  } catch (const Wrong &wrong) {
    return wrong;
  }
}

// The statement of the tree that a fifo is of, by its name: `x_in_0_1` is of the stream `x_in`.
Node stream_of(const Context &c, Node root, std::string_view fifo) {
  Node found = HTP_NONE;
  size_t longest = 0;
  c.each(root, [&](Node n) {
    auto a = c.as<ast::Assign>(n);
    const std::string_view name = a && a.targets().size() == 1 ? c.name_of(a.targets()[0]) : std::string_view();
    if (name.size() <= longest || !fifo.starts_with(name) || (fifo.size() > name.size() && fifo[name.size()] != '_'))
      return;
    longest = name.size();
    found = n;
  });
  return found;
}

// "x_in_0=4 y_out_0=1": other depths than the module's. What has no memory is reported at the stream's line.
bool set_depths(const Context &c, Node root, Module &m, std::string_view text) {
  while (!text.empty()) {
    const std::string_view one = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(one.size() + 1, text.size()));
    const size_t equals = one.find('=');
    int64_t depth = 0;
    if (equals != one.npos) std::from_chars(one.data() + equals + 1, one.data() + one.size(), depth);
    bool found = false;
    for (Fifo &f : m.fifos)
      if (f.name == one.substr(0, equals)) {
        found = true;
        const auto were = f.depths;
        const int64_t was = *std::max_element(were.begin(), were.end());
        set_depth(f, depth);
        const auto wrong = wrong_with(m);
        if (!wrong) continue;
        f.depths = were;
        if (wrong_with(m)) continue; // it is not of this one
        int64_t most = was;
        for (int64_t d = was + 1; d < depth; ++d) {
          set_depth(f, d);
          if (wrong_with(m)) break;
          most = d;
        }
        c.report(diag::capacity, stream_of(c, root, f.name), f.name, depth, most)
            .hint("`--capacity " + f.name + "=" + std::to_string(most) + "` is the most")
            .note(wrong->what());
        return false;
      }
    if (!found) {
      c.report(diag::unknown_fifo, HTP_NONE, one.substr(0, equals)).hint("`codegen/aie/aie.mlir` has the names");
      return false;
    }
  }
  return true;
}

ordered_json slices_of(const Agent &a, const Prediction &p) {
  auto found = ordered_json::array();
  for (const Slice &s : a.slices) {
    ordered_json one{{"begin", s.begin},
                     {"seconds", s.seconds},
                     {"what", s.what == Slice::What::work   ? "work"
                              : s.what == Slice::What::full ? "full"
                                                            : "empty"}};
    if (s.what != Slice::What::work) one["channel"] = p.rings[s.ring].name;
    found.push_back(std::move(one));
  }
  return found;
}

// What more depth of the FIFO that holds things up would change.
std::string with_more_depth(const Module &m, const Fifo &full, const Prediction &now, Assumed assumed) {
  Module more = m;
  Fifo &f = more.fifos[static_cast<size_t>(&full - m.fifos.data())];
  const int64_t depth = *std::max_element(f.depths.begin(), f.depths.end()) + 1;
  set_depth(f, depth);
  if (wrong_with(more)) return "; faster readers would shorten it, and its tile has no memory for more";
  assumed.timeline = false;
  const double then = predict(more, assumed).seconds;
  const std::string option = "`--capacity " + f.name + "=" + std::to_string(depth) + "`";
  if (then > now.seconds * 0.9999) return "; faster readers would shorten it, more depth, " + option + ", would not";
  return "; faster readers would shorten it, and with " + option + " it takes " + text_of(then * 1e6, "µs");
}

ordered_json described(const Module &m, const Wiring &wiring, const Prediction &p, const std::string &entry,
                       const Assumed &assumed) {
  ordered_json json{{"entry", entry}, {"seconds", p.seconds}};
  double bytes = 0;
  auto processes = ordered_json::array(), channels = ordered_json::array();
  const Agent *most = &p.agents[0];
  for (const Agent &a : p.agents) {
    if (a.critical > most->critical) most = &a;
    ordered_json one{{"name", a.name}, {"end", a.end},     {"busy", a.busy},
                     {"full", a.full}, {"empty", a.empty}, {"critical", a.critical}};
    if (assumed.timeline) one["slices"] = slices_of(a, p);
    processes.push_back(std::move(one));
  }
  for (size_t k = 0; k < p.rings.size(); ++k) {
    const RingRun &r = p.rings[k];
    const Fifo &f = m.fifos[wiring.rings[k].fifo];
    bytes += static_cast<double>(f.type.bytes() * wiring.rings[k].depth);
    ordered_json one{{"name", r.name},
                     {"declared", f.name},
                     {"capacity", wiring.rings[k].depth},
                     {"slot_bytes", f.type.bytes()},
                     {"from", nullptr}};
    if (r.writer >= 0) one["from"] = p.agents[static_cast<size_t>(r.writer)].name;
    one["to"] = ordered_json::array();
    for (const size_t reader : r.readers) one["to"].push_back(p.agents[reader].name);
    one.update({{"items", r.items},
                {"most", r.most},
                {"mean", r.mean},
                {"full", r.full},
                {"empty", r.empty},
                {"critical", r.critical}});
    channels.push_back(std::move(one));
  }
  json["bytes"] = static_cast<int64_t>(bytes);
  json["processes"] = std::move(processes);
  json["channels"] = std::move(channels);
  json["critical"] = {{"process", most->name}};
  const auto full = std::max_element(p.rings.begin(), p.rings.end(),
                                     [](const RingRun &a, const RingRun &b) { return a.critical < b.critical; });
  if (full != p.rings.end() && full->critical > 0) {
    json["critical"]["channel"] = full->name;
    const size_t ring = static_cast<size_t>(full - p.rings.begin());
    json["critical"]["more"] = with_more_depth(m, m.fifos[wiring.rings[ring].fifo], p, assumed);
  }
  auto notes = ordered_json::array({"bound: " + p.bound});
  if (p.products > 0 && p.peak > 0) {
    std::string others; // dtypes
    for (const std::string_view e : Tally::elements)
      if (const double n = p.tally.of(e); n > 0 && e != p.element)
        others +=
            (others.empty() ? "; beside them " : " and ") + text_of(2 * n / p.seconds / 1e12, "T in ") + std::string(e);
    notes.push_back(text_of(2 * p.products / p.seconds / 1e12, "T operations a second, ") +
                    text_of(100 * p.products / p.seconds / p.peak, "% of what the device's cores could do in ") +
                    std::string(p.element) + others);
    notes.push_back(std::string("assumed: ") +
                    (p.matrix ? "products by blocks go by the matrix units, and turns" : "turns") + " of loops " +
                    (assumed.pipelines ? "overlap" : "follow each other"));
  }
  notes.push_back("the host's memory: " + text_of(p.memory_bytes / 1e6, "MB, ") +
                  text_of(p.memory_bytes / p.seconds / 1e9, "GB/s"));
  if (p.timeline_cut > 0)
    notes.push_back("the timeline leaves out " + std::to_string(p.timeline_cut) + " slices at its end");
  json["notes"] = std::move(notes);
  json["svg"] = array_svg(m, p, entry + ": " + text_of(p.seconds * 1e6, "µs"));
  return json;
}

} // namespace

Result simulate(const Context &c, Node root, const Sink &sink) {
  const htp_table *table = c.host()->analysis(c.ctx(), "aie.module", root);
  if (!table) return HTP_FAILED;
  const htp_row *row = nullptr;
  for (size_t k = 0; k < table->count; ++k)
    if (table->rows[k].value.type == HTP_VALUE_STR) row = &table->rows[k];
  if (!row) return HTP_FAILED;
  if (c.option("choose") == "true") {
    c.report(diag::no_choice, HTP_NONE);
    return HTP_FAILED;
  }
  const int64_t megahertz = c.option_int("megahertz");
  if (megahertz < 0) {
    c.report(diag::megahertz, HTP_NONE, megahertz);
    return HTP_FAILED;
  }
  try {
    Module m = read_module(std::string(view(row->value.u.s)));
    if (!set_depths(c, root, m, c.option("capacities"))) return HTP_FAILED;
    check_legal(m);
    const Assumed assumed{.hertz = static_cast<double>(megahertz) * 1e6,
                          .pipelines = c.option("pipelines") == "true",
                          .timeline = c.option("timeline") == "true"};
    const Prediction p = predict(m, assumed);
    sink.string(row->key, described(m, wire(m), p, m.entry, assumed).dump());
    return c.result();
  } catch (const Wrong &wrong) {
    report(c, wrong, {}); // of a tree that is not in a package, whose lines are none
    return HTP_FAILED;
  }
}

} // namespace htp::aiesim
