// host/check/made_up.h — programs made up from a seed: small valid trees, and programs with a change.
#pragma once

#include "host/ast/store.h"

#include <cstdint>

namespace htp {

// splitmix64
class Dice {
public:
  explicit Dice(uint64_t seed) : state_(seed) {}
  uint64_t roll();
  uint32_t below(uint32_t limit) { return limit ? static_cast<uint32_t>(roll() % limit) : 0; }

private:
  uint64_t state_;
};

// A module of a few statements of any kinds, nested a little.
htp_node made_up_module(Store &store, Dice &dice);
// The program with one to three changes: statements dropped, doubled or exchanged, expressions replaced by others of
// the program, constants and names changed. The program itself where no change fitted.
htp_node changed_program(Store &store, htp_node root, Dice &dice);
// The expression with other integers in it.
htp_node with_other_numbers(Store &store, htp_node root, Dice &dice);
// The module with a statement, and an expression, of a kind that does not exist. The store's own table of kinds does
// not have it: `kinds` is a table that has.
struct UnknownKinds {
  htp_node root;
  std::vector<htp_kind_info> kinds;
};
UnknownKinds with_unknown_kinds(Store &store, htp_node root);

} // namespace htp
