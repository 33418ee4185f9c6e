import htp
from htp import In, Out, f32
from htp_csp import Channel, channel, pipeline, process
from htp_tile import Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@pipeline
def give(a: Channel[f32], b: Channel[f32], x: In[Tensor[f32, M, N]]) -> None:
    @process
    def run() -> None:
        for i in tiles(M, 8):
            a.put(x[i, :])
            b.put(x[i, :])


@pipeline
def take(a: Channel[f32], b: Channel[f32], y: Out[Tensor[f32, M, N]]) -> None:
    @process
    def run() -> None:
        for i in tiles(M, 8):
            row = b.get()
            y[i, :] = row + a.get()


@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    a = channel(f32, tiles(M, 8), N, capacity=0)
    b = channel(f32, tiles(M, 8), N, capacity=0)
    give(a, b, x)
    take(a, b, y)

# options: --entry w
# kind: nesting; a deadlock between two that are called
# expect: csp.deadlock 15
# text: `give_run` and `take_run` wait for each other at M = 1
