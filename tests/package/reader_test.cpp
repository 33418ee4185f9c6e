#include "tests/package/sample.h"

#include "host/base/hash.h"

#include <sys/stat.h>
#include <unistd.h>

namespace htp {
namespace {

const std::string again = "  hint: compile the program again\n";

class Reader : public PackageTest {
protected:
  void SetUp() override { ASSERT_TRUE(publish(draft())); }
  // Rewrites manifest.json.
  void edit(const std::string &what, const std::string &by) {
    std::string manifest = *read_file(at("manifest.json"));
    const size_t found = manifest.find(what);
    ASSERT_NE(found, std::string::npos) << what;
    ASSERT_FALSE(write_file(at("manifest.json"), manifest.replace(found, what.size(), by)));
  }
};

TEST_F(Reader, NamesTheMissingFile) {
  ASSERT_FALSE(remove_tree(at("codegen")));
  EXPECT_FALSE(read());
  EXPECT_EQ(said(), "package.missing-file: the package `OUT` lacks its file `codegen/cpu/kernel.c`\n" + again);
}

TEST_F(Reader, NamesTheChangedFile) {
  ASSERT_FALSE(write_file(at("codegen/cpu/kernel.c"), "/* 2 */\n"));
  ASSERT_FALSE(write_file(at("ir/stages/00-source/program.py"), "import htp\n"));
  EXPECT_FALSE(read());
  EXPECT_EQ(
      said(),
      "package.changed-file: `codegen/cpu/kernel.c` in the package `OUT` is not what was published\n"
      "  note: its SHA-256 is " +
          sha256("/* 2 */\n") + ", and was " + sha256("/* 1 */\n") + "\n" + again +
          "package.changed-file: `ir/stages/00-source/program.py` in the package `OUT` is not what was published\n"
          "  note: it has 11 bytes, and had 16\n"
          "  hint: continue from an edited stage with `compile --from-stage`\n");
}

TEST_F(Reader, LeavesLogsAndBinariesOut) {
  ASSERT_FALSE(write_file(at("logs/timing.json"), "other"));
  ASSERT_FALSE(make_folders(at("build/bin")));
  ASSERT_FALSE(write_file(at("build/bin/kernel.so"), "binary"));
  ASSERT_FALSE(make_folders(at("ir/stages/00-source/__pycache__")));
  ASSERT_FALSE(write_file(at("ir/stages/00-source/__pycache__/program.pyc"), "binary"));
  EXPECT_TRUE(read());
  EXPECT_EQ(said(), "");
}

TEST_F(Reader, WarnsOfAStray) {
  ASSERT_FALSE(write_file(at("codegen/cpu/extra.c"), ""));
  EXPECT_TRUE(read());
  EXPECT_EQ(said(), "package.stray-file: `codegen/cpu/extra.c` in the package `OUT` is in no list of its manifest\n");
}

TEST_F(Reader, FollowsNoLink) {
  ASSERT_FALSE(write_file(folder() + "/kernel.c", "/* 1 */\n"));
  ASSERT_FALSE(remove_tree(at("codegen/cpu/kernel.c")));
  ASSERT_EQ(::symlink((folder() + "/kernel.c").c_str(), at("codegen/cpu/kernel.c").c_str()), 0);
  EXPECT_FALSE(read());
  EXPECT_EQ(said(), "package.unreadable-file: `codegen/cpu/kernel.c` in the package `OUT` cannot be read: it is "
                    "reached through a link\n" +
                        again);
}

TEST_F(Reader, ReadsFilesOnly) {
  ASSERT_FALSE(remove_tree(at("codegen/cpu/kernel.c")));
  ASSERT_EQ(::mkfifo(at("codegen/cpu/kernel.c").c_str(), 0644), 0);
  EXPECT_FALSE(read());
  EXPECT_EQ(
      said(),
      "package.unreadable-file: `codegen/cpu/kernel.c` in the package `OUT` cannot be read: Not a regular file\n" +
          again);
}

TEST_F(Reader, CapsSizes) {
  edit("\"size\": 8", "\"size\": 999999999999");
  EXPECT_FALSE(read());
  EXPECT_EQ(said(), "package.unreadable-file: `codegen/cpu/kernel.c` in the package `OUT` cannot be read: "
                    "it is larger than the 268435456 bytes that a reader takes\n" +
                        again);
}

TEST_F(Reader, RefusesPathsThatLeadOut) {
  edit("\"codegen/cpu/kernel.c\"", "\"../secret\"");
  EXPECT_FALSE(read());
  EXPECT_EQ(said(),
            "package.bad-manifest: `OUT/manifest.json` is damaged: `/outputs/0/path`: it leads out of the package\n" +
                again);
}

TEST_F(Reader, NamesAnotherSchema) {
  edit("htp.package/1", "htp.package/2");
  EXPECT_FALSE(read());
  EXPECT_EQ(
      said(),
      "package.unknown-schema: `OUT/manifest.json` is of schema `htp.package/2`, this host reads `htp.package/1`\n"
      "  hint: compile the program again with this host\n");
}

TEST_F(Reader, SaysWhatIsNoPackage) {
  ASSERT_FALSE(remove_tree(at("manifest.json")));
  EXPECT_FALSE(read());
  EXPECT_EQ(said(), "package.not-a-package: `OUT` is not an HTP package: `manifest.json`: No such file or directory\n"
                    "  hint: name the folder that `htp-host compile` wrote\n");
  ASSERT_FALSE(remove_tree(out()));
  EXPECT_FALSE(read());
  EXPECT_EQ(said(),
            "io.unreadable: cannot read `OUT`: No such file or directory\n  hint: compile a program into it first\n");
}

} // namespace
} // namespace htp
