#include "host/load/discover.h"

#include "host/load/access.h"
#include "tests/load/fixture.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

namespace htp {
namespace {

class Discover : public testing::Test {
protected:
  void plugin(const std::string &folder, const std::string &id, const std::string &version = "1.0") {
    ASSERT_FALSE(make_folders(at(folder)));
    ASSERT_FALSE(write_file(at(folder) + "/htp-plugin.yaml",
                            "htp_manifest: 1\nplugin:\n  id: " + id + "\n  version: \"" + version + "\"\n"));
  }
  std::string at(const std::string &path) const { return join_path(folder_->path(), path); }
  std::string ids(const std::vector<std::string> &folders) {
    std::string result;
    for (const Manifest &manifest : discover(folders, diagnostics_))
      result += manifest.id.value + "@" + manifest.folder.substr(at("").size()) + " ";
    return result;
  }
  // With the test's own folder spelled DIR.
  std::string said() const {
    std::string result = text(diagnostics_);
    for (size_t found; (found = result.find(folder_->path())) != std::string::npos;)
      result.replace(found, folder_->path().size(), "DIR");
    return result;
  }
  Diagnostics diagnostics_;

private:
  Expected<TemporaryFolder, IoError> folder_ = TemporaryFolder::make();
};

TEST_F(Discover, ReadsTheFolderAndThoseInIt) {
  plugin("one/b", "test.b");
  plugin("one/a", "test.a");
  plugin("two", "test.two");
  plugin("one/a/deeper", "test.deeper"); // one level only
  EXPECT_EQ(ids({at("two"), at("one")}), "test.two@two test.a@one/a test.b@one/b ");
  EXPECT_EQ(said(), "");
}

TEST_F(Discover, FollowsALinkToAFolder) {
  plugin("elsewhere/a", "test.a");
  ASSERT_FALSE(make_folders(at("one")));
  ASSERT_EQ(::symlink(at("elsewhere/a").c_str(), at("one/link").c_str()), 0);
  EXPECT_EQ(ids({at("one")}), "test.a@one/link ");
}

TEST_F(Discover, ABadOneNeverHidesAGoodOne) {
  plugin("one/good", "test.good");
  ASSERT_FALSE(make_folders(at("one/bad")));
  ASSERT_FALSE(write_file(at("one/bad/htp-plugin.yaml"), "htp_manifest: 1\nplugin: [\n"));
  ASSERT_FALSE(make_folders(at("one/folder/htp-plugin.yaml")));
  EXPECT_EQ(ids({at("one")}), "test.good@one/good ");
  EXPECT_EQ(diagnostics_.errors(), 0u);
  const auto left_out = [&](const std::string &folder) {
    return std::any_of(diagnostics_.list().begin(), diagnostics_.list().end(), [&](const Diagnostic &d) {
      return d.severity == Severity::warning && !d.notes.empty() &&
             d.notes.back() == "the plugin in `" + at(folder) + "` is left out";
    });
  };
  EXPECT_TRUE(left_out("one/bad"));
  EXPECT_TRUE(left_out("one/folder"));
  EXPECT_NE(said().find("io.unreadable: cannot read `DIR/one/folder/htp-plugin.yaml`: Is a directory\n"),
            std::string::npos)
      << said();
}

TEST_F(Discover, LeavesOutWhatOthersCanWriteTo) {
  plugin("one/folder", "test.folder");
  plugin("one/good", "test.good");
  plugin("one/manifest", "test.manifest");
  ASSERT_EQ(::chmod(at("one/folder").c_str(), 0777), 0);
  ASSERT_EQ(::chmod(at("one/manifest/htp-plugin.yaml").c_str(), 0666), 0);
  EXPECT_EQ(ids({at("one")}), "test.good@one/good ");
  EXPECT_EQ(diagnostics_.errors(), 0u);
  const auto left_out = [](const std::string &what, const std::string &mode, const std::string &plugin) {
    return "load.writable-by-others: every user of this machine can write to `DIR/one/" + what + "`: its mode is " +
           mode + ", with o+w\n  note: the plugin in `DIR/one/" + plugin +
           "` is left out\n  hint: take the permission away: `chmod o-w DIR/one/" + what + "`\n";
  };
  EXPECT_EQ(said(), left_out("folder", "0777", "folder") + left_out("manifest/htp-plugin.yaml", "0666", "manifest"));
}

TEST_F(Discover, LeavesOutAPluginWhoseLibraryOrPythonOthersCanWriteTo) {
  plugin("one/good", "test.good");
  ASSERT_FALSE(make_folders(at("one/bad/python/acme/inner/__pycache__")));
  ASSERT_FALSE(make_folders(at("one/bad/lib")));
  ASSERT_FALSE(write_file(at("one/bad/htp-plugin.yaml"),
                          "htp_manifest: 1\nplugin:\n  id: test.bad\n  version: \"1.0\"\n  library: lib/liba.so\n"
                          "python:\n  module: acme\n  path: python\n"));
  for (const char *file : {"lib/liba.so", "python/acme/__init__.py", "python/acme/inner/x.py"})
    ASSERT_FALSE(write_file(at("one/bad/") + file, ""));
  EXPECT_EQ(ids({at("one")}), "test.bad@one/bad test.good@one/good ");
  EXPECT_EQ(said(), "");
  for (const char *part : {"lib", "lib/liba.so", "python", "python/acme", "python/acme/__init__.py",
                           "python/acme/inner", "python/acme/inner/x.py", "python/acme/inner/__pycache__"}) {
    struct stat before {};
    ASSERT_EQ(::stat((at("one/bad/") + part).c_str(), &before), 0);
    ASSERT_EQ(::chmod((at("one/bad/") + part).c_str(), before.st_mode | S_IWOTH), 0);
    diagnostics_ = {};
    EXPECT_EQ(ids({at("one")}), "test.good@one/good ");
    EXPECT_NE(
        said().find(std::string("load.writable-by-others: every user of this machine can write to `DIR/one/bad/") +
                    part + "`: its mode is 0"),
        std::string::npos)
        << said();
    ASSERT_EQ(::chmod((at("one/bad/") + part).c_str(), before.st_mode), 0);
  }
}

// As a user's folder in /tmp: that others may make folders there is no matter, that they may make them in it is.
TEST_F(Discover, AStickyFolderMayLieAboveButNotBeOne) {
  plugin("above/own/a", "test.a");
  ASSERT_EQ(::chmod(at("above").c_str(), 01777), 0);
  EXPECT_EQ(ids({at("above/own")}), "test.a@above/own/a ");
  EXPECT_EQ(said(), "");
  EXPECT_EQ(ids({at("above/own/a")}), "test.a@above/own/a ");
  ASSERT_EQ(::chmod(at("above").c_str(), 0777), 0);
  EXPECT_EQ(ids({at("above/own")}), "");
  EXPECT_EQ(said(), "load.writable-by-others: every user of this machine can write to `DIR/above`: its mode is 0777, "
                    "with o+w\n  note: the plugins in `DIR/above/own` are left out\n  hint: take the permission away: "
                    "`chmod o-w DIR/above`\n");
  diagnostics_ = {};
  ASSERT_EQ(::chmod(at("above").c_str(), 0755), 0);
  ASSERT_EQ(::chmod(at("above/own").c_str(), 01777), 0);
  EXPECT_EQ(ids({at("above/own")}), "");
  EXPECT_EQ(said(), "load.writable-by-others: every user of this machine can write to `DIR/above/own`: its mode is "
                    "1777, with o+w, and the sticky bit does not keep others from adding files\n  note: the plugins in "
                    "`DIR/above/own` are left out\n  hint: take the permission away: `chmod o-w DIR/above/own`\n");
  // A link leads to a place of its own.
  diagnostics_ = {};
  plugin("open/b", "test.b");
  ASSERT_EQ(::chmod(at("open").c_str(), 0777), 0);
  ASSERT_FALSE(make_folders(at("one")));
  ASSERT_EQ(::symlink(at("open/b").c_str(), at("one/link").c_str()), 0);
  EXPECT_EQ(ids({at("one")}), "");
  EXPECT_EQ(said().rfind("load.writable-by-others: every user of this machine can write to `DIR/open`: ", 0), 0u)
      << said();
}

TEST_F(Discover, LeavesOutWhatBelongsToSomebodyElse) {
  struct stat file {};
  file.st_mode = S_IFREG | 0644;
  for (const uid_t user : {uid_t{0}, ::geteuid()}) {
    file.st_uid = user;
    EXPECT_EQ(access_of(file), Access::ours);
  }
  file.st_uid = 4211;
  EXPECT_EQ(access_of(file), Access::foreign);
  file.st_mode |= S_IWOTH;
  EXPECT_EQ(access_of(file), Access::everyones);
  file.st_mode = S_IFREG | 0664; // its group is its owner's choice
  EXPECT_FALSE(check_access("a b", file, {}, diagnostics_));
  EXPECT_EQ(said(),
            "load.foreign-owner: `a b` belongs to user 4211: neither to you nor to root\n  hint: make it yours, "
            "once you have looked at it: `sudo chown $USER 'a b'`, or take a copy\n");
  plugin("one/good", "test.good");
  plugin("one/theirs", "test.theirs");
  if (::chown(at("one/theirs/htp-plugin.yaml").c_str(), 4211, static_cast<gid_t>(-1)) != 0)
    GTEST_SKIP() << "only root may give a file away";
  EXPECT_EQ(ids({at("one")}), "test.good@one/good ");
}

TEST_F(Discover, AManifestLiesInItsFolder) {
  plugin("one/good", "test.good");
  plugin("elsewhere", "test.elsewhere");
  ASSERT_FALSE(make_folders(at("one/bad")));
  ASSERT_EQ(::symlink("../../elsewhere/htp-plugin.yaml", at("one/bad/htp-plugin.yaml").c_str()), 0);
  EXPECT_EQ(ids({at("one")}), "test.good@one/good ");
  EXPECT_EQ(said(), "io.unreadable: cannot read `DIR/one/bad/htp-plugin.yaml`: it leads out of its folder\n"
                    "  note: the plugin in `DIR/one/bad` is left out\n");
}

TEST_F(Discover, SaysWhichFolderIsMissing) {
  EXPECT_EQ(ids({at("none")}), "");
  EXPECT_EQ(said(), "load.no-folder: the search folder `DIR/none` does not exist\n  hint: correct the path, or leave "
                    "the folder out\n");
  EXPECT_EQ(diagnostics_.errors(), 0u);
}

// Root may read anything, so as somebody else where the tests are root's.
class AsSomebodyElse {
public:
  AsSomebodyElse() { EXPECT_TRUE(root_ != 0 || ::seteuid(65534) == 0); }
  ~AsSomebodyElse() { EXPECT_EQ(::seteuid(root_), 0); }

private:
  const uid_t root_ = ::geteuid();
};

TEST_F(Discover, SaysWhatMayNotBeRead) {
  ASSERT_EQ(::chmod(at("").c_str(), 0755), 0);
  plugin("one/good", "test.good");
  plugin("one/closed", "test.closed");
  plugin("one/manifest", "test.manifest");
  plugin("two/hidden", "test.hidden");
  plugin("names/a", "test.a");
  ASSERT_EQ(::chmod(at("one/closed").c_str(), 0), 0);
  ASSERT_EQ(::chmod(at("one/manifest/htp-plugin.yaml").c_str(), 0), 0);
  ASSERT_EQ(::chmod(at("two").c_str(), 0), 0);
  ASSERT_EQ(::chmod(at("names").c_str(), 0444), 0);
  {
    const AsSomebodyElse other;
    EXPECT_EQ(ids({at("one"), at("two"), at("two/hidden"), at("names")}), "test.good@one/good ");
  }
  for (const char *folder : {"one/closed", "two", "names"}) ASSERT_EQ(::chmod(at(folder).c_str(), 0755), 0);
  EXPECT_EQ(diagnostics_.errors(), 0u);
  const auto closed = [](const std::string &path, const std::string &left_out) {
    return "io.unreadable: cannot read `DIR/" + path + "`: Permission denied\n  note: the plugin" + left_out + "\n";
  };
  EXPECT_EQ(said(), closed("one/closed/htp-plugin.yaml", " in `DIR/one/closed` is left out") +
                        closed("one/manifest/htp-plugin.yaml", " in `DIR/one/manifest` is left out") +
                        closed("two", "s in `DIR/two` are left out") +
                        closed("two/hidden", "s in `DIR/two/hidden` are left out") +
                        closed("names", "s in `DIR/names` are left out"));
}

// What is left out is still known, so that it can be told where it is missed.
TEST_F(Discover, KeepsWhyEachIsLeftOut) {
  plugin("one/folder", "test.folder");
  plugin("one/library", "test.library");
  ASSERT_FALSE(write_file(at("one/library/htp-plugin.yaml"), "htp_manifest: 1\nplugin:\n  id: test.library\n"
                                                             "  version: \"1.0\"\n  library: liba.so\n"));
  ASSERT_FALSE(write_file(at("one/library/liba.so"), ""));
  plugin("one/odd", "test.odd");
  ASSERT_FALSE(write_file(at("one/odd/htp-plugin.yaml"),
                          "htp_manifest: 1\nplugin:\n  id: test.odd\n  version: \"1.0\"\n  odd: 1\n"));
  ASSERT_EQ(::chmod(at("one/folder").c_str(), 0777), 0);
  ASSERT_EQ(::chmod(at("one/library/liba.so").c_str(), 0666), 0);
  std::vector<BrokenManifest> broken;
  EXPECT_TRUE(discover({at("one")}, diagnostics_, nullptr, &broken).empty());
  std::string kept;
  for (const BrokenManifest &one : broken)
    kept += one.manifest.id.value + "@" + one.manifest.folder.substr(at("").size()) + " " + one.why + "\n";
  for (size_t found; (found = kept.find(at(""))) != std::string::npos;) kept.replace(found, at("").size(), "DIR/");
  EXPECT_EQ(kept,
            "test.folder@one/folder every user of this machine can write to `DIR/one/folder`: its mode is 0777, "
            "with o+w\ntest.library@one/library every user of this machine can write to `DIR/one/library/liba.so`: "
            "its mode is 0666, with o+w\ntest.odd@one/odd its manifest is broken: "
            "DIR/one/odd/htp-plugin.yaml:5: unknown key `odd` in the plugin\n");
}

TEST_F(Discover, OfTwoEqualOnesTheFirstCounts) {
  plugin("one/a", "test.a");
  plugin("two/a", "test.a");
  plugin("two/newer", "test.a", "1.1"); // another version is another plugin
  EXPECT_EQ(ids({at("one"), at("two"), at("one")}), "test.a@one/a test.a@two/newer ");
  EXPECT_EQ(said(),
            "3 load.duplicate-plugin: plugin `test.a` 1.0 is found twice; `DIR/one/a/htp-plugin.yaml` is used\n");
}

TEST_F(Discover, WhatItsLibraryDeniesHidesNoOther) {
  const std::string ok = fixture_folder("ok");
  const auto library = read_file(ok + "/libfixture.so"), manifest = read_file(ok + "/htp-plugin.yaml");
  ASSERT_TRUE(library && manifest);
  const auto copy = [&](const std::string &folder, const std::string &version) {
    ASSERT_FALSE(make_folders(at(folder)));
    ASSERT_FALSE(write_file(at(folder) + "/libfixture.so", *library));
    std::string text = *manifest;
    text.replace(text.find("1.0.0"), 5, version);
    ASSERT_FALSE(write_file(at(folder) + "/htp-plugin.yaml", text));
  };
  copy("one/newer", "2.0.0"); // its library says 1.0.0
  copy("one/other", "0.9.0");
  EXPECT_EQ(ids({at("one")}), "test.ok@one/newer test.ok@one/other "); // loading tells what is wrong with either
  EXPECT_EQ(said(), "");
  copy("two/good", "1.0.0");
  ASSERT_FALSE(make_folders(at("one/same")));
  ASSERT_FALSE(write_file(at("one/same/htp-plugin.yaml"), *manifest)); // the same version, without its library
  std::vector<BrokenManifest> broken;
  const auto found = discover({at("one"), at("two")}, diagnostics_, nullptr, &broken);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].folder, at("two/good"));
  std::string why;
  for (const BrokenManifest &one : broken) why += one.manifest.folder.substr(at("").size()) + ": " + one.why + "\n";
  EXPECT_EQ(why, "one/newer: the version of plugin `test.ok` is `2.0.0` in the manifest and `1.0.0` in the library\n"
                 "one/other: the version of plugin `test.ok` is `0.9.0` in the manifest and `1.0.0` in the library\n"
                 "one/same: cannot open the library `libfixture.so` of plugin `test.ok`: No such file or directory\n");
  EXPECT_EQ(
      said(),
      "4 load.id-mismatch: the version of plugin `test.ok` is `2.0.0` in the manifest and `1.0.0` in the library\n"
      "  note: the plugin in `DIR/one/newer` is left out\n"
      "4 load.id-mismatch: the version of plugin `test.ok` is `0.9.0` in the manifest and `1.0.0` in the library\n"
      "  note: the plugin in `DIR/one/other` is left out\n"
      "5 load.missing-library: cannot open the library `libfixture.so` of plugin `test.ok`: No such file or "
      "directory\n"
      "  note: the plugin in `DIR/one/same` is left out\n"
      "  hint: build the plugin, or correct `library:`, which is relative to the manifest\n");
}

} // namespace
} // namespace htp
