// The host's table as a whole.
#include "host/diag/diagnostic.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace htp {
namespace {

TEST(HostTable, EveryRowHasItsForm) {
  std::set<std::string_view> codes;
  for (const DiagInfo &row : host_diagnostics()) {
    SCOPED_TRACE(row.code);
    EXPECT_TRUE(codes.insert(row.code).second) << "the code stands twice";
    const size_t dot = row.code.find('.');
    ASSERT_NE(dot, std::string_view::npos);
    const std::string_view owner = row.code.substr(0, dot), name = row.code.substr(dot + 1);
    EXPECT_TRUE(!owner.empty() && std::all_of(owner.begin(), owner.end(), [](char c) { return c >= 'a' && c <= 'z'; }));
    EXPECT_TRUE(!name.empty() &&
                std::all_of(name.begin(), name.end(), [](char c) { return (c >= 'a' && c <= 'z') || c == '-'; }));
    EXPECT_FALSE(row.summary.empty());
    EXPECT_FALSE(row.summary.ends_with('.')) << "messages have no final period";
    EXPECT_FALSE(row.summary[0] >= 'A' && row.summary[0] <= 'Z' && !row.summary.starts_with("CPython"))
        << "messages begin in lower case";
    EXPECT_GE(row.explanation.size(), 60u) << "an explanation says what it means and how to fix it";
  }
}

} // namespace
} // namespace htp
