// htp-host diff: what of two packages is another.
#include "host/bind/modules.h"
#include "host/cli/ask.h"
#include "host/cli/report.h"
#include "host/cli/whole_package.h"
#include "host/pipeline/compilation.h"
#include "host/pipeline/history.h"
#include "host/pipeline/operations.h"
#include "host/pipeline/remake.h"

namespace htp {

namespace {

using Json = nlohmann::ordered_json;

// What the target's model says that a package's last stage takes; nothing where there is none, or the compile cannot be
// made again.
std::optional<Estimate> cost_of(const WholePackage &whole, const CompileRequest &asked,
                                const std::map<std::string, int64_t> &sizes, Cache &cache) {
  CompileRequest again = request_of(whole.package, asked);
  if (again.profile.empty()) return std::nullopt;
  const std::string &first = whole.package.manifest.stages.front().path;
  again.from_stage = join_path(whole.package.folder, first.substr(0, first.rfind('/')));
  Diagnostics ignored;
  auto cost = estimate(again, sizes, cache, ignored);
  return cost && !cost->by.empty() ? std::move(cost) : std::nullopt;
}

Json costs(const std::array<const WholePackage *, 2> &sides, const Arguments &arguments, Cache &cache,
           Diagnostics &diagnostics) {
  std::map<std::string, int64_t> sizes;
  for (const WholePackage *side : sides)
    if (const auto history = read_history(side->package, diagnostics))
      for (const std::string &dim : dims_of(*history)) sizes[dim] = 64;
  for (const auto &[dim, size] : arguments.dims)
    if (sizes.contains(dim)) sizes[dim] = size;
  const auto was = cost_of(*sides[0], arguments.request, sizes, cache);
  if (!was || interrupted) return nullptr;
  const auto is = cost_of(*sides[1], arguments.request, sizes, cache);
  if (!is || is->by != was->by) return nullptr; // another model is no comparison
  Json json{{"by", was->by}, {"was", was->seconds}, {"is", is->seconds}, {"sizes", Json::object()}};
  for (const auto &[dim, size] : sizes) json["sizes"][dim] = size;
  return json;
}

// Of the intrinsics that do more than give a value what they do.
Json effects_of(const CompileRequest &request, Cache &cache) {
  Json effects = Json::object();
  Diagnostics ignored;
  const auto set = load_set(request, cache, ignored);
  if (!set) return effects;
  const Registry registry(set->plugins, {});
  for (const Operation &operation : operations_of(registry)) {
    const Json row = describe(operation);
    if (const std::string what = row.at("effects"); !what.empty()) effects[row.at("name").get<std::string>()] = what;
  }
  return effects;
}

} // namespace

int diff_command(const Arguments &arguments) {
  Diagnostics diagnostics;
  const std::vector<std::string> &given = arguments.files;
  if (given.size() != 2) {
    if (given.size() > 2)
      diagnostics.report(diag::cli_unexpected_argument, {}, given[2]);
    else
      diagnostics.report(diag::cli_missing_argument, {}, "B");
    return finish(arguments, diagnostics, exit_usage, "", nullptr);
  }
  const auto a = read_whole(given[0], arguments.request, diagnostics);
  const auto b = a ? read_whole(given[1], arguments.request, diagnostics) : std::nullopt;
  if (interrupted) return finish_cancelled(arguments);
  if (diagnostics.errors()) return finish(arguments, diagnostics);
  Cache cache = Cache::from_environment();
  Json question = arrays_asked(arguments);
  Json modules = Json::array();
  for (const auto *side : {&*a, &*b}) {
    const CompileRequest request = request_of(side->package, arguments.request);
    const auto inputs = gather(request, false, diagnostics);
    if (!inputs) return finish(arguments, diagnostics);
    for (const std::string &folder : modules_of(side->package.manifest, *inputs, nullptr, diagnostics))
      modules.push_back(folder);
    question["packages"].push_back({{"package", given[side == &*b]},
                                    {"folder", absolute_path(side->package.folder)},
                                    {"stages", side->stages},
                                    {"profile", request.profile},
                                    {"plugin_path", request.plugin_path}});
  }
  question.update({{"modules", modules},
                   {"semantic", arguments.semantic},
                   {"seconds", arguments.seconds.value_or(0)},
                   {"output", arguments.output.empty() ? "" : absolute_path(arguments.output)},
                   {"effects", effects_of(request_of(b->package, arguments.request), cache)},
                   {"cost", costs({&*a, &*b}, arguments, cache, diagnostics)}});
  if (interrupted) return finish_cancelled(arguments);
  if (diagnostics.errors()) return finish(arguments, diagnostics);
  const auto response = ask_python("htp.differing", "differ", question, diagnostics);
  if (!response) return finish(arguments, diagnostics);
  return finish(arguments, diagnostics, arguments.quiet ? "" : response->at("text").get<std::string>(),
                response->at("result"));
}

} // namespace htp
