// Every code of every host/*/diagnostics.def stands in some test (or in a file that a test expects).
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path &path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(Coverage, EveryCodeOfTheHostStandsInATest) {
  const fs::path root = HTP_SOURCE_DIR;
  std::set<std::string> codes;
  for (const auto &room : fs::directory_iterator(root / "host")) {
    const std::string table = text_of(room.path() / "diagnostics.def");
    const std::regex row("(?:^|\n)HTP_DIAG\\(\\s*[a-z_0-9]+\\s*,\\s*\"([^\"]+)\"");
    for (std::sregex_iterator at(table.begin(), table.end(), row), end; at != end; ++at) codes.insert((*at)[1]);
  }
  ASSERT_GE(codes.size(), 20u) << "the tables were not found";

  std::set<std::string> missing = codes;
  const std::set<std::string> kinds = {".cpp",  ".h",    ".c",        ".py",  ".txt", ".md",
                                       ".yaml", ".json", ".expected", ".out", ".sh",  ".def"};
  for (const auto &entry : fs::recursive_directory_iterator(root / "tests")) {
    if (!entry.is_regular_file() || !kinds.contains(entry.path().extension().string())) continue;
    const std::string text = text_of(entry.path());
    for (auto at = missing.begin(); at != missing.end();) {
      const size_t found = text.find(*at);
      // `a.b` is not met by `a.b-c`.
      const size_t next = found == std::string::npos ? found : found + at->size();
      const bool whole =
          found != std::string::npos &&
          (next >= text.size() || (text[next] != '-' && !std::isalnum(static_cast<unsigned char>(text[next]))));
      at = whole ? missing.erase(at) : std::next(at);
    }
  }
  std::string list;
  for (const std::string &code : missing) list += "  " + code + "\n";
  EXPECT_TRUE(missing.empty()) << missing.size() << " of " << codes.size()
                               << " diagnostics stand in no test under tests/:\n"
                               << list;
}

} // namespace
