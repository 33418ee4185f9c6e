// Plugins that were found before are taken from the index while their files are what they were, and no longer; whatever
// the index has in it.
#include "host/load/plugin_index.h"

#include "host/base/hash.h"
#include "host/load/discover.h"
#include "tests/load/fixture.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/stat.h>

#include <filesystem>
#include <thread>

namespace htp {
namespace {

class Index : public testing::Test {
protected:
  // Of one length for docs of one length, so that sizes say nothing.
  void plugin(const std::string &name, const std::string &doc, const std::string &more = "") {
    ASSERT_FALSE(make_folders(at("plugins/" + name)));
    ASSERT_FALSE(write_file(at("plugins/" + name + "/htp-plugin.yaml"), "htp_manifest: 1\nplugin:\n  id: test." + name +
                                                                            "\n  version: \"1.0\"\n  doc: " + doc +
                                                                            "\n" + more));
  }
  void python(const std::string &name) {
    plugin(name, "one", "python:\n  module: m\n  path: .\n");
    ASSERT_FALSE(write_file(at("plugins/" + name + "/m.py"), ""));
  }
  // What is found, in a process of another time.
  std::string docs() {
    Diagnostics diagnostics;
    std::string result;
    for (const Manifest &m : discover({at("plugins")}, diagnostics, &cache_)) {
      result += m.id.value + "=" + m.doc + "@" + std::to_string(m.id.span.line) + " ";
      EXPECT_EQ(m.sha256, sha256(m.source->text));
      EXPECT_EQ(m.source->path, m.folder + "/htp-plugin.yaml");
    }
    EXPECT_EQ(text(diagnostics), said_);
    return result;
  }
  // What is written from now on is written later than what is there, also for the coarsest clock.
  static void settle() { std::this_thread::sleep_for(std::chrono::nanoseconds(Stamp::coarsest + 100'000'000)); }
  // Whether the plugin is known by its stamps alone.
  bool is_known(const std::string &name) { return PluginIndex(&cache_, at("plugins")).unchanged(name).has_value(); }
  // The one file that is kept; empty: none.
  std::string file() const {
    for (const auto &entry : std::filesystem::recursive_directory_iterator(at("cache")))
      if (entry.is_regular_file()) return entry.path().string();
    return {};
  }
  std::string at(const std::string &path) const { return folder_->path() + "/" + path; }
  std::string said_;

private:
  Expected<TemporaryFolder, IoError> folder_ = TemporaryFolder::make();
  Cache cache_{folder_->path() + "/cache"};
};

TEST_F(Index, OnlyWhatIsAsItWasIsTaken) {
  for (const char *name : {"a", "b", "c", "d", "e"}) python(name);
  ASSERT_FALSE(make_folders(at("plugins/none")));
  settle();
  EXPECT_EQ(docs(), "test.a=one@3 test.b=one@3 test.c=one@3 test.d=one@3 test.e=one@3 ");
  for (const char *name : {"a", "b", "c", "d", "e"}) EXPECT_TRUE(is_known(name)) << name;
  const std::string kept = *read_file(file());
  EXPECT_EQ(docs(), "test.a=one@3 test.b=one@3 test.c=one@3 test.d=one@3 test.e=one@3 ");
  EXPECT_EQ(*read_file(file()), kept);

  struct stat before {};
  ASSERT_EQ(::stat(at("plugins/a/htp-plugin.yaml").c_str(), &before), 0);
  plugin("a", "uno", "python:\n  module: m\n  path: .\n"); // of the same size, and as old
  const timespec times[] = {before.st_atim, before.st_mtim};
  ASSERT_EQ(::utimensat(AT_FDCWD, at("plugins/a/htp-plugin.yaml").c_str(), times, 0), 0);
  ASSERT_EQ(::chmod(at("plugins/b").c_str(), 0700), 0);
  ASSERT_FALSE(write_file(at("plugins/c/m.py"), ""));
  ASSERT_FALSE(write_file(at("plugins/d/htp-plugin.sig"), "")); // a name more
  ASSERT_FALSE(remove_tree(at("plugins/e")));
  for (const char *name : {"a", "b", "c", "d", "e"}) EXPECT_FALSE(is_known(name)) << name;
  plugin("none", "new");
  EXPECT_EQ(docs(), "test.a=uno@3 test.b=one@3 test.c=one@3 test.d=one@3 test.none=new@3 ");
  EXPECT_EQ(read_file(file())->find("test.e"), std::string::npos); // is forgotten
}

// What others may change is left out as soon as they may, whatever is kept.
TEST_F(Index, IsNoWayAroundTrust) {
  python("a");
  settle();
  docs();
  ASSERT_TRUE(is_known("a"));
  for (const char *path : {"plugins/a", "plugins/a/htp-plugin.yaml", "plugins/a/m.py"}) {
    struct stat before {};
    ASSERT_EQ(::stat(at(path).c_str(), &before), 0);
    ASSERT_EQ(::chmod(at(path).c_str(), before.st_mode | S_IWOTH), 0);
    Diagnostics diagnostics;
    Cache cache(at("cache"));
    EXPECT_TRUE(discover({at("plugins")}, diagnostics, &cache).empty()) << path;
    EXPECT_NE(text(diagnostics).find("load.writable-by-others"), std::string::npos);
    ASSERT_EQ(::chmod(at(path).c_str(), before.st_mode), 0);
  }
  EXPECT_EQ(docs(), "test.a=one@3 ");
}

// A file that was written when it was read may be written once more in the same tick of its clock: it is read each
// time, until it has been left alone.
TEST_F(Index, WhatWasJustWrittenIsReadAgain) {
  plugin("a", "one");
  EXPECT_EQ(docs(), "test.a=one@3 ");
  EXPECT_FALSE(is_known("a"));
  plugin("a", "two");
  EXPECT_EQ(docs(), "test.a=two@3 ");
  settle();
  EXPECT_FALSE(is_known("a"));
  EXPECT_EQ(docs(), "test.a=two@3 ");
  EXPECT_TRUE(is_known("a"));
}

// Where a link leads may change without a sign.
TEST_F(Index, LinksAreFollowedEachTime) {
  python("a");
  ASSERT_FALSE(make_folders(at("elsewhere")));
  std::filesystem::rename(at("plugins/a/m.py"), at("elsewhere/m.py"));
  std::filesystem::create_symlink(at("elsewhere/m.py"), at("plugins/a/m.py"));
  python("b");
  std::filesystem::rename(at("plugins/b"), at("elsewhere/b"));
  std::filesystem::create_directory_symlink(at("elsewhere/b"), at("plugins/b"));
  settle();
  EXPECT_EQ(docs(), "test.a=one@3 test.b=one@3 ");
  EXPECT_FALSE(is_known("a"));
  EXPECT_FALSE(is_known("b"));
}

TEST_F(Index, IsBelieved) { // that it is used at all: what is kept is what is told
  plugin("a", "one");
  settle();
  docs();
  std::string bytes = read_file(file())->substr(65);
  bytes.replace(bytes.rfind("one"), 3, "two"); // what was read, not the text
  ASSERT_FALSE(write_file(file(), sha256(bytes) + "\n" + bytes));
  EXPECT_EQ(docs(), "test.a=two@3 ");
}

TEST_F(Index, WhatIsDamagedIsMadeAnew) {
  plugin("a", "one");
  settle();
  docs();
  const std::string good = *read_file(file());
  for (size_t at = 0; at < good.size(); at += 7) {
    std::string bytes = good;
    bytes[at] = static_cast<char>(bytes[at] ^ 0x55);
    ASSERT_FALSE(write_file(file(), at % 2 ? bytes : bytes.substr(0, at)));
    EXPECT_EQ(docs(), "test.a=one@3 ");
    EXPECT_EQ(*read_file(file()), good); // and kept again
  }
}

// A digest that is right over bytes that are not does no harm either: no crash, no huge allocation.
TEST_F(Index, SurvivesNonsense) {
  plugin("a", "one");
  settle();
  docs();
  const std::string good = read_file(file())->substr(65);
  for (size_t at = 0; at < good.size(); at += 3)
    for (const char value : {'\0', '\xff'}) {
      std::string bytes = good;
      bytes[at] = value;
      ASSERT_FALSE(write_file(file(), sha256(bytes) + "\n" + bytes));
      Diagnostics diagnostics;
      Cache cache(this->at("cache"));
      discover({this->at("plugins")}, diagnostics, &cache);
      bytes.resize(at);
      ASSERT_FALSE(write_file(file(), sha256(bytes) + "\n" + bytes));
      discover({this->at("plugins")}, diagnostics, &cache);
    }
}

TEST_F(Index, WhatIsWrongIsSaidEachTime) {
  plugin("a", "one");
  plugin("b", "[]");
  Diagnostics once;
  discover({at("plugins")}, once);
  said_ = text(once);
  EXPECT_NE(said_, "");
  EXPECT_EQ(docs(), "test.a=one@3 ");
  EXPECT_EQ(docs(), "test.a=one@3 ");
}

TEST_F(Index, ACacheThatCannotBeWrittenCostsNothingElse) {
  plugin("a", "one");
  ASSERT_FALSE(write_file(at("full"), "")); // no folder
  for (const Cache &cache : {Cache(at("full")), Cache::off()})
    for (int turn = 0; turn < 2; ++turn) {
      Diagnostics diagnostics;
      const auto found = discover({at("plugins")}, diagnostics, &cache);
      ASSERT_EQ(found.size(), 1u);
      EXPECT_EQ(found[0].doc, "one");
      EXPECT_EQ(text(diagnostics), "");
    }
}

// Many write at once while the plugins change: each finds what is there, and what is kept in the end is whole.
TEST_F(Index, WritersDoNotDisturbEachOther) {
  for (int k = 0; k < 20; ++k) plugin(fmt::format("p{:02}", k), "one");
  settle();
  const auto look = [&] {
    const Cache cache(at("cache"));
    for (int turn = 0; turn < 30; ++turn) {
      Diagnostics diagnostics;
      const auto found = discover({at("plugins")}, diagnostics, &cache);
      EXPECT_EQ(found.size(), 20u);
      for (const Manifest &m : found) EXPECT_TRUE(m.doc == "one" || (m.id == "test.p07" && m.doc == "two"));
      EXPECT_EQ(text(diagnostics), "");
    }
  };
  std::vector<std::thread> threads;
  for (int k = 0; k < 4; ++k) threads.emplace_back(look);
  ASSERT_FALSE(write_file_atomic(at("plugins/p07/htp-plugin.yaml"),
                                 "htp_manifest: 1\nplugin:\n  id: test.p07\n  version: \"1.0\"\n  doc: two\n"));
  for (std::thread &thread : threads) thread.join();
  EXPECT_NE(docs().find("test.p07=two"), std::string::npos);
}

} // namespace
} // namespace htp
