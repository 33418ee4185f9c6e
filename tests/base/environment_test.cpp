#include "host/base/environment.h"

#include "host/base/cache.h"
#include "host/base/fs.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace htp {
namespace {

TEST(Environment, IsNotLookedAtByOneWithPrivileges) {
  const auto folder = TemporaryFolder::make();
  ::setenv("HTP_CACHE", (folder->path() + "/cache").c_str(), 1);
  ::setenv("TMPDIR", folder->path().c_str(), 1);
  EXPECT_STREQ(environment("TMPDIR"), folder->path().c_str());
  EXPECT_FALSE(privileged());
  EXPECT_TRUE(Cache::from_environment().enabled());
  EXPECT_TRUE(TemporaryFolder::make()->path().starts_with(folder->path()));
  {
    const PretendPrivileged as_root;
    EXPECT_TRUE(privileged());
    EXPECT_EQ(environment("TMPDIR"), nullptr);
    EXPECT_FALSE(Cache::from_environment().enabled());
    EXPECT_TRUE(TemporaryFolder::make()->path().starts_with("/tmp/htp-"));
  }
  EXPECT_FALSE(privileged());
  ::unsetenv("HTP_CACHE");
  ::unsetenv("TMPDIR");
}

} // namespace
} // namespace htp
