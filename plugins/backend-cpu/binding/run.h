// plugins/backend-cpu/binding/run.h — the verb `run`: arguments as the kernel takes them, then the call.
#pragma once

#include "signature.h"

#include <optional>
#include <span>

namespace htp::cpu::bind {

using Call = int (*)(void *const *tensors, const int64_t *dims);
// What failed last on this thread: the bits of runtime/htp_cpu.h, section guard, the check, and its ints.
struct Failure {
  int why, site;
  int64_t a, b;
};
using Why = const Failure *(*)();
// Who is told what took the time of a call: as `htp_watch` in runtime/htp_channel.h.
struct Watch {
  void *to;
  int64_t (*now)();
  void (*span)(void *to, int64_t process, int64_t site, int64_t lane, int64_t begin, int64_t end);
};
using Traced = int (*)(void *const *tensors, const int64_t *dims, const Watch *watch);

// What `load` opened; never changed afterwards, so that runs may go on at once.
struct Loaded {
  void *library = nullptr;
  struct Opened {
    Entry entry;
    std::vector<htp_str> dims; // the entry's, for direct calls
    Call call;
    Why why;       // null where nothing can fail, and in older packages
    Traced traced; // null of what is no pipeline, and in older packages
  };
  std::vector<Opened> entries;
};

// Addresses in the order of the signature, and the sizes of its dims; nothing after a diagnostic.
struct Frame {
  std::vector<void *> tensors;
  std::vector<int64_t> dims;
};
std::optional<Frame> frame_of(const Context &c, const Entry &entry, std::span<const htp_argument> arguments);

} // namespace htp::cpu::bind
