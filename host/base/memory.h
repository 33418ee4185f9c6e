// host/base/memory.h — the memory that this process has, and may still have.
#pragma once

#include <cstdint>

namespace htp {

uint64_t address_space_used(); // in bytes; 0 when the system does not tell
uint64_t memory_used();        // of it, what is in memory

// What the system's limit on address space (`ulimit -v`) leaves; ~0 without one.
uint64_t address_space_left();

// Lets this thread's stack, the program's first, grow to so much, where the system and its limits give it.
void allow_stack(uint64_t bytes);
// What it may still grow to.
uint64_t stack_left();

} // namespace htp
