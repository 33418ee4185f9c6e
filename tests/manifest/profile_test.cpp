#include "tests/manifest/support.h"

#include <gtest/gtest.h>

namespace htp {
namespace {

using test::told_of_profile;

TEST(Profile, ReadsAllOfIt) {
  Diagnostics diagnostics;
  const auto p = read_profile(test::source(R"(htp_profile: 1
target: cpu
program: ../examples/gemm/gemm.py
entry: gemm
plugins:
  - htp.dialect-tile @>=0.1
  - acme.spatial
search:
  - ../build/release/plugins
  - /opt/htp
pipeline: cpu.default
options:
  cpu.loops:
    width: 8
    name: fast
hardware:
  levels:
    core: 2
set:
  TILE: 32
  NAME: "32"
seed: 7
environment:
  - CC
)"),
                              diagnostics);
  ASSERT_TRUE(p) << render_text(diagnostics, {});
  EXPECT_EQ(p->target.value, "cpu");
  EXPECT_EQ(p->program.value, "../examples/gemm/gemm.py");
  EXPECT_EQ(p->entry.value, "gemm");
  ASSERT_EQ(p->plugins.size(), 2u);
  EXPECT_EQ(p->plugins[0].id, "htp.dialect-tile");
  EXPECT_EQ(p->plugins[0].range.text(), ">=0.1");
  EXPECT_EQ(p->plugins[0].span.line, 6u);
  EXPECT_EQ(p->search[1].value, "/opt/htp");
  EXPECT_EQ(p->pipeline.value, "cpu.default");
  EXPECT_EQ(p->options.at("cpu.loops").values.at("width").value, "8");
  EXPECT_EQ(p->options.at("cpu.loops").values.at("name").span.line, 15u);
  EXPECT_EQ(p->hardware.at("levels.core").value, "2");
  EXPECT_EQ(p->set.at("TILE").value, "32");
  EXPECT_EQ(p->seed, 7u);
  EXPECT_EQ(p->environment[0].value, "CC");
}

TEST(Profile, RefusesWhatIsWrong) {
  EXPECT_EQ(told_of_profile("htp_profile: 1\n"),
            "1:1 manifest.missing-key: the profile lacks the key `target`\n  "
            "hint: add `target: …`: the backend to compile for; `htp-host plugins list` shows those there are\n");
  EXPECT_EQ(told_of_profile("htp_profile: 1\ntarget: cpu\nprogramm: x.py\nseed: -1\noptions:\n  a b:\n    w: 1\n  "
                            "cpu.loops: 8\nset:\n  T:\n    - 1\nsearch: dir\n"),
            "3:1 manifest.unknown-key: unknown key `programm` in the profile\n  hint: did you mean `program`?\n"
            "4:7 manifest.negative: `seed` is -1, expected 0 or more\n"
            "6:3 manifest.bad-key: the key `a b` is no name\n"
            "8:14 manifest.wrong-type: `cpu.loops` should be a map, but this is the integer `8`\n"
            "11:5 manifest.wrong-type: `T` should be one string, number or boolean, but this is a list\n"
            "12:9 manifest.wrong-type: `search` should be a list, but this is the string `dir`\n  hint: write each "
            "item on a line of its own: `- dir`\n");
  EXPECT_EQ(told_of_profile("htp_manifest: 1\nplugin:\n  id: x\n"),
            "1:1 manifest.other-kind: the profile begins with `htp_profile`, and this file with `htp_manifest`\n"
            "  hint: this is a plugin's manifest; give its folder as `--plugin-path DIR`\n");
}

} // namespace
} // namespace htp
