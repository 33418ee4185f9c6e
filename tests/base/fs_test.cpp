#include "host/base/fs.h"

#include "host/base/beneath.h"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <thread>

namespace htp {
namespace {

class Fs : public testing::Test {
protected:
  std::string at(const std::string &path) const { return join_path(folder_->path(), path); }
  void file(const std::string &path, const std::string &bytes = "x") {
    ASSERT_FALSE(make_folders(at(path.substr(0, path.rfind('/') == std::string::npos ? 0 : path.rfind('/')))));
    ASSERT_FALSE(write_file(at(path), bytes));
  }
  std::string tree() const {
    const auto entries = list_tree(at(""));
    std::string text;
    for (const FolderEntry &entry : *entries) text += entry.name + (entry.kind == FolderEntry::Kind::file ? " " : "* ");
    return text;
  }
  Expected<TemporaryFolder, IoError> folder_ = TemporaryFolder::make();
};

TEST_F(Fs, ReadsWhatItWrote) {
  const std::string bytes("a\0b\n\xff", 5);
  file("f", bytes);
  EXPECT_EQ(*read_file(at("f")), bytes);
  file("f", "");
  EXPECT_EQ(*read_file(at("f")), "");
  ASSERT_FALSE(write_file_atomic(at("f"), bytes));
  EXPECT_EQ(*read_file(at("f")), bytes);
  EXPECT_EQ(tree(), "f ");                               // nothing left beside it
  EXPECT_FALSE(read_file("/proc/self/status")->empty()); // a file that says it has no bytes
}

TEST_F(Fs, SaysWhyItCannotRead) {
  file("f", "12345");
  ASSERT_EQ(::mkfifo(at("pipe").c_str(), 0644), 0);
  EXPECT_EQ(read_file(at("none")).error().reason, "No such file or directory");
  EXPECT_EQ(read_file(at("")).error().reason, "Is a directory");
  EXPECT_EQ(read_file(at("pipe")).error().reason, "Not a regular file");
  EXPECT_EQ(read_file(at("f"), 4).error().reason, "File larger than 4 bytes");
  EXPECT_EQ(*read_file(at("f"), 5), "12345");
  EXPECT_EQ(read_file(at("none")).error().path, at("none"));
}

TEST_F(Fs, SaysWhyItCannotWrite) {
  file("f");
  EXPECT_EQ(write_file(at("none/f"), "")->reason, "No such file or directory");
  EXPECT_EQ(write_file_atomic(at("f/g"), "")->reason, "Not a directory");
  EXPECT_EQ(make_folders(at("f/g"))->reason, "Not a directory");
  EXPECT_EQ(write_file("/dev/full", "x")->reason, "No space left on device");
}

TEST_F(Fs, SaysThatAFolderMayNotBeWritten) {
  ASSERT_FALSE(make_folders(at("closed")));
  ASSERT_EQ(::chmod(at("").c_str(), 0755) | ::chmod(at("closed").c_str(), 0555), 0);
  const uid_t self = ::geteuid();
  ASSERT_EQ(self == 0 ? ::seteuid(65534) : 0, 0); // root may write anywhere
  const auto failed = make_folders(at("closed/inner"));
  ASSERT_EQ(::seteuid(self), 0);
  EXPECT_EQ(failed->reason, "Permission denied");
}

TEST_F(Fs, ListsSortedAndFollowsNoLink) {
  file("b/2");
  file("b/10");
  file("a");
  ASSERT_EQ(::symlink("/", at("c").c_str()), 0);
  EXPECT_EQ(tree(), "a b/10 b/2 c* ");
  const auto top = list_folder(at(""));
  EXPECT_EQ(top->size(), 3u);
  EXPECT_EQ((*top)[1].name, "b");
  EXPECT_EQ((*top)[1].kind, FolderEntry::Kind::folder);
  EXPECT_FALSE(list_folder(at("none")));
}

TEST_F(Fs, RemovesATreeButNothingBehindALink) {
  file("keep/f");
  file("gone/deep/er/f");
  ASSERT_EQ(::symlink(at("keep").c_str(), at("gone/deep/link").c_str()), 0);
  EXPECT_FALSE(remove_tree(at("gone")));
  EXPECT_FALSE(remove_tree(at("gone"))); // nothing there is no error
  EXPECT_EQ(tree(), "keep/f ");
}

TEST(Paths, AreJoinedAndMadeAbsolute) {
  EXPECT_EQ(join_path("a", "b"), "a/b");
  EXPECT_EQ(join_path("a/", "b"), "a/b");
  EXPECT_EQ(join_path("", "b"), "b");
  EXPECT_EQ(join_path("a", "/b"), "/b");
  EXPECT_EQ(absolute_path("/a/./b//../c/"), "/a/c");
  EXPECT_EQ(absolute_path("/.."), "/");
  EXPECT_TRUE(absolute_path("a").ends_with("/a"));
}

TEST(Paths, ThatStayBeneath) {
  for (const char *good : {"a", "a/b", "..a", "a..", "a b/c"}) EXPECT_TRUE(is_beneath(good)) << good;
  for (const char *bad : {"", "/", "/a", "..", ".", "a/..", "a/../b", "./a", "a/", "a//b", "a\\b"})
    EXPECT_FALSE(is_beneath(bad)) << bad;
  EXPECT_FALSE(is_beneath(std::string_view("a\0b", 3)));
}

TEST_F(Fs, OpensBeneathAFolderOnly) {
  file("in/f");
  file("out");
  ASSERT_EQ(::symlink("f", at("in/inside").c_str()), 0);
  ASSERT_EQ(::symlink("../out", at("in/outside").c_str()), 0);
  const auto opens = [&](const std::string &path, Links links) {
    return static_cast<bool>(open_beneath(at("in"), path, links));
  };
  EXPECT_TRUE(opens("f", Links::none));
  EXPECT_TRUE(opens("inside", Links::inside));
  EXPECT_FALSE(opens("inside", Links::none));
  EXPECT_EQ(errno, ELOOP);
  EXPECT_FALSE(opens("outside", Links::inside));
  EXPECT_EQ(errno, EXDEV);
  EXPECT_FALSE(opens("../out", Links::inside));
  EXPECT_EQ(errno, EXDEV);
}

TEST_F(Fs, AReaderSeesOldBytesOrNewOnes) {
  const std::string a(100000, 'a'), b(100000, 'b');
  file("f", a);
  const auto write = [&](const std::string &bytes) {
    for (int i = 0; i < 50; ++i) write_file_atomic(at("f"), bytes);
  };
  std::thread first(write, a), second(write, b);
  for (int i = 0; i < 100; ++i) {
    const auto read = read_file(at("f"));
    ASSERT_TRUE(read);
    ASSERT_TRUE(*read == a || *read == b);
  }
  first.join(), second.join();
}

TEST_F(Fs, AtomicWritesKeepLinks) {
  ASSERT_FALSE(write_file(at("target"), "old"));
  ASSERT_EQ(::symlink("target", at("link").c_str()), 0);
  ASSERT_EQ(::symlink("made", at("dangling").c_str()), 0);
  ASSERT_FALSE(write_file_atomic(at("link"), "new"));
  ASSERT_FALSE(write_file_atomic(at("dangling"), "there"));
  EXPECT_EQ(*read_file(at("target")), "new");
  EXPECT_EQ(*read_file(at("made")), "there");
  struct stat status {};
  for (const char *link : {"link", "dangling"})
    EXPECT_TRUE(::lstat(at(link).c_str(), &status) == 0 && S_ISLNK(status.st_mode)) << link;
}

TEST(ShellWord, IsQuotedWhereItMustBe) {
  EXPECT_EQ(shell_word("a/b-1.x"), "a/b-1.x");
  EXPECT_EQ(shell_word("a b"), "'a b'");
  EXPECT_EQ(shell_word("it's"), "'it'\\''s'");
  EXPECT_EQ(shell_word("~"), "'~'");
  EXPECT_EQ(shell_word(""), "''");
}

} // namespace
} // namespace htp
