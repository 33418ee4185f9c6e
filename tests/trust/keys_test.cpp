#include "tests/trust/support.h"

namespace htp {
namespace {

TEST(Keys, SignAsRfc8032Says) {
  const PrivateKey key = test::key();
  EXPECT_EQ(key.public_key(), test::first_public);
  // Its test 1, of no bytes.
  const std::string signature = "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155"
                                "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b";
  EXPECT_EQ(key.sign(""), signature);
  EXPECT_TRUE(is_signature(test::first_public, "", signature));
  EXPECT_FALSE(is_signature(test::first_public, " ", signature));
  for (size_t i = 0; i < signature.size(); i += 7) {
    std::string other = signature;
    other[i] = other[i] == '0' ? '1' : '0';
    EXPECT_FALSE(is_signature(test::first_public, "", other)) << i;
  }
}

TEST(Keys, WhatIsNoKeyOrNoSignatureIsRefused) {
  for (const char *text : {"", "secret", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"})
    EXPECT_FALSE(PrivateKey::read(text)) << text;
  const std::string signature = test::key().sign("x");
  EXPECT_TRUE(is_signature(test::first_public, "x", signature));
  EXPECT_FALSE(is_signature("", "x", signature));
  EXPECT_FALSE(is_signature(std::string(64, 'g'), "x", signature));
  EXPECT_FALSE(is_signature(std::string(64, '0'), "x", signature));
  EXPECT_FALSE(is_signature(test::first_public, "x", ""));
  EXPECT_FALSE(is_signature(test::first_public, "x", signature + "00"));
}

} // namespace
} // namespace htp
