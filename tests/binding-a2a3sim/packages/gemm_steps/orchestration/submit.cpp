#include "pto_orchestration_api.h"

extern "C" void aicpu_orchestration_entry(const ChipTaskArgs &args) {
  CoreTaskArgs task;
  task.add_input(args.tensor(0).ref(), args.tensor(1).ref());
  task.add_output(args.tensor(2).ref());
  task.add_scalar(args.scalar(0), args.scalar(1), args.scalar(2));
  rt_submit_aic_task(0, task);
}
