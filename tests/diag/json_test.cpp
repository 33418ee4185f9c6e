#include "host/diag/render.h"
#include "tests/support/json_schema.h"

#include <gtest/gtest.h>

namespace htp {
namespace {

Diagnostics sample() {
  const auto a = std::make_shared<SourceFile>("a.yaml", "é: provids\n"),
             b = std::make_shared<SourceFile>("b.yaml", "x: 1\n");
  Diagnostic d;
  d.code = "manifest.unknown-key";
  d.message = "unknown key `provids`";
  d.span = {a, 1, 4, 1, 11};
  d.label({b, 1, 0, 1, 1}, "there").label({}, "nowhere").note("a note").hint("a hint");
  d.fix({"use `provides`", {{d.span, "provides"}}});
  Diagnostics diagnostics;
  diagnostics.add(d);
  diagnostics.add(d); // told once
  Diagnostic whole;
  whole.code = "io.unreadable";
  whole.severity = Severity::warning;
  whole.message = "cannot read \xFF";
  whole.span = Span{a};
  diagnostics.add(whole);
  return diagnostics;
}

TEST(Json, HasAllThatADiagnosticSays) {
  EXPECT_EQ(render_json(sample()), R"({
  "schema": "htp.diagnostics/1",
  "diagnostics": [
    {
      "code": "io.unreadable",
      "severity": "warning",
      "message": "cannot read �",
      "place": {
        "file": "a.yaml"
      },
      "labels": [],
      "notes": [],
      "hints": [],
      "fixes": []
    },
    {
      "code": "manifest.unknown-key",
      "severity": "error",
      "message": "unknown key `provids`",
      "place": {
        "file": "a.yaml",
        "line": 1,
        "column": 4,
        "end_line": 1,
        "end_column": 11
      },
      "labels": [
        {
          "place": {
            "file": "b.yaml",
            "line": 1,
            "column": 1,
            "end_line": 1,
            "end_column": 2
          },
          "text": "there"
        },
        {
          "place": null,
          "text": "nowhere"
        }
      ],
      "notes": [
        "a note"
      ],
      "hints": [
        "a hint"
      ],
      "fixes": [
        {
          "title": "use `provides`",
          "edits": [
            {
              "place": {
                "file": "a.yaml",
                "line": 1,
                "column": 4,
                "end_line": 1,
                "end_column": 11
              },
              "text": "provides"
            }
          ]
        }
      ]
    }
  ]
}
)");
}

TEST(Json, FitsItsSchema) {
  const std::string schema = test::read_text(HTP_SOURCE_DIR "/manifests/schema/diagnostics.schema.json");
  EXPECT_EQ(test::schema_errors(schema, render_json(sample())), std::vector<std::string>());
  EXPECT_EQ(test::schema_errors(schema, render_json(Diagnostics())), std::vector<std::string>());
  EXPECT_NE(test::schema_errors(schema, R"({"schema": "htp.diagnostics/1", "diagnostics": [{"code": "x"}]})"),
            std::vector<std::string>());
  EXPECT_NE(test::schema_errors(schema, R"({"schema": "htp.diagnostics/2", "diagnostics": []})"),
            std::vector<std::string>());
}

} // namespace
} // namespace htp
