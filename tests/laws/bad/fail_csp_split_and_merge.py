import htp
from htp import In, Out, f32
from htp_csp import channel, pipeline, process
from htp_tile import Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    a = channel(f32, tiles(M, 8), N, capacity=1)
    b = channel(f32, tiles(M, 8), N, capacity=1)

    @process
    def split() -> None:
        for i in tiles(M, 8):
            a.put(x[i, :])
        for i in tiles(M, 8):
            b.put(x[i, :])

    @process
    def merge() -> None:
        for i in tiles(M, 8):
            y[i, :] = a.get() + b.get()

# kind: deadlocks of a pipeline; split and merge
# expect: csp.deadlock 18
# text: `split` and `merge` wait for each other at M = 17
