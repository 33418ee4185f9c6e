// Any bytes as a kept manifest; one that is taken is packed and unpacked to itself.
#include "host/load/manifest_bytes.h"

#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const auto source = std::make_shared<htp::SourceFile>("htp-plugin.yaml", "htp_manifest: 1\n");
  const auto manifest = htp::unpack_manifest({reinterpret_cast<const char *>(data), size}, source);
  if (!manifest) return 0;
  const std::string packed = htp::pack_manifest(*manifest);
  const auto again = htp::unpack_manifest(packed, source);
  if (!again || htp::pack_manifest(*again) != packed) std::abort();
  return 0;
}
