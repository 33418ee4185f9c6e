// tests/fuzz/manifest/probe.h — what holds of every text that is read as a manifest, a profile or a term.
#pragma once

#include "host/diag/render.h"
#include "host/manifest/manifest.h"

#include <cstdio>
#include <cstdlib>

namespace htp::test {

inline void must(bool holds, const char *what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", what);
  std::abort();
}

inline void probe_terms(const Manifest &manifest) {
  for (const Unit &unit : manifest.units)
    for (const Requirement &requirement : unit.requires_) {
      Diagnostics diagnostics;
      const auto again = parse_requirement(requirement.text(), {}, diagnostics);
      must(again && again->text() == requirement.text(), "a requirement's canonical text reads as itself");
    }
}

// Either it is read, or an error says why not; and every form of every message can be made.
inline void probe(std::string text) {
  const auto source = std::make_shared<SourceFile>("input.yaml", std::move(text));
  Diagnostics diagnostics, of_profile;
  const auto manifest = read_manifest(source, diagnostics);
  must(manifest.has_value() == (diagnostics.errors() == 0), "no manifest without an error, no error with one");
  const auto profile = read_profile(source, of_profile);
  must(profile.has_value() == (of_profile.errors() == 0), "no profile without an error, no error with one");
  if (manifest) {
    probe_terms(*manifest);
    check_terms({&*manifest}, diagnostics);
  }
  diagnostics.append(of_profile);
  for (const char c : render_text(diagnostics, {false, 100}))
    must(static_cast<unsigned char>(c) >= 0x20 || c == '\n', "no control character is sent to the terminal");
  must(!render_json(diagnostics).empty() && !render_sarif(diagnostics, "0").empty(), "the other forms can be made");
}

} // namespace htp::test
