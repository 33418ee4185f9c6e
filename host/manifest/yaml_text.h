// host/manifest/yaml_text.h — what must hold of the bytes before a YAML reader sees them, and places in them.
#pragma once

#include "host/manifest/yaml.h"

namespace htp {

// Offsets of the text as places.
class Offsets {
public:
  explicit Offsets(const SourceRef &source) : source_(source) {}
  Span span(size_t begin, size_t end) const;
  // The scalar that begins at `begin` and reads `value`: its end is found in the text.
  Span scalar(size_t begin, std::string_view value) const;
  // Does a quoted scalar begin at `begin` that nothing closes?
  bool unclosed(size_t begin) const;

private:
  size_t closing_quote(size_t begin) const; // the offset behind it; npos: there is none
  size_t line_of(size_t offset) const;
  const SourceRef &source_;
};

// Reports bytes that are no UTF-8, control characters, and text over the limits. False when the text may not be read
// on.
bool check_text(const SourceRef &source, Diagnostics &diagnostics, const YamlLimits &limits);

} // namespace htp
