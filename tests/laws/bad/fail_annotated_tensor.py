import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        t: Tensor[f32, i, N] = x[i, :]
        y[i, :] = t

# kind: annotation; a Tensor for a tile
# expect: tile.annotation-mismatch 12
# text: `t` is annotated `Tensor[f32, i, N]`, but its value is `Tile[f32, i, N]`
