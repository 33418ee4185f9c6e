// host/resolve/lists.h — lists in sentences.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace htp {

// "a", "a and b", "a, b and c".
inline std::string list_text(const std::vector<std::string> &items, std::string_view last) {
  std::string text;
  for (size_t i = 0; i < items.size(); ++i) {
    if (i > 0) text += i + 1 == items.size() ? " " + std::string(last) + " " : ", ";
    text += items[i];
  }
  return text;
}

inline std::vector<std::string> quoted(std::vector<std::string> items) {
  for (std::string &item : items) item = "`" + item + "`";
  return items;
}

} // namespace htp
