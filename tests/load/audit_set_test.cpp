// What the plugins of one set do to each other.
#include "host/load/audit.h"

#include "host/base/cache.h"
#include "tests/load/elf_edit.h"
#include "tests/load/fixture.h"

namespace htp {
namespace {

class AuditSet : public testing::Test {
protected:
  std::string said(const ElfFacts &a, std::vector<std::string> in_a, const ElfFacts &b, std::vector<std::string> in_b) {
    const SetMember members[] = {{&ok_, &a, std::move(in_a)}, {&other_, &b, std::move(in_b)}};
    Diagnostics diagnostics;
    audit_set(members, diagnostics);
    EXPECT_EQ(diagnostics.errors(), 0u);
    for (const Diagnostic &d : diagnostics.list()) {
      EXPECT_EQ(d.span.file, other_.source); // the later one, and the earlier beside it
      EXPECT_EQ(d.labels.at(0).span.file, ok_.source);
    }
    return text(diagnostics);
  }

private:
  Manifest ok_ = fixture("ok"), other_ = fixture("unique");
};

TEST_F(AuditSet, NamesBothWhoExportASymbol) {
  ElfFacts a, b;
  a.exports = {"one", "two", "three", "four", "five"};
  b.exports = {"five", "four", "three", "two", "six"};
  EXPECT_EQ(
      said(a, {}, b, {}),
      "5 load.duplicate-symbols: plugins `test.ok` and `test.unique` both export `five`, `four`, `three` and 1 other\n"
      "  hint: link both with the SDK's version script, as `htp_add_plugin()` does\n");
  b.exports = {"six"};
  EXPECT_EQ(said(a, {}, b, {}), "");
}

TEST_F(AuditSet, NamesBothWhoShareAVariable) {
  ElfFacts a, b;
  a.unique = b.unique = {"_ZN4acme5tableE"};
  EXPECT_EQ(said(a, {}, b, {}),
            "5 load.shared-unique: plugins `test.ok` and `test.unique` share one `_ZN4acme5tableE` in this process\n"
            "  hint: link both with the SDK's version script, as `htp_add_plugin()` does, or compile with "
            "`-fno-gnu-unique`\n");
}

TEST_F(AuditSet, NamesTwoCopiesOfALibrary) {
  ElfFacts a, b;
  a.needed = {"libLLVM-14.so.1", "libc.so.6"};
  b.needed = {"libLLVM-19.so.1", "libc.so.6"};
  EXPECT_EQ(said(a, {}, b, {}), "5 load.two-copies: plugins `test.ok` and `test.unique` bring two copies of LLVM: "
                                "`libLLVM-14.so.1` and `libLLVM-19.so.1`\n"
                                "  hint: link both with one shared library of LLVM\n");
  EXPECT_EQ(said(a, {}, a, {}), "");
  EXPECT_EQ(said(a, {}, {}, {"LLVM"}),
            "5 load.two-copies: plugins `test.ok` and `test.unique` bring two copies of LLVM: "
            "`libLLVM-14.so.1` and one linked into it\n"
            "  hint: link both with one shared library of LLVM\n");
  EXPECT_NE(said({}, {"protobuf"}, {}, {"protobuf"}), "");
  EXPECT_EQ(said({}, {"protobuf"}, {}, {"LLVM"}), "");
}

TEST_F(AuditSet, SeesWhatIsLinkedIn) {
  const std::string bytes = *read_file(fixture_folder("ok") + "/libfixture.so");
  EXPECT_TRUE(linked_in(bytes).empty());
  EXPECT_EQ(linked_in(bytes + "LLVM ERROR: "), std::vector<std::string>{"LLVM"});
}

// From the files to the words, and once more from what was remembered.
TEST(AuditedSet, IsSaidWhenPluginsAreLoaded) {
  const auto place = TemporaryFolder::make();
  const std::string folder = place->path() + "/copy";
  ASSERT_FALSE(make_folders(folder));
  ElfEdit edit(*read_file(fixture_folder("unique") + "/libfixture.so"));
  edit.replace("test.unique", "test.second");
  ASSERT_FALSE(write_file(folder + "/libfixture.so", edit.bytes() + "LLVM ERROR: "));
  std::string manifest = *read_file(fixture_folder("unique") + "/htp-plugin.yaml");
  manifest.replace(manifest.find("test.unique"), 11, "test.second");
  ASSERT_FALSE(write_file(folder + "/htp-plugin.yaml", manifest));
  const Manifest first = fixture("unique"), second = manifest_in(folder);
  const Manifest *const both[] = {&first, &second};
  Cache cache(place->path() + "/cache");
  LoadOptions options;
  options.probe_timeout = std::chrono::minutes(1);
  options.cache = &cache;
  for (int round = 0; round < 2; ++round) {
    Diagnostics diagnostics;
    EXPECT_EQ(load_plugins(both, options, diagnostics).size(), 2u);
    const std::string said = text(diagnostics);
    EXPECT_EQ(
        said.substr(0, said.find("\n")),
        "5 load.shared-unique: plugins `test.unique` and `test.second` share one `_ZN7fixture6SharedIiE5valueE` in "
        "this process");
  }
}

} // namespace
} // namespace htp
