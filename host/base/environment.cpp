#include "host/base/environment.h"

#include <sys/auxv.h>

#include <atomic>
#include <cstdlib>

namespace htp {

namespace {
std::atomic<int> pretended = 0;
}

bool privileged() { return ::getauxval(AT_SECURE) != 0 || pretended != 0; }

const char *environment(const char *name) { return privileged() ? nullptr : std::getenv(name); }

PretendPrivileged::PretendPrivileged() { ++pretended; }
PretendPrivileged::~PretendPrivileged() { --pretended; }

} // namespace htp
