// host/editor/text.h — the text of an open document, in the terms of the protocol: lines and columns from 0, columns in
// units of UTF-16; a line ends with `\n`, `\r\n` or `\r`. Within, a location is an offset in bytes of UTF-8.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace htp::editor {

struct Position {
  uint32_t line = 0, character = 0;
  auto operator<=>(const Position &) const = default;
};

struct Range {
  Position begin, end;
  bool operator==(const Range &) const = default;
};

class Text {
public:
  explicit Text(std::string bytes = "");

  const std::string &bytes() const { return bytes_; }
  uint32_t line_count() const { return static_cast<uint32_t>(starts_.size()); }
  // Without what ends it; empty where there is no such line.
  std::string_view line(uint32_t number) const;
  // Clamped to the text; never within a code point.
  size_t offset(Position position) const;
  Position position(size_t offset) const;
  // Of a column in bytes of a line.
  Position position(uint32_t line, uint32_t bytes) const;
  void replace(Range range, std::string_view text);

private:
  void find_lines();

  std::string bytes_;
  std::vector<size_t> starts_;
};

// The UTF-16 units of a text of UTF-8.
uint32_t utf16_units(std::string_view text);

} // namespace htp::editor
