// fixture.h — the fixtures of tests/fixtures/plugins, by name.
#pragma once

#include "host/base/fs.h"
#include "host/load/plugin.h"

#include <gtest/gtest.h>

#include <string>

namespace htp {

inline std::string fixture_folder(const std::string &name) {
  return std::string(HTP_BINARY_DIR) + "/fixtures/plugins/" + name;
}

inline Manifest manifest_in(const std::string &folder) {
  const std::string path = folder + "/htp-plugin.yaml";
  auto text = read_file(path);
  EXPECT_TRUE(text) << path;
  Diagnostics diagnostics;
  auto manifest = read_manifest(std::make_shared<SourceFile>("htp-plugin.yaml", text ? *text : ""), diagnostics);
  for (const Diagnostic &d : diagnostics.list()) ADD_FAILURE() << d.code << ": " << d.message;
  if (!manifest) return {};
  manifest->folder = folder;
  return std::move(*manifest);
}
inline Manifest fixture(const std::string &name) { return manifest_in(fixture_folder(name)); }

// "LINE code: message", with notes and hints beneath.
inline std::string text(const Diagnostics &diagnostics) {
  std::string result;
  for (const Diagnostic &d : diagnostics.list()) {
    result += (d.span ? std::to_string(d.span.line) + " " : "") + d.code + ": " + d.message + "\n";
    for (const std::string &note : d.notes) result += "  note: " + note + "\n";
    for (const std::string &hint : d.hints) result += "  hint: " + hint + "\n";
  }
  return result;
}

inline std::vector<LoadedPlugin> load(const Manifest &manifest, const LoadOptions &options, Diagnostics &diagnostics) {
  const Manifest *const one[] = {&manifest};
  return load_plugins(one, options, diagnostics);
}

} // namespace htp
