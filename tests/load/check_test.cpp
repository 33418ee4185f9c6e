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
  EXPECT_EQ(checks("ok"), "access+ file+ elf+ note+ audit+ probe+ open+ abi+ identity+ units+ interfaces+ members+ ");
}

TEST(CheckPlugin, NamesTheFirstThatFails) {
  EXPECT_EQ(checks("no_library"),
            "access+ file- elf? note? audit? probe? open? abi? identity? units? interfaces? members? ");
  EXPECT_EQ(checks("not_elf"),
            "access+ file+ elf- note? audit? probe? open? abi? identity? units? interfaces? members? ");
  EXPECT_EQ(checks("aborts_in_constructor"),
            "access+ file+ elf+ note+ audit+ probe- open? abi? identity? units? interfaces? members? ");
  EXPECT_EQ(checks("wrong_layout"),
            "access+ file+ elf+ note- audit? probe? open? abi? identity? units? interfaces? members? ");
  EXPECT_EQ(checks("wrong_id"),
            "access+ file+ elf+ note- audit? probe? open? abi? identity? units? interfaces? members? ");
  EXPECT_EQ(checks("missing_unit"),
            "access+ file+ elf+ note+ audit+ probe+ open+ abi+ identity+ units- interfaces? members? ");
  EXPECT_EQ(checks("bad_rows"),
            "access+ file+ elf+ note+ audit+ probe+ open+ abi+ identity+ units+ interfaces+ members- ");
  EXPECT_EQ(checks("bad_interface"),
            "access+ file+ elf+ note+ audit+ probe+ open+ abi+ identity+ units+ interfaces- members? ");
}

} // namespace
} // namespace htp
