// read.h — reads a stage as values: what each tensor of the entry holds in the end, as a term over what they were
// given. Loops, branches and calls of the program's own functions are read; what has no meaning here ends the reading.
#pragma once

#include "meanings.h"
#include "terms.h"

#include "htp_cpp/plugin.h"

#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace htp::validator {

// Why a stage, or two of them, were not understood.
struct NotShown {
  sdk::Node at = HTP_NONE;
  std::string why;
};

struct Parameter {
  std::string name;
  Term annotation = 0;
  Term holds = 0; // in the end, of a tensor; 0: none
};
struct Reading {
  std::vector<Parameter> parameters;
  std::vector<std::pair<std::string, Term>> observed; // beside them: what processes did
  std::vector<Term> streams;                          // in the order in which they are made
  Term device = 0;                                    // the array; 0: none
  std::string ends;                                   // when a pipeline is said to end
  std::set<std::string> assumptions;
  std::map<std::string, std::string> apart; // functions that are compiled apart, as they are declared
  std::string beyond;                       // an index that is not shown to be within its tensor
};

// How streams and channels are read: as what happens to them, in order, or as the tensors whose elements they move.
enum class Streams : uint8_t { events, transfers };

// The entry of the program in `body`. Throws NotShown. `moves` becomes true where there are streams or channels.
Reading read(const sdk::Context &c, sdk::Nodes body, std::string_view entry, Terms &terms, Streams streams,
             bool &moves);

} // namespace htp::validator
