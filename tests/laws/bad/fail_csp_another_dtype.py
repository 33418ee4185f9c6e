import htp
from htp import In, Out, f32, i32
from htp_csp import channel, pipeline, process
from htp_tile import Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(i32, tiles(M, 8), N, capacity=2)

    @process
    def load() -> None:
        for i in tiles(M, 8):
            rows.put(x[i, :])

    @process
    def store() -> None:
        for i in tiles(M, 8):
            y[i, :] = rows.get()

# kind: types of a pipeline; another dtype
# expect: csp.item-dtype 17
# text: `rows` carries i32, and this is f32
# expect: tile.dtype-mismatch 22
# text: `tile.store` expects f32, got i32
