import htp
from htp import In, Out, f32
from htp_csp import channel, pipeline, process
from htp_tile import Tensor, tiles, zeros

M = htp.dim("M")
N = htp.dim("N")


@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, 8, N, capacity=2)

    @process
    def load() -> None:
        for i in range(4):
            rows.put(zeros(f32, 8, N))
        rows.put(zeros(f32, 8, N))

    @process
    def store() -> None:
        for i in range(4):
            _ = rows.get()
        for i in tiles(M, 8):
            y[i, :] = x[i, :]

# kind: rates of a pipeline; one more
# expect: csp.unequal 17
# text: `load` puts 5 items into `rows`, and `store` gets 4
