// The reader of MLIR's generic text: what it reads, what it refuses, and that nothing makes it fall.
#include "lower/text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

namespace {

using namespace htp::mlir;

// `"m"() ({ … }) : () -> ()`
std::string within(const std::string &body) { return "\"m\"() ({\n" + body + "\n}) : () -> ()\n"; }

std::string refusal(const std::string &text) {
  try {
    read_text(text);
  } catch (const BadText &bad) {
    const char *between = bad.fault == BadText::Fault::syntax     ? " expected, found "
                          : bad.fault == BadText::Fault::repeated ? " repeated"
                                                                  : " has several blocks";
    return std::to_string(bad.line) + ": " + bad.what + between + bad.found;
  }
  return "read";
}

TEST(Text, AnOperationHasItsParts) {
  const Operation module = read_text(within(
      "  %0:2 = \"scf.for\"(%a, %b#1) <{k = 1 : i64}> ({\n  ^bb0(%i: index loc(\"f\":1:2), %x: memref<?x8xf32>):\n"
      "    \"scf.yield\"(%i) : (index) -> ()\n  }) {htp.loop = \"htp.vectorized(_, level=\\22core\\22)\", flag} : "
      "(index, f32) -> (f32, "
      "vector<4xf32>) loc(fused[\"a.py\":3:4, \"3:q,acc\"])"));
  ASSERT_EQ(module.regions.size(), 1u);
  const Operation &op = module.regions[0].operations.at(0);
  EXPECT_EQ(op.name, "scf.for");
  EXPECT_EQ(op.results, (std::vector<std::string>{"%0#0", "%0#1"}));
  EXPECT_EQ(op.operands, (std::vector<std::string>{"%a", "%b#1"}));
  EXPECT_EQ(op.result_types, (std::vector<std::string>{"f32", "vector<4xf32>"}));
  EXPECT_EQ(op.attributes.at("k"), "1 : i64");
  EXPECT_EQ(op.attributes.at("flag"), "unit");
  EXPECT_EQ(string_of(op.attributes.at("htp.loop")), "htp.vectorized(_, level=\"core\")");
  EXPECT_EQ(op.place, "3:q,acc");
  EXPECT_EQ(op.line, 2u);
  ASSERT_EQ(op.regions.at(0).arguments, (std::vector<std::string>{"%i", "%x"}));
  EXPECT_EQ(op.regions[0].types[1], "memref<?x8xf32>");
  EXPECT_EQ(op.regions[0].operations.at(0).name, "scf.yield");
}

TEST(Text, TypesAndAttributesEndWhereTheyEnd) {
  const Operation op = read_text("\"f\"() <{a = affine_map<(d0)[s0] -> (d0 + s0)>, b = [\"x, y\", 2], c = {d = "
                                 "dense<[1, 2]> : tensor<2xi8>}}> : () -> ()");
  EXPECT_EQ(op.attributes.at("a"), "affine_map<(d0)[s0] -> (d0 + s0)>");
  EXPECT_EQ(op.attributes.at("b"), "[\"x, y\", 2]");
  EXPECT_EQ(op.attributes.at("c"), "{d = dense<[1, 2]> : tensor<2xi8>}");
  EXPECT_EQ(read_text("\"f\"() {t = (f32, index) -> memref<2xf32>} : () -> ()").attributes.at("t"),
            "(f32, index) -> memref<2xf32>");
}

TEST(Text, Strings) {
  EXPECT_EQ(string_of("\"a\\0Ab\\\\\""), "a\nb\\");
  EXPECT_EQ(string_of("12"), std::nullopt);
  EXPECT_EQ(strings_of("[\"a\", \"b, c\"]"), (std::vector<std::string>{"a", "b, c"}));
  EXPECT_EQ(strings_of("[]"), std::vector<std::string>{});
  EXPECT_EQ(strings_of("[\"a\" \"b\"]"), std::nullopt);
  EXPECT_EQ(strings_of("[\"a]"), std::nullopt);
}

TEST(Text, WhatIsNoneIsRefusedAtItsLine) {
  EXPECT_EQ(refusal(""), "1: an operation in generic form expected, found the end");
  EXPECT_EQ(refusal("func.func @f() {}"), "1: an operation in generic form expected, found `func.func @f() {}`");
  EXPECT_EQ(refusal(within("%0 = \"a\"(%1) : () -> f32")),
            "2: 1 operand and 1 result types of `a` expected, found 0 operand and 1 result types");
  EXPECT_EQ(refusal(within("%0:99999 = \"a\"() : () -> f32")), "2: a number of results expected, found `99999`");
  EXPECT_EQ(refusal(within("\"a\"()[^bb1] : () -> ()")), "2: a has several blocks");
  EXPECT_EQ(refusal(within("^bb0:\n\"a\"() : () -> ()\n^bb1:\n\"b\"() : () -> ()")), "4: m has several blocks");
  EXPECT_EQ(refusal("\"a"), "1: `\"` expected, found the end");
  EXPECT_EQ(refusal("\"a\\"), "1: `\"` expected, found the end");
  EXPECT_EQ(refusal("\"a\"() {k = [1} : () -> ()"), "1: `]` expected, found `} : () -> ()`");
  EXPECT_EQ(refusal("\"a\"() {k = 1, k = 2} : () -> ()"), "1: k repeated");
  EXPECT_EQ(refusal("\"a\"() : () -> () loc(\"x\""), "1: `)` expected, found the end");
  EXPECT_EQ(refusal(within("") + "more"), "4: the end expected, found `more`");
  std::string deep;
  for (int k = 0; k < 5000; ++k) deep += "\"a\"() ({";
  EXPECT_EQ(refusal(deep), "1: at most 200 regions in each other expected, found another one");
}

// Every text of the corpus is read, and no change to one makes the reader do anything but read or refuse.
TEST(Text, AnyChangeIsReadOrRefused) {
  std::mt19937 random(19);
  size_t files = 0, read = 0, refused = 0;
  std::vector<std::filesystem::path> paths;
  for (const auto &entry : std::filesystem::directory_iterator(HTP_CORPUS)) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  for (const auto &path : paths) {
    std::ifstream file(path, std::ios::binary);
    std::stringstream whole;
    whole << file.rdbuf();
    const std::string text = whole.str();
    ++files;
    for (int k = 0; k < 2000; ++k) {
      std::string changed = text;
      for (size_t times = 1 + random() % 3; times > 0 && !changed.empty(); --times) {
        const size_t at = random() % changed.size(), size = std::min<size_t>(1 + random() % 12, changed.size() - at);
        constexpr char marks[] = "\"\\(){}[]<>:,%#^=-> \nloc(0x";
        switch (random() % 4) {
        case 0: changed.erase(at, size); break;
        case 1: changed.insert(at, 1, marks[random() % (sizeof marks - 1)]); break;
        case 2: changed.insert(at, changed.substr(random() % changed.size(), size)); break;
        default: changed.resize(at); break;
        }
      }
      ++(refusal(changed) == "read" ? read : refused);
    }
  }
  EXPECT_GE(files, 4u);
  EXPECT_GT(read, 100u);
  EXPECT_GT(refused, 1000u);
}

} // namespace
