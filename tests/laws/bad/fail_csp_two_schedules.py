import htp
from htp import In, Out, f32
from htp_csp import Schedule, channel, pipeline, process, schedule
from htp_tile import Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, tiles(M, 8), N, capacity=2)
    done = channel(f32, tiles(M, 8), N, capacity=2)

    @process
    def load() -> None:
        for i in tiles(M, 8):
            rows.put(x[i, :])

    @process
    def scale() -> None:
        for i in tiles(M, 8):
            done.put(rows.get() * 2.0)

    @process
    def store() -> None:
        for i in tiles(M, 8):
            y[i, :] = done.get()


@schedule(w)
def one(s: Schedule) -> None:
    s.chain("load", "scale")


@schedule(w)
def other(s: Schedule) -> None:
    s.chain("scale", "store")

# kind: schedules of a pipeline; two schedules
# expect: csp.which-schedule 11
# text: `w` has several schedules: `one`, `other`
