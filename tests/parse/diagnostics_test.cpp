// Every way in which a text is not a program: the code, the place to the column, the words and a hint.
#include "host/parse/parse.h"

#include <gtest/gtest.h>

namespace htp {
namespace {

struct Refusal {
  std::string code, message, hint;
  uint32_t line = 0, col = 0, end_line = 0, end_col = 0;
};

Refusal refuse(std::string text) {
  Store store;
  Diagnostics diagnostics;
  EXPECT_EQ(parse_tree(std::make_shared<const SourceFile>("p.py", std::move(text)), diagnostics, store), 0u);
  EXPECT_EQ(diagnostics.list().size(), 1u);
  if (diagnostics.empty()) return {};
  const Diagnostic &d = diagnostics.list()[0];
  EXPECT_FALSE(d.hints.empty());
  EXPECT_TRUE(d.span);
  return {d.code,          d.message,     d.hints.empty() ? "" : d.hints[0], d.span.line, d.span.col,
          d.span.end_line, d.span.end_col};
}

std::string place(const Refusal &r) {
  return std::to_string(r.line) + ":" + std::to_string(r.col) + "-" + std::to_string(r.end_line) + ":" +
         std::to_string(r.end_col);
}

// `head` `part` … `tail`
std::string repeat(const std::string &part, int times) {
  std::string made;
  for (int i = 0; i < times; ++i) made += part;
  return made;
}

TEST(Syntax, PointsAtTheToken) {
  const Refusal r = refuse("x = 1\ny = = 2\n");
  EXPECT_EQ(r.code, "parse.syntax");
  EXPECT_EQ(r.message, "not Python: invalid syntax");
  EXPECT_EQ(place(r), "2:4-2:5");
}

TEST(Syntax, CountsBytesWhereCPythonCountsCharacters) { EXPECT_EQ(place(refuse("é, ü = = 2\n")), "1:9-1:10"); }

TEST(Syntax, KeepsCPythonsAdviceAsAHint) {
  const Refusal r = refuse("f(a b)\n");
  EXPECT_EQ(r.message, "not Python: invalid syntax");
  EXPECT_EQ(r.hint, "perhaps you forgot a comma?");
  EXPECT_EQ(place(r), "1:2-1:5");
  const Refusal s = refuse("if x = 3:\n    pass\n");
  EXPECT_EQ(s.hint, "maybe you meant '==' or ':=' instead of '='?");
}

TEST(Syntax, PointsAtTheEndOfTheText) {
  const Refusal r = refuse("def f():\n");
  EXPECT_EQ(r.message, "not Python: expected an indented block after function definition on line 1");
  EXPECT_EQ(place(r), "1:8-1:9");
  EXPECT_EQ(place(refuse("if x:")), "1:5-1:6");
}

TEST(Syntax, PointsAtAnOpenBracket) {
  const Refusal r = refuse("x = (1,\n  2\n");
  EXPECT_EQ(r.message, "not Python: '(' was never closed");
  EXPECT_EQ(place(r), "1:4-1:5");
}

TEST(Syntax, PointsIntoAnFString) {
  const Refusal r = refuse("y = 1\nx = f'é {a b} c'\n");
  EXPECT_EQ(r.message, "not Python: f-string: invalid syntax");
  EXPECT_EQ(r.hint, "perhaps you forgot a comma?");
  EXPECT_EQ(place(r), "2:10-2:13");
  const Refusal s = refuse("x = f'{a b} {a b}'\n");
  EXPECT_EQ(s.line, 1u);
}

TEST(Syntax, PointsAtIndentation) {
  const Refusal r = refuse("if x:\n        a\n    b\n");
  EXPECT_EQ(r.message, "not Python: unindent does not match any outer indentation level");
  EXPECT_EQ(r.line, 3u);
}

TEST(Syntax, PlaceIsThatOfTheNormalizedText) {
  EXPECT_EQ(place(refuse("x = 1\r\ny = = 2\r\n")), "2:4-2:5");
  EXPECT_EQ(place(refuse("x = 1\ry = = 2\r")), "2:4-2:5");
  EXPECT_EQ(place(refuse("\xEF\xBB\xBFx = = 2\n")), "1:4-1:5");
}

TEST(Encoding, InvalidUtf8) {
  const Refusal r = refuse("x = 1\ny = '\xE9'\n");
  EXPECT_EQ(r.code, "parse.encoding");
  EXPECT_EQ(r.message, "the file is not text in `utf-8`: this byte stands for no character");
  EXPECT_EQ(place(r), "2:5-2:6");
}

TEST(Encoding, SurrogatesAndOverlongFormsAreInvalid) {
  EXPECT_EQ(refuse("'\xED\xA0\x80'\n").code, "parse.encoding");
  EXPECT_EQ(refuse("'\xC0\xAF'\n").code, "parse.encoding");
  EXPECT_EQ(refuse("'\xF4\x90\x80\x80'\n").code, "parse.encoding");
}

TEST(Encoding, OfAByteAmongLettersWhereverItStands) {
  for (uint32_t at = 0; at < 24; ++at) {
    std::string text = "x = '" + std::string(24, 'a') + "'\n";
    text[5 + at] = '\xFF';
    const Refusal r = refuse(text);
    EXPECT_EQ(r.code, "parse.encoding") << at;
    EXPECT_EQ(r.col, 5 + at);
  }
}

TEST(Encoding, NamedButNotKept) {
  const Refusal r = refuse("# coding: ascii\nx = '\xE9'\n");
  EXPECT_EQ(r.code, "parse.encoding");
  EXPECT_EQ(r.message, "the file is not text in `ascii`: this byte stands for no character");
  EXPECT_EQ(place(r), "2:5-2:6");
}

TEST(Encoding, UnknownName) {
  const Refusal r = refuse("#!/usr/bin/python\n# vim: set fileencoding=klingon :\nx = 1\n");
  EXPECT_EQ(r.code, "parse.unknown-encoding");
  EXPECT_EQ(r.message, "`klingon` is not a text encoding that Python knows");
  EXPECT_EQ(place(r), "2:24-2:31");
}

TEST(Encoding, ByteOrderMarkContradictsTheName) {
  const Refusal r = refuse("\xEF\xBB\xBF# coding: latin-1\n");
  EXPECT_EQ(r.message, "the file is not text in `latin-1`: it begins with a UTF-8 byte order mark");
}

TEST(Encoding, NulByte) {
  const Refusal r = refuse(std::string("x = 1\ny = \0\n", 11));
  EXPECT_EQ(r.code, "parse.nul-byte");
  EXPECT_EQ(r.message, "the file holds a NUL byte");
  EXPECT_EQ(place(r), "2:4-2:5");
}

TEST(Depth, Brackets) {
  const Refusal r = refuse("x = 1\ny = " + repeat("(", 300) + repeat(")", 300) + "\n");
  EXPECT_EQ(r.code, "parse.too-deep");
  EXPECT_EQ(r.message, "this is nested too deeply for Python's parser");
  EXPECT_EQ(r.line, 2u);
}

TEST(Depth, ChainsThatCPythonGivesNoPlaceFor) {
  for (const std::string &deep :
       {"y = " + repeat("-", 20000) + "1\n", "y = 1" + repeat(" + 1", 20000) + "\n",
        "y = x" + repeat(".a", 20000) + "\n", "if x: pass\n" + repeat("elif x: pass\n", 5000)}) {
    const Refusal r = refuse("x = 1\n\n\ndef f():\n    pass\n" + deep + "z = 1\n");
    EXPECT_EQ(r.code, "parse.too-deep");
    EXPECT_EQ(r.line, 6u) << deep.substr(0, 20);
  }
}

TEST(Snippets, ReportInTheirOwnText) {
  Store store;
  Diagnostics diagnostics;
  EXPECT_EQ(parse_expression("a b", 0, diagnostics, store), 0u);
  ASSERT_EQ(diagnostics.list().size(), 1u);
  EXPECT_EQ(diagnostics.list()[0].span.file->path, "<snippet>");
}

} // namespace
} // namespace htp
