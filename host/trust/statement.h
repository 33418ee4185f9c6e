// host/trust/statement.h — what is signed: the files that a plugin consists of, or a package's digest, as lines of
// text. The bytes that are verified are the bytes that are read.
#pragma once

#include "host/base/expected.h"
#include "host/manifest/manifest.h"
#include "host/trust/keys.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace htp {

struct SignedFile {
  std::string path; // beneath the plugin's folder
  std::string sha256;
};

struct Statement {
  std::string id, version;       // of a plugin
  std::string package;           // of a package: the SHA-256 of its manifest.json
  std::string publisher, key;    // whose signature it is; empty in the list of HTP's own
  std::vector<SignedFile> files; // of a plugin, by path

  const std::string *digest_of(std::string_view path) const; // null: no such file
};

// A plugin's signature lies beside its manifest, a package's beside its folder: neither is part of a digest.
inline constexpr std::string_view signature_name = "htp-plugin.sig";
std::string package_signature(const std::string &package); // "softmax.htp" → "softmax.htp.sig"
inline constexpr uint64_t signature_limit = 1u << 20;

// The whole text of a signature.
std::string signature_text(const Statement &statement, const PrivateKey &key);
// A signature that its own key made; else what is wrong with it. Whose key it is says nobody but a policy.
Expected<Statement, std::string> read_signature(std::string_view text);

// "file DIGEST PATH\n" for each.
std::string file_lines(const std::vector<SignedFile> &files);
// Such a line, or nothing.
std::optional<SignedFile> file_of(std::string_view line);

// Whether the path beneath the plugin's folder is of something that runs: its manifest, which decides what does, a
// library, or Python in the folder that it names.
bool may_run(const Manifest &manifest, std::string_view path);
// What is there of these, with digests; nothing of those that cannot be read. `manifest_text` is taken as it was read.
std::vector<SignedFile> signed_files(const Manifest &manifest);

// Where what is there is not what the statement says; empty where it is. The library's digest is the caller's when it
// knows it; `without_library`: libraries are not looked at.
std::string difference(const Statement &statement, const Manifest &manifest, const std::string &library_sha256,
                       bool without_library = false);

} // namespace htp
