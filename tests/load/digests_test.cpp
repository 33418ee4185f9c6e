// Digests that are kept count while the system says the same of the file, and only then.
#include "host/load/digests.h"

#include "host/base/hash.h"
#include "tests/load/fixture.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <vector>

namespace htp {
namespace {

constexpr int64_t second = 1'000'000'000;

class Digests : public testing::Test {
protected:
  void SetUp() override { write("first"); }

  void write(const std::string &bytes) { ASSERT_FALSE(write_file(path(), bytes)); }
  std::string path() const { return folder_->path() + "/lib.so"; }
  Fd file() const { return Fd(::open(path().c_str(), O_RDONLY | O_CLOEXEC)); }
  Stamp stamp() const {
    struct stat now {};
    EXPECT_EQ(::stat(path().c_str(), &now), 0);
    return stamp_of(now);
  }
  // What is kept as if it were looked at a while later: the file is settled then.
  void keep(int64_t later = 10 * second) const {
    FileDigests digests(&cache_, wall_clock() + later);
    digests.keep(file(), stamp(), sha256("first"));
    digests.save();
  }
  std::optional<std::string> known() const { return FileDigests(&cache_).known(file()); }

  Expected<TemporaryFolder, IoError> folder_ = TemporaryFolder::make();
  Cache cache_{folder_->path() + "/cache"};
};

TEST_F(Digests, AreKept) {
  EXPECT_EQ(known(), std::nullopt);
  keep();
  EXPECT_EQ(known(), sha256("first"));
  std::filesystem::copy_file(path(), path() + ".copy"); // the same bytes, another file
  EXPECT_EQ(FileDigests(&cache_).known(Fd(::open((path() + ".copy").c_str(), O_RDONLY))), std::nullopt);
}

TEST_F(Digests, OfWhatWasJustWrittenAreNot) {
  keep(0);
  EXPECT_EQ(known(), std::nullopt);
}

// Of the same size, with the time that it had.
TEST_F(Digests, OfWhatChangedAreNot) {
  keep();
  struct stat before {};
  ASSERT_EQ(::stat(path().c_str(), &before), 0);
  ::usleep(20'000); // the clock of files is coarse
  const Fd file(::open(path().c_str(), O_WRONLY | O_CLOEXEC));
  ASSERT_EQ(::pwrite(file.get(), "other", 5, 0), 5);
  const timespec times[] = {before.st_atim, before.st_mtim};
  ASSERT_EQ(::futimens(file.get(), times), 0);
  EXPECT_EQ(known(), std::nullopt);
}

// Written while it was read: what was said of it before is not said any more.
TEST_F(Digests, OfWhatChangesAreNotKept) {
  const Stamp before = stamp();
  ::usleep(20'000);
  write("other");
  FileDigests digests(&cache_, wall_clock() + 10 * second);
  digests.keep(file(), before, sha256("first"));
  digests.save();
  EXPECT_EQ(known(), std::nullopt);
}

TEST_F(Digests, ThatAreDamagedAreAbsent) {
  keep();
  std::vector<std::string> blobs;
  for (const auto &entry : std::filesystem::recursive_directory_iterator(cache_.path()))
    if (entry.is_regular_file()) blobs.push_back(entry.path());
  ASSERT_FALSE(blobs.empty());
  for (const std::string &blob : blobs) {
    std::filesystem::permissions(blob, std::filesystem::perms::owner_write, std::filesystem::perm_options::add);
    std::filesystem::resize_file(blob, std::filesystem::file_size(blob) - 7);
  }
  EXPECT_EQ(known(), std::nullopt);
  keep();
  EXPECT_EQ(known(), sha256("first"));
}

TEST_F(Digests, AreNotKeptWithoutACache) {
  FileDigests none(nullptr, wall_clock() + 10 * second);
  none.keep(file(), stamp(), sha256("first"));
  none.save();
  EXPECT_EQ(none.known(file()), std::nullopt);
}

// A library that was hashed before is not hashed again, and has the digest of its bytes; changed, it has another.
TEST_F(Digests, AreThoseOfLibraries) {
  Manifest manifest = fixture("ok");
  const std::string library = manifest.folder + "/" + manifest.library.value;
  auto bytes = read_file(library);
  ASSERT_TRUE(bytes);
  LoadOptions options = LoadOptions::from_environment();
  options.cache = &cache_;
  for (int times = 0; times < 2; ++times) {
    Diagnostics diagnostics;
    const auto plugins = load(manifest, options, diagnostics);
    ASSERT_EQ(plugins.size(), 1u) << text(diagnostics);
    EXPECT_EQ(plugins[0].library_sha256(), sha256(*bytes));
  }
  const Fd file(::open(library.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat now {};
  ASSERT_EQ(::fstat(file.get(), &now), 0);
  FileDigests wrong(&cache_, wall_clock() + 10 * second); // what is kept is believed
  wrong.keep(file, stamp_of(now), sha256("another"));
  wrong.save();
  Diagnostics diagnostics;
  const auto plugins = load(manifest, options, diagnostics);
  ASSERT_EQ(plugins.size(), 1u) << text(diagnostics);
  EXPECT_EQ(plugins[0].library_sha256(), sha256("another"));
}

} // namespace
} // namespace htp
