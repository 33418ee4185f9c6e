import htp
from htp import In, Out, f32
from htp_csp import channel, pipeline, process
from htp_tile import Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, tiles(M, 8), tiles(N, 8), capacity=2)

    @process
    def load() -> None:
        for i in tiles(M, 8):
            for j in tiles(N, 8):
                rows.put(x[i, j])

    @process
    def store() -> None:
        for j in tiles(N, 8):
            for i in tiles(M, 8):
                y[i, j] = rows.get()

# kind: blocks of a pipeline; blocks in blocks
# expect: csp.other-block 24
# text: `store` gets item 1 of `rows` at block 1 of `i`, and `load` put it at block 0 at M = 9, N = 9
