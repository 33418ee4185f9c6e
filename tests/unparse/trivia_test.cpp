// Where comments and blank lines go: small programs, and how they are printed. The corpus test holds the laws; these
// hold the choices.
#include "host/ast/unparse.h"
#include "host/parse/parse.h"
#include "host/parse/trivia.h"
#include "host/parse/trivia_scan.h"

#include <gtest/gtest.h>

namespace htp {
namespace {

void check(const std::string &source, const std::string &expected) {
  Store store;
  Diagnostics diagnostics;
  const htp_node root = parse_tree(std::make_shared<const SourceFile>("trivia.py", source), diagnostics, store);
  ASSERT_NE(root, 0u) << (diagnostics.empty() ? "" : diagnostics.list()[0].message) << "\n" << source;
  attach_trivia(store, root, *store.file(store.at(root).file));
  EXPECT_EQ(unparse(*store.abi(), root, {.trivia = true}), expected) << "from\n" << source;
}
void check(const std::string &unchanged) { check(unchanged, unchanged); }

TEST(Trivia, StandsWhereItStood) {
  check("");
  check("# only a comment\n");
  check("\n# a blank line first\nx = 1\n");
  check("x = 1  # trailing\n# leading\ny = 2\n\n\n# at the end\n");
  check("\"\"\"Docstring.\n\n  As it is.\"\"\"  # trailing\n\nx = 1\n");
  check("def f():  # header\n\n    # first\n    x = 1\n    # last\n# next\ny = 2\n");
}

TEST(Trivia, TheEndOfAFileMayLackItsNewline) {
  check("x = 1  # c", "x = 1  # c\n");
  check("# c", "# c\n");
  check("x = 1\n\n\n\n", "x = 1\n");
}

TEST(Trivia, BlocksEndWithTheCommentsAsDeepAsTheyAre) {
  check("if a:\n    if b:\n        c\n        # c's\n    # if b's\n# module's\n");
  check("if a:\n    b\n  # less than the block\nc\n", "if a:\n    b\n# less than the block\nc\n");
  // None goes back into a block that an earlier one has left.
  check("if a:\n    b\n# out\n    # in\nc\n", "if a:\n    b\n# out\n# in\nc\n");
  check("if a:\n    b\n\n    # after a blank line\n\nc\n");
}

TEST(Trivia, ClausesHaveTheirOwn) {
  check("if a:\n    b\n    # end of b\n# before elif\nelif c:  # elif\n    d\n\n# before else\nelse:  # else\n    # "
        "e\n    e\n");
  check("if a:\n    b\nelse:  # else\n    if c:\n        d\n");
  check("try:  # try\n    a\n# 1\nexcept A as b:  # 2\n    c\n    # 3\nelse:  # 4\n    d\n    # 5\n# 6\nfinally:  # "
        "7\n    e\n    # 8\n# 9\n");
  check("while a:\n    b\n# 1\nelse:  # 2\n    c\n");
  check("match a:  # 1\n    # 2\n    case b:  # 3\n        c\n        # 4\n    # 5\n    case d:\n        e\n    # 6\n# "
        "7\n");
}

TEST(Trivia, ElifAndElseIfStayWhatTheyWere) {
  check("if a:\n    b\nelif c:\n    d\n");
  check("if a:\n    b\nelse:\n    if c:\n        d\n");
}

TEST(Trivia, CommentsInBracketsComeBeforeTheirStatement) {
  check("x = [  # 1\n    a,\n    # 2\n    b  # 3\n]  # 4\n", "# 1\n# 2\n# 3\nx = [a, b]  # 4\n");
  check("if (a and  # 1\n    b):  # 2\n    c\n", "# 1\nif a and b:  # 2\n    c\n");
  check("@a  # 1\n# 2\n@b(  # 3\n)\ndef f():  # 4\n    pass\n", "# 1\n# 2\n# 3\n@a\n@b()\ndef f():  # 4\n    pass\n");
  check("x = ('a'  # 1\n     # 2\n     'b')\n", "# 1\n# 2\nx = ('a'\n     'b')\n");
  check("try:\n    a\nexcept (A,  # 1\n        B):\n    c\n", "try:\n    a\n# 1\nexcept (A, B):\n    c\n");
}

TEST(Trivia, SeveralStatementsInALine) {
  check("a; b  # c\n", "a\nb  # c\n");
  check("if a: b; c  # d\n", "if a:\n    b\n    c  # d\n");
  check("if a: b\n    # deeper than the header\nc\n", "if a:\n    b\n# deeper than the header\nc\n");
}

TEST(Trivia, HashesInStringsAreNoComments) {
  check("x = '# no'  # yes\ny = \"\"\"\n# no\n\"\"\"\nz = f'{a[\"#\"]}'\nw = r'\\d#'  # yes\n");
  check("x = '\\\n# no'  # yes\n");
  check("case = 1  # a name\nmatch = case\n");
}

TEST(Trivia, LiteralsKeepTheirForm) {
  check("x = 0xFF + 1_000 + 1E5 + .5 + 1J\n");
  check("x = \"a\" + r'\\d' + u'b' + '\\x41' + b\"c\" + \"d\" 'e'\n");
  check("x = f\"{a!r:>{b}}\" + f'{a}' 'b'\n");
  check("f(\"a\"\n  \"b\")\n");
}

TEST(Trivia, OtherNewlinesAndIndentation) {
  check("if a:\r\n\tb # c\r\n\t# d\r\n\r\ne\r\n", "if a:\n    b  # c\n    # d\n\ne\n");
  check("if a:\n\tb\n        # as deep as a tab\n", "if a:\n    b\n    # as deep as a tab\n");
  check("x = a + \\\n    b  # c\n", "x = a + b  # c\n");
}

TEST(Trivia, ACommentThatMovesNamesNoEncoding) {
  check("x = [a,  # coding: no-such\n     b]\n", "\n\n# coding: no-such\nx = [a, b]\n");
  check("# first\nx = [a,  # coding: no-such\n     b]\n", "# first\n\n# coding: no-such\nx = [a, b]\n");
  check("x = 1\n# coding: no-such\n");
  check("#!/usr/bin/python3\n# coding: utf-8\n");
}

TEST(TriviaScan, FindsWhatTheTreeHasNot) {
  const std::string text = "# a\nif b:  # c\n\n  d = (  # e\n  )\nelse: f\n@g\n";
  std::vector<TriviaKind> kinds;
  std::vector<uint32_t> lines;
  for (const TriviaToken &t : scan_trivia(text)) kinds.push_back(t.kind), lines.push_back(t.line);
  using enum TriviaKind;
  EXPECT_EQ(kinds, (std::vector{comment, trailing_comment, blank, inner_comment, else_line, decorator_line}));
  EXPECT_EQ(lines, (std::vector<uint32_t>{1, 2, 3, 4, 6, 7}));
}

} // namespace
} // namespace htp
