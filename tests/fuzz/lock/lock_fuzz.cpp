// Any text as a lock file: it is read, or an error says why not; and what was read is written as a file that reads the
// same.
#include "tests/fuzz/manifest/probe.h"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  using namespace htp;
  const auto read = [](std::string text, Diagnostics &diagnostics) {
    return read_lock(std::make_shared<SourceFile>("input.lock.yaml", std::move(text)), diagnostics);
  };
  Diagnostics diagnostics, again;
  const auto lock = read(std::string(reinterpret_cast<const char *>(data), size), diagnostics);
  test::must(lock.has_value() == (diagnostics.errors() == 0), "no lock without an error, no error with one");
  test::must(!render_text(diagnostics, {false, 100}).empty() || diagnostics.empty(), "what is wrong is said");
  test::must(!render_json(diagnostics).empty(), "the other forms can be made");
  if (!lock) return 0;
  const std::string text = lock_text(*lock);
  const auto copy = read(text, again);
  test::must(copy && lock_text(*copy) == text, "a lock file is written as it is read");
  return 0;
}
