#include "watch.h"

#include "htp_cpp/grids.h"

#include <chrono>
#include <new>

namespace htp::cpu::bind {

int64_t nanoseconds() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

std::string waited_for(const Site &site, int64_t lane) {
  std::vector<int64_t> at(site.array.size());
  for (size_t d = at.size(); d-- > 0; lane /= site.array[d]) at[d] = lane % site.array[d];
  const std::string what = site.waits == "item" ? "an item of" : site.waits == "reader" ? "a reader of" : "capacity in";
  return what + " `" + sdk::named_position(site.channel, at) + "`";
}

namespace {

constexpr int64_t whole = -1, not_kept = -2; // sites, as runtime/htp_channel.h has them

// The events of one process after the other. What was not kept, or has no number in the signature, is left out.
class Telling {
public:
  Telling(const Context &context, const Entry &entry, const htp_trace_sink &sink, int64_t begin)
      : c(context), entry_(entry), sink_(sink), begin_(begin) {}

  void event(const std::string &name, const std::string &track, int64_t begin, int64_t end, uint32_t node = 0) const {
    const double at = static_cast<double>(begin - begin_) / 1e3, duration = static_cast<double>(end - begin) / 1e3;
    if (node == 0 || !c.event(node, name, track, at, duration))
      sink_.event(sink_.to, str(name), str(track), at, duration);
  }

  void enter(int64_t process, int64_t begin, int64_t end) {
    const bool known = process >= 0 && static_cast<size_t>(process) < entry_.instances.size() && begin <= end;
    instance_ = known ? &entry_.instances[static_cast<size_t>(process)] : nullptr;
    since_ = begin;
    end_ = end;
    node_ = known ? instance_->node + 1 : 0;
  }
  void wait(int64_t site, int64_t lane, int64_t begin, int64_t end) {
    if (!instance_ || site < 0 || static_cast<size_t>(site) >= entry_.sites.size() || lane < 0 || begin < since_ ||
        end < begin)
      return;
    const Site &at = entry_.sites[static_cast<size_t>(site)];
    work_until(begin);
    event("waits for " + waited_for(at, lane), instance_->name, begin, end, at.node + 1);
    since_ = end;
    node_ = at.node + 1; // where it goes on
  }
  void lost(int64_t waits, int64_t begin, int64_t end) {
    if (!instance_ || begin < since_ || end < begin) return;
    event("works and waits, " + std::to_string(waits) + " times: more than are kept", instance_->name, begin, end,
          node_);
    since_ = end_;
  }
  void leave() {
    if (instance_) work_until(end_);
    instance_ = nullptr;
  }

private:
  void work_until(int64_t time) const {
    if (time > since_) event("works", instance_->name, since_, time, node_);
  }

  const Context &c;
  const Entry &entry_;
  const htp_trace_sink &sink_;
  const int64_t begin_;
  const Instance *instance_ = nullptr;
  uint32_t node_ = 0;
  int64_t since_ = 0, end_ = 0;
};

} // namespace

void Timeline::take(void *to, int64_t process, int64_t site, int64_t lane, int64_t begin, int64_t end) {
  try {
    static_cast<Timeline *>(to)->spans_.push_back({process, site, lane, begin, end});
  } catch (const std::bad_alloc &) {
    return; // C is above: the rest is not told
  }
}

void Timeline::tell(const Context &c, const Entry &entry, const htp_trace_sink &sink, int64_t begin, int64_t from,
                    int64_t to) const {
  Telling telling(c, entry, sink, begin);
  telling.event(entry.name, "cpu", from, to);
  for (const Span &span : spans_) {
    if (span.site == whole) {
      telling.leave();
      telling.enter(span.process, span.begin, span.end);
    } else if (span.site == not_kept) {
      telling.lost(span.lane, span.begin, span.end);
    } else {
      telling.wait(span.site, span.lane, span.begin, span.end);
    }
  }
  telling.leave();
}

} // namespace htp::cpu::bind
