// flags.h — whether a kernel's flags and barriers order what its pipes do, so that it computes what its instructions
// compute one after the other. Knows no program: what a kernel does is given as a tree of events.
#pragma once

#include "terms.h"

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace htp::validator {

// What an instruction touches: bytes of a space, or, of a tensor, what this store or load of it touches.
struct Touch {
  std::string space; // empty: a tensor
  Term address = 0;
  int64_t bytes = 0;
  int tensor = -1;
  int site = 0; // which instruction of the program
  bool writes = false;
};

struct FlagEvent {
  enum class Kind : uint8_t { touch, set, wait, barrier, drain, loop, branch } kind = Kind::touch;
  std::string pipe, other;                    // of a flag: from, to
  Term number = 0;                            // of a flag
  std::vector<Touch> touches;                 // of an instruction
  Term turn = 0;                              // of a loop: 0 and 1 in turn; 0: none
  std::vector<std::vector<FlagEvent>> bodies; // of a loop one, of a branch two
};

// A machine whose state is what each pipe knows of each access: that it has ended. Loops run until nothing new is met,
// with any number of iterations; branches both ways. Of states with the same flags set what all of them know is kept.
class Flags {
public:
  // Tensors in `again` may be stored to twice at one index.
  Flags(const Terms &terms, bool cube, std::set<int> again);
  // Why it is not in order; empty: it is.
  std::string check(const std::vector<FlagEvent> &kernel);

private:
  // A space or tensor, where it begins and ends, whether it is written, by which pipe.
  using Access = std::tuple<std::string, int64_t, int64_t, bool, size_t>;
  using Flag = std::tuple<size_t, size_t, int64_t>;
  struct State {
    std::map<Access, unsigned> known;                                  // pipes that know that it has ended, as bits
    std::map<Flag, unsigned> waits;                                    // the last wait for a flag: who knows of it
    std::map<Flag, std::pair<std::set<Access>, std::set<Flag>>> flags; // those set: what they tell
    bool drained = false;
    auto operator<=>(const State &) const = default;
  };
  using Set = std::set<Flag>;
  using States = std::map<Set, State>; // by which flags are set: what is known in each
  using Turns = std::map<Term, int64_t>;
  struct NotOrdered {
    std::string why;
  };

  States run(const std::vector<FlagEvent> &events, States states, Turns &turns);
  static State joined(const State &a, const State &b);
  static Set set_of(const State &s);
  // Whether that is new.
  static bool reach(States &states, const Set &key, const State &s);
  void step(const FlagEvent &e, State &s, const Turns &turns);
  void touch(const FlagEvent &e, State &s, const Turns &turns);
  size_t pipe(const std::string &name) const;
  int64_t value(Term x, const Turns &turns) const;
  bool meet(const Access &a, const Access &b) const;

  const Terms &t;
  std::vector<std::string> pipes_;
  std::set<int> again_;
  size_t steps_ = 0;
};

} // namespace htp::validator
