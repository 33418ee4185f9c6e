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
        for i in range(M):
            for j in range(i * i):
                rows.put(zeros(f32, 1))

    @process
    def store() -> None:
        for i in range(M):
            for j in range(i * i):
                _ = rows.get()
        for i in tiles(M, 8):
            y[i, :] = x[i, :]

# kind: rates of a pipeline; a number that is a product
# expect: csp.rate-of-data 17
# text: how often this `for` uses channels is not known when compiling
