// What the phases before planning do grows as the program: allocations are counted, which are as many at every run.
#include "tests/support/allocations.h"

#include "host/parse/parse.h"
#include "host/pipeline/names.h"

#include <gtest/gtest.h>

namespace htp {
namespace {

// Of `check_bound`, for a module of so many constants, each of the one before.
size_t counted(size_t constants) {
  std::string text = "C0 = 1\n";
  for (size_t k = 1; k < constants; ++k)
    text += "C" + std::to_string(k) + " = C" + std::to_string(k - 1) + " + " + std::to_string(k) + "\n";
  Store store;
  Diagnostics diagnostics;
  const htp_node root = parse_tree(std::make_shared<const SourceFile>("p.py", text), diagnostics, store);
  EXPECT_NE(root, 0u);
  const size_t before = allocations();
  check_bound(store, root, diagnostics);
  EXPECT_TRUE(diagnostics.empty());
  return allocations() - before;
}

TEST(Growth, NamesAreCheckedInTimeOfTheProgram) {
  const size_t few = counted(500), many = counted(2000);
  EXPECT_GE(few, 500u); // allocations are counted
  EXPECT_LE(many, 5 * few) << few;
}

} // namespace
} // namespace htp
