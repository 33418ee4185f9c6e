// The store and its builder: what stays, what is shared, what is refused and why.
#include "host/ast/store.h"

#include <gtest/gtest.h>

namespace htp {
namespace {

class StoreTest : public testing::Test {
protected:
  htp_node name(std::string_view id, uint32_t ctx = HTP_LOAD) { return store.node(HTP_Name, {store.string(id), ctx}); }
  htp_node number(int64_t i) { return store.node(HTP_Constant, {store.constant(HTP_CONST_INT, {}, i), 0}); }
  htp_node assign(std::string_view id, htp_node value) {
    return store.node(HTP_Assign, {store.list({name(id, HTP_STORE)}), value, 0});
  }

  Store store;
};

TEST_F(StoreTest, AddressesStayWhileItGrows) {
  const htp_node first = number(1);
  const void *records = store.abi()->records, *slots = store.abi()->slots;
  for (int i = 0; i < 200000; ++i) number(i);
  EXPECT_EQ(store.abi()->records, records);
  EXPECT_EQ(store.abi()->slots, slots);
  EXPECT_EQ(store.abi()->record_count, first + 200001);
  EXPECT_EQ(htp_kind_of(store.abi(), first), HTP_Constant);
}

TEST_F(StoreTest, ReadsAsTheAbiSays) {
  const htp_node sum = store.node(HTP_BinOp, {name("a"), HTP_Add, number(2)});
  const htp_store *s = store.abi();
  const htp_fields_BinOp *f = HTP_FIELDS(BinOp, s, sum);
  EXPECT_EQ(f->op, HTP_Add);
  EXPECT_EQ(htp_slot(s, sum, HTP_FIELD(BinOp, op)), HTP_Add);
  const htp_str id = htp_text(s, HTP_FIELDS(Name, s, f->left)->id);
  EXPECT_EQ(std::string_view(id.data, id.size), "a");
  const htp_const &two = s->consts[HTP_FIELDS(Constant, s, f->right)->value];
  EXPECT_EQ(two.type, HTP_CONST_INT);
  EXPECT_EQ(two.u.i, 2);
  EXPECT_STREQ(s->kinds[HTP_BinOp].name, "BinOp");
  EXPECT_STREQ(s->kinds[HTP_BinOp].fields[2].name, "right");
  EXPECT_EQ(s->kinds[HTP_FunctionDef].fields[6].since, 12);
  EXPECT_EQ(s->kinds[9].name, nullptr);
}

TEST_F(StoreTest, InternsStringsAndConstants) {
  EXPECT_EQ(store.string("abc"), store.string(std::string("ab") + "c"));
  EXPECT_NE(store.string(""), 0u);
  EXPECT_EQ(store.constant(HTP_CONST_INT, "12"), store.constant(HTP_CONST_INT, {}, 12));
  EXPECT_EQ(store.constant_at(store.constant(HTP_CONST_INT, "99999999999999999999")).u.i, -1);
  EXPECT_NE(store.constant(HTP_CONST_FLOAT, {}, 0, 0.0), store.constant(HTP_CONST_FLOAT, {}, 0, -0.0));
  EXPECT_NE(store.constant(HTP_CONST_STR, "a"), store.constant(HTP_CONST_BYTES, "a"));
  for (int i = 0; i < 5000; ++i) store.string("s" + std::to_string(i));
  EXPECT_EQ(store.text(store.string("s4321")), "s4321");
}

TEST_F(StoreTest, EmptyListIsNoList) {
  EXPECT_EQ(store.list({}), 0u);
  EXPECT_TRUE(store.items(0).empty());
}

TEST_F(StoreTest, NewNodeStandsWhereItsOriginDoes) {
  const uint16_t file = store.add_file(std::make_shared<const SourceFile>("p.py", "a + 1\n"));
  const htp_node parsed = name("a");
  store.set_location(parsed, file, {1, 0, 1, 1});
  const htp_node made = store.node(HTP_Constant, {store.constant(HTP_CONST_NONE), 0}, parsed);
  EXPECT_EQ(store.at(made).origin, parsed);
  EXPECT_EQ(store.span(made).file->path, "p.py");
  EXPECT_EQ(store.span(made).end_col, 1u);
  EXPECT_EQ(store.abi()->files[file].text.size, 6u);
  EXPECT_FALSE(store.span(number(1)));
}

TEST_F(StoreTest, WithKeepsWhatIsEqual) {
  const htp_node a = assign("x", number(1));
  const htp_node module = store.node(HTP_Module, {store.list({a}), 0});
  EXPECT_EQ(store.with(module, HTP_FIELD(Module, body), store.list({a})), module);
  EXPECT_EQ(store.with(a, store.slots(a)), a);
  store.set_note(a, store.add_trivia({}));
  const htp_node b = store.with(a, HTP_FIELD(Assign, value), number(2));
  EXPECT_NE(b, a);
  EXPECT_EQ(store.at(b).origin, a);
  EXPECT_EQ(store.at(b).note, store.at(a).note);
  EXPECT_EQ(store.slot(b, 0), store.slot(a, 0));
}

TEST_F(StoreTest, ALiteralsFormGoesWithItsValue) {
  const htp_node hex = number(16);
  store.set_note(hex, store.string("0x10"));
  const htp_node other = store.with(hex, HTP_FIELD(Constant, value), store.constant(HTP_CONST_INT, {}, 17));
  EXPECT_EQ(store.at(other).note, 0u);
  EXPECT_EQ(store.at(store.with(hex, store.slots(hex))).note, store.string("0x10"));
}

TEST_F(StoreTest, CommentsStandBeforeTheOnesThereAre) {
  const htp_node a = assign("x", number(1));
  htp_trivia old{};
  old.leading = store.list({store.string("# old")});
  store.set_note(a, store.add_trivia(old));
  const htp_node b = store.comment(a, "new\n\nlines");
  const Slots lines = store.items(store.trivia_at(store.at(b).note).leading);
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_EQ(store.text(lines[0]), "# new");
  EXPECT_EQ(store.text(lines[1]), "#");
  EXPECT_EQ(store.text(lines[3]), "# old");
  EXPECT_EQ(store.comment(number(1), "no"), 0u);
  EXPECT_EQ(store.reason(), "a comment stands before a statement");
}

TEST_F(StoreTest, FullIsAnAnswer) {
  Store small({.nodes = 4, .slots = 16, .constants = 3, .strings = 3, .bytes = 8, .trivia = 2, .files = 2});
  EXPECT_NE(small.string("abc"), 0u);
  EXPECT_EQ(small.string("too long"), 0u);
  EXPECT_EQ(small.reason(), "the tree's store is full");
  EXPECT_NE(small.string("abc"), 0u);
  const uint32_t one = small.constant(HTP_CONST_NONE);
  EXPECT_NE(small.constant(HTP_CONST_TRUE), 0u);
  EXPECT_EQ(small.constant(HTP_CONST_FALSE), 0u);
  for (int i = 0; i < 3; ++i) EXPECT_NE(small.node(HTP_Constant, {one, 0}), 0u);
  EXPECT_EQ(small.node(HTP_Constant, {one, 0}), 0u);
  EXPECT_EQ(small.list(std::vector<uint32_t>(20)), 0u);
  EXPECT_EQ(small.abi()->record_count, 4u);
}

// ── what is refused ─────────────────────────────────────────────────────────────────────────────────────────────────

TEST_F(StoreTest, RefusesWrongSlots) {
  const auto refused = [&](htp_node n) {
    EXPECT_EQ(n, 0u);
    return store.reason();
  };
  EXPECT_EQ(refused(store.node(9, {})), "no kind of node has the number 9");
  EXPECT_EQ(refused(store.node(70000, {})), "no kind of node has the number 70000");
  EXPECT_EQ(refused(store.node(HTP_Name, {1})), "`Name` has 2 fields, not 1");
  EXPECT_EQ(refused(store.node(HTP_Name, {0, HTP_LOAD})), "field `id` of `Name` is not a string");
  EXPECT_EQ(refused(store.node(HTP_Name, {store.string("x"), 9})), "field `ctx` of `Name` is not a context");
  EXPECT_EQ(refused(store.node(HTP_Return, {99999})), "field `value` of `Return` is not a node or none");
  EXPECT_EQ(refused(store.node(HTP_Expr, {0})), "field `value` of `Expr` is not a node");
  EXPECT_EQ(refused(store.node(HTP_Constant, {1000, 0})), "field `value` of `Constant` is not a constant");
  EXPECT_EQ(refused(store.node(HTP_BinOp, {number(1), HTP_Eq, number(2)})), "field `op` of `BinOp` is not an operator");
  EXPECT_EQ(refused(store.node(HTP_BoolOp, {HTP_Add, 0})), "field `op` of `BoolOp` is not an operator");
  EXPECT_EQ(refused(store.node(HTP_Tuple, {7000000, HTP_LOAD})), "field `elts` of `Tuple` is not a list of nodes");
  EXPECT_EQ(refused(store.node(HTP_Tuple, {store.list({0}), HTP_LOAD})),
            "field `elts` of `Tuple` is not a list of nodes");
  EXPECT_EQ(refused(store.node(HTP_Pass, {}, 99999)), "the origin is not a node");
  EXPECT_EQ(refused(store.with(99999, {})), "not a node");
  EXPECT_EQ(refused(store.constant(HTP_CONST_INT, "-1")), "an integer constant is given by its decimal digits");
  EXPECT_EQ(refused(store.constant(HTP_CONST_INT, {}, -1)),
            "an integer constant is never negative: use a `UnaryOp` of `USub`");
  EXPECT_EQ(refused(store.constant(77)), "no type of constant has the number 77");
}

TEST_F(StoreTest, RefusesNodesWhereTheGrammarHasNone) {
  const htp_node statement = assign("x", number(1)), expression = number(2);
  EXPECT_EQ(store.node(HTP_Expr, {statement}), 0u);
  EXPECT_EQ(store.reason(), "field `value` of `Expr` is not a node that may stand there: `Assign`");
  EXPECT_EQ(store.node(HTP_Module, {store.list({expression}), 0}), 0u);
  EXPECT_EQ(store.node(HTP_Call, {name("f"), 0, store.list({expression})}), 0u);
  EXPECT_NE(store.node(HTP_Dict, {store.list({0}), store.list({expression})}), 0u);
  EXPECT_EQ(store.node(HTP_Lambda, {expression, expression}), 0u);
  EXPECT_NE(store.node(HTP_Lambda, {store.node(HTP_arguments, {0, 0, 0, 0, 0, 0, 0}), expression}), 0u);
}

} // namespace
} // namespace htp
