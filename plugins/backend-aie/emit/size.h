// plugins/backend-aie/emit/size.h — how much of a core's program memory a program takes, estimated.
#pragma once

#include "computing.h"

namespace htp::aie {

// By what a compiler of cores that unrolls multiplies a loop's body: the common multiple of the depths of the fifos
// that are acquired in it, or in what loops inside of it leave there when they are unrolled. 0: it leaves the loop
// alone.
int64_t unrolled_by(const std::vector<Statement> &body);
// How many iterations of a loop are left to a compiler that loses its place behind a loop that it unrolls whole, and
// what is left over of one too.
int64_t rounds_kept(const Statement &loop);

inline constexpr int64_t program_bytes = 16 * 1024;

// Of a function's text, without what it calls.
int64_t size_of(std::string_view text);

struct Size {
  int64_t bytes = 0;
  const Statement *loop = nullptr;     // that is repeated most often
  int64_t times = 1;                   // in all, with the loops around it
  std::vector<const Stream *> streams; // whose depths say so
};
// Of a core. A compiler that chooses the buffers of a fifo as it compiles repeats a loop that acquires as often as the
// least common multiple of the depths says, which are those of the core's own end.
Size size_of(const Context &c, const Program &p, const Core &core, Functions &functions, bool repeats,
             ProductForm products);

} // namespace htp::aie
