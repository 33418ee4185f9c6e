#include "host/base/cache.h"

#include "host/base/fs.h"
#include "host/base/hash.h"

#include <gtest/gtest.h>

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

namespace htp {
namespace {

const std::string key = sha256("key"), other = sha256("other");

class CacheTest : public testing::Test {
protected:
  std::string path() const { return folder_->path() + "/cache"; }
  std::string blob() const { return path() + "/blobs/" + key.substr(0, 2) + "/" + key; }

private:
  Expected<TemporaryFolder, IoError> folder_ = TemporaryFolder::make();
};

TEST_F(CacheTest, GivesBackWhatWasPut) {
  const std::string bytes("a\0b", 3);
  Cache(path()).put(key, bytes);
  const Cache cache(path());
  EXPECT_EQ(cache.get(key), bytes);
  EXPECT_EQ(cache.get(other), std::nullopt);
  cache.put(key, "");
  EXPECT_EQ(cache.get(key), "");
}

TEST_F(CacheTest, IsOffWhereOthersMayHaveWritten) {
  ASSERT_TRUE(Cache(path()).enabled());
  ASSERT_EQ(::chmod(path().c_str(), 01777), 0);
  EXPECT_FALSE(Cache(path()).enabled());
  ASSERT_EQ(::chmod(path().c_str(), 0755), 0);
  EXPECT_TRUE(Cache(path()).enabled());
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give a folder away";
  ASSERT_EQ(::chown(path().c_str(), 12345, 12345), 0);
  EXPECT_FALSE(Cache(path()).enabled());
}

TEST_F(CacheTest, IgnoresAndReplacesWhatIsDamaged) {
  const Cache cache(path());
  cache.put(key, "bytes");
  const std::string good = *read_file(blob());
  for (const std::string &bad :
       {std::string(), good.substr(0, 40), good.substr(0, good.size() - 1), good + "x", std::string(200, '\0')}) {
    ASSERT_FALSE(write_file(blob(), bad));
    EXPECT_EQ(cache.get(key), std::nullopt);
  }
  cache.put(key, "bytes");
  EXPECT_EQ(cache.get(key), "bytes");
}

TEST_F(CacheTest, NeverLeadsOutOfItsFolder) {
  const Cache cache(path());
  cache.put("../../escape", "bytes");
  EXPECT_EQ(cache.get("../../escape"), std::nullopt);
  EXPECT_EQ(Cache(path()).folder("../../escape").has_value(), false);
}

TEST_F(CacheTest, OffKeepsNothingButWorks) {
  Cache cache = Cache::off();
  EXPECT_FALSE(cache.enabled());
  cache.put(key, "bytes");
  EXPECT_EQ(cache.get(key), std::nullopt);
  std::string private_path;
  {
    const auto folder = cache.folder(key);
    ASSERT_TRUE(folder);
    EXPECT_TRUE(folder->fresh);
    private_path = folder->path;
    EXPECT_TRUE(cache.keep(key));
    EXPECT_FALSE(cache.folder(key)->fresh); // for as long as this one lives
    EXPECT_EQ(cache.folder(key)->path, private_path);
    cache = Cache::off();
  }
  EXPECT_FALSE(exists(private_path));
}

TEST_F(CacheTest, KeepsAFolderAtOnePath) {
  std::string kept;
  {
    Cache cache(path());
    const auto folder = cache.folder(key);
    ASSERT_TRUE(folder && folder->fresh);
    kept = folder->path;
    EXPECT_TRUE(cache.folder(key)->fresh); // still being filled
    ASSERT_FALSE(write_file(kept + "/kernel.so", "code"));
    EXPECT_TRUE(cache.keep(key));
    EXPECT_FALSE(cache.keep(key));
  }
  Cache cache(path());
  const auto folder = cache.folder(key);
  ASSERT_TRUE(folder);
  EXPECT_FALSE(folder->fresh);
  EXPECT_EQ(folder->path, kept);
  EXPECT_EQ(*read_file(kept + "/kernel.so"), "code");
}

TEST_F(CacheTest, AFolderThatIsNotWholeIsMadeAnew) {
  const auto fill = [&] {
    Cache cache(path());
    const auto folder = cache.folder(key);
    EXPECT_TRUE(folder && folder->fresh);
    EXPECT_EQ(list_tree(folder->path)->size(), 0u);
    EXPECT_FALSE(write_file(folder->path + "/kernel.so", "code"));
    EXPECT_TRUE(cache.keep(key));
    return folder->path;
  };
  const std::string folder = fill();
  ASSERT_FALSE(write_file(folder + "/kernel.so", "c0de"));
  EXPECT_EQ(fill(), folder);
  ASSERT_FALSE(write_file(folder + "/more", ""));
  fill();
  ASSERT_FALSE(remove_tree(folder + "/kernel.so"));
  fill();
  ASSERT_FALSE(remove_tree(folder + ".kept")); // as after a kill: filled, not kept
  fill();
}

TEST_F(CacheTest, AFolderThatIsNotKeptGoes) {
  std::string folder;
  {
    Cache cache(path());
    folder = cache.folder(key)->path;
    EXPECT_TRUE(exists(folder));
  }
  EXPECT_FALSE(exists(folder));
}

TEST_F(CacheTest, WhileOneFillsAKeyAnotherHasItsOwn) {
  Cache first(path()), second(path());
  const auto ours = first.folder(key), theirs = second.folder(key);
  ASSERT_TRUE(ours && theirs);
  EXPECT_TRUE(ours->fresh && theirs->fresh);
  EXPECT_NE(ours->path, theirs->path);
  EXPECT_TRUE(first.keep(key));
  EXPECT_TRUE(second.keep(key));
  EXPECT_FALSE(Cache(path()).folder(key)->fresh);
}

TEST_F(CacheTest, IsSafeBetweenProcesses) {
  const std::string bytes(200000, 'x');
  for (int child = 0; child < 4; ++child)
    if (::fork() == 0) {
      bool ok = true;
      for (int i = 0; i < 50; ++i) {
        Cache cache(path());
        cache.put(key, bytes);
        const auto got = cache.get(key);
        ok = ok && got && *got == bytes;
        const auto folder = cache.folder(other);
        ok = ok && folder;
        if (folder->fresh) ok = ok && !write_file(folder->path + "/f", bytes) && cache.keep(other);
        ok = ok && *read_file(folder->path + "/f") == bytes;
      }
      ::_exit(ok ? 0 : 1);
    }
  for (int child = 0; child < 4; ++child) {
    int status = 0;
    ASSERT_GT(::wait(&status), 0);
    EXPECT_EQ(status, 0);
  }
}

class CacheEnvironment : public CacheTest {
protected:
  void SetUp() override {
    for (const char *name : {"HTP_CACHE", "XDG_CACHE_HOME", "HOME"}) {
      const char *value = std::getenv(name);
      before_.emplace_back(name, value ? std::optional<std::string>(value) : std::nullopt);
      ::unsetenv(name);
    }
  }
  void TearDown() override {
    for (const auto &[name, value] : before_) value ? ::setenv(name, value->c_str(), 1) : ::unsetenv(name);
  }

private:
  std::vector<std::pair<const char *, std::optional<std::string>>> before_;
};

TEST_F(CacheEnvironment, SaysWhereItIs) {
  EXPECT_FALSE(Cache::from_environment().enabled());
  ::setenv("HOME", path().c_str(), 1);
  EXPECT_EQ(Cache::from_environment().path(), path() + "/.cache/htp");
  ::setenv("XDG_CACHE_HOME", "relative", 1); // as the specification says: not used
  EXPECT_EQ(Cache::from_environment().path(), path() + "/.cache/htp");
  ::setenv("XDG_CACHE_HOME", (path() + "/xdg").c_str(), 1);
  EXPECT_EQ(Cache::from_environment().path(), path() + "/xdg/htp");
  ::setenv("HTP_CACHE", (path() + "/own").c_str(), 1);
  EXPECT_EQ(Cache::from_environment().path(), path() + "/own");
  ::setenv("HTP_CACHE", "off", 1);
  EXPECT_FALSE(Cache::from_environment().enabled());
  ::setenv("HTP_CACHE", "/proc/no/such/place", 1); // cannot be written
  EXPECT_FALSE(Cache::from_environment().enabled());
}

} // namespace
} // namespace htp
