// Each file of stages/ is a program whose entry `w` is a schedule, with what csp.apply makes of its pipeline.
// $HTP_UPDATE=1 writes what came out.
#include "tests/support/dialect_host.h"

#include <gmock/gmock.h>

namespace htp::test {
namespace {

class Stages : public testing::TestWithParam<std::string> {};

TEST_P(Stages, AreAsWritten) {
  const std::string path = source_path("tests/dialect-csp/stages/" + GetParam() + ".py");
  const std::string file = read_text(path);
  DialectHost host({"dialect-tile", "dialect-csp"}, section(file, ""), "w");
  ASSERT_TRUE(host.check()) << host.said();
  EXPECT_TRUE(host.holds("Csp.Pipeline"));
  EXPECT_FALSE(host.holds("Csp.Scheduled"));
  EXPECT_THAT(host.said(), testing::HasSubstr("csp.directive-left: the schedule `w` is not applied yet"));
  ASSERT_TRUE(host.pass("csp.apply")) << host.said();
  if (updating())
    update_section(path, "csp.apply", host.text());
  else
    EXPECT_EQ(host.text(), section(file, "csp.apply"));
  // A stage's text says all there is.
  DialectHost again({"dialect-tile", "dialect-csp"}, host.text(), "w");
  EXPECT_TRUE(again.check()) << again.said();
  EXPECT_TRUE(again.holds("Csp.Scheduled")) << again.said();
  for (const char *pass : {"tile.inline", "csp.lower", "tile.canonicalize", "tile.infer"})
    ASSERT_TRUE(again.pass(pass)) << again.said() << again.text();
}

INSTANTIATE_TEST_SUITE_P(Files, Stages, testing::ValuesIn(names_in(source_path("tests/dialect-csp/stages"), ".py")),
                         [](const auto &test) { return test.param; });

} // namespace
} // namespace htp::test
