// Each file of stages/ is a kernel `k` with what tile.structure (where it jumps), tile.inline (where it calls
// functions), tile.canonicalize and tile.infer make of it; every example joins in. $HTP_UPDATE=1 writes what came out.
#include "tests/support/dialect_host.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <regex>

namespace htp::test {
namespace {

const std::map<std::string, std::string> hardware{
    {"levels.core.doc", "cores"}, {"layouts.parameters", "strided"}, {"spaces.memory.holds", "parameters"}};

// What was said but for the note that a mesh is one device here.
std::string said_of(const DialectHost &host) {
  static const std::regex one_device(R"(\d+:\d+ note tile\.one-device.*\n(?:  .*\n)*)");
  return std::regex_replace(host.said() + "\n", one_device, "");
}

class Stages : public testing::TestWithParam<std::string> {};

TEST_P(Stages, AreAsWritten) {
  const std::string path = source_path("tests/dialect-tile/stages/" + GetParam() + ".py");
  const std::string file = read_text(path);
  DialectHost host({"dialect-tile"}, section(file, ""), "k", hardware);
  ASSERT_TRUE(host.check()) << host.said();
  EXPECT_TRUE(host.holds("Tile.Kernel")) << host.said();
  std::vector steps{std::tuple{"tile.canonicalize", "Tile.Canonical", "canonical"},
                    {"tile.infer", "Tile.Typed", "typed"}};
  if (!DialectHost({"dialect-tile"}, host.text(), "k").holds("Tile.Inlined"))
    steps.insert(steps.begin(), {"tile.inline", "Tile.Inlined", "inlined"});
  if (!DialectHost({"dialect-tile"}, host.text(), "k").holds("Tile.Structured"))
    steps.insert(steps.begin(), {"tile.structure", "Tile.Structured", "structured"});
  for (const auto &[pass, state, title] : steps) {
    ASSERT_TRUE(host.pass(pass)) << host.said();
    if (updating())
      update_section(path, title, host.text());
    else
      EXPECT_EQ(host.text(), section(file, title));
    EXPECT_TRUE(host.holds(state)) << host.text() << host.said();
    // What a stage says is all there is: read back, it is the same stage, and its pass has nothing to do.
    DialectHost again({"dialect-tile"}, host.text(), "k", hardware);
    EXPECT_TRUE(again.holds(state)) << again.said();
    ASSERT_TRUE(again.pass(pass)) << again.said();
    EXPECT_TRUE(again.unchanged()) << again.text();
  }
  EXPECT_TRUE(host.holds("Tile.Canonical")) << host.said();
  EXPECT_EQ(said_of(host), "\n");
}

INSTANTIATE_TEST_SUITE_P(Files, Stages, testing::ValuesIn(names_in(source_path("tests/dialect-tile/stages"), ".py")),
                         [](const auto &test) { return test.param; });

class Examples : public testing::TestWithParam<std::string> {};

TEST_P(Examples, AreTyped) {
  // As a compile has it: the first alternative of each choice, files as texts, and the last entry.
  const std::string program =
      std::regex_replace(std::regex_replace(read_text(source_path("examples/" + GetParam() + "/" + GetParam() + ".py")),
                                            std::regex(R"(htp\.choice\((\w+)[^)]*\))"), "$1"),
                         std::regex(R"(htp\.text\("[^"]+"\))"), R"("int one();")");
  const bool workload = program.find("@workload") != std::string::npos;
  const bool pipeline = program.find("@pipeline") != std::string::npos;
  static const std::regex marked(R"(\n@(?:kernel|pipeline|workload|schedule\(\w+\))\ndef (\w+))");
  std::string entry;
  for (std::sregex_iterator found(program.begin(), program.end(), marked), end; found != end; ++found)
    entry = (*found)[1];
  DialectHost host({"dialect-tile", "dialect-wsp", "dialect-csp"}, program, entry,
                   {{"levels.core", "4"}, {"layouts.parameters", "strided"}, {"extents.run_time", "taken"}});
  ASSERT_TRUE(host.check()) << host.said();
  if (workload && !pipeline) {
    for (const char *pass : {"wsp.expand", "tile.inline", "wsp.apply", "wsp.lower"})
      ASSERT_TRUE(host.pass(pass)) << host.said();
  }
  if (pipeline) {
    if (entry == "workload_of_tasks") {
      ASSERT_TRUE(host.pass("csp.outline")) << host.said();
    }
    for (const char *pass : {"csp.place", "wsp.expand", "csp.flatten", "tile.inline", "csp.apply", "csp.lower"})
      ASSERT_TRUE(host.pass(pass)) << host.said();
  }
  for (const char *pass : {"tile.inline", "tile.canonicalize", "tile.infer"})
    ASSERT_TRUE(host.pass(pass)) << host.said();
  EXPECT_TRUE(host.holds("Tile.Canonical")) << host.said() << host.text();
  EXPECT_TRUE(host.holds("Tile.Typed")) << host.said() << host.text();
}

// The examples whose program has their name.
std::vector<std::string> examples() {
  std::vector<std::string> names = names_in(source_path("examples"), "");
  std::erase_if(names, [](const std::string &name) {
    return !std::filesystem::exists(source_path("examples/" + name + "/" + name + ".py"));
  });
  return names;
}

INSTANTIATE_TEST_SUITE_P(Folders, Examples, testing::ValuesIn(examples()), [](const auto &test) { return test.param; });

} // namespace
} // namespace htp::test
