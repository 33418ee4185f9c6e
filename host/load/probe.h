// host/load/probe.h — opens libraries confined first, so that what they do there happens to no one else; what is found
// out there decides.
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
  enum class Outcome { survived, not_opened, no_entry, refused, died, hung, left_processes, no_process } outcome;
  std::string reason; // of the dynamic loader; how it died ("killed by SIGSEGV", "it called exit(3)"); why no process
  std::string phase;  // died: "while it was opened", "while its entry was read"
  std::string output; // died or hung: the last lines it wrote to its standard output and error
  LoadStep step{};    // refused: of the handshake
  std::vector<Diagnostic> why; // refused: what the handshake has against it
};

// A verdict for each, in order. One process for all; where that did not come to its end, one for each.
std::vector<ProbeVerdict> probe(std::span<const ProbeRequest> requests, const LoadOptions &options);

void report_probe(const ProbeRequest &request, const ProbeVerdict &verdict, const LoadOptions &options,
                  Diagnostics &diagnostics);

} // namespace htp
