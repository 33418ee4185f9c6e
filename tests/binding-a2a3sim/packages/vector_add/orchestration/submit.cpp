#include "pto_orchestration_api.h"

extern "C" {
__attribute__((visibility("default"))) PTO2OrchestrationConfig aicpu_orchestration_config(const ChipTaskArgs &) {
  return PTO2OrchestrationConfig{.expected_arg_count = 4};
}
__attribute__((visibility("default"))) void aicpu_orchestration_entry(const ChipTaskArgs &args) {
  CoreTaskArgs task;
  task.add_input(args.tensor(0).ref(), args.tensor(1).ref());
  task.add_output(args.tensor(2).ref());
  task.add_scalar(args.scalar(0));
  rt_submit_aiv_task(0, task);
}
}
