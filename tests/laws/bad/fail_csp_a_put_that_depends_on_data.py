import htp
from htp import In, Out, f32
from htp_csp import channel, pipeline, process
from htp_tile import Tensor, tiles, zeros

M = htp.dim("M")
N = htp.dim("N")


@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, 1, capacity=2)

    @process
    def load() -> None:
        for i in tiles(M, 8):
            if x[0, 0] > 0.0:
                rows.put(zeros(f32, 1))

    @process
    def store() -> None:
        for i in tiles(M, 8):
            y[i, :] = x[i, :]
            _ = rows.get()

# kind: rates of a pipeline; a put that depends on data
# expect: csp.rate-of-data 17
# text: how often this `if` uses channels is not known when compiling
