#include "host/cli/cites.h"

#include <cctype>
#include <string_view>
#include <unordered_map>

namespace htp {

namespace {

// The number behind `program.py:` or `program.py":`; 0 where there is none.
uint32_t cited_in(std::string_view line) {
  for (const std::string_view name : {"program.py:", "program.py\":"})
    if (const size_t at = line.find(name); at != line.npos) {
      uint32_t number = 0;
      for (size_t k = at + name.size(); k < line.size() && line[k] >= '0' && line[k] <= '9' && number < 10'000'000; ++k)
        number = number * 10 + static_cast<uint32_t>(line[k] - '0');
      if (number) return number;
    }
  return 0;
}

// What `#loc7` stands for, and which of these a line names: `#loc7 = loc("program.py":21:13)` … `loc(#loc7)`.
std::string_view named_location(std::string_view line, std::string_view before) {
  const size_t at = line.rfind(before);
  if (at == line.npos) return {};
  const size_t begin = at + before.size() - 1;
  size_t end = begin + 1;
  while (end < line.size() && (std::isalnum(static_cast<unsigned char>(line[end])) || line[end] == '_')) ++end;
  return line.substr(begin, end - begin);
}

} // namespace

std::vector<std::string> lines_in(const std::string &text) {
  std::vector<std::string> lines;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

std::vector<uint32_t> citations(const std::vector<std::string> &lines) {
  std::unordered_map<std::string_view, uint32_t> named;
  for (const std::string &line : lines)
    if (line.starts_with("#"))
      if (const uint32_t cited = cited_in(line)) named.emplace(named_location(line, "#"), cited);
  std::vector<uint32_t> cites;
  for (const std::string &line : lines) {
    uint32_t cited = cited_in(line);
    if (!cited && !named.empty())
      if (const auto found = named.find(named_location(line, "loc(#")); found != named.end()) cited = found->second;
    cites.push_back(cited);
  }
  return cites;
}

} // namespace htp
