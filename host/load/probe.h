// host/load/probe.h — opens libraries in a child process first, so that what they do there happens to no one else.
#pragma once

#include "host/load/library.h"

#include <span>
#include <vector>

namespace htp {

struct ProbeRequest {
  const Manifest *manifest;
  const Library *library;
};

struct ProbeVerdict {
  enum class Outcome { survived, not_opened, no_entry, died, hung, no_child } outcome;
  std::string
      words; // of the dynamic loader; how it died ("killed by SIGSEGV", "it called exit(3)"); why there is no child
  std::string phase;  // died: "while it was opened", "while its entry was read"
  std::string output; // died or hung: the last lines it wrote to its standard output and error
};

// A verdict for each, in order. One child for all; after a death or a hang another one goes on with the rest.
std::vector<ProbeVerdict> probe(std::span<const ProbeRequest> requests, const LoadOptions &options);

void report_probe(const ProbeRequest &request, const ProbeVerdict &verdict, const LoadOptions &options,
                  Diagnostics &diagnostics);

} // namespace htp
