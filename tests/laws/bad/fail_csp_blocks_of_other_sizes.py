import htp
from htp import In, Out, f32
from htp_csp import channel, pipeline, process
from htp_tile import Tensor, tiles, zeros

M = htp.dim("M")
N = htp.dim("N")


@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, 1, N, capacity=2)

    @process
    def load() -> None:
        for i in tiles(M, 1):
            rows.put(zeros(f32, 1, N))

    @process
    def store() -> None:
        for i in tiles(M, 2):
            _ = rows.get()
            y[i, :] = x[i, :]

# kind: rates of a pipeline; blocks of other sizes
# expect: csp.unequal 17
# text: `load` puts 2 items into `rows`, and `store` gets 1 at M = 2
