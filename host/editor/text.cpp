#include "host/editor/text.h"

#include "host/diag/utf8.h"

#include <algorithm>

namespace htp::editor {

namespace {

uint32_t units_of(char32_t c) { return c > 0xffff ? 2 : 1; }

} // namespace

uint32_t utf16_units(std::string_view text) {
  uint32_t units = 0;
  while (!text.empty()) units += units_of(take_code_point(text));
  return units;
}

Text::Text(std::string bytes) : bytes_(std::move(bytes)) { find_lines(); }

void Text::find_lines() {
  starts_.assign(1, 0);
  for (size_t k = 0; k < bytes_.size(); ++k)
    if (bytes_[k] == '\n' || (bytes_[k] == '\r' && (k + 1 == bytes_.size() || bytes_[k + 1] != '\n')))
      starts_.push_back(k + 1);
}

std::string_view Text::line(uint32_t number) const {
  if (number >= starts_.size()) return {};
  const size_t begin = starts_[number], end = number + 1 < starts_.size() ? starts_[number + 1] : bytes_.size();
  std::string_view found = std::string_view(bytes_).substr(begin, end - begin);
  while (!found.empty() && (found.back() == '\n' || found.back() == '\r')) found.remove_suffix(1);
  return found;
}

size_t Text::offset(Position position) const {
  if (position.line >= starts_.size()) return bytes_.size();
  std::string_view rest = line(position.line);
  const char *const begin = rest.data();
  for (uint32_t units = 0; !rest.empty();) {
    std::string_view next = rest;
    units += units_of(take_code_point(next));
    if (units > position.character) break;
    rest = next;
  }
  return starts_[position.line] + static_cast<size_t>(rest.data() - begin);
}

Position Text::position(size_t offset) const {
  offset = std::min(offset, bytes_.size());
  const auto after = std::upper_bound(starts_.begin(), starts_.end(), offset);
  const auto line = static_cast<uint32_t>(after - starts_.begin() - 1);
  return position(line, static_cast<uint32_t>(offset - starts_[line]));
}

Position Text::position(uint32_t number, uint32_t bytes) const {
  if (number >= starts_.size()) return position(bytes_.size());
  return {number, utf16_units(line(number).substr(0, bytes))};
}

void Text::replace(Range range, std::string_view text) {
  const size_t begin = offset(range.begin), end = std::max(offset(range.end), begin);
  bytes_.replace(begin, end - begin, text);
  find_lines();
}

} // namespace htp::editor
