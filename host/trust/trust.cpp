#include "host/trust/trust.h"

#include "host/base/beneath.h"
#include "host/base/fs.h"
#include "host/base/hash.h"
#include "host/load/access.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace htp {

namespace {

constexpr std::string_view own_ids = "htp.*";

std::string lower(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return out;
}

// The word that says whose a name is: the first, after `Dialect` and `Backend` the second.
std::string word_of(std::string_view name) {
  for (const std::string_view family : {"Dialect.", "Backend."})
    if (name.starts_with(family)) name.remove_prefix(family.size());
  return lower(name.substr(0, name.find('.')));
}

Diagnostic made(const Diagnostics &said) { return said.list().front(); }

std::string folder_of(const Manifest &manifest) { return manifest.folder.empty() ? "." : manifest.folder; }

std::string patterns(const std::vector<Text> &list) {
  std::vector<std::string> texts;
  for (const Text &one : list) texts.push_back("`" + one.value + "`");
  return fmt::format("{}", fmt::join(texts, ", "));
}

} // namespace

bool matches(std::string_view pattern, std::string_view id) {
  if (!pattern.ends_with(".*")) return pattern == id;
  return id.starts_with(pattern.substr(0, pattern.size() - 1));
}

std::string_view standing_name(Standing standing) {
  switch (standing) {
  case Standing::own: return "own";
  case Standing::signed_: return "signed";
  case Standing::kept: return "as it is";
  case Standing::named: return "named";
  case Standing::refused: break;
  }
  return "refused";
}

std::string trust_command(const std::string &folder) { return "`htp-host plugins trust " + shell_word(folder) + "`"; }

Trust Trust::read(const Profile *profile, Diagnostics &diagnostics) {
  Trust trust;
  Sha256 key;
  const auto add = [&](std::string_view part) { key.add(std::to_string(part.size())).add(":").add(part); };
  const std::string &list = own_build_path();
  if (!list.empty() && check_access(list, {}, diagnostics)) {
    if (const auto text = read_file(list, 16u << 20)) {
      trust.own_ = read_own_build(*text);
      add(*text);
    }
  }
  for (const std::string &path : {std::string(system_trust_file), user_trust_file()}) {
    std::optional<TrustFile> file;
    if (!read_trust_file(path, file, diagnostics) || !file) continue;
    add(file->text);
    trust.files_.push_back(std::move(*file));
  }
  if (profile) {
    trust.of_profile_ = profile->publishers;
    for (const Publisher &one : profile->publishers) {
      add(one.key.value);
      for (const Text &ids : one.provides) add(ids.value);
    }
  }
  trust.digest_ = key.hex();
  return trust;
}

Trust Trust::of(OwnBuild own, std::vector<TrustFile> files) {
  Trust trust;
  trust.own_ = std::move(own);
  trust.files_ = std::move(files);
  return trust;
}

const Publisher *Trust::publisher(std::string_view key) const {
  for (const TrustFile &file : files_)
    for (const Publisher &one : file.policy.publishers)
      if (one.key == key) return &one;
  for (const Publisher &one : of_profile_)
    if (one.key == key) return &one;
  return nullptr;
}

bool Trust::is_revoked(std::string_view key) const {
  return std::ranges::any_of(files_, [&](const TrustFile &file) {
    return std::ranges::any_of(file.policy.revoked, [&](const Policy::Revoked &one) { return one.name == key; });
  });
}

bool Trust::is_own_id(std::string_view id) const {
  return matches(own_ids, id) || std::ranges::any_of(files_, [&](const TrustFile &file) {
           return std::ranges::any_of(file.policy.owned,
                                      [&](const Policy::Owner &owner) { return matches(owner.name.value, id); });
         });
}

// What names of whose the plugin takes.
std::optional<Diagnostic> Trust::refused_names(const Manifest &manifest, const Judgement &judgement) const {
  const auto owner_of = [&](const std::string &word) -> std::optional<std::string> {
    const auto is = [&](std::string_view ids) { return matches(ids, manifest.id.value); };
    if (own_.names.contains(word) && !is(own_ids)) return std::string(own_ids);
    for (const TrustFile &file : files_)
      for (const Policy::Owner &owner : file.policy.owned)
        if (!is(owner.name.value) &&
            std::ranges::any_of(owner.names, [&](const Text &name) { return lower(name.value) == word; }))
          return owner.name.value;
    return std::nullopt;
  };
  if (judgement.standing == Standing::own) return std::nullopt;
  std::optional<Diagnostic> found;
  const auto look = [&](std::string_view what, const Text &name) {
    const std::string word = word_of(name.value);
    const auto owner = found ? std::nullopt : owner_of(word);
    if (!owner) return;
    Diagnostics said;
    said.report(diag::trust_owned_name, name.span, what, name.value, manifest.id.value, *owner)
        .hint(fmt::format("begin it with a word of your own, not with `{}`", word));
    found = made(said);
  };
  for (const CapabilityDecl &capability : manifest.declares) look("the capability", capability.name);
  for (const Unit &unit : manifest.units) {
    look("the unit", unit.name);
    if (unit.kind == UnitKind::intrinsics)
      for (const Text &member : unit.members) look("the intrinsic", member);
  }
  return found;
}

