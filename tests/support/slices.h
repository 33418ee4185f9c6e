// The slice of a long list that a test takes: tests/support/slices.py says what HTP_SLICE=K/N means.
#pragma once

#include <cstdlib>
#include <string>

namespace htp::test {

struct Slice {
  int first = 0, step = 1;
};

inline Slice slice() {
  const char *variable = std::getenv("HTP_SLICE");
  if (!variable) return {};
  const std::string text = variable;
  const int step = std::stoi(text.substr(text.find('/') + 1));
  return {std::stoi(text) % step, step};
}

} // namespace htp::test
