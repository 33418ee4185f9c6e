// Reading and rewriting trees: the walk in source order, numbering, dump's forms, comparison, patterns.
#include "host/ast/compare.h"
#include "host/ast/dump.h"
#include "host/ast/match.h"
#include "host/ast/rewrite.h"
#include "host/ast/unparse.h"
#include "host/ast/walk.h"
#include "host/parse/parse.h"

#include <gtest/gtest.h>

namespace htp {
namespace {

class Tree : public testing::Test {
protected:
  htp_node parse(std::string text) {
    const htp_node root = parse_tree(std::make_shared<const SourceFile>("p.py", std::move(text)), diagnostics, store);
    EXPECT_NE(root, 0u);
    return root;
  }
  htp_node expression(std::string_view text) { return parse_expression(text, 0, diagnostics, store); }
  std::string text(htp_node n) { return unparse(*store.abi(), n); }

  // The names, constants and parameters below `root`, in the order of the walk.
  std::string walked(htp_node root) {
    std::string made;
    htp_walk w;
    htp_walk_begin(&w, store.abi(), root);
    while (const htp_node n = htp_walk_next(&w)) {
      const uint16_t kind = store.kind(n);
      if (kind == HTP_Name || kind == HTP_arg || kind == HTP_keyword)
        made += std::string(store.text(store.slot(n, 0))) + " ";
      if (kind == HTP_Constant) made += std::string(store.text(store.constant_at(store.slot(n, 0)).text)) + " ";
    }
    htp_walk_end(&w);
    return made;
  }

