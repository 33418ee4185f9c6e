#include "tests/package/sample.h"

#include "host/base/hash.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace htp {
namespace {

using Strings = std::vector<std::string>;

class Writer : public PackageTest {};

TEST_F(Writer, WritesTheWholePackage) {
  const auto published = publish(draft());
  EXPECT_EQ(said(), "");
  ASSERT_TRUE(published);
  EXPECT_TRUE(published->changed);
  EXPECT_EQ(published->digest, sha256(*read_file(at("manifest.json"))));
  Strings paths;
  const auto files = list_tree(out());
  for (const FolderEntry &entry : *files) paths.push_back(entry.name);
  EXPECT_EQ(paths, (Strings{"codegen/cpu/kernel.c", "ir/pass_trace.jsonl", "ir/stages/00-source/program.py",
                            "logs/timing.json", "manifest.json"}));
  const auto package = read();
  EXPECT_EQ(said(), "");
  ASSERT_TRUE(package);
  EXPECT_EQ(package->digest, published->digest);
  ASSERT_NE(package->file("codegen/cpu/kernel.c"), nullptr);
  EXPECT_EQ(*package->file("codegen/cpu/kernel.c"), "/* 1 */\n");
  EXPECT_EQ(package->file("codegen/cpu/none.c"), nullptr);
  EXPECT_EQ(package->manifest.stages[0].sha256, sha256("import htp  # 1\n"));
  EXPECT_EQ(names(), Strings{"out put"});
}

TEST_F(Writer, GivesTheSameBytesInAnyOrderOfFiles) {
  ASSERT_TRUE(publish(draft()));
  const std::string first = *read_file(at("manifest.json"));
  ASSERT_FALSE(remove_tree(out()));
  PackageDraft other = draft();
  std::swap(other.files.front(), other.files.back());
  ASSERT_TRUE(publish(std::move(other)));
  EXPECT_EQ(*read_file(at("manifest.json")), first);
}

TEST_F(Writer, ReplacesAPackage) {
  ASSERT_TRUE(publish(draft("1")));
  const auto published = publish(draft("2"));
  ASSERT_TRUE(published);
  EXPECT_TRUE(published->changed);
  EXPECT_EQ(*read_file(at("codegen/cpu/kernel.c")), "/* 2 */\n");
  EXPECT_TRUE(read());
  EXPECT_EQ(names(), Strings{"out put"});
}

TEST_F(Writer, TouchesNothingWhenThePackageIsThereAlready) {
  ASSERT_TRUE(publish(draft()));
  struct stat before {
  }, after{};
  ASSERT_EQ(::stat(out().c_str(), &before), 0);
  const auto again = publish(draft());
  ASSERT_TRUE(again);
  EXPECT_FALSE(again->changed);
  ASSERT_EQ(::stat(out().c_str(), &after), 0);
  EXPECT_EQ(before.st_ino, after.st_ino);
  // But one that was damaged is written anew.
  ASSERT_FALSE(write_file(at("codegen/cpu/kernel.c"), "/* 0 */\n"));
  EXPECT_TRUE(publish(draft())->changed);
  EXPECT_EQ(*read_file(at("codegen/cpu/kernel.c")), "/* 1 */\n");
}

TEST_F(Writer, TakesAnEmptyFolderAndALink) {
  ASSERT_FALSE(make_folders(folder() + "/real"));
  ASSERT_EQ(::symlink("real", out().c_str()), 0);
  ASSERT_TRUE(publish(draft())) << said();
  EXPECT_TRUE(exists(folder() + "/real/manifest.json"));
  EXPECT_EQ(names(), (Strings{"out put", "real"}));
}

TEST_F(Writer, MakesTheFoldersAbove) {
  Diagnostics diagnostics;
  EXPECT_TRUE(write_package(draft(), folder() + "/a/b/c/", diagnostics));
  EXPECT_TRUE(exists(folder() + "/a/b/c/manifest.json"));
}

TEST_F(Writer, RefusesWhatIsNoPackage) {
  const std::string hint = "  hint: name another folder with `-o`, or remove this one yourself\n";
  ASSERT_FALSE(make_folders(out()));
  ASSERT_FALSE(write_file(at("thesis.txt"), "years of work"));
  EXPECT_FALSE(publish(draft()));
  EXPECT_EQ(said(),
            "package.not-a-package: `OUT` is not an HTP package: it has no `manifest.json`, and is not empty\n" + hint);
  ASSERT_FALSE(write_file(at("manifest.json"), "{\"name\": \"an extension of a browser\"}"));
  EXPECT_FALSE(publish(draft()));
  EXPECT_EQ(said(),
            "package.not-a-package: `OUT` is not an HTP package: its `manifest.json` is not one of a package\n" + hint);
  EXPECT_EQ(*read_file(at("thesis.txt")), "years of work");
  ASSERT_FALSE(remove_tree(out()));
  ASSERT_FALSE(write_file(out(), "a file"));
  EXPECT_FALSE(publish(draft()));
  EXPECT_EQ(said(), "package.not-a-package: `OUT` is not an HTP package: it is a file\n" + hint);
  EXPECT_EQ(names(), Strings{"out put"});
}

TEST_F(Writer, SaysWhenItCannotWrite) {
  ASSERT_FALSE(write_file(folder() + "/file", ""));
  Diagnostics diagnostics;
  EXPECT_FALSE(write_package(draft(), folder() + "/file/out", diagnostics));
  EXPECT_EQ(text(diagnostics, folder() + "/file/out"),
            "io.unwritable: cannot write `OUT`: Not a directory\n"
            "  hint: the folder that holds `OUT` must be writable: name another one with `-o`\n");
  if (::geteuid() == 0) return; // root may write anywhere
  ASSERT_EQ(::chmod(folder().c_str(), 0555), 0);
  EXPECT_FALSE(publish(draft()));
  EXPECT_EQ(said(), "io.unwritable: cannot write `OUT`: Permission denied\n"
                    "  hint: the folder that holds `OUT` must be writable: name another one with `-o`\n");
  ASSERT_EQ(::chmod(folder().c_str(), 0755), 0);
}

TEST_F(Writer, RefusesPathsThatAreNotOfThePackage) {
  const auto refusal = [&](const Strings &paths) {
    PackageDraft d = draft();
    for (const std::string &path : paths) d.files.push_back({path, "source", ""});
    EXPECT_FALSE(publish(std::move(d)));
    EXPECT_FALSE(exists(out()));
    return said();
  };
  for (const char *path : {"../x", "/x", "a/../x", "a//x", "", "a\\x"})
    EXPECT_EQ(refusal({path}), "package.outside: `" + std::string(path) + "` is no path within the package\n");
  EXPECT_EQ(refusal({"a", "a"}), "package.given-twice: the file `a` was handed over before\n");
  EXPECT_EQ(refusal({"a", "a/b"}), "package.file-and-folder: `a` is a file and a folder of the package\n");
  for (const char *path : {"manifest.json", "logs/x", "build/bin/x"})
    EXPECT_EQ(refusal({path}), "package.reserved: the path `" + std::string(path) + "` is the host's own\n");
  PackageDraft d = draft();
  d.files.erase(d.files.begin());
  EXPECT_FALSE(publish(std::move(d)));
  EXPECT_EQ(said(), "package.no-stage: stage 00 was not handed over: the package has no file "
                    "`ir/stages/00-source/program.py`\n");
}

TEST_F(Writer, RemovesLeftoversButNotWhatIsAtWorkOrNotOurs) {
  for (const char *name : {".out put.htp-0", ".out put.htp-1", ".other.htp-0", "out put.htp-0"}) {
    ASSERT_FALSE(make_folders(folder() + "/" + name + "/ir"));
    ASSERT_FALSE(write_file(folder() + "/" + name + "/ir/x", "x"));
  }
  const int at_work = ::open((folder() + "/.out put.htp-1").c_str(), O_RDONLY | O_DIRECTORY);
  ASSERT_EQ(::flock(at_work, LOCK_EX), 0);
  EXPECT_TRUE(publish(draft()));
  ::close(at_work);
  EXPECT_EQ(names(), (Strings{".other.htp-0", ".out put.htp-1", "out put", "out put.htp-0"}));
}

} // namespace
} // namespace htp
