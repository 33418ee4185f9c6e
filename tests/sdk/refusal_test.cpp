// A refusal is of a row by what its code says, wherever the code stands.
#include "htp_cpp/refusal.h"

#include <gtest/gtest.h>

namespace {

using namespace htp::sdk;

TEST(Refusal, IsOfTheRowWhoseCodeItHas) {
  const char one[] = "tests.channels", same[] = "tests.channels", other[] = "tests.memory";
  ASSERT_NE(static_cast<const void *>(one), static_cast<const void *>(same));
  const Refusal refusal(DiagKind{one, error, "{} channels"}, 3);
  EXPECT_EQ(refusal.message, "3 channels");
  EXPECT_TRUE(refusal.is(DiagKind{one, error, "{} channels"}));
  EXPECT_TRUE(refusal.is(DiagKind{same, error, "{} channels"}));
  EXPECT_FALSE(refusal.is(DiagKind{other, error, "{} channels"}));
}

TEST(Refusal, IsOfNoRowWhereNothingIsRefused) {
  EXPECT_FALSE(Refusal());
  EXPECT_FALSE(Refusal().is(DiagKind{"tests.channels", error, "{} channels"}));
}

TEST(Refusal, IsAFaultWhereItIsReportedWithoutAReason) {
  htp_host host{};
  host.store = [](htp_ctx *) -> const htp_store * { return nullptr; };
  EXPECT_THROW(Refusal().report(Context(&host, nullptr), HTP_NONE), std::logic_error);
}

} // namespace
