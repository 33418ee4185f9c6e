// Packages on the task runtime of the user's checkout, where there is one: HTP_PTO_RUNTIME and HTP_PTO_ISA.
#include "simulated.h"

#include "tests/backend-cpu/tensors.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>

namespace htp::test {
namespace {

class Variable {
public:
  Variable(const char *name, const std::string &value) : name_(name) {
    if (const char *was = std::getenv(name)) was_ = was;
    value.empty() ? unsetenv(name) : setenv(name, value.c_str(), 1);
  }
  ~Variable() { was_.empty() ? unsetenv(name_) : setenv(name_, was_.c_str(), 1); }
  Variable(const Variable &) = delete;
  Variable &operator=(const Variable &) = delete;

private:
  const char *name_;
  std::string was_;
};

const std::string &checkout(const char *name) {
  // Read before any other test runs, and taken away: those are about the simulator.
  static const std::map<std::string, std::string> all = [] {
    std::map<std::string, std::string> values;
    for (const char *n : {"HTP_PTO_RUNTIME", "HTP_PTO_ISA"}) {
      const char *value = std::getenv(n);
      values[n] = value ? value : "";
      unsetenv(n);
    }
    return values;
  }();
  return all.at(name);
}
const bool read_early = checkout("HTP_PTO_RUNTIME").empty();

TEST(A2A3Runtime, RunsTheSamePackages) {
  if (read_early) GTEST_SKIP() << "skipped: HTP_PTO_RUNTIME names no checkout of the task runtime";
  const Variable runtime("HTP_PTO_RUNTIME", checkout("HTP_PTO_RUNTIME")), isa("HTP_PTO_ISA", checkout("HTP_PTO_ISA"));
  Simulated sum("vector_add");
  Array<float> x({5000}, 1), y({5000}, 2), z({5000}, NAN);
  for (size_t k = 0; k < 5000; ++k) x.data[k] = static_cast<float>(k);
  ASSERT_TRUE(sum.run({x.as("x"), y.as("y"), z.as("z")})) << sum.said();
  for (size_t k = 0; k < 5000; ++k) ASSERT_EQ(z.data[k], x.data[k] + 2) << k;
  Simulated graph("diamond");
  Array<float> in({100}), out({100}, NAN);
  for (size_t k = 0; k < 100; ++k) in.data[k] = static_cast<float>(k);
  ASSERT_TRUE(graph.run({in.as("x"), out.as("y")})) << graph.said();
  for (size_t k = 0; k < 100; ++k) ASSERT_EQ(out.data[k], (in.data[k] + 2) * (in.data[k] + 3)) << k;
}

TEST(A2A3Runtime, CheckoutsThatAreNone) {
  const Variable runtime("HTP_PTO_RUNTIME", "/nowhere");
  Simulated s("vector_add");
  EXPECT_FALSE(s.build());
  EXPECT_EQ(s.said(),
            "a2a3sim.no-checkout: `HTP_PTO_RUNTIME` names `/nowhere`, which holds no task runtime of "
            "pto-runtime/2026-03 or simpler/2026-08\n"
            "  hint: name a checkout of one of them, or none: then the embedded simulator runs the package\n");
}

TEST(A2A3Runtime, RuntimesThatThereAreNot) {
  const TemporaryFolder folder = *TemporaryFolder::make();
  for (const char *file : {"/src/runtime/host_build_graph/runtime/runtime.h", "/include/pto/pto-inst.hpp"}) {
    std::filesystem::create_directories(std::filesystem::path(folder.path() + file).parent_path());
    write_file(folder.path() + file, "");
  }
  const Variable runtime("HTP_PTO_RUNTIME", folder.path()), isa("HTP_PTO_ISA", folder.path());
  Simulated unknown("vector_add");
  EXPECT_FALSE(unknown.option("runtime", "ring").build());
  EXPECT_EQ(unknown.said(), "a2a3sim.runtime-option: the option `runtime` is `ring`, not `host_build_graph` or "
                            "`tensormap_and_ringbuffer`\n"
                            "  hint: leave the option out, or name one of the two\n");
  Simulated lacking("vector_add");
  EXPECT_FALSE(lacking.option("runtime", "tensormap_and_ringbuffer").build());
  EXPECT_EQ(
      lacking.said().rfind("a2a3sim.no-orchestration: contract `pto-runtime/2026-03` has no orchestration for the "
                           "runtime `tensormap_and_ringbuffer`",
                           0),
      0u)
      << lacking.said();
}

TEST(A2A3Runtime, InstructionsThatThereAreNot) {
  const TemporaryFolder folder = *TemporaryFolder::make();
  const std::string file = folder.path() + "/src/runtime/host_build_graph/runtime/runtime.h";
  std::filesystem::create_directories(std::filesystem::path(file).parent_path());
  write_file(file, "");
  const Variable runtime("HTP_PTO_RUNTIME", folder.path()), isa("HTP_PTO_ISA", "/nowhere");
  Simulated s("vector_add");
  EXPECT_FALSE(s.build());
  EXPECT_EQ(s.said(), "a2a3sim.no-instruction-set: `HTP_PTO_ISA` names `/nowhere`, which does not hold "
                      "`include/pto/pto-inst.hpp`\n"
                      "  hint: name a checkout of PTO-ISA, or leave `HTP_PTO_RUNTIME` out\n");
}

TEST(A2A3Runtime, ARuntimeThatDoesNotBuild) {
  const TemporaryFolder folder = *TemporaryFolder::make();
  for (const char *file : {"/src/runtime/host_build_graph/runtime/runtime.h", "/include/pto/pto-inst.hpp"}) {
    std::filesystem::create_directories(std::filesystem::path(folder.path() + file).parent_path());
    write_file(folder.path() + file, "");
  }
  const Variable runtime("HTP_PTO_RUNTIME", folder.path()), isa("HTP_PTO_ISA", folder.path());
  Simulated s("vector_add");
  EXPECT_FALSE(s.build());
  EXPECT_EQ(s.said().rfind("a2a3sim.runtime-configure: cmake does not configure the task runtime's `host`\n", 0), 0u)
      << s.said();
}

// A runtime whose libraries are made by one text of CMake's.
struct Checkout {
  explicit Checkout(const std::string &recipe) {
    write("/src/runtime/host_build_graph/runtime/runtime.h", "");
    write("/include/pto/pto-inst.hpp", "");
    for (const char *library : {"host", "aicpu", "aicore"})
      write(std::string("/src/platform/a2a3sim/") + library + "/CMakeLists.txt", recipe);
  }
  void write(const std::string &file, const std::string &text) const {
    std::filesystem::create_directories(std::filesystem::path(folder.path() + file).parent_path());
    write_file(folder.path() + file, text);
  }
  TemporaryFolder folder = *TemporaryFolder::make();
  Variable runtime{"HTP_PTO_RUNTIME", folder.path()}, isa{"HTP_PTO_ISA", folder.path()};
};
constexpr const char *nothing = "cmake_minimum_required(VERSION 3.16)\nproject(runtime NONE)\n";

TEST(A2A3Runtime, ARuntimeThatDoesNotCompile) {
  const Checkout checkout(std::string(nothing) + "add_custom_target(made ALL COMMAND false)\n");
  Simulated s("vector_add");
  EXPECT_FALSE(s.build());
  EXPECT_EQ(s.said().rfind("a2a3sim.runtime-build: the task runtime's `host` does not compile\n", 0), 0u) << s.said();
}

TEST(A2A3Runtime, ADriverThatDoesNotCompile) {
  const Checkout checkout(nothing);
  checkout.write("/c++", "#!/bin/sh\ncase \"$*\" in */driver*) exit 1 ;; esac\nexec g++ \"$@\"\n");
  std::filesystem::permissions(checkout.folder.path() + "/c++", std::filesystem::perms::owner_all);
  const Variable compiler("CXX", checkout.folder.path() + "/c++");
  Simulated s("vector_add");
  EXPECT_FALSE(s.build());
  EXPECT_EQ(s.said().rfind("a2a3sim.runtime-driver: the driver of the task runtime does not compile\n", 0), 0u)
      << s.said();
}

TEST(A2A3Runtime, ARuntimeThatEndsWithAnError) {
  const Checkout checkout(nothing);
  Simulated s("vector_add"); // whose text is not verified, since it is none
  for (const char *file : {"kernels/aiv/add.cpp", "orchestration/graph.cpp"})
    s.files[std::string("codegen/a2a3/") + file] = "asm(\"\");";
  Array<float> x({5}, 1), y({5}, 1), z({5}, 0);
  EXPECT_FALSE(s.run({x.as("x"), y.as("y"), z.as("z")}));
  EXPECT_NE(s.said().find("\na2a3sim.runtime-failed: the task runtime ended with status 1\n"), std::string::npos)
      << s.said();
}

} // namespace
} // namespace htp::test
