// plugins/backend-cpu/binding/watch.h — what the processes of a traced call did when, as events.
#pragma once

#include "run.h"

#include "htp/binding.h"

namespace htp::cpu::bind {

// "an item of `lanes[1, 2]`": what a process waits for at a site, of the channel with that number in its array.
std::string waited_for(const Site &site, int64_t lane);

int64_t nanoseconds(); // of a clock that never goes back

// Takes what a traced call tells, and makes events of it: a track for each process, on which it works or waits.
class Timeline {
public:
  Timeline() : watch_{this, nanoseconds, take} {}
  Timeline(const Timeline &) = delete;

  const Watch *watch() const { return &watch_; } // that the call is given
  // Of an entry in a run that began then; `from` and `to` are when it was called and came back.
  void tell(const Context &c, const Entry &entry, const htp_trace_sink &sink, int64_t begin, int64_t from,
            int64_t to) const;

private:
  struct Span {
    int64_t process, site, lane, begin, end;
  };
  static void take(void *to, int64_t process, int64_t site, int64_t lane, int64_t begin, int64_t end);

  Watch watch_;
  std::vector<Span> spans_; // of each process first all of its time, then its waits, one after the other
};

} // namespace htp::cpu::bind
