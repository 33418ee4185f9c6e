// Whether a program says enough of the order of its pipes: it is run with every loop going round three times, each pipe
// in order and otherwise as late as it may be, and whatever touches what another may still be working on is refused.
// Where it branches it is run with several ways to go, now the one and now the other.
#include "order/accesses.h"
#include "order/order.h"

#include <algorithm>
#include <array>

namespace htp::a2a3 {

namespace {

using Known = std::array<size_t, pipe_count>;
constexpr unsigned ways_long = 4; // of how often branches are come to the ways repeat
constexpr unsigned rounds =
    3; // what a flag carries from one iteration is waited for in the next; one more to see it happen again

struct Flag {
  Pipe source, destination;
  int64_t event;
  bool set = false;
  Known news{};
  size_t waited = 0;             // the number of the wait before
  const Statement *by = nullptr; // the last that set it
};

bool innermost(const std::vector<Statement> &body) {
  return std::none_of(body.begin(), body.end(), [](const Statement &s) {
    return s.kind == Statement::Kind::loop ||
           (s.kind == Statement::Kind::branch && !(innermost(s.body) && innermost(s.otherwise)));
  });
}

class Run {
public:
  // `inner`: how often loops without loops go round; 0: as often as the others. `odd`: loops of turns around loops go
  // round an odd number of times. `ways`: which way branches go, by one bit each time; `opposite`: every second one
  // goes the other way.
  Run(unsigned inner, bool odd, unsigned ways, bool opposite)
      : inner_(inner), odd_(odd), ways_(ways), opposite_(opposite) {}
  std::optional<Disorder> run(const Kernel &k) {
    if (!block(k.body)) return found_;
    for (const Flag &f : flags_)
      if (f.set) {
        no(Disorder::Kind::left, *f.by, of(diag::flag_left, f));
        found_->event = f.event;
        return found_;
      }
    if (drained_) return std::nullopt;
    return Disorder{Disorder::Kind::undrained, nullptr, nullptr, Refusal(diag::undrained), 0};
  }

private:
  static size_t at(Pipe p) { return static_cast<size_t>(p); }
  static Refusal of(const DiagKind &row, const Flag &f) {
    return Refusal(row, f.event, name_of(f.source), name_of(f.destination));
  }
  bool no(Disorder::Kind kind, const Statement &at, Refusal what, const Statement *before = nullptr) {
    const auto turn = turns_.find(at.turn);
    found_ = Disorder{kind, &at, before, std::move(what), at.event + (turn == turns_.end() ? 0 : turn->second)};
    return false;
  }

  bool block(const std::vector<Statement> &body) {
    for (const Statement &s : body)
      if (!statement(s)) return false;
    return true;
  }
  bool statement(const Statement &s) {
    using Kind = Statement::Kind;
    switch (s.kind) {
    case Kind::loop:
      for (unsigned k = 0, times = times_of(s); k < times; ++k) {
        if (!s.turn.empty()) turns_[s.turn] = k % 2;
        if (!block(s.body)) return false;
      }
      return true;
    case Kind::branch: return branch(s);
    case Kind::integer:
    case Kind::tile: return true;
    case Kind::instruction: return instruction(s);
    case Kind::set: drained_ = false; return set(s);
    case Kind::wait: drained_ = false; return wait(s);
    case Kind::barrier: drained_ = false; return barrier(s);
    case Kind::drain: drained_ = true; return true;
    }
    return true;
  }

