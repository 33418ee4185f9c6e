// Two compiles at once in one process: plugins have no mutable globals, and nothing of the host is shared but what
// locks itself.
#include "host/base/fs.h"
#include "host/diag/render.h"
#include "host/pipeline/compile.h"

#include <gtest/gtest.h>

#include <thread>

namespace htp {
namespace {

struct Job {
  std::string program, out;
  std::string digest, said;
};

void run(Job &job, Cache &cache) {
  CompileRequest request;
  request.profile = HTP_SOURCE_DIR "/manifests/cpu.yaml";
  request.plugin_path = {HTP_BINARY_DIR "/plugins"};
  request.program = HTP_SOURCE_DIR "/examples/" + job.program + "/" + job.program + ".py";
  request.out = job.out;
  Diagnostics diagnostics;
  const CompileOutcome outcome = compile(request, cache, diagnostics);
  job.digest = outcome.digest;
  job.said = render_text(diagnostics, {});
}

TEST(Concurrent, CompilesGiveWhatEachGivesAlone) {
  auto folder = TemporaryFolder::make();
  ASSERT_TRUE(folder);
  std::vector<Job> alone, together;
  for (const char *program : {"vector_add", "softmax", "gemm_wsp"}) {
    alone.push_back({program, folder->path() + "/alone-" + program, {}, {}});
    together.push_back({program, folder->path() + "/together-" + program, {}, {}});
  }
  Cache off = Cache::off();
  for (Job &job : alone) {
    run(job, off);
    ASSERT_EQ(job.said, "");
  }
  std::vector<Cache> caches;
  for (size_t i = 0; i < together.size(); ++i)
    caches.emplace_back(folder->path() + "/cache"); // one folder, as processes share it
  std::vector<std::thread> threads;
  for (size_t i = 0; i < together.size(); ++i)
    threads.emplace_back([&, i] {
      for (int round = 0; round < 3; ++round) run(together[i], caches[i]);
    });
  for (std::thread &thread : threads) thread.join();
  for (size_t i = 0; i < together.size(); ++i) {
    EXPECT_EQ(together[i].said, "");
    EXPECT_EQ(together[i].digest, alone[i].digest) << together[i].program;
  }
}

} // namespace
} // namespace htp
