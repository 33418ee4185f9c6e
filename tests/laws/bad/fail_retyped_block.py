import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles, zeros

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, 1]]) -> None:
    for i in tiles(M, 8):
        t = zeros(f32, i, 1)
        for j in tiles(N, 8):
            t = t + x[i, j]
        y[i, :] = t

# kind: assignment; an inner block
# expect: tile.retyped 14
# text: `t` is `Tile[f32, i, j]` here and `Tile[f32, i, 1]` where it was first bound
