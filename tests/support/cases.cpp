#include "tests/support/cases.h"

#include "tests/support/dialect_host.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <sstream>

namespace htp::test {

std::vector<Case> cases(const std::string &folder) {
  std::vector<Case> result;
  for (const std::string &file : names_in(source_path(folder), ".py")) {
    const std::string path = source_path(folder + "/" + file + ".py");
    std::istringstream lines(read_text(path));
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with("#: "))
        result.push_back({path, file, line.substr(3), "", ""});
      else if (line.starts_with("#> "))
        result.back().said += line.substr(3) + "\n";
      else if (!result.empty())
        result.back().program += line + "\n";
    }
  }
  return result;
}

std::string test_name(const Case &c) {
  std::string name = c.file + "_" + c.name;
  std::replace_if(
      name.begin(), name.end(), [](char ch) { return !std::isalnum(static_cast<unsigned char>(ch)); }, '_');
  return name;
}

std::string counted_from(const std::string &head, const std::string &said) {
  const auto offset = std::count(head.begin(), head.end(), '\n');
  std::string result;
  std::istringstream lines(said);
  for (std::string line; std::getline(lines, line);) {
    const size_t digits = line.find_first_not_of(' ');
    const size_t colon = line.find(':', digits);
    if (colon != std::string::npos && colon > digits && line.find_first_not_of("0123456789", digits) == colon)
      line = line.substr(0, digits) + std::to_string(std::stol(line.substr(digits)) - offset) + line.substr(colon);
    for (size_t word = 0; (word = line.find("in line ", word)) != std::string::npos;) {
      word += 8;
      size_t length = 0;
      const long number = std::stol(line.substr(word), &length);
      line.replace(word, length, std::to_string(number - offset));
    }
    result += line + "\n";
  }
  return result;
}

void update(const Case &c, const std::string &said) {
  std::istringstream lines(read_text(c.path));
  std::string text;
  bool here = false;
  const auto finish = [&] {
    if (!here) return;
    while (text.ends_with("\n\n")) text.pop_back();
    std::istringstream words(said);
    for (std::string line; std::getline(words, line);) text += "#> " + line + "\n";
    text += "\n";
  };
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("#: ")) {
      finish();
      here = line.substr(3) == c.name;
    }
    if (!(here && line.starts_with("#> "))) text += line + "\n";
  }
  finish();
  while (text.ends_with("\n\n")) text.pop_back();
  std::ofstream(c.path, std::ios::binary) << text;
}

std::vector<std::string> codes_not_said(const std::string &table, const std::string &folder) {
  std::string all;
  for (const Case &c : cases(folder)) all += c.said;
  std::vector<std::string> result;
  std::istringstream lines(read_text(source_path(table)));
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("DIAG(")) continue;
    const size_t begin = line.find('"') + 1;
    const std::string code = line.substr(begin, line.find('"', begin) - begin);
    if (all.find(" " + code + ": ") == std::string::npos) result.push_back(code);
  }
  return result;
}

} // namespace htp::test
