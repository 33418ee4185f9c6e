import htp
from htp import In, Out, f32
from htp_csp import Schedule, channel, pipeline, process, schedule
from htp_tile import Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@pipeline
def inner(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, tiles(M, 8), N, capacity=1)

    @process
    def load() -> None:
        for i in tiles(M, 8):
            rows.put(x[i, :])

    @process
    def store() -> None:
        for i in tiles(M, 8):
            y[i, :] = rows.get()


@schedule(inner)
def one(s: Schedule) -> None:
    s.chain("load", "store")


@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    one(x, y)

# options: --entry w
# kind: nesting; a schedule of a pipeline in another one
# expect: csp.called-schedule 32
# text: `one` is a schedule, and is called
