#include "tests/manifest/support.h"

#include <gtest/gtest.h>

namespace htp {
namespace {

std::string canonical(const std::string &text) {
  Diagnostics diagnostics;
  const SourceRef file = test::source(text);
  const auto requirement = parse_requirement(text, {file, 1, 0, 1, static_cast<uint32_t>(text.size())}, diagnostics);
  return requirement ? requirement->text() : test::told(diagnostics);
}

TEST(Term, HasOneCanonicalText) {
  const std::pair<const char *, const char *> good[] = {
      {"Tile.Typed", "Tile.Typed"},
      {"  Tile.Typed  ", "Tile.Typed"},
      {"Dialect.CSP", "Dialect.CSP"},
      {"A", "A"},
      {"Layout.Facet(kind=memory)", "Layout.Facet(kind=memory)"},
      {"Intrinsic.Handler( op = pto.add,backend=a2a3 )", "Intrinsic.Handler(backend=a2a3, op=pto.add)"},
      {"Package.Contract(id=\"simpler/2026-08\")", "Package.Contract(id=\"simpler/2026-08\")"},
      {"Package.Contract(id=\"cpu\")", "Package.Contract(id=cpu)"},
      {"A.B(x=\"true\")", "A.B(x=\"true\")"},
      {"A.B(x=\"1.2\")", "A.B(x=\"1.2\")"},
      {"A.B(x=\"a \\\"b\\\" \\\\\")", "A.B(x=\"a \\\"b\\\" \\\\\")"},
      {"A.B(x=\"\")", "A.B(x=\"\")"},
      {"A.B(x=-12, y=0, z=true)", "A.B(x=-12, y=0, z=true)"},
      {"A.B(x=9223372036854775807)", "A.B(x=9223372036854775807)"},
      {"A.B(x={b, a, b})", "A.B(x={a, b})"},
      {"A.B(x={a})", "A.B(x=a)"},
      {"A.B(x={2, 10, 1})", "A.B(x={1, 2, 10})"},
      {"A.B(x=*)", "A.B(x=*)"},
      {"Codegen.Ready(target=$T)", "Codegen.Ready(target=$T)"},
      {"A.B(x=dialect-tile.x)", "A.B(x=dialect-tile.x)"},
      {"Dialect.Csp @ >=1.2, <2", "Dialect.Csp@>=1.2,<2"},
      {"A(x=1)@==1.4.0", "A(x=1)@==1.4.0"},
      {"A|B | C(x=1)", "A | B | C(x=1)"},
      {"A@>1,<2|B@<=3", "A@>1,<2 | B@<=3"},
  };
  for (const auto &[spelled, text] : good) {
    EXPECT_EQ(canonical(spelled), text);
    EXPECT_EQ(canonical(text), text) << "the canonical text reads as itself";
  }
}

TEST(Term, PointsAtWhatIsWrong) {
  const std::pair<const char *, const char *> bad[] = {
      {"", "1:1 manifest.bad-term: expected a capability's name, found the end\n"},
      {"tile.Typed", "1:1 manifest.bad-term: expected a capability's name, found `tile.Typed`\n  hint: write "
                     "capitalised words joined by dots: `Tile.Typed`\n"},
      {"Tile..Typed", "1:1 manifest.bad-term: expected a capability's name, found `Tile..Typed`\n  hint: write "
                      "capitalised words joined by dots: `Tile.Typed`\n"},
      {"Tile.Typed x", "1:12 manifest.bad-term: expected the end of the term, found `x`\n"},
      {"Tile.Typed(", "1:12 manifest.bad-term: expected a parameter's name, found the end\n"},
      {"Tile.Typed()", "1:12 manifest.bad-term: expected a parameter's name, found `)`\n"},
      {"A(x)", "1:4 manifest.bad-term: expected `=`, found `)`\n"},
      {"A(x=)", "1:5 manifest.bad-term: expected a value, found `)`\n"},
      {"A(x=1", "1:6 manifest.bad-term: expected `,` or `)`, found the end\n"},
      {"A(x=1,)", "1:7 manifest.bad-term: expected a parameter's name, found `)`\n"},
      {"A(x=1 y=2)", "1:7 manifest.bad-term: expected `,` or `)`, found `y`\n"},
      {"A(x=1, x=2)", "1:8 manifest.duplicate-item: the parameter `x` stands twice\n"},
      {"A(1=x)", "1:3 manifest.bad-term: expected a parameter's name, found `1`\n"},
      {"A(x=010)", "1:5 manifest.bad-term: expected an integer, found `010`\n  hint: quote a version, or a name that "
                   "begins with a digit: `\"010\"`\n"},
      {"A(x=-0)", "1:5 manifest.bad-term: expected an integer, found `-0`\n  hint: quote a version, or a name that "
                  "begins with a digit: `\"-0\"`\n"},
      {"A(x=1.2)", "1:5 manifest.bad-term: expected an integer, found `1.2`\n  hint: quote a version, or a name that "
                   "begins with a digit: `\"1.2\"`\n"},
      {"A(x=2d)", "1:5 manifest.bad-term: expected an integer, found `2d`\n  hint: quote a version, or a name that "
                  "begins with a digit: `\"2d\"`\n"},
      {"A(x=99999999999999999999)",
       "1:5 manifest.large-integer: the integer 99999999999999999999 of the capability term does not fit in 64 bits\n"},
      {"A(x=a.)", "1:5 manifest.bad-term: expected a value, found `a.`\n  hint: quote it: `\"a.\"`\n"},
      {"A(x=\"a)", "1:5 manifest.open-quote: the quote is not closed\n"},
      {"A(x={})", "1:6 manifest.bad-term: expected a value, found `}`\n"},
      {"A(x={a)", "1:7 manifest.bad-term: expected `,` or `}`, found `)`\n"},
      {"A(x={*})", "1:6 manifest.bad-term: expected a value, found `*`\n"},
      {"A(x=$)", "1:6 manifest.bad-term: expected a variable's name, found `)`\n"},
      {"A(x=$1)", "1:6 manifest.bad-term: expected a variable's name, found `1`\n"},
      {"A@", "1:3 manifest.bad-term: expected `<`, `<=`, `==`, `>=` or `>`, found the end\n  "
             "hint: a range reads `@>=1.2,<2`\n"},
      {"A@1.2", "1:3 manifest.bad-term: expected `<`, `<=`, `==`, `>=` or `>`, found `1`\n  hint: "
                "a range reads `@>=1.2,<2`\n"},
      {"A@>=", "1:5 manifest.bad-term: expected a version, found the end\n"},
      {"A@>=1.x", "1:5 manifest.bad-term: expected a version, found `1.x`\n  hint: write integers "
                  "joined by dots: `1.2`\n"},
      {"A@>=1,", "1:7 manifest.bad-term: expected `<`, `<=`, `==`, `>=` or `>`, found the end\n  "
                 "hint: a range reads `@>=1.2,<2`\n"},
      {"A |", "1:4 manifest.bad-term: expected a capability's name, found the end\n"},
      {"A || B", "1:4 manifest.bad-term: expected a capability's name, found `|`\n"},
      {"Ä", "1:1 manifest.bad-term: expected a capability's name, found `Ä`\n"},
  };
  for (const auto &[spelled, message] : bad) EXPECT_EQ(canonical(spelled), message) << spelled;
}

TEST(Term, OneTermHasNoAlternatives) {
  Diagnostics diagnostics;
  EXPECT_FALSE(parse_term("A | B", {test::source("A | B"), 1, 0, 1, 5}, diagnostics));
  EXPECT_EQ(test::told(diagnostics),
            "1:3 manifest.alternatives: `|` joins the alternatives of a requirement, and this is none\n");
}

TEST(Term, CaretsStandInsideQuotedScalarsToo) {
  const SourceRef file = test::source("- 'A(x=)'\n- \"A(\\x78=)\"\n");
  Diagnostics diagnostics;
  parse_requirement("A(x=)", {file, 1, 2, 1, 9}, diagnostics);
  parse_requirement("A(x=)", {file, 2, 2, 2, 12},
                    diagnostics); // with an escape the text's places are not those of the source
  EXPECT_EQ(test::told(diagnostics), "1:8 manifest.bad-term: expected a value, found `)`\n"
                                     "2:3 manifest.bad-term: expected a value, found `)`\n");
}

TEST(Term, KnowsItsPlaces) {
  Diagnostics diagnostics;
  const std::string text = "Dialect.Csp | Dialect.Wsp(x=1) @>=2";
  const auto requirement = parse_requirement(text, {test::source(text), 1, 0, 1, 35}, diagnostics);
  ASSERT_TRUE(requirement);
  EXPECT_EQ(requirement->alternatives[0].span.end_col, 12u);
  EXPECT_EQ(requirement->alternatives[1].span.col, 14u);
  EXPECT_EQ(requirement->alternatives[1].span.end_col, 35u);
}

} // namespace
} // namespace htp
