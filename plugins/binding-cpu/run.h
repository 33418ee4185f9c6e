// plugins/binding-cpu/run.h — the verb `run`: arguments checked against the signature, then the call.
#pragma once

#include "signature.h"

namespace htp::cpu::bind {

using Call = int (*)(void *const *tensors, const int64_t *dims);

// What `load` opened; never changed afterwards, so that runs may go on at once.
struct Loaded {
  void *library = nullptr;
  std::vector<std::pair<Entry, Call>> entries;
};

// Arguments in the entry's order, addresses and extents ready for the call; false after a diagnostic.
struct Frame {
  std::vector<void *> tensors;
  std::vector<int64_t> dims;
};
bool check_arguments(const Context &c, const Entry &entry, const htp_argument *arguments, uint32_t count, Frame &frame);

} // namespace htp::cpu::bind
