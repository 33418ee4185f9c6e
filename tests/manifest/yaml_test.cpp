#include "host/manifest/yaml.h"

#include "tests/manifest/support.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace htp {
namespace {

// The tree on one line, scalars with their places: {a: x@1:3-4}.
std::string shown(const YamlNode &node) {
  std::string out;
  switch (node.form) {
  case YamlNode::Form::null: return "null";
  case YamlNode::Form::refused: return "refused";
  case YamlNode::Form::scalar:
    return fmt::format("{}{}{}@{}:{}-{}", node.quoted ? "'" : "", node.text, node.quoted ? "'" : "", node.span.line,
                       node.span.col, node.span.end_col);
  case YamlNode::Form::list:
    for (const YamlNode &item : node.items) out += (out.empty() ? "" : ", ") + shown(item);
    return "[" + out + "]";
  case YamlNode::Form::map: break;
  }
  for (const YamlEntry &entry : node.entries)
    out += fmt::format("{}{}@{}:{}: {}", out.empty() ? "" : ", ", entry.key, entry.key_span.line, entry.key_span.col,
                       shown(entry.value));
  return "{" + out + "}";
}

std::string read(const std::string &text, const YamlLimits &limits = {}) {
  Diagnostics diagnostics;
  const auto node = read_yaml(test::source(text), diagnostics, limits);
  std::string out = node ? shown(*node) : "";
  return diagnostics.empty() ? out : test::told(diagnostics);
}

TEST(Yaml, ReadsBlocksAndScalarsWithTheirPlaces) {
  EXPECT_EQ(read("a: x\n"), "{a@1:0: x@1:3-4}");
  EXPECT_EQ(read("a:\n  - x # why\n  - y z\n"), "{a@1:0: [x@2:4-5, y z@3:4-7]}");
  EXPECT_EQ(read("a:\n  b:\n    - c: 1\n      d: 2\n    - e: 3\n"),
            "{a@1:0: {b@2:2: [{c@3:6: 1@3:9-10, d@4:6: 2@4:9-10}, {e@5:6: 3@5:9-10}]}}");
  EXPECT_EQ(read("'a b': 'it''s'\n\"c\": \"x\\\"\\x41\"\n"), "{a b@1:0: 'it's'@1:7-14, c@2:0: 'x\"A'@2:5-14}");
  EXPECT_EQ(read("a: |\n  one\n  two\nb: one\n  two\n"), "{a@1:0: 'one\ntwo\n'@1:3-4, b@4:0: one two@4:3-6}");
  EXPECT_EQ(read("é: ü\n"), "{é@1:0: ü@1:4-6}") << "columns are bytes";
  EXPECT_EQ(read("--- \na: 1\n...\n"), "{a@2:0: 1@2:3-4}");
}

TEST(Yaml, AcceptsAByteOrderMarkAndWindowsLines) {
  EXPECT_EQ(read("\xEF\xBB\xBF"
                 "a: x\nb: y\n"),
            "{a@1:3: x@1:6-7, b@2:0: y@2:3-4}");
  EXPECT_EQ(read("a: x\r\nb:\r\n  - y\r\n"), "{a@1:0: x@1:3-4, b@2:0: [y@3:4-5]}");
}

TEST(Yaml, RefusesDuplicateKeysWithBothLines) {
  EXPECT_EQ(read("a: 1\nb: 2\n\"a\": 3\n"),
            "3:1 manifest.duplicate-key: the key `a` stands twice\n  1:1 it stands here first\n");
  EXPECT_EQ(read("x:\n  - a: 1\n    a: 2\n    a: 3\n"),
            "3:5 manifest.duplicate-key: the key `a` stands twice\n  2:5 it stands here first\n"
            "4:5 manifest.duplicate-key: the key `a` stands twice\n  2:5 it stands here first\n");
}

TEST(Yaml, RefusesAnchorsAliasesAndTags) {
  EXPECT_EQ(read("a: &x one\nb: *x\n"),
            "1:4 manifest.not-plain: an anchor may not be used here\n  hint: write the value out where it is used\n"
            "2:4 manifest.not-plain: an alias may not be used here\n  hint: write the value out\n");
  EXPECT_EQ(
      read("a: !!str 1\nb: ! x\nc: !t\n  - y\n"),
      "1:4 manifest.not-plain: a tag may not be used here\n  hint: take it out; quote what is meant as a string\n"
      "2:4 manifest.not-plain: a tag may not be used here\n  hint: take it out; quote what is meant as a string\n"
      "3:4 manifest.not-plain: a tag may not be used here\n  hint: take it out; quote what is meant as a string\n");
}

TEST(Yaml, AnAliasBombCostsNothing) {
  std::string bomb = "a0: &a0 x\n";
  for (int i = 1; i < 60; ++i) bomb += fmt::format("a{}: &a{} [*a{}, *a{}]\n", i, i, i - 1, i - 1);
  const std::string said = read(bomb);
  EXPECT_NE(said.find("manifest.not-plain: an anchor may not be used here"), std::string::npos);
}

TEST(Yaml, RefusesFlowCollectionsWithTheBlockForm) {
  EXPECT_EQ(
      read("a: []\n"),
      "1:4 manifest.not-plain: a flow list may not be used here\n  hint: there is nothing in it; leave the key out\n");
  EXPECT_EQ(
      read("a: {}\n"),
      "1:4 manifest.not-plain: a flow map may not be used here\n  hint: there is nothing in it; leave the key out\n");
  EXPECT_EQ(read("a: [[x, y], {z: 1}]\n"), "1:4 manifest.not-plain: a flow list may not be used here\n  hint: write "
                                           "each item on a line of its own, after `- `\n");
  EXPECT_EQ(read("? [a, b]\n: 1\n"), "1:3 manifest.not-plain: a flow list may not be used here\n  hint: write each "
                                     "item on a line of its own, after `- `\n");
}

TEST(Yaml, OffersTheBlockFormAsAFix) {
  Diagnostics diagnostics;
  read_yaml(test::source("units:\n  - requires: [Tile.Typed, 'A(x=1)']\n    plugin: {id: x, doc: \"y z\"}\n"),
            diagnostics);
  EXPECT_EQ(render_text(diagnostics, {}), R"(error[manifest.not-plain]: a flow list may not be used here
 --> m.yaml:2:15
  |
2 |   - requires: [Tile.Typed, 'A(x=1)']
  |               ^^^^^^^^^^^^^^^^^^^^^^
  |
  = hint: write each item on a line of its own, after `- `
  = fix: one line each
  |
2 -   - requires: [Tile.Typed, 'A(x=1)']
2 +   - requires:
3 +       - Tile.Typed
4 +       - 'A(x=1)'

error[manifest.not-plain]: a flow map may not be used here
 --> m.yaml:3:13
  |
3 |     plugin: {id: x, doc: "y z"}
  |             ^^^^^^^^^^^^^^^^^^^
  |
  = hint: write each key on a line of its own
  = fix: one line each
  |
3 -     plugin: {id: x, doc: "y z"}
3 +     plugin:
4 +       id: x
5 +       doc: "y z"

2 errors
)");
}

TEST(Yaml, RefusesOtherKeysThanScalars) {
  EXPECT_EQ(
      read("? - a\n: 1\n"),
      "1:3 manifest.not-plain: a key that is no scalar may not be used here\n  hint: write one name as the key\n");
}

TEST(Yaml, RefusesASecondDocument) {
  EXPECT_EQ(read("a: 1\n---\nb: 2\n"), "2:1 manifest.second-document: a second document begins here\n");
}

TEST(Yaml, SaysWhereItIsNoYaml) {
  EXPECT_EQ(read("plugin:\n  id: x\n version: y\n"), "3:2 manifest.bad-yaml: this is not YAML: end of map not found\n");
  EXPECT_EQ(read("a: 'x\n"), "1:4 manifest.open-quote: the quote is not closed\n");
  EXPECT_EQ(read("a: [x\n"), "2:1 manifest.bad-yaml: this is not YAML: end of sequence flow not found\n");
  EXPECT_EQ(
      read("a:\n\t- x\n"),
      "2:2 manifest.bad-yaml: this is not YAML: illegal block entry\n  hint: indent with spaces, not with tabs\n");
  EXPECT_EQ(read("doc: a thing: that it is\n"),
            "1:13 manifest.bad-yaml: this is not YAML: illegal map value\n  hint: a "
            "text with `: ` in it stands in quotes: `doc: \"…\"`\n");
  EXPECT_EQ(read("a: @x\n"), "1:4 manifest.bad-yaml: this is not YAML: unknown token\n");
  EXPECT_EQ(read(""), "0:0 manifest.empty: the file is empty\n");
  EXPECT_EQ(read("# nothing\n"), "0:0 manifest.empty: the file is empty\n");
}

TEST(Yaml, RefusesWhatIsNoText) {
  EXPECT_EQ(read("a: 1\nb: \xFFx\n"), "2:4 manifest.bad-text: the byte 0xff is not UTF-8\n");
  EXPECT_EQ(read(std::string("a: x\0y\n", 7)),
            "1:5 manifest.control-character: the control character 0x00 may not be used\n");
  EXPECT_EQ(read("a: \x1b[31m\n"), "1:4 manifest.control-character: the control character 0x1b may not be used\n");
  EXPECT_EQ(read("a: 1\rb: 2\n"), "1:5 manifest.control-character: the control character 0x0d may not be used\n");
  EXPECT_EQ(
      read(std::string("\xFF\xFE"
                       "a\0",
                       4)),
      "1:1 manifest.bad-text: the byte 0xff is not UTF-8\n  hint: the file looks like UTF-16; save it as UTF-8\n");
}

TEST(Yaml, BoundsWhatItCosts) {
  EXPECT_EQ(read(std::string((1u << 20) + 1, '#')),
            "0:0 manifest.too-large: the file has 1048577 bytes; 1048576 are the most\n");
  EXPECT_EQ(read("a: " + std::string(10'000, 'x') + "\n"),
            "1:1 manifest.long-line: the line has 10003 bytes; 10000 are the most\n");
  std::string deep;
  for (int i = 0; i < 65; ++i) deep += std::string(static_cast<size_t>(i), ' ') + "a:\n";
  EXPECT_EQ(read(deep + std::string(65, ' ') + "b: 1\n"),
            "65:65 manifest.too-deep: values are nested more than 64 levels deep\n");
  EXPECT_THAT(read(std::string(9'000, '[')), testing::HasSubstr("manifest.too-deep: values are nested more than 64"));
  std::string many;
  for (int i = 0; i < 100'001; ++i) many += "- x\n";
  EXPECT_EQ(read(many), "100000:3 manifest.too-many-values: the file has more than 100000 values\n");
}

TEST(Yaml, FindsThePlacesOfMissingValues) {
  const auto node = [](const std::string &text) {
    Diagnostics diagnostics;
    return *read_yaml(test::source(text), diagnostics);
  };
  const YamlNode map = node("a:\nb: 1\n");
  EXPECT_EQ(map.entries[0].value.span.line, 1u);
  const YamlNode list = node("a:\n  - x\n  - # empty\n\n  - y\n");
  const YamlNode &empty = list.entries[0].value.items[1];
  EXPECT_EQ(empty.form, YamlNode::Form::null);
  EXPECT_EQ(empty.span.line, 3u);
  EXPECT_EQ(empty.span.col, 2u);
}

} // namespace
} // namespace htp
