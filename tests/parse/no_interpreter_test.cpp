// A Python that cannot start, here for lack of memory, is a diagnostic.
#include "host/parse/parse.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <sys/resource.h>

namespace htp {
namespace {

// Leaves the process hardly any memory more than it has.
void close_memory() {
  size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  const rlim_t bytes = pages * 4096 + 400000;
  const rlimit limit{bytes, bytes};
  setrlimit(RLIMIT_AS, &limit);
}

TEST(NoInterpreterDeathTest, IsADiagnostic) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers need the memory";
#endif
  GTEST_FLAG_SET(death_test_style, "threadsafe"); // in a process that has no interpreter yet
  const auto parse_without_memory = [] {
    Store store;
    const auto source = std::make_shared<const SourceFile>("p.py", "x = 1\n");
    close_memory();
    for (int i = 0; i < 2; ++i) {
      Diagnostics diagnostics;
      const htp_node root = parse_tree(source, diagnostics, store);
      if (root != 0 || diagnostics.list().size() != 1) exit(1);
      fprintf(stderr, "%s: %s\n", diagnostics.list()[0].code.c_str(), diagnostics.list()[0].message.c_str());
    }
    exit(0);
  };
  EXPECT_EXIT(parse_without_memory(), testing::ExitedWithCode(0),
              "parse.no-interpreter: CPython's parser did not start: .*\n"
              "parse.no-interpreter: CPython's parser did not start: .*\n");
}

} // namespace
} // namespace htp
