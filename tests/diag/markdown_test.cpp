#include "host/diag/render.h"

#include <gtest/gtest.h>

namespace htp {
namespace {

TEST(Markdown, ExplainsOneRow) {
  EXPECT_EQ(explain({"tile.unwritten-output", Severity::warning, "`{0}` of {{x}} is {}", "Write it."}),
            "warning[tile.unwritten-output]: `…` of {x} is …\n\nWrite it.\n");
}

TEST(Markdown, ListsATableByOwner) {
  const std::vector<DiagInfo> table = {{"b.two", Severity::error, "two", "Second."},
                                       {"a.zed", Severity::error, "zed", "Third."},
                                       {"a.one", Severity::note, "one", "First."}};
  const std::string page = diagnostics_markdown(table);
  EXPECT_EQ(page.substr(page.find("\n## ")), R"(
## a

### `a.one`

*note*: one

First.

### `a.zed`

*error*: zed

Third.

## b

### `b.two`

*error*: two

Second.
)");
}

} // namespace
} // namespace htp
