// A plugin on disk, and what is said of it.
#pragma once

#include "host/base/fs.h"
#include "host/trust/trust.h"

#include <gtest/gtest.h>

namespace htp::test {

// Keys of RFC 8032, section 7.1: its tests 1 and 2.
inline const char first_key[] = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60";
inline const char first_public[] = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a";

inline std::string pem_of(std::string_view hex) {
  std::string der = "302e020100300506032b657004220420" + std::string(hex), bytes, text;
  for (size_t i = 0; i < der.size(); i += 2) bytes += static_cast<char>(std::stoi(der.substr(i, 2), nullptr, 16));
  constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (size_t i = 0; i < bytes.size(); i += 3) {
    uint32_t three = 0;
    for (size_t k = 0; k < 3; ++k) three = three << 8 | (i + k < bytes.size() ? static_cast<uint8_t>(bytes[i + k]) : 0);
    for (size_t k = 0; k < 4; ++k) text += i + k > bytes.size() ? '=' : digits[three >> (18 - 6 * k) & 63];
  }
  return "-----BEGIN PRIVATE KEY-----\n" + text + "\n-----END PRIVATE KEY-----\n";
}

inline PrivateKey key() {
  auto read = PrivateKey::read(pem_of(first_key));
  EXPECT_TRUE(read) << read.error();
  return std::move(*read);
}

struct OnDisk {
  TemporaryFolder folder = std::move(*TemporaryFolder::make());
  std::string path(std::string_view name) const { return join_path(folder.path(), name); }
  void write(const std::string &name, std::string_view text) const {
    if (const size_t slash = name.rfind('/'); slash != std::string::npos) {
      EXPECT_FALSE(make_folders(path(name.substr(0, slash))));
    }
    EXPECT_FALSE(write_file(path(name), text));
  }
  Manifest manifest() const {
    Diagnostics diagnostics;
    auto text = read_file(path("htp-plugin.yaml"));
    auto read = read_manifest(std::make_shared<SourceFile>(path("htp-plugin.yaml"), *text), diagnostics);
    EXPECT_TRUE(read);
    read->folder = folder.path();
    return std::move(*read);
  }
};

inline OnDisk fold(const std::string &id = "acme.fold", const std::string &more = "") {
  OnDisk plugin;
  plugin.write("htp-plugin.yaml", "htp_manifest: 1\nplugin:\n  id: " + id +
                                      "\n  version: \"1.0\"\npython:\n  module: acme\n  path: python\n" + more);
  plugin.write("python/acme/__init__.py", "x = 1\n");
  plugin.write("README.md", "what it is\n");
  return plugin;
}

inline void sign(const OnDisk &plugin, const std::string &publisher = "acme") {
  const Manifest manifest = plugin.manifest();
  Statement s{manifest.id.value, manifest.version_text.value, "", publisher, "", signed_files(manifest)};
  plugin.write(std::string(signature_name), signature_text(s, key()));
}

inline Trust trusting(const std::string &yaml, OwnBuild own = {}) {
  Diagnostics diagnostics;
  const std::string text = "htp_trust: 1\n" + yaml;
  auto policy = read_policy(std::make_shared<SourceFile>("trust.yaml", text), diagnostics);
  EXPECT_TRUE(policy) << (diagnostics.empty() ? "" : diagnostics.list().front().message);
  std::vector<TrustFile> files;
  files.push_back({"trust.yaml", text, std::move(*policy)});
  return Trust::of(std::move(own), std::move(files));
}

inline std::string acme(const std::string &provides = "acme.*") {
  return std::string("publishers:\n  - name: acme\n    key: \"") + first_public + "\"\n    provides:\n      - " +
         provides + "\n";
}

} // namespace htp::test