  Store store;
  Diagnostics diagnostics;
};

TEST_F(Tree, WalksInTheOrderOfTheSource) {
  EXPECT_EQ(walked(parse("@d\ndef f(a, b: t=1, /, c=2, *v, k=3, **r) -> z:\n    x\n")), "d a b t 1 c 2 v k 3 r z x ");
  EXPECT_EQ(walked(parse("{a: 1, **b, c: 2}")), "a 1 b c 2 ");
  EXPECT_EQ(walked(parse("f(a, k=1, *b, **c)")), "f a k 1 b  c ");
  EXPECT_EQ(walked(parse("a if b else c")), "a b c ");
}

TEST_F(Tree, SkipLeavesTheInside) {
  const htp_node root = parse("f(a)\ng(b)\n");
  htp_walk w;
  htp_walk_begin(&w, store.abi(), root);
  int calls = 0, names = 0;
  while (const htp_node n = htp_walk_next(&w)) {
    names += store.kind(n) == HTP_Name;
    if (store.kind(n) != HTP_Call) continue;
    ++calls;
    htp_walk_skip(&w);
  }
  htp_walk_end(&w);
  EXPECT_EQ(calls, 2);
  EXPECT_EQ(names, 0);
}

TEST_F(Tree, WalksWideAndDeepTrees) {
  std::string wide = "x = [";
  for (int i = 0; i < 5000; ++i) wide += "a, ";
  htp_node deep = expression("a");
  for (int i = 0; i < 200000; ++i) deep = store.node(HTP_UnaryOp, {HTP_Not, deep});
  uint32_t count = 0;
  for (const htp_node root : {parse(wide + "]\n"), deep}) {
    htp_walk w;
    htp_walk_begin(&w, store.abi(), root);
    while (htp_walk_next(&w) != HTP_NONE) ++count;
    htp_walk_end(&w);
  }
  EXPECT_EQ(count, 5004u + 200001u);
  EXPECT_EQ(preorder(*store.abi(), deep).size(), 200001u);
  EXPECT_EQ(rewrite(store, deep, {}), deep);
  EXPECT_TRUE(same_tree(*store.abi(), copy(store, deep), deep));
  const std::string_view each = "UnaryOp(op=Not(), operand=)", last = "Name(id='a', ctx=Load())";
  EXPECT_EQ(dump(*store.abi(), deep).size(), 200000u * each.size() + last.size());
}

TEST_F(Tree, NumbersByStructureAlone) {
  const htp_node root = parse("f(a, k=1, *b)\n");
  const auto order = preorder(*store.abi(), root);
  for (size_t k = 0; k < order.size(); ++k) EXPECT_EQ(order[k], root + k);
}

// ── dump ────────────────────────────────────────────────────────────────────────────────────────────────────────────

TEST_F(Tree, DumpsIndented) {
  // ast.dump(ast.parse("pass\nf(1, b'\\x00')\nreturn"), indent=2)
  EXPECT_EQ(dump(*store.abi(), parse("pass\nf(1, b'\\x00')\nreturn\n{}\n{**a}"), {.indent = 2}), R"(Module(
  body=[
    Pass(),
    Expr(
      value=Call(
        func=Name(id='f', ctx=Load()),
        args=[
          Constant(value=1),
          Constant(value=b'\x00')],
        keywords=[])),
    Return(),
    Expr(
      value=Dict(keys=[], values=[])),
    Expr(
      value=Dict(
        keys=[
          None],
        values=[
          Name(id='a', ctx=Load())]))],
  type_ignores=[]))");
}

TEST_F(Tree, DumpsPositions) {
  const htp_node root = parse("pass\n");
  EXPECT_EQ(dump(*store.abi(), root, {.attributes = true, .indent = 0}),
            "Module(\nbody=[\nPass(\nlineno=1,\ncol_offset=0,\nend_lineno=1,\nend_col_offset=4)],\ntype_ignores=[])");
}

TEST_F(Tree, DumpsLaterFieldsOnRequest) {
  const htp_node f = store.items(store.slot(parse("def f(): pass\n"), 0))[0];
  EXPECT_EQ(dump(*store.abi(), f).find("type_params"), std::string::npos);
  EXPECT_NE(dump(*store.abi(), f, {.python = 12}).find("type_params=[]"), std::string::npos);
}

// ── compare ─────────────────────────────────────────────────────────────────────────────────────────────────────────

TEST_F(Tree, ComparesAcrossStores) {
  const char *programs[] = {"a + 1",  "a + 1.0",   "a - 1",      "b + 1",  "a + '1'", "f(a)",    "f(a, b)",
                            "f(*a)",  "a < b < c", "a < b <= c", "{a: b}", "{**b}",   "global_", "f(k=1)",
                            "f(**a)", "'é'",       "b'e'",       "1j",     "None",    "..."};
  Store other;
  for (const char *left : programs)
    for (const char *right : programs) {
      const htp_node b = parse_expression(right, 0, diagnostics, other);
      EXPECT_EQ(!first_difference(*store.abi(), expression(left), *other.abi(), b), std::string_view(left) == right)
          << left << " / " << right;
    }
  const htp_node a = expression("f(a, b + 1, c)"), b = expression("f(a, b + 2, c)");
  EXPECT_EQ(text(first_difference(*store.abi(), a, *store.abi(), b).a), "1");
}

// ── rewrite ─────────────────────────────────────────────────────────────────────────────────────────────────────────

TEST_F(Tree, ARewriteThatChangesNothingMakesNothing) {
  const htp_node root = parse("def f(a, b=1):\n    return {a: b, **c}\n");
  const uint32_t before = store.abi()->record_count;
  EXPECT_EQ(rewrite(store, root,
                    {.enter = [](htp_node n) { return n; },
                     .leave = [](htp_node n) { return n; },
                     .statement = [](htp_node n, std::vector<htp_node> &out) { return out.push_back(n), true; }}),
            root);
  EXPECT_EQ(store.abi()->record_count, before);
}

TEST_F(Tree, RewritesBottomUpAndSharesTheRest) {
  const htp_node root = parse("x = (a + 0) + 0\ny = b\n");
  const htp_node pattern = expression("_x + 0");
  const htp_node made = rewrite(store, root, {.leave = [&](htp_node n) {
                                  const auto found = match(store, pattern, n);
                                  return found ? (*found)["_x"] : n;
                                }});
  EXPECT_EQ(text(made), "x = a\ny = b");
  const Slots before = store.items(store.slot(root, 0)), after = store.items(store.slot(made, 0));
  EXPECT_EQ(after[1], before[1]);
  EXPECT_EQ(store.at(after[0]).origin, before[0]);
  EXPECT_EQ(store.at(made).origin, root);
}

TEST_F(Tree, RewritesTopDown) {
  const htp_node pattern = expression("twice(_x)"), form = expression("_x + _x");
  const htp_node made = rewrite(store, expression("twice(twice(a))"), {.enter = [&](htp_node n) {
                                  const auto found = match(store, pattern, n);
                                  return found ? apply(store, form, *found, n) : n;
                                }});
  EXPECT_EQ(text(made), "a + a + (a + a)");
}

TEST_F(Tree, ReplacesStatements) {
  const htp_node root = parse("a\nif b:\n    c\n    d\n");
  const htp_node extra = store.items(store.slot(parse("new\n"), 0))[0];
  const htp_node made = rewrite(store, root, {.statement = [&](htp_node n, std::vector<htp_node> &out) {
                                  if (text(n) == "c") return true;
                                  if (text(n) == "a") out.push_back(extra);
                                  out.push_back(n);
                                  return true;
                                }});
  EXPECT_EQ(text(made), "new\na\nif b:\n    d");
}

TEST_F(Tree, ARuleOrTheStoreStopsTheRewrite) {
  const htp_node root = parse("a\n"), statement = store.items(store.slot(root, 0))[0];
  EXPECT_EQ(rewrite(store, root, {.leave = [](htp_node) { return htp_node{HTP_NONE}; }}), 0u);
  EXPECT_EQ(rewrite(store, root, {.leave = [&](htp_node n) { return store.kind(n) == HTP_Name ? statement : n; }}), 0u);
  EXPECT_EQ(store.reason(), "field `value` of `Expr` is not a node that may stand there: `Expr`");
}

// ── match and apply ─────────────────────────────────────────────────────────────────────────────────────────────────

TEST_F(Tree, MatchesForms) {
  const auto matches = [&](std::string_view pattern, std::string_view n) {
    return match(store, expression(pattern), expression(n)).has_value();
  };
  EXPECT_TRUE(matches("f(_a, k=_b)", "f(x + 1, k=g(2))"));
  EXPECT_FALSE(matches("f(_a, k=_b)", "f(x, j=1)"));
  EXPECT_FALSE(matches("f(_a)", "f(x, y)"));
  EXPECT_TRUE(matches("_a + _a", "f(x) + f(x)"));
  EXPECT_FALSE(matches("_a + _a", "f(x) + f(y)"));
  EXPECT_TRUE(matches("_ + _", "x + y"));
  EXPECT_FALSE(matches("a < _ < b", "a < x <= b"));
  EXPECT_TRUE(matches("{**_a}", "{**b}"));
  EXPECT_FALSE(matches("{**_a}", "{1: b}"));
  EXPECT_FALSE(matches("1", "1.0"));
}

TEST_F(Tree, AppliedFormsHaveOneParentForEachNode) {
  const auto found = match(store, expression("sq(_x)"), expression("sq(a.b)"));
  ASSERT_TRUE(found);
  const htp_node made = apply(store, expression("_x * _x"), *found, HTP_NONE);
  EXPECT_EQ(text(made), "a.b * a.b");
  EXPECT_NE(store.slot(made, 0), store.slot(made, 2));
  EXPECT_EQ((*found)["_y"], 0u);
}

} // namespace
} // namespace htp
