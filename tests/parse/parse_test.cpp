// What the corpus does not show: bytes before they are text, long integers, snippets, and that nothing runs.
#include "host/ast/dump.h"
#include "host/parse/interpreter.h"
#include "host/parse/parse.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <thread>

namespace htp {
namespace {

class Parse : public testing::Test {
protected:
  htp_node parse(std::string text) {
    const htp_node root = parse_tree(std::make_shared<const SourceFile>("p.py", std::move(text)), diagnostics, store);
    EXPECT_NE(root, 0u) << (diagnostics.empty() ? "" : diagnostics.list()[0].message);
    return root;
  }
  std::string dumped(std::string text) { return dump(*store.abi(), parse(std::move(text))); }

  Store store;
  Diagnostics diagnostics;
};

TEST_F(Parse, EmptyText) { EXPECT_EQ(dumped(""), "Module(body=[], type_ignores=[])"); }

TEST_F(Parse, TextIsKeptAsUtf8WithPlainNewlines) {
  const htp_node root = parse("\xEF\xBB\xBFx = 1\r\ny = 2\rz = 3");
  const SourceRef file = store.file(store.at(store.items(store.slot(root, 0))[2]).file);
  EXPECT_EQ(file->text, "x = 1\ny = 2\nz = 3");
  EXPECT_EQ(file->path, "p.py");
}

TEST_F(Parse, OtherEncodingIsDecodedAndItsCommentFollows) {
  const htp_node root = parse("# -*- coding: koi8-r -*-\nx = '\xD0'\n");
  const htp_node assign = store.items(store.slot(root, 0))[0];
  EXPECT_EQ(store.file(store.at(assign).file)->text, "# -*- coding: utf-8 -*-\nx = 'п'\n");
  EXPECT_EQ(store.at(assign).end_col, 8u); // bytes of the text that is kept
}

TEST_F(Parse, IntegersOfAnyLength) {
  const std::string digits(6000, '7');
  EXPECT_EQ(dumped("x = " + digits), "Module(body=[Assign(targets=[Name(id='x', ctx=Store())], value=Constant(value=" +
                                         digits + "))], type_ignores=[])");
}

TEST_F(Parse, LoneSurrogates) {
  EXPECT_EQ(
      dumped("x = '\\ud800é'"),
      "Module(body=[Assign(targets=[Name(id='x', ctx=Store())], value=Constant(value='\\ud800é'))], type_ignores=[])");
}

TEST_F(Parse, InfiniteLiterals) {
  EXPECT_EQ(dumped("1e309, 1e309j"), "Module(body=[Expr(value=Tuple(elts=[Constant(value=inf), Constant(value=infj)], "
                                     "ctx=Load()))], type_ignores=[])");
}

TEST_F(Parse, NothingOfTheProgramRuns) {
  const auto mark = std::filesystem::temp_directory_path() / "htp-parse-ran";
  std::filesystem::remove(mark);
  parse("open('" + mark.string() + "', 'w').close()\nimport no_such_module_anywhere\n");
  EXPECT_FALSE(std::filesystem::exists(mark));
}

TEST_F(Parse, DeepestChainsThatCPythonTakes) {
  std::string chain = "x = 1";
  for (int i = 0; i < 900; ++i) chain += " + 1";
  EXPECT_NE(parse(chain), 0u);
}

TEST_F(Parse, SnippetsHaveNoPlaceAndAnOrigin) {
  const htp_node root = parse("x = 1\n");
  const htp_node snippet = parse_expression("a.b[0]", root, diagnostics, store);
  EXPECT_EQ(dump(*store.abi(), snippet), "Subscript(value=Attribute(value=Name(id='a', ctx=Load()), attr='b', "
                                         "ctx=Load()), slice=Constant(value=0), ctx=Load())");
  EXPECT_EQ(store.at(snippet).line, 0u);
  EXPECT_EQ(store.at(snippet).origin, root);
  EXPECT_FALSE(store.span(snippet));
  const htp_node body = parse_statements("a = 1\nb = 2\n", root, diagnostics, store);
  EXPECT_EQ(store.items(store.slot(body, 0)).size(), 2u);
}

TEST_F(Parse, IdsArePreorder) {
  const htp_node root = parse("x = a + b\n");
  const htp_node assign = store.items(store.slot(root, 0))[0];
  EXPECT_EQ(assign, root + 1);
  EXPECT_EQ(store.slot(assign, HTP_FIELD(Assign, value)), root + 3);
}

TEST_F(Parse, FromSeveralThreads) {
  parse("x = 1\n");
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([] {
      for (int k = 0; k < 50; ++k) {
        Store own;
        Diagnostics none;
        EXPECT_NE(parse_tree(std::make_shared<const SourceFile>("p.py", "def f(a, b=1): return a + b\n"), none, own),
                  0u);
      }
    });
  for (std::thread &thread : threads) thread.join();
}

// Whatever a text is cut to: a tree, or one diagnostic with a place in the text and a hint.
TEST_F(Parse, EveryPrefixIsReadOrRefused) {
  const std::string text =
      "@d(1)\nasync def f(a, /, b: int = 0x1F, *c, d=f'é {a!r:>{b}} x', **e) -> None:\n"
      "    \"\"\"docs ü\"\"\"\n    with (a as b, c): await x  # c\n    if a: return {1: 2, **b}\n"
      "    elif b:\n\t\tpass\n    try:\n        x = y = (lambda *, k: [i async for i in k])\n"
      "    except* E as e: raise A from None\n    match a:\n        case {'k': [1, *_]} | C(x=1): del x[1:2, ...]\n";
  int trees = 0;
  for (size_t size = 0; size <= text.size(); ++size) {
    Store own;
    Diagnostics found;
    const auto source = std::make_shared<const SourceFile>("p.py", text.substr(0, size));
    if (parse_tree(source, found, own) != 0) {
      EXPECT_TRUE(found.empty());
      ++trees;
      continue;
    }
    ASSERT_EQ(found.list().size(), 1u);
    const Diagnostic &d = found.list()[0];
    EXPECT_TRUE(d.code == "parse.syntax" || d.code == "parse.encoding") << d.code;
    EXPECT_EQ(d.hints.size(), 1u);
    EXPECT_FALSE(d.message.ends_with('.'));
    EXPECT_GE(d.span.line, 1u) << size << ": " << d.message;
    EXPECT_LE(d.span.line, source->line_count());
    EXPECT_LE(d.span.col, source->line(d.span.line).size());
    EXPECT_LE(d.span.end_line, source->line_count());
    EXPECT_LE(d.span.end_col, source->line(d.span.end_line).size() + 1);
    EXPECT_TRUE(std::pair(d.span.line, d.span.col) < std::pair(d.span.end_line, d.span.end_col));
  }
  EXPECT_GT(trees, 10);
}

TEST_F(Parse, AFullStoreIsADiagnostic) {
  Store small({.nodes = 8});
  EXPECT_EQ(parse_tree(std::make_shared<const SourceFile>("p.py", "x = [1, 2, 3, 4, 5, 6, 7]\n"), diagnostics, small),
            0u);
  ASSERT_EQ(diagnostics.list().size(), 1u);
  EXPECT_EQ(diagnostics.list()[0].code, "parse.too-large");
  EXPECT_EQ(diagnostics.list()[0].message, "the program is too large: the tree's store is full");
}

TEST(InterpreterTest, FinishesItsStartUpOnce) {
  Interpreter python;
  ASSERT_TRUE(python);
  EXPECT_TRUE(python.finish()) << Interpreter::reason();
  EXPECT_TRUE(python.finish());
}

} // namespace
} // namespace htp
