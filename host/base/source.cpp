#include "host/base/source.h"

#include <algorithm>

namespace htp {

SourceFile::SourceFile(std::string file_path, std::string file_text)
    : path(std::move(file_path)), text(std::move(file_text)) {
  starts_.push_back(0);
  for (size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 1)) starts_.push_back(at + 1);
}

std::string_view SourceFile::line(uint32_t number) const {
  if (number == 0 || number > starts_.size()) return {};
  const size_t begin = starts_[number - 1];
  size_t end = number < starts_.size() ? starts_[number] - 1 : text.size();
  if (end > begin && text[end - 1] == '\r') --end;
  return std::string_view(text).substr(begin, end - begin);
}

size_t SourceFile::offset(uint32_t number, uint32_t col) const {
  if (number == 0) return 0;
  if (number > starts_.size()) return text.size();
  return std::min(starts_[number - 1] + col, text.size());
}

} // namespace htp
