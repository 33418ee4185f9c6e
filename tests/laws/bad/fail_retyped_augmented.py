import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        t = x[i, 0]
        t += x[i, :]
        y[i, :] = t

# kind: +=; a wider tile
# expect: tile.retyped 13
# text: `t` is `Tile[f32, i, N]` here and `Tile[f32, i, 1]` where it was first bound
