#include "host/load/discover.h"

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
  EXPECT_EQ(said(),
            "load.writable-by-others: every user of this machine can write to `DIR/one/folder`\n"
            "  note: the plugin in `DIR/one/folder` is left out\n"
            "  hint: take the permission away: `chmod o-w DIR/one/folder`\n"
            "load.writable-by-others: every user of this machine can write to `DIR/one/manifest/htp-plugin.yaml`\n"
            "  note: the plugin in `DIR/one/manifest` is left out\n"
            "  hint: take the permission away: `chmod o-w DIR/one/manifest/htp-plugin.yaml`\n");
  ASSERT_EQ(::chmod(at("one/folder").c_str(), 01777), 0); // sticky, and ours
  EXPECT_EQ(ids({at("one/folder")}), "test.folder@one/folder ");
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

TEST_F(Discover, OfTwoEqualOnesTheFirstCounts) {
  plugin("one/a", "test.a");
  plugin("two/a", "test.a");
  plugin("two/newer", "test.a", "1.1"); // another version is another plugin
  EXPECT_EQ(ids({at("one"), at("two"), at("one")}), "test.a@one/a test.a@two/newer ");
  EXPECT_EQ(said(),
            "3 load.duplicate-plugin: plugin `test.a` 1.0 is found twice; `DIR/one/a/htp-plugin.yaml` is used\n");
}

} // namespace
} // namespace htp
