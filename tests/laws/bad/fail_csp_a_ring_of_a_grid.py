import htp
from htp import In, Out, f32
from htp_csp import channels, pipeline, process
from htp_tile import Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")
P = 3


@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    ring = channels(P, f32, 1, capacity=1)

    @process(grid=P)
    def turn(k: int) -> None:
        t = ring[k].get()
        ring[(k + 1) % P].put(t)

    @process
    def store() -> None:
        for i in tiles(M, 8):
            y[i, :] = x[i, :]

# kind: deadlocks of a pipeline; a ring of a grid
# expect: csp.deadlock 17
# text: `turn[0]`, `turn[2]` and `turn[1]` wait for each other
