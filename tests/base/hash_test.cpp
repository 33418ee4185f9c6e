#include "host/base/hash.h"

#include <gtest/gtest.h>

namespace htp {
namespace {

// FIPS 180-4's own examples.
TEST(Sha256, AgreesWithTheStandard) {
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256(std::string(1000000, 'a')), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, IsTheSameInPieces) { EXPECT_EQ(Sha256().add("a").add("").add("bc").hex(), sha256("abc")); }

TEST(Sha256, KnowsItsOwnForm) {
  EXPECT_TRUE(is_sha256(sha256("")));
  EXPECT_FALSE(is_sha256(std::string(63, 'a')));
  EXPECT_FALSE(is_sha256(std::string(64, 'A')));
  EXPECT_FALSE(is_sha256(std::string(64, 'g')));
}

} // namespace
} // namespace htp
