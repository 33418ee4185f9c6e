#include "pto_orchestration_api.h"

extern "C" void aicpu_orchestration_entry(const ChipTaskArgs &args) {
  const ChipTensor &x = args.tensor(0).ref(), &y = args.tensor(1).ref();
  const uint32_t n = static_cast<uint32_t>(args.scalar(0)), half = n / 32 * 16;
  const uint32_t extents[] = {n};
  const TensorCreateInfo row(extents, 1, DataType::FLOAT32);
  PTO2_SCOPE() {
    CoreTaskArgs to_h;
    to_h.add_input(x);
    to_h.add_output(row);
    to_h.add_scalar(n, 1);
    const TaskOutputTensors h = rt_submit_aiv_task(0, to_h);
    CoreTaskArgs to_p, to_q;
    to_p.add_input(h.get_ref(0));
    to_p.add_output(row);
    to_p.add_scalar(n, 1);
    const TaskOutputTensors p = rt_submit_aiv_task(0, to_p);
    to_q.add_input(h.get_ref(0));
    to_q.add_output(row);
    to_q.add_scalar(n, 2);
    const TaskOutputTensors q = rt_submit_aiv_task(0, to_q);
    for (uint32_t part = 0; part < 2; ++part) {
      const uint32_t begin[] = {part * half}, size[] = {part ? n - half : half};
      const ChipTensor from_p = p.get_ref(0).view(size, begin), from_q = q.get_ref(0).view(size, begin),
                       to = y.view(size, begin);
      CoreTaskArgs product;
      product.add_input(from_p, from_q);
      product.add_output(to);
      product.add_scalar(size[0]);
      rt_submit_aiv_task(1, product);
    }
  }
}
