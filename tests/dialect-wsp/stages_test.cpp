// Each file of stages/ is a program whose entry `w` is a workload, with what each wsp pass makes of it. $HTP_UPDATE=1
// writes what came out.
#include "tests/support/dialect_host.h"

#include <gmock/gmock.h>

namespace htp::test {
namespace {

const std::map<std::string, std::string> hardware{{"levels.core.doc", "cores"},
                                                  {"vector.f32.lanes", "16"},
                                                  {"spaces.memory.alignment", "64"},
                                                  {"spaces.stack.capacity", "65536"}};

class Stages : public testing::TestWithParam<std::string> {};

TEST_P(Stages, AreAsWritten) {
  const std::string path = source_path("tests/dialect-wsp/stages/" + GetParam() + ".py");
  const std::string file = read_text(path);
  const std::string entry = file.find("def better(") == std::string::npos ? "w" : "better";
  DialectHost host({"dialect-tile", "dialect-wsp"}, section(file, ""), entry, hardware);
  ASSERT_TRUE(host.check()) << host.said();
  EXPECT_TRUE(host.holds("Wsp.Workload"));
  for (const auto &[pass, state] : {std::pair{"wsp.apply", "Wsp.Scheduled"}, {"wsp.lower", "Tile.Kernel"}}) {
    ASSERT_TRUE(host.pass(pass)) << host.said();
    if (updating())
      update_section(path, pass, host.text());
    else
      EXPECT_EQ(host.text(), section(file, pass));
    EXPECT_TRUE(host.holds(state)) << host.text() << host.said();
    // A stage's text says all there is.
    DialectHost again({"dialect-tile", "dialect-wsp"}, host.text(), entry, hardware);
    EXPECT_TRUE(again.check()) << again.said();
    EXPECT_TRUE(again.holds(state)) << again.said();
  }
  for (const char *pass : {"tile.canonicalize", "tile.infer"}) ASSERT_TRUE(host.pass(pass)) << host.said();
  EXPECT_THAT(host.said(),
              testing::Not(testing::ContainsRegex("tile.(maybe-unwritten|unwritten-empty)"))); // all is proved
}

INSTANTIATE_TEST_SUITE_P(Files, Stages, testing::ValuesIn(names_in(source_path("tests/dialect-wsp/stages"), ".py")),
                         [](const auto &test) { return test.param; });

std::string what_is_left(const std::string &state, const std::string &entry) {
  DialectHost host({"dialect-tile", "dialect-wsp"},
                   section(read_text(source_path("tests/dialect-wsp/stages/gemm.py")), ""), entry, hardware);
  return host.holds(state) ? "nothing" : host.said();
}

TEST(Verify, NamesTheDirectiveThatIsLeft) {
  EXPECT_THAT(what_is_left("Wsp.Scheduled", "w"),
              testing::HasSubstr("note wsp.directive-left: a `tile` directive is left"));
  EXPECT_THAT(what_is_left("Wsp.Workload", "x"),
              testing::HasSubstr("note wsp.not-workload: the entry `x` is no workload"));
  EXPECT_EQ(what_is_left("Wsp.Workload", "blocked"), "nothing");
}

} // namespace
} // namespace htp::test
