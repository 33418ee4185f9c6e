// host/base/fence.h — what a process and all that it starts may not do any more: leave their process group, and reach
// the processes that watch over them.
#pragma once

#include <string>
#include <vector>

#include <sys/types.h>

namespace htp {

struct Fence {
  std::vector<pid_t> groups;       // those that they may join all the same, for what is confined within
  std::vector<pid_t> out_of_reach; // processes that they may not signal, each with its process group
};

// Puts the fence up around this process; it stays. The error says why that cannot be.
std::string put_up(const Fence &fence);

// What of it this system does not have, in text for a user: empty when it has all.
std::string fence_lacks();

} // namespace htp
