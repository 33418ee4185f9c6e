// plugins sign, verify and trust: signatures of plugins and packages, and whose are believed.
#include "host/base/beneath.h"
#include "host/base/fs.h"
#include "host/base/hash.h"
#include "host/cli/command.h"
#include "host/diag/utf8.h"
#include "host/load/access.h"
#include "host/package/reader.h"
#include "host/pipeline/inputs.h"
#include "host/trust/keys.h"
#include "host/trust/may.h"
#include "host/trust/trust.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <unistd.h>

namespace htp {

namespace {

using Json = nlohmann::ordered_json;

std::string without_slashes(std::string path) {
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  return path;
}

bool is_plugin(const std::string &folder) { return exists(join_path(folder, "htp-plugin.yaml")); }
bool is_package(const std::string &folder) { return exists(join_path(folder, "manifest.json")); }

std::optional<Manifest> read_plugin(const std::string &folder, Diagnostics &diagnostics) {
  if (!check_folder_access(folder, {}, diagnostics)) return std::nullopt;
  const std::string path = join_path(folder, "htp-plugin.yaml");
  auto text = read_beneath(folder, "htp-plugin.yaml");
  if (!text) {
    diagnostics.report(diag::io_unreadable, {}, path, text.error().reason);
    return std::nullopt;
  }
  auto manifest = read_manifest(std::make_shared<SourceFile>(path, std::move(*text)), diagnostics);
  if (manifest) manifest->folder = folder;
  if (manifest && !check_parts_access(*manifest, diagnostics)) return std::nullopt;
  return manifest;
}

// The profile that the user named, for its publishers.
bool read_trust(const Arguments &arguments, std::optional<Trust> &trust, Diagnostics &diagnostics) {
  std::optional<Profile> profile;
  if (const std::string &path = arguments.request.profile; !path.empty()) {
    auto text = read_file(path, 1u << 20);
    if (!text) {
      diagnostics.report(diag::io_unreadable, {}, text.error().path, text.error().reason);
      return false;
    }
    profile = read_profile(std::make_shared<SourceFile>(path, std::move(*text)), diagnostics);
    if (!profile) return false;
  }
  trust = Trust::read(profile ? &*profile : nullptr, diagnostics);
  return diagnostics.errors() == 0;
}

std::string first_word(std::string_view id) { return std::string(id.substr(0, id.find_first_of(".-"))); }

std::string text_of(const Manifest &manifest) {
  std::string text =
      fmt::format("{} {} in {}{}{}\n", manifest.id.value, manifest.version_text.value, manifest.folder,
                  manifest.doc.empty() ? "" : ": ", printable(manifest.doc.substr(0, manifest.doc.find('\n'))));
  for (const May &may : what_it_may(manifest))
    text += fmt::format("  it {}: {}\n", may.what, fmt::join(may.units, ", "));
  return text;
}

Json json_of(const Manifest &manifest) {
  Json list = Json::array();
  for (const May &may : what_it_may(manifest)) list.push_back({{"what", may.what}, {"units", may.units}});
  return {{"id", manifest.id.value}, {"version", manifest.version_text.value}, {"may", list}};
}

// ── sign ──

std::optional<Statement> statement_of_plugin(const std::string &folder, Diagnostics &diagnostics) {
  const auto manifest = read_plugin(folder, diagnostics);
  if (!manifest) return std::nullopt;
  Statement s;
  s.id = manifest->id.value;
  s.version = manifest->version_text.value;
  s.publisher = first_word(s.id);
  s.files = signed_files(*manifest);
  const std::string &library = manifest->library.value;
  if (!library.empty() && !s.digest_of(library)) {
    diagnostics
        .report(diag::load_missing_library, manifest->library.span, library, s.id, "there is no file that can be read")
        .hint("build the plugin, or correct `library:`, which is relative to the manifest");
    return std::nullopt;
  }
  if (const std::string differs = difference(s, *manifest, ""); !differs.empty()) {
    diagnostics.report(diag::trust_changed, manifest->id.span, s.id, "read", differs)
        .hint("let the build end first; a plugin that is signed has no links to folders");
    return std::nullopt;
  }
  return s;
}

// ── trust ──

std::optional<std::string> answer(const std::string &question) {
  if (!isatty(0) || !isatty(2)) return std::nullopt;
  std::fputs(question.c_str(), stderr);
  std::fflush(stderr);
  std::string line;
  for (char c = 0; ::read(0, &c, 1) == 1 && c != '\n';) line += c;
  return line;
}

Json json_of(const Trust &trust) {
  Json publishers = Json::array(), revoked = Json::array(), plugins = Json::array(), owned = Json::array();
  const auto texts = [](const std::vector<Text> &list) {
    Json array = Json::array();
    for (const Text &one : list) array.push_back(one.value);
    return array;
  };
  for (const TrustFile &file : trust.files()) {
    for (const Publisher &one : file.policy.publishers)
      publishers.push_back(
          {{"name", one.name.value}, {"key", one.key.value}, {"provides", texts(one.provides)}, {"file", file.path}});
    for (const Policy::Revoked &one : file.policy.revoked)
      revoked.push_back({{"key", one.name.value}, {"publisher", one.publisher.value}, {"file", file.path}});
    for (const Policy::Plugin &one : file.policy.plugins)
      plugins.push_back({{"id", one.name.value}, {"digest", one.digest.value}, {"file", file.path}});
    for (const Policy::Owner &one : file.policy.owned)
      owned.push_back({{"ids", one.name.value}, {"names", texts(one.names)}, {"file", file.path}});
  }
  Json own = Json::array();
  for (const auto &[id, plugin] : trust.own().plugins) own.push_back({{"id", id}, {"version", plugin.version}});
  return {{"file", user_trust_file()}, {"changed", false}, {"own", own},        {"publishers", publishers},
          {"revoked", revoked},        {"owned", owned},   {"plugins", plugins}};
}

std::string text_of(const Json &trust) {
  std::string text = fmt::format("HTP's own build: {} plugins\n", trust.at("own").size());
  const auto word = [](const Json &value) { return value.get<std::string>(); };
  for (const Json &one : trust.at("publishers"))
    text += fmt::format("publisher {:<14} for {}\n  key {}\n  by {}\n", word(one.at("name")),
                        fmt::join(one.at("provides").get<std::vector<std::string>>(), ", "), word(one.at("key")),
                        word(one.at("file")));
  for (const Json &one : trust.at("plugins"))
    text += fmt::format("plugin {:<17} as it is, by {}\n", word(one.at("id")), word(one.at("file")));
  for (const Json &one : trust.at("owned"))
    text += fmt::format("owned {:<18} by {}\n", word(one.at("ids")), word(one.at("file")));
  for (const Json &one : trust.at("revoked"))
    text += fmt::format("revoked key {} {}\n  by {}\n", word(one.at("key")), word(one.at("publisher")),
                        word(one.at("file")));
  return text;
}

// The user's file as it is, to be changed.
bool own_policy(const Trust &trust, std::string &path, Policy &policy, Diagnostics &diagnostics) {
  path = user_trust_file();
  if (path.empty()) {
    diagnostics.report(diag::trust_no_file, {});
    return false;
  }
  for (const TrustFile &file : trust.files())
    if (file.path == path) policy = file.policy;
  return true;
}

int answer_changed(const Arguments &arguments, const std::string &path, const Policy &policy, const std::string &said,
                   Diagnostics &diagnostics) {
  if (!write_trust_file(path, policy, diagnostics)) return finish(arguments, diagnostics);
  Json json = json_of(Trust::read(nullptr, diagnostics));
  json["changed"] = true;
  return finish(arguments, diagnostics, arguments.quiet ? "" : said, json);
}

int revoke(const Arguments &arguments, const Trust &trust, Diagnostics &diagnostics) {
  std::string path;
  Policy policy;
  if (!own_policy(trust, path, policy, diagnostics)) return finish(arguments, diagnostics);
  const std::string &what = arguments.revoke;
  std::string said;
  const auto add = [&](const std::string &key, const std::string &publisher) {
    said += fmt::format("revoked the key {}{}{}\n", key, publisher.empty() ? "" : " of ", publisher);
    if (std::ranges::none_of(policy.revoked, [&](const Policy::Revoked &one) { return one.name == key; }))
      policy.revoked.push_back({{key, {}}, {publisher, {}}});
  };
  // One that the system's file trusts is revoked in the user's.
  for (const TrustFile &file : trust.files())
    for (const Publisher &one : file.policy.publishers)
      if (one.name == what || one.key == what) add(one.key.value, one.name.value);
  if (said.empty() && is_sha256(what)) add(what, "");
  std::erase_if(policy.publishers, [&](const Publisher &one) { return one.name == what || one.key == what; });
  if (std::erase_if(policy.plugins, [&](const Policy::Plugin &one) { return one.name == what; }) != 0)
    said += fmt::format("the plugin {} is not trusted any more\n", what);
  if (said.empty()) {
    diagnostics.report(diag::trust_not_known, {}, what, path);
    return finish(arguments, diagnostics);
  }
  return answer_changed(arguments, path, policy, said, diagnostics);
}

int trust_plugin(const Arguments &arguments, const Trust &trust, Diagnostics &diagnostics) {
  const std::string folder = without_slashes(arguments.name);
  const auto manifest = read_plugin(folder, diagnostics);
  if (!manifest) return finish(arguments, diagnostics);
  const std::string &id = manifest->id.value;
  Judgement judgement = trust.judge(*manifest, false);
  if (judgement.why && !judgement.needed_only) {
    diagnostics.add(*judgement.why);
    return finish(arguments, diagnostics);
  }
  if (!Trust::holds(judgement, *manifest, "", diagnostics)) return finish(arguments, diagnostics);
  if (judgement.standing != Standing::refused)
    return finish(arguments, diagnostics, fmt::format("{} is trusted already\n", id), json_of(trust));

  std::string path;
  Policy policy;
  if (!own_policy(trust, path, policy, diagnostics)) return finish(arguments, diagnostics);
  const bool is_signed = judgement.statement.has_value();
  const std::string digest = is_signed ? judgement.statement->key : sha256(file_lines(signed_files(*manifest)));
  const std::string kind = is_signed ? "key" : "digest";
  std::string shown = text_of(*manifest), said;
  if (is_signed) {
    const std::string &name = judgement.statement->publisher;
    const std::string ids = first_word(id) == name ? name + ".*" : id;
    for (const Publisher &one : policy.publishers)
      if (one.name == name) {
        diagnostics.report(diag::trust_other_key, {}, name, one.key.value);
        return finish(arguments, diagnostics);
      }
    shown += fmt::format("  signed by {} with the key {}\n", name, digest);
    policy.publishers.push_back({{name, {}}, {digest, {}}, {{ids, {}}}});
    said = fmt::format("{} is trusted for {}, in {}\n", name, ids, path);
  } else {
    shown += fmt::format("  nobody signed it; its digest is {}\n", digest);
    std::erase_if(policy.plugins, [&](const Policy::Plugin &one) { return one.name == id; });
    policy.plugins.push_back({{id, {}}, {digest, {}}});
    said = fmt::format("{} is trusted as it is, in {}\n", id, path);
  }
  if (!arguments.expect.empty()) {
    if (arguments.expect != digest) {
      diagnostics.report(diag::trust_unexpected, manifest->id.span, id, kind, digest, arguments.expect);
      return finish(arguments, diagnostics);
    }
  } else {
    const auto answered = arguments.json
                              ? std::nullopt
                              : answer(shown + (is_signed ? "trust this key? [y/N] " : "trust it as it is? [y/N] "));
    if (!answered) {
      diagnostics.report(diag::trust_not_asked, manifest->id.span, id)
          .hint(fmt::format("once you know that the {} is right: `htp-host plugins trust {} --expect {}`", kind,
                            shell_word(folder), digest));
      return finish(arguments, diagnostics, arguments.json ? "" : shown, nullptr);
    }
    if (*answered != "y" && *answered != "yes") {
      diagnostics.report(diag::trust_not_trusted, {}, id);
      return finish(arguments, diagnostics);
    }
  }
  return answer_changed(arguments, path, policy, said, diagnostics);
}

// ── verify ──

int verify_plugin(const Arguments &arguments, const Trust &trust, const std::string &folder, Diagnostics &diagnostics) {
  const auto manifest = read_plugin(folder, diagnostics);
  if (!manifest) return finish(arguments, diagnostics);
  Judgement judgement = trust.judge(*manifest, false);
  const bool is_unsigned = judgement.standing == Standing::refused && !judgement.statement && judgement.needed_only;
  if (is_unsigned)
    diagnostics.report(diag::trust_no_signature, manifest->id.span, folder);
  else if (judgement.why)
    diagnostics.add(*judgement.why);
  if (judgement.statement) Trust::holds(judgement, *manifest, "", diagnostics);
  std::string text = text_of(*manifest);
  const std::string key = judgement.statement ? judgement.statement->key : "";
  switch (judgement.standing) {
  case Standing::own: text += "  of HTP's own build, as it was built\n"; break;
  case Standing::signed_:
    text += fmt::format("  signed by {}, who may provide it, with the key {}\n", judgement.publisher, key);
    break;
  case Standing::kept: text += "  without a signature, as it was when you trusted it\n"; break;
  default: break;
  }
  Json json{{"path", folder}, {"standing", standing_name(judgement.standing)}};
  if (judgement.statement && !judgement.statement->publisher.empty()) {
    json["publisher"] = judgement.statement->publisher;
    json["key"] = key;
  }
  json["plugin"] = json_of(*manifest);
  if (diagnostics.errors()) json["standing"] = "refused";
  return finish(arguments, diagnostics, diagnostics.errors() || arguments.quiet ? "" : text, json);
}

int verify_package(const Arguments &arguments, const Trust &trust, const std::string &folder,
                   Diagnostics &diagnostics) {
  const auto package = read_package(folder, diagnostics);
  if (!package) return finish(arguments, diagnostics);
  const std::string path = package_signature(folder);
  const auto text = read_file(path, signature_limit);
  if (!text) {
    diagnostics.report(diag::trust_no_signature, {}, folder);
    return finish(arguments, diagnostics);
  }
  const auto statement = read_signature(*text);
  Json json{{"path", folder}, {"standing", "refused"}};
  if (!statement || statement->package.empty()) {
    diagnostics.report(diag::trust_bad_signature, {}, path, statement ? "it is of a plugin" : statement.error());
    return finish(arguments, diagnostics, "", json);
  }
  json["publisher"] = statement->publisher;
  json["key"] = statement->key;
  const Publisher *const publisher = trust.publisher(statement->key);
  const std::string what = "package " + folder;
  if (statement->package != package->digest)
    diagnostics.report(diag::trust_package_changed, {}, folder, package->digest);
  else if (trust.is_revoked(statement->key))
    diagnostics.report(diag::trust_revoked_key, {}, what, statement->publisher, statement->key);
  else if (!publisher)
    diagnostics.report(diag::trust_unknown_key, {}, what, statement->publisher, statement->key)
        .hint("trust the key by a plugin that it signed, `htp-host plugins trust PLUGIN`, or write it under "
              "`publishers:` in `" +
              user_trust_file() + "`");
  if (diagnostics.errors()) return finish(arguments, diagnostics, "", json);
  json["standing"] = "signed";
  return finish(arguments, diagnostics,
                arguments.quiet ? ""
                                : fmt::format("{}\n  signed by {} with the key {}\n", folder, publisher->name.value,
                                              statement->key),
                json);
}

} // namespace

int plugins_sign_command(const Arguments &arguments) {
  Diagnostics diagnostics;
  const std::string folder = without_slashes(arguments.name);
  const auto pem = read_file(arguments.key, 1u << 20);
  auto key = pem ? PrivateKey::read(*pem) : Expected<PrivateKey, std::string>(Unexpected{pem.error().reason});
  if (!key) {
    diagnostics.report(diag::trust_no_key, {}, arguments.key, key.error());
    return finish(arguments, diagnostics);
  }
  std::optional<Statement> statement;
  std::string path, what;
  if (is_plugin(folder)) {
    statement = statement_of_plugin(folder, diagnostics);
    if (statement) what = statement->id + " " + statement->version;
    path = join_path(folder, signature_name);
  } else if (is_package(folder)) {
    if (arguments.publisher.empty()) {
      diagnostics.report(diag::cli_missing_argument, {}, "--publisher").hint("a package does not say whose it is");
      return finish(arguments, diagnostics, exit_usage, "", nullptr);
    }
    if (const auto package = read_package(folder, diagnostics)) {
      statement.emplace();
      statement->package = package->digest;
      what = folder;
    }
    path = package_signature(folder);
  } else {
    diagnostics.report(diag::trust_nothing_to_sign, {}, folder);
  }
  if (!statement) return finish(arguments, diagnostics);
  if (!arguments.publisher.empty()) statement->publisher = arguments.publisher;
  if (const auto failed = write_file_atomic(path, signature_text(*statement, *key))) {
    diagnostics.report(diag::io_unwritable, {}, failed->path, failed->reason);
    return finish(arguments, diagnostics);
  }
  return finish(arguments, diagnostics,
                arguments.quiet ? ""
                                : fmt::format("signed {} as {}\n  key {}\n  {}\n", what, statement->publisher,
                                              key->public_key(), path),
                {{"signature", path}, {"publisher", statement->publisher}, {"key", key->public_key()}});
}

int plugins_verify_command(const Arguments &arguments) {
  Diagnostics diagnostics;
  std::optional<Trust> trust;
  if (!read_trust(arguments, trust, diagnostics)) return finish(arguments, diagnostics);
  const std::string folder = without_slashes(arguments.name);
  if (is_plugin(folder)) return verify_plugin(arguments, *trust, folder, diagnostics);
  if (is_package(folder)) return verify_package(arguments, *trust, folder, diagnostics);
  diagnostics.report(diag::trust_nothing_to_sign, {}, folder);
  return finish(arguments, diagnostics);
}

int plugins_trust_command(const Arguments &arguments) {
  Diagnostics diagnostics;
  std::optional<Trust> trust;
  if (!read_trust(arguments, trust, diagnostics)) return finish(arguments, diagnostics);
  if (!arguments.revoke.empty()) return revoke(arguments, *trust, diagnostics);
  if (!arguments.name.empty()) return trust_plugin(arguments, *trust, diagnostics);
  const Json json = json_of(*trust);
  return finish(arguments, diagnostics, text_of(json), json);
}

} // namespace htp
