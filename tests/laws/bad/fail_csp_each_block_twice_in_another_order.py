import htp
from htp import In, Out, f32
from htp_csp import channel, pipeline, process
from htp_tile import Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, tiles(M, 8), N, capacity=2)

    @process
    def load() -> None:
        for k in range(2):
            for i in tiles(M, 8):
                rows.put(x[i, :])

    @process
    def store() -> None:
        for i in tiles(M, 8):
            a = rows.get()
            b = rows.get()
            y[i, :] = a + b

# kind: blocks of a pipeline; each block twice, in another order
# expect: csp.other-block 24
# text: `store` gets item 1 of `rows` at block 0 of `i`, and `load` put it at block 1 at M = 9
