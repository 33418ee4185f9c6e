// host/trust/keys.h — keys of Ed25519 and what they sign. Bytes are lower-case hex digits.
#pragma once

#include "host/base/expected.h"

#include <memory>
#include <string>
#include <string_view>

namespace htp {

class PrivateKey {
public:
  // Of a PEM file's text, as `openssl genpkey -algorithm ed25519` writes it; else what is wrong with it.
  static Expected<PrivateKey, std::string> read(const std::string &pem);

  std::string public_key() const;                 // 64 digits
  std::string sign(std::string_view bytes) const; // 128 digits

private:
  explicit PrivateKey(std::shared_ptr<void> key) : key_(std::move(key)) {}
  std::shared_ptr<void> key_;
};

// Whether the key made the signature of the bytes. False for anything that is no key or no signature.
bool is_signature(std::string_view public_key, std::string_view bytes, std::string_view signature);

} // namespace htp
