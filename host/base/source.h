// host/base/source.h — source text and places in it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace htp {

// One text a person wrote: a program, a manifest, a profile. Immutable once made; shared by everything that points into
// it.
class SourceFile {
public:
  // `path` is how the user named it (relative to where they stand when it can be); only messages show it.
  SourceFile(std::string path, std::string text);

  const std::string path;
  const std::string text;

  uint32_t line_count() const { return static_cast<uint32_t>(starts_.size()); }
  // The 1-based line without its newline; empty when out of range.
  std::string_view line(uint32_t number) const;
  // Byte offset of (1-based line, 0-based byte column), clamped to the text.
  size_t offset(uint32_t line, uint32_t col) const;

private:
  std::vector<size_t> starts_;
};

using SourceRef = std::shared_ptr<const SourceFile>;

// A place: 1-based lines, 0-based byte columns, end exclusive, as CPython gives them. line 0: the file as a whole;
// no file: nowhere.
struct Span {
  SourceRef file;
  uint32_t line = 0, col = 0, end_line = 0, end_col = 0;

  explicit operator bool() const { return file != nullptr; }
};

} // namespace htp
