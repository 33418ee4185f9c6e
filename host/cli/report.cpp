// htp-host report: a package as one page, with everything that it needs in it.
#include "host/cli/report.h"
#include "host/base/fs.h"
#include "host/base/hash.h"
#include "host/bind/modules.h"
#include "host/cli/ask.h"
#include "host/cli/whole_package.h"
#include "host/pipeline/remake.h"

#include <fmt/format.h>

#include <filesystem>

namespace htp {

namespace {

using Json = nlohmann::ordered_json;

// The page's text, its style and what draws it: files of host/cli/report.
constexpr std::string_view page_html =
#include "report/page.html.inc"
    ;
constexpr std::string_view page_css =
#include "report/page.css.inc"
    ;
constexpr std::string_view page_js =
#include "report/page.js.inc"
    ;

constexpr std::string_view live_html =
#include "report/page.live_html.inc"
    ;
constexpr std::string_view live_js =
#include "report/page.live_js.inc"
    ;

constexpr uint64_t answer_limit = 64u << 20; // of a file of `--trace` or `--bench`

std::string base64_of_hex(const std::string &hex) {
  constexpr const char *digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bits, text;
  for (const char c : hex)
    for (int k = 3; k >= 0; --k) bits += ((c <= '9' ? c - '0' : c - 'a' + 10) >> k & 1) ? '1' : '0';
  const size_t bytes = bits.size() / 8;
  bits.resize((bits.size() + 5) / 6 * 6, '0');
  for (size_t k = 0; k < bits.size(); k += 6) text += digits[std::stoi(bits.substr(k, 6), nullptr, 2)];
  return text + std::string((3 - bytes % 3) % 3, '=');
}

std::string escaped(std::string_view text) {
  std::string found;
  for (const char c : text) switch (c) {
    case '&': found += "&amp;"; break;
    case '<': found += "&lt;"; break;
    case '>': found += "&gt;"; break;
    case '"': found += "&quot;"; break;
    default: found += c;
    }
  return found;
}

// JSON that may stand in an HTML element: nothing in it begins a tag.
std::string json_in_html(const Json &json) {
  const std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string found;
  found.reserve(text.size());
  for (const char c : text)
    if (c == '<')
      found += "\\u003c";
    else
      found += c;
  return found;
}

std::string filled(std::string_view form, const std::vector<std::pair<std::string_view, std::string>> &values) {
  std::string text;
  while (!form.empty()) {
    const size_t at = form.find("{{");
    text += form.substr(0, at);
    if (at == form.npos) break;
    const size_t end = form.find("}}", at);
    const std::string_view name = form.substr(at + 2, end - at - 2);
    for (const auto &[known, value] : values)
      if (known == name) text += value;
    form.remove_prefix(end + 2);
  }
  return text;
}

constexpr size_t most_values = 400; // lines of a stage of which values are shown

// What another command gave, by the key of its list; of a timeline its lanes. Null after a report, as where none is
// given.
Json read_answer(const std::string &path, const char *what, const char *key, Diagnostics &diagnostics) {
  if (path.empty()) return nullptr;
  const auto text = read_file(path, answer_limit);
  if (!text) return diagnostics.report(diag::io_unreadable, {}, text.error().path, text.error().reason), nullptr;
  Json json = Json::parse(*text, nullptr, false);
  try {
    if (json.is_object() && json.contains(key) && json[key].is_array())
      return std::string_view(key) == "traceEvents" ? timeline_of(json) : json;
  } catch (const Json::exception &) { // events that are none
  }
  diagnostics.report(diag::cli_no_answer, {}, path, what);
  return nullptr;
}

// What `verify --json` said of this package; null after a report, as where none is given.
Json read_verdicts(const std::string &path, const Package &package, Diagnostics &diagnostics) {
  Json json = read_answer(path, "answer of `htp-host verify --json`", "passes", diagnostics);
  if (json.is_null()) return json;
  if (!json.contains("digest") || json["digest"] != package.digest)
    return diagnostics.report(diag::cli_answer_of_another, {}, path), nullptr;
  return Json{{"passes", json["passes"]}, {"on_target", json.value("on_target", Json())}};
}

// Where the page goes; refused where something else would be lost by it.
std::string page_path(const Arguments &arguments, const Package &package, Diagnostics &diagnostics) {
  const std::string out = arguments.output.empty() ? package.manifest.identity.name + ".html" : arguments.output;
  std::error_code error;
  if (absolute_path(out).starts_with(absolute_path(package.folder) + "/"))
    diagnostics.report(diag::report_in_the_way, {}, out, "it is in the package");
  else if (std::filesystem::is_regular_file(out, error))
    if (const auto text = read_file(out, answer_limit);
        !text || !(text->empty() || text->starts_with("<!doctype html>")))
      diagnostics.report(diag::report_in_the_way, {}, out, "what is there is no page");
  return out;
}

// What the lines of all stages make in one call.
Json values_of(const Package &package, bool kept, const Arguments &arguments, Diagnostics &diagnostics) {
  const auto folder = folder_of_stages(package, kept, diagnostics);
  if (!folder) return nullptr;
  const auto inputs = gather(request_of(package, arguments.request), false, diagnostics);
  if (!inputs) return nullptr;
  Json question = arrays_asked(arguments);
  question["modules"] = modules_of(package.manifest, *inputs, nullptr, diagnostics);
  question["rows"] = most_values;
  question["stages"] = Json::array();
  for (const auto &stage : package.manifest.stages) question["stages"].push_back(join_path(folder->path, stage.path));
  auto response = ask_python("htp.replaying", "values", question, diagnostics);
  return !response || diagnostics.errors() ? Json() : std::move(response->at("result"));
}

} // namespace

std::string report_page(const Json &data, const std::string &title) {
  return filled(page_html, {{"title", escaped(title)},
                            {"script-hash", base64_of_hex(sha256(page_js))},
                            {"style", std::string(page_css)},
                            {"data", json_in_html(data)},
                            {"script", std::string(page_js)}});
}

std::string live_page(const std::string &title) {
  return filled(live_html, {{"title", escaped(title)},
                            {"script-hash", base64_of_hex(sha256(live_js))},
                            {"style", std::string(page_css)},
                            {"script", std::string(live_js)}});
}

void refuse_compile_options(const Arguments &arguments, Diagnostics &diagnostics) {
  if (!arguments.request.entry.empty()) diagnostics.report(diag::report_only_serve, {}, "--entry", "a program");
  if (!arguments.request.set.empty()) diagnostics.report(diag::report_only_serve, {}, "--set", "a program");
}

int report_command(const Arguments &arguments) {
  if (arguments.serve) return serve_report(arguments);
  Diagnostics diagnostics;
  if (arguments.port) diagnostics.report(diag::report_only_serve, {}, "--port", "a program or a package");
  refuse_compile_options(arguments, diagnostics);
  auto package = read_package(arguments.package, diagnostics);
  const Json trace = read_answer(arguments.trace, "timeline of `htp-host run --trace`", "traceEvents", diagnostics),
             bench = read_answer(arguments.bench, "answer of `htp-host bench --json`", "timed", diagnostics);
  if (!package || diagnostics.errors()) return finish(arguments, diagnostics);
  const Json verified = read_verdicts(arguments.verified, *package, diagnostics);
  if (diagnostics.errors()) return finish(arguments, diagnostics);
  bool all_kept = package->manifest.stages_kept != "last";
  Cache cache = Cache::from_environment();
  CompileRequest asked = arguments.request;
  asked.progress = progress_line(arguments);
  std::vector<std::pair<std::string, std::string>> missing;
  const auto because = [&](const std::string &what, const Diagnostics &why) {
    for (const Diagnostic &d : why.list())
      if (is_error(d.severity)) return void(missing.emplace_back(what, d.message));
  };
  { // what the package leaves out is made again where it can be
    Diagnostics why;
    if (auto all = with_all_stages(*package, asked, cache, why)) package = std::move(all);
    because("the stages between the first and the last", why);
  }
  const auto history = read_history(*package, diagnostics);
  if (!history) return finish(arguments, diagnostics);
  std::map<std::string, int64_t> sizes;
  const std::vector<std::string> dims = dims_of(*history);
  for (const std::string &dim : dims) sizes[dim] = 64;
  for (const auto &[dim, size] : arguments.dims) {
    if (!sizes.contains(dim)) diagnostics.report(diag::cli_no_dim, {}, dim, fmt::format("{}", fmt::join(dims, ", ")));
    sizes[dim] = size;
  }
  if (diagnostics.errors()) return finish(arguments, diagnostics);
  Diagnostics why;
  CompileRequest again = request_of(*package, asked);
  const std::string &first = package->manifest.stages.front().path;
  again.from_stage = join_path(package->folder, first.substr(0, first.rfind('/')));
  std::optional<Views> seen;
  if (again.profile.empty())
    missing.emplace_back("what plugins show of the program",
                         "the package's log does not say by which profile it was compiled");
  else
    seen = views(again, sizes, cache, why);
  because("what plugins show of the program", why);
  Json values;
  if (!interrupted && (arguments.values || !arguments.inputs.empty() || !arguments.args.empty()))
    values = values_of(*package, all_kept, arguments, diagnostics);
  if (interrupted) return finish_cancelled(arguments);
  if (diagnostics.errors()) return finish(arguments, diagnostics);
  Json data = report_data({*package, *history, seen, sizes, trace, bench, verified, values});
  for (const auto &[what, reason] : missing) data["missing"].push_back({{"what", what}, {"why", reason}});
  const PackageManifest::Identity &identity = package->manifest.identity;
  const std::string page = report_page(data, identity.entry + " on " + identity.target);
  const std::string out = page_path(arguments, *package, diagnostics);
  if (diagnostics.errors()) return finish(arguments, diagnostics);
  if (const auto failed = write_file_atomic(out, page))
    diagnostics.report(diag::io_unwritable, {}, failed->path, failed->reason);
  auto shows = Json::array();
  for (const char *part : {"stages", "passes", "emitted", "layouts", "tasks", "network", "planned", "traced", "bench",
                           "verified", "values", "views"})
    if (const auto found = data.find(part); found != data.end() && !found->empty()) shows.push_back(part);
  return finish(arguments, diagnostics, diagnostics.errors() || arguments.quiet ? "" : out + "\n",
                Json{{"file", out}, {"bytes", page.size()}, {"shows", shows}, {"missing", data["missing"]}});
}

} // namespace htp
