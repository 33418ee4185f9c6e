// Any text as what mlir-opt printed: it is read, or refused with a line and a reason.
#include "lower/text.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace {

void walk(const htp::mlir::Operation &op) {
  if (op.operands.size() != op.operand_types.size() || op.results.size() != op.result_types.size()) std::abort();
  for (const auto &[key, value] : op.attributes) {
    htp::mlir::string_of(value);
    htp::mlir::strings_of(value);
  }
  for (const auto &region : op.regions) {
    if (region.arguments.size() != region.types.size()) std::abort();
    for (const auto &inside : region.operations) walk(inside);
  }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  try {
    walk(htp::mlir::read_text({reinterpret_cast<const char *>(data), size}));
  } catch (const htp::mlir::BadText &bad) {
    if (bad.line == 0 || bad.what.empty() || (bad.fault == htp::mlir::BadText::Fault::syntax && bad.found.empty()))
      std::abort();
  }
  return 0;
}
