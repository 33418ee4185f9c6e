// Data files of programs with a mistake and what is said about it. Cases are separated by lines `#: name`; what is
// said, as DialectHost tells it, stands in lines `#> ` at the case's end, with lines counted from the case's own first
// one.
#pragma once

#include <string>
#include <vector>

namespace htp::test {

struct Case {
  std::string path, file, name, program, said;
};
std::vector<Case> cases(const std::string &folder); // relative to the sources
std::string test_name(const Case &c);

// `said` about `head + program`, its lines counted from the program's first.
std::string counted_from(const std::string &head, const std::string &said);
// Writes what was said into the case's file.
void update(const Case &c, const std::string &said);
// The codes of a plugin's diagnostics.def that no case of the folder says.
std::vector<std::string> codes_not_said(const std::string &table, const std::string &folder);

} // namespace htp::test
