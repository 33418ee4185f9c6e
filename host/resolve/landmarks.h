// host/resolve/landmarks.h — a lower bound on the number of operators still needed, were nothing taken away: LM-cut
// (Helmert and Domshlak, 2009): cuts between what holds and the goal, each of which any order must cross.
#pragma once

#include "host/resolve/pass_task.h"

namespace htp {

class Landmarks {
public:
  static constexpr uint32_t kUnreachable = UINT32_MAX;
  explicit Landmarks(const PassTask &task);
  uint32_t estimate(const States &states);

private:
  struct Step {
    std::vector<uint32_t> needs, adds;
    uint32_t cost = 0;
  };
  uint32_t fact_of(const AnyOf &any);
  void add_step(Step step);
  void spread(const States &states); // the cheapest cost of each fact, and each step's dearest need
  bool cut();                        // takes one landmark's cost off its steps, the `crossing_`
  void spread_again();               // after that: only what is cheaper now is looked at

  std::vector<Step> steps_;
  std::vector<std::vector<uint32_t>> needed_by_, added_by_; // fact → steps
  std::map<std::vector<uint32_t>, uint32_t> any_of_;
  uint32_t facts_ = 0, atoms_ = 0, always_ = 0, goal_ = 0;
  std::vector<uint32_t> cost_, value_, missing_, dearest_; // of steps, facts, steps, steps
  std::vector<uint32_t> crossing_;
  // For one spread or cut, kept for their memory.
  std::vector<uint32_t> now_, later_;
  std::vector<uint8_t> held_, settled_, zone_, near_; // of facts
};

} // namespace htp
