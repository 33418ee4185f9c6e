// How many items steps put and get.
#include "htp_cpp/dataflow.h"

#include <algorithm>

namespace htp::sdk::dataflow {

namespace {

class Counting {
public:
  Counting(const Counted &counted, Irregular *irregular) : counted_(counted), irregular_(irregular) {}

  MaybeInt all(const Step *begin, const Step *end) const {
    MaybeInt sum = 0;
    for (const Step *step = begin; step != end && sum; ++step) sum = sum + one(*step);
    return sum;
  }
  MaybeInt all(const std::vector<Step> &steps) const { return all(steps.data(), steps.data() + steps.size()); }

  // So many iterations of a loop, which make as many operations each.
  MaybeInt repeated(const Step &loop, const MaybeInt &times) const {
    const MaybeInt each = all(loop.body);
    if (!each || *each == 0) return each;
    if (!each->uses(loop.variable)) return times * each;
    if (irregular_) *irregular_ = &loop;
    return std::nullopt;
  }

private:
  MaybeInt one(const Step &step) const {
    if (!is_loop(step)) return step.channel == counted_.channel && step.kind == counted_.kind ? 1 : 0;
    return repeated(step, as_int(step.times, counted_.range_of));
  }

  const Counted &counted_;
  Irregular *irregular_;
};

} // namespace

MaybeInt rate(const std::vector<Step> &steps, const Counted &counted, Irregular *irregular) {
  return Counting(counted, irregular).all(steps);
}

MaybeInt count_before(const std::vector<Step> &steps, const Position &position, size_t depth, const Counted &counted,
                      const std::vector<MaybeInt> &iterations, Irregular *irregular) {
  const Counting counting(counted, irregular);
  const std::vector<Step> *body = &steps;
  MaybeInt sum = 0;
  for (size_t d = 0; d < position.size() && sum; ++d) {
    if (d >= depth) sum = sum + counting.all(body->data(), body->data() + position[d]);
    if (d + 1 == position.size()) break;
    const Step &loop = (*body)[position[d]];
    // The one iteration that there is of a condition has none before it.
    const bool once = std::ranges::find(loop.times.least_of, IntExpr(1)) != loop.times.least_of.end();
    if (d >= depth && !once)
      sum = sum + counting.repeated(loop, d < iterations.size() ? iterations[d] : IntExpr::symbol(loop.variable));
    body = &loop.body;
  }
  return sum;
}

} // namespace htp::sdk::dataflow
