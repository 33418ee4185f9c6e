// Trees that no parse gives: kinds of newer Pythons, what passes make, and what cannot be written.
#include "host/ast/compare.h"
#include "host/ast/unparse.h"
#include "host/parse/parse.h"
#include "host/parse/read_back.h"
#include "host/parse/trivia.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace htp {
namespace {

class Trees : public testing::Test {
protected:
  htp_node parse(const std::string &text) {
    Diagnostics diagnostics;
    const htp_node root = parse_tree(std::make_shared<const SourceFile>("trees.py", text), diagnostics, store);
    EXPECT_NE(root, 0u) << (diagnostics.empty() ? "" : diagnostics.list()[0].message) << "\n" << text;
    if (root != 0) attach_trivia(store, root, *store.file(store.at(root).file));
    return root;
  }
  // The canonical text of a tree.
  std::string canonical(htp_node n) {
    UnparseFailure failure;
    std::string text = unparse(*store.abi(), n, {.failure = &failure});
    EXPECT_EQ(failure.reason, nullptr) << failure.reason;
    return text;
  }
  std::string with_trivia(htp_node n) { return unparse(*store.abi(), n, {.trivia = true}); }
  // The canonical text of a program, which must read back as the same tree.
  std::string round_trip(const std::string &source) {
    const htp_node root = parse(source);
    const std::string text = canonical(root);
    const htp_node again = parse(text);
    EXPECT_TRUE(again != 0 && same_tree(*store.abi(), root, again)) << text;
    return text;
  }

  htp_node name(std::string_view id) { return store.node(HTP_Name, {store.string(id), HTP_LOAD}); }
  htp_node constant(uint32_t id) { return store.node(HTP_Constant, {id, 0}); }
  htp_node text(std::string_view value) { return constant(store.constant(HTP_CONST_STR, value)); }
  htp_node no_arguments() { return store.node(HTP_arguments, {0, 0, 0, 0, 0, 0, 0}); }
  htp_node pass() { return store.node(HTP_Pass, std::initializer_list<uint32_t>{}); }
  htp_node function(std::string_view id, uint32_t type_params = 0) {
    return store.node(HTP_FunctionDef, {store.string(id), no_arguments(), store.list({pass()}), 0, 0, 0, type_params});
  }
  htp_node module(std::initializer_list<uint32_t> body) { return store.node(HTP_Module, {store.list(body), 0}); }
  htp_node body_of(htp_node module, size_t k) { return store.items(store.slot(module, 0))[k]; }

