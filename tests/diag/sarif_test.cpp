#include "host/diag/render.h"
#include "tests/support/json_schema.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace htp {
namespace {

Diagnostics sample() {
  const auto a = std::make_shared<SourceFile>("dir/a b.yaml", "provids:\n"),
             b = std::make_shared<SourceFile>("/abs/b.yaml", "x: 1\n");
  Diagnostics diagnostics;
  Diagnostic d;
  d.code = "test.slip";
  d.message = "unknown key `provids`";
  d.span = {a, 1, 0, 1, 7};
  d.label({b, 1, 0, 1, 1}, "there").label({}, "nowhere").note("a note").hint("a hint");
  d.fix({"use `provides`", {{d.span, "provides"}}});
  diagnostics.add(d);
  d = Diagnostic();
  d.code = "test.slip";
  d.severity = Severity::warning;
  d.message = "nowhere";
  diagnostics.add(d);
  d.code = "owner.unknown";
  diagnostics.add(d);
  return diagnostics;
}

constexpr DiagInfo row{"test.slip", Severity::error, "unknown key `{}`", "What it means."};

TEST(Sarif, IsOneRunWithItsRulesAndResults) {
  EXPECT_EQ(render_sarif(sample(), "1.2.3", {row}), test::read_text(HTP_SOURCE_DIR "/tests/diag/expected.sarif"));
}

TEST(Sarif, FitsTheStandard) {
  const std::string schema = test::read_text(HTP_SOURCE_DIR "/tests/diag/sarif.schema.json");
  EXPECT_THAT(test::schema_errors(schema, render_sarif(sample(), "1.2.3", {row})), testing::IsEmpty());
  EXPECT_THAT(test::schema_errors(schema, render_sarif(Diagnostics(), "1.2.3")), testing::IsEmpty());
  EXPECT_THAT(test::schema_errors(schema, R"({"version": "2.1.0", "runs": [{"results": []}]})"),
              testing::Not(testing::IsEmpty()));
  EXPECT_THAT(
      test::schema_errors(schema, R"({"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "x", "x": 1}}}]})"),
      testing::Not(testing::IsEmpty()));
}

TEST(Sarif, IndexesPointAtTheirRules) {
  const auto log = nlohmann::json::parse(render_sarif(sample(), "1.2.3", {row}));
  const auto &run = log["runs"][0];
  ASSERT_EQ(run["results"].size(), 3u);
  for (const auto &result : run["results"])
    EXPECT_EQ(run["tool"]["driver"]["rules"][result["ruleIndex"].get<size_t>()]["id"], result["ruleId"]);
}

} // namespace
} // namespace htp
