import htp
from htp import In, Out, f32
from htp_csp import channel, pipeline, process
from htp_tile import Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@pipeline
def answers(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    there = channel(f32, tiles(M, 8), N, capacity=1)
    back = channel(f32, tiles(M, 8), N, capacity=1)

    @process
    def ask() -> None:
        for i in tiles(M, 8):
            y[i, :] = back.get()
            there.put(x[i, :])

    @process
    def answer() -> None:
        for i in tiles(M, 8):
            back.put(there.get() * 2.0)

# kind: pipeline; each gets before it puts
# expect: csp.deadlock 18
# text: `ask` and `answer` wait for each other at M = 1
