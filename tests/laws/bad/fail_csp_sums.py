import htp
from htp import In, Out, f32
from htp_csp import channel, pipeline, process
from htp_tile import Tensor, reduce_sum, tiles

M = htp.dim("M")
N = htp.dim("N")


@pipeline
def sums(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, tiles(M, 8), N, capacity=0)
    sums = channel(f32, tiles(M, 8), 1, capacity=0)

    @process
    def load() -> None:
        for i in tiles(M, 8):
            rows.put(x[i, :])
            sums.put(reduce_sum(x[i, :], axis=1))

    @process
    def divide() -> None:
        for i in tiles(M, 8):
            total = sums.get()
            y[i, :] = rows.get() - total

# kind: pipeline; rendezvous in another order
# expect: csp.deadlock 18
# text: `load` and `divide` wait for each other at M = 1
