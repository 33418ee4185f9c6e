// Which plugins are looked for, and by whom.
#include "host/base/environment.h"
#include "host/base/fs.h"
#include "host/pipeline/inputs.h"

#include <gtest/gtest.h>

namespace htp {
namespace {

TEST(Gather, OneWithPrivilegesLooksForNoPluginsElsewhere) {
  const auto folder = TemporaryFolder::make();
  const std::string profile = folder->path() + "/profile.yaml";
  ASSERT_FALSE(make_folders(folder->path() + "/asked"));
  ASSERT_FALSE(write_file(profile, "htp_profile: 1\ntarget: cpu\nsearch:\n  - " + folder->path() + "/asked\n"));
  CompileRequest request;
  request.profile = profile;
  request.plugin_path = {folder->path()};
  Diagnostics diagnostics;
  const auto usual = gather(request, false, diagnostics);
  ASSERT_TRUE(usual);
  ASSERT_GE(usual->search.size(), 2u);
  EXPECT_EQ(usual->search[0], folder->path() + "/asked");
  EXPECT_EQ(usual->search[1], folder->path());
  EXPECT_TRUE(diagnostics.empty());
  const PretendPrivileged as_root;
  const auto careful = gather(request, false, diagnostics);
  ASSERT_TRUE(careful);
  EXPECT_EQ(careful->search, default_search());
  ASSERT_EQ(diagnostics.list().size(), 2u);
  EXPECT_EQ(diagnostics.list()[0].code, "load.privileged");
  EXPECT_EQ(diagnostics.list()[0].span.line, 4u);
  EXPECT_EQ(diagnostics.list()[1].message,
            "the search folder `" + folder->path() + "` is left out: this process may do what its user may not");
}

} // namespace
} // namespace htp
