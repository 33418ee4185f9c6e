// host/check/recorder.h — host tables other than the usual one: one that writes down what passes ask of intrinsic sets
// and handlers, and one whose functions fail on purpose.
#pragma once

#include "host/pipeline/context.h"

#include <htp/htp.h>

#include <string>
#include <vector>

namespace htp {

struct RecordedInfer {
  const UnitRef *ref;
  uint32_t index;
  htp_node root, call_node;
  std::vector<htp_node> types;
  htp_node result; // what it answered
};

struct RecordedRewrite {
  const UnitRef *ref;
  uint32_t index;
  htp_node root, statement, call_node, type;
  std::vector<htp_node> arguments, types;
  htp_handler_call call() const; // borrows from this
};

// One at a time in a process.
class Recorder {
public:
  Recorder();
  ~Recorder();
  Recorder(const Recorder &) = delete;
  Recorder &operator=(const Recorder &) = delete;
  // What follows is about the program at `root`.
  void begin(const Registry &registry, htp_node root);
  const htp_host *table() const;
  const std::vector<RecordedInfer> &infers() const;
  const std::vector<RecordedRewrite> &rewrites() const;
};

// The function that was asked for when `left` calls were over fails, as its contract says it may, with a report. What
// may not fail by its contract does not.
class FailingHost {
public:
  explicit FailingHost(uint64_t left);
  ~FailingHost();
  FailingHost(const FailingHost &) = delete;
  FailingHost &operator=(const FailingHost &) = delete;
  const htp_host *table() const;
  const char *failed() const; // the function; null while none did
};

} // namespace htp
