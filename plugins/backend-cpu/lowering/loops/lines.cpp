// Going along lines: where arrays lie by columns, the loops over their elements go down these, so that what an inner
// loop touches lies together and is loaded by vectors.
#include "lower.h"

#include "htp_cpp/layout/annotation.h"

#include <algorithm>

namespace htp::cpu::loops {

namespace {

// The loop along what lies side by side in the tensors of a step; `others` where these have several, or an access is
// none that loops may go through in any order.
constexpr int none = -1, others = -2;
int along_lines(const Step &step, bool &elsewhere) {
  int found = none;
  step.each_access([&](const Access &access, bool) {
    for (const Index &i : access.index)
      if (i.deepest >= 0 || i.from || i.whole || i.scale) found = others;
    const bool moves = std::ranges::any_of(access.index, [](const Index &i) { return i.loop >= 0; });
    if (!moves || found == others || !(access.object->tensor || access.object->in_memory)) return;
    const int dimension = access.object->along();
    elsewhere = elsewhere || dimension + 1 != static_cast<int>(access.index.size());
    const int loop = dimension < 0 ? others : access.index[static_cast<size_t>(dimension)].loop;
    if (loop != none) found = found == none || found == loop ? loop : others;
  });
  return found;
}

} // namespace

int beside_in(const Context &c, const Parameter &parameter) {
  const int last = static_cast<int>(parameter.type.dims.size()) - 1;
  if (!parameter.type.layout) return last;
  const auto integer = [&](Node n) {
    int64_t value = 0;
    return c.integer(n, &value) ? std::optional(value) : std::nullopt;
  };
  std::vector<int64_t> steps, shape;
  for (const Node d : parameter.type.dims) shape.push_back(integer(d).value_or(0));
  if (const auto by_call = run_time_steps(c, parameter.type.layout, integer)) {
    for (const RunTimeStep &step : *by_call) steps.push_back(step.size);
  } else if (const auto layout = read_layout(c, parameter.type.layout, integer)) {
    if (const auto fixed = layout::array_steps(*layout, shape)) steps = *fixed;
  }
  for (int d = last; d >= 0 && d < static_cast<int>(steps.size()); --d)
    if (steps[static_cast<size_t>(d)] == 1 && shape[static_cast<size_t>(d)] != 1) return d;
  return -1;
}

void go_along_lines(std::deque<Step> &steps) {
  int inner = none;
  bool elsewhere = false;
  for (const Step &step : steps) {
    const bool alike =
        step.loops.size() == steps[0].loops.size() &&
        std::equal(step.loops.begin(), step.loops.end(), steps[0].loops.begin(), [](const Loop &a, const Loop &b) {
          return a.extent.key == b.extent.key && !a.reduces && !b.reduces;
        });
    if (!alike || (step.form != Step::Form::elementwise && step.form != Step::Form::store) || step.intrinsic == "iota")
      return;
    const int loop = along_lines(step, elsewhere);
    if (loop == others || (loop != none && inner != none && loop != inner)) return;
    if (loop != none) inner = loop;
  }
  if (!elsewhere || inner == none) return;
  for (Step &step : steps) {
    std::rotate(step.loops.begin() + inner, step.loops.begin() + inner + 1, step.loops.end());
    const auto turn = [&](Access &access) {
      for (Index &i : access.index)
        if (i.loop == inner)
          i.loop = static_cast<int>(step.loops.size()) - 1;
        else if (i.loop > inner)
          --i.loop;
    };
    for (Operand &o : step.operands) turn(o.access);
    turn(step.result);
    step.turned = true;
  }
}

} // namespace htp::cpu::loops
