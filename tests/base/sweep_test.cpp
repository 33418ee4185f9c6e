#include "host/base/sweep.h"

#include "host/base/fs.h"
#include "host/base/hash.h"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/stat.h>

#include <ctime>

namespace htp {
namespace {

constexpr int64_t a_day = 24 * 60 * 60;

class SweepTest : public testing::Test {
protected:
  std::string path() const { return folder_->path() + "/cache"; }
  std::string place(const std::string &kind, const std::string &key) const {
    return path() + "/" + kind + "/" + key.substr(0, 2) + "/" + key;
  }
  // As if it had been used so many days ago.
  static void age(const std::string &file, int64_t days) {
    const timespec at{std::time(nullptr) - days * a_day, 0};
    const timespec times[2] = {at, at};
    ASSERT_EQ(::utimensat(AT_FDCWD, file.c_str(), times, 0), 0);
  }
  std::string blob(const std::string &name, size_t bytes, int64_t days) const {
    const std::string key = sha256(name);
    Cache(path()).put(key, std::string(bytes, 'x'));
    age(place("blobs", key), days);
    return key;
  }
  std::string folder(const std::string &name, int64_t days) const {
    const std::string key = sha256(name);
    Cache cache(path());
    const auto at = cache.folder(key);
    EXPECT_FALSE(write_file(at->path + "/kernel.so", std::string(1000, 'k')));
    EXPECT_TRUE(cache.keep(key));
    for (const char *part : {"/kernel.so", "", ".kept"}) age(at->path + part, days);
    return key;
  }

private:
  Expected<TemporaryFolder, IoError> folder_ = TemporaryFolder::make();
};

TEST_F(SweepTest, OfACacheThatIsOffThereIsNothing) {
  EXPECT_TRUE(cache_entries(Cache::off()).empty());
  EXPECT_TRUE(sweep(Cache::off(), std::time(nullptr), 0).empty());
}

TEST_F(SweepTest, RemovesWhatWasNotUsedForLong) {
  const std::string old = blob("old", 100, 40), young = blob("young", 100, 2), built = folder("built", 50),
                    recent = folder("recent", 1);
  const Cache cache(path());
  const auto entries = cache_entries(cache);
  ASSERT_EQ(entries.size(), 4u);
  EXPECT_EQ(entries[0].path, place("folders", built)); // the oldest use first
  EXPECT_EQ(entries[0].bytes, 1000u);
  EXPECT_EQ(entries[3].path, place("folders", recent));
  EXPECT_EQ(sweep(cache, std::time(nullptr) - 30 * a_day, {}).size(), 2u);
  EXPECT_EQ(cache.get(old), std::nullopt);
  EXPECT_TRUE(cache.get(young));
  EXPECT_FALSE(exists(place("folders", built)));
  EXPECT_FALSE(exists(place("folders", built) + ".kept"));
  Cache again(path());
  EXPECT_FALSE(again.folder(recent)->fresh);
  EXPECT_TRUE(again.folder(built)->fresh); // and may be filled anew
}

TEST_F(SweepTest, RemovesTheLongestUnusedUntilLittleEnoughIsLeft) {
  const std::string first = blob("first", 1000, 3), second = blob("second", 1000, 2), third = blob("third", 1000, 1);
  const Cache cache(path());
  EXPECT_EQ(sweep(cache, 0, 2500).size(), 1u);
  EXPECT_EQ(cache.get(first), std::nullopt);
  EXPECT_TRUE(cache.get(second) && cache.get(third));
  EXPECT_TRUE(sweep(cache, 0, 2500).empty());
  EXPECT_EQ(sweep(cache, 0, 0).size(), 2u);
  EXPECT_TRUE(cache_entries(cache).empty());
}

TEST_F(SweepTest, LeavesWhatSomebodyFills) {
  const std::string key = sha256("filling");
  Cache other(path());
  const auto at = other.folder(key);
  ASSERT_TRUE(at && at->fresh);
  ASSERT_FALSE(write_file(at->path + "/part", "x"));
  age(at->path + "/part", 100), age(at->path, 100);
  EXPECT_TRUE(sweep(Cache(path()), std::time(nullptr), 0).empty());
  EXPECT_TRUE(other.keep(key));
  EXPECT_FALSE(Cache(path()).folder(key)->fresh);
}

TEST_F(SweepTest, RemovesWhatWasNeverFinished) {
  const std::string key = blob("whole", 10, 0), left = path() + "/blobs/" + key.substr(0, 2) + "/.half.AbCdEf";
  ASSERT_FALSE(write_file(left, "x"));
  EXPECT_EQ(cache_entries(Cache(path())).size(), 1u); // it may be under way
  age(left, 2);
  EXPECT_EQ(cache_entries(Cache(path())).size(), 2u);
  EXPECT_EQ(sweep(Cache(path()), 0, {}).size(), 1u);
  EXPECT_FALSE(exists(left));
  EXPECT_TRUE(Cache(path()).get(key));
}

} // namespace
} // namespace htp
