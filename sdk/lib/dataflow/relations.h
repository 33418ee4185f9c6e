// A network's operations as relations between iterations, affine in them and in the sizes; isl decides.
#pragma once

#include "htp_cpp/dataflow_proof.h"

#include "htp_cpp/plugin.h"
#include "htp_cpp/writer.h"

#include <memory>
#include <set>

namespace htp::sdk::dataflow {

// A text with its `{}` filled in.
template <class... A> std::string say(std::string_view pattern, const A &...arguments) {
  return sdk::format(pattern, {sdk::to_text(arguments)...});
}
template <class Range> std::string joined(const Range &texts, std::string_view separator) {
  return sdk::join(texts, separator, [](const std::string &text) { return text; });
}

class Prover {
public:
  // `counters` are variables of loops that are looked at in one iteration: sizes that may be 0.
  Prover(const Network &network, const std::set<std::string> &counters);
  ~Prover();

  // Whether every channel gets what it puts; `proof` has the sizes when one does not.
  bool balanced(Proof &proof);
  // Whether every item is put and got in the same iteration of the loops it is a block of.
  bool aligned(size_t channel, size_t reader);
  // Whether there is a time for every operation. The channels are balanced.
  bool ends();

private:
  class Relations;
  std::unique_ptr<Relations> relations_;
};

// Without loops that run once.
std::vector<Step> straight(const std::vector<Step> &steps);
// What the steps do with one channel, which becomes the first, and nothing else of them.
std::vector<Step> only(const std::vector<Step> &steps, size_t channel, StepKind kind);

} // namespace htp::sdk::dataflow
