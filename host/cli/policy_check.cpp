// htp-host policy-check: which parts of a program, a stage or a plugin were changed, and whether a policy allows it.
#include "host/cli/policy_check.h"

#include "host/base/fs.h"
#include "host/base/hash.h"
#include "host/cli/ask.h"
#include "host/cli/whole_package.h"
#include "host/diag/utf8.h"
#include "host/manifest/yaml.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
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
  const auto name = [](const std::string &file) { return is_utf8(file) ? file : printable(file); };
  return {{"kind", kind}, {"file_a", name(file_a)}, {"file_b", name(file_b)}, {"a", std::move(a)}, {"b", std::move(b)}};
}

// Of a Python file its bytes, for Python to decode; in hex, since they may be no UTF-8.
std::string code_of(const std::string &bytes) {
  static const char digits[] = "0123456789abcdef";
  std::string hex;
  hex.reserve(bytes.size() * 2);
  for (const unsigned char byte : bytes) hex.append({digits[byte >> 4], digits[byte & 15]});
  return hex;
}

// What a package was made with, as keys.
Json made_with(const PackageManifest &manifest) {
  Json plugins = Json::object();
  for (const auto &plugin : manifest.plugins)
    plugins[plugin.id] = plugin.version + ", " + plugin.library_sha256 + plugin.manifest_sha256 +
                         (plugin.python ? plugin.python->sha256 : "");
  Json json = Json::parse(to_json(manifest));
  Json passes = Json::object();
  Json order = Json::array();
  for (const Json &pass : json["plan"]["passes"]) {
    std::string name = pass["name"].get<std::string>();
    order.push_back(name);
    while (passes.contains(name)) name += "'"; // it runs twice
    passes[name] = pass["options"];
  }
  return {{"package",
           {{"entry", manifest.identity.entry},
            {"plugins", plugins},
            {"passes", passes},
            {"order", order},
            {"target", json["target"]},
            {"set", json["identity"]["set"]}}}};
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
  Json program = pair_of("python", join_path(a, was->path), join_path(b, first.path), code_of(*text),
                         code_of(std::string(*after->file(first.path))));
  program["headed"] = {true, true};
  return Json::array({program, pair_of("manifest", join_path(a, "manifest.json"), join_path(b, "manifest.json"),
                                       made_with(before->package.manifest), made_with(after->manifest))});
}

constexpr uint64_t python_limit = 16u << 20;

// What an entry of a folder is; null: there is none. What cannot be read is never the same as anything.
Json digest_of(const std::string &path, const FolderEntry *entry, const char *side) {
  if (!entry) return nullptr;
  const auto bytes = read_file(path, package_file_limit);
  if (!bytes) return fmt::format("unreadable, in the {}: {}", side, bytes.error().reason);
  return (entry->kind == FolderEntry::Kind::link ? "by a link, " : "") + sha256(*bytes);
}

std::optional<Json> of_plugins(const std::string &a, const std::string &b, Diagnostics &diagnostics) {
  Json pairs = Json::array();
  Json manifests[2];
  std::map<std::string, const FolderEntry *> files[2];
  std::vector<FolderEntry> trees[2];
  std::set<std::string> names;
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
    const auto tree = list_tree(*folder);
    if (!tree) {
      diagnostics.report(diag::io_unreadable, {}, tree.error().path, tree.error().reason);
      return std::nullopt;
    }
    trees[folder == &b] = *tree;
    for (const FolderEntry &file : trees[folder == &b])
      if (file.name != "htp-plugin.yaml" && file.name != "htp-plugin.sig") {
        files[folder == &b][file.name] = &file;
        names.insert(file.name);
      }
  }
  pairs.push_back(pair_of("manifest", join_path(a, "htp-plugin.yaml"), join_path(b, "htp-plugin.yaml"), manifests[0],
                          manifests[1]));
  for (const std::string &name : names) {
    const std::string paths[] = {join_path(a, name), join_path(b, name)};
    const FolderEntry *entries[2];
    std::optional<std::string> code[2];
    bool python = name.ends_with(".py");
    for (const int k : {0, 1}) {
      const auto found = files[k].find(name);
      entries[k] = found == files[k].end() ? nullptr : found->second;
      if (!python || !entries[k]) continue;
      const auto text = read_file(paths[k], python_limit);
      python = entries[k]->kind == FolderEntry::Kind::file && text;
      if (text) code[k] = code_of(*text);
    }
    const auto json = [](const std::optional<std::string> &text) { return text ? Json(*text) : Json(nullptr); };
    pairs.push_back(python ? pair_of("python", paths[0], paths[1], json(code[0]), json(code[1]))
                           : pair_of("bytes", paths[0], paths[1], digest_of(paths[0], entries[0], "first"),
                                     digest_of(paths[1], entries[1], "second")));
  }
  return pairs;
}

std::optional<Json> pairs_of(const std::string &a, const std::string &b, const Arguments &arguments,
                             Diagnostics &diagnostics) {
  const auto all = [&](const char *name) { return exists(join_path(a, name)) && exists(join_path(b, name)); };
  if (all("manifest.json")) return of_packages(a, b, arguments, diagnostics);
  if (all("htp-plugin.yaml")) return of_plugins(a, b, diagnostics);
  std::vector<std::string> code;
  for (const std::string *path : {&a, &b})
    if (!path->ends_with(".py")) {
      diagnostics.report(diag::policy_nothing_to_check, {}, a, b);
      return std::nullopt;
    } else if (const auto text = read_file(*path, python_limit); !text) {
      diagnostics.report(diag::io_unreadable, {}, *path, text.error().reason);
      return std::nullopt;
    } else {
      code.push_back(code_of(*text));
    }
  return Json::array({pair_of("python", a, b, code[0], code[1])});
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
