// host/resolve/search.h — chooses: the preferred solution of a model, or the causes that leave none.
#pragma once

#include "host/resolve/model.h"
#include "host/resolve/sat.h"

#include <exception>

namespace htp {

struct Chosen {
  std::vector<bool> plugins, instances; // by index in the model
  std::set<uint32_t> granted;           // want lines
  std::vector<bool> values;             // of all variables of the search
};

// Is the line asked of what was chosen?
bool counts(const Model &model, const Chosen &chosen, uint32_t line);

// The search met more conflicts than the request allows.
struct Undecided : std::exception {};

// A claim that is made less of: it need not be met, or without its ranges, or something that is not there provides it
// too.
struct Weaker {
  struct Given {
    TermId term = 0;
    bool ranged = false;
    std::vector<uint32_t> owners; // where `ranged`, one of these is needed as well
    friend auto operator<=>(const Given &, const Given &) = default;
  };
  bool off = false, without_range = false;
  std::vector<Given> given;
  friend auto operator<=>(const Weaker &, const Weaker &) = default;
};
using Weakened = std::map<uint32_t, Weaker>; // by claim

class Search {
public:
  // Of the blames in `only`, when it is given. Every member may throw Undecided.
  explicit Search(const Model &model, const std::vector<uint32_t> *only = nullptr, bool founded = true);

  // The preferred solution, wants granted; nothing when there is none.
  std::optional<Chosen> preferred();
  // Some of `blames` that leave no solution; nothing when there is one.
  std::optional<std::vector<uint32_t>> core(const std::vector<uint32_t> &blames, const Weakened &weakened = {});
  // Is there a solution with this instance in it, and without that plugin?
  bool possible(uint32_t instance, uint32_t without = kNone);

private:
  struct Found {
    std::optional<Chosen> chosen;
    std::vector<int> core;
  };
  bool has(uint32_t claim) const { return selectors_[claim] != 0; }
  int plugin(uint32_t index);
  int instance(uint32_t index);
  int option_literal(const LineOption &option);
  int met(uint32_t choice, bool loose); // true when the choice is met
  void encode_line(const Line &line, int guard, bool loose, const std::vector<int> &given);
  void encode();
  void encode_preference();
  int weak_guard(uint32_t claim, const Weaker &weaker);
  int provider(TermId term);
  Found least(const std::vector<int> &assumptions, const std::vector<int> &order);
  Found any(const std::vector<int> &assumptions); // as least(), but `chosen` is empty: only whether there is one
  Found ask(const std::vector<int> &assumptions, const std::vector<int> &order, bool read_it);
  bool add_loop(const Chosen &chosen, const std::vector<int> &assumptions);
  std::vector<int> all_selectors() const;

  const Model &model_;
  const std::vector<uint32_t> *only_;
  bool founded_, stateful_ = false;
  Sat sat_;
  std::vector<int> plugins_, instances_, selectors_; // of claims; 0: not there
  std::vector<int> met_[2];                          // by choice: within ranges, without; 0: not made yet
  std::map<LineOption, int> ranged_;
  std::map<uint32_t, int> guards_; // want line → literal that makes it hold
  struct Weak {
    int guard = 0; // makes the claim hold as far as that
    std::vector<int> given;
  };
  std::map<uint32_t, std::map<Weaker, Weak>> weak_; // by claim
  std::map<TermId, int> providers_;                 // of what is not there
  std::vector<int> order_;
};

} // namespace htp
