// plugins/backend-a2a3/order/history.h — what pipes did so far, and which of it each is ordered behind.
#pragma once

#include "analyses/program.h"

#include <array>
#include <vector>

namespace htp::a2a3 {

// What was done has a number, which goes up; a set of such things is a row of bits.
class History {
public:
  size_t size() const { return numbers_.size(); }
  // The pipe does something that nobody is ordered behind yet.
  void add(size_t number, Pipe pipe);
  // Whether a pipe begins what comes next when that has ended.
  bool knows(Pipe pipe, size_t number) const;

  // A flag carries what its source did or is ordered behind, and who waits for it is ordered behind that.
  void set(size_t flag, Pipe source);
  void wait(size_t flag, Pipe destination);
  void barrier(Pipe pipe); // it is ordered behind what it did itself
  void barrier_all();

  // Forgets all but these.
  void keep(const std::vector<size_t> &numbers);
  // Behind a branch: what was done on either way; of what was done before it, who is ordered behind it on both.
  void join(const History &other);

private:
  using Bits = std::vector<uint64_t>; // beyond its end there are none
  struct Carried {
    size_t flag;
    Bits what;
  };
  static bool has(const Bits &bits, size_t slot) {
    return slot / 64 < bits.size() && bits[slot / 64] >> (slot % 64) & 1;
  }
  static void put(Bits &bits, size_t slot) {
    if (slot / 64 >= bits.size()) bits.resize(slot / 64 + 1);
    bits[slot / 64] |= uint64_t{1} << (slot % 64);
  }
  static void add_all(Bits &to, const Bits &from);
  Bits &carried(size_t flag);
  // Each row of bits, along with the other history's.
  template <class F> void each(const History &other, F &&f);

  std::vector<size_t> numbers_;         // of what was done, in order
  std::array<Bits, pipe_count> done_;   // by a pipe
  std::array<Bits, pipe_count> behind_; // what a pipe is ordered behind
  std::vector<Carried> carried_;
};

} // namespace htp::a2a3
