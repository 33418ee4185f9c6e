import htp
from htp import In, Out, f32
from htp_csp import channel, pipeline, process
from htp_tile import Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, tiles(M, 8), N, capacity=2)

    @process
    def load() -> None:
        for k in range(K):
            for n in range(N):
                for i in tiles(M, 8):
                    rows.put(x[i, :])

    @process
    def store() -> None:
        for k in range(K * N):
            for i in tiles(M, 8):
                y[i, :] = rows.get()

# kind: blocks of a pipeline; rounds in rounds, and as many in one loop
# expect: csp.block-not-shown 26
# text: that `store` gets each item of `rows` at the block it was put at could not be shown for all sizes
