#include "host/trust/keys.h"

#include <openssl/evp.h>
#include <openssl/pem.h>

#include <array>
#include <optional>
#include <stdexcept>

namespace htp {

namespace {

constexpr size_t key_size = 32, signature_size = 64;

struct Free {
  void operator()(EVP_PKEY *key) const { EVP_PKEY_free(key); }
  void operator()(EVP_MD_CTX *context) const { EVP_MD_CTX_free(context); }
  void operator()(BIO *bio) const { BIO_free(bio); }
};
template <class T> using Owned = std::unique_ptr<T, Free>;

std::string to_hex(const unsigned char *bytes, size_t size) {
  std::string text;
  for (size_t i = 0; i < size; ++i) {
    text += "0123456789abcdef"[bytes[i] >> 4];
    text += "0123456789abcdef"[bytes[i] & 15];
  }
  return text;
}

template <size_t N> std::optional<std::array<unsigned char, N>> from_hex(std::string_view text) {
  std::array<unsigned char, N> bytes{};
  if (text.size() != 2 * N) return std::nullopt;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if ((c < '0' || c > '9') && (c < 'a' || c > 'f')) return std::nullopt;
    bytes[i / 2] = static_cast<unsigned char>(bytes[i / 2] << 4 | (c <= '9' ? c - '0' : c - 'a' + 10));
  }
  return bytes;
}

// A key with a password is none that can be read: nobody is asked for it.
int no_password(char *, int, int, void *) { return -1; }

} // namespace

Expected<PrivateKey, std::string> PrivateKey::read(const std::string &pem) {
  const Owned<BIO> bio(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
  std::shared_ptr<EVP_PKEY> key(PEM_read_bio_PrivateKey(bio.get(), nullptr, no_password, nullptr), Free());
  if (!key) return Unexpected{std::string("it is no private key in PEM, or one with a password")};
  if (EVP_PKEY_get_base_id(key.get()) != EVP_PKEY_ED25519) return Unexpected{std::string("its key is not of Ed25519")};
  return PrivateKey(std::move(key));
}

std::string PrivateKey::public_key() const {
  std::array<unsigned char, key_size> bytes{};
  size_t size = bytes.size();
  if (EVP_PKEY_get_raw_public_key(static_cast<EVP_PKEY *>(key_.get()), bytes.data(), &size) != 1 || size != key_size)
    throw std::runtime_error("OpenSSL gives no public key");
  return to_hex(bytes.data(), size);
}

std::string PrivateKey::sign(std::string_view bytes) const {
  const Owned<EVP_MD_CTX> context(EVP_MD_CTX_new());
  std::array<unsigned char, signature_size> signature{};
  size_t size = signature.size();
  if (EVP_DigestSignInit(context.get(), nullptr, nullptr, nullptr, static_cast<EVP_PKEY *>(key_.get())) != 1 ||
      EVP_DigestSign(context.get(), signature.data(), &size, reinterpret_cast<const unsigned char *>(bytes.data()),
                     bytes.size()) != 1 ||
      size != signature_size)
    throw std::runtime_error("OpenSSL does not sign with Ed25519");
  return to_hex(signature.data(), size);
}

bool is_signature(std::string_view public_key, std::string_view bytes, std::string_view signature) {
  const auto raw = from_hex<key_size>(public_key);
  const auto made = from_hex<signature_size>(signature);
  if (!raw || !made) return false;
  const Owned<EVP_PKEY> key(EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nullptr, raw->data(), raw->size()));
  const Owned<EVP_MD_CTX> context(EVP_MD_CTX_new());
  return key && EVP_DigestVerifyInit(context.get(), nullptr, nullptr, nullptr, key.get()) == 1 &&
         EVP_DigestVerify(context.get(), made->data(), made->size(),
                          reinterpret_cast<const unsigned char *>(bytes.data()), bytes.size()) == 1;
}

} // namespace htp
