#include "host/load/check.h"

#include "tests/load/fixture.h"

namespace htp {
namespace {

std::string checks(const std::string &name) {
  Diagnostics diagnostics;
  LoadOptions options;
  std::string result;
  for (const Check &check : check_plugin(fixture(name), options, diagnostics).checks)
    result += check.name + (check.verdict == Check::Verdict::ok       ? "+ "
                            : check.verdict == Check::Verdict::failed ? "- "
                                                                      : "? ");
  return result;
}

TEST(CheckPlugin, PassesEachCheck) {
  EXPECT_EQ(checks("ok"), "file+ elf+ probe+ open+ abi+ identity+ units+ interfaces+ ");
}

TEST(CheckPlugin, NamesTheFirstThatFails) {
  EXPECT_EQ(checks("no_library"), "file- elf? probe? open? abi? identity? units? interfaces? ");
  EXPECT_EQ(checks("not_elf"), "file+ elf- probe? open? abi? identity? units? interfaces? ");
  EXPECT_EQ(checks("aborts_in_constructor"), "file+ elf+ probe- open? abi? identity? units? interfaces? ");
  EXPECT_EQ(checks("wrong_layout"), "file+ elf+ probe+ open+ abi- identity? units? interfaces? ");
  EXPECT_EQ(checks("wrong_id"), "file+ elf+ probe+ open+ abi+ identity- units? interfaces? ");
  EXPECT_EQ(checks("missing_unit"), "file+ elf+ probe+ open+ abi+ identity+ units- interfaces? ");
  EXPECT_EQ(checks("bad_interface"), "file+ elf+ probe+ open+ abi+ identity+ units+ interfaces- ");
}

} // namespace
} // namespace htp
