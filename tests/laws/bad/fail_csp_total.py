import htp
from htp import In, Out, f32
from htp_csp import channel, pipeline, process
from htp_tile import Tensor, reduce_sum, tiles, zeros

M = htp.dim("M")
N = htp.dim("N")


@pipeline
def total(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, tiles(M, 8), N, capacity=1)
    totals = channel(f32, 1, N, capacity=1)

    @process
    def load() -> None:
        total = zeros(f32, 1, N)
        for i in tiles(M, 8):
            total = total + reduce_sum(x[i, :], axis=0)
            rows.put(x[i, :])
        totals.put(total)

    @process
    def scale() -> None:
        total = totals.get()
        for i in tiles(M, 8):
            y[i, :] = rows.get() - total

# kind: pipeline; the total comes behind what waits for it
# expect: csp.deadlock 20
# text: `load` and `scale` wait for each other at M = 9