  // What is set in a branch is waited for in it: the other way there is nothing to wait for.
  bool branch(const Statement &s) {
    const auto [it, fresh] = times_.try_emplace(&s, Times{times_.size(), 0});
    const bool taken =
        ((ways_ >> (it->second.times++ % ways_long)) & 1) != (opposite_ && it->second.number % 2 ? 1U : 0U);
    std::vector<bool> before, after;
    for (const Flag &f : flags_) before.push_back(f.set);
    if (!block(taken ? s.body : s.otherwise)) return false;
    for (const Flag &f : flags_) after.push_back(f.set);
    before.resize(after.size());
    for (size_t k = 0; k < after.size(); ++k)
      if (before[k] != after[k]) {
        no(Disorder::Kind::branch, s, of(diag::flag_branch, flags_[k]), flags_[k].by);
        found_->event = flags_[k].event, found_->waited = before[k];
        return false;
      }
    return true;
  }
  // A loop's last turn is the first of its next run where it goes round an odd number of times, once among them.
  unsigned times_of(const Statement &s) const {
    if (innermost(s.body)) return inner_ ? inner_ : s.turn.empty() ? rounds : rounds + 1;
    return s.turn.empty() ? rounds : odd_ ? (inner_ == 1 ? 1 : rounds) : rounds + 1;
  }
  Flag &flag(const Statement &s) {
    const auto turn = turns_.find(s.turn);
    const int64_t event = s.event + (turn == turns_.end() ? 0 : turn->second);
    for (Flag &f : flags_)
      if (f.source == s.source && f.destination == s.destination && f.event == event) return f;
    return flags_.emplace_back(Flag{s.source, s.destination, event, false, {}, 0, nullptr});
  }
  bool set(const Statement &s) {
    Flag &f = flag(s);
    if (f.destination == Pipe::s && f.event == 7) return no(Disorder::Kind::taken, s, of(diag::flag_reserved, f));
    if (f.set || known_[at(s.source)][at(s.destination)] < f.waited)
      return no(Disorder::Kind::again, s, of(diag::flag_again, f));
    f.set = true, f.by = &s;
    f.news = known_[at(s.source)];
    f.news[at(s.source)] = ++issued_[at(s.source)];
    return true;
  }
  bool wait(const Statement &s) {
    Flag &f = flag(s);
    if (!f.set) return no(Disorder::Kind::unset, s, of(diag::flag_unset, f));
    f.set = false;
    learn(known_[at(s.destination)], f.news);
    f.waited = ++issued_[at(s.destination)];
    return true;
  }
  bool barrier(const Statement &s) {
    if (s.all)
      for (Known &k : known_) k = issued_;
    else
      known_[at(s.source)][at(s.source)] = issued_[at(s.source)];
    return true;
  }
  static void learn(Known &known, const Known &news) {
    for (size_t p = 0; p < pipe_count; ++p) known[p] = std::max(known[p], news[p]);
  }

  bool instruction(const Statement &s) {
    const Pipe pipe = s.pipe();
    const size_t number = ++issued_[at(pipe)];
    drained_ = false;
    const std::vector<Touch> fresh = touches(s, turns_);
    for (const Touch &t : fresh) {
      const Access *first = nullptr;
      accesses_.meeting(t, [&](const Access &a) {
        if (known_[at(pipe)][at(a.touch.pipe)] < a.number && (!first || a.rank < first->rank)) first = &a;
      });
      if (first)
        return no(Disorder::Kind::unordered, s,
                  Refusal(diag::unordered, s.instruction, name_of(pipe), name_of(first->touch.pipe),
                          t.tensor ? "`" + t.tensor->name + "`" : std::string(t.space->text)),
                  first->by);
    }
    for (const Touch &t : fresh) accesses_.add(t, number, &s);
    return true;
  }

  std::optional<Disorder> found_;
  std::array<size_t, pipe_count> issued_{};
  std::array<Known, pipe_count> known_{};
  std::vector<Flag> flags_;
  Accesses accesses_;
  bool drained_ = false;
  Turns turns_;
  unsigned inner_;
  bool odd_;
  unsigned ways_;
  bool opposite_;
  struct Times {
    size_t number, times;
  };
  std::map<const Statement *, Times> times_; // that a branch was come to
};

bool has_turns_around_loops(const std::vector<Statement> &body) {
  return std::any_of(body.begin(), body.end(), [](const Statement &s) {
    return (!s.turn.empty() && !innermost(s.body)) || has_turns_around_loops(s.body) ||
           has_turns_around_loops(s.otherwise);
  });
}

size_t branches_in(const std::vector<Statement> &body) {
  size_t count = 0;
  for (const Statement &s : body)
    count += (s.kind == Statement::Kind::branch) + branches_in(s.body) + branches_in(s.otherwise);
  return count;
}

} // namespace

// Inner loops that go round once or twice leave other turns to what follows.
std::optional<Disorder> disorder(const Kernel &kernel) {
  const size_t branches = branches_in(kernel.body);
  // Always, never, every second time, and after a pause as long as places take to repeat.
  for (const unsigned ways :
       branches ? std::vector<unsigned>{0b1111, 0b0000, 0b0101, 0b1010, 0b1001, 0b0110} : std::vector<unsigned>{0})
    for (unsigned opposite = 0; opposite < (branches > 1 ? 2U : 1U); ++opposite)
      for (unsigned odd = 0; odd < (has_turns_around_loops(kernel.body) ? 2U : 1U); ++odd)
        for (const unsigned inner : {0U, 1U, 2U})
          if (auto found = Run(inner, odd, ways, opposite).run(kernel)) return found;
  return std::nullopt;
}

} // namespace htp::a2a3
