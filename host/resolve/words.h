// host/resolve/words.h — lists in words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace htp {

// "a", "a and b", "a, b and c".
inline std::string list_text(const std::vector<std::string> &words, std::string_view last) {
  std::string text;
  for (size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " " + std::string(last) + " " : ", ";
    text += words[i];
  }
  return text;
}

inline std::vector<std::string> quoted(std::vector<std::string> words) {
  for (std::string &word : words) word = "`" + word + "`";
  return words;
}

} // namespace htp
