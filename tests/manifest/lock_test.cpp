#include "tests/manifest/support.h"

#include <gtest/gtest.h>

namespace htp {
namespace {

const std::string kDigest(64, 'a'), kOther(64, '1');

std::string told(const std::string &text) {
  Diagnostics diagnostics;
  EXPECT_FALSE(read_lock(test::source(text), diagnostics));
  std::string out;
  for (const Diagnostic &d : diagnostics.list())
    out += std::to_string(d.span.line) + ":" + std::to_string(d.span.col + 1) + " " + d.code + ": " + d.message + "\n";
  return out;
}

TEST(Lock, IsWrittenAsItIsRead) {
  Lock lock;
  Lock::Plugin data;
  data.name = {"acme.data", {}};
  data.version_text = {"0.1", {}};
  data.manifest = {kDigest, {}};
  data.python = {{{"acme_data/__init__.py", {}}, {kOther, {}}}};
  Lock::Plugin base;
  base.name = {"acme.base", {}};
  base.version_text = {"1.2.0", {}};
  base.manifest = {kDigest, {}};
  base.library = {kOther, {}};
  base.needed = {{{"z \"quoted\".so", {}}, {kDigest, {}}}, {{"/opt/liba.so.1", {}}, {kOther, {}}}};
  lock.plugins = {data, base};
  const std::string text = lock_text(lock);
  EXPECT_EQ(text, "# Written by `htp-host plugins lock`.\n"
                  "htp_lock: 1\n"
                  "plugins:\n"
                  "  - id: acme.base\n"
                  "    version: \"1.2.0\"\n"
                  "    manifest: \"" +
                      kDigest +
                      "\"\n"
                      "    library: \"" +
                      kOther +
                      "\"\n"
                      "    needed:\n"
                      "      - path: \"/opt/liba.so.1\"\n"
                      "        sha256: \"" +
                      kOther +
                      "\"\n"
                      "      - path: \"z \\\"quoted\\\".so\"\n"
                      "        sha256: \"" +
                      kDigest +
                      "\"\n"
                      "  - id: acme.data\n"
                      "    version: \"0.1\"\n"
                      "    manifest: \"" +
                      kDigest +
                      "\"\n"
                      "    python:\n"
                      "      - path: \"acme_data/__init__.py\"\n"
                      "        sha256: \"" +
                      kOther + "\"\n");
  Diagnostics diagnostics;
  const auto read = read_lock(test::source(text), diagnostics);
  ASSERT_TRUE(read) << render_text(diagnostics, {});
  EXPECT_EQ(lock_text(*read), text);
  EXPECT_EQ(read->plugins[0].version, *Version::parse("1.2"));
  EXPECT_EQ(read->plugins[0].library.span.line, 7u);
  EXPECT_EQ(read->plugins[0].needed[1].name.value, "z \"quoted\".so");
  EXPECT_TRUE(read->plugins[1].library.value.empty());
}

TEST(Lock, RefusesWhatIsWrong) {
  EXPECT_EQ(told("htp_lock: 1\nplugins:\n  - id: acme.base\n    version: \"1\"\n    manifest: \"abc\"\n"),
            "5:15 manifest.bad-value: `manifest` is `abc`, expected 64 lower-case hex digits\n");
  EXPECT_EQ(told("htp_lock: 1\nplugins:\n  - id: a.b\n    version: \"1\"\n    manifest: \"" + kDigest +
                 "\"\n  - id: a.b\n    version: \"2\"\n    manifest: \"" + kDigest + "\"\n"),
            "6:9 manifest.duplicate-item: the plugin `a.b` stands twice\n");
  EXPECT_EQ(told("htp_profile: 1\ntarget: cpu\n"),
            "1:1 manifest.other-kind: the lock file begins with `htp_lock`, and this file with `htp_profile`\n");
  EXPECT_EQ(told("htp_lock: 2\n"), "1:11 manifest.other-format: `htp_lock` is 2, and this host reads format 1\n");
}

} // namespace
} // namespace htp
