import htp
from htp import In, Out, f32
from htp_csp import channel, pipeline, process
from htp_tile import Tensor, tiles, zeros

M = htp.dim("M")
N = htp.dim("N")


@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, 1, capacity=1)

    @process
    def load() -> None:
        for i in tiles(M, 8):
            rows.put(zeros(f32, 1))

    @process
    def store() -> None:
        for i in tiles(M, 8):
            if holds(x[0, 0] > 0.0) and holds(rows.get() > 0.0):
                y[i, :] = x[i, :]

# kind: rates of a pipeline; a condition that gets
# expect: csp.rate-of-data 22
# text: how often this `and` uses channels is not known when compiling
