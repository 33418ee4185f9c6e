// htp-host policy-check: which parts of a program, a stage or a plugin were changed, and whether a policy allows it.
#include "host/cli/policy_check.h"

#include "host/base/fs.h"
#include "host/base/hash.h"
#include "host/cli/ask.h"
#include "host/cli/whole_package.h"
#include "host/manifest/yaml.h"

#include <algorithm>
#include <set>

namespace htp {

namespace {

using Json = nlohmann::ordered_json;

Json json_of(const YamlNode &node) {
  if (node.form == YamlNode::Form::map) {
    Json map = Json::object();
    for (const YamlEntry &entry : node.entries) map[entry.key] = json_of(entry.value);
    return map;
  }
  if (node.form == YamlNode::Form::list) {
    Json list = Json::array();
    for (const YamlNode &item : node.items) list.push_back(json_of(item));
    return list;
  }
  return node.text;
}

Json texts(const std::vector<Text> &list) {
  Json json = Json::array();
  for (const Text &one : list) json.push_back(one.value);
  return json;
}

Json json_of(const std::vector<ChangePolicy::Rule> &rules) {
  Json list = Json::array();
  for (const ChangePolicy::Rule &rule : rules)
    list.push_back({{"name", rule.name.value},
                    {"functions", texts(rule.functions)},
                    {"decorators", texts(rule.decorators)},
                    {"calls", texts(rule.calls)},
                    {"keys", texts(rule.keys)},
                    {"statements", texts(rule.statements)},
                    {"changes", texts(rule.changes)},
                    {"parts", texts(rule.parts)}});
  return list;
}

Json pair_of(const char *kind, const std::string &file_a, const std::string &file_b, Json a, Json b) {
  return {{"kind", kind}, {"file_a", file_a}, {"file_b", file_b}, {"a", std::move(a)}, {"b", std::move(b)}};
}

// What a package was made with, as keys.
Json made_with(const PackageManifest &manifest) {
  Json plugins = Json::object();
  for (const auto &plugin : manifest.plugins)
    plugins[plugin.id] = plugin.version + ", " + plugin.library_sha256 + plugin.manifest_sha256 +
                         (plugin.python ? plugin.python->sha256 : "");
  Json json = Json::parse(to_json(manifest));
  Json passes = Json::object();
  for (const Json &pass : json["plan"]["passes"]) passes[pass["name"].get<std::string>()] = pass["options"];
  return {{"package",
           {{"plugins", plugins}, {"passes", passes}, {"target", json["target"]}, {"set", json["identity"]["set"]}}}};
}

// The program that the second began with beside the stage of the first that it took the place of.
std::optional<Json> of_packages(const std::string &a, const std::string &b, const Arguments &arguments,
                                Diagnostics &diagnostics) {
  const auto before = read_whole(a, arguments.request, diagnostics);
  const auto after = before ? read_package(b, diagnostics) : std::nullopt;
  if (!after) return std::nullopt;
  const PackageManifest::Stage &first = after->manifest.stages.front();
  const PackageManifest::Stage *was = first.pass == "source" ? &before->package.manifest.stages.front() : nullptr;
  for (const PackageManifest::Stage &stage : before->package.manifest.stages)
    if (!was && stage.id == first.id && stage.pass == first.pass) was = &stage;
  if (!was) {
    report_unknown_stage(before->package, first.id + "-" + first.pass, diagnostics);
    return std::nullopt;
  }
  const auto text = read_file(join_path(before->stages, was->path), package_file_limit);
  if (!text) {
    diagnostics.report(diag::io_unreadable, {}, text.error().path, text.error().reason);
    return std::nullopt;
  }
  return Json::array(
      {pair_of("python", join_path(a, was->path), join_path(b, first.path), *text, *after->file(first.path)),
       pair_of("manifest", join_path(a, "manifest.json"), join_path(b, "manifest.json"),
               made_with(before->package.manifest), made_with(after->manifest))});
}

Json text_of(const std::string &path) {
  const auto text = read_file(path, package_file_limit);
  return text ? Json(*text) : Json(nullptr);
}

std::optional<Json> of_plugins(const std::string &a, const std::string &b, Diagnostics &diagnostics) {
  Json pairs = Json::array();
  Json manifests[2];
  std::set<std::string> files;
  for (const std::string *folder : {&a, &b}) {
    const std::string path = join_path(*folder, "htp-plugin.yaml");
    const auto text = read_file(path, 1u << 20);
    if (!text) {
      diagnostics.report(diag::io_unreadable, {}, path, text.error().reason);
      return std::nullopt;
    }
    const auto yaml = read_yaml(std::make_shared<SourceFile>(path, *text), diagnostics);
    if (!yaml) return std::nullopt;
    manifests[folder == &b] = json_of(*yaml);
    if (const auto tree = list_tree(*folder))
      for (const FolderEntry &file : *tree)
        if (file.name != "htp-plugin.yaml" && !file.name.ends_with(".sig") && !file.name.ends_with(".pyc"))
          files.insert(file.name);
  }
  pairs.push_back(pair_of("manifest", join_path(a, "htp-plugin.yaml"), join_path(b, "htp-plugin.yaml"), manifests[0],
                          manifests[1]));
  for (const std::string &name : files) {
    const std::string x = join_path(a, name), y = join_path(b, name);
    if (is_folder(x) || is_folder(y)) continue;
    if (name.ends_with(".py")) {
      pairs.push_back(pair_of("python", x, y, text_of(x), text_of(y)));
      continue;
    }
    const auto digest = [](const std::string &path) {
      const auto bytes = read_file(path, package_file_limit);
      return bytes ? Json(sha256(*bytes)) : Json(nullptr);
    };
    pairs.push_back(pair_of("bytes", x, y, digest(x), digest(y)));
  }
  return pairs;
}

std::optional<Json> pairs_of(const std::string &a, const std::string &b, const Arguments &arguments,
                             Diagnostics &diagnostics) {
  const auto all = [&](const char *name) { return exists(join_path(a, name)) && exists(join_path(b, name)); };
  if (all("manifest.json")) return of_packages(a, b, arguments, diagnostics);
  if (all("htp-plugin.yaml")) return of_plugins(a, b, diagnostics);
  for (const std::string *path : {&a, &b})
    if (!path->ends_with(".py")) {
      diagnostics.report(diag::policy_nothing_to_check, {}, a, b);
      return std::nullopt;
    } else if (const auto text = read_file(*path, package_file_limit); !text) {
      diagnostics.report(diag::io_unreadable, {}, *path, text.error().reason);
      return std::nullopt;
    }
  return Json::array({pair_of("python", a, b, text_of(a), text_of(b))});
}

} // namespace

std::optional<ChangePolicy> policy_at(const std::string &path, Diagnostics &diagnostics) {
  const auto text = read_file(path, 1u << 20);
  if (text) return read_change_policy(std::make_shared<SourceFile>(path, *text), diagnostics);
  diagnostics.report(diag::io_unreadable, {}, path, text.error().reason);
  return std::nullopt;
}

std::optional<Json> check_changes(const ChangePolicy &policy, const std::string &a, const std::string &b,
                                  const Arguments &arguments, Diagnostics &diagnostics) {
  const auto pairs = pairs_of(a, b, arguments, diagnostics);
  if (!pairs) return std::nullopt;
  return ask_python("htp.policy", "check",
                    {{"a", a},
                     {"b", b},
                     {"pairs", *pairs},
                     {"policy", {{"allow", json_of(policy.allow)}, {"deny", json_of(policy.deny)}}}},
                    diagnostics);
}

bool two_given(const Arguments &arguments, Diagnostics &diagnostics) {
  if (arguments.files.size() == 2) return true;
  if (arguments.files.size() > 2)
    diagnostics.report(diag::cli_unexpected_argument, {}, arguments.files[2]);
  else
    diagnostics.report(diag::cli_missing_argument, {}, "B");
  return false;
}

int policy_check_command(const Arguments &arguments) {
  Diagnostics diagnostics;
  if (!two_given(arguments, diagnostics)) return finish(arguments, diagnostics, exit_usage, "", nullptr);
  const auto policy = policy_at(arguments.policy, diagnostics);
  const auto checked =
      policy ? check_changes(*policy, arguments.files[0], arguments.files[1], arguments, diagnostics) : std::nullopt;
  if (interrupted) return finish_cancelled(arguments);
  if (!checked) return finish(arguments, diagnostics);
  return finish(arguments, diagnostics, arguments.quiet ? "" : checked->at("text").get<std::string>(),
                checked->at("result"));
}

} // namespace htp
