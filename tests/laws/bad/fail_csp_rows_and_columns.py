import htp
from htp import In, Out, f32
from htp_csp import channel, pipeline, process
from htp_tile import Tensor, tiles, zeros

M = htp.dim("M")
N = htp.dim("N")


@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, 1, 1, capacity=1)

    @process
    def load() -> None:
        for i in tiles(M, 4):
            rows.put(zeros(f32, 1, 1))

    @process
    def store() -> None:
        for j in tiles(N, 4):
            _ = rows.get()
        for i in tiles(M, 8):
            y[i, :] = x[i, :]

# kind: rates of a pipeline; rows and columns
# expect: csp.unequal 17
# text: `load` puts 2 items into `rows`, and `store` gets 1 at M = 5, N = 1
