#include "pto_orchestration_api.h"

extern "C" void aicpu_orchestration_entry(const ChipTaskArgs &args) {
  CoreTaskArgs task;
  task.add_input(args.tensor(0).ref(), args.tensor(1).ref());
  task.add_output(args.tensor(2).ref(), args.tensor(3).ref());
  task.add_scalar(args.scalar(0));
  rt_submit_aiv_task(0, task);
}
