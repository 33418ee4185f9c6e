import htp
from htp import In, Out, f32
from htp_csp import channel, pipeline, process
from htp_tile import Tensor, tiles, zeros

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, tiles(M, 8), N, capacity=2)

    @process
    def load() -> None:
        for k in range(K):
            for i in tiles(M, 8):
                rows.put(zeros(f32, i, N))

    @process
    def store() -> None:
        for i in tiles(M, 8):
            y[i, :] = x[i, :]
            for k in range(K):
                _ = rows.get()

# kind: blocks of a pipeline; alike to nobody
# expect: csp.other-block 26
# text: `store` gets item 1 of `rows` at block 0 of `i`, and `load` put it at block 1 at K = 2, M = 9
