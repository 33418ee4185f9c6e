import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M]]) -> None:
    for i in tiles(M, 8):
        y[i] = x[i, :]

# kind: store; 2 dimensions to 1
# expect: tile.rank-mismatch 12
# text: `tile.store` needs tiles of 1 dimensions, not `Tile[f32, i, N]`