  Store store;
};

// ── newer kinds, as the CPython that has them writes them ───────────────────────────────────────────────────────────

TEST_F(Trees, TypeParametersAndAliases) {
  const uint32_t params = store.list({store.node(HTP_TypeVar, {store.string("T"), name("int"), name("bool")}),
                                      store.node(HTP_TypeVar, {store.string("U"), 0, 0}),
                                      store.node(HTP_TypeVarTuple, {store.string("Ts"), 0}),
                                      store.node(HTP_ParamSpec, {store.string("P"), name("X")})});
  EXPECT_EQ(canonical(store.node(HTP_TypeAlias, {name("A"), params, name("int")})),
            "type A[T: int = bool, U, *Ts, **P = X] = int");
  EXPECT_EQ(canonical(store.node(HTP_TypeAlias, {name("A"), 0, name("int")})), "type A = int");
  EXPECT_EQ(canonical(function("f", params)), "def f[T: int = bool, U, *Ts, **P = X]():\n    pass");
  EXPECT_EQ(canonical(store.node(HTP_ClassDef, {store.string("C"), store.list({name("B")}), 0, store.list({pass()}), 0,
                                                store.list({store.node(HTP_TypeVarTuple, {store.string("Ts"), 0})})})),
            "class C[*Ts](B):\n    pass");
  EXPECT_EQ(canonical(store.items(params)[0]), "T: int = bool");
}

TEST_F(Trees, TemplateStrings) {
  const auto interpolation = [&](std::string_view source, htp_node value, int32_t conversion, htp_node spec) {
    return store.node(HTP_Interpolation,
                      {value, store.constant(HTP_CONST_STR, source), static_cast<uint32_t>(conversion), spec});
  };
  const auto template_of = [&](std::initializer_list<uint32_t> values) {
    return store.node(HTP_TemplateStr, {store.list(values)});
  };
  EXPECT_EQ(canonical(template_of({text("a{"), interpolation("b", name("b"), -1, 0)})), "t'a{{{b}'");
  // The text of the expression is kept as it was written.
  EXPECT_EQ(canonical(template_of({interpolation("b  +  'c'", name("b"), 'r', 0), text("\n")})),
            "t\"{b  +  'c'!r}\\n\"");
  const htp_node spec = store.node(HTP_JoinedStr, {store.list({text(">10")})});
  EXPECT_EQ(canonical(template_of({interpolation("{}", name("b"), -1, spec)})), "t'{ {}:>10}'");
  EXPECT_EQ(canonical(template_of({text("it's \"quoted\""), interpolation("b", name("b"), -1, 0)})),
            "t'''it's \"quoted\"{b}'''");
  const htp_node unknown =
      store.node(HTP_Interpolation, {name("b"), store.constant(HTP_CONST_NONE), static_cast<uint32_t>(-1), 0});
  EXPECT_EQ(canonical(template_of({unknown})), "t'{b}'");
}

TEST_F(Trees, OtherRoots) {
  EXPECT_EQ(canonical(store.node(HTP_FunctionType, {store.list({name("a"), name("b")}), name("c")})), "(a, b) -> c");
  EXPECT_EQ(canonical(store.node(HTP_Expression, {name("a")})), "a");
  EXPECT_EQ(canonical(store.node(HTP_Interactive, {store.list({pass(), pass()})})), "pass\npass");
  EXPECT_EQ(canonical(module({})), "");
  EXPECT_EQ(canonical(body_of(parse("import a as b"), 0)), "import a as b");
}

TEST_F(Trees, TypeComments) {
  const htp_node assign = store.node(HTP_Assign, {store.list({name("a")}), name("b"), store.string("int")});
  EXPECT_EQ(canonical(assign), "a = b # type: int");
  const htp_node loop = store.node(HTP_For, {name("a"), name("b"), store.list({pass()}), 0, store.string("int")});
  EXPECT_EQ(canonical(loop), "for a in b: # type: int\n    pass");
  const htp_node ignored = parse("x = 1\ny = 2\n");
  const htp_node ignore = store.node(HTP_TypeIgnore, {2, store.string("[code]")});
  EXPECT_EQ(canonical(store.with(ignored, HTP_FIELD(Module, type_ignores), store.list({ignore}))),
            "x = 1\ny = 2 # type: ignore[code]");
}

// ── where `ast.unparse` goes wrong ──────────────────────────────────────────────────────────────────────────────────

TEST_F(Trees, ReadBackWhereCPythonsTextDoesNot) {
  EXPECT_EQ(round_trip("with ((a, b)): pass"), "with ((a, b)):\n    pass");
  EXPECT_EQ(round_trip(R"(f"\"\"\"{a}'''")"), R"(f'"""{a}\'\'\'')");
  EXPECT_EQ(round_trip(R"(f'{x:\x7b\x7d}')"), R"(f'{x:\x7b\x7d}')");
  EXPECT_EQ(round_trip("f'{\"\x7f\"}'"), "f\"{'\x7f'}\"");
  EXPECT_EQ(round_trip("u'a' f'{b}c'"), "u'' f'a{b}c'");
  EXPECT_EQ(round_trip("f\"{u'a' f'{b}'}\""), "f\"{u'' f'a{b}'}\"");
  EXPECT_EQ(round_trip("f'{b\"\x01\"}'"), "f\"{b'\x01'}\"");
}

TEST_F(Trees, NegativeConstantsBindLikeTheirOperator) {
  const htp_node minus = constant(store.constant(HTP_CONST_FLOAT, {}, 0, -1.5));
  const htp_node square = store.node(HTP_BinOp, {minus, HTP_Pow, name("n")});
  EXPECT_EQ(canonical(square), "(-1.5) ** n");
  EXPECT_EQ(canonical(store.node(HTP_BinOp, {name("n"), HTP_Mult, minus})), "n * -1.5");
}

TEST_F(Trees, SpecialFloats) {
  using Limits = std::numeric_limits<double>;
  const auto shown = [&](uint32_t type, double f) { return canonical(constant(store.constant(type, {}, 0, f))); };
  EXPECT_EQ(shown(HTP_CONST_FLOAT, Limits::infinity()), "1e309");
  EXPECT_EQ(shown(HTP_CONST_FLOAT, -Limits::infinity()), "-1e309");
  EXPECT_EQ(shown(HTP_CONST_FLOAT, Limits::quiet_NaN()), "(1e309-1e309)");
  EXPECT_EQ(shown(HTP_CONST_COMPLEX, Limits::infinity()), "1e309j");
  EXPECT_EQ(shown(HTP_CONST_COMPLEX, 2), "2j");
  EXPECT_EQ(shown(HTP_CONST_FLOAT, -0.0), "-0.0");
}

TEST_F(Trees, IntegersThatPythonDoesNotPrint) {
  EXPECT_EQ(canonical(constant(store.constant(HTP_CONST_INT, "1" + std::string(4299, '0')))),
            "1" + std::string(4299, '0'));
  std::string source = "0x1";
  for (int k = 0; k < 1000; ++k) source += "0fe37";
  EXPECT_EQ(round_trip(source), source);
}

// ── size ────────────────────────────────────────────────────────────────────────────────────────────────────────────

TEST_F(Trees, LongChainsNeedNoStack) {
  htp_node sum = name("a"), attributes = name("a"), calls = name("a");
  for (int k = 0; k < 50000; ++k) {
    sum = store.node(HTP_BinOp, {sum, HTP_Add, name("b")});
    attributes = store.node(HTP_Attribute, {attributes, store.string("b"), HTP_LOAD});
    calls = store.node(HTP_Call, {calls, 0, 0});
  }
  EXPECT_EQ(canonical(sum).size(), 1 + 50000 * 4u);
  EXPECT_EQ(canonical(attributes).size(), 1 + 50000 * 2u);
  EXPECT_EQ(canonical(calls).size(), 1 + 50000 * 2u);
}

TEST_F(Trees, LongElifChainsNeedNoStack) {
  htp_node chain = store.node(HTP_If, {name("a"), store.list({pass()}), 0});
  for (int k = 0; k < 50000; ++k) chain = store.node(HTP_If, {name("a"), store.list({pass()}), store.list({chain})});
  EXPECT_THAT(canonical(chain), testing::EndsWith("\nelif a:\n    pass"));
}

TEST_F(Trees, TooDeepIsAFailureAtTheNode) {
  htp_node deep = name("a");
  for (int k = 0; k < 50000; ++k) deep = store.node(HTP_UnaryOp, {HTP_Not, deep});
  UnparseFailure failure;
  unparse(*store.abi(), deep, {.failure = &failure});
  EXPECT_STREQ(failure.reason, "it is nested too deeply");
  EXPECT_EQ(store.kind(failure.node), HTP_UnaryOp);
}

TEST_F(Trees, FStringsThatPython311CannotSay) {
  const htp_node value = store.node(HTP_FormattedValue, {text("\\"), static_cast<uint32_t>(-1), 0});
  UnparseFailure failure;
  unparse(*store.abi(), store.node(HTP_JoinedStr, {store.list({value})}), {.failure = &failure});
  EXPECT_STREQ(failure.reason, "an f-string's expression would need a backslash");
  EXPECT_EQ(failure.node, value);
}

// ── what passes make, among what was written ────────────────────────────────────────────────────────────────────────

TEST_F(Trees, DefinitionsThatPassesMakeStandApart) {
  const htp_node old = parse("import a\ndef f(): pass\nx = 1\n");
  const htp_node root =
      module({body_of(old, 0), function("g"), body_of(old, 1), body_of(old, 2), function("h"), pass()});
  EXPECT_EQ(with_trivia(root), "import a\n\n\n"
                               "def g():\n    pass\n\n\n"
                               "def f():\n    pass\n"
                               "x = 1\n\n\n"
                               "def h():\n    pass\n\n\n"
                               "pass\n");
  const htp_node inside =
      store.node(HTP_ClassDef, {store.string("C"), 0, 0, store.list({function("f"), pass(), function("g")}), 0, 0});
  EXPECT_EQ(with_trivia(module({inside})),
            "class C:\n    def f():\n        pass\n\n    pass\n\n    def g():\n        pass\n");
}

TEST_F(Trees, CommentsOfPassesAndBlankLinesGoTogether) {
  const htp_node old = parse("x = 1\n\n# about f\ndef f(): pass\n");
  const htp_node made = store.comment(function("g"), "made\nhere");
  const htp_node changed = store.with(body_of(old, 1), HTP_FIELD(FunctionDef, name), store.string("k"));
  EXPECT_EQ(with_trivia(module({body_of(old, 0), made, changed})),
            "x = 1\n\n\n# made\n# here\ndef g():\n    pass\n\n\n# about f\ndef k():\n    pass\n");
}

TEST_F(Trees, LiteralsKeepTheirFormUntilTheyChange) {
  const htp_node old = parse("x = 0x10\n");
  const htp_node value = store.slot(body_of(old, 0), HTP_FIELD(Assign, value));
  EXPECT_EQ(with_trivia(old), "x = 0x10\n");
  EXPECT_EQ(canonical(old), "x = 16");
  const htp_node changed = store.with(value, HTP_FIELD(Constant, value), store.constant(HTP_CONST_INT, {}, 17));
  EXPECT_EQ(with_trivia(changed), "17");
}

// ── read back without reading ───────────────────────────────────────────────────────────────────────────────────────

TEST_F(Trees, WhatMayReadBackAsAnotherTreeIsRead) {
  const auto certain = [&](htp_node root) {
    std::vector<LineSpan> spans;
    const std::string text = unparse(*store.abi(), root, {.trivia = true, .spans = &spans});
    return read_back(std::make_shared<const SourceFile>("trees.py", text), root, spans, store) != 0;
  };
  const auto statement = [&](htp_node value) { return module({store.node(HTP_Expr, {value})}); };
  const auto real = [&](double f) { return constant(store.constant(HTP_CONST_FLOAT, {}, 0, f)); };
  EXPECT_TRUE(certain(parse("# about\nx: int = f(a, b=1)[0, 1:2]  # and\nif not x:\n    pass\nelse:\n    y = -1.5\n")));
  EXPECT_TRUE(certain(statement(name("x"))));
  EXPECT_FALSE(certain(statement(name("for"))));
  EXPECT_FALSE(certain(statement(name("a b"))));
  EXPECT_FALSE(certain(statement(name("\xc3\xa9")))); // which Python may spell in another way
  EXPECT_FALSE(certain(module({store.with(function("f"), HTP_FIELD(FunctionDef, body), 0)})));
  EXPECT_TRUE(certain(statement(real(1.5))));
  EXPECT_FALSE(certain(statement(real(-1.5))));
  EXPECT_FALSE(certain(statement(real(std::numeric_limits<double>::infinity()))));
  const htp_node x = name("x");
  EXPECT_FALSE(certain(statement(store.node(HTP_BinOp, {x, HTP_Add, x})))) << "it stands in two places";
  EXPECT_FALSE(certain(parse("\n\n\nx = f'{y}'\n")));
  EXPECT_FALSE(certain(module({store.comment(pass(), "\xff")})));
  EXPECT_FALSE(certain(module({store.comment(pass(), "a\rb")})));
  htp_node deep = name("x");
  for (int k = 0; k < 300; ++k) deep = store.node(HTP_List, {store.list({deep}), HTP_LOAD});
  EXPECT_FALSE(certain(statement(deep)));
}

} // namespace
} // namespace htp
