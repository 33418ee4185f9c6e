// Each program of loops/ is a kernel `k` over tiles with what cpu.select and cpu.loops make of it; two have their C
// kept as well. HTP_UPDATE=1 writes what came out.
#include "cpu_host.h"

#include "host/base/process.h"

#include <gtest/gtest.h>

namespace htp::test {
namespace {

// The programs, without their endings.
std::vector<std::string> programs() {
  std::vector<std::string> names;
  if (const auto entries = list_folder(HTP_SOURCE_DIR "/tests/backend-cpu/loops"))
    for (const FolderEntry &e : *entries)
      if (e.name.ends_with(".tiles.py")) names.push_back(e.name.substr(0, e.name.size() - 9));
  return names;
}

class Lowering : public testing::TestWithParam<std::string> {
protected:
  static std::string path(const char *ending) { return "tests/backend-cpu/loops/" + GetParam() + ending; }
};

TEST_P(Lowering, IsAsKept) {
  CpuHost host(source_text(path(".tiles.py")));
  for (const char *pass : {"tile.canonicalize", "tile.infer", "cpu.select"})
    ASSERT_TRUE(host.pass(pass)) << pass << "\n" << host.said();
  EXPECT_TRUE(host.holds("Cpu.Selected")) << host.said();
  EXPECT_FALSE(CpuHost(host.text()).holds("Codegen.Ready(target=cpu)"));
  ASSERT_TRUE(host.pass("cpu.loops")) << host.said();
  EXPECT_TRUE(host.holds("Codegen.Ready(target=cpu)")) << host.text() << host.said();
  expect_golden(path(".loops.py"), host.text());
  EXPECT_EQ(host.said(), "");
}

// What a stage says is all there is: its text alone gives the same C, which every compiler accepts (law 6).
TEST_P(Lowering, GivesC) {
  CpuHost host(source_text(path(".loops.py")));
  ASSERT_TRUE(host.holds("Codegen.Ready(target=cpu)")) << host.said();
  ASSERT_TRUE(host.emit()) << host.said();
  auto folder = TemporaryFolder::make();
  ASSERT_TRUE(folder);
  write_package(host, folder->path());
  unsigned compilers = 0;
  for (const char *compiler : {"gcc", "clang"}) {
    ProcessRequest request;
    request.argv = {compiler,
                    "-std=c11",
                    "-O2",
                    "-Wall",
                    "-Wextra",
                    "-Werror",
                    "-Wno-unknown-pragmas",
                    "-c",
                    "-o",
                    "/dev/null",
                    folder->path() + "/codegen/cpu/kernel.c"};
    const auto done = run_process(request);
    if (!done) continue;
    ++compilers;
    EXPECT_EQ(done->exit_status, 0) << compiler << "\n" << done->err << host.file("kernel.c");
  }
  EXPECT_GT(compilers, 0u);
  const std::string kept = path(".kernel.c");
  if (exists(std::string(HTP_SOURCE_DIR) + "/" + kept)) expect_golden(kept, host.file("kernel.c"));
}

INSTANTIATE_TEST_SUITE_P(Programs, Lowering, testing::ValuesIn(programs()),
                         [](const auto &test) { return test.param; });

} // namespace
} // namespace htp::test
