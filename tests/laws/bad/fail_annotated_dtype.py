import htp
from htp import In, Out, f16, f32
from htp_tile import kernel, Tensor, Tile, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        t: Tile[f16, i, N] = x[i, :]
        y[i, :] = x[i, :]

# kind: annotation; another dtype
# expect: tile.annotation-mismatch 12
# text: `t` is annotated `Tile[f16, i, N]`, but its value is `Tile[f32, i, N]`
