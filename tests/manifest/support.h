// tests/manifest/support.h — manifests from text, and what is said of them.
#pragma once

#include "host/diag/location.h"
#include "host/diag/render.h"
#include "host/manifest/manifest.h"

#include <fmt/format.h>

namespace htp::test {

inline SourceRef source(std::string text, std::string path = "m.yaml") {
  return std::make_shared<SourceFile>(std::move(path), std::move(text));
}

// One line a diagnostic, in order: "3:5 code: message", and its hints: "  hint: …".
inline std::string told(const Diagnostics &diagnostics) {
  std::string out;
  for (const Diagnostic *d : in_order(diagnostics)) {
    const Location location = location_of(d->span);
    out += fmt::format("{}:{} {}: {}\n", location.line, location.column, d->code, d->message);
    for (const Label &label : d->labels) {
      const Location at = location_of(label.span);
      out += fmt::format("  {}:{} {}\n", at.line, at.column, label.text);
    }
    for (const std::string &note : d->notes) out += fmt::format("  note: {}\n", note);
    for (const std::string &hint : d->hints) out += fmt::format("  hint: {}\n", hint);
  }
  return out;
}

// `rest` after the least that a manifest needs (five lines).
inline std::string with_head(const std::string &rest) {
  return "htp_manifest: 1\nplugin:\n  id: acme.spatial\n  version: \"1.2.0\"\n  doc: a plugin\n" + rest;
}

inline std::string told_of_manifest(const std::string &text) {
  Diagnostics diagnostics;
  const auto manifest = read_manifest(source(text), diagnostics);
  return manifest ? "" : told(diagnostics);
}
inline std::string told_of_profile(const std::string &text) {
  Diagnostics diagnostics;
  const auto profile = read_profile(source(text), diagnostics);
  return profile ? "" : told(diagnostics);
}

} // namespace htp::test
