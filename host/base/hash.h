// host/base/hash.h — SHA-256, the one digest of HTP.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace htp {

// 64 lower-case hex digits.
std::string sha256(std::string_view bytes);

// The same, fed in pieces.
class Sha256 {
public:
  Sha256();
  ~Sha256();
  Sha256 &add(std::string_view bytes);
  std::string hex(); // ends it; feed a new one afterwards

private:
  struct State;
  std::unique_ptr<State> state_;
};

bool is_sha256(std::string_view text); // exactly 64 lower-case hex digits

} // namespace htp
