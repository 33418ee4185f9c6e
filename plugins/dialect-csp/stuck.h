// stuck.h — sizes at which a network does not come to its end.
#pragma once

#include "htp_cpp/dataflow_proof.h"

#include <optional>
#include <set>

namespace htp::csp {

using namespace htp::sdk;
using namespace htp::sdk::dataflow;

// A run that ends with processes that wait, or with items that nobody gets. It points into the network.
struct Stuck {
  Values sizes;
  Run run;
  std::vector<size_t> cycle; // as `dataflow::cycle` has it; empty: more items were put than are got, or fewer
};

// Runs a network at sizes around those at which something changes: the blocks that loops are cut into, the capacities
// of channels, and what conditions compare with.
class Trial {
public:
  explicit Trial(const Network &network);

  // The least sizes of those tried at which it gets stuck, where `proof` has not shown that there are none.
  std::optional<Stuck> stuck(const Proof &proof) const;
  // Small sizes, and those around one, two and three blocks.
  std::vector<Values> small_sizes() const;
  // Whether it ends with these capacities: at all sizes that are tried, if that is not shown.
  bool ends_with(const std::vector<int64_t> &capacities) const;

  static constexpr int64_t most_operations = 200'000; // of one run

private:
  void read(const std::vector<Step> &steps);
  void collect(const IntExpr &one, int64_t divisor);
  std::vector<Values> large_sizes(const Network &of) const;
  void least(Values &sizes) const;
  std::optional<Stuck> stuck_at(const Values &sizes) const;

  const Network &network_;
  std::map<std::string, std::set<int64_t>> steps_; // size → the blocks it is cut into
  std::set<int64_t> numbers_;                      // that sizes and loops' variables are compared with
};

} // namespace htp::csp
