// A compile that was made before is not made again, as long as everything it read or looked for is the same.
#include "host/base/fs.h"
#include "host/diag/render.h"
#include "host/pipeline/compile.h"
#include "host/pipeline/remember.h"

#include <gtest/gtest.h>

#include <map>

namespace htp {
namespace {

constexpr const char *program = R"(import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel

N = htp.dim("N")
from scale import FACTOR


@kernel
def f(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    y[:] = x[:] * FACTOR
)";

struct Incremental : testing::Test {
  void SetUp() override {
    ASSERT_TRUE(folder);
    write("scale.py", "FACTOR = 2.0\n");
    write("f.py", program);
    write("p.yaml", "htp_profile: 1\ntarget: cpu\n");
  }
  void write(const std::string &name, const std::string &text) {
    ASSERT_FALSE(write_file(folder->path() + "/" + name, text));
  }
  CompileOutcome run(const std::map<std::string, std::string> &set = {}) {
    CompileRequest request;
    request.profile = folder->path() + "/p.yaml";
    request.plugin_path = {HTP_BINARY_DIR "/plugins"};
    request.program = folder->path() + "/f.py";
    request.out = folder->path() + "/out";
    request.set = set;
    Diagnostics diagnostics;
    const CompileOutcome outcome = compile(request, cache, diagnostics);
    said = render_text(diagnostics, {});
    return outcome;
  }

  Expected<TemporaryFolder, IoError> folder = TemporaryFolder::make();
  std::string said; // by the last run
  Cache cache{folder->path() + "/cache"};
};

TEST_F(Incremental, TheSameCompileIsRecalledAndTouchesNothing) {
  const CompileOutcome first = run(), second = run();
  EXPECT_EQ(said, "");
  EXPECT_FALSE(first.cached);
  EXPECT_TRUE(second.cached);
  EXPECT_FALSE(second.changed);
  EXPECT_EQ(first.digest, second.digest);
}

TEST_F(Incremental, ARecalledPackageIsTheCompiledOne) {
  const std::string digest = run().digest;
  ASSERT_FALSE(remove_tree(folder->path() + "/out"));
  const CompileOutcome again = run();
  EXPECT_TRUE(again.cached);
  EXPECT_TRUE(again.changed);
  EXPECT_EQ(again.digest, digest);
}

TEST_F(Incremental, EachChangeCompilesAnew) {
  run();
  write("f.py", std::string(program) + "# a comment\n");
  EXPECT_FALSE(run().cached) << "the program changed";
  write("scale.py", "FACTOR = 3.0\n");
  EXPECT_FALSE(run().cached) << "an imported file changed";
  write("htp_tile.py", "kernel = 1\n");
  EXPECT_FALSE(run().cached) << "a file that was looked for appeared";
  ASSERT_FALSE(remove_tree(folder->path() + "/htp_tile.py"));
  EXPECT_TRUE(run().cached) << "and is gone again";
  write("p.yaml", "# of another day\nhtp_profile: 1\ntarget: cpu\n");
  EXPECT_FALSE(run().cached) << "the profile changed";
  EXPECT_FALSE(run({{"FACTOR", "4.0"}}).cached) << "a constant was set";
  EXPECT_TRUE(run().cached);
  EXPECT_EQ(said, "");
}

TEST_F(Incremental, AnEntryKeepsAnyBytesAndADamagedOneIsNone) {
  run();
  const auto manifest = read_file(folder->path() + "/out/manifest.json");
  ASSERT_TRUE(manifest);
  const std::string key(64, 'a'), damaged(64, 'b'), bytes{"\0\xff\n{\x80\"", 6};
  remember(cache, key, {}, {{"codegen/cpu/k.o", "object", bytes}, {"empty", "source", ""}}, *manifest);
  const auto draft = recall(cache, key);
  ASSERT_TRUE(draft);
  ASSERT_EQ(draft->files.size(), 2U);
  EXPECT_EQ(draft->files[0].bytes, bytes);
  EXPECT_EQ(draft->files[1].role, "source");
  EXPECT_EQ(to_json(draft->manifest), *manifest);
  const std::string entry = *cache.get(key);
  for (size_t size = 0; size < entry.size(); size += size < 200 ? 1 : 97) {
    cache.put(damaged, entry.substr(0, size));
    EXPECT_FALSE(recall(cache, damaged)) << size;
  }
}

} // namespace
} // namespace htp
