// Every form of the terminal's text, verbatim.
#include "host/diag/render.h"

#include <gtest/gtest.h>

namespace htp {
namespace {

SourceRef file(std::string path, std::string text) {
  return std::make_shared<SourceFile>(std::move(path), std::move(text));
}
Span at(const SourceRef &source, uint32_t line, uint32_t col, uint32_t end_line, uint32_t end_col) {
  return {source, line, col, end_line, end_col};
}
Span at(const SourceRef &source, uint32_t line, uint32_t col, uint32_t end_col) {
  return at(source, line, col, line, end_col);
}

Diagnostic error(std::string message, Span span, std::string code = "test.error") {
  Diagnostic d;
  d.code = std::move(code);
  d.message = std::move(message);
  d.span = std::move(span);
  return d;
}
std::string text(Diagnostic d, TextStyle style = {}) {
  Diagnostics diagnostics;
  diagnostics.add(std::move(d));
  return render_text(diagnostics, style);
}

TEST(Text, NothingFromNothing) { EXPECT_EQ(render_text(Diagnostics(), {}), ""); }

TEST(Text, PointsAtTheSource) {
  const SourceRef k = file("k.py", "import htp\nx = foo(a, b)\n");
  EXPECT_EQ(text(error("`foo` is not defined", at(k, 2, 4, 7))
                     .hint("did you mean `for`?")
                     .note("names are looked up in the module")),
            R"(error[test.error]: `foo` is not defined
 --> k.py:2:5
  |
2 | x = foo(a, b)
  |     ^^^
  |
  = note: names are looked up in the module
  = hint: did you mean `for`?

1 error
)");
}

TEST(Text, LabelsStandBesideAndUnderTheirMarks) {
  const SourceRef k = file("k.py", "y[i, :] = add(x, row, mask)\n");
  EXPECT_EQ(text(error("shapes differ", at(k, 1, 10, 13))
                     .label(at(k, 1, 14, 15), "`f32, M`")
                     .label(at(k, 1, 17, 20), "`f32, i, N`")),
            R"(error[test.error]: shapes differ
 --> k.py:1:11
  |
1 | y[i, :] = add(x, row, mask)
  |           ^^^ -  --- `f32, i, N`
  |               |
  |               `f32, M`

1 error
)");
}

TEST(Text, LabelsOfOtherLinesAndFilesAreShownToo) {
  const SourceRef a = file("a.yaml", "one: 1\ntwo: 2\nthree: 3\nfour: 4\nfive: 5\nsix: 6\nseven: 7\n");
  const SourceRef b = file("dir/b.yaml", "eight: 8\nnine: 9\nten: 10\n");
  EXPECT_EQ(text(error("they clash", at(a, 3, 0, 5))
                     .label(at(a, 1, 0, 3), "first")
                     .label(at(a, 7, 0, 5), "last")
                     .label(at(b, 2, 0, 4), "elsewhere")
                     .note("so it is")),
            R"(error[test.error]: they clash
 --> a.yaml:3:1
  |
1 | one: 1
  | --- first
2 | two: 2
3 | three: 3
  | ^^^^^
...
7 | seven: 7
  | ----- last
  |
 ::: dir/b.yaml:2:1
  |
2 | nine: 9
  | ---- elsewhere
  |
  = note: so it is

1 error
)");
}

TEST(Text, SpansOverSeveralLines) {
  const SourceRef k = file("k.py", "x = foo(a,\n        b,\n        c)\ny = foo(\n  a,\n  b,\n  c,\n)\n");
  EXPECT_EQ(text(error("three lines", at(k, 1, 4, 3, 10))), R"(error[test.error]: three lines
 --> k.py:1:5
  |
1 | x = foo(a,
  |     ^^^^^^
2 |         b,
  |         ^^
3 |         c)
  |         ^^

1 error
)");
  EXPECT_EQ(text(error("five lines", at(k, 4, 4, 8, 1)).label(at(k, 5, 2, 3), "the first")),
            R"(error[test.error]: five lines
 --> k.py:4:5
  |
4 | y = foo(
  |     ^^^^
5 |   a,
  |   - the first
...
8 | )
  | ^

1 error
)");
  EXPECT_EQ(text(error("to the start of the next line", at(k, 2, 8, 3, 0))),
            R"(error[test.error]: to the start of the next line
 --> k.py:2:9
  |
2 |         b,
  |         ^^

1 error
)");
}

TEST(Text, TabsAndWideCharactersKeepTheCaretsInPlace) {
  const SourceRef k = file("k.py", "\tx = \"漢字é\" + y\n");
  const std::string_view line = k->line(1);
  const auto y = static_cast<uint32_t>(line.find('y'));
  EXPECT_EQ(text(error("wide", at(k, 1, y, y + 1)).label(at(k, 1, 5, 15), "two columns each")),
            R"(error[test.error]: wide
 --> k.py:1:14
  |
1 |     x = "漢字é" + y
  |         -------   ^
  |         |
  |         two columns each

1 error
)");
}

TEST(Text, ControlCharactersAreShownAsPictures) {
  const SourceRef k = file("k\x1b[2J.py", "a = \"\x1b[31m\"\n");
  EXPECT_EQ(text(error("an \x1b[1mescape", at(k, 1, 5, 6)).label(at(k, 1, 0, 1), "\x07")),
            R"(error[test.error]: an ␛[1mescape
 --> k␛[2J.py:1:6
  |
1 | a = "␛[31m"
  | -    ^
  | |
  | ␇

1 error
)");
}

TEST(Text, FixesAreShownAsChanges) {
  const SourceRef a = file("a.yaml", "id: x\nrequires: [A, B]\nprovids:\n  - C\n");
  Diagnostic d = error("two slips", at(a, 2, 10, 16));
  d.fix({"one line each", {{at(a, 2, 9, 16), "\n  - A\n  - B"}, {at(a, 3, 0, 7), "provides"}}});
  d.fix({"drop the last", {{at(a, 3, 0, 5, 0), ""}}});
  EXPECT_EQ(text(d), R"(error[test.error]: two slips
 --> a.yaml:2:11
  |
2 | requires: [A, B]
  |           ^^^^^^
  |
  = fix: one line each
  |
2 - requires: [A, B]
2 + requires:
3 +   - A
4 +   - B
3 - provids:
3 + provides:
  = fix: drop the last
  |
3 - provids:
4 -   - C

1 error
)");
}

TEST(Text, PlacesWithoutALineOrAFile) {
  const SourceRef a = file("a.so", "");
  EXPECT_EQ(text(error("not a plugin", Span{a}).label(Span{file("b.so", "")}, "like this one").hint("build it")),
            R"(error[test.error]: not a plugin
 --> a.so
  = note: like this one (b.so)
  = hint: build it

1 error
)");
  EXPECT_EQ(text(error("nowhere", Span{})), "error[test.error]: nowhere\n\n1 error\n");
  const SourceRef k = file("k.py", "x = 1\n");
  EXPECT_EQ(text(error("after the end", at(k, 2, 0, 0)).label(at(k, 9, 3, 7), "far after it")),
            R"(error[test.error]: after the end
 --> k.py:2:1
  |
2 |
  | ^
...
9 |
  | - far after it

1 error
)");
}

TEST(Text, LongLinesAreCutAroundThePlace) {
  const SourceRef k = file("k.py", std::string(60, 'a') + " here " + std::string(60, 'b') + "\n");
  EXPECT_EQ(text(error("long", at(k, 1, 61, 65)), {false, 46}), R"(error[test.error]: long
 --> k.py:1:62
  |
1 | …aaaaaaaaaaaa here bbbbbbbbbbbbbbbbbbbbbb…
  |               ^^^^

1 error
)");
  const SourceRef huge = file("h.py", std::string(9'000, 'a'));
  EXPECT_LT(text(error("huge", at(huge, 1, 8'000, 8'001))).size(), 1'500u);
}

TEST(Text, MessagesOfSeveralLinesAreIndented) {
  EXPECT_EQ(text(error("it failed", Span{}).note("first\nsecond")),
            "error[test.error]: it failed\n  = note: first\n          second\n\n1 error\n");
}

TEST(Text, IsSortedByPlaceAndToldOnce) {
  const SourceRef a = file("a.py", "x\ny\n"), b = file("b.py", "z\n");
  Diagnostics diagnostics;
  diagnostics.add(error("fourth", at(b, 1, 0, 1)));
  diagnostics.add(error("third", at(a, 2, 0, 1), "z.reported-first"));
  diagnostics.add(error("third too", at(a, 2, 0, 1), "a.reported-second"));
  diagnostics.add(error("second", at(a, 1, 0, 1))).severity = Severity::warning;
  diagnostics.add(error("fourth", at(b, 1, 0, 1)));
  diagnostics.add(error("first", Span{})).severity = Severity::note;
  EXPECT_EQ(render_text(diagnostics, {}), R"(note[test.error]: first

warning[test.error]: second
 --> a.py:1:1
  |
1 | x
  | ^

error[z.reported-first]: third
 --> a.py:2:1
  |
2 | y
  | ^

error[a.reported-second]: third too
 --> a.py:2:1
  |
2 | y
  | ^

error[test.error]: fourth
 --> b.py:1:1
  |
1 | z
  | ^

3 errors, 1 warning
)");
}

TEST(Text, HasColourOnlyWhenAsked) {
  const SourceRef k = file("k.py", "x = foo\n");
  Diagnostic d = error("what", at(k, 1, 4, 7)).hint("this");
  EXPECT_EQ(text(d).find('\x1b'), std::string::npos);
  EXPECT_EQ(text(d, {true, 0}),
            "\x1b[1;31merror\x1b[0m\x1b[1;31m[test.error]\x1b[0m\x1b[1m: \x1b[0m\x1b[1mwhat\x1b[0m\n"
            " \x1b[1;34m-->\x1b[0m k.py:1:5\n"
            "\x1b[1;34m  |\x1b[0m\n"
            "\x1b[1;34m1 |\x1b[0m x = foo\n"
            "\x1b[1;34m  |\x1b[0m     \x1b[1;31m^^^\x1b[0m\n"
            "\x1b[1;34m  |\x1b[0m\n"
            "  \x1b[1;34m=\x1b[0m \x1b[1mhint:\x1b[0m this\n"
            "\n"
            "\x1b[1;31m1 error\x1b[0m\n");
}

TEST(Diagnostics, CountsErrorsOnly) {
  Diagnostics a, b;
  a.report(diag::io_unreadable, Span{}, "x.py", "no such file");
  EXPECT_EQ(a.list().front().code, "io.unreadable");
  EXPECT_EQ(a.list().front().message, "cannot read `x.py`: no such file");
  b.report(diag::io_unwritable, Span{}, "out", "read-only file system");
  EXPECT_EQ(b.list().front().code, "io.unwritable");
  EXPECT_EQ(b.list().front().message, "cannot write `out`: read-only file system");
  Diagnostic warning = error("careful", Span{});
  warning.severity = Severity::warning;
  b.add(warning);
  a.append(b);
  EXPECT_EQ(a.errors(), 2u);
  EXPECT_EQ(a.list().size(), 3u);
}

} // namespace
} // namespace htp