Judgement Trust::by_signature(const Manifest &manifest) const {
  Judgement judgement;
  if (manifest.unsigned_) return judgement;
  Diagnostics said;
  const std::string folder = folder_of(manifest), path = join_path(folder, signature_name);
  const auto refuse = [&]() -> Judgement {
    judgement.standing = Standing::refused;
    judgement.why = made(said);
    return std::move(judgement);
  };
  const auto text = read_beneath(folder, std::string(signature_name));
  if (!text) return judgement; // it has none
  if (!check_access(path, manifest.id.span, said)) return refuse();
  auto statement = text->size() <= signature_limit ? read_signature(*text) : Unexpected{std::string("it is too large")};
  if (!statement) {
    said.report(diag::trust_bad_signature, manifest.id.span, path, statement.error());
    return refuse();
  }
  const Publisher *const known = publisher(statement->key);
  const std::string *const signed_manifest = statement->digest_of("htp-plugin.yaml");
  judgement.statement = std::move(*statement);
  const Statement &s = *judgement.statement;
  if (is_revoked(s.key)) {
    said.report(diag::trust_revoked_key, manifest.id.span, manifest.id.value, s.publisher, s.key);
    return refuse();
  }
  if (s.id != manifest.id.value || s.version != manifest.version_text.value || !signed_manifest ||
      *signed_manifest != manifest.sha256) {
    said.report(diag::trust_changed, manifest.id.span, manifest.id.value, "signed", "`htp-plugin.yaml` was changed");
    return refuse();
  }
  if (!known) {
    Diagnostic &d = said.report(diag::trust_unknown_key, manifest.id.span, manifest.id.value, s.publisher, s.key);
    d.hint("trust the key: " + trust_command(folder));
    judgement.why = made(said);
    judgement.needed_only = true;
    return judgement;
  }
  if (std::ranges::none_of(known->provides, [&](const Text &ids) { return matches(ids.value, s.id); })) {
    said.report(diag::trust_not_provided, manifest.id.span, known->name.value, s.id, patterns(known->provides));
    return refuse();
  }
  judgement.standing = Standing::signed_;
  judgement.publisher = known->name.value;
  return judgement;
}

Judgement Trust::judge(const Manifest &manifest, bool named) const {
  Judgement judgement;
  const std::string &id = manifest.id.value;
  const auto own = own_.plugins.find(id);
  if (own != own_.plugins.end()) {
    const std::string *const digest = own->second.digest_of("htp-plugin.yaml");
    if (digest && *digest == manifest.sha256) {
      judgement.standing = Standing::own;
      judgement.publisher = "htp";
      judgement.statement = own->second;
      return judgement;
    }
  }
  judgement = by_signature(manifest);
  const auto refuse = [&](Diagnostic why, bool needed_only = false) {
    judgement.standing = Standing::refused;
    judgement.why = std::move(why);
    judgement.needed_only = needed_only;
    return judgement;
  };
  if (judgement.why && !judgement.needed_only) return judgement;
  if (auto why = refused_names(manifest, judgement)) return refuse(std::move(*why));
  if (judgement.standing == Standing::signed_) return judgement;
  if (is_own_id(id)) {
    Diagnostics said;
    Diagnostic &d = said.report(diag::trust_owned_id, manifest.id.span, id, manifest.version_text.value);
    if (own_.plugins.empty() && matches(own_ids, id))
      d.hint("`lib/htp/own-plugins`, the list of HTP's own build, is not there: build or install HTP again");
    return refuse(made(said));
  }
  for (const TrustFile &file : files_)
    for (const Policy::Plugin &plugin : file.policy.plugins)
      if (plugin.name == id) {
        const auto files = signed_files(manifest);
        if (plugin.digest.value != sha256(file_lines(files))) continue;
        judgement.standing = Standing::kept;
        judgement.statement = Statement{id, manifest.version_text.value, "", "", "", files};
        judgement.why.reset();
        return judgement;
      }
  if (named) {
    judgement.standing = Standing::named;
    if (judgement.why) judgement.why->severity = Severity::warning;
    return judgement;
  }
  if (judgement.why) return judgement; // a key that is not known
  Diagnostics said;
  said.report(diag::trust_unsigned, manifest.id.span, id, folder_of(manifest))
      .hint("look at it, and trust it as it is: " + trust_command(folder_of(manifest)) +
            "; or name its folder: `--plugin-path " + shell_word(folder_of(manifest)) + "`");
  return refuse(made(said), true);
}

bool Trust::holds(const Judgement &judgement, const Manifest &manifest, const std::string &library_sha256,
                  Diagnostics &diagnostics, bool python) {
  if (!judgement.statement) return true;
  const std::string differs = difference(*judgement.statement, manifest, library_sha256, python);
  if (differs.empty()) return true;
  const bool own = judgement.standing == Standing::own, kept = judgement.standing == Standing::kept;
  Diagnostic &d = diagnostics.report(diag::trust_changed, manifest.id.span, manifest.id.value,
                                     own    ? "built"
                                     : kept ? "trusted"
                                            : "signed",
                                     differs);
  d.hint(own    ? "build HTP again, or install it again"
         : kept ? "look at what changed, and trust it again: " + trust_command(folder_of(manifest))
                : "get it again from `" + judgement.statement->publisher +
                      "`, or, where it is yours, sign it again: `htp-host plugins sign " +
                      shell_word(folder_of(manifest)) + " --key FILE`");
  return false;
}

} // namespace htp
