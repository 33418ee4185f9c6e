// Each program of loops/ is a kernel `k` over tiles with what the passes make of it; two have their C
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

bool checks(const std::string &c) {
  return c.find("htp_inside(") != std::string::npos || c.find("htp_steps(") != std::string::npos ||
         c.find("htp_guarded") != std::string::npos;
}

class Lowering : public testing::TestWithParam<std::string> {
protected:
  static std::string path(const char *ending) { return "tests/backend-cpu/loops/" + GetParam() + ending; }
};

TEST_P(Lowering, IsAsKept) {
  CpuHost host(source_text(path(".tiles.py")));
  for (const char *pass :
       {"tile.canonicalize", "tile.infer", "cpu.select", "cpu.serialize_copies", "cpu.rename_rebindings"})
    ASSERT_TRUE(host.pass(pass)) << pass << "\n" << host.said();
  EXPECT_TRUE(host.holds("Cpu.Selected")) << host.said();
  EXPECT_FALSE(CpuHost(host.text()).holds("Codegen.Ready(target=cpu)"));
  ASSERT_TRUE(host.pass("cpu.loops") && host.pass("cpu.drop_redundant_stores")) << host.said();
  EXPECT_TRUE(host.holds("Codegen.Ready(target=cpu)")) << host.text() << host.said();
  expect_golden(path(".loops.py"), host.text());
  EXPECT_EQ(host.said().find("cpu."), std::string::npos) << host.said();
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
                    "-fopenmp",
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

// What is proved is not checked: the kernels of loops/ index by blocks and by ints of ranges; but one by an int that a
// dim need not reach, and one by what it finds in a tensor.
TEST_P(Lowering, ChecksWhatIsNotProved) {
  CpuHost host(source_text(path(".loops.py")));
  ASSERT_TRUE(host.emit()) << host.said();
  EXPECT_EQ(checks(host.file("kernel.c")),
            GetParam() == "in_place" || GetParam() == "gathers" || GetParam() == "repeated")
      << host.file("kernel.c");
}

// A size that the module binds again is none: Python has the other value.
TEST(Sizes, AreBoundOnce) {
  for (const bool again : {false, true}) {
    CpuHost host(
        std::string("import htp\nfrom htp import Out, f32\nimport htp_cpu as cpu\nfrom htp_tile import Tensor\n"
                    "N = htp.dim(\"N\")\n") +
        (again ? "N = 0.5\n" : "") +
        "def k(y: Out[Tensor[f32, N]]) -> None:\n    for p in range(N):\n        cpu.put(y, 1.0, p)\n");
    EXPECT_EQ(host.holds("Codegen.Ready(target=cpu)"), !again) << host.said();
  }
}

struct Proof {
  const char *body;
  bool proved;
};
class Bounds : public testing::TestWithParam<Proof> {};

// Of a kernel over x: (N), m: (M, N), b: (16) and y: (N), with sizes that are known only when it runs.
TEST_P(Bounds, AreProvedWhereTheyHold) {
  CpuHost host(std::string(R"(import htp
from htp import In, Out, f32
import htp_cpu as cpu
from htp_tile import Tensor, Tile
M = htp.dim("M")
N = htp.dim("N")
SIX = 2 * 3
def k(x: In[Tensor[f32, N]], m: In[Tensor[f32, M, N]], b: In[Tensor[f32, 16]], y: Out[Tensor[f32, N]]) -> None:
)") + GetParam().body);
  ASSERT_TRUE(host.emit()) << host.said();
  EXPECT_EQ(checks(host.file("kernel.c")), !GetParam().proved) << host.file("kernel.c");
}

constexpr Proof proofs[] = {
    {"    for n in range(N):\n        cpu.put(y, 1.0, n)\n", true},
    {"    for n in range(N + 1):\n        cpu.put(y, 1.0, n)\n", false},
    {"    for n in range(N - 1):\n        cpu.put(y, 1.0, n + 1)\n", true},
    {"    for n in range(N):\n        cpu.put(y, 1.0, N - 1 - n)\n", true},
    {"    for n in range(N):\n        cpu.put(y, 1.0, N - n)\n", false},
    {"    for n in range(M):\n        cpu.put(y, 1.0, n)\n", false},
    {"    for n in range(min(M, N)):\n        cpu.put(y, 1.0, n)\n", true},
    {"    for n in range(max(M, N)):\n        cpu.put(y, 1.0, n)\n", false},
    {"    cpu.put(y, 1.0, 0)\n", false},
    {"    v: f32 = cpu.get(b, 15)\n    for n in range(N):\n        cpu.put(y, v, n)\n", true},
    {"    v: f32 = cpu.get(b, SIX)\n    for n in range(N):\n        cpu.put(y, v, n)\n", true},
    {"    for n in range(0, 16, 5):\n        v: f32 = cpu.get(b, n)\n        for p in range(N):\n            "
     "cpu.put(y, v, p)\n",
     true},
    {"    for n in range(0, 16, 4):\n        for p in range(4):\n            v: f32 = cpu.get(b, n + p)\n"
     "            for q in range(N):\n                cpu.put(y, v, q)\n",
     true},
    {"    for n in range(0, 16, 5):\n        for p in range(5):\n            v: f32 = cpu.get(b, n + p)\n"
     "            for q in range(N):\n                cpu.put(y, v, q)\n",
     false},
    {"    for i in range(0, N, 8):\n        n = min(8, N - i)\n        for p in range(n):\n            cpu.put(y, 1.0, "
     "i + p)\n",
     true},
    {"    for i in range(0, N, 8):\n        n = min(8, M - i)\n        for p in range(n):\n            cpu.put(y, 1.0, "
     "i + p)\n",
     false},
    {"    for i in range(0, N, 8):\n        for j in range(i, i + min(8, N - i), 4):\n"
     "            for p in range(min(4, i + min(8, N - i) - j)):\n                cpu.put(y, 1.0, j + p)\n",
     true},
    {"    s = N\n    for n in range(s):\n        cpu.put(y, 1.0, n)\n", true},
    {"    s = N\n    for n in range(s):\n        cpu.put(y, 1.0, n)\n        s = s + 1\n", false},
    {"    for n in range(N):\n        cpu.put(y, 1.0, n // 2)\n", true},
    {"    for n in range(N):\n        v: f32 = cpu.get(b, n % 16)\n        cpu.put(y, v, n)\n", true},
    {"    for n in range(N):\n        cpu.put(y, 1.0, n % N)\n", true},
    {"    for n in range(N):\n        cpu.put(y, 1.0, N - 1)\n", true},
    {"    for n in range(M):\n        cpu.put(y, 1.0, N - 1)\n", false},
    {"    for n in range(M):\n        for p in range(N):\n            cpu.put(y, 1.0, n % N)\n", true},
    {"    for n in range(N):\n        cpu.put(y, 1.0, n % M)\n", false},
    {"    for n in range(N // -2 + N):\n        cpu.put(y, 1.0, n)\n", false},
    {"    for n in range(0, N, M):\n        cpu.put(y, 1.0, n)\n", false},
    {"    for n in range(0, N, M + 1):\n        cpu.put(y, 1.0, n)\n", true},
    {"    if N >= 48:\n        for n in range(0, N, 48):\n            s = min(n, N - 48)\n            for p in "
     "range(48):\n"
     "                cpu.put(y, 1.0, s + p)\n",
     true},
    {"    if N >= 47:\n        for n in range(0, N, 48):\n            s = min(n, N - 48)\n            for p in "
     "range(48):\n"
     "                cpu.put(y, 1.0, s + p)\n",
     false},
    {"    for p in range(0, N - 7, 8):\n        cpu.put(y, 1.0, p + 7)\n", true},
    {"    for p in range(0, N - 6, 8):\n        cpu.put(y, 1.0, p + 7)\n", false},
    {"    for p in range(N // 8 * 8, N):\n        cpu.put(y, 1.0, p)\n", true},
};
INSTANTIATE_TEST_SUITE_P(Cases, Bounds, testing::ValuesIn(proofs));

INSTANTIATE_TEST_SUITE_P(Programs, Lowering, testing::ValuesIn(programs()),
                         [](const auto &test) { return test.param; });

} // namespace
} // namespace htp::test
