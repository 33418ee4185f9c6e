#include "host/base/hash.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <stdexcept>

namespace htp {

namespace {

// Fetched once: a fetch by name for each digest costs more than the digest of a small file.
const EVP_MD *algorithm() {
  static const EVP_MD *const sha = [] {
    OPENSSL_init_crypto(OPENSSL_INIT_NO_LOAD_CONFIG, nullptr);
    return EVP_MD_fetch(nullptr, "SHA256", nullptr);
  }();
  return sha;
}

} // namespace

struct Sha256::State {
  EVP_MD_CTX *context = EVP_MD_CTX_new();
  ~State() { EVP_MD_CTX_free(context); }
};

Sha256::Sha256() : state_(std::make_unique<State>()) {
  // OpenSSL without SHA-256 is a broken installation; nothing can be done without digests.
  if (EVP_DigestInit_ex(state_->context, algorithm(), nullptr) != 1) throw std::runtime_error("OpenSSL has no SHA-256");
}

Sha256::~Sha256() = default;

Sha256 &Sha256::add(std::string_view bytes) {
  EVP_DigestUpdate(state_->context, bytes.data(), bytes.size());
  return *this;
}

std::string Sha256::hex() {
  std::array<unsigned char, 32> digest{};
  EVP_DigestFinal_ex(state_->context, digest.data(), nullptr);
  std::string text;
  text.reserve(64);
  for (const unsigned char byte : digest) {
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 15];
  }
  return text;
}

std::string sha256(std::string_view bytes) { return Sha256().add(bytes).hex(); }

bool is_sha256(std::string_view text) {
  return text.size() == 64 &&
         std::all_of(text.begin(), text.end(), [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

} // namespace htp
