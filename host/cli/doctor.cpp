// htp-host doctor: what of this machine works with HTP, what is missing, and the command that brings it. What plugins
// need of a machine they declare (`tools:`); of the rest Python, NumPy, the cache and the plugins themselves are looked
// at. Nothing is changed.
#include "host/base/environment.h"
#include "host/base/fs.h"
#include "host/base/process.h"
#include "host/base/sweep.h"
#include "host/cli/ask.h"
#include "host/diag/utf8.h"
#include "host/load/identity.h"
#include "host/pipeline/phases.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace htp {

namespace doctor {
namespace {

using Json = nlohmann::ordered_json;

enum class State : uint8_t { works, absent, missing, wrong }; // absent: it can be done without
constexpr const char *state_names[] = {"works", "absent", "missing", "wrong"};

struct Row {
  State state;
  std::string what; // "gcc"
  std::string found;
  std::string mend; // a command, or what to do; empty: nothing
};

struct Section {
  std::string name; // "target cpu"
  std::string verdict;
  bool works = true;
  std::vector<Row> findings;

  void add(Row finding) {
    works &= finding.state == State::works || finding.state == State::absent;
    findings.push_back(std::move(finding));
  }
};

std::string first_line(const std::string &text) { return printable(text.substr(0, std::min(text.find('\n'), 160UL))); }

// What a program says of its version; nothing when it does not start.
std::optional<std::string> version_of(const std::string &program) {
  ProcessRequest request;
  request.argv = {program, "--version"};
  request.timeout = std::chrono::seconds(10);
  const auto done = run_process(request);
  if (!done || done->timed_out || done->exit_status != 0) return std::nullopt;
  return first_line(done->out.empty() ? done->err : done->out);
}

std::vector<std::string> values(const std::vector<Text> &texts) {
  std::vector<std::string> list;
  for (const Text &text : texts) list.push_back(text.value);
  return list;
}

Row look_for(const ToolDecl &tool) {
  const State without = tool.optional ? State::absent : State::missing;
  const char *named = tool.variable.value.empty() ? nullptr : environment(tool.variable.value.c_str());
  const std::string given = named ? named : "";
  const std::string variable = tool.variable.value;
  if (!tool.devices.empty()) {
    for (const Text &device : tool.devices)
      if (exists(device.value)) return {State::works, tool.name.value, device.value, ""};
    return {without, tool.name.value, fmt::format("no {}: {}", fmt::join(values(tool.devices), ", "), tool.doc),
            tool.install};
  }
  if (tool.programs.empty() || !tool.holds.empty()) { // a folder
    if (given.empty())
      return {without, tool.name.value, fmt::format("`{}` is not set: {}", variable, tool.doc), tool.install};
    const auto holds = values(tool.holds);
    const bool right = holds.empty() ? is_folder(given) : std::any_of(holds.begin(), holds.end(), [&](const auto &one) {
      return exists(join_path(given, one));
    });
    if (right) return {State::works, tool.name.value, printable(given), ""};
    return {State::wrong, tool.name.value,
            fmt::format("`{}` names `{}`, which holds no {}", variable, printable(given), fmt::join(holds, " and no ")),
            fmt::format("unset {}, or let it name such a folder", variable)};
  }
  for (const std::string &program : given.empty() ? values(tool.programs) : std::vector{given})
    if (const auto version = version_of(program))
      return {State::works, tool.name.value, program + (version->empty() ? "" : ": " + *version), ""};
  if (!given.empty())
    return {State::wrong, tool.name.value,
            fmt::format("`{}` names `{}`, which does not start", variable, printable(given)),
            fmt::format("unset {}, or let it name a program that does", variable)};
  return {without, tool.name.value,
          fmt::format("none of {} starts: {}", fmt::join(values(tool.programs), ", "), tool.doc), tool.install};
}

// What htp-host itself starts, beside what plugins do.
const ToolDecl &graphviz() {
  static const ToolDecl tool = [] {
    ToolDecl made;
    made.name.value = "dot";
    made.doc = "draws the pictures of `plugins graph`, `graph` and `report`";
    made.programs.push_back({"dot", {}});
    made.install = "apt-get install graphviz";
    made.optional = true;
    return made;
  }();
  return tool;
}

Section host_section() {
  Section section{"htp-host " HTP_VERSION, "", true, {}};
  Diagnostics said;
  const auto python = ask_python("htp.doctoring", "doctor", Json::object(), said);
  if (!python) {
    for (const Diagnostic &one : said.list())
      section.add({State::wrong, "Python", one.code + ": " + one.message, one.hints.empty() ? "" : one.hints.front()});
  } else {
    for (const Json &row : python->at("result").at("modules")) {
      const std::string version = row.at("version");
      section.add({version.empty() ? State::absent : State::works, row.at("name"),
                   version.empty() ? row.at("doc").get<std::string>() : version,
                   version.empty() ? row.at("install").get<std::string>() : ""});
    }
  }
  const Cache cache = Cache::from_environment();
  if (!cache.enabled()) {
    const char *asked = environment("HTP_CACHE");
    section.add({State::absent, "cache",
                 asked && std::string_view(asked) == "off" ? "`HTP_CACHE` is off: everything is compiled each time"
                                                           : "its folder cannot be written: everything is compiled "
                                                             "each time",
                 "let `HTP_CACHE` name a folder of yours"});
  } else {
    size_t entries = 0;
    for (const CacheEntry &entry : cache_entries(cache)) entries += entry.bytes != 0;
    section.add({State::works, "cache", fmt::format("{}, {} entries", cache.path(), entries), ""});
  }
  if (auto made = TemporaryFolder::make("doctor"); made)
    section.add({State::works, "temporary files", temporary_place(), ""});
  else
    section.add({State::wrong, "temporary files", temporary_place() + ": " + made.error().reason,
                 "let `TMPDIR` name a folder that can be written"});
  section.add(look_for(graphviz()));
  return section;
}

// Each plugin, loaded as a compile would.
Section plugin_section(const Inputs &inputs, Cache &cache) {
  Section section{"plugins", "", true, {}};
  for (const Manifest &manifest : inputs.manifests) {
    if (interrupted) break;
    Diagnostics said;
    const auto loaded = load_chosen(inputs, {&manifest}, cache, said);
    const std::string what = manifest.id.value + " " + manifest.version_text.value;
    if (!said.errors() && !loaded.empty()) {
      section.add({State::works, what, printable(manifest.folder), ""});
      const bool of_target = std::any_of(manifest.units.begin(), manifest.units.end(), [](const Unit &unit) {
        return unit.kind == UnitKind::backend || unit.kind == UnitKind::binding; // whose tools stand with the target
      });
      for (const ToolDecl &tool : manifest.tools)
        if (Row one = look_for(tool); !of_target) {
          if (one.state == State::missing) one.state = State::absent; // for what others compile
          section.add(std::move(one));
        }
      continue;
    }
    for (const Diagnostic &one : said.list())
      if (is_error(one.severity)) {
        section.add({State::wrong, what, one.code + ": " + printable(one.message), "htp-host explain " + one.code});
        break;
      }
  }
  for (const BrokenManifest &broken : inputs.broken)
    section.add({State::wrong, broken.manifest.id.value, printable(broken.why),
                 "htp-host plugins check " + printable(broken.manifest.folder)});
  for (const Inputs::Refused &refused : inputs.refused)
    section.add({State::absent, refused.id, refused.why.code + ": " + printable(refused.why.message),
                 "htp-host plugins trust " + refused.id});
  if (section.findings.empty())
    section.add({State::wrong, "plugins", fmt::format("none in {}", fmt::join(inputs.search, ", ")),
                 "name their folder: `--plugin-path DIR`"});
  return section;
}

bool loads(const Section &plugins, const Manifest &manifest) {
  const std::string what = manifest.id.value + " " + manifest.version_text.value;
  return std::any_of(plugins.findings.begin(), plugins.findings.end(),
                     [&](const Row &one) { return one.what == what && one.state == State::works; });
}

// The plugins that bind packages of a backend's contracts.
std::vector<const Manifest *> bindings_of(const Inputs &inputs, const Unit &backend) {
  std::vector<const Manifest *> found;
  for (const Manifest &manifest : inputs.manifests)
    for (const Unit &unit : manifest.units)
      if (unit.kind == UnitKind::binding &&
          std::any_of(backend.provides.begin(), backend.provides.end(), [&](const Term &term) {
            return term.text() == "Package.Contract(id=\"" + unit.contract_id.value + "\")";
          })) {
        found.push_back(&manifest);
        break;
      }
  return found;
}

Section target_section(const Inputs &inputs, const Manifest &plugin, const Unit &backend, const Section &plugins) {
  Section section{"target " + backend.name.value, "", true, {}};
  std::vector<const Manifest *> parts{&plugin};
  const auto bindings = bindings_of(inputs, backend);
  for (const Manifest *one : bindings)
    if (one != &plugin) parts.push_back(one);
  bool compiles = true;
  Request request;
  request.target = backend.name;
  if (const auto resolved = resolve(inputs.universe(), request); !resolved) {
    compiles = false;
    section.add({State::wrong, "plugins", "they do not fit together for this target",
                 "htp-host plugins list, and `plan` of a program says why"});
  }
  for (const Manifest *one : parts) {
    if (!loads(plugins, *one)) {
      compiles &= one != &plugin;
      section.add({State::wrong, one->id.value, "it does not load", "see below"});
    }
    for (const ToolDecl &tool : one->tools) {
      if (interrupted) return section;
      section.add(look_for(tool));
    }
  }
  section.verdict = !compiles          ? "does not compile"
                    : bindings.empty() ? "compiles; no plugin runs its packages here"
                    : section.works    ? "compiles and runs"
                                       : "compiles; what it makes cannot be run here";
  return section;
}

Json json_of(const Section &section) {
  Json rows = Json::array();
  for (const Row &one : section.findings)
    rows.push_back({{"what", one.what},
                    {"state", state_names[static_cast<size_t>(one.state)]},
                    {"found", one.found},
                    {"mend", one.mend}});
  return {{"name", section.name}, {"works", section.works}, {"verdict", section.verdict}, {"findings", rows}};
}

std::string text_of(const Section &section) {
  std::string text = section.name + (section.verdict.empty() ? "" : " " + section.verdict) + "\n";
  for (const Row &one : section.findings) {
    text += fmt::format("  {:<8} {}: {}\n", state_names[static_cast<size_t>(one.state)], one.what, one.found);
    if (!one.mend.empty()) text += fmt::format("           {}\n", one.mend);
  }
  return text + "\n";
}

constexpr std::string_view profile_head = "# What `htp-host doctor` found to work on this machine.\n";

// Whether a file may be written there: none is, or one that this command wrote.
bool may_write(const std::string &path) {
  std::error_code error;
  const auto status = std::filesystem::symlink_status(path, error);
  if (!std::filesystem::exists(status)) return true;
  if (!std::filesystem::is_regular_file(status)) return false;
  const auto text = read_file(path, 1u << 20);
  return text && text->starts_with(profile_head);
}

// A profile of a target that works here.
std::string profile_text(const std::string &target, const std::vector<std::string> &folders) {
  std::string text = std::string(profile_head) +
                     "#   htp-host --plugins FILE compile PROGRAM\nhtp_profile: 1\ntarget: " + target + "\n";
  if (!folders.empty()) text += "search:\n";
  for (const std::string &folder : folders) text += "  - " + Json(absolute_path(folder)).dump() + "\n";
  return text;
}

} // namespace
} // namespace doctor

