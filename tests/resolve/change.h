// tests/resolve/change.h — makes changes that were proposed, to manifests and requests.
#pragma once

#include "host/resolve/resolve.h"

#include <deque>

namespace htp::test {

struct Changed {
  Changed(const Universe &universe, const Request &request, const std::vector<Change> &changes);

  std::deque<Manifest> manifests;
  Manifest sdk;
  Universe universe;
  Request request;

private:
  void make(const Change &change);
  void respell(const Change &change);
  void install(const Term &term);
};

// Takes what these causes say of the request out of it.
void leave_out(const std::vector<Cause> &causes, Request &request);

std::string text_of(const Fix &fix);

} // namespace htp::test
