import htp
from htp import In, Out, f32
from htp_tile import kernel, reduce_sum, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        t = x[i, :]
        t = reduce_sum(t, axis=1)
        y[i, :] = x[i, :] * t

# kind: assignment; a reduced tile
# expect: tile.retyped 13
# text: `t` is `Tile[f32, i, 1]` here and `Tile[f32, i, N]` where it was first bound