int doctor_command(const Arguments &arguments) {
  using namespace doctor;
  Diagnostics diagnostics;
  const auto inputs = gather(arguments.request, false, diagnostics);
  if (!inputs) return finish(arguments, diagnostics);
  Cache cache = Cache::from_environment();
  const std::string wanted = inputs->profile.target.value;
  std::vector<Section> sections{host_section()};
  const Section plugins = plugin_section(*inputs, cache);
  std::string works; // of those that do the one that needs least
  size_t fewest = SIZE_MAX;
  bool right = sections.front().works && plugins.works;
  for (const Manifest &manifest : inputs->manifests)
    for (const Unit &unit : manifest.units) {
      if (interrupted) return finish_cancelled(arguments);
      if (unit.kind != UnitKind::backend || (!wanted.empty() && unit.name.value != wanted)) continue;
      sections.push_back(target_section(*inputs, manifest, unit, plugins));
      const Section &made = sections.back();
      const bool all = made.works && made.verdict == "compiles and runs";
      if (all && made.findings.size() < fewest) works = unit.name.value, fewest = made.findings.size();
      if (!wanted.empty()) right &= all;
    }
  sections.push_back(plugins);
  if (interrupted) return finish_cancelled(arguments);
  if (works.empty()) right = false;
  std::string text;
  Json rows = Json::array();
  for (const Section &section : sections) {
    text += text_of(section);
    rows.push_back(json_of(section));
  }
  if (!arguments.output.empty()) {
    if (works.empty()) {
      diagnostics.report(diag::cli_no_target_works, {});
    } else if (!may_write(arguments.output)) {
      diagnostics.report(diag::cli_in_the_way, {}, arguments.output).hint("name another file: `--profile FILE`");
    } else if (const auto failed =
                   write_file_atomic(arguments.output, profile_text(works, arguments.request.plugin_path))) {
      diagnostics.report(diag::io_unwritable, {}, failed->path, failed->reason);
    } else {
      text += arguments.output + ": a profile of the target " + works + "\n";
    }
  }
  if (diagnostics.errors()) right = false;
  text.erase(text.find_last_not_of('\n') + 1);
  text += "\n";
  const int code = diagnostics.errors() ? exit_code_of(diagnostics) : right ? exit_done : exit_refused;
  return finish(arguments, diagnostics, code, arguments.quiet && right ? "" : text,
                Json{{"works", right}, {"target", works}, {"sections", rows}});
}

} // namespace htp
