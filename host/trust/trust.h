// host/trust/trust.h — which of the plugins that were found may take part: by their manifests, before anything is
// resolved; and whether the bytes are those that were trusted, before anything of them runs. docs/trust.md has the
// rules.
#pragma once

#include "host/trust/own.h"
#include "host/trust/trust_file.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace htp {

// Why a plugin may take part.
enum class Standing : uint8_t {
  own,     // of HTP's own build
  signed_, // by a publisher that may provide it
  kept,    // without a signature, as it was when the user trusted it
  named,   // the user named its profile or its folder
  refused
};
std::string_view standing_name(Standing standing); // "own", "signed", "as it is", "named", "refused"

struct Judgement {
  Standing standing = Standing::refused;
  std::string publisher;              // of `signed_`
  std::optional<Statement> statement; // what it consists of; nothing: nobody said
  std::optional<Diagnostic> why;      // refused: an error; named: what is to be said of it all the same
  bool needed_only = false;           // refused: told only where it is missed
};

class Trust {
public:
  // HTP's own build, the system's file and the user's, and `profile`'s publishers; null: none is named by the user.
  // What is wrong with a file is reported, and counts for nothing.
  static Trust read(const Profile *profile, Diagnostics &diagnostics);
  // For tests: of these alone.
  static Trust of(OwnBuild own, std::vector<TrustFile> files);

  // By its manifest and its signature, without its other files. `named`: the user named its folder, or a profile that
  // does.
  Judgement judge(const Manifest &manifest, bool named) const;

  // Whether the plugin's bytes are those of the judgement's statement; reported. The library's digest is that of the
  // bytes that will run; empty: it is read. `python`: only its Python and its manifest are looked at.
  static bool holds(const Judgement &judgement, const Manifest &manifest, const std::string &library_sha256,
                    Diagnostics &diagnostics, bool python = false);

  // Who is trusted with the key; null: nobody.
  const Publisher *publisher(std::string_view key) const;
  bool is_revoked(std::string_view key) const;
  const std::vector<TrustFile> &files() const { return files_; }
  const OwnBuild &own() const { return own_; }
  // Of all that judgements depend on beside the plugins.
  const std::string &digest() const { return digest_; }

private:
  std::optional<Diagnostic> refused_names(const Manifest &manifest, const Judgement &judgement) const;
  Judgement by_signature(const Manifest &manifest) const;
  bool is_own_id(std::string_view id) const;

  OwnBuild own_;
  std::vector<TrustFile> files_; // the system's first
  std::vector<Publisher> of_profile_;
  std::string digest_;
};

// "acme.*" is of all ids that begin with "acme."
bool matches(std::string_view pattern, std::string_view id);

// The command that says who signed a plugin, asks, and trusts it.
std::string trust_command(const std::string &folder);

} // namespace htp
