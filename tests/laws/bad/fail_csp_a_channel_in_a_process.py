import htp
from htp import In, Out, f32
from htp_csp import Channel, channel, pipeline, process
from htp_tile import Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@pipeline
def give(rows: Channel[f32], x: In[Tensor[f32, M, N]]) -> None:
    @process
    def run() -> None:
        for i in tiles(M, 8):
            rows.put(x[i, :])


@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, tiles(M, 8), N, capacity=1)

    @process
    def load() -> None:
        give(rows, x)

    @process
    def store() -> None:
        for i in tiles(M, 8):
            y[i, :] = rows.get()

# options: --entry w
# kind: nesting; a channel in a process
# expect: csp.channels-of-process 24
# text: `give` takes channels, and the process `load` calls it
