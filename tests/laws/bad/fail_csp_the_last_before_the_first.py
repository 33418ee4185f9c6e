import htp
from htp import In, Out, f32
from htp_csp import channel, pipeline, process
from htp_tile import Tensor, tiles, zeros

M = htp.dim("M")
N = htp.dim("N")


@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, tiles(M, 8), N, capacity=2)
    total = channel(f32, 8, 1, capacity=1)

    @process
    def load() -> None:
        for i in tiles(M, 8):
            rows.put(x[i, :])
        total.put(zeros(f32, 8, 1))

    @process
    def store() -> None:
        _ = total.get()
        for i in tiles(M, 8):
            y[i, :] = rows.get()

# kind: deadlocks of a pipeline; the last before the first
# expect: csp.deadlock 18
# text: `load` and `store` wait for each other at M = 17
