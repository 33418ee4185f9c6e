// Whether a program says enough of the order of its pipes: it is run with every loop going round three times, each pipe
// in order and otherwise as late as it may be, and whatever touches what another may still be working on is refused.
// A branch is gone through both ways from what was known before it; behind it holds what is known on either way, so
// that every order in which branches may be taken is among those that are looked at. A loop that may go round no times
// is a branch too.
#include "order/accesses.h"
#include "order/flags.h"
#include "order/history.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace htp::a2a3 {

namespace {

constexpr unsigned rounds =
    3; // what a flag carries from one iteration is waited for in the next; one more to see it happen again

struct Mark {
  Pipe source, destination;
  int64_t event;
  bool set = false;
  std::vector<size_t> waited;    // the numbers of the waits before, one on each way to here
  const Statement *by = nullptr; // the last that set it
};

bool innermost(const std::vector<Statement> &body) {
  return std::none_of(body.begin(), body.end(), [](const Statement &s) {
    return s.kind == Statement::Kind::loop ||
           (s.kind == Statement::Kind::branch && !(innermost(s.body) && innermost(s.otherwise)));
  });
}

// What instructions touch, each looked up once where turns do not matter to it.
class Known {
public:
  struct Touched {
    Pipe pipe = Pipe::s;
    bool turns = false;
    std::vector<Touch> touches{};
  };
  const Touched &of(const Statement &s, const Turns &turns) {
    const auto [it, fresh] = known_.try_emplace(&s);
    Touched &touched = it->second;
    if (fresh) {
      touched.pipe = s.pipe();
      touched.turns = (s.tile && !s.tile->turn.empty()) ||
                      std::ranges::any_of(s.operands, [](const Operand &o) { return o.tile && !o.tile->turn.empty(); });
    }
    if (fresh || touched.turns) touched.touches = touches(s, turns);
    return touched;
  }

private:
  std::unordered_map<const Statement *, Touched> known_;
};

class Run {
public:
  // `inner`: how often loops without loops go round; 0: as often as the others. `odd`: loops of turns around loops go
  // round an odd number of times.
  Run(unsigned inner, bool odd, Known &known) : known_(known), inner_(inner), odd_(odd) {}
  std::optional<Disorder> run(const Kernel &k) {
    if (!block(k.body)) return found_;
    for (const Mark &f : flags_)
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
  static Refusal of(const DiagKind &row, const Mark &f) {
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
      return s.perhaps ? either(
                             s, [&] { return loop(s); }, [] { return true; })
                       : loop(s);
    case Kind::branch:
      return either(
          s, [&] { return block(s.body); }, [&] { return block(s.otherwise); });
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

  bool loop(const Statement &s) {
    for (unsigned k = 0, times = times_of(s); k < times; ++k) {
      if (!s.turn.empty()) turns_[s.turn] = k % 2;
      if (!block(s.body)) return false;
    }
    return true;
  }
  template <class F, class G> bool either(const Statement &s, F &&one, G &&other) {
    const Accesses accesses = accesses_;
    const History history = history_;
    const std::vector<Mark> flags = flags_;
    const bool drained = drained_;
    if (!way(s, one)) return false;
    Accesses other_accesses = std::exchange(accesses_, accesses);
    const History other_history = std::exchange(history_, history);
    std::vector<Mark> other_flags = std::exchange(flags_, flags);
    const bool other_drained = std::exchange(drained_, drained);
    if (!way(s, other)) return false;
    accesses_.join(other_accesses, accesses.added());
    history_.join(other_history);
    for (const Mark &o : other_flags) {
      Mark &f = flag(o.source, o.destination, o.event);
      for (const size_t number : o.waited)
        if (std::find(f.waited.begin(), f.waited.end(), number) == f.waited.end()) f.waited.push_back(number);
    }
    drained_ = drained_ && other_drained;
    return true;
  }
  // What is set in a branch is waited for in it: the other way there is nothing to wait for.
  template <class F> bool way(const Statement &s, F &&body) {
    std::vector<bool> before;
    for (const Mark &f : flags_) before.push_back(f.set);
    if (!body()) return false;
    before.resize(flags_.size());
    for (size_t k = 0; k < flags_.size(); ++k)
      if (before[k] != flags_[k].set) {
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
  Mark &flag(const Statement &s) {
    const auto turn = turns_.find(s.turn);
    return flag(s.source, s.destination, s.event + (turn == turns_.end() ? 0 : turn->second));
  }
  Mark &flag(Pipe source, Pipe destination, int64_t event) {
    for (Mark &f : flags_)
      if (f.source == source && f.destination == destination && f.event == event) return f;
    return flags_.emplace_back(Mark{source, destination, event, false, {}, nullptr});
  }
  static size_t number_of(const Mark &f) {
    return (at(f.source) * pipe_count + at(f.destination)) * events + static_cast<size_t>(f.event);
  }
  bool set(const Statement &s) {
    Mark &f = flag(s);
    if (f.destination == Pipe::s && f.event == 7) return no(Disorder::Kind::taken, s, of(diag::flag_reserved, f));
    if (f.set || !std::all_of(f.waited.begin(), f.waited.end(), [&](size_t n) { return history_.knows(s.source, n); }))
      return no(Disorder::Kind::again, s, of(diag::flag_again, f));
    f.set = true, f.by = &s;
    history_.set(number_of(f), s.source);
    return true;
  }
  bool wait(const Statement &s) {
    Mark &f = flag(s);
    if (!f.set) return no(Disorder::Kind::unset, s, of(diag::flag_unset, f));
    f.set = false;
    history_.wait(number_of(f), s.destination);
    f.waited = {happened(s.destination)};
    return true;
  }
  bool barrier(const Statement &s) {
    if (s.all)
      history_.barrier_all();
    else
      history_.barrier(s.source);
    return true;
  }

  // A pipe does something: an instruction, or a wait.
  size_t happened(Pipe pipe) {
    if (history_.size() >= many_) forget();
    history_.add(++number_, pipe);
    return number_;
  }
  // What nothing is ordered behind any more: it is covered, or waited for again.
  void forget() {
    std::vector<size_t> asked;
    accesses_.each([&](const Access &a) { asked.push_back(a.number); });
    for (const Mark &f : flags_) asked.insert(asked.end(), f.waited.begin(), f.waited.end());
    std::sort(asked.begin(), asked.end());
    history_.keep(asked);
    many_ = 2 * history_.size() + 64;
  }

  bool instruction(const Statement &s) {
    const auto &[pipe, turns, touched] = known_.of(s, turns_);
    drained_ = false;
    for (const Touch &t : touched) {
      const Access *first = nullptr;
      accesses_.meeting(
          t, [&, by = pipe](const Access &a) { return !history_.knows(by, a.number); },
          [&](const Access &a) {
            if (!first || a.rank < first->rank) first = &a;
            return true;
          });
      if (first)
        return no(Disorder::Kind::unordered, s,
                  Refusal(diag::unordered, s.instruction, name_of(pipe), name_of(first->touch.pipe),
                          t.tensor ? "`" + t.tensor->name + "`" : std::string(t.space->text)),
                  first->by);
    }
    const size_t number = happened(pipe);
    for (const Touch &t : touched) accesses_.add(t, number, &s);
    return true;
  }

  Known &known_;
  std::optional<Disorder> found_;
  std::vector<Mark> flags_;
  History history_; // but for what is forgotten
  size_t number_ = 0, many_ = 64;
  Accesses accesses_;
  bool drained_ = false;
  Turns turns_;
  unsigned inner_;
  bool odd_;
};

bool has_turns_around_loops(const std::vector<Statement> &body) {
  return std::any_of(body.begin(), body.end(), [](const Statement &s) {
    return (!s.turn.empty() && !innermost(s.body)) || has_turns_around_loops(s.body) ||
           has_turns_around_loops(s.otherwise);
  });
}

} // namespace

// Inner loops that go round once or twice leave other turns to what follows.
std::optional<Disorder> disorder(const Kernel &kernel) {
  Known known;
  for (const bool odd : {false, true})
    if (!odd || has_turns_around_loops(kernel.body))
      for (const unsigned inner : {0U, 1U, 2U})
        if (auto found = Run(inner, odd, known).run(kernel)) return found;
  return std::nullopt;
}

} // namespace htp::a2a3
