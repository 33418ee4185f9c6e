#include "host/base/roof.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <memory>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace htp {

namespace {

using Clock = std::chrono::steady_clock;

constexpr uint64_t smallest = 16u << 10, largest = 256u << 20; // larger ones are in no cache either
constexpr std::chrono::milliseconds budget{25};                // for each rate

// The most that f, which does so much at a call, does in a second.
template <class F> double best_rate(double amount, F &&f) {
  double best = 0;
  for (const Clock::time_point end = Clock::now() + budget;;) {
    const Clock::time_point begin = Clock::now();
    f();
    const Clock::time_point now = Clock::now();
    best = std::max(best, amount / std::max(std::chrono::duration<double>(now - begin).count(), 1e-9));
    if (now > end) return best;
  }
}

#if defined(__x86_64__)

// What the processor can do, and the system keeps the registers of.
struct Machine {
  bool fma = false, avx512 = false;
  Machine() {
    unsigned a = 0, b = 0, c = 0, d = 0;
    constexpr unsigned kept = 1u << 27; // OSXSAVE: the system says which registers it keeps
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & kept)) return;
    const bool has_fma = c & (1u << 12);
    unsigned low = 0, high = 0;
    asm volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    fma = has_fma && (low & 0x6) == 0x6;
    avx512 = (low & 0xe6) == 0xe6 && __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & (1u << 16));
  }
};

const Machine &machine() {
  static const Machine found;
  return found;
}

// Twelve sums side by side hide what a multiply-add waits for. In assembly: what a compiler makes of it in an
// unoptimised build is no roof.
#define HTP_SUMS(M) M(0) M(1) M(2) M(3) M(4) M(5) M(6) M(7) M(8) M(9) M(10) M(11)
#define HTP_ADD(k) "vfmadd231ps %%" HTP_VECTOR "14, %%" HTP_VECTOR "15, %%" HTP_VECTOR #k "\n"

constexpr int sums = 12;

void add_wide(long times) {
#define HTP_VECTOR "zmm"
  for (long k = 0; k < times; ++k)
    asm volatile(HTP_SUMS(HTP_ADD)::
                     : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10",
                       "xmm11");
#undef HTP_VECTOR
}

void add_narrow(long times) {
#define HTP_VECTOR "ymm"
  for (long k = 0; k < times; ++k)
    asm volatile(HTP_SUMS(HTP_ADD)::
                     : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10",
                       "xmm11");
#undef HTP_VECTOR
}

// What is in registers must not be denormal: all of it is zero.
void clear_vectors() {
  asm volatile("vpxor %%xmm14, %%xmm14, %%xmm14\nvpxor %%xmm15, %%xmm15, %%xmm15\n" ::: "xmm14", "xmm15");
}

double flops() {
  constexpr long times = 20'000;
  double best = 0;
  if (machine().fma) {
    clear_vectors();
    best = best_rate(2.0 * 8 * sums * times, [] { add_narrow(times); });
  }
  if (machine().avx512) {
    clear_vectors();
    best = std::max(best, best_rate(2.0 * 16 * sums * times, [] { add_wide(times); }));
  }
  return best > 0 ? best : best_rate(2.0 * 4 * sums * times, [] {
    for (long k = 0; k < times; ++k)
      asm volatile("mulps %%xmm14, %%xmm0\naddps %%xmm15, %%xmm1\nmulps %%xmm14, %%xmm2\naddps %%xmm15, %%xmm3\n"
                   "mulps %%xmm14, %%xmm4\naddps %%xmm15, %%xmm5\nmulps %%xmm14, %%xmm6\naddps %%xmm15, %%xmm7\n"
                   "mulps %%xmm14, %%xmm8\naddps %%xmm15, %%xmm9\nmulps %%xmm14, %%xmm10\naddps %%xmm15, %%xmm11\n"
                   "mulps %%xmm14, %%xmm0\naddps %%xmm15, %%xmm1\nmulps %%xmm14, %%xmm2\naddps %%xmm15, %%xmm3\n"
                   "mulps %%xmm14, %%xmm4\naddps %%xmm15, %%xmm5\nmulps %%xmm14, %%xmm6\naddps %%xmm15, %%xmm7\n"
                   "mulps %%xmm14, %%xmm8\naddps %%xmm15, %%xmm9\nmulps %%xmm14, %%xmm10\naddps %%xmm15, %%xmm11\n" ::
                       : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10",
                         "xmm11");
  });
}

void read_all(const char *from, uint64_t bytes) {
  const char *const end = from + bytes;
  if (machine().avx512)
    for (; from < end; from += 256)
      asm volatile(
          "vmovups (%0), %%zmm0\nvmovups 64(%0), %%zmm1\nvmovups 128(%0), %%zmm2\nvmovups 192(%0), %%zmm3\n" ::"r"(from)
          : "xmm0", "xmm1", "xmm2", "xmm3", "memory");
  else
    for (; from < end; from += 64)
      asm volatile(
          "movups (%0), %%xmm0\nmovups 16(%0), %%xmm1\nmovups 32(%0), %%xmm2\nmovups 48(%0), %%xmm3\n" ::"r"(from)
          : "xmm0", "xmm1", "xmm2", "xmm3", "memory");
}

#else

typedef float Vector __attribute__((vector_size(16)));

double flops() {
  constexpr long times = 20'000;
  constexpr int sums = 12;
  Vector sum[sums] = {}, a = {}, b = {};
  return best_rate(2.0 * 4 * sums * times, [&] {
    for (long k = 0; k < times; ++k)
      for (Vector &one : sum) {
        one += a * b;
        asm volatile("" : "+m"(one));
      }
  });
}

void read_all(const char *from, uint64_t bytes) {
  Vector sum = {};
  for (uint64_t at = 0; at < bytes; at += sizeof sum) sum += *reinterpret_cast<const Vector *>(from + at);
  asm volatile("" ::"m"(sum));
}

#endif

} // namespace

Roof measure_roof(uint64_t bytes) {
  const uint64_t size = (std::clamp(bytes, smallest, largest) + 511) / 512 * 512;
  struct Free {
    void operator()(char *memory) const { std::free(memory); }
  };
  const std::unique_ptr<char, Free> memory(static_cast<char *>(std::aligned_alloc(512, size)));
  if (!memory) return {flops(), 0, 0};
  std::memset(memory.get(), 0, size);
  // Of a small memory several times, that a call takes longer than a look at the clock.
  const uint64_t times = std::max<uint64_t>(1, (1u << 20) / size);
  const double all = static_cast<double>(times) * static_cast<double>(size);
  const double read = best_rate(all, [&] {
    for (uint64_t k = 0; k < times; ++k) read_all(memory.get(), size);
  });
  const double copy = best_rate(all, [&] {
    for (uint64_t k = 0; k < times; ++k) {
      std::memcpy(memory.get(), memory.get() + size / 2, size / 2);
      asm volatile("" ::: "memory");
    }
  });
  return {flops(), read, copy};
}

} // namespace htp
