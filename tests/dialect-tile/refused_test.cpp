// Each file of refused/ holds programs with a mistake in the kernel `k`, and what is said about it, verbatim. A
// program's title is the place it is refused at: `check` (right after parsing) or `infer`. $HTP_UPDATE=1 writes what
// was said.
#include "tests/support/dialect_host.h"

#include <gtest/gtest.h>

#include <fstream>
#include <set>

namespace htp::test {
namespace {

constexpr const char *head = R"(import htp
from htp import In, InOut, Out, bool_, bf16, f16, f32, i32, u8
import htp_tile as tile
from htp_tile import (Tensor, Tile, absolute, cast, exp, full, kernel, load, matmul, maximum, reduce_sum, sqrt, store, tiles, transpose,
                      where, zeros)

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")
SIZE = 8
)";

struct Case {
  std::string path, name, program, said;
};

// Cases are separated by lines `#: name`; what is said stands in comment lines `#> ` at the case's end.
std::vector<Case> cases(const std::string &folder) {
  std::vector<Case> result;
  for (const std::string &file : names_in(source_path(folder), ".py")) {
    const std::string path = source_path(folder + "/" + file + ".py");
    std::istringstream lines(read_text(path));
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with("#: "))
        result.push_back({path, file + "_" + line.substr(3), "", ""});
      else if (line.starts_with("#> "))
        result.back().said += line.substr(3) + "\n";
      else if (!result.empty())
        result.back().program += line + "\n";
    }
  }
  return result;
}

std::string refusal(const std::string &program) {
  // Lines are counted from the program's own first one.
  std::string before = head;
  DialectHost host({"dialect-tile"}, before + program, "k");
  bool good = host.check();
  for (const char *pass : {"tile.canonicalize", "tile.infer"}) good = good && host.pass(pass);
  EXPECT_FALSE(good) << host.text();
  return host.said();
}

// The same with line numbers that count from the case's own first line.
std::string relative(const std::string &said) {
  const auto offset = std::count(head, head + std::string_view(head).size(), '\n');
  std::string result;
  std::istringstream lines(said);
  for (std::string line; std::getline(lines, line);) {
    const size_t digits = line.find_first_not_of(' ');
    const size_t colon = line.find(':', digits);
    if (colon != std::string::npos && line.find_first_not_of("0123456789", digits) == colon && colon > digits)
      line = line.substr(0, digits) + std::to_string(std::stol(line.substr(digits)) - offset) + line.substr(colon);
    result += line + "\n";
  }
  return result;
}

void rewrite(const std::string &path, const std::string &name, const std::string &said) {
  std::istringstream lines(read_text(path));
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
      here = line.substr(3) == name;
    }
    if (!(here && line.starts_with("#> "))) text += line + "\n";
  }
  finish();
  while (text.ends_with("\n\n")) text.pop_back();
  std::ofstream(path, std::ios::binary) << text;
}

class Refused : public testing::TestWithParam<Case> {};

TEST_P(Refused, Says) {
  const Case &c = GetParam();
  const std::string said = relative(refusal(c.program));
  if (updating())
    rewrite(c.path, c.name.substr(c.name.find('_') + 1), said);
  else
    EXPECT_EQ(said, c.said);
}

INSTANTIATE_TEST_SUITE_P(Files, Refused, testing::ValuesIn(cases("tests/dialect-tile/refused")), [](const auto &test) {
  std::string name = test.param.name;
  std::replace_if(
      name.begin(), name.end(), [](char ch) { return !std::isalnum(static_cast<unsigned char>(ch)); }, '_');
  return name;
});

// Every row of the table is said by some case, except what only a broken plugin or a verifier can bring about.
TEST(Table, IsCovered) {
  std::string all;
  for (const Case &c : cases("tests/dialect-tile/refused")) all += c.said;
  std::istringstream lines(read_text(source_path("plugins/dialect-tile/diagnostics.def")));
  const std::set<std::string> elsewhere{"tile.untyped", "tile.unknown-rule", "tile.not-kernel", "tile.not-canonical",
                                        "tile.not-typed"};
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("DIAG(")) continue;
    const size_t begin = line.find('"') + 1;
    const std::string code = line.substr(begin, line.find('"', begin) - begin);
    EXPECT_TRUE(elsewhere.contains(code) || all.find(" " + code + ": ") != std::string::npos) << code;
  }
}

} // namespace
} // namespace htp::test
