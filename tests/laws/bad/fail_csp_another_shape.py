import htp
from htp import In, Out, f32
from htp_csp import channel, pipeline, process
from htp_tile import Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, tiles(M, 8), N, 8, capacity=2)

    @process
    def load() -> None:
        for i in tiles(M, 8):
            rows.put(x[i, :])

    @process
    def store() -> None:
        for i in tiles(M, 8):
            y[i, :] = rows.get()

# kind: types of a pipeline; another shape
# expect: csp.item-shape 17
# text: `rows` carries tiles of (i, N, 8), and this has (i, N)
# expect: tile.rank-mismatch 22
# text: `tile.store` needs tiles of 2 dimensions, not `Tile[f32, store_i, N, 8]`
